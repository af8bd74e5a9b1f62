/* An impact (paper 1, sections 7.3 and 7.4): impulses in no time, positions fixed.
 *
 *     compression     M (vc - v-) = G'c + H'r,           0 <= n'vc _|_ r_n >= 0, friction and joints at vc
 *     decompression   M (v+ - vc) = G'c + H'r + F,       F = sum e_j n_j r_n,j of the compression; the same laws at v+
 *
 * Each is the one-step problem of the state with h = 0: A = M, p = M v (+ F), w = the motion of driven bodies. Newton's law
 * is one problem, with w_n = e u_n-. Contacts that close slower than the threshold do not bounce.
 */
#include "base/memory.h"
#include "step/simulation.h"

#include <math.h>
#include <string.h>

static cairn_status formulate(cairn_simulation *s, crn_stage *stage)
{
    crn_input in = crn_stage_input(s, stage, 1.0);
    in.frame = &s->frame;
    in.contacts = s->contacts;
    in.contact_count = s->contact_count;
    cairn_status status = crn_list_closed(s, INFINITY, 1.0, &in); /* no correction of drift: there is no time for it */
    in.only_closed = true;
    if (status != CAIRN_OK)
    {
        return status;
    }
    crn_begin(&stage->assembly, &in);
    if (crn_add_joint_rows(&stage->assembly, &in, 0.0) || crn_add_contact_rows(&stage->assembly, &in))
    {
        return crn_fail(s->context, CAIRN_NO_MEMORY, "impact at t = %g: memory ran out", s->t);
    }
    crn_finish(&stage->assembly, &in, s->settings.law);
    return CAIRN_OK;
}

/* e of contact j, 0 when it closes too slowly; its normal velocity before the impact in *u_n. */
static double restitution_of(const cairn_simulation *s, const crn_stage *stage, int j, const double *v, double *u_n)
{
    const crn_contact *contact = &stage->assembly.active[j];
    const cairn_block_rows *H = &stage->assembly.problem.H;
    double e = contact->restitution;
    *u_n = crn_contact_rate(s, stage, j, 0, v);
    int block = H->entry_start[j] < H->entry_start[j + 1] ? H->block[H->entry_start[j]] : -1;
    if (block >= s->layout->body_block_count)
    {
        e = s->model->systems[block - s->layout->body_block_count].options.restitution;
    }
    return *u_n < -s->settings.restitution_threshold ? e : 0.0;
}

/* p += H_n' e r_n */
static void add_restitution(const cairn_simulation *s, crn_stage *stage, int j, double impulse)
{
    cairn_problem *problem = &stage->assembly.problem;
    const cairn_block_rows *H = &problem->H;
    for (int k = H->entry_start[j]; k < H->entry_start[j + 1]; ++k)
    {
        int start = s->layout->block_start[H->block[k]];
        const double *row = H->value + H->value_start[k];
        for (int i = 0; i < s->layout->block_start[H->block[k] + 1] - start; ++i)
        {
            problem->p[start + i] += impulse * row[i];
        }
    }
}

/* Decompression, when any contact gives something back. On return the solution's impulses are those of both phases. */
static cairn_status decompress(cairn_simulation *s, crn_stage *stage, const double *v_before,
                               cairn_solver_report *report)
{
    cairn_problem *problem = &stage->assembly.problem;
    int rows = problem->dim * problem->contact_count;
    size_t total = (size_t)(rows + problem->joint_rows);
    if (crn_reserve(&s->impact_r, &s->impact_r_capacity, total + 1, sizeof(double)))
    {
        return crn_fail(s->context, CAIRN_NO_MEMORY, "impact at t = %g: memory ran out", s->t);
    }
    bool any = false;
    crn_mass_times(&stage->assembly, s->layout, stage->solution.v, problem->p);
    for (int i = 0; i < rows; ++i)
    {
        s->impact_r[i] = stage->solution.r[i];
    }
    for (int i = 0; i < problem->joint_rows; ++i)
    {
        s->impact_r[rows + i] = stage->solution.c[i];
    }
    for (int j = 0; j < problem->contact_count; ++j)
    {
        double u_n, e = restitution_of(s, stage, j, v_before, &u_n);
        double back = e * stage->solution.r[j * problem->dim];
        add_restitution(s, stage, j, back);
        s->impact_r[j * problem->dim] += back;
        any = any || back > 0;
    }
    if (!any)
    {
        return CAIRN_OK;
    }
    cairn_status status = crn_stage_solve(s, stage, report);
    for (int i = 0; status == CAIRN_OK && i < rows; ++i)
    {
        stage->solution.r[i] += s->impact_r[i];
    }
    for (int i = 0; status == CAIRN_OK && i < problem->joint_rows; ++i)
    {
        stage->solution.c[i] += s->impact_r[rows + i];
    }
    return status;
}

/* One event for each contact that was closing. */
static cairn_status list_events(cairn_simulation *s, const crn_stage *stage, const double *v_before, bool grew)
{
    const cairn_problem *problem = &stage->assembly.problem;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        const crn_contact *contact = &stage->assembly.active[j];
        double u_n;
        restitution_of(s, stage, j, v_before, &u_n);
        cairn_event event = {.kind = CAIRN_EVENT_COLLISION, .time = s->t, .contact = contact->identity, .speed = u_n};
        event.a.id = contact->body_a + 1;
        event.b.id = contact->body_b + 1;
        event.impulse = stage->solution.r[j * problem->dim];
        event.energy_grew = grew;
        if (u_n < -1e-9 && event.impulse > 0 && crn_add_event(s, &event) != CAIRN_OK)
        {
            return CAIRN_NO_MEMORY;
        }
    }
    return CAIRN_OK;
}

cairn_status crn_impact(cairn_simulation *s, cairn_solver_report *report)
{
    crn_stage *stage = &s->stage[0];
    crn_frame_drive_now(&s->frame, s->layout);
    cairn_status status = formulate(s, stage);
    if (status != CAIRN_OK)
    {
        return status;
    }
    int n = stage->assembly.problem.n;
    memcpy(s->v_old, s->v, (size_t)n * sizeof(double));
    if (s->settings.impact == CAIRN_IMPACT_NEWTON)
    {
        for (int j = 0; j < stage->assembly.problem.contact_count; ++j)
        {
            double u_n, e = restitution_of(s, stage, j, s->v, &u_n);
            stage->assembly.problem.w[j * stage->assembly.problem.dim] += e * fmin(u_n, 0.0);
        }
    }
    double before = crn_kinetic(s);
    status = crn_stage_solve(s, stage, report);
    if (status == CAIRN_OK && s->settings.impact == CAIRN_IMPACT_POISSON)
    {
        status = decompress(s, stage, s->v_old, report);
    }
    if (status != CAIRN_OK)
    {
        return status;
    }
    for (int i = 0; i < n; ++i)
    {
        s->v[i] = stage->solution.v[i];
        s->mean[i] = 0.5 * s->v_old[i] + 0.5 * s->v[i];
    }
    stage->weight = 1.0;
    s->stage_count = 1;
    crn_book_work(s, 0.0);
    crn_close_balance(s);
    status = crn_ledger_impact(s);
    status = status ? status : crn_remember_pressed(s, s->v);
    return status ? status : list_events(s, stage, s->v_old, s->energy.kinetic > before * (1 + 1e-9));
}
