#include "formulate/joints.h"

#include "formulate/references.h"
#include "model/joints/coupling.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static crn_joint_place place_of(const cairn_model *model, const crn_frame *frame, int index)
{
    assert(index >= 0 && (size_t)index < model->joint_count);
    const crn_joint *joint = &model->joints[index];
    return crn_place_between(&joint->a, &joint->b, frame->pose,
                             frame->coordinate ? frame->coordinate + (ptrdiff_t)index * CRN_JOINT_COORDINATES : NULL);
}

double crn_joint_coordinate_at(const cairn_model *model, const crn_frame *frame, int index, int i)
{
    const crn_joint *joint = &model->joints[index];
    if (joint->coupling)
        return crn_coupling_value(model, joint->coupling, frame->pose, frame->coordinate, NULL);
    crn_joint_place place = place_of(model, frame, index);
    return crn_joint_coordinate(joint, model->dimension, &place, i, NULL);
}

void crn_joint_coordinate_row(const cairn_model *model, const crn_frame *frame, int index, int i, crn_joint_rows *row)
{
    const crn_joint *joint = &model->joints[index];
    row->sides = 0;
    row->sign[0] = 1.0;
    if (joint->coupling)
    {
        row->sides = joint->coupling->body_count;
        row->theta[0] = crn_coupling_value(model, joint->coupling, frame->pose, frame->coordinate, row->side);
        row->gradient[0] = crn_gradient_of_sides(row->side, row->sides);
        return;
    }
    crn_joint_place place = place_of(model, frame, index);
    row->theta[0] = crn_joint_coordinate(joint, model->dimension, &place, i, &row->gradient[0]);
}

double crn_joint_coordinate_rate(const crn_layout *layout, const crn_frame *frame, int index, int i, const double *v)
{
    crn_joint_rows row;
    crn_joint_coordinate_row(layout->model, frame, index, i, &row);
    return crn_row_rate(layout, &row, 0, v) + crn_row_drive(frame, &row, 0);
}

/* The rows of a coupling. */
static void evaluate_coupling(const cairn_model *model, const crn_frame *frame, const crn_joint *joint,
                              crn_element_time time, crn_joint_rows *rows)
{
    const crn_coupling *coupling = joint->coupling;
    rows->sides = coupling->body_count;
    double value = crn_coupling_value(model, coupling, frame->pose, frame->coordinate, rows->side);
    crn_elements_evaluate_coupling(joint, value, time, rows);
    if (joint->own_rows > 0)
        rows->theta[0] = crn_joint_clean(rows->theta[0], crn_coupling_size(model, coupling, frame->pose));
}

static void evaluate(const cairn_model *model, const crn_frame *frame, int index, crn_joint_rows *rows)
{
    const crn_joint *joint = &model->joints[index];
    crn_element_known known[CRN_JOINT_ROWS];
    crn_element_time time = {.t = frame->t, .h = frame->h, .side = frame->side};
    if (model->has_references && crn_know_targets(model, frame, index, known))
        time.known = known;
    rows->not_finite = 0;
    if (joint->coupling)
    {
        rows->equations = joint->rows;
        rows->bounded = joint->bounded;
        evaluate_coupling(model, frame, joint, time, rows);
        return;
    }
    crn_joint_place place = place_of(model, frame, index);
    rows->sides = 0;
    rows->equations = joint->own_rows;
    rows->bounded = joint->own_bounded;
    (joint->type->evaluate ? joint->type->evaluate : crn_joint_evaluate_functions)(joint, model->dimension, &place,
                                                                                   rows);
    rows->equations = joint->rows;
    rows->bounded = joint->bounded;
    memset(rows->rate, 0, (size_t)(joint->rows + joint->bounded) * sizeof rows->rate[0]);
    if (joint->element_count > 0)
        crn_elements_evaluate(joint, model->dimension, &place, time, rows);
    for (int i = joint->rows; i < joint->rows + joint->bounded; ++i)
        assert(rows->bound[i].lo <= rows->bound[i].hi && !isnan(rows->bound[i].speed));
}

void crn_joint_evaluate(const cairn_model *model, const crn_frame *frame, int index, crn_joint_rows *rows)
{
    rows->values_only = false;
    evaluate(model, frame, index, rows);
}

void crn_joint_measure(const cairn_model *model, const crn_frame *frame, int index, crn_joint_rows *rows)
{
    rows->values_only = true;
    evaluate(model, frame, index, rows);
}

static crn_joint_action act(const cairn_model *model, const crn_joint_place *place, int index, const double *c)
{
    const crn_joint *joint = &model->joints[index];
    crn_joint_action action = {.off = 0};
    memcpy(action.x, place->x, sizeof action.x);
    (joint->type->act ? joint->type->act : crn_joint_act_functions)(joint, model->dimension, place, c, &action);
    return action;
}

crn_joint_action crn_joint_reaction(const cairn_model *model, const crn_pose pose[2], int index, const double *c)
{
    assert(!model->joints[index].coupling);
    crn_attachment a = model->joints[index].a, b = model->joints[index].b;
    a.body = a.body < 0 ? -1 : 0;
    b.body = b.body < 0 ? -1 : 1;
    crn_joint_place place = crn_place_between(&a, &b, pose, NULL);
    return act(model, &place, index, c);
}

double crn_joint_load(const cairn_model *model, const crn_frame *frame, int index, const crn_element *element,
                      const double *c)
{
    crn_joint_place place = place_of(model, frame, index);
    crn_joint_action action = act(model, &place, index, c);
    return crn_bearing_friction(&model->joints[index], model->dimension, &place, element, &action);
}
