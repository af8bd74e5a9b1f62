/* A scheme of its own, in this file alone: the test links its own table of schemes instead of src/step/schemes/table.c. Nothing
 * else is told of it, and yet scene files, the command line, run files, plots and the viewer know it.
 *
 * `parabola`: the velocity of explicit Euler, and positions by the mean of both velocities, q+ = q + h (v + v+)/2. Free flight
 * under gravity is then exact, x = x0 + v0 t + g t^2/2, which no other scheme of first order gets right. */
#include "cli/common/cli.h"
#include "cli/view/view_run.h"
#include "step/simulation.h"
#include "support/check.h"

#include <cairn/cairn.h>

#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------- the scheme */

static cairn_status formulate(crn_assembly *assembly, const crn_input *in)
{
    CRN_TRY(crn_begin(assembly, in));
    crn_add_gravity(assembly, in);
    if (crn_add_joint_rows(assembly, in, 0.0) || crn_add_contact_rows(assembly, in))
        return CAIRN_NO_MEMORY;
    crn_finish(assembly, in, in->settings->law);
    return CAIRN_OK;
}

static cairn_status advance(cairn_simulation *s, double h, cairn_solver_report *report)
{
    cairn_status status = crn_solve_at_state(s, h, formulate, CRN_IMPLICIT, report);
    for (int i = 0; i < s->layout->block_start[s->layout->block_count]; ++i)
        s->trial.displacement[i] = 0.5 * h * (s->state.v[i] + s->trial.v_new[i]);
    memcpy(s->trial.q_new, s->state.q, (size_t)s->layout->q_start[s->layout->block_count] * sizeof(double));
    crn_layout_move(s->layout, s->trial.displacement, s->trial.q_new);
    return status;
}

static const crn_scheme crn_scheme_parabola = {.name = "parabola", .order = 1, .advance = advance, .jump_growth = 1.0};

extern const crn_scheme crn_scheme_euler, crn_scheme_stiff, crn_scheme_trapezoid, crn_scheme_trapezoid2,
    crn_scheme_stiff2;

const crn_scheme *const crn_schemes[] = {
    &crn_scheme_euler,
    &crn_scheme_stiff,
    &crn_scheme_trapezoid,
    &crn_scheme_trapezoid2,
    &crn_scheme_stiff2,
    &crn_scheme_parabola,
    NULL,
};

enum
{
    PARABOLA = CAIRN_INTEGRATOR_STIFF2 + 1
};

/* --------------------------------------------------------------------------------------------------- its runs */

static const char SCENE[] = "dimension: 2\n"
                            "gravity: [0, -10]\n"
                            "bodies:\n"
                            "  - {name: ball, point: true, mass: 2, position: [1, 3], velocity: [4, 5]}\n"
                            "simulation: {step: 1/16, until: 1, integrator: parabola}\n";

static void write_scene(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(SCENE, file) >= 0 && fclose(file) == 0);
}

static int call(int (*command)(int argc, char **argv), const char *a, const char *b, const char *c, const char *d,
                const char *e)
{
    const char *const given[] = {"test", a, b, c, d, e, NULL};
    char *argv[8] = {0};
    int argc = 0;
    for (int i = 0; given[i]; ++i)
        argv[argc++] = strdup(given[i]);
    int result = command(argc, argv);
    for (int i = 0; i < 7; ++i) /* getopt changes their order */
        free(argv[i]);
    return result;
}

/* Every frame lies on the parabola, to rounding. */
static void check_frames(cairn_run *run)
{
    assert_int_equal(cairn_run_frame_count(run), 17);
    for (int64_t k = 0; k < 17; ++k)
    {
        double t = (double)k / 16;
        cairn_body_state state;
        assert_int_equal(cairn_run_read_frame(run, k, &state), CAIRN_OK);
        assert_near(state.position[0], 1 + 4 * t, 1e-13);
        assert_near(state.position[1], 3 + 5 * t - 5 * t * t, 1e-13);
        assert_near(state.velocity[1], 5 - 10 * t, 1e-13);
    }
}

static void runs_from_scene_text_to_run_file(void **state)
{
    (void)state;
    write_scene("parabola.yaml");
    assert_int_equal(call(cli_command_run, "parabola.yaml", "-o", "parabola.h5", "--quiet", NULL), CLI_EXIT_DONE);
    cairn_context *context = cairn_context_create();
    cairn_run *run;
    char name[32];
    cairn_settings settings;
    assert_int_equal(cairn_run_open(context, "parabola.h5", &run), CAIRN_OK);
    assert_true(cairn_run_setting(run, "integrator", name, sizeof name));
    assert_string_equal(name, "parabola");
    assert_int_equal(cairn_run_settings(run, &settings), CAIRN_OK);
    assert_int_equal(settings.integrator, PARABOLA);
    assert_near(settings.step, 0.0625, 0);
    check_frames(run);
    cairn_run_close(run);
    cairn_context_destroy(context);
}

static void plots_and_the_viewer_show_its_run(void **state)
{
    (void)state;
    cli_view_run view;
    cli_bytes bytes = {0};
    assert_int_equal(call(cli_command_plot, "parabola.h5", "ball.y", "-o", "parabola.svg", NULL), CLI_EXIT_DONE);
    assert_int_equal(cli_view_run_open(&view, "parabola.h5", CLI_VIEW_MOST_BODIES), CLI_EXIT_DONE);
    assert_int_equal(view.run.frame_count, 17);
    assert_int_equal(cli_view_run_frame(&view, 16, &bytes), CAIRN_OK);
    assert_int_equal(bytes.size, cli_view_run_bytes(&view, 16, 17));
    FILE *nowhere = fopen("header.json", "w");
    assert_int_equal(cli_view_run_header(&view, "none", nowhere), CAIRN_OK);
    assert_int_equal(fclose(nowhere), 0);
    free(bytes.data);
    cli_view_run_close(&view);
}

static void the_command_line_and_the_table_know_it(void **state)
{
    (void)state;
    char expected[256];
    cairn_settings settings = cairn_settings_default();
    cairn_setting_expects(cairn_setting_find("integrator"), expected, sizeof expected);
    assert_string_equal(expected, "euler, stiff, trapezoid, trapezoid2, stiff2 or parabola");
    assert_int_equal(cairn_settings_set(NULL, &settings, "integrator", "parabola"), CAIRN_OK);
    assert_int_equal(settings.integrator, PARABOLA);
    assert_int_equal(cairn_integrator_order(settings.integrator), 1);
    assert_int_equal(cairn_settings_check(NULL, &settings), CAIRN_OK);
    settings.error_tolerance = 1e-3; /* it estimates no error */
    assert_int_equal(cairn_settings_check(NULL, &settings), CAIRN_INVALID);
    settings.integrator = (cairn_integrator)(PARABOLA + 1);
    assert_int_equal(cairn_settings_check(NULL, &settings), CAIRN_INVALID);
    assert_int_equal(call(cli_command_run, "pendulum", "--integrator", "parabola", "--until", "0.1"), CLI_EXIT_DONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_from_scene_text_to_run_file),
        cmocka_unit_test(plots_and_the_viewer_show_its_run),
        cmocka_unit_test(the_command_line_and_the_table_know_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
