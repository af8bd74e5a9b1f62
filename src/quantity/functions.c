/* Quantities with arguments: accelerometer(BODY,x,y,z), force(A,B). Names of bodies may contain commas, so every way to divide the
 * arguments is tried; blanks around them do not count. */
#include "quantity/find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The body of the name between two places; in quotes, or as it is. */
static cairn_body find_body(crn_quantity_search *search, const char *begin, const char *end)
{
    while (begin < end && *begin == ' ')
        ++begin;
    while (end > begin && end[-1] == ' ')
        --end;
    if (end - begin >= 2 && *begin == '\'' && end[-1] == '\'')
    {
        ++begin;
        --end;
    }
    char *name = strndup(begin, (size_t)(end - begin));
    search->no_memory = search->no_memory || !name;
    cairn_body body = name ? cairn_model_find_body(search->model, name) : (cairn_body){.id = 0};
    free(name);
    return body;
}

/* The last `count` numbers before *end, with a comma in front of each; *end moves to the first of these commas. */
static bool take_numbers(const char *begin, const char **end, int count, double *out)
{
    for (int i = count - 1; i >= 0; --i)
    {
        const char *comma = *end - 1;
        while (comma > begin && *comma != ',')
            --comma;
        char *stop;
        out[i] = strtod(comma + 1, &stop);
        while (stop < *end && *stop == ' ')
            ++stop;
        if (comma <= begin || stop == comma + 1 || stop != *end || !isfinite(out[i]))
            return false;
        *end = comma;
    }
    return true;
}

static void search_one(crn_quantity_search *search, cairn_quantity made, const char *begin, const char *end)
{
    const crn_quantity_row *row = &crn_quantity_rows[made.row];
    const char *name_end = end;
    bool placed = row->takes_point && take_numbers(begin, &name_end, search->model->dimension, made.point);
    made.body = placed ? find_body(search, begin, name_end) : (cairn_body){.id = 0};
    if (made.body.id == 0 && !row->needs_point)
    {
        memset(made.point, 0, sizeof made.point);
        made.body = find_body(search, begin, end);
    }
    if (made.body.id != 0)
        crn_quantity_found(search, CRN_OF_FUNCTION, &made);
}

static void search_two(crn_quantity_search *search, cairn_quantity made, const char *begin, const char *end)
{
    for (const char *comma = begin; comma < end; ++comma)
    {
        if (*comma != ',')
            continue;
        made.body = find_body(search, begin, comma);
        made.other = find_body(search, comma + 1, end);
        if (made.body.id != 0 && made.other.id != 0)
            crn_quantity_found(search, CRN_OF_FUNCTION, &made);
    }
}

void crn_quantity_search_functions(crn_quantity_search *search, const char *text)
{
    const char *open = strchr(text, '('), *close = strrchr(text, ')');
    if (!open || !close || close < open)
        return;
    size_t head = (size_t)(open - text), tail = strlen(close + 1);
    char *name = malloc(head + tail + 1); /* of the function and the part: "accelerometer.x" */
    search->no_memory = search->no_memory || !name;
    if (!name)
        return;
    memcpy(name, text, head);
    memcpy(name + head, close + 1, tail + 1);
    int part, row = crn_quantity_row_named(search->model->dimension, CRN_OF_FUNCTION, name, &part);
    free(name);
    if (row < 0)
        return;
    cairn_quantity made;
    crn_quantity_begin(search->model->dimension, row, part, false, &made);
    (crn_quantity_rows[row].bodies == 1 ? search_one : search_two)(search, made, open + 1, close);
}
