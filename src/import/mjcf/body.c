/* MJCF: bodies, frames, joints and inertia. A frame is not a body: what is in it is moved along. */
#include "import/mjcf/mjcf.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------------- inertia */

static void read_inertial(crn_mjcf *m, crn_xml *element, int index, const crn_link_frame *in)
{
    crn_mjcf_item item = {m, element, NULL};
    crn_link_frame own = crn_mjcf_frame(&item), frame = crn_link_frame_compose(in, &own);
    crn_link *link = &m->robot->links[index];
    crn_link_mass mass = {0};
    double v[6] = {0};
    if (m->from_geoms == 1)
    {
        crn_import_note(m->import, element, "<inertial> is left out: inertiafromgeom is true");
        return;
    }
    if (!crn_import_required(m->import, element, "mass") || !crn_mjcf_amount(&item, "mass", &mass.mass))
        return;
    int diagonal = crn_mjcf_numbers(&item, "diaginertia", 3, 3, v),
        full = crn_mjcf_numbers(&item, "fullinertia", 6, 6, v);
    if (!diagonal && !full && m->import->problem_count == 0)
        crn_import_problem(m->import, element, "<inertial> needs diaginertia or fullinertia");
    double I[9] = {v[0], v[3], v[4], v[3], v[1], v[5], v[4], v[5], v[2]};
    memcpy(mass.inertia, I, sizeof I);
    link->has_mass = true;
    link->mass = (crn_link_mass){0};
    crn_mass_add(&link->mass, &frame, &mass);
}

/* ----------------------------------------------------------------------------------------------------------- joints */

static bool read_kind(const crn_mjcf_item *item, crn_axis_kind *out)
{
    static const char *const WORDS[] = {"hinge", "slide", "ball", "free"};
    static const crn_axis_kind KINDS[] = {CRN_AXIS_HINGE, CRN_AXIS_SLIDE, CRN_AXIS_BALL, CRN_AXIS_FREE};
    const char *type = crn_mjcf_text(item, "type");
    *out = CRN_AXIS_HINGE;
    for (int i = 0; type && i < 4; ++i)
        if (!strcmp(type, WORDS[i]))
        {
            *out = KINDS[i];
            return true;
        }
    return !type || crn_import_problem(item->mjcf->import, item->element, "there is no joint type '%.40s'", type);
}

/* Ranges, rests and references of hinges are angles. */
static double in_units(const crn_mjcf *m, const crn_link_joint *joint, double value)
{
    return joint->kind == CRN_AXIS_SLIDE ? value : crn_mjcf_angle(m, value);
}

static void read_acting(const crn_mjcf_item *item, crn_link_joint *joint)
{
    crn_mjcf *m = item->mjcf;
    cairn_coordinate_options *o = &joint->acting;
    double range[2] = {0}, effort[2], rest = 0, zero = 0;
    crn_mjcf_numbers(item, "range", 2, 2, range);
    if (crn_mjcf_limited(item, "limited", "range"))
    {
        joint->reach = crn_mjcf_angle(m, range[1]);
        o->lower = in_units(m, joint, range[0]);
        o->upper = in_units(m, joint, range[1]);
        if (!(range[0] < range[1]))
            crn_import_problem(m->import, item->element, "range: %g is not less than %g", range[0], range[1]);
    }
    crn_mjcf_amount(item, "stiffness", &o->stiffness);
    crn_mjcf_amount(item, "damping", &o->damping);
    crn_mjcf_amount(item, "armature", &o->rotor_inertia);
    crn_mjcf_amount(item, "frictionloss", &o->friction);
    if (crn_mjcf_numbers(item, "actuatorfrcrange", 2, 2, effort) &&
        crn_mjcf_limited(item, "actuatorfrclimited", "actuatorfrcrange"))
        joint->effort = fmax(-effort[0], effort[1]);
    crn_mjcf_number(item, "ref", &zero);
    crn_mjcf_number(item, "springref", &rest);
    joint->zero = in_units(m, joint, zero);
    joint->rest = in_units(m, joint, rest);
}

static crn_link_joint *add_joint(crn_mjcf *m, crn_xml *element, int index)
{
    crn_link *link = &m->robot->links[index];
    crn_link_joint *joint = crn_link_add_joint(m->robot, link);
    const char *name = crn_xml_get(element, "name");
    if (!joint)
        return NULL;
    joint->place = element;
    joint->name = name ? name : crn_import_text(m->import, "%s joint %d", link->name, link->joint_count);
    if (index == 0)
        crn_import_problem(m->import, element, "the world has no joints");
    return joint;
}

static void read_joint(crn_mjcf *m, crn_xml *element, const crn_xml *class, int index, const crn_link_frame *in)
{
    crn_mjcf_item item = crn_mjcf_item_of(m, element, class);
    crn_link_joint *joint = add_joint(m, element, index);
    double point[3] = {0}, axis[3] = {0, 0, 1};
    if (!joint || !read_kind(&item, &joint->kind))
        return;
    crn_mjcf_numbers(&item, "pos", 3, 3, point);
    crn_mjcf_numbers(&item, "axis", 3, 3, axis);
    double length = crn_norm3(axis);
    if (!(length > 0))
    {
        crn_import_problem(m->import, element, "the axis of joint '%.80s' must not be 0", joint->name);
        return;
    }
    crn_scale3(1 / length, axis, axis);
    crn_link_frame_point(in, point, joint->point);
    crn_link_frame_direction(in, axis, joint->axis);
    if (joint->kind == CRN_AXIS_FREE)
        return;
    read_acting(&item, joint);
}

/* ----------------------------------------------------------------------------------------------------------- bodies */

/* How a site looks is left to the list of what was not used. */
static void read_site(crn_mjcf *m, crn_xml *element, const crn_xml *class, int index, const crn_link_frame *in)
{
    crn_mjcf_item item = crn_mjcf_item_of(m, element, class);
    crn_link_site *site = crn_robot_add_site(m->robot);
    if (!site)
        return;
    crn_link_frame own = crn_mjcf_frame(&item);
    double ends[6];
    if (crn_mjcf_numbers(&item, "fromto", 6, 6, ends))
        for (int i = 0; i < 3; ++i)
            own.x[i] = 0.5 * (ends[i] + ends[i + 3]);
    *site = (crn_link_site){.name = crn_xml_get(element, "name"),
                            .place = element,
                            .link = index,
                            .frame = crn_link_frame_compose(in, &own)};
}

static void read_body(crn_mjcf *m, crn_xml *element, const crn_xml *class, int parent, const crn_link_frame *in);

/* What is in a body or a frame, which lies at `in` in the body. */
static void read_content(crn_mjcf *m, crn_xml *element, const crn_xml *class, int index, const crn_link_frame *in)
{
    for (crn_xml *c = element->first; c && !m->import->no_memory; c = c->next)
    {
        c->used = true;
        if (!strcmp(c->name, "geom"))
            crn_mjcf_read_geom(m, c, class, index, in);
        else if (!strcmp(c->name, "joint"))
            read_joint(m, c, class, index, in);
        else if (!strcmp(c->name, "freejoint"))
        {
            crn_link_joint *joint = add_joint(m, c, index);
            if (joint)
                joint->kind = CRN_AXIS_FREE;
        }
        else if (!strcmp(c->name, "site"))
            read_site(m, c, class, index, in);
        else if (!strcmp(c->name, "inertial"))
            read_inertial(m, c, index, in);
        else if (!strcmp(c->name, "body"))
            read_body(m, c, class, index, in);
        else if (!strcmp(c->name, "frame"))
        {
            const char *inner = crn_xml_get(c, "childclass");
            crn_mjcf_item item = {m, c, NULL};
            crn_link_frame own = crn_mjcf_frame(&item), frame = crn_link_frame_compose(in, &own);
            read_content(m, c, inner ? crn_mjcf_class(m, c, inner) : class, index, &frame);
        }
        else
            c->used = false;
    }
}

/* Joints that are free must be the only ones, of a body of the world. */
static void check_free(crn_mjcf *m, const crn_link *link)
{
    for (int i = 0; i < link->joint_count; ++i)
        if (link->joints[i].kind == CRN_AXIS_FREE && (link->joint_count > 1 || link->parent != 0))
            crn_import_problem(m->import, link->joints[i].place,
                               "a free joint must be the only one, of a body directly in the world");
}

static void read_body(crn_mjcf *m, crn_xml *element, const crn_xml *class, int parent, const crn_link_frame *in)
{
    crn_link *link = crn_robot_add_link(m->robot);
    if (!link)
        return;
    int index = m->robot->link_count - 1;
    const char *name = crn_xml_get(element, "name"), *inner = crn_xml_get(element, "childclass");
    crn_mjcf_item item = {m, element, NULL};
    crn_link_frame own = crn_mjcf_frame(&item), here = crn_link_frame_identity();
    link->name = name ? name : crn_import_text(m->import, "body %d", index);
    link->place = element;
    link->parent = parent;
    crn_mjcf_number(&item, "gravcomp", &link->lift);
    link->frame = crn_link_frame_compose(in, &own);
    read_content(m, element, inner ? crn_mjcf_class(m, element, inner) : class, index, &here);
    link = &m->robot->links[index];
    if (m->from_geoms == -1 && !link->has_mass)
        link->has_mass = true; /* of 0: told where it matters */
    check_free(m, link);
}

void crn_mjcf_read_bodies(crn_mjcf *m)
{
    crn_link *world = crn_robot_add_link(m->robot);
    crn_xml *element = crn_xml_child(m->root, "worldbody");
    crn_link_frame here = crn_link_frame_identity();
    if (!world)
        return;
    world->name = "world";
    world->place = element ? element : m->root;
    if (!element)
        crn_import_problem(m->import, m->root, "the model has no <worldbody>");
    for (; element; element = crn_xml_again(element))
        read_content(m, element, NULL, 0, &here);
    if (m->import->problem_count == 0 && !m->import->no_memory)
        crn_mjcf_adjust_masses(m);
}
