/* Single mechanisms against closed forms: springs, dampers, angular springs in plane and space, driven bodies,
 * restitution, joints, forces by callback, the widening of the contact search. */
#include "support/check.h"
#include "support/worlds.h"

#include <string.h>

static const double PI = 3.14159265358979323846;

static cairn_body free_point(world *w, const char *name, double mass, double x, double y)
{
    cairn_body_options o = cairn_body_default();
    o.name = name;
    o.point = true;
    o.mass = mass;
    o.position[0] = x;
    o.position[1] = y;
    cairn_body body;
    assert_int_equal(cairn_model_add_body(w->model, &o, &body), CAIRN_OK);
    return body;
}

static void no_gravity(world *w)
{
    double none[3] = {0, 0, 0};
    assert_int_equal(cairn_model_set_gravity(w->model, none), CAIRN_OK);
}

/* x'' = -k x by linearly implicit Euler: v+ = (v - h k x)/(1 + h^2 k), x+ = x + h v+, followed by hand. */
static void spring_is_the_linearly_implicit_one(void **state)
{
    (void)state;
    for (int axis = 0; axis < 2; ++axis)
    {
        world w = world_new(2);
        no_gravity(&w);
        cairn_body body = free_point(&w, "mass", 2, axis == 0 ? 3.5 : 0, axis == 1 ? 3.5 : 0);
        cairn_spring_options o = cairn_spring_default(CAIRN_SPRING_LINEAR);
        o.name = "spring";
        o.b.body = body;
        o.stiffness = 50;
        o.damping = 0.7;
        o.rest = 3;
        cairn_spring out;
        assert_int_equal(cairn_model_add_spring(w.model, &o, &out), CAIRN_OK);
        cairn_settings settings = cairn_settings_default();
        settings.step = 0.02;
        world_start(&w, &settings);
        double x = 0.5, v = 0, h = 0.02, k = 50, c = 0.7, m = 2;
        for (int i = 0; i < 300; ++i)
        {
            world_step(&w);
            v = (m * v - h * k * x) / (m + h * h * k + h * c);
            x += h * v;
            cairn_body_state s = cairn_simulation_body(w.simulation, body);
            assert_near(s.position[axis], 3 + x, 1e-12);
            assert_near(s.velocity[axis], v, 1e-12);
            assert_near(cairn_simulation_spring_stretch(w.simulation, nth_spring(w.simulation, 0)), x, 1e-12);
        }
        cairn_energy e = cairn_simulation_energy(w.simulation);
        assert_near(e.elastic, 0.5 * k * x * x, 1e-12);
        assert_near(e.balance_error, 0, 1e-12);
        world_free(&w);
    }
}

/* A spring of rest length 0 passes through its anchor: a plane oscillator, elliptic orbit, no singularity. */
static void spring_without_length(void **state)
{
    (void)state;
    double error[2];
    for (int i = 0; i < 2; ++i)
    {
        world w = world_new(2);
        no_gravity(&w);
        cairn_body body = free_point(&w, "mass", 1, 1, 0);
        cairn_spring_options o = cairn_spring_default(CAIRN_SPRING_LINEAR);
        o.name = "spring";
        o.b.body = body;
        o.stiffness = 4 * PI * PI; /* period 1 */
        o.rest = 0;
        cairn_spring out;
        assert_int_equal(cairn_model_add_spring(w.model, &o, &out), CAIRN_OK);
        cairn_settings settings = cairn_settings_default();
        settings.step = 1e-4 / (1 << i);
        world_start(&w, &settings);
        world_run(&w, (int)lround(0.5 / settings.step));
        cairn_body_state s = cairn_simulation_body(w.simulation, body);
        error[i] = fabs(s.position[0] + 1);
        world_free(&w);
    }
    assert_true(error[0] < 2e-3);
    assert_near(error[0] / error[1], 2, 0.05);
}

/* A flywheel on an angular spring: period 2 pi sqrt(I/k), in the plane and about a slanted axis in space. */
static void angular_springs(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension)
    {
        world w = world_new(dimension);
        no_gravity(&w);
        cairn_body_options o = cairn_body_default();
        o.name = "wheel";
        o.mass = 1;
        o.inertia[0] = o.inertia[1] = o.inertia[2] = 0.5;
        o.angular_velocity[2] = 20;
        double axis[3] = {0, 0, 1};
        if (dimension == 3)
        {
            double slanted[3] = {0.6, 0, 0.8}, spin[3] = {12, 0, 16};
            memcpy(axis, slanted, sizeof axis);
            memcpy(o.angular_velocity, spin, sizeof spin);
        }
        cairn_body wheel;
        assert_int_equal(cairn_model_add_body(w.model, &o, &wheel), CAIRN_OK);
        cairn_spring_options s = cairn_spring_default(CAIRN_SPRING_ANGULAR);
        s.name = "coil";
        s.b.body = wheel;
        s.stiffness = 2;
        memcpy(s.axis, axis, sizeof axis);
        cairn_spring out;
        assert_int_equal(cairn_model_add_spring(w.model, &s, &out), CAIRN_OK);
        cairn_settings settings = cairn_settings_default();
        settings.step = 1e-4;
        world_start(&w, &settings);
        /* amplitude omega0 sqrt(I/k) = 10 rad: more than a whole turn, so turns must be counted; a quarter period */
        double quarter = PI / 2 * 0.5;
        int steps = (int)lround(quarter / settings.step);
        world_run(&w, steps);
        assert_near(cairn_simulation_spring_stretch(w.simulation, nth_spring(w.simulation, 0)), 10, 0.01);
        cairn_body_state b = cairn_simulation_body(w.simulation, wheel);
        assert_true(fabs(b.angular_velocity[2]) < 0.02 && fabs(b.angular_velocity[0]) < 0.02);
        world_free(&w);
    }
}

/* A driven table carries a sticking block exactly; when a w^2 > mu g the block cannot follow. */
static void driven_table(void **state)
{
    (void)state;
    const char *amplitudes[2] = {"0.02", "0.1"};
    for (int slips = 0; slips < 2; ++slips)
    {
        cairn_parameter a = {"a", amplitudes[slips]};
        cairn_settings settings;
        world w = world_load("shaken-block", &settings, &a, 1);
        world_start(&w, &settings);
        double first = world_body(&w, "block").position[0] - world_body(&w, "table").position[0];
        double drift = 0;
        for (int i = 0; i < 1000; ++i)
        {
            world_step(&w);
            double x = world_body(&w, "block").position[0] - world_body(&w, "table").position[0];
            drift = fmax(drift, fabs(x - first));
            assert_near(world_body(&w, "block").position[1], 0.1, 1e-9);
        }
        print_message("a = %s: largest slip %g m\n", amplitudes[slips], drift);
        assert_true(slips ? drift > 0.01 : drift < 1e-9);
        world_free(&w);
    }
}

/* A driven turntable in space: a ball joint-free block stuck at its rim moves on a circle. */
static void driven_turntable(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_material grip = add_material(w.model, "grip", 1, 0);
    cairn_body_options o = cairn_body_default();
    o.name = "turntable";
    o.kind = CAIRN_DRIVEN;
    o.motion_angle = "0.5*t";
    cairn_body table;
    assert_int_equal(cairn_model_add_body(w.model, &o, &table), CAIRN_OK);
    cairn_shape_options plate = cairn_shape_default(CAIRN_HALF_SPACE);
    plate.material = grip;
    cairn_shape shape;
    assert_int_equal(cairn_model_add_shape(w.model, table, &plate, &shape), CAIRN_OK);
    const double size[3] = {0.2, 0.2, 0.2}, position[3] = {1, 0, 0.1};
    cairn_body block = add_box(w.model, "block", 1, size, position, grip);
    cairn_settings settings = cairn_settings_default();
    settings.step = 1e-3;
    settings.law = (cairn_law){CAIRN_LAW_PYRAMID, 16};
    world_start(&w, &settings);
    cairn_body_state s = cairn_simulation_body(w.simulation, block);
    s.velocity[1] = 0.5;
    s.angular_velocity[2] = 0.5;
    assert_int_equal(cairn_simulation_set_body(w.simulation, block, &s), CAIRN_OK);
    world_run(&w, 2000);
    s = cairn_simulation_body(w.simulation, block);
    assert_near(s.position[0], cos(1), 2e-3);
    assert_near(s.position[1], sin(1), 2e-3);
    assert_near(hypot(s.position[0], s.position[1]), 1, 2e-3);
    world_free(&w);
}

/* Newton's law: a ball with e = 0.8 dropped from 1 m rises to about e^2; clay stays down. */
static void restitution(void **state)
{
    (void)state;
    cairn_settings settings;
    world w = world_load("bouncing-balls", &settings, NULL, 0);
    settings.step = 2e-4;
    world_start(&w, &settings);
    double fall = sqrt(2 * 0.9 / 9.81), top = 0;
    int steps = (int)((fall + 2 * 0.8 * fall) / settings.step);
    for (int i = 0; i < steps; ++i)
    {
        world_step(&w);
        if (cairn_simulation_time(w.simulation) > fall + 0.05)
        {
            top = fmax(top, world_body(&w, "rubber").position[2] - 0.1);
            assert_near(world_body(&w, "clay").position[2], 0.1, 1e-9);
        }
    }
    assert_near(top, 0.64 * 0.9, 2e-3);
    world_free(&w);
}

/* Five equal balls in a row, the first comes in: the momentum arrives, in one step, through contacts that the search
 * did not foresee at the old velocities. */
static void row_of_balls_is_not_passed_through(void **state)
{
    (void)state;
    world w = world_new(2);
    no_gravity(&w);
    cairn_material clay = add_material(w.model, "clay", 0, 0);
    cairn_body first = {0};
    for (int i = 0; i < 5; ++i)
    {
        char name[8] = {'b', (char)('0' + i), 0};
        double position[3] = {i == 0 ? -1 : 0.2002 * i, 0, 0};
        cairn_body b = add_ball(w.model, name, 1, 0.1, position, clay);
        first = i == 0 ? b : first;
    }
    cairn_settings settings = cairn_settings_default();
    settings.step = 0.05;
    world_start(&w, &settings);
    cairn_body_state s = cairn_simulation_body(w.simulation, first);
    s.velocity[0] = 10;
    assert_int_equal(cairn_simulation_set_body(w.simulation, first, &s), CAIRN_OK);
    double kinetic = 50;
    for (int i = 0; i < 20; ++i)
    {
        world_step(&w);
        const cairn_step_report *report = cairn_simulation_report(w.simulation);
        assert_true(report->penetration < 1e-12);
        assert_true(report->energy.kinetic <= kinetic * (1 + 1e-12));
        kinetic = report->energy.kinetic;
    }
    double momentum = 0;
    for (int i = 0; i < 5; ++i)
    {
        char name[8] = {'b', (char)('0' + i), 0};
        momentum += world_body(&w, name).velocity[0];
    }
    assert_near(momentum, 10, 1e-12);
    world_free(&w);
}

static void pull(void *data, double t, const cairn_body_state *state, double force[3], double torque[3])
{
    (void)t;
    (void)torque;
    force[0] = -*(const double *)data * state->position[0];
}

/* A force by callback is the explicit spring: v+ = v - h k x. */
static void force_by_callback(void **state)
{
    (void)state;
    world w = world_new(2);
    no_gravity(&w);
    cairn_body body = free_point(&w, "mass", 1, 1, 0);
    double k = 30;
    cairn_force_options o = cairn_force_default();
    o.name = "pull";
    o.body = body;
    o.function = pull;
    o.data = &k;
    cairn_force out;
    assert_int_equal(cairn_model_add_force(w.model, &o, &out), CAIRN_OK);
    cairn_settings settings = cairn_settings_default();
    world_start(&w, &settings);
    double x = 1, v = 0;
    for (int i = 0; i < 200; ++i)
    {
        world_step(&w);
        v -= 0.01 * k * x;
        x += 0.01 * v;
        assert_near(cairn_simulation_body(w.simulation, body).position[0], x, 1e-12);
    }
    world_free(&w);
}

/* Linear and angular momentum of bodies that only act on each other: springs, dampers and a joint add none. */
static void inner_forces_keep_momentum(void **state)
{
    (void)state;
    world w = world_new(2);
    no_gravity(&w);
    const double size[3] = {1, 0.3, 1};
    cairn_material none = {0};
    cairn_body body[3];
    for (int i = 0; i < 3; ++i)
    {
        char name[8] = {'b', (char)('0' + i), 0};
        double position[3] = {1.5 * i, 0.3 * i, 0};
        body[i] = add_box(w.model, name, 1 + i, size, position, none);
    }
    cairn_attachment a = {body[0], {0.5, 0, 0}}, b = {body[1], {-0.5, 0.1, 0}};
    add_spring(w.model, "spring", a, b, 1000, 10);
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    o.name = "hinge";
    double at[3] = {2.2, 0.45, 0};
    o.a = cairn_model_attach(w.model, body[1], at);
    o.b = cairn_model_attach(w.model, body[2], at);
    cairn_joint out;
    assert_int_equal(cairn_model_add_joint(w.model, &o, &out), CAIRN_OK);
    cairn_settings settings = cairn_settings_default();
    world_start(&w, &settings);
    cairn_body_state s = cairn_simulation_body(w.simulation, body[0]);
    s.velocity[0] = 2;
    s.velocity[1] = 1;
    s.angular_velocity[2] = 5;
    assert_int_equal(cairn_simulation_set_body(w.simulation, body[0], &s), CAIRN_OK);
    world_run(&w, 300);
    double p[2] = {0, 0};
    for (int i = 0; i < 3; ++i)
    {
        s = cairn_simulation_body(w.simulation, body[i]);
        p[0] += (1 + i) * s.velocity[0];
        p[1] += (1 + i) * s.velocity[1];
    }
    assert_near(p[0], 2, 1e-11);
    assert_near(p[1], 1, 1e-11);
    assert_true(cairn_simulation_report(w.simulation)->joint_error < 1e-2);
    world_free(&w);
}

/* The same input gives the same bits. */
static void runs_repeat_to_the_bit(void **state)
{
    (void)state;
    double end[2][3];
    for (int i = 0; i < 2; ++i)
    {
        cairn_settings settings;
        world w = world_load("cube-drop-corner", &settings, NULL, 0);
        world_start(&w, &settings);
        world_run(&w, 400);
        memcpy(end[i], world_body(&w, "cube").position, sizeof end[i]);
        world_free(&w);
    }
    assert_memory_equal(end[0], end[1], sizeof end[0]);
}

/* A hinge in space holds its point and its axis; the body swings about it. */
static void hinge_in_space(void **state)
{
    (void)state;
    cairn_settings settings;
    world w = world_load("hinge-in-space", &settings, NULL, 0);
    world_start(&w, &settings);
    for (int i = 0; i < 500; ++i)
    {
        world_step(&w);
        assert_true(cairn_simulation_report(w.simulation)->joint_error < 1e-9);
    }
    double impulse[6];
    assert_int_equal(cairn_simulation_joint_impulse(w.simulation, nth_joint(w.simulation, 0), impulse), 5);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spring_is_the_linearly_implicit_one),
        cmocka_unit_test(spring_without_length),
        cmocka_unit_test(angular_springs),
        cmocka_unit_test(driven_table),
        cmocka_unit_test(driven_turntable),
        cmocka_unit_test(restitution),
        cmocka_unit_test(row_of_balls_is_not_passed_through),
        cmocka_unit_test(force_by_callback),
        cmocka_unit_test(inner_forces_keep_momentum),
        cmocka_unit_test(runs_repeat_to_the_bit),
        cmocka_unit_test(hinge_in_space),
    };
    return cmocka_run_group_tests_name("step", tests, NULL, NULL);
}
