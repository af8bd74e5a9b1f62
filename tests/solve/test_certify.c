/* The certificate: zero for exact solutions made by hand, of the right size for wrong ones, never fine for what is not
 * a number. With it the projections it rests on and the check of a problem's structure. */
#include "math/cone.h"
#include "math/polygon.h"
#include "support/check.h"
#include "support/problems/random_problem.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------- projections */

static void opposite_vertices_are_exact(void **state)
{
    (void)state;
    for (int m = 4; m <= 64; m += 2)
    {
        for (int k = 0; k < m; ++k)
        {
            double a[2], b[2];
            crn_polygon_vertex(m, k, a);
            crn_polygon_vertex(m, k + m / 2, b);
            assert_true(a[0] == -b[0] && a[1] == -b[1]);
            assert_true(fabs(hypot(a[0], a[1]) - 1.0) < 1e-15);
        }
    }
    double quarter[2];
    crn_polygon_vertex(4, 1, quarter);
    assert_true(quarter[0] == 0.0 && quarter[1] == 1.0);
}

/* p is the projection of x exactly when p is inside and (x - p)'(y - p) <= 0 for every vertex y. */
static void projection_is_the_nearest_point(void **state)
{
    (void)state;
    for (int trial = 0; trial < 20000; ++trial)
    {
        test_random random = {(uint64_t)trial};
        int m = 2 * test_integer(&random, 2, 12);
        double radius = trial % 7 ? test_uniform(&random, 0.0, 2.0) : 0.0;
        double x[2] = {test_uniform(&random, -3.0, 3.0), test_uniform(&random, -3.0, 3.0)};
        double p[2];
        crn_polygon_project(m, radius, x, p);
        for (int k = 0; k < m; ++k)
        {
            double angle = 2.0 * acos(-1.0) * k / m;
            double half = acos(-1.0) / m;
            double y[2] = {radius * cos(angle), radius * sin(angle)};
            double beyond = cos(angle + half) * p[0] + sin(angle + half) * p[1] - radius * cos(half);
            assert_true(beyond <= 1e-14);
            assert_true((x[0] - p[0]) * (y[0] - p[0]) + (x[1] - p[1]) * (y[1] - p[1]) <= 1e-13);
        }
    }
}

/* Moreau: p is the projection of x on the cone K exactly when p is in K, p - x in K*, and the two are orthogonal. */
static void is_projection(const double x[3], const double p[3], double farthest, double lowest)
{
    assert_true(p[0] >= 0.0 && farthest <= 1e-14);
    assert_true(lowest >= -1e-13); /* of (p - x)'g over the cone's rays g */
    double work = 0.0;
    for (int k = 0; k < 3; ++k)
        work += p[k] * (p[k] - x[k]);
    assert_true(fabs(work) < 1e-13);
}

static void projection_on_the_circular_cone(void **state)
{
    (void)state;
    for (int trial = 0; trial < 20000; ++trial)
    {
        test_random random = {(uint64_t)trial};
        double mu = trial % 7 ? test_uniform(&random, 0.0, 2.0) : 0.0;
        double x[3], p[3];
        for (int k = 0; k < 3; ++k)
            x[k] = trial % 11 ? test_uniform(&random, -3.0, 3.0) : (double)test_integer(&random, -1, 1);
        crn_cone_project(3, mu, x, p);
        double dual = p[0] - x[0] - mu * hypot(p[1] - x[1], p[2] - x[2]);
        is_projection(x, p, hypot(p[1], p[2]) - mu * p[0], dual);
        x[2] = 0.0; /* the wedge of the plane is the section of the cone */
        crn_cone_project(3, mu, x, p);
        double plane[2];
        crn_cone_project(2, mu, x, plane);
        assert_true(fabs(plane[0] - p[0]) < 1e-15 && fabs(plane[1] - p[1]) < 1e-15 && p[2] == 0.0);
    }
}

static void projection_on_the_pyramid(void **state)
{
    (void)state;
    for (int trial = 0; trial < 20000; ++trial)
    {
        test_random random = {(uint64_t)trial};
        int m = 2 * test_integer(&random, 2, 12);
        double mu = trial % 7 ? test_uniform(&random, 0.0, 2.0) : 0.0;
        double x[3], p[3];
        for (int k = 0; k < 3; ++k)
            x[k] = trial % 11 ? test_uniform(&random, -3.0, 3.0) : (double)test_integer(&random, -1, 1);
        crn_pyramid_project(m, mu, x, p);
        double farthest = -INFINITY, lowest = INFINITY;
        for (int k = 0; k < m; ++k)
        {
            double angle = 2.0 * acos(-1.0) * k / m;
            double half = acos(-1.0) / m;
            farthest = fmax(farthest, cos(angle + half) * p[1] + sin(angle + half) * p[2] - mu * p[0] * cos(half));
            lowest = fmin(lowest, p[0] - x[0] + mu * (cos(angle) * (p[1] - x[1]) + sin(angle) * (p[2] - x[2])));
        }
        is_projection(x, p, farthest, lowest);
    }
}

static void projection_of_what_is_not_a_number(void **state)
{
    (void)state;
    for (int i = 0; i < 3; ++i)
    {
        double x[3] = {1.0, 2.0, 3.0}, p[3] = {0};
        x[i] = NAN;
        crn_pyramid_project(6, 0.5, x, p);
        assert_true(isnan(p[0]) || isnan(p[1]) || isnan(p[2]));
        crn_polygon_project(6, 0.5, x + 1, p);
        assert_true(i == 0 || isnan(p[0]) || isnan(p[1]));
    }
}

/* ---------------------------------------------------------------------------------------------------- certificates */

/* A point of mass 2 on a plane, pressed by 3, pushed by 5 along the second tangent, held to the first by a joint:
 * with mu 1/2 it slips with 1.75. */
static cairn_problem *sliding_point(cairn_law law)
{
    static const double A[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
    static const double H[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const double G[3] = {0, 1, 0};
    static const double p[3] = {-3, 4, 5};
    static const double mu = 0.5;
    test_dense dense = {.dim = 3,
                        .law = law,
                        .block_count = 1,
                        .block_size = (int[]){3},
                        .A = A,
                        .p = p,
                        .joint_rows = 1,
                        .G = G,
                        .contact_count = 1,
                        .H = H,
                        .mu = &mu};
    return test_problem_from_dense(&dense);
}

typedef struct claim
{
    double v[3], c[1], r[3];
} claim;

static const claim EXACT = {{0, 0, 1.75}, {-4}, {3, 0, -1.5}};

static cairn_certificate judge(const cairn_problem *problem, claim *claimed)
{
    cairn_solution solution = {
        .n = 3, .joint_rows = 1, .contact_rows = 3, .v = claimed->v, .c = claimed->c, .r = claimed->r};
    cairn_certificate certificate;
    assert_int_equal(cairn_certify(problem, &solution, &certificate), CAIRN_OK);
    return certificate;
}

static void zero_for_exact_solutions(void **state)
{
    (void)state;
    cairn_law laws[] = {{CAIRN_LAW_PYRAMID, 4}, {CAIRN_LAW_PYRAMID, 8}, {CAIRN_LAW_BOX, 0}, {CAIRN_LAW_CONE, 0}};
    for (int l = 0; l < 4; ++l)
    {
        cairn_problem *problem = sliding_point(laws[l]);
        claim exact = EXACT;
        cairn_certificate certificate = judge(problem, &exact);
        assert_true(certificate.natural_map < 1e-15 && certificate.impulse_outside < 1e-15);
        assert_true(certificate.penetration_speed == 0.0 && certificate.complementarity == 0.0);
        assert_true(certificate.joint == 0.0 && certificate.dynamics == 0.0);
        assert_true(certificate.scale == 2.5); /* p / m at most, and so for each row */
        assert_int_equal(certificate.worst_contact, 0);
        test_problem_destroy(problem);
    }
}

/* Convex: u_n = mu u_t and r = r_n (1, 0, -mu), so (r_n - 3)/2 = (5 - r_n/2)/4, r_n = 4.4. The exact law's solution is not
 * one of the convex law, nor the other way about. */
static void convex_laws_lift_off(void **state)
{
    (void)state;
    cairn_law laws[] = {{CAIRN_LAW_CONVEX_PYRAMID, 4}, {CAIRN_LAW_CONVEX_PYRAMID, 8}, {CAIRN_LAW_CONVEX_CONE, 0}};
    claim lifted = {{0.7, 0, 1.4}, {-4}, {4.4, 0, -2.2}};
    claim exact = EXACT;
    for (int l = 0; l < 3; ++l)
    {
        cairn_problem *problem = sliding_point(laws[l]);
        cairn_certificate certificate = judge(problem, &lifted);
        assert_true(certificate.relative < 1e-15 && certificate.impulse_outside < 1e-15);
        assert_true(certificate.penetration_speed == 0.0 && certificate.complementarity < 1e-14);
        assert_true(judge(problem, &exact).natural_map > 0.3);
        problem->law.kind = CAIRN_LAW_CONE;
        certificate = judge(problem, &lifted);
        assert_true(certificate.natural_map > 0.3 && fabs(certificate.complementarity - 0.7 * 4.4) < 1e-14);
        test_problem_destroy(problem);
    }
}

/* Change one number of the exact solution by e and keep the dynamics: the certificate must be of the size of e. */
static void sees_each_kind_of_error(void **state)
{
    (void)state;
    cairn_problem *problem = sliding_point((cairn_law){CAIRN_LAW_PYRAMID, 4});
    for (int i = 0; i < 24; ++i)
    {
        problem->law.kind = i < 12 ? CAIRN_LAW_PYRAMID : CAIRN_LAW_CONE;
        double e = pow(10.0, i % 12 - 12);
        claim lifted = EXACT; /* leaves the plane although pressed */
        lifted.r[0] -= e;
        lifted.v[0] -= e / 2.0;
        cairn_certificate certificate = judge(problem, &lifted);
        assert_true(certificate.natural_map >= 0.4 * e && certificate.dynamics < 1e-15);
        assert_true(fabs(certificate.penetration_speed - e / 2.0) < 1e-15);
        assert_true(fabs(certificate.complementarity - (3.0 - e) * e / 2.0) < 1e-14);
        assert_true(certificate.relative >= 0.4 * e / 2.5);

        claim weak = EXACT; /* too little friction */
        weak.r[2] += e;
        weak.v[2] += e / 2.0;
        certificate = judge(problem, &weak);
        assert_true(certificate.natural_map >= 0.4 * e && certificate.natural_map <= e);
        assert_true(certificate.impulse_outside < 1e-15);

        claim strong = EXACT; /* friction beyond its limit */
        strong.r[2] -= e;
        strong.v[2] -= e / 2.0;
        certificate = judge(problem, &strong);
        assert_true(fabs(certificate.impulse_outside - e) < 1e-15 && certificate.natural_map >= 0.4 * e);

        claim loose = EXACT; /* the joint gives way */
        loose.c[0] += e;
        loose.v[1] += e / 2.0;
        certificate = judge(problem, &loose);
        assert_true(fabs(certificate.joint - e / 2.0) < 1e-15 && certificate.relative >= e / 5.0 * 0.99);

        claim unmoved = EXACT; /* the velocity does not follow from the impulses */
        unmoved.v[2] += e;
        certificate = judge(problem, &unmoved);
        assert_true(fabs(certificate.dynamics - e) < 1e-15);
    }
    test_problem_destroy(problem);
}

static void sees_a_wrong_sign(void **state)
{
    (void)state;
    cairn_problem *problem = sliding_point((cairn_law){CAIRN_LAW_PYRAMID, 6});
    claim pulling = {{-3, 0, 2.5}, {-4}, {-3, 0, 0}}; /* the plane pulls */
    cairn_certificate certificate = judge(problem, &pulling);
    assert_true(certificate.dynamics == 0.0 && certificate.natural_map > 1.0 && certificate.impulse_outside == 3.0);
    claim driving = {{0, 0, 3.25}, {-4}, {3, 0, 1.5}}; /* friction drives */
    certificate = judge(problem, &driving);
    assert_true(certificate.dynamics == 0.0 && certificate.natural_map > 0.5);
    assert_true(certificate.impulse_outside < 0.21); /* pyramid(6) has no vertex along the second tangent */
    test_problem_destroy(problem);
}

/* Joints hold the point, the plane moves into it with speed 1: any impulse is balanced by the joints, none is a solution. */
static void huge_impulses_hide_nothing(void **state)
{
    (void)state;
    cairn_law laws[] = {{CAIRN_LAW_FRICTIONLESS, 0}, {CAIRN_LAW_PYRAMID, 6},        {CAIRN_LAW_BOX, 0},
                        {CAIRN_LAW_CONE, 0},         {CAIRN_LAW_CONVEX_PYRAMID, 6}, {CAIRN_LAW_CONVEX_CONE, 0}};
    static const double I[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double w[3] = {-1, 0.1, 0}, mu = 0.3, v[3] = {0};
    for (int trial = 0; trial < 6 * 50; ++trial)
    {
        test_dense dense = {.dim = 3, .law = laws[trial % 6], .block_count = 1, .block_size = (int[]){3}, .A = I};
        dense.joint_rows = 3;
        dense.G = dense.H = I;
        dense.contact_count = 1;
        dense.w = w;
        dense.mu = &mu;
        double size = pow(10.0, 0.5 * (trial / 6));
        double slope = trial % 6 ? mu * (trial % 2) : 0.0; /* within the cone or on its edge */
        double r[3] = {size, -slope * size, 0};
        double c[3] = {-r[0], -r[1], -r[2]};
        cairn_problem *problem = test_problem_from_dense(&dense);
        cairn_solution solution = {.n = 3, .joint_rows = 3, .contact_rows = 3, .v = v, .c = c, .r = r};
        cairn_certificate certificate;
        assert_int_equal(cairn_certify(problem, &solution, &certificate), CAIRN_OK);
        assert_true(certificate.relative > 1e-4);
        test_problem_destroy(problem);
    }
}

static void not_a_number_is_never_fine(void **state)
{
    (void)state;
    cairn_problem *problem = sliding_point((cairn_law){CAIRN_LAW_PYRAMID, 4});
    double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 7; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            claim broken = EXACT;
            *(i < 3 ? &broken.v[i] : i < 4 ? &broken.c[0] : &broken.r[i - 4]) = bad[k];
            cairn_certificate certificate = judge(problem, &broken);
            assert_true(certificate.relative == INFINITY && certificate.natural_map == INFINITY);
        }
    }
    claim huge = EXACT; /* finite numbers whose products are not */
    huge.v[0] = huge.r[0] = 1e308;
    huge.v[2] = -1e308;
    assert_true(judge(problem, &huge).relative > 1e100);
    test_problem_destroy(problem);
}

/* All zero: relative 0 rather than 0/0. A far gap does not widen the scale. */
static void scale_comes_from_the_data(void **state)
{
    (void)state;
    cairn_problem *problem = sliding_point((cairn_law){CAIRN_LAW_BOX, 0});
    memset(problem->p, 0, 3 * sizeof(double));
    claim zero = {{0}, {0}, {0}};
    cairn_certificate certificate = judge(problem, &zero);
    assert_true(certificate.relative == 0.0 && certificate.scale > 0.0);
    problem->p[2] = 5.0;
    problem->w[0] = 1e6;
    claim free_flight = {{0, 0, 2.5}, {0}, {0}};
    certificate = judge(problem, &free_flight);
    assert_true(certificate.scale == 2.5 && certificate.relative == 0.0);
    problem->w[0] = -7.0;
    assert_true(judge(problem, &free_flight).scale == 7.0);
    test_problem_destroy(problem);
}

/* Two bodies moving together, tied by a damper 1e9 times their mass: the scale is their speed, not p / diag A. */
static void scale_of_stiff_systems(void **state)
{
    (void)state;
    double d = 1e9;
    double A[4] = {1 + d, -d, -d, 1 + d};
    double p[2] = {3, 3};
    double v[2] = {3, 3};
    test_dense dense = {.dim = 2, .block_count = 2, .block_size = (int[]){1, 1}, .A = A, .p = p};
    cairn_problem *problem = test_problem_from_dense(&dense);
    cairn_solution solution = {.n = 2, .v = v};
    cairn_certificate certificate;
    assert_int_equal(cairn_certify(problem, &solution, &certificate), CAIRN_OK);
    assert_true(fabs(certificate.scale - 3.0) < 1e-6 && certificate.relative < 1e-15);
    assert_int_equal(certificate.worst_contact, -1);
    test_problem_destroy(problem);
}

/* The same two, whose common velocity does not follow from p: the damper's size in A must not hide that. */
static void dynamics_of_stiff_systems(void **state)
{
    (void)state;
    double d = 1e9;
    double A[4] = {1 + d, -d, -d, 1 + d};
    double p[2] = {3, 3};
    double v[2] = {3 + 1e-6, 3 + 1e-6};
    test_dense dense = {.dim = 2, .block_count = 2, .block_size = (int[]){1, 1}, .A = A, .p = p};
    cairn_problem *problem = test_problem_from_dense(&dense);
    cairn_solution solution = {.n = 2, .v = v};
    cairn_certificate certificate;
    assert_int_equal(cairn_certify(problem, &solution, &certificate), CAIRN_OK);
    assert_near(certificate.dynamics, 1e-6, 1e-9);
    test_problem_destroy(problem);
}

/* A slow body that slides through the floor, and a fast one elsewhere: each is judged by its own speed. */
static void islands_are_judged_apart(void **state)
{
    (void)state;
    static const double A[16] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2};
    static const double H[8] = {1, 0, 0, 0, 0, 1, 0, 0};
    static const double p[4] = {-2, 0, 0, 2e9};
    static const double mu = 0;
    test_dense dense = {.dim = 2, .law = {CAIRN_LAW_PYRAMID, 4}, .block_count = 2, .block_size = (int[]){2, 2}};
    dense.A = A;
    dense.p = p;
    dense.contact_count = 1;
    dense.H = H;
    dense.mu = &mu;
    cairn_problem *problem = test_problem_from_dense(&dense);
    double v[4] = {-1e-3, 0, 0, 1e9}, r[2] = {1.998, 0};
    cairn_solution solution = {.n = 4, .contact_rows = 2, .v = v, .r = r};
    cairn_certificate certificate;
    assert_int_equal(cairn_certify(problem, &solution, &certificate), CAIRN_OK);
    assert_near(certificate.natural_map, 1e-3, 1e-15);
    assert_near(certificate.relative, 1e-3, 1e-15); /* the slow body's speed is 1 */
    assert_true(certificate.scale == 1e9);
    v[0] = 0.0, r[0] = 2.0, v[3] = 1e9 + 1.0; /* the fast one is off by as much as its own speed allows */
    assert_int_equal(cairn_certify(problem, &solution, &certificate), CAIRN_OK);
    assert_near(certificate.relative, 1e-9, 1e-15);
    test_problem_destroy(problem);
}

/* A body of 1 cm that turns at 100 rad/s moves at 1 m/s: an error of 1 rad/s is one of 1 cm/s, in a joint that holds its
 * angle, too. */
static void turns_count_by_the_size_of_the_body(void **state)
{
    (void)state;
    static const double A[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1e-4};
    static const double G[3] = {0, 0, 1};
    static const double p[3] = {0, 0, 1e-2};
    double length[3] = {1, 1, 0.01}, joint_length = 0.01;
    test_dense dense = {.dim = 2, .block_count = 1, .block_size = (int[]){3}, .A = A, .p = p};
    dense.joint_rows = 1;
    dense.G = G;
    cairn_problem *problem = test_problem_from_dense(&dense);
    problem->length = length;
    problem->joint_length = &joint_length;
    double v[3] = {0, 0, 1}, c[1] = {-0.99e-2};
    cairn_solution solution = {.n = 3, .joint_rows = 1, .v = v, .c = c};
    cairn_certificate certificate;
    assert_int_equal(cairn_certify(problem, &solution, &certificate), CAIRN_OK);
    assert_near(certificate.scale, 1.0, 1e-12);
    assert_near(certificate.joint, 0.01, 1e-12);
    assert_near(certificate.relative, 0.01, 1e-12);
    v[2] = 0.0;
    assert_int_equal(cairn_certify(problem, &solution, &certificate), CAIRN_OK);
    assert_near(certificate.dynamics, 0.01, 1e-12);
    problem->length = problem->joint_length = NULL;
    test_problem_destroy(problem);
}

/* Compliance counts: u = W r + q of a problem without bodies. */
static void problems_without_bodies(void **state)
{
    (void)state;
    double W[4] = {2, 0.5, 0.25, 1};
    double q[2] = {-2, 1};
    double mu = 0.5;
    double r[2] = {2.0 / 1.75, -1.0 / 1.75}; /* slips: 2 r_n - r_n / 4 = 2 */
    test_dense dense = {.dim = 2, .law = {CAIRN_LAW_PYRAMID, 4}, .contact_count = 1, .w = q, .mu = &mu, .R = W};
    cairn_problem *problem = test_problem_from_dense(&dense);
    cairn_solution solution = {.contact_rows = 2, .r = r};
    cairn_certificate certificate;
    assert_int_equal(cairn_certify(problem, &solution, &certificate), CAIRN_OK);
    assert_true(certificate.relative < 1e-15 && certificate.scale == 2.0);
    test_problem_destroy(problem);
}

/* ------------------------------------------------------------------------------------------------- problem structure */

static void refuse(cairn_context *context, cairn_problem *problem, const char *word)
{
    cairn_context_clear(context);
    assert_false(cairn_problem_is_valid(context, problem));
    assert_non_null(strstr(cairn_context_last_message(context), word));
}

static void refuse_integer(cairn_context *context, cairn_problem *problem, int *place, int value, const char *word)
{
    int kept = *place;
    *place = value;
    refuse(context, problem, word);
    *place = kept;
}

static void refuse_real(cairn_context *context, cairn_problem *problem, double *place, double value, const char *word)
{
    double kept = *place;
    *place = value;
    refuse(context, problem, word);
    *place = kept;
}

static void refuses_damaged_problems(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    test_recipe recipe = {.dim = 3,
                          .law = {CAIRN_LAW_PYRAMID, 4},
                          .bodies = 3,
                          .contacts = 4,
                          .joints = 3,
                          .mass_ratio = 10,
                          .mu = 1,
                          .coupled = true,
                          .compliant = true};
    cairn_problem *p = test_problem_random(&recipe, 4);
    assert_true(cairn_problem_is_valid(context, p));
    refuse_integer(context, p, &p->dim, 4, "dim");
    refuse_integer(context, p, &p->n, 17, "n = 17");
    refuse_integer(context, p, &p->contact_count, -1, "negative");
    refuse_integer(context, p, &p->contact_count, 3, "contacts");
    refuse_integer(context, p, &p->law.directions, 5, "pyramid(5)");
    refuse_integer(context, p, &p->law.directions, 2, "pyramid(2)");
    refuse_integer(context, p, &p->block_start[1], 20, "block_start");
    refuse_integer(context, p, &p->A.block_count, 2, "A has 2 blocks");
    refuse_integer(context, p, &p->A.column[0], -1, "A.column[0]");
    refuse_integer(context, p, &p->A.column[0], 1000000, "A.column[0]");
    refuse_integer(context, p, &p->A.value_start[1], 7, "A");
    refuse_integer(context, p, &p->G.block[0], 3, "G.block[0]");
    refuse_integer(context, p, &p->H.block[1], -7, "H.block[1]");
    refuse_integer(context, p, &p->H.row_start[1], 4, "of H");
    refuse_integer(context, p, &p->patch_start[1], 5, "patch_start");
    refuse_real(context, p, &p->A.value[5], NAN, "A.value[5]");
    refuse_real(context, p, &p->w[2], INFINITY, "w[2]");
    refuse_real(context, p, &p->mu[1], -0.1, "mu[1]");
    refuse_real(context, p, &p->R_c[0], -1.0, "R_c[0]");
    refuse_real(context, p, &p->R[3], NAN, "R[3]");
    assert_true(cairn_problem_is_valid(context, p));
    assert_false(cairn_problem_is_valid(context, NULL));
    test_problem_destroy(p);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opposite_vertices_are_exact),
        cmocka_unit_test(projection_is_the_nearest_point),
        cmocka_unit_test(projection_on_the_circular_cone),
        cmocka_unit_test(projection_on_the_pyramid),
        cmocka_unit_test(projection_of_what_is_not_a_number),
        cmocka_unit_test(convex_laws_lift_off),
        cmocka_unit_test(huge_impulses_hide_nothing),
        cmocka_unit_test(zero_for_exact_solutions),
        cmocka_unit_test(sees_each_kind_of_error),
        cmocka_unit_test(sees_a_wrong_sign),
        cmocka_unit_test(not_a_number_is_never_fine),
        cmocka_unit_test(scale_comes_from_the_data),
        cmocka_unit_test(scale_of_stiff_systems),
        cmocka_unit_test(dynamics_of_stiff_systems),
        cmocka_unit_test(islands_are_judged_apart),
        cmocka_unit_test(turns_count_by_the_size_of_the_body),
        cmocka_unit_test(problems_without_bodies),
        cmocka_unit_test(refuses_damaged_problems),
    };
    return cmocka_run_group_tests_name("certify", tests, NULL, NULL);
}
