/* Two laws against each other: the convex one (the paper's QP) and the exact one (its LCP).
 *
 * Both simulations take the same floor(T/h) steps. The paper's measure is the 2-norm of the differences of all coordinates at
 * all steps, divided by 2^k, where h = 0.1/2^k: it goes to 0 like sqrt(h) times the distance of the two motions. The table
 * also has the largest distance at any time, which needs no scaling. Motions that start without contact have one limit;
 * those that start with a sliding contact have two.
 */
#include "cli/common/scene_source.h"
#include "cli/study/sweep.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    ROWS = 8,   /* k = 0 .. 7 */
    BLOCKS = 3, /* at most */
};

enum
{
    K = 0,
    H,
    STEPS,
    NORM,
    NORM_RATIO,
    PAPER,
    PAPER_RATIO,
    LARGEST,
    LARGEST_RATIO,
};

static const cli_column COLUMNS[] = {
    [K] = {"k", "k", 'g', 1, 1, NULL},
    [H] = {"h", "h", 'g', 10, 8, NULL},
    [STEPS] = {"steps", NULL, 'g', 0, 0, NULL},
    [NORM] = {"norm", "2-norm/2^k", 'e', 13, 7, NULL},
    [NORM_RATIO] = {NULL, "ratio", 'g', 6, 3, NULL},
    [PAPER] = {"paper", "paper", 'e', 13, 7, NULL},
    [PAPER_RATIO] = {NULL, "ratio", 'g', 6, 3, NULL},
    [LARGEST] = {"largest", "ever [m]", 'e', 9, 3, NULL},
    [LARGEST_RATIO] = {NULL, "ratio", 'g', 6, 3, NULL},
    {0},
};

typedef struct block
{
    const char *title, *scene, *set; /* set: NULL, or one name=value */
    const double *paper;             /* ROWS numbers, or NULL */
} block;

typedef struct law_study
{
    const char *paper;
    block blocks[BLOCKS]; /* up to the first without a scene */
} law_study;

static const double TABLE_10_1[ROWS] = {5.6314784e-2, 1.7416198e-2, 6.7389905e-3, 2.1011170e-3,
                                        7.6112319e-4, 2.6647317e-4, 9.2498029e-5, 3.2649217e-5};
static const double TABLE_10_2[ROWS] = {1.5736018,    7.2176724e-1, 1.4580267e-1, 9.2969637e-2,
                                        5.5543025e-3, 4.3982975e-3, 3.7537593e-3, 3.7007014e-4};

static const law_study PARTICLE = {"Table 10.1 of Anitescu 2006",
                                   {{"thrown from above: one limit", "particle-1", NULL, TABLE_10_1},
                                    {"sliding from the start: two limits", "particle-2", NULL, NULL}}};
static const law_study BAR = {
    "Table 10.2 of Anitescu 2006, whose bar is not known: the trend alone can be compared",
    {{"dropped: one limit", "bar-1", NULL, TABLE_10_2},
     {"sliding from the start: two limits", "bar-2", NULL, NULL},
     {"sliding from the start, Painleve's paradox: both laws stop the tip at once", "bar-2", "inertia=1/16", NULL}}};

/* -------------------------------------------------------------------------------------------------------- running */

/* Squares of the differences of all coordinates now; the largest distance of a body goes into *largest. */
static double differences(cairn_simulation *const pair[2], double *largest)
{
    const cairn_model *model = cairn_simulation_model(pair[0]);
    double sum = 0;
    for (int i = 0; i < cairn_model_body_count(model); ++i)
    {
        cairn_body_state a = cairn_simulation_body(pair[0], cairn_model_body(model, i));
        cairn_body_state b = cairn_simulation_body(pair[1], cairn_model_body(model, i));
        double x = a.position[0] - b.position[0], y = a.position[1] - b.position[1], turn = a.angle - b.angle;
        sum += x * x + y * y + turn * turn;
        *largest = fmax(*largest, hypot(x, y));
    }
    return sum;
}

static cairn_status run_both(const cairn_scene *scene, cairn_simulation *const pair[2], cli_sweep_run *run,
                             atomic_llong *done)
{
    double sum = 0;
    int64_t steps = (int64_t)floor(cairn_scene_until(scene) / run->value + 1e-9);
    cairn_status status = CAIRN_OK;
    for (int64_t i = 0; i < steps && !status; ++i)
    {
        status = cli_sweep_step(run, pair[0], done);
        status = status ? status : cli_sweep_step(run, pair[1], done);
        sum += differences(pair, &run->numbers[LARGEST]);
    }
    int k = (int)lround(log2(0.1 / run->value));
    run->numbers[K] = k;
    run->numbers[H] = run->value;
    run->numbers[STEPS] = (double)steps;
    run->numbers[NORM] = ldexp(sqrt(sum), -k);
    return status;
}

static cairn_status run_row(const cli_sweep *sweep, cli_sweep_run *run, cairn_context *context, atomic_llong *done)
{
    static const cairn_law LAWS[2] = {{CAIRN_LAW_CONVEX_PYRAMID, 4}, {CAIRN_LAW_PYRAMID, 4}};
    const block *b = &((const law_study *)sweep->data)->blocks[run->block];
    cairn_simulation *pair[2] = {NULL, NULL};
    cairn_scene *scene;
    cairn_status status = cli_sweep_load(context, b->scene, NULL, b->set, true, &scene) ? CAIRN_INVALID : CAIRN_OK;
    for (int i = 0; i < 2 && !status; ++i)
    {
        cairn_settings settings = cairn_scene_settings(scene);
        assert(cairn_model_dimension(cairn_scene_model(scene)) == 2);
        settings.step = run->value;
        settings.law = LAWS[i];
        status = cairn_simulation_create(context, cairn_scene_model(scene), &settings, &pair[i]);
    }
    status = status ? status : run_both(scene, pair, run, done);
    cairn_simulation_destroy(pair[0]);
    cairn_simulation_destroy(pair[1]);
    cairn_scene_destroy(scene);
    return status;
}

/* Ratios of successive numbers; NAN where there is none. */
static void measure(const cli_sweep *sweep, cli_sweep_run *run)
{
    const double *paper = ((const law_study *)sweep->data)->blocks[run->block].paper;
    int k = (int)run->numbers[K];
    const double *before = k > 0 ? run[-1].numbers : NULL;
    run->numbers[PAPER] = paper ? paper[k] : NAN;
    for (int c = NORM; c <= LARGEST; c += PAPER - NORM)
        run->numbers[c + 1] = before && run->numbers[c] > 0 ? before[c] / run->numbers[c] : NAN;
}

/* ------------------------------------------------------------------------------------------------ printing, drawing */

static void put_json(const cli_sweep *sweep, cli_json *json)
{
    const law_study *study = sweep->data;
    cli_json_text(json, "paper_source", study->paper);
    cli_json_open(json, "blocks", '[');
    for (int i = 0; i < sweep->block_count; ++i)
    {
        const block *b = &study->blocks[i];
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "scene", b->scene);
        cli_json_text(json, "set", b->set ? b->set : "");
        cli_json_text(json, "title", b->title);
        cli_sweep_put_rows(sweep, json, i * ROWS, ROWS);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static int draw(const cli_sweep *sweep)
{
    const law_study *study = sweep->data;
    const char *names[BLOCKS];
    double numbers[1 + BLOCKS][ROWS];
    int count = 0;
    for (int i = 0; i < sweep->block_count; ++i)
    {
        double largest = 0;
        for (int k = 0; k < ROWS; ++k)
        {
            const cli_sweep_run *run = cli_sweep_row(sweep, i, k);
            numbers[0][k] = run->value;
            numbers[1 + count][k] = run->numbers[LARGEST];
            largest = fmax(largest, run->numbers[LARGEST]);
        }
        if (largest > 0) /* equal motions have no place on a logarithmic axis */
            names[count++] = study->blocks[i].title;
    }
    return cli_sweep_draw_curves(sweep->options->output, sweep->chart, names, count, numbers[0], ROWS);
}

/* -------------------------------------------------------------------------------------------------------- the study */

static int plan(cli_sweep *sweep, cairn_context *context)
{
    (void)context;
    sweep->until = 1; /* s: for the progress bar */
    return CLI_EXIT_DONE;
}

static int perform(const char *name, const char *title, const law_study *study, const cli_study_options *options)
{
    char texts[BLOCKS][256];
    const char *headings[BLOCKS];
    int count = 0;
    for (; count < BLOCKS && study->blocks[count].scene; ++count)
    {
        const block *b = &study->blocks[count];
        snprintf(texts[count], sizeof texts[0], "%s%s%s: %s%s%s%s", b->scene, b->set ? ", " : "", b->set ? b->set : "",
                 b->title, b->paper ? "   (paper: " : "", b->paper ? study->paper : "", b->paper ? ")" : "");
        headings[count] = texts[count];
    }
    cli_sweep sweep = {
        .options = options,
        .name = name,
        .title = title,
        .note = "  convex pyramid(4) against pyramid(4), both in the same steps",
        .allowed = (const char *const[]){NULL},
        .refusal = "a study of two laws is one fixed table; 'cairn compare' takes settings",
        .parameter = "h",
        .values = "0.1:0.00078125", /* 0.1/2^k */
        .block_count = count,
        .headings = headings,
        .columns = COLUMNS,
        .chart = {.title = title, .x_label = "step h (s)", .y_label = "largest distance of the two motions (m)"},
        .plan = plan,
        .run = run_row,
        .measure = measure,
        .draw = draw,
        .put_json = put_json,
        .data = (void *)study};
    return cli_sweep_perform(&sweep);
}

int cli_study_particle_laws(const cli_study_options *options)
{
    return perform(CLI_PARTICLE_NAME, CLI_PARTICLE_TITLE, &PARTICLE, options);
}

int cli_study_bar_laws(const cli_study_options *options)
{
    return perform(CLI_BAR_NAME, CLI_BAR_TITLE, &BAR, options);
}
