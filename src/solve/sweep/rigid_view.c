#include "solve/sweep/rigid_view.h"

#include "linalg/compliance.h"
#include "math/vec.h"
#include "solve/auto/bounded.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    MOST_LEVELS = 64 /* of heights; sweeps know no more */
};

/* Relative: what rounding may make of rows that are orthonormal, of opposite ones, of an arm along a normal, and of equal moments of inertia. */
static const double ROUNDING = 1e-9;

void crn_rigid_view_release(crn_rigid_view *view)
{
    crn_arena_release(&view->memory);
    memset(view, 0, sizeof *view);
}

/* ------------------------------------------------------------------------------------------------------ what is asked */

/* In the plane all exact laws with friction coincide, and so do the convex ones. */
static bool law_of(const cairn_problem *problem, cairn_law_kind *law)
{
    bool is_plane = problem->dim == 2;
    *law = problem->law.kind;
    if (is_plane && (*law == CAIRN_LAW_PYRAMID || *law == CAIRN_LAW_BOX))
        *law = CAIRN_LAW_CONE;
    if (is_plane && *law == CAIRN_LAW_CONVEX_PYRAMID)
        *law = CAIRN_LAW_CONVEX_CONE;
    return *law == CAIRN_LAW_CONE || *law == CAIRN_LAW_CONVEX_CONE || *law == CAIRN_LAW_FRICTIONLESS;
}

/* Contacts alone, between blocks of the size of a body. */
static bool has_form(const cairn_problem *problem)
{
    int size = problem->dim == 3 ? 6 : 3;
    bool has = problem->joint_rows == 0 && problem->contact_count > 0 && problem->block_count > 0 &&
               !crn_has_compliance(problem);
    for (int i = 0; i < problem->block_count && has; ++i)
        has = problem->block_start[i + 1] - problem->block_start[i] == size &&
              problem->A.row_start[i + 1] - problem->A.row_start[i] == 1;
    for (int j = 0; j < problem->contact_count && has; ++j)
    {
        int entries = problem->H.entry_start[j + 1] - problem->H.entry_start[j];
        has = (entries == 1 || entries == 2) && !crn_is_row(problem, j);
    }
    return has;
}

/* --------------------------------------------------------------------------------------------------------- directions */

/* Row k of L of an entry, as a vector of space. */
static void direction(const cairn_problem *problem, int entry, int k, double out[3])
{
    int size = problem->dim == 3 ? 6 : 3;
    out[2] = 0.0;
    crn_copy_few(problem->H.value + problem->H.value_start[entry] + (ptrdiff_t)k * size, problem->dim, out);
}

/* Rows are orthonormal, and those of a second entry opposite to those of the first. */
static bool is_rigid(const cairn_problem *problem, int j)
{
    int first = problem->H.entry_start[j], end = problem->H.entry_start[j + 1];
    bool is = true;
    for (int k = 0; k < problem->dim; ++k)
    {
        double d[3], other[3];
        direction(problem, first, k, d);
        for (int l = 0; l <= k; ++l)
        {
            direction(problem, first, l, other);
            is = is && fabs(crn_dot3(d, other) - (k == l)) <= ROUNDING;
        }
        if (end - first < 2)
            continue;
        direction(problem, first + 1, k, other);
        crn_add3(d, other, other);
        is = is && crn_dot3(other, other) <= ROUNDING * ROUNDING;
    }
    return is;
}

/* M = L' Omega of an entry in space. */
static void moments_of(const cairn_problem *problem, int entry, double M[9])
{
    const double *H = problem->H.value + problem->H.value_start[entry];
    for (int i = 0; i < 9; ++i)
        M[i] = H[i / 3] * H[3 + i % 3] + H[6 + i / 3] * H[9 + i % 3] + H[12 + i / 3] * H[15 + i % 3];
}

/* ---------------------------------------------------------------------------------------------------------------- arms */

/* In the plane Omega_k = arm x d_k, with d_1 = +-z x d_0. */
static void plane_arm(const cairn_problem *problem, int entry, double arm[3])
{
    const double *H = problem->H.value + problem->H.value_start[entry];
    const double *n = H, *t = H + 3;
    double side = n[0] * t[1] - n[1] * t[0];
    for (int k = 0; k < 2; ++k)
        arm[k] = side * (t[2] * n[k] - n[2] * t[k]);
    arm[2] = 0.0;
}

/* The rotations of all bodies. False: there are none. */
static bool find_turns(crn_rigid_view *view, const cairn_problem *problem)
{
    double M[9];
    int entries = problem->H.entry_start[problem->contact_count];
    memset(view->turns.body, 0, (size_t)problem->block_count * sizeof *view->turns.body);
    for (int e = 0; e < entries; ++e)
    {
        moments_of(problem, e, M);
        crn_rigid_turn_offer(&view->turns.body[problem->H.block[e]], M);
    }
    for (int i = 0; i < problem->block_count; ++i)
        crn_rigid_turn_settle(&view->turns.body[i]);
    for (int e = 0; e < entries; ++e)
    {
        moments_of(problem, e, M);
        crn_rigid_turn_test(&view->turns.body[problem->H.block[e]], M);
    }
    for (int i = 0; i < problem->block_count; ++i)
        if (!crn_rigid_turn_of(&view->turns.body[i]))
            return false;
    return true;
}

/* Exactly along the normal where only rounding keeps it from that: such contacts of spheres are visited faster. Returns whether it is. */
static bool straighten(const double n[3], double arm[3])
{
    double across[3], along = crn_dot3(arm, n);
    crn_cross3(arm, n, across);
    bool is = crn_dot3(across, across) <= ROUNDING * ROUNDING * crn_dot3(arm, arm);
    if (is)
        crn_scale3(along, n, arm);
    return is;
}

/* Returns whether it is along the normal. */
static bool find_arm(const crn_rigid_view *view, const cairn_problem *problem, int entry, const double n[3],
                     double arm[3])
{
    double M[9];
    if (problem->dim == 2)
        plane_arm(problem, entry, arm);
    else
    {
        moments_of(problem, entry, M);
        crn_rigid_arm(M, crn_rigid_turn_of(&view->turns.body[problem->H.block[entry]]), arm);
    }
    return straighten(n, arm);
}

/* -------------------------------------------------------------------------------------------------------------- bodies */

static bool are_alike(double a, double b)
{
    return fabs(a - b) <= ROUNDING * fabs(a);
}

/* out = R J R' of the last three rows and columns of a 6 x 6 block. */
static void turn_inertia(const double block[36], const double R[9], double out[9])
{
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
        {
            out[3 * k + l] = 0.0;
            for (int i = 0; i < 3; ++i)
                out[3 * k + l] += R[3 * k + i] * crn_dot3(block + 6 * (3 + i) + 3, R + 3 * l);
        }
}

/* The inverse of block i of A, row by row. */
static void inverse_of(const crn_inverses *inverses, int i, int size, double out[36])
{
    for (int k = 0; k < size; ++k)
    {
        double unit[6] = {0}, column[6];
        unit[k] = 1.0;
        crn_inverses_apply(inverses, i, unit, column);
        for (int l = 0; l < size; ++l)
            out[l * size + k] = column[l];
    }
}

/* The same mass along all axes, and nothing between translation and rotation. */
static bool is_body(const double *inverse, int size)
{
    int lead = size == 6 ? 3 : 2;
    bool is = true;
    for (int k = 0; k < lead; ++k)
        for (int l = 0; l < size; ++l)
        {
            bool same = k == l ? are_alike(inverse[0], inverse[k * size + k])
                               : inverse[k * size + l] == 0.0 && inverse[l * size + k] == 0.0;
            is = is && same;
        }
    return is;
}

/* Body i in the plane, about z. */
static void fill_plane_body(crn_compact_body *body, const double inverse[9], const double *free)
{
    *body = (crn_compact_body){.v = {free[0], free[1], 0.0},
                               .inverse_mass = inverse[0],
                               .w = {0.0, 0.0, free[2]},
                               .inverse_inertia = inverse[8]};
}

static void fill_body(crn_rigid_view *view, int i, const double inverse[36], const double *free)
{
    const double *R = crn_rigid_turn_of(&view->turns.body[i]), *J = view->inverse_inertia[i];
    crn_compact_body *body = &view->body[i];
    *body = (crn_compact_body){.v = {free[0], free[1], free[2]}, .inverse_mass = inverse[0]};
    crn_rotate3(R, free + 3, body->w);
    turn_inertia(inverse, R, view->inverse_inertia[i]);
    double mean = (J[0] + J[4] + J[8]) / 3.0, most = 0.0;
    for (int k = 0; k < 9; ++k)
        most = fmax(most, fabs(J[k] - (k % 4 == 0 ? mean : 0.0)));
    view->is_round[i] = most <= ROUNDING * mean;
    body->inverse_inertia = view->is_round[i] ? mean : 0.0;
}

static bool fill_bodies(crn_rigid_view *view, const cairn_problem *problem, const crn_inverses *inverses,
                        const double *free)
{
    int size = problem->dim == 3 ? 6 : 3;
    bool are_bodies = true;
    for (int i = 0; i < problem->block_count && are_bodies; ++i)
    {
        double inverse[36];
        inverse_of(inverses, i, size, inverse);
        are_bodies = is_body(inverse, size);
        view->is_round[i] = true;
        if (size == 3)
            fill_plane_body(&view->body[i], inverse, free + problem->block_start[i]);
        else
            fill_body(view, i, inverse, free + problem->block_start[i]);
    }
    view->body[problem->block_count] = (crn_compact_body){.inverse_mass = 0.0};
    view->is_round[problem->block_count] = true;
    return are_bodies;
}

/* ------------------------------------------------------------------------------------------------------------ contacts */

static void fill_contact(crn_rigid_view *view, const cairn_problem *problem, int j)
{
    int first = problem->H.entry_start[j];
    bool is_pair = problem->H.entry_start[j + 1] - first == 2;
    crn_compact_contact *contact = &view->contact[j];
    const double *w = problem->w + (ptrdiff_t)j * problem->dim;
    *contact = (crn_compact_contact){.a = problem->H.block[first],
                                     .b = is_pair ? problem->H.block[first + 1] : problem->block_count,
                                     .mu = problem->mu[j],
                                     .bias = w[0]};
    direction(problem, first, 0, contact->normal);
    bool is_round = find_arm(view, problem, first, contact->normal, contact->arm_a);
    if (is_pair)
        is_round &= find_arm(view, problem, first + 1, contact->normal, contact->arm_b);
    view->all_round &= is_round;
    memset(view->drift[j], 0, sizeof view->drift[j]);
    for (int k = 1; k < problem->dim; ++k)
    {
        double tangent[3];
        direction(problem, first, k, tangent);
        crn_madd3(view->drift[j], w[k], tangent, view->drift[j]);
    }
}

/* Bodies by the number of contacts between them and what does not move, so that sweeps go that way. False: nothing touches that. */
static bool find_heights(crn_rigid_view *view)
{
    const crn_compact_problem *problem = &view->problem;
    int ground = problem->body_count - 1;
    bool is_grounded = false, changes = true;
    for (int i = 0; i <= ground; ++i)
        view->height[i] = i == ground ? 0.0 : MOST_LEVELS;
    for (int pass = 0; pass < MOST_LEVELS && changes; ++pass, is_grounded |= changes)
    {
        changes = false;
        for (int j = 0; j < problem->contact_count; ++j)
        {
            double *a = &view->height[view->contact[j].a], *b = &view->height[view->contact[j].b];
            changes = changes || *a + 1.0 < *b || *b + 1.0 < *a;
            *a = fmin(*a, *b + 1.0);
            *b = fmin(*b, *a + 1.0);
        }
    }
    return is_grounded;
}

/* ---------------------------------------------------------------------------------------------------------------- view */

static cairn_status reserve(crn_rigid_view *view, const cairn_problem *problem)
{
    size_t bodies = (size_t)problem->block_count + 1, contacts = (size_t)problem->contact_count;
    return crn_reserve_all(&view->memory, CRN_ARRAY(view->body, bodies), CRN_ARRAY(view->after, bodies),
                           CRN_ARRAY(view->inverse_inertia, bodies), CRN_ARRAY(view->is_round, bodies),
                           CRN_ARRAY(view->height, bodies), CRN_ARRAY(view->velocity, bodies),
                           CRN_ARRAY(view->turns.body, bodies), CRN_ARRAY(view->contact, contacts),
                           CRN_ARRAY(view->drift, contacts), CRN_ARRAY(view->impulse, contacts));
}

static bool are_all_rigid(const cairn_problem *problem)
{
    bool are = true;
    for (int j = 0; j < problem->contact_count && are; ++j)
        are = is_rigid(problem, j);
    return are;
}

static bool any(int count, const double *x)
{
    int i = 0;
    while (i < count && x[i] == 0.0)
        ++i;
    return i < count;
}

static void assemble(crn_rigid_view *view, const cairn_problem *problem, cairn_law_kind law)
{
    bool all_round = true;
    for (int i = 0; i < problem->block_count; ++i)
        all_round = all_round && view->is_round[i];
    view->all_round = all_round;
    for (int j = 0; j < problem->contact_count; ++j)
        fill_contact(view, problem, j);
    view->problem = (crn_compact_problem){.body_count = problem->block_count + 1,
                                          .contact_count = problem->contact_count,
                                          .law = law,
                                          .is_planar = problem->dim == 2,
                                          .body = view->body,
                                          .contact = view->contact};
    view->problem.inverse_inertia = all_round ? NULL : (const double(*)[9])view->inverse_inertia;
    view->problem.is_round = all_round ? NULL : view->is_round;
    view->problem.drift = any(3 * problem->contact_count, view->drift[0]) ? (const double(*)[3])view->drift : NULL;
    view->problem.height = find_heights(view) ? view->height : NULL;
}

cairn_status crn_rigid_view_make(crn_rigid_view *view, const cairn_problem *problem, const crn_inverses *inverses,
                                 const double *free, bool *applies)
{
    cairn_law_kind law;
    *applies = law_of(problem, &law) && has_form(problem) && are_all_rigid(problem);
    if (!*applies)
        return CAIRN_OK;
    CRN_TRY(reserve(view, problem));
    *applies = (problem->dim == 2 || find_turns(view, problem)) && fill_bodies(view, problem, inverses, free);
    if (*applies)
        assemble(view, problem, law);
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ impulses */

void crn_rigid_view_take(crn_rigid_view *view, const cairn_problem *problem, const double *r)
{
    for (int j = 0; j < problem->contact_count; ++j)
    {
        memset(view->impulse[j], 0, sizeof view->impulse[j]);
        for (int k = 0; k < problem->dim; ++k)
        {
            double d[3];
            direction(problem, problem->H.entry_start[j], k, d);
            crn_madd3(view->impulse[j], r[j * problem->dim + k], d, view->impulse[j]);
        }
    }
}

void crn_rigid_view_give(const crn_rigid_view *view, const cairn_problem *problem, double *r)
{
    for (int j = 0; j < problem->contact_count; ++j)
        for (int k = 0; k < problem->dim; ++k)
        {
            double d[3];
            direction(problem, problem->H.entry_start[j], k, d);
            r[j * problem->dim + k] = crn_dot3(d, view->impulse[j]);
        }
}
