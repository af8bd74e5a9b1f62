/* Limits of joints as gaps: ropes and the ends of ranges. Second-order schemes find where they close and let them bounce, as they do
 * with contacts. A limit on an angle is measured in metres, along an arc whose radius is the size of the larger body. */
#include "formulate/bounded.h"
#include "formulate/compliance.h"
#include "formulate/joints.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>

static crn_limit limit_of(const cairn_simulation *s, const crn_frame *frame, const double *v, int joint,
                          const crn_joint_rows *rows, int row)
{
    double length = crn_row_length(s->layout, rows, row), drive = crn_row_drive(frame, rows, row);
    double rate = crn_row_rate(s->layout, rows, row, v);
    return (crn_limit){.identity = crn_bounded_identity(joint, row),
                       .gap = length * rows->theta[row],
                       .rate = length * (rate + drive),
                       .speed = length * (fabs(rate) + fabs(drive))};
}

int crn_list_limits(cairn_simulation *s, const crn_frame *frame, const double *v)
{
    int count = 0;
    for (int j = 0; s->model->bounded_rows > 0 && j < (int)s->model->joint_count; ++j)
    {
        crn_joint_rows rows;
        if (s->model->joints[j].bounded == 0)
            continue;
        crn_joint_evaluate(s->model, frame, j, &rows);
        for (int i = rows.equations; i < rows.equations + rows.bounded; ++i)
            if (rows.bound[i].is_limit && !crn_is_soft(crn_joint_give(s->model, j, i)))
                s->search.limits[count++] = limit_of(s, frame, v, j, &rows, i);
    }
    assert(count <= s->model->bounded_rows);
    return count;
}
