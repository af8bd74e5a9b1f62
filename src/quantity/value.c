/* The value of a quantity: read what its row says, and take the part that was asked for. */
#include "base/context.h"
#include "base/memory.h"
#include "math/vec.h"
#include "model/handles.h"
#include "quantity/table.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The sort of thing that a quantity belongs to, if that no longer exists; NULL: all is there. */
static const char *lost_thing(const cairn_model *model, const cairn_quantity *q)
{
    if (q->body.id != 0 && crn_body_ordinal(model, q->body) < 0)
        return "body";
    if (q->other.id != 0 && crn_body_ordinal(model, q->other) < 0)
        return "body";
    if (q->joint.id != 0 && crn_joint_index(model, q->joint) < 0)
        return "joint";
    if (q->spring.id != 0 && crn_spring_index(model, q->spring) < 0)
        return "spring";
    if (q->statistic.id != 0 && crn_statistic_index(model, q->statistic) < 0)
        return "statistic";
    return q->force.id != 0 && crn_force_index(model, q->force) < 0 ? "force" : NULL;
}

static cairn_status check(const cairn_simulation *s, const cairn_quantity *q)
{
    const crn_quantity_row *row = &crn_quantity_rows[q->row];
    const char *lost = lost_thing(s->model, q);
    if (lost)
        return crn_fail(s->context, CAIRN_INVALID,
                        "quantity '%s': the %s that it belongs to was removed, or is of another model", row->name,
                        lost);
    if (!crn_is_current(s))
        return crn_fail(s->context, CAIRN_INVALID,
                        "quantity '%s': the model has changed, and the simulation has not followed it yet", row->name);
    return CAIRN_OK;
}

static void select_part(const cairn_quantity *q, const crn_quantity_row *row, const double *all, double *values)
{
    assert(q->count >= 1 && q->count <= CAIRN_QUANTITY_MOST);
    if (q->count > 1)
        memcpy(values, all, (size_t)q->count * sizeof(double));
    else if (row->form == CRN_SCALAR || row->form == CRN_HISTOGRAM)
        values[0] = all[0];
    else if (row->form == CRN_TENSOR)
        values[0] = all[q->part];
    else if (q->part == CRN_PART_ALL) /* a rotation in the plane */
        values[0] = all[2];
    else
        values[0] = q->part == CRN_PART_MAGNITUDE ? crn_norm3(all) : all[q->part];
}

/* Whether its numbers are those that a search gives. */
static bool is_made(const cairn_model *model, const cairn_quantity *q)
{
    bool in_table =
        q->row >= 0 && q->row < crn_quantity_row_count && q->coordinate >= 0 && q->coordinate < CRN_JOINT_COORDINATES;
    if (!in_table)
        return false;
    crn_form form = crn_quantity_rows[q->row].form;
    int n = model->dimension, parts = form == CRN_TENSOR ? n * n : CRN_PART_MAGNITUDE + 1;
    int most = form == CRN_TENSOR ? n * n : form == CRN_HISTOGRAM ? CAIRN_QUANTITY_MOST : 3;
    return q->count >= 1 && q->count <= most && q->part >= CRN_PART_ALL && q->part < parts;
}

/* Measure a statistic; a handle of a histogram may have other bins than its quantity says when it was not found by name. */
static cairn_status measure(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row,
                            double *all)
{
    int index = crn_statistic_index(s->model, q->statistic);
    crn_statistic everything = crn_statistic_of_all(s->model);
    const crn_statistic *of = index < 0 ? &everything : &s->model->statistics[index];
    bool suits = (of->has_plane || !row->needs_plane) && (of->region.kind != CRN_ZONE_ALL || !row->needs_region) &&
                 (row->form != CRN_HISTOGRAM || q->count == of->options.bins);
    if (!suits)
        return crn_fail(s->context, CAIRN_INVALID, "quantity: it does not come from cairn_quantity_find");
    CRN_TRY(crn_make_grains(s->model)); /* statistics are of all bodies */
    return row->measure(s, of, all);
}

cairn_status cairn_quantity_value(const cairn_simulation *s, const cairn_quantity *q, double *values)
{
    if (!s || !q || !values)
        return crn_fail(s ? s->context : NULL, CAIRN_INVALID,
                        "quantity: the simulation, the quantity or the place for its values is NULL");
    if (!is_made(s->model, q))
        return crn_fail(s->context, CAIRN_INVALID, "quantity: it does not come from cairn_quantity_find");
    for (int i = 0; i < q->count; ++i)
        values[i] = NAN;
    cairn_status status = check(s, q);
    if (status)
        return status;
    double all[CAIRN_QUANTITY_MOST] = {0};
    const crn_quantity_row *row = &crn_quantity_rows[q->row];
    if (row->measure)
        CRN_TRY(measure(s, q, row, all));
    else
        row->read(s, q, row, all);
    select_part(q, row, all, values);
    return CAIRN_OK;
}
