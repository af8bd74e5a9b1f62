#include "formulate/joints.h"

#include "formulate/references.h"
#include "model/joints/element.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static crn_joint_place place_of(const cairn_model *model, const crn_frame *frame, int index)
{
    assert(index >= 0 && (size_t)index < model->joint_count);
    const crn_joint *joint = &model->joints[index];
    crn_joint_place place = {
        .pose = {joint->a.body < 0 ? NULL : &frame->pose[joint->a.body],
                 joint->b.body < 0 ? NULL : &frame->pose[joint->b.body]},
        .last = frame->coordinate ? frame->coordinate + (ptrdiff_t)index * CRN_JOINT_COORDINATES : NULL,
    };
    crn_frame_point(frame, &joint->a, place.x[0]);
    crn_frame_point(frame, &joint->b, place.x[1]);
    return place;
}

double crn_joint_coordinate_at(const cairn_model *model, const crn_frame *frame, int index, int i,
                               crn_gradient *gradient)
{
    crn_joint_place place = place_of(model, frame, index);
    return crn_joint_coordinate(&model->joints[index], model->dimension, &place, i, gradient);
}

static void evaluate(const cairn_model *model, const crn_frame *frame, int index, crn_joint_rows *rows)
{
    const crn_joint *joint = &model->joints[index];
    crn_joint_place place = place_of(model, frame, index);
    rows->equations = joint->own_rows;
    rows->bounded = joint->own_bounded;
    (joint->type->evaluate ? joint->type->evaluate : crn_joint_evaluate_functions)(joint, model->dimension, &place,
                                                                                   rows);
    rows->equations = joint->rows;
    rows->bounded = joint->bounded;
    memset(rows->rate, 0, sizeof rows->rate);
    rows->not_finite = 0;
    if (joint->element_count > 0)
    {
        crn_element_known known[CRN_JOINT_ROWS];
        crn_element_time time = {.t = frame->t, .h = frame->h, .side = frame->side};
        if (model->has_references && crn_know_targets(model, frame, index, known))
            time.known = known;
        crn_elements_evaluate(joint, model->dimension, &place, time, rows);
    }
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

crn_joint_action crn_joint_reaction(const cairn_model *model, const crn_frame *frame, int index, const double *c)
{
    crn_joint_place place = place_of(model, frame, index);
    return act(model, &place, index, c);
}

double crn_joint_load(const cairn_model *model, const crn_frame *frame, int index, const crn_element *element,
                      const double *c)
{
    crn_joint_place place = place_of(model, frame, index);
    crn_joint_action action = act(model, &place, index, c);
    return crn_bearing_friction(&model->joints[index], model->dimension, &place, element, &action);
}
