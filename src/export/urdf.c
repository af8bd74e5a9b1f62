/* URDF: a tree of links with the link `world` as its root.
 *
 *     body                      link; where a joint carries it, its origin is b's point of the joint, else the centre of mass
 *     revolute                  revolute, or continuous without a range
 *     prismatic, planar, weld   prismatic, planar, fixed
 *     fixed body                link on a fixed joint of the world; a free one is on a floating joint
 *     coupling of two joints    mimic
 *
 * The zero of a coordinate is the pose as written. URDF has no state: velocities of the start and values to begin with are noted.
 */
#include "export/urdf.h"

#include "model/names.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double FAR = 1e9; /* in place of a bound that is infinite: the format wants a number */

int crn_urdf_rank(const crn_joint *joint)
{
    switch (joint->kind)
    {
    case CAIRN_JOINT_REVOLUTE:
    case CAIRN_JOINT_PRISMATIC:
    case CAIRN_JOINT_PLANAR:
    case CAIRN_JOINT_WELD:
        return 0;
    default:
        return -1;
    }
}

/* Roll, pitch and yaw: R = Rz(yaw) Ry(pitch) Rx(roll). The roll is what is left after the yaw, so that it is exact where the pitch is a
 * right angle, too. */
static void angles_of(const double q[4], double rpy[3])
{
    double R[9];
    crn_quaternion_to_matrix(q, R);
    double yaw = atan2(R[3], R[0]), c = cos(yaw), s = sin(yaw);
    rpy[0] = atan2(s * R[2] - c * R[5], c * R[4] - s * R[1]);
    rpy[1] = atan2(-R[6], c * R[0] + s * R[3]);
    rpy[2] = yaw;
}

void crn_urdf_put_origin(crn_writer *w, const crn_link_frame *frame)
{
    double rpy[3];
    angles_of(frame->q, rpy);
    crn_element_open(w, "origin");
    crn_attribute_numbers(w, "xyz", frame->x, 3);
    crn_attribute_numbers(w, "rpy", rpy, 3);
    crn_element_close(w);
}

crn_link_frame crn_urdf_frame(const crn_writer *w, int body)
{
    if (body < 0)
        return crn_link_frame_identity();
    crn_link_frame frame = w->body[body].frame;
    if (w->body[body].joint >= 0)
        crn_attachment_at(&w->model->joints[w->body[body].joint].b, w->pose, frame.x);
    return frame;
}

/* ----------------------------------------------------------------------------------------------------------- mimics */

static bool is_simple(const crn_writer *w, const crn_coupling_part *part)
{
    if (part->joint < 0 || !w->carries[part->joint])
        return false;
    cairn_joint_kind kind = w->model->joints[part->joint].kind;
    return kind == CAIRN_JOINT_REVOLUTE || kind == CAIRN_JOINT_PRISMATIC;
}

const crn_joint *crn_urdf_mimic(const crn_writer *w, int joint)
{
    for (size_t i = 0; i < w->model->joint_count; ++i)
    {
        const crn_coupling *c = w->model->joints[i].coupling;
        if (c && w->model->joints[i].own_rows > 0 && !c->moves && c->part_count == 2 && c->part[0].joint == joint &&
            is_simple(w, &c->part[0]) && is_simple(w, &c->part[1]))
            return &w->model->joints[i];
    }
    return NULL;
}

/* f_0 q_0 + f_1 q_1 = value: q_0 = - f_1/f_0 q_1 + value/f_0, with both counted from the start. */
static void put_mimic(crn_writer *w, const crn_joint *coupling)
{
    const crn_coupling_part *part = coupling->coupling->part;
    double value = crn_signal_value(&coupling->coupling->hold.target, 0);
    for (int i = 0; i < 2; ++i)
        value -= part[i].factor * crn_start_coordinate(w, &w->model->joints[part[i].joint], part[i].coordinate);
    crn_element_open(w, "mimic");
    crn_attribute_text(w, "joint", w->model->joints[part[1].joint].name);
    crn_attribute_number(w, "multiplier", -part[1].factor / part[0].factor);
    crn_attribute_amount(w, "offset", value / part[0].factor);
    crn_element_close(w);
    if (coupling->element_count > 0)
        crn_writer_note(w, "coupling '%.80s': what acts on its value is not written", coupling->name);
}

/* ----------------------------------------------------------------------------------------------------------- joints */

/* Whether the range is one, or the type needs it. */
static void put_limit(crn_writer *w, const crn_joint *joint, const crn_acting *acting, double zero)
{
    bool both = isfinite(acting->lower) && isfinite(acting->upper);
    double most = acting->drive && isfinite(acting->drive->most) && acting->drive->most > 0 ? acting->drive->most : FAR;
    if (!both)
        crn_writer_note(w, "joint '%.80s': an end of its range is infinite; it is written as %g", joint->name, FAR);
    crn_element_open(w, "limit");
    crn_attribute_number(w, "lower", fmax(acting->lower - zero, -FAR));
    crn_attribute_number(w, "upper", fmin(acting->upper - zero, FAR));
    crn_attribute_number(w, "effort", most);
    crn_attribute_number(w, "velocity", FAR);
    crn_element_close(w);
}

static void note_lost(crn_writer *w, const crn_joint *joint, const crn_acting *acting, double zero)
{
    if (acting->k > 0)
        crn_writer_note(w, "joint '%.80s': its spring has no counterpart in URDF: not written", joint->name);
    if (acting->rotor > 0)
        crn_writer_note(w, "joint '%.80s': its rotor inertia has no counterpart in URDF: not written", joint->name);
    if (acting->drive)
        crn_writer_note(w, "joint '%.80s': its drive has no counterpart in URDF: not written", joint->name);
    if (zero != 0)
        crn_writer_note(w, "joint '%.80s': its zero is moved by %g, to the pose in which it begins", joint->name, zero);
}

static void put_axis(crn_writer *w, int body, const char *type)
{
    const crn_joint *joint = &w->model->joints[w->body[body].joint];
    crn_joint_axis axis[CRN_JOINT_COORDINATES];
    crn_acting acting = {.lower = -INFINITY, .upper = INFINITY};
    double point[3], R[9], direction[3], zero = 0;
    int count = crn_joint_axes(w, body, axis, point), main = count - 1;
    if (count == 0)
        return;
    if (count > 1 && w->body[body].is_reversed)
        main = 0; /* a plane: its turn comes first */
    crn_quaternion_to_matrix(w->body[body].frame.q, R);
    crn_unrotate3(R, axis[main].direction, direction);
    crn_element_open(w, "axis");
    crn_attribute_numbers(w, "xyz", direction, 3);
    crn_element_close(w);
    if (count == 1)
    {
        acting = crn_acting_of(w, joint, axis[0].coordinate);
        zero = axis[0].zero;
    }
    else if (joint->element_count > 0)
        crn_writer_note(w, "joint '%.80s': what acts on its coordinates is not written", joint->name);
    if (!strcmp(type, "revolute") || !strcmp(type, "prismatic"))
        put_limit(w, joint, &acting, zero);
    if (acting.c > 0 || acting.friction > 0)
    {
        crn_element_open(w, "dynamics");
        crn_attribute_amount(w, "damping", acting.c);
        crn_attribute_amount(w, "friction", acting.friction);
        crn_element_close(w);
    }
    note_lost(w, joint, &acting, zero);
}

static const char *type_of(const crn_joint *joint)
{
    bool limited = false;
    for (int i = 0; i < joint->element_count; ++i)
        limited = limited || joint->element[i].kind == CRN_ELEMENT_LOWER || joint->element[i].kind == CRN_ELEMENT_UPPER;
    switch (joint->kind)
    {
    case CAIRN_JOINT_PRISMATIC:
        return "prismatic";
    case CAIRN_JOINT_PLANAR:
        return "planar";
    case CAIRN_JOINT_WELD:
        return "fixed";
    default:
        assert(joint->kind == CAIRN_JOINT_REVOLUTE);
        return limited ? "revolute" : "continuous";
    }
}

/* A name that no joint has, for what carries a body that has none. */
static void name_carrier(const crn_writer *w, int body, char name[CRN_WRITER_NAME])
{
    snprintf(name, CRN_WRITER_NAME, "%.200s to world", w->model->bodies[body].name);
    while (cairn_model_find_joint(w->model, name).id != 0 && strlen(name) + 1 < CRN_WRITER_NAME)
        strcat(name, "'");
}

static void put_joint(crn_writer *w, int body)
{
    const crn_carrier *carrier = &w->body[body];
    const crn_joint *joint = carrier->joint >= 0 ? &w->model->joints[carrier->joint] : NULL;
    crn_link_frame here = crn_urdf_frame(w, body), parent = crn_urdf_frame(w, carrier->parent),
                   relative = crn_link_frame_relative(&parent, &here);
    const char *type = joint ? type_of(joint) : carrier->is_free ? "floating" : "fixed";
    char name[CRN_WRITER_NAME];
    name_carrier(w, body, name);
    crn_element_open(w, "joint");
    crn_attribute_text(w, "name", joint ? joint->name : name);
    crn_attribute_text(w, "type", type);
    crn_element_open(w, "parent");
    crn_attribute_text(w, "link", crn_body_name(w->model, carrier->parent));
    crn_element_close(w);
    crn_element_open(w, "child");
    crn_attribute_text(w, "link", w->model->bodies[body].name);
    crn_element_close(w);
    crn_urdf_put_origin(w, &relative);
    if (joint)
        put_axis(w, body, type);
    const crn_joint *coupling = joint ? crn_urdf_mimic(w, carrier->joint) : NULL;
    if (coupling)
        put_mimic(w, coupling);
    crn_element_close(w);
}

void crn_write_urdf(FILE *out, void *data)
{
    crn_writer *w = data;
    const char *title = w->options->title;
    w->out = out;
    fputs("<?xml version=\"1.0\"?>\n", out);
    crn_element_open(w, "robot");
    crn_attribute_text(w, "name", title && title[0] ? title : "robot");
    crn_element_open(w, "link");
    crn_attribute_text(w, "name", "world");
    crn_element_close(w);
    for (int i = 0; i < (int)w->model->body_count; ++i)
        crn_urdf_put_link(w, i);
    for (int i = 0; i < (int)w->model->body_count; ++i)
        put_joint(w, i);
    crn_element_close(w);
    crn_urdf_note_lost(w);
    crn_note_common(w);
}
