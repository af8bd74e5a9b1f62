/* Placing limbs by the coordinates of their joints.
 *
 * A joint that is in no loop can be brought to its initial value at once, however long the chain that hangs on it: the chain moves
 * along as a rigid body. Bodies are visited from the ground outwards. Each is first carried along with its parent, and then moved on
 * its own joint by Newton's method, in six unknowns, so that its equations hold and its coordinates have their values. What is in
 * loops is left to the descent (positions.c).
 */
#include "step/assembly/limbs.h"

#include "formulate/joints.h"
#include "linalg/lu.h"
#include "math/vec.h"
#include "model/joints/element.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double MOST_TURN = 0.5; /* rad per move: angles count turns */
static const double ENOUGH = 1e-12;  /* m or rad */
static const double DAMPING = 1e-12; /* of G G', for dependent rows */

enum
{
    MOVES = 300,
    ROWS = CRN_JOINT_ROWS + CRN_JOINT_COORDINATES
};

/* The equations of one joint in the motion of one of its bodies. */
typedef struct local_rows
{
    int count;
    double b[ROWS], g[ROWS][6];
} local_rows;

/* The value that coordinate i begins with, given or prescribed; false: there is none. */
static bool value_of(const crn_joint *joint, int i, double t, double *value)
{
    *value = joint->initial[i];
    if (joint->begins & 1u << i)
        return true;
    for (int k = 0; k < joint->element_count; ++k)
    {
        const crn_element *drive = &joint->element[k];
        *value = crn_signal_value(&drive->target, t);
        if (drive->coordinate == i && drive->kind == CRN_ELEMENT_POSITION && !drive->bounded && drive->k == 0 &&
            drive->c == 0)
            return true;
    }
    return false;
}

static bool has_values(const crn_joint *joint, double t)
{
    double value;
    for (int i = 0; i < joint->coordinates; ++i)
        if (value_of(joint, i, t, &value))
            return true;
    return false;
}

static void push(local_rows *rows, const cairn_simulation *s, int body, double b, const double g[6])
{
    bool plane = s->model->dimension == 2, point = s->model->bodies[body].point;
    rows->b[rows->count] = b;
    for (int k = 0; k < 6; ++k)
    {
        bool moves = plane ? k < 2 || k == 5 : true;
        rows->g[rows->count][k] = moves && !(point && k >= 3) ? g[k] : 0.0;
    }
    rows->count += 1;
}

/* Rows of a joint at the frame; coordinates are counted on to here. */
static void evaluate(const crn_fit *fit, const crn_limb *limb, local_rows *out)
{
    const cairn_simulation *s = fit->s;
    const crn_joint *joint = &s->model->joints[limb->joint];
    const crn_frame *frame = &s->projection.stage.frame;
    int side = joint->b.body == limb->body;
    crn_joint_rows rows;
    crn_joint_evaluate(s->model, frame, limb->joint, &rows);
    out->count = 0;
    for (int i = 0; i < joint->own_rows; ++i)
        push(out, s, limb->body, -rows.theta[i], rows.gradient[i].g[side]);
    for (int i = 0; i < joint->coordinates; ++i)
    {
        double value;
        crn_joint_coordinate_row(s->model, frame, limb->joint, i, &rows);
        s->state.coordinate[limb->joint * CRN_JOINT_COORDINATES + i] = rows.theta[0];
        if (value_of(joint, i, s->state.t, &value))
            push(out, s, limb->body, value - rows.theta[0], rows.gradient[0].g[side]);
    }
}

/* The smallest move that satisfies the rows, angles measured by arcs of radius `size`. False if they are singular. */
static bool solve(const local_rows *rows, double size, double move[6])
{
    int n = rows->count, order[ROWS];
    double W[ROWS * ROWS], b[ROWS], weight[6] = {1, 1, 1, 1 / (size * size), 1 / (size * size), 1 / (size * size)};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
        {
            W[i * n + j] = 0;
            for (int k = 0; k < 6; ++k)
                W[i * n + j] += rows->g[i][k] * weight[k] * rows->g[j][k];
        }
    for (int i = 0; i < n; ++i)
        W[i * n + i] += DAMPING * (W[i * n + i] + DAMPING);
    if (n == 0 || !crn_lu_factorise(n, W, n, order, 0.0))
        return false;
    for (int i = 0; i < n; ++i)
        b[i] = rows->b[order[i]];
    crn_lu_solve(n, W, n, b, 1, 1);
    for (int k = 0; k < 6; ++k)
    {
        move[k] = 0;
        for (int i = 0; i < n; ++i)
            move[k] += weight[k] * rows->g[i][k] * b[i];
    }
    return true;
}

static void set_pose(crn_frame *frame, int body, const cairn_body_state *state)
{
    memcpy(frame->pose[body].x, state->position, sizeof frame->pose[body].x);
    crn_quaternion_to_matrix(state->orientation, frame->pose[body].R);
}

static void move_body(const double move[6], cairn_body_state *state)
{
    double turn[4], length = crn_norm3(move + 3), share = length > MOST_TURN ? MOST_TURN / length : 1.0;
    const double phi[3] = {share * move[3], share * move[4], share * move[5]};
    crn_madd3(state->position, share, move, state->position);
    crn_quaternion_exp(phi, turn);
    crn_quaternion_multiply(state->orientation, turn, state->orientation);
    crn_quaternion_normalise(state->orientation);
    state->angle += phi[2];
}

/* Carry a body along with its parent: from where that was given to where it is. */
static void carry(const cairn_body_state *parent_given, const cairn_body_state *parent, cairn_body_state *state)
{
    double back[4], turn[4], R[9], arm[3], moved[3];
    crn_quaternion_conjugate(parent_given->orientation, back);
    crn_quaternion_multiply(parent->orientation, back, turn);
    crn_quaternion_to_matrix(turn, R);
    crn_sub3(state->position, parent_given->position, arm);
    crn_rotate3(R, arm, moved);
    crn_add3(parent->position, moved, state->position);
    crn_quaternion_multiply(turn, state->orientation, state->orientation);
    state->angle += parent->angle - parent_given->angle;
}

static void place(const crn_fit *fit, const crn_limb *limb)
{
    const cairn_simulation *s = fit->s;
    crn_frame *frame = &fit->s->projection.stage.frame;
    cairn_body_state state, given, now;
    crn_layout_read_body(s->layout, limb->body, s->state.q, s->state.v, &state);
    if (limb->parent >= 0)
    {
        crn_layout_read_body(s->layout, limb->parent, fit->given_q, s->state.v, &given);
        crn_layout_read_body(s->layout, limb->parent, s->state.q, s->state.v, &now);
        if (memcmp(&given, &now, sizeof now) != 0)
            carry(&given, &now, &state);
    }
    set_pose(frame, limb->body, &state);
    bool moves = limb->bridge && has_values(&s->model->joints[limb->joint], s->state.t);
    for (int k = 0; moves && k < MOVES; ++k)
    {
        local_rows rows;
        double move[6], most = 0;
        evaluate(fit, limb, &rows);
        for (int i = 0; i < rows.count; ++i)
            most = fmax(most, fabs(rows.b[i]));
        if (most <= ENOUGH || !solve(&rows, crn_size_of(s->layout, limb->body), move))
            break;
        move_body(move, &state);
        set_pose(frame, limb->body, &state);
    }
    crn_layout_write_body(s->layout, limb->body, &state, s->state.q, s->state.v);
}

cairn_status crn_place_limbs(crn_fit *fit)
{
    crn_limb *limb = NULL;
    int count;
    CRN_TRY(crn_limbs_find(fit, &limb, &count));
    crn_frame_update(&fit->s->projection.stage.frame, fit->s->layout, fit->s->state.q, fit->s->state.t, 0.0);
    for (int i = 0; i < count; ++i)
        place(fit, &limb[i]);
    return CAIRN_OK;
}
