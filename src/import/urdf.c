/* URDF: http://wiki.ros.org/urdf/XML. A flat list of links and of joints, which make a tree.
 *
 * The frame of a child link is that of its joint; `origin` places it in the parent by x y z and the angles r p y about the fixed axes x, y,
 * z, that is R = Rz(y) Ry(p) Rx(r). Lengths are in m, angles in rad. Visual geometry has no counterpart. A `mimic` becomes a coupling.
 */
#include "import/urdf.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A link with the joint that carries it. */
typedef struct node
{
    const char *name;
    crn_xml *link, *joint; /* no joint: a root */
    int parent;            /* node; -1: none */
    int made;              /* index in the robot; -1: not yet */
} node;

typedef struct tree
{
    crn_robot *robot;
    crn_import *import;
    node *nodes;
    int count;
} tree;

/* ----------------------------------------------------------------------------------------------------------- joints */

static void read_axis(tree *t, crn_xml *element, double axis[3])
{
    double given[3] = {1, 0, 0};
    crn_xml *found = crn_xml_child(element, "axis");
    if (found)
        crn_import_numbers(t->import, found, "xyz", 3, 3, given);
    double length = crn_norm3(given);
    if (length > 0)
        crn_scale3(1 / length, given, axis);
    else
        crn_import_problem(t->import, found, "the axis of a joint must not be 0");
}

static void read_limit(tree *t, crn_xml *element, crn_link_joint *joint)
{
    crn_xml *limit = crn_xml_child(element, "limit");
    cairn_coordinate_options *o = &joint->acting;
    if (!limit)
    {
        crn_import_problem(t->import, element, "joint '%.80s' needs a <limit>; one without is of type 'continuous'",
                           joint->name);
        return;
    }
    o->lower = o->upper = 0;
    crn_import_number(t->import, limit, "lower", &o->lower);
    crn_import_number(t->import, limit, "upper", &o->upper);
    if (o->lower > o->upper)
        crn_import_problem(t->import, limit, "joint '%.80s': lower is %g, above upper, which is %g", joint->name,
                           o->lower, o->upper);
}

static void read_dynamics(tree *t, crn_xml *element, crn_link_joint *joint)
{
    crn_xml *dynamics = crn_xml_child(element, "dynamics");
    if (!dynamics)
        return;
    crn_import_amount(t->import, dynamics, "damping", &joint->acting.damping);
    crn_import_amount(t->import, dynamics, "friction", &joint->acting.friction);
}

typedef struct joint_word
{
    const char *word;
    crn_axis_kind kind;
    bool limited;
} joint_word;

static const joint_word WORDS[] = {{"revolute", CRN_AXIS_HINGE, true},  {"continuous", CRN_AXIS_HINGE, false},
                                   {"prismatic", CRN_AXIS_SLIDE, true}, {"planar", CRN_AXIS_PLANAR, false},
                                   {"floating", CRN_AXIS_FREE, false},  {"fixed", CRN_AXIS_FREE, false}};

static const joint_word *find_word(tree *t, crn_xml *element)
{
    const char *type = crn_import_required(t->import, element, "type");
    cairn_suggestion near = {.word = type};
    for (size_t i = 0; type && i < sizeof WORDS / sizeof WORDS[0]; ++i)
    {
        if (!strcmp(type, WORDS[i].word))
            return &WORDS[i];
        cairn_suggestion_offer(&near, WORDS[i].word);
    }
    if (type)
        crn_import_problem(t->import, element, "there is no joint type '%.60s'%s", type, near.hint);
    return NULL;
}

static void read_joint(tree *t, crn_link *link, crn_xml *element)
{
    const joint_word *word = find_word(t, element);
    link->frame = crn_urdf_origin(t->import, element);
    if (!word || !strcmp(word->word, "fixed"))
        return;
    crn_link_joint *joint = crn_link_add_joint(t->robot, link);
    if (!joint)
        return;
    joint->name = crn_xml_get(element, "name");
    joint->place = element;
    joint->kind = word->kind;
    if (word->kind != CRN_AXIS_FREE)
        read_axis(t, element, joint->axis);
    if (word->limited)
        read_limit(t, element, joint);
    read_dynamics(t, element, joint);
}

/* q = multiplier q' + offset */
static void read_mimic(tree *t, crn_xml *element)
{
    crn_xml *mimic = crn_xml_child(element, "mimic");
    const char *other = mimic ? crn_import_required(t->import, mimic, "joint") : NULL;
    const char *name = crn_xml_get(element, "name");
    int link, joint, from, from_joint;
    double multiplier = 1, offset = 0;
    if (!other || !name || !crn_robot_find_joint(t->robot, name, &link, &joint))
        return;
    if (!crn_robot_find_joint(t->robot, other, &from, &from_joint) || !strcmp(other, name))
    {
        crn_import_problem(t->import, mimic,
                           "joint '%.80s' cannot mimic '%.80s': there is no such other joint that moves", name, other);
        return;
    }
    crn_import_number(t->import, mimic, "multiplier", &multiplier);
    crn_import_number(t->import, mimic, "offset", &offset);
    crn_link_sum *sum = crn_robot_add_sum(t->robot, multiplier != 0 ? 2 : 1);
    if (!sum)
        return;
    sum->name = crn_import_text(t->import, "%s mimics %s", name, other);
    sum->place = mimic;
    sum->hold = true;
    sum->value = offset;
    sum->terms[0] = (struct crn_sum_term){.link = link, .joint = joint, .factor = 1};
    if (multiplier != 0)
        sum->terms[1] = (struct crn_sum_term){.link = from, .joint = from_joint, .factor = -multiplier};
    if (offset != 0)
        t->robot->links[link].joints[joint].initial = offset;
}

/* ------------------------------------------------------------------------------------------------------------- tree */

static int find_node(const tree *t, const char *name)
{
    for (int i = 0; i < t->count; ++i)
        if (!strcmp(t->nodes[i].name, name))
            return i;
    return -1;
}

static void collect_links(tree *t, crn_xml *root)
{
    for (crn_xml *e = crn_xml_child(root, "link"); e; e = crn_xml_again(e))
    {
        const char *name = crn_import_required(t->import, e, "name");
        int taken = name ? find_node(t, name) : -1;
        if (taken >= 0)
            crn_import_problem(t->import, e, "link '%.80s' is already at line %d", name, t->nodes[taken].link->line);
        if (!name || taken >= 0)
            continue;
        if (crn_reserve_all(&t->import->memory, CRN_ARRAY(t->nodes, t->count + 1)))
        {
            t->import->no_memory = true;
            return;
        }
        t->nodes[t->count++] = (node){.name = name, .link = e, .parent = -1, .made = -1};
    }
}

static int read_end(tree *t, crn_xml *joint, const char *which)
{
    crn_xml *end = crn_xml_child(joint, which);
    if (!end)
    {
        crn_import_problem(t->import, joint, "<joint> needs a <%s>", which);
        return -1;
    }
    const char *name = crn_import_required(t->import, end, "link");
    int found = name ? find_node(t, name) : -1;
    cairn_suggestion near = {.word = name};
    for (int i = 0; name && found < 0 && i < t->count; ++i)
        cairn_suggestion_offer(&near, t->nodes[i].name);
    if (name && found < 0)
        crn_import_problem(t->import, end, "there is no link '%.80s'%s", name, near.hint);
    return found;
}

static void collect_joints(tree *t, crn_xml *root)
{
    for (crn_xml *e = crn_xml_child(root, "joint"); e; e = crn_xml_again(e))
    {
        const char *name = crn_import_required(t->import, e, "name");
        int parent = read_end(t, e, "parent"), child = read_end(t, e, "child");
        if (!name || parent < 0 || child < 0)
            continue;
        if (t->nodes[child].joint)
            crn_import_problem(t->import, e, "link '%.80s' already hangs on the joint at line %d; links make a tree",
                               t->nodes[child].name, t->nodes[child].joint->line);
        else
        {
            t->nodes[child].joint = e;
            t->nodes[child].parent = parent;
        }
    }
}

static void make_link(tree *t, int i)
{
    node *n = &t->nodes[i];
    crn_link *link = crn_robot_add_link(t->robot);
    if (!link)
        return;
    n->made = t->robot->link_count - 1;
    link->name = n->name;
    link->place = n->link;
    link->parent = n->parent >= 0 ? t->nodes[n->parent].made : -1;
    crn_urdf_read_link(t->robot, link, n->link);
    if (n->joint)
        read_joint(t, link, n->joint);
    else if (t->import->options.free_base && strcmp(n->name, "world") != 0)
    {
        crn_link_joint *joint = crn_link_add_joint(t->robot, link);
        if (joint)
            joint->kind = CRN_AXIS_FREE;
    }
}

/* The links in an order in which parents come first: the roots, and again and again those whose parent is there. */
static void make_links(tree *t)
{
    int before = -1;
    while (before != t->robot->link_count && !t->import->no_memory)
    {
        before = t->robot->link_count;
        for (int i = 0; i < t->count; ++i)
            if (t->nodes[i].made < 0 && (t->nodes[i].parent < 0 || t->nodes[t->nodes[i].parent].made >= 0))
                make_link(t, i);
    }
    for (int i = 0; i < t->count && !t->import->no_memory; ++i)
        if (t->nodes[i].made < 0)
        {
            crn_import_problem(t->import, t->nodes[i].joint, "link '%.80s' hangs on itself: its joints make a circle",
                               t->nodes[i].name);
            return;
        }
}

static void check_roots(tree *t, crn_xml *root)
{
    const node *first = NULL;
    if (t->count == 0)
        crn_import_problem(t->import, root, "the robot has no <link>");
    for (int i = 0; i < t->count; ++i)
    {
        const node *n = &t->nodes[i];
        if (n->parent < 0 && first)
            crn_import_problem(t->import, n->link, "both '%.80s' and '%.80s' are roots; links make one tree",
                               first->name, n->name);
        if (n->parent < 0 && !first)
            first = n;
    }
}

void crn_read_urdf(crn_robot *robot, crn_xml *root)
{
    tree t = {.robot = robot, .import = robot->import};
    root->used = true;
    robot->title = crn_xml_get(root, "name");
    crn_xml_get(root, "version");
    collect_links(&t, root);
    collect_joints(&t, root);
    if (robot->import->problem_count == 0)
        check_roots(&t, root);
    if (robot->import->problem_count == 0)
        make_links(&t);
    if (robot->import->problem_count == 0)
        for (int i = 0; i < t.count; ++i)
            if (t.nodes[i].joint)
                read_mimic(&t, t.nodes[i].joint);
}
