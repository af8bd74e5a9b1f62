/* Contacts that a stage lost are carried along with their bodies: against the motion of a ball's centre and of a plane. */
#include "support/check.h"
#include "support/worlds.h"

#include "math/vec.h"
#include "step/simulation.h"

#include <string.h>

static const double RADIUS = 0.13;

static cairn_body add_table(cairn_model *model, cairn_material m)
{
    cairn_body_options o = cairn_body_default();
    o.name = "table";
    o.mass = 3;
    o.inertia[0] = o.inertia[1] = cairn_model_dimension(model) == 3 ? 1 : 0;
    o.inertia[2] = 1;
    cairn_body table;
    assert_int_equal(cairn_model_add_body(model, &o, &table), CAIRN_OK);
    bool planar = cairn_model_dimension(model) == 2;
    cairn_shape_options shape = cairn_shape_default(planar ? CAIRN_POLYGON : CAIRN_BOX);
    double corners[8] = {-1, -0.2, 1, -0.2, 1, 0.2, -1, 0.2};
    shape.vertices = corners;
    shape.vertex_count = 4;
    shape.size[0] = shape.size[1] = 2;
    shape.size[2] = 0.4;
    shape.material = m;
    cairn_shape out;
    assert_int_equal(cairn_model_add_shape(model, table, &shape, &out), CAIRN_OK);
    return table;
}

/* A ball on a table without gravity, their contact found. */
static world build(int dimension, bool ball_first, int *ball, int *table)
{
    world w = world_new(dimension);
    assert_int_equal(cairn_model_set_gravity(w.model, (double[3]){0, 0, 0}), CAIRN_OK);
    cairn_material m = add_material(w.model, "m", 0.4, 0);
    double at[3] = {0.3, 0, 0};
    at[dimension - 1] = 0.2 + RADIUS;
    *ball = ball_first ? 0 : 1;
    *table = 1 - *ball;
    for (int k = 0; k < 2; ++k)
        if (k == *ball)
            add_ball(w.model, "ball", 1, RADIUS, at, m);
        else
            add_table(w.model, m);
    cairn_settings settings = cairn_settings_default();
    settings.integrator = CAIRN_INTEGRATOR_STIFF2;
    settings.step = 0.01;
    world_start(&w, &settings);
    assert_int_equal(crn_locate(w.simulation, 0.01), CAIRN_OK);
    assert_int_equal(w.simulation->located.contact_count, 1);
    return w;
}

/* Another pose: off by up to 0.1 m and 0.3 rad. */
static crn_pose moved(const crn_pose *from, int dimension, uint64_t *seed)
{
    crn_pose to = *from;
    double turn[3] = {0}, q[4];
    for (int k = 0; k < dimension; ++k)
        to.x[k] += random_in(seed, -0.1, 0.1);
    for (int k = dimension == 2 ? 2 : 0; k < 3; ++k)
        turn[k] = random_in(seed, -0.2, 0.2);
    crn_quaternion_exp(turn, q);
    crn_quaternion_to_matrix(q, to.R);
    return to;
}

static void check_vector(const double found[3], const double expected[3])
{
    for (int k = 0; k < 3; ++k)
        assert_near(found[k], expected[k], 1e-13);
}

static void check_carried(int dimension, bool ball_first, uint64_t *seed)
{
    int ball, table, up = dimension - 1;
    world w = build(dimension, ball_first, &ball, &table);
    cairn_simulation *s = w.simulation;
    crn_pose poses[2];
    for (int b = 0; b < 2; ++b)
        poses[b] = moved(&s->located.frame.pose[b], dimension, seed);
    crn_stage stage = s->stage[0];
    stage.frame.pose = poses;
    const crn_contact *start = &s->located.contacts[0];
    crn_input in = {.closed = &start->identity, .closed_count = 1};
    assert_int_equal(crn_carry_closed(s, &stage, &in), CAIRN_OK);
    assert_int_equal(in.contact_count, 1);
    const crn_contact *c = &in.contacts[0];
    assert_true(c->identity == start->identity);
    /* the table's upper side has turned with it: its normal is a column of R, its middle 0.2 m along that */
    double out[3] = {poses[table].R[up], poses[table].R[3 + up], poses[table].R[6 + up]};
    double arm[3], point[3], sign = c->body_a == ball ? 1 : -1,
                             normal[3] = {sign * out[0], sign * out[1], sign * out[2]};
    crn_sub3(poses[ball].x, poses[table].x, arm);
    double height = crn_dot3(arm, out) - 0.2, gap = height - RADIUS;
    check_vector(c->normal, normal);
    assert_near(c->gap, gap, 1e-13);
    crn_madd3(poses[ball].x, -RADIUS, out, point);
    check_vector(sign > 0 ? c->point_a : c->point_b, point);
    crn_madd3(poses[ball].x, -height, out, point);
    check_vector(sign > 0 ? c->point_b : c->point_a, point);
    double before[2][3], after[2][3];
    crn_contact_tangents(start, dimension, before);
    crn_contact_tangents(c, dimension, after);
    for (int k = 0; k < dimension - 1; ++k)
    {
        double local[3];
        crn_unrotate3(poses[table].R, after[k], local); /* the table did not turn before */
        check_vector(local, before[k]);
    }
    world_free(&w);
}

static void contacts_move_with_their_bodies(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int n = 0; n < 40; ++n)
        check_carried(n % 2 ? 3 : 2, n / 2 % 2, &seed);
}

/* What the stage still finds on the same part of the table stays as it was found. */
static void contacts_that_are_found_stay(void **state)
{
    (void)state;
    int ball, table;
    world w = build(3, true, &ball, &table);
    cairn_simulation *s = w.simulation;
    crn_contact found = s->located.contacts[0];
    crn_stage stage = s->stage[0];
    stage.frame.pose = s->located.frame.pose;
    found.gap = 1e-5;
    crn_input in = {.closed = &found.identity, .closed_count = 1, .contacts = &found, .contact_count = 1};
    assert_int_equal(crn_carry_closed(s, &stage, &in), CAIRN_OK);
    assert_ptr_equal(in.contacts, &found);
    assert_int_equal(in.contact_count, 1);
    /* over the table's edge instead: another part of it, so that the face goes on */
    found.point_a[0] = found.point_b[0] = 1;
    assert_int_equal(crn_carry_closed(s, &stage, &in), CAIRN_OK);
    assert_int_equal(in.contact_count, 1);
    assert_near(in.contacts[0].point_a[0], s->located.contacts[0].point_a[0], 1e-13);
    assert_near(in.contacts[0].gap, s->located.contacts[0].gap, 1e-13);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_move_with_their_bodies),
        cmocka_unit_test(contacts_that_are_found_stay),
    };
    return cmocka_run_group_tests_name("carried contacts", tests, NULL, NULL);
}
