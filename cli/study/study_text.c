/* A study for people: one aligned table a block, the papers' numbers beside ours. */
#include "cli/study/study.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum
{
    MOST_COLUMNS = 1 + 4 * CLI_STUDY_QUANTITIES + 5,
    CELL = 40,
};

/* ---------------------------------------------------------------------------------------------------------- words */

void cli_study_step_text(double h, char *text, size_t size)
{
    int exponent;
    if (frexp(h, &exponent) == 0.5 && h <= 0.25)
        snprintf(text, size, "2^%d", exponent - 1);
    else
        snprintf(text, size, "%.9g", h);
}

/* The value as it was typed. */
static const char *value_text(const cli_study *study, int value)
{
    return study->assignments[value] + strlen(study->parameter) + 1;
}

void cli_study_block_name(const cli_study *study, const cli_study_block *block, char *text, size_t size)
{
    static const char *const EVENTS[] = {"", ", events on", ", events off"};
    bool valued = block->value >= 0;
    snprintf(text, size, "%s%s%s%s%s%s", cairn_integrator_name(block->integrator), EVENTS[block->events],
             valued ? ", " : "", valued ? study->parameter : "", valued ? " = " : "",
             valued ? value_text(study, block->value) : "");
}

void cli_study_reference_text(const cli_study *study, char *text, size_t size)
{
    char h[32];
    switch (study->reference_kind)
    {
    case CLI_REFERENCE_TRUTH:
        snprintf(text, size, "the true solution (%s)", study->entry->truth_source);
        return;
    case CLI_REFERENCE_FILE:
        snprintf(text, size, "the run %s", study->options->reference);
        return;
    case CLI_REFERENCE_FINE:
        break;
    }
    cli_study_step_text(study->steps[study->step_count - 1] / CLI_STUDY_FINER, h, sizeof h);
    snprintf(text, size, "a fine run%s%s with step %s", study->fine_given ? " of " : " of the same integrator",
             study->fine_given ? cairn_integrator_name(study->fine_integrator) : "", h);
}

/* ---------------------------------------------------------------------------------------------------------- cells */

/* One line of cells; the widths are those of the widest so far. */
typedef struct line
{
    char cells[MOST_COLUMNS][CELL];
    int count;
} line;

static void put(line *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(line *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(out->cells[out->count++], CELL, format, arguments);
    va_end(arguments);
}

static void put_number(line *out, const char *format, double value)
{
    char text[CELL];
    snprintf(text, sizeof text, format, value);
    put(out, "%s", isnan(value) ? "-" : text);
}

bool cli_study_has_papers(const cli_study *study, const cli_study_block *block)
{
    for (int i = 0; i < block->count; ++i)
        if (study->runs[block->first + i].paper)
            return true;
    return false;
}

static bool in_paper(const cli_study *study, const cli_study_block *block, int quantity)
{
    bool papers = cli_study_has_papers(study, block) && quantity < 3;
    return papers && !isnan(study->entry->papers[0].values[quantity]);
}

static bool has_joints(const cli_study *study)
{
    return cairn_model_joint_count(cairn_scene_model(study->scene)) > 0;
}

static bool has_events(const cli_study *study, const cli_study_block *block)
{
    int64_t count = 0;
    for (int i = 0; i < block->count; ++i)
        count += study->runs[block->first + i].event_count;
    return count > 0;
}

static void head(const cli_study *study, const cli_study_block *block, line *out)
{
    put(out, "%s", study->steps_given ? "h" : study->parameter);
    for (int q = 0; q < study->quantity_count; ++q)
    {
        put(out, "%s", study->quantities[q].text);
        if (study->steps_given)
            put(out, "ratio");
        if (in_paper(study, block, q))
        {
            put(out, "paper");
            put(out, "ratio");
        }
    }
    if (has_joints(study))
        put(out, "joint error");
    if (has_events(study, block))
        put(out, "events");
    put(out, "LCPs");
    put(out, "iterations");
    put(out, "wall [s]");
}

static void put_quantity(const cli_study *study, const cli_study_block *block, const cli_study_run *run, int q,
                         line *out)
{
    put_number(out, "%.3e", run->errors[q]);
    if (study->steps_given)
        put_number(out, "%.3g", run->ratios[q]);
    if (in_paper(study, block, q))
    {
        put_number(out, "%.3e", run->paper ? run->paper->values[q] : NAN);
        put_number(out, "%.3g", run->paper_ratios[q]);
    }
}

static void row(const cli_study *study, const cli_study_block *block, const cli_study_run *run, line *out)
{
    char h[32];
    cli_study_step_text(run->h, h, sizeof h);
    put(out, "%s", study->steps_given ? h : value_text(study, run->value));
    for (int q = 0; q < study->quantity_count; ++q)
        put_quantity(study, block, run, q, out);
    if (has_joints(study))
        put(out, "%.1e", run->joint_error);
    if (has_events(study, block))
        put(out, "%" PRId64, run->event_count);
    put(out, "%" PRId64, run->lcps);
    put(out, "%" PRId64, run->iterations);
    put(out, "%.3g", run->wall);
}

static void widen(const line *of, int *widths)
{
    for (int i = 0; i < of->count; ++i)
    {
        int length = (int)strlen(of->cells[i]);
        widths[i] = length > widths[i] ? length : widths[i];
    }
}

static void print_line(const line *of, const int *widths, const char *note)
{
    fputs("  ", stdout);
    for (int i = 0; i < of->count; ++i)
        printf("  %*s", widths[i], of->cells[i]);
    printf("%s%s\n", *note ? "  " : "", note);
}

/* --------------------------------------------------------------------------------------------------------- blocks */

static void print_rows(const cli_study *study, const cli_study_block *block)
{
    int widths[MOST_COLUMNS] = {0};
    line titles = {.count = 0};
    head(study, block, &titles);
    widen(&titles, widths);
    for (int i = 0; i < block->count; ++i)
    {
        line cells = {.count = 0};
        row(study, block, &study->runs[block->first + i], &cells);
        widen(&cells, widths);
    }
    print_line(&titles, widths, "");
    for (int i = 0; i < block->count; ++i)
    {
        const cli_study_run *run = &study->runs[block->first + i];
        line cells = {.count = 0};
        row(study, block, run, &cells);
        print_line(&cells, widths, strcmp(run->status, "done") != 0 ? run->status : "");
    }
}

static void print_order(const cli_study *study, const cli_study_block *block)
{
    const cli_study_run *rows = &study->runs[block->first];
    for (int q = 0; q < study->quantity_count && study->steps_given && block->count > 1; ++q)
    {
        const cli_study_fit *fit = &block->fits[q];
        char from[32], to[32];
        if (isnan(fit->order))
        {
            printf("    order of %s: cannot be determined from these rows\n", study->quantities[q].text);
            continue;
        }
        cli_study_step_text(rows[fit->first].h, from, sizeof from);
        cli_study_step_text(rows[fit->last].h, to, sizeof to);
        printf("    order of %s: %s%.2f (h from %s to %s%s)\n", study->quantities[q].text, fit->rough ? "about " : "",
               fit->order, from, to, fit->rough ? "; few or scattered rows" : "");
    }
}

static void print_block(const cli_study *study, const cli_study_block *block)
{
    char name[256];
    cli_study_block_name(study, block, name, sizeof name);
    printf("\n  %s%s%s%s\n", name, cli_study_has_papers(study, block) ? "   (paper: " : "",
           cli_study_has_papers(study, block) ? study->entry->paper_source : "",
           cli_study_has_papers(study, block) ? ")" : "");
    print_rows(study, block);
    print_order(study, block);
}

static void print_costs(const cli_study *study)
{
    if (isnan(study->options->at_error))
        return;
    printf("\n  to reach an error of %g in %s:\n", study->options->at_error, study->quantities[0].text);
    for (int i = 0; i < study->block_count; ++i)
    {
        const cli_study_block *block = &study->blocks[i];
        char name[256];
        cli_study_block_name(study, block, name, sizeof name);
        if (isnan(block->cost_lcps))
        {
            printf("    %-24s unknown: the error does not decrease\n", name);
            continue;
        }
        printf("    %-24s %12.4g LCPs  %10.3g s%s\n", name, block->cost_lcps, block->cost_wall,
               block->cost_extrapolated ? "  (extrapolated)" : "");
    }
}

void cli_study_print_text(const cli_study *study)
{
    const char *title = cairn_scene_title(study->scene);
    char reference[512];
    cli_study_reference_text(study, reference, sizeof reference);
    printf("%s%s%s\n", study->entry ? study->entry->name : study->scene_name, *title ? ": " : "", title);
    printf("  errors at t = %g s against %s\n", study->until, reference);
    printf("  %d runs in %.3g s of wall time, %d at a time\n", study->run_count, study->wall, study->jobs);
    for (int i = 0; i < study->block_count; ++i)
        print_block(study, &study->blocks[i]);
    print_costs(study);
    if (study->options->output)
        printf("\n  picture  %s\n", study->options->output);
}
