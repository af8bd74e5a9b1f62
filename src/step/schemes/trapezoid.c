/* `trapezoid` and `trapezoid2`: the linearly implicit trapezoidal method of Potra et al. 2006.
 *
 *     M~ v+ = M~ v + k~ + G' c + H' r,     M~ = M - h/2 k_v - h^2/4 k_q,     q+ = q + h (v + v+)/2
 *
 * Joint and contact rows are evaluated at q + h/2 v. Scheme I (eq. 6.12, `trapezoid`) states the laws at v+, scheme II
 * (eq. 6.10, `trapezoid2`) at v + v+. Scheme II has the same matrix and uses the old velocity as a bias of the rows, u
 * = H v+ + H v.
 *
 * The force term is k~ = h/2 (k(t_l, q, v) + k(t_{l+1}, q + h v, v)). It agrees to third order with the paper's h/2 (k
 * + k + h k_q v), and needs no second derivatives of springs. (The printed h/2 k_q v loses the order; the form above is
 * the corrected one.) In M~, k_q is only multiplied by h^2/4 (v+ - v), which is of third order too. So the part -gamma
 * g g', which keeps M~ definite, is enough there.
 *
 * Both schemes are of order 2 for linear constraints (Theorem 4.2). With nonlinear joints, scheme I is of order 1 and
 * scheme II of order 2. On the other hand, scheme II keeps v+ = -v in stiction. Neither damps the stiff limit.
 */
#include "step/schemes/scheme.h"
#include "step/simulation.h"

#include <assert.h>
#include <string.h>

static cairn_status formulate(crn_assembly *assembly, const crn_input *in)
{
    CRN_TRY(crn_begin(assembly, in));
    crn_add_gravity(assembly, in);
    crn_add_systems(assembly, in, CRN_TRAPEZOIDAL);
    if (crn_add_gyroscopic(assembly, in, CRN_TRAPEZOIDAL) || crn_add_forces(assembly, in, CRN_TRAPEZOIDAL) ||
        crn_add_springs(assembly, in, CRN_TRAPEZOIDAL) || crn_add_joint_rows(assembly, in, 0.0) ||
        crn_add_contact_rows(assembly, in))
        return CAIRN_NO_MEMORY;
    crn_finish(assembly, in, in->settings->law);
    return CAIRN_OK;
}

/* The forces at the start see driven bodies at their velocity at that time. Otherwise the frame of the state holds
 * their mean velocity over h. */
static cairn_status formulate_from_start(cairn_simulation *s, crn_stage *stage, const crn_input *in)
{
    crn_frame_drive_now(&s->located.frame, s->layout);
    cairn_status status = formulate(&stage->assembly, in);
    if (s->located.frame.any_driven)
        crn_frame_update(&s->located.frame, s->layout, s->state.q, s->state.t, in->h);
    return status;
}

/* q_out = q moved by time * v */
static void move_to(const cairn_simulation *s, double time, double *scratch, double *q_out)
{
    int n = s->layout->block_start[s->layout->block_count];
    for (int i = 0; i < n; ++i)
        scratch[i] = time * s->state.v[i];
    crn_copy_q(s->layout, s->state.q, q_out);
    crn_layout_move(s->layout, scratch, q_out);
}

static cairn_status advance(cairn_simulation *s, double h, bool mean_law, cairn_solver_report *report)
{
    assert(h > 0);
    crn_stage *stage = &s->stage[0];
    move_to(s, 0.5 * h, s->trial.displacement, s->trial.q_at);
    move_to(s, h, s->trial.displacement, s->trial.q_end);
    crn_frame_update(&stage->frame, s->layout, s->trial.q_at, s->state.t + 0.5 * h, 0.0);
    crn_frame_update(&s->trial.frame_end, s->layout, s->trial.q_end, s->state.t + h, 0.0);
    crn_frame_drive_before(&s->trial.frame_end, s->layout);
    crn_frame_drive_now(&stage->frame, s->layout);
    if (!mean_law)
    {
        /* the laws hold at the end of the step, so they need the motion of driven bodies at the end */
        size_t size = s->model->body_count * sizeof *stage->frame.drive;
        if (stage->frame.drive)
            memcpy(stage->frame.drive, s->trial.frame_end.drive, size);
    }
    crn_input in = crn_stage_input(s, stage, h);
    in.q = s->trial.q_at;
    in.ahead = NULL;
    in.row_bias = mean_law ? s->state.v : NULL;
    in.frame_start = &s->located.frame;
    in.frame_end = &s->trial.frame_end;
    in.q_start = s->state.q;
    in.q_end = s->trial.q_end;
    in.t_start = s->state.t;
    in.t_end = s->state.t + h;
    crn_list_closed(s, h, mean_law ? 2.0 : 1.0, mean_law ? 0.0 : 0.5 * h, &in);
    CRN_TRY(crn_stage_collide(s, stage, &in));
    CRN_TRY(crn_carry_closed(s, stage, &in));
    CRN_TRY(formulate_from_start(s, stage, &in));
    CRN_TRY(crn_stage_solve(s, stage, report));
    stage->weight = 1.0;
    s->stage_count = 1;
    int n = stage->assembly.problem.n;
    for (int i = 0; i < n; ++i)
    {
        s->trial.v_new[i] = stage->solution.v[i];
        s->trial.displacement[i] = 0.5 * h * (s->state.v[i] + s->trial.v_new[i]);
    }
    crn_copy_q(s->layout, s->state.q, s->trial.q_new);
    crn_layout_move(s->layout, s->trial.displacement, s->trial.q_new);
    return CAIRN_OK;
}

static cairn_status advance_end(cairn_simulation *s, double h, cairn_solver_report *report)
{
    return advance(s, h, false, report);
}

static cairn_status advance_mean(cairn_simulation *s, double h, cairn_solver_report *report)
{
    return advance(s, h, true, report);
}

const crn_scheme crn_scheme_trapezoid = {
    .name = "trapezoid", .order = 2, .advance = advance_end, .storm_scheme = &crn_scheme_damped, .jump_growth = 1.0};
const crn_scheme crn_scheme_trapezoid2 = {.name = "trapezoid2",
                                          .order = 2,
                                          .advance = advance_mean,
                                          .storm_scheme = &crn_scheme_damped,
                                          .jump_growth = 1.0,
                                          .reflects = true};
