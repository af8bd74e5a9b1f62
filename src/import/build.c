/* The model of a robot: bodies, joints, and what refers to them. */
#include "import/robot.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The sum over coordinates of the model differs from that of the file by the zeros of the terms. */
double crn_robot_zero(const crn_robot *robot, const crn_link_sum *sum)
{
    double zero = 0;
    for (int i = 0; i < sum->term_count; ++i)
        zero += sum->terms[i].factor * robot->links[sum->terms[i].link].joints[sum->terms[i].joint].zero;
    return zero;
}

/* A scene file has no couplings that only measure. */
static bool is_acted_on(const cairn_coordinate_options *o)
{
    return isfinite(o->lower) || isfinite(o->upper) || o->friction > 0 || o->stiffness > 0 || o->damping > 0 ||
           o->rotor_inertia > 0 || o->drive != CAIRN_DRIVE_NONE;
}

static void build_sum(crn_robot *robot, const crn_link_sum *sum)
{
    crn_import *import = robot->import;
    cairn_coupling_term *terms = crn_import_allocate(import, (size_t)sum->term_count * sizeof *terms);
    if (!terms)
        return;
    if (!sum->hold && !is_acted_on(&sum->acting))
    {
        crn_import_note(import, sum->place, "nothing acts on the sum '%.80s': it is left out", sum->name);
        return;
    }
    for (int i = 0; i < sum->term_count; ++i)
    {
        const crn_link_joint *j = &robot->links[sum->terms[i].link].joints[sum->terms[i].joint];
        if (!j->coordinate || (j->kind != CRN_AXIS_HINGE && j->kind != CRN_AXIS_SLIDE))
        {
            crn_import_problem(import, sum->place, "joint '%.80s' has no single coordinate to add up", j->name);
            return;
        }
        terms[i] = (cairn_coupling_term){.factor = sum->terms[i].factor, .joint = j->made, .coordinate = j->coordinate};
    }
    char value[40];
    cairn_coupling_options o = cairn_coupling_default();
    snprintf(value, sizeof value, "%.17g", sum->value - crn_robot_zero(robot, sum));
    o.name = sum->name;
    o.terms = terms;
    o.term_count = sum->term_count;
    o.hold = sum->hold;
    if (sum->hold)
        o.value.expression = value;
    cairn_joint made;
    if (!crn_import_pass(import, sum->place, cairn_model_add_coupling(robot->model, &o, &made)) || sum->hold)
        return;
    cairn_coordinate_options acting = sum->acting;
    acting.lower -= crn_robot_zero(robot, sum);
    acting.upper -= crn_robot_zero(robot, sum);
    crn_import_pass(import, sum->place, cairn_model_set_coordinate(robot->model, made, "value", &acting));
}

void crn_robot_build_sums(crn_robot *robot)
{
    for (int i = 0; i < robot->sum_count && robot->import->problem_count == 0; ++i)
        build_sum(robot, &robot->sums[i]);
}

/* Where a link's body is, and its frame. */
static crn_link_frame frame_of(const crn_robot *robot, int link, cairn_body *body)
{
    *body = link < 0 ? (cairn_body){0} : robot->links[robot->links[link].group].body;
    return body->id ? robot->links[robot->links[link].group].body_frame : crn_link_frame_identity();
}

static void build_bond(crn_robot *robot, const crn_link_bond *bond)
{
    cairn_joint_options o = cairn_joint_default(bond->weld ? CAIRN_JOINT_WELD : CAIRN_JOINT_BALL);
    crn_link_frame at = crn_link_frame_identity();
    o.name = bond->name;
    if (bond->a >= 0)
        crn_link_frame_point(&robot->links[bond->a].world, bond->point, at.x);
    else
        memcpy(at.x, bond->point, sizeof at.x);
    cairn_attachment *end[2] = {&o.a, &o.b};
    for (int i = 0; i < 2; ++i)
    {
        crn_link_frame frame = frame_of(robot, i == 0 ? bond->a : bond->b, &end[i]->body);
        crn_link_frame local = crn_link_frame_relative(&frame, &at);
        memcpy(end[i]->point, local.x, sizeof local.x);
    }
    o.collide = true;
    cairn_joint made;
    crn_import_pass(robot->import, bond->place, cairn_model_add_joint(robot->model, &o, &made));
}

static void build_excluded(crn_robot *robot)
{
    for (int i = 0; i < robot->excluded_count; ++i)
    {
        cairn_body a, b;
        frame_of(robot, robot->excluded[i].a, &a);
        frame_of(robot, robot->excluded[i].b, &b);
        if (a.id && b.id && a.id != b.id)
            crn_import_pass(robot->import, robot->excluded[i].place, cairn_model_ignore_contact(robot->model, a, b));
    }
}

void crn_robot_build(crn_robot *robot)
{
    crn_import *import = robot->import;
    if (!robot->model)
    {
        if (cairn_model_create(import->scratch, 3, &robot->model))
        {
            import->no_memory = true;
            return;
        }
        crn_import_pass(import, NULL, cairn_model_set_gravity(robot->model, robot->gravity));
    }
    if (!crn_robot_build_bodies(robot))
        return;
    crn_robot_build_joints(robot);
    crn_robot_build_sums(robot);
    for (int i = 0; i < robot->bond_count && import->problem_count == 0; ++i)
        build_bond(robot, &robot->bonds[i]);
    if (import->problem_count == 0 && !import->no_memory)
        crn_robot_part(robot);
    build_excluded(robot);
}
