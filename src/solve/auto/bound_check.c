/* Checks the bounded rows of a problem: bounds are in order, refer only to impulses that cannot be negative, and the unused rows
 * of the item are empty. */
#include "solve/auto/problem_check.h"

#include "base/context.h"
#include "base/memory.h"

#include <math.h>

static cairn_status check_interval(cairn_context *context, const cairn_bound *bound, int j)
{
    if (isnan(bound->lo) || isnan(bound->hi))
    {
        return crn_fail(context, CAIRN_NUMERIC, "bounded row %d: %s is not a number", j,
                        isnan(bound->lo) ? "lo" : "hi");
    }
    if (bound->lo == INFINITY || bound->hi == -INFINITY)
    {
        return crn_fail(context, CAIRN_INVALID, "bounded row %d: no impulse lies between lo = %g and hi = %g", j,
                        bound->lo, bound->hi);
    }
    if (bound->lo > bound->hi)
        return crn_fail(context, CAIRN_INVALID, "bounded row %d: lo = %g is above hi = %g", j, bound->lo, bound->hi);
    if (bound->by >= 0 && (bound->lo > 0.0 || bound->hi < 0.0))
    {
        return crn_fail(context, CAIRN_INVALID,
                        "bounded row %d: its bounds are multiples of an impulse, but 0 is not between lo = %g and "
                        "hi = %g",
                        j, bound->lo, bound->hi);
    }
    return CAIRN_OK;
}

/* The item whose impulse the bounds of row j are multiples of. */
static cairn_status check_reference(cairn_context *context, const cairn_problem *problem, int j)
{
    int by = problem->bound[j].by;
    if (by == -1)
        return CAIRN_OK;
    if (by < 0 || by >= problem->contact_count)
    {
        return crn_fail(context, CAIRN_INVALID, "bounded row %d: its bounds refer to item %d; there are %d items", j,
                        by, problem->contact_count);
    }
    if (by == j)
        return crn_fail(context, CAIRN_INVALID, "bounded row %d: its bounds refer to the row itself", j);
    const cairn_bound *other = &problem->bound[by];
    if (other->is_row && !(other->lo >= 0.0))
    {
        return crn_fail(context, CAIRN_INVALID,
                        "bounded row %d: its bounds refer to bounded row %d, whose impulse can be negative (lo = %g)",
                        j, by, other->lo);
    }
    return CAIRN_OK;
}

/* All references are in range here. */
static cairn_status check_chain(cairn_context *context, const cairn_problem *problem, int j)
{
    int steps = 0;
    for (int i = j; problem->bound[i].is_row && problem->bound[i].by >= 0; i = problem->bound[i].by)
        if (++steps > problem->contact_count)
            return crn_fail(context, CAIRN_INVALID, "bounded row %d: its bounds refer back to it through others", j);
    return CAIRN_OK;
}

/* The tangential rows of the item have no entries and no velocity. */
static cairn_status check_tangents(cairn_context *context, const cairn_problem *problem, int j)
{
    const cairn_block_rows *H = &problem->H;
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
    {
        int size = problem->block_start[H->block[e] + 1] - problem->block_start[H->block[e]];
        const double *value = H->value + H->value_start[e];
        for (int k = size; k < problem->dim * size; ++k)
            if (value[k] != 0.0)
            {
                return crn_fail(context, CAIRN_INVALID,
                                "bounded row %d: row %d of its item in H has the entry %g; only the first row counts",
                                j, k / size, value[k]);
            }
    }
    for (int k = 1; k < problem->dim; ++k)
    {
        double w = problem->w[j * problem->dim + k];
        if (w != 0.0)
        {
            return crn_fail(context, CAIRN_INVALID,
                            "bounded row %d: w has the entry %g in row %d of its item; only the first row counts", j, w,
                            k);
        }
    }
    return CAIRN_OK;
}

static cairn_status check_row(cairn_context *context, const cairn_problem *problem, int j)
{
    CRN_TRY(check_interval(context, &problem->bound[j], j));
    CRN_TRY(check_reference(context, problem, j));
    if (problem->mu[j] != 0.0)
        return crn_fail(context, CAIRN_INVALID, "bounded row %d: mu is %g; it must be 0", j, problem->mu[j]);
    return check_tangents(context, problem, j);
}

cairn_status crn_problem_check_bounds(cairn_context *context, const cairn_problem *problem)
{
    int count = problem->bound ? problem->contact_count : 0;
    for (int j = 0; j < count; ++j)
        if (problem->bound[j].is_row)
            CRN_TRY(check_row(context, problem, j));
    for (int j = 0; j < count; ++j)
        CRN_TRY(check_chain(context, problem, j));
    return CAIRN_OK;
}
