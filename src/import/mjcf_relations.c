/* MJCF: what holds between bodies and joints: equality, fixed tendons, excluded contacts.
 *
 * An equality of joints says y - y_0 = c_0 + c_1 (x - x_0) + ..., with the values y_0, x_0 in the pose as written. It is a coupling where
 * it is linear. Equalities are soft in MuJoCo and rigid here.
 */
#include "import/mjcf.h"

#include <math.h>
#include <string.h>

/* The link that an attribute names, "world" among them; -2, with a problem, where there is none. */
static int find_link(crn_mjcf *m, crn_xml *element, const char *attribute)
{
    const char *name = crn_import_required(m->import, element, attribute);
    int found = name ? crn_robot_find_link(m->robot, name) : -1;
    if (name && found < 0)
        crn_import_problem(m->import, element, "there is no body '%.80s'", name);
    return found < 0 ? -2 : found;
}

static bool find_joint(crn_mjcf *m, crn_xml *element, const char *name, int *link, int *joint)
{
    return crn_robot_find_joint(m->robot, name, link, joint) ||
           crn_import_problem(m->import, element, "there is no joint '%.80s'", name);
}

static const crn_link_joint *joint_at(const crn_mjcf *m, const struct crn_sum_term *term)
{
    return &m->robot->links[term->link].joints[term->joint];
}

/* --------------------------------------------------------------------------------------------------------- equality */

static void read_bond(crn_mjcf *m, const crn_mjcf_item *item, bool weld)
{
    crn_xml *element = item->element;
    if (crn_xml_peek(element, "site1"))
    {
        crn_import_note(m->import, element, "<%.40s> between sites has no counterpart and is left out", element->name);
        return;
    }
    int a = find_link(m, element, "body1"), b = crn_xml_peek(element, "body2") ? find_link(m, element, "body2") : 0;
    crn_link_bond *bond = a >= 0 && b >= 0 ? crn_robot_add_bond(m->robot) : NULL;
    if (!bond)
        return;
    *bond = (crn_link_bond){.place = element, .a = a, .b = b, .weld = weld, .name = crn_xml_get(element, "name")};
    if (!bond->name)
        bond->name = crn_import_text(m->import, "%s %d", element->name, m->robot->bond_count);
    crn_mjcf_numbers(item, "anchor", 3, 3, bond->point);
}

static void read_joint_equality(crn_mjcf *m, const crn_mjcf_item *item)
{
    crn_xml *element = item->element;
    const char *first = crn_import_required(m->import, element, "joint1"), *second = crn_xml_get(element, "joint2");
    double c[5] = {0, 1, 0, 0, 0};
    struct crn_sum_term terms[2] = {{.factor = 1}};
    crn_mjcf_numbers(item, "polycoef", 1, 5, c);
    if (!first || !find_joint(m, element, first, &terms[0].link, &terms[0].joint))
        return;
    if (second && !find_joint(m, element, second, &terms[1].link, &terms[1].joint))
        return;
    if (second && (c[2] != 0 || c[3] != 0 || c[4] != 0))
    {
        crn_import_note(m->import, element, "the equality of joints '%.80s' and '%.80s' is not linear; it is left out",
                        first, second);
        return;
    }
    terms[1].factor = -c[1];
    int count = second && c[1] != 0 ? 2 : 1;
    crn_link_sum *sum = crn_robot_add_sum(m->robot, count);
    if (!sum)
        return;
    const char *name = crn_xml_get(element, "name");
    sum->name = name ? name : crn_import_text(m->import, "equality %d", m->robot->sum_count);
    sum->place = element;
    sum->hold = true;
    sum->value = c[0];
    for (int i = 0; i < count; ++i)
    {
        sum->terms[i] = terms[i];
        sum->value += terms[i].factor * joint_at(m, &terms[i])->zero;
    }
}

static void read_equalities(crn_mjcf *m, crn_xml *section)
{
    for (crn_xml *e = section->first; e; e = e->next)
    {
        crn_mjcf_item item = crn_mjcf_item_of(m, e, NULL);
        e->used = !strcmp(e->name, "connect") || !strcmp(e->name, "weld") || !strcmp(e->name, "joint");
        if (!e->used)
            continue;
        if (!crn_mjcf_flag(&item, "active", true))
            crn_import_note(m->import, e, "<%.40s> is not active and is left out", e->name);
        else if (!strcmp(e->name, "joint"))
            read_joint_equality(m, &item);
        else
            read_bond(m, &item, !strcmp(e->name, "weld"));
    }
}

/* ---------------------------------------------------------------------------------------------------------- tendons */

static int count_terms(crn_xml *tendon)
{
    int count = 0;
    for (crn_xml *j = crn_xml_child(tendon, "joint"); j; j = crn_xml_again(j))
        ++count;
    return count;
}

static void read_tendon_acting(const crn_mjcf_item *item, crn_link_sum *sum)
{
    cairn_coordinate_options *o = &sum->acting;
    double range[2] = {0};
    crn_mjcf_numbers(item, "range", 2, 2, range);
    if (crn_mjcf_limited(item, "limited", "range"))
    {
        o->lower = range[0];
        o->upper = range[1];
        if (!(range[0] < range[1]))
            crn_import_problem(item->mjcf->import, item->element, "range: %g is not less than %g", range[0], range[1]);
    }
    crn_mjcf_amount(item, "damping", &o->damping);
    crn_mjcf_amount(item, "frictionloss", &o->friction);
}

static void read_fixed(crn_mjcf *m, crn_xml *element)
{
    crn_mjcf_item item = crn_mjcf_item_of(m, element, NULL);
    int count = count_terms(element), i = 0;
    if (count == 0)
    {
        crn_import_problem(m->import, element, "<fixed> needs a <joint>");
        return;
    }
    crn_link_sum *sum = crn_robot_add_sum(m->robot, count);
    if (!sum)
        return;
    const char *name = crn_xml_get(element, "name");
    sum->name = name ? name : crn_import_text(m->import, "tendon %d", m->robot->sum_count);
    sum->place = element;
    for (crn_xml *j = crn_xml_child(element, "joint"); j; j = crn_xml_again(j), ++i)
    {
        const char *joint = crn_import_required(m->import, j, "joint");
        struct crn_sum_term *term = &sum->terms[i];
        if (!joint || !find_joint(m, j, joint, &term->link, &term->joint))
            return;
        if (!crn_import_required(m->import, j, "coef") || !crn_import_number(m->import, j, "coef", &term->factor))
            return;
        if (term->factor == 0)
            crn_import_problem(m->import, j, "coef must not be 0");
    }
    read_tendon_acting(&item, sum);
}

void crn_mjcf_read_relations(crn_mjcf *m)
{
    for (crn_xml *s = crn_xml_child(m->root, "equality"); s; s = crn_xml_again(s))
        read_equalities(m, s);
    for (crn_xml *s = crn_xml_child(m->root, "tendon"); s; s = crn_xml_again(s))
        for (crn_xml *t = crn_xml_child(s, "fixed"); t; t = crn_xml_again(t))
            read_fixed(m, t);
    for (crn_xml *s = crn_xml_child(m->root, "contact"); s; s = crn_xml_again(s))
        for (crn_xml *e = crn_xml_child(s, "exclude"); e; e = crn_xml_again(e))
        {
            int a = find_link(m, e, "body1"), b = find_link(m, e, "body2");
            crn_xml_get(e, "name");
            if (a >= 0 && b >= 0)
                crn_robot_exclude(m->robot, e, a, b);
        }
}
