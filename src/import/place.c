/* What the options of an import say of the whole robot: where it is put, how its names begin, and what its joints begin with and are
 * driven by, in place of what the file says. */
#include "import/robot.h"

#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const char *crn_robot_name(const crn_robot *robot, const char *name)
{
    const char *prefix = robot->import->options.prefix;
    return prefix && prefix[0] ? crn_import_text(robot->import, "%s%s", prefix, name) : name;
}

/* ------------------------------------------------------------------------------------------------------------ joints */

/* A target that the file counts from its own zero. */
static cairn_signal moved(crn_import *import, const cairn_signal *target, double zero)
{
    cairn_signal out = *target;
    double *table = NULL;
    if (zero == 0)
        return out;
    if (target->expression)
        out.expression = crn_import_text(import, "(%s) - (%.17g)", target->expression, zero);
    else if (target->table_count > 0)
        table = crn_import_allocate(import, 2 * (size_t)target->table_count * sizeof *table);
    else
        crn_import_problem(import, NULL,
                           "a target that is a callback cannot be moved by the reference of its joint, %g", zero);
    for (int i = 0; table && i < target->table_count; ++i)
    {
        table[2 * i] = target->table[2 * i];
        table[2 * i + 1] = target->table[2 * i + 1] - zero;
    }
    out.table = table;
    return out;
}

static void set_drive(crn_import *import, const cairn_import_joint *given, double zero, cairn_coordinate_options *o)
{
    if (given->drive == CAIRN_DRIVE_NONE)
        return;
    o->drive = given->drive;
    o->target = moved(import, &given->target, given->drive == CAIRN_DRIVE_POSITION ? zero : 0.0);
    o->drive_stiffness = given->drive_stiffness;
    o->drive_damping = given->drive_damping;
    o->drive_limit = given->drive_limit;
    o->drive_power = given->drive_power;
}

/* The sum that a name stands for, such as a tendon, if something may drive it; NULL: there is none. */
static crn_link_sum *find_sum(const crn_robot *robot, const char *name)
{
    for (int i = 0; i < robot->sum_count; ++i)
        if (!robot->sums[i].hold && !strcmp(robot->sums[i].name, name))
            return &robot->sums[i];
    return NULL;
}

static void set_joint(crn_robot *robot, const cairn_import_joint *given)
{
    int link, index;
    crn_import *import = robot->import;
    const char *name = given->joint ? given->joint : "";
    bool is_joint = crn_robot_find_joint(robot, name, &link, &index);
    crn_link_sum *sum = is_joint ? NULL : find_sum(robot, name);
    crn_link_joint *j = is_joint ? &robot->links[link].joints[index] : NULL;
    if (!is_joint && !sum)
        crn_import_problem(import, NULL, "there is no joint '%.80s' to begin with or to drive", name);
    else if (sum && isnan(given->initial) && isnan(given->initial_rate))
        set_drive(import, given, crn_sum_zero(robot, sum), &sum->acting);
    else if (sum)
        crn_import_problem(import, sum->place, "'%.80s' is a sum of joints, which begins as these do", name);
    else if (j->kind != CRN_AXIS_HINGE && j->kind != CRN_AXIS_SLIDE)
        crn_import_problem(import, j->place, "joint '%.80s' has no single coordinate to begin with or to drive", name);
    else
    {
        j->initial = isnan(given->initial) ? j->initial : given->initial;
        j->acting.initial_rate = isnan(given->initial_rate) ? j->acting.initial_rate : given->initial_rate;
        set_drive(import, given, j->zero, &j->acting);
    }
}

/* ------------------------------------------------------------------------------------------------- names and places */

static void rename_all(crn_robot *robot)
{
    for (int i = 0; i < robot->link_count; ++i)
    {
        crn_link *link = &robot->links[i];
        if (strcmp(link->name, "world") != 0)
            link->name = crn_robot_name(robot, link->name);
        for (int k = 0; k < link->joint_count; ++k)
            link->joints[k].name = crn_robot_name(robot, link->joints[k].name);
    }
    for (int i = 0; i < robot->sum_count; ++i)
        robot->sums[i].name = crn_robot_name(robot, robot->sums[i].name);
    for (int i = 0; i < robot->bond_count; ++i)
        robot->bonds[i].name = crn_robot_name(robot, robot->bonds[i].name);
}

/* Velocities of free links are linear in the world, angular in their frames. */
static void move(crn_robot *robot, const crn_link_frame *to)
{
    for (int i = 0; i < robot->link_count; ++i)
    {
        crn_link *link = &robot->links[i];
        double v[3];
        memcpy(v, link->velocity, sizeof v);
        crn_link_frame_direction(to, v, link->velocity);
        if (link->parent < 0)
            link->frame = crn_link_frame_compose(to, &link->frame);
    }
    for (int i = 0; i < robot->bond_count; ++i)
    {
        crn_link_bond *bond = &robot->bonds[i];
        double x[3];
        memcpy(x, bond->point, sizeof x);
        if (bond->a < 0)
            crn_link_frame_point(to, x, bond->point);
        memcpy(x, bond->other, sizeof x);
        if (bond->b < 0)
            crn_link_frame_point(to, x, bond->other);
    }
}

void crn_robot_place(crn_robot *robot)
{
    crn_import *import = robot->import;
    const cairn_import_options *o = &import->options;
    crn_link_frame to = {.x = {o->position[0], o->position[1], o->position[2]}};
    double length = sqrt(o->orientation[0] * o->orientation[0] + crn_dot3(o->orientation + 1, o->orientation + 1));
    if (!(length > 0) || !isfinite(length) || !isfinite(crn_norm3(o->position)))
    {
        crn_import_problem(
            import, NULL, "the position and the orientation of the robot must be finite numbers, the latter not all 0");
        return;
    }
    for (int k = 0; k < 4; ++k)
        to.q[k] = o->orientation[k] / length;
    for (int i = 0; i < o->joint_count && import->problem_count == 0; ++i)
        set_joint(robot, &o->joints[i]);
    if (o->prefix && o->prefix[0])
        rename_all(robot);
    if (crn_norm3(to.x) > 0 || to.q[0] != 1)
        move(robot, &to);
}
