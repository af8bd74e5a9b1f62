/* Forces of contacts at rest, from a guess that nearly holds.
 *
 * Sweeps bring the error of a warm start just below the tolerance, and what is left of it acts again in every later step: the
 * velocities grow in proportion to the number k of steps, the gaps with its square, until a few steps later the warm start
 * misses the tolerance and the same slow modes have to be swept once more. But a stack at rest is no complementarity problem:
 * as long as every contact either sticks (u = 0) or carries nothing, the impulses solve a linear system, and its solution is
 * accurate to rounding. An error e of that size needs k = sqrt(2 tolerance / e) steps to reach the tolerance; with 1e-9 and
 * 1e-15 these are more than a thousand, in which the warm start is the answer.
 *
 * Redundant contacts make the system singular, so it is solved by the method of multipliers, which leaves the part of r that
 * moves no body as it is. With the penalty g = PENALTY times the mass of each contact, over the rows that hold,
 *
 *     (A + H'g H) v - G'c = p + H'(r - g w),    G v + R_c c = b,    u = H v + w,    r <- r - g u .
 *
 * The right side is formed from what is left of the equations at the present v and c. Each pass divides the error of a mode by 1 + PENALTY lambda, lambda its share of the contacts' own mobility, and v is that of
 * the new r: A v = p + G'c + H'(r - g u). Contacts that would have to pull are let go and contacts that would close are added,
 * a few times. Whatever comes out of it is judged by the certificate like any other solution.
 */
#include "solve/hold/hold.h"

#include "linalg/blocks.h"
#include "solve/auto/bounded.h"
#include "solve/auto/laws.h"
#include "solve/hold/hold_system.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SLIPS = -1, /* in the place of a number of rows */
    PASSES = 3,
    ROUNDS = 4 /* changes of the set of contacts that hold */
};
static const double PENALTY = 1e6;
static const double SLIDES = 1.0 - 1e-9; /* share of the bound of friction from which a contact slides */
static const double SETTLED = 1e-15;     /* of the scale: speeds at which further passes gain nothing */
static const double LEFT = 0.25;         /* of the tolerance: gaps, as speeds that would close them, that are left */
static const double CLOSES = 0.1; /* of the tolerance: the speed at which a contact that carries nothing is added */

typedef struct hold
{
    crn_hold_system system;
    int *held;                 /* per item: its rows that hold, the first ones; or SLIPS */
    bool *backed;              /* per block: a contact holds it */
    double *penalty;           /* per item */
    double *slack;             /* per row: the part of w that is left as it is */
    double *x;                 /* r - g u */
    double *dv, *dc;           /* changes of v and c */
    long double *load, *joint; /* p - A v + G'c and b - G v - R_c c */
    long double *u;            /* H v + w - slack */
    long double *right;        /* work */
    crn_arena memory;
} hold;

static void destroy(void *workspace)
{
    hold *work = workspace;
    if (!work)
        return;
    crn_hold_system_close(&work->system);
    crn_arena_release(&work->memory);
    free(work);
}

static void *create(void)
{
    hold *work = calloc(1, sizeof(hold));
    if (work && !crn_hold_system_open(&work->system))
    {
        free(work);
        return NULL;
    }
    return work;
}

static bool can_solve(const cairn_problem *problem)
{
    return problem->patch_count == 0 && problem->block_count > 0;
}

/* ----------------------------------------------------------------------------------------------------------- modes */

static double friction_bound(const cairn_problem *problem, int j, const double *r)
{
    const crn_law_class *law = crn_law_of(problem);
    return law->is_frictionless ? 0.0 : law->has_radius ? problem->radius[j] : problem->mu[j] * r[0];
}

/* How many rows of an item hold at the impulses r. SLIPS: its impulse is at the bound of friction, and the item slides or is
 * about to. */
static int rows_that_hold(const cairn_problem *problem, int j, const double *r)
{
    const double *own = r + (size_t)j * (size_t)problem->dim;
    if (crn_is_row(problem, j))
    {
        crn_interval interval = crn_row_interval(problem, j, r);
        return own[0] > interval.lo && own[0] < interval.hi;
    }
    if (!(own[0] > 0.0))
        return 0;
    double bound = friction_bound(problem, j, own);
    double size = problem->dim == 3 ? hypot(own[1], own[2]) : fabs(own[1]);
    return bound == 0.0 && size == 0.0 ? 1 : size < SLIDES * bound ? problem->dim : SLIPS;
}

bool crn_hold_is_still(const cairn_problem *problem, const double *r, const double *change, double least)
{
    assert(least >= 0.0);
    bool still = true;
    for (int j = 0; j < problem->contact_count && still; ++j)
    {
        int rows = rows_that_hold(problem, j, r);
        rows = rows == SLIPS ? 1 : rows; /* the normal */
        for (int k = 0; k < rows && still; ++k)
            still = fabs(crn_row_times(problem, &problem->H, j, k, change)) <= least;
    }
    return still;
}

/* A contact that carries nothing but would close joins with all its rows. */
static int rows_that_would(const hold *work, const cairn_problem *problem, int j, double least)
{
    bool contact = !crn_is_row(problem, j);
    int row = j * problem->dim;
    bool closes = contact && work->u[row] + work->slack[row] < -least;
    bool rough = contact && !crn_law_of(problem)->is_frictionless && problem->mu[j] > 0.0;
    return closes ? rough ? problem->dim : 1 : 0;
}

/* Let go of contacts that pull, and add those that close. *same: there are none. False: a contact that held slips. */
static bool update_modes(hold *work, const cairn_problem *problem, double *r, double least, bool *same)
{
    *same = true;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        int rows = rows_that_hold(problem, j, r);
        if (work->held[j] == SLIPS)
            continue;
        if (rows == SLIPS)
            return false;
        if (work->held[j] > 0 && rows == 0)
            memset(r + (size_t)j * (size_t)problem->dim, 0, (size_t)problem->dim * sizeof(double));
        rows = work->held[j] == 0 ? rows_that_would(work, problem, j, least) : rows;
        *same = *same && rows == work->held[j];
        work->held[j] = rows;
    }
    return true;
}

/* Whether every block that a slipping contact touches has another contact that holds it. */
static bool is_backed(hold *work, const cairn_problem *problem)
{
    const cairn_block_rows *H = &problem->H;
    memset(work->backed, 0, (size_t)problem->block_count * sizeof(bool));
    for (int j = 0; j < problem->contact_count; ++j)
        for (int e = H->entry_start[j]; e < H->entry_start[j + 1] && work->held[j] > 0; ++e)
            work->backed[H->block[e]] = true;
    bool backed = true;
    for (int j = 0; j < problem->contact_count; ++j)
        for (int e = H->entry_start[j]; e < H->entry_start[j + 1] && work->held[j] == SLIPS; ++e)
            backed = backed && work->backed[H->block[e]];
    return backed;
}

/* Contacts at the bound of friction keep their impulse, or half of their friction where they are eased: the others take the
 * changes. False: something slides. */
static bool find_modes(hold *work, const cairn_problem *problem, bool eases, double *r)
{
    int dim = problem->dim;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        double *own = r + (size_t)j * (size_t)dim;
        work->held[j] = rows_that_hold(problem, j, r);
        if (work->held[j] == 0 && !crn_is_row(problem, j))
            memset(own, 0, (size_t)dim * sizeof(double));
        for (int k = 1; k < dim && eases && work->held[j] == SLIPS; ++k)
            own[k] *= 0.5;
        work->held[j] = eases && work->held[j] == SLIPS ? rows_that_hold(problem, j, r) : work->held[j];
    }
    return is_backed(work, problem);
}

/* Gaps of redundant contacts contradict each other a little: no velocity closes all of them. Where all are well below the
 * tolerance they are left as they are, and no body has to move. */
static void find_slack(hold *work, const cairn_problem *problem, double most)
{
    assert(most >= 0.0);
    double largest = 0.0;
    for (int j = 0; j < problem->contact_count; ++j)
        for (int k = 0; k < work->held[j]; ++k)
            largest = fmax(largest, fabs(problem->w[j * problem->dim + k]));
    for (int i = 0; i < problem->dim * problem->contact_count; ++i)
        work->slack[i] = largest <= most ? problem->w[i] : 0.0;
}

/* The mass that a contact moves, from the diagonals of A: only the size of the penalty depends on it. */
static void find_penalties(hold *work, const cairn_problem *problem)
{
    const cairn_block_rows *H = &problem->H;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        int rows = crn_item_rows(problem, j);
        double mobility = 0.0;
        for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
        {
            int size = problem->block_start[H->block[e] + 1] - problem->block_start[H->block[e]];
            const double *mass = crn_diagonal_block(&problem->A, H->block[e]);
            const double *value = H->value + H->value_start[e];
            for (int i = 0; i < rows * size; ++i)
                mobility += value[i] * value[i] / mass[(i % size) * (size + 1)];
        }
        double penalty = PENALTY * rows / mobility;
        work->penalty[j] = isfinite(penalty) && penalty > 0.0 ? penalty : 1.0;
    }
}

/* ----------------------------------------------------------------------------------------------------------- solve */

/* What is left of the equations at v = 0, c = 0. */
static void start(hold *work, const cairn_problem *problem, cairn_solution *solution)
{
    memset(solution->v, 0, (size_t)problem->n * sizeof(double));
    memset(solution->c, 0, (size_t)problem->joint_rows * sizeof(double));
    for (int i = 0; i < problem->n; ++i)
        work->load[i] = problem->p[i];
    for (int i = 0; i < problem->joint_rows; ++i)
        work->joint[i] = problem->b[i];
    for (int i = 0; i < solution->contact_rows; ++i)
        work->u[i] = problem->w[i] - work->slack[i];
}

/* Add changes of v and c, and take from the equations what they do. */
static void add_change(hold *work, const cairn_problem *problem, cairn_solution *solution)
{
    const double *dv = work->dv, *dc = work->dc;
    memset(work->right, 0, (size_t)problem->n * sizeof(long double));
    crn_matrix_add(&problem->A, problem->block_start, dv, work->right);
    for (int i = 0; i < problem->n; ++i)
    {
        solution->v[i] += dv[i];
        work->load[i] -= work->right[i];
    }
    crn_rows_transposed_add(&problem->G, problem->block_start, 1.0, dc, work->load);
    crn_rows_add(&problem->G, problem->block_start, -1.0, dv, work->joint);
    for (int i = 0; i < problem->joint_rows; ++i)
    {
        solution->c[i] += dc[i];
        work->joint[i] -= (long double)problem->R_c[i] * dc[i];
    }
    crn_rows_add(&problem->H, problem->block_start, 1.0, dv, work->u);
}

/* One pass; returns the largest speed of a row that holds. Sums are carried in long double and v by its changes, since the
 * penalty magnifies the rounding of both. */
static double pass(hold *work, const cairn_problem *problem, cairn_solution *solution)
{
    int dim = problem->dim;
    double worst = 0.0;
    for (int i = 0; i < solution->contact_rows; ++i)
    {
        bool holds = i % dim < work->held[i / dim];
        work->x[i] = solution->r[i] - (holds ? work->penalty[i / dim] * (double)work->u[i] : 0.0);
    }
    memcpy(work->right, work->load, (size_t)problem->n * sizeof(long double));
    crn_rows_transposed_add(&problem->H, problem->block_start, 1.0, work->x, work->right);
    for (int i = 0; i < problem->n; ++i)
        work->dv[i] = (double)work->right[i];
    for (int i = 0; i < problem->joint_rows; ++i)
        work->dc[i] = (double)work->joint[i];
    crn_hold_system_solve(&work->system, work->dv, work->dc);
    add_change(work, problem, solution);
    for (int i = 0; i < solution->contact_rows; ++i)
    {
        double u = i % dim < work->held[i / dim] ? (double)work->u[i] : 0.0;
        worst = fmax(worst, fabs(u));
        solution->r[i] -= work->penalty[i / dim] * u;
    }
    return worst;
}

static cairn_status reserve(hold *work, const cairn_problem *problem)
{
    size_t contacts = (size_t)problem->contact_count;
    size_t rows = contacts * (size_t)problem->dim;
    return crn_reserve_all(&work->memory, CRN_ARRAY(work->held, contacts), CRN_ARRAY(work->penalty, contacts),
                           CRN_ARRAY(work->backed, problem->block_count), CRN_ARRAY(work->slack, rows),
                           CRN_ARRAY(work->x, rows), CRN_ARRAY(work->u, rows), CRN_ARRAY(work->right, problem->n),
                           CRN_ARRAY(work->load, problem->n), CRN_ARRAY(work->joint, problem->joint_rows),
                           CRN_ARRAY(work->dv, problem->n), CRN_ARRAY(work->dc, problem->joint_rows));
}

static cairn_status solve(void *workspace, cairn_context *context, const cairn_problem *problem,
                          const crn_method_options *options, cairn_solution *solution, crn_method_report *report)
{
    assert(can_solve(problem));
    assert(solution->contact_rows == problem->dim * problem->contact_count);
    hold *work = workspace;
    bool same = false;
    (void)context;
    *report = (crn_method_report){0};
    CRN_TRY(reserve(work, problem));
    report->declined = !find_modes(work, problem, options->eases, solution->r);
    if (report->declined)
        return CAIRN_OK;
    CRN_TRY(crn_hold_system_arrange(&work->system, problem, options->limbs));
    find_penalties(work, problem);
    find_slack(work, problem, LEFT * options->tolerance * options->scale);
    for (int round = 0; round < ROUNDS && !same && !report->declined; ++round)
    {
        cairn_status status = crn_hold_system_factorise(&work->system, problem, work->held, work->penalty);
        report->declined = status == CAIRN_NUMERIC;
        if (status)
            return report->declined ? CAIRN_OK : status;
        start(work, problem, solution);
        double speed = INFINITY;
        for (int i = 0; i < PASSES && speed > SETTLED * options->scale; ++i)
            speed = pass(work, problem, solution);
        report->iterations += 1;
        report->declined =
            !update_modes(work, problem, solution->r, CLOSES * options->tolerance * options->scale, &same);
    }
    report->converged = same && !report->declined;
    return CAIRN_OK;
}

const crn_method crn_method_hold = {
    .name = "hold",
    .can_solve = can_solve,
    .create = create,
    .destroy = destroy,
    .solve = solve,
    .factorises_contacts = true,
};
