/* From links to bodies and shapes. */
#include "import/robot.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Where every link is, and which body it is part of. Parents come first. */
static void place_links(crn_robot *robot)
{
    for (int i = 0; i < robot->link_count; ++i)
    {
        crn_link *link = &robot->links[i];
        assert(link->parent < i);
        const crn_link *parent = link->parent >= 0 ? &robot->links[link->parent] : NULL;
        link->world = parent ? crn_link_frame_compose(&parent->world, &link->frame) : link->frame;
        bool carried = link->joint_count == 0;
        link->is_static = carried && (!parent || parent->is_static);
        /* Fixed bodies cost nothing: they stay apart and keep their names. */
        link->group = carried && parent && !link->is_static ? parent->group : i;
        robot->links[link->group].last = i;
    }
}

crn_link_mass crn_link_own_mass(const crn_link *link)
{
    crn_link_mass sum = {0};
    if (link->has_mass)
        return link->mass;
    for (int i = 0; i < link->shape_count; ++i)
        crn_mass_add(&sum, &link->shapes[i].frame, &link->shapes[i].mass);
    return sum;
}

/* The mass of all links of a group, in the frame of its first link. */
static crn_link_mass group_mass(const crn_robot *robot, int group)
{
    crn_link_mass sum = {0};
    for (int i = group; i <= robot->links[group].last; ++i)
        if (robot->links[i].group == group)
        {
            crn_link_mass part = crn_link_own_mass(&robot->links[i]);
            crn_link_frame frame = crn_link_frame_relative(&robot->links[group].world, &robot->links[i].world);
            crn_mass_add(&sum, &frame, &part);
        }
    return sum;
}

static void set_mass(cairn_body_options *options, const crn_link_mass *mass)
{
    static const int PLACE[6] = {0, 4, 8, 1, 2, 5}; /* xx yy zz xy xz yz */
    options->mass = mass->mass;
    for (int i = 0; i < 6; ++i)
        options->inertia[i] = mass->inertia[PLACE[i]];
}

static void set_groups(const crn_robot *robot, const crn_link *link, cairn_body_options *options)
{
    if (link->class < 0)
        return;
    options->groups = robot->classes[link->class].group;
    options->collides_with = robot->classes[link->class].touches;
}

/* Whether joints begin with other values than in the pose as written: then a free base stays where it is. */
static bool begins_elsewhere(const crn_robot *robot)
{
    return robot->import->options.keyframe || robot->import->options.joint_count > 0;
}

static bool add_dynamic(crn_robot *robot, int index)
{
    crn_link *link = &robot->links[index];
    crn_link_mass mass = group_mass(robot, index);
    if (!(mass.mass > 0))
        return crn_import_problem(robot->import, link->place,
                                  "'%.80s' moves, but it has no mass: neither an inertia nor geometry to take one from",
                                  link->name);
    cairn_body_options options = cairn_body_default();
    options.name = link->name;
    set_mass(&options, &mass);
    set_groups(robot, link, &options);
    link->body_frame = link->world;
    crn_link_frame_point(&link->world, mass.centre, link->body_frame.x);
    memcpy(options.position, link->body_frame.x, sizeof options.position);
    memcpy(options.orientation, link->body_frame.q, sizeof options.orientation);
    crn_link_motion_velocities(&link->begin, mass.centre, &options);
    options.hold = begins_elsewhere(robot) && link->joint_count == 1 && link->joints[0].kind == CRN_AXIS_FREE;
    return crn_import_pass(robot->import, link->place, cairn_model_add_body(robot->model, &options, &link->body));
}

static bool add_fixed(crn_robot *robot, crn_link *link)
{
    cairn_body_options options = cairn_body_default();
    bool is_world = !strcmp(link->name, "world");
    link->body_frame = is_world ? crn_link_frame_identity() : link->world;
    if (is_world && link->shape_count == 0)
        return true; /* the world itself, which has no shapes */
    options.name = is_world ? crn_robot_name(robot, "ground") : link->name;
    options.kind = CAIRN_FIXED;
    set_groups(robot, link, &options);
    memcpy(options.position, link->body_frame.x, sizeof options.position);
    memcpy(options.orientation, link->body_frame.q, sizeof options.orientation);
    return crn_import_pass(robot->import, link->place, cairn_model_add_body(robot->model, &options, &link->body));
}

static void add_shapes(crn_robot *robot, const crn_link *link)
{
    const crn_link *group = &robot->links[link->group];
    for (int i = 0; i < link->shape_count; ++i)
    {
        crn_link_shape *shape = &link->shapes[i];
        if (!shape->collides || group->body.id == 0)
            continue;
        crn_link_frame world = crn_link_frame_compose(&link->world, &shape->frame);
        crn_link_frame local = crn_link_frame_relative(&group->body_frame, &world);
        memcpy(shape->options.position, local.x, sizeof local.x);
        memcpy(shape->options.orientation, local.q, sizeof local.q);
        cairn_shape made;
        if (shape->surface >= 0)
            shape->options.material = robot->surfaces[shape->surface].made;
        crn_import_pass(robot->import, shape->place,
                        cairn_model_add_shape(robot->model, group->body, &shape->options, &made));
    }
}

/* What a pair that names both says, or else the priorities. */
static double friction_between(const crn_robot *robot, int a, int b)
{
    const crn_surface *s = &robot->surfaces[a], *t = &robot->surfaces[b];
    for (int i = 0; i < robot->pair_count; ++i)
    {
        const crn_shape_pair *p = &robot->pairs[i];
        int x = robot->links[p->link[0]].shapes[p->shape[0]].surface;
        int y = robot->links[p->link[1]].shapes[p->shape[1]].surface;
        if (!isnan(p->friction) && ((x == a && y == b) || (x == b && y == a)))
            return p->friction;
    }
    if (s->priority == t->priority)
        return fmax(s->friction, t->friction);
    return s->priority > t->priority ? s->friction : t->friction;
}

/* A material per surface, and for each pair of them the friction that their priorities give. */
void crn_robot_build_surfaces(crn_robot *robot)
{
    crn_import *import = robot->import;
    for (int i = 0; i < robot->surface_count && !import->no_memory; ++i)
    {
        crn_surface *s = &robot->surfaces[i];
        cairn_material_options options = cairn_material_default();
        const char *name = s->owner ? crn_import_text(import, "friction %g, priority %d, of %s", s->friction,
                                                      s->priority, s->owner)
                                    : crn_import_text(import, "friction %g, priority %d", s->friction, s->priority);
        options.name = crn_robot_name(robot, name);
        options.friction = s->friction;
        crn_import_pass(import, NULL, cairn_model_add_material(robot->model, &options, &s->made));
        for (int k = 0; k < i; ++k)
            crn_import_pass(import, NULL,
                            cairn_model_set_pair(robot->model, s->made, robot->surfaces[k].made,
                                                 friction_between(robot, i, k), 0));
    }
}

bool crn_robot_build_bodies(crn_robot *robot)
{
    crn_import *import = robot->import;
    crn_robot_build_surfaces(robot);
    place_links(robot);
    crn_robot_sort_classes(robot);
    crn_robot_begin(robot);
    for (int i = 0; i < robot->link_count && !import->no_memory; ++i)
    {
        crn_link *link = &robot->links[i];
        assert(link->name && link->group >= 0 && link->group <= i);
        if (link->group != i)
            crn_import_note(import, link->place, "'%.80s' has no joint and became part of '%.80s'", link->name,
                            robot->links[link->group].name);
        else if (link->is_static)
            add_fixed(robot, link);
        else
            add_dynamic(robot, i);
    }
    /* The shapes of one body after those of the body before it, as in a scene file. */
    for (int group = 0; group < robot->link_count && import->problem_count == 0; ++group)
        for (int i = group; robot->links[group].group == group && i <= robot->links[group].last; ++i)
            if (robot->links[i].group == group)
                add_shapes(robot, &robot->links[i]);
    return import->problem_count == 0 && !import->no_memory;
}
