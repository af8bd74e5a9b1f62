/* How well a claimed solution (v, c, r) of a one-step problem holds, from the problem's data alone.
 *
 * With u = H v + R r + w and contact j's effective mass rho = 1 / mean diag (H_j D^-1 H_j' + R_jj), D the diagonal
 * blocks of A, the natural map of the contact is
 *
 *     normal        | r_n - max(0, r_n - rho u_n) | / rho
 *     tangential    | r_t - P(r_t - rho u_t) | / rho,   P the projection on mu max(0, r_n) times the law's figure
 *
 * (regular polygon, square, disc, interval in the plane); for the laws of cones, with K the cone over that figure,
 *
 *     convex        | r - P_K(r - rho u) | / rho
 *     cone          | r - P_K(r - rho (u + mu |u_t| e_n)) | / rho       (the bipotential of de Saxce and Feng)
 *
 * and for a bounded row, whose mass rho is that of its one row, with the interval that the solution's own impulses give it,
 *
 *     row           | z - P(z - rho s) | / rho,          P the projection on [lo, hi]
 *
 * It is zero exactly when the law holds, and a velocity. r may be so large that rho u is lost beside it: a body held by
 * joints in a wall can push as hard as it likes, and nothing moves. So where a component of the projection is the point
 * itself, its part of the natural map is taken as rho u and not as a difference; and what is left to differences counts with a
 * thousandth of their rounding error, |r| eps / rho, which no impulse can hide.
 *
 * The scale of an island is the largest speed its data promise. Let x = A^-1 p, the velocity without contacts and joints: the
 * largest of |x_i|, of |G| |x| + |b| over joint rows and of |H| |x| + |w| over contact rows, save that a positive w_n, a
 * gap, counts no more than the speed |H| |x| that could close it. The w of a bounded row likewise counts no more than what
 * |H| |x| and the largest impulse against it can bring about; and its least impulse counts, with its mass. What is an angular velocity counts times its length.
 */
#include "solve/certify/certify.h"

#include "base/memory.h"
#include "linalg/blocks.h"
#include "linalg/inverses.h"
#include "linalg/saddle.h"
#include "math/cone.h"
#include "math/polygon.h"
#include "solve/auto/lengths.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SHARE_OF_ROUNDING = 1e-3 * DBL_EPSILON;

struct crn_certifier
{
    crn_saddle *saddle;         /* of A alone, for the scale of coupled systems */
    crn_inverses D;             /* of the diagonal blocks, */
    bool regular;               /* which all have one */
    bool coupled;               /* A has others, and the saddle its factors */
    double scale;               /* the largest */
    const crn_islands *islands; /* NULL: the problem is one */
    double *island_scale;       /* an island, */
    double *island_worst;       /* and its largest residual */
    double *contact_scale;      /* a contact: its island's scale */
    double *free_velocity;      /* A^-1 p */
    double *column;             /* one block's right-hand side, and its solution */
    long double *dynamics;      /* n */
    long double *joint;         /* joint_rows */
    long double *u;             /* dim * contact_count */
    size_t capacity[8];
};

crn_certifier *crn_certifier_create(void)
{
    crn_certifier *certifier = calloc(1, sizeof(crn_certifier));
    if (certifier)
        certifier->saddle = crn_saddle_create();
    if (certifier && !certifier->saddle)
    {
        free(certifier);
        return NULL;
    }
    return certifier;
}

void crn_certifier_destroy(crn_certifier *certifier)
{
    if (!certifier)
        return;
    crn_saddle_destroy(certifier->saddle);
    crn_inverses_release(&certifier->D);
    free(certifier->island_scale);
    free(certifier->island_worst);
    free(certifier->contact_scale);
    free(certifier->free_velocity);
    free(certifier->column);
    free(certifier->dynamics);
    free(certifier->joint);
    free(certifier->u);
    free(certifier);
}

static int block_size(const cairn_problem *problem, int block)
{
    return problem->block_start[block + 1] - problem->block_start[block];
}

/* ------------------------------------------------------------------------------------------------------- islands */

static int island_count(const crn_certifier *work)
{
    return work->islands ? work->islands->component_count : 1;
}

/* Nodes count as in islands.h: blocks, then items of G, then contacts. */
static int island_of(const crn_certifier *work, int node)
{
    return work->islands ? work->islands->component[node] : 0;
}

static cairn_status reserve(crn_certifier *work, const cairn_problem *problem)
{
    /* one more than needed throughout: no array is missing when there are no bodies */
    size_t n = (size_t)problem->n + 1;
    size_t joints = (size_t)problem->joint_rows + 1;
    size_t rows = (size_t)problem->dim * (size_t)problem->contact_count + 1;
    size_t islands = (size_t)island_count(work) + 1;
    size_t contacts = work->islands ? (size_t)problem->contact_count + 1 : 1;
    CRN_TRY(crn_reserve(&work->free_velocity, &work->capacity[0], n, sizeof(double)));
    CRN_TRY(crn_reserve(&work->column, &work->capacity[1], 2 * n, sizeof(double)));
    CRN_TRY(crn_reserve(&work->dynamics, &work->capacity[2], n, sizeof(long double)));
    CRN_TRY(crn_reserve(&work->joint, &work->capacity[3], joints, sizeof(long double)));
    CRN_TRY(crn_reserve(&work->island_scale, &work->capacity[5], islands, sizeof(double)));
    CRN_TRY(crn_reserve(&work->island_worst, &work->capacity[6], islands, sizeof(double)));
    CRN_TRY(crn_reserve(&work->contact_scale, &work->capacity[7], contacts, sizeof(double)));
    return crn_reserve(&work->u, &work->capacity[4], rows, sizeof(long double));
}

/* The larger, where a number that is not one is the largest of all. */
static double larger(double a, double b)
{
    if (isnan(b))
        return INFINITY;
    return b > a ? b : a;
}

static bool all_finite(const double *x, int count)
{
    for (int i = 0; i < count; ++i)
        if (!isfinite(x[i]))
            return false;
    return true;
}

/* x = A^-1 p, and whether A couples blocks, in work->coupled. Without coupling that is D^-1 p; and so it is taken when A turns out not to be positive definite. */
static void find_free_velocity(crn_certifier *work, const cairn_problem *problem)
{
    work->coupled = problem->block_count > 0 && problem->A.row_start[problem->block_count] > problem->block_count;
    if (work->coupled)
    {
        cairn_problem alone = *problem;
        alone.joint_rows = 0;
        alone.G = (cairn_block_rows){0};
        work->coupled = crn_saddle_factorise(work->saddle, NULL, &alone) == CAIRN_OK;
    }
    if (work->coupled)
    {
        memcpy(work->free_velocity, problem->p, (size_t)problem->n * sizeof(double));
        crn_saddle_solve(work->saddle, work->free_velocity, NULL);
        return;
    }
    memset(work->free_velocity, 0, (size_t)problem->n * sizeof(double));
    for (int i = 0; i < problem->block_count; ++i)
    {
        int first = problem->block_start[i];
        crn_inverses_add(&work->D, i, problem->p + first, work->free_velocity + first);
    }
}

static inline double add_speeds(int size, const double *value, const double *x)
{
    double sum = 0.0;
    for (int k = 0; k < size; ++k)
        sum += fabs(value[k] * x[k]);
    return sum;
}

/* Row `row` of item i of B: sum over its entries of |B| |x|. */
static double row_speed(const cairn_problem *problem, const cairn_block_rows *B, int i, int row, const double *x)
{
    double sum = 0.0;
    for (int e = B->entry_start[i]; e < B->entry_start[i + 1]; ++e)
    {
        int first = problem->block_start[B->block[e]];
        int size = problem->block_start[B->block[e] + 1] - first;
        const double *value = B->value + B->value_start[e] + row * size;
        sum += size == 6 ? add_speeds(6, value, x + first) : add_speeds(size, value, x + first);
    }
    return sum;
}

/* What a block, a joint and a contact promise of speed. */
static double block_speed(const crn_certifier *work, const cairn_problem *problem, int i)
{
    double speed = DBL_MIN;
    for (int k = problem->block_start[i]; k < problem->block_start[i + 1]; ++k)
        speed = larger(speed, crn_length(problem, k) * fabs(work->free_velocity[k]));
    return speed;
}

static double joint_speed(const crn_certifier *work, const cairn_problem *problem, int i)
{
    double most = DBL_MIN;
    for (int row = problem->G.row_start[i]; row < problem->G.row_start[i + 1]; ++row)
    {
        double speed = row_speed(problem, &problem->G, i, row - problem->G.row_start[i], work->free_velocity);
        most = larger(most, crn_joint_length(problem, row) * (speed + fabs(problem->b[row])));
    }
    return most;
}

static bool is_bounded(const cairn_problem *problem, int j)
{
    return problem->bound && problem->bound[j].is_row;
}

/* A w that no impulse within the bounds can make up for leaves z at its bound, however large it is. */
static double row_promise(crn_certifier *work, const cairn_problem *problem, int j)
{
    const cairn_bound *bound = &problem->bound[j];
    double speed = row_speed(problem, &problem->H, j, 0, work->free_velocity);
    double w = problem->w[j * problem->dim];
    double most = w > 0.0 ? fmax(-bound->lo, 0.0) : fmax(bound->hi, 0.0); /* against w */
    double mass = crn_certifier_mass(work, problem, j);
    double reach = most == 0.0 ? 0.0 : bound->by >= 0 ? INFINITY : most / mass;
    double least = fmax(fmax(bound->lo, -bound->hi), 0.0) / mass; /* of the impulse that acts whatever happens */
    return larger(DBL_MIN, speed + fmin(fabs(w), speed + reach) + least);
}

static double contact_speed(crn_certifier *work, const cairn_problem *problem, int j)
{
    if (is_bounded(problem, j))
        return row_promise(work, problem, j);
    double most = DBL_MIN;
    for (int k = 0; k < problem->dim; ++k)
    {
        double speed = row_speed(problem, &problem->H, j, k, work->free_velocity);
        double w = problem->w[j * problem->dim + k];
        most = larger(most, speed + (k == 0 && w > speed ? speed : fabs(w)));
    }
    return most;
}

static void note_speed(crn_certifier *work, int node, double speed)
{
    double *most = work->island_scale + island_of(work, node);
    *most = larger(*most, speed);
}

static void find_scales(crn_certifier *work, const cairn_problem *problem)
{
    int node = 0;
    for (int i = 0; i < problem->block_count; ++i, ++node)
        note_speed(work, node, block_speed(work, problem, i));
    for (int i = 0; i < problem->G.item_count; ++i, ++node)
        note_speed(work, node, joint_speed(work, problem, i));
    for (int j = 0; j < problem->contact_count; ++j, ++node)
        note_speed(work, node, contact_speed(work, problem, j));
}

static void share_scales(crn_certifier *work, const cairn_problem *problem)
{
    for (int k = 0; k < island_count(work); ++k)
        work->scale = larger(work->scale, work->island_scale[k]);
    int first = problem->block_count + problem->G.item_count;
    for (int j = 0; work->islands && j < problem->contact_count; ++j)
        work->contact_scale[j] = work->island_scale[island_of(work, first + j)];
}

cairn_status crn_certifier_prepare(crn_certifier *certifier, const cairn_problem *problem, const crn_islands *islands)
{
    int singular;
    certifier->islands = islands;
    if (reserve(certifier, problem) || crn_inverses_make(&certifier->D, problem, INT_MAX, &singular))
        return CAIRN_NO_MEMORY;
    certifier->regular = singular < 0;
    certifier->scale = 0.0;
    for (int k = 0; k < island_count(certifier); ++k)
        certifier->island_scale[k] = DBL_MIN;
    if (certifier->regular)
    {
        certifier->scale = DBL_MIN;
        find_free_velocity(certifier, problem);
        find_scales(certifier, problem);
        share_scales(certifier, problem);
    }
    return CAIRN_OK;
}

double crn_certifier_scale(const crn_certifier *certifier)
{
    return certifier->scale;
}

double crn_certifier_spread(const crn_certifier *certifier, const cairn_problem *problem)
{
    int nodes = problem->block_count + problem->G.item_count + problem->contact_count;
    double least = certifier->scale;
    for (int node = problem->block_count; certifier->islands && node < nodes; ++node)
        least = fmin(least, certifier->island_scale[island_of(certifier, node)]);
    return certifier->scale > 0.0 ? least / certifier->scale : 1.0;
}

const double *crn_certifier_contact_scales(const crn_certifier *certifier)
{
    return certifier->islands && certifier->regular ? certifier->contact_scale : NULL;
}

static void note_residual(crn_certifier *work, int node, double residual)
{
    double *worst = work->island_worst + island_of(work, node);
    *worst = larger(*worst, residual);
}

/* A v - p of the blocks. */
static void start_dynamics(crn_certifier *work, const cairn_problem *problem, const double *v)
{
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

/* x = A^-1 x, or D^-1 x where A has no other blocks or no factors. */
static void solve_bodies(crn_certifier *work, const cairn_problem *problem, double *x)
{
    if (work->coupled)
    {
        crn_saddle_solve(work->saddle, x, NULL);
        return;
    }
    for (int i = 0; i < problem->block_count; ++i)
    {
        int first = problem->block_start[i];
        size_t size = (size_t)block_size(problem, i);
        double *right = work->column + problem->n;
        memcpy(right, x + first, size * sizeof(double));
        memset(x + first, 0, size * sizeof(double));
        crn_inverses_add(&work->D, i, right, x + first);
    }
}

/* The largest length times |A^-1 (A v - p - G' c - H' r)|: how far v is from the velocity that the impulses make. */
static double dynamics_residual(crn_certifier *work, const cairn_problem *problem, const cairn_solution *solution)
{
    double worst = 0.0;
    start_dynamics(work, problem, solution->v);
    crn_rows_transposed_add(&problem->G, problem->block_start, -1.0, solution->c, work->dynamics);
    crn_rows_transposed_add(&problem->H, problem->block_start, -1.0, solution->r, work->dynamics);
    for (int k = 0; k < problem->n; ++k)
        work->column[k] = (double)work->dynamics[k];
    solve_bodies(work, problem, work->column);
    for (int i = 0; i < problem->block_count; ++i)
    {
        double own = 0.0;
        for (int k = problem->block_start[i]; k < problem->block_start[i + 1]; ++k)
            own = larger(own, crn_length(problem, k) * fabs(work->column[k]));
        note_residual(work, i, own);
        worst = larger(worst, own);
    }
    return worst;
}

static double joint_residual(crn_certifier *work, const cairn_problem *problem, const cairn_solution *solution)
{
    double worst = 0.0;
    for (int i = 0; i < problem->joint_rows; ++i)
        work->joint[i] = (long double)problem->R_c[i] * solution->c[i] - problem->b[i];
    crn_rows_add(&problem->G, problem->block_start, 1.0, solution->v, work->joint);
    for (int i = 0; i < problem->G.item_count; ++i)
    {
        double own = 0.0;
        for (int row = problem->G.row_start[i]; row < problem->G.row_start[i + 1]; ++row)
            own = larger(own, crn_joint_length(problem, row) * (double)fabsl(work->joint[row]));
        note_residual(work, problem->block_count + i, own);
        worst = larger(worst, own);
    }
    return worst;
}

static void find_contact_velocities(crn_certifier *work, const cairn_problem *problem, const cairn_solution *solution)
{
    for (int i = 0; i < problem->dim * problem->contact_count; ++i)
        work->u[i] = problem->w[i];
    crn_rows_add(&problem->H, problem->block_start, 1.0, solution->v, work->u);
    crn_compliance_add(problem, solution->r, work->u);
}

/* The patch of a contact, -1 when it has none. */
static int find_patch(const cairn_problem *problem, int contact)
{
    const int *start = problem->patch_start;
    int low = 0, high = problem->patch_count;
    if (high == 0 || contact < start[0] || contact >= start[high])
        return -1;
    while (high - low > 1)
    {
        int middle = low + (high - low) / 2;
        low = start[middle] <= contact ? middle : low;
        high = start[middle] <= contact ? high : middle;
    }
    return low;
}

/* The sum of the first `count` entries on the diagonal of R_jj. */
static double compliance_trace(const cairn_problem *problem, int contact, int count)
{
    int k = find_patch(problem, contact);
    if (k < 0)
        return 0.0;
    int rows = (problem->patch_start[k + 1] - problem->patch_start[k]) * problem->dim;
    int first = (contact - problem->patch_start[k]) * problem->dim;
    double trace = 0.0;
    for (int i = first; i < first + count; ++i)
        trace += problem->R[problem->R_start[k] + i * rows + i];
    return trace;
}

double crn_certifier_mass(crn_certifier *work, const cairn_problem *problem, int contact)
{
    const cairn_block_rows *H = &problem->H;
    int rows = is_bounded(problem, contact) ? 1 : problem->dim;
    double trace = compliance_trace(problem, contact, rows);
    for (int e = H->entry_start[contact]; e < H->entry_start[contact + 1]; ++e)
        trace += crn_inverses_trace(&work->D, H->block[e], rows, H->value + H->value_start[e]);
    double rho = (double)rows / trace;
    return isfinite(rho) && rho > 0.0 ? rho : 1.0;
}

static bool has_polygon(const cairn_problem *problem)
{
    return problem->dim == 3 &&
           (problem->law.kind == CAIRN_LAW_PYRAMID || problem->law.kind == CAIRN_LAW_CONVEX_PYRAMID);
}

static bool is_convex(const cairn_problem *problem)
{
    return problem->law.kind == CAIRN_LAW_CONVEX_PYRAMID || problem->law.kind == CAIRN_LAW_CONVEX_CONE;
}

/* |(x, y, z)|, by hypot where a square would leave the range of numbers. */
static double length(double x, double y, double z)
{
    double sum = x * x + y * y + z * z;
    return sum > 1e-280 && sum < 1e280 ? sqrt(sum) : hypot(hypot(x, y), z);
}

/* The point of radius times the law's figure that is nearest to x. */
static void project(const cairn_problem *problem, double radius, const double *x, double *out)
{
    if (has_polygon(problem))
    {
        crn_polygon_project(problem->law.directions, radius, x, out);
        return;
    }
    bool round = problem->law.kind == CAIRN_LAW_CONE || problem->law.kind == CAIRN_LAW_CONVEX_CONE ||
                 problem->law.kind == CAIRN_LAW_LAGGED;
    if (problem->dim == 3 && round)
    {
        double size = length(x[0], x[1], 0.0);
        double share = size > radius ? radius / size : 1.0;
        out[0] = share * x[0];
        out[1] = share * x[1];
        return;
    }
    radius = problem->law.kind == CAIRN_LAW_FRICTIONLESS ? 0.0 : radius;
    for (int k = 0; k < problem->dim - 1; ++k)
        out[k] = fmin(fmax(x[k], -radius), radius);
}

/* A component of r - nearest, where `moved` = r - step is what was projected. */
static double missing(double r, double moved, double nearest, double step)
{
    return nearest == moved ? step : r - nearest;
}

/* The distance of r_t from the projection of r_t - rho u_t; rho 0 gives the distance from the set. */
static double tangential_distance(const cairn_problem *problem, int contact, const double *r, const long double *u,
                                  double rho)
{
    double moved[2] = {0.0, 0.0};
    double nearest[2] = {0.0, 0.0};
    for (int k = 0; k < problem->dim - 1; ++k)
        moved[k] = (double)(r[1 + k] - rho * u[1 + k]);
    double bound =
        problem->law.kind == CAIRN_LAW_LAGGED ? problem->radius[contact] : problem->mu[contact] * fmax(r[0], 0.0);
    project(problem, bound, moved, nearest);
    double first = missing(r[1], moved[0], nearest[0], (double)(rho * u[1]));
    double second = problem->dim == 3 ? missing(r[2], moved[1], nearest[1], (double)(rho * u[2])) : 0.0;
    return length(first, second, 0.0);
}

/* The distance of r from the projection on the cone of r - rho (u + s e_n), s = mu |u_t| where the law is exact. */
static double cone_distance(const cairn_problem *problem, int contact, const double *r, const long double *u,
                            double rho)
{
    double mu = problem->mu[contact];
    long double across = problem->dim == 3 ? u[2] : 0.0L; /* squares of a double's range fit into that of long double */
    long double shift = is_convex(problem) ? 0.0L : mu * sqrtl(u[1] * u[1] + across * across);
    double step[3] = {0.0, 0.0, 0.0};
    double moved[3] = {0.0, 0.0, 0.0};
    double nearest[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < problem->dim; ++k)
    {
        long double velocity = u[k] + (k == 0 ? shift : 0.0L);
        step[k] = (double)(rho * velocity);
        moved[k] = (double)(r[k] - rho * velocity);
    }
    if (has_polygon(problem))
        crn_pyramid_project(problem->law.directions, mu, moved, nearest);
    else
        crn_cone_project(problem->dim, mu, moved, nearest);
    double off[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < problem->dim; ++k)
        off[k] = missing(r[k], moved[k], nearest[k], step[k]);
    return length(off[0], off[1], off[2]);
}

/* How far the natural map of a contact is from zero: an impulse. */
static double law_distance(const cairn_problem *problem, int contact, const double *r, const long double *u, double rho)
{
    if (is_convex(problem) || problem->law.kind == CAIRN_LAW_CONE)
        return cone_distance(problem, contact, r, u, rho);
    double normal = (double)fminl(r[0], rho * u[0]);
    return length(normal, tangential_distance(problem, contact, r, u, rho), 0.0);
}

/* What the law says vanishes: the normal's work, or all of it where the law couples the two. */
static double work_of_law(const cairn_problem *problem, const double *r, const long double *u)
{
    long double work = 0.0L;
    for (int k = 0; k < (is_convex(problem) ? problem->dim : 1); ++k)
        work += u[k] * r[k];
    return (double)fabsl(work);
}

/* ---------------------------------------------------------------------------------------------------- bounded rows */

/* The bounds of row j, from the solution's impulses where they are multiples of one. */
static void find_bounds(const cairn_problem *problem, const cairn_solution *solution, int j, double *lo, double *hi)
{
    const cairn_bound *bound = &problem->bound[j];
    double f = bound->by >= 0 ? fmax(solution->r[bound->by * problem->dim], 0.0) : 1.0;
    *lo = isinf(bound->lo) ? bound->lo : bound->lo * f;
    *hi = isinf(bound->hi) ? bound->hi : bound->hi * f;
}

static void judge_row(crn_certifier *work, const cairn_problem *problem, const cairn_solution *solution, int j,
                      cairn_certificate *certificate)
{
    const double *r = solution->r + j * problem->dim;
    double s = (double)work->u[j * problem->dim], z = r[0], lo, hi;
    double across = length(r[1], problem->dim == 3 ? r[2] : 0.0, 0.0); /* impulses of rows that have none */
    double rho = crn_certifier_mass(work, problem, j);
    find_bounds(problem, solution, j, &lo, &hi);
    double moved = z - rho * s;
    double nearest = moved < lo ? lo : moved > hi ? hi : moved;
    double distance = length(missing(z, moved, nearest, rho * s), across, 0.0);
    double natural = distance / rho + SHARE_OF_ROUNDING * fabs(z) / rho;
    double outside = length(fmax(fmax(lo - z, z - hi), 0.0), across, 0.0);
    double room =
        s > 0.0 ? z - lo : hi - z; /* to the bound where s may be what it is; the natural map alone judges lines */
    if (certificate->worst_contact < 0 || !(natural <= certificate->natural_map))
        certificate->worst_contact = j;
    note_residual(work, problem->block_count + problem->G.item_count + j, natural);
    certificate->natural_map = larger(certificate->natural_map, natural);
    certificate->impulse_outside = larger(certificate->impulse_outside, outside);
    if (isfinite(room))
        certificate->complementarity = larger(certificate->complementarity, fabs(s * room));
}

static void judge_contact(crn_certifier *work, const cairn_problem *problem, const cairn_solution *solution, int j,
                          cairn_certificate *certificate)
{
    const double *r = solution->r + j * problem->dim;
    const long double *u = work->u + j * problem->dim;
    double u_n = (double)u[0];
    double rho = crn_certifier_mass(work, problem, j);
    double size = length(r[0], r[1], problem->dim == 3 ? r[2] : 0.0);
    double natural = law_distance(problem, j, r, u, rho) / rho + SHARE_OF_ROUNDING * size / rho;
    double outside = length(fmax(0.0, -r[0]), tangential_distance(problem, j, r, u, 0.0), 0.0);
    if (certificate->worst_contact < 0 || !(natural <= certificate->natural_map))
        certificate->worst_contact = j;
    note_residual(work, problem->block_count + problem->G.item_count + j, natural);
    certificate->natural_map = larger(certificate->natural_map, natural);
    certificate->impulse_outside = larger(certificate->impulse_outside, outside);
    certificate->penetration_speed = larger(certificate->penetration_speed, -u_n);
    certificate->complementarity = larger(certificate->complementarity, work_of_law(problem, r, u));
}

/* A solution that is not made of numbers holds nothing. */
static void judge_not_finite(const cairn_problem *problem, const cairn_solution *solution,
                             cairn_certificate *certificate)
{
    certificate->natural_map = certificate->impulse_outside = INFINITY;
    certificate->penetration_speed = certificate->complementarity = INFINITY;
    certificate->joint = certificate->dynamics = certificate->relative = INFINITY;
    for (int j = problem->contact_count - 1; j >= 0; --j)
        if (!all_finite(solution->r + j * problem->dim, problem->dim))
            certificate->worst_contact = j;
}

void crn_certifier_judge(crn_certifier *certifier, const cairn_problem *problem, const cairn_solution *solution,
                         cairn_certificate *certificate)
{
    assert(solution->n == problem->n && solution->joint_rows == problem->joint_rows);
    assert(solution->contact_rows == problem->dim * problem->contact_count);
    *certificate = (cairn_certificate){.scale = certifier->scale, .worst_contact = -1};
    if (!certifier->regular || !all_finite(solution->v, solution->n) ||
        !all_finite(solution->c, solution->joint_rows) || !all_finite(solution->r, solution->contact_rows))
    {
        judge_not_finite(problem, solution, certificate);
        return;
    }
    memset(certifier->island_worst, 0, (size_t)island_count(certifier) * sizeof(double));
    certificate->dynamics = dynamics_residual(certifier, problem, solution);
    certificate->joint = joint_residual(certifier, problem, solution);
    find_contact_velocities(certifier, problem, solution);
    for (int j = 0; j < problem->contact_count; ++j)
        if (is_bounded(problem, j))
            judge_row(certifier, problem, solution, j, certificate);
        else
            judge_contact(certifier, problem, solution, j, certificate);
    for (int k = 0; k < island_count(certifier); ++k)
    {
        double relative = certifier->island_worst[k] / certifier->island_scale[k];
        certificate->relative = larger(certificate->relative, relative);
    }
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
