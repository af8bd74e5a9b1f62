/* The contacts alone: W and q of u = W r + q, the velocities of given impulses, and the error measure of Siconos. */
#include "base/context.h"
#include "linalg/blocks.h"
#include "linalg/saddle.h"
#include "solve/auto/bounded.h"
#include "solve/auto/problem_check.h"
#include "solve/pivot/reduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static cairn_status no_memory(cairn_context *context, const cairn_problem *problem)
{
    return crn_fail(context, CAIRN_NO_MEMORY, "no memory for %d contacts", problem->contact_count);
}

bool cairn_problem_velocities(const cairn_problem *problem, const double *v, const double *r, double *u)
{
    int rows = problem->dim * problem->contact_count;
    long double *sum = calloc((size_t)rows + 1, sizeof(long double));
    if (!sum)
        return false;
    crn_contact_velocities(problem, v, r, sum);
    for (int i = 0; i < rows; ++i)
        u[i] = (double)sum[i];
    free(sum);
    return true;
}

/* q = H v_free + w, without W: linear in the size of the problem. */
static cairn_status free_velocities(cairn_context *context, const cairn_problem *problem, double *q)
{
    crn_saddle *saddle = crn_saddle_create();
    double *v = calloc((size_t)problem->n + 1, sizeof(double));
    double *c = calloc((size_t)problem->joint_rows + 1, sizeof(double));
    double *r = calloc((size_t)problem->dim * (size_t)problem->contact_count + 1, sizeof(double));
    cairn_status status = saddle && v && c && r ? CAIRN_OK : no_memory(context, problem);
    status = status ? status : crn_saddle_factorise(saddle, context, problem);
    if (!status)
    {
        for (int i = 0; i < problem->n; ++i)
            v[i] = problem->p[i];
        for (int i = 0; i < problem->joint_rows; ++i) /* b may be missing where there are none */
            c[i] = problem->b[i];
        crn_saddle_solve(saddle, v, c);
        status = cairn_problem_velocities(problem, v, r, q) ? CAIRN_OK : no_memory(context, problem);
    }
    crn_saddle_destroy(saddle);
    free(v);
    free(c);
    free(r);
    return status;
}

static cairn_status reduce(cairn_context *context, const cairn_problem *problem, double *W, double *q)
{
    crn_reduction reduction = {0};
    cairn_status status = crn_reduction_open(&reduction) ? CAIRN_OK : no_memory(context, problem);
    status = status ? status : crn_reduce(&reduction, context, problem);
    if (!status && reduction.rows > 0)
    {
        size_t rows = (size_t)reduction.rows;
        memcpy(W, reduction.W, rows * rows * sizeof(double));
        memcpy(q, reduction.u_free, rows * sizeof(double));
    }
    crn_reduction_close(&reduction);
    return status;
}

cairn_status cairn_problem_delassus(cairn_context *context, const cairn_problem *problem, double *W, double *q)
{
    cairn_status status = crn_problem_check(context, problem);
    if (status)
        return status;
    return W ? reduce(context, problem, W, q) : free_velocities(context, problem, q);
}

/* x becomes its projection on K = { |x_t| <= mu x_n }. */
static void project(int dim, double mu, double *x)
{
    double t = dim == 3 ? hypot(x[1], x[2]) : fabs(x[1]);
    if (x[0] >= 0.0 && t <= mu * x[0])
        return;
    bool polar = mu * t <= -x[0];
    double normal = polar ? 0.0 : (x[0] + mu * t) / (1.0 + mu * mu);
    double shrink = polar ? 0.0 : mu * normal / t;
    x[0] = normal;
    for (int i = 1; i < dim; ++i)
        x[i] *= shrink;
}

static double norm(const double *x, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
        sum = hypot(sum, x[i]);
    return sum;
}

double cairn_problem_siconos_error(const cairn_problem *problem, const double *q, const double *r, const double *u)
{
    int dim = problem->dim;
    int rows = dim * problem->contact_count;
    double sum = 0.0;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        const double *r_j = r + j * dim;
        const double *u_j = u + j * dim;
        double slip = dim == 3 ? hypot(u_j[1], u_j[2]) : fabs(u_j[1]);
        double x[3] = {r_j[0] - u_j[0] - problem->mu[j] * slip, r_j[1] - u_j[1], dim == 3 ? r_j[2] - u_j[2] : 0.0};
        if (crn_is_row(problem, j))
            x[0] = crn_clip(crn_row_interval(problem, j, r), r_j[0] - u_j[0]);
        else
            project(dim, problem->mu[j], x);
        for (int i = 0; i < crn_item_rows(problem, j); ++i)
            sum = hypot(sum, r_j[i] - x[i]);
    }
    double size = fmax(norm(q, rows), fmax(norm(r, rows), norm(u, rows)));
    return size > 0.0 ? sum / size : sum;
}
