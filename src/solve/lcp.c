#include "solve/lcp.h"

#include "base/memory.h"
#include "math/polygon.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void crn_lcp_release(crn_lcp *lcp)
{
    free(lcp->M);
    free(lcp->q);
    free(lcp->first);
    free(lcp->s);
    free(lcp->contact);
    free(lcp->lambda);
    free(lcp->direction);
    free(lcp->work);
    memset(lcp, 0, sizeof *lcp);
}

static int group_count(const cairn_problem *problem, int contact)
{
    if (problem->law.kind == CAIRN_LAW_FRICTIONLESS || problem->mu[contact] == 0.0)
    {
        return 0;
    }
    return problem->law.kind == CAIRN_LAW_BOX ? problem->dim - 1 : 1;
}

/* Directions in a group. */
static int group_size(const cairn_problem *problem)
{
    return problem->law.kind == CAIRN_LAW_PYRAMID && problem->dim == 3 ? problem->law.directions : 2;
}

static int count_variables(const cairn_problem *problem)
{
    int count = 0;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        count += 1 + group_count(problem, j) * (group_size(problem) + 1);
    }
    return count;
}

static cairn_status reserve(crn_lcp *lcp, const cairn_problem *problem)
{
    size_t size = (size_t)lcp->size + 1; /* one more than needed: no array is missing when there are no contacts */
    size_t contacts = (size_t)problem->contact_count + 1;
    size_t dim = (size_t)problem->dim;
    size_t *capacity = lcp->capacity;
    cairn_status status = crn_reserve(&lcp->M, &capacity[0], size * size, sizeof(double));
    status = status ? status : crn_reserve(&lcp->q, &capacity[1], size, sizeof(double));
    status = status ? status : crn_reserve(&lcp->first, &capacity[2], contacts, sizeof(int));
    status = status ? status : crn_reserve(&lcp->s, &capacity[3], contacts, sizeof(double));
    status = status ? status : crn_reserve(&lcp->contact, &capacity[4], size, sizeof(int));
    status = status ? status : crn_reserve(&lcp->lambda, &capacity[5], size, sizeof(int));
    status = status ? status : crn_reserve(&lcp->direction, &capacity[6], size * dim, sizeof(double));
    return status ? status : crn_reserve(&lcp->work, &capacity[7], contacts * dim, sizeof(double));
}

static void set_direction(const cairn_problem *problem, int group, int k, double *direction)
{
    if (problem->law.kind == CAIRN_LAW_PYRAMID && problem->dim == 3)
    {
        crn_polygon_vertex(problem->law.directions, k, direction + 1);
        return;
    }
    direction[1 + group] = k == 0 ? 1.0 : -1.0;
}

/* Number the variables of contact j from a; returns the next free number. */
static int list_variables(crn_lcp *lcp, const cairn_problem *problem, int j, int a)
{
    int dim = problem->dim;
    int m = group_size(problem);
    int groups = group_count(problem, j);
    lcp->first[j] = a;
    lcp->contact[a] = j;
    lcp->lambda[a] = -1;
    lcp->direction[a * dim] = 1.0;
    ++a;
    for (int group = 0; group < groups; ++group)
    {
        for (int k = 0; k <= m; ++k)
        {
            lcp->contact[a + k] = j;
            lcp->lambda[a + k] = a + m;
            if (k < m)
            {
                set_direction(problem, group, k, lcp->direction + (a + k) * dim);
            }
        }
        a += m + 1;
    }
    return a;
}

static double contact_scale(const cairn_problem *problem, const double *W, int j)
{
    int dim = problem->dim;
    size_t rows = (size_t)dim * (size_t)problem->contact_count;
    double trace = 0.0;
    for (int i = j * dim; i < (j + 1) * dim; ++i)
    {
        trace += W[i * rows + i];
    }
    return trace > 0.0 ? 1.0 / sqrt(trace / dim) : 1.0;
}

static bool is_lambda(const crn_lcp *lcp, int a)
{
    return lcp->lambda[a] == a;
}

/* Row a of an impulse: s_i s_j d_a' W_ij d_b, and 1 for its lambda. */
static void impulse_row(crn_lcp *lcp, const cairn_problem *problem, const double *W, int a)
{
    int dim = problem->dim;
    int rows = dim * problem->contact_count;
    const double *d = lcp->direction + a * dim;
    double *out = lcp->M + (size_t)a * lcp->size;
    double s = lcp->s[lcp->contact[a]];
    memset(lcp->work, 0, (size_t)rows * sizeof(double));
    for (int k = 0; k < dim; ++k)
    {
        const double *source = W + (size_t)(lcp->contact[a] * dim + k) * rows;
        for (int i = 0; i < rows && d[k] != 0.0; ++i)
        {
            lcp->work[i] += d[k] * source[i];
        }
    }
    for (int b = 0; b < lcp->size; ++b)
    {
        const double *e = lcp->direction + b * dim;
        const double *row = lcp->work + lcp->contact[b] * dim;
        double sum = 0.0;
        for (int k = 0; k < dim; ++k)
        {
            sum += row[k] * e[k];
        }
        out[b] = s * lcp->s[lcp->contact[b]] * sum;
    }
    if (lcp->lambda[a] >= 0)
    {
        out[lcp->lambda[a]] = 1.0;
    }
}

/* Row of a lambda: mu r_n - e'beta. */
static void lambda_row(crn_lcp *lcp, const cairn_problem *problem, int a)
{
    double *out = lcp->M + (size_t)a * lcp->size;
    int j = lcp->contact[a];
    memset(out, 0, (size_t)lcp->size * sizeof(double));
    out[lcp->first[j]] = problem->mu[j];
    for (int b = a - group_size(problem); b < a; ++b)
    {
        out[b] = -1.0;
    }
}

/* q = S q / kappa */
static void fill_bias(crn_lcp *lcp, const cairn_problem *problem, const double *u_free)
{
    int dim = problem->dim;
    double largest = 0.0;
    for (int a = 0; a < lcp->size; ++a)
    {
        int j = lcp->contact[a];
        double sum = 0.0;
        for (int k = 0; k < dim; ++k)
        {
            sum += lcp->direction[a * dim + k] * u_free[j * dim + k];
        }
        lcp->q[a] = lcp->s[j] * sum;
        largest = fmax(largest, fabs(lcp->q[a]));
    }
    lcp->kappa = largest > 0.0 ? largest : 1.0;
    for (int a = 0; a < lcp->size; ++a)
    {
        lcp->q[a] /= lcp->kappa;
    }
}

cairn_status crn_lcp_build(crn_lcp *lcp, const cairn_problem *problem, const double *W, const double *u_free)
{
    lcp->size = count_variables(problem);
    if (reserve(lcp, problem))
    {
        return CAIRN_NO_MEMORY;
    }
    memset(lcp->direction, 0, (size_t)lcp->size * (size_t)problem->dim * sizeof(double));
    int a = 0;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        a = list_variables(lcp, problem, j, a);
        lcp->s[j] = contact_scale(problem, W, j);
    }
    assert(a == lcp->size);
    lcp->first[problem->contact_count] = a;
    for (a = 0; a < lcp->size; ++a)
    {
        if (is_lambda(lcp, a))
        {
            lambda_row(lcp, problem, a);
        }
        else
        {
            impulse_row(lcp, problem, W, a);
        }
    }
    fill_bias(lcp, problem, u_free);
    return CAIRN_OK;
}

void crn_lcp_impulses(const crn_lcp *lcp, const cairn_problem *problem, const double *z, double *r)
{
    int dim = problem->dim;
    memset(r, 0, (size_t)dim * (size_t)problem->contact_count * sizeof(double));
    for (int a = 0; a < lcp->size; ++a)
    {
        int j = lcp->contact[a];
        for (int k = 0; k < dim; ++k)
        {
            r[j * dim + k] += lcp->kappa * lcp->s[j] * z[a] * lcp->direction[a * dim + k];
        }
    }
}

void crn_lcp_slacks(const crn_lcp *lcp, const cairn_problem *problem, const double *z, const double *u, double *slack)
{
    int dim = problem->dim;
    for (int a = 0; a < lcp->size; ++a)
    {
        int j = lcp->contact[a];
        long double sum = 0.0L;
        for (int k = 0; k < dim; ++k)
        {
            sum += (long double)lcp->direction[a * dim + k] * u[j * dim + k];
        }
        slack[a] = (double)(sum * lcp->s[j] / lcp->kappa);
        if (lcp->lambda[a] >= 0 && !is_lambda(lcp, a))
        {
            slack[a] += z[lcp->lambda[a]];
        }
        if (is_lambda(lcp, a))
        {
            sum = (long double)problem->mu[j] * z[lcp->first[j]];
            for (int b = a - group_size(problem); b < a; ++b)
            {
                sum -= z[b];
            }
            slack[a] = (double)sum;
        }
    }
}
