/* MJCF: bodies, frames, joints and inertia. A frame is not a body: what is in it is moved along. */
#include "import/mjcf.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------------- orientations */

static bool normalise_turn(const crn_mjcf_item *item, double q[4])
{
    if (!crn_quaternion_turns(q))
        return crn_import_problem(item->mjcf->import, item->element, "the quaternion of <%.40s> must not be 0",
                                  item->element->name);
    crn_quaternion_normalise(q);
    return true;
}

static void turn_by_euler(const crn_mjcf *m, const double angle[3], double q[4])
{
    for (int i = 0; i < 3; ++i)
    {
        char letter = m->sequence[i];
        bool fixed = letter < 'a';
        double phi[3] = {0}, turn[4];
        phi[letter - (fixed ? 'X' : 'x')] = crn_mjcf_angle(m, angle[i]);
        crn_quaternion_exp(phi, turn);
        if (fixed)
            crn_quaternion_multiply(turn, q, q);
        else
            crn_quaternion_multiply(q, turn, q);
    }
    crn_quaternion_normalise(q);
}

static void turn_by_axes(const crn_mjcf_item *item, const double axes[6], double q[4])
{
    double x[3], y[3], z[3], length = crn_norm3(axes);
    bool fine = length > 0;
    if (fine)
    {
        crn_scale3(1 / length, axes, x);
        crn_madd3(axes + 3, -crn_dot3(axes + 3, x), x, y);
        fine = crn_norm3(y) > 0;
    }
    if (!fine)
    {
        crn_import_problem(item->mjcf->import, item->element, "xyaxes must be two directions that differ");
        return;
    }
    crn_scale3(1 / crn_norm3(y), y, y);
    crn_cross3(x, y, z);
    crn_turn_of_matrix((double[9]){x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]}, q);
}

static void read_turn(const crn_mjcf_item *item, double q[4])
{
    const crn_mjcf *m = item->mjcf;
    double v[6];
    if (crn_mjcf_numbers(item, "quat", 4, 4, v) && normalise_turn(item, v))
        memcpy(q, v, 4 * sizeof *q);
    if (crn_mjcf_numbers(item, "axisangle", 4, 4, v))
    {
        double length = crn_norm3(v);
        if (length > 0)
        {
            crn_scale3(crn_mjcf_angle(m, v[3]) / length, v, v);
            crn_quaternion_exp(v, q);
        }
        else
            crn_import_problem(m->import, item->element, "the axis of axisangle must not be 0");
    }
    if (crn_mjcf_numbers(item, "euler", 3, 3, v))
        turn_by_euler(m, v, q);
    if (crn_mjcf_numbers(item, "xyaxes", 6, 6, v))
        turn_by_axes(item, v, q);
    if (crn_mjcf_numbers(item, "zaxis", 3, 3, v))
    {
        if (crn_norm3(v) > 0)
            crn_turn_z_to(v, q);
        else
            crn_import_problem(m->import, item->element, "zaxis must not be 0");
    }
}

crn_link_frame crn_mjcf_frame(const crn_mjcf_item *item)
{
    crn_link_frame frame = crn_link_frame_identity();
    crn_mjcf_numbers(item, "pos", 3, 3, frame.x);
    read_turn(item, frame.q);
    return frame;
}

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
    double range[2] = {0}, rest = 0, zero = 0;
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
}
