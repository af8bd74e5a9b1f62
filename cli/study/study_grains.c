/* The studies `repose` and `drum`: angles of heaps of grains over their rolling friction and the speed of a drum.
 *
 * `repose` lifts a cylinder and measures the angle of the heap that stays (the quantity heap.repose), with and without cohesion: its
 * mean over the last quarter of the time, when the heap rests; and the height of its centre of mass, which needs no fitted cone.
 *
 * `drum` follows the angle of the centre of mass about the drum's axis. It grows with the drum while the bed turns along, and falls in an
 * avalanche; one counts from a fall of LEAST on. Between avalanches a bed that turns along takes the time drop/omega, which the mean
 * period is compared with: a longer one means that the bed slides back in between.
 */
#include "cli/run/run.h"
#include "cli/study/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    BLOCKS = 2,
    STRIDE = 5, /* steps from one look to the next */
};

static const double LEAST = 0.5; /* degrees */
static const double DEGREE = 57.29577951308232;

/* The angle at one time. */
typedef struct look
{
    double time, angle; /* s, degrees */
} look;

/* Those of a run. */
typedef struct course
{
    int count;
    look looks[];
} course;

/* What the two studies do not share. */
typedef struct grains
{
    const char *setting[BLOCKS]; /* of the scene's parameters, per block */
    double (*angle)(const cairn_simulation *simulation);
    void (*conclude)(const course *all, double value, double numbers[]);
    int height; /* which of the numbers is the height of the centre of mass at the end, in mm; 0: none */
} grains;

/* ----------------------------------------------------------------------------------------------------- measuring */

/* Degrees: that of the heap; NAN where it has none. */
static double angle_of_heap(const cairn_simulation *simulation)
{
    cairn_quantity quantity;
    double angle = NAN;
    if (cairn_quantity_find(NULL, cairn_simulation_model(simulation), "heap.repose", &quantity) == CAIRN_OK)
        cairn_quantity_value(simulation, &quantity, &angle);
    return DEGREE * angle;
}

/* Degrees: of the grains' centre of mass from the vertical, about the axis of the drum. */
static double angle_of_bed(const cairn_simulation *simulation)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    double sum[2] = {0, 0};
    for (int i = 0; i < cairn_model_body_count(model); ++i)
    {
        cairn_body body = cairn_model_body(model, i);
        if (cairn_model_body_kind(model, body) != CAIRN_DYNAMIC)
            continue;
        cairn_body_state at = cairn_simulation_body(simulation, body);
        double mass = cairn_model_body_mass(model, body);
        sum[0] += mass * at.position[0];
        sum[1] -= mass * at.position[2];
    }
    return DEGREE * fabs(atan2(sum[0], sum[1]));
}

/* mm: of the grains' centre of mass. */
static double height_of(const cairn_simulation *simulation)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    double sum = 0, mass = 0;
    for (int i = 0; i < cairn_model_body_count(model); ++i)
    {
        cairn_body body = cairn_model_body(model, i);
        double own = cairn_model_body_kind(model, body) == CAIRN_DYNAMIC ? cairn_model_body_mass(model, body) : 0.0;
        sum += own > 0 ? own * cairn_simulation_body(simulation, body).position[2] : 0.0;
        mass += own;
    }
    return 1000 * sum / mass;
}

/* Mean and standard deviation over the last quarter. */
static void conclude_heap(const course *all, double value, double numbers[])
{
    double sum = 0, square = 0;
    int count = 0;
    for (int i = all->count - all->count / 4; i < all->count; ++i)
    {
        double angle = all->looks[i].angle;
        sum += isnan(angle) ? 0 : angle;
        square += isnan(angle) ? 0 : angle * angle;
        count += !isnan(angle);
    }
    numbers[0] = value;
    numbers[1] = count > 0 ? sum / count : NAN;
    numbers[2] = count > 0 ? sqrt(fmax(0, square / count - numbers[1] * numbers[1])) : NAN;
}

/* Avalanches so far. */
typedef struct avalanches
{
    int count;
    double high, low, time; /* degrees; s: of the last high */
    double drops, highs;    /* sums of those that are over */
    double first, last;     /* s: of their highs */
    bool falls;
} avalanches;

static void follow(avalanches *a, look now)
{
    if (!a->falls && now.angle > a->high)
    {
        a->high = now.angle;
        a->time = now.time;
    }
    else if (!a->falls && now.angle < a->high - LEAST)
    {
        a->falls = true;
        a->low = now.angle;
    }
    else if (a->falls && now.angle > a->low + LEAST)
    {
        a->drops += a->high - a->low;
        a->highs += a->high;
        a->first = a->count == 0 ? a->time : a->first;
        a->last = a->time;
        a->count += 1;
        a->high = now.angle;
        a->time = now.time;
        a->falls = false;
    }
    a->low = a->falls ? fmin(a->low, now.angle) : a->low;
}

/* From when the bed is first as steep as it is on average in the second half. */
static void conclude_bed(const course *all, double value, double numbers[])
{
    avalanches a = {.high = -INFINITY};
    double mean = 0;
    for (int i = all->count / 2; i < all->count; ++i)
        mean += all->looks[i].angle / (all->count - all->count / 2);
    bool steep = false;
    for (int i = 0; i < all->count; ++i)
    {
        steep = steep || (all->looks[i].time > 0.5 && all->looks[i].angle > mean);
        if (steep)
            follow(&a, all->looks[i]);
    }
    numbers[0] = value;
    numbers[1] = mean;
    numbers[2] = a.count;
    numbers[3] = a.count > 0 ? a.highs / a.count : NAN;
    numbers[4] = a.count > 0 ? a.drops / a.count : NAN;
    numbers[5] = a.count > 1 ? (a.last - a.first) / (a.count - 1) : NAN;
    numbers[6] = numbers[4] / DEGREE / value;
}

/* -------------------------------------------------------------------------------------------------------- running */

static int load(const cli_sweep *sweep, const cli_sweep_run *run, cairn_context *context, bool keep, cairn_scene **out)
{
    const grains *study = sweep->data;
    char value[48];
    const cli_text_list *given = &sweep->options->set;
    const char **items = cli_allocate((size_t)given->count + 1, sizeof *items);
    for (int i = 0; i < given->count; ++i)
        items[1 + i] = given->items[i];
    items[0] = study->setting[run->block];
    snprintf(value, sizeof value, "%s=%.17g", sweep->parameter, run->value);
    const cli_text_list set = {.items = items, .count = given->count + 1};
    int result = cli_sweep_load(context, sweep->name, &set, value, keep, out);
    free(items);
    return result;
}

static cairn_status run_one(const cli_sweep *sweep, cli_sweep_run *run, cairn_context *context, atomic_llong *done)
{
    const grains *study = sweep->data;
    cairn_scene *scene = NULL;
    cairn_simulation *simulation = NULL;
    int64_t total = cli_run_plan_steps(sweep->until, sweep->h).steps;
    course *all = cli_sweep_keep(run, sizeof *all + (size_t)(total / STRIDE + 1) * sizeof(look));
    cairn_status status = load(sweep, run, context, true, &scene) ? CAIRN_INVALID : CAIRN_OK;
    if (!status)
    {
        cairn_settings settings = cairn_scene_settings(scene);
        settings.step = sweep->h;
        status = cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation);
    }
    for (int64_t i = 1; i <= total && !status; ++i)
    {
        status = cli_sweep_step(run, simulation, done);
        if (!status && i % STRIDE == 0)
            all->looks[all->count++] = (look){cairn_simulation_time(simulation), study->angle(simulation)};
    }
    study->conclude(all, run->value, run->numbers);
    if (study->height > 0 && !status)
        run->numbers[study->height] = height_of(simulation);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    return status;
}

static int plan(cli_sweep *sweep, cairn_context *context)
{
    int result = CLI_EXIT_DONE;
    for (int i = 0; i < sweep->count && !result; ++i)
    {
        cairn_scene *scene;
        result = load(sweep, &sweep->runs[i], context, false, &scene);
        result = result ? result : cli_sweep_times(sweep, scene);
        cairn_scene_destroy(scene);
    }
    return result;
}

/* -------------------------------------------------------------------------------------------------------- drawing */

static int draw_curves(const cli_sweep *sweep, cli_curve *curves, int count)
{
    cli_chart chart = sweep->chart;
    for (int i = 0; i < count; ++i)
    {
        curves[i].colour = i;
        curves[i].dash = (cli_dash)(i % CLI_DASH_COUNT);
    }
    chart.curves = curves;
    chart.curve_count = count;
    chart.legend = true;
    return cli_chart_write(&chart, sweep->options->output, 640, 440);
}

/* The angle over rolling friction, a curve per block. */
static int draw_heaps(const cli_sweep *sweep)
{
    cli_curve curves[BLOCKS];
    double *numbers = cli_allocate((size_t)(2 * BLOCKS * sweep->rows), sizeof *numbers);
    for (int b = 0; b < BLOCKS; ++b)
    {
        double *x = numbers + 2 * b * sweep->rows, *y = x + sweep->rows;
        for (int i = 0; i < sweep->rows; ++i)
        {
            x[i] = cli_sweep_row(sweep, b, i)->value;
            y[i] = cli_sweep_row(sweep, b, i)->numbers[1];
        }
        curves[b] =
            (cli_curve){.name = sweep->headings[b], .x = x, .y = y, .count = sweep->rows, .mark = CLI_MARK_DISC};
    }
    int result = draw_curves(sweep, curves, BLOCKS);
    free(numbers);
    return result;
}

/* The angle of the bed over time, a curve per speed of the last block. */
static int draw_beds(const cli_sweep *sweep)
{
    int64_t looks = cli_run_plan_steps(sweep->until, sweep->h).steps / STRIDE;
    cli_curve *curves = cli_allocate((size_t)sweep->rows, sizeof *curves);
    double *numbers = cli_allocate((size_t)(2 * sweep->rows * looks), sizeof *numbers);
    char(*names)[32] = cli_allocate((size_t)sweep->rows, sizeof *names);
    for (int i = 0; i < sweep->rows; ++i)
    {
        const cli_sweep_run *run = cli_sweep_row(sweep, BLOCKS - 1, i);
        const course *all = run->data;
        double *x = numbers + 2 * i * looks, *y = x + looks;
        for (int k = 0; k < all->count; ++k)
        {
            x[k] = all->looks[k].time;
            y[k] = all->looks[k].angle;
        }
        snprintf(names[i], sizeof names[i], "%g rad/s", run->value);
        curves[i] = (cli_curve){.name = names[i], .x = x, .y = y, .count = all->count};
    }
    int result = draw_curves(sweep, curves, sweep->rows);
    free(names);
    free(numbers);
    free(curves);
    return result;
}

/* ----------------------------------------------------------------------------------------------------- the studies */

int cli_study_repose(const cli_study_options *options)
{
    static const cli_column COLUMNS[] = {{"rolling", "rolling/r", 'g', 9, 3, NULL},
                                         {"angle", "angle [deg]", 'f', 11, 1, NULL},
                                         {"deviation", "deviation", 'f', 9, 1, NULL},
                                         {"height", "centre [mm]", 'f', 11, 1, NULL},
                                         {0}};
    grains study = {{"bond=0", "bond=4"}, angle_of_heap, conclude_heap, 3};
    cli_sweep sweep = {
        .options = options,
        .name = CLI_REPOSE_NAME,
        .title = cairn_builtin_find(CLI_REPOSE_NAME)->title,
        .note =
            "  angle of the heap, mean and deviation over the last quarter of the time; height of its centre of mass",
        .allowed = (const char *const[]){"steps", "vary", "until", "set", NULL},
        .refusal = "the study '" CLI_REPOSE_NAME "' takes --vary rolling=LIST, --set, --steps H and --until",
        .parameter = "rolling",
        .values = "0,0.05,0.1,0.2,0.4",
        .takes_zero = true,
        .variation = "rolling alone, rolling friction in radii, as in rolling=0,0.1; --set changes others",
        .block_count = BLOCKS,
        .headings = (const char *const[]){"dry", "cohesion of 4 weights"},
        .columns = COLUMNS,
        .chart = {.title = "Angle of repose of a heap left by a lifted cylinder",
                  .x_label = "rolling friction between grains / radius",
                  .y_label = "angle (degrees)"},
        .plan = plan,
        .run = run_one,
        .draw = draw_heaps,
        .data = &study};
    return cli_sweep_perform(&sweep);
}

int cli_study_drum(const cli_study_options *options)
{
    static const cli_column COLUMNS[] = {{"omega", "omega [rad/s]", 'g', 13, 3, NULL},
                                         {"angle", "angle [deg]", 'f', 11, 1, NULL},
                                         {"avalanches", "avalanches", 'g', 10, 3, NULL},
                                         {"highest", "from [deg]", 'f', 10, 1, NULL},
                                         {"drop", "drop [deg]", 'f', 10, 2, NULL},
                                         {"period", "period [s]", 'f', 10, 2, NULL},
                                         {"rigid_period", "drop/omega [s]", 'f', 14, 2, NULL},
                                         {0}};
    grains study = {{"rolling=0", "rolling=0.2"}, angle_of_bed, conclude_bed, 0};
    cli_sweep sweep = {
        .options = options,
        .name = CLI_DRUM_NAME,
        .title = cairn_builtin_find(CLI_DRUM_NAME)->title,
        .note = "  angle of the centre of mass about the drum's axis, mean over the second half; avalanches "
                "of half a degree or more",
        .allowed = (const char *const[]){"steps", "vary", "until", "set", NULL},
        .refusal = "the study '" CLI_DRUM_NAME "' takes --vary omega=LIST, --set, --steps H and --until",
        .parameter = "omega",
        .values = "0.2,0.4,0.8",
        .variation = "omega alone, the speed of the drum in rad/s, as in omega=0.1,0.2; --set changes others",
        .block_count = BLOCKS,
        .headings = (const char *const[]){"without rolling friction", "rolling friction of 0.2 radii"},
        .columns = COLUMNS,
        .chart = {.title = "Bed of grains in a turning drum: angle of its centre of mass",
                  .x_label = "time t (s)",
                  .y_label = "angle (degrees)"},
        .plan = plan,
        .run = run_one,
        .draw = draw_beds,
        .data = &study};
    return cli_sweep_perform(&sweep);
}
