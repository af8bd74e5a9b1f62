/* Valid scenes with odd numbers: what they do must be told as it is, and nothing may be read that is not there (the sanitizer
 * builds run these too). */
#include "support/check.h"

#include <cairn/cairn.h>

#include <stdio.h>
#include <string.h>

typedef struct play
{
    cairn_context *context;
    cairn_scene *scene;
    cairn_simulation *simulation;
    int missed;            /* steps whose certificate missed the tolerance */
    int projection_missed; /* steps whose projection missed its own */
    double joint_error;
    double relative; /* the worst certificate */
} play;

static play open_scene(const char *text)
{
    play p = {.context = cairn_context_create()};
    assert_int_equal(cairn_scene_parse(p.context, "odd", text, strlen(text), NULL, 0, &p.scene), CAIRN_OK);
    cairn_settings settings = cairn_scene_settings(p.scene);
    assert_int_equal(cairn_simulation_create(p.context, cairn_scene_model(p.scene), &settings, &p.simulation),
                     CAIRN_OK);
    return p;
}

static void step(play *p, int steps)
{
    for (int i = 0; i < steps; ++i)
    {
        if (cairn_simulation_step(p->simulation))
            fail_msg("step %d: %s", i, cairn_context_last_message(p->context));
        const cairn_step_report *report = cairn_simulation_report(p->simulation);
        p->missed += report->solver.outcome != CAIRN_SOLVED;
        p->projection_missed += !report->projection_met;
        p->joint_error = fmax(p->joint_error, report->joint_error);
        p->relative = fmax(p->relative, report->solver.certificate.relative);
    }
}

static void close_scene(play *p)
{
    cairn_simulation_destroy(p->simulation);
    cairn_scene_destroy(p->scene);
    cairn_context_destroy(p->context);
}

/* A patch and rigid contacts in one island, with so few iterations that `auto` comes to its proximal loop. */
static void patch_and_rigid_contacts_in_one_island(void **state)
{
    (void)state;
    play p = open_scene(
        "dimension: 2\n"
        "materials: [{name: soft, friction: 0.1, weight: 2.7e-5, patch: {elements: 33, spacing: 1.4, young: 6.5e9}}]\n"
        "bodies:\n"
        "  - {name: floor, kind: fixed, shapes: [{type: half-plane}]}\n"
        "  - name: b\n"
        "    mass: 1.135\n"
        "    shapes: [{type: circle, radius: 1000, material: soft}, {type: segment, length: 10}]\n"
        "simulation: {step: 0.001, max_iterations: 10}\n");
    step(&p, 20);
    const cairn_problem *problem = cairn_simulation_problem(p.simulation);
    assert_int_equal(problem->n, 3);
    close_scene(&p);
}

/* Weights on a material reach all rows of the projection, those that hold springs too. */
static const char *const WEIGHED =
    "dimension: 2\n"
    "materials: [{name: heavy, friction: 0.1, weight: 87.4}]\n"
    "bodies:\n"
    "  - {name: a, mass: 0.77, inertia: 0.077}\n"
    "  - {name: b, mass: 0.99, inertia: 0.099}\n"
    "joints:\n"
    "  - {name: rod, type: distance, bodies: [a, world], points: [[-0.26, 0.42], [0.42, 0.68]]}\n"
    "springs:\n"
    "  - {name: one, type: angular, bodies: [a, b], stiffness: 4e11, damping: 563, rest: 1}\n"
    "  - {name: two, type: angular, bodies: [b, world], stiffness: 1.04}\n"
    "simulation: {stabilisation: project}\n";

static void weights_leave_the_projection_on(void **state)
{
    (void)state;
    play p = open_scene(WEIGHED);
    step(&p, 100);
    assert_int_equal(p.projection_missed, 0);
    assert_true(p.joint_error < 1e-9);
    close_scene(&p);
}

/* The arch of the scenes, and far away a body that spins at 1e7 rad/s: the arch's laws hold by the arch's own speeds, of the order
 * of g h. One scale for both made its residuals look 1e8 times smaller. In the general problem, whose scale knows of the spin. */
static void a_fast_body_elsewhere_excuses_nothing(void **state)
{
    (void)state;
    static const char *const SPINNER =
        "bodies:\n  - {name: spinner, mass: 1, inertia: 1, position: [0, 1000], angular_velocity: 1e7}\n";
    static char text[50000], file[20000];
    FILE *stream = fopen(CAIRN_SOURCE_DIR "/scenes/arch.yaml", "r");
    assert_non_null(stream);
    size_t length = fread(file, 1, sizeof file - 1, stream);
    fclose(stream);
    file[length] = '\0';
    char *bodies = strstr(file, "bodies:\n"), *settings = strstr(file, "simulation: {");
    assert_true(bodies && settings > bodies);
    *bodies = *settings = '\0';
    snprintf(text, sizeof text, "%s%s%ssimulation: {accuracy: exact, %s", file, SPINNER, bodies + strlen("bodies:\n"),
             settings + strlen("simulation: {"));
    play p = open_scene(text);
    for (int i = 0; i < 30; ++i)
    {
        step(&p, 1);
        const cairn_certificate *c = &cairn_simulation_report(p.simulation)->solver.certificate;
        assert_true(c->scale > 1e6);
        assert_true(c->natural_map <= 1e-9); /* speeds in the arch are below 1 m/s */
    }
    assert_int_equal(p.missed, 0);
    close_scene(&p);
}

/* Two bodies on seven joint equations, at rest, with nothing that pulls: that the equations hold only to rounding does not make
 * them contradict each other. Of ordinary size and tiny. */
static void too_many_joints_at_rest(void **state)
{
    (void)state;
    static const double SIZES[] = {1.0, 1e-6, 1e3};
    for (int i = 0; i < 3; ++i)
    {
        char text[1500];
        snprintf(text, sizeof text,
                 "dimension: 2\ngravity: [0, 0]\nparameters: {l: %g}\nbodies:\n"
                 "  - {name: a, mass: 1.3, inertia: 0.7*l*l}\n"
                 "  - {name: b, mass: 6.5, inertia: 0.65*l*l, position: [1.3678*l, 1.6737*l]}\n"
                 "joints:\n"
                 "  - {name: j1, type: revolute, bodies: [b, world], at: [0.7821*l, -0.5094*l]}\n"
                 "  - {name: j2, type: distance, bodies: [a, world], points: [[-0.8184*l, -0.8145*l], [0.0313*l, "
                 "-0.4298*l]]}\n"
                 "  - {name: j3, type: distance, bodies: [a, world], points: [[0.8691*l, 0.3268*l], [-0.6155*l, "
                 "0.9906*l]]}\n"
                 "  - {name: j4, type: distance, bodies: [b, world], points: [[0.1042*l, 0.9001*l], [0.2134*l, "
                 "-0.1544*l]]}\n"
                 "  - {name: j5, type: revolute, bodies: [a, b], at: [0.0640*l, -0.9552*l]}\n"
                 "simulation: {step: 0.01, stabilisation: gap}\n",
                 SIZES[i]);
        play p = open_scene(text);
        step(&p, 50);
        assert_int_equal(p.missed, 0);
        cairn_body_state b = cairn_simulation_body(p.simulation, cairn_model_body(cairn_scene_model(p.scene), 1));
        assert_near(b.position[0], 1.3678 * SIZES[i], 1e-12 * SIZES[i]);
        close_scene(&p);
    }
}

/* A driven wall that is nowhere at t = 0.02: what is told is that, and not that memory ran out. */
static void a_wall_that_is_nowhere(void **state)
{
    (void)state;
    static const char *const STABILISATIONS[] = {"gap", "project"};
    for (int i = 0; i < 2; ++i)
    {
        char text[600];
        snprintf(text, sizeof text,
                 "dimension: 2\nbodies:\n"
                 "  - {name: wall, kind: driven, motion: {position: [1/(0.02 - t), 100]}, shapes: [{type: circle, "
                 "radius: 0.1}]}\n"
                 "  - {name: ball, mass: 1, collides_with: [], shapes: [{type: circle, radius: 0.1}]}\n"
                 "simulation: {step: 0.01, integrator: stiff, stabilisation: %s}\n",
                 STABILISATIONS[i]);
        play p = open_scene(text);
        cairn_status status = CAIRN_OK;
        for (int k = 0; k < 3 && !status; ++k)
            status = cairn_simulation_step(p.simulation);
        assert_int_equal(status, CAIRN_NUMERIC);
        for (int k = 0; k < cairn_context_message_count(p.context); ++k)
            assert_null(strstr(cairn_context_message(p.context, k).text, "memory"));
        close_scene(&p);
    }
}

/* What blows up fails, naming step and body, and the state stays that of the step before. */
static void what_blows_up_fails(void **state)
{
    (void)state;
    play p = open_scene("dimension: 2\ngravity: [0, 0]\n"
                        "bodies:\n"
                        "  - {name: calm, point: true, mass: 1, position: [9, 9]}\n"
                        "  - {name: wild, point: true, mass: 1, position: [1, 0], velocity: [1, 0]}\n"
                        "springs: [{name: s, type: linear, bodies: [wild, world], stiffness: 1e30}]\n"
                        "simulation: {step: 0.01, integrator: euler}\n");
    cairn_status status = CAIRN_OK;
    int steps = 0;
    while (!status && steps < 100)
    {
        status = cairn_simulation_step(p.simulation);
        steps += !status;
        assert_true(isfinite(cairn_simulation_energy(p.simulation).total));
        assert_true(isfinite(cairn_simulation_energy(p.simulation).balance_error));
    }
    assert_int_equal(status, CAIRN_NUMERIC);
    char step_name[24];
    snprintf(step_name, sizeof step_name, "step %d", steps + 1);
    assert_non_null(strstr(cairn_context_last_message(p.context), step_name));
    assert_non_null(strstr(cairn_context_last_message(p.context), "'wild' left the range of numbers"));
    assert_near(cairn_simulation_time(p.simulation), 0.01 * steps, 1e-12);
    close_scene(&p);
}

/* A ball runs into a row of forty, each of which can only touch its neighbours: in one step every one that is set moving brings
 * the next into reach, more often than a step solves anew. What is left open is told as missed. */
static void more_passes_than_a_step_makes(void **state)
{
    (void)state;
    char text[8000] = "dimension: 2\ngravity: [0, 0]\nbodies:\n";
    for (int i = 0; i <= 40; ++i)
    {
        char part[200];
        snprintf(part, sizeof part,
                 "  - {name: b%d, mass: 1, position: [%g, 0], velocity: [%d, 0], groups: [g%d], "
                 "collides_with: [g%d, g%d], shapes: [{type: circle, radius: 0.5}]}\n",
                 i, 1.1 * i, i == 0 ? 1000 : 0, i, i > 0 ? i - 1 : 0, i < 40 ? i + 1 : 40);
        strncat(text, part, sizeof text - strlen(text) - 1);
    }
    strncat(text, "simulation: {step: 1, integrator: stiff}\n", sizeof text - strlen(text) - 1);
    play p = open_scene(text);
    assert_int_equal(cairn_simulation_step(p.simulation), CAIRN_OK);
    double worst = 0;
    cairn_body_state before = cairn_simulation_body(p.simulation, cairn_model_body(cairn_scene_model(p.scene), 0));
    for (int i = 1; i <= 40; ++i)
    {
        cairn_body_state now = cairn_simulation_body(p.simulation, cairn_model_body(cairn_scene_model(p.scene), i));
        worst = fmax(worst, 1.0 - (now.position[0] - before.position[0]));
        before = now;
    }
    assert_true(worst > 1.0); /* the last that moves has gone through the next */
    assert_int_equal(cairn_simulation_report(p.simulation)->solver.outcome, CAIRN_MISSED);
    close_scene(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patch_and_rigid_contacts_in_one_island),
        cmocka_unit_test(weights_leave_the_projection_on),
        cmocka_unit_test(a_fast_body_elsewhere_excuses_nothing),
        cmocka_unit_test(too_many_joints_at_rest),
        cmocka_unit_test(a_wall_that_is_nowhere),
        cmocka_unit_test(what_blows_up_fails),
        cmocka_unit_test(more_passes_than_a_step_makes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
