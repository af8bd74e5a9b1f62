/* Friction of joints in proportion to their reaction, against closed solutions and an integration of its own. */
#include "audit/audit_internal.h"
#include "support/check.h"
#include "support/worlds.h"

#include <string.h>

static const double PI = 3.14159265358979323846, G = 9.81;
static const cairn_integrator SCHEMES[] = {CAIRN_INTEGRATOR_EULER, CAIRN_INTEGRATOR_STIFF, CAIRN_INTEGRATOR_STIFF2};

typedef struct machine
{
    world w;
    cairn_body body;
    cairn_joint joint;
} machine;

/* A body of mass 2 and inertia 0.5 about every axis, held by a joint to the world at a point of the body. */
static machine make(int dimension, cairn_joint_options j, const double point[3], const double velocity[3],
                    const double spin[3], const char *coordinate, const cairn_coordinate_options *o)
{
    machine m = {.w = world_new(dimension)};
    cairn_body_options b = cairn_body_default();
    b.name = "part";
    b.mass = 2;
    for (int k = 0; k < 3; ++k)
    {
        b.inertia[k] = 0.5;
        b.velocity[k] = velocity[k];
        b.angular_velocity[k] = spin[k];
    }
    assert_int_equal(cairn_model_add_body(m.w.model, &b, &m.body), CAIRN_OK);
    j.name = "bearing";
    j.b.body = m.body;
    memcpy(j.b.point, point, sizeof j.b.point);
    memcpy(j.a.point, point, sizeof j.a.point);
    assert_int_equal(cairn_model_add_joint(m.w.model, &j, &m.joint), CAIRN_OK);
    assert_int_equal(cairn_model_set_coordinate(m.w.model, m.joint, coordinate, o), CAIRN_OK);
    return m;
}

/* Coordinate and rate at `until`; no step misses its tolerance, and the audit finds nothing. */
static void run(machine *m, cairn_integrator integrator, int steps, double until, double out[2])
{
    cairn_settings settings = cairn_settings_default();
    settings.integrator = integrator;
    settings.step = until / steps;
    world_start(&m->w, &settings);
    world_run(&m->w, steps);
    cairn_audit_totals totals = cairn_simulation_audit(m->w.simulation);
    for (int k = 0; k < CAIRN_VIOLATION_KINDS; ++k)
        assert_int_equal(totals.count[k], 0);
    const cairn_energy *energy = &cairn_simulation_report(m->w.simulation)->energy;
    assert_near(energy->balance_error, 0, 1e-9 * (1 + fabs(energy->work_joints)));
    out[0] = cairn_simulation_coordinate(m->w.simulation, m->joint, 0, &out[1]);
    cairn_simulation_destroy(m->w.simulation);
    m->w.simulation = NULL;
}

/* A shaft under its own weight slows down by mu r m g/I, and stops. Its axis lies anywhere in the horizontal plane. */
static void a_shaft_slows_down(void **state)
{
    (void)state;
    const double zero[3] = {0};
    for (int dimension = 2; dimension <= 3; ++dimension)
    {
        const double axis[3] = {0.6, 0.8, 0}, spin[3] = {dimension == 3 ? 6 : 0, dimension == 3 ? 8 : 0, 10};
        double turn[3] = {spin[0], spin[1], dimension == 2 ? 10 : 0};
        cairn_coordinate_options o = cairn_coordinate_default();
        o.friction_coefficient = 0.3;
        o.friction_radius = 0.1;
        o.friction = 0.05;
        cairn_joint_options j = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
        memcpy(j.axis, axis, sizeof axis);
        machine m = make(dimension, j, zero, zero, turn, "angle", &o);
        double a = (0.05 + 0.3 * 0.1 * 2 * G) / 0.5, stop = 10 / a, end[2];
        for (int i = 0; i < 3; ++i)
            for (int steps = 50; steps <= 350; steps += 150)
            {
                run(&m, SCHEMES[i], steps, 0.7 * stop, end);
                assert_near(end[1], 3, 1e-7);
                run(&m, SCHEMES[i], steps, 1.31 * stop, end);
                assert_near(end[1], 0, 1e-9);
                double error = i < 2 ? 10 * 1.31 * stop / steps : 1e-3 / steps;
                assert_near(end[0], 0.5 * 10 * stop, error);
            }
        world_free(&m.w);
    }
}

/* theta'' of a pendulum that moves with `sign`: J theta'' = -m g L sin - sign mu r N, with N from the acceleration of its centre. */
static double acceleration(double theta, double rate, double mu_r, double sign)
{
    const double m = 2, L = 0.4, J = 0.5 + m * L * L;
    double a = -m * G * L * sin(theta) / J;
    for (int i = 0; i < 200; ++i)
    {
        double N = m * hypot(L * rate * rate + G * cos(theta), L * a + G * sin(theta));
        a = (-m * G * L * sin(theta) - sign * mu_r * N) / J;
    }
    return a;
}

/* Runge-Kutta's method of order 4 while the pendulum moves one way, and on from its turning points, found by halving. */
static void swing(double theta, double rate, double mu_r, double until, double out[2])
{
    double t = 0, h = until / 2000, x = theta, v = rate;
    double sign = v > 0 ? 1 : v < 0 ? -1 : sin(x) < 0 ? 1 : -1;
    while (t < until - 1e-12)
    {
        double step = fmin(h, until - t), nx, nv;
        for (;; step *= 0.5)
        {
            double k1 = acceleration(x, v, mu_r, sign), v2 = v + 0.5 * step * k1;
            double k2 = acceleration(x + 0.5 * step * v, v2, mu_r, sign), v3 = v + 0.5 * step * k2;
            double k3 = acceleration(x + 0.5 * step * v2, v3, mu_r, sign), v4 = v + step * k3;
            double k4 = acceleration(x + step * v3, v4, mu_r, sign);
            nx = x + step * (v + 2 * v2 + 2 * v3 + v4) / 6;
            nv = v + step * (k1 + 2 * k2 + 2 * k3 + k4) / 6;
            if (nv * sign >= 0 || step < 1e-13)
                break;
        }
        x = nx;
        v = nv;
        t += step;
        if (v * sign < 0 || step < 1e-12)
            sign = -sign;
    }
    out[0] = x;
    out[1] = v;
}

static void a_pendulum_loses_swing(void **state)
{
    (void)state;
    const double point[3] = {0, 0.4, 0};
    cairn_coordinate_options o = cairn_coordinate_default();
    o.friction_coefficient = 0.5;
    o.friction_radius = 0.06;
    for (int leg = 0; leg < 2; ++leg)
    {
        double until = leg == 0 ? 0.3 : 2.1, exact[2];
        const double velocity[3] = {1.6, 0, 0}, spin[3] = {0, 0, 4};
        machine m = make(2, cairn_joint_default(CAIRN_JOINT_REVOLUTE), point, velocity, spin, "angle", &o);
        swing(0, 4, 0.03, until, exact);
        for (int i = 0; i < 3; ++i)
        {
            double expected = 0, end[2];
            for (int finer = 0; finer < 3; ++finer)
            {
                run(&m, SCHEMES[i], (leg == 0 ? 20 : 140) << finer, until, end);
                double error = fabs(end[0] - exact[0]) + fabs(end[1] - exact[1]);
                if (finer == 2 && error > 1.6 * expected)
                    fail_msg("%s: error %.3g where the order leads to %.3g", cairn_integrator_name(SCHEMES[i]), error,
                             expected);
                expected = fmax(expected, error) / (i == 2 ? 4 : 2);
            }
        }
        world_free(&m.w);
    }
}

/* On a slope: a = g (sin - mu cos), or at rest for good. The slide is turned about the vertical too. */
static void a_slider_feels_its_weight(void **state)
{
    (void)state;
    const double zero[3] = {0}, slope = 0.4;
    for (int i = 0; i < 3; ++i)
        for (int holds = 0; holds < 2; ++holds)
            for (int steps = 10; steps <= 160; steps *= 4)
            {
                double mu = tan(slope) * (holds ? 1.02 : 0.8), end[2];
                cairn_coordinate_options o = cairn_coordinate_default();
                o.friction_coefficient = mu;
                cairn_joint_options j = cairn_joint_default(CAIRN_JOINT_PRISMATIC);
                memcpy(j.axis, (double[3]){0.6 * cos(slope), 0.8 * cos(slope), -sin(slope)}, sizeof j.axis);
                machine m = make(3, j, zero, zero, zero, "position", &o);
                run(&m, SCHEMES[i], steps, 1.3, end);
                assert_near(end[1], holds ? 0 : 1.3 * G * (sin(slope) - mu * cos(slope)), 1e-7);
                world_free(&m.w);
            }
}

/* A drawer of length L that is pulled at the distance e from its middle: it moves with (F - 2 mu F e/L)/m, and jams from e = L/(2 mu). */
static void a_drawer_jams(void **state)
{
    (void)state;
    const double zero[3] = {0}, F = 12, mu = 0.25, L = 0.6;
    for (int i = 0; i < 3; ++i)
        for (int jams = 0; jams < 2; ++jams)
        {
            double e = L / (2 * mu) * (jams ? 1.05 : 0.9), end[2];
            cairn_coordinate_options o = cairn_coordinate_default();
            o.friction_coefficient = mu;
            o.bearing_length = L;
            cairn_joint_options j = cairn_joint_default(CAIRN_JOINT_PRISMATIC);
            memcpy(j.axis, (double[3]){0, 1, 0}, sizeof j.axis);
            machine m = make(3, j, zero, zero, zero, "position", &o);
            cairn_model_set_gravity(m.w.model, zero);
            cairn_force_options f = cairn_force_default();
            cairn_force handle;
            f.name = "pull";
            f.body = m.body;
            f.point[0] = 0.6 * e;
            f.point[2] = 0.8 * e;
            f.force[1] = "12";
            assert_int_equal(cairn_model_add_force(m.w.model, &f, &handle), CAIRN_OK);
            run(&m, SCHEMES[i], 40, 0.9, end);
            assert_near(end[1], jams ? 0 : 0.9 * (F - 2 * mu * F * e / L) / 2, 1e-7);
            world_free(&m.w);
        }
}

/* A nut on a vertical screw holds itself where tan(lead) < mu; otherwise it turns down with the acceleration
 * m g (mu r - k)/(I + m k^2 - mu r m k), k = pitch/(2 pi). */
static void a_screw_locks_itself(void **state)
{
    (void)state;
    const double zero[3] = {0}, r = 0.05, lead = 0.1;
    for (int i = 0; i < 3; ++i)
        for (int locks = 0; locks < 2; ++locks)
            for (int steps = 20; steps <= 320; steps *= 4)
            {
                double k = r * tan(lead), mu = tan(lead) * (locks ? 1.03 : 0.97), end[2];
                cairn_joint_number pitch = {.name = "pitch", .value = 2 * PI * k};
                cairn_coordinate_options o = cairn_coordinate_default();
                o.friction_coefficient = mu;
                o.thrust_radius = r;
                cairn_joint_options j = cairn_joint_default(CAIRN_JOINT_SCREW);
                j.numbers = &pitch;
                j.number_count = 1;
                machine m = make(3, j, zero, zero, zero, "angle", &o);
                run(&m, SCHEMES[i], steps, 3, end);
                double a = 2 * G * (mu * r - k) / (0.5 + 2 * k * k - mu * r * 2 * k);
                assert_near(end[1], locks ? 0 : 3 * a, 1e-7);
                world_free(&m.w);
            }
}

static cairn_body add_slider(world *w, const char *name, double mass, const double position[3], const double axis[3],
                             double mu, cairn_joint *joint)
{
    cairn_body_options b = cairn_body_default();
    cairn_joint_options j = cairn_joint_default(CAIRN_JOINT_PRISMATIC);
    cairn_coordinate_options o = cairn_coordinate_default();
    cairn_body body;
    b.name = j.name = name;
    b.mass = b.inertia[2] = mass;
    memcpy(b.position, position, sizeof b.position);
    assert_int_equal(cairn_model_add_body(w->model, &b, &body), CAIRN_OK);
    j.b.body = body;
    memcpy(j.a.point, position, sizeof j.a.point);
    memcpy(j.axis, axis, sizeof j.axis);
    assert_int_equal(cairn_model_add_joint(w->model, &j, joint), CAIRN_OK);
    o.friction_coefficient = mu;
    assert_int_equal(cairn_model_set_coordinate(w->model, *joint, "position", &o), CAIRN_OK);
    return body;
}

/* A weight M on a vertical guide spreads a light slider m by a strut at the angle phi. Friction makes the strut press harder, and from
 * mu tan(phi) = 1 on, hardly more than sliding can overcome: it jams. Below, m x'' = S cos - mu (m g + S sin) with the force S of the
 * strut from M y'' = S sin - M g and y'' = -cot x''. */
static void a_strut_jams(void **state)
{
    (void)state;
    const double M = 2, m = 0.01, mu = 0.5, h = 1e-5;
    for (int i = 0; i < 3; ++i)
        for (int jams = 0; jams < 2; ++jams)
        {
            double phi = atan(jams ? 2.1 : 1.9), S = sin(phi), C = cos(phi), rate;
            world w = world_new(2);
            cairn_joint guide, other, rod;
            cairn_body slider = add_slider(&w, "slider", m, (double[3]){C, 0, 0}, (double[3]){1, 0, 0}, mu, &guide);
            cairn_body top = add_slider(&w, "top", M, (double[3]){0, S, 0}, (double[3]){0, 1, 0}, 0, &other);
            cairn_joint_options j = cairn_joint_default(CAIRN_JOINT_DISTANCE);
            j.name = "strut";
            j.a.body = slider;
            j.b.body = top;
            assert_int_equal(cairn_model_add_joint(w.model, &j, &rod), CAIRN_OK);
            cairn_settings settings = cairn_settings_default();
            settings.integrator = SCHEMES[i];
            settings.step = h;
            world_start(&w, &settings);
            world_run(&w, 10);
            cairn_simulation_coordinate(w.simulation, guide, 0, &rate);
            /* [m, mu S - C; -M cot, -S] [x''; s] = [-mu m g; -M g] */
            double a = (-mu * m * G * -S - (mu * S - C) * -M * G) / (m * -S - (mu * S - C) * -M * C / S);
            assert_near(rate, jams ? 0 : 10 * h * a, jams ? 1e-12 : 1e-3 * 10 * h * a);
            world_free(&w);
        }
}

/* A restored simulation goes on bit by bit: bounds start from what the state has. */
static void restored_bearings_go_on(void **state)
{
    (void)state;
    const double point[3] = {0, 0.4, 0}, velocity[3] = {1.6, 0, 0}, spin[3] = {0, 0, 4};
    cairn_coordinate_options o = cairn_coordinate_default();
    o.friction_coefficient = 0.5;
    o.friction_radius = 0.06;
    for (int i = 0; i < 3; ++i)
    {
        machine m = make(2, cairn_joint_default(CAIRN_JOINT_REVOLUTE), point, velocity, spin, "angle", &o);
        cairn_settings settings = cairn_settings_default();
        cairn_state *saved;
        settings.integrator = SCHEMES[i];
        settings.step = 0.02;
        world_start(&m.w, &settings);
        world_run(&m.w, 20);
        assert_int_equal(cairn_simulation_save(m.w.simulation, &saved), CAIRN_OK);
        world_run(&m.w, 30);
        cairn_body_state first = world_body(&m.w, "part");
        cairn_simulation_destroy(m.w.simulation);
        world_start(&m.w, &settings);
        assert_int_equal(cairn_simulation_restore(m.w.simulation, saved), CAIRN_OK);
        world_run(&m.w, 30);
        cairn_body_state again = world_body(&m.w, "part");
        assert_memory_equal(&first, &again, sizeof first);
        cairn_state_destroy(saved);
        world_free(&m.w);
    }
}

/* The audit finds friction beyond what the reaction allows: 0.1 s of 0.05 N m, and 0.03 m of 10 N s. */
static void the_audit_knows_the_bound(void **state)
{
    (void)state;
    const double zero[3] = {0};
    cairn_coordinate_options o = cairn_coordinate_default();
    o.friction = 0.05;
    o.friction_coefficient = 0.3;
    o.friction_radius = 0.1;
    machine m = make(2, cairn_joint_default(CAIRN_JOINT_REVOLUTE), zero, zero, zero, "angle", &o);
    const crn_pose pose = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    double impulse[1][CRN_PIECE_JOINT_ROWS] = {{6, -8, 0.304}};
    crn_piece piece = {.h = 0.1, .tolerance = 1e-9, .place_count = 1, .place[0] = {.pose = &pose}};
    piece.place[0].joint_impulse = impulse;
    assert_near(crn_friction_excess(m.w.model, &piece, 0, 2), 0, 0);
    impulse[0][2] = -0.315;
    assert_near(crn_friction_excess(m.w.model, &piece, 0, 2), 0.01, 1e-8);
    world_free(&m.w);
}

static void refuse(const char *expected, const char *coordinate, cairn_joint_kind kind,
                   const cairn_coordinate_options *o)
{
    const double zero[3] = {0};
    cairn_coordinate_options none = cairn_coordinate_default();
    machine m = make(3, cairn_joint_default(kind), zero, zero, zero, coordinate, &none);
    assert_int_equal(cairn_model_set_coordinate(m.w.model, m.joint, coordinate, o), CAIRN_INVALID);
    const char *text = cairn_context_last_message(m.w.context);
    if (!strstr(text, expected))
        fail_msg("'%s' does not contain '%s'", text, expected);
    world_free(&m.w);
}

static void faults_are_named(void **state)
{
    (void)state;
    cairn_coordinate_options o = cairn_coordinate_default();
    o.friction_coefficient = 0.2;
    refuse("'bearing': friction_coefficient: the friction of 'angle'", "angle", CAIRN_JOINT_REVOLUTE, &o);
    o.friction_radius = 0.1;
    refuse("friction_radius: 'position' is no angle", "position", CAIRN_JOINT_PRISMATIC, &o);
    o.friction_radius = -0.1;
    refuse("friction_radius: must be 0 or more", "angle", CAIRN_JOINT_REVOLUTE, &o);
    o = cairn_coordinate_default();
    o.bearing_length = 1;
    refuse("bearing_length: needs a friction_coefficient", "position", CAIRN_JOINT_PRISMATIC, &o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shaft_slows_down),        cmocka_unit_test(a_pendulum_loses_swing),
        cmocka_unit_test(a_slider_feels_its_weight), cmocka_unit_test(a_drawer_jams),
        cmocka_unit_test(a_screw_locks_itself),      cmocka_unit_test(a_strut_jams),
        cmocka_unit_test(restored_bearings_go_on),   cmocka_unit_test(the_audit_knows_the_bound),
        cmocka_unit_test(faults_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
