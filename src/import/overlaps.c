/* Robots overlap themselves: collision geometry of neighbours is drawn generously. Links of one robot that penetrate each other in the
 * pose in which the scene begins are not to touch each other, and a note says so. The world and other robots are not asked: what
 * penetrates the ground should be told, not dropped through it.
 */
#include "cairn/query.h"
#include "import/robot.h"

#include <assert.h>

/* m: a state that penetrates by more is refused (the setting `initial`). */
static const double MOST = 1e-6;

/* The link of the robot that hangs on the world. */
static int root_of(const crn_robot *robot, int i)
{
    int world = robot->world_collides ? 0 : -1;
    while (i != world && robot->links[i].parent != world && robot->links[i].parent >= 0)
        i = robot->links[i].parent;
    return i;
}

static bool is_neighbour(const crn_robot *robot, int a, int b)
{
    int above = robot->links[b].parent;
    return above >= 0 && robot->links[above].group == a && !(robot->world_collides && robot->links[above].is_static);
}

static bool is_excluded(const crn_robot *robot, int a, int b)
{
    for (int i = 0; i < robot->excluded_count; ++i)
    {
        int x = robot->links[robot->excluded[i].a].group, y = robot->links[robot->excluded[i].b].group;
        if ((x == a && y == b) || (x == b && y == a))
            return true;
    }
    return is_neighbour(robot, a, b) || is_neighbour(robot, b, a);
}

static bool has_shapes(const crn_robot *robot, int group)
{
    for (int i = group; i <= robot->links[group].last; ++i)
        for (int k = 0; robot->links[i].group == group && k < robot->links[i].shape_count; ++k)
            if (robot->links[i].shapes[k].collides)
                return true;
    return false;
}

static bool may_overlap(const crn_robot *robot, int a, int b)
{
    const crn_link *x = &robot->links[a], *y = &robot->links[b];
    return x->group == a && y->group == b && x->body.id != 0 && y->body.id != 0 && !(x->is_static && y->is_static) &&
           crn_robot_may_touch(robot, a, b) && root_of(robot, a) == root_of(robot, b) && !is_excluded(robot, a, b) &&
           has_shapes(robot, a) && has_shapes(robot, b);
}

static void part(crn_robot *robot, cairn_query *query, int a, int b)
{
    crn_import *import = robot->import;
    const crn_link *x = &robot->links[a], *y = &robot->links[b];
    cairn_distance found;
    if (!crn_import_pass(import, y->place, cairn_query_distance(query, x->body, y->body, &found)))
        return;
    if (!(found.distance < -MOST))
        return;
    crn_import_note(import, y->place,
                    "'%.80s' and '%.80s' penetrate each other by %.3g m at the start; they do not touch each other",
                    x->name, y->name, -found.distance);
    crn_robot_exclude(robot, y->place, a, b); /* the builder does the rest: a query allows no changes of its model */
}

static void part_all(crn_robot *robot, const cairn_simulation *simulation)
{
    cairn_query *query = NULL;
    crn_import *import = robot->import;
    if (crn_import_pass(import, NULL, cairn_query_create(import->scratch, robot->model, &query)) &&
        crn_import_pass(import, NULL, cairn_query_follow(query, simulation)))
        for (int b = 0; b < robot->link_count; ++b)
            for (int a = 0; a < b && import->problem_count == 0; ++a)
                if (may_overlap(robot, a, b))
                    part(robot, query, a, b);
    cairn_query_destroy(query);
}

void crn_robot_part(crn_robot *robot)
{
    cairn_settings settings = cairn_settings_default();
    cairn_simulation *simulation;
    settings.initial = CAIRN_INITIAL_KEEP;
    assert(robot->model);
    cairn_status status = cairn_simulation_create(robot->import->scratch, robot->model, &settings, &simulation);
    if (status == CAIRN_OK)
        part_all(robot, simulation);
    else if (status == CAIRN_NO_MEMORY)
        robot->import->no_memory = true;
    /* A robot that cannot begin is told when it is run or checked. */
    cairn_context_clear(robot->import->scratch);
    cairn_simulation_destroy(simulation);
}
