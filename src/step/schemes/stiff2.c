/* `stiff2`: Cairn's own second-order scheme. It consists of two linearly implicit Euler stages of length g h, g = 1 -
 * 1/sqrt(2), in the pattern of the L-stable two-stage diagonally implicit Runge-Kutta method:
 *
 *     stage 1   from (q, v)                                                to (q1, v1)  at t + g h
 *     stage 2   from (q + (1-g) h v1,  v + (1-g)/g (v1 - v))               to (q+, v+)  at t + h
 *
 * Each stage is the one-step problem of `stiff` over g h, except that forces and rows are evaluated where the stage is
 * expected to end rather than where it starts: at q^1 = q + g h v in stage 1, and in stage 2 at q^2, reached with the
 * velocity v + (v1 - v)/g extrapolated to t + h. The laws hold at v1 and at v+, so a sticking contact has zero
 * velocity, and the stiff limit is damped (L-stable).
 *
 * The scheme is of order 2 with joints and closed contacts. Springs and joint rows are evaluated O(h^2) away from the
 * end of the stage, which is an error of O(h^3) per step. The error of v1 due to a row is parallel to the impulse of
 * that row, and stage 2 removes it again. Velocity-dependent forces are explicit, but for derivatives that keep A definite
 * (formulate/outer_forces.c): they are taken at v in stage 1 and at
 * v + (2-g)/g (v1 - v) in stage 2. The first lags behind and the second runs ahead, so the first-order errors g(1-g)
 * h^2 k_v v' cancel. The same holds for the gyroscopic term K_c(v^) v_i. It stays antisymmetric, so A is positive
 * definite for every h, as in `stiff`. docs/methods/stiff2.md has the proofs.
 */
#include "base/memory.h"
#include "step/schemes/rotors.h"
#include "step/schemes/scheme.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static cairn_status formulate(crn_assembly *assembly, const crn_input *in)
{
    CRN_TRY(crn_begin(assembly, in));
    crn_add_gravity(assembly, in);
    crn_add_systems(assembly, in, CRN_IMPLICIT);
    if (crn_add_gyroscopic(assembly, in, CRN_IMPLICIT) || crn_add_forces(assembly, in, CRN_IMPLICIT) ||
        crn_add_springs(assembly, in, CRN_IMPLICIT) || crn_add_joint_rows(assembly, in, 0.0) ||
        crn_add_contact_rows(assembly, in))
        return CAIRN_NO_MEMORY;
    crn_finish(assembly, in, in->settings->law);
    return CAIRN_OK;
}

/* Redundant loops are evaluated where all joints are closed, which is O(h^2) away. */
static cairn_status close_loops(cairn_simulation *s, double t, double length)
{
    bool closed;
    CRN_TRY(crn_loops_close(s, t, s->trial.q_at, &closed));
    if (!s->loops.redundant || !closed)
        return CAIRN_OK;
    crn_layout_difference(s->layout, s->loops.q, s->trial.q_at, s->trial.displacement);
    for (int i = 0; i < s->layout->block_start[s->layout->block_count]; ++i)
        s->trial.ahead[i] += s->trial.displacement[i] / length;
    return CAIRN_OK;
}

/* Run one stage over `length` that starts with the velocity v_base and ends at time t. It is evaluated at q_base +
 * length * ahead and at the velocity v_at. If `open` is set, contacts that are open at the state may close in it. */
static cairn_status run_stage(cairn_simulation *s, crn_stage *stage, double t, double length, double h, bool open,
                              cairn_solver_report *report)
{
    assert(length > 0);
    assert(length <= h);
    CRN_TRY(close_loops(s, t, length));
    crn_frame_update(&stage->frame, s->layout, s->trial.q_at, t, 0.0);
    crn_frame_drive_before(&stage->frame, s->layout);
    stage->h = length;
    stage->at = &stage->frame;
    crn_input in = crn_stage_input(s, stage, length);
    in.q = s->trial.q_at;
    in.v = s->trial.v_base;
    in.v_at = s->trial.v_at;
    in.ahead = s->trial.ahead;
    in.t = t;
    crn_list_closed(s, h, 1.0, 0.0, &in);
    in.only_closed = in.only_closed && !open;
    CRN_TRY(crn_stage_collide(s, stage, &in));
    CRN_TRY(crn_carry_closed(s, stage, &in));
    CRN_TRY(formulate(&stage->assembly, &in));
    return crn_stage_solve(s, stage, report);
}

/* q_out = q moved by a * x + b * y */
static void move_to(cairn_simulation *s, double a, const double *x, double b, const double *y, double *q_out)
{
    int n = s->layout->block_start[s->layout->block_count];
    for (int i = 0; i < n; ++i)
        s->trial.displacement[i] = a * x[i] + b * y[i];
    crn_copy_q(s->layout, s->state.q, q_out);
    crn_layout_move(s->layout, s->trial.displacement, q_out);
}

static cairn_status advance(cairn_simulation *s, double h, cairn_solver_report *report)
{
    const double g = 1.0 - sqrt(0.5);
    int n = s->layout->block_start[s->layout->block_count];
    crn_copy_v(s->layout, s->state.v, s->trial.v_base);
    crn_copy_v(s->layout, s->state.v, s->trial.v_at);
    crn_copy_v(s->layout, s->state.v, s->trial.ahead);
    move_to(s, g * h, s->state.v, 0.0, s->state.v, s->trial.q_at);
    crn_rotors_at_state(s);
    CRN_TRY(run_stage(s, &s->stage[0], s->state.t + g * h, g * h, h, false, report));
    const double *v1 = s->stage[0].solution.v;
    for (int i = 0; i < n; ++i)
    {
        double slope = (v1[i] - s->state.v[i]) / g; /* h v' */
        s->trial.v_base[i] = s->state.v[i] + (1 - g) * slope;
        s->trial.ahead[i] = s->state.v[i] + slope;
        s->trial.v_at[i] = s->state.v[i] + (2 - g) * slope;
    }
    crn_rotors_after_stage(s, (1 - g) / g);
    move_to(s, (1 - g) * h, v1, g * h, s->trial.ahead, s->trial.q_at);
    CRN_TRY(run_stage(s, &s->stage[1], s->state.t + h, g * h, h, false, report));
    s->stage[0].weight = (1 - g) / g;
    s->stage[1].weight = 1.0;
    s->stage_count = 2;
    crn_copy_v(s->layout, s->stage[1].solution.v, s->trial.v_new);
    move_to(s, (1 - g) * h, v1, g * h, s->trial.v_new, s->trial.q_new);
    return CAIRN_OK;
}

/* A first-order part within a second-order scheme: one implicit stage over the whole part, which holds every gap in
 * reach and cannot reflect. Velocities may jump in it, so the old velocities do not predict where it ends. A step of
 * `stiff` with rows at the start finds the end, and the stage is then computed again with rows at that end. The second
 * computation is skipped if bodies bounce, because restitution is a property of the rows at the start. It is also
 * skipped if bodies are so fast that only the rows at the start keep them from passing through each other. */
static cairn_status advance_damped(cairn_simulation *s, double h, cairn_solver_report *report)
{
    crn_stage *stage = &s->stage[0];
    CRN_TRY(crn_advance_stiff(s, h, report));
    crn_copy_v(s->layout, s->trial.v_new, s->search.v_far);
    if (!s->trial.inelastic || crn_may_pass(s, h))
        return CAIRN_OK;
    crn_copy_v(s->layout, s->state.v, s->trial.v_base);
    crn_copy_v(s->layout, s->state.v, s->trial.v_at);
    crn_copy_v(s->layout, s->trial.v_new, s->trial.ahead);
    crn_copy_q(s->layout, s->trial.q_new, s->trial.q_at);
    crn_rotors_at_state(s);
    CRN_TRY(run_stage(s, stage, s->state.t + h, h, h, true, report));
    stage->weight = 1.0;
    s->stage_count = 1;
    crn_copy_v(s->layout, stage->solution.v, s->trial.v_new);
    move_to(s, h, s->trial.v_new, 0.0, s->trial.v_new, s->trial.q_new);
    return CAIRN_OK;
}

/* The error of the method over a step is |1/6 - 3 g^2 + 2 g^3| h^3 d3q/dt3 in the positions. The third derivative is
 * estimated by the change between the accelerations of the stages, a1 = (v1 - v)/(g h) and a2 = (v+ - v_base)/(g h),
 * which are (1 - g) h apart. Rotations are scaled by the size of the body. */
static double local_error(const cairn_simulation *s, double h)
{
    assert(h > 0);
    assert(s->stage_count == 2);
    const double g = 1.0 - sqrt(0.5);
    const double constant = fabs(1.0 / 6 - 3 * g * g + 2 * g * g * g);
    const crn_layout *layout = s->layout;
    const double *v1 = s->stage[0].solution.v;
    double worst = 0;
    for (int k = 0; k < layout->block_count; ++k)
    {
        int start = layout->block_start[k];
        int n = layout->block_start[k + 1] - start;
        int linear = k < layout->body_block_count ? s->model->dimension : n;
        double bound = k < layout->body_block_count ? layout->bound[layout->block_body[k]] : 1.0;
        double square = 0;
        for (int i = start; i < start + n; ++i)
        {
            double base = s->state.v[i] + (1 - g) / g * (v1[i] - s->state.v[i]);
            double jerk = (s->trial.v_new[i] - base - (v1[i] - s->state.v[i])) / (g * (1 - g)); /* h^2 d3q/dt3 */
            double length = i - start < linear ? 1.0 : bound;
            square += length * length * jerk * jerk;
        }
        worst = fmax(worst, constant * h * sqrt(square));
    }
    return worst;
}

const crn_scheme crn_scheme_damped = {.name = "damped", .order = 1, .jump_growth = 1.0, .advance = advance_damped};

/* The second stage amplifies a jump in the first one by sqrt(2). */
const crn_scheme crn_scheme_stiff2 = {
    .name = "stiff2",
    .order = 2,
    .advance = advance,
    .error = local_error,
    .storm_scheme = &crn_scheme_damped,
    .steps_to_events = true,
    .jump_growth = 1.0 + 1.4142135623730951,
};
