/* The model of a robot: bodies, joints, and what refers to them. */
#include "base/number_text.h"
#include "import/robot.h"
#include "model/model.h"

#include <assert.h>
#include <string.h>

crn_link_frame crn_robot_body_of(const crn_robot *robot, int link, cairn_body *body)
{
    *body = link < 0 ? (cairn_body){0} : robot->links[robot->links[link].group].body;
    return body->id ? robot->links[robot->links[link].group].body_frame : crn_link_frame_identity();
}

/* A point of a link on its body; the point in the world is returned too. */
static void attach(const crn_robot *robot, int link, const double point[3], cairn_attachment *out, double world[3])
{
    crn_link_frame frame = crn_robot_body_of(robot, link, &out->body), at = crn_link_frame_identity();
    if (link >= 0)
        crn_link_frame_point(&robot->links[link].world, point, at.x);
    else
        memcpy(at.x, point, sizeof at.x);
    crn_link_frame local = crn_link_frame_relative(&frame, &at);
    memcpy(out->point, local.x, sizeof local.x);
    memcpy(world, at.x, sizeof at.x);
}

static void build_bond(crn_robot *robot, const crn_link_bond *bond)
{
    cairn_joint_options o = cairn_joint_default(bond->weld ? CAIRN_JOINT_WELD : CAIRN_JOINT_BALL);
    double a[3], b[3], d[3];
    o.name = crn_robot_free_name(robot, bond->place, bond->name);
    attach(robot, bond->a, bond->point, &o.a, a);
    attach(robot, bond->b, bond->other, &o.b, b);
    crn_sub3(b, a, d);
    if (crn_norm3(d) > 1e-9)
    {
        crn_import_note(robot->import, bond->place,
                        "the two points are %.3g m apart at the start; %s",
                        crn_norm3(d), crn_robot_assembles(robot));
    }
    o.collide = true;
    cairn_joint made;
    crn_import_pass(robot->import, bond->place, cairn_model_add_joint(robot->model, &o, &made));
}

/* A force against the weight of a link, at its centre of mass. */
static void build_lift(crn_robot *robot, const crn_link *link)
{
    const crn_link *group = &robot->links[link->group];
    crn_link_mass own = crn_link_own_mass(link);
    cairn_force_options o = cairn_force_default();
    cairn_attachment at;
    double world[3];
    attach(robot, (int)(link - robot->links), own.centre, &at, world);
    o.name = crn_import_text(robot->import, "gravity compensation of %s", link->name);
    o.body = group->body;
    memcpy(o.point, at.point, sizeof o.point);
    for (int i = 0; i < 3; ++i)
        if (robot->model->gravity[i] != 0)
            o.force[i] = crn_import_text(robot->import, "%s", crn_number_text(-link->lift * own.mass * robot->model->gravity[i]).text);
    cairn_force made;
    if (own.mass > 0 && (o.force[0] || o.force[1] || o.force[2]))
        crn_import_pass(robot->import, link->place, cairn_model_add_force(robot->model, &o, &made));
}

static void build_excluded(crn_robot *robot)
{
    for (int i = 0; i < robot->excluded_count; ++i)
    {
        cairn_body a, b;
        crn_robot_body_of(robot, robot->excluded[i].a, &a);
        crn_robot_body_of(robot, robot->excluded[i].b, &b);
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
    /* Couplings after all joints, as a scene file lists them: a robot saved as one moves to the bit as before. */
    crn_robot_build_joints(robot);
    for (int i = 0; i < robot->bond_count && import->problem_count == 0; ++i)
        build_bond(robot, &robot->bonds[i]);
    crn_robot_build_sums(robot);
    for (int i = 0; i < robot->link_count && import->problem_count == 0; ++i)
        if (robot->links[i].lift != 0 && !robot->links[i].is_static)
            build_lift(robot, &robot->links[i]);
    if (import->problem_count == 0 && !import->no_memory)
        crn_robot_part(robot);
    build_excluded(robot);
    if (import->problem_count == 0 && !import->no_memory)
        crn_robot_build_sensors(robot);
}
