/* The value of a coupling, its gradient, and what impulses along it do. */
#include "model/joints/coupling.h"

#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const crn_joint_class crn_coupling_class = {
    .name = "coupling",
    .equations = {1, 1},
    .coordinate = {{{.name = "value"}}, {{.name = "value"}}},
};

void crn_coupling_free(crn_coupling *coupling)
{
    if (!coupling)
        return;
    crn_signal_release(&coupling->hold.target);
    free(coupling->part);
    free(coupling);
}

const char *crn_joint_noun(const crn_joint *joint)
{
    return joint->coupling ? "coupling" : "joint";
}

static const crn_attachment *end_of(const cairn_model *model, const crn_coupling_part *part, int side)
{
    if (part->joint < 0)
        return side == 0 ? &part->a : &part->b;
    assert((size_t)part->joint < model->joint_count);
    return side == 0 ? &model->joints[part->joint].a : &model->joints[part->joint].b;
}

void crn_coupling_bodies(const cairn_model *model, const crn_coupling_part *part, int body[2])
{
    for (int side = 0; side < 2; ++side)
        body[side] = end_of(model, part, side)->body;
}

static crn_joint_place place_of(const cairn_model *model, const crn_coupling_part *part, const crn_pose *pose,
                                const double *coordinate)
{
    const double *last =
        coordinate && part->joint >= 0 ? coordinate + (ptrdiff_t)part->joint * CRN_JOINT_COORDINATES : NULL;
    return crn_place_between(end_of(model, part, 0), end_of(model, part, 1), pose, last);
}

static double strand(const crn_coupling_part *part, const crn_joint_place *place, crn_gradient *gradient)
{
    double unit[3], length = crn_joint_line(place, unit);
    if (gradient)
    {
        crn_gradient_of_point(place->pose[0], gradient, 0, part->a.body, place->x[0], unit, -1);
        crn_gradient_of_point(place->pose[1], gradient, 1, part->b.body, place->x[1], unit, 1);
    }
    return length;
}

double crn_coupling_value(const cairn_model *model, const crn_coupling *coupling, const crn_pose *pose,
                          const double *coordinate, crn_gradient_side *side)
{
    double sum = 0;
    for (int k = 0; side && k < coupling->body_count; ++k)
        side[k] = (crn_gradient_side){.body = coupling->body[k]};
    for (int i = 0; i < coupling->part_count; ++i)
    {
        const crn_coupling_part *part = &coupling->part[i];
        crn_joint_place place = place_of(model, part, pose, coordinate);
        crn_gradient gradient, *wanted = side ? &gradient : NULL;
        sum += part->factor * (part->joint < 0 ? strand(part, &place, wanted)
                                               : crn_joint_coordinate(&model->joints[part->joint], model->dimension,
                                                                      &place, part->coordinate, wanted));
        for (int k = 0; side && k < 12; ++k)
            if (part->side[k / 6] >= 0)
                side[part->side[k / 6]].g[k % 6] += part->factor * gradient.g[k / 6][k % 6];
    }
    return sum;
}

double crn_coupling_size(const cairn_model *model, const crn_coupling *coupling, const crn_pose *pose)
{
    double sum = 0;
    for (int i = 0; i < coupling->part_count; ++i)
    {
        crn_joint_place place = place_of(model, &coupling->part[i], pose, NULL);
        sum += fabs(coupling->part[i].factor) * (1 + crn_norm3(place.x[0]) + crn_norm3(place.x[1]));
    }
    return sum;
}

/* A strand of tension -z pulls its ends together. */
static void act_strand(const crn_joint_place *place, double z, crn_joint_action *action)
{
    double d[3];
    crn_sub3(place->x[1], place->x[0], d);
    double length = crn_norm3(d);
    for (int k = 0; k < 3 && length > 0; ++k)
    {
        action->impulse[1][k] = z * d[k] / length;
        action->impulse[0][k] = -action->impulse[1][k];
    }
}

static crn_joint_action act(const cairn_model *model, const crn_coupling_part *part, const crn_joint_place *place,
                            double z)
{
    crn_joint_action action = {.off = 0};
    if (part->joint < 0)
        act_strand(place, part->factor * z, &action);
    else
        crn_joint_act_coordinate(&model->joints[part->joint], model->dimension, place, part->coordinate,
                                 part->factor * z, &action);
    return action;
}

crn_joint_action crn_coupling_act(const cairn_model *model, const crn_coupling *coupling, int i, const crn_pose *pose,
                                  double z, double motor)
{
    assert(i >= 0 && i < coupling->part_count);
    const crn_coupling_part *part = &coupling->part[i];
    crn_joint_place place = place_of(model, part, pose, NULL);
    crn_joint_action action = act(model, part, &place, z), driven = act(model, part, &place, motor);
    memcpy(action.x, place.x, sizeof action.x);
    memcpy(action.motor, driven.impulse, sizeof action.motor);
    memcpy(action.motor_moment, driven.moment, sizeof action.motor_moment);
    action.strain = fabs(part->factor * z);
    return action;
}
