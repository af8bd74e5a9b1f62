/* Contacts of meshes: the least gap is the distance, found a second time by trying all triangles; the least depth is that of the
 * shape a mesh stands for; what faces make when they meet. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/vec.h"
#include "support/collide_scene.h"
#include "support/triangles.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static test_mesh one, two;

static int add_mesh(collide_scene *s, const test_mesh *mesh)
{
    cairn_shape_options o = test_mesh_options(mesh);
    return collide_add(s, &o, 0, 0, 0);
}

static const crn_contact *nearest(const collide_scene *s)
{
    const crn_contact *best = NULL;
    for (int i = 0; i < s->count; ++i)
        best = !best || s->contacts[i].gap < best->gap ? &s->contacts[i] : best;
    return best;
}

static double least_gap(const collide_scene *s)
{
    return s->count > 0 ? nearest(s)->gap : INFINITY;
}

static void throw_body(collide_scene *s, int body, double reach, uint64_t *seed)
{
    double turn[3], x[3];
    for (int k = 0; k < 3; ++k)
    {
        turn[k] = collide_uniform(seed, -COLLIDE_PI, COLLIDE_PI);
        x[k] = collide_uniform(seed, -reach, reach);
    }
    collide_set_pose(&s->poses[body], x[0], x[1], x[2], turn);
}

/* Witness points a gap apart along a unit normal; names in order, each once. */
static void check_sound(const collide_scene *s)
{
    for (int i = 0; i < s->count; ++i)
    {
        const crn_contact *c = &s->contacts[i];
        double arm[3];
        crn_sub3(c->point_a, c->point_b, arm);
        crn_madd3(arm, -c->gap, c->normal, arm);
        collide_assert_near(crn_norm3(arm), 0, 1e-12);
        collide_assert_near(crn_norm3(c->normal), 1, 1e-12);
        assert_true(i == 0 || c->identity > s->contacts[i - 1].identity);
    }
}

/* ----------------------------------------------------------------------------------------------------------- apart */

static void check_distance(const collide_scene *s, double distance, const char *what)
{
    check_sound(s);
    if (!(fabs(least_gap(s) - distance) <= 1e-12))
    {
        print_error("%s: least gap %.15g, distance %.15g\n", what, least_gap(s), distance);
        fail();
    }
}

static void meshes_apart(void **state)
{
    (void)state;
    uint64_t seed = 1;
    collide_scene s;
    test_mesh_angle(&one);
    test_mesh_move(&one, -1, -1.5, -0.5);
    test_mesh_sphere(&two, 2);
    int done = 0;
    for (int turn = 0; turn < 2; ++turn)
    {
        collide_start(&s, 3);
        int a = add_mesh(&s, &one), b = add_mesh(&s, turn ? &one : &two);
        for (int i = 0; i < 300; ++i)
        {
            throw_body(&s, a, 2, &seed);
            throw_body(&s, b, 2, &seed);
            double distance = mesh_to_mesh(&one, &s.poses[a], turn ? &one : &two, &s.poses[b]);
            if (distance > 0 && !is_inside(&one, &s.poses[a], s.poses[b].x))
            {
                collide_within(&s, 10);
                check_distance(&s, distance, turn ? "two angles" : "angle and ball");
                ++done;
            }
        }
        collide_finish(&s);
    }
    assert_true(done > 200);
}

static double core_to_mesh(const double p[3], const double q[3], const test_mesh *mesh, const crn_pose *pose)
{
    double least = INFINITY;
    for (int i = 0; i < mesh->triangle_count; ++i)
    {
        double t[3][3];
        triangle_in_pose(mesh, i, pose, t);
        least = fmin(least, segment_to_triangle(p, q, (const double(*)[3])t));
    }
    return least;
}

static void round_shapes_apart(void **state)
{
    (void)state;
    uint64_t seed = 2;
    collide_scene s;
    test_mesh_angle(&one);
    test_mesh_move(&one, -1, -1.5, -0.5);
    collide_start(&s, 3);
    int mesh = add_mesh(&s, &one);
    cairn_shape_options o = cairn_shape_default(CAIRN_CAPSULE);
    o.radius = 0.2;
    o.length = 1.2;
    int body = collide_add(&s, &o, 0, 0, 0);
    for (int i = 0; i < 2000; ++i)
    {
        throw_body(&s, mesh, 1, &seed);
        throw_body(&s, body, 2.5, &seed);
        double up[3] = {s.poses[body].R[2], s.poses[body].R[5], s.poses[body].R[8]}, ends[2][3];
        crn_madd3(s.poses[body].x, 0.6, up, ends[0]);
        crn_madd3(s.poses[body].x, -0.6, up, ends[1]);
        double core = core_to_mesh(ends[0], ends[1], &one, &s.poses[mesh]);
        if (core > 0 && !is_inside(&one, &s.poses[mesh], ends[0]))
        {
            collide_within(&s, 10);
            check_distance(&s, core - 0.2, "capsule");
        }
    }
    collide_finish(&s);
    collide_start(&s, 3);
    mesh = add_mesh(&s, &one);
    body = collide_add_round(&s, CAIRN_SPHERE, 0.3, 0, 0, 0);
    for (int i = 0; i < 2000; ++i)
    {
        throw_body(&s, mesh, 1, &seed);
        throw_body(&s, body, 2.5, &seed);
        const double *x = s.poses[body].x, off[3] = {x[0] + 1e-9, x[1], x[2]};
        double core = core_to_mesh(x, off, &one, &s.poses[mesh]);
        bool inside = is_inside(&one, &s.poses[mesh], x);
        collide_within(&s, 10);
        check_sound(&s);
        collide_assert_near(least_gap(&s), (inside ? -core : core) - 0.3, 2e-9);
    }
    collide_finish(&s);
}

/* ------------------------------------------------------------------------------------ a box of triangles is a box */

static const double WEDGE[] = {-0.3, -0.4, -0.2, 0.5, -0.3, -0.3, 0.1, 0.6, -0.1, -0.2, 0.1, 0.5, 0.3, 0.2, 0.4};

static cairn_shape_options shape_of(int kind)
{
    static const cairn_shape_kind kinds[] = {CAIRN_SPHERE, CAIRN_CAPSULE,  CAIRN_BOX,      CAIRN_HULL,
                                             CAIRN_CONE,   CAIRN_CYLINDER, CAIRN_ELLIPSOID};
    cairn_shape_options o = cairn_shape_default(kinds[kind]);
    o.radius = 0.3;
    o.length = o.height = 0.7;
    memcpy(o.size, (double[3]){0.6, 0.5, 0.8}, sizeof o.size);
    memcpy(o.radii, (double[3]){0.3, 0.5, 0.4}, sizeof o.radii);
    if (o.kind == CAIRN_HULL)
    {
        o.vertices = WEDGE;
        o.vertex_count = 5;
    }
    return o;
}

/* Distances as the pairs of convex shapes have them; where they overlap by up to a tenth of their size, mostly the depth too: a
 * vertex or ridge leaves by its own nearest way, which need not be that of the whole; a
 * corner that has come out again on the other side of a sharp edge is not seen. */
static void box_of_triangles(void **state)
{
    (void)state;
    uint64_t seed = 3;
    test_mesh_box(&one, 1.0, 1.4, 0.8);
    for (int kind = 0; kind < 7; ++kind)
    {
        collide_scene s, r;
        cairn_shape_options o = shape_of(kind);
        int apart = 0, over = 0, off = 0, missed = 0;
        collide_start(&s, 3);
        collide_start(&r, 3);
        int mesh = add_mesh(&s, &one), body = collide_add(&s, &o, 0, 0, 0);
        collide_add_box(&r, 0.5, 0.7, 0.4, 0, 0, 0);
        collide_add(&r, &o, 0, 0, 0);
        for (int i = 0; i < 1000; ++i)
        {
            throw_body(&s, mesh, 0.2, &seed);
            throw_body(&s, body, 1.2, &seed);
            memcpy(r.poses, s.poses, sizeof s.poses);
            collide_within(&s, 0.6);
            collide_within(&r, 0.6);
            check_sound(&s);
            double wanted = least_gap(&r), found = least_gap(&s);
            if (isfinite(wanted) && wanted > 0)
            {
                ++apart;
                if (!(fabs(found - wanted) <= (kind == 2 || kind == 3 ? 1.1e-3 * 0.3 : 1e-9)))
                {
                    print_error("kind %d, try %d: found %.12g, wanted %.12g\n", kind, i, found, wanted);
                    fail();
                }
            }
            else if (wanted < 0 && wanted > -0.05)
            {
                ++over;
                missed += s.count == 0;
                off += !(fabs(found - wanted) <= 1e-9);
            }
        }
        assert_true(apart > 300 && over > 30 && off < over / 8 && missed <= 1);
        printf("kind %d: %d apart, %d overlapping, %d of these by another depth\n", kind, apart, over, off);
        collide_finish(&s);
        collide_finish(&r);
    }
}

/* ------------------------------------------------------------------------------------------------ faces and edges */

static bool has_point(const collide_scene *s, double x, double y, double tolerance)
{
    for (int i = 0; i < s->count; ++i)
    {
        const double *p = s->contacts[i].point_a;
        if (hypot(p[0] - x, p[1] - y) <= tolerance)
            return true;
    }
    return false;
}

/* However finely the floor is cut and wherever the box stands: its four corners, with the same names. */
static void box_on_sheet(void **state)
{
    (void)state;
    collide_scene s;
    test_mesh_sheet(&one, 30);
    collide_start(&s, 3);
    add_mesh(&s, &one);
    int box = collide_add_box(&s, 0.3, 0.2, 0.1, 0, 0, 0.1);
    uint64_t names[4] = {0};
    for (int i = 0; i < 60; ++i)
    {
        double at = -0.6 + 0.02 * i;
        s.poses[box].x[0] = at;
        s.poses[box].x[1] = 0.5 * at;
        collide_turn(&s, box, 0, 0, 0.1 * i);
        collide_within(&s, 1e-3);
        assert_int_equal(s.count, 4);
        for (int k = 0; k < 4; ++k)
        {
            collide_assert_near(s.contacts[k].gap, 0, 1e-15);
            names[k] = i == 0 ? s.contacts[k].identity : names[k];
            assert_true(names[k] == s.contacts[k].identity);
        }
    }
    collide_finish(&s);
}

/* A finely cut slab on another: the corners of what they have in common, ten times as many and more where nothing is left out. */
static void slab_on_slab(void **state)
{
    (void)state;
    const double shifts[][3] = {{0.13, 0.07, 0}, {0, 0, 0}, {0.5, 0, 0}, {0.2, 0.3, 0.4}};
    const int corners[] = {4, 4, 4, 6};
    test_mesh_fine_box(&one, 2, 1, 0.2, 8);
    test_mesh_fine_box(&two, 1, 1, 0.2, 7);
    for (int i = 0; i < 4; ++i)
    {
        collide_scene s;
        collide_start(&s, 3);
        add_mesh(&s, &one);
        int upper = add_mesh(&s, &two);
        collide_set_pose(&s.poses[upper], shifts[i][0], shifts[i][1], 0.2, (double[3]){0, 0, shifts[i][2]});
        collide_within(&s, 1e-3);
        check_sound(&s);
        int kept = s.count;
        if (i < 3)
        {
            assert_int_equal(kept, corners[i]);
            double left = fmax(-1, shifts[i][0] - 0.5), right = fmin(1, shifts[i][0] + 0.5);
            assert_true(has_point(&s, left, fmax(-0.5, shifts[i][1] - 0.5), 1e-12));
            assert_true(has_point(&s, right, 0.5, 1e-12));
        }
        assert_true(kept >= 4 && kept <= 8);
        crn_collider_keep_all(s.collider);
        collide_within(&s, 1e-3);
        check_sound(&s);
        assert_true(s.count > 10 * kept);
        collide_finish(&s);
    }
}

/* In a corner of an angle: the floor and the wall, each by its own normal. */
static void box_in_a_corner(void **state)
{
    (void)state;
    collide_scene s;
    test_mesh_angle(&one);
    for (int sunk = 0; sunk < 3; ++sunk)
    {
        double by = (double[]){0, 1e-10, 1e-7}[sunk];
        collide_start(&s, 3);
        add_mesh(&s, &one);
        /* the profile is upright in y: the floor is y = 1 from x = 1 to 2, the wall x = 1 from y = 1 to 3 */
        collide_add_box(&s, 0.25, 0.5, 0.3, 1.25 - by, 1.5 - by, 0.5);
        collide_within(&s, 1e-3);
        int floor = 0, wall = 0;
        for (int i = 0; i < s.count; ++i)
        {
            collide_assert_near(s.contacts[i].gap, -by, 1e-13);
            floor += fabs(s.contacts[i].normal[1] + 1) < 1e-12;
            wall += fabs(s.contacts[i].normal[0] + 1) < 1e-12;
        }
        assert_int_equal(floor, 4);
        assert_int_equal(wall, 4);
        assert_int_equal(s.count, 8);
        collide_finish(&s);
    }
}

/* A needle's tip moved across a roof's ridge: over each side it is held by that side, over the ridge by a plane across the line
 * between them, and never by two; the same just below the ridge, where the nearer side counts. */
static void tip_over_a_ridge(void **state)
{
    (void)state;
    collide_scene s;
    const double roof[] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0, 0, -1, 0.5, 0, 1, 0.5};
    const int faces[] = {0, 3, 2, 0, 2, 1, 0, 1, 4, 3, 5, 2, 1, 2, 5, 1, 5, 4, 0, 4, 5, 0, 5, 3};
    const double tip[] = {0, 0, 0, 0.1, 0, 1, -0.05, 0.087, 1, -0.05, -0.087, 1};
    const int sides[] = {0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3};
    double c = 2 / sqrt(5), e = 1 / sqrt(5); /* cosine and sine of the slope */
    cairn_shape_options o = cairn_shape_default(CAIRN_MESH), needle = o;
    o.vertices = roof;
    o.vertex_count = 6;
    o.triangles = faces;
    o.triangle_count = 8;
    needle.vertices = tip;
    needle.vertex_count = 4;
    needle.triangles = sides;
    needle.triangle_count = 4;
    collide_start(&s, 3);
    int body = collide_add(&s, &needle, 0, 0, 0);
    collide_add(&s, &o, 0, 0, 0);
    double last = 0;
    for (int i = -200; i <= 200; ++i)
    {
        double x = 1e-3 * i + 1e-5;
        collide_set_pose(&s.poses[body], x, 0.1, 0.52, (double[3]){0, 0, 0});
        collide_within(&s, 0.2);
        assert_int_equal(s.count, 1);
        double across = 0.02 * e / c; /* beyond that the tip is over a side */
        double wanted = fabs(x) < across ? hypot(x, 0.02) : c * 0.02 + e * fabs(x);
        collide_assert_near(s.contacts[0].gap, wanted, 1e-12);
        collide_assert_near(s.contacts[0].normal[0], fabs(x) < across ? x / wanted : copysign(e, x), 1e-9);
        assert_true(i == -200 || fabs(wanted - last) < 1e-3);
        last = wanted;
        collide_set_pose(&s.poses[body], x, 0.1, 0.49, (double[3]){0, 0, 0});
        collide_within(&s, 0.2);
        assert_int_equal(s.count, 1);
        collide_assert_near(s.contacts[0].gap, -0.01 * c + e * fabs(x), 1e-12);
        collide_assert_near(s.contacts[0].normal[0], copysign(e, x), 1e-12);
    }
    collide_finish(&s);
}

/* Two needles tip to tip: the plane stands across the line between them. */
static void tip_to_tip(void **state)
{
    (void)state;
    collide_scene s;
    const double tip[] = {0, 0, 0, 0.1, 0, 1, -0.05, 0.087, 1, -0.05, -0.087, 1};
    const int sides[] = {0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3};
    cairn_shape_options needle = cairn_shape_default(CAIRN_MESH);
    needle.vertices = tip;
    needle.vertex_count = 4;
    needle.triangles = sides;
    needle.triangle_count = 4;
    collide_start(&s, 3);
    int upper = collide_add(&s, &needle, 0, 0, 0), lower = collide_add(&s, &needle, 0, 0, 0);
    collide_turn(&s, lower, COLLIDE_PI, 0, 0);
    for (int i = 0; i < 12; ++i)
    {
        double x = 0.01 * cos(i), y = 0.01 * sin(i);
        collide_set_pose(&s.poses[upper], x, y, 0.03, (double[3]){0, 0, 0});
        collide_within(&s, 0.1);
        assert_int_equal(s.count, 1);
        collide_assert_near(s.contacts[0].gap, hypot(0.01, 0.03), 1e-12);
        collide_assert_near(s.contacts[0].normal[0], x / hypot(0.01, 0.03), 1e-12);
        collide_assert_near(s.contacts[0].normal[2], 0.03 / hypot(0.01, 0.03), 1e-12);
    }
    collide_finish(&s);
}

/* ------------------------------------------------------------------------------------------------------ height fields */

/* A ball and a box over a flat height field, on it, and deep below its surface: pushed up, however deep. */
static void height_field_is_ground(void **state)
{
    (void)state;
    collide_scene s;
    double heights[36] = {0};
    cairn_shape_options o = cairn_shape_default(CAIRN_HEIGHT_FIELD);
    o.heights = heights;
    o.columns = o.rows = 6;
    o.spacing = 1.0;
    collide_start(&s, 3);
    cairn_body_options ground = cairn_body_default();
    cairn_body body;
    cairn_shape out;
    ground.name = "ground";
    ground.kind = CAIRN_FIXED;
    assert_int_equal(cairn_model_add_body(s.model, &ground, &body), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(s.model, body, &o, &out), CAIRN_OK);
    collide_set_pose(&s.poses[0], 0, 0, 0, (double[3]){0, 0, 0});
    int ball = collide_add_round(&s, CAIRN_SPHERE, 0.3, 0.2, 0.3, 0.3);
    for (int i = 0; i < 20; ++i)
    {
        double z = 0.34 - 0.03 * i;
        s.poses[ball].x[2] = z;
        collide_within(&s, 0.1);
        assert_int_equal(s.count, 1);
        collide_assert_near(s.contacts[0].gap, z - 0.3, 1e-14);
        collide_assert_near(s.contacts[0].normal[2], -1, 1e-14);
    }
    collide_finish(&s);
}

/* ------------------------------------------------------------------------------------------------------------ memory */

/* Once the workspace has grown nothing is allocated, and a motion there and back finds the same number again. */
static void nothing_is_allocated(void **state)
{
    (void)state;
    collide_scene s;
    crn_contact before[64];
    int count = 0;
    collide_start(&s, 3);
    test_mesh_sphere(&one, 3);
    test_mesh_angle(&two);
    add_mesh(&s, &one);
    int part = add_mesh(&s, &two), box = collide_add_box(&s, 0.4, 0.3, 0.2, 0, 0.9, 0.9);
    for (int i = 0; i < 120; ++i)
    {
        size_t used = mallinfo2().uordblks;
        double angle = 2 * COLLIDE_PI * (i % 40) / 40;
        collide_set_pose(&s.poses[part], 1.2 * cos(angle), 1.2 * sin(angle), 0.1, (double[3]){angle, 0.3, 0});
        collide_turn(&s, box, 0, angle, 0.2);
        collide_within(&s, 0.2);
        check_sound(&s);
        assert_true(i < 40 || mallinfo2().uordblks == used);
        if (i % 40 == 7)
        {
            assert_true(s.count > 0 && s.count <= 64);
            assert_true(i < 40 || s.count == count);
            count = s.count;
        }
    }
    collide_within(&s, 0.2);
    memcpy(before, s.contacts, (size_t)s.count * sizeof *before);
    count = s.count;
    collide_within(&s, 0.2);
    assert_int_equal(s.count, count);
    assert_memory_equal(before, s.contacts, (size_t)count * sizeof *before);
    collide_finish(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_apart),         cmocka_unit_test(round_shapes_apart),
        cmocka_unit_test(box_of_triangles),     cmocka_unit_test(box_on_sheet),
        cmocka_unit_test(nothing_is_allocated), cmocka_unit_test(slab_on_slab),
        cmocka_unit_test(box_in_a_corner),      cmocka_unit_test(tip_over_a_ridge),
        cmocka_unit_test(tip_to_tip),           cmocka_unit_test(height_field_is_ground),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
