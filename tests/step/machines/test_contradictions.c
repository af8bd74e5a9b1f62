/* Redundant loops that contradict each other: no velocity satisfies all joints, and a step must not search for one.
 *
 * A bar of mass m hangs on n parallel cranks of mass 1 and length 1, whose hinges have dry friction of torque tau. One hinge of the bar lies off
 * by a distance d that the others rule out: along the axes, where all hinges hold the bar, or along the bar, where two cranks do.
 * All cranks keep the same angle phi from the vertical, so that
 *
 *     (n/3 + m) phi'' = - g (n/2 + m) sin(phi) - 2 n tau sign(phi') ,
 *
 * which is integrated here by Runge and Kutta's method. Joints miss about d/h, whatever the velocities are:
 * a lever away from the hinge, where the row that misses it is another's. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

static const double G = 9.81, BAR = 2, TAU = 0.1, PHI = 0.6, OFF = 1e-7;

enum
{
    ROOM = 16384,
    MOST_ITERATIONS = 100 /* per step; some 8000 when methods search for what cannot be */
};

typedef struct machine
{
    int cranks;
    bool along_bar; /* the hinge is off along the bar, otherwise along the axes */
    double yaw;     /* of the whole */
} machine;

/* A vector of the machine's plane in the world. */
static void turn(double yaw, double x, double y, double z, double out[3])
{
    out[0] = cos(yaw) * x - sin(yaw) * y;
    out[1] = sin(yaw) * x + cos(yaw) * y;
    out[2] = z;
}

static int add_body(char *text, const char *name, double mass, double yaw, const double at[3])
{
    return sprintf(text,
                   "  - {name: %s, mass: %.17g, inertia: [0.1, 1/12, 0.1], position: [%.17g, %.17g, %.17g], "
                   "orientation: [%.17g, 0, 0, %.17g]}\n",
                   name, mass, at[0], at[1], at[2], cos(0.5 * yaw), sin(0.5 * yaw));
}

static int add_hinge(char *text, const char *name, const char *a, const char *b, double (*points)[3], double yaw)
{
    double axis[3] = {0, 1, 0};
    if (strcmp(a, "world") == 0)
        turn(yaw, 0, 1, 0, axis);
    return sprintf(text,
                   "  - {name: %s, type: revolute, bodies: [%s, %s], points: [[%.17g, %.17g, %.17g], [%.17g, %.17g, "
                   "%.17g]], axis: [%.17g, %.17g, %.17g], coordinates: {angle: {friction: %.17g, lower: -2, upper: "
                   "2}}}\n",
                   name, a, b, points[0][0], points[0][1], points[0][2], points[1][0], points[1][1], points[1][2],
                   axis[0], axis[1], axis[2], TAU);
}

static void add_crank_hinges(char **end, const machine *m, int k)
{
    double s = 0.5 * sin(PHI), c = 0.5 * cos(PHI), x = 0.5 * k, middle = 0.25 * (m->cranks - 1), off = k == 1 ? OFF : 0;
    double above[2][3] = {{0}, {-s, 0, c}};
    double below[2][3] = {{s, 0, -c}, {x - middle + (m->along_bar ? off : 0), m->along_bar ? 0 : off, 0}};
    char name[2][24], crank[24];
    snprintf(name[0], sizeof name[0], "A%d", k);
    snprintf(name[1], sizeof name[1], "B%d", k);
    snprintf(crank, sizeof crank, "crank%d", k);
    turn(m->yaw, x, 0, 0, above[0]);
    *end += add_hinge(*end, name[0], "world", crank, above, m->yaw);
    *end += add_hinge(*end, name[1], crank, "bar", below, m->yaw);
}

static void write_machine(char *text, const machine *m, const char *accuracy, double h)
{
    double at[3];
    char *end = text + sprintf(text,
                               "cairn: 1\ndimension: 3\ngravity: [0, 0, %.17g]\nsimulation: {step: %.17g, until: 1, "
                               "accuracy: %s, projection_tolerance: 1e-6, initial: keep}\nbodies:\n",
                               -G, h, accuracy);
    turn(m->yaw, 0.25 * (m->cranks - 1) + sin(PHI), 0, -cos(PHI), at);
    end += add_body(end, "bar", BAR, m->yaw, at);
    for (int k = 0; k < m->cranks; ++k)
    {
        char name[24];
        snprintf(name, sizeof name, "crank%d", k);
        turn(m->yaw, 0.5 * k + 0.5 * sin(PHI), 0, -0.5 * cos(PHI), at);
        end += add_body(end, name, 1, m->yaw, at);
    }
    end += sprintf(end, "joints:\n");
    for (int k = 0; k < m->cranks; ++k)
        add_crank_hinges(&end, m, k);
    assert_true(end - text < ROOM);
}

static double acceleration(int n, double phi, double rate)
{
    double sign = rate > 0 ? 1 : -1; /* the cranks are let go and fall */
    return (-G * (0.5 * n + BAR) * sin(phi) - 2 * n * TAU * sign) / (n / 3. + BAR);
}

/* phi' after a time, in which it does not change its sign. */
static double rate_after(int n, double time)
{
    double phi = PHI, rate = 0;
    for (int i = 0; i < 200; ++i)
    {
        double d = time / 200, middle = rate + 0.5 * d * acceleration(n, phi, rate);
        double a = acceleration(n, phi + 0.5 * d * rate, middle);
        phi += d * middle;
        rate += d * a;
    }
    return rate;
}

/* Run for 0.2 s; returns the error of phi'. */
static double run(const machine *m, const char *accuracy, double h)
{
    char text[ROOM];
    world w = {.context = cairn_context_create()};
    write_machine(text, m, accuracy, h);
    if (cairn_scene_parse(w.context, "cranks", text, strlen(text), NULL, 0, &w.scene))
        fail_msg("%s", cairn_context_last_message(w.context));
    cairn_settings settings = cairn_scene_settings(w.scene);
    world_start(&w, &settings);
    for (int i = 0; i < (int)lround(0.2 / h); ++i)
    {
        assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
        const cairn_step_report *report = cairn_simulation_report(w.simulation);
        assert_int_equal(report->solver.outcome, CAIRN_MISSED);
        assert_true(report->solver.iterations <= MOST_ITERATIONS);
        assert_true(report->solver.certificate.natural_map <= 1e-2 * report->solver.certificate.joint);
        double missed = report->solver.certificate.joint * h / OFF;
        assert_true(missed > 0.2 && missed < 5);
        assert_int_equal(report->physics.violations, 0);
    }
    cairn_joint hinge = cairn_model_find_joint(world_model(&w), "A0");
    double rate = cairn_simulation_joint_state(w.simulation, hinge).rate[0];
    world_free(&w);
    return fabs(fabs(rate) - fabs(rate_after(m->cranks, 0.2)));
}

static void steps_do_not_search(void **state)
{
    (void)state;
    static const machine MACHINES[] = {{3, false, 0}, {6, false, 0.7}, {3, true, 0.3}, {5, true, 0}};
    static const char *const ACCURACY[] = {"exact", "balanced"};
    for (int i = 0; i < 8; ++i)
    {
        const machine *m = &MACHINES[i / 2];
        double rough = run(m, ACCURACY[i % 2], 0.004), fine = run(m, ACCURACY[i % 2], 0.001);
        print_message("%d cranks, %s: %.1e and %.1e rad/s\n", m->cranks, ACCURACY[i % 2], rough, fine);
        assert_true(rough < 1e-3 && fine < 0.3 * rough);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_do_not_search)};
    return cmocka_run_group_tests_name("contradictions", tests, NULL, NULL);
}
