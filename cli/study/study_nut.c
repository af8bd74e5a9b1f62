/* The study `brazil-nut` (Anitescu 2006, section 10.2, Figure 10.6): how many shakes bring the large disk to the top.
 *
 * A shake ends when the box is highest: then the disks lie on its floor, since it has just pushed them up, and have a free
 * surface. The large disk is on top when its highest point lies above those of 95 % of the small ones. The picture shows the
 * first run, which is recorded in a temporary run file.
 */
#include "cli/plot/plot_options.h"
#include "cli/plot/plot_run.h"
#include "cli/run/run.h"
#include "cli/study/lift_off.h"
#include "cli/study/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum
{
    MOST_FRAMES = 4, /* in the picture, as in Figure 10.6 */
    STRIDE = 5,      /* shakes from one column of the table to the next */
};

static const double TOP = 0.95;

static const char DEFINITION[] =
    "on top: the highest point of the large disk is above those of 95 % of the small ones, at "
    "the end of a shake, when the box is highest";

/* The state when the box is highest. */
typedef struct shake
{
    double time;   /* s */
    double passed; /* share of the small disks whose highest point is below that of the large one */
    double height; /* m, of the highest point of the large disk above the floor */
} shake;

/* Results of a run. */
typedef struct nut
{
    int top; /* the first shake that ends with the large disk on top, from 1; 0: none */
    int64_t steps, problems, iterations;
    double penetration, lift_off; /* the largest */
    int shake_count;
    shake shakes[]; /* room for one per step */
} nut;

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

static shake measure(const course *c)
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
    return (shake){cairn_simulation_time(c->simulation), small > 0 ? (double)below / small : 0, top - floor};
}

/* Whether the box has come up and goes down in the coming step. */
static bool box_is_highest(course *c)
{
    cairn_body_state box = cairn_simulation_body(c->simulation, c->box);
    bool rose = box.position[1] > c->floor;
    c->floor = box.position[1];
    return rose && box.velocity[1] < 0;
}

static cairn_status note_shake(course *c, nut *run)
{
    shake now = measure(c);
    run->shakes[run->shake_count++] = now;
    run->top = now.passed >= TOP && !run->top ? run->shake_count : run->top;
    return c->recorder ? cairn_recorder_write(c->recorder) : CAIRN_OK;
}

static void count_step(nut *run, const cairn_simulation *simulation, double h)
{
    const cairn_step_report *report = cairn_simulation_report(simulation);
    ++run->steps;
    run->problems += report->problems;
    run->iterations += report->solver.iterations;
    run->penetration = fmax(run->penetration, report->penetration);
    run->lift_off = fmax(run->lift_off, cli_lift_off(simulation, h));
}

/* --------------------------------------------------------------------------------------------------------- running */

static int load(const cli_sweep *sweep, cairn_context *context, double seed, bool keep, cairn_scene **out)
{
    char assignment[48];
    snprintf(assignment, sizeof assignment, "seed=%.17g", seed);
    return cli_sweep_load(context, CLI_NUT_NAME, &sweep->options->set, assignment, keep, out);
}

/* The run file keeps no parameters but the seed: nothing else changes what is drawn. */
static cairn_status open_record(const char *path, course *c, double seed)
{
    char value[32];
    snprintf(value, sizeof value, "%.17g", seed);
    const cairn_parameter parameter = {"seed", value};
    cairn_recorder_options options = cairn_recorder_default();
    options.scene_name = CLI_NUT_NAME;
    options.scene_text = cairn_scene_text(c->scene);
    options.parameters = &parameter;
    options.parameter_count = 1;
    return cairn_recorder_create(c->context, path, c->simulation, &options, &c->recorder);
}

static cairn_status start(const cli_sweep *sweep, const cli_sweep_run *run, course *c)
{
    if (load(sweep, c->context, run->value, true, &c->scene))
        return CAIRN_INVALID;
    c->model = cairn_scene_model(c->scene);
    c->box = cairn_model_find_body(c->model, "box");
    c->large = cairn_model_find_body(c->model, "large");
    cairn_settings settings = cairn_scene_settings(c->scene);
    settings.step = sweep->h;
    cairn_status status = cairn_simulation_create(c->context, c->model, &settings, &c->simulation);
    if (!status && sweep->data && run == sweep->runs)
        status = open_record(sweep->data, c, run->value);
    if (!status)
        c->floor = cairn_simulation_body(c->simulation, c->box).position[1];
    return status;
}

static cairn_status run_one(const cli_sweep *sweep, cli_sweep_run *run, cairn_context *context, atomic_llong *done)
{
    course c = {.context = context};
    int64_t total = cli_run_plan_steps(sweep->until, sweep->h).steps;
    nut *results = cli_sweep_keep(run, sizeof *results + (size_t)total * sizeof(shake));
    cairn_status status = start(sweep, run, &c);
    for (int64_t i = 0; i < total && !status; ++i)
    {
        status = cli_sweep_step(run, c.simulation, done);
        if (!status)
        {
            count_step(results, c.simulation, sweep->h);
            status = box_is_highest(&c) ? note_shake(&c, results) : CAIRN_OK;
        }
    }
    cairn_status closed = c.recorder ? cairn_recorder_close(c.recorder, "done") : CAIRN_OK;
    cairn_simulation_destroy(c.simulation);
    cairn_scene_destroy(c.scene);
    return status ? status : closed;
}

/* --------------------------------------------------------------------------------------------------------- drawing */

/* The start, the shake that brings the large disk to the top (or else the last one), and some at equal distances between. */
static int choose_times(const nut *run, double times[MOST_FRAMES])
{
    int last = run->top > 0 ? run->top : run->shake_count, count = last < MOST_FRAMES ? last + 1 : MOST_FRAMES;
    times[0] = 0;
    for (int i = 1; i < count; ++i)
        times[i] = run->shakes[last * i / (count - 1) - 1].time;
    return count;
}

static int draw(const cli_sweep *sweep)
{
    if (sweep->runs[0].failed)
        return CLI_EXIT_DONE;
    double times[MOST_FRAMES];
    const char *mark = "large";
    char title[96];
    snprintf(title, sizeof title, "A large disk among 200 small ones in a shaken box, seed %g", sweep->runs[0].value);
    cli_plot_options options = {.output = sweep->options->output,
                                .title = title,
                                .selection = {-INFINITY, INFINITY, 1},
                                .at = times,
                                .at_count = choose_times(sweep->runs[0].data, times),
                                .mark = {&mark, 1},
                                .run_count = 1};
    cli_plot_run run;
    int result = cli_plot_run_open(&run, sweep->data);
    result = result ? result : cli_plot_frames(&run, &options);
    cli_plot_run_close(&run);
    return result;
}

/* -------------------------------------------------------------------------------------------------------- printing */

static void print_head(int most)
{
    printf("\n    seed  shakes   small disks passed [%%] after");
    for (int k = STRIDE; k <= most; k += STRIDE)
        printf(" %4d", k);
    printf("  shakes   height [m]  residual  penetr. [m]  lift [m]  wall [s]\n");
}

static void print_run(const cli_sweep_run *r, int most)
{
    const nut *run = r->data;
    char top[16] = "-";
    if (run->top > 0)
        snprintf(top, sizeof top, "%d", run->top);
    printf("    %4g  %6s   %28s", r->value, top, "");
    for (int k = STRIDE; k <= most; k += STRIDE)
    {
        char text[16] = "-";
        if (k <= run->shake_count)
            snprintf(text, sizeof text, "%.0f", 100 * run->shakes[k - 1].passed);
        printf(" %4s", text);
    }
    double height = run->shake_count > 0 ? run->shakes[run->shake_count - 1].height : NAN;
    printf("  %19.1f  %8.1e  %11.1e  %8.2f  %8.3g\n", height, r->residual, run->penetration, run->lift_off, r->wall);
}

/* Over all runs. */
typedef struct summary
{
    int shakes;             /* the most of a run */
    int count, least, most; /* runs in which the large disk reached the top, after so many shakes */
    double mean;
} summary;

static summary summarise(const cli_sweep *sweep)
{
    summary s = {0};
    int sum = 0;
    for (int i = 0; i < sweep->count; ++i)
    {
        const nut *run = sweep->runs[i].data;
        s.shakes = run->shake_count > s.shakes ? run->shake_count : s.shakes;
        s.least = run->top > 0 && (s.count == 0 || run->top < s.least) ? run->top : s.least;
        s.most = run->top > s.most ? run->top : s.most;
        s.count += run->top > 0;
        sum += run->top;
    }
    s.mean = s.count > 0 ? (double)sum / s.count : NAN;
    return s;
}

static void print_text(const cli_sweep *sweep)
{
    summary s = summarise(sweep);
    printf("%s: %s\n  %s\n", sweep->name, sweep->title, DEFINITION);
    printf("  %d runs in steps of %g s to t = %g s in %.3g s of wall time, %d at a time\n", sweep->count, sweep->h,
           sweep->until, sweep->wall, sweep->jobs);
    print_head(s.shakes);
    for (int i = 0; i < sweep->count; ++i)
        print_run(&sweep->runs[i], s.shakes);
    printf("\n    on top in %d of %d runs", s.count, sweep->count);
    if (s.count > 0)
        printf(", after %d to %d shakes, %.1f on average (paper: comparable to the 30 to 50 of molecular dynamics)",
               s.least, s.most, s.mean);
    printf("\n");
    if (sweep->options->output)
        printf("\n  picture  %s\n", sweep->options->output);
}

static void put_run(cli_json *json, const cli_sweep_run *r)
{
    const nut *run = r->data;
    cli_json_open(json, NULL, '{');
    cli_json_number(json, "seed", r->value);
    cli_json_text(json, "status", r->failed ? "failed" : r->missed ? "missed-tolerance" : "done");
    cli_json_text(json, "message", r->message);
    cli_json_number(json, "shakes", run->top > 0 ? (double)run->top : NAN);
    cli_json_integer(json, "steps", run->steps);
    cli_json_integer(json, "problems", run->problems);
    cli_json_integer(json, "iterations", run->iterations);
    cli_json_number(json, "residual", r->residual);
    cli_json_number(json, "penetration", run->penetration);
    cli_json_number(json, "lift_off", run->lift_off);
    cli_json_number(json, "wall_s", r->wall);
    cli_json_open(json, "course", '[');
    for (int i = 0; i < run->shake_count; ++i)
    {
        cli_json_open(json, NULL, '{');
        cli_json_integer(json, "shake", i + 1);
        cli_json_number(json, "time", run->shakes[i].time);
        cli_json_number(json, "passed", run->shakes[i].passed);
        cli_json_number(json, "height", run->shakes[i].height);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_close(json, '}');
}

static void put_json(const cli_sweep *sweep, cli_json *json)
{
    summary s = summarise(sweep);
    cli_json_text(json, "definition", DEFINITION);
    cli_json_number(json, "until", sweep->until);
    cli_json_number(json, "step", sweep->h);
    cli_json_integer(json, "on_top", s.count);
    cli_json_number(json, "mean_shakes", s.mean);
    cli_json_numbers(json, "paper_shakes", (double[]){30, 50}, 2);
    cli_json_open(json, "runs", '[');
    for (int i = 0; i < sweep->count; ++i)
        put_run(json, &sweep->runs[i]);
    cli_json_close(json, ']');
}

/* ------------------------------------------------------------------------------------------------------- the study */

/* A name for the run file that the picture is drawn from. */
static int name_record(cli_sweep *sweep)
{
    const char *folder = getenv("TMPDIR");
    char *path = cli_text("%s/cairn-brazil-nut-XXXXXX", folder && *folder ? folder : "/tmp");
    int file = mkstemp(path);
    if (file < 0)
    {
        free(path);
        return cli_fail("option --output: no temporary file can be made for the frames of the picture");
    }
    close(file);
    sweep->data = path;
    sweep->records_first = true;
    return CLI_EXIT_DONE;
}

static int plan(cli_sweep *sweep, cairn_context *context)
{
    cairn_scene *scene;
    int result = load(sweep, context, sweep->runs[0].value, false, &scene);
    result = result ? result : cli_sweep_times(sweep, scene);
    if (!result && (!cairn_model_find_body(cairn_scene_model(scene), "box").id ||
                    !cairn_model_find_body(cairn_scene_model(scene), "large").id))
        result = cli_wrong("the scene '%s' has no bodies 'box' and 'large'", CLI_NUT_NAME);
    cairn_scene_destroy(scene);
    return !result && sweep->options->output ? name_record(sweep) : result;
}

int cli_study_nut(const cli_study_options *options)
{
    cli_sweep sweep = {.options = options,
                       .name = CLI_NUT_NAME,
                       .title = cairn_builtin_find(CLI_NUT_NAME)->title,
                       .allowed = (const char *const[]){"steps", "vary", "until", "set", NULL},
                       .refusal = "the study '" CLI_NUT_NAME
                                  "' counts shakes, and takes --vary seed=LIST, --set, --steps H and --until",
                       .parameter = "seed",
                       .values = "1,2,3,4,5",
                       .variation = "the seed alone, as in seed=1,2,3; --set changes the others",
                       .block_count = 1,
                       .plan = plan,
                       .run = run_one,
                       .draw = draw,
                       .print_text = print_text,
                       .put_json = put_json};
    int result = cli_sweep_perform(&sweep);
    if (sweep.data)
        unlink(sweep.data);
    free(sweep.data);
    return result;
}
