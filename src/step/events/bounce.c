/* Limits restitution in first-order schemes so that bounces do not create energy.
 *
 * A contact that closes within the step faster than the threshold gets the bias w_n = e u_n-. This is Newton's law of
 * impact. With friction, or with several simultaneous contacts, it can leave the bodies with more energy than they had.
 * The contacts of an island do the work
 *
 *     W = sum_j r_j . (u_j(v-) + u_j(v+))/2
 *
 * on its bodies. The motion of driven bodies is included in u_j. Joint limits count like contacts; motors do not count.
 * Apart from the work of pushing out overlaps, W must not be positive. If it is, the restitution of the whole island is
 * scaled by a factor s <= 1, w_n = s e u_n-, and s is reduced until W is no longer positive. W is continuous in s and
 * W(0) <= 0 < W(1), so a few steps of a bracketed secant method suffice.
 *
 * Joints take part: their rows turn from step to step, so v- does not quite satisfy those of this step, G v- = O(h), and they do the work c (G v- - G v+)/2
 * besides that of correcting drift. The large impulses c of a bounce would create energy by it. Without a bounce this work belongs to how the
 * scheme moves along the joints: of it, what W(0) has is granted.
 */
#include "linalg/blocks.h"
#include "math/secant.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>

enum
{
    MOST_SHARES = 8
};

/* m/s: the bias e u_n- of a contact that bounces in this step; 0 for all other contacts. */
static double bounce_of(const cairn_simulation *s, const crn_stage *stage, int j)
{
    const crn_assembly *assembly = &stage->assembly;
    const crn_contact *contact = &assembly->active[j];
    if (contact->body_a < 0 || assembly->element[j] >= 0 || !(contact->restitution > 0))
        return 0.0;
    double u_n = crn_contact_rate(s, stage, j, 0, s->state.v);
    bool closes = contact->gap + stage->h * u_n < 0 && u_n < -s->settings.restitution_threshold && !s->trial.inelastic;
    return closes ? contact->restitution * u_n : 0.0; /* same as in crn_normal_bias */
}

double crn_island_work(const cairn_simulation *s, const crn_stage *stage, const cairn_island *island,
                       const double *v_before, double *scale)
{
    assert(island->contact_count >= 0);
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

/* m/s: how fast a contact is asked to open because it overlaps. One that bounces is asked for nothing but its restitution, and without stabilisation `gap` nobody is. */
static double push_of(const cairn_simulation *s, const crn_stage *stage, int j)
{
    const crn_assembly *assembly = &stage->assembly;
    double out = fmax(-assembly->active[j].gap, 0.0) / stage->h;
    if (assembly->active[j].body_a < 0 || assembly->element[j] >= 0)
        return out;
    double asked = assembly->contact_drive[j][0] - assembly->problem.w[j * assembly->problem.dim];
    return bounce_of(s, stage, j) < 0 ? 0.0 : fmin(out, fmax(asked, 0.0));
}

/* J: the work of an island's rigid joints, minus that of correcting their drift. */
static double joint_work(const cairn_simulation *s, const crn_stage *stage, const cairn_island *island)
{
    const cairn_problem *problem = &stage->assembly.problem;
    double work = 0;
    for (int i = 0; i < island->joint_count; ++i)
    {
        int joint = island->joint[i], first = problem->G.row_start[joint];
        for (int row = first; row < problem->G.row_start[joint + 1]; ++row)
        {
            double before = crn_row_times(problem, &problem->G, joint, row - first, s->state.v),
                   after = crn_row_times(problem, &problem->G, joint, row - first, stage->solution.v);
            work += problem->R_c[row] > 0 ? 0.0 : 0.5 * stage->solution.c[row] * (before - after);
        }
    }
    return work;
}

/* J: the work W of an island in this step, minus the work of pushing out overlaps. */
static double work_of(const cairn_simulation *s, const crn_stage *stage, const cairn_island *island, double *scale)
{
    double work = crn_island_work(s, stage, island, s->state.v, scale) + joint_work(s, stage, island);
    for (int i = 0; i < island->contact_count; ++i)
    {
        int j = island->contact[i];
        work -= stage->solution.r[j * stage->assembly.problem.dim] * push_of(s, stage, j);
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

/* Find the islands whose bounces create energy and initialise their brackets. Returns false if there are none. */
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
    if (b->low == b->high)
        return b->low;
    return crn_secant(b->low, b->work_low, b->high, b->work_high, 0.05);
}

/* Begin the bracket with the work W(0). */
static void grant(crn_bounce_share *b, double work)
{
    b->granted = fmax(work, 0.0);
    b->low = 0.0;
    b->work_low = fmin(work, 0.0);
    b->work_high -= b->granted;
    if (b->work_high <= 0.0) /* the bounce adds none */
        b->low = b->high;
}

static void narrow(crn_bounce_share *b, double excess)
{
    bool makes = excess > 0;
    b->high = makes ? b->at : b->high;
    b->work_high = makes ? excess : b->work_high;
    b->low = makes ? b->low : b->at;
    b->work_low = makes ? b->work_low : excess;
}

/* Solve with each limited island at its next share of restitution. The first pass uses no restitution; the last pass
 * uses the largest share found that creates no energy. */
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

/* Narrow the brackets by the solution of a pass. Returns whether any is still open. */
static bool judge_shares(cairn_simulation *s, const crn_stage *stage, int count, int pass)
{
    bool open = false;
    for (int k = 0; k < cairn_solver_island_count(stage->solver) && k < count; ++k)
    {
        crn_bounce_share *b = &s->impact.bounce[k];
        cairn_island island = cairn_solver_island(stage->solver, k);
        double scale, work = work_of(s, stage, &island, &scale);
        if (pass == 0)
            grant(b, work);
        else
            narrow(b, work - b->granted);
        open = open || (b->limited && b->low < b->high);
    }
    return open;
}

cairn_status crn_limit_bounces(cairn_simulation *s, crn_stage *stage, cairn_solver_report *report)
{
    int count = cairn_solver_island_count(stage->solver);
    if (crn_reserve_all(&s->memory, CRN_ARRAY(s->impact.bounce, count)))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "step at t = %g: memory ran out", s->state.t);
    if (!find_limited(s, stage, count))
        return CAIRN_OK;
    bool open = true;
    for (int pass = 0; pass < MOST_SHARES && open; ++pass)
    {
        CRN_TRY(try_shares(s, stage, count, pass, report));
        open = judge_shares(s, stage, count, pass);
    }
    return try_shares(s, stage, count, MOST_SHARES, report);
}
