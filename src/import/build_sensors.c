/* From sensors of links to quantities of bodies and joints. */
#include "base/number_text.h"
#include "import/robot.h"

#include <string.h>

/* The quantity; NULL: what it belongs to is not in the model. */
static const char *quantity_of(crn_robot *robot, const crn_link_sensor *s)
{
    crn_import *import = robot->import;
    const crn_link *link = &robot->links[s->link];
    if (s->kind == CRN_SENSE_PLAIN)
        return s->words;
    if (s->kind == CRN_SENSE_SUM)
    {
        const crn_link_sum *sum = &robot->sums[s->sum];
        return sum->made.id ? crn_import_text(import, "joint:'%s'.value%s", sum->name, s->words) : NULL;
    }
    if (s->kind == CRN_SENSE_JOINT)
        return crn_import_text(import, "joint:'%s'.%s%s",
                               cairn_model_joint_name(robot->model, link->joints[s->joint].made),
                               link->joints[s->joint].coordinate, s->words);
    const crn_link *group = &robot->links[link->group];
    if (s->kind == CRN_SENSE_LOAD)
        return group->joint_count > 0 && group->joints[group->joint_count - 1].made.id
                   ? crn_import_text(
                         import, "joint:'%s'%s",
                         cairn_model_joint_name(robot->model, group->joints[group->joint_count - 1].made), s->words)
                   : NULL;
    if (group->body.id == 0)
        return NULL;
    const char *name = cairn_model_body_name(robot->model, group->body);
    if (s->kind == CRN_SENSE_BODY)
        return crn_import_text(import, "body:'%s'%s", name, s->words);
    crn_link_frame world = crn_link_frame_compose(&link->world, &s->frame);
    crn_link_frame local = crn_link_frame_relative(&group->body_frame, &world);
    return crn_import_text(import, "%s('%s',%s,%s,%s)", s->words, name, crn_number_text(local.x[0]).text,
                           crn_number_text(local.x[1]).text, crn_number_text(local.x[2]).text);
}

static void build_sensor(crn_robot *robot, const crn_link_sensor *s)
{
    crn_import *import = robot->import;
    if (robot->added)
    {
        crn_import_note(import, s->place, "sensor '%.80s' is left out: a scene lists its own", s->name);
        return;
    }
    const char *quantity = quantity_of(robot, s);
    cairn_quantity found;
    if (!quantity)
    {
        crn_import_note(import, s->place, "sensor '%.80s': what it measures was left out or does not move; it is left out",
                        s->name);
        return;
    }
    for (int i = 0; i < robot->measured_count; ++i)
        if (!strcmp(robot->measured[i].name, s->name))
        {
            crn_import_problem(import, s->place, "there are two sensors '%.80s'", s->name);
            return;
        }
    if (!crn_import_pass(import, s->place, cairn_quantity_find(import->scratch, robot->model, quantity, &found)))
        return;
    if (crn_reserve_all(&import->memory, CRN_ARRAY(robot->measured, robot->measured_count + 1)))
        import->no_memory = true;
    else
        robot->measured[robot->measured_count++] = (cairn_sensor){.name = s->name, .quantity = quantity, .every = 1};
}

void crn_robot_build_sensors(crn_robot *robot)
{
    for (int i = 0; i < robot->sensor_count && robot->import->problem_count == 0 && !robot->import->no_memory; ++i)
        build_sensor(robot, &robot->sensors[i]);
}
