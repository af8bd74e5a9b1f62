/* `cairn study`: plan, run, evaluate, print, draw. */
#include "cli/study/study.h"
#include "cli/common/cli.h"
#include "cli/common/json.h"
#include "cli/draw/draw.h"
#include "cli/study/sweep.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Studies with a table of their own. */
static const struct
{
    const char *name, *scene, *title; /* without a scene of its own: NULL; without a title: the scene's */
    cli_special_run *run;
} SPECIAL[] = {
    {CLI_PARTICLE_NAME, NULL, CLI_PARTICLE_TITLE, cli_study_particle_laws},
    {CLI_BAR_NAME, NULL, CLI_BAR_TITLE, cli_study_bar_laws},
    {CLI_IMPACTS_NAME, NULL, CLI_IMPACTS_TITLE, cli_study_impacts},
    {CLI_COMPLIANCE_NAME, NULL, CLI_COMPLIANCE_TITLE, cli_study_compliance},
    {CLI_HERTZ_NAME, CLI_HERTZ_NAME, NULL, cli_study_hertz},
    {CLI_NUT_NAME, CLI_NUT_NAME, NULL, cli_study_nut},
    {CLI_REPOSE_NAME, CLI_REPOSE_NAME, NULL, cli_study_repose},
    {CLI_DRUM_NAME, CLI_DRUM_NAME, NULL, cli_study_drum},
    {CLI_SILO_NAME, CLI_SILO_NAME, NULL, cli_study_silo},
    {CLI_COMPRESSION_NAME, CLI_COMPRESSION_NAME, NULL, cli_study_compression},
    {CLI_SHEAR_NAME, CLI_SHEAR_NAME, NULL, cli_study_shear},
    {CLI_HOPPER_NAME, CLI_HOPPER_NAME, NULL, cli_study_hopper},
};

enum
{
    SPECIAL_COUNT = sizeof SPECIAL / sizeof SPECIAL[0],
};

/* One study; a NULL scene where it has several. */
static void list_study(cli_json *json, const char *name, const char *scene, const char *title)
{
    if (!json)
    {
        printf("  %-22s %s\n", name, title);
        return;
    }
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "name", name);
    if (scene)
        cli_json_text(json, "scene", scene);
    cli_json_text(json, "title", title);
    cli_json_close(json, '}');
}

static void list_studies(bool as_json)
{
    cli_json json = {.stream = stdout};
    if (as_json)
    {
        cli_json_open(&json, NULL, '{');
        cli_json_open(&json, "studies", '[');
    }
    for (int i = 0; i < cli_study_entry_count(); ++i)
    {
        const cli_study_entry *entry = cli_study_entry_at(i);
        list_study(as_json ? &json : NULL, entry->name, entry->scene, cairn_builtin_find(entry->scene)->title);
    }
    for (int i = 0; i < SPECIAL_COUNT; ++i)
    {
        const char *title = SPECIAL[i].title ? SPECIAL[i].title : cairn_builtin_find(SPECIAL[i].scene)->title;
        list_study(as_json ? &json : NULL, SPECIAL[i].name, SPECIAL[i].scene, title);
    }
    if (as_json)
    {
        cli_json_close(&json, ']');
        cli_json_close(&json, '}');
    }
}

const char *cli_study_given(const cli_study_options *o, const char *const *allowed)
{
    const struct
    {
        const char *name;
        bool given;
    } all[] = {
        {"steps", o->steps},         {"vary", o->vary},         {"integrator", o->integrator},
        {"reference", o->reference}, {"quantity", o->quantity}, {"until", !isnan(o->until)},
        {"set", o->set.count > 0},   {"events", o->events},     {"at-error", !isnan(o->at_error)},
        {"work", o->work},           {"time", o->time},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
    {
        const char *const *a = allowed;
        while (*a && strcmp(*a, all[i].name) != 0)
            ++a;
        if (all[i].given && !*a)
            return all[i].name;
    }
    for (int i = 0; i < cairn_setting_count(); ++i)
        if (o->settings.given[i])
            return o->settings.name[i];
    return NULL;
}

/* Whether a file can be made in the folder of a path. */
static bool folder_takes(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = !slash          ? cli_text("%s", ".")
                   : slash == path ? cli_text("%s", "/")
                                   : cli_text("%.*s", (int)(slash - path), path);
    bool good = !access(folder, W_OK | X_OK);
    free(folder);
    return good;
}

/* The picture's name and place, before hours of runs. */
static int check_picture(const char *path)
{
    if (!cli_drawing_name_ok(path))
        return cli_wrong("option --output: '%s' ends neither in .svg nor in .png", path);
    if (!folder_takes(path))
        return cli_wrong("option --output: '%s' cannot be written: %s", path, strerror(errno));
    return CLI_EXIT_DONE;
}

static int check_output(const cli_study_options *options)
{
    if (options->output && check_picture(options->output))
        return CLI_EXIT_WRONG;
    if ((options->work || options->time) && !options->output)
        return cli_wrong("option --%s applies to the plot: it needs -o FILE", options->work ? "work" : "time");
    if (options->work && options->time)
        return cli_wrong("options --work and --time cannot be combined");
    if (!isnan(options->at_error) && !(options->at_error > 0))
        return cli_wrong("option --at-error: expected an error above 0, found %g", options->at_error);
    return CLI_EXIT_DONE;
}

/* One sentence for each run that failed. */
static void print_failures(const cli_study *study)
{
    for (int i = 0; i < study->run_count; ++i)
    {
        const cli_study_run *run = &study->runs[i];
        if (!strcmp(run->status, "done"))
            continue;
        cli_error("%s %s%s%s%s, h = %g: %s%s%s", i < study->row_count ? "run" : "the fine run",
                  cairn_integrator_name(run->integrator), run->events == CLI_EVENTS_OFF ? ", events off" : "",
                  run->value >= 0 ? ", " : "", run->value >= 0 ? study->assignments[run->value] : "", run->h,
                  run->status, *run->message ? ": " : "", run->message);
    }
}

static int finish(cli_study *study)
{
    cli_study_run_all(study);
    cli_study_evaluate(study);
    print_failures(study);
    int drawn = study->options->output ? cli_study_draw(study) : CLI_EXIT_DONE;
    if (drawn)
        return drawn;
    if (study->options->json)
        cli_study_print_json(study);
    else
        cli_study_print_text(study);
    return cli_study_verdict(study);
}

static int study_scene(const char *argument, const cli_study_options *options)
{
    cli_study study = {.options = options, .context = cli_context_create()};
    int result = cli_study_plan(&study, argument);
    result = result ? result : finish(&study);
    cli_study_free(&study);
    cairn_context_destroy(study.context);
    return result;
}

static int perform(void *data, int count, char **arguments)
{
    const cli_study_options *options = data;
    if (options->list)
    {
        list_studies(options->json);
        return CLI_EXIT_DONE;
    }
    if (count == 0)
        return cli_wrong("an argument is missing: a study or a scene; 'cairn study --list' lists the studies");
    int result = check_output(options);
    if (result)
        return result;
    for (int i = 0; i < SPECIAL_COUNT; ++i)
        if (!strcmp(arguments[0], SPECIAL[i].name))
            return SPECIAL[i].run(options);
    return study_scene(arguments[0], options);
}

int cli_command_study(int argc, char **argv)
{
    /* the first three are lists here, and the runs share the processors */
    static const char *const OWN[] = {"step", "integrator", "events", "threads", NULL};
    cli_study_options o = {.until = NAN, .at_error = NAN};
    cli_option options[CLI_MOST_OPTIONS] = {
        {CLI_VALUE(TEXT, "steps", 0, &o.steps, "LIST", "steps in s: 0.1,0.05 or 2^-5:2^-11 (halves)")},
        {CLI_VALUE(TEXT, "vary", 0, &o.vary, "NAME=LIST", "run with each of these values of a parameter")},
        {CLI_VALUE(TEXT, "integrator", 0, &o.integrator, "LIST", "integrators, separated by commas")},
        {CLI_VALUE(TEXT, "reference", 0, &o.reference, "R", "truth | fine | fine:INTEGRATOR | a run file")},
        {CLI_VALUE(
            TEXT, "quantity", 0, &o.quantity, "LIST",
            "position, velocity, orientation, energy, BODY.x, distance(A,B), theta(A,B,L), JOINT.angle and other "
            "quantities of one number")},
        {CLI_VALUE(NUMBER, "until", 't', &o.until, "T", "end time in s")},
        {CLI_VALUE(LIST, "set", 's', &o.set, "NAME=VALUE", "set a parameter of the scene; repeatable")},
        {CLI_VALUE(TEXT, "events", 0, &o.events, "LIST", "second-order integrators: on | off | on,off")},
        {CLI_VALUE(NUMBER, "at-error", 0, &o.at_error, "E", "estimate the work needed for this error")},
        {CLI_VALUE(TEXT, "output", 'o', &o.output, "FILE", "plot the errors, .svg or .png")},
        {CLI_FLAG("work", 0, &o.work, "plot against the number of LCPs instead of the step")},
        {CLI_FLAG("time", 0, &o.time, "plot against wall time instead of the step")},
        {CLI_VALUE(COUNT, "jobs", 'j', &o.jobs, "N", "parallel runs; default: one per processor")},
        {CLI_FLAG("json", 0, &o.json, "print the study as one JSON object")},
        {CLI_FLAG("quiet", 'q', &o.quiet, "no progress bar")},
        {CLI_FLAG("list", 0, &o.list, "list the built-in studies and stop")},
    };
    cli_settings_append(&o.settings, OWN, options);
    const cli_command command = {
        .usage = "study NAME|SCENE [options]",
        .text =
            "Run a scene with several steps, integrators or parameter values and compare each run with a reference: "
            "errors at\nthe end time, ratios of successive errors, observed orders, work. NAME is a built-in study, "
            "which comes with its\nexact solution and published numbers; SCENE is a file or a built-in scene.",
        .options = options,
        .least = 0,
        .most = 1,
        .work = perform,
        .data = &o};
    return cli_command_call(&command, argc, argv);
}
