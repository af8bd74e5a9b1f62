#include "import/robot.h"

#include <math.h>
#include <string.h>

/* Grow a list of the robot by one zeroed element. */
#define ADD_TO(robot, list, count)                                                                                     \
    (crn_reserve_all(&(robot)->import->memory, CRN_ARRAY(list, (count) + 1))                                           \
         ? ((robot)->import->no_memory = true, NULL)                                                                   \
         : &(list)[(count)++])

crn_link *crn_robot_add_link(crn_robot *robot)
{
    crn_link *link = ADD_TO(robot, robot->links, robot->link_count);
    if (link)
        *link = (crn_link){.parent = -1, .frame = crn_link_frame_identity()};
    return link;
}

crn_link_joint *crn_link_add_joint(crn_robot *robot, crn_link *link)
{
    crn_link_joint *joint = ADD_TO(robot, link->joints, link->joint_count);
    if (joint)
        *joint = (crn_link_joint){
            .kind = CRN_AXIS_HINGE, .acting = cairn_coordinate_default(), .initial = NAN, .axis = {0, 0, 1}};
    return joint;
}

crn_link_shape *crn_link_add_shape(crn_robot *robot, crn_link *link)
{
    crn_link_shape *shape = ADD_TO(robot, link->shapes, link->shape_count);
    if (shape)
        *shape = (crn_link_shape){
            .frame = crn_link_frame_identity(), .collides = true, .type = 1, .affinity = 1, .surface = -1};
    return shape;
}

crn_link_sum *crn_robot_add_sum(crn_robot *robot, int term_count)
{
    crn_link_sum *sum = ADD_TO(robot, robot->sums, robot->sum_count);
    if (!sum)
        return NULL;
    *sum = (crn_link_sum){.acting = cairn_coordinate_default(), .term_count = term_count};
    sum->terms = crn_import_allocate(robot->import, (size_t)term_count * sizeof *sum->terms);
    if (!sum->terms)
        sum->term_count = 0;
    return sum->terms ? sum : NULL;
}

crn_link_bond *crn_robot_add_bond(crn_robot *robot)
{
    crn_link_bond *bond = ADD_TO(robot, robot->bonds, robot->bond_count);
    if (bond)
        *bond = (crn_link_bond){.a = -1, .b = -1};
    return bond;
}

crn_link_site *crn_robot_add_site(crn_robot *robot)
{
    return ADD_TO(robot, robot->sites, robot->site_count);
}

crn_link_sensor *crn_robot_add_sensor(crn_robot *robot)
{
    return ADD_TO(robot, robot->sensors, robot->sensor_count);
}

crn_shape_pair *crn_robot_add_pair(crn_robot *robot)
{
    return ADD_TO(robot, robot->pairs, robot->pair_count);
}

int crn_robot_surface(crn_robot *robot, double friction, int priority, const char *owner)
{
    for (int i = 0; i < robot->surface_count; ++i)
    {
        const crn_surface *s = &robot->surfaces[i];
        if (s->friction == friction && s->priority == priority && s->owner == owner)
            return i;
    }
    crn_surface *made = ADD_TO(robot, robot->surfaces, robot->surface_count);
    if (made)
        *made = (crn_surface){.friction = friction, .priority = priority, .owner = owner};
    return made ? robot->surface_count - 1 : -1;
}

bool crn_robot_exclude(crn_robot *robot, crn_xml *place, int a, int b)
{
    struct crn_link_pair *pair = ADD_TO(robot, robot->excluded, robot->excluded_count);
    if (pair)
        *pair = (struct crn_link_pair){place, a, b};
    return pair != NULL;
}

int crn_robot_find_link(const crn_robot *robot, const char *name)
{
    for (int i = 0; i < robot->link_count; ++i)
        if (robot->links[i].name && !strcmp(robot->links[i].name, name))
            return i;
    return -1;
}

bool crn_robot_find_shape(const crn_robot *robot, const char *name, int *link, int *shape)
{
    for (*link = 0; *link < robot->link_count; ++*link)
        for (*shape = 0; *shape < robot->links[*link].shape_count; ++*shape)
        {
            const char *found = crn_xml_peek(robot->links[*link].shapes[*shape].place, "name");
            if (found && !strcmp(found, name))
                return true;
        }
    return false;
}

bool crn_robot_find_joint(const crn_robot *robot, const char *name, int *link, int *joint)
{
    for (*link = 0; *link < robot->link_count; ++*link)
        for (*joint = 0; *joint < robot->links[*link].joint_count; ++*joint)
        {
            const char *found = robot->links[*link].joints[*joint].name;
            if (found && !strcmp(found, name))
                return true;
        }
    return false;
}

int crn_robot_find_site(const crn_robot *robot, const char *name)
{
    for (int i = 0; i < robot->site_count; ++i)
        if (robot->sites[i].name && !strcmp(robot->sites[i].name, name))
            return i;
    return -1;
}

crn_link_frame crn_robot_world(const crn_robot *robot, int link)
{
    crn_link_frame frame = crn_link_frame_identity();
    for (; link >= 0; link = robot->links[link].parent)
        frame = crn_link_frame_compose(&robot->links[link].frame, &frame);
    return frame;
}

double crn_sum_zero(const crn_robot *robot, const crn_link_sum *sum)
{
    double zero = 0;
    for (int i = 0; i < sum->term_count; ++i)
        if (!sum->terms[i].sites)
            zero += sum->terms[i].factor * robot->links[sum->terms[i].link].joints[sum->terms[i].joint].zero;
    return zero;
}

void crn_site_place(const crn_robot *robot, int index, double out[3])
{
    crn_link_frame frame = crn_robot_world(robot, robot->sites[index].link);
    crn_link_frame_point(&frame, robot->sites[index].frame.x, out);
}

double crn_sum_value(const crn_robot *robot, const crn_link_sum *sum)
{
    double value = 0;
    for (int i = 0; i < sum->term_count; ++i)
    {
        const struct crn_sum_term *term = &sum->terms[i];
        const crn_link_joint *joint = term->sites ? NULL : &robot->links[term->link].joints[term->joint];
        if (joint)
            value += term->factor * (isnan(joint->initial) ? joint->zero : joint->initial);
        for (int k = 1; k < term->site_count; ++k)
        {
            double from[3], to[3], d[3];
            crn_site_place(robot, term->sites[k - 1], from);
            crn_site_place(robot, term->sites[k], to);
            crn_sub3(to, from, d);
            value += term->factor * crn_norm3(d);
        }
    }
    return value;
}
