#include "solve/newton/active.h"

#include "linalg/blocks.h"
#include "linalg/compliance.h"
#include "math/cone.h"
#include "math/polygon.h"
#include "solve/auto/bounded.h"
#include "solve/auto/laws.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Directions of a pyramid slide together when their slip speeds agree to within this share. */
static const double TIE = 1e-9;

bool crn_active_open(crn_active *active)
{
    active->saddle = crn_saddle_create();
    return active->saddle;
}

void crn_active_close(crn_active *active)
{
    crn_arena_release(&active->memory);
    crn_saddle_destroy(active->saddle);
    memset(active, 0, sizeof *active);
}

int crn_active_most(const cairn_problem *problem)
{
    return problem->joint_rows + problem->dim * problem->contact_count;
}

static cairn_status reserve(crn_active *active, const cairn_problem *problem)
{
    size_t most = (size_t)crn_active_most(problem) + 1;
    size_t rows = (size_t)(problem->dim * problem->contact_count) + 1;
    size_t longest = rows > (size_t)problem->n ? rows : (size_t)problem->n + 1;
    size_t n = (size_t)problem->n + 1;
    return crn_reserve_all(&active->memory, CRN_ARRAY(active->variable, most), CRN_ARRAY(active->piece, most),
                           CRN_ARRAY(active->offset, rows), CRN_ARRAY(active->e, most), CRN_ARRAY(active->f, most),
                           CRN_ARRAY(active->u, rows), CRN_ARRAY(active->base, n), CRN_ARRAY(active->scratch, n),
                           CRN_ARRAY(active->sum, longest));
}

/* --------------------------------------------------------------------------------------------------------- pieces */

static void add_variable(crn_active *active, crn_piece *piece, int contact, const double gamma[3], const double rho[3])
{
    assert(contact >= 0);
    assert(piece->first + piece->count == active->count);
    crn_variable *variable = &active->variable[active->count++];
    *variable = (crn_variable){.joint = -1, .contact = contact};
    memcpy(variable->gamma, gamma, sizeof variable->gamma);
    memcpy(variable->rho, rho, sizeof variable->rho);
    for (int k = 0; k < 3; ++k)
        active->symmetric = active->symmetric && gamma[k] == rho[k];
    ++piece->count;
}

static crn_piece *add_piece(crn_active *active, crn_piece_kind kind, double mu, double cost)
{
    crn_piece *piece = &active->piece[active->piece_count++];
    *piece = (crn_piece){.kind = kind, .first = active->count, .mu = mu, .cost = cost};
    return piece;
}

static const double UNIT[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

/* Rows first .. dim - 1 of a contact, each for itself. */
static void add_rows(crn_active *active, crn_piece *piece, int contact, int first, int dim)
{
    assert(first < dim && dim <= 3);
    for (int k = first; k < dim; ++k)
        add_variable(active, piece, contact, UNIT[k], UNIT[k]);
}

/* Add a sliding contact whose impulse is a multiple of gamma. The exact laws charge the normal impulse alone, as the springs of a
 * stiff limit do (Preclik et al. 2011, eq. 23); the convex ones the whole impulse (eq. 65). */
static void add_slide(crn_active *active, int contact, const double gamma[3], bool convex, double cost)
{
    double square = gamma[0] * gamma[0] + gamma[1] * gamma[1] + gamma[2] * gamma[2];
    crn_piece *piece = add_piece(active, CRN_PIECE_RAY, 0.0, convex ? cost * square : cost);
    add_variable(active, piece, contact, gamma, convex ? gamma : UNIT[0]);
}

static bool is_convex(const cairn_problem *problem)
{
    return crn_law_class_of(problem->law.kind)->lifts_off;
}

static bool has_polygon(const cairn_problem *problem)
{
    return problem->dim == 3 && crn_law_class_of(problem->law.kind)->has_polygon;
}

static void stick(crn_active *active, const cairn_problem *problem, int j, double cost)
{
    crn_piece_kind kind = has_polygon(problem)                                      ? CRN_PIECE_PYRAMID
                          : problem->dim == 3 && problem->law.kind == CAIRN_LAW_BOX ? CRN_PIECE_BOX
                                                                                    : CRN_PIECE_CONE;
    add_rows(active, add_piece(active, kind, problem->mu[j], cost), j, 0, problem->dim);
}

/* Slide along the corner of the polygon that opposes u_t most, or along the edge between two that oppose it equally: then the two
 * share the impulse, and the slip along the edge stays zero. */
static void slide_on_polygon(crn_active *active, const cairn_problem *problem, int j, const double *u, double cost)
{
    assert(problem->law.directions >= 3);
    int m = problem->law.directions;
    double mu = problem->mu[j];
    double least = INFINITY;
    double corner[2];
    int found = 0;
    double gamma[2][3];
    for (int k = 0; k < m; ++k)
    {
        crn_polygon_vertex(m, k, corner);
        least = fmin(least, corner[0] * u[1] + corner[1] * u[2]);
    }
    for (int k = 0; k < m && found < 2; ++k)
    {
        crn_polygon_vertex(m, k, corner);
        if (corner[0] * u[1] + corner[1] * u[2] <= least + TIE * fabs(least))
        {
            gamma[found][0] = 1.0;
            gamma[found][1] = mu * corner[0];
            gamma[found++][2] = mu * corner[1];
        }
    }
    add_slide(active, j, gamma[0], is_convex(problem), cost);
    if (found == 2)
    {
        double edge[3] = {0.0, gamma[1][1] - gamma[0][1], gamma[1][2] - gamma[0][2]};
        crn_piece *piece = add_piece(active, CRN_PIECE_RAY, 0.0, active->piece[active->piece_count - 1].cost);
        add_variable(active, piece, j, gamma[1], is_convex(problem) ? gamma[1] : edge);
    }
}

/* Each tangent sticks or slides by itself; those that slide belong to the normal's variable. */
static void slide_on_box(crn_active *active, const cairn_problem *problem, int j, const double *u, double rest,
                         double cost)
{
    assert(problem->dim == 3);
    double gamma[3] = {1.0, 0.0, 0.0};
    int sticking = 0;
    for (int k = 1; k < 3; ++k)
    {
        bool slides = fabs(u[k]) > rest;
        gamma[k] = slides ? copysign(problem->mu[j], -u[k]) : 0.0;
        sticking = slides ? sticking : k;
    }
    if (!sticking)
    {
        add_slide(active, j, gamma, false, cost);
        return;
    }
    crn_piece *piece = add_piece(active, CRN_PIECE_CONE, problem->mu[j], cost);
    add_variable(active, piece, j, gamma, UNIT[0]);
    add_variable(active, piece, j, UNIT[sticking], UNIT[sticking]);
}

static void slide(crn_active *active, const cairn_problem *problem, int j, double rest, double cost)
{
    const double *u = active->u + j * problem->dim;
    double mu = problem->mu[j];
    double speed = problem->dim == 3 ? hypot(u[1], u[2]) : fabs(u[1]);
    if (has_polygon(problem))
    {
        slide_on_polygon(active, problem, j, u, cost);
    }
    else if (problem->dim == 3 && problem->law.kind == CAIRN_LAW_BOX)
    {
        slide_on_box(active, problem, j, u, rest, cost);
    }
    else
    {
        double gamma[3] = {1.0, -mu * u[1] / speed, problem->dim == 3 ? -mu * u[2] / speed : 0.0};
        add_slide(active, j, gamma, is_convex(problem), cost);
    }
}

/* The disc of fixed radius acts whether the contact is open or not. */
static void add_lagged(crn_active *active, const cairn_problem *problem, int j, bool open, double rest, double cost)
{
    const double *u = active->u + j * problem->dim;
    double radius = problem->radius[j];
    double speed = problem->dim == 3 ? hypot(u[1], u[2]) : fabs(u[1]);
    if (!open)
        add_rows(active, add_piece(active, CRN_PIECE_RAY, 0.0, cost), j, 0, 1);
    if (radius > 0.0 && speed <= rest)
    {
        add_rows(active, add_piece(active, CRN_PIECE_DISC, radius, cost), j, 1, problem->dim);
        return;
    }
    for (int k = 1; k < problem->dim && speed > rest; ++k)
        active->offset[j * problem->dim + k] = -radius * u[k] / speed;
}

/* Add a bounded row: between its bounds, or at the one that s presses it against. */
static void add_bounded(crn_active *active, const cairn_problem *problem, const cairn_solution *solution, int j,
                        double mass, double rest)
{
    assert(crn_is_row(problem, j));
    double s = active->u[j * problem->dim], z = solution->r[j * problem->dim];
    double cost = problem->weight ? 1.0 / problem->weight[j] : 1.0;
    crn_interval interval = crn_row_interval(problem, j, solution->r);
    bool at_lo = interval.lo == interval.hi || (s > rest && mass * s > z - interval.lo);
    bool at_hi = -s > rest && -mass * s > interval.hi - z;
    if (at_lo || at_hi)
    {
        active->offset[j * problem->dim] = at_lo ? interval.lo : interval.hi;
        return;
    }
    crn_piece *piece = add_piece(active, CRN_PIECE_INTERVAL, 0.0, cost);
    piece->lo = interval.lo;
    piece->hi = interval.hi;
    add_rows(active, piece, j, 0, 1);
}

/* ---------------------------------------------------------------------------------------------------- active set */

/* The opening speed in the law's natural map: the contact stays shut where it is not positive. */
static double opening(const cairn_problem *problem, const double *u, double mu)
{
    double speed = problem->dim == 3 ? hypot(u[1], u[2]) : fabs(u[1]);
    if (problem->law.kind == CAIRN_LAW_CONVEX_CONE || (is_convex(problem) && problem->dim == 2))
        return u[0] - mu * speed;
    if (problem->law.kind == CAIRN_LAW_CONVEX_PYRAMID)
    {
        double corner[2];
        double most = 0.0;
        for (int k = 0; k < problem->law.directions; ++k)
        {
            crn_polygon_vertex(problem->law.directions, k, corner);
            most = fmax(most, corner[0] * u[1] + corner[1] * u[2]);
        }
        return u[0] - mu * most;
    }
    return u[0];
}

static void add_contact(crn_active *active, const cairn_problem *problem, const cairn_solution *solution, int j,
                        double mass, double rest)
{
    assert(!crn_is_row(problem, j));
    const double *u = active->u + j * problem->dim;
    const double *r = solution->r + j * problem->dim;
    double mu = problem->law.kind == CAIRN_LAW_FRICTIONLESS ? 0.0 : problem->mu[j];
    double cost = problem->weight ? 1.0 / problem->weight[j] : 1.0;
    double gap = opening(problem, u, mu);
    bool open = gap > rest && mass * gap > r[0];
    double speed = problem->dim == 3 ? hypot(u[1], u[2]) : fabs(u[1]);
    if (problem->law.kind == CAIRN_LAW_LAGGED)
        add_lagged(active, problem, j, open, rest, cost);
    else if (open)
        return;
    else if (mu == 0.0)
        add_rows(active, add_piece(active, CRN_PIECE_RAY, 0.0, cost), j, 0, 1);
    else if (speed <= rest)
        stick(active, problem, j, cost);
    else
        slide(active, problem, j, rest, cost);
}

static void add_joints(crn_active *active, const cairn_problem *problem)
{
    for (int i = 0; i < problem->G.item_count; ++i)
    {
        for (int row = problem->G.row_start[i]; row < problem->G.row_start[i + 1]; ++row)
        {
            double cost = problem->joint_weight ? 1.0 / problem->joint_weight[row] : 1.0;
            crn_piece *piece = add_piece(active, CRN_PIECE_LINE, 0.0, cost);
            active->variable[active->count++] = (crn_variable){.joint = i,
                                                               .contact = -1,
                                                               .row = row - problem->G.row_start[i],
                                                               .gamma = {1.0, 0.0, 0.0},
                                                               .rho = {1.0, 0.0, 0.0}};
            piece->count = 1;
        }
    }
}

static void find_velocities(crn_active *active, const cairn_problem *problem, const cairn_solution *solution)
{
    int rows = problem->dim * problem->contact_count;
    for (int i = 0; i < rows; ++i)
    {
        active->sum[i] = problem->w[i];
        active->offset[i] = 0.0;
    }
    crn_rows_add(&problem->H, problem->block_start, 1.0, solution->v, active->sum);
    crn_compliance_add(problem, solution->r, active->sum);
    for (int i = 0; i < rows; ++i)
        active->u[i] = (double)active->sum[i];
}

cairn_status crn_active_find(crn_active *active, const cairn_problem *problem, const cairn_solution *solution,
                             const double *mass, double rest)
{
    assert(rest >= 0.0);
    assert(solution->n == problem->n);
    if (reserve(active, problem))
        return CAIRN_NO_MEMORY;
    active->count = active->piece_count = 0;
    active->symmetric = true;
    find_velocities(active, problem, solution);
    add_joints(active, problem);
    for (int j = 0; j < problem->contact_count; ++j)
        if (crn_is_row(problem, j))
            add_bounded(active, problem, solution, j, mass[j], rest);
        else
            add_contact(active, problem, solution, j, mass[j], rest);
    assert(active->count <= crn_active_most(problem));
    return CAIRN_OK;
}

/* ----------------------------------------------------------------------------------------------------- projections */

static void project_disc(const crn_piece *piece, const double *y, double *x)
{
    double size = piece->count == 2 ? hypot(y[0], y[1]) : fabs(y[0]);
    double share = size > piece->mu ? piece->mu / size : 1.0;
    for (int k = 0; k < piece->count; ++k)
        x[k] = share * y[k];
}

/* The square cone is the pyramid of four corners, turned by 45 degrees and larger by the root of 2. */
static void project_box(const crn_piece *piece, const double *y, double *x)
{
    const double half = sqrt(0.5);
    double turned[3] = {y[0], half * (y[1] + y[2]), half * (y[2] - y[1])};
    double out[3];
    crn_pyramid_project(4, piece->mu / half, turned, out);
    x[0] = out[0];
    x[1] = half * (out[1] - out[2]);
    x[2] = half * (out[1] + out[2]);
}

void crn_piece_project(const crn_piece *piece, int directions, const double *y, double *x)
{
    assert(piece->count >= 1 && piece->count <= 3);
    switch (piece->kind)
    {
    case CRN_PIECE_LINE:
        x[0] = y[0];
        return;
    case CRN_PIECE_RAY:
        x[0] = fmax(y[0], 0.0);
        return;
    case CRN_PIECE_CONE:
        crn_cone_project(piece->count, piece->mu, y, x);
        return;
    case CRN_PIECE_PYRAMID:
        crn_pyramid_project(directions, piece->mu, y, x);
        return;
    case CRN_PIECE_BOX:
        project_box(piece, y, x);
        return;
    case CRN_PIECE_DISC:
        project_disc(piece, y, x);
        return;
    case CRN_PIECE_INTERVAL:
        x[0] = crn_clip((crn_interval){piece->lo, piece->hi}, y[0]);
        return;
    }
}
