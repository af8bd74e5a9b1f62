/* How well a claimed solution (v, c, r) of a one-step problem holds, from the problem's data alone: residuals of the dynamics
 * and of the joints, and the natural map of every contact and bounded row (natural_map.h), all as velocities. Each island's
 * largest residual is divided by its scale (scale.c); the worst quotient is the relative certificate.
 */
#include "solve/certify/certify.h"

#include "linalg/blocks.h"
#include "solve/auto/bounded.h"
#include "solve/auto/lengths.h"
#include "solve/auto/problem_check.h"
#include "solve/certify/certifier.h"
#include "solve/certify/fours.h"
#include "solve/certify/natural_map.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void note_residual(crn_certifier *work, int node, double residual)
{
    assert(!(residual < 0.0));
    double *worst = work->island_worst + crn_certifier_island_of(work, node);
    *worst = crn_larger(*worst, residual);
}

/* A v - p of the blocks. */
static void start_dynamics(crn_certifier *work, const cairn_problem *problem, const double *v)
{
    assert(problem->A.block_count == problem->block_count);
    const cairn_block_matrix *A = &problem->A;
    for (int i = 0; i < problem->block_count; ++i)
    {
        int first = problem->block_start[i];
        int size = problem->block_start[i + 1] - first;
        bool diagonal = A->row_start[i + 1] - A->row_start[i] == 1 && work->D.lead[i] == size;
        const double *value = A->value + A->value_start[A->row_start[i]];
        for (int k = first; k < first + size; ++k)
            work->dynamics[k] = -(long double)problem->p[k];
        for (int k = first; k < first + size && diagonal; ++k, value += size + 1)
            work->dynamics[k] += (long double)*value * v[k];
        for (int e = A->row_start[i]; e < A->row_start[i + 1] && !diagonal; ++e)
        {
            int start = problem->block_start[A->column[e]];
            crn_block_add(size, problem->block_start[A->column[e] + 1] - start, A->value + A->value_start[e], 1.0,
                          v + start, work->dynamics + first);
        }
    }
}

/* x = A^-1 x, or D^-1 x where A does not couple blocks or has no factors. */
static void solve_bodies(crn_certifier *work, const cairn_problem *problem, double *x)
{
    assert(work->regular);
    if (work->coupled)
    {
        crn_saddle_solve(work->saddle, x, NULL);
        return;
    }
    for (int i = 0; i < problem->block_count; ++i)
        crn_inverses_apply(&work->D, i, x + problem->block_start[i], x + problem->block_start[i]);
}

/* A v - p - G' c - H' r of a solution. */
static void find_dynamics(crn_certifier *work, const cairn_problem *problem, const cairn_solution *solution)
{
    start_dynamics(work, problem, solution->v);
    crn_rows_transposed_add(&problem->G, problem->block_start, -1.0, solution->c, work->dynamics);
    crn_rows_transposed_add(&problem->H, problem->block_start, -1.0, solution->r, work->dynamics);
}

/* v = D^-1 (p + H'r), and the same residual for it. */
static void follow_impulses(crn_certifier *work, const cairn_problem *problem, cairn_solution *solution)
{
    assert(!work->coupled && problem->joint_rows == 0);
    for (int k = 0; k < problem->n; ++k)
        work->dynamics[k] = -(long double)problem->p[k];
    crn_rows_transposed_add(&problem->H, problem->block_start, -1.0, solution->r, work->dynamics);
    for (int k = 0; k < problem->n; ++k)
        solution->v[k] = -(double)work->dynamics[k];
    solve_bodies(work, problem, solution->v);
    crn_matrix_add(&problem->A, problem->block_start, solution->v, work->dynamics);
}

/* The largest length times |A^-1 (A v - p - G' c - H' r)|: how far v is from the velocity that the impulses cause. */
static double dynamics_residual(crn_certifier *work, const cairn_problem *problem)
{
    double worst = 0.0;
    for (int k = 0; k < problem->n && !work->plain; ++k)
        work->column[k] = (double)work->dynamics[k];
    solve_bodies(work, problem, work->column);
    for (int i = 0; i < problem->block_count; ++i)
    {
        double own = 0.0;
        for (int k = problem->block_start[i]; k < problem->block_start[i + 1]; ++k)
            own = crn_larger(own, crn_length(problem, k) * fabs(work->column[k]));
        note_residual(work, i, own);
        worst = crn_larger(worst, own);
    }
    return worst;
}

/* G v + R_c c - b of a solution. */
static void find_joint_rates(crn_certifier *work, const cairn_problem *problem, const cairn_solution *solution)
{
    for (int i = 0; i < problem->joint_rows; ++i)
        work->joint[i] = (long double)problem->R_c[i] * solution->c[i] - problem->b[i];
    crn_rows_add(&problem->G, problem->block_start, 1.0, solution->v, work->joint);
}

/* |G v + R_c c - b| of one row. */
static double rate_left(const crn_certifier *work, int row)
{
    return work->plain ? fabs(work->rate[row]) : (double)fabsl(work->joint[row]);
}

static double joint_residual(crn_certifier *work, const cairn_problem *problem, const cairn_solution *solution)
{
    double worst = 0.0;
    if (!work->plain)
        find_joint_rates(work, problem, solution);
    for (int i = 0; i < problem->G.item_count; ++i)
    {
        double own = 0.0;
        for (int row = problem->G.row_start[i]; row < problem->G.row_start[i + 1]; ++row)
            own = crn_larger(own, crn_joint_length(problem, row) * rate_left(work, row));
        note_residual(work, problem->block_count + i, own);
        worst = crn_larger(worst, own);
    }
    return worst;
}

/* What contact or bounded row j leaves of its law. */
static void note_law(crn_certifier *work, const cairn_problem *problem, int j, crn_law_residual residual,
                     cairn_certificate *certificate)
{
    assert(j >= 0 && j < problem->contact_count);
    if (certificate->worst_contact < 0 || !(residual.natural_map <= certificate->natural_map))
        certificate->worst_contact = j;
    note_residual(work, problem->block_count + problem->G.item_count + j, residual.natural_map);
    certificate->natural_map = crn_larger(certificate->natural_map, residual.natural_map);
    certificate->impulse_outside = crn_larger(certificate->impulse_outside, residual.outside);
    certificate->complementarity = crn_larger(certificate->complementarity, residual.complementarity);
    if (!crn_is_row(problem, j))
    {
        double approach = -(double)work->u[j * problem->dim];
        certificate->penetration_speed = crn_larger(certificate->penetration_speed, approach);
    }
}

static void judge_item(crn_certifier *work, const cairn_problem *problem, const cairn_solution *solution, int j,
                       cairn_certificate *certificate)
{
    double rho = crn_is_row(problem, j) ? work->mass[j] : crn_certifier_mass(work, problem, j);
    note_law(work, problem, j, crn_law_residual_of(problem, j, solution->r, work->u, rho), certificate);
}

/* Up to four contacts from `first` on, where the velocities were found in double. */
static void judge_four(crn_certifier *work, const cairn_problem *problem, const cairn_solution *solution, int first,
                       cairn_certificate *certificate)
{
    crn_law_residual residual[4];
    crn_fours_judge(work, problem, first, solution->r, work->velocity, residual);
    for (int j = first; j < first + 4 && j < problem->contact_count; ++j)
        note_law(work, problem, j, residual[j - first], certificate);
}

/* A solution with a number that is not finite satisfies nothing. */
static void judge_not_finite(const cairn_problem *problem, const cairn_solution *solution,
                             cairn_certificate *certificate)
{
    certificate->natural_map = certificate->impulse_outside = INFINITY;
    certificate->penetration_speed = certificate->complementarity = INFINITY;
    certificate->joint = certificate->dynamics = certificate->relative = INFINITY;
    for (int j = problem->contact_count - 1; j >= 0; --j)
        if (!crn_numbers_finite(solution->r + j * problem->dim, problem->dim))
            certificate->worst_contact = j;
}

/* Judge a solution whose dynamics have been found. */
static void judge(crn_certifier *certifier, const cairn_problem *problem, const cairn_solution *solution,
                  cairn_certificate *certificate)
{
    memset(certifier->island_worst, 0, (size_t)crn_certifier_island_count(certifier) * sizeof(double));
    certificate->dynamics = dynamics_residual(certifier, problem);
    certificate->joint = joint_residual(certifier, problem, solution);
    if (!certifier->plain)
        crn_contact_velocities(problem, solution->v, solution->r, certifier->u);
    bool fours = certifier->plain && crn_fours_apply(problem);
    for (int j = 0; j < problem->contact_count; j += fours ? 4 : 1)
        (fours ? judge_four : judge_item)(certifier, problem, solution, j, certificate);
    for (int k = 0; k < crn_certifier_island_count(certifier); ++k)
    {
        double relative = certifier->island_worst[k] / certifier->island_scale[k];
        certificate->relative = crn_larger(certificate->relative, relative);
    }
}

bool crn_certifier_judge_impulses(crn_certifier *certifier, const cairn_problem *problem, cairn_solution *solution,
                                  cairn_certificate *certificate)
{
    if (!certifier->regular || certifier->coupled || problem->joint_rows > 0 || certifier->plain)
        return false;
    *certificate = (cairn_certificate){.scale = certifier->scale, .worst_contact = -1};
    follow_impulses(certifier, problem, solution);
    if (crn_numbers_finite(solution->r, solution->contact_rows) && crn_numbers_finite(solution->v, solution->n))
        judge(certifier, problem, solution, certificate);
    else
        judge_not_finite(problem, solution, certificate);
    return true;
}

void crn_certifier_judge(crn_certifier *certifier, const cairn_problem *problem, const cairn_solution *solution,
                         cairn_certificate *certificate)
{
    assert(!certifier->regular || certifier->scale > 0.0);
    assert(solution->n == problem->n && solution->joint_rows == problem->joint_rows);
    assert(solution->contact_rows == problem->dim * problem->contact_count);
    *certificate = (cairn_certificate){.scale = certifier->scale, .worst_contact = -1};
    if (!certifier->regular || !crn_numbers_finite(solution->v, solution->n) ||
        !crn_numbers_finite(solution->c, solution->joint_rows) ||
        !crn_numbers_finite(solution->r, solution->contact_rows))
    {
        judge_not_finite(problem, solution, certificate);
        return;
    }
    if (certifier->plain)
        crn_certifier_find_plain(certifier, problem, solution);
    else
        find_dynamics(certifier, problem, solution);
    judge(certifier, problem, solution, certificate);
}

cairn_status crn_certify(crn_certifier *certifier, const cairn_problem *problem, const cairn_solution *solution,
                         cairn_certificate *certificate)
{
    cairn_status status = crn_certifier_prepare(certifier, problem, NULL);
    *certificate = (cairn_certificate){.worst_contact = -1};
    if (!status)
        crn_certifier_judge(certifier, problem, solution, certificate);
    return status;
}

cairn_status cairn_certify(const cairn_problem *problem, const cairn_solution *solution, cairn_certificate *certificate)
{
    if (!problem || !solution || !certificate)
        return CAIRN_INVALID;
    crn_islands islands = {0};
    crn_certifier *certifier = crn_certifier_create();
    cairn_status status = certifier ? crn_islands_find(&islands, problem) : CAIRN_NO_MEMORY;
    status = status ? status : crn_certifier_prepare(certifier, problem, &islands);
    *certificate = (cairn_certificate){.worst_contact = -1};
    if (!status)
        crn_certifier_judge(certifier, problem, solution, certificate);
    crn_certifier_destroy(certifier);
    crn_islands_release(&islands);
    return status;
}
