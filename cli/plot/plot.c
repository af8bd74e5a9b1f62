/* `cairn plot`: open the runs, then draw curves or a picture. */
#include "cli/common/cli.h"
#include "cli/plot/plot_options.h"

#include "cli/plot/plot_quantity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pictures other than curves, by name. */
static const struct
{
    const char *name;
    int (*draw)(cli_plot_run *runs, const cli_plot_options *options);
} pictures[] = {{"positions", cli_plot_positions},
                {"frames", cli_plot_frames},
                {"chains", cli_plot_chains},
                {"patch", cli_plot_patch}};
#define PICTURE_COUNT ((int)(sizeof pictures / sizeof pictures[0]))

static int find_picture(const char *name)
{
    for (int k = 0; k < PICTURE_COUNT; ++k)
        if (strcmp(name, pictures[k].name) == 0)
            return k;
    return -1;
}

static int draw(cli_plot_run *runs, const cli_plot_options *options)
{
    for (int i = 0; i < options->quantity_count; ++i)
    {
        int picture = find_picture(options->quantities[i]);
        if (picture < 0)
            continue;
        if (options->quantity_count == 1)
            return pictures[picture].draw(runs, options);
        return cli_wrong("plot: '%s' cannot be combined with other quantities", options->quantities[i]);
    }
    if (options->at || options->mark.count > 0)
        return cli_wrong("plot: option --%s does not apply to curves", options->at ? "at" : "mark");
    return cli_plot_curves(runs, options);
}

static void put_names(cli_json *json, const char *key, const char **names, int count)
{
    cli_json_open(json, key, '[');
    for (int i = 0; i < count; ++i)
        cli_json_text(json, NULL, names[i]);
    cli_json_close(json, ']');
}

static void report(const cli_plot_options *options)
{
    if (!options->json)
    {
        printf("wrote %s\n", options->output);
        return;
    }
    cli_json json = {.stream = stdout};
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "status", "done");
    cli_json_text(&json, "output", options->output);
    put_names(&json, "runs", options->runs, options->run_count);
    put_names(&json, "quantities", options->quantities, options->quantity_count);
    cli_json_close(&json, '}');
    putchar('\n');
}

static void list(const cli_plot_run *runs, const cli_plot_options *options)
{
    for (int i = 0; i < options->run_count && !options->json; ++i)
        cli_quantity_list(&runs[i], stdout);
    if (!options->json)
        return;
    cli_json json = {.stream = stdout};
    cli_json_open(&json, NULL, '{');
    cli_json_open(&json, "runs", '[');
    for (int i = 0; i < options->run_count; ++i)
        cli_quantity_list_json(&runs[i], &json);
    cli_json_close(&json, ']');
    cli_json_close(&json, '}');
    putchar('\n');
}

static int work(cli_plot_run *runs, const cli_plot_options *options)
{
    int status = 0;
    if (options->list)
        list(runs, options);
    else
        status = draw(runs, options);
    if (status == 0 && !options->list)
        report(options);
    return status;
}

int cli_plot_draw(const cli_plot_options *options)
{
    int opened = 0, status = 0;
    cli_plot_run *runs = cli_allocate((size_t)options->run_count, sizeof *runs);
    for (; opened < options->run_count && status == 0; ++opened)
        status = cli_plot_run_open_cut(&runs[opened], options->runs[opened]);
    for (int i = 0; i < opened && status == 0; ++i)
        cli_plot_run_tell_cut(&runs[i]);
    if (status == 0)
        status = work(runs, options);
    for (int i = 0; i < opened; ++i)
        cli_plot_run_close(&runs[i]);
    free(runs);
    return status;
}
