/* Quantities of statistics: what they belong to, how many numbers they have, and what these are called. */
#include "model/handles.h"
#include "quantity/find.h"

#include <string.h>

crn_statistic crn_quantity_statistic(const cairn_model *model, cairn_statistic statistic)
{
    int index = crn_statistic_index(model, statistic);
    return index < 0 ? crn_statistic_of_all(model) : model->statistics[index];
}

bool crn_quantity_is_of_all(const cairn_model *model, const char *name)
{
    return !strcmp(name, "grains") && !cairn_model_find_body(model, name).id &&
           !cairn_model_find_joint(model, name).id && !cairn_model_find_spring(model, name).id &&
           !cairn_model_find_force(model, name).id && !cairn_model_find_statistic(model, name).id;
}

bool crn_quantity_suits(const cairn_model *model, const crn_quantity_row *row, cairn_statistic statistic)
{
    crn_statistic of = crn_quantity_statistic(model, statistic);
    return (of.has_plane || !row->needs_plane) && (of.region.kind != CRN_ZONE_ALL || !row->needs_region);
}

static const char *const TENSOR_PARTS[2][9] = {{"xx", "xy", "yx", "yy"},
                                               {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"}};

int crn_quantity_tensor_part(int dimension, const char *name)
{
    for (int i = 0; i < dimension * dimension; ++i)
        if (!strcmp(TENSOR_PARTS[dimension - 2][i], name))
            return i;
    return CRN_PART_ALL;
}

#define EIGHT(a, b, c, d, e, f, g, h) "bin" a, "bin" b, "bin" c, "bin" d, "bin" e, "bin" f, "bin" g, "bin" h
static const char *const BINS[] = {
    EIGHT("0", "1", "2", "3", "4", "5", "6", "7"),         EIGHT("8", "9", "10", "11", "12", "13", "14", "15"),
    EIGHT("16", "17", "18", "19", "20", "21", "22", "23"), EIGHT("24", "25", "26", "27", "28", "29", "30", "31"),
    EIGHT("32", "33", "34", "35", "36", "37", "38", "39"), EIGHT("40", "41", "42", "43", "44", "45", "46", "47"),
    EIGHT("48", "49", "50", "51", "52", "53", "54", "55"), EIGHT("56", "57", "58", "59", "60", "61", "62", "63")};
_Static_assert(sizeof BINS / sizeof BINS[0] == CRN_STATISTIC_BINS, "one name per bin");
_Static_assert((int)CRN_STATISTIC_BINS <= (int)CAIRN_QUANTITY_MOST, "a histogram fits into a quantity");

const char *crn_quantity_number_name(const crn_quantity_row *row, int count, int index)
{
    static const char *const vector[] = {"x", "y", "z"};
    if (row->form == CRN_TENSOR)
        return TENSOR_PARTS[count == 9][index];
    return row->form == CRN_HISTOGRAM ? BINS[index] : vector[index];
}
