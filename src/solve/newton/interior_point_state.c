/* Residuals at a point: dynamics, joints, and the natural map of every contact. Sums are in long double. */
#include "linalg/blocks.h"
#include "linalg/compliance.h"
#include "solve/auto/lengths.h"
#include "solve/newton/interior_point.h"

#include <assert.h>
#include <math.h>
#include <string.h>

cairn_status crn_ip_state_update(crn_ip_state *state, const cairn_problem *problem)
{
    state->problem = problem;
    size_t full = (size_t)(problem->dim * problem->contact_count) + 1;
    size_t longest = full + (size_t)problem->n + (size_t)problem->joint_rows;
    CRN_TRY(crn_ip_layout_update(&state->memory, &state->layout, problem));
    CRN_TRY(crn_reserve_all(&state->memory, CRN_ARRAY(state->r, full), CRN_ARRAY(state->u, full),
                            CRN_ARRAY(state->sum, longest), CRN_ARRAY(state->shift, full)));
    CRN_TRY(crn_ip_vector_reserve(&state->memory, &state->now, problem, &state->layout));
    return crn_ip_vector_reserve(&state->memory, &state->right, problem, &state->layout);
}

/* The larger of a and b; NaN counts as infinity. */
static double larger(double a, double b)
{
    return isnan(b) ? INFINITY : fmax(a, b);
}

bool crn_ip_is_exact(const cairn_problem *problem)
{
    cairn_law_kind kind = problem->law.kind;
    return kind == CAIRN_LAW_CONE || (problem->dim == 2 && (kind == CAIRN_LAW_PYRAMID || kind == CAIRN_LAW_BOX));
}

double crn_ip_slip(int dim, const double *u)
{
    assert(dim == 2 || dim == 3);
    return dim == 3 ? hypot(u[1], u[2]) : fabs(u[1]);
}

/* right.v = -(A v - p - G'c - H'r), and the largest |diag(A)^-1 of it|. */
static double dynamics_residual(crn_ip_state *state)
{
    const cairn_problem *problem = state->problem;
    const int *block = problem->block_start;
    double worst = 0.0;
    for (int i = 0; i < problem->n; ++i)
        state->sum[i] = -(long double)problem->p[i];
    crn_matrix_add(&problem->A, block, state->now.v, state->sum);
    crn_rows_transposed_add(&problem->G, block, -1.0, state->now.c, state->sum);
    crn_rows_transposed_add(&problem->H, block, -1.0, state->r, state->sum);
    for (int b = 0; b < problem->block_count; ++b)
    {
        int size = block[b + 1] - block[b];
        int e = problem->A.row_start[b];
        while (problem->A.column[e] != b)
            ++e;
        for (int k = 0; k < size; ++k)
        {
            int i = block[b] + k;
            state->right.v[i] = -(double)state->sum[i];
            worst =
                larger(worst, crn_length(problem, i) *
                                  fabs(state->right.v[i] / problem->A.value[problem->A.value_start[e] + k * size + k]));
        }
    }
    return worst;
}

/* right.c = b - G v - R_c c, and its largest entry. */
static double joint_residual(crn_ip_state *state)
{
    const cairn_problem *problem = state->problem;
    double worst = 0.0;
    for (int i = 0; i < problem->joint_rows; ++i)
        state->sum[i] = (long double)problem->R_c[i] * state->now.c[i] - problem->b[i];
    crn_rows_add(&problem->G, problem->block_start, 1.0, state->now.v, state->sum);
    for (int i = 0; i < problem->joint_rows; ++i)
    {
        state->right.c[i] = -(double)state->sum[i];
        worst = larger(worst, crn_joint_length(problem, i) * fabs(state->right.c[i]));
    }
    return worst;
}

static void find_velocities(crn_ip_state *state)
{
    const cairn_problem *problem = state->problem;
    int full = problem->dim * problem->contact_count;
    for (int i = 0; i < full; ++i)
        state->sum[i] = problem->w[i];
    crn_rows_add(&problem->H, problem->block_start, 1.0, state->now.v, state->sum);
    crn_compliance_add(problem, state->r, state->sum);
    for (int i = 0; i < full; ++i)
        state->u[i] = (double)state->sum[i];
}

double crn_ip_gap(const crn_ip_state *state, int j)
{
    assert(j >= 0 && j < state->layout.cones);
    const cairn_problem *problem = state->problem;
    bool friction = state->layout.first[j + 1] - state->layout.first[j] > 1;
    if (!friction)
        return 0.0;
    return state->exact ? problem->mu[j] * crn_ip_slip(problem->dim, state->u + j * problem->dim) : state->shift[j];
}

/* Where the projected point lies in K the map is rho u and is computed as that: r - (r - rho u) would lose any violation in the
 * rounding of a large impulse. */
void crn_ip_natural_map(const crn_ip_state *state, int j, double *moved, double *map)
{
    assert(state->layout.rho[j] > 0.0);
    const cairn_problem *problem = state->problem;
    int size = state->layout.first[j + 1] - state->layout.first[j];
    const double *r = state->r + j * problem->dim;
    const double *u = state->u + j * problem->dim;
    double rho = state->layout.rho[j];
    double pushed[3] = {rho * (u[0] + crn_ip_gap(state, j)), 0.0, 0.0};
    for (int k = 1; k < size; ++k)
        pushed[k] = rho * u[k];
    for (int k = 0; k < size; ++k)
        moved[k] = r[k] - pushed[k];
    crn_ip_project_on(problem, j, size, moved, map);
    bool inside = memcmp(map, moved, (size_t)size * sizeof(double)) == 0;
    for (int k = 0; k < size; ++k)
        map[k] = inside ? pushed[k] : r[k] - map[k];
}

double crn_ip_judge(crn_ip_state *state)
{
    assert(state->scale > 0.0);
    crn_ip_impulses(&state->layout, state->problem, state->now.x, state->r);
    double worst = larger(dynamics_residual(state), joint_residual(state));
    find_velocities(state);
    for (int j = 0; j < state->layout.cones; ++j)
    {
        double moved[3] = {0.0, 0.0, 0.0};
        double map[3] = {0.0, 0.0, 0.0};
        crn_ip_natural_map(state, j, moved, map);
        worst = larger(worst, sqrt(map[0] * map[0] + map[1] * map[1] + map[2] * map[2]) / state->layout.rho[j]);
    }
    return worst / state->scale;
}

static void add(int count, double length, const double *x, double *y)
{
    for (int i = 0; i < count; ++i)
        y[i] += length * x[i];
}

void crn_ip_move(crn_ip_state *state, double length, const crn_ip_vector *step)
{
    assert(step->x != state->now.x);
    add(state->problem->n, length, step->v, state->now.v);
    add(state->problem->joint_rows, length, step->c, state->now.c);
    add(state->layout.rows, length, step->x, state->now.x);
}

void crn_ip_copy(const crn_ip_state *state, const crn_ip_vector *from, crn_ip_vector *to)
{
    assert(from != to);
    memcpy(to->v, from->v, (size_t)state->problem->n * sizeof(double));
    memcpy(to->c, from->c, (size_t)state->problem->joint_rows * sizeof(double));
    memcpy(to->x, from->x, (size_t)state->layout.rows * sizeof(double));
}
