/* The function F of Newton's method on the contacts alone, and its derivative (gauss_seidel_newton.c). */
#include "solve/sweep/gauss_seidel_newton.h"

#include "linalg/lanes.h"
#include "solve/auto/bounded.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The derivative D of the projection on the cone at x, dim x dim. */
static void differentiate(int dim, double mu, const double *x, double *D)
{
    assert(dim == 2 || dim == 3);
    assert(mu >= 0.0);
    double s = dim == 3 ? sqrt(x[1] * x[1] + x[2] * x[2]) : fabs(x[1]);
    memset(D, 0, 9 * sizeof(double));
    if (s <= mu * x[0] || mu * s <= -x[0])
    {
        double inside = s <= mu * x[0] ? 1.0 : 0.0;
        D[0] = D[dim + 1] = inside;
        D[dim * dim - 1] = inside;
        return;
    }
    double share = 1.0 / (1.0 + mu * mu);
    double height = share * (x[0] + mu * s);
    double d[3] = {1.0, mu * x[1] / s, dim == 3 ? mu * x[2] / s : 0.0}; /* P_K(x) = height d */
    for (int i = 0; i < dim; ++i)
        for (int k = 0; k < dim; ++k)
            D[i * dim + k] = share * d[i] * d[k];
    double turn = mu * height / s;
    double t[2] = {x[1] / s, dim == 3 ? x[2] / s : 0.0};
    for (int i = 1; i < 3 && dim == 3; ++i)
        for (int k = 1; k < 3; ++k)
            D[i * dim + k] += turn * ((i == k ? 1.0 : 0.0) - t[i - 1] * t[k - 1]);
}

static double slip_speed(int dim, const double *u)
{
    return dim == 3 ? sqrt(u[1] * u[1] + u[2] * u[2]) : fabs(u[1]);
}

/* D J: J adds mu u_t' / |u_t| times the first column of D to the others. */
static void add_slip(int dim, double mu, const double *u, double *D)
{
    double speed = slip_speed(dim, u);
    for (int i = 0; i < dim && speed > 0.0; ++i)
        for (int k = 1; k < dim; ++k)
            D[i * dim + k] += D[i * dim] * mu * u[k] / speed;
}

/* out = the sum of f_l times row l of W, of `dim` rows of `count` numbers. */
static void combine(int count, int dim, const double *f, const double *W, double *restrict out)
{
    const double *W1 = W + count, *W2 = dim == 3 ? W1 + count : W;
    double f2 = dim == 3 ? f[2] : 0.0;
    int c = 0;
    for (; c + 1 < count; c += 2)
        *(crn_lanes *)(out + c) =
            (f[0] * crn_lanes_at(W + c) + f[1] * crn_lanes_at(W1 + c)) + f2 * crn_lanes_at(W2 + c);
    for (; c < count; ++c)
        out[c] = (f[0] * W[c] + f[1] * W1[c]) + f2 * W2[c];
}

/* Block row i of the matrix, from D and D J. */
static void fill_row(crn_gs_newton *newton, int i, double rho, double alpha, const double *D, const double *DJ)
{
    assert(i >= 0 && i < newton->contacts);
    assert(rho > 0.0);
    int dim = newton->dim;
    const double *W = newton->W + i * dim * newton->rows;
    for (int k = 0; k < dim; ++k)
    {
        double *row = newton->matrix + (i * dim + k) * newton->rows;
        double f[3] = {0.0, 0.0, 0.0};
        for (int l = 0; l < dim; ++l)
            f[l] = rho * DJ[k * dim + l];
        combine(newton->rows, dim, f, W, row);
        for (int c = 0; c < dim; ++c)
        {
            double sum = 0.0;
            for (int l = 0; l < dim; ++l)
            {
                sum += f[l] * W[l * newton->rows + i * dim + c];
                sum += l == c ? f[l] * alpha - D[k * dim + l] : 0.0;
            }
            row[i * dim + c] = sum;
        }
        row[i * dim + k] += 1.0;
    }
}

static double row_mass(const crn_gs_newton *newton, int i)
{
    assert(newton->rho[i] > 0.0);
    return newton->rho[i] / (1.0 + newton->weight);
}

/* F of bounded row i, whose other impulses are 0. Returns |F| / rho'. */
static double find_row(crn_gs_newton *newton, int i)
{
    assert(crn_is_row(newton->problem, i));
    int dim = newton->dim, at = i * dim;
    double alpha = newton->weight / newton->rho[i], rho = row_mass(newton, i);
    crn_interval interval = crn_row_interval(newton->problem, i, newton->r);
    double z = newton->r[at];
    newton->moved[at] = z - rho * (newton->u[at] + alpha * (z - newton->centre[at]));
    newton->F[at] = z - crn_clip(interval, newton->moved[at]);
    newton->active[i] = true;
    for (int k = 1; k < dim; ++k)
        newton->F[at + k] = newton->r[at + k];
    return fabs(newton->F[at]) / rho;
}

static double friction_of(const crn_gs_newton *newton, int i)
{
    return newton->law == CRN_LOCAL_FRICTIONLESS ? 0.0 : newton->mu[i];
}

/* F of contact i for its u with the proximal term. Returns |F| / rho'. */
static double find_contact(crn_gs_newton *newton, int i)
{
    assert(!crn_is_row(newton->problem, i));
    int dim = newton->dim;
    double mu = friction_of(newton, i), alpha = newton->weight / newton->rho[i], rho = row_mass(newton, i);
    double nearest[3] = {0.0, 0.0, 0.0}, sum = 0.0;
    double *u = newton->slip + i * dim, *moved = newton->moved + i * dim;
    const double *r = newton->r + i * dim;
    bool exact = newton->law == CRN_LOCAL_COULOMB;
    for (int k = 0; k < dim; ++k)
        u[k] = newton->u[i * dim + k] + alpha * (r[k] - newton->centre[i * dim + k]);
    for (int k = 0; k < dim; ++k)
        moved[k] = r[k] - rho * (u[k] + (k == 0 && exact ? mu * slip_speed(dim, u) : 0.0));
    crn_local_project(newton->law, dim, mu, moved, nearest);
    for (int k = 0; k < dim; ++k)
    {
        newton->F[i * dim + k] = r[k] - nearest[k];
        sum += (r[k] - nearest[k]) * (r[k] - nearest[k]);
    }
    newton->active[i] = nearest[0] > 0.0;
    return sqrt(sum) / rho;
}

void crn_gs_newton_derivative(const crn_gs_newton *newton, int i, double *D, double *DJ)
{
    int dim = newton->dim;
    double mu = friction_of(newton, i), moved = newton->moved[i * dim];
    if (crn_is_row(newton->problem, i))
    {
        memset(D, 0, 9 * sizeof(double));
        D[0] = crn_clip(crn_row_interval(newton->problem, i, newton->r), moved) == moved ? 1.0 : 0.0;
    }
    else
        differentiate(dim, mu, newton->moved + i * dim, D);
    memcpy(DJ, D, 9 * sizeof(double));
    if (newton->law == CRN_LOCAL_COULOMB && !crn_is_row(newton->problem, i))
        add_slip(dim, mu, newton->slip + i * dim, DJ);
}

/* The row of F' of bounded row i. */
static void differentiate_row(crn_gs_newton *newton, int i)
{
    int dim = newton->dim, at = i * dim;
    const cairn_bound *bound = &newton->problem->bound[i];
    double D[9], DJ[9], moved = newton->moved[at];
    crn_gs_newton_derivative(newton, i, D, DJ);
    fill_row(newton, i, row_mass(newton, i), newton->weight / newton->rho[i], D, DJ);
    bool follows = bound->by >= 0 && D[0] == 0.0 && newton->r[bound->by * dim] > 0.0;
    if (follows)
    {
        bool low = moved < crn_clip(crn_row_interval(newton->problem, i, newton->r), moved);
        newton->matrix[at * newton->rows + bound->by * dim] -= low ? bound->lo : bound->hi;
    }
}

/* The rows of F' of a contact. */
static void differentiate_contact(crn_gs_newton *newton, int i)
{
    double D[9], DJ[9];
    crn_gs_newton_derivative(newton, i, D, DJ);
    fill_row(newton, i, row_mass(newton, i), newton->weight / newton->rho[i], D, DJ);
}

double crn_gs_newton_residuals(crn_gs_newton *newton)
{
    double worst = 0.0;
    if (newton->dim == 3 && !newton->problem->bound)
        return crn_gs_newton_residuals_by_four(newton);
    for (int i = 0; i < newton->contacts; ++i)
    {
        double error = crn_is_row(newton->problem, i) ? find_row(newton, i) : find_contact(newton, i);
        worst = error <= worst ? worst : error;
    }
    return worst;
}

void crn_gs_newton_differentiate(crn_gs_newton *newton)
{
    for (int i = 0; i < newton->contacts; ++i)
        if (crn_is_row(newton->problem, i))
            differentiate_row(newton, i);
        else if (newton->active[i] || !newton->apart)
            differentiate_contact(newton, i);
}
