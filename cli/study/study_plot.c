/* The picture of a study: errors over the step, the work or the parameter, logarithmic both ways, one curve a block and
 * quantity, the paper's points beside ours, and a slope triangle for each whole order that was observed. */
#include "cli/common/cli.h"
#include "cli/plot/plot_chart.h"
#include "cli/plot/plot_run.h"
#include "cli/study/study.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_SLOPES = 4,
    NAME_SIZE = 320,
};

typedef struct figure
{
    const cli_study *study;
    int quantities;
    cli_curve *curves;
    int count;
    double *numbers; /* x and y of all curves */
    size_t used;
    char (*names)[NAME_SIZE];
    cli_slope slopes[MOST_SLOPES];
    int slope_count;
} figure;

static double x_of(const cli_study *study, const cli_study_run *run)
{
    if (study->options->work)
        return (double)run->lcps;
    if (study->options->time)
        return run->wall;
    return study->steps_given ? run->h : study->values[run->value];
}

/* A place for a triangle of this slope: each whole order has one, below the lowest of its curves. NULL: none is needed. */
static cli_slope *slope_place(figure *f, double slope, double y)
{
    for (int i = 0; i < f->slope_count; ++i)
        if (f->slopes[i].slope == slope)
            return y < f->slopes[i].y ? &f->slopes[i] : NULL;
    return f->slope_count < MOST_SLOPES ? &f->slopes[f->slope_count++] : NULL;
}

/* A triangle below the middle of a curve whose order is near a whole number. */
static void add_slope(figure *f, const cli_study_block *block, int quantity)
{
    const cli_study_fit *fit = &block->fits[quantity];
    double order = round(fit->order);
    bool over_work = f->study->options->work;
    if (isnan(fit->order) || fit->rough || f->study->options->time || !(order >= 1 && order <= MOST_SLOPES) ||
        fabs(fit->order - order) > 0.3)
        return;
    const cli_study_run *coarse = &f->study->runs[block->first + (fit->first + fit->last) / 2];
    const cli_study_run *left = over_work ? coarse : coarse + 1;
    const cli_study_run *right = over_work ? coarse + 1 : coarse;
    double x = x_of(f->study, left), y = fabs(left->errors[quantity]);
    cli_slope *place = slope_place(f, over_work ? -order : order, y);
    if (place)
        *place = (cli_slope){.x = x, .y = y, .reach = x_of(f->study, right) / x, .slope = over_work ? -order : order};
}

/* Blocks that differ in events alone share a colour. */
static int colour_of(const cli_study *study, const cli_study_block *block)
{
    int colour = 0;
    for (const cli_study_block *other = study->blocks; other < block; ++other)
        colour += other->events == CLI_EVENTS_SCENE || other->events == study->events[0];
    bool second = study->events_count > 1 && block->events == study->events[1];
    return second ? colour - (study->parameter && study->steps_given ? study->value_count : 1) : colour;
}

static cli_dash dash_of(const cli_study_block *block, int quantity, bool paper)
{
    int without = block->events == CLI_EVENTS_OFF;
    return paper ? CLI_DOTTED : (cli_dash)((quantity + without) % CLI_DASH_COUNT);
}

static void add_curve(figure *f, const cli_study_block *block, int quantity, bool paper)
{
    cli_curve *curve = &f->curves[f->count];
    double *x = f->numbers + f->used, *y = x + block->count;
    f->used += 2 * (size_t)block->count;
    for (int i = 0; i < block->count; ++i)
    {
        const cli_study_run *run = &f->study->runs[block->first + i];
        x[i] = x_of(f->study, run);
        y[i] = !paper ? fabs(run->errors[quantity]) : run->paper ? fabs(run->paper->values[quantity]) : NAN;
    }
    *curve = (cli_curve){.name = f->names[f->count++],
                         .x = x,
                         .y = y,
                         .count = block->count,
                         .colour = colour_of(f->study, block),
                         .dash = dash_of(block, quantity, paper),
                         .mark = paper ? CLI_MARK_RING : CLI_MARK_DISC};
}

static void add_block(figure *f, const cli_study_block *block)
{
    char name[256];
    cli_study_block_name(f->study, block, name, sizeof name);
    for (int q = 0; q < f->quantities; ++q)
    {
        char *text = f->names[f->count];
        int length = snprintf(text, NAME_SIZE, "%s%s%s", name, f->quantities > 1 ? ": " : "",
                              f->quantities > 1 ? f->study->quantities[q].text : "");
        add_curve(f, block, q, false);
        add_slope(f, block, q);
        if (!isnan(block->fits[q].order) && length < NAME_SIZE)
        {
            snprintf(text + length, NAME_SIZE - (size_t)length, ", order %s%.2f", block->fits[q].rough ? "about " : "",
                     block->fits[q].order);
        }
    }
    if (cli_study_has_papers(f->study, block))
    {
        snprintf(f->names[f->count], NAME_SIZE, "%s, in the paper", name);
        add_curve(f, block, 0, true);
    }
}

static void prepare(figure *f)
{
    size_t most = (size_t)f->study->block_count * (size_t)(f->quantities + 1);
    f->curves = cli_allocate(most, sizeof *f->curves);
    f->names = cli_allocate(most, sizeof *f->names);
    f->numbers = cli_allocate(2 * (size_t)f->study->row_count * (size_t)(f->quantities + 1), sizeof *f->numbers);
    for (int i = 0; i < f->study->block_count; ++i)
        add_block(f, &f->study->blocks[i]);
    assert((size_t)f->count <= most);
}

static const char *x_label(const cli_study *study)
{
    return study->options->work   ? "LCPs solved"
           : study->options->time ? "wall time (s)"
           : study->steps_given   ? "step h (s)"
                                  : study->parameter;
}

static int draw(const figure *f)
{
    const cli_study *study = f->study;
    char y_label[160];
    const cli_study_quantity *quantity = &study->quantities[0];
    const char *unit = cli_study_quantity_unit(quantity);
    snprintf(y_label, sizeof y_label, "error in %s%s%s%s", f->quantities > 1 ? "quantity" : quantity->text,
             *unit && f->quantities == 1 ? " (" : "", f->quantities == 1 ? unit : "",
             *unit && f->quantities == 1 ? ")" : "");
    cli_chart chart = {.title = cairn_scene_title(study->scene),
                       .x_label = x_label(study),
                       .y_label = y_label,
                       .curves = f->curves,
                       .curve_count = f->count,
                       .legend = true,
                       .log = true,
                       .log_x = true,
                       .slopes = f->slopes,
                       .slope_count = f->slope_count};
    return cli_chart_write(&chart, study->options->output, 640, 440);
}

int cli_study_draw(const cli_study *study)
{
    /* A study's further quantities are drawn when they were asked for. */
    figure f = {.study = study, .quantities = study->options->quantity ? study->quantity_count : 1};
    prepare(&f);
    int result = draw(&f);
    free(f.curves);
    free(f.names);
    free(f.numbers);
    return result;
}
