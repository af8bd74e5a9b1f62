/* `stiff2`: Cairn's own second-order scheme. Two linearly implicit Euler stages of length g h, g = 1 - 1/sqrt(2), in the
 * pattern of the L-stable two-stage diagonally implicit Runge-Kutta method:
 *
 *     stage 1   from (q, v)                                                to (q1, v1)  at t + g h
 *     stage 2   from (q + (1-g) h v1,  v + (1-g)/g (v1 - v))               to (q+, v+)  at t + h
 *
 * Each stage is the one-step problem of `stiff` over g h, with its forces and rows taken not at its start but where it is
 * expected to end: q^1 = q + g h v, and q^2 by the velocity v + (v1 - v)/g extrapolated to t + h. The laws hold at v1 and
 * at v+, so that what sticks has velocity zero, and the stiff limit is damped (L-stable).
 *
 * Order 2 with joints and closed contacts. Springs and joint rows are evaluated O(h^2) from the stage's end, an error of
 * O(h^3) in a step; the error that a row makes in v1 lies along the row's own impulse, which stage 2 takes out again.
 * Forces that depend on the velocity are taken explicitly, at v in stage 1 and at v + (2-g)/g (v1 - v) in stage 2: what the
 * first lags behind, the second runs ahead, and the first-order errors g(1-g) h^2 k_v v' cancel. So does the gyroscopic
 * term K_c(v^) v_i, which stays antisymmetric: A is positive definite for every h, as in `stiff`.
 * docs/methods/stiff2.md has the proofs.
 */
#include "base/memory.h"
#include "step/schemes/scheme.h"
#include "step/simulation.h"

#include <math.h>
#include <string.h>

static cairn_status formulate(crn_assembly *assembly, const crn_input *in)
{
    crn_begin(assembly, in);
    crn_add_gravity(assembly, in);
    crn_add_systems(assembly, in, CRN_IMPLICIT);
    if (crn_add_gyroscopic(assembly, in, CRN_IMPLICIT) || crn_add_forces(assembly, in, CRN_EXPLICIT) ||
        crn_add_springs(assembly, in, CRN_IMPLICIT) || crn_add_joint_rows(assembly, in, 0.0) ||
        crn_add_contact_rows(assembly, in))
        return CAIRN_NO_MEMORY;
    crn_finish(assembly, in, in->settings->law);
    return CAIRN_OK;
}

/* One stage over `length`: base velocity v_base, evaluated at q_base + length * ahead and velocity v_at, ending at time t;
 * `open`: contacts that are open at the state may close in it. */
static cairn_status run_stage(cairn_simulation *s, crn_stage *stage, double t, double length, double h, bool open,
                              cairn_solver_report *report)
{
    crn_frame_update(&stage->frame, s->layout, s->trial.q_at, t, 0.0);
    crn_frame_drive_before(&stage->frame, s->layout);
    crn_input in = crn_stage_input(s, stage, length);
    in.q = s->trial.q_at;
    in.v = s->trial.v_base;
    in.v_at = s->trial.v_at;
    in.ahead = s->trial.ahead;
    in.t = t;
    crn_list_closed(s, h, 1.0, &in);
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
    CRN_TRY(run_stage(s, &s->stage[0], s->state.t + g * h, g * h, h, false, report));
    const double *v1 = s->stage[0].solution.v;
    for (int i = 0; i < n; ++i)
    {
        double slope = (v1[i] - s->state.v[i]) / g; /* h v' */
        s->trial.v_base[i] = s->state.v[i] + (1 - g) * slope;
        s->trial.ahead[i] = s->state.v[i] + slope;
        s->trial.v_at[i] = s->state.v[i] + (2 - g) * slope;
    }
    move_to(s, (1 - g) * h, v1, g * h, s->trial.ahead, s->trial.q_at);
    CRN_TRY(run_stage(s, &s->stage[1], s->state.t + h, g * h, h, false, report));
    s->stage[0].weight = (1 - g) / g;
    s->stage[1].weight = 1.0;
    s->stage_count = 2;
    crn_copy_v(s->layout, s->stage[1].solution.v, s->trial.v_new);
    move_to(s, (1 - g) * h, v1, g * h, s->trial.v_new, s->trial.q_new);
    return CAIRN_OK;
}

/* A part of first order within a scheme of second: one implicit stage over all of it, which holds every gap in reach and cannot
 * reflect. Velocities may jump in it, so that its end is not where the old ones lead: a step of `stiff` with its rows at the
 * start finds the end, and is computed again with its rows there; not where bodies bounce, whose restitution is a row of the
 * start, nor where they are so fast that only the rows of the start keep them from passing through each other. */
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
    CRN_TRY(run_stage(s, stage, s->state.t + h, h, h, true, report));
    stage->weight = 1.0;
    s->stage_count = 1;
    crn_copy_v(s->layout, stage->solution.v, s->trial.v_new);
    move_to(s, h, s->trial.v_new, 0.0, s->trial.v_new, s->trial.q_new);
    return CAIRN_OK;
}

/* The method's error over a step is |1/6 - 3 g^2 + 2 g^3| h^3 d3q/dt3 in the positions; the third derivative is the change
 * from stage to stage of the accelerations a1 = (v1 - v)/(g h) and a2 = (v+ - v_base)/(g h), (1 - g) h apart. Turns count
 * by the body's size. */
static double local_error(const cairn_simulation *s, double h)
{
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

/* The second stage carries a jump of the first one on, by sqrt(2). */
const crn_scheme crn_scheme_stiff2 = {
    .name = "stiff2",
    .order = 2,
    .advance = advance,
    .error = local_error,
    .storm_scheme = &crn_scheme_damped,
    .steps_to_events = true,
    .jump_growth = 1.0 + 1.4142135623730951,
};
