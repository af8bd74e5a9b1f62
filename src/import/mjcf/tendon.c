/* MJCF: tendons.
 *
 * The length of a fixed tendon is a sum of coordinates, that of a spatial one is the sum over its branches of their length along straight
 * lines from site to site, divided by the divisor of the pulley in front of the branch. Both are couplings, of joints and of ropes. Ropes
 * that wrap around geometry have no counterpart.
 */
#include "import/mjcf/mjcf.h"

#include <math.h>
#include <string.h>

/* The spring is at rest between two lengths, which are one or are left out; -1: that of the pose as written. */
static void read_spring(const crn_mjcf_item *item, crn_link_sum *sum)
{
    double rest[2] = {-1, -1};
    crn_mjcf_amount(item, "stiffness", &sum->acting.stiffness);
    if (crn_mjcf_numbers(item, "springlength", 1, 2, rest) == 1)
        rest[1] = rest[0];
    if (rest[0] != rest[1] && sum->acting.stiffness > 0)
    {
        crn_import_note(item->mjcf->import, item->element,
                        "a spring without force between two lengths has no counterpart and is left out");
        sum->acting.stiffness = 0;
    }
    sum->rest = rest[0] == -1 ? crn_sum_value(item->mjcf->robot, sum) : rest[0];
}

static void read_acting(const crn_mjcf_item *item, crn_link_sum *sum)
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
    read_spring(item, sum);
}

/* A tendon with room for its terms; its default class is that of <tendon>, whatever its kind. */
static crn_link_sum *add_tendon(crn_mjcf *m, crn_xml *element, int term_count)
{
    crn_link_sum *sum = crn_robot_add_sum(m->robot, term_count);
    const char *name = crn_xml_get(element, "name");
    if (!sum)
        return NULL;
    sum->name = name ? name : crn_import_text(m->import, "tendon %d", m->robot->sum_count);
    sum->place = element;
    return sum;
}

static int count_of(crn_xml *tendon, const char *name)
{
    int count = 0;
    for (crn_xml *e = crn_xml_child(tendon, name); e; e = crn_xml_again(e))
        ++count;
    return count;
}

static void read_fixed(crn_mjcf *m, crn_xml *element)
{
    crn_mjcf_item item = crn_mjcf_item_of(m, element, NULL);
    int count = count_of(element, "joint"), i = 0;
    if (count == 0)
    {
        crn_import_problem(m->import, element, "<fixed> needs a <joint>");
        return;
    }
    crn_link_sum *sum = add_tendon(m, element, count);
    if (!sum)
        return;
    for (crn_xml *j = crn_xml_child(element, "joint"); j; j = crn_xml_again(j), ++i)
    {
        const char *joint = crn_import_required(m->import, j, "joint");
        struct crn_sum_term *term = &sum->terms[i];
        if (!joint || !crn_mjcf_find_joint(m, j, joint, &term->link, &term->joint))
            return;
        if (!crn_import_required(m->import, j, "coef") || !crn_import_number(m->import, j, "coef", &term->factor))
            return;
        if (term->factor == 0)
            crn_import_problem(m->import, j, "coef must not be 0");
    }
    read_acting(&item, sum);
}

/* --------------------------------------------------------------------------------------------------- spatial tendons */

/* A branch from `first` to the next pulley or the end: its sites. Returns where it ends; NULL: the end of the tendon. */
static crn_xml *read_branch(crn_mjcf *m, crn_xml *first, struct crn_sum_term *term)
{
    int count = 0;
    crn_xml *e = first;
    for (; e && strcmp(e->name, "pulley") != 0; e = e->next)
        count += !strcmp(e->name, "site");
    int *sites = crn_import_allocate(m->import, ((size_t)count + 1) * sizeof *sites);
    if (!sites)
        return NULL;
    term->sites = sites;
    for (e = first; e && strcmp(e->name, "pulley") != 0; e = e->next)
        if (!strcmp(e->name, "site"))
        {
            e->used = true;
            sites[term->site_count++] = crn_mjcf_find_site(m, e, "site");
        }
    if (count < 2)
        crn_import_problem(m->import, first, "a branch of a tendon needs two sites or more");
    return e;
}

/* The pulley in front of a branch. */
static crn_xml *read_pulley(crn_mjcf *m, crn_xml *pulley, double *factor)
{
    double divisor = 1;
    pulley->used = true;
    if (crn_import_required(m->import, pulley, "divisor") &&
        crn_import_number(m->import, pulley, "divisor", &divisor) && !(divisor > 0))
        crn_import_problem(m->import, pulley, "divisor must be positive, found %g", divisor);
    *factor = 1 / divisor;
    return pulley->next;
}

static void read_spatial(crn_mjcf *m, crn_xml *element)
{
    crn_mjcf_item item = crn_mjcf_item_of(m, element, NULL);
    int pulleys = count_of(element, "pulley"), used = 0;
    if (count_of(element, "geom") > 0)
    {
        crn_xml_use_all(element);
        crn_import_note(m->import, element, "a tendon that wraps around geometry has no counterpart and is left out");
        return;
    }
    crn_link_sum *sum = element->first ? add_tendon(m, element, pulleys + 1) : NULL;
    if (!element->first)
        crn_import_problem(m->import, element, "<spatial> needs sites");
    if (!sum)
        return;
    double factor = 1;
    for (crn_xml *at = element->first; at && m->import->problem_count == 0 && !m->import->no_memory;)
    {
        if (!strcmp(at->name, "pulley"))
        {
            at = read_pulley(m, at, &factor);
            continue;
        }
        struct crn_sum_term *term = &sum->terms[used++];
        term->factor = factor;
        at = read_branch(m, at, term);
    }
    sum->term_count = used;
    if (used == 0)
        crn_import_problem(m->import, element, "<spatial> needs sites");
    if (m->import->problem_count == 0 && !m->import->no_memory)
        read_acting(&item, sum);
}

void crn_mjcf_read_tendons(crn_mjcf *m)
{
    for (crn_xml *s = crn_xml_child(m->root, "tendon"); s; s = crn_xml_again(s))
        for (crn_xml *t = s->first; t && m->import->problem_count == 0; t = t->next)
        {
            t->used = !strcmp(t->name, "fixed") || !strcmp(t->name, "spatial");
            if (!strcmp(t->name, "fixed"))
                read_fixed(m, t);
            else if (t->used)
                read_spatial(m, t);
        }
}
