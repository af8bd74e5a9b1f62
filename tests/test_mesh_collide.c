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
    {
        best = !best || s->contacts[i].gap < best->gap ? &s->contacts[i] : best;
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_apart),
        cmocka_unit_test(round_shapes_apart),
        cmocka_unit_test(box_of_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
