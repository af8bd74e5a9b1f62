/* Collision detection: invariants over random pairs, checked against geometry written a second time; the broad phase
 * against all pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collide/broad/sort.h"
#include "math/vec.h"
#include "support/collide_scene.h"

#include <math.h>
#include <string.h>

/* --------------------------------------------------------------------------------- geometry written a second time */

/* The points whose hull, grown by the radius, is the shape in the world. */
static int hull(const collide_scene *s, int shape, double points[16][3])
{
    const crn_shape *from = &s->model->shapes[shape];
    const crn_pose *pose = &s->poses[from->body];
    int count = from->kind == CAIRN_BOX ? 8 : from->form->vertices ? from->form->vertex_count : 1;
    for (int i = 0; i < count; ++i)
    {
        double local[3] = {0, 0, 0};
        for (int k = 0; k < 3 && from->kind == CAIRN_BOX; ++k)
            local[k] = i >> k & 1 ? from->form->half[k] : -from->form->half[k];
        for (int k = 0; k < 2 && from->form->vertices; ++k)
            local[k] = from->form->vertices[2 * i + k];
        crn_rotate3(pose->R, local, points[i]);
        crn_add3(pose->x, points[i], points[i]);
    }
    return count;
}

static double support(const collide_scene *s, int shape, const double n[3])
{
    double points[16][3], most = -INFINITY;
    int count = hull(s, shape, points);
    for (int i = 0; i < count; ++i)
        most = fmax(most, crn_dot3(points[i], n));
    return most + s->model->shapes[shape].radius;
}

/* How far the shapes 0 and 1 are apart along n, which points from 1 to 0. */
static double separation(const collide_scene *s, const double n[3])
{
    return -support(s, 0, (double[3]){-n[0], -n[1], -n[2]}) - support(s, 1, n);
}

/* Signed distance of x to the surface of a shape, negative inside. */
static double surface_distance(const collide_scene *s, int shape, const double x[3])
{
    const crn_shape *from = &s->model->shapes[shape];
    double inside = -INFINITY, outside = INFINITY, points[16][3], arm[3], local[3], rest[3];
    if (from->kind == CAIRN_BOX)
    {
        crn_sub3(x, s->poses[from->body].x, arm);
        crn_unrotate3(s->poses[from->body].R, arm, local);
        for (int k = 0; k < 3; ++k)
        {
            inside = fmax(inside, fabs(local[k]) - from->form->half[k]);
            rest[k] = fmax(0.0, fabs(local[k]) - from->form->half[k]);
        }
        return inside > 0 ? crn_norm3(rest) : inside;
    }
    int count = hull(s, shape, points);
    for (int i = 0; i < count; ++i)
    {
        double *p = points[i], *q = points[(i + 1) % count], side[3], foot[3];
        crn_sub3(q, p, side);
        crn_sub3(x, p, arm);
        double squared = crn_dot3(side, side);
        double t = squared > 0 ? fmin(1, fmax(0, crn_dot3(arm, side) / squared)) : 0;
        crn_madd3(p, t, side, foot);
        crn_sub3(x, foot, foot);
        outside = fmin(outside, crn_norm3(foot));
        inside = fmax(inside, count > 2 ? (side[1] * arm[0] - side[0] * arm[1]) / sqrt(squared) : 1.0);
    }
    return (inside > 0 ? outside : inside) - from->radius;
}

/* Difference of the two boxes' points with local coordinates z. */
static void difference(const collide_scene *s, const double z[6], double out[3])
{
    double point[2][3];
    for (int k = 0; k < 2; ++k)
    {
        crn_rotate3(s->poses[k].R, z + 3 * k, point[k]);
        crn_add3(s->poses[k].x, point[k], point[k]);
    }
    crn_sub3(point[0], point[1], out);
}

/* A step down the gradient of half the squared difference at y, projected onto both boxes. */
static void descend(const collide_scene *s, const double y[6], double z[6])
{
    double r[3], g[3];
    difference(s, y, r);
    for (int i = 0; i < 6; ++i)
    {
        int box = i / 3, axis = i % 3;
        double half = s->model->shapes[box].form->half[axis];
        crn_unrotate3(s->poses[box].R, r, g);
        z[i] = fmin(half, fmax(-half, y[i] + (box ? 0.5 : -0.5) * g[axis]));
    }
}

/* Distance of two boxes apart: the quadratic programme min |x - y|^2 over both, in their six local coordinates, by
 * accelerated projected gradient with restarts, until the separation along x - y, a lower bound, is as large. */
static double box_distance(const collide_scene *s)
{
    double z[6] = {0}, last[6] = {0}, y[6], r[3], distance = 0, momentum = 1.0;
    for (int iteration = 0; iteration < 50000; ++iteration)
    {
        double before = momentum, uphill = 0;
        momentum = 0.5 * (1 + sqrt(1 + 4 * momentum * momentum));
        for (int i = 0; i < 6; ++i)
        {
            y[i] = z[i] + (before - 1) / momentum * (z[i] - last[i]);
            last[i] = z[i];
        }
        descend(s, y, z);
        for (int i = 0; i < 6; ++i)
            uphill += (y[i] - z[i]) * (z[i] - last[i]);
        momentum = uphill > 0 ? 1.0 : momentum;
        difference(s, z, r);
        distance = crn_norm3(r);
        if (separation(s, (double[3]){r[0] / distance, r[1] / distance, r[2] / distance}) > distance - 1e-7)
            return distance;
    }
    print_error("the distance of two boxes did not converge\n");
    fail();
    return distance;
}

/* Distance, or minus the depth, of two planar shapes: the largest separation over all directions, by sampling the
 * circle and golden sections about every sample that tops its neighbours. */
static double planar_distance(const collide_scene *s)
{
    enum
    {
        SAMPLES = 360
    };
    double values[SAMPLES], best = -INFINITY, step = 2 * COLLIDE_PI / SAMPLES, golden = 0.5 * (sqrt(5.0) - 1);
    for (int i = 0; i < SAMPLES; ++i)
        values[i] = separation(s, (double[3]){cos(i * step), sin(i * step), 0});
    for (int i = 0; i < SAMPLES; ++i)
    {
        if (values[i] < values[(i + 1) % SAMPLES] || values[i] < values[(i + SAMPLES - 1) % SAMPLES])
            continue;
        double low = (i - 1) * step, high = (i + 1) * step;
        while (high - low > 1e-9)
        {
            double x = high - golden * (high - low), y = low + golden * (high - low);
            bool left = separation(s, (double[3]){cos(x), sin(x), 0}) > separation(s, (double[3]){cos(y), sin(y), 0});
            low = left ? low : x;
            high = left ? y : high;
        }
        best = fmax(best, separation(s, (double[3]){cos(low), sin(low), 0}));
    }
    return best;
}

/* ------------------------------------------------------------------------------------------------- random instances */

/* Any turn; one in three is nearly none, so that faces lie nearly flat on each other. */
static void random_turn(collide_scene *s, int body, uint64_t *seed)
{
    bool planar = s->model->dimension == 2;
    double most = collide_uniform(seed, 0, 3) < 1 ? 1e-3 : 3;
    double x = planar ? 0 : collide_uniform(seed, -most, most), y = planar ? 0 : collide_uniform(seed, -most, most);
    collide_turn(s, body, x, y, collide_uniform(seed, -most, most));
}

static void add_random_polygon(collide_scene *s, uint64_t *seed, double x, double y)
{
    cairn_shape_options shape = cairn_shape_default(CAIRN_POLYGON);
    int count = 3 + (int)collide_uniform(seed, 0, 6);
    double vertices[16], width = collide_uniform(seed, 0.3, 1), height = collide_uniform(seed, 0.3, 1);
    for (int i = 0; i < count; ++i)
    {
        double angle = 2 * COLLIDE_PI * (i + collide_uniform(seed, 0, 0.8)) / count;
        vertices[2 * i] = width * cos(angle);
        vertices[2 * i + 1] = height * sin(angle);
    }
    shape.vertices = vertices;
    shape.vertex_count = count;
    collide_add(s, &shape, x, y, 0);
}

/* A random bounded shape at a random place within `reach` of the origin. */
static void add_random(collide_scene *s, uint64_t *seed, double reach)
{
    double x = collide_uniform(seed, -reach, reach), y = collide_uniform(seed, -reach, reach),
           z = collide_uniform(seed, -reach, reach);
    double choice = collide_uniform(seed, 0, 1), r = collide_uniform(seed, 0.2, 0.8);
    bool planar = s->model->dimension == 2;
    if (choice < 0.1)
        collide_add_round(s, CAIRN_POINT, 0, x, y, planar ? 0 : z);
    else if (choice < 0.3)
        collide_add_round(s, planar ? CAIRN_CIRCLE : CAIRN_SPHERE, r, x, y, planar ? 0 : z);
    else if (!planar)
        collide_add_box(s, r, collide_uniform(seed, 0.05, 1), collide_uniform(seed, 0.2, 1), x, y, z);
    else if (choice < 0.45)
        collide_add_bar(s, r, x, y);
    else
        add_random_polygon(s, seed, x, y);
    random_turn(s, cairn_model_body_count(s->model) - 1, seed);
}

static const crn_contact *nearest(const collide_scene *s)
{
    const crn_contact *least = &s->contacts[0];
    for (int i = 1; i < s->count; ++i)
        least = s->contacts[i].gap < least->gap ? &s->contacts[i] : least;
    return least;
}

static double least_gap(const collide_scene *s)
{
    return nearest(s)->gap;
}

/* Whether a direction is along the normal of a face of one of the two boxes. */
static bool is_face_normal(const collide_scene *s, const double n[3])
{
    for (int k = 0; k < 6; ++k)
    {
        const double *R = s->poses[k / 3].R;
        double axis[3] = {R[k % 3], R[3 + k % 3], R[6 + k % 3]};
        if (s->model->shapes[k / 3].kind == CAIRN_BOX && fabs(crn_dot3(axis, n)) > 1 - 1e-12)
            return true;
    }
    return false;
}

static const double BIAS = 1.1e-3; /* by which the choice of a face may cost, of lengths of at most 1 */

/* What holds for every contact: frame, witness points, order. */
static void check_contacts(const collide_scene *s)
{
    for (int i = 0; i < s->count; ++i)
    {
        const crn_contact *c = &s->contacts[i];
        double cross[3], arm[3], t[2][3];
        collide_assert_near(crn_norm3(c->normal), 1, 1e-12);
        crn_contact_tangents(c, s->model->dimension, t);
        collide_assert_near(crn_norm3(t[0]), 1, 1e-12);
        collide_assert_near(crn_dot3(c->normal, t[0]), 0, 1e-12);
        crn_cross3(c->normal, t[0], cross);
        collide_assert_vector(cross, t[1][0], t[1][1], t[1][2]);
        crn_sub3(c->point_a, c->point_b, arm);
        collide_assert_vector(arm, c->gap * c->normal[0], c->gap * c->normal[1], c->gap * c->normal[2]);
        assert_true(i == 0 || c[-1].identity < c->identity);
        assert_true(c->shape_a < c->shape_b);
    }
}

/* Off the surface, or off it by more than the clipping's slop. */
static int count_astray(const collide_scene *s)
{
    int astray = 0;
    for (int i = 0; i < s->count; ++i)
    {
        const crn_contact *c = &s->contacts[i];
        astray += fabs(surface_distance(s, 0, c->point_a)) > 1e-6 || fabs(surface_distance(s, 1, c->point_b)) > 1e-6;
    }
    return astray;
}

/* Whether x lies on the sides `bits` of a box, in all axes but `free`, up to the band of nearly flush sides. */
static bool on_sides(const collide_scene *s, int shape, const double x[3], int bits, int free)
{
    double arm[3], local[3];
    crn_sub3(x, s->poses[shape].x, arm);
    crn_unrotate3(s->poses[shape].R, arm, local);
    double tolerance = 1e-6 + 1e-4 * s->model->shapes[shape].bound;
    for (int k = 0; k < 3; ++k)
    {
        double half = s->model->shapes[shape].form->half[k];
        if (k != free && fabs(local[k] - (bits >> k & 1 ? half : -half)) > tolerance)
            return false;
    }
    return true;
}

/* An edge is 4 times its axis plus the sides of the two other axes, the lower one first. */
static bool on_edge(const collide_scene *s, int shape, const double x[3], int edge)
{
    int axis = edge / 4, low = axis == 0 ? 1 : 0, high = axis == 2 ? 1 : 2;
    return on_sides(s, shape, x, (edge & 1) << low | (edge >> 1 & 1) << high, axis);
}

/* The contacts of two boxes are where their names say: at a corner of one, or on an edge of each. */
static void check_names(const collide_scene *s)
{
    if (s->model->shapes[0].kind != CAIRN_BOX || s->model->shapes[1].kind != CAIRN_BOX)
        return;
    for (int i = 0; i < s->count; ++i)
    {
        const crn_contact *c = &s->contacts[i];
        int feature = (int)(c->identity & 0xffff);
        if (feature < 16)
        {
            assert_true(on_sides(s, feature / 8, feature < 8 ? c->point_a : c->point_b, feature % 8, -1));
        }
        else
        {
            assert_true(on_edge(s, 0, c->point_a, (feature - 256) / 16));
            assert_true(on_edge(s, 1, c->point_b, (feature - 256) % 16));
        }
    }
}

/* The distance of shapes 0 and 1 by other means than the library's; NAN for boxes that overlap. */
static double true_distance(const collide_scene *s, double along_normal)
{
    const crn_shape *a = &s->model->shapes[0], *b = &s->model->shapes[1];
    if (s->model->dimension == 2)
        return planar_distance(s);
    if (a->kind != CAIRN_BOX)
        return surface_distance(s, 1, s->poses[0].x) - a->radius;
    if (b->kind != CAIRN_BOX)
        return surface_distance(s, 0, s->poses[1].x) - b->radius;
    return along_normal > 0 ? box_distance(s) : NAN;
}

/* Tallies over random pairs, for what may fail rarely. */
typedef struct tally
{
    int apart, overlapping, exact, astray, contacts, renamed;
} tally;

/* Gap and normal against the truth. Returns whether the shapes are apart. */
static bool check_distance(const collide_scene *s, tally *t, uint64_t *seed)
{
    const double *n = nearest(s)->normal;
    double gap = least_gap(s), along = separation(s, n), truth = true_distance(s, along);
    for (int i = 0; i < s->count; ++i)
    {
        /* one normal for all; but beside the nearest points of boxes, edges and corners have that of a face */
        const double *other = s->contacts[i].normal;
        assert_true(memcmp(other, n, 3 * sizeof(double)) == 0 ||
                    (crn_dot3(other, n) > 0.9 && is_face_normal(s, other)));
    }
    assert_true(gap >= along - 1e-9);
    bool apart = truth > 0;
    if (apart)
    {
        assert_true(gap >= truth - 1e-6 && gap <= truth + BIAS && along >= truth - 2 * BIAS);
        assert_int_equal(count_astray(s), 0);
        t->exact += gap <= truth + 1e-6;
    }
    else
    {
        assert_true(gap <= BIAS);
        assert_true(isnan(truth) || along >= truth - BIAS);
        for (int i = 0; i < 100; ++i)
        {
            double other[3] = {collide_uniform(seed, -1, 1), collide_uniform(seed, -1, 1),
                               collide_uniform(seed, -1, 1)};
            other[2] *= s->model->dimension == 3;
            double length = crn_norm3(other);
            assert_true(separation(s, (double[3]){other[0] / length, other[1] / length, other[2] / length}) <=
                        along + BIAS); /* no shorter way out */
        }
        t->astray += count_astray(s);
        t->contacts += s->count;
    }
    t->apart += apart;
    t->overlapping += !apart;
    return apart;
}

/* The same two shapes named the other way round. */
static void check_swapped(const collide_scene *s, int dimension, uint64_t first, uint64_t second, double reach,
                          bool apart)
{
    collide_scene swapped;
    collide_start(&swapped, dimension);
    add_random(&swapped, &second, reach);
    add_random(&swapped, &first, reach);
    collide_within(&swapped, 20);
    check_contacts(&swapped);
    double along = separation(s, nearest(s)->normal);
    collide_assert_near(separation(&swapped, nearest(&swapped)->normal), along, 2 * BIAS);
    if (apart)
        collide_assert_near(least_gap(&swapped), least_gap(s), BIAS);
    if (least_gap(s) > 0.1)
        assert_true(crn_dot3(nearest(&swapped)->normal, nearest(s)->normal) < -0.98);
    collide_finish(&swapped);
}

/* Move both bodies by one rigid motion: gaps and identities stay, normals turn. */
static void check_moved(collide_scene *s, uint64_t *seed)
{
    crn_pose motion;
    crn_contact before = *nearest(s);
    double gap = least_gap(s), q[3];
    int count = s->count;
    bool planar = s->model->dimension == 2;
    double turn[3] = {planar ? 0 : collide_uniform(seed, -1, 1), planar ? 0 : collide_uniform(seed, -1, 1),
                      collide_uniform(seed, -3, 3)};
    collide_set_pose(&motion, collide_uniform(seed, -2, 2), collide_uniform(seed, -2, 2), planar ? 0 : 1, turn);
    for (int k = 0; k < 2; ++k)
    {
        crn_rotate3(motion.R, s->poses[k].x, q);
        crn_add3(motion.x, q, s->poses[k].x);
        crn_multiply33(motion.R, s->poses[k].R, s->poses[k].R);
    }
    collide_within(s, 20);
    assert_int_equal(s->count, count);
    collide_assert_near(least_gap(s), gap, 1e-9);
    crn_rotate3(motion.R, before.normal, q);
    assert_true(crn_dot3(q, nearest(s)->normal) > 1 - 1e-9);
    assert_true(nearest(s)->identity == before.identity);
}

/* Moving a along the normal opens the gap by as much. */
static void check_opened(collide_scene *s, tally *t)
{
    double gap = least_gap(s);
    uint64_t identity = nearest(s)->identity;
    bool exact = fabs(gap - separation(s, nearest(s)->normal)) < 1e-9;
    crn_madd3(s->poses[0].x, 1e-7, nearest(s)->normal, s->poses[0].x);
    collide_within(s, 20);
    collide_assert_near(least_gap(s), gap + 1e-7, exact ? 1e-9 : BIAS);
    t->renamed += nearest(s)->identity != identity;
    crn_madd3(s->poses[0].x, 0.25, nearest(s)->normal, s->poses[0].x);
    collide_within(s, 20);
    collide_assert_near(least_gap(s), gap + 0.25, exact ? 1e-6 : BIAS);
}

static void check_random_pairs(int dimension, double reach)
{
    uint64_t seed = 20240607;
    tally t = {0};
    for (int trial = 0; trial < 2000; ++trial)
    {
        collide_scene s;
        uint64_t first = seed + 1, second = seed + 2, a = first, b = second;
        collide_uniform(&seed, 0, 1);
        collide_start(&s, dimension);
        add_random(&s, &a, reach);
        add_random(&s, &b, reach);
        collide_within(&s, 20);
        bool points = s.model->shapes[0].kind == CAIRN_POINT && s.model->shapes[1].kind == CAIRN_POINT;
        assert_int_equal(s.count == 0, points);
        if (!points)
        {
            check_contacts(&s);
            check_names(&s);
            bool apart = check_distance(&s, &t, &seed);
            check_swapped(&s, dimension, first, second, reach, apart);
            check_moved(&s, &seed);
            if (apart)
                check_opened(&s, &t);
        }
        collide_finish(&s);
    }
    print_message("apart %d (exact %d, renamed %d), overlapping %d (%d of %d contacts off a surface)\n", t.apart,
                  t.exact, t.renamed, t.overlapping, t.astray, t.contacts);
    assert_true(t.apart > 500 && t.overlapping > 300);
    assert_true(t.exact > 0.99 * t.apart && t.renamed < 0.01 * t.apart && t.astray == 0);
}

static void test_random_planar(void **state)
{
    (void)state;
    check_random_pairs(2, 1.0);
}

static void test_random_spatial(void **state)
{
    (void)state;
    check_random_pairs(3, 0.9);
}

/* ------------------------------------------------------------------------------------------------- scenes of many */

static void fill_random(collide_scene *s, int dimension, uint64_t seed)
{
    collide_start(s, dimension);
    collide_add_half(s, 0.1, dimension == 2 ? 1 : 0.2, dimension == 2 ? 0 : 1);
    for (int i = 0; i < 120; ++i)
        add_random(s, &seed, dimension == 2 ? 6 : 3);
    collide_add_half(s, 1, 0.3, dimension == 2 ? 0 : -1);
    for (int i = 0; i < MAX_BODIES; ++i)
        s->margin[i] = collide_uniform(&seed, 0, 0.3);
}

/* The sweep finds what all pairs find: unbounded margins pair everything, and its contacts are cut to the margins. */
static void check_broad(int dimension)
{
    collide_scene s, all;
    fill_random(&s, dimension, 77);
    fill_random(&all, dimension, 77);
    assert_int_equal(crn_collide(s.collider, s.model, s.poses, &(crn_reach){.margin = s.margin}, &s.contacts, &s.count),
                     CAIRN_OK);
    collide_within(&all, INFINITY);
    assert_true(s.count > 200 && all.count > 3 * s.count);
    int k = 0;
    for (int i = 0; i < all.count; ++i)
    {
        const crn_contact *c = &all.contacts[i];
        if (c->gap <= s.margin[c->body_a] + s.margin[c->body_b])
        {
            assert_true(k < s.count);
            assert_memory_equal(c, &s.contacts[k], sizeof *c);
            ++k;
        }
    }
    assert_int_equal(k, s.count);
    check_contacts(&s);
    collide_finish(&all);
    collide_finish(&s);
}

static void test_broad_phase(void **state)
{
    (void)state;
    check_broad(2);
    check_broad(3);
}

/* Contacts from `first` on before an identity: vertices that are held besides, of bodies that move by more than their size. */
static int held_fast(const collide_scene *s, int first, uint64_t identity, double (*travel)[3])
{
    int count = 0;
    for (; first + count < s->count && s->contacts[first + count].identity < identity; ++count)
    {
        const crn_contact *c = &s->contacts[first + count];
        const crn_shape *a = &s->model->shapes[c->shape_a], *b = &s->model->shapes[c->shape_b];
        double apart[3];
        crn_sub3(travel[c->body_a], travel[c->body_b], apart);
        assert_true(1.2 * crn_norm3(apart) > fmin(a->bound, b->bound));
    }
    return count;
}

/* The same where bodies move: a pair is cut where the way between the two, times sqrt(1 + mu^2) when friction lifts, and both
 * margins end. The default material has friction 0.5. */
static void check_moving(int dimension, bool lifts)
{
    collide_scene s, all;
    double travel[MAX_BODIES][3], k = lifts ? sqrt(1.25) : 1.0;
    uint64_t seed = 99;
    fill_random(&s, dimension, 78);
    fill_random(&all, dimension, 78);
    for (int i = 0; i < 3 * MAX_BODIES; ++i)
        travel[i / 3][i % 3] = i % 3 < dimension ? collide_uniform(&seed, -0.4, 0.4) : 0.0;
    crn_reach reach = {.margin = s.margin, .travel = travel, .lifts = lifts};
    assert_int_equal(crn_collide(s.collider, s.model, s.poses, &reach, &s.contacts, &s.count), CAIRN_OK);
    collide_within(&all, INFINITY);
    int found = 0;
    for (int i = 0; i < all.count; ++i)
    {
        const crn_contact *c = &all.contacts[i];
        double apart[3];
        crn_sub3(travel[c->body_a], travel[c->body_b], apart);
        if (c->gap <= s.margin[c->body_a] + s.margin[c->body_b] + k * crn_norm3(apart))
        {
            found += held_fast(&s, found, c->identity, travel);
            assert_true(found < s.count);
            assert_memory_equal(c, &s.contacts[found], sizeof *c);
            ++found;
        }
    }
    assert_true(found > 200);
    found += held_fast(&s, found, UINT64_MAX, travel);
    assert_int_equal(found, s.count);
    collide_finish(&all);
    collide_finish(&s);
}

static void test_moving_bodies(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension)
    {
        check_moving(dimension, false);
        check_moving(dimension, true);
    }
}

/* A fresh collider, a warm one and another one give the same bytes; a warm one keeps its memory. */
static void test_determinism(void **state)
{
    (void)state;
    collide_scene s, t;
    fill_random(&s, 3, 5);
    fill_random(&t, 3, 5);
    collide_within(&t, INFINITY);
    collide_within(&t, 0.1);
    const crn_contact *memory = t.contacts;
    collide_within(&t, 0.1);
    collide_within(&s, 0.1);
    assert_ptr_equal(memory, t.contacts);
    assert_true(s.count > 50);
    assert_int_equal(s.count, t.count);
    assert_memory_equal(s.contacts, t.contacts, (size_t)s.count * sizeof(crn_contact));
    collide_finish(&s);
    collide_finish(&t);
}

/* Few and many items; some keys are equal, and theirs keep their order. */
static void test_sort(void **state)
{
    (void)state;
    enum
    {
        MOST = 10000
    };
    static crn_keyed items[MOST], work[MOST];
    static uint64_t keys[MOST];
    uint64_t seed = 3;
    for (int count = 1000; count <= MOST; count += 3000)
    {
        for (int i = 0; i < count; ++i)
        {
            keys[i] = i % 100 == 0 ? UINT64_MAX : (uint64_t)collide_uniform(&seed, 0, 200) << (i % 2 ? 40 : 0);
            items[i] = (crn_keyed){keys[i], i, 0};
        }
        crn_sort(items, (size_t)count, work);
        for (int i = 1; i < count; ++i)
        {
            uint64_t before = keys[items[i - 1].a], after = keys[items[i].a];
            assert_true(before < after || (before == after && items[i - 1].a < items[i].a));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_planar), cmocka_unit_test(test_random_spatial), cmocka_unit_test(test_broad_phase),
        cmocka_unit_test(test_moving_bodies), cmocka_unit_test(test_determinism),    cmocka_unit_test(test_sort),
    };
    return cmocka_run_group_tests_name("collide_random", tests, NULL, NULL);
}
