/* Which bodies touch which.
 *
 * In MJCF two shapes touch where a bit of `contype` of one is a bit of `conaffinity` of the other, or where a <pair> names them. Here bodies
 * are filtered, by groups: bodies whose shapes have the same bits make a class, each body of a pair is a class of its own, and a class is a
 * group that touches those with which any of its shapes may. This is the same wherever all shapes of a body have the same bits; otherwise a
 * note says for which bodies it is not.
 */
#include "import/robot.h"

#include <assert.h>
#include <string.h>

enum
{
    CLASSES = 64 /* groups of a model */
};

/* The next shape that collides of a group, after (*link, *shape); begin with (group, -1). */
static const crn_link_shape *next_shape(const crn_robot *robot, int group, int *link, int *shape)
{
    for (;; ++*link, *shape = -1)
    {
        if (*link >= robot->link_count)
            return NULL;
        if (robot->links[*link].group != group)
            continue;
        while (++*shape < robot->links[*link].shape_count)
            if (robot->links[*link].shapes[*shape].collides)
                return &robot->links[*link].shapes[*shape];
    }
}

/* Whether every kind of shape of group a is one of b's. */
static bool is_part(const crn_robot *robot, int a, int b)
{
    const crn_link_shape *x, *y;
    for (int i = a, k = -1; (x = next_shape(robot, a, &i, &k));)
    {
        bool found = false;
        for (int j = b, l = -1; !found && (y = next_shape(robot, b, &j, &l));)
            found = x->type == y->type && x->affinity == y->affinity;
        if (!found)
            return false;
    }
    return true;
}

static bool is_in_pair(const crn_robot *robot, int group)
{
    for (int i = 0; i < robot->pair_count; ++i)
        for (int k = 0; k < 2; ++k)
            if (robot->links[robot->pairs[i].link[k]].group == group)
                return true;
    return false;
}

static bool is_pair(const crn_robot *robot, int a, int b)
{
    for (int i = 0; i < robot->pair_count; ++i)
    {
        int x = robot->links[robot->pairs[i].link[0]].group, y = robot->links[robot->pairs[i].link[1]].group;
        if ((x == a && y == b) || (x == b && y == a))
            return true;
    }
    return false;
}

/* How many pairs of shapes there are, and how many of them touch. */
static void count_pairs(const crn_robot *robot, int a, int b, int *all, int *touching)
{
    const crn_link_shape *x, *y;
    *all = *touching = 0;
    for (int i = a, k = -1; (x = next_shape(robot, a, &i, &k));)
        for (int j = b, l = -1; (y = next_shape(robot, b, &j, &l));)
        {
            ++*all;
            *touching += (x->type & y->affinity) != 0 || (y->type & x->affinity) != 0;
        }
}

/* Set whether two classes touch, by a body of each. */
static void set_touching(crn_robot *robot, const int first[CLASSES], int a, int b)
{
    int all, touching;
    bool pair = is_pair(robot, first[a], first[b]);
    count_pairs(robot, first[a], first[b], &all, &touching);
    if (touching > 0 || pair)
    {
        robot->touching[a] |= (uint64_t)1 << b;
        robot->touching[b] |= (uint64_t)1 << a;
    }
    const crn_link *x = &robot->links[first[a]], *y = &robot->links[first[b]];
    if ((touching > 0 || pair) && touching + pair < all)
        crn_import_note(robot->import, y->place,
                        "'%.80s' and '%.80s' touch with all their geometry, though only some of it may touch; contacts "
                        "are filtered "
                        "by bodies",
                        x->name, y->name);
}

/* The class of a group among those that there are; a new one where there is none. */
static int class_of(crn_robot *robot, int first[CLASSES], int group)
{
    bool single = is_in_pair(robot, group);
    for (int i = 0; i < robot->class_count && !single; ++i)
        if (!is_in_pair(robot, first[i]) && is_part(robot, group, first[i]) && is_part(robot, first[i], group))
            return i;
    if (robot->class_count == CLASSES)
    {
        crn_import_note(
            robot->import, robot->links[group].place,
            "there are more than %d combinations of contype and conaffinity; '%.80s' touches what '%.80s' touches",
            CLASSES, robot->links[group].name, robot->links[first[0]].name);
        return 0;
    }
    first[robot->class_count] = group;
    return robot->class_count++;
}

/* A pair does not undo what a joint does: bodies that it connects do not touch. */
static void note_joined(crn_robot *robot)
{
    for (int i = 0; i < robot->pair_count; ++i)
        for (int k = 0; k < 2; ++k)
        {
            const crn_link *below = &robot->links[robot->links[robot->pairs[i].link[k]].group];
            int other = robot->links[robot->pairs[i].link[1 - k]].group;
            if (below->parent >= 0 && robot->links[below->parent].group == other && !robot->links[other].is_static)
                crn_import_note(robot->import, robot->pairs[i].place,
                                "'%.80s' and '%.80s' are joined and do not touch; <pair> is left out", below->name,
                                robot->links[other].name);
        }
}

void crn_robot_sort_classes(crn_robot *robot)
{
    int first[CLASSES];
    assert(robot->class_count == 0);
    robot->touching = crn_import_allocate(robot->import, CLASSES * sizeof *robot->touching);
    if (!robot->touching)
        return;
    memset(robot->touching, 0, CLASSES * sizeof *robot->touching);
    for (int i = 0; i < robot->link_count; ++i)
    {
        int link = i, shape = -1;
        if (robot->links[i].group == i && next_shape(robot, i, &link, &shape))
            robot->links[i].class = class_of(robot, first, i);
    }
    for (int b = 0; b < robot->class_count; ++b)
        for (int a = 0; a <= b; ++a)
            set_touching(robot, first, a, b);
    note_joined(robot);
}

bool crn_robot_may_touch(const crn_robot *robot, int a, int b)
{
    return robot->class_count == 0 || (robot->touching[robot->links[a].class] >> robot->links[b].class & 1u);
}
