/* Values of quantities against closed forms: reactions of a pendulum, accelerometers and gyros on rotating, falling and resting bodies,
 * contact forces of a stack, works and powers of drives, springs. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

/* A simulation of a scene given as text, with this step and integrator. */
static world start(const char *text, double step, cairn_integrator integrator)
{
    world w = {.context = cairn_context_create()};
    if (cairn_scene_parse(w.context, "test", text, strlen(text), NULL, 0, &w.scene))
        fail_msg("%s", cairn_context_last_message(w.context));
    cairn_settings settings = cairn_scene_settings(w.scene);
    settings.step = step;
    settings.integrator = integrator;
    world_start(&w, &settings);
    return w;
}

/* Read a quantity; returns how many numbers it has. */
static int read(const world *w, const char *name, double out[3])
{
    cairn_quantity quantity;
    if (cairn_quantity_find(w->context, world_model(w), name, &quantity))
        fail_msg("%s", cairn_context_last_message(w->context));
    assert_int_equal(cairn_quantity_value(w->simulation, &quantity, out), CAIRN_OK);
    return quantity.count;
}

static double value(const world *w, const char *name)
{
    double out[3];
    assert_int_equal(read(w, name, out), 1);
    return out[0];
}

/* ------------------------------------------------------------------------------------------------------- reactions */

enum
{
    PLANE = 2,
    SPACE = 3
};
static const double MASS = 2, INERTIA = 0.3, LENGTH = 0.7, G = 9.81;

/* Rotate a vector of the pendulum's plane into the world: columns of a rotation in space, or of a turn in the plane. */
typedef struct placing
{
    int dimension;
    double x[3], y[3], z[3]; /* what the axes become */
    double turn[4];          /* as a quaternion */
    double angle;
} placing;

static placing place(int dimension, double angle)
{
    placing p = {.dimension = dimension, .angle = angle};
    if (dimension == PLANE)
    {
        p.x[0] = p.y[1] = cos(angle);
        p.x[1] = sin(angle);
        p.y[0] = -sin(angle);
        p.z[2] = 1;
        return p;
    }
    /* about (1, 2, 2)/3, by Rodrigues' formula */
    double n[3] = {1.0 / 3, 2.0 / 3, 2.0 / 3}, c = cos(angle), s = sin(angle), *column[3] = {p.x, p.y, p.z};
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
        {
            int k = 3 - i - j;
            double cross = i == j ? 0 : ((j + 1) % 3 == i ? 1 : -1) * (k >= 0 && k < 3 ? n[k] : 0);
            column[j][i] = (i == j ? c : 0) + (1 - c) * n[i] * n[j] + s * cross;
        }
    p.turn[0] = cos(angle / 2);
    for (int i = 0; i < 3; ++i)
        p.turn[i + 1] = sin(angle / 2) * n[i];
    return p;
}

static void combine(const placing *p, double x, double y, double out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = x * p->x[i] + y * p->y[i];
}

/* A rigid pendulum, `theta` from where it hangs. */
static world pendulum(const placing *p, double theta, double step, cairn_integrator integrator)
{
    world w = world_new(p->dimension);
    cairn_body_options o = cairn_body_default();
    cairn_body body;
    cairn_joint joint;
    double down[3], half[4] = {cos(theta / 2), 0, 0, sin(theta / 2)};
    o.name = "rod";
    o.mass = MASS;
    o.inertia[0] = o.inertia[1] = o.inertia[2] = INERTIA;
    combine(p, LENGTH * sin(theta), -LENGTH * cos(theta), o.position);
    o.angle = p->angle + theta;
    const double *t = p->turn;
    if (p->dimension == SPACE)
    {
        o.orientation[0] = t[0] * half[0] - t[3] * half[3];
        o.orientation[1] = t[1] * half[0] + t[2] * half[3];
        o.orientation[2] = t[2] * half[0] - t[1] * half[3];
        o.orientation[3] = t[3] * half[0] + t[0] * half[3];
    }
    assert_int_equal(cairn_model_add_body(w.model, &o, &body), CAIRN_OK);
    cairn_joint_options j = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    j.name = "pivot";
    j.b.body = body;
    j.b.point[1] = LENGTH;
    memcpy(j.axis, p->z, sizeof j.axis);
    assert_int_equal(cairn_model_add_joint(w.model, &j, &joint), CAIRN_OK);
    combine(p, 0, -G, down);
    cairn_model_set_gravity(w.model, down);
    cairn_settings settings = cairn_settings_default();
    settings.step = step;
    settings.integrator = integrator;
    world_start(&w, &settings);
    return w;
}

/* The largest deviation, over a swing of 0.6 s, of the reaction from
 *
 *     m g cos theta + m l omega^2   towards the pivot,   m g sin theta I / (I + m l^2)   across
 *
 * in the middle of the step; theta is counted from where it starts. */
static double reaction_error(int dimension, double turn, double step, cairn_integrator integrator)
{
    const double theta0 = 1.1;
    placing p = place(dimension, turn);
    world w = pendulum(&p, theta0, step, integrator);
    double worst = 0;
    for (int i = 0; i < (int)lround(0.6 / step); ++i)
    {
        double theta = theta0 + value(&w, "pivot.angle"), omega = value(&w, "pivot.angle.rate"), found[3] = {0},
               wanted[3];
        world_step(&w);
        theta = 0.5 * (theta + theta0 + value(&w, "pivot.angle"));
        omega = 0.5 * (omega + value(&w, "pivot.angle.rate"));
        double along = MASS * G * cos(theta) + MASS * LENGTH * omega * omega;
        double across = MASS * G * sin(theta) * INERTIA / (INERTIA + MASS * LENGTH * LENGTH);
        combine(&p, -along * sin(theta) + across * cos(theta), along * cos(theta) + across * sin(theta), wanted);
        assert_int_equal(read(&w, "pivot.force", found), dimension);
        for (int k = 0; k < dimension; ++k)
            worst = fmax(worst, fabs(found[k] - wanted[k]));
        double moment[3];
        int count = read(&w, "pivot.moment", moment);
        assert_int_equal(count, dimension == 2 ? 1 : 3);
        for (int k = 0; k < count; ++k)
            assert_near(moment[k], 0, 1e-9);
        assert_near(value(&w, "pivot.force.magnitude"), hypot(hypot(found[0], found[1]), found[2]), 1e-12);
        assert_near(value(&w, "pivot.force.y"), found[1], 0);
    }
    world_free(&w);
    return worst;
}

/* A mass on a rod without mass: the rod pulls with m g cos theta + m l omega^2, along itself. */
static double rod_error(double step, cairn_integrator integrator)
{
    world w = world_new(2);
    add_point(w.model, "bob", MASS, LENGTH * sin(1.1), -LENGTH * cos(1.1), (cairn_material){.id = 0});
    cairn_joint_options j = cairn_joint_default(CAIRN_JOINT_DISTANCE);
    cairn_joint joint;
    j.name = "rod";
    j.b.body = cairn_model_find_body(w.model, "bob");
    assert_int_equal(cairn_model_add_joint(w.model, &j, &joint), CAIRN_OK);
    cairn_model_set_gravity(w.model, (double[3]){0, -G, 0});
    cairn_settings settings = cairn_settings_default();
    settings.step = step;
    settings.integrator = integrator;
    world_start(&w, &settings);
    double worst = 0;
    for (int i = 0; i < (int)lround(0.6 / step); ++i)
    {
        cairn_body_state a = world_body(&w, "bob"), b;
        double f[3];
        world_step(&w);
        b = world_body(&w, "bob");
        double x = 0.5 * (a.position[0] + b.position[0]), y = 0.5 * (a.position[1] + b.position[1]);
        double vx = 0.5 * (a.velocity[0] + b.velocity[0]), vy = 0.5 * (a.velocity[1] + b.velocity[1]);
        double pull = MASS * (-G * y + vx * vx + vy * vy) / (LENGTH * LENGTH); /* per length */
        read(&w, "rod.force", f);
        worst = fmax(worst, hypot(f[0] + pull * x, f[1] + pull * y));
    }
    world_free(&w);
    return worst;
}

static void reaction_of_a_rod(void **state)
{
    (void)state;
    double coarse = rod_error(0.01, CAIRN_INTEGRATOR_STIFF2), fine = rod_error(0.005, CAIRN_INTEGRATOR_STIFF2);
    if (!(coarse < 0.03 && fine < coarse / 3.4))
        fail_msg("errors %g and %g", coarse, fine);
    coarse = rod_error(0.01, CAIRN_INTEGRATOR_STIFF);
    fine = rod_error(0.005, CAIRN_INTEGRATOR_STIFF);
    if (!(coarse < 1.5 && fine < coarse / 1.7))
        fail_msg("stiff: errors %g and %g", coarse, fine);
}

static void reaction_of_a_pendulum(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension)
        for (int i = 0; i < 3; ++i)
        {
            double turn = 0.9 * i, coarse = reaction_error(dimension, turn, 0.01, CAIRN_INTEGRATOR_STIFF2);
            double fine = reaction_error(dimension, turn, 0.005, CAIRN_INTEGRATOR_STIFF2);
            if (!(coarse < 0.02 && fine < coarse / 3.4))
                fail_msg("dimension %d, turn %g: errors %g and %g", dimension, turn, coarse, fine);
            coarse = reaction_error(dimension, turn, 0.01, CAIRN_INTEGRATOR_STIFF);
            fine = reaction_error(dimension, turn, 0.005, CAIRN_INTEGRATOR_STIFF);
            if (!(coarse < 1.5 && fine < coarse / 1.7))
                fail_msg("stiff, dimension %d, turn %g: errors %g and %g", dimension, turn, coarse, fine);
        }
}

/* --------------------------------------------------------------------------------------------------------- sensors */

/* A driven arm that turns at a steady rate w under gravity. In the arm's frame the point at radius r has the acceleration -w^2 r,
 * as a mean over the step times sin(wh/2)/(wh/2), and gravity turns the other way. */
static void accelerometer_on_a_rotating_arm(void **state)
{
    (void)state;
    static const cairn_integrator SCHEMES[] = {CAIRN_INTEGRATOR_EULER, CAIRN_INTEGRATOR_STIFF, CAIRN_INTEGRATOR_STIFF2};
    for (int scheme = 0; scheme < 3; ++scheme)
        for (double h = 0.02; h > 0.004; h /= 2)
        {
            world w =
                start("dimension: 2\ngravity: [0, -9.81]\nbodies: [{name: arm, kind: driven, motion: {angle: '7*t'}}]",
                      h, SCHEMES[scheme]);
            for (int i = 1; i <= 40; ++i)
            {
                world_step(&w);
                double a[3], phi = 7 * (i - 0.5) * h, factor = sin(3.5 * h) / (3.5 * h);
                assert_int_equal(read(&w, "accelerometer(arm,0.5,0)", a), 2);
                assert_near(a[0], -49 * 0.5 * factor + G * sin(phi), 1e-6);
                assert_near(a[1], G * cos(phi), 1e-6);
                if (SCHEMES[scheme] == CAIRN_INTEGRATOR_STIFF2)
                    assert_near(value(&w, "gyro(arm)"), 7, 1e-6);
                read(&w, "accelerometer(arm)", a);
                assert_near(hypot(a[0], a[1]), G, 1e-9);
            }
            world_free(&w);
        }
}

/* A ball that spins about a skew axis while it falls: 0 at its centre, centripetal elsewhere. */
static void accelerometer_in_free_fall(void **state)
{
    (void)state;
    static const cairn_integrator SCHEMES[] = {CAIRN_INTEGRATOR_EULER, CAIRN_INTEGRATOR_STIFF, CAIRN_INTEGRATOR_STIFF2};
    for (int scheme = 0; scheme < 3; ++scheme)
    {
        world w = start(
            "dimension: 3\ngravity: [1, 2, -9.81]\nbodies:\n  - {name: 'ball.1', mass: 2, inertia: [0.4, 0.4, 0.4], "
            "velocity: [3, 0, 4], angular_velocity: [2, -1, 2], orientation: {axis: [1, 1, 0], angle: 0.7}}",
            0.01, SCHEMES[scheme]);
        for (int i = 0; i < 30; ++i)
        {
            world_step(&w);
            double a[3], at[3], spin[3];
            read(&w, "accelerometer('ball.1')", a);
            read(&w, "accelerometer(ball.1,0.3,0.5,-0.1)", at);
            read(&w, "gyro(ball.1)", spin);
            /* omega x (omega x p) = omega (omega . p) - 9 p, with omega . p = -0.1 */
            const double p[3] = {0.3, 0.5, -0.1}, omega[3] = {2, -1, 2}, factor = sin(0.015) / 0.015;
            for (int k = 0; k < 3; ++k)
            {
                assert_near(a[k], 0, 1e-11);
                assert_near(spin[k], omega[k], 1e-12);
                assert_near(at[k], factor * (omega[k] * -0.1 - 9 * p[k]), 2e-9);
            }
            read(&w, "ball.1.acceleration", a);
            assert_near(a[0], 1, 1e-11);
            assert_near(a[2], -9.81, 1e-11);
        }
        world_free(&w);
    }
}

static const char STACK[] =
    "dimension: 2\ngravity: [0, -9.81]\nbodies:\n"
    "  - {name: floor, kind: fixed, shapes: [{type: half-plane}]}\n"
    "  - {name: low, mass: 5, position: [0, 0.5], angle: 1.5707963267948966, "
    "shapes: [{type: rectangle, size: [1, 1]}]}\n"
    "  - {name: top, mass: 2, position: [0.1, 1.5], shapes: [{type: rectangle, size: [1, 1]}]}\n";

/* At rest the contacts carry the weight, and an accelerometer shows g upwards: to the right in the frame of a body on its side. */
static void contact_forces_of_a_stack(void **state)
{
    (void)state;
    static const cairn_integrator SCHEMES[] = {CAIRN_INTEGRATOR_EULER, CAIRN_INTEGRATOR_STIFF, CAIRN_INTEGRATOR_STIFF2};
    for (int scheme = 0; scheme < 3; ++scheme)
    {
        world w = start(STACK, 0.005 * (scheme + 1), SCHEMES[scheme]);
        assert_near(value(&w, "low.contact_force.y"), 0, 0); /* before the first step */
        world_run(&w, 20);
        double f[3];
        assert_int_equal(read(&w, "low.contact_force", f), 2);
        assert_near(f[0], 0, 1e-7);
        assert_near(f[1], 5 * G, 1e-7);
        assert_near(value(&w, "top.contact_force.magnitude"), 2 * G, 1e-7);
        assert_near(value(&w, "force(low,floor).y"), 7 * G, 1e-7);
        assert_near(value(&w, "force(floor,low).y"), -7 * G, 1e-7);
        assert_near(value(&w, "force( low , top ).y"), -2 * G, 1e-7);
        assert_near(value(&w, "force(top,floor).y"), 0, 0);
        assert_near(value(&w, "distance(low,top)"), sqrt(1.01), 1e-7);
        assert_near(value(&w, "point(low,0.5,0).y"), 1, 1e-7);
        read(&w, "accelerometer(low)", f);
        assert_near(f[0], G, 1e-7);
        assert_near(f[1], 0, 1e-7);
        world_free(&w);
    }
}

/* ------------------------------------------------------------------------------------------------- works and powers */

/* A torque of 3 N m against dry friction of 1 turns a rotor of 0.5 kg m^2: angle 2 t^2, works 6 t^2 and -2 t^2. */
static void works_of_a_drive(void **state)
{
    (void)state;
    static const char ROTOR[] =
        "dimension: 3\ngravity: [0, 0, 0]\nbodies: [{name: rotor, mass: 1, inertia: [0.5, 0.5, 0.5]}]\n"
        "joints: [{name: hub, type: revolute, bodies: [world, rotor], at: [0, 0, 0], axis: [0, 1, 2], "
        "coordinates: {angle: {friction: 1, drive: {type: force, target: 3}}}}]";
    for (int fine = 0; fine < 2; ++fine)
    {
        double h = fine ? 0.0025 : 0.01, integral = 0;
        world w = start(ROTOR, h, CAIRN_INTEGRATOR_STIFF2);
        for (int i = 1; i <= (fine ? 400 : 100); ++i)
        {
            world_step(&w);
            double t = i * h;
            integral += h * value(&w, "hub.angle.power");
            assert_near(value(&w, "hub.angle"), 2 * t * t, 1e-9);
            assert_near(value(&w, "hub.angle.rate"), 4 * t, 1e-9);
            assert_near(value(&w, "hub.angle.drive"), 3, 1e-9);
            assert_near(value(&w, "hub.torque"), 3, 1e-9);
            assert_near(value(&w, "hub.angle.friction"), -1, 1e-9);
            assert_near(value(&w, "hub.angle.power"), 3 * 4 * (t - 0.5 * h), 1e-8);
            assert_near(value(&w, "hub.angle.drive_work"), 6 * t * t, 1e-9);
            assert_near(value(&w, "hub.angle.friction_work"), -2 * t * t, 1e-9);
            assert_near(value(&w, "hub.angle.drive_work"), integral, 1e-11);
            assert_near(value(&w, "energy.kinetic"), 4 * t * t, 1e-9);
            assert_near(value(&w, "energy/work_joints"), 4 * t * t, 1e-9);
            assert_near(value(&w, "hub.work"), 4 * t * t, 1e-9);
        }
        world_free(&w);
    }
}

/* A spring in a coordinate: its work is what the rotor loses, and limits do the work of an impact, -(1 - e^2) of the energy. */
static void works_of_spring_and_limit(void **state)
{
    (void)state;
    static const char SLIDER[] =
        "dimension: 2\ngravity: [0, 0]\nbodies: [{name: car, mass: 2, inertia: 1, velocity: [3, 0]}]\n"
        "joints: [{name: rail, type: prismatic, bodies: [world, car], at: [0, 0], axis: [1, 0], "
        "coordinates: {position: {stiffness: 8, rest: 0, upper: 0.9, restitution: 0.5}}}]";
    world w = start(SLIDER, 0.003, CAIRN_INTEGRATOR_STIFF2);
    world_run(&w, 120);
    /* v^2 = 9 - 4 x^2 before the impact at x = 0.9; after it a quarter of that */
    double energy = 0.5 * 2 * (9 - 4 * 0.81);
    assert_near(value(&w, "rail.position.limit_work"), -0.75 * energy, 1e-4);
    world_run(&w, 150);
    double x = value(&w, "rail.position");
    assert_true(x < 0.8);
    assert_near(value(&w, "rail.position.spring_work"), -0.5 * 8 * x * x, 2e-4);
    assert_near(value(&w, "rail.position.spring"), -8 * x, 0.05);
    assert_near(value(&w, "rail.position.drive_work"), 0, 0);
    world_free(&w);
}

/* A coupling, twice the height of a lift of 4 kg, is moved as t^2: the lift rises by t^2/2 with the force 4 (10 + 1) N, half of which
 * acts along the sum. */
static void works_of_a_coupling(void **state)
{
    (void)state;
    static const char LIFT[] =
        "dimension: 2\ngravity: [0, -10]\nbodies: [{name: lift, mass: 4, inertia: 1}]\n"
        "joints: [{name: rail, type: prismatic, bodies: [world, lift], at: [0, 0], axis: [0, 1]}]\n"
        "couplings: [{name: winch, terms: [{joint: rail, factor: 2}], value: 't^2'}]";
    const double h = 0.01;
    double integral = 0;
    world w = start(LIFT, h, CAIRN_INTEGRATOR_STIFF2);
    for (int i = 1; i <= 100; ++i)
    {
        world_step(&w);
        integral += h * value(&w, "winch.value.power");
        assert_near(value(&w, "winch.value"), i * h * i * h, 1e-9);
        assert_near(value(&w, "winch.value.drive"), 22, 1e-6);
        assert_near(value(&w, "winch.value.drive_work"), 22 * i * h * i * h, 1e-6);
        assert_near(value(&w, "winch.value.drive_work"), integral, 1e-10);
    }
    cairn_quantity none;
    assert_int_equal(cairn_quantity_find(w.context, world_model(&w), "winch.force", &none), CAIRN_INVALID);
    world_free(&w);
}

/* Works are part of the state, and of what stays when the model changes. */
static void works_are_kept(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_body rotor = add_point(w.model, "bead", 1, 0, 0, (cairn_material){.id = 0});
    cairn_joint_options j = cairn_joint_default(CAIRN_JOINT_SLOT);
    cairn_joint joint, other;
    j.name = "wire";
    j.b.body = rotor;
    j.axis[0] = 1;
    assert_int_equal(cairn_model_add_joint(w.model, &j, &joint), CAIRN_OK);
    cairn_coordinate_options drive = cairn_coordinate_default();
    drive.drive = CAIRN_DRIVE_FORCE;
    drive.target.expression = "2";
    assert_int_equal(cairn_model_set_coordinate(w.model, joint, "position", &drive), CAIRN_OK);
    cairn_model_set_gravity(w.model, (double[3]){0, 0, 0});
    cairn_settings settings = cairn_settings_default();
    world_start(&w, &settings);
    world_run(&w, 50);
    double work = value(&w, "wire.position.drive_work");
    assert_near(work, 0.5, 0.02);
    assert_near(value(&w, "energy.kinetic"), work, 1e-12);
    double power = value(&w, "wire.position.power"), acceleration = value(&w, "bead.acceleration.x");
    assert_near(power, 2 * value(&w, "bead.velocity.x"), 0.1);
    assert_near(acceleration, 2, 1e-9);
    cairn_state *saved;
    assert_int_equal(cairn_simulation_save(w.simulation, &saved), CAIRN_OK);
    world_run(&w, 5);
    double later = value(&w, "wire.position.drive_work");
    assert_int_equal(cairn_simulation_restore(w.simulation, saved), CAIRN_OK);
    assert_near(value(&w, "wire.position.drive_work"), work, 0);
    assert_near(value(&w, "wire.position.power"), power, 0);
    assert_near(value(&w, "bead.acceleration.x"), acceleration, 0);
    world_run(&w, 5);
    assert_near(value(&w, "wire.position.drive_work"), later, 0);
    cairn_state_destroy(saved);

    cairn_body second = add_point(w.model, "other", 1, 5, 5, (cairn_material){.id = 0});
    j.name = "another";
    j.b.body = second;
    assert_int_equal(cairn_model_add_joint(w.model, &j, &other), CAIRN_OK);
    assert_int_equal(cairn_simulation_update(w.simulation), CAIRN_INVALID); /* the bead is not on its wire */
    assert_int_equal(cairn_model_remove_joint(w.model, other), CAIRN_OK);
    assert_int_equal(cairn_simulation_update(w.simulation), CAIRN_OK);
    assert_near(value(&w, "wire.position.drive_work"), later, 0);
    world_run(&w, 1);
    assert_near(value(&w, "bead.acceleration.x"), 2, 1e-9);
    cairn_body_state moved = cairn_simulation_body(w.simulation, rotor);
    moved.velocity[0] += 100;
    assert_int_equal(cairn_simulation_set_body(w.simulation, rotor, &moved), CAIRN_OK);
    assert_near(value(&w, "bead.acceleration.x"), 0, 0); /* a jump by hand is none */
    world_free(&w);
}

/* ---------------------------------------------------------------------------------------------------------- springs */

static void springs(void **state)
{
    (void)state;
    world w = start(
        "dimension: 2\ngravity: [0, -10]\nbodies:\n  - {name: bob, mass: 3, point: true, position: [0, -1.5]}\n"
        "  - {name: bead, mass: 2, point: true, position: [4, -0.5]}\n"
        "  - {name: dial, mass: 1, inertia: 1, position: [9, 0], velocity: [0, 0], angular_velocity: 2}\n"
        "springs:\n  - {name: coil, type: linear, bodies: [world, bob], stiffness: 60, rest: 1}\n"
        "  - {name: band, type: linear, bodies: [world, bead], points: [[4, 0], [0, 0]], stiffness: 40, rest: 0}\n"
        "  - {name: clock, type: angular, bodies: [world, dial], stiffness: 0, damping: 5, rest: 0}\n",
        0.01, CAIRN_INTEGRATOR_STIFF);
    assert_near(value(&w, "clock.force"), 10, 1e-12);
    world_run(&w, 10);
    assert_near(value(&w, "coil.force"), 30, 1e-9);
    assert_near(value(&w, "coil.length"), 1.5, 1e-12);
    assert_near(value(&w, "coil.stretch"), 0.5, 1e-12);
    assert_near(value(&w, "coil.work"), 0, 1e-12);
    assert_near(value(&w, "band.force"), 20, 1e-9);
    cairn_quantity q;
    assert_int_equal(cairn_quantity_find(w.context, world_model(&w), "clock.force", &q), CAIRN_OK);
    assert_string_equal(q.unit, "N m");
    assert_int_equal(cairn_quantity_find(w.context, world_model(&w), "coil.force", &q), CAIRN_OK);
    assert_string_equal(q.unit, "N");
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reaction_of_a_pendulum),
        cmocka_unit_test(reaction_of_a_rod),
        cmocka_unit_test(accelerometer_on_a_rotating_arm),
        cmocka_unit_test(accelerometer_in_free_fall),
        cmocka_unit_test(contact_forces_of_a_stack),
        cmocka_unit_test(works_of_a_drive),
        cmocka_unit_test(works_of_spring_and_limit),
        cmocka_unit_test(works_are_kept),
        cmocka_unit_test(springs),
        cmocka_unit_test(works_of_a_coupling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
