#include "solve/pivot/lcp.h"

#include "math/polygon.h"
#include "solve/auto/bounded.h"
#include "solve/auto/laws.h"
#include "solve/pivot/lcp_rows.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The two scales of a contact differ by at most the square root of this: smaller values are rounding. */
static const double SMALLEST_SHARE = 1e-14;

void crn_lcp_release(crn_lcp *lcp)
{
    crn_arena_release(&lcp->memory);
    memset(lcp, 0, sizeof *lcp);
}

bool crn_lcp_can_express(const cairn_problem *problem)
{
    return problem->contact_count == 0 || problem->dim == 2 || crn_law_of(problem)->is_polyhedral ||
           crn_has_rows_only(problem);
}

static int group_count(const cairn_problem *problem, int contact)
{
    const crn_law_class *law = crn_law_of(problem);
    double bound = law->has_radius ? problem->radius[contact] : problem->mu[contact];
    if (law->is_frictionless || bound == 0.0)
        return 0;
    return law->is_box ? problem->dim - 1 : 1;
}

/* Directions in a group. */
static int group_size(const cairn_problem *problem)
{
    return crn_law_uses_polygon(problem) ? problem->law.directions : 2;
}

int crn_lcp_count(const cairn_problem *problem)
{
    int count = 0;
    for (int j = 0; j < problem->contact_count; ++j)
        count += crn_is_row(problem, j) ? crn_lcp_row_count(problem, j)
                                        : 1 + group_count(problem, j) * (group_size(problem) + 1);
    return count;
}

static cairn_status reserve(crn_lcp *lcp, const cairn_problem *problem)
{
    size_t size = (size_t)lcp->size;
    size_t contacts = (size_t)problem->contact_count;
    size_t dim = (size_t)problem->dim;
    return crn_reserve_all(&lcp->memory, CRN_ARRAY(lcp->M, size * size), CRN_ARRAY(lcp->q, size),
                           CRN_ARRAY(lcp->first, contacts + 1), CRN_ARRAY(lcp->s, 2 * contacts),
                           CRN_ARRAY(lcp->contact, size), CRN_ARRAY(lcp->lambda, size),
                           CRN_ARRAY(lcp->direction, size * dim), CRN_ARRAY(lcp->work, contacts * dim));
}

static void set_direction(const cairn_problem *problem, int group, int k, double *direction)
{
    if (crn_law_uses_polygon(problem))
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
                set_direction(problem, group, k, lcp->direction + (a + k) * dim);
        }
        a += m + 1;
    }
    return a;
}

/* Scales of the normal and of the tangential impulses of contact j. A stiff spring along the surface can leave a contact
 * with 1e-8 of the tangential motion that it has across it: one scale for both would lose the smaller to rounding. */
static void contact_scales(const cairn_problem *problem, const double *W, int j, double s[2])
{
    int dim = problem->dim;
    size_t rows = (size_t)dim * (size_t)problem->contact_count;
    double normal = W[(size_t)(j * dim) * rows + (size_t)(j * dim)];
    double tangential = 0.0;
    if (crn_is_row(problem, j))
    {
        s[0] = s[1] = normal > 0.0 ? 1.0 / sqrt(normal) : 1.0;
        return;
    }
    for (int i = j * dim + 1; i < (j + 1) * dim; ++i)
        tangential += W[(size_t)i * rows + (size_t)i] / (dim - 1);
    double larger = fmax(normal, tangential);
    s[0] = larger > 0.0 ? 1.0 / sqrt(fmax(normal, SMALLEST_SHARE * larger)) : 1.0;
    s[1] = larger > 0.0 ? 1.0 / sqrt(fmax(tangential, SMALLEST_SHARE * larger)) : 1.0;
}

static bool is_lambda(const crn_lcp *lcp, int a)
{
    return lcp->lambda[a] == a;
}

/* Scale of an impulse: normal or tangential. */
static double scale_of(const crn_lcp *lcp, int a)
{
    return lcp->s[2 * lcp->contact[a] + (lcp->lambda[a] >= 0)];
}

/* mu in scaled variables; 0 where the bound of friction is a constant. */
static double scaled_friction(const crn_lcp *lcp, const cairn_problem *problem, int j)
{
    return (crn_law_of(problem)->has_radius ? 0.0 : problem->mu[j]) * lcp->s[2 * j] / lcp->s[2 * j + 1];
}

/* The coefficient of lambda in the normal row of contact j, scaled; 0 where the law has none. */
static double lift(const crn_lcp *lcp, const cairn_problem *problem, int j)
{
    bool slides = crn_law_of(problem)->lifts_off && !crn_is_row(problem, j) && group_count(problem, j) > 0;
    return slides ? -scaled_friction(lcp, problem, j) : 0.0;
}

/* Row a of an impulse: s_i s_j d_a' W_ij d_b, and 1 for its lambda. */
static void impulse_row(crn_lcp *lcp, const cairn_problem *problem, const double *W, int a)
{
    int dim = problem->dim;
    int rows = dim * problem->contact_count;
    const double *d = lcp->direction + a * dim;
    double *out = lcp->M + (size_t)a * lcp->size;
    double s = scale_of(lcp, a);
    memset(lcp->work, 0, (size_t)rows * sizeof(double));
    for (int k = 0; k < dim; ++k)
    {
        const double *source = W + (size_t)(lcp->contact[a] * dim + k) * rows;
        for (int i = 0; i < rows && d[k] != 0.0; ++i)
            lcp->work[i] += d[k] * source[i];
    }
    for (int b = 0; b < lcp->size; ++b)
    {
        const double *e = lcp->direction + b * dim;
        const double *row = lcp->work + lcp->contact[b] * dim;
        double sum = 0.0;
        for (int k = 0; k < dim; ++k)
            sum += row[k] * e[k];
        out[b] = s * scale_of(lcp, b) * sum;
    }
    if (lcp->lambda[a] >= 0)
        out[lcp->lambda[a]] = 1.0;
    else if (crn_law_of(problem)->lifts_off && lcp->first[lcp->contact[a] + 1] > a + 1 &&
             !crn_is_row(problem, lcp->contact[a]))
        out[lcp->first[lcp->contact[a] + 1] - 1] = lift(lcp, problem, lcp->contact[a]);
}

/* The constant bound of friction in scaled variables; 0 where the bound is mu r_n. */
static double scaled_radius(const crn_lcp *lcp, const cairn_problem *problem, int j)
{
    return crn_law_of(problem)->has_radius ? problem->radius[j] / lcp->s[2 * j + 1] : 0.0;
}

/* Row of a lambda: mu r_n - e'beta; in a bounded row, the limit of its beta minus beta. */
static void lambda_row(crn_lcp *lcp, const cairn_problem *problem, int a)
{
    double *out = lcp->M + (size_t)a * lcp->size;
    int j = lcp->contact[a];
    memset(out, 0, (size_t)lcp->size * sizeof(double));
    if (crn_is_row(problem, j))
    {
        int other;
        double coefficient, constant;
        crn_lcp_row_limit(lcp, problem, a, &other, &coefficient, &constant);
        if (other >= 0)
            out[other] = coefficient;
        out[a - 1] = -1.0;
        return;
    }
    out[lcp->first[j]] = scaled_friction(lcp, problem, j);
    for (int b = a - group_size(problem); b < a; ++b)
        out[b] = -1.0;
}

/* The velocity of a contact row when all variables are 0, where bounded rows may still have an impulse. */
static double base_velocity(const cairn_problem *problem, const double *W, const double *u_free, int row)
{
    size_t rows = (size_t)problem->dim * (size_t)problem->contact_count;
    double sum = u_free[row];
    for (int j = 0; problem->bound && j < problem->contact_count; ++j)
        if (problem->bound[j].is_row)
            sum += W[(size_t)row * rows + (size_t)(j * problem->dim)] * crn_lcp_row_base(problem, j);
    return sum;
}

/* The constant of a lambda's row. */
static double lambda_bias(const crn_lcp *lcp, const cairn_problem *problem, int a)
{
    int other;
    double coefficient, constant;
    if (!crn_is_row(problem, lcp->contact[a]))
        return scaled_radius(lcp, problem, lcp->contact[a]);
    crn_lcp_row_limit(lcp, problem, a, &other, &coefficient, &constant);
    return constant;
}

/* q = S q / kappa. kappa ignores the bounds of rows, which may be so wide that they never matter. */
static void fill_bias(crn_lcp *lcp, const cairn_problem *problem, const double *W, const double *u_free)
{
    int dim = problem->dim;
    double largest = 0.0;
    for (int a = 0; a < lcp->size; ++a)
    {
        int j = lcp->contact[a];
        double sum = 0.0;
        for (int k = 0; k < dim; ++k)
            sum += lcp->direction[a * dim + k] * base_velocity(problem, W, u_free, j * dim + k);
        lcp->q[a] = is_lambda(lcp, a) ? lambda_bias(lcp, problem, a) : scale_of(lcp, a) * sum;
        if (!is_lambda(lcp, a) || !crn_is_row(problem, j))
            largest = fmax(largest, fabs(lcp->q[a]));
    }
    lcp->kappa = largest > 0.0 ? largest : 1.0;
    for (int a = 0; a < lcp->size; ++a)
        lcp->q[a] /= lcp->kappa;
}

cairn_status crn_lcp_build(crn_lcp *lcp, const cairn_problem *problem, const double *W, const double *u_free)
{
    assert(crn_lcp_can_express(problem));
    lcp->size = crn_lcp_count(problem);
    if (reserve(lcp, problem))
        return CAIRN_NO_MEMORY;
    memset(lcp->direction, 0, (size_t)lcp->size * (size_t)problem->dim * sizeof(double));
    int a = 0;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        a = crn_is_row(problem, j) ? crn_lcp_row_list(lcp, problem, j, a) : list_variables(lcp, problem, j, a);
        contact_scales(problem, W, j, lcp->s + 2 * j);
    }
    assert(a == lcp->size);
    lcp->first[problem->contact_count] = a;
    for (a = 0; a < lcp->size; ++a)
        if (is_lambda(lcp, a))
            lambda_row(lcp, problem, a);
        else
            impulse_row(lcp, problem, W, a);
    fill_bias(lcp, problem, W, u_free);
    return CAIRN_OK;
}

void crn_lcp_impulses(const crn_lcp *lcp, const cairn_problem *problem, const double *z, double *r)
{
    int dim = problem->dim;
    memset(r, 0, (size_t)dim * (size_t)problem->contact_count * sizeof(double));
    for (int j = 0; problem->bound && j < problem->contact_count; ++j)
        r[j * dim] = problem->bound[j].is_row ? crn_lcp_row_base(problem, j) : 0.0;
    for (int a = 0; a < lcp->size; ++a)
    {
        int j = lcp->contact[a];
        for (int k = 0; k < dim; ++k)
            r[j * dim + k] += lcp->kappa * scale_of(lcp, a) * z[a] * lcp->direction[a * dim + k];
    }
}

/* Of the lambda of a bounded row. */
static double row_slack(const crn_lcp *lcp, const cairn_problem *problem, const double *z, int a)
{
    int other;
    double coefficient, constant;
    crn_lcp_row_limit(lcp, problem, a, &other, &coefficient, &constant);
    long double sum = (long double)constant / lcp->kappa - z[a - 1];
    return (double)(other >= 0 ? sum + (long double)coefficient * z[other] : sum);
}

void crn_lcp_slacks(const crn_lcp *lcp, const cairn_problem *problem, const double *z, const double *u, double *slack)
{
    int dim = problem->dim;
    for (int a = 0; a < lcp->size; ++a)
    {
        int j = lcp->contact[a];
        long double sum = 0.0L;
        for (int k = 0; k < dim; ++k)
            sum += (long double)lcp->direction[a * dim + k] * u[j * dim + k];
        slack[a] = (double)(sum * scale_of(lcp, a) / lcp->kappa);
        if (lcp->lambda[a] >= 0 && !is_lambda(lcp, a))
            slack[a] += z[lcp->lambda[a]];
        if (lcp->lambda[a] < 0 && lift(lcp, problem, j) != 0.0)
            slack[a] += lift(lcp, problem, j) * z[lcp->first[j + 1] - 1];
        if (is_lambda(lcp, a) && crn_is_row(problem, j))
        {
            slack[a] = row_slack(lcp, problem, z, a);
        }
        else if (is_lambda(lcp, a))
        {
            sum = (long double)scaled_friction(lcp, problem, j) * z[lcp->first[j]];
            sum += (long double)scaled_radius(lcp, problem, j) / lcp->kappa;
            for (int b = a - group_size(problem); b < a; ++b)
                sum -= z[b];
            slack[a] = (double)sum;
        }
    }
}
