/* Contact forces as quantities of a run, against the change of momentum; the closed forms of cli/study/hertz.c against integrals. */
#include "support/check.h"
#include "support/worlds.h"

#include "cli/plot/plot_patch_read.h"
#include "cli/plot/plot_quantity.h"
#include "cli/study/hertz.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    STEPS = 60,
    QUANTITIES = 13
};

/* A ball thrown slantwise on a soft floor: the first body of the contact is the floor, so that signs must turn. */
static const char SCENE[] =
    "dimension: 3\n"
    "gravity: [0, 0, -9]\n"
    "materials: [{name: soft, friction: 0.2, patch: {elements: 3, spacing: 0.01, young: 1e5}}]\n"
    "bodies:\n"
    "  - {name: floor, kind: fixed, material: soft, shapes: [{type: half-space}]}\n"
    "  - {name: ball, point: true, mass: 2, position: [0, 0, 0.3], velocity: [0.2, 0.1, -1],\n"
    "     material: soft, shapes: [{type: sphere, radius: 0.3}]}\n"
    "simulation: {step: 0.002, until: 1}\n";

static void record(const char *path, int every)
{
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = NULL;
    cairn_simulation *simulation = NULL;
    cairn_recorder *recorder = NULL;
    cairn_recorder_options options = cairn_recorder_default();
    options.scene_text = SCENE;
    options.every = every;
    assert_int_equal(cairn_scene_parse(context, "test", SCENE, strlen(SCENE), NULL, 0, &scene), CAIRN_OK);
    cairn_settings settings = cairn_scene_settings(scene);
    assert_int_equal(cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation), CAIRN_OK);
    assert_int_equal(cairn_recorder_create(context, path, simulation, &options, &recorder), CAIRN_OK);
    for (int i = 0; i < STEPS; ++i)
    {
        assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
        assert_int_equal(cairn_recorder_write(recorder), CAIRN_OK);
    }
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

static void read_table(cli_plot_run *run, const char *const *texts, int count, double **values, int64_t *rows)
{
    cli_quantity quantities[QUANTITIES];
    cli_selection all = {-INFINITY, INFINITY, 1};
    for (int q = 0; q < count; ++q)
        assert_int_equal(cli_quantity_parse(run, texts[q], &quantities[q]), 0);
    assert_int_equal(cli_quantity_table(run, quantities, count, &all, values, rows), 0);
}

/* m (v+ - v) = h (force + m g), and elements add up to the whole. */
static void forces_change_momentum(void **state)
{
    (void)state;
    static const char *const TEXTS[QUANTITIES] = {"ball.vx",
                                                  "ball.vz",
                                                  "force(ball,floor).x",
                                                  "force(ball,floor).z",
                                                  "element(ball,floor,1).z",
                                                  "element(ball,floor,2).z",
                                                  "element(ball,floor,3).z",
                                                  "element(ball,floor,4).z",
                                                  "element(ball,floor,5).z",
                                                  "element(ball,floor,6).z",
                                                  "element(ball,floor,7).z",
                                                  "element(ball,floor,8).z",
                                                  "element(ball,floor,9).z"};
    cli_plot_run run;
    double *v = NULL;
    int64_t rows = 0;
    int touching = 0;
    record("forces.h5", 1);
    assert_int_equal(cli_plot_run_open(&run, "forces.h5"), 0);
    read_table(&run, TEXTS, QUANTITIES, &v, &rows);
    assert_int_equal(rows, STEPS + 1);
    assert_true(isnan(v[2 * rows])); /* nothing led to the first frame */
    for (int64_t i = 1; i < rows; ++i)
    {
        double elements = 0;
        for (int e = 0; e < 9; ++e)
            elements += v[(4 + e) * rows + i];
        assert_near(2 * (v[i] - v[i - 1]) / 0.002, v[2 * rows + i], 1e-8);
        assert_near(2 * (v[rows + i] - v[rows + i - 1]) / 0.002 + 2 * 9, v[3 * rows + i], 1e-8);
        assert_near(elements, v[3 * rows + i], 1e-8);
        touching += v[3 * rows + i] > 0;
    }
    assert_true(touching > 10);
    free(v);
    cli_plot_run_close(&run);
    unlink("forces.h5");
}

/* The contact force on a body changes its momentum, too; on the floor it is the opposite. */
static void force_on_a_body(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {"ball.velocity.x",
                                        "ball.velocity.y",
                                        "ball.velocity.z",
                                        "ball.contact_force.x",
                                        "ball.contact_force.y",
                                        "ball.contact_force.z",
                                        "ball.contact_force.magnitude",
                                        "floor.contact_force.x"};
    cli_plot_run run;
    double *v = NULL;
    int64_t rows = 0;
    record("body.h5", 1);
    assert_int_equal(cli_plot_run_open(&run, "body.h5"), 0);
    read_table(&run, TEXTS, 8, &v, &rows);
    for (int64_t i = 1; i < rows; ++i)
    {
        double f[3];
        for (int k = 0; k < 3; ++k)
        {
            f[k] = 2 * (v[k * rows + i] - v[k * rows + i - 1]) / 0.002 + (k == 2 ? 18 : 0);
            assert_near(v[(3 + k) * rows + i], f[k], 1e-8);
        }
        assert_near(v[6 * rows + i], sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]), 1e-8);
        assert_near(v[7 * rows + i], -v[3 * rows + i], 0);
    }
    free(v);
    cli_plot_run_close(&run);
    unlink("body.h5");
}

/* Each fourth step recorded: the step, not the time between frames, divides the impulses. */
static void parts_of_an_element(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {"element(floor,ball,5).normal", "element(floor,ball,5).friction",
                                        "element(floor,ball,5).share", "element(floor,ball,5).z"};
    cli_plot_run run;
    double *v = NULL;
    int64_t rows = 0;
    record("parts.h5", 4);
    assert_int_equal(cli_plot_run_open(&run, "parts.h5"), 0);
    read_table(&run, TEXTS, 4, &v, &rows);
    int sliding = 0;
    for (int64_t i = 1; i < rows; ++i)
    {
        assert_near(v[3 * rows + i], -v[i], 1e-12); /* on the floor it points down */
        if (v[i] > 1e-6)
        {
            assert_near(v[2 * rows + i], v[rows + i] / (0.2 * v[i]), 1e-12);
            assert_true(v[2 * rows + i] <= 1 + 1e-6);
            sliding += v[2 * rows + i] > 1 - 1e-6;
        }
    }
    assert_true(sliding > 0);
    cli_patch_frame frame;
    assert_int_equal(cli_patch_frame_read(&run, 3, 0.002, &frame), 0);
    assert_int_equal(frame.count, 9);
    assert_near(frame.spacing, 0.01, 1e-15);
    assert_near(frame.elements[4].normal, v[3], 1e-12);
    assert_string_equal(frame.name, "floor, ball");
    cli_patch_frame_free(&frame);
    const char *wrong[] = {
        "force(ball).x",         "force(ball,floor).share",  "element(ball,floor).x", "element(ball,floor,0).x",
        "element(ball,floor,1)", "element(ball,nobody,1).x", "force(ball,floor)x",    "element(,,).x"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
    {
        cli_quantity quantity;
        assert_int_equal(cli_quantity_parse(&run, wrong[i], &quantity), 2);
    }
    free(v);
    cli_plot_run_close(&run);
    unlink("parts.h5");
}

/* Pressure and shear integrate to P and Q; the shear meets the limit outside c and is continuous there. */
static void closed_forms_carry_their_loads(void **state)
{
    (void)state;
    for (int k = 1; k < 10; ++k)
    {
        double mu = 0.3, P = 7, Q = 0.1 * k * mu * P, pressure = 0, shear = 0;
        cli_hertz h = cli_hertz_of(P, Q, mu, 0.04, 3e8, 0.25);
        enum
        {
            RINGS = 200000
        };
        for (int i = 0; i < RINGS; ++i)
        {
            double r = h.a * (i + 0.5) / RINGS, area = 2 * M_PI * r * h.a / RINGS;
            pressure += cli_hertz_pressure(&h, r) * area;
            shear += cli_hertz_shear(&h, r) * area;
        }
        assert_near(pressure, P, 1e-6);
        assert_near(shear, Q, 1e-6);
        double outside = 0.5 * (h.a + h.c);
        assert_near(cli_hertz_shear(&h, outside), mu * cli_hertz_pressure(&h, outside), 1e-9 * h.p0);
        assert_true(cli_hertz_shear(&h, 0.9 * h.c) < mu * cli_hertz_pressure(&h, 0.9 * h.c));
        /* squares that tile the contact carry it all */
        double sum = 0, rho = 2.2 * h.a / 11;
        for (int i = 0; i < 121; ++i)
            sum += rho * rho * cli_hertz_mean(&h, cli_hertz_pressure, (i % 11 - 5) * rho, (i / 11 - 5) * rho, rho);
        assert_near(sum, P, 1e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_change_momentum),
        cmocka_unit_test(force_on_a_body),
        cmocka_unit_test(parts_of_an_element),
        cmocka_unit_test(closed_forms_carry_their_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
