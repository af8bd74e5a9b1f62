/* MJCF: equalities and fixed tendons.
 *
 * A coupling f_0 q_0 + f_1 q_1 = s is the equality y - y_0 = c_0 + c_1 (x - x_0) of its joints, with y = q_0, x = q_1,
 * c_1 = - f_1/f_0 and c_0 = (s - f_0 y_0 - f_1 x_0)/f_0. One of more terms, or on which something acts, is a fixed tendon.
 */
#include "export/mjcf.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------------- couplings */

bool crn_mjcf_is_sum(const crn_writer *w, const crn_coupling *c)
{
    bool sum = true;
    for (int i = 0; i < c->part_count; ++i)
    {
        int joint = c->part[i].joint;
        sum = sum && joint >= 0 && w->carries[joint] && w->model->joints[joint].kind != CAIRN_JOINT_BALL;
    }
    return sum;
}

static bool is_held(const crn_joint *joint)
{
    return joint->own_rows > 0 && !joint->coupling->moves;
}

/* Whether a coupling needs a tendon: something acts on it, or too many joints are in it for an equality of joints. */
static bool needs_tendon(const crn_joint *joint)
{
    return joint->element_count > 0 || joint->coupling->part_count > 2;
}

/* What is missing in the sum at the start. */
static double missing(const crn_writer *w, const crn_joint *joint)
{
    double left = crn_signal_value(&joint->coupling->hold.target, 0);
    for (int i = 0; i < joint->coupling->part_count; ++i)
    {
        const crn_coupling_part *part = &joint->coupling->part[i];
        left -= part->factor * crn_start_coordinate(w, &w->model->joints[part->joint], part->coordinate);
    }
    return left;
}

static void put_fixed(crn_writer *w, crn_mjcf_section *section, const crn_joint *joint)
{
    crn_acting acting = crn_acting_of(w, joint, 0);
    crn_section_begin(w, section);
    crn_element_open(w, "fixed");
    crn_attribute_text(w, "name", joint->name);
    crn_mjcf_put_acting(w, joint, &acting);
    crn_attribute_amount(w, "stiffness", acting.k);
    if (acting.k > 0)
        crn_attribute_number(w, "springlength", acting.rest);
    for (int i = 0; i < joint->coupling->part_count; ++i)
    {
        const crn_coupling_part *part = &joint->coupling->part[i];
        char name[CRN_WRITER_NAME];
        crn_mjcf_name(w, part->joint, part->coordinate, name);
        crn_element_open(w, "joint");
        crn_attribute_text(w, "joint", name);
        crn_attribute_number(w, "coef", part->factor);
        crn_element_close(w);
    }
    crn_element_close(w);
}

void crn_mjcf_put_tendons(crn_writer *w)
{
    crn_mjcf_section section = {"tendon", false};
    for (size_t i = 0; i < w->model->joint_count; ++i)
    {
        const crn_joint *joint = &w->model->joints[i];
        if (!joint->coupling)
            continue;
        if (!crn_mjcf_is_sum(w, joint->coupling))
            crn_writer_note(w, "coupling '%.80s' adds up more than joints of the tree: not written", joint->name);
        else if (needs_tendon(joint))
            put_fixed(w, &section, joint);
    }
    crn_mjcf_put_paths(w, &section);
    crn_section_end(w, &section);
}

/* ------------------------------------------------------------------------------------------------------- equalities */

static void open_equality(crn_writer *w, crn_mjcf_section *section, const char *type, const char *name)
{
    crn_section_begin(w, section);
    crn_element_open(w, type);
    crn_attribute_text(w, "name", name);
}

static void put_joint_equality(crn_writer *w, crn_mjcf_section *section, const char *name,
                               const crn_coupling_part *part, int count, double value)
{
    const double c[5] = {value / part[0].factor, count > 1 ? -part[1].factor / part[0].factor : 0};
    char joint[CRN_WRITER_NAME];
    open_equality(w, section, "joint", name);
    for (int i = 0; i < count; ++i)
    {
        crn_mjcf_name(w, part[i].joint, part[i].coordinate, joint);
        crn_attribute_text(w, i == 0 ? "joint1" : "joint2", joint);
    }
    crn_attribute_numbers(w, "polycoef", c, 5);
    crn_element_close(w);
}

static void put_tendon_equality(crn_writer *w, crn_mjcf_section *section, const char *name, const char *tendon,
                                double value)
{
    const double c[5] = {value};
    open_equality(w, section, "tendon", name);
    crn_attribute_text(w, "tendon1", tendon);
    crn_attribute_numbers(w, "polycoef", c, 5);
    crn_element_close(w);
}

static void put_coupling(crn_writer *w, crn_mjcf_section *section, const crn_joint *joint)
{
    const crn_coupling *c = joint->coupling;
    if (c->moves)
        crn_writer_note(w, "coupling '%.80s': the value at which it is held changes in time: not written", joint->name);
    if (!is_held(joint) || !crn_mjcf_is_sum(w, c))
        return;
    if (c->part_count > 2)
        put_tendon_equality(w, section, joint->name, joint->name, missing(w, joint));
    else
        put_joint_equality(w, section, joint->name, c->part, c->part_count, missing(w, joint));
}

/* position - position_0 = pitch/(2 pi) (angle - angle_0) */
static void put_screw(crn_writer *w, crn_mjcf_section *section, int index)
{
    const crn_joint *joint = &w->model->joints[index];
    const crn_coupling_part part[2] = {{.factor = 1, .joint = index, .coordinate = 1},
                                       {.factor = -joint->number[0] / 6.283185307179586476925, .joint = index}};
    char name[CRN_WRITER_NAME];
    snprintf(name, sizeof name, "%.250s (pitch)", joint->name);
    put_joint_equality(w, section, name, part, 2, 0);
}

/* A connect or weld of both bodies, at a point of the world. The first body is one that has a name. */
static void put_bond(crn_writer *w, crn_mjcf_section *section, const char *type, const char *name,
                     const crn_joint *joint, const double point[3])
{
    bool swapped = joint->a.body < 0;
    int first = swapped ? joint->b.body : joint->a.body, second = swapped ? joint->a.body : joint->b.body;
    const crn_link_frame at = {.x = {point[0], point[1], point[2]}, .q = {1, 0, 0, 0}};
    assert(first >= 0);
    crn_link_frame local = crn_link_frame_relative(&w->body[first].frame, &at);
    open_equality(w, section, type, name);
    crn_attribute_text(w, "body1", w->model->bodies[first].name);
    if (second >= 0)
        crn_attribute_text(w, "body2", w->model->bodies[second].name);
    if (!strcmp(type, "connect"))
        crn_attribute_numbers(w, "anchor", local.x, 3);
    crn_element_close(w);
}

/* A joint that closes a loop. A hinge holds two points of its axis, which says one thing twice. */
static void put_loop(crn_writer *w, crn_mjcf_section *section, const crn_joint *joint)
{
    double point[3], axis[3];
    crn_attachment_at(&joint->a, w->pose, point);
    if (joint->element_count > 0)
        crn_writer_note(w, "joint '%.80s' closes a loop: what acts on its coordinates is not written", joint->name);
    if (joint->kind == CAIRN_JOINT_WELD)
        put_bond(w, section, "weld", joint->name, joint, point);
    else
        put_bond(w, section, "connect", joint->name, joint, point);
    if (joint->kind != CAIRN_JOINT_REVOLUTE)
        return;
    double reach = fmax(fmax(crn_norm3(joint->a.point), crn_norm3(joint->b.point)), 0.01);
    char name[CRN_WRITER_NAME];
    snprintf(name, sizeof name, "%.250s (axis)", joint->name);
    crn_start_direction(w, joint, joint->axis[0][0], axis);
    crn_madd3(point, reach, axis, point);
    put_bond(w, section, "connect", name, joint, point);
    crn_writer_note(w, "joint '%.80s' closes a loop: it is written as an equality of two points", joint->name);
}

static void put_held(crn_writer *w, crn_mjcf_section *section, int index)
{
    const crn_joint *joint = &w->model->joints[index];
    char tendon[CRN_WRITER_NAME];
    snprintf(tendon, sizeof tendon, "joint %.250s", joint->name);
    if (joint->coupling)
        put_coupling(w, section, joint);
    else if (w->carries[index] && joint->kind == CAIRN_JOINT_SCREW)
        put_screw(w, section, index);
    else if (w->carries[index] || (crn_mjcf_is_path(joint) && joint->kind == CAIRN_JOINT_ROPE))
        return;
    else if (crn_mjcf_is_path(joint))
        put_tendon_equality(w, section, joint->name, tendon, joint->length - crn_mjcf_path_length(w, joint));
    else if (!crn_joint_gives_way(joint) && crn_mjcf_rank(joint) > 0)
        put_loop(w, section, joint);
    else
        crn_writer_note(w, "joint '%.80s' (%.40s%s) %s: not written", joint->name, joint->type->name,
                        crn_joint_gives_way(joint) ? ", compliant" : "",
                        !crn_joint_gives_way(joint) && crn_mjcf_rank(joint) == 0 ? "closes a loop"
                                                                                 : "has no counterpart in MJCF");
}

void crn_mjcf_put_equalities(crn_writer *w)
{
    crn_mjcf_section section = {"equality", false};
    for (int i = 0; i < (int)w->model->joint_count; ++i)
        put_held(w, &section, i);
    crn_section_end(w, &section);
}
