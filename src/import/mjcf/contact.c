/* MJCF: pairs of bodies that do not touch, and pairs of geometry that touch whatever their bits say, with a friction of their own. */
#include "import/mjcf/mjcf.h"

#include <math.h>

static void read_exclude(crn_mjcf *m, crn_xml *element)
{
    int a = crn_mjcf_find_link(m, element, "body1"), b = crn_mjcf_find_link(m, element, "body2");
    crn_xml_get(element, "name");
    if (a >= 0 && b >= 0)
        crn_robot_exclude(m->robot, element, a, b);
}

static bool find_geom(crn_mjcf *m, crn_xml *element, const char *attribute, int *link, int *shape)
{
    const char *name = crn_import_required(m->import, element, attribute);
    if (!name)
        return false;
    if (crn_robot_find_shape(m->robot, name, link, shape))
        return true;
    crn_import_note(m->import, element, "geometry '%.80s' was left out or is not there; <pair> is left out", name);
    return false;
}

/* Friction between two shapes alone: each gets a surface of its own. */
static void own_surface(crn_mjcf *m, crn_link_shape *shape)
{
    const crn_surface s = m->robot->surfaces[shape->surface];
    if (!s.owner)
        shape->surface = crn_robot_surface(m->robot, s.friction, s.priority, crn_xml_peek(shape->place, "name"));
}

static void read_pair(crn_mjcf *m, crn_xml *element)
{
    crn_mjcf_item item = crn_mjcf_item_of(m, element, NULL);
    crn_shape_pair made = {.place = element, .friction = NAN};
    double friction[5] = {1}, condim = 3;
    crn_xml_get(element, "name");
    for (int i = 0; i < 2; ++i)
        if (!find_geom(m, element, i == 0 ? "geom1" : "geom2", &made.link[i], &made.shape[i]))
            return;
    bool given = crn_mjcf_numbers(&item, "friction", 1, 5, friction) > 0;
    if (given && friction[0] < 0)
        crn_import_problem(m->import, element, "friction must not be negative, found %g", friction[0]);
    if (given)
        made.friction = friction[0];
    if (crn_mjcf_number(&item, "condim", &condim) && condim == 1)
        made.friction = 0;
    for (int i = 0; i < 2 && !isnan(made.friction); ++i)
        own_surface(m, &m->robot->links[made.link[i]].shapes[made.shape[i]]);
    crn_shape_pair *kept = crn_robot_add_pair(m->robot);
    if (kept)
        *kept = made;
}

void crn_mjcf_read_contacts(crn_mjcf *m)
{
    for (crn_xml *s = crn_xml_child(m->root, "contact"); s; s = crn_xml_again(s))
    {
        for (crn_xml *e = crn_xml_child(s, "exclude"); e; e = crn_xml_again(e))
            read_exclude(m, e);
        for (crn_xml *p = crn_xml_child(s, "pair"); p && m->import->problem_count == 0; p = crn_xml_again(p))
            read_pair(m, p);
    }
}
