/* What acts on the coordinates of joints, against closed solutions: sliders and rotors of one degree of freedom, whose order of
 * convergence is that of the scheme also where limits, friction and bounded drives change what happens. */
#include "support/check.h"
#include "support/worlds.h"

#include <string.h>

static const double PI = 3.14159265358979323846;

/* A slider of mass 2 along a skew line, or a rotor of inertia 0.5 about a skew axis, in space without gravity. */
typedef struct machine
{
    world w;
    cairn_joint joint;
    bool turns;
} machine;

static const double MASS = 2, INERTIA = 0.5, AXIS[3] = {2.0 / 3, -1.0 / 3, 2.0 / 3};

static double load_of(const machine *m)
{
    return m->turns ? INERTIA : MASS;
}

static machine make(bool turns, double speed, const cairn_coordinate_options *options)
{
    machine m = {.w = world_new(3), .turns = turns};
    cairn_body_options o = cairn_body_default();
    o.name = "part";
    o.mass = MASS;
    for (int k = 0; k < 3; ++k)
    {
        o.inertia[k] = INERTIA;
        o.velocity[k] = turns ? 0 : speed * AXIS[k];
        o.angular_velocity[k] = turns ? speed * AXIS[k] : 0;
    }
    cairn_body body;
    assert_int_equal(cairn_model_add_body(m.w.model, &o, &body), CAIRN_OK);
    cairn_joint_options j = cairn_joint_default(turns ? CAIRN_JOINT_REVOLUTE : CAIRN_JOINT_PRISMATIC);
    j.name = "joint";
    j.b.body = body;
    memcpy(j.axis, AXIS, sizeof AXIS);
    assert_int_equal(cairn_model_add_joint(m.w.model, &j, &m.joint), CAIRN_OK);
    cairn_model_set_gravity(m.w.model, (double[3]){0, 0, 0});
    assert_int_equal(cairn_model_set_coordinate(m.w.model, m.joint, turns ? "angle" : "position", options), CAIRN_OK);
    return m;
}

/* Coordinate and rate at time `until`. */
static void run(const machine *m, cairn_integrator integrator, int steps, double until, double out[2])
{
    world w = m->w;
    cairn_settings settings = cairn_settings_default();
    settings.integrator = integrator;
    settings.step = until / steps;
    settings.initial = CAIRN_INITIAL_PROJECT;
    world_start(&w, &settings);
    world_run(&w, steps);
    cairn_audit_totals totals = cairn_simulation_audit(w.simulation);
    for (int k = 0; k < CAIRN_VIOLATION_KINDS; ++k)
        assert_int_equal(totals.count[k], 0);
    out[0] = cairn_simulation_coordinate(w.simulation, m->joint, 0, &out[1]);
    cairn_simulation_destroy(w.simulation);
}

/* Errors at h, h/2, h/4 and h/8 fall as the order says, or are below `floor`: the last is at most 1.5 times what the largest of the
 * others leads to. (One of them may be small by accident, where an event falls well within its step.) */
static void check_order(const machine *m, double until, int steps, void (*truth)(double t, double out[2]), double floor)
{
    static const struct
    {
        cairn_integrator integrator;
        int order;
    } SCHEMES[] = {{CAIRN_INTEGRATOR_STIFF, 1}, {CAIRN_INTEGRATOR_STIFF2, 2}};
    double exact[2];
    truth(until, exact);
    for (int i = 0; i < 2; ++i)
    {
        double expected[2] = {0, 0}, end[2];
        for (int finer = 0; finer < 4; ++finer)
        {
            run(m, SCHEMES[i].integrator, steps << finer, until, end);
            for (int k = 0; k < 2; ++k)
            {
                double error = fabs(end[k] - exact[k]);
                if (finer == 3 && error > floor && error > 1.5 * expected[k])
                    fail_msg("%s, value %d: error %.3g where the order leads to %.3g",
                             cairn_integrator_name(SCHEMES[i].integrator), k, error, expected[k]);
                expected[k] = fmax(expected[k], error) / (1 << SCHEMES[i].order);
            }
        }
    }
}

/* ------------------------------------------------------------------------------------------------------ friction */

static double SPEED;
static machine *NOW;

static void truth_stop(double t, double out[2])
{
    double a = 1.5 / load_of(NOW), stop = SPEED / a;
    out[0] = SPEED * fmin(t, stop) - 0.5 * a * fmin(t, stop) * fmin(t, stop);
    out[1] = t < stop ? SPEED - a * t : 0;
}

/* Dry friction stops what moves, at v/a, and holds it there. */
static void friction_stops(void **state)
{
    (void)state;
    for (int turns = 0; turns < 2; ++turns)
    {
        cairn_coordinate_options o = cairn_coordinate_default();
        o.friction = 1.5;
        SPEED = turns ? 5 : 1.3;
        machine m = make(turns, SPEED, &o);
        NOW = &m;
        check_order(&m, 1.2, 37, truth_stop, 1e-12);
        check_order(&m, 3.1, 37, truth_stop, 1e-12);
        world_free(&m.w);
    }
}

/* m v' = A sin t - f sgn v: stuck while |A sin t| <= f at rest. Between changes of sign the motion is elementary. */
static void truth_reversals(double until, double out[2])
{
    const double A = 3, f = 1.5, m = load_of(NOW);
    double t = asin(f / A), x = 0, v = 0, sign = 1;
    while (t < until)
    {
        /* v(s) = v + (A (cos t - cos s) - sign f (s - t)) / m falls to 0 once, after the push has fallen below f */
        double low = t + 1e-9, high = until;
        for (double s = t + 0.01; s < until; s += 0.01)
        {
            if (sign * (v + (A * (cos(t) - cos(s)) - sign * f * (s - t)) / m) < 0)
            {
                low = s - 0.01;
                high = s;
                for (int i = 0; i < 100; ++i)
                {
                    double middle = 0.5 * (low + high);
                    bool after = sign * (v + (A * (cos(t) - cos(middle)) - sign * f * (middle - t)) / m) < 0;
                    low = after ? low : middle;
                    high = after ? middle : high;
                }
                break;
            }
        }
        double s = high, d = s - t;
        x += v * d + (A * (cos(t) * d - (sin(s) - sin(t))) - 0.5 * sign * f * d * d) / m;
        v += (A * (cos(t) - cos(s)) - sign * f * d) / m;
        t = s;
        if (t >= until)
            break;
        v = 0; /* at rest: it sticks until the push exceeds friction again */
        while (fabs(A * sin(t)) <= f && t < until)
        {
            double turn =
                ceil((t - asin(f / A)) / PI) * PI + asin(f / A); /* the next time at which |A sin t| = f and grows */
            t = fmin(turn, until);
            if (t < until)
                break;
        }
        sign = sin(t) > 0 ? 1 : -1;
    }
    out[0] = x;
    out[1] = v;
}

/* A push that swings back and forth against friction: it breaks loose, turns round and sticks at times of its own. */
static void friction_turns_round(void **state)
{
    (void)state;
    for (int turns = 0; turns < 2; ++turns)
    {
        cairn_coordinate_options o = cairn_coordinate_default();
        o.friction = 1.5;
        o.drive = CAIRN_DRIVE_FORCE;
        o.target.expression = "3*sin(t)";
        machine m = make(turns, 0, &o);
        NOW = &m;
        check_order(&m, 5, 100, truth_reversals, 1e-9);
        check_order(&m, 11, 300, truth_reversals, 1e-9);
        world_free(&m.w);
    }
}

/* stiff2 finds when it breaks loose, 3 sin t = 1.5, and when it turns round, wherever they fall within their steps. */
static void friction_events_are_found(void **state)
{
    (void)state;
    cairn_coordinate_options o = cairn_coordinate_default();
    o.friction = 1.5;
    o.drive = CAIRN_DRIVE_FORCE;
    o.target.expression = "3*sin(t)";
    for (int steps = 97; steps <= 103; ++steps)
    {
        machine m = make(false, 0, &o);
        double loose = NAN, turned = NAN;
        cairn_settings settings = cairn_settings_default();
        settings.integrator = CAIRN_INTEGRATOR_STIFF2;
        settings.step = 5.0 / steps;
        world_start(&m.w, &settings);
        for (int i = 0; i < steps; ++i)
        {
            int count;
            world_step(&m.w);
            const cairn_event *event = cairn_simulation_events(m.w.simulation, &count);
            for (int k = 0; k < count; ++k)
            {
                loose = event[k].kind == CAIRN_EVENT_SLIP ? event[k].time : loose;
                turned =
                    event[k].kind != CAIRN_EVENT_SLIP ? event[k].time : turned; /* by a turn, or a stick of no length */
            }
        }
        assert_near(loose, PI / 6, 1e-4);
        assert_near(turned, 3.8168019160928703, 2e-4); /* the root of 3 (cos(pi/6) - cos t) = 1.5 (t - pi/6) */
        world_free(&m.w);
    }
}

/* -------------------------------------------------------------------------------------------------------- limits */

static void truth_bounces(double until, double out[2])
{
    double x = 0, v = SPEED, t = 0;
    for (;;)
    {
        double end = v > 0 ? 0.7 : -0.4, d = (end - x) / v;
        if (t + d >= until)
            break;
        x = end;
        v *= -0.6;
        t += d;
    }
    out[0] = x + v * (until - t);
    out[1] = v;
}

static void limits_bounce(void **state)
{
    (void)state;
    for (int turns = 0; turns < 2; ++turns)
    {
        cairn_coordinate_options o = cairn_coordinate_default();
        o.lower = -0.4;
        o.upper = 0.7;
        o.restitution = 0.6;
        SPEED = 3;
        machine m = make(turns, SPEED, &o);
        NOW = &m;
        check_order(&m, 2, 53, truth_bounces, 1e-9);
        double end[2], exact[2];
        run(&m, CAIRN_INTEGRATOR_STIFF2, 53, 2, end);
        truth_bounces(2, exact);
        assert_near(end[0], exact[0], 1e-8);
        assert_near(end[1], exact[1], 1e-8);
        world_free(&m.w);
    }
}

/* A force against a limit: it comes to rest there, and the reaction carries the force. */
static void limits_hold(void **state)
{
    (void)state;
    cairn_coordinate_options o = cairn_coordinate_default();
    o.upper = 0.2;
    o.drive = CAIRN_DRIVE_FORCE;
    o.target.expression = "5";
    machine m = make(true, 0, &o);
    for (int second = 0; second < 2; ++second)
    {
        double end[2];
        run(&m, second ? CAIRN_INTEGRATOR_STIFF2 : CAIRN_INTEGRATOR_STIFF, 100, 1, end);
        assert_near(end[0], 0.2, 1e-9);
        assert_near(end[1], 0, 1e-12);
    }
    world_free(&m.w);
}

/* ------------------------------------------------------------------------------------------------ springs, drives */

/* m x'' + c x' + k (x - rest) = 0 from x = 0 at speed SPEED. */
static void truth_spring(double t, double out[2])
{
    double m = load_of(NOW), k = 30, c = 1, rest = 0.3;
    double a = c / (2 * m), w = sqrt(k / m - a * a), y = -rest, s = (SPEED + a * y) / w;
    double e = exp(-a * t), C = cos(w * t), S = sin(w * t);
    out[0] = rest + e * (y * C + s * S);
    out[1] = e * (-a * (y * C + s * S) + w * (-y * S + s * C));
}

static void springs_swing(void **state)
{
    (void)state;
    for (int turns = 0; turns < 2; ++turns)
    {
        cairn_coordinate_options o = cairn_coordinate_default();
        o.stiffness = 30;
        o.damping = 1;
        o.rest.expression = "0.3";
        SPEED = 0.4;
        machine m = make(turns, SPEED, &o);
        NOW = &m;
        check_order(&m, 2, 400, truth_spring, 1e-10);
        world_free(&m.w);
    }
}

static void truth_viscous(double t, double out[2])
{
    double a = 0.8 / load_of(NOW);
    out[0] = SPEED * (1 - exp(-a * t)) / a;
    out[1] = SPEED * exp(-a * t);
}

static void viscous_friction(void **state)
{
    (void)state;
    cairn_coordinate_options o = cairn_coordinate_default();
    o.damping = 0.8;
    SPEED = 2;
    machine m = make(true, SPEED, &o);
    NOW = &m;
    check_order(&m, 1, 50, truth_viscous, 1e-10);
    world_free(&m.w);
}

/* The steady answer of m x'' = -k (x - sin t) - c (x' - cos t), from which it starts: x = Im(X e^it), X = (k + ic)/(k + ic - m). */
static void truth_servo(double t, double out[2])
{
    double m = load_of(NOW), k = 40, c = 5;
    double size = (k - m) * (k - m) + c * c, re = (k * (k - m) + c * c) / size, im = (c * (k - m) - c * k) / size;
    out[0] = re * sin(t) + im * cos(t);
    out[1] = re * cos(t) - im * sin(t);
}

/* A servo follows its target as its gains say. It starts from rest at 0; what differs from the steady answer dies out as e^(-ct/2m). */
static void servos_follow(void **state)
{
    (void)state;
    cairn_coordinate_options o = cairn_coordinate_default();
    o.drive = CAIRN_DRIVE_POSITION;
    o.target.expression = "sin(t)";
    o.drive_stiffness = 40;
    o.drive_damping = 5;
    machine m = make(true, 0, &o);
    NOW = &m;
    check_order(&m, 6, 1000, truth_servo, 1e-10);
    world_free(&m.w);
}

static void truth_speed(double t, double out[2])
{
    double a = 0.9 / load_of(NOW), reached = 2 / a;
    out[0] = t < reached ? 0.5 * a * t * t : 0.5 * a * reached * reached + 2 * (t - reached);
    out[1] = fmin(a * t, 2);
}

/* A rigid speed drive with a largest torque accelerates at that torque, then keeps the speed. */
static void bounded_speed_drives(void **state)
{
    (void)state;
    cairn_coordinate_options o = cairn_coordinate_default();
    o.drive = CAIRN_DRIVE_SPEED;
    o.target.expression = "2";
    o.drive_limit = 0.9;
    machine m = make(true, 0, &o);
    NOW = &m;
    check_order(&m, 2.03, 29, truth_speed, 1e-10);
    world_free(&m.w);
}

static double wave(void *data, double t)
{
    return *(double *)data * sin(2 * t);
}

static void truth_wave(double t, double out[2])
{
    out[0] = 0.7 * sin(2 * t);
    out[1] = 1.4 * cos(2 * t);
}

/* Prescribed by a callback: the coordinate is that of the target. */
static void prescribed_motion(void **state)
{
    (void)state;
    double size = 0.7;
    cairn_coordinate_options o = cairn_coordinate_default();
    o.drive = CAIRN_DRIVE_POSITION;
    o.target.function = wave;
    o.target.data = &size;
    machine m = make(false, 0, &o);
    NOW = &m;
    check_order(&m, 1.3, 60, truth_wave, 1e-12);
    world_free(&m.w);
}

/* A table: at its points the coordinate has their values, whatever the step. */
static void prescribed_by_table(void **state)
{
    (void)state;
    static const double TABLE[] = {0, 0, 0.5, 1, 1, 1, 2, -0.5};
    cairn_coordinate_options o = cairn_coordinate_default();
    o.drive = CAIRN_DRIVE_POSITION;
    o.target.table = TABLE;
    o.target.table_count = 4;
    machine m = make(false, 0, &o);
    for (int i = 1; i < 4; ++i)
    {
        double end[2];
        run(&m, CAIRN_INTEGRATOR_STIFF, 20 * i, TABLE[2 * i], end);
        assert_near(end[0], TABLE[2 * i + 1], 1e-9);
    }
    world_free(&m.w);
}

/* With the power P, energy grows as P t: v = sqrt(2 P t/m), once the power is what limits the force. */
static void power_is_limited(void **state)
{
    (void)state;
    cairn_coordinate_options o = cairn_coordinate_default();
    o.drive = CAIRN_DRIVE_FORCE;
    o.target.expression = "1000";
    o.drive_power = 3;
    machine m = make(false, 1, &o);
    double coarse[2], fine[2], exact = sqrt(1 + 2 * 3 * 2 / MASS);
    run(&m, CAIRN_INTEGRATOR_STIFF, 200, 2, coarse);
    run(&m, CAIRN_INTEGRATOR_STIFF, 400, 2, fine);
    assert_true(fabs(fine[1] - exact) < 0.6 * fabs(coarse[1] - exact));
    assert_near(fine[1], exact, 5e-3);
    world_free(&m.w);
}

/* ------------------------------------------------------------------------------------------------------- energies */

/* A servo with gains that gives all it can until it meets a limit: its work is the force times the way, it stores nothing, the energy
 * account closes and agrees with the audit (run() would have failed). */
static void saturated_servos_work(void **state)
{
    (void)state;
    cairn_coordinate_options o = cairn_coordinate_default();
    o.upper = 0.3;
    o.drive = CAIRN_DRIVE_POSITION;
    o.target.expression = "2";
    o.drive_stiffness = 100;
    o.drive_damping = 1;
    o.drive_limit = 1.5;
    for (int turns = 0; turns < 2; ++turns)
    {
        machine m = make(turns, 0, &o);
        for (int second = 0; second < 2; ++second)
        {
            double end[2];
            run(&m, second ? CAIRN_INTEGRATOR_STIFF2 : CAIRN_INTEGRATOR_STIFF, 173, 2, end);
            assert_near(end[0], 0.3, 1e-9);
            cairn_settings settings = cairn_settings_default();
            settings.integrator = second ? CAIRN_INTEGRATOR_STIFF2 : CAIRN_INTEGRATOR_STIFF;
            settings.step = 0.0037;
            world_start(&m.w, &settings);
            world_run(&m.w, 20); /* not there yet */
            cairn_energy energy = cairn_simulation_energy(m.w.simulation);
            double way = cairn_simulation_coordinate(m.w.simulation, m.joint, 0, NULL);
            assert_true(way > 0 && way < 0.3);
            assert_near(energy.work_joints, 1.5 * way, second ? 1e-12 : 0.1 * way);
            assert_near(energy.elastic, 0, 0);
            assert_near(energy.balance_error, 0, 1e-12);
            assert_near(cairn_simulation_joint_state(m.w.simulation, m.joint).drive[0], 1.5, 1e-12);
            cairn_simulation_destroy(m.w.simulation);
            m.w.simulation = NULL;
        }
        world_free(&m.w);
    }
}

/* A spring stores k (q - rest)^2/2, and swings without loss but for the error of the scheme. */
static void springs_store(void **state)
{
    (void)state;
    cairn_coordinate_options o = cairn_coordinate_default();
    o.stiffness = 30;
    o.rest.expression = "0.3";
    machine m = make(true, 0.4, &o);
    cairn_settings settings = cairn_settings_default();
    settings.integrator = CAIRN_INTEGRATOR_STIFF2;
    settings.step = 1e-3;
    world_start(&m.w, &settings);
    double first = cairn_simulation_energy(m.w.simulation).total;
    assert_near(first, 0.5 * INERTIA * 0.16 + 0.5 * 30 * 0.09, 1e-12);
    world_run(&m.w, 1000);
    cairn_energy energy = cairn_simulation_energy(m.w.simulation);
    double q = cairn_simulation_coordinate(m.w.simulation, m.joint, 0, NULL);
    assert_near(energy.elastic, 0.5 * 30 * (q - 0.3) * (q - 0.3), 1e-9);
    assert_near(energy.total, first, 1e-4 * first);
    assert_near(energy.balance_error, 0, 1e-12);
    world_free(&m.w);
}

/* What moves the rest value does work on the spring: with that booked, the account differs from the motion by order 2. */
static void moving_rests_are_booked(void **state)
{
    (void)state;
    double left[2];
    cairn_coordinate_options o = cairn_coordinate_default();
    o.stiffness = 30;
    o.damping = 0.1;
    o.rest.expression = "0.3*sin(5*t)";
    machine m = make(true, 0, &o);
    for (int fine = 0; fine < 2; ++fine)
    {
        cairn_settings settings = cairn_settings_default();
        settings.integrator = CAIRN_INTEGRATOR_STIFF2;
        settings.step = fine ? 0.0025 : 0.005;
        world_start(&m.w, &settings);
        world_run(&m.w, fine ? 800 : 400);
        cairn_energy energy = cairn_simulation_energy(m.w.simulation);
        assert_near(energy.balance_error, 0, 1e-12);
        assert_true(fabs(energy.work_driven) > 0.01);
        left[fine] = fabs(energy.integration);
        cairn_simulation_destroy(m.w.simulation);
        m.w.simulation = NULL;
    }
    assert_true(left[1] < 0.3 * left[0] && left[0] < 0.01);
    world_free(&m.w);
}

/* ------------------------------------------------------------------------------------------------- any stiffness */

/* A servo of any stiffness at a large step: no blow-up, and the stiffer, the nearer to the rigid drive, in proportion. */
static void any_stiffness(void **state)
{
    (void)state;
    for (int second = 0; second < 2; ++second)
    {
        double last = INFINITY;
        for (double k = 1e2; k < 2e12; k *= 100)
        {
            for (int damped = 0; damped < 2; ++damped)
            {
                cairn_coordinate_options o = cairn_coordinate_default();
                o.drive = CAIRN_DRIVE_POSITION;
                o.target.expression = "0.5*sin(3*t)^2";
                o.drive_stiffness = k;
                o.drive_damping = damped ? k : 0;
                machine m = make(true, 0, &o);
                double end[2], target = 0.5 * sin(6) * sin(6);
                run(&m, second ? CAIRN_INTEGRATOR_STIFF2 : CAIRN_INTEGRATOR_STIFF, 200, 2, end);
                assert_true(fabs(end[0]) < 1);
                double off = fabs(end[0] - target);
                if (k > 1e5 && !damped)
                {
                    assert_true(off < 1e-3 && (off < 0.03 * last || off < 1e-12 || !isfinite(last)));
                    last = off;
                }
                world_free(&m.w);
            }
        }
    }
}

/* A brake that is put on while the simulation runs: the next step follows, and friction stops the slider. */
static void elements_are_added_to_a_run(void **state)
{
    (void)state;
    cairn_coordinate_options nothing = cairn_coordinate_default(), brake = nothing;
    machine m = make(false, 2, &nothing);
    cairn_settings settings = cairn_settings_default();
    settings.step = 0.01;
    world_start(&m.w, &settings);
    world_run(&m.w, 50);
    brake.friction = 8;
    assert_int_equal(cairn_model_set_coordinate(m.w.model, m.joint, "position", &brake), CAIRN_OK);
    assert_near(cairn_simulation_coordinate(m.w.simulation, m.joint, 0, NULL), 0, 0); /* it has not followed yet */
    world_run(&m.w, 100);
    double rate, x = cairn_simulation_coordinate(m.w.simulation, m.joint, 0, &rate);
    assert_near(rate, 0, 1e-12);
    assert_near(x, 1 + 0.5, 0.02); /* v^2/(2 a) */
    assert_near(cairn_simulation_joint_state(m.w.simulation, m.joint).friction[0], 0, 1e-9);
    world_free(&m.w);
}

/* ---------------------------------------------------------------------------------------------------- wrong input */

static void wrong_options_are_named(void **state)
{
    (void)state;
    static const double BACKWARDS[] = {1, 0, 1, 0};
    static const struct
    {
        const char *coordinate, *word;
        cairn_coordinate_options o;
    } CASES[] = {
        {"position", "there is no coordinate 'position'", {.lower = -1, .upper = 1}},
        {"angle", "range", {.lower = 1, .upper = 1}},
        {"angle", "range", {.lower = 2, .upper = 1}},
        {"angle", "range", {.lower = NAN, .upper = 1}},
        {"angle", "restitution", {.lower = -1, .upper = 1, .restitution = 1.5}},
        {"angle", "friction", {.lower = -1, .upper = 1, .friction = -1}},
        {"angle", "damping", {.lower = -1, .upper = 1, .damping = NAN}},
        {"angle", "stiffness", {.lower = -1, .upper = 1, .stiffness = INFINITY}},
        {"angle", "limit", {.lower = -1, .upper = 1, .drive = CAIRN_DRIVE_SPEED, .drive_limit = -2}},
        {"angle", "only a damping", {.lower = -1, .upper = 1, .drive = CAIRN_DRIVE_SPEED, .drive_stiffness = 2}},
        {"angle", "target", {.lower = -1, .upper = 1, .drive = CAIRN_DRIVE_SPEED, .target = {.expression = "sin("}}},
        {"angle",
         "ascend",
         {.lower = -1, .upper = 1, .drive = CAIRN_DRIVE_SPEED, .target = {.table = BACKWARDS, .table_count = 2}}},
    };
    cairn_coordinate_options nothing = cairn_coordinate_default();
    machine m = make(true, 0, &nothing);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i)
    {
        cairn_coordinate_options o = CASES[i].o;
        o.struct_size = sizeof o;
        o.drive_limit = o.drive_limit < 0 ? o.drive_limit : INFINITY;
        o.drive_power = INFINITY;
        cairn_context_clear(m.w.context);
        assert_int_equal(cairn_model_set_coordinate(m.w.model, m.joint, CASES[i].coordinate, &o), CAIRN_INVALID);
        const char *text =
            cairn_context_message_count(m.w.context) > 0 ? cairn_context_message(m.w.context, 0).text : NULL;
        if (!text || !strstr(text, "joint 'joint'") || !strstr(text, CASES[i].word))
            fail_msg("case %zu: '%s' does not name '%s'", i, text ? text : "", CASES[i].word);
    }
    world_free(&m.w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_stops),
        cmocka_unit_test(friction_turns_round),
        cmocka_unit_test(friction_events_are_found),
        cmocka_unit_test(limits_bounce),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(springs_swing),
        cmocka_unit_test(viscous_friction),
        cmocka_unit_test(servos_follow),
        cmocka_unit_test(bounded_speed_drives),
        cmocka_unit_test(prescribed_motion),
        cmocka_unit_test(prescribed_by_table),
        cmocka_unit_test(power_is_limited),
        cmocka_unit_test(any_stiffness),
        cmocka_unit_test(saturated_servos_work),
        cmocka_unit_test(springs_store),
        cmocka_unit_test(moving_rests_are_booked),
        cmocka_unit_test(elements_are_added_to_a_run),
        cmocka_unit_test(wrong_options_are_named),
    };
    return cmocka_run_group_tests_name("coordinates", tests, NULL, NULL);
}
