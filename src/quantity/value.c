/* The value of a quantity: read what its row says, and take the part that was asked for. */
#include "base/context.h"
#include "math/vec.h"
#include "model/handles.h"
#include "quantity/table.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The sort of thing that a quantity belongs to, if that no longer exists; NULL: all is there. */
static const char *lost_thing(const cairn_model *model, const cairn_quantity *q)
{
    if (q->body.id != 0 && crn_body_index(model, q->body) < 0)
        return "body";
    if (q->other.id != 0 && crn_body_index(model, q->other) < 0)
        return "body";
    if (q->joint.id != 0 && crn_joint_index(model, q->joint) < 0)
        return "joint";
    if (q->spring.id != 0 && crn_spring_index(model, q->spring) < 0)
        return "spring";
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

static void select_part(const cairn_quantity *q, const crn_quantity_row *row, const double all[3], double *values)
{
    assert(q->count >= 1 && q->count <= 3);
    if (q->count > 1)
        memcpy(values, all, (size_t)q->count * sizeof(double));
    else if (row->form == CRN_SCALAR)
        values[0] = all[0];
    else if (q->part == CRN_PART_ALL) /* a rotation in the plane */
        values[0] = all[2];
    else
        values[0] = q->part == CRN_PART_MAGNITUDE ? crn_norm3(all) : all[q->part];
}

cairn_status cairn_quantity_value(const cairn_simulation *s, const cairn_quantity *q, double *values)
{
    if (!s || !q || !values)
        return crn_fail(s ? s->context : NULL, CAIRN_INVALID,
                        "quantity: the simulation, the quantity or the place for its values is NULL");
    bool made = q->count >= 1 && q->count <= 3 && q->row >= 0 && q->row < crn_quantity_row_count &&
                q->part >= CRN_PART_ALL && q->part <= CRN_PART_MAGNITUDE && q->coordinate >= 0 &&
                q->coordinate < CRN_JOINT_COORDINATES;
    if (!made)
        return crn_fail(s->context, CAIRN_INVALID, "quantity: it does not come from cairn_quantity_find");
    for (int i = 0; i < q->count; ++i)
        values[i] = NAN;
    cairn_status status = check(s, q);
    if (status)
        return status;
    double all[3] = {0};
    const crn_quantity_row *row = &crn_quantity_rows[q->row];
    row->read(s, q, row, all);
    select_part(q, row, all, values);
    return CAIRN_OK;
}
