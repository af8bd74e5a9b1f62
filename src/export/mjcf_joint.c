/* MJCF: the joints of a body, and its part of the state at the start.
 *
 * With the axes d_i of the joint, perpendicular to each other, the rates at the start are d_i . (omega_b - omega_a) of a hinge and
 * d_i . (v_b - v_a) of a slide, with the velocities of both bodies at b's point. Reversed axes give the same: both factors change sign.
 * Those of three hinges need not be perpendicular: the vectors of the dual basis, d_j x d_k / d_i . (d_j x d_k), stand in their place.
 */
#include "export/mjcf.h"

#include "model/names.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double FAR = 1e10; /* in place of an end of a range that is infinite */

static void push(crn_writer *w, const double *q, int q_count, const double *v, int v_count)
{
    if (crn_reserve_all(&w->memory, CRN_ARRAY(w->qpos, w->q_count + q_count), CRN_ARRAY(w->qvel, w->v_count + v_count)))
    {
        w->status = CAIRN_NO_MEMORY;
        return;
    }
    memcpy(w->qpos + w->q_count, q, (size_t)q_count * sizeof *q);
    memcpy(w->qvel + w->v_count, v, (size_t)v_count * sizeof *v);
    w->q_count += q_count;
    w->v_count += v_count;
}

/* ----------------------------------------------------------------------------------------------------------- motion */

/* The velocity of a body's point, and its angular velocity, in the world; 0 of what is not dynamic. */
static void velocity_of(const crn_writer *w, int body, const double point[3], double v[3], double spin[3])
{
    double arm[3], added[3];
    memset(v, 0, 3 * sizeof *v);
    memset(spin, 0, 3 * sizeof *spin);
    if (!crn_body_is_dynamic(w->model, body))
        return;
    const cairn_body_state *state = &w->body[body].state;
    crn_link_frame_direction(&w->body[body].frame, state->angular_velocity, spin);
    crn_sub3(point, w->body[body].frame.x, arm);
    crn_cross3(spin, arm, added);
    crn_add3(state->velocity, added, v);
}

/* Of b against a. */
static void relative_velocity(const crn_writer *w, const crn_joint *joint, const double point[3], double v[3],
                              double spin[3])
{
    double of_a[3], spin_a[3];
    velocity_of(w, joint->a.body, point, of_a, spin_a);
    velocity_of(w, joint->b.body, point, v, spin);
    crn_sub3(v, of_a, v);
    crn_sub3(spin, spin_a, spin);
}

/* ------------------------------------------------------------------------------------------------------------ names */

void crn_mjcf_name(const crn_writer *w, int index, int coordinate, char name[CRN_WRITER_NAME])
{
    const crn_joint *joint = &w->model->joints[index];
    crn_joint_axis axis[CRN_JOINT_COORDINATES];
    double point[3];
    assert(w->carries[index]);
    bool carries_a = joint->a.body >= 0 && w->body[joint->a.body].joint == index;
    int count = crn_joint_axes(w, carries_a ? joint->a.body : joint->b.body, axis, point);
    snprintf(name, CRN_WRITER_NAME, "%.250s", joint->name);
    if (count == 0 || axis[0].coordinate == coordinate)
        return;
    snprintf(name, CRN_WRITER_NAME, "%.250s %.40s", joint->name, joint->type->coordinate[CRN_SPACE][coordinate].name);
    while (cairn_model_find_joint(w->model, name).id != 0 && strlen(name) + 1 < CRN_WRITER_NAME)
        strcat(name, "'");
}

/* ----------------------------------------------------------------------------------------------------------- joints */

void crn_mjcf_put_acting(crn_writer *w, const crn_joint *joint, const crn_acting *acting)
{
    bool lower = isfinite(acting->lower), upper = isfinite(acting->upper);
    const double range[2] = {fmax(acting->lower, -FAR), fmin(acting->upper, FAR)};
    if (lower != upper)
        crn_writer_note(w, "joint '%.80s': an end of its range is infinite; it is written as %g", joint->name, FAR);
    if ((lower || upper) && range[0] < range[1])
        crn_attribute_numbers(w, "range", range, 2);
    else if (lower || upper)
        crn_writer_note(w, "joint '%.80s': its range has no width, which MuJoCo refuses: not written", joint->name);
    crn_attribute_amount(w, "damping", acting->c);
    crn_attribute_amount(w, "frictionloss", acting->friction);
    crn_attribute_amount(w, "armature", acting->rotor);
}

static void put_place(crn_writer *w, int body, const double point[3], const double *direction)
{
    const crn_link_frame at = {.x = {point[0], point[1], point[2]}, .q = {1, 0, 0, 0}};
    crn_link_frame local = crn_link_frame_relative(&w->body[body].frame, &at);
    double R[9], axis[3];
    crn_attribute_numbers(w, "pos", local.x, 3);
    if (!direction)
        return;
    crn_quaternion_to_matrix(w->body[body].frame.q, R);
    crn_unrotate3(R, direction, axis);
    crn_attribute_numbers(w, "axis", axis, 3);
}

/* The rate of axis i of `count`. */
static double rate_of(const crn_writer *w, int body, const crn_joint_axis *list, int count, int i,
                      const double point[3])
{
    const crn_carrier *carrier = &w->body[body];
    double v[3], spin[3], dual[3];
    relative_velocity(w, &w->model->joints[carrier->joint], point, v, spin);
    memcpy(dual, list[i].direction, sizeof dual);
    assert(i < count);
    if (count == 3)
    {
        crn_cross3(list[(i + 1) % 3].direction, list[(i + 2) % 3].direction, dual);
        crn_scale3(1 / crn_dot3(dual, list[i].direction), dual, dual);
    }
    return crn_dot3(dual, list[i].slides ? v : spin) * (carrier->is_reversed ? -1 : 1);
}

static void put_axis(crn_writer *w, int body, const crn_joint_axis *axis, double rate)
{
    int index = w->body[body].joint, i = axis->coordinate;
    const crn_joint *joint = &w->model->joints[index];
    crn_acting acting = crn_acting_of(w, joint, i);
    char name[CRN_WRITER_NAME];
    crn_mjcf_name(w, index, i, name);
    crn_element_open(w, "joint");
    crn_attribute_text(w, "name", name);
    crn_attribute_text(w, "type", axis->slides ? "slide" : "hinge");
    put_place(w, body, axis->point, axis->direction);
    crn_attribute_amount(w, "ref", axis->zero);
    crn_mjcf_put_acting(w, joint, &acting);
    crn_attribute_amount(w, "stiffness", acting.k);
    if (acting.k > 0)
        crn_attribute_amount(w, "springref", acting.rest);
    crn_element_close(w);
    push(w, &axis->zero, 1, &rate, 1);
}

static void put_ball(crn_writer *w, int body, const double point[3])
{
    const crn_joint *joint = &w->model->joints[w->body[body].joint];
    const double none[4] = {1, 0, 0, 0};
    double v[3], spin[3], R[9], local[3];
    crn_element_open(w, "joint");
    crn_attribute_text(w, "name", joint->name);
    crn_attribute_text(w, "type", "ball");
    put_place(w, body, point, NULL);
    crn_element_close(w);
    if (joint->element_count > 0)
        crn_writer_note(w, "joint '%.80s': what acts on its swing and twist has no counterpart in MJCF: not written",
                        joint->name);
    relative_velocity(w, joint, point, v, spin);
    crn_quaternion_to_matrix(w->body[body].frame.q, R);
    crn_unrotate3(R, spin, local);
    crn_scale3(w->body[body].is_reversed ? -1 : 1, local, local);
    push(w, none, 4, local, 3);
}

/* A point mass moves along three slides, so that it does not turn. */
static void put_slides(crn_writer *w, int body)
{
    static const char *const NAMES[3] = {"x", "y", "z"};
    const crn_body *b = &w->model->bodies[body];
    crn_link_frame *frame = &w->body[body].frame;
    double R[9], world[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, axis[3], zero = 0;
    crn_quaternion_to_matrix(frame->q, R);
    for (int k = 0; k < 3; ++k)
    {
        char name[CRN_WRITER_NAME];
        snprintf(name, sizeof name, "%.250s %s", b->name, NAMES[k]);
        crn_unrotate3(R, world + 3 * k, axis);
        crn_element_open(w, "joint");
        crn_attribute_text(w, "name", name);
        crn_attribute_text(w, "type", "slide");
        crn_attribute_numbers(w, "axis", axis, 3);
        crn_element_close(w);
        push(w, &zero, 1, &w->body[body].state.velocity[k], 1);
    }
    crn_writer_note(w, "body '%.80s' is a point mass: it is written as a body on three slides", b->name);
}

static void put_free(crn_writer *w, int body)
{
    const cairn_body_state *state = &w->body[body].state;
    double q[7], v[6];
    crn_element_open(w, "freejoint");
    crn_element_close(w);
    memcpy(q, w->body[body].frame.x, 3 * sizeof *q);
    memcpy(q + 3, w->body[body].frame.q, 4 * sizeof *q);
    memcpy(v, state->velocity, 3 * sizeof *v);
    memcpy(v + 3, state->angular_velocity, 3 * sizeof *v);
    push(w, q, 7, v, 6);
}

/* A joint that does not hold at the start would be another one in a file, where the pose as written is the joint's zero. */
static void check_start(crn_writer *w, const crn_joint *joint)
{
    crn_joint_rows rows = {.equations = joint->own_rows, .values_only = true};
    crn_joint_place place = crn_start_place(w, joint);
    double most = 0, size = 1;
    (joint->type->evaluate ? joint->type->evaluate : crn_joint_evaluate_functions)(joint, w->model->dimension, &place,
                                                                                   &rows);
    for (int k = 0; k < 3; ++k)
        size += fabs(place.x[0][k]) + fabs(place.x[1][k]);
    for (int i = 0; i < joint->own_rows; ++i)
        most = fmax(most, fabs(rows.theta[i]));
    if (most > 1e-9 * size)
        crn_writer_note(w, "joint '%.80s' is off by %g at the start; it is written as if it held there", joint->name,
                        most);
}

void crn_mjcf_put_joints(crn_writer *w, int body)
{
    const crn_carrier *carrier = &w->body[body];
    crn_joint_axis axis[CRN_JOINT_COORDINATES];
    double point[3];
    if (carrier->is_free && w->model->bodies[body].point)
        put_slides(w, body);
    else if (carrier->is_free)
        put_free(w, body);
    if (carrier->joint < 0)
        return;
    const crn_joint *joint = &w->model->joints[carrier->joint];
    int count = crn_joint_axes(w, body, axis, point);
    check_start(w, joint);
    for (int i = 0; i < count; ++i)
        put_axis(w, body, &axis[i], rate_of(w, body, axis, count, i, point));
    if (joint->kind == CAIRN_JOINT_BALL)
        put_ball(w, body, point);
    if (crn_body_is_dynamic(w->model, carrier->parent) && !joint->parts)
        crn_writer_note(w, "joint '%.80s' lets its bodies touch; in MuJoCo a body does not touch its parent",
                        joint->name);
}
