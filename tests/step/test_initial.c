/* Initial states: what is found to be inconsistent, with its size, and that the projection is the nearest state in the
 * norm of the mass. */
#include "support/check.h"
#include "support/worlds.h"

#include <string.h>

static cairn_settings settings_for(cairn_integrator integrator, cairn_initial initial)
{
    cairn_settings s = cairn_settings_default();
    s.integrator = integrator;
    s.initial = initial;
    return s;
}

static cairn_body add_moving_point(world *w, const char *name, double mass, double x, double y, double vx, double vy)
{
    cairn_body_options o = cairn_body_default();
    o.name = name;
    o.point = true;
    o.mass = mass;
    o.position[0] = x;
    o.position[1] = y;
    o.velocity[0] = vx;
    o.velocity[1] = vy;
    cairn_body body;
    assert_int_equal(cairn_model_add_body(w->model, &o, &body), CAIRN_OK);
    return body;
}

static void add_rod(world *w, const char *name, cairn_body a, cairn_body b, double length)
{
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_DISTANCE);
    o.name = name;
    o.a.body = a;
    o.b.body = b;
    o.length = length;
    cairn_joint joint;
    assert_int_equal(cairn_model_add_joint(w->model, &o, &joint), CAIRN_OK);
}

static bool some_message(const cairn_context *context, const char *part)
{
    for (int i = 0; i < cairn_context_message_count(context); ++i)
        if (strstr(cairn_context_message(context, i).text, part))
            return true;
    return false;
}

static void expect_refusal(world *w, cairn_settings settings, const char *part)
{
    cairn_context_clear(w->context);
    assert_int_equal(cairn_simulation_create(w->context, w->model, &settings, &w->simulation), CAIRN_INVALID);
    assert_null(w->simulation);
    if (!some_message(w->context, part))
        fail_msg("no message says \"%s\"; the first is \"%s\"", part, cairn_context_message(w->context, 0).text);
}

static void stop(world *w)
{
    cairn_simulation_destroy(w->simulation);
    w->simulation = NULL;
}

/* Two masses whose rod is too long: each moves by its share, the other's mass over both. */
static void rod_of_another_length(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_body a = add_moving_point(&w, "a", 1, 0, 0, 0, 0), b = add_moving_point(&w, "b", 3, 1, 0, 0, 0);
    add_rod(&w, "rod", a, b, 1.4);
    for (int integrator = CAIRN_INTEGRATOR_EULER; integrator <= CAIRN_INTEGRATOR_STIFF2; ++integrator)
    {
        expect_refusal(&w, settings_for((cairn_integrator)integrator, CAIRN_INITIAL_REFUSE),
                       "joint 'rod' is violated by 0.4 m");
        assert_true(some_message(w.context, "initial: project"));
        cairn_settings project = settings_for((cairn_integrator)integrator, CAIRN_INITIAL_PROJECT);
        world_start(&w, &project);
        assert_near(world_body(&w, "a").position[0], -0.3, 1e-9);
        assert_near(world_body(&w, "b").position[0], 1.1, 1e-9);
        assert_near(world_body(&w, "a").position[1], 0, 1e-12);
        stop(&w);
    }
    world_free(&w);
}

/* A pendulum whose bob moves along its rod: the second-order schemes say so, and the projection keeps the tangent part. */
static void velocity_along_a_rod(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_body bob = add_moving_point(&w, "bob", 2, 3, 4, 1, 7);
    add_rod(&w, "rod", (cairn_body){0}, bob, 5);
    cairn_settings first = settings_for(CAIRN_INTEGRATOR_STIFF, CAIRN_INITIAL_REFUSE);
    world_start(&w, &first);
    assert_int_equal(cairn_simulation_check_initial(w.simulation), CAIRN_INVALID);
    stop(&w);
    for (int integrator = CAIRN_INTEGRATOR_TRAPEZOID; integrator <= CAIRN_INTEGRATOR_STIFF2; ++integrator)
    {
        /* (1, 7) . (3, 4)/5 = 6.2 */
        expect_refusal(&w, settings_for((cairn_integrator)integrator, CAIRN_INITIAL_REFUSE),
                       "joint 'rod' is violated at a rate of 6.2 m/s");
        cairn_settings project = settings_for((cairn_integrator)integrator, CAIRN_INITIAL_PROJECT);
        world_start(&w, &project);
        assert_near(world_body(&w, "bob").velocity[0], 1 - 6.2 * 0.6, 1e-12);
        assert_near(world_body(&w, "bob").velocity[1], 7 - 6.2 * 0.8, 1e-12);
        /* nothing has happened yet */
        assert_near(cairn_simulation_energy(w.simulation).work_joints, 0, 0);
        assert_near(cairn_simulation_joint_work(w.simulation, nth_joint(w.simulation, 0)), 0, 0);
        assert_near(cairn_simulation_energy(w.simulation).balance_error, 0, 1e-12);
        assert_int_equal(cairn_simulation_event_count(w.simulation), 0);
        assert_null(cairn_simulation_problem(w.simulation));
        /* a hand can break it again */
        cairn_body_state moved = world_body(&w, "bob");
        assert_int_equal(cairn_simulation_check_initial(w.simulation), CAIRN_OK);
        moved.velocity[0] += 0.1;
        assert_int_equal(cairn_simulation_set_body(w.simulation, bob, &moved), CAIRN_OK);
        assert_int_equal(cairn_simulation_check_initial(w.simulation), CAIRN_INVALID);
        world_step(&w);
        stop(&w);
    }
    world_free(&w);
}

/* A box lying on the ground, corners at x = -1 and 1. */
static world box_on_the_ground(const double v[3], double height)
{
    world w = world_new(2);
    cairn_material rough = add_material(w.model, "rough", 0.7, 0.8);
    add_ground(w.model, rough);
    cairn_body_options o = cairn_body_default();
    o.name = "box";
    o.mass = 3;
    o.inertia[2] = 2;
    o.position[1] = height;
    o.velocity[0] = v[0];
    o.velocity[1] = v[1];
    o.angular_velocity[2] = v[2];
    cairn_body box;
    assert_int_equal(cairn_model_add_body(w.model, &o, &box), CAIRN_OK);
    double corners[8] = {-1, -0.5, 1, -0.5, 1, 0.5, -1, 0.5};
    cairn_shape_options shape = cairn_shape_default(CAIRN_POLYGON);
    shape.vertices = corners;
    shape.vertex_count = 4;
    shape.material = rough;
    cairn_shape out;
    assert_int_equal(cairn_model_add_shape(w.model, box, &shape, &out), CAIRN_OK);
    return w;
}

/* Random velocities of that box. Refused exactly when a corner closes; the projected velocity is Moreau's, whatever
 * friction and restitution say: u >= 0, r >= 0, u r = 0 at both corners, with r the pushes that made the difference. */
static void velocity_into_the_ground(void **state)
{
    (void)state;
    uint64_t seed = 5;
    int closing = 0;
    for (int i = 0; i < 50; ++i)
    {
        double v[3] = {random_in(&seed, -1, 1), random_in(&seed, -1, 1), random_in(&seed, -1, 1)};
        world w = box_on_the_ground(v, 0.5);
        cairn_settings settings = settings_for(CAIRN_INTEGRATOR_STIFF2, CAIRN_INITIAL_REFUSE);
        bool closes = v[1] - fabs(v[2]) < 0;
        closing += closes;
        if (closes)
            expect_refusal(&w, settings, "closes further at");
        settings.initial = closes ? CAIRN_INITIAL_PROJECT : CAIRN_INITIAL_REFUSE;
        world_start(&w, &settings);
        cairn_body_state s = world_body(&w, "box");
        assert_near(s.velocity[0], v[0], 1e-14);
        double sum = 3 * (s.velocity[1] - v[1]), turn = 2 * (s.angular_velocity[2] - v[2]);
        for (int side = -1; side <= 1; side += 2)
        {
            double u = s.velocity[1] + side * s.angular_velocity[2], r = 0.5 * (sum + side * turn);
            assert_true(u >= -1e-12);
            assert_true(r >= -1e-12);
            assert_near(u * r, 0, 1e-12);
        }
        world_free(&w);
    }
    assert_in_range(closing, 10, 45);
}

static void penetration(void **state)
{
    (void)state;
    const double still[3] = {0};
    world w = box_on_the_ground(still, 0.47);
    expect_refusal(&w, settings_for(CAIRN_INTEGRATOR_TRAPEZOID, CAIRN_INITIAL_REFUSE), "penetrates by 0.03 m");
    assert_true(some_message(w.context, "'box'"));
    assert_true(some_message(w.context, "'ground'"));
    cairn_settings project = settings_for(CAIRN_INTEGRATOR_TRAPEZOID, CAIRN_INITIAL_PROJECT);
    world_start(&w, &project);
    assert_near(world_body(&w, "box").position[1], 0.5, 1e-9);
    assert_near(world_body(&w, "box").position[0], 0, 1e-9);
    assert_near(world_body(&w, "box").angle, 0, 1e-9);
    world_free(&w);
}

/* A bob on a rod to a hand that moves at 2 m/s at the start: it has to move along. */
static void driven_hand(void **state)
{
    (void)state;
    for (int along = 0; along < 2; ++along)
    {
        world w = world_new(2);
        cairn_body_options o = cairn_body_default();
        o.name = "hand";
        o.kind = CAIRN_DRIVEN;
        o.motion_position[0] = "sin(2*t)";
        cairn_body hand;
        assert_int_equal(cairn_model_add_body(w.model, &o, &hand), CAIRN_OK);
        add_rod(&w, "rod", hand, add_moving_point(&w, "bob", 1, 1, 0, along ? 2 : 0, 3), 1);
        cairn_settings settings = settings_for(CAIRN_INTEGRATOR_STIFF2, CAIRN_INITIAL_REFUSE);
        if (!along)
        {
            expect_refusal(&w, settings, "rate of 2 m/s");
            settings.initial = CAIRN_INITIAL_PROJECT;
        }
        world_start(&w, &settings);
        assert_near(world_body(&w, "bob").velocity[0], 2, 1e-6);
        assert_near(world_body(&w, "bob").velocity[1], 3, 1e-12);
        world_free(&w);
    }
}

/* A stiff spring beside the rod does not keep the rod from its length. */
static void springs_give_way(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_body bob = add_moving_point(&w, "bob", 1, 1, 0, 0, 0);
    add_spring(w.model, "coil", (cairn_attachment){0}, (cairn_attachment){.body = bob}, 1e6, 0);
    add_rod(&w, "rod", (cairn_body){0}, bob, 0.8);
    cairn_settings project = settings_for(CAIRN_INTEGRATOR_STIFF2, CAIRN_INITIAL_PROJECT);
    world_start(&w, &project);
    assert_near(world_body(&w, "bob").position[0], 0.8, 1e-9);
    assert_near(cairn_simulation_energy(w.simulation).elastic, 0.5 * 1e6 * 0.2 * 0.2, 1e-2);
    world_free(&w);
}

/* Two rods that no point satisfies. */
static void no_consistent_state(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_body bob = add_moving_point(&w, "bob", 1, 1, 0, 0, 0);
    add_rod(&w, "short", (cairn_body){0}, bob, 1);
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_DISTANCE);
    o.name = "other";
    o.a.point[0] = 5;
    o.b.body = bob;
    o.length = 1;
    cairn_joint joint;
    assert_int_equal(cairn_model_add_joint(w.model, &o, &joint), CAIRN_OK);
    expect_refusal(&w, settings_for(CAIRN_INTEGRATOR_STIFF2, CAIRN_INITIAL_PROJECT), "cannot be made consistent");
    world_free(&w);
}

/* ------------------------------------------------------------------------------------------- a user's system */

static void unit_mass(void *data, const double *q, double *M)
{
    (void)data;
    (void)q;
    M[0] = M[3] = 1;
}

static void no_force(void *data, double t, const double *q, const double *v, double *k)
{
    (void)data;
    (void)t;
    (void)q;
    (void)v;
    k[0] = k[1] = 0;
}

static void circle(void *data, const double *q, double *theta, double *gradient)
{
    (void)data;
    theta[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1);
    gradient[0] = q[0];
    gradient[1] = q[1];
}

static void users_system(void **state)
{
    (void)state;
    double q[2] = {1.08, 1.44}, v[2] = {3, -1}; /* radius 1.8, direction (0.6, 0.8) */
    world w = world_new(2);
    cairn_system_options o = {.struct_size = sizeof o, .name = "bead", .n = 2, .q = q, .v = v, .joint_count = 1};
    o.mass = unit_mass;
    o.force = no_force;
    o.joints = circle;
    cairn_system system;
    assert_int_equal(cairn_model_add_system(w.model, &o, &system), CAIRN_OK);
    expect_refusal(&w, settings_for(CAIRN_INTEGRATOR_STIFF2, CAIRN_INITIAL_REFUSE),
                   "a user's system is violated by 1.12");
    cairn_settings project = settings_for(CAIRN_INTEGRATOR_STIFF2, CAIRN_INITIAL_PROJECT);
    world_start(&w, &project);
    const double *found_q, *found_v;
    cairn_simulation_system(w.simulation, system, &found_q, &found_v);
    assert_near(found_q[0], 0.6, 1e-9);
    assert_near(found_q[1], 0.8, 1e-9);
    /* (3, -1) . (0.6, 0.8) = 1 is taken out */
    assert_near(found_v[0], 2.4, 1e-8);
    assert_near(found_v[1], -1.8, 1e-8);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rod_of_another_length),
        cmocka_unit_test(velocity_along_a_rod),
        cmocka_unit_test(velocity_into_the_ground),
        cmocka_unit_test(penetration),
        cmocka_unit_test(driven_hand),
        cmocka_unit_test(springs_give_way),
        cmocka_unit_test(no_consistent_state),
        cmocka_unit_test(users_system),
    };
    return cmocka_run_group_tests_name("initial", tests, NULL, NULL);
}
