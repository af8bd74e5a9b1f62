/* Running the Brazil nut with several seeds, and drawing the first of the runs. */
#include "cli/study/study_nut.h"
#include "cli/common/cli.h"

#include "cli/common/pool.h"
#include "cli/common/progress.h"
#include "cli/common/scene_source.h"
#include "cli/plot/plot_positions.h"
#include "cli/plot/plot_run.h"
#include "cli/run/run.h"
#include "cli/study/lift_off.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    MOST_FRAMES = 4, /* in the picture, as in Figure 10.6 */
};

/* A run in progress. */
typedef struct course
{
    cairn_context *context;
    cairn_scene *scene;
    const cairn_model *model;
    cairn_simulation *simulation;
    cairn_recorder *recorder; /* NULL: the run is not drawn */
    cairn_body box, large;
    double floor; /* m: of the box, a step before */
} course;

/* ------------------------------------------------------------------------------------------------------- measuring */

/* m: the highest point of a body made of one circle. */
static double highest(const course *c, int shape)
{
    cairn_shape_info info = cairn_model_shape_info(c->model, cairn_model_shape(c->model, shape));
    return cairn_simulation_body(c->simulation, info.body).position[1] + info.radius;
}

static cli_nut_shake measure(const course *c)
{
    int shapes = cairn_model_shape_count(c->model), small = 0, below = 0;
    double top = 0;
    for (int i = 0; i < shapes; ++i)
        top = cairn_model_shape_info(c->model, cairn_model_shape(c->model, i)).body.id == c->large.id ? highest(c, i)
                                                                                                      : top;
    for (int i = 0; i < shapes; ++i)
    {
        int id = cairn_model_shape_info(c->model, cairn_model_shape(c->model, i)).body.id;
        bool counts = id != c->box.id && id != c->large.id;
        small += counts;
        below += counts && highest(c, i) < top;
    }
    double floor = cairn_simulation_body(c->simulation, c->box).position[1];
    return (cli_nut_shake){cairn_simulation_time(c->simulation), small > 0 ? (double)below / small : 0, top - floor};
}

/* Whether the box has come up and goes down in the coming step. */
static bool box_is_highest(course *c)
{
    cairn_body_state box = cairn_simulation_body(c->simulation, c->box);
    bool rose = box.position[1] > c->floor;
    c->floor = box.position[1];
    return rose && box.velocity[1] < 0;
}

static cairn_status note_shake(course *c, cli_nut_run *run)
{
    cli_nut_shake *more = cli_resize(run->shakes, (size_t)(run->shake_count + 1), sizeof *more);
    run->shakes = more;
    more[run->shake_count++] = measure(c);
    bool on_top = more[run->shake_count - 1].passed >= CLI_NUT_TOP;
    run->top = on_top && !run->top ? run->shake_count : run->top;
    return c->recorder ? cairn_recorder_write(c->recorder) : CAIRN_OK;
}

static void count_step(cli_nut_run *run, const cairn_simulation *simulation, double h)
{
    const cairn_step_report *report = cairn_simulation_report(simulation);
    ++run->steps;
    run->problems += report->problems;
    run->iterations += report->solver.iterations;
    run->residual = fmax(run->residual, report->solver.certificate.relative);
    run->penetration = fmax(run->penetration, report->penetration);
    run->lift_off = fmax(run->lift_off, cli_lift_off(simulation, h));
    if (report->solver.outcome != CAIRN_SOLVED)
        run->status = "missed-tolerance";
}

/* --------------------------------------------------------------------------------------------------------- running */

static int load(const cli_nut_study *study, cairn_context *context, double seed, bool keep, cairn_scene **out)
{
    const cli_text_list *given = &study->options->set;
    const char **items = cli_allocate((size_t)given->count + 1, sizeof *items);
    char assignment[48];
    *out = NULL;
    for (int i = 0; i < (int)given->count; ++i)
        items[i] = given->items[i];
    snprintf(assignment, sizeof assignment, "seed=%.17g", seed);
    items[given->count] = assignment;
    cli_text_list set = {.items = items, .count = given->count + 1};
    int result = cli_load_scene(context, CLI_NUT_NAME, &set, keep, out);
    free((void *)items);
    return result;
}

/* The run file keeps no parameters but the seed: nothing else changes what is drawn. */
static cairn_status open_record(const cli_nut_study *study, course *c, double seed)
{
    char value[32];
    snprintf(value, sizeof value, "%.17g", seed);
    const cairn_parameter parameter = {"seed", value};
    cairn_recorder_options options = cairn_recorder_default();
    options.scene_name = CLI_NUT_NAME;
    options.scene_text = cairn_scene_text(c->scene);
    options.parameters = &parameter;
    options.parameter_count = 1;
    return cairn_recorder_create(c->context, study->record, c->simulation, &options, &c->recorder);
}

static cairn_status start(const cli_nut_study *study, course *c, double seed, bool draw)
{
    if (load(study, c->context, seed, true, &c->scene))
        return CAIRN_INVALID;
    c->model = cairn_scene_model(c->scene);
    c->box = cairn_model_find_body(c->model, "box");
    c->large = cairn_model_find_body(c->model, "large");
    cairn_settings settings = cairn_scene_settings(c->scene);
    settings.step = study->h;
    cairn_status status = cairn_simulation_create(c->context, c->model, &settings, &c->simulation);
    status = status || !draw ? status : open_record(study, c, seed);
    if (!status)
        c->floor = cairn_simulation_body(c->simulation, c->box).position[1];
    return status;
}

static cairn_status go(const cli_nut_study *study, course *c, cli_nut_run *run, atomic_llong *done)
{
    int64_t total = cli_run_plan_steps(study->until, study->h).steps;
    cairn_status status = CAIRN_OK;
    for (int64_t i = 0; i < total && !status; ++i)
    {
        status = cairn_simulation_step(c->simulation);
        if (!status)
        {
            count_step(run, c->simulation, study->h);
            status = box_is_highest(c) ? note_shake(c, run) : CAIRN_OK;
            atomic_fetch_add(done, 1);
        }
    }
    return status;
}

static void run_index(void *data, int index, atomic_llong *done)
{
    cli_nut_study *study = data;
    cli_nut_run *run = &study->runs[index];
    double started = cli_wall_time();
    course c = {.context = cli_context_create()};
    run->status = "done";
    cairn_status status = start(study, &c, run->seed, study->record && index == 0);
    status = status ? status : go(study, &c, run, done);
    cairn_status closed = c.recorder ? cairn_recorder_close(c.recorder, "done") : CAIRN_OK;
    status = status ? status : closed;
    if (status)
    {
        const char *text = cairn_context_last_message(c.context);
        run->status = "failed";
        snprintf(run->message, sizeof run->message, "%s", *text ? text : cairn_status_text(status));
    }
    cairn_simulation_destroy(c.simulation);
    cairn_scene_destroy(c.scene);
    cairn_context_destroy(c.context);
    run->wall = cli_wall_time() - started;
}

static int64_t planned(const void *data, int index)
{
    (void)index;
    const cli_nut_study *study = data;
    return cli_run_plan_steps(study->until, study->h).steps;
}

/* --------------------------------------------------------------------------------------------------------- drawing */

/* The start, the shake that brings the large disk to the top (or else the last one), and some at equal distances between. */
static int choose_times(const cli_nut_run *run, double times[MOST_FRAMES])
{
    int last = run->top > 0 ? run->top : run->shake_count, count = last < MOST_FRAMES ? last + 1 : MOST_FRAMES;
    times[0] = 0;
    for (int i = 1; i < count; ++i)
        times[i] = run->shakes[last * i / (count - 1) - 1].time;
    return count;
}

static int draw(const cli_nut_study *study)
{
    double times[MOST_FRAMES];
    const char *mark = "large";
    char title[96];
    snprintf(title, sizeof title, "A large disk among 200 small ones in a shaken box, seed %g", study->runs[0].seed);
    cli_plot_options options = {.output = study->options->output,
                                .title = title,
                                .selection = {-INFINITY, INFINITY, 1},
                                .at = times,
                                .at_count = choose_times(&study->runs[0], times),
                                .mark = {&mark, 1},
                                .run_count = 1};
    cli_plot_run run;
    int result = cli_plot_run_open(&run, study->record);
    result = result ? result : cli_plot_frames(&run, &options);
    cli_plot_run_close(&run);
    return result;
}

/* ------------------------------------------------------------------------------------------------------- the study */

static int read_seeds(cli_nut_study *study)
{
    static const char NAME[] = "seed=";
    const char *text = study->options->vary ? study->options->vary : "seed=1,2,3,4,5";
    if (strncmp(text, NAME, sizeof NAME - 1) != 0)
        return cli_wrong("option --vary: this study varies the seed alone, as in seed=1,2,3; --set changes the others");
    double *seeds;
    int result = cli_study_numbers("vary", text + sizeof NAME - 1, &seeds, &study->count);
    study->runs = result ? NULL : cli_allocate((size_t)study->count, sizeof *study->runs);
    for (int i = 0; study->runs && i < study->count; ++i)
        study->runs[i].seed = seeds[i];
    if (!result)
        free(seeds);
    return result;
}

/* A name for the run file that the picture is drawn from. */
static int name_record(cli_nut_study *study)
{
    const char *folder = getenv("TMPDIR");
    study->record = cli_text("%s/cairn-brazil-nut-XXXXXX", folder && *folder ? folder : "/tmp");
    int file = mkstemp(study->record);
    if (file < 0)
    {
        free(study->record);
        study->record = NULL;
        return cli_fail("option --output: no temporary file can be made for the frames of the picture");
    }
    close(file);
    return CLI_EXIT_DONE;
}

static int plan(cli_nut_study *study, cairn_context *context, cairn_scene **scene)
{
    static const char *const ALLOWED[] = {"steps", "vary", "until", "set", NULL};
    const char *unfit = cli_study_given(study->options, ALLOWED);
    if (unfit)
    {
        return cli_wrong(
            "option --%s: the study '%s' counts shakes, and takes --vary seed=LIST, --set, --steps H and --until",
            unfit, CLI_NUT_NAME);
    }
    int result = read_seeds(study);
    result = result ? result : load(study, context, study->runs[0].seed, false, scene);
    if (!result && (!cairn_model_find_body(cairn_scene_model(*scene), "box").id ||
                    !cairn_model_find_body(cairn_scene_model(*scene), "large").id))
        result = cli_wrong("the scene '%s' has no bodies 'box' and 'large'", CLI_NUT_NAME);
    if (!result)
    {
        study->title = cairn_scene_title(*scene);
        study->until = isnan(study->options->until) ? cairn_scene_until(*scene) : study->options->until;
        study->h = cairn_scene_settings(*scene).step;
        result = cli_study_one_step(CLI_NUT_NAME, study->options->steps, &study->h);
    }
    if (!result && !(study->until > 0))
        result = cli_wrong("option --until: expected a time above 0, found %g", study->until);
    return !result && study->options->output ? name_record(study) : result;
}

static int finish(const cli_nut_study *study)
{
    int result = CLI_EXIT_DONE;
    for (int i = 0; i < study->count; ++i)
    {
        const cli_nut_run *run = &study->runs[i];
        if (strcmp(run->status, "done") != 0)
        {
            cli_error("seed %g: %s%s%s", run->seed, run->status, *run->message ? ": " : "", run->message);
            result = CLI_EXIT_FAILED;
        }
    }
    int drawn = study->record && strcmp(study->runs[0].status, "failed") != 0 ? draw(study) : CLI_EXIT_DONE;
    (study->options->json ? cli_nut_print_json : cli_nut_print_text)(study);
    return drawn ? drawn : result;
}

int cli_study_nut(const cli_study_options *options)
{
    cli_nut_study study = {.options = options};
    cairn_context *context = cli_context_create();
    cairn_scene *scene = NULL;
    int result = plan(&study, context, &scene);
    if (!result)
    {
        double started = cli_wall_time();
        const cli_pool_work work = {.count = study.count, .planned = planned, .run = run_index, .data = &study};
        study.jobs = cli_pool_threads(options->jobs, study.count);
        cli_pool_run(&work, study.jobs, options->quiet);
        study.wall = cli_wall_time() - started;
    }
    result = result ? result : finish(&study);
    for (int i = 0; study.runs && i < study.count; ++i)
        free(study.runs[i].shakes);
    if (study.record)
        unlink(study.record);
    free(study.record);
    free(study.runs);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
    return result;
}
