/* Bounces of first-order schemes that would make energy.
 *
 * A contact that closes within the step at more than the threshold has w_n = e u_n-: Newton's law, which with friction or at
 * several contacts at once can leave the bodies with more energy than they had. Contacts do the work
 *
 *     W = sum_j r_j . (u_j(v-) + u_j(v+))/2
 *
 * on the bodies of an island, driven ones counted as moving; limits of joints count like contacts, motors not at all. Pushing out
 * of overlaps aside, W must not be positive. Where it
 * is, the share s <= 1 of restitution, w_n = s e u_n-, is reduced for the island until it is not; W(0) never is. W is
 * continuous in s and W(0) <= 0 < W(1), so that a few steps of a bracketed secant do.
 */
#include "base/memory.h"
#include "math/secant.h"
#include "step/simulation.h"

#include <math.h>

enum
{
    MOST_SHARES = 8
};

/* m/s: the bias e u_n- of a contact that bounces in the step; 0 of all others. */
static double bounce_of(const cairn_simulation *s, const crn_stage *stage, int j)
{
    const crn_assembly *assembly = &stage->assembly;
    const crn_contact *contact = &assembly->active[j];
    if (contact->body_a < 0 || assembly->element[j] >= 0 || !(contact->restitution > 0))
        return 0.0;
    double u_n = crn_contact_rate(s, stage, j, 0, s->state.v);
    bool closes = contact->gap + stage->h * u_n < 0 && u_n < -s->settings.restitution_threshold && !s->trial.inelastic;
    return closes ? contact->restitution * u_n : 0.0; /* as crn_normal_bias has it */
}

double crn_island_work(const cairn_simulation *s, const crn_stage *stage, const cairn_island *island,
                       const double *v_before, double *scale)
{
    int dim = stage->assembly.problem.dim;
    double work = 0;
    *scale = 0;
    for (int i = 0; i < dim * island->contact_count; ++i)
    {
        int j = island->contact[i / dim], k = i % dim;
        const crn_bounded_row *row = crn_bounded_of(&stage->assembly, j);
        if (row && row->drives)
            continue;
        double r = stage->solution.r[j * dim + k], before = crn_contact_rate(s, stage, j, k, v_before),
               after = crn_contact_rate(s, stage, j, k, stage->solution.v);
        work += 0.5 * r * (before + after);
        *scale += 0.5 * fabs(r) * (fabs(before) + fabs(after));
    }
    return work;
}

/* J: W of an island in the step, less what pushing out explains. */
static double work_of(const cairn_simulation *s, const crn_stage *stage, const cairn_island *island, double *scale)
{
    double work = crn_island_work(s, stage, island, s->state.v, scale);
    for (int i = 0; i < island->contact_count; ++i)
    {
        int j = island->contact[i];
        double out = fmax(-stage->assembly.active[j].gap, 0.0) / stage->h;
        work -= stage->solution.r[j * stage->assembly.problem.dim] * out;
    }
    return work;
}

static bool bounces(const cairn_simulation *s, const crn_stage *stage, const cairn_island *island)
{
    for (int i = 0; i < island->contact_count; ++i)
        if (bounce_of(s, stage, island->contact[i]) < 0)
            return true;
    return false;
}

static void set_share(const cairn_simulation *s, crn_stage *stage, const cairn_island *island, double share)
{
    cairn_problem *problem = &stage->assembly.problem;
    for (int i = 0; i < island->contact_count; ++i)
    {
        int j = island->contact[i];
        double bias = bounce_of(s, stage, j);
        if (bias < 0)
            problem->w[j * problem->dim] = stage->assembly.contact_drive[j][0] + share * bias;
    }
}

/* The islands whose bounces make energy, with their brackets; false: none. */
static bool find_limited(const cairn_simulation *s, const crn_stage *stage, int count)
{
    bool any = false;
    for (int k = 0; k < count; ++k)
    {
        cairn_island island = cairn_solver_island(stage->solver, k);
        double scale = 0, work = bounces(s, stage, &island) ? work_of(s, stage, &island, &scale) : 0.0;
        s->impact.bounce[k] = (crn_bounce_share){.high = 1, .work_high = work, .limited = work > 1e-9 * scale};
        any = any || s->impact.bounce[k].limited;
    }
    return any;
}

static double next_share(const crn_bounce_share *b)
{
    return crn_secant(b->low, b->work_low, b->high, b->work_high, 0.05);
}

/* Solve with each limited island at its next share (first: none at all; last: the largest that makes no energy). */
static cairn_status try_shares(cairn_simulation *s, crn_stage *stage, int count, int pass, cairn_solver_report *report)
{
    for (int k = 0; k < count; ++k)
    {
        crn_bounce_share *b = &s->impact.bounce[k];
        cairn_island island = cairn_solver_island(stage->solver, k);
        b->at = pass == 0 ? 0.0 : pass == MOST_SHARES ? b->low : next_share(b);
        if (b->limited)
            set_share(s, stage, &island, b->at);
    }
    return crn_stage_solve(s, stage, report);
}

cairn_status crn_limit_bounces(cairn_simulation *s, crn_stage *stage, cairn_solver_report *report)
{
    int count = cairn_solver_island_count(stage->solver);
    if (crn_reserve(&s->impact.bounce, &s->impact.bounce_capacity, (size_t)count + 1, sizeof *s->impact.bounce))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "step at t = %g: memory ran out", s->state.t);
    if (!find_limited(s, stage, count))
        return CAIRN_OK;
    cairn_status status = CAIRN_OK;
    for (int pass = 0; pass <= MOST_SHARES && status == CAIRN_OK; ++pass)
    {
        status = try_shares(s, stage, count, pass, report);
        int now = status ? 0 : cairn_solver_island_count(stage->solver);
        for (int k = 0; k < now && k < count && pass < MOST_SHARES; ++k)
        {
            crn_bounce_share *b = &s->impact.bounce[k];
            cairn_island island = cairn_solver_island(stage->solver, k);
            double scale, work = work_of(s, stage, &island, &scale);
            bool makes = work > 0 && pass > 0;
            b->high = makes ? b->at : b->high;
            b->work_high = makes ? work : b->work_high;
            b->low = makes ? b->low : b->at;
            b->work_low = makes ? b->work_low : fmin(work, 0.0);
        }
    }
    return status;
}
