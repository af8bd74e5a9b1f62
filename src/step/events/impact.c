/* An impact (Potra et al. 2006, sections 7.3 and 7.4): impulses act in zero time, and positions stay fixed.
 *
 *     compression     M (vc - v-) = G'c + H'r,           0 <= n'vc _|_ r_n >= 0, friction and joints at vc
 *     decompression   M (v+ - vc) = G'c + H'r + F,       F = sum s e_j n_j r_n,j of the compression; the same laws at v+
 *
 * Each phase is the one-step problem of the state with h = 0: A = M, p = M v (+ F), w = the motion of driven bodies.
 * Newton's law needs only one problem, with w_n = s e u_n-. Contacts that close more slowly than the threshold do not
 * bounce.
 *
 * In the paper's decompression, friction is bounded by that phase's own r alone, so a sliding ball loses mu |v_n| of
 * its tangential velocity. `poisson-friction` uses the bound mu (s e r_n,c + r_n) instead. It solves the law `lagged`
 * with that radius repeatedly until r_n no longer changes. The ball then loses mu (1 + e) |v_n|.
 *
 * Both laws can create energy, with friction or with different e at several contacts (docs/impact.md). In that case the
 * factor s <= 1 of restitution is reduced, separately for each island, until the island's contacts no longer do
 * positive work on its bodies. At s = 0 they never do.
 */
#include "math/vec.h"
#include "model/handles.h"
#include "step/account/account.h"
#include "step/events/events.h"
#include "step/schemes/rotors.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    MOST_SHARES = 40, /* bisections of s */
    MOST_BOUNDS = 50  /* repetitions of a bound of friction */
};

static cairn_status formulate(cairn_simulation *s, crn_stage *stage, cairn_law law)
{
    stage->h = 1.0; /* takes no time, and the rows have no part that depends on it */
    crn_input in = crn_stage_input(s, stage, stage->h);
    in.frame = &s->located.frame;
    in.contacts = s->located.contacts;
    in.contact_count = s->located.contact_count;
    CRN_TRY(crn_close_contacts(s, INFINITY));
    crn_list_closed(s, INFINITY, 1.0, 0.0, &in); /* no drift correction: an impact takes no time */
    in.only_closed = in.instant = true;
    if (crn_begin(&stage->assembly, &in) || crn_add_joint_rows(&stage->assembly, &in, 0.0) ||
        crn_add_contact_rows(&stage->assembly, &in))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "impact at t = %g: memory ran out", s->state.t);
    crn_finish(&stage->assembly, &in, law);
    return CAIRN_OK;
}

/* Restitution e of contact j, or 0 if it closes too slowly. *u_n receives its normal velocity before the impact. */
static double restitution_of(const cairn_simulation *s, const crn_stage *stage, int j, double *u_n)
{
    assert(j >= 0 && j < stage->assembly.problem.contact_count);
    const crn_contact *contact = &stage->assembly.active[j];
    const cairn_block_rows *H = &stage->assembly.problem.H;
    double e = contact->restitution;
    *u_n = crn_contact_rate(s, stage, j, 0, s->trial.v_old);
    int block = H->entry_start[j] < H->entry_start[j + 1] ? H->block[H->entry_start[j]] : -1;
    if (block >= s->layout->body_block_count)
        e = s->model->systems[block - s->layout->body_block_count].options.restitution;
    return *u_n < -s->settings.restitution_threshold && !s->trial.inelastic ? e : 0.0;
}

/* N s: the part of its compression impulse that contact j gives back. */
static double given_back(const cairn_simulation *s, const crn_stage *stage, int j)
{
    double u_n, e = restitution_of(s, stage, j, &u_n);
    return s->impact.share[j] * e * s->impact.r[j * stage->assembly.problem.dim];
}

/* ------------------------------------------------------------------------------------------------ Poisson's law */

/* p += H_n' impulse */
static void add_normal_impulse(const cairn_simulation *s, crn_stage *stage, int j, double impulse)
{
    cairn_problem *problem = &stage->assembly.problem;
    const cairn_block_rows *H = &problem->H;
    for (int k = H->entry_start[j]; k < H->entry_start[j + 1]; ++k)
    {
        int start = s->layout->block_start[H->block[k]];
        const double *row = H->value + H->value_start[k];
        for (int i = 0; i < s->layout->block_start[H->block[k] + 1] - start; ++i)
            problem->p[start + i] += impulse * row[i];
    }
}

/* Keep the contact impulses r, the joint impulses c and the velocity v of the compression, one after the other. The rows of rotors go on
 * from the rates that they have reached, u - c/a (rotors.c); other rows have no compliance in an impact. */
static cairn_status keep_compression(cairn_simulation *s, crn_stage *stage)
{
    cairn_problem *problem = &stage->assembly.problem;
    size_t rows = (size_t)(problem->dim * problem->contact_count), joints = (size_t)problem->joint_rows;
    if (crn_reserve_all(&s->memory, CRN_ARRAY(s->impact.r, rows + joints + (size_t)problem->n)))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "impact at t = %g: memory ran out", s->state.t);
    memcpy(s->impact.r, stage->solution.r, rows * sizeof(double));
    memcpy(s->impact.r + rows, stage->solution.c, joints * sizeof(double));
    for (int i = 0; i < problem->joint_rows; ++i)
        problem->b[i] -= problem->R_c[i] * stage->solution.c[i];
    memcpy(s->impact.r + rows + joints, stage->solution.v, (size_t)problem->n * sizeof(double));
    return CAIRN_OK;
}

/* Solve with the friction bound that follows from the sum of this phase's r_n and the impulses given back. */
static cairn_status solve_with_friction(cairn_simulation *s, crn_stage *stage, cairn_solver_report *report)
{
    cairn_problem *problem = &stage->assembly.problem;
    crn_assembly *assembly = &stage->assembly;
    if (crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->radius, problem->contact_count)))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "impact at t = %g: memory ran out", s->state.t);
    cairn_law law = problem->law;
    problem->law = (cairn_law){CAIRN_LAW_LAGGED, 0};
    problem->radius = assembly->radius;
    cairn_status status = CAIRN_OK;
    double change = INFINITY, most = 0;
    for (int pass = 0; pass < MOST_BOUNDS && status == CAIRN_OK && change > 1e-12 * most; ++pass)
    {
        change = most = 0;
        for (int j = 0; j < problem->contact_count; ++j)
        {
            double again = pass > 0 ? fmax(stage->solution.r[j * problem->dim], 0.0) : 0.0;
            double radius = problem->mu[j] * (given_back(s, stage, j) + again);
            change = pass > 0 ? fmax(change, fabs(radius - assembly->radius[j])) : INFINITY;
            most = fmax(most, radius);
            assembly->radius[j] = radius;
        }
        status = change > 0 ? crn_stage_solve(s, stage, report) : CAIRN_OK;
    }
    problem->law = law;
    problem->radius = NULL;
    return status;
}

/* Solve the decompression with each contact's share of restitution. On return, the impulses in the solution are the
 * totals of both phases. */
static cairn_status decompress(cairn_simulation *s, crn_stage *stage, cairn_solver_report *report)
{
    cairn_problem *problem = &stage->assembly.problem;
    int rows = problem->dim * problem->contact_count;
    crn_mass_times(&stage->assembly, s->layout, s->impact.r + rows + problem->joint_rows, problem->p);
    for (int j = 0; j < problem->contact_count; ++j)
        add_normal_impulse(s, stage, j, given_back(s, stage, j));
    bool friction = s->settings.impact == CAIRN_IMPACT_POISSON_FRICTION && problem->law.kind != CAIRN_LAW_FRICTIONLESS;
    cairn_status status = friction ? solve_with_friction(s, stage, report) : crn_stage_solve(s, stage, report);
    for (int j = 0; status == CAIRN_OK && j < problem->contact_count; ++j)
    {
        stage->solution.r[j * problem->dim] += given_back(s, stage, j);
        for (int k = 0; k < problem->dim; ++k)
            stage->solution.r[j * problem->dim + k] += s->impact.r[j * problem->dim + k];
    }
    for (int i = 0; status == CAIRN_OK && i < problem->joint_rows; ++i)
        stage->solution.c[i] += s->impact.r[rows + i];
    return status;
}

/* ------------------------------------------------------------------------------------------------- Newton's law */

static cairn_status reflect(cairn_simulation *s, crn_stage *stage, cairn_solver_report *report)
{
    cairn_problem *problem = &stage->assembly.problem;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        double u_n, e = restitution_of(s, stage, j, &u_n);
        problem->w[j * problem->dim] = stage->assembly.contact_drive[j][0] + s->impact.share[j] * e * fmin(u_n, 0.0);
    }
    return crn_stage_solve(s, stage, report);
}

/* ------------------------------------------------------------------------------------------------------ outcome */

static bool bounces(const cairn_simulation *s, const crn_stage *stage)
{
    for (int j = 0; j < stage->assembly.problem.contact_count; ++j)
    {
        double u_n;
        if (restitution_of(s, stage, j, &u_n) > 0)
            return true;
    }
    return false;
}

static cairn_status give_back(cairn_simulation *s, crn_stage *stage, cairn_solver_report *report)
{
    return (s->settings.impact == CAIRN_IMPACT_NEWTON ? reflect : decompress)(s, stage, report);
}

static void set_share(cairn_simulation *s, const cairn_island *island, double share)
{
    assert(share >= 0 && share <= 1);
    for (int i = 0; i < island->contact_count; ++i)
        s->impact.share[island->contact[i]] = share;
}

/* Solve with full restitution at all contacts. The number of islands is known only after this solve. */
static cairn_status give_back_in_full(cairn_simulation *s, crn_stage *stage, cairn_solver_report *report)
{
    int contacts = stage->assembly.problem.contact_count;
    cairn_status status = crn_reserve_all(&s->memory, CRN_ARRAY(s->impact.share, contacts));
    for (int j = 0; !status && j < contacts; ++j)
        s->impact.share[j] = 1.0;
    if (!status)
        CRN_TRY(give_back(s, stage, report));
    status = status
                 ? status
                 : crn_reserve_all(&s->memory, CRN_ARRAY(s->impact.bounce, cairn_solver_island_count(stage->solver)));
    return status ? crn_fail(s->context, CAIRN_NO_MEMORY, "impact at t = %g: memory ran out", s->state.t) : CAIRN_OK;
}

/* Bisect once the share of restitution of each island that creates energy. Pass 0 determines which islands do. Returns
 * false if there are none. */
static bool narrow(cairn_simulation *s, const crn_stage *stage, int pass)
{
    bool any = false;
    for (int k = 0; k < cairn_solver_island_count(stage->solver); ++k)
    {
        crn_bounce_share *b = &s->impact.bounce[k];
        cairn_island island = cairn_solver_island(stage->solver, k);
        double scale, work = crn_island_work(s, stage, &island, s->trial.v_old, &scale);
        if (pass == 0)
        {
            *b = (crn_bounce_share){.high = 1, .at = 1, .limited = work > 1e-9 * scale};
        }
        else
        {
            b->low = work > 0 ? b->low : b->at;
            b->high = work > 0 ? b->at : b->high;
        }
        any = any || b->limited;
        b->at = pass < MOST_SHARES ? 0.5 * (b->low + b->high) : b->low;
        if (b->limited)
            set_share(s, &island, b->at);
    }
    return any;
}

/* Set restitution to zero in the islands that still create energy. Returns false if there are none. */
static bool set_makers(cairn_simulation *s, const crn_stage *stage)
{
    bool any = false;
    for (int k = 0; k < cairn_solver_island_count(stage->solver); ++k)
    {
        cairn_island island = cairn_solver_island(stage->solver, k);
        double scale;
        if (crn_island_work(s, stage, &island, s->trial.v_old, &scale) > 1e-9 * scale)
        {
            set_share(s, &island, 0.0);
            any = true;
        }
    }
    return any;
}

/* Solve with full restitution. Where that creates energy, use the largest share that creates none and set *limited.
 * Islands are independent of each other. */
static cairn_status limit_restitution(cairn_simulation *s, crn_stage *stage, bool *limited, cairn_solver_report *report)
{
    CRN_TRY(give_back_in_full(s, stage, report));
    *limited = narrow(s, stage, 0);
    if (!*limited)
        return CAIRN_OK;
    for (int pass = 1; pass <= MOST_SHARES; ++pass)
    {
        CRN_TRY(give_back(s, stage, report));
        narrow(s, stage, pass);
    }
    CRN_TRY(give_back(s, stage, report));
    /* Solutions with friction need not be unique, so the last one may differ from the one that was tried. */
    return set_makers(s, stage) ? give_back(s, stage, report) : CAIRN_OK;
}

/* Add one event per contact that was closing. */
static cairn_status list_events(cairn_simulation *s, const crn_stage *stage, bool limited)
{
    const cairn_problem *problem = &stage->assembly.problem;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        const crn_contact *contact = &stage->assembly.active[j];
        double u_n;
        restitution_of(s, stage, j, &u_n);
        cairn_event event = {
            .kind = CAIRN_EVENT_COLLISION, .time = s->state.t, .contact = contact->identity, .speed = u_n};
        event.a = crn_body_handle(s->model, contact->body_a);
        event.b = crn_body_handle(s->model, contact->body_b);
        event.impulse = stage->solution.r[j * problem->dim];
        event.energy_grew = limited;
        if (u_n < -1e-9 && event.impulse > 0 && crn_add_event(s, &event) != CAIRN_OK)
            return CAIRN_NO_MEMORY;
    }
    return CAIRN_OK;
}

static cairn_status begin(cairn_simulation *s, crn_stage *stage, cairn_law law)
{
    crn_frame_drive_now(&s->located.frame, s->layout);
    crn_copy_v(s->layout, s->state.v, s->trial.v_old);
    crn_rotors_at_state(s);
    return formulate(s, stage, law);
}

/* Make the solution's velocity that of the state, and book the work done. */
static cairn_status take_over(cairn_simulation *s, crn_stage *stage)
{
    for (int i = 0; i < stage->assembly.problem.n; ++i)
    {
        s->state.v[i] = stage->solution.v[i];
        s->trial.mean[i] = 0.5 * s->trial.v_old[i] + 0.5 * s->state.v[i];
    }
    stage->weight = 1.0;
    s->stage_count = 1;
    crn_book_work(s, 0.0);
    crn_close_balance(s);
    return crn_ledger_impact(s);
}

cairn_status crn_impact(cairn_simulation *s, cairn_law law, cairn_solver_report *report)
{
    crn_stage *stage = &s->stage[0];
    bool limited = false;
    CRN_TRY(begin(s, stage, law));
    if (s->settings.impact != CAIRN_IMPACT_NEWTON)
    {
        CRN_TRY(crn_stage_solve(s, stage, report));
        CRN_TRY(keep_compression(s, stage));
    }
    if (s->settings.impact == CAIRN_IMPACT_NEWTON || bounces(s, stage))
        CRN_TRY(limit_restitution(s, stage, &limited, report));
    CRN_TRY(take_over(s, stage));
    CRN_TRY(crn_remember_pressed(s, true));
    return list_events(s, stage, limited);
}
