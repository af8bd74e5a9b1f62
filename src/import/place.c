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

static void set_joint(crn_robot *robot, const cairn_import_joint *given)
{
    int link, index;
    crn_import *import = robot->import;
    const char *name = given->joint ? given->joint : "";
    if (!crn_robot_find_joint(robot, name, &link, &index))
    {
        crn_import_problem(import, NULL, "there is no joint '%.80s' to begin with or to drive", name);
        return;
    }
    crn_link_joint *j = &robot->links[link].joints[index];
    if (j->kind != CRN_AXIS_HINGE && j->kind != CRN_AXIS_SLIDE)
    {
        crn_import_problem(import, j->place, "joint '%.80s' has no single coordinate to begin with or to drive", name);
        return;
    }
    if (!isnan(given->initial))
        j->initial = given->initial;
    if (!isnan(given->initial_rate))
        j->acting.initial_rate = given->initial_rate;
    if (given->drive == CAIRN_DRIVE_NONE)
        return;
    j->acting.drive = given->drive;
    j->acting.target = moved(import, &given->target, given->drive == CAIRN_DRIVE_POSITION ? j->zero : 0.0);
    j->acting.drive_stiffness = given->drive_stiffness;
    j->acting.drive_damping = given->drive_damping;
    j->acting.drive_limit = given->drive_limit;
    j->acting.drive_power = given->drive_power;
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
