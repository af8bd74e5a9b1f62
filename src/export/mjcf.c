/* MJCF: bodies within bodies, and after them what holds and acts between them.
 *
 *     body                                  body; its origin is the centre of mass
 *     revolute, prismatic, ball             joint: hinge, slide, ball
 *     universal, double-hinge               two hinges
 *     cylindrical, planar                   a slide and a hinge; two slides and a hinge
 *     gimbal                                three hinges
 *     screw                                 a hinge, a slide, and an equality of the two
 *     weld                                  a body without a joint
 *     joints that close loops               equality: connect (a ball), two of them (revolute), weld
 *     distance, rope, pulley, linear spring tendon: spatial
 *     coupling                              equality: joint, or tendon: fixed
 *
 * A coordinate has the same value in both: where it is not 0 at the start, the joint has a `ref`.
 */
#include "export/mjcf.h"

#include <assert.h>
#include <string.h>

int crn_mjcf_rank(const crn_joint *joint)
{
    switch (joint->kind)
    {
    case CAIRN_JOINT_PRISMATIC:
    case CAIRN_JOINT_CYLINDRICAL:
    case CAIRN_JOINT_UNIVERSAL:
    case CAIRN_JOINT_PLANAR:
    case CAIRN_JOINT_SCREW:
    case CAIRN_JOINT_GIMBAL:
    case CAIRN_JOINT_DOUBLE_HINGE:
        return 0;
    case CAIRN_JOINT_WELD:
        return 1;
    case CAIRN_JOINT_REVOLUTE:
        return 2;
    case CAIRN_JOINT_BALL:
        return 3;
    default:
        return -1;
    }
}

void crn_section_begin(crn_writer *w, crn_mjcf_section *section)
{
    if (!section->begun)
        crn_element_open(w, section->name);
    section->begun = true;
}

void crn_section_end(crn_writer *w, const crn_mjcf_section *section)
{
    if (section->begun)
        crn_element_close(w);
}

/* ----------------------------------------------------------------------------------------------------------- bodies */

static void put_frame(crn_writer *w, const crn_link_frame *frame)
{
    static const double UPRIGHT[4] = {1, 0, 0, 0};
    crn_attribute_numbers(w, "pos", frame->x, 3);
    if (memcmp(frame->q, UPRIGHT, sizeof UPRIGHT) != 0)
        crn_attribute_numbers(w, "quat", frame->q, 4);
}

/* A point mass does not turn, but MuJoCo wants an inertia: any will do. */
static void put_inertial(crn_writer *w, int body)
{
    const crn_carrier *carrier = &w->body[body];
    const double *I = carrier->inertia, none[3] = {0}, diagonal[3] = {I[0], I[4], I[8]};
    const double full[6] = {I[0], I[4], I[8], I[1], I[2], I[5]}, any[3] = {carrier->mass, carrier->mass, carrier->mass};
    if (!(carrier->mass > 0))
        return;
    crn_element_open(w, "inertial");
    crn_attribute_numbers(w, "pos", none, 3);
    crn_attribute_number(w, "mass", carrier->mass);
    if (w->model->bodies[body].point)
        crn_attribute_numbers(w, "diaginertia", any, 3);
    else if (I[1] == 0 && I[2] == 0 && I[5] == 0)
        crn_attribute_numbers(w, "diaginertia", diagonal, 3);
    else
        crn_attribute_numbers(w, "fullinertia", full, 6);
    crn_element_close(w);
}

static void put_body(crn_writer *w, int body)
{
    const crn_carrier *carrier = &w->body[body];
    const crn_body *b = &w->model->bodies[body];
    crn_link_frame parent = carrier->parent >= 0 ? w->body[carrier->parent].frame : crn_link_frame_identity(),
                   frame = crn_link_frame_relative(&parent, &carrier->frame);
    crn_element_open(w, "body");
    crn_attribute_text(w, "name", b->name);
    put_frame(w, &frame);
    crn_mjcf_put_joints(w, body);
    put_inertial(w, body);
    crn_mjcf_put_geoms(w, body);
    crn_mjcf_put_sites(w, body);
    for (int child = carrier->first; child >= 0; child = w->body[child].next)
        put_body(w, child);
    crn_element_close(w);
}

/* --------------------------------------------------------------------------------------------------------- the rest */

static void put_options(crn_writer *w)
{
    const char *title = w->options->title;
    if (title && title[0])
        crn_attribute_text(w, "model", title);
    crn_element_open(w, "compiler");
    crn_attribute_text(w, "angle", "radian");
    crn_attribute_text(w, "autolimits", "true");
    crn_element_close(w);
    crn_element_open(w, "option");
    if (w->options->settings)
        crn_attribute_number(w, "timestep", w->options->settings->step);
    crn_attribute_numbers(w, "gravity", w->model->gravity, 3);
    crn_element_close(w);
}

static bool is_zero(const double *values, int count)
{
    bool zero = true;
    for (int i = 0; i < count; ++i)
        zero = zero && values[i] == 0;
    return zero;
}

/* Velocities and controls, where there are any. */
static void put_keyframe(crn_writer *w)
{
    if (is_zero(w->qvel, w->v_count) && is_zero(w->ctrl, w->control_count))
        return;
    crn_element_open(w, "keyframe");
    crn_element_open(w, "key");
    crn_attribute_text(w, "name", "initial");
    crn_attribute_numbers(w, "qpos", w->qpos, w->q_count);
    crn_attribute_numbers(w, "qvel", w->qvel, w->v_count);
    if (w->control_count > 0)
        crn_attribute_numbers(w, "ctrl", w->ctrl, w->control_count);
    crn_element_close(w);
    crn_element_close(w);
}

void crn_write_mjcf(FILE *out, void *data)
{
    crn_writer *w = data;
    w->out = out;
    crn_element_open(w, "mujoco");
    put_options(w);
    crn_mjcf_put_assets(w);
    crn_element_open(w, "worldbody");
    crn_mjcf_put_sites(w, -1);
    for (int body = w->first; body >= 0; body = w->body[body].next)
        put_body(w, body);
    crn_element_close(w);
    crn_mjcf_put_tendons(w);
    crn_mjcf_put_equalities(w);
    crn_mjcf_put_actuators(w);
    crn_mjcf_put_excluded(w);
    put_keyframe(w);
    crn_element_close(w);
    assert(w->depth == 0);
    crn_mjcf_note_frictions(w);
    crn_note_common(w);
}
