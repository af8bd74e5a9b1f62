#include "formulate/mechanism/hinge_rows.h"

#include "formulate/compliance.h"
#include "model/joints/hinge/hinge.h"

#include <assert.h>

enum
{
    FOUR = 4,
    ROWS = 5 /* of a hinge */
};

/* Whether a body has six unknowns or none. */
static bool moves_freely(const crn_layout *layout, int body)
{
    int block = body < 0 ? -1 : layout->body_block[body];
    return block < 0 || layout->block_start[block + 1] - layout->block_start[block] == 6;
}

bool crn_can_add_hinges(const crn_input *in, int first)
{
    const cairn_model *model = in->layout->model;
    bool can = !model->gives && !in->row_bias && !in->frame->any_driven && crn_are_plain_hinges(model, first);
    for (int j = first; j < first + FOUR && can; ++j)
        can = moves_freely(in->layout, model->joints[j].a.body) && moves_freely(in->layout, model->joints[j].b.body);
    return can;
}

/* The length of the rows that hold the axes: that of the larger body. */
static double turn_length(const crn_layout *layout, const crn_joint *joint)
{
    const int body[2] = {joint->a.body, joint->b.body};
    double largest = 0;
    for (int side = 0; side < 2; ++side)
        if (body[side] >= 0 && layout->body_block[body[side]] >= 0 && crn_size_of(layout, body[side]) > largest)
            largest = crn_size_of(layout, body[side]);
    return largest > 0 ? largest : 1.0;
}

static void push_rows(crn_assembly *assembly, const crn_input *in, const crn_joint *joint, const double theta[ROWS],
                      double factor)
{
    int row = assembly->problem.joint_rows;
    double length = turn_length(in->layout, joint);
    assembly->problem.joint_rows += ROWS;
    assert(assembly->problem.joint_rows <= assembly->G.row_count);
    for (int i = 0; i < ROWS; ++i, ++row)
    {
        assembly->joint_length[row] = i < 3 ? 1.0 : length;
        assembly->theta[row] = theta[i];
        assembly->problem.b[row] = in->joint_bias ? in->joint_bias[row] : -factor * theta[i];
        assembly->problem.R_c[row] = 0.0;
        if (assembly->problem.joint_weight)
            assembly->problem.joint_weight[row] = CRN_JOINT_WEIGHT;
    }
}

cairn_status crn_add_hinges(crn_assembly *assembly, const crn_input *in, int first, int done, double factor)
{
    assert(done >= 0 && done < FOUR);
    const crn_joint *joint = &in->layout->model->joints[first];
    double theta[FOUR][ROWS], unused[6 * ROWS]; /* of sides that do not move */
    double *gradient[2][FOUR];
    CRN_TRY(crn_rows_reserve(&assembly->G, FOUR, 2 * FOUR, 2 * FOUR * ROWS * 6));
    for (int l = 0; l < FOUR; ++l)
    {
        double *values[2] = {unused, unused};
        assert(l < done || joint[l].item == assembly->G.rows.item_count);
        if (l >= done)
            CRN_TRY(crn_rows_add_places(&assembly->G, in->layout, ROWS,
                                        (const int[2]){joint[l].a.body, joint[l].b.body}, values));
        gradient[0][l] = values[0];
        gradient[1][l] = values[1];
    }
    crn_hinges_evaluate(joint, in->frame->pose, theta, gradient);
    for (int l = done; l < FOUR; ++l)
        push_rows(assembly, in, &joint[l], theta[l], factor);
    return CAIRN_OK;
}
