/* Bodies that move as they are told, and what hangs on them, lies on them and is hinged to them: orders of convergence
 * against fine integration of the exact equations, works and balance, in every integrator. */
#include "support/check.h"
#include "support/worlds.h"

#include <string.h>

static const double G = 9.81;

static cairn_settings settings_for(cairn_integrator integrator, double h)
{
    cairn_settings s = cairn_settings_default();
    s.integrator = integrator;
    s.step = h;
    return s;
}

/* Least order to be shown: trapezoid is of order 1 with joints and with laws of driven bodies. */
static double least_order(int integrator, bool nonlinear)
{
    bool second = integrator >= CAIRN_INTEGRATOR_TRAPEZOID2 || (integrator == CAIRN_INTEGRATOR_TRAPEZOID && !nonlinear);
    return second ? 1.8 : 0.8;
}

static cairn_body add_hand(cairn_model *model, const char *x, const char *y, const char *angle)
{
    cairn_body_options o = cairn_body_default();
    o.name = "hand";
    o.kind = CAIRN_DRIVEN;
    o.motion_position[0] = x;
    o.motion_position[1] = y;
    o.motion_angle = angle;
    cairn_body body = {0};
    assert_int_equal(cairn_model_add_body(model, &o, &body), CAIRN_OK);
    return body;
}

static void rk4(void (*rates)(double t, const double *y, double *out), int n, double t, double end, int steps,
                double *y)
{
    static const double AT[4] = {0, 0.5, 0.5, 1}, WEIGHT[4] = {1, 2, 2, 1};
    double h = (end - t) / steps;
    for (int i = 0; i < steps; ++i, t += h)
    {
        double k[8] = {0}, sum[8] = {0}, z[8];
        for (int s = 0; s < 4; ++s)
        {
            for (int j = 0; j < n; ++j)
                z[j] = y[j] + h * AT[s] * k[j];
            rates(t + AT[s] * h, z, k);
            for (int j = 0; j < n; ++j)
                sum[j] += h / 6 * WEIGHT[s] * k[j];
        }
        for (int j = 0; j < n; ++j)
            y[j] += sum[j];
    }
}

/* ---------------------------------------------------------------------------------- a weight on a spring from a hand */

enum
{
    K = 30,
    C = 2
};

/* y: x, x', work of the spring's elastic part by the hand, work of the damper on the body. Mass 1.5. */
static void spring_rates(double t, const double *y, double *out)
{
    double X = 0.3 * sin(3 * t), V = 0.9 * cos(3 * t);
    out[0] = y[1];
    out[1] = (K * (X - y[0]) + C * (V - y[1])) / 1.5;
    out[2] = K * (X - y[0]) * V;
    out[3] = C * (V - y[1]) * y[1];
}

typedef struct spring_end
{
    double x, v, driven, dampers, balance;
} spring_end;

static spring_end run_spring(int dimension, cairn_integrator integrator, double h)
{
    static const double NONE[3] = {0, 0, 0};
    world w = world_new(dimension);
    assert_int_equal(cairn_model_set_gravity(w.model, NONE), CAIRN_OK);
    cairn_material none = {0};
    cairn_body hand = add_hand(w.model, "0.3*sin(3*t)", NULL, NULL);
    cairn_body body = add_point(w.model, "body", 1.5, 0, 0, none);
    cairn_spring_options o = cairn_spring_default(CAIRN_SPRING_LINEAR);
    o.name = "spring";
    o.a.body = hand;
    o.b.body = body;
    o.stiffness = K;
    o.damping = C;
    o.rest = 0;
    cairn_spring out;
    assert_int_equal(cairn_model_add_spring(w.model, &o, &out), CAIRN_OK);
    cairn_settings settings = settings_for(integrator, h);
    world_start(&w, &settings);
    world_run(&w, (int)lround(2 / h));
    cairn_body_state s = cairn_simulation_body(w.simulation, body);
    cairn_energy e = cairn_simulation_energy(w.simulation);
    spring_end end = {s.position[0], s.velocity[0], e.work_driven, e.work_dampers, e.balance_error};
    world_free(&w);
    return end;
}

static void spring_to_a_moving_hand(void **state)
{
    (void)state;
    double truth[4] = {0};
    rk4(spring_rates, 4, 0, 2, 20000, truth);
    for (int i = CAIRN_INTEGRATOR_EULER; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        for (int dimension = 2; dimension <= 3; ++dimension)
        {
            spring_end coarse = run_spring(dimension, (cairn_integrator)i, 1.0 / 128);
            spring_end fine = run_spring(dimension, (cairn_integrator)i, 1.0 / 256);
            double error[2] = {hypot(coarse.x - truth[0], coarse.v - truth[1]),
                               hypot(fine.x - truth[0], fine.v - truth[1])};
            double least = least_order(i, false);
            print_message("spring %-10s order %.2f, work of the hand %.5f (%.5f), of the damper %.5f (%.5f)\n",
                          cairn_integrator_name((cairn_integrator)i), log2(error[0] / error[1]), fine.driven, truth[2],
                          fine.dampers, truth[3]);
            assert_true(log2(error[0] / error[1]) > least);
            double off = least > 1 ? 5e-3 : 5e-2;
            assert_near(fine.driven, truth[2], off * fabs(truth[2]));
            assert_near(fine.dampers, truth[3], off * fabs(truth[3]));
            assert_near(fine.balance, 0, 1e-11);
        }
    }
}

/* --------------------------------------------------------------------------- a pendulum hinged to the rim of a turning hand */

/* Pivot P = (0.2 sin 4t, 0) + 0.15 (cos a, sin a), a = 0.8 sin 3t. A rod of length 2 l, l = 0.4, I about its centre. */
static void pivot(double t, double P[2])
{
    double a = 0.8 * sin(3 * t);
    P[0] = 0.2 * sin(4 * t) + 0.15 * cos(a);
    P[1] = 0.15 * sin(a);
}

static const double ARM = 0.4, INERTIA = 0.08, MASS = 1.3;

static void hinge_rates(double t, const double *y, double *out)
{
    double P[3][2], e = 1e-4, A[2];
    for (int i = 0; i < 3; ++i)
        pivot(t + (i - 1) * e, P[i]);
    for (int k = 0; k < 2; ++k)
        A[k] = (P[0][k] - 2 * P[1][k] + P[2][k]) / (e * e);
    out[0] = y[1];
    out[1] = -MASS * ARM / (INERTIA + MASS * ARM * ARM) * ((G + A[1]) * sin(y[0]) + A[0] * cos(y[0]));
}

static double run_hinge(int dimension, cairn_integrator integrator, double h, cairn_stabilisation stabilisation,
                        double truth, double *balance)
{
    world w = world_new(dimension);
    static const double DOWN[3] = {0, -9.81, 0};
    assert_int_equal(cairn_model_set_gravity(w.model, DOWN), CAIRN_OK);
    cairn_body hand = add_hand(w.model, "0.2*sin(4*t)", NULL, "0.8*sin(3*t)");
    double P[2], e = 1e-5, V[2], before[2], after[2];
    pivot(0, P);
    pivot(-e, before);
    pivot(e, after);
    V[0] = (after[0] - before[0]) / (2 * e);
    V[1] = (after[1] - before[1]) / (2 * e);
    cairn_body_options o = cairn_body_default();
    o.name = "rod";
    o.mass = MASS;
    o.inertia[2] = INERTIA;
    o.inertia[0] = o.inertia[1] = dimension == 2 ? 0 : INERTIA;
    o.position[0] = P[0] + ARM * sin(0.6);
    o.position[1] = P[1] - ARM * cos(0.6);
    o.velocity[0] = V[0];
    o.velocity[1] = V[1];
    cairn_body rod;
    assert_int_equal(cairn_model_add_body(w.model, &o, &rod), CAIRN_OK);
    cairn_joint_options j = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    j.name = "hinge";
    j.a = (cairn_attachment){hand, {0.15, 0, 0}};
    j.b = (cairn_attachment){rod, {-ARM * sin(0.6), ARM * cos(0.6), 0}};
    j.axis[2] = 1;
    cairn_joint out;
    assert_int_equal(cairn_model_add_joint(w.model, &j, &out), CAIRN_OK);
    cairn_settings settings = settings_for(integrator, h);
    settings.stabilisation = stabilisation;
    settings.initial = CAIRN_INITIAL_PROJECT;
    world_start(&w, &settings);
    world_run(&w, (int)lround(1 / h));
    cairn_body_state s = cairn_simulation_body(w.simulation, rod);
    double angle = dimension == 2 ? s.angle : 2 * atan2(s.orientation[3], s.orientation[0]);
    *balance = cairn_simulation_energy(w.simulation).balance_error;
    world_free(&w);
    return fabs(0.6 + angle - truth);
}

static void hinge_on_a_moving_hand(void **state)
{
    (void)state;
    double truth[2] = {0.6, 0};
    rk4(hinge_rates, 2, 0, 1, 20000, truth);
    for (int i = CAIRN_INTEGRATOR_EULER; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        for (int k = 0; k < 4; ++k)
        {
            double balance[2];
            int dimension = 2 + k / 2;
            cairn_stabilisation stabilisation = k % 2 ? CAIRN_STABILISE_GAP : CAIRN_STABILISE_NONE;
            double coarse = run_hinge(dimension, (cairn_integrator)i, 1.0 / 128, stabilisation, truth[0], &balance[0]);
            double fine = run_hinge(dimension, (cairn_integrator)i, 1.0 / 256, stabilisation, truth[0], &balance[1]);
            print_message("hinge %-10s %-4s %dD: error %.2e, order %.2f, balance %.1e\n",
                          cairn_integrator_name((cairn_integrator)i), cairn_stabilisation_name(stabilisation),
                          dimension, fine, log2(coarse / fine), balance[1]);
            assert_true(fine < (least_order(i, true) > 1 ? 2e-3 : 5e-2));
            assert_true(log2(coarse / fine) > least_order(i, true));
            assert_near(balance[1], 0, 1e-11);
        }
    }
}

/* ------------------------------------------------------------------------------------------------ tables that move */

/* A block on a table that swings to and fro and up and down, slow enough that it sticks and stays on. */
static double run_table(cairn_integrator integrator, double h, int dimension)
{
    world w = world_new(dimension);
    cairn_material rough = add_material(w.model, "rough", 0.8, 0);
    cairn_body_options o = cairn_body_default();
    o.name = "table";
    o.kind = CAIRN_DRIVEN;
    o.motion_position[0] = "0.05*sin(6*t)";
    o.motion_position[dimension - 1] = "0.04*sin(5*t)";
    cairn_body table;
    assert_int_equal(cairn_model_add_body(w.model, &o, &table), CAIRN_OK);
    cairn_shape_options plane = cairn_shape_default(dimension == 2 ? CAIRN_HALF_PLANE : CAIRN_HALF_SPACE);
    plane.material = rough;
    cairn_shape shape;
    assert_int_equal(cairn_model_add_shape(w.model, table, &plane, &shape), CAIRN_OK);
    double size[3] = {0.4, 0.2, 0.2}, position[3] = {0, 0, 0};
    position[dimension - 1] = 0.1;
    cairn_body block = add_box(w.model, "block", 2, size, position, rough);
    cairn_settings settings = settings_for(integrator, h);
    settings.initial = CAIRN_INITIAL_PROJECT;
    world_start(&w, &settings);
    cairn_body_state s = cairn_simulation_body(w.simulation, block);
    s.velocity[0] = 0.3;
    s.velocity[dimension - 1] = 0.2;
    assert_int_equal(cairn_simulation_set_body(w.simulation, block, &s), CAIRN_OK);
    double worst = 0;
    for (int n = 0; n < (int)lround(1 / h); ++n)
    {
        world_step(&w);
        double t = cairn_simulation_time(w.simulation);
        s = cairn_simulation_body(w.simulation, block);
        worst = fmax(worst, fabs(s.position[0] - 0.05 * sin(6 * t)));
        worst = fmax(worst, fabs(s.position[dimension - 1] - 0.1 - 0.04 * sin(5 * t)));
    }
    world_free(&w);
    return worst;
}

static void block_rides_on_a_table(void **state)
{
    (void)state;
    for (int i = CAIRN_INTEGRATOR_EULER; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        for (int dimension = 2; dimension <= 3; ++dimension)
        {
            double coarse = run_table((cairn_integrator)i, 1.0 / 64, dimension);
            double fine = run_table((cairn_integrator)i, 1.0 / 128, dimension);
            print_message("table %-10s %dD: off by %.1e, %.1e\n", cairn_integrator_name((cairn_integrator)i), dimension,
                          coarse, fine);
            /* in first-order schemes the mean velocity of a step carries the block exactly */
            bool exact = i <= CAIRN_INTEGRATOR_STIFF;
            assert_true(exact ? fine < 1e-9 : fine < 2e-3);
            assert_true(exact || fine < 1e-9 || log2(coarse / fine) > least_order(i, true));
        }
    }
}

/* A table that starts with a jerk of its acceleration, faster than friction: the block gets mu g, and no more. */
static void block_slips_on_an_accelerating_table(void **state)
{
    (void)state;
    for (int i = CAIRN_INTEGRATOR_EULER; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        world w = world_new(2);
        cairn_material rough = add_material(w.model, "rough", 0.3, 0);
        cairn_body_options o = cairn_body_default();
        o.name = "table";
        o.kind = CAIRN_DRIVEN;
        o.motion_position[0] = "3*t^2 + 0.5*t";
        cairn_body table;
        assert_int_equal(cairn_model_add_body(w.model, &o, &table), CAIRN_OK);
        cairn_shape_options plane = cairn_shape_default(CAIRN_HALF_PLANE);
        plane.material = rough;
        cairn_shape shape;
        assert_int_equal(cairn_model_add_shape(w.model, table, &plane, &shape), CAIRN_OK);
        cairn_body block = add_point(w.model, "block", 2, 0, 0, rough);
        cairn_settings settings = settings_for((cairn_integrator)i, 0.01);
        world_start(&w, &settings);
        world_run(&w, 50);
        cairn_body_state s = cairn_simulation_body(w.simulation, block);
        assert_near(s.velocity[0], 0.3 * G * 0.5, 1e-9);
        cairn_energy e = cairn_simulation_energy(w.simulation);
        assert_near(e.work_friction, 0.5 * 2 * pow(0.3 * G * 0.5, 2), 1e-9);
        assert_near(e.balance_error, 0, 1e-11);
        world_free(&w);
    }
}

/* A plate comes up at 5 m/s, a quarter of a metre in each step, under a body that floats: it is met in time, and taken along. */
static void fast_plates_are_met(void **state)
{
    (void)state;
    static const double NONE[3] = {0, 0, 0};
    for (int i = CAIRN_INTEGRATOR_EULER; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        for (int dimension = 2; dimension <= 3; ++dimension)
        {
            world w = world_new(dimension);
            assert_int_equal(cairn_model_set_gravity(w.model, NONE), CAIRN_OK);
            cairn_material smooth = add_material(w.model, "smooth", 0, 0);
            cairn_body_options o = cairn_body_default();
            o.name = "plate";
            o.kind = CAIRN_DRIVEN;
            o.motion_position[dimension - 1] = "5*t - 0.63";
            cairn_body plate;
            assert_int_equal(cairn_model_add_body(w.model, &o, &plate), CAIRN_OK);
            cairn_shape_options plane = cairn_shape_default(dimension == 2 ? CAIRN_HALF_PLANE : CAIRN_HALF_SPACE);
            plane.material = smooth;
            cairn_shape shape;
            assert_int_equal(cairn_model_add_shape(w.model, plate, &plane, &shape), CAIRN_OK);
            cairn_body body = add_ball(w.model, "ball", 1, 0.1, NONE, smooth);
            cairn_settings settings = settings_for((cairn_integrator)i, 0.05);
            world_start(&w, &settings);
            for (int n = 0; n < 10; ++n)
            {
                world_step(&w);
                cairn_body_state s = cairn_simulation_body(w.simulation, body);
                double over = s.position[dimension - 1] - 0.1 - (5 * cairn_simulation_time(w.simulation) - 0.63);
                assert_true(over > -1e-7);
            }
            assert_near(cairn_simulation_body(w.simulation, body).velocity[dimension - 1], 5, 1e-6);
            world_free(&w);
        }
    }
}

/* A turntable whose own axes are not the world's: its y axis stands upright. What sticks to it goes round with it. */
static double run_turntable(cairn_integrator integrator, double h, double *height)
{
    world w = world_new(3);
    cairn_material rough = add_material(w.model, "rough", 1.5, 0);
    cairn_body_options o = cairn_body_default();
    o.name = "table";
    o.kind = CAIRN_DRIVEN;
    o.orientation[0] = sqrt(0.5);
    o.orientation[1] = sqrt(0.5); /* about x by a right angle: y of the body is z of the world */
    o.motion_angle = "0.7*t";
    o.motion_axis[1] = 1;
    o.motion_axis[2] = 0;
    cairn_body table;
    assert_int_equal(cairn_model_add_body(w.model, &o, &table), CAIRN_OK);
    cairn_shape_options plane = cairn_shape_default(CAIRN_HALF_SPACE);
    plane.normal[0] = plane.normal[2] = 0;
    plane.normal[1] = 1;
    plane.material = rough;
    cairn_shape shape;
    assert_int_equal(cairn_model_add_shape(w.model, table, &plane, &shape), CAIRN_OK);
    double size[3] = {0.2, 0.2, 0.1}, position[3] = {0.6, 0, 0.05};
    cairn_body block = add_box(w.model, "block", 2, size, position, rough);
    cairn_settings settings = settings_for(integrator, h);
    settings.initial = CAIRN_INITIAL_PROJECT;
    world_start(&w, &settings);
    cairn_body_state s = cairn_simulation_body(w.simulation, block);
    s.velocity[1] = 0.7 * 0.6;
    s.angular_velocity[2] = 0.7;
    assert_int_equal(cairn_simulation_set_body(w.simulation, block, &s), CAIRN_OK);
    world_run(&w, (int)lround(1 / h));
    s = cairn_simulation_body(w.simulation, block);
    *height = s.position[2];
    double error = hypot(s.position[0] - 0.6 * cos(0.7), s.position[1] - 0.6 * sin(0.7));
    error = fmax(error, fabs(2 * atan2(s.orientation[3], s.orientation[0]) - 0.7));
    world_free(&w);
    return error;
}

static void block_goes_round_with_a_turntable(void **state)
{
    (void)state;
    for (int i = CAIRN_INTEGRATOR_EULER; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        double height;
        double coarse = run_turntable((cairn_integrator)i, 1.0 / 32, &height);
        double fine = run_turntable((cairn_integrator)i, 1.0 / 64, &height);
        print_message("turntable %-10s off by %.1e, order %.2f\n", cairn_integrator_name((cairn_integrator)i), fine,
                      log2(coarse / fine));
        assert_near(height, 0.05, 1e-6);
        assert_true(fine < (least_order(i, true) > 1 ? 1e-3 : 2e-2));
        assert_true(fine < 1e-9 || log2(coarse / fine) > least_order(i, true));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spring_to_a_moving_hand), cmocka_unit_test(hinge_on_a_moving_hand),
        cmocka_unit_test(block_rides_on_a_table),  cmocka_unit_test(block_slips_on_an_accelerating_table),
        cmocka_unit_test(fast_plates_are_met),     cmocka_unit_test(block_goes_round_with_a_turntable),
    };
    return cmocka_run_group_tests_name("driven bodies", tests, NULL, NULL);
}
