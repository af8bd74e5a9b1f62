/* A signal is an expression in t, a table with straight lines between its points and constant values before and after, or a
 * callback, whose derivative is computed from its values. */
#include "model/signal.h"

#include "math/ridders.h"
#include "model/names.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static cairn_status copy_table(const cairn_model *model, const char *who, const char *field, const cairn_signal *given,
                               crn_signal *out)
{
    for (int i = 0; i < given->table_count; ++i)
    {
        const double *point = given->table + 2 * (ptrdiff_t)i;
        if (!isfinite(point[0]) || !isfinite(point[1]) || (i > 0 && !(point[0] > point[-2])))
            return crn_fail(model->context, CAIRN_INVALID,
                            "joint '%s': %s: the times of a table must be finite and ascend; see point %d", who, field,
                            i + 1);
    }
    size_t bytes = 2 * (size_t)given->table_count * sizeof(double);
    out->table = malloc(bytes);
    if (!out->table)
        return crn_fail(model->context, CAIRN_NO_MEMORY, "joint '%s': memory ran out", who);
    memcpy(out->table, given->table, bytes);
    out->table_count = given->table_count;
    return CAIRN_OK;
}

cairn_status crn_signal_set(const cairn_model *model, const char *who, const char *field, const cairn_signal *given,
                            bool in_state, crn_signal *out)
{
    *out = (crn_signal){.function = given->function, .data = given->data};
    int ways = (given->expression != NULL) + (given->function != NULL) + (given->table_count > 0);
    if (ways > 1)
        return crn_fail(model->context, CAIRN_INVALID,
                        "joint '%s': %s: is given twice, as an expression, a table or a callback", who, field);
    if (given->table_count > 0)
        return copy_table(model, who, field, given, out);
    if (!given->expression)
        return CAIRN_OK;
    out->text = crn_copy_text(given->expression);
    if (!out->text)
        return crn_fail(model->context, CAIRN_NO_MEMORY, "joint '%s': memory ran out", who);
    return in_state
               ? crn_compile_in_state(model, "joint", who, field, given->expression, &out->references, &out->expression)
               : crn_compile_in_time(model, "joint", who, field, given->expression, &out->expression);
}

void crn_signal_release(crn_signal *signal)
{
    crn_expression_destroy(signal->expression);
    free(signal->table);
    free(signal->text);
    crn_references_release(&signal->references);
    *signal = (crn_signal){.function = NULL};
}

/* The first point of the table after t, or at it when `side` is -1. */
static int point_after(const crn_signal *signal, double t, int side)
{
    int i = 0;
    while (i < signal->table_count && (signal->table[2 * i] < t || (side > 0 && signal->table[2 * i] == t)))
        ++i;
    return i;
}

static double table_slope(const crn_signal *signal, int i)
{
    const double *at = signal->table + 2 * (ptrdiff_t)i;
    return i == 0 || i == signal->table_count ? 0.0 : (at[1] - at[-1]) / (at[0] - at[-2]);
}

double crn_signal_value(const crn_signal *signal, double t)
{
    if (signal->references.count > 0)
        return NAN;
    if (signal->expression)
        return crn_expression_evaluate(signal->expression, &t);
    if (signal->function)
        return signal->function(signal->data, t);
    if (signal->table_count == 0)
        return 0.0;
    int i = point_after(signal, t, 1), from = i > 0 ? i - 1 : 0;
    return signal->table[2 * from + 1] + table_slope(signal, i) * (t - signal->table[2 * from]);
}

bool crn_signal_is_constant(const crn_signal *signal)
{
    return !signal->function && signal->table_count <= 1 &&
           (!signal->expression || crn_expression_is_constant(signal->expression));
}

double crn_signal_rate(const crn_signal *signal, double t, int side)
{
    assert(side == 1 || side == -1);
    if (signal->references.count > 0)
        return NAN;
    if (signal->expression)
        return crn_expression_rate(signal->expression, t, side).rate;
    if (!signal->function)
        return signal->table_count > 0 ? table_slope(signal, point_after(signal, t, side)) : 0.0;
    double difference[CRN_RIDDERS];
    for (int i = 0; i < CRN_RIDDERS; ++i)
    {
        double d = crn_ridders_step(i);
        difference[i] = (signal->function(signal->data, t + d) - signal->function(signal->data, t - d)) / (2 * d);
    }
    return crn_ridders(difference);
}

double crn_signal_next_kink(const crn_signal *signal, double t0, double t1)
{
    if (signal->references.count > 0)
        return INFINITY;
    if (signal->expression)
        return crn_expression_next_kink(signal->expression, t0, t1);
    int i = point_after(signal, t0, 1);
    return i < signal->table_count && signal->table[2 * i] <= t1 ? signal->table[2 * i] : INFINITY;
}
