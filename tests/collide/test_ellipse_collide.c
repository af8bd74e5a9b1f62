/* Ellipses and ellipsoids against everything: two convex shapes are apart by d exactly when some direction separates them by
 * d and a point of each is d away from the other. Both are checked with geometry written a second time, so that no
 * reference distance is needed; depths are compared with a search over all directions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collide/broad/place.h"
#include "collide/query/line_span.h"
#include "math/vec.h"
#include "support/collide_scene.h"

#include <math.h>
#include <string.h>

static bool is_elliptic(const crn_shape *shape)
{
    return shape->kind == CAIRN_ELLIPSE || shape->kind == CAIRN_ELLIPSOID;
}

/* --------------------------------------------------------------------------------- geometry written a second time */

/* max n x over a shape in the world, from the body's frame. */
static double support(const collide_scene *s, int body, const double n[3])
{
    const crn_shape *shape = &s->model->shapes[body];
    const crn_pose *pose = &s->poses[body];
    double m[3], most = shape->form->vertices ? -INFINITY : 0.0, squares = 0.0;
    crn_unrotate3(pose->R, n, m);
    for (int k = 0; k < 3 && shape->kind == CAIRN_BOX; ++k)
        most += shape->form->half[k] * fabs(m[k]);
    for (int k = 0; k < 3 && is_elliptic(shape); ++k)
        squares += shape->form->half[k] * shape->form->half[k] * m[k] * m[k];
    for (int i = 0; shape->form->vertices && i < shape->form->vertex_count; ++i)
        most = fmax(most, m[0] * shape->form->vertices[2 * i] + m[1] * shape->form->vertices[2 * i + 1]);
    return crn_dot3(n, pose->x) + most + sqrt(squares) + shape->radius;
}

static double separation(const collide_scene *s, const double n[3])
{
    return -support(s, 0, (double[3]){-n[0], -n[1], -n[2]}) - support(s, 1, n);
}

/* How far x is outside of a shape, 0 or negative when it is within; not a distance for ellipses, but 0 on them. */
static double outside(const collide_scene *s, int body, const double x[3])
{
    const crn_shape *shape = &s->model->shapes[body];
    double arm[3], y[3], worst = -INFINITY;
    crn_sub3(x, s->poses[body].x, arm);
    crn_unrotate3(s->poses[body].R, arm, y);
    if (is_elliptic(shape))
    {
        double sum = 0.0;
        for (int k = 0; k < s->model->dimension; ++k)
            sum += y[k] / shape->form->half[k] * (y[k] / shape->form->half[k]);
        return (sqrt(sum) - 1.0) * fmin(shape->form->half[0], shape->form->half[1]);
    }
    for (int k = 0; k < 3 && shape->kind == CAIRN_BOX; ++k)
        worst = fmax(worst, fabs(y[k]) - shape->form->half[k]);
    for (int i = 0; shape->form->vertex_count > 1 && i < shape->form->vertex_count; ++i)
    {
        const double *p = shape->form->vertices + 2 * i,
                     *q = shape->form->vertices + 2 * ((i + 1) % shape->form->vertex_count);
        double dx = q[0] - p[0], dy = q[1] - p[1];
        worst = fmax(worst, (dy * (y[0] - p[0]) - dx * (y[1] - p[1])) / hypot(dx, dy));
        /* a bar ends at its ends */
        worst = fmax(worst,
                     shape->form->vertex_count > 2 ? worst : (dx * (y[0] - q[0]) + dy * (y[1] - q[1])) / hypot(dx, dy));
    }
    bool round = shape->kind == CAIRN_SPHERE || shape->form->vertex_count == 1 || shape->kind == CAIRN_POINT;
    return round ? crn_norm3(y) - shape->radius : worst;
}

/* The largest separation over all directions: a grid, and a shrinking compass about every point of it that tops
 * its neighbours. */
static double climb_from(const collide_scene *s, double n[3])
{
    bool planar = s->model->dimension == 2;
    double best = separation(s, n), step = planar ? 0.02 : 0.1;
    while (step > 1e-9)
    {
        double t[2][3], next[3];
        bool moved = false;
        crn_tangents(n, t[0], t[1]);
        if (planar)
            memcpy(t[0], (double[3]){-n[1], n[0], 0}, sizeof t[0]);
        for (int i = 0; i < (planar ? 2 : 8) && !moved; ++i)
        {
            double turn = planar ? COLLIDE_PI * i : COLLIDE_PI / 4 * i;
            crn_madd3(n, step * cos(turn), t[0], next);
            crn_madd3(next, planar ? 0.0 : step * sin(turn), t[1], next);
            double length = crn_norm3(next);
            next[0] /= length, next[1] /= length, next[2] /= length;
            double value = separation(s, next);
            if (value > best)
            {
                best = value;
                memcpy(n, next, sizeof next);
                moved = true;
            }
        }
        step *= moved ? 1.0 : 0.5;
    }
    return best;
}

static double searched_separation(const collide_scene *s)
{
    enum
    {
        GRID = 600
    };
    double n[GRID][3], value[GRID], best = -INFINITY;
    for (int i = 0; i < GRID; ++i)
    {
        double turn = s->model->dimension == 2 ? 2 * COLLIDE_PI * i / GRID : i * COLLIDE_PI * (3 - sqrt(5.0));
        double z = s->model->dimension == 2 ? 0.0 : 1 - (2 * i + 1.0) / GRID;
        memcpy(n[i], (double[3]){sqrt(1 - z * z) * cos(turn), sqrt(1 - z * z) * sin(turn), z}, sizeof n[i]);
        value[i] = separation(s, n[i]);
    }
    for (int i = 0; i < GRID; ++i)
    {
        bool top = true;
        for (int j = 0; j < GRID && top; ++j)
            top = !(value[j] > value[i] && crn_dot3(n[i], n[j]) > 0.97);
        best = top ? fmax(best, climb_from(s, n[i])) : best;
    }
    return best;
}

/* ------------------------------------------------------------------------------------------------ random instances */

static void add_elliptic(collide_scene *s, uint64_t *seed, double flattest, double x, double y, double z)
{
    bool planar = s->model->dimension == 2;
    cairn_shape_options shape = cairn_shape_default(planar ? CAIRN_ELLIPSE : CAIRN_ELLIPSOID);
    for (int k = 0; k < 3; ++k)
        shape.radii[k] = exp(collide_uniform(seed, log(flattest), 0.0));
    collide_add(s, &shape, x, y, planar ? 0 : z);
}

static void add_polygon(collide_scene *s, uint64_t *seed, double x, double y)
{
    cairn_shape_options shape = cairn_shape_default(CAIRN_POLYGON);
    double vertices[16];
    int count = 3 + (int)collide_uniform(seed, 0, 5);
    for (int i = 0; i < count; ++i)
    {
        double angle = 2 * COLLIDE_PI * (i + collide_uniform(seed, 0, 0.8)) / count;
        vertices[2 * i] = 0.8 * cos(angle);
        vertices[2 * i + 1] = 0.6 * sin(angle);
    }
    shape.vertices = vertices;
    shape.vertex_count = count;
    collide_add(s, &shape, x, y, 0);
}

/* Kind 0: elliptic; 1: point; 2: round; 3: box or polygon; 4: bar or box. */
static void add_other(collide_scene *s, uint64_t *seed, int kind, double flattest, double x, double y, double z)
{
    bool planar = s->model->dimension == 2;
    z = planar ? 0 : z;
    double r = collide_uniform(seed, 0.1, 0.8);
    if (kind == 0)
        add_elliptic(s, seed, flattest, x, y, z);
    else if (kind == 1)
        collide_add_round(s, CAIRN_POINT, 0, x, y, z);
    else if (kind == 2)
        collide_add_round(s, planar ? CAIRN_CIRCLE : CAIRN_SPHERE, r, x, y, z);
    else if (!planar)
        collide_add_box(s, r, collide_uniform(seed, 0.05, 1), collide_uniform(seed, 0.2, 1), x, y, z);
    else if (kind == 3)
        add_polygon(s, seed, x, y);
    else
        collide_add_bar(s, r, x, y);
}

static void random_turn(collide_scene *s, int body, uint64_t *seed)
{
    double most = collide_uniform(seed, 0, 3) < 1 ? 1e-3 : 3, turn[3];
    for (int k = 0; k < 3; ++k)
        turn[k] = s->model->dimension == 2 && k < 2 ? 0 : collide_uniform(seed, -most, most);
    collide_turn(s, body, turn[0], turn[1], turn[2]);
}

/* A random pair of which shape 0 is elliptic, or shape 1 when swapped. */
static void make_pair(collide_scene *s, int dimension, uint64_t seed, int kind, double flattest, double reach,
                      bool swapped)
{
    collide_start(s, dimension);
    for (int i = 0; i < 2; ++i)
    {
        bool first = (i == 0) != swapped;
        uint64_t own = seed * 2654435761u + (first ? 17u : 91u);
        double at[3];
        for (int k = 0; k < 3; ++k)
            at[k] = collide_uniform(&own, -reach, reach);
        add_other(s, &own, first ? 0 : kind, flattest, at[0], at[1], at[2]);
        random_turn(s, i, &own);
    }
    collide_within(s, 20);
}

/* The one contact of a pair: on both surfaces, along both normals, apart as far as its direction separates. */
static void check_contact(const collide_scene *s, double tolerance)
{
    const crn_contact *c = &s->contacts[0];
    assert_int_equal(s->count, 1);
    assert_int_equal(c->identity & 0xffff, 0);
    collide_assert_near(crn_norm3(c->normal), 1, 1e-12);
    collide_assert_near(c->gap, separation(s, c->normal), tolerance);
    double arm[3];
    crn_sub3(c->point_a, c->point_b, arm);
    collide_assert_vector(arm, c->gap * c->normal[0], c->gap * c->normal[1], c->gap * c->normal[2]);
    collide_assert_near(-crn_dot3(c->normal, c->point_a),
                        support(s, 0, (double[3]){-c->normal[0], -c->normal[1], -c->normal[2]}), tolerance);
    collide_assert_near(crn_dot3(c->normal, c->point_b), support(s, 1, c->normal), tolerance);
}

/* ---------------------------------------------------------------------------------------------------------- tests */

/* The depth below which the least depth is promised: half the smallest radius of curvature of the elliptic shapes. */
static double shallow_depth(const collide_scene *s)
{
    double least = INFINITY;
    for (int body = 0; body < 2; ++body)
    {
        const double *e = s->model->shapes[body].form->half;
        double third = s->model->dimension == 2 ? e[1] : e[2];
        double low = fmin(fmin(e[0], e[1]), third), high = fmax(fmax(e[0], e[1]), third);
        least = is_elliptic(&s->model->shapes[body]) ? fmin(least, 0.5 * low * low / high) : least;
    }
    return least;
}

/* Move shape 0 against the normal until the shapes overlap by a little: the depth is no more than that, the normal hardly
 * turns, and no direction is a shorter way out. */
static void check_shallow(collide_scene *s, double tolerance)
{
    double depth = shallow_depth(s), gap = s->contacts[0].gap, n[3];
    memcpy(n, s->contacts[0].normal, sizeof n);
    crn_madd3(s->poses[0].x, -(gap + depth), n, s->poses[0].x);
    collide_within(s, 20);
    check_contact(s, tolerance);
    const crn_contact *c = &s->contacts[0];
    assert_true(c->gap <= 0 && c->gap >= -depth - tolerance);
    assert_true(searched_separation(s) <= c->gap + 1e-9);
}

/* Tallies of a sweep. */
typedef struct tally
{
    int apart, overlapping, longer;
} tally;

static void check_pair(collide_scene *s, double tolerance, tally *t)
{
    check_contact(s, tolerance);
    const crn_contact *c = &s->contacts[0];
    if (c->gap > 0)
    {
        /* the certificate: separated by the gap, and a point of each that far from one another */
        assert_true(outside(s, 0, c->point_a) <= tolerance && outside(s, 1, c->point_b) <= tolerance);
        check_shallow(s, tolerance);
        ++t->apart;
        return;
    }
    ++t->overlapping;
    t->longer += searched_separation(s) > c->gap + 1e-7;
}

static void sweep(int dimension, double flattest, int instances, double tolerance)
{
    tally t = {0};
    for (int kind = 0; kind < 5; ++kind)
    {
        for (int i = 0; i < instances; ++i)
        {
            collide_scene s;
            make_pair(&s, dimension, (uint64_t)(kind * instances + i + 1), kind, flattest, i % 2 ? 0.6 : 1.2,
                      i % 3 == 0);
            check_pair(&s, tolerance, &t);
            collide_finish(&s);
        }
    }
    print_message("%dD, semi-axes %g to 1: %d apart, %d overlapping, %d of these not by the least depth\n", dimension,
                  flattest, t.apart, t.overlapping, t.longer);
    assert_true(t.apart > instances && t.overlapping > instances / 2);
    assert_true(t.longer < 0.25 * t.overlapping);
}

static void test_plane(void **state)
{
    (void)state;
    sweep(2, 0.3, 200, 1e-12);
    sweep(2, 0.01, 200, 1e-12);
    sweep(2, 1e-3, 200, 1e-12);
}

static void test_space(void **state)
{
    (void)state;
    sweep(3, 0.3, 100, 1e-12);
    sweep(3, 0.01, 100, 1e-12);
    sweep(3, 1e-3, 100, 1e-12);
}

/* The closed form of the ellipse of Song et al. 2004: the centre stands sqrt(a^2 sin^2 + b^2 cos^2) above a plane. */
static void test_half_plane(void **state)
{
    (void)state;
    for (int i = 0; i < 36; ++i)
    {
        collide_scene s;
        double theta = i * COLLIDE_PI / 18 + 0.1, y = 0.07;
        cairn_shape_options shape = cairn_shape_default(CAIRN_ELLIPSE);
        shape.radii[0] = 0.1;
        shape.radii[1] = 0.05;
        collide_start(&s, 2);
        collide_add_half(&s, 0, 1, 0);
        collide_add(&s, &shape, 0.3, y, 0);
        collide_turn(&s, 1, 0, 0, theta);
        collide_within(&s, 1);
        assert_int_equal(s.count, 1);
        double height = hypot(0.1 * sin(theta), 0.05 * cos(theta));
        double along = (0.01 - 0.0025) * sin(theta) * cos(theta) / height;
        collide_assert_near(s.contacts[0].gap, y - height, 1e-15);
        collide_assert_vector(s.contacts[0].normal, 0, -1, 0); /* from b, the ellipse, to a */
        collide_assert_vector(s.contacts[0].point_b, 0.3 - along, y - height, 0);
        collide_finish(&s);
    }
}

/* An ellipsoid with equal semi-axes is a sphere. */
static void test_round(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension)
    {
        for (int i = 0; i < 200; ++i)
        {
            collide_scene s[2];
            for (int as = 0; as < 2; ++as)
            {
                uint64_t seed = (uint64_t)(1000 * dimension + i);
                double r = collide_uniform(&seed, 0.1, 0.9), at[3];
                bool planar = dimension == 2;
                cairn_shape_options shape = cairn_shape_default(planar ? CAIRN_ELLIPSE : CAIRN_ELLIPSOID);
                shape.radii[0] = shape.radii[1] = shape.radii[2] = r;
                for (int k = 0; k < 3; ++k)
                    at[k] = collide_uniform(&seed, 0.3, 1.3);
                collide_start(&s[as], dimension);
                if (as)
                    collide_add_round(&s[as], planar ? CAIRN_CIRCLE : CAIRN_SPHERE, r, at[0], at[1],
                                      planar ? 0 : at[2]);
                else
                    collide_add(&s[as], &shape, at[0], at[1], planar ? 0 : at[2]);
                add_other(&s[as], &seed, 1 + i % 4, 1.0, 0, 0, 0);
                random_turn(&s[as], 1, &seed);
                collide_within(&s[as], 20);
            }
            /* a wide polygon or box around the centre leaves several ways out of the same length */
            const crn_contact *c = s[0].contacts, *d = s[1].contacts;
            assert_int_equal(s[0].count, 1);
            assert_int_equal(s[1].count, 1);
            if (d->gap > -0.05)
            {
                collide_assert_near(c->gap, d->gap, 1e-12);
                collide_assert_near(crn_dot3(c->normal, d->normal), 1.0, 1e-12);
            }
            collide_finish(&s[0]);
            collide_finish(&s[1]);
        }
    }
}

/* Move the scene as a whole; name the shapes the other way round. */
static void test_invariance(void **state)
{
    (void)state;
    for (int i = 0; i < 300; ++i)
    {
        int dimension = 2 + i % 2, kind = i % 5;
        collide_scene s, other;
        uint64_t seed = 77u + (uint64_t)i;
        make_pair(&s, dimension, seed, kind, 0.1, 1.4, false);
        make_pair(&other, dimension, seed, kind, 0.1, 1.4, true);
        crn_contact before = s.contacts[0], *swapped = (crn_contact *)other.contacts;
        if (before.gap > -0.005)
        {
            collide_assert_near(swapped->gap, before.gap, 1e-12);
            collide_assert_near(crn_dot3(swapped->normal, before.normal), -1.0, 1e-12);
        }
        crn_pose motion;
        double turn[3] = {dimension == 2 ? 0 : 0.4, dimension == 2 ? 0 : -1.1, 0.7}, x[3], R[9], normal[3];
        collide_set_pose(&motion, 3.0, -2.0, dimension == 2 ? 0 : 1.0, turn);
        for (int body = 0; body < 2; ++body)
        {
            crn_rotate3(motion.R, s.poses[body].x, x);
            crn_add3(x, motion.x, s.poses[body].x);
            crn_multiply33(motion.R, s.poses[body].R, R);
            memcpy(s.poses[body].R, R, sizeof R);
        }
        collide_within(&s, 20);
        crn_rotate3(motion.R, before.normal, normal);
        if (before.gap > -0.005)
        {
            collide_assert_near(s.contacts[0].gap, before.gap, 1e-12);
            collide_assert_near(crn_dot3(normal, s.contacts[0].normal), 1.0, 1e-12);
        }
        collide_finish(&s);
        collide_finish(&other);
    }
}

/* Along a motion the gap changes at the rate of the witness points along the normal, also where the closest feature
 * passes from a side to a corner: fourth-order differences of the gap. */
static void test_rate(void **state)
{
    (void)state;
    static const double weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12}, offset[4] = {-2, -1, 1, 2};
    for (int i = 0; i < 400; ++i)
    {
        int dimension = 2 + i % 2, kind = i % 5;
        collide_scene s;
        uint64_t seed = 5000u + (uint64_t)i;
        make_pair(&s, dimension, seed, kind, 0.3, 1.2, false);
        crn_contact c = s.contacts[0];
        crn_pose start = s.poses[0];
        double h = 1e-4, w[3] = {dimension == 2 ? 0 : 0.5, dimension == 2 ? 0 : -0.3, 0.8};
        double v[3] = {0.7, -0.4, dimension == 2 ? 0 : 0.6}, arm[3], turned[3], rate = 0;
        if (c.gap > 0)
        {
            for (int k = 0; k < 4; ++k)
            {
                double t = h * offset[k], R[9];
                crn_madd3(start.x, t, v, s.poses[0].x);
                collide_set_pose(&s.poses[0], s.poses[0].x[0], s.poses[0].x[1], s.poses[0].x[2],
                                 (double[3]){t * w[0], t * w[1], t * w[2]});
                crn_multiply33(s.poses[0].R, start.R, R);
                memcpy(s.poses[0].R, R, sizeof R);
                collide_within(&s, 20);
                assert_int_equal(s.contacts[0].identity, c.identity);
                rate += weight[k] * s.contacts[0].gap / h;
            }
            crn_sub3(c.point_a, start.x, arm);
            crn_cross3(w, arm, turned);
            crn_add3(turned, v, turned);
            collide_assert_near(rate, crn_dot3(c.normal, turned), 1e-5);
        }
        collide_finish(&s);
    }
}

/* A line through an ellipse or ellipsoid: both ends on the surface, the middle inside; lines beside it miss. */
static void test_line_span(void **state)
{
    (void)state;
    int met = 0, missed = 0;
    for (int i = 0; i < 400; ++i)
    {
        collide_scene s;
        int dimension = 2 + i % 2;
        uint64_t seed = 900u + (uint64_t)i;
        make_pair(&s, dimension, seed, 0, 0.1, 0.3, false);
        crn_placed placed;
        double vertices[2], x[3], n[3], low, high, ends[3][3];
        crn_place(&s.model->shapes[0], dimension, &s.poses[0], 0.0, vertices, &placed);
        for (int k = 0; k < 3; ++k)
        {
            x[k] = k < dimension ? collide_uniform(&seed, -0.6, 0.6) : 0.0;
            n[k] = k < dimension ? collide_uniform(&seed, -1, 1) : 0.0;
        }
        double length = crn_norm3(n);
        n[0] /= length, n[1] /= length, n[2] /= length;
        if (crn_line_span(&placed, x, n, &low, &high))
        {
            double at[3] = {low, high, 0.5 * (low + high)};
            for (int k = 0; k < 3; ++k)
                crn_madd3(x, at[k], n, ends[k]);
            assert_true(low <= high);
            collide_assert_near(outside(&s, 0, ends[0]), 0, 1e-12);
            collide_assert_near(outside(&s, 0, ends[1]), 0, 1e-12);
            assert_true(outside(&s, 0, ends[2]) < 1e-12);
            ++met;
        }
        else
        {
            for (int k = -200; k <= 200; ++k)
            {
                crn_madd3(x, 0.01 * k, n, ends[0]);
                assert_true(outside(&s, 0, ends[0]) > 0);
            }
            ++missed;
        }
        collide_finish(&s);
    }
    assert_true(met > 50 && missed > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plane),     cmocka_unit_test(test_space), cmocka_unit_test(test_half_plane),
        cmocka_unit_test(test_line_span), cmocka_unit_test(test_round), cmocka_unit_test(test_invariance),
        cmocka_unit_test(test_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
