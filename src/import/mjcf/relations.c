/* MJCF: what holds between bodies and joints: equality.
 *
 * An equality of joints says y - y_0 = c_0 + c_1 (x - x_0) + ..., with the values y_0, x_0 in the pose as written. It is a coupling where
 * it is linear. Equalities are soft in MuJoCo and rigid here.
 */
#include "import/mjcf/mjcf.h"

#include <string.h>

int crn_mjcf_find_link(crn_mjcf *m, crn_xml *element, const char *attribute)
{
    const char *name = crn_import_required(m->import, element, attribute);
    int found = name ? crn_robot_find_link(m->robot, name) : -1;
    if (name && found < 0)
        crn_import_problem(m->import, element, "there is no body '%.80s'", name);
    return found;
}

int crn_mjcf_find_site(crn_mjcf *m, crn_xml *element, const char *attribute)
{
    const char *name = crn_import_required(m->import, element, attribute);
    int found = name ? crn_robot_find_site(m->robot, name) : -1;
    cairn_suggestion near = {.word = name};
    for (int i = 0; name && found < 0 && i < m->robot->site_count; ++i)
        if (m->robot->sites[i].name)
            cairn_suggestion_offer(&near, m->robot->sites[i].name);
    if (name && found < 0)
        crn_import_problem(m->import, element, "there is no site '%.80s'%s", name, near.hint);
    return found;
}

bool crn_mjcf_find_joint(crn_mjcf *m, crn_xml *element, const char *name, int *link, int *joint)
{
    return crn_robot_find_joint(m->robot, name, link, joint) ||
           crn_import_problem(m->import, element, "there is no joint '%.80s'", name);
}

static const crn_link_joint *joint_at(const crn_mjcf *m, const struct crn_sum_term *term)
{
    return &m->robot->links[term->link].joints[term->joint];
}

/* --------------------------------------------------------------------------------------------------------- equality */

/* Two sites that are to meet. */
static bool bond_sites(crn_mjcf *m, crn_xml *element, crn_link_bond *out)
{
    int a = crn_mjcf_find_site(m, element, "site1"), b = crn_mjcf_find_site(m, element, "site2");
    if (a < 0 || b < 0)
        return false;
    const crn_link_site *x = &m->robot->sites[a], *y = &m->robot->sites[b];
    if (out->weld)
    {
        crn_import_note(m->import, element, "<weld> between sites has no counterpart and is left out");
        return false;
    }
    out->a = x->link;
    out->b = y->link;
    memcpy(out->point, x->frame.x, sizeof out->point);
    memcpy(out->other, y->frame.x, sizeof out->other);
    return true;
}

static bool bond_bodies(crn_mjcf *m, const crn_mjcf_item *item, crn_link_bond *out)
{
    crn_xml *element = item->element;
    out->a = crn_mjcf_find_link(m, element, "body1");
    out->b = crn_xml_peek(element, "body2") ? crn_mjcf_find_link(m, element, "body2") : 0;
    crn_mjcf_numbers(item, "anchor", 3, 3, out->point);
    if (out->a < 0 || out->b < 0)
        return false;
    /* The two meet in the pose as written, in whatever keyframe the scene begins. */
    crn_link_frame at = crn_link_frame_identity(), a = crn_robot_world(m->robot, out->a);
    crn_link_frame b = crn_robot_world(m->robot, out->b);
    crn_link_frame_point(&a, out->point, at.x);
    crn_link_frame local = crn_link_frame_relative(&b, &at);
    memcpy(out->other, local.x, sizeof out->other);
    return true;
}

static void read_bond(crn_mjcf *m, const crn_mjcf_item *item, bool weld)
{
    crn_xml *element = item->element;
    crn_link_bond made = {.place = element, .weld = weld, .name = crn_xml_get(element, "name")};
    bool sites = crn_xml_peek(element, "site1") != NULL;
    if (sites ? !bond_sites(m, element, &made) : !bond_bodies(m, item, &made))
        return;
    crn_link_bond *bond = crn_robot_add_bond(m->robot);
    if (!bond)
        return;
    *bond = made;
    if (!bond->name)
        bond->name = crn_import_text(m->import, "%s %d", element->name, m->robot->bond_count);
}

static void read_joint_equality(crn_mjcf *m, const crn_mjcf_item *item)
{
    crn_xml *element = item->element;
    const char *first = crn_import_required(m->import, element, "joint1"), *second = crn_xml_get(element, "joint2");
    double c[5] = {0, 1, 0, 0, 0};
    struct crn_sum_term terms[2] = {{.factor = 1}};
    crn_mjcf_numbers(item, "polycoef", 1, 5, c);
    if (!first || !crn_mjcf_find_joint(m, element, first, &terms[0].link, &terms[0].joint))
        return;
    if (second && !crn_mjcf_find_joint(m, element, second, &terms[1].link, &terms[1].joint))
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

void crn_mjcf_read_relations(crn_mjcf *m)
{
    for (crn_xml *s = crn_xml_child(m->root, "equality"); s; s = crn_xml_again(s))
        read_equalities(m, s);
}
