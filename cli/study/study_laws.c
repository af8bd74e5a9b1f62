/* Two laws against each other: the convex one (the paper's QP) and the exact one (its LCP).
 *
 * Both runs take the same floor(T/h) steps side by side. The paper's measure is the 2-norm of the differences of all
 * coordinates at all steps, over 2^k, where h = 0.1/2^k: it goes to 0 like sqrt(h) times the distance of the two motions.
 * Beside it stands the largest distance at any time, which needs no scaling. Motions that start without contact have one
 * limit; those that start with a sliding contact have two.
 */
#include "cli/study/study_laws.h"
#include "cli/common/cli.h"

#include "cli/common/json.h"
#include "cli/common/scene_source.h"
#include "cli/study/study_chart.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    ROWS = 8,   /* k = 0 .. 7 */
    BLOCKS = 3, /* at most */
};

typedef struct block
{
    const char *title, *scene, *set; /* set: NULL, or one name=value */
    const double *paper;             /* ROWS numbers, or NULL */
} block;

typedef struct law_study
{
    const char *name, *title, *paper;
    block blocks[BLOCKS]; /* up to the first without a scene */
} law_study;

static const double TABLE_10_1[ROWS] = {5.6314784e-2, 1.7416198e-2, 6.7389905e-3, 2.1011170e-3,
                                        7.6112319e-4, 2.6647317e-4, 9.2498029e-5, 3.2649217e-5};
static const double TABLE_10_2[ROWS] = {1.5736018,    7.2176724e-1, 1.4580267e-1, 9.2969637e-2,
                                        5.5543025e-3, 4.3982975e-3, 3.7537593e-3, 3.7007014e-4};

static const law_study STUDIES[] = {
    {"particle-qp-lcp",
     "A particle under the convex and the exact law (Anitescu 2006, Table 10.1)",
     "Table 10.1 of Anitescu 2006",
     {{"thrown from above: one limit", "particle-1", NULL, TABLE_10_1},
      {"sliding from the start: two limits", "particle-2", NULL, NULL}}},
    {"bar-qp-lcp",
     "A bar under the convex and the exact law (Anitescu 2006, Table 10.2)",
     "Table 10.2 of Anitescu 2006, whose bar is not known: the trend alone can be compared",
     {{"dropped: one limit", "bar-1", NULL, TABLE_10_2},
      {"sliding from the start: two limits", "bar-2", NULL, NULL},
      {"sliding from the start, Painleve's paradox: both laws stop the tip at once", "bar-2", "inertia=1/16", NULL}}},
};

typedef struct row
{
    double h, norm, largest;
    int64_t steps;
    double residual;
    bool missed;
} row;

int cli_study_laws_count(void)
{
    return (int)(sizeof STUDIES / sizeof STUDIES[0]);
}

const char *cli_study_laws_name(int index)
{
    return STUDIES[index].name;
}

const char *cli_study_laws_title(int index)
{
    return STUDIES[index].title;
}

int cli_study_laws_find(const char *name)
{
    for (int i = 0; i < cli_study_laws_count(); ++i)
        if (!strcmp(STUDIES[i].name, name))
            return i;
    return -1;
}

static int block_count(const law_study *study)
{
    int count = 0;
    while (count < BLOCKS && study->blocks[count].scene)
        ++count;
    return count;
}

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

static cairn_status step_both(cairn_simulation *const pair[2], row *out)
{
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < 2 && !status; ++i)
    {
        status = cairn_simulation_step(pair[i]);
        const cairn_step_report *report = cairn_simulation_report(pair[i]);
        out->residual = fmax(out->residual, report->solver.certificate.relative);
        out->missed |= report->solver.outcome != CAIRN_SOLVED;
    }
    return status;
}

static cairn_status run_both(const cairn_scene *scene, cairn_simulation *const pair[2], int k, row *out)
{
    double sum = 0;
    out->steps = (int64_t)floor(cairn_scene_until(scene) / out->h + 1e-9);
    cairn_status status = CAIRN_OK;
    for (int64_t i = 0; i < out->steps && !status; ++i)
    {
        status = step_both(pair, out);
        sum += differences(pair, &out->largest);
    }
    out->norm = ldexp(sqrt(sum), -k);
    return status;
}

static int run_row(cairn_context *context, const cairn_scene *scene, int k, row *out)
{
    static const cairn_law LAWS[2] = {{CAIRN_LAW_CONVEX_PYRAMID, 4}, {CAIRN_LAW_PYRAMID, 4}};
    assert(cairn_model_dimension(cairn_scene_model(scene)) == 2);
    cairn_simulation *pair[2] = {NULL, NULL};
    cairn_status status = CAIRN_OK;
    *out = (row){.h = ldexp(0.1, -k)};
    for (int i = 0; i < 2 && !status; ++i)
    {
        cairn_settings settings = cairn_scene_settings(scene);
        settings.step = out->h;
        settings.law = LAWS[i];
        status = cairn_simulation_create(context, cairn_scene_model(scene), &settings, &pair[i]);
    }
    status = status ? status : run_both(scene, pair, k, out);
    cli_print_messages(context);
    cairn_simulation_destroy(pair[0]);
    cairn_simulation_destroy(pair[1]);
    return cli_exit_status(status);
}

static int run_block(const block *b, row rows[ROWS])
{
    cairn_context *context = cli_context_create();
    cairn_scene *scene = NULL;
    const char *items[] = {b->set};
    cli_text_list set = {.items = items, .count = b->set != NULL};
    int result = cli_load_scene(context, b->scene, &set, false, &scene);
    for (int k = 0; k < ROWS && !result; ++k)
        result = run_row(context, scene, k, &rows[k]);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
    return result;
}

/* ------------------------------------------------------------------------------------------------------- printing */

/* A ratio of successive numbers, a dash where there is none. */
static void print_ratio(double numerator, double denominator)
{
    char text[32] = "-";
    if (denominator > 0 && isfinite(numerator))
        snprintf(text, sizeof text, "%.3g", numerator / denominator);
    printf("  %6s", text);
}

static void print_block(const law_study *study, const block *b, const row rows[ROWS])
{
    printf("\n  %s%s%s: %s%s%s%s\n", b->scene, b->set ? ", " : "", b->set ? b->set : "", b->title,
           b->paper ? "   (paper: " : "", b->paper ? study->paper : "", b->paper ? ")" : "");
    printf("    k           h     2-norm/2^k   ratio%s   ever [m]   ratio   residual\n",
           b->paper ? "          paper   ratio" : "");
    for (int k = 0; k < ROWS; ++k)
    {
        const row *r = &rows[k];
        printf("    %d  %10.8g  %13.7e", k, r->h, r->norm);
        print_ratio(k > 0 ? rows[k - 1].norm : NAN, r->norm);
        if (b->paper)
        {
            printf("  %13.7e", b->paper[k]);
            print_ratio(k > 0 ? b->paper[k - 1] : NAN, b->paper[k]);
        }
        printf("  %9.3e", r->largest);
        print_ratio(k > 0 ? rows[k - 1].largest : NAN, r->largest);
        printf("  %9.1e%s\n", r->residual, r->missed ? "  missed-tolerance" : "");
    }
}

static void put_block(cli_json *json, const block *b, const row rows[ROWS])
{
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "scene", b->scene);
    cli_json_text(json, "set", b->set ? b->set : "");
    cli_json_text(json, "title", b->title);
    cli_json_open(json, "rows", '[');
    for (int k = 0; k < ROWS; ++k)
    {
        cli_json_open(json, NULL, '{');
        cli_json_integer(json, "k", k);
        cli_json_number(json, "h", rows[k].h);
        cli_json_integer(json, "steps", rows[k].steps);
        cli_json_number(json, "norm", rows[k].norm);
        cli_json_number(json, "paper", b->paper ? b->paper[k] : NAN);
        cli_json_number(json, "largest", rows[k].largest);
        cli_json_number(json, "residual", rows[k].residual);
        cli_json_bool(json, "missed", rows[k].missed);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_close(json, '}');
}

static void print(const law_study *study, row (*rows)[ROWS], const cli_study_options *options)
{
    cli_json json = {.stream = stdout};
    if (!options->json)
    {
        printf("%s: %s\n  convex pyramid(4) against pyramid(4), both in the same steps\n", study->name, study->title);
        for (int i = 0; i < block_count(study); ++i)
            print_block(study, &study->blocks[i], rows[i]);
        return;
    }
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "study", study->name);
    cli_json_text(&json, "title", study->title);
    cli_json_text(&json, "paper_source", study->paper);
    cli_json_open(&json, "blocks", '[');
    for (int i = 0; i < block_count(study); ++i)
        put_block(&json, &study->blocks[i], rows[i]);
    cli_json_close(&json, ']');
    cli_json_close(&json, '}');
}

/* -------------------------------------------------------------------------------------------------------- drawing */

static int draw(const law_study *study, row (*rows)[ROWS], const char *path)
{
    cli_curve curves[BLOCKS];
    double x[BLOCKS][ROWS], y[BLOCKS][ROWS];
    int count = 0;
    for (int i = 0; i < block_count(study); ++i)
    {
        double largest = 0;
        for (int k = 0; k < ROWS; ++k)
        {
            x[i][k] = rows[i][k].h;
            y[i][k] = rows[i][k].largest;
            largest = fmax(largest, y[i][k]);
        }
        if (!(largest > 0)) /* equal motions have no place on a logarithmic axis */
            continue;
        curves[count++] = (cli_curve){.name = study->blocks[i].title,
                                      .x = x[i],
                                      .y = y[i],
                                      .count = ROWS,
                                      .colour = i,
                                      .dash = (cli_dash)i,
                                      .mark = CLI_MARK_DISC};
    }
    cli_chart chart = {.title = study->title,
                       .x_label = "step h (s)",
                       .y_label = "largest distance of the two motions (m)",
                       .curves = curves,
                       .curve_count = count,
                       .legend = true,
                       .log = true,
                       .log_x = true};
    return cli_chart_write(&chart, path, 640, 440);
}

/* These studies are one fixed table: an option that would change it is refused. */
static bool is_plain(const cli_study_options *o)
{
    const char *text = cli_study_given(o, (const char *const[]){NULL});
    if (text)
        cli_error("option --%s: a study of two laws is one fixed table; 'cairn compare' takes settings", text);
    return !text;
}

int cli_study_laws(int index, const cli_study_options *options)
{
    assert(index >= 0 && index < cli_study_laws_count());
    const law_study *study = &STUDIES[index];
    row rows[BLOCKS][ROWS] = {{{0}}};
    int result = is_plain(options) ? CLI_EXIT_DONE : CLI_EXIT_WRONG;
    bool missed = false;
    for (int i = 0; i < block_count(study) && !result; ++i)
    {
        result = run_block(&study->blocks[i], rows[i]);
        for (int k = 0; k < ROWS; ++k)
            missed |= rows[i][k].missed;
    }
    if (!result && options->output)
        result = draw(study, rows, options->output);
    if (!result)
        print(study, rows, options);
    return result ? result : missed ? CLI_EXIT_FAILED : CLI_EXIT_DONE;
}
