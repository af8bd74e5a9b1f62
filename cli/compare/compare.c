/* `cairn compare`: run a scene under several settings. All of them are checked before the first run. */
#include "cli/compare/compare.h"
#include "cli/common/cli.h"
#include "cli/common/scene_source.h"
#include "cli/draw/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A single --with is compared with the scene's own settings. */
static const char *setting_text(const cli_compare_options *options, int index)
{
    int own = options->with.count == 1;
    return own && index == 0 ? "scene" : options->with.items[index - own];
}

static int prepare_run(cli_compare *compare, cli_compare_run *run, const char *text)
{
    run->text = text;
    run->settings = cairn_scene_settings(compare->scene);
    bool named = cli_settings_apply(&compare->options->settings, &run->settings);
    int result = named ? cli_compare_apply(text, &run->settings) : CLI_EXIT_WRONG;
    if (!result && cairn_settings_check(compare->context, &run->settings))
    {
        cli_error("option --with: '%s' is not possible:", text);
        cli_messages_print(compare->context);
        result = CLI_EXIT_WRONG;
    }
    if (!result && compare->until / run->settings.step > 1e9)
        result = cli_wrong("%g s in steps of %g s are more than 1e9 steps", compare->until, run->settings.step);
    return result;
}

static int prepare(cli_compare *compare)
{
    const cli_compare_options *options = compare->options;
    int result = cli_scene_load(compare->context, compare->scene_name, &options->set, false, &compare->scene);
    if (result)
        return result;
    compare->until = isnan(options->until) ? cairn_scene_until(compare->scene) : options->until;
    compare->body_count = cairn_model_body_count(cairn_scene_model(compare->scene));
    compare->count = options->with.count + (options->with.count == 1);
    compare->runs = cli_allocate((size_t)compare->count, sizeof *compare->runs);
    if (!(compare->until >= 0))
        return cli_wrong("option --until: expected a time of at least 0 s, found %g", compare->until);
    for (int i = 0; i < compare->count && !result; ++i)
        result = prepare_run(compare, &compare->runs[i], setting_text(options, i));
    return result;
}

/* All runs; the worst of their exit statuses. */
static int perform(cli_compare *compare)
{
    int result = CLI_EXIT_DONE;
    for (int i = 0; i < compare->count; ++i)
    {
        cli_compare_run *run = &compare->runs[i];
        cli_compare_run_one(compare, run);
        cli_compare_measure(compare, run);
        if (*run->message)
            cli_error("%s: %s", run->text, run->message);
        result = run->exit_status > result ? run->exit_status : result;
    }
    int drawn = compare->options->output ? cli_compare_draw(compare) : CLI_EXIT_DONE;
    if (drawn)
        return drawn;
    (compare->options->json ? cli_compare_print_json : cli_compare_print_text)(compare);
    return result;
}

static void release(cli_compare *compare)
{
    for (int i = 0; compare->runs && i < compare->count; ++i)
    {
        free(compare->runs[i].track.time);
        free(compare->runs[i].track.position);
        free(compare->runs[i].end);
        free(compare->runs[i].distance);
    }
    free(compare->runs);
    cairn_scene_destroy(compare->scene);
    cairn_context_destroy(compare->context);
}

static int compare_scene(void *data, int count, char **arguments)
{
    (void)count;
    const cli_compare_options *options = data;
    cli_compare compare = {.options = options, .scene_name = arguments[0], .context = cli_context_create()};
    if (options->with.count == 0)
    {
        cli_error("nothing to compare: give settings such as --with law=box --with \"law=pyramid(8)\"");
    }
    else if (options->output && !cli_drawing_name_ok(options->output))
    {
        cli_error("option --output: '%s' ends neither in .svg nor in .png", options->output);
    }
    else
    {
        int result = prepare(&compare);
        result = result ? result : perform(&compare);
        release(&compare);
        return result;
    }
    release(&compare);
    return CLI_EXIT_WRONG;
}

int cli_command_compare(int argc, char **argv)
{
    cli_compare_options o = {.until = NAN};
    cli_option options[CLI_MOST_OPTIONS] = {
        {CLI_VALUE(LIST, "with", 'w', &o.with, "SETTING", "law=cone,step=0.01 or 'scene'; repeatable")},
        {CLI_VALUE(NUMBER, "until", 't', &o.until, "T", "end time in s")},
        {CLI_VALUE(LIST, "set", 's', &o.set, "NAME=VALUE", "set a parameter of the scene; repeatable")},
        {CLI_VALUE(TEXT, "output", 'o', &o.output, "FILE", "plot the distances over time, .svg or .png")},
        {CLI_FLAG("json", 0, &o.json, "print the comparison as one JSON object")},
        {CLI_FLAG("quiet", 'q', &o.quiet, "no progress bar")},
    };
    cli_settings_append(&o.settings, NULL, options);
    const cli_command command = {
        .usage = "compare SCENE --with SETTING [--with SETTING ...] [options]",
        .text = "Run a scene under several settings and compare each run with the first: distances of the bodies, "
                "residuals,\npenetration, lift-off, iterations and time. A SETTING is a list such as "
                "law=cone,solver=lemke of any of the options\nfrom --step on; a single one is compared with the "
                "scene's own. Given as options, settings hold for all runs\nwhose SETTING does not name them.",
        .options = options,
        .least = 1,
        .most = 1,
        .work = compare_scene,
        .data = &o};
    return cli_command_call(&command, argc, argv);
}
