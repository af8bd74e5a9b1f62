/* Faces, edges and corners told apart: contacts made by hand from a point of a box, hull, polygon or capsule and the outward
 * direction there. */
#include "support/check.h"
#include "support/worlds.h"

#include "collide/shapes/region.h"
#include "math/vec.h"
#include "model/model.h"

#include <string.h>

static const double HALF[3] = {0.3, 0.2, 0.1}, RADIUS = 0.15;

static cairn_body add_body(cairn_model *model, const char *name)
{
    cairn_body_options o = cairn_body_default();
    o.name = name;
    o.kind = CAIRN_FIXED;
    cairn_body body;
    assert_int_equal(cairn_model_add_body(model, &o, &body), CAIRN_OK);
    return body;
}

/* Shape 0: a box, its hull, a rectangle or a capsule; shape 1: a round one. */
static world build(int dimension, cairn_shape_kind kind)
{
    world w = world_new(dimension);
    cairn_shape_options o = cairn_shape_default(kind),
                        ball = cairn_shape_default(dimension == 2 ? CAIRN_CIRCLE : CAIRN_SPHERE);
    double corners[24];
    for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 3; ++k)
            corners[3 * i + k] = (i >> k & 1 ? 1 : -1) * HALF[k];
    double rectangle[8] = {-HALF[0], -HALF[1], HALF[0], -HALF[1], HALF[0], HALF[1], -HALF[0], HALF[1]};
    o.vertices = dimension == 2 ? rectangle : corners;
    o.vertex_count = dimension == 2 ? 4 : 8;
    o.radius = ball.radius = RADIUS;
    o.length = 2 * HALF[2];
    for (int k = 0; k < 3; ++k)
        o.size[k] = 2 * HALF[k];
    cairn_shape out;
    assert_int_equal(cairn_model_add_shape(w.model, add_body(w.model, "edged"), &o, &out), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(w.model, add_body(w.model, "round"), &ball, &out), CAIRN_OK);
    return w;
}

/* The contact at a point of shape 0 (its rounding taken off), given in its body's frame, along a direction out of it. */
static crn_contact touch(const crn_pose *poses, const double local[3], const double away[3], double rounding,
                         bool first)
{
    crn_contact c = {
        .body_a = first ? 0 : 1, .body_b = first ? 1 : 0, .shape_a = first ? 0 : 1, .shape_b = first ? 1 : 0};
    double at[3], out[3], length = crn_norm3(away);
    crn_rotate3(poses[0].R, local, at);
    crn_add3(at, poses[0].x, at);
    crn_rotate3(poses[0].R, away, out);
    for (int k = 0; k < 3; ++k)
    {
        out[k] /= length;
        c.point_a[k] = c.point_b[k] = at[k] + rounding * out[k];
        c.normal[k] = first ? -out[k] : out[k]; /* from b to a */
    }
    return c;
}

static void set_poses(int dimension, uint64_t *seed, crn_pose poses[2])
{
    for (int b = 0; b < 2; ++b)
    {
        double turn[3] = {0}, q[4];
        for (int k = 0; k < 3; ++k)
        {
            poses[b].x[k] = k < dimension ? random_in(seed, -0.5, 0.5) : 0;
            turn[k] = dimension == 3 || k == 2 ? random_in(seed, -1, 1) : 0;
        }
        crn_quaternion_exp(turn, q);
        crn_quaternion_to_matrix(q, poses[b].R);
    }
}

static void check_region(const world *w, const crn_pose *poses, const crn_contact *c, bool first, int faces)
{
    assert_int_equal(crn_contact_region(w->model, c, poses), first ? 4 * faces : faces);
}

static void boxes_and_hulls(void **state)
{
    (void)state;
    static const cairn_shape_kind KINDS[] = {CAIRN_BOX, CAIRN_HULL, CAIRN_POLYGON};
    uint64_t seed = 4;
    for (int n = 0; n < 300; ++n)
    {
        int dimension = n % 3 == 2 ? 2 : 3, faces = 1 + n / 3 % dimension;
        bool first = n / 9 % 2;
        world w = build(dimension, KINDS[n % 3]);
        crn_pose poses[2];
        double local[3] = {0}, away[3] = {0};
        set_poses(dimension, &seed, poses);
        for (int k = 0; k < dimension; ++k)
        {
            int axis = (k + n) % dimension; /* the first `faces` of these are at their ends */
            double side = random_in(&seed, -1, 1) < 0 ? -1 : 1;
            local[axis] = (k < faces ? side : random_in(&seed, -0.9, 0.9)) * HALF[axis];
            away[axis] = k < faces ? side : 0;
        }
        crn_contact c = touch(poses, local, away, 0, first);
        check_region(&w, poses, &c, first, faces);
        assert_int_equal(crn_touches_by_corner(w.model, &c, poses, !first), faces == dimension);
        assert_true(crn_touches_by_corner(w.model, &c, poses, first)); /* the round one */
        world_free(&w);
    }
}

/* The bar of a capsule is a face, its round ends begin where its axis ends. */
static void capsules(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int n = 0; n < 60; ++n)
    {
        bool end = n % 2, first = n / 2 % 2;
        int dimension = n % 3 ? 3 : 2, axis = dimension == 2 ? 0 : 2; /* along which the capsule lies */
        world w = build(dimension, CAIRN_CAPSULE);
        crn_pose poses[2];
        set_poses(dimension, &seed, poses);
        double tip = n / 4 % 2 ? 1 : -1, angle = dimension == 2 ? acos(0) : random_in(&seed, 0, 6);
        double local[3] = {0}, away[3] = {cos(angle), sin(angle), 0};
        local[axis] = end ? tip * HALF[2] : random_in(&seed, -0.9, 0.9) * HALF[2];
        away[axis] = end ? 0.7 * tip : 0;
        crn_contact c = touch(poses, local, away, RADIUS, first);
        check_region(&w, poses, &c, first, end ? 2 : 1);
        world_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_and_hulls),
        cmocka_unit_test(capsules),
    };
    return cmocka_run_group_tests_name("regions of contacts", tests, NULL, NULL);
}
