/* `cairn plot RUN... QUANTITY...`: open the runs, then draw curves or positions. */
#include "plot.h"

#include "plot_curves.h"
#include "plot_patch.h"
#include "plot_positions.h"
#include "plot_quantity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pictures of their own, by name. */
static const struct
{
    const char *name;
    int (*draw)(crn_plot_run *runs, const crn_plot_options *options);
} pictures[] = {{"positions", crn_plot_positions}, {"frames", crn_plot_frames}, {"patch", crn_plot_patch}};
#define PICTURE_COUNT ((int)(sizeof pictures / sizeof pictures[0]))

static int find_picture(const char *name)
{
    for (int k = 0; k < PICTURE_COUNT; k++)
        if (strcmp(name, pictures[k].name) == 0)
            return k;
    return -1;
}

static int draw(crn_plot_run *runs, const crn_plot_options *options)
{
    for (int i = 0; i < options->quantity_count; i++)
    {
        int picture = find_picture(options->quantities[i]);
        if (picture < 0)
            continue;
        if (options->quantity_count == 1)
            return pictures[picture].draw(runs, options);
        fprintf(stderr, "cairn: plot: '%s' goes with no other quantity\n", options->quantities[i]);
        return 2;
    }
    if (options->at != NULL || options->mark != NULL)
    {
        fprintf(stderr, "cairn: plot: option --%s has no meaning for curves\n", options->at != NULL ? "at" : "mark");
        return 2;
    }
    return crn_plot_curves(runs, options);
}

static int flush_output(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    fputs("cairn: writing to standard output failed\n", stderr);
    return 1;
}

static void put_names(crn_json *json, const char *key, const char **names, int count)
{
    crn_json_open(json, key, '[');
    for (int i = 0; i < count; i++)
        crn_json_text(json, NULL, names[i]);
    crn_json_close(json, ']');
}

static void report(const crn_plot_options *options)
{
    if (!options->json)
    {
        printf("wrote %s\n", options->output);
        return;
    }
    crn_json json = {.stream = stdout};
    crn_json_open(&json, NULL, '{');
    crn_json_text(&json, "status", "done");
    crn_json_text(&json, "output", options->output);
    put_names(&json, "runs", options->runs, options->run_count);
    put_names(&json, "quantities", options->quantities, options->quantity_count);
    crn_json_close(&json, '}');
    putchar('\n');
}

static void list(const crn_plot_run *runs, const crn_plot_options *options)
{
    for (int i = 0; i < options->run_count && !options->json; i++)
        crn_quantity_list(&runs[i], stdout);
    if (!options->json)
        return;
    crn_json json = {.stream = stdout};
    crn_json_open(&json, NULL, '{');
    crn_json_open(&json, "runs", '[');
    for (int i = 0; i < options->run_count; i++)
        crn_quantity_list_json(&runs[i], &json);
    crn_json_close(&json, ']');
    crn_json_close(&json, '}');
    putchar('\n');
}

static int work(crn_plot_run *runs, const crn_plot_options *options)
{
    int status = 0;
    if (options->list)
        list(runs, options);
    else
        status = draw(runs, options);
    if (status == 0 && !options->list)
        report(options);
    return status == 0 ? flush_output() : status;
}

static int with_runs(const crn_plot_options *options)
{
    int opened = 0, status = 0;
    crn_plot_run *runs = calloc((size_t)options->run_count, sizeof *runs);
    if (runs == NULL)
        return crn_plot_no_memory();
    for (; opened < options->run_count && status == 0; opened++)
        status = crn_plot_run_open_cut(&runs[opened], options->runs[opened]);
    for (int i = 0; i < opened && status == 0; i++)
        crn_plot_run_tell_cut(&runs[i]);
    if (status == 0)
        status = work(runs, options);
    for (int i = 0; i < opened; i++)
        crn_plot_run_close(&runs[i]);
    free(runs);
    return status;
}

int crn_cli_plot(int argc, char **argv)
{
    crn_plot_options options;
    int status = crn_plot_options_parse(argc, argv, &options);
    if (status == 0 && options.help)
    {
        crn_plot_usage(stdout);
        status = flush_output();
    }
    else if (status == 0)
        status = with_runs(&options);
    crn_plot_options_free(&options);
    return status;
}
