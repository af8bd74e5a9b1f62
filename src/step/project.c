/* Position projection, Anitescu & Potra 2002, eq. (46): the nearest positions that satisfy the joints, do not penetrate, and
 * keep every spring at its linearised new stretch phi(q) + h grad phi' v+, so that the energy bound (47) holds.
 *
 * Solved by successive linearisation. At the iterate q_k, with d_k the displacement from the unprojected q~ to q_k, the
 * next move delta is a one-step problem with the frictionless law:
 *
 *     minimise  1/2 |d_k + delta|_M^2     A = M, p = -M d_k
 *     joints    G delta = -Theta(q_k)     springs  grad phi' delta = target - phi(q_k)
 *     contacts  0 <= H delta + gap(q_k)  _|_  r >= 0
 *
 * The distance is measured in the mass norm, not in the plain norm of (46), so that it does not depend on units and heavy
 * bodies hardly move. The bound (47) does not depend on the norm. If an initial state is projected, springs are free to change.
 */
#include "formulate/joints.h"
#include "formulate/springs.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    MAX_ITERATIONS = 30
};

/* The stretch that every spring must keep. For first-order schemes this is the linearised new value phi + h grad phi'
 * v+, as the bound (47) requires. For second-order schemes it is the stretch of the unprojected positions, so that the
 * projection creates no elastic energy. */
static void set_targets(cairn_simulation *s, double h)
{
    const crn_assembly *assembly = &crn_last_stage(s)->assembly;
    bool linearised = !crn_is_second_order(s->settings.integrator);
    for (int i = 0; i < (int)s->model->spring_count; ++i)
    {
        crn_gradient gradient[3];
        crn_spring_coordinates(s->model, &s->located.frame, i, s->state.spring_angle[i],
                               s->projection.spring_target + 3 * i, gradient);
    }
    int k = 0;
    for (size_t i = 0; linearised && i < assembly->spring_term_count; ++i)
    {
        const crn_spring_term *term = &assembly->spring_terms[i];
        k = i > 0 && assembly->spring_terms[i - 1].spring == term->spring ? k + 1 : 0;
        double rate = crn_gradient_rate(s->layout, &term->gradient, s->state.v) + term->drive;
        s->projection.spring_target[3 * term->spring + k] = term->target_phi + h * rate;
    }
}

/* Add one equation for each coordinate of each elastic spring. */
static cairn_status hold_springs(cairn_simulation *s, crn_assembly *assembly, const crn_input *in)
{
    for (int i = 0; i < (int)s->model->spring_count; ++i)
    {
        double phi[3];
        crn_gradient gradient[3];
        int count = crn_spring_coordinates(s->model, in->frame, i, s->state.spring_angle[i], phi, gradient);
        for (int k = 0; k < count && s->model->springs[i].stiffness > 0 && !s->projection.springs_free; ++k)
            if (crn_add_equation(assembly, in, &gradient[k], s->projection.spring_target[3 * i + k] - phi[k]))
                return CAIRN_NO_MEMORY;
    }
    return CAIRN_OK;
}

static double largest_violation(const crn_assembly *assembly)
{
    double worst = 0;
    for (int i = 0; i < assembly->problem.joint_rows; ++i)
        worst = fmax(worst, fabs(assembly->problem.b[i]));
    for (int j = 0; j < assembly->problem.contact_count; ++j)
        worst = fmax(worst, -assembly->active[j].gap);
    return worst;
}

/* The linearised projection problem at q_k; its right-hand sides are the violations. */
static cairn_status linearise(cairn_simulation *s, double h, crn_input *in, double *violation)
{
    crn_assembly *assembly = &s->projection.stage.assembly;
    crn_frame_update(&s->projection.stage.frame, s->layout, s->state.q, s->state.t + h, 0.0);
    CRN_TRY(crn_collide_hooked(s, s->located.collider, s->projection.stage.frame.pose, &s->located.reach, &in->contacts,
                               &in->contact_count));
    s->state.located_h = 0;        /* the collider's list is no longer that of the step, */
    s->located.is_initial = false; /* and must be found anew even if nothing moves */
    s->located.contacts = in->contacts;
    s->located.contact_count = in->contact_count;
    crn_layout_difference(s->layout, s->state.q, s->projection.q,
                          s->trial.displacement); /* -d_k: q_projected holds q~ */
    CRN_TRY(crn_begin(assembly, in));
    if (crn_add_joint_rows(assembly, in, 1.0) || hold_springs(s, assembly, in) || crn_add_contact_rows(assembly, in))
        return CAIRN_NO_MEMORY;
    crn_finish(assembly, in, (cairn_law){CAIRN_LAW_FRICTIONLESS, 0});
    *violation = largest_violation(assembly);
    return CAIRN_OK;
}

/* Move q by the solution of the linearised problem. Returns false if there is none. */
static bool improve(cairn_simulation *s)
{
    cairn_solution move;
    cairn_solver_report report;
    cairn_solver_options options = s->settings.solver;
    options.forces = CAIRN_FORCES_ANY; /* position multipliers, which are not used */
    cairn_status status =
        cairn_solver_solve(s->projection.stage.solver, &s->projection.stage.assembly.problem, &options, &move, &report);
    if (status != CAIRN_OK || report.outcome == CAIRN_FAILED)
        return false;
    crn_layout_move(s->layout, move.v, s->state.q);
    return true;
}

cairn_status crn_project(cairn_simulation *s, double h)
{
    assert(h >= 0);
    CRN_TRY(crn_projection_open(s));
    CRN_TRY(crn_reserve_all(&s->memory, CRN_ARRAY(s->projection.q, s->layout->q_start[s->layout->block_count]),
                            CRN_ARRAY(s->projection.spring_target, 3 * s->model->spring_count)));
    /* q_projected keeps q~; every contact counts with its gap, and none bounces */
    crn_copy_q(s->layout, s->state.q, s->projection.q);
    set_targets(s, h);
    cairn_settings settings = s->settings;
    settings.stabilisation = CAIRN_STABILISE_GAP;
    settings.restitution_threshold = INFINITY;
    settings.step = 0.0;                /* remove the whole overlap; */
    settings.push_out_speed = INFINITY; /* a displacement has no speed limit */
    crn_input in = {
        .layout = s->layout,
        .frame = &s->projection.stage.frame,
        .settings = &settings,
        .q = s->state.q,
        .v = s->trial.displacement,
        .v_at = s->trial.displacement,
        .spring_angle = s->state.spring_angle,
        .positions = true,
        .t = s->state.t + h,
        .h = 1.0,
    };
    double first = 0, violation = 0;
    int iteration = 0;
    for (;; ++iteration)
    {
        CRN_TRY(linearise(s, h, &in, &violation));
        first = iteration == 0 ? violation : first;
        bool met = violation <= s->settings.projection_tolerance;
        if (met || iteration == MAX_ITERATIONS || !isfinite(violation) || !improve(s))
            break;
    }
    s->state.report.projection_iterations = iteration;
    s->state.report.projection_met = violation <= s->settings.projection_tolerance;
    s->state.report.projection_error = violation;
    if (!(violation <= first))
        crn_copy_q(s->layout, s->projection.q, s->state.q); /* reject a projection that made things worse */
    return CAIRN_OK;
}
