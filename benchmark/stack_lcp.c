/* The step of a stack of boxes, written down by hand and not by the library, so that both solvers get a problem that
 * neither of them made.
 *
 * Box k of a tower lies in [-1/2, 1/2]^2 x [k, k + 1]; contact (k, corner) is between box k above and box k - 1 (or the ground)
 * below. With A = diag(mass), free velocity v_f = v + h g and the contact rows J (normal, then the four directions
 * +x, -x, +y, -y), the variables of a contact are r_n, beta_1..4, lambda and
 *
 *     w_n     = J_n v                  v = v_f + A^-1 J' (r_n, beta)
 *     w_beta  = J_beta v + lambda
 *     w_lambda = mu r_n - sum beta                                       (Anitescu & Potra 2002, eq. 14-16)
 */
#include "stack_lcp.h"

#include "bench.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define ROWS      5 /* of a contact that touch velocities: normal and four directions */
#define VARIABLES 6 /* of a contact: the same, and lambda */

static const double H = 0.01;
static const double GRAVITY = 9.81;
static const double INVERSE_MASS[6] = {1, 1, 1, 6, 6, 6}; /* a cube of 1 kg and edge 1 m */
static const double DIRECTIONS[ROWS][3] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};

/* Pseudo-random, in [-1, 1], a function of the key alone. */
static double noise(int key)
{
    uint64_t x = (uint64_t)key * 0x9e3779b97f4a7c15u + 1;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (double)(x >> 11) * 0x1p-52 - 1;
}

/* Row of the velocity along d of a point at `arm` from the centre: (d, arm x d). */
static void point_row(const double arm[3], const double d[3], double sign, double row[6])
{
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3;
        int k = (i + 2) % 3;
        row[i] = sign * d[i];
        row[3 + i] = sign * (arm[j] * d[k] - arm[k] * d[j]);
    }
}

/* All rows J, dense: (boxes * 4 * ROWS) x (6 boxes). */
static double *contact_rows(const bench_stack *stack)
{
    int boxes = stack->boxes;
    int width = 6 * boxes;
    double *J = bench_memory((size_t)(boxes * 4 * ROWS) * (size_t)width, sizeof *J);
    for (int row = 0; row < boxes * 4 * ROWS; ++row)
    {
        int box = row / (4 * ROWS);
        int corner = row / ROWS % 4;
        double above[3] = {corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, -0.5};
        above[0] += stack->jitter * noise(8 * (4 * box + corner));
        above[1] += stack->jitter * noise(8 * (4 * box + corner) + 1);
        double below[3] = {above[0], above[1], 0.5};
        const double *d = DIRECTIONS[row % ROWS];
        point_row(above, d, 1, J + (size_t)row * (size_t)width + 6 * box);
        if (box % stack->height > 0)
            point_row(below, d, -1, J + (size_t)row * (size_t)width + 6 * (box - 1));
    }
    return J;
}

static double *free_velocity(const bench_stack *stack)
{
    double *v = bench_memory(6 * (size_t)stack->boxes, sizeof *v);
    for (int k = 0; k < stack->boxes; ++k)
    {
        v[6 * k + 2] = -H * GRAVITY;
        v[6 * k] = (k + 1) % stack->height == 0 ? stack->push : 0;
        v[6 * k + 5] = k % 2 ? stack->spin : -stack->spin;
    }
    for (int i = 0; i < 6 * stack->boxes; ++i)
        v[i] += stack->jitter * noise(8 * i + 2);
    return v;
}

static int variable(int row)
{
    return row / ROWS * VARIABLES + row % ROWS;
}

/* M += J A^-1 J' and q += J v_f on the variables that are rows of J. */
static void add_dynamics(const bench_stack *stack, const bench_lcp *lcp)
{
    int width = 6 * stack->boxes;
    int rows = stack->boxes * 4 * ROWS;
    double *J = contact_rows(stack);
    double *v = free_velocity(stack);
    for (int i = 0; i < rows; ++i)
    {
        const double *a = J + (size_t)i * (size_t)width;
        for (int j = 0; j < rows; ++j)
        {
            const double *b = J + (size_t)j * (size_t)width;
            double sum = 0;
            for (int k = 0; k < width; ++k)
                sum += a[k] * INVERSE_MASS[k % 6] * b[k];
            lcp->M[variable(i) * lcp->n + variable(j)] = sum;
        }
        for (int k = 0; k < width; ++k)
            lcp->q[variable(i)] += a[k] * v[k];
    }
    free(v);
    free(J);
}

bench_lcp stack_lcp(const bench_stack *stack)
{
    bench_lcp made = {.n = stack->boxes * 4 * VARIABLES};
    made.M = bench_memory((size_t)made.n * (size_t)made.n, sizeof *made.M);
    made.q = bench_memory((size_t)made.n, sizeof *made.q);
    add_dynamics(stack, &made);
    for (int first = 0; first < made.n; first += VARIABLES)
    {
        int lambda = first + ROWS;
        made.M[lambda * made.n + first] = stack->mu;
        for (int beta = first + 1; beta < lambda; ++beta)
        {
            made.M[beta * made.n + lambda] = 1;
            made.M[lambda * made.n + beta] = -1;
        }
    }
    return made;
}

bench_lcp random_lcp(int n)
{
    bench_lcp made = {
        .n = n, .M = bench_memory((size_t)n * (size_t)n, sizeof(double)), .q = bench_memory((size_t)n, sizeof(double))};
    for (int i = 0; i < n; ++i)
    {
        for (int j = 0; j < n; ++j)
        {
            double sum = (i == j) + noise(2 * (i * n + j)) - noise(2 * (j * n + i));
            for (int k = 0; k < n; ++k)
                sum += noise(2 * (i * n + k) + 1) * noise(2 * (j * n + k) + 1) / n;
            made.M[i * n + j] = sum;
        }
        made.q[i] = noise(-1 - i) - 0.2;
    }
    return made;
}

void lcp_free(bench_lcp *lcp)
{
    free(lcp->M);
    free(lcp->q);
    lcp->M = lcp->q = NULL;
}

double lcp_residual(const bench_lcp *lcp, const double *z)
{
    double worst = 0;
    for (int i = 0; i < lcp->n; ++i)
    {
        double w = lcp->q[i];
        for (int j = 0; j < lcp->n; ++j)
            w += lcp->M[i * lcp->n + j] * z[j];
        double error = fabs(fmin(z[i], w));
        worst = error <= worst ? worst : error; /* a NaN counts as worst */
    }
    return worst;
}
