#include "step/twist.h"

#include <assert.h>
#include <string.h>

/* Six numbers, linear in the world frame and angular in the body's, as a twist. */
static void set(const crn_pose *pose, const double linear[3], const double angular[3], crn_twist *out)
{
    memcpy(out->v, linear, sizeof out->v);
    crn_rotate3(pose->R, angular, out->w);
}

void crn_twists_read(const crn_layout *layout, const crn_frame *frame, const double *v, bool drive, crn_twist *out)
{
    const cairn_model *model = layout->model;
    for (int b = 0; b < (int)model->body_count; ++b)
    {
        const crn_pose *pose = &frame->pose[b];
        int block = layout->body_block[b];
        memset(&out[b], 0, sizeof out[b]);
        memcpy(out[b].x, pose->x, sizeof out[b].x);
        if (block < 0)
        {
            if (drive && frame->any_driven)
                set(pose, frame->drive[b], frame->drive[b] + 3, &out[b]);
            continue;
        }
        const double *vb = v + layout->block_start[block];
        int dofs = layout->block_start[block + 1] - layout->block_start[block];
        double linear[3] = {vb[0], vb[1], model->dimension == 3 ? vb[2] : 0.0}, angular[3] = {0, 0, 0};
        if (model->dimension == 2)
            angular[2] = dofs == 3 ? vb[2] : 0.0;
        else if (dofs == 6)
            memcpy(angular, vb + 3, sizeof angular);
        set(pose, linear, angular, &out[b]);
    }
}
