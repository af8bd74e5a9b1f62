/* Convex pairs of space at random. What is claimed is proved for every pair, by geometry written a second time:
 *
 *     apart     the separating plane of a contact is a lower bound of the distance, two points of the surfaces an upper one
 *     overlap   moving a out along the normal by the depth parts them, an upper bound of the least depth; libccd's expanding
 *               polytope, which lies inside, is a lower one, and its direction no better
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collide/broad/place.h"
#include "collide/convex/convex.h"
#include "collide/query/line_span.h"
#include "math/vec.h"
#include "support/solid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef CAIRN_HAVE_CCD
#include <ccd/ccd.h>
#endif

/* A family of pairs, and how far rounding and the bias towards faces may go in it, of the sum of extents. */
typedef struct family
{
    const char *name;
    solid_style style;
    double ratio; /* of the sizes */
    double turn;  /* rad, at most, about each axis */
    double reach; /* of the sum of extents */
    double flat;  /* how much a flat pair's gap may be too large: twice the bias of 1e-3 of the thickness */
    double curved;
} family;

static const family families[] = {
    {"stocky", SOLID_STOCKY, 1.0, 3.0, 0.7, 2e-3, 1e-10},
    {"slender, 1:1e4", SOLID_SLENDER, 1.0, 3.0, 0.5, 2e-3, 1e-10},
    {"sizes 1:1e4", SOLID_STOCKY, 1e4, 3.0, 0.6, 2e-3, 1e-10},
    {"nearly parallel", SOLID_STOCKY, 1.0, 1e-6, 0.7, 2e-3, 4e-6},
    {"parallel", SOLID_STOCKY, 1.0, 0.0, 0.7, 2e-3, 1e-10},
};

static const double WITNESS = 1e-5; /* of the sum of extents: how far a contact's points may be off the surfaces */

/* Pairs of each two kinds: a million in all when there is time. */
static int pair_count(void)
{
    return getenv("CAIRN_LONG") ? 7200 : 40;
}

/* The contact with the least gap, the best lower bound among the normals, and checks of every contact. */
static const crn_contact *deepest(const collide_scene *s, const solid *a, const solid *b, double size, double *bound)
{
    const crn_contact *least = NULL;
    *bound = -INFINITY;
    for (int i = 0; i < s->count; ++i)
    {
        const crn_contact *c = &s->contacts[i];
        double arm[3];
        crn_sub3(c->point_a, c->point_b, arm);
        crn_madd3(arm, -c->gap, c->normal, arm);
        collide_assert_near(crn_norm3(c->normal), 1, 1e-12);
        assert_true(crn_norm3(arm) <= 1e-12 * size);
        assert_true(i == 0 || c[-1].identity < c->identity);
        *bound = fmax(*bound, solid_apart(a, b, c->normal));
        least = !least || c->gap < least->gap ? c : least;
    }
    return least;
}

static void complain(const family *f, const solid *a, const solid *b, int number, const char *what, double value)
{
    print_error("%s, kinds %d and %d, pair %d: %s %.3g\n", f->name, (int)a->shape.kind, (int)b->shape.kind, number,
                what, value);
    fail();
}

#ifdef CAIRN_HAVE_CCD
static void ccd_support_of(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out)
{
    solid_support(object, direction->v, out->v);
}

static void ccd_centre_of(const void *object, ccd_vec3_t *out)
{
    memcpy(out->v, ((const solid *)object)->pose.x, sizeof out->v);
}

/* libccd's depth lies inside the overlap, and its direction is no better than ours. */
static void check_peer(const family *f, const solid *a, const solid *b, int number, double depth, double size,
                       double slack)
{
    ccd_t ccd;
    ccd_real_t inner;
    ccd_vec3_t way, unused;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = ccd_support_of;
    ccd.center1 = ccd.center2 = ccd_centre_of;
    ccd.max_iterations = 200;
    ccd.epa_tolerance = 1e-7;
    if (ccdGJKPenetration(a, b, &ccd, &inner, &way, &unused) != 0)
        return; /* it takes shapes that overlap by less than its tolerance for parted */
    double back[3] = {-way.v[0], -way.v[1], -way.v[2]};
    double outer = fmin(-solid_apart(a, b, way.v), -solid_apart(a, b, back));
    if (inner > depth + 1e-7 * size)
        complain(f, a, b, number, "libccd finds it deeper by", inner - depth);
    if (isfinite(outer) && depth > outer + slack * size)
        complain(f, a, b, number, "libccd finds a shorter way out by", depth - outer);
}
#else
static void check_peer(const family *f, const solid *a, const solid *b, int number, double depth, double size,
                       double slack)
{
    (void)f, (void)a, (void)b, (void)number, (void)depth, (void)size, (void)slack;
}
#endif

/* The gap of a pair, everything about it checked. */
static double check_pair(const family *f, solid *a, solid *b, int number)
{
    collide_scene s;
    double size = solid_extent(a) + solid_extent(b), bound;
    solid_collide(&s, a, b, 10.0 * size);
    const crn_contact *least = deepest(&s, a, b, size, &bound);
    if (!least)
    {
        complain(f, a, b, number, "no contact, size", size);
        return 0;
    }
    bool flat = solid_is_flat(a) && solid_is_flat(b), faces = solid_has_faces(a) && solid_has_faces(b);
    double gap = least->gap, slack = flat || (faces && gap < 0) ? f->flat : f->curved;
    if (fabs(gap - bound) > slack * size)
        complain(f, a, b, number, "gap and separating plane differ by", (gap - bound) / size);
    double off_a = solid_level(a, s.model->shapes[0].form->hull, least->point_a);
    double off_b = solid_level(b, s.model->shapes[1].form->hull, least->point_b);
    if (fmax(fabs(off_a), fabs(off_b)) > fmax(WITNESS, f->curved) * size)
        complain(f, a, b, number, "a witness point is off its surface by", fmax(fabs(off_a), fabs(off_b)) / size);
    if (gap < -1e-6 * size)
        check_peer(f, a, b, number, -bound, size, f->flat);
    collide_finish(&s);
    return gap;
}

/* The gap is the same with the shapes exchanged, and when both are moved together. */
static void check_symmetry(const family *f, solid *a, solid *b, int number, double gap, uint64_t *seed)
{
    double size = solid_extent(a) + solid_extent(b);
    bool flat = solid_is_flat(a) && solid_is_flat(b);
    /* out of a deep overlap there may be two ways that differ by less than the search can tell */
    bool faces = solid_has_faces(a) && solid_has_faces(b);
    double slack = (flat || (faces && gap < 0) ? f->flat : fmax(f->curved, gap < 0 ? 1e-5 : 1e-9)) * size;
    double other = check_pair(f, b, a, number);
    if (fabs(other - gap) > slack)
        complain(f, a, b, number, "exchanged, the gap differs by", other - gap);
    solid moved[2] = {*a, *b};
    crn_pose turn;
    collide_set_pose(&turn, collide_uniform(seed, -1, 1), 2, -1, (double[3]){collide_uniform(seed, -2, 2), 1, -0.5});
    for (int k = 0; k < 2; ++k)
    {
        crn_pose before = moved[k].pose;
        crn_multiply33(turn.R, before.R, moved[k].pose.R);
        crn_rotate3(turn.R, before.x, moved[k].pose.x);
        crn_add3(turn.x, moved[k].pose.x, moved[k].pose.x);
    }
    other = check_pair(f, &moved[0], &moved[1], number);
    if (fabs(other - gap) > slack)
        complain(f, a, b, number, "moved together, the gap differs by", other - gap);
}

static void check_kinds(const family *f, int i, int j, int *apart, int *overlapping)
{
    uint64_t seed = 20260u + 97u * (uint64_t)i + 13u * (uint64_t)j + (uint64_t)(f - families);
    int count = pair_count();
    for (int number = 0; number < count; ++number)
    {
        solid a, b;
        solid_draw(&a, solid_kinds[i], 1.0, f->style, &seed);
        solid_draw(&b, solid_kinds[j], 1.0 / f->ratio, f->style, &seed);
        solid_pose(&a, 0.0, f->turn, &seed);
        solid_pose(&b, f->reach * (solid_extent(&a) + solid_extent(&b)), f->turn, &seed);
        double gap = check_pair(f, &a, &b, number);
        ++*(gap < 0 ? overlapping : apart);
        if (number % 8 == 0)
            check_symmetry(f, &a, &b, number, gap, &seed);
    }
}

static void test_family(void **state)
{
    const family *f = *state;
    int apart = 0, overlapping = 0;
    for (int i = 0; i < SOLID_KINDS; ++i)
        for (int j = i; j < SOLID_KINDS; ++j)
            check_kinds(f, i, j, &apart, &overlapping);
    print_message("%s: %d apart, %d overlapping\n", f->name, apart, overlapping);
    assert_true(apart > 100 && overlapping > 100);
}

/* Pairs that touch, moved through the touch along their normal: the gap follows the motion, on both sides of 0, and the normal
 * stays. */
static void check_touch(const family *f, solid *a, solid *b, int number)
{
    static const double offsets[] = {1e-3, 1e-6, 1e-9, 1e-11, 0, -1e-11, -1e-9, -1e-6};
    collide_scene s;
    double size = fmin(solid_extent(a), solid_extent(b)), bound;
    solid_collide(&s, a, b, 100.0);
    crn_contact first = *deepest(&s, a, b, size, &bound);
    collide_finish(&s);
    if (first.gap < 1e-2 * size)
        return;
    bool bias = solid_has_faces(a) && solid_has_faces(b); /* towards faces: docs/collision.md */
    crn_madd3(b->pose.x, first.gap, first.normal, b->pose.x);
    for (size_t k = 0; k < sizeof offsets / sizeof offsets[0]; ++k)
    {
        solid moved = *b;
        crn_madd3(b->pose.x, -offsets[k] * size, first.normal, moved.pose.x);
        solid_collide(&s, a, &moved, 100.0);
        const crn_contact *c = deepest(&s, a, &moved, size, &bound);
        if (fabs(c->gap - offsets[k] * size) > (bias ? 1e-3 : 1e-10) * size)
            complain(f, a, b, number, "touching, the gap is off by", c->gap - offsets[k] * size);
        /* corner to corner, two shapes with faces touch by one of these */
        if (!bias && 1.0 - crn_dot3(c->normal, first.normal) > 1e-9)
            complain(f, a, b, number, "touching, the normal has turned by", 1.0 - crn_dot3(c->normal, first.normal));
        collide_finish(&s);
    }
}

static void test_through_touch(void **state)
{
    (void)state;
    const family *f = &families[0];
    uint64_t seed = 77;
    for (int ij = 0; ij < SOLID_KINDS * SOLID_KINDS; ++ij)
    {
        for (int number = 0; number < pair_count(); ++number)
        {
            solid a, b;
            solid_draw(&a, solid_kinds[ij / SOLID_KINDS], 1.0, SOLID_STOCKY, &seed);
            solid_draw(&b, solid_kinds[ij % SOLID_KINDS], 1.0, SOLID_STOCKY, &seed);
            solid_pose(&a, 0.0, 3.0, &seed);
            solid_pose(&b, 1.5, 3.0, &seed);
            check_touch(f, &a, &b, number);
        }
    }
}

/* Lines through solids: the ends of what they cut lie on the surface, the middle inside; a line that misses has no point inside. */
static void test_lines(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int trial = 0; trial < 7000; ++trial)
    {
        solid s, other;
        collide_scene scene;
        crn_placed placed;
        double x[3], n[3], low, high;
        solid_draw(&s, solid_kinds[trial % SOLID_KINDS], 1.0, SOLID_STOCKY, &seed);
        solid_pose(&s, 1.0, 3.0, &seed);
        solid_draw(&other, CAIRN_SPHERE, 1.0, SOLID_STOCKY, &seed);
        solid_pose(&other, 1.0, 3.0, &seed);
        solid_collide(&scene, &s, &other, 0.0);
        crn_place(&scene.model->shapes[0], 3, &s.pose, 0.0, NULL, &placed);
        const crn_hull *hull = scene.model->shapes[0].form->hull;
        for (int k = 0; k < 3; ++k)
        {
            x[k] = s.pose.x[k] + collide_uniform(&seed, -0.7, 0.7);
            n[k] = trial % 3 == 0 ? s.pose.R[3 * k + 2] : collide_uniform(&seed, -1, 1); /* some along the axis */
        }
        crn_scale3(1.0 / crn_norm3(n), n, n);
        bool met = crn_line_span(&placed, x, n, &low, &high);
        for (int i = 0; i <= 20; ++i)
        {
            double at[3], place = met ? low + (high - low) * i / 20 : -3.0 + 0.3 * i;
            crn_madd3(x, place, n, at);
            double level = solid_level(&s, hull, at);
            assert_true(met ? level < 1e-9 && ((i != 0 && i != 20) || level > -1e-9) : level > -1e-9);
        }
        collide_finish(&scene);
    }
}

/* The closed form of a capsule's core and a box: the plane across the normal at the nearest points is a lower bound of the distance,
 * the points are an upper one, and the two meet. Some cores are parallel to edges, some end within the box. */
static void test_line_and_box(void **state)
{
    (void)state;
    uint64_t seed = 11;
    int found = 0;
    for (int trial = 0; trial < 20000; ++trial)
    {
        crn_placed a = {.kind = CAIRN_CAPSULE}, b = {.kind = CAIRN_BOX};
        double turn[3] = {0}, q[4], local[3], x_b[3];
        for (int k = 0; k < 3; ++k)
        {
            a.centre[k] = collide_uniform(&seed, -2, 2);
            b.half[k] = collide_uniform(&seed, 0.1, 1);
            turn[k] = trial % 4 == 0 ? 0.0 : collide_uniform(&seed, -3, 3);
        }
        a.half[2] = collide_uniform(&seed, 0.1, 2);
        crn_quaternion_exp(turn, q);
        crn_quaternion_to_matrix(q, b.R);
        turn[trial % 3] += trial % 8 == 0 ? acos(0) : trial % 8 == 4 ? 1e-9 : 1.0;
        crn_quaternion_exp(turn, q);
        crn_quaternion_to_matrix(q, a.R);
        crn_pair_view v = crn_view_pair(&a, &b);
        crn_nearest nearest;
        crn_difference unused;
        if (!crn_line_to_box(&v, 1e-4 * v.size, &nearest))
            continue;
        assert_true(fabs(crn_separation(&v, nearest.n, &unused) - nearest.s) <= 1e-11);
        crn_madd3(nearest.x_a, -nearest.s, nearest.n, x_b);
        crn_unrotate3(b.R, x_b, local);
        for (int k = 0; k < 3; ++k)
            assert_true(fabs(local[k]) <= b.half[k] + 1e-13);
        crn_sub3(nearest.x_a, a.centre, x_b);
        crn_unrotate3(a.R, x_b, local);
        assert_true(fabs(local[0]) + fabs(local[1]) <= 1e-13 && fabs(local[2]) <= a.half[2] + 1e-13);
        ++found;
    }
    assert_true(found > 10000);
}

/* m: distance of a point from a box; *on_edge: the nearest point lies on an edge along z. */
static double distance_from_box(const crn_pose *pose, const double half[3], const double x[3], bool *on_edge)
{
    double arm[3], local[3], square = 0;
    crn_sub3(x, pose->x, arm);
    crn_unrotate3(pose->R, arm, local);
    for (int k = 0; k < 3; ++k)
        square += pow(fmax(fabs(local[k]) - half[k], 0), 2);
    *on_edge = fabs(local[0]) > half[0] && fabs(local[1]) > half[1] && fabs(local[2]) <= half[2] + 1e-9;
    return sqrt(square);
}

/* The point of a capsule's axis behind a contact with a box. */
static void core_of(const crn_contact *c, int box, double r, double core[3])
{
    crn_madd3(box == 0 ? c->point_b : c->point_a, box == 0 ? -r : r, c->normal, core);
}

static void check_gaps(const collide_scene *s, int box, const double half[3], double r)
{
    for (int i = 0; i < s->count; ++i)
    {
        const crn_contact *c = &s->contacts[i];
        double core[3];
        bool unused;
        core_of(c, box, r, core);
        assert_true(fabs(distance_from_box(&s->poses[box], half, core, &unused) - r - c->gap) < 1e-9);
        assert_true(distance_from_box(&s->poses[box], half, box == 0 ? c->point_a : c->point_b, &unused) < 1e-9);
    }
}

static double distance_from_contacts(const collide_scene *s, int box, double r, const double x[3])
{
    double least = INFINITY, core[3], arm[3];
    for (int i = 0; i < s->count; ++i)
    {
        core_of(&s->contacts[i], box, r, core);
        crn_sub3(core, x, arm);
        least = fmin(least, crn_norm3(arm));
    }
    return least;
}

/* A capsule at an angle to an edge of a box, which it may turn parallel to: the ends of what they share have contacts, the gap of every
 * contact is the distance of its point from the box, and it leads there. */
static void check_beside_edge(uint64_t *seed, bool box_first, int *ends)
{
    const double r = 0.2, length = collide_uniform(seed, 0.5, 1.5),
                 half[3] = {0.5, 0.4, collide_uniform(seed, 0.3, 0.6)};
    double across = collide_uniform(seed, 0.5, 1.07), tilt[3], turn[3], at[3], u[3];
    cairn_shape_options capsule = cairn_shape_default(CAIRN_CAPSULE);
    collide_scene s;
    crn_pose pose, leaning;
    capsule.radius = r;
    capsule.length = length;
    for (int k = 0; k < 3; ++k)
    {
        tilt[k] = collide_uniform(seed, -0.06, 0.06);
        turn[k] = collide_uniform(seed, -3, 3);
    }
    collide_set_pose(&pose, 0.3, -0.2, 0.1, turn);
    collide_set_pose(&leaning, 0, 0, 0, tilt);
    double local[3] = {half[0] + 1.05 * r * cos(across), half[1] + 1.05 * r * sin(across),
                       collide_uniform(seed, -0.3, 0.3)};
    crn_rotate3(pose.R, local, at);
    crn_add3(at, pose.x, at);
    collide_start(&s, 3);
    if (box_first)
        collide_add_box(&s, half[0], half[1], half[2], 0, 0, 0);
    int bar = collide_add(&s, &capsule, 0, 0, 0),
        box = box_first ? 0 : collide_add_box(&s, half[0], half[1], half[2], 0, 0, 0);
    s.poses[box] = pose;
    crn_multiply33(pose.R, leaning.R, s.poses[bar].R);
    memcpy(s.poses[bar].x, at, sizeof at);
    collide_within(&s, 0.5);
    for (int k = 0; k < 3; ++k)
        u[k] = s.poses[bar].R[3 * k + 2];
    double place[2] = {-0.5 * length, 0.5 * length}, slope = leaning.R[8];
    place[0] = fmax(place[0], (-half[2] - local[2]) / slope);
    place[1] = fmin(place[1], (half[2] - local[2]) / slope);
    check_gaps(&s, box, half, r);
    for (int k = 0; k < 2; ++k)
    {
        double end[3];
        bool on_edge;
        crn_madd3(at, place[k], u, end);
        distance_from_box(&pose, half, end, &on_edge);
        if (on_edge)
            assert_true(distance_from_contacts(&s, box, r, end) <= 0.1 * r + 1e-9);
        *ends += on_edge;
    }
    collide_finish(&s);
}

static void test_line_beside_edge(void **state)
{
    (void)state;
    uint64_t seed = 4;
    int ends = 0;
    for (int trial = 0; trial < 400; ++trial)
        check_beside_edge(&seed, trial % 2, &ends);
    assert_true(ends > 600);
}

int main(void)
{
    struct CMUnitTest tests[sizeof families / sizeof families[0] + 4] = {
        cmocka_unit_test(test_through_touch), cmocka_unit_test(test_lines), cmocka_unit_test(test_line_and_box),
        cmocka_unit_test(test_line_beside_edge)};
    for (size_t i = 0; i < sizeof families / sizeof families[0]; ++i)
    {
        tests[i + 4] = (struct CMUnitTest){
            .name = families[i].name, .test_func = test_family, .initial_state = (void *)(uintptr_t)&families[i]};
    }
    return cmocka_run_group_tests_name("convex pairs", tests, NULL, NULL);
}
