/* Which bodies touch which.
 *
 * In MJCF two shapes touch where a bit of `contype` of one is a bit of `conaffinity` of the other, or where a <pair> names them. Here bodies
 * are filtered, by groups: bodies whose shapes have the same bits make a class, each body of a pair is a class of its own, and a class is a
 * group that touches those with which any of its shapes may. This is the same wherever all shapes of a body have the same bits; otherwise a
 * note says for which bodies it is not.
 *
 * Where the bits of a class are 1 and 1, as when none are given, it is the group of all bodies for which nothing is said. So others, to which
 * a robot is added, touch it as if theirs were 1 and 1.
 */
#include "import/robot.h"
#include "model/model.h"

#include <assert.h>

enum
{
    CLASSES = 64 /* groups of a model */
};

/* The next shape that collides of a group, after (*link, *shape); begin with (group, -1). */
static const crn_link_shape *next_shape(const crn_robot *robot, int group, int *link, int *shape)
{
    for (;; ++*link, *shape = -1)
    {
        if (*link > robot->links[group].last)
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

/* Set whether two classes touch, by a body x of class a and a body y of class b. */
static void set_touching(crn_robot *robot, int a, int b, int x, int y)
{
    int all, touching;
    bool pair = is_pair(robot, x, y);
    struct crn_body_class *p = &robot->classes[a], *q = &robot->classes[b];
    count_pairs(robot, x, y, &all, &touching);
    bool touch = touching > 0 || pair;
    p->touches = touch ? p->touches | q->group : p->touches & ~q->group;
    q->touches = touch ? q->touches | p->group : q->touches & ~p->group;
    bool apart = x == y || (robot->links[x].is_static && robot->links[y].is_static);
    if (touch && !apart && touching + pair < all)
        crn_import_note(robot->import, robot->links[y].place,
                        "'%.80s' and '%.80s' touch with all their geometry, though only some of it may; contacts are "
                        "filtered by bodies",
                        robot->links[x].name, robot->links[y].name);
}

/* Whether all shapes of a group have the bits 1 and 1, and whether one touches such a shape. */
static bool is_plain(const crn_robot *robot, int group)
{
    const crn_link_shape *x;
    for (int i = group, k = -1; (x = next_shape(robot, group, &i, &k));)
        if (x->type != 1 || x->affinity != 1)
            return false;
    return !is_in_pair(robot, group);
}

static bool touches_plain(const crn_robot *robot, int group)
{
    const crn_link_shape *x;
    for (int i = group, k = -1; (x = next_shape(robot, group, &i, &k));)
        if ((x->type & 1u) || (x->affinity & 1u))
            return true;
    return false;
}

/* A group that no body of the model has yet; 0: there is none. */
static uint64_t free_group(const crn_robot *robot)
{
    uint64_t used = 1;
    for (size_t i = 0; i < robot->model->body_count; ++i)
        used |= robot->model->bodies[i].traits->groups;
    for (int i = 0; i < robot->class_count; ++i)
        used |= robot->classes[i].group;
    return ~used & (used + 1); /* the lowest bit that is not set */
}

/* The class of a group among those that there are; a new one where there is none. */
static int class_of(crn_robot *robot, int first[CLASSES], int second[CLASSES], int group)
{
    bool single = is_in_pair(robot, group);
    for (int i = 0; i < robot->class_count && !single; ++i)
        if (!is_in_pair(robot, first[i]) && is_part(robot, group, first[i]) && is_part(robot, first[i], group))
        {
            second[i] = group;
            return i;
        }
    uint64_t bit = is_plain(robot, group) ? 1 : free_group(robot);
    if (robot->class_count == CLASSES || bit == 0)
    {
        crn_import_note(
            robot->import, robot->links[group].place,
            "there are more than %d combinations of contype and conaffinity; '%.80s' touches what '%.80s' touches",
            CLASSES, robot->links[group].name, robot->links[first[0]].name);
        return 0;
    }
    first[robot->class_count] = second[robot->class_count] = group;
    robot->classes[robot->class_count] =
        (struct crn_body_class){.group = bit, .touches = touches_plain(robot, group) ? UINT64_MAX : 0};
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
    int first[CLASSES], second[CLASSES];
    assert(robot->class_count == 0);
    robot->classes = crn_import_allocate(robot->import, CLASSES * sizeof *robot->classes);
    if (!robot->classes)
        return;
    for (int i = 0; i < robot->link_count; ++i)
    {
        int link = i, shape = -1;
        bool collides = robot->links[i].group == i && next_shape(robot, i, &link, &shape);
        robot->links[i].class = collides ? class_of(robot, first, second, i) : -1;
    }
    for (int b = 0; b < robot->class_count; ++b)
        for (int a = 0; a <= b; ++a)
            set_touching(robot, a, b, first[a], second[b]);
    note_joined(robot);
}

bool crn_robot_may_touch(const crn_robot *robot, int a, int b)
{
    int x = robot->links[a].class, y = robot->links[b].class;
    return x >= 0 && y >= 0 && (robot->classes[x].touches & robot->classes[y].group) != 0;
}
