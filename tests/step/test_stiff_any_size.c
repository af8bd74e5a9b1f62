/* Springs and dampers of any size under `stiff` and `stiff2`: the step's velocities against closed forms, for h^2 k / m from 1e-4
 * to 1e20, and the certificate within its tolerance.
 *
 * Two bodies of reduced mass m with the stretch phi and the relative velocity u, the only freedom: an implicit stage of length l
 * gives  u+ = (m u - l k phi) / (m + l^2 k + l d) . */
#include "support/check.h"

#include <cairn/cairn.h>

#include <stdio.h>
#include <string.h>

typedef struct play
{
    cairn_context *context;
    cairn_scene *scene;
    cairn_simulation *simulation;
} play;

static play start(const char *text)
{
    play p = {.context = cairn_context_create()};
    if (cairn_scene_parse(p.context, "pair", text, strlen(text), NULL, 0, &p.scene))
        fail_msg("%s", cairn_context_last_message(p.context));
    cairn_settings settings = cairn_scene_settings(p.scene);
    assert_int_equal(cairn_simulation_create(p.context, cairn_scene_model(p.scene), &settings, &p.simulation),
                     CAIRN_OK);
    return p;
}

static void step(play *p, double k, double d)
{
    if (cairn_simulation_step(p->simulation))
        fail_msg("k = %g, d = %g: %s", k, d, cairn_context_last_message(p->context));
    const cairn_solver_report *report = &cairn_simulation_report(p->simulation)->solver;
    if (report->outcome != CAIRN_SOLVED || !(report->certificate.relative <= 1e-9))
        fail_msg("k = %g, d = %g: certificate %g", k, d, report->certificate.relative);
}

static void finish(play *p)
{
    cairn_simulation_destroy(p->simulation);
    cairn_scene_destroy(p->scene);
    cairn_context_destroy(p->context);
}

static cairn_body_state body(const play *p, int index)
{
    return cairn_simulation_body(p->simulation, cairn_model_body(cairn_scene_model(p->scene), index));
}

/* --------------------------------------------------------------------------------------------------------- pairs */

static const double H = 0.01, MASS_A = 1.5, MASS_B = 0.75, STRETCH = 0.1;

typedef struct pair
{
    int dimension;
    bool angular, second_order;
    double k, d;
} pair;

static void write_pair(const pair *at, char *text, size_t size)
{
    const char *kind = at->angular ? "angular" : "linear";
    const char *axis = at->angular && at->dimension == 3 ? ", axis: [0, 0, 1]" : "";
    const char *inertia = !at->angular         ? ", point: true"
                          : at->dimension == 2 ? ", inertia: %g"
                                               : ", inertia: [9, 8, %g]";
    char inertia_a[64], inertia_b[64];
    snprintf(inertia_a, sizeof inertia_a, inertia, MASS_A);
    snprintf(inertia_b, sizeof inertia_b, inertia, MASS_B);
    const char *zeros = at->dimension == 2 ? "0" : "0, 0";
    char motion[128];
    if (at->angular)
        snprintf(motion, sizeof motion, at->dimension == 2 ? "angular_velocity: 0.7" : "angular_velocity: [0, 0, 0.7]");
    else
        snprintf(motion, sizeof motion, "velocity: [0.7, %s]", zeros);
    snprintf(text, size,
             "dimension: %d\ngravity: [0, %s]\nbodies:\n"
             "  - {name: a, mass: %g%s, %s}\n"
             "  - {name: b, mass: %g%s, position: [1, %s]}\n"
             "springs: [{name: s, type: %s, bodies: [a, b], stiffness: %.17g, damping: %.17g, rest: %.17g%s}]\n"
             "simulation: {step: %g, integrator: %s, stabilisation: none}\n",
             at->dimension, zeros, MASS_A, inertia_a, motion, MASS_B, inertia_b, zeros, kind, at->k, at->d,
             at->angular ? -STRETCH : 1 - STRETCH, axis, H, at->second_order ? "stiff2" : "stiff");
}

/* The relative velocity after a stage of length l. */
static double stage(double m, double k, double d, double l, double phi, double u)
{
    return (m * u - l * k * phi) / (m + l * l * k + l * d);
}

static double expected(const pair *at)
{
    double m = MASS_A * MASS_B / (MASS_A + MASS_B), u = -0.7, phi = STRETCH;
    if (!at->second_order)
        return stage(m, at->k, at->d, H, phi, u);
    double g = 1 - sqrt(0.5);
    double first = stage(m, at->k, at->d, g * H, phi, u);
    return stage(m, at->k, at->d, g * H, phi + (1 - g) * H * first, u + (1 - g) / g * (first - u));
}

static void check_energy(const play *p, double k)
{
    const cairn_energy *e = &cairn_simulation_report(p->simulation)->energy;
    double start = 0.5 * MASS_A * 0.49;
    double size = fabs(e->work_springs) + fabs(e->work_dampers) + e->kinetic;
    assert_near(e->work_springs + e->work_dampers, e->kinetic - start, 1e-12 * size);
    assert_near(e->balance_error, 0.0, 1e-12 * (size + e->elastic + 0.5 * k * STRETCH * STRETCH));
}

static void check_pair(const pair *at)
{
    char text[1200];
    write_pair(at, text, sizeof text);
    play p = start(text);
    step(&p, at->k, at->d);
    cairn_body_state a = body(&p, 0), b = body(&p, 1);
    double one = at->angular ? a.angular_velocity[2] : a.velocity[0];
    double two = at->angular ? b.angular_velocity[2] : b.velocity[0];
    double u = expected(at), scale = 0.7 + STRETCH / H;
    if (!(fabs(two - one - u) <= 1e-12 * scale) || !(fabs(MASS_A * one + MASS_B * two - MASS_A * 0.7) <= 1e-12 * scale))
    {
        fail_msg("dimension %d, angular %d, k = %g, d = %g: %.17g instead of %.17g", at->dimension, at->angular, at->k,
                 at->d, two - one, u);
    }
    check_energy(&p, at->k);
    for (int i = 0; i < 20; ++i)
        step(&p, at->k, at->d);
    finish(&p);
}

static void pairs(int dimension, bool angular)
{
    for (int power = 0; power <= 24; ++power)
    {
        double size = pow(10.0, power);
        for (int kind = 0; kind < 8; ++kind)
        {
            pair at = {.dimension = dimension, .angular = angular, .second_order = kind % 2};
            at.k = kind / 2 == 1 ? 0.0 : size;
            at.d = kind / 2 == 0 ? 0.0 : kind / 2 == 3 ? 1e-3 * H * size : H * size;
            check_pair(&at);
        }
    }
}

static void linear_in_the_plane(void **state)
{
    (void)state;
    pairs(2, false);
}

static void linear_in_space(void **state)
{
    (void)state;
    pairs(3, false);
}

static void angular_in_the_plane(void **state)
{
    (void)state;
    pairs(2, true);
}

static void angular_in_space(void **state)
{
    (void)state;
    pairs(3, true);
}

/* --------------------------------------------------------------------------------------------------------- chains */

enum
{
    LINKS = 5
};

/* Impulses c_i of the links of a chain from the world, c_i + b_i (x_i' - x_i-1') = -a_i: tridiagonal in c, where no stiffness
 * spoils it; in long double. */
static void solve_chain(const double *k, const double *m, const double *v, const double *phi, double *out)
{
    long double diagonal[LINKS], right[LINKS], c[LINKS + 1] = {0};
    for (int i = 0; i < LINKS; ++i)
    {
        long double before = i > 0 ? v[i - 1] : 0.0L;
        diagonal[i] = 1.0L / ((long double)H * H * k[i]) + 1.0L / m[i] + (i > 0 ? 1.0L / m[i - 1] : 0.0L);
        right[i] = -phi[i] / (long double)H - (v[i] - before);
    }
    for (int i = 1; i < LINKS; ++i)
    {
        long double factor = (-1.0L / m[i - 1]) / diagonal[i - 1];
        diagonal[i] -= factor * (-1.0L / m[i - 1]);
        right[i] -= factor * right[i - 1];
    }
    for (int i = LINKS - 1; i >= 0; --i)
        c[i] = (right[i] + (i + 1 < LINKS ? c[i + 1] / m[i] : 0.0L)) / diagonal[i];
    for (int i = 0; i < LINKS; ++i)
        out[i] = (double)(v[i] + (c[i] - c[i + 1]) / m[i]);
}

static void check_chain(int dimension, int seed)
{
    double k[LINKS], m[LINKS], v[LINKS], phi[LINKS], found[LINKS];
    char text[4000] = "", part[300];
    const char *zeros = dimension == 2 ? "0" : "0, 0";
    snprintf(text, sizeof text, "dimension: %d\ngravity: [0, %s]\nbodies:\n", dimension, zeros);
    for (int i = 0; i < LINKS; ++i)
    {
        k[i] = pow(10.0, (seed * 7 + i * 5) % 21); /* soft and stiff ones next to each other, up to 1e20 */
        m[i] = 0.5 + 0.3 * ((seed + i) % 4);
        v[i] = 0.2 * ((seed * 3 + i) % 5) - 0.4;
        phi[i] = 0.01 * ((seed + 2 * i) % 3 - 1);
        snprintf(part, sizeof part,
                 "  - {name: p%d, point: true, mass: %.17g, position: [%d, %s], velocity: [%.17g, %s]}\n", i, m[i],
                 i + 1, zeros, v[i], zeros);
        strncat(text, part, sizeof text - strlen(text) - 1);
    }
    strncat(text, "springs:\n", sizeof text - strlen(text) - 1);
    for (int i = 0; i < LINKS; ++i)
    {
        char before[16] = "world";
        if (i > 0)
            snprintf(before, sizeof before, "p%d", i - 1);
        snprintf(part, sizeof part, "  - {name: s%d, type: linear, bodies: [%s, p%d], stiffness: %.17g, rest: %.17g}\n",
                 i, before, i, k[i], 1 - phi[i]);
        strncat(text, part, sizeof text - strlen(text) - 1);
    }
    snprintf(part, sizeof part, "simulation: {step: %g, integrator: stiff, stabilisation: none}\n", H);
    strncat(text, part, sizeof text - strlen(text) - 1);
    play p = start(text);
    step(&p, k[0], 0);
    solve_chain(k, m, v, phi, found);
    for (int i = 0; i < LINKS; ++i)
        assert_near(body(&p, i).velocity[0], found[i], 1e-11);
    finish(&p);
}

static void chains(void **state)
{
    (void)state;
    for (int seed = 0; seed < 40; ++seed)
        check_chain(2 + seed % 2, seed);
}

/* Two springs side by side that pull against each other, of rest lengths 1e-9 m apart: together one spring of twice the
 * stiffness and of their mean. Neither is left out as redundant. */
static void side_by_side(void **state)
{
    (void)state;
    for (int power = 4; power <= 17; ++power)
    {
        double k = pow(10.0, power), m = MASS_A * MASS_B / (MASS_A + MASS_B);
        char text[900];
        snprintf(text, sizeof text,
                 "dimension: 2\ngravity: [0, 0]\nbodies:\n"
                 "  - {name: a, point: true, mass: %g, velocity: [0.7, 0]}\n"
                 "  - {name: b, point: true, mass: %g, position: [1, 0]}\n"
                 "springs:\n"
                 "  - {name: s, type: linear, bodies: [a, b], stiffness: %.17g, rest: 1.0499999995}\n"
                 "  - {name: t, type: linear, bodies: [a, b], stiffness: %.17g, rest: 1.0500000005}\n"
                 "simulation: {step: %g, integrator: stiff, stabilisation: none}\n",
                 MASS_A, MASS_B, k, k, H);
        play p = start(text);
        step(&p, k, 0);
        double u = body(&p, 1).velocity[0] - body(&p, 0).velocity[0];
        assert_near(u, stage(m, 2 * k, 0, H, -0.05, -0.7), 1e-9);
        finish(&p);
    }
}

/* The projection and a joint beside them: a rod of rigid length on a rope of 1e16 N/m hangs as on a joint. */
static void beside_joints_with_projection(void **state)
{
    (void)state;
    play p = start("dimension: 2\ngravity: [0, -9.81]\nbodies:\n"
                   "  - {name: a, point: true, mass: 1, position: [1, 0]}\n"
                   "  - {name: b, point: true, mass: 2, position: [2, 0]}\n"
                   "joints: [{name: rod, type: distance, bodies: [a, b], points: [[0, 0], [0, 0]]}]\n"
                   "springs: [{name: rope, type: linear, bodies: [world, a], stiffness: 1e16, rest: 1}]\n"
                   "simulation: {step: 0.001, integrator: stiff, stabilisation: project}\n");
    for (int i = 0; i < 300; ++i)
    {
        step(&p, 1e16, 0);
        assert_true(cairn_simulation_report(p.simulation)->projection_met);
        cairn_body_state a = body(&p, 0), b = body(&p, 1);
        assert_near(hypot(b.position[0] - a.position[0], b.position[1] - a.position[1]), 1.0, 1e-9);
        assert_near(hypot(a.position[0], a.position[1]), 1.0, 1e-6); /* the linearised stretch, h^2 v^2 / 2 */
    }
    finish(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_in_the_plane),
        cmocka_unit_test(linear_in_space),
        cmocka_unit_test(angular_in_the_plane),
        cmocka_unit_test(angular_in_space),
        cmocka_unit_test(side_by_side),
        cmocka_unit_test(chains),
        cmocka_unit_test(beside_joints_with_projection),
    };
    return cmocka_run_group_tests_name("stiff at any size", tests, NULL, NULL);
}
