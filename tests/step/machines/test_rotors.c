/* Rotors, inertias of coordinates, against reduced equations of motion, which are integrated here by the classical method of Runge and
 * Kutta, and against closed solutions of impacts. */
#include "support/check.h"
#include "support/worlds.h"

#include "step/simulation.h"

#include <stdio.h>
#include <string.h>

/* --------------------------------------------------------------------------------------------------------- scenes */

/* Directions of the scenes: n the axis of hinges, e and f across it. In space they lie askew. */
typedef struct basis
{
    int dimension;
    double n[3], e[3], f[3];
} basis;

static const basis PLANE = {2, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
static const basis SPACE = {3,
                            {2.0 / 3, -1.0 / 3, 2.0 / 3},
                            {0.44721359549995793, 0.89442719099991586, 0},
                            {-0.59628479399994392, 0.29814239699997197, 0.74535599249992990}};

typedef struct text
{
    char text[128];
} text;

/* x e + y f as a scene has it; a spin about n. */
static text vec(const basis *b, double x, double y)
{
    text out;
    double v[3];
    for (int k = 0; k < 3; ++k)
        v[k] = x * b->e[k] + y * b->f[k];
    snprintf(out.text, sizeof out.text, b->dimension == 2 ? "[%.17g, %.17g]" : "[%.17g, %.17g, %.17g]", v[0], v[1],
             v[2]);
    return out;
}

static text spin(const basis *b, double w)
{
    text out;
    if (b->dimension == 2)
        snprintf(out.text, sizeof out.text, "%.17g", w);
    else
        snprintf(out.text, sizeof out.text, "[%.17g, %.17g, %.17g]", w * b->n[0], w * b->n[1], w * b->n[2]);
    return out;
}

static text axis(const basis *b)
{
    return b->dimension == 2 ? (text){""}
                             : (text){"axis: [0.66666666666666663, -0.33333333333333331, 0.66666666666666663], "};
}

/* An arm about the origin that carries a slider, both with rotors: as the arm turns, so does the direction of the slide.
 *
 *     (0.5 + 0.4 + 0.1 + m r^2) theta'' = - 2 m r r' theta' - m g r cos theta ,     (m + 1.5) r'' = m r theta'^2 - m g sin theta */
static const double M = 0.8, G = 3;

static void slider_text(const basis *b, char *out, size_t size)
{
    snprintf(out, size,
             "cairn: 1\ndimension: %d\ngravity: %s\n"
             "bodies:\n"
             "  - {name: arm, mass: 2, inertia: %s, position: %s, angular_velocity: %s}\n"
             "  - {name: slider, mass: 0.8, inertia: %s, position: %s, velocity: %s, angular_velocity: %s}\n"
             "joints:\n"
             "  - {name: hinge, type: revolute, bodies: [world, arm], %s at: %s, coordinates: {angle: {rotor_inertia: "
             "0.4}}}\n"
             "  - {name: slide, type: prismatic, bodies: [arm, slider], axis: %s, at: %s, coordinates: {position: "
             "{rotor_inertia: 1.5}}}\n",
             b->dimension, vec(b, 0, -G).text, b->dimension == 2 ? "0.5" : "[0.5, 0.5, 0.5]", vec(b, 0, 0).text,
             spin(b, 2).text, b->dimension == 2 ? "0.1" : "[0.1, 0.1, 0.1]", vec(b, 0.6, 0).text, vec(b, 0.3, 1.2).text,
             spin(b, 2).text, axis(b).text, vec(b, 0, 0).text, vec(b, 1, 0).text, vec(b, 0.6, 0).text);
}

static void slider_law(const double q[2], const double v[2], double a[2])
{
    double r = 0.6 + q[1];
    a[0] = (-2 * M * r * v[1] * v[0] - M * G * r * cos(q[0])) / (1.0 + M * r * r);
    a[1] = (M * r * v[0] * v[0] - M * G * sin(q[0])) / (M + 1.5);
}

/* Two pendulums, of 1 kg, lever 0.5 and inertia 0.55 about their hinges, that start along e, and a rotor on L = 2 q_1 - q_2. */
static void pair_text(const basis *b, char *out, size_t size)
{
    snprintf(out, size,
             "cairn: 1\ndimension: %d\ngravity: %s\n"
             "bodies:\n"
             "  - {name: one, mass: 1, inertia: %s, position: %s, velocity: %s, angular_velocity: %s}\n"
             "  - {name: two, mass: 1, inertia: %s, position: %s}\n"
             "joints:\n"
             "  - {name: first, type: revolute, bodies: [world, one], %s at: %s}\n"
             "  - {name: second, type: revolute, bodies: [world, two], %s at: %s}\n"
             "couplings:\n"
             "  - {name: rotor, terms: [{joint: first, factor: 2}, {joint: second, factor: -1}], rotor_inertia: 0.3}\n",
             b->dimension, vec(b, 0, -G).text, b->dimension == 2 ? "0.3" : "[0.3, 0.3, 0.3]", vec(b, 0.5, 0).text,
             vec(b, 0, 0.5).text, spin(b, 1).text, b->dimension == 2 ? "0.3" : "[0.3, 0.3, 0.3]", vec(b, 2.5, 0).text,
             axis(b).text, vec(b, 0, 0).text, axis(b).text, vec(b, 2, 0).text);
}

static void pair_law(const double q[2], const double v[2], double a[2])
{
    (void)v;
    const double A = 0.55 + 4 * 0.3, B = -2 * 0.3, C = 0.55 + 0.3;
    double x = -0.5 * G * cos(q[0]), y = -0.5 * G * cos(q[1]);
    a[0] = (C * x - B * y) / (A * C - B * B);
    a[1] = (A * y - B * x) / (A * C - B * B);
}

/* ---------------------------------------------------------------------------------------------------------- truth */

typedef void (*law)(const double q[2], const double v[2], double a[2]);

/* Advance q (2) and v (2) by `until`. */
static void integrate(law f, double until, double x[4])
{
    const int n = 4000;
    double h = until / n, k[4][4], y[4];
    for (int step = 0; step < n; ++step)
    {
        for (int s = 0; s < 4; ++s)
        {
            for (int i = 0; i < 4; ++i)
                y[i] = x[i] + (s == 0 ? 0 : (s == 3 ? h : h / 2) * k[s - 1][i]);
            k[s][0] = y[2];
            k[s][1] = y[3];
            f(y, y + 2, k[s] + 2);
        }
        for (int i = 0; i < 4; ++i)
            x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

/* ---------------------------------------------------------------------------------------------------------- orders */

static world start(const char *scene, cairn_integrator integrator, double h)
{
    world w = {.context = cairn_context_create()};
    if (cairn_scene_parse(w.context, "rotors", scene, strlen(scene), NULL, 0, &w.scene))
        fail_msg("%s", cairn_context_last_message(w.context));
    cairn_settings settings = cairn_scene_settings(w.scene);
    settings.integrator = integrator;
    settings.step = h;
    world_start(&w, &settings);
    return w;
}

/* No violation, and an account that closes. */
static void check_books(const world *w)
{
    cairn_audit_totals totals = cairn_simulation_audit(w->simulation);
    for (int k = 0; k < CAIRN_VIOLATION_KINDS; ++k)
        assert_int_equal(totals.count[k], 0);
    cairn_energy e = cairn_simulation_energy(w->simulation);
    assert_near(e.balance_error, 0, 1e-12 * (1 + e.kinetic + fabs(e.potential)));
}

/* The largest error of the two coordinates and rates after `until`. */
static double error_of(const char *scene, cairn_integrator integrator, int steps, double until, const double exact[4])
{
    world w = start(scene, integrator, until / steps);
    world_run(&w, steps);
    double worst = 0;
    for (int i = 0; i < 2; ++i)
    {
        double rate, q = cairn_simulation_coordinate(w.simulation, nth_joint(w.simulation, i), 0, &rate);
        worst = fmax(worst, fmax(fabs(q - exact[i]), fabs(rate - exact[2 + i])));
    }
    check_books(&w);
    world_free(&w);
    return worst;
}

static void check_orders(void (*write)(const basis *b, char *out, size_t size), law f, const double begin[4])
{
    const struct
    {
        cairn_integrator integrator;
        double falls, most;
    } SCHEMES[] = {
        {CAIRN_INTEGRATOR_EULER, 2, 0.05}, {CAIRN_INTEGRATOR_STIFF, 2, 0.05}, {CAIRN_INTEGRATOR_STIFF2, 4, 2e-4}};
    for (int i = 0; i < 6; ++i)
    {
        char scene[2048];
        double exact[4], until = 0.7;
        memcpy(exact, begin, sizeof exact);
        integrate(f, until, exact);
        write(i % 2 ? &SPACE : &PLANE, scene, sizeof scene);
        double coarse = error_of(scene, SCHEMES[i / 2].integrator, 140, until, exact);
        double fine = error_of(scene, SCHEMES[i / 2].integrator, 280, until, exact);
        assert_near(coarse / fine, SCHEMES[i / 2].falls, 0.07 * SCHEMES[i / 2].falls);
        assert_true(fine < SCHEMES[i / 2].most);
    }
}

static void slides_that_turn(void **state)
{
    (void)state;
    check_orders(slider_text, slider_law, (double[4]){0, 0, 2, 0.3});
}

static void rotors_of_couplings(void **state)
{
    (void)state;
    check_orders(pair_text, pair_law, (double[4]){0, 0, 1, 0});
}

/* ------------------------------------------------------------------------------------------------- energy, stability */

/* The energy account has the kinetic energy of rotors; without gravity steps of 6 degrees gain no more than
 * the correction of joints gives, at any inertia. */
static void energies(void **state)
{
    (void)state;
    char scene[2048];
    slider_text(&SPACE, scene, sizeof scene);
    world w = start(scene, CAIRN_INTEGRATOR_STIFF, 1e-3);
    double kinetic = 0.5 * (1.0 + M * 0.36) * 4 + 0.5 * (M + 1.5) * 0.09;
    assert_near(cairn_simulation_energy(w.simulation).kinetic, kinetic, 1e-12);
    world_free(&w);
    const char *inertias[] = {"1.5", "1e-6", "1e9"};
    for (int i = 0; i < 3; ++i)
    {
        char *at = strstr(scene, "{rotor_inertia: 1.5}}}"), other[2048];
        snprintf(other, sizeof other, "%.*s{rotor_inertia: %s}}}\n", (int)(at - scene), scene, inertias[i]);
        w = start(other, CAIRN_INTEGRATOR_STIFF, 0.05);
        cairn_simulation_set_gravity(w.simulation, (double[3]){0});
        double begin = cairn_simulation_energy(w.simulation).kinetic;
        for (int k = 0; k < 200; ++k)
        {
            world_step(&w);
            assert_true(cairn_simulation_energy(w.simulation).kinetic <= 1.02 * begin);
        }
        world_free(&w);
    }
}

/* --------------------------------------------------------------------------------------------------------- impacts */

/* A pendulum of the inertia I = 0.55 + 2, that of its rotor included, swings at 2/s into its stop, or into a ball at [1, 0.3]. The ball
 * is struck along a line at the lever l from the hinge and leaves with (1 + e) 2 l I'/(I' + m), I' = I/l^2. */
static void check_impact(const world *w, bool ball)
{
    double rate, I = 0.55 + 2, m = 0.7;
    double q = cairn_simulation_coordinate(w->simulation, nth_joint(w->simulation, 0), 0, &rate);
    if (!ball)
    {
        assert_near(rate, -0.5 * 2, 1e-5);
        assert_near(q, 0.043 - 1 * (0.1 - 0.0215), 1e-5);
        return;
    }
    cairn_body_state struck = world_body(w, "ball");
    double speed = hypot(struck.velocity[0], struck.velocity[1]);
    double lever = fabs(struck.velocity[1] - 0.3 * struck.velocity[0]) / speed, reduced = I / (lever * lever);
    assert_near(speed, 1.6 * 2 * lever * reduced / (reduced + m), 1e-5);
    assert_near(I * rate + m * speed * lever, I * 2, 1e-5);
}

static void impacts(void **state)
{
    (void)state;
    const char *const SCENE =
        "cairn: 1\ndimension: 2\ngravity: [0, 0]\n"
        "materials: [{name: m, friction: 0, restitution: 0.6}]\n"
        "bodies:\n"
        "  - {name: bar, mass: 1, inertia: 0.3, position: [0.5, 0], velocity: [0, 1], angular_velocity: 2, shapes: "
        "[{type: circle, radius: 0.1, position: [0.5, 0], material: m}]}\n"
        "  - {name: ball, mass: 0.7, position: [%s, 0.3], shapes: [{type: circle, radius: 0.1, material: m}]}\n"
        "joints:\n"
        "  - {name: hinge, type: revolute, bodies: [world, bar], at: [0, 0], coordinates: {angle: "
        "{rotor_inertia: 2, upper: %s, restitution: 0.5}}}\n"
        "simulation: {impact: %s}\n";
    const char *const LAWS[] = {"newton", "poisson"};
    for (int i = 0; i < 4; ++i)
    {
        char scene[1024];
        snprintf(scene, sizeof scene, SCENE, i % 2 ? "1" : "5", i % 2 ? "2" : "0.043", LAWS[i / 2]);
        world w = start(scene, CAIRN_INTEGRATOR_STIFF2, 0.01);
        world_run(&w, 10);
        check_impact(&w, i % 2);
        check_books(&w);
        world_free(&w);
    }
}

/* ---------------------------------------------------------------------------------------------------- driven bodies */

/* A wheel on a base that turns by t^2: I w' + a (w - 2 t)' = 0. What turns the base does the rest of the work. */
static void driven_bases(void **state)
{
    (void)state;
    const char *const SCENE =
        "cairn: 1\ndimension: 3\ngravity: [0, 0, 0]\n"
        "bodies:\n"
        "  - {name: base, kind: driven, position: [0, 0, 0], motion: {axis: [0, 0, 1], angle: t^2}}\n"
        "  - {name: wheel, mass: 1, inertia: [0.4, 0.4, 0.5], position: [0, 0, 0]}\n"
        "joints:\n"
        "  - {name: axle, type: revolute, bodies: [base, wheel], axis: [0, 0, 1], at: [0, 0, 0], coordinates: {angle: "
        "{rotor_inertia: 1.5}}}\n";
    for (int i = 0; i < 2; ++i)
    {
        world w = start(SCENE, i ? CAIRN_INTEGRATOR_STIFF2 : CAIRN_INTEGRATOR_STIFF, 0.01);
        world_run(&w, 100);
        double exact = 1.5 * 2 / (1.5 + 0.5), u = exact - 2;
        assert_near(world_body(&w, "wheel").angular_velocity[2], exact, i ? 1e-6 : 0.02);
        assert_near(cairn_simulation_energy(w.simulation).kinetic, 0.25 * exact * exact + 0.75 * u * u, i ? 1e-5 : 0.1);
        assert_near(cairn_simulation_joint_state(w.simulation, nth_joint(w.simulation, 0)).rotor[0], 0.5 * exact,
                    i ? 1e-6 : 1e-6);
        check_books(&w);
        world_free(&w);
    }
}

/* --------------------------------------------------------------------------------------------------------- inertias */

/* The matrix of the slider, diag(1 + m r^2, m + 1.5), and of the pair, whose rotor adds 0.3 f f'; and what a coordinate alone has. */
static void inertias(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        char scene[2048];
        double H[4], alone;
        (i / 2 ? pair_text : slider_text)(i % 2 ? &SPACE : &PLANE, scene, sizeof scene);
        world w = start(scene, CAIRN_INTEGRATOR_STIFF2, 0.01);
        world_run(&w, 30);
        cairn_coordinate list[2] = {{nth_joint(w.simulation, 0), 0}, {nth_joint(w.simulation, 1), 0}};
        double r = 0.6 + cairn_simulation_coordinate(w.simulation, list[1].joint, 0, NULL);
        double expected[4] = {1 + M * r * r, 0, 0, M + 1.5}, pair[4] = {0.55 + 4 * 0.3, -2 * 0.3, -2 * 0.3, 0.55 + 0.3};
        assert_int_equal(cairn_simulation_inertia(w.simulation, list, 2, H), CAIRN_OK);
        for (int k = 0; k < 4; ++k)
            assert_near(H[k], i / 2 ? pair[k] : expected[k], 1e-7);
        assert_int_equal(cairn_simulation_inertia(w.simulation, list + 1, 1, &alone), CAIRN_OK);
        assert_near(alone, H[3] - H[1] * H[1] / H[0], 1e-9);
        list[1] = list[0];
        assert_int_equal(cairn_simulation_inertia(w.simulation, list, 2, H), CAIRN_INVALID);
        assert_non_null(strstr(cairn_context_last_message(w.context), "depend on each other"));
        list[1].index = 5;
        assert_int_equal(cairn_simulation_inertia(w.simulation, list, 2, H), CAIRN_INVALID);
        assert_non_null(strstr(cairn_context_last_message(w.context), "number 2 of the list"));
        world_run(&w, 5);
        check_books(&w);
        world_free(&w);
    }
}

/* ----------------------------------------------------------------------------------------------------------- limits */

/* Take an impulse from the damper, row 2 of a hinge in the plane, and give it to the rotor, row 3: bodies move as before. */
static void hurt(void *data, crn_piece *piece)
{
    double *c = piece->place[piece->place_count - 1].joint_impulse[0];
    c[2] -= *(const double *)data;
    c[3] += *(const double *)data;
}

/* The audit knows what a rotor's impulse must be. */
static void audited_impulses(void **state)
{
    (void)state;
    const char *const SCENE =
        "cairn: 1\ndimension: 2\n"
        "bodies:\n  - {name: bar, mass: 1, inertia: 0.3, position: [0.5, 0]}\n"
        "joints:\n  - {name: hinge, type: revolute, bodies: [world, bar], at: [0, 0], coordinates: "
        "{angle: {rotor_inertia: 2, damping: 1}}}\n";
    double taken[] = {0, 1e-5};
    for (int i = 0; i < 4; ++i)
    {
        world w = start(SCENE, i / 2 ? CAIRN_INTEGRATOR_STIFF2 : CAIRN_INTEGRATOR_STIFF, 0.01);
        w.simulation->ledger.watch = hurt;
        w.simulation->ledger.watch_data = &taken[i % 2];
        for (int k = 0; k < 5; ++k)
            assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
        assert_int_equal(cairn_simulation_audit(w.simulation).count[CAIRN_VIOLATION_MOMENTUM], i % 2 ? 5 : 0);
        world_free(&w);
    }
}

/* A scene that is written out and read again has the same rotors. */
static void saved_scenes(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        char scene[2048], *again;
        (i ? pair_text : slider_text)(&SPACE, scene, sizeof scene);
        world w = start(scene, CAIRN_INTEGRATOR_STIFF, 0.01);
        assert_int_equal(cairn_scene_written_out(w.scene, &again), CAIRN_OK);
        world other = start(again, CAIRN_INTEGRATOR_STIFF, 0.01);
        world_run(&w, 20);
        world_run(&other, 20);
        double kinetic = cairn_simulation_energy(w.simulation).kinetic;
        assert_near(cairn_simulation_energy(other.simulation).kinetic, kinetic, 1e-12);
        cairn_text_destroy(again);
        world_free(&w);
        world_free(&other);
    }
}

static void bad_input(void **state)
{
    (void)state;
    char scene[2048], bad[2048];
    slider_text(&PLANE, scene, sizeof scene);
    char *at = strstr(scene, "{rotor_inertia: 1.5}}}");
    snprintf(bad, sizeof bad, "%.*s{rotor_inertia: -1}}}\n", (int)(at - scene), scene);
    cairn_context *context = cairn_context_create();
    cairn_scene *made;
    assert_int_equal(cairn_scene_parse(context, "bad", bad, strlen(bad), NULL, 0, &made), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(context), "rotor_inertia"));
    assert_int_equal(cairn_scene_parse(context, "good", scene, strlen(scene), NULL, 0, &made), CAIRN_OK);
    cairn_settings settings = cairn_scene_settings(made);
    settings.integrator = CAIRN_INTEGRATOR_TRAPEZOID;
    cairn_simulation *simulation = NULL;
    assert_int_equal(cairn_simulation_create(context, cairn_scene_model(made), &settings, &simulation), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(context), "a rotor"));
    cairn_joint joint = cairn_model_joint(cairn_scene_model(made), 1);
    assert_near(cairn_model_coordinate_info(cairn_scene_model(made), joint, 0).rotor_inertia, 1.5, 0);
    cairn_scene_destroy(made);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slides_that_turn), cmocka_unit_test(rotors_of_couplings), cmocka_unit_test(energies),
        cmocka_unit_test(impacts),          cmocka_unit_test(driven_bases),        cmocka_unit_test(bad_input),
        cmocka_unit_test(inertias),         cmocka_unit_test(saved_scenes),        cmocka_unit_test(audited_impulses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
