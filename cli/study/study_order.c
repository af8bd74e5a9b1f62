/* From runs to errors, ratios, observed orders and costs.
 *
 * The order is the slope of log(error) over log(h) by least squares. Rows lie off that line at both ends: coarse steps
 * are not yet in the asymptotic range, fine ones reach rounding. So rows at the level of rounding are left out, and of
 * the rest the longest range of rows is used in which every local order is within half an order of their median. Scattered
 * errors, such as those of events located by chance, have no such range; then all rows above rounding count.
 */
#include "cli/common/cli.h"
#include "cli/study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAR_MEDIAN 0.5
#define ROUNDING    1e-14 /* of what is compared, or of 1 */

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double local_order(const double *h, const double *error, int i)
{
    return log(error[i - 1] / error[i]) / log(h[i - 1] / h[i]);
}

static bool usable(double error, double floor)
{
    return isfinite(error) && error > floor;
}

/* The rows above rounding, one after another. */
typedef struct clean_rows
{
    double *h, *error, *orders; /* orders: room to sort in */
    int *row;
    int count;
} clean_rows;

static void pick_rows(const double *h, const double *error, int count, double floor, clean_rows *out)
{
    size_t room = (size_t)count + 1;
    *out = (clean_rows){.h = cli_allocate(3 * room, sizeof(double)), .row = cli_allocate(room, sizeof(int))};
    out->error = out->h + room;
    out->orders = out->error + room;
    for (int i = 0; i < count; ++i)
    {
        if (usable(error[i], floor))
        {
            out->h[out->count] = h[i];
            out->error[out->count] = error[i];
            out->row[out->count++] = i;
        }
    }
}

static double median_order(const clean_rows *rows)
{
    int found = rows->count - 1;
    for (int i = 0; i < found; ++i)
        rows->orders[i] = local_order(rows->h, rows->error, i + 1);
    qsort(rows->orders, (size_t)found, sizeof *rows->orders, rising);
    return 0.5 * (rows->orders[(found - 1) / 2] + rows->orders[found / 2]);
}

/* The longest stretch of rows joined by local orders near the median; the finer one of two that are as long. */
static cli_study_fit find_stretch(const clean_rows *rows, double median)
{
    cli_study_fit best = {.order = NAN};
    int first = 0;
    for (int i = 1; i < rows->count; ++i)
    {
        bool joined = fabs(local_order(rows->h, rows->error, i) - median) <= NEAR_MEDIAN;
        first = joined ? first : i;
        if (joined && i - first >= best.last - best.first)
            best = (cli_study_fit){.order = NAN, .first = first, .last = i};
    }
    return best;
}

static double slope(const double *h, const double *error, int first, int last)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (int i = first; i <= last; ++i)
    {
        double u = log(h[i] / h[first]);
        double w = log(error[i]);
        n += 1;
        x += u;
        y += w;
        xx += u * u;
        xy += u * w;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

cli_study_fit cli_study_fit_order(const double *h, const double *error, int count, double floor)
{
    cli_study_fit fit = {.order = NAN};
    clean_rows rows;
    pick_rows(h, error, count, floor, &rows);
    if (rows.count > 1)
    {
        fit = find_stretch(&rows, median_order(&rows));
        if (fit.last - fit.first < 2)
            fit = (cli_study_fit){.last = rows.count - 1, .rough = true};
        fit.order = slope(rows.h, rows.error, fit.first, fit.last);
        fit.first = rows.row[fit.first];
        fit.last = rows.row[fit.last];
    }
    free(rows.h);
    free(rows.row);
    return fit;
}

/* --------------------------------------------------------------------------------------------------------- errors */

/* Errors of one row; the level of rounding of what was compared goes to floor[q]. */
static void measure(const cli_study *study, cli_study_run *run, double *floor)
{
    const cairn_model *model = cairn_scene_model(study->scene);
    const cli_study_run *fine = run->reference >= 0 ? &study->runs[run->reference] : NULL;
    const cli_study_state *reference = fine ? &fine->end : &study->reference;
    bool known = strcmp(run->status, "failed") != 0 && (!fine || strcmp(fine->status, "failed") != 0);
    for (int q = 0; q < study->quantity_count; ++q)
    {
        double size = 0;
        run->errors[q] =
            known ? cli_study_quantity_error(&study->quantities[q], model, &run->end, reference, &size) : NAN;
        floor[q] = fmax(floor[q], ROUNDING * fmax(1, size));
    }
}

/* None where an error is at the level of rounding. */
static double ratio(double before, double now, double floor)
{
    bool good = usable(fabs(before), floor) && usable(fabs(now), floor);
    return good ? fabs(before / now) : NAN;
}

static const cli_study_paper *find_paper(const cli_study *study, const cli_study_run *run)
{
    bool own = study->entry && !study->options->quantity && !study->parameter && study->options->set.count == 0 &&
               isnan(study->options->until);
    for (int i = 0; own && i < study->entry->paper_count; ++i)
    {
        const cli_study_paper *paper = &study->entry->papers[i];
        if (paper->h == run->h && paper->events == run->events &&
            !strcmp(paper->integrator, cairn_integrator_name(run->integrator)))
            return paper;
    }
    return NULL;
}

static void relate(const cli_study *study, cli_study_run *run, const cli_study_run *before, const double *floor)
{
    run->paper = find_paper(study, run);
    for (int q = 0; q < study->quantity_count; ++q)
    {
        bool papers = before && before->paper && run->paper && q < 3;
        run->ratios[q] = before ? ratio(before->errors[q], run->errors[q], floor[q]) : NAN;
        run->paper_ratios[q] = papers ? ratio(before->paper->values[q], run->paper->values[q], 0) : NAN;
    }
}

/* ---------------------------------------------------------------------------------------------------------- costs */

/* Work at an error, on the line through two rows in log-log. */
static double work_at(double error, const double e[2], double a, double b)
{
    return exp(log(a) + (log(b) - log(a)) * (log(error) - log(e[0])) / (log(e[1]) - log(e[0])));
}

/* The two neighbouring rows around the error, or the two at the nearer end. */
static void estimate_cost(const cli_study *study, cli_study_block *block, const double *error)
{
    double wanted = study->options->at_error;
    block->cost_lcps = block->cost_wall = NAN;
    const cli_study_run *rows = &study->runs[block->first];
    for (int i = 1; i < block->count; ++i)
    {
        bool falls = error[i] > 0 && error[i] < error[i - 1] && isfinite(error[i - 1]);
        if (falls && (isnan(block->cost_lcps) || error[i - 1] >= wanted))
        {
            block->cost_lcps = work_at(wanted, &error[i - 1], (double)rows[i - 1].lcps, (double)rows[i].lcps);
            block->cost_wall = work_at(wanted, &error[i - 1], rows[i - 1].wall, rows[i].wall);
            block->cost_extrapolated = !(error[i - 1] >= wanted && error[i] <= wanted);
        }
    }
}

static void evaluate_block(cli_study *study, cli_study_block *block, double *h, double *error)
{
    cli_study_run *rows = &study->runs[block->first];
    double floor[CLI_STUDY_QUANTITIES] = {0};
    for (int i = 0; i < block->count; ++i)
    {
        measure(study, &rows[i], floor);
        relate(study, &rows[i], i > 0 && study->steps_given ? &rows[i - 1] : NULL, floor);
    }
    for (int q = study->quantity_count - 1; q >= 0; --q)
    {
        for (int i = 0; i < block->count; ++i)
        {
            h[i] = rows[i].h;
            error[i] = fabs(rows[i].errors[q]);
        }
        block->fits[q] = (cli_study_fit){.order = NAN};
        if (study->steps_given)
            block->fits[q] = cli_study_fit_order(h, error, block->count, floor[q]);
    }
    estimate_cost(study, block, error);
}

void cli_study_evaluate(cli_study *study)
{
    double *h = cli_allocate((size_t)study->row_count, sizeof *h);
    double *error = cli_allocate((size_t)study->row_count, sizeof *error);
    for (int i = 0; i < study->block_count; ++i)
        evaluate_block(study, &study->blocks[i], h, error);
    free(h);
    free(error);
}

int cli_study_verdict(const cli_study *study)
{
    int result = CLI_EXIT_DONE;
    for (int i = 0; i < study->run_count; ++i)
    {
        int status = study->runs[i].exit_status;
        result = status > result ? status : result;
    }
    return result;
}
