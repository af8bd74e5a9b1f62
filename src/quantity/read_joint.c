/* Quantities of joints and of their coordinates. */
#include "model/handles.h"
#include "quantity/table.h"

#include <assert.h>
#include <string.h>

void crn_read_joint(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row, double out[3])
{
    cairn_joint_state state = cairn_simulation_joint_state(s, q->joint);
    assert(row->offset + 3 * sizeof(double) <= sizeof state);
    memcpy(out, (const char *)&state + row->offset, 3 * sizeof(double));
}

void crn_read_joint_work(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row, double out[3])
{
    (void)row;
    out[0] = cairn_simulation_joint_work(s, q->joint);
}

/* The coordinate, or with offset 1 its rate. */
void crn_read_coordinate(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row, double out[3])
{
    double rate;
    out[0] = cairn_simulation_coordinate(s, q->joint, q->coordinate, &rate);
    if (row->offset == 1)
        out[0] = rate;
}

void crn_read_coordinate_force(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row,
                               double out[3])
{
    double all[3];
    crn_read_joint(s, q, row, all);
    assert(q->coordinate >= 0 && q->coordinate < 3);
    out[0] = all[q->coordinate];
}

/* The mean power of the drive over the last step: what its work grew by, so that powers add up to works. */
void crn_read_power(const cairn_simulation *s, const cairn_quantity *q, const crn_quantity_row *row, double out[3])
{
    (void)row;
    if (!s->saved.is_there || s->state.element_works == 0)
        return;
    int joint = crn_joint_index(s->model, q->joint);
    assert(joint >= 0);
    int at = (joint * CRN_JOINT_COORDINATES + q->coordinate) * CRN_ROLES + CRN_ROLE_DRIVE;
    assert((size_t)at < s->state.element_works);
    out[0] = (s->state.element_work[at] - s->saved.element_work[at]) / s->state.h_base;
}
