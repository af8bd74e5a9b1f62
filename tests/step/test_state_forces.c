/* Forces and targets that depend on the state: closed solutions, stability at any step, and what is refused. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

static const double G = 9.81;

static const struct
{
    cairn_integrator integrator;
    int order;
} SCHEMES[] = {{CAIRN_INTEGRATOR_EULER, 1}, {CAIRN_INTEGRATOR_STIFF, 1}, {CAIRN_INTEGRATOR_STIFF2, 2}};

static cairn_body add_body(world *w, const char *name, const double velocity[3], double spin)
{
    cairn_body_options b = cairn_body_default();
    cairn_body body;
    b.name = name;
    b.mass = 2;
    for (int k = 0; k < 3; ++k)
    {
        b.inertia[k] = 0.5;
        b.velocity[k] = velocity[k];
    }
    b.angular_velocity[2] = spin;
    assert_int_equal(cairn_model_add_body(w->model, &b, &body), CAIRN_OK);
    return body;
}

static cairn_force add_force(world *w, const char *name, cairn_body body, const char *x, const char *y, const char *z,
                             const char *torque)
{
    cairn_force_options f = cairn_force_default();
    cairn_force handle;
    f.name = name;
    f.body = body;
    f.force[0] = x;
    f.force[1] = y;
    f.force[2] = z;
    f.torque[2] = torque;
    assert_int_equal(cairn_model_add_force(w->model, &f, &handle), CAIRN_OK);
    return handle;
}

static void start(world *w, cairn_integrator integrator, double h)
{
    cairn_settings settings = cairn_settings_default();
    settings.integrator = integrator;
    settings.step = h;
    world_start(w, &settings);
}

static void finish(world *w)
{
    cairn_audit_totals totals = cairn_simulation_audit(w->simulation);
    for (int k = 0; k < CAIRN_VIOLATION_KINDS; ++k)
        assert_int_equal(totals.count[k], 0);
    const cairn_energy *energy = &cairn_simulation_report(w->simulation)->energy;
    assert_near(energy->balance_error, 0, 1e-9 * (1 + fabs(energy->work_forces) + fabs(energy->total)));
    cairn_simulation_destroy(w->simulation);
    w->simulation = NULL;
}

/* The error of a number at `until` falls as the order of each scheme says. */
static void check_order(world *w, double until, int steps, double (*found)(const world *w), double exact)
{
    for (int i = 0; i < 3; ++i)
    {
        double expected = 0;
        for (int finer = 0; finer < 4; ++finer)
        {
            start(w, SCHEMES[i].integrator, until / (steps << finer));
            world_run(w, steps << finer);
            double error = fabs(found(w) - exact);
            finish(w);
            if (finer == 3 && error > 1.5 * expected && error > 1e-11)
                fail_msg("%s: error %.3g where the order leads to %.3g", cairn_integrator_name(SCHEMES[i].integrator),
                         error, expected);
            expected = fmax(expected, error) / (1 << SCHEMES[i].order);
        }
    }
}

static double fall_speed(const world *w)
{
    return world_body(w, "ball").velocity[2];
}

/* m v' = -m g - c v |v|: v = -u tanh(g t/u), u^2 = m g/c. */
static void a_fall_reaches_its_terminal_speed(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_body ball = add_body(&w, "ball", (double[3]){0, 0, 0}, 0);
    add_force(&w, "drag", ball, NULL, NULL, "-0.4*ball.vz*abs(ball.vz)", NULL);
    double u = sqrt(2 * G / 0.4);
    check_order(&w, 0.9, 20, fall_speed, -u * tanh(G * 0.9 / u));
    check_order(&w, 4, 80, fall_speed, -u * tanh(G * 4 / u));
    world_free(&w);
}

/* Drag of 1e8 along all axes, at any step: the speed falls at once to that of the load, and what turns stops. */
static void stiff_drag_is_stable(void **state)
{
    (void)state;
    for (int second = 0; second < 2; ++second)
        for (double h = 1e-5; h < 20; h *= 100)
        {
            world w = world_new(3);
            cairn_body ball = add_body(&w, "the ball", (double[3]){3, -4, 5}, 7);
            add_force(&w, "drag", ball, "-1e8*'the ball'.vx", "-1e8*'the ball'.vy", "-1e8*'the ball'.vz",
                      "-1e8*'the ball'.omega_z");
            start(&w, second ? CAIRN_INTEGRATOR_STIFF2 : CAIRN_INTEGRATOR_STIFF, h);
            world_run(&w, 50);
            cairn_body_state s = world_body(&w, "the ball");
            assert_near(s.velocity[0], 0, 1e-9);
            assert_near(s.velocity[2], -2 * G / 1e8, 1e-9);
            assert_near(s.angular_velocity[2], 0, 1e-9);
            finish(&w);
            world_free(&w);
        }
}

static double place(const world *w)
{
    return world_body(w, "ball").position[0];
}

/* -k x - c x' is a spring with a damper, of any stiffness. */
static void feedback_is_a_spring(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_body ball = add_body(&w, "ball", (double[3]){1.5, 0, 0}, 0);
    cairn_model_set_gravity(w.model, (double[3]){0, 0, 0});
    add_force(&w, "spring", ball, "-50*ball.x - 0.8*ball.vx", NULL, NULL, NULL);
    double a = 0.2, f = sqrt(25 - a * a);
    check_order(&w, 1.3, 60, place, 1.5 / f * exp(-a * 1.3) * sin(f * 1.3));
    world_free(&w);
    for (double k = 1e4; k <= 1e12; k *= 100)
    {
        char text[48];
        snprintf(text, sizeof text, "-%.17g*ball.x", k);
        world stiff = world_new(2);
        ball = add_body(&stiff, "ball", (double[3]){1.5, 0, 0}, 0);
        add_force(&stiff, "spring", ball, text, NULL, NULL, NULL);
        start(&stiff, CAIRN_INTEGRATOR_STIFF2, 0.01);
        for (int i = 0; i < 100; ++i)
        {
            world_step(&stiff);
            assert_true(fabs(place(&stiff)) < 1.5 / sqrt(k / 2) + 1e-9);
        }
        finish(&stiff);
        world_free(&stiff);
    }
}

/* A rocket that turns at the rate w under a thrust along its axis, given in its own frame, and in the world's by its angle. */
static void thrust_follows_the_rocket(void **state)
{
    (void)state;
    for (int own = 0; own < 2; ++own)
    {
        world w = world_new(2);
        cairn_body rocket = add_body(&w, "ball", (double[3]){0, 0, 0}, 1.7);
        cairn_model_set_gravity(w.model, (double[3]){0, 0, 0});
        cairn_force_options f = cairn_force_default();
        cairn_force handle;
        f.name = "thrust";
        f.body = rocket;
        f.body_frame = own == 1;
        f.force[0] = own ? "6 + 0*ball.x" : "6*cos(ball.angle)";
        f.force[1] = own ? NULL : "6*sin(ball.angle)";
        assert_int_equal(cairn_model_add_force(w.model, &f, &handle), CAIRN_OK);
        check_order(&w, 2, 20, place, 3 * (1 - cos(1.7 * 2)) / (1.7 * 1.7));
        world_free(&w);
    }
}

/* The trapezoidal schemes are of order 2 in drag. */
static void trapezoids_take_drag(void **state)
{
    (void)state;
    static const cairn_integrator BOTH[2] = {CAIRN_INTEGRATOR_TRAPEZOID, CAIRN_INTEGRATOR_TRAPEZOID2};
    for (int i = 0; i < 2; ++i)
    {
        double error[2], u = sqrt(2 * G / 0.4);
        for (int finer = 0; finer < 2; ++finer)
        {
            world w = world_new(3);
            cairn_body ball = add_body(&w, "ball", (double[3]){0, 0, 0}, 0);
            add_force(&w, "drag", ball, NULL, NULL, "-0.4*ball.vz*abs(ball.vz)", NULL);
            start(&w, BOTH[i], 0.9 / (40 << finer));
            world_run(&w, 40 << finer);
            error[finer] = fabs(fall_speed(&w) + u * tanh(G * 0.9 / u));
            finish(&w);
            world_free(&w);
        }
        assert_true(error[1] < 0.28 * error[0]);
    }
}

/* Two bodies that name each other: their distance swings, whoever of the two is implicit. */
static double apart(const world *w)
{
    return world_body(w, "ball").position[0] - world_body(w, "other").position[0];
}

static void bodies_pull_each_other(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_body one = add_body(&w, "ball", (double[3]){1, 0, 0}, 0);
    cairn_body two = add_body(&w, "other", (double[3]){-0.5, 0, 0}, 0);
    cairn_model_set_gravity(w.model, (double[3]){0, 0, 0});
    add_force(&w, "on one", one, "-9*(ball.x - other.x)", NULL, NULL, NULL);
    add_force(&w, "on two", two, "9*(ball.x - other.x)", NULL, NULL, NULL);
    check_order(&w, 1.1, 20, apart, 1.5 / 3 * sin(3 * 1.1));
    world_free(&w);
}

/* A force that pushes what it measures at a point away from the centre: only part of its derivative can be implicit. */
static void forces_act_only_where_they_act(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_body body = add_body(&w, "ball", (double[3]){2, 0, 0}, 1);
    cairn_model_set_gravity(w.model, (double[3]){0, 0, 0});
    add_force(&w, "brake", body, NULL, NULL, NULL, "-3*ball.omega - 2*ball.vx - ball.x");
    start(&w, CAIRN_INTEGRATOR_STIFF2, 0.05);
    world_run(&w, 40);
    assert_near(world_body(&w, "ball").velocity[0], 2, 1e-13); /* a torque moves no centre */
    finish(&w);
    world_free(&w);
}

/* What feeds on the motion is explicit, v+ = v (1 + h c/m), at any step: A stays definite. Beside it drag along another axis is implicit. */
static void what_drives_is_explicit(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_body body = add_body(&w, "ball", (double[3]){1e-3, 1, 0}, 0);
    add_force(&w, "engine", body, "50*ball.vx + 3*ball.vy", "-50*ball.vy - 3*ball.vx", NULL, NULL);
    start(&w, CAIRN_INTEGRATOR_STIFF, 1.0);
    double x = 1e-3, y = 1;
    for (int i = 0; i < 4; ++i)
    {
        world_step(&w);
        double old = x;
        x += (50 * x + 3 * y) / 2;
        y = (y - 3 * old / 2) / (1 + 50.0 / 2); /* the cross terms circulate: explicit too */
        assert_near(world_body(&w, "ball").velocity[0], x, 1e-9 * fabs(x));
        assert_near(world_body(&w, "ball").velocity[1], y, 1e-9 * fabs(x));
    }
    finish(&w);
    world_free(&w);
}

/* ---------------------------------------------------------------------------------------------------- coordinates */

static cairn_joint add_arm(world *w, const char *name, double spin, const cairn_coordinate_options *o)
{
    char body_name[32];
    snprintf(body_name, sizeof body_name, "%s body", name);
    cairn_joint_options j = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    cairn_joint joint;
    j.name = name;
    j.b.body = add_body(w, body_name, (double[3]){0, 0, 0}, spin);
    assert_int_equal(cairn_model_add_joint(w->model, &j, &joint), CAIRN_OK);
    if (o)
        assert_int_equal(cairn_model_set_coordinate(w->model, joint, "angle", o), CAIRN_OK);
    return joint;
}

/* A controller written as an expression is the drive with these gains, at any gain and step, saturated or not. */
static void expressions_are_gains(void **state)
{
    (void)state;
    for (int i = 0; i < 3; ++i)
        for (double gain = 1; gain <= 1e8; gain *= 1e4)
            for (int saturated = 0; saturated < 2; ++saturated)
            {
                double angle[2], rate[2];
                for (int written = 0; written < 2; ++written)
                {
                    char text[96];
                    world w = world_new(3);
                    cairn_coordinate_options o = cairn_coordinate_default();
                    snprintf(text, sizeof text, "-%.17g*(arm.angle - 0.3) - %.17g*arm.angle.rate", 30 * gain, 2 * gain);
                    o.drive = written ? CAIRN_DRIVE_FORCE : CAIRN_DRIVE_POSITION;
                    o.target.expression = written ? text : "0.3";
                    o.drive_stiffness = written ? 0 : 30 * gain;
                    o.drive_damping = written ? 0 : 2 * gain;
                    o.drive_limit = saturated ? 1.7 : INFINITY;
                    cairn_joint arm = add_arm(&w, "arm", 0, NULL);
                    assert_int_equal(cairn_model_set_coordinate(w.model, arm, "angle", &o), CAIRN_OK);
                    start(&w, SCHEMES[i].integrator, 0.02);
                    world_run(&w, 20);
                    angle[written] = cairn_simulation_coordinate(w.simulation, arm, 0, &rate[written]);
                    finish(&w);
                    world_free(&w);
                }
                double near =
                    saturated && i == 2 ? 2e-3 : 1e-9; /* the drive's saturation is an event, the force's is not */
                assert_near(angle[1], angle[0], near);
                assert_near(rate[1], rate[0], 10 * near);
            }
}

static double arm_angle(const world *w)
{
    return cairn_simulation_coordinate(w->simulation, cairn_model_find_joint(w->model, "arm"), 0, NULL);
}

/* A torque as a function of the angle: a pendulum's, against its own integration by Runge-Kutta's method. */
static void torques_by_coordinates(void **state)
{
    (void)state;
    cairn_coordinate_options o = cairn_coordinate_default();
    world w = world_new(2);
    cairn_joint arm = add_arm(&w, "arm", 2, NULL);
    o.drive = CAIRN_DRIVE_FORCE;
    o.target.expression = "-4*sin(arm.angle) + t";
    assert_int_equal(cairn_model_set_coordinate(w.model, arm, "angle", &o), CAIRN_OK);
    double x = 0, v = 2, h = 1e-3;
    for (int i = 0; i < 1500; ++i)
    {
        double t = i * h, k[4], u[4], place[4] = {0, 0.5, 0.5, 1};
        for (int j = 0; j < 4; ++j)
        {
            double y = x + (j > 0 ? place[j] * h * u[j - 1] : 0);
            u[j] = v + (j > 0 ? place[j] * h * k[j - 1] : 0);
            k[j] = (-4 * sin(y) + t + place[j] * h) / 0.5;
        }
        x += h * (u[0] + 2 * u[1] + 2 * u[2] + u[3]) / 6;
        v += h * (k[0] + 2 * k[1] + 2 * k[2] + k[3]) / 6;
    }
    check_order(&w, 1.5, 60, arm_angle, x);
    world_free(&w);
}

/* Targets that follow another joint: a rate, and an angle. */
static void targets_follow_other_joints(void **state)
{
    (void)state;
    for (int i = 0; i < 3; ++i)
        for (int angle = 0; angle < 2; ++angle)
        {
            world w = world_new(3);
            cairn_coordinate_options o = cairn_coordinate_default();
            cairn_joint master = add_arm(&w, "master", 3, NULL);
            o.drive = angle ? CAIRN_DRIVE_POSITION : CAIRN_DRIVE_SPEED;
            o.target.expression = angle ? "0.5*master.angle" : "2*joint:master.angle.rate";
            cairn_joint slave = add_arm(&w, "slave", angle ? 1.5 : 6, &o);
            double rate;
            start(&w, SCHEMES[i].integrator, 0.013);
            world_run(&w, 40);
            double lead = cairn_simulation_coordinate(w.simulation, master, 0, NULL);
            double follow = cairn_simulation_coordinate(w.simulation, slave, 0, &rate);
            assert_near(rate, angle ? 1.5 : 6, 1e-9);
            assert_near(follow, angle ? 0.5 * lead : 2 * lead, 1e-9);
            finish(&w);
            world_free(&w);
        }
}

/* ------------------------------------------------------------------------------------------------------- callbacks */

static void drag(void *data, double t, const cairn_body_state *s, double force[3], double torque[3])
{
    (void)t;
    for (int k = 0; k < 3; ++k)
        force[k] = -*(double *)data * s->velocity[k];
    torque[2] = -*(double *)data * s->angular_velocity[2];
}

static void drag_slopes(void *data, double t, const cairn_body_state *s, double by_velocity[6][6],
                        double by_position[6][6])
{
    (void)t;
    (void)s;
    (void)by_position;
    for (int k = 0; k < 6; ++k)
        by_velocity[k][k] = k < 3 || k == 5 ? -*(double *)data : 0.0;
}

static void callbacks_have_slopes(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension)
        for (double c = 1; c <= 1e8; c *= 1e4)
        {
            cairn_body_state end[2];
            for (int written = 0; written < 2; ++written)
            {
                world w = world_new(dimension);
                cairn_body ball = add_body(&w, "ball", (double[3]){1, 2, dimension == 3 ? 3 : 0}, 0.4);
                cairn_force_options f = cairn_force_default();
                cairn_force handle;
                char text[4][48];
                f.name = "drag";
                f.body = ball;
                f.data = &c;
                f.function = written ? NULL : drag;
                f.slopes = written ? NULL : drag_slopes;
                static const char *const NAMES[4] = {"vx", "vy", "vz", "omega"};
                for (int k = 0; k < 4; ++k)
                    snprintf(text[k], sizeof text[k], "-%g*ball.%s%s", c, NAMES[k],
                             k == 3 && dimension == 3 ? "_z" : "");
                for (int k = 0; written && k < dimension; ++k)
                    f.force[k] = text[k];
                f.torque[2] = written ? text[3] : NULL;
                assert_int_equal(cairn_model_add_force(w.model, &f, &handle), CAIRN_OK);
                start(&w, CAIRN_INTEGRATOR_STIFF2, 0.03);
                world_run(&w, 20);
                end[written] = world_body(&w, "ball");
                finish(&w);
                world_free(&w);
            }
            for (int k = 0; k < 3; ++k)
            {
                assert_near(end[0].velocity[k], end[1].velocity[k], 1e-11);
                assert_near(end[0].angular_velocity[k], end[1].angular_velocity[k], 1e-11);
            }
        }
}

/* ---------------------------------------------------------------------------------------------------------- scenes */

/* Names with blanks and dashes, a parameter that is called as a body, and a drive that names a joint further down. */
static void scenes_name_quantities(void **state)
{
    (void)state;
    static const char TEXT[] = "dimension: 2\n"
                               "gravity: [0, 0]\n"
                               "parameters: {cart: 0.5}\n"
                               "bodies:\n"
                               "  - {name: cart, mass: 2, inertia: 1, velocity: [3, 0]}\n"
                               "  - {name: left-hand wheel, mass: 2, inertia: 0.5}\n"
                               "  - {name: hub, mass: 2, inertia: 0.5, angular_velocity: 2}\n"
                               "forces:\n"
                               "  - {name: drag, body: cart, force: [\"-cart*cart.vx\", \"0*'left-hand wheel'.vy\"]}\n"
                               "joints:\n"
                               "  - {name: axle, type: revolute, bodies: [world, left-hand wheel], at: [0, 0],\n"
                               "     coordinates: {angle: {drive: {type: speed, target: \"2*pin.angle.rate\"}}}}\n"
                               "  - {name: pin, type: revolute, bodies: [world, hub], at: [0, 0]}\n"
                               "simulation: {step: 0.01, integrator: stiff2, initial: project}\n";
    world w = {.context = cairn_context_create()};
    assert_int_equal(cairn_scene_parse(w.context, "scene", TEXT, sizeof TEXT - 1, NULL, 0, &w.scene), CAIRN_OK);
    cairn_settings settings = cairn_scene_settings(w.scene);
    world_start(&w, &settings);
    world_run(&w, 100);
    assert_near(world_body(&w, "cart").velocity[0], 3 * exp(-0.25), 1e-5);
    assert_near(world_body(&w, "left-hand wheel").angular_velocity[2], 4, 1e-9);
    finish(&w);
    world_free(&w);
}

/* ---------------------------------------------------------------------------------------------------------- faults */

static void expect_message(const world *w, const char *expected)
{
    const char *text = cairn_context_last_message(w->context);
    if (!strstr(text, expected))
        fail_msg("'%s' does not contain '%s'", text, expected);
}

static void refuse(const char *expression, const char *expected)
{
    world w = world_new(2);
    cairn_coordinate_options o = cairn_coordinate_default();
    add_arm(&w, "arm", 0, NULL);
    cairn_body both = add_body(&w, "arm", (double[3]){0, 0, 0}, 0);
    cairn_force_options f = cairn_force_default();
    cairn_force handle;
    f.name = "pull";
    f.body = both;
    f.force[1] = expression;
    assert_int_equal(cairn_model_add_force(w.model, &f, &handle), CAIRN_INVALID);
    expect_message(&w, expected);
    o.stiffness = 1;
    o.rest.expression = "arm.x";
    assert_int_equal(cairn_model_set_coordinate(w.model, cairn_model_find_joint(w.model, "arm"), "angle", &o),
                     CAIRN_INVALID);
    expect_message(&w, "the quantity arm.x changes with the motion");
    world_free(&w);
}

static void faults_are_named(void **state)
{
    (void)state;
    refuse("-3*leg.vx", "force 'pull': force: \"-3*leg.vx\" at character 4: there is no body or joint 'leg'");
    refuse("arm.z", "'arm' has no quantity 'z'; it has x, y, vx, vy, angle, omega");
    refuse("arm.angle", "a body and a joint are called 'arm': write body:arm or joint:arm");
    refuse("body:arm.angle.rate", "'arm' has no quantity 'angle.rate'");
    refuse("force:arm.x", "there is no body or joint 'arm'");
}

static void what_has_no_value_is_told(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_body ball = add_body(&w, "ball", (double[3]){-1, 0, 0}, 0);
    add_force(&w, "odd", ball, NULL, "log(1 + ball.x)", NULL, NULL);
    start(&w, CAIRN_INTEGRATOR_STIFF, 0.25);
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < 20 && !status; ++i)
        status = cairn_simulation_step(w.simulation);
    assert_int_equal(status, CAIRN_NUMERIC);
    expect_message(&w, "step at t = 1: force 'odd': force: 'log(1 + ball.x)' is not a finite number");
    cairn_simulation_destroy(w.simulation);
    w.simulation = NULL;
    world_free(&w);

    for (int i = 0; i < 3; ++i)
    {
        static const cairn_drive_kind KINDS[3] = {CAIRN_DRIVE_FORCE, CAIRN_DRIVE_SPEED, CAIRN_DRIVE_POSITION};
        world v = world_new(2);
        cairn_coordinate_options o = cairn_coordinate_default();
        cairn_joint arm = add_arm(&v, "arm", -1, NULL);
        o.drive = KINDS[i];
        o.drive_stiffness = i == 2 ? 1 : 0;
        o.drive_damping = i > 0 ? 1 : 0;
        o.target.expression = "0*sqrt(arm.angle + 0.3)";
        assert_int_equal(cairn_model_set_coordinate(v.model, arm, "angle", &o), CAIRN_OK);
        start(&v, CAIRN_INTEGRATOR_STIFF2, 0.1);
        for (status = CAIRN_OK; !status;)
            status = cairn_simulation_step(v.simulation);
        assert_int_equal(status, CAIRN_NUMERIC);
        expect_message(&v, "joint 'arm': drive: target '0*sqrt(arm.angle + 0.3)' is not a finite number");
        world_free(&v);
    }
}

/* What an expression names may not be removed. */
static void removed_things_are_missed(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_body ball = add_body(&w, "ball", (double[3]){0, 0, 0}, 0), other = add_body(&w, "other", (double[3]){0}, 0);
    cairn_body third = add_body(&w, "third", (double[3]){0}, 0);
    cairn_force force = add_force(&w, "chase", ball, "-(ball.x - third.x)", NULL, NULL, NULL);
    start(&w, CAIRN_INTEGRATOR_STIFF, 0.1);
    world_run(&w, 2);
    assert_int_equal(cairn_model_remove_body(w.model, other), CAIRN_OK); /* the places of the others change */
    world_run(&w, 2);
    assert_int_equal(cairn_model_remove_body(w.model, third), CAIRN_OK);
    assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_INVALID);
    expect_message(&w, "force 'chase': an expression names a body or a joint that was removed");
    assert_int_equal(cairn_model_remove_force(w.model, force), CAIRN_OK);
    world_run(&w, 2);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fall_reaches_its_terminal_speed),
        cmocka_unit_test(stiff_drag_is_stable),
        cmocka_unit_test(feedback_is_a_spring),
        cmocka_unit_test(thrust_follows_the_rocket),
        cmocka_unit_test(bodies_pull_each_other),
        cmocka_unit_test(forces_act_only_where_they_act),
        cmocka_unit_test(expressions_are_gains),
        cmocka_unit_test(torques_by_coordinates),
        cmocka_unit_test(targets_follow_other_joints),
        cmocka_unit_test(callbacks_have_slopes),
        cmocka_unit_test(what_drives_is_explicit),
        cmocka_unit_test(trapezoids_take_drag),
        cmocka_unit_test(scenes_name_quantities),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(what_has_no_value_is_told),
        cmocka_unit_test(removed_things_are_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
