#include "solve/sweep/gauss_seidel_sweep.h"

#include "solve/auto/bounded.h"
#include "solve/auto/lengths.h"
#include "solve/sweep/gauss_seidel_kernel.h"

#include <assert.h>
#include <float.h>
#include <math.h>

/* ------------------------------------------------------------------------------------------------------- a sweep */

double crn_gs_friction(const crn_gs_run *at, int j)
{
    assert(j >= 0 && j < at->problem->contact_count);
    return at->law == CRN_LOCAL_FRICTIONLESS ? 0.0
           : at->law == CRN_LOCAL_LAGGED     ? at->problem->radius[j]
                                             : at->problem->mu[j];
}

void crn_gs_velocity(const crn_gs_run *at, int j, double *u)
{
    assert(j >= 0 && j < at->problem->contact_count);
    assert(at->plan->R_start[j] <= at->plan->R_start[j + 1]);
    const cairn_problem *problem = at->problem;
    const cairn_block_rows *H = &problem->H;
    const crn_gs_plan *plan = at->plan;
    int dim = problem->dim;
    bool full = plan->patch[j] >= 0;
    for (int k = 0; k < dim; ++k)
        u[k] = problem->w[(size_t)j * dim + k] + (full ? plan->Rr[(size_t)j * dim + k] : 0.0);
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
    {
        int start = problem->block_start[H->block[e]];
        int size = problem->block_start[H->block[e] + 1] - start;
        crn_gs_gather(dim, size, H->value + H->value_start[e], at->solution->v + start, u);
    }
    for (size_t e = plan->R_start[j]; e < plan->R_start[j + 1] && !full; ++e)
    {
        const double *R = plan->R + e * (size_t)(dim * dim);
        const double *r = at->solution->r + (size_t)plan->R_contact[e] * dim;
        crn_gs_gather(dim, dim, R, r, u);
    }
}

/* v += X_j change */
static void move_bodies(const crn_gs_run *at, int j, const double *change)
{
    assert(at->plan->X_start[j] <= at->plan->X_start[j + 1]);
    const crn_gs_plan *plan = at->plan;
    for (size_t e = plan->X_start[j]; e < plan->X_start[j + 1]; ++e)
    {
        crn_gs_spread(at->problem->dim, plan->X_size[e], plan->X + plan->X_value[e], change,
                      at->solution->v + plan->X_first[e]);
    }
}

/* From r_old towards `target` by the relaxation, back onto the cone where that leaves it. */
static void relax(const crn_gs_run *at, int j, const double *r_old, double *target)
{
    assert(at->omega > 0.0 && at->omega < 2.0);
    double moved[3] = {0.0, 0.0, 0.0};
    int dim = at->problem->dim;
    for (int k = 0; k < dim; ++k)
        moved[k] = r_old[k] + at->omega * (target[k] - r_old[k]);
    crn_gs_project(at, j, moved, target);
}

void crn_gs_project(const crn_gs_run *at, int j, const double *x, double *out)
{
    assert(x != out);
    if (!crn_is_row(at->problem, j))
    {
        if (at->law == CRN_LOCAL_POLYGON)
            crn_local_polygon_project(at->polygon, crn_gs_friction(at, j), x, out);
        else
            crn_local_project(at->law, at->problem->dim, crn_gs_friction(at, j), x, out);
        return;
    }
    out[0] = crn_clip(crn_row_interval(at->problem, j, at->solution->r), x[0]);
    for (int k = 1; k < at->problem->dim; ++k)
        out[k] = 0.0;
}

/* Bounded row j solved with all others held: z - s / W, as far as the bounds allow. */
static void solve_row(const crn_gs_run *at, int j, const double *u, double *target)
{
    assert(crn_is_row(at->problem, j));
    assert(at->plan->W[(size_t)j * (size_t)(at->problem->dim * at->problem->dim)] > 0.0);
    int dim = at->problem->dim;
    double z = at->solution->r[(size_t)j * dim];
    double W = at->plan->W[(size_t)j * (size_t)(dim * dim)];
    crn_interval interval = crn_row_interval(at->problem, j, at->solution->r);
    double solved = crn_clip(interval, z - u[0] / W);
    target[0] = at->omega == 1.0 ? solved : crn_clip(interval, z + at->omega * (solved - z));
}

/* Set r_j and update the velocities of the bodies. */
static void set_impulse(const crn_gs_run *at, int j, const double *target, double *change)
{
    int dim = at->problem->dim;
    double *r = at->solution->r + (size_t)j * dim;
    bool moved = false;
    for (int k = 0; k < dim; ++k)
    {
        change[k] = target[k] - r[k];
        r[k] = target[k];
        moved = moved || change[k] != 0.0;
    }
    if (moved)
    {
        move_bodies(at, j, change);
        crn_gs_plan_change(at->plan, at->problem, j, change);
    }
}

/* The contact carries nothing and parts: its law already holds. */
static bool is_open(const crn_gs_run *at, int j, const double *u)
{
    return at->solution->r[(size_t)j * at->problem->dim] == 0.0 && u[0] >= 0.0 && at->law != CRN_LOCAL_CONVEX &&
           at->law != CRN_LOCAL_LAGGED;
}

/* The law of contact j solved with all others held, from the velocity u before the visit. */
static void solve_contact(const crn_gs_run *at, int j, const double *u, double *target)
{
    assert(!crn_is_row(at->problem, j));
    int dim = at->problem->dim;
    const double *W = at->plan->W + (size_t)j * (size_t)(dim * dim);
    const double *factors = at->plan->factors + (size_t)j * (size_t)(dim * dim);
    const double *r = at->solution->r + (size_t)j * dim;
    double q[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < dim; ++k)
    {
        double own = W[k * dim] * r[0] + W[k * dim + 1] * r[1];
        q[k] = u[k] - (dim == 3 ? own + W[k * dim + 2] * r[2] : own);
        target[k] = r[k];
    }
    if (at->law == CRN_LOCAL_POLYGON)
        crn_local_polygon_solve(at->polygon, crn_gs_friction(at, j), W, q, target);
    else
        crn_local_solve(
            &(crn_local){at->law, dim, W, q, crn_gs_friction(at, j), at->plan->factored[j] ? factors : NULL}, target);
    if (at->omega != 1.0)
        relax(at, j, r, target);
}

/* The largest entry of |W x|. */
static double speed_of(int dim, const double *W, const double *x)
{
    double most = 0.0;
    for (int k = 0; k < dim; ++k)
    {
        double row = W[k * dim] * x[0] + W[k * dim + 1] * x[1] + (dim == 3 ? W[k * dim + 2] * x[2] : 0.0);
        most = fabs(row) > most ? fabs(row) : most;
    }
    return most;
}

/* False where contact j is open; u is its velocity before the visit. */
static bool visit(const crn_gs_run *at, int j, double *u, double *change)
{
    double target[3] = {0.0, 0.0, 0.0};
    crn_gs_velocity(at, j, u);
    bool is_row = crn_is_row(at->problem, j);
    if (!is_row && is_open(at, j, u))
        return false;
    if (is_row)
        solve_row(at, j, u, target);
    else
        solve_contact(at, j, u, target);
    set_impulse(at, j, target, change);
    return true;
}

crn_gs_visit crn_gs_visit_contact(const crn_gs_run *at, int j)
{
    int dim = at->problem->dim;
    double u[3] = {0.0, 0.0, 0.0};
    double change[3] = {0.0, 0.0, 0.0};
    if (!visit(at, j, u, change))
        return (crn_gs_visit){0.0, u[0]};
    return (crn_gs_visit){speed_of(dim, at->plan->W + (size_t)j * (size_t)(dim * dim), change), 0.0};
}

/* A visit whose outcome is not needed. */
static void pass_by(const crn_gs_run *at, int j)
{
    double u[3] = {0.0, 0.0, 0.0};
    double change[3] = {0.0, 0.0, 0.0};
    visit(at, j, u, change);
}

/* Contacts order[first] .. order[end - 1], all of one colour, by threads. */
static void visit_by_threads(const crn_gs_run *at, int first, int end)
{
    assert(at->threads > 1);
    assert(first < end);
    const int *order = at->plan->order;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(at->threads)
#endif
    for (int k = first; k < end; ++k)
        pass_by(at, order[k]);
}

void crn_gs_sweep(const crn_gs_run *at)
{
    assert(at->plan->colour_start[at->plan->colour_count] == at->problem->contact_count);
    const crn_gs_plan *plan = at->plan;
    for (int colour = 0; colour < plan->colour_count; ++colour)
    {
        int first = plan->colour_start[colour];
        int end = plan->colour_start[colour + 1];
        if (at->threads > 1 && end - first >= CRN_GS_PARALLEL)
        {
            visit_by_threads(at, first, end);
            continue;
        }
        for (int k = first; k < end; ++k)
            pass_by(at, plan->order[k]);
    }
}

void crn_gs_move_to(const crn_gs_run *at, const double *next)
{
    assert(at->solution->contact_rows == at->problem->dim * at->problem->contact_count);
    assert(next != at->solution->r);
    const cairn_problem *problem = at->problem;
    int dim = problem->dim;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        double target[3] = {0.0, 0.0, 0.0};
        double change[3] = {0.0, 0.0, 0.0};
        crn_gs_project(at, j, next + (size_t)j * dim, target);
        set_impulse(at, j, target, change);
    }
}

/* ------------------------------------------------------------------------------------------------------ measuring */

double crn_gs_contact_error(const crn_gs_run *at, int j)
{
    assert(at->plan->rho[j] > 0.0);
    double u[3] = {0.0, 0.0, 0.0};
    crn_gs_velocity(at, j, u);
    double rho = at->plan->rho[j];
    const double *r = at->solution->r + (size_t)j * at->problem->dim;
    double error;
    if (crn_is_row(at->problem, j))
        error = fabs(r[0] - crn_clip(crn_row_interval(at->problem, j, at->solution->r), r[0] - rho * u[0])) / rho;
    else if (at->law == CRN_LOCAL_POLYGON)
        error = crn_local_polygon_error(at->polygon, crn_gs_friction(at, j), rho, u, r);
    else
        error = crn_local_error(at->law, at->problem->dim, crn_gs_friction(at, j), rho, u, r);
    error += DBL_EPSILON * fabs(r[0]) / rho;
    return at->contact_scale ? error * (at->scale / at->contact_scale[j]) : error;
}

double crn_gs_error(const crn_gs_run *at)
{
    assert(at->scale > 0.0);
    double worst = 0.0;
    for (int j = 0; j < at->problem->contact_count; ++j)
    {
        double error = crn_gs_contact_error(at, j);
        worst = error <= worst ? worst : error;
        if (!isfinite(error))
            return INFINITY;
    }
    return worst / at->scale;
}

/* Row k of item i of B: the sum of |B| |x|. */
static double row_speed(const cairn_problem *problem, const cairn_block_rows *B, int i, int k, const double *x)
{
    assert(i >= 0 && i < B->item_count);
    double sum = 0.0;
    for (int e = B->entry_start[i]; e < B->entry_start[i + 1]; ++e)
    {
        int start = problem->block_start[B->block[e]];
        int size = problem->block_start[B->block[e] + 1] - start;
        for (int c = 0; c < size; ++c)
            sum += fabs(B->value[B->value_start[e] + k * size + c] * x[start + c]);
    }
    return sum;
}

double crn_gs_scale(const cairn_problem *problem, const double *x)
{
    double scale = DBL_MIN;
    for (int i = 0; i < problem->n; ++i)
        scale = fmax(scale, crn_length(problem, i) * fabs(x[i]));
    for (int i = 0; i < problem->G.item_count; ++i)
    {
        for (int row = problem->G.row_start[i]; row < problem->G.row_start[i + 1]; ++row)
        {
            double speed = row_speed(problem, &problem->G, i, row - problem->G.row_start[i], x);
            scale = fmax(scale, crn_joint_length(problem, row) * (speed + fabs(problem->b[row])));
        }
    }
    for (int row = 0; row < problem->dim * problem->contact_count; ++row)
    {
        double speed = row_speed(problem, &problem->H, row / problem->dim, row % problem->dim, x);
        double w = problem->w[row];
        bool open = row % problem->dim == 0 && w > speed;
        bool is_row = crn_is_row(problem, row / problem->dim);
        scale = fmax(scale, speed + (is_row ? fmin(fabs(w), speed) : open ? speed : fabs(w)));
    }
    return scale;
}
