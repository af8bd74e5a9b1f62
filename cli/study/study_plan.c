/* From the command line to the list of runs. Everything that can be wrong with the input is found here, before the first
 * run: names, numbers, scenes with each value of the parameter, and integrators that refuse the scene. */
#include "cli/common/cli.h"
#include "cli/common/scene_source.h"
#include "cli/run/run.h"
#include "cli/study/study.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum
{
    MOST_RUNS = 100000
};

/* ---------------------------------------------------------------------------------------------------- what to run */

/* A file, or else a built-in study, or else a built-in scene. */
static int find_scene(cli_study *study, const char *argument)
{
    struct stat info;
    bool file = !stat(argument, &info) && !S_ISDIR(info.st_mode);
    study->entry = file ? NULL : cli_study_entry_find(argument);
    study->scene_name = study->entry ? study->entry->scene : argument;
    if (!file && !study->entry && !cairn_builtin_find(argument))
    {
        cairn_suggestion near = {.word = argument};
        for (int i = 0; i < cli_study_entry_count(); ++i)
            cairn_suggestion_offer(&near, cli_study_entry_at(i)->name);
        for (int i = 0; i < cairn_builtin_count(); ++i)
            cairn_suggestion_offer(&near, cairn_builtin_scene(i).name);
        return cli_wrong(
            "there is no file, no built-in study and no built-in scene '%s'%s%s 'cairn study --list' lists "
            "the studies, 'cairn examples' the scenes",
            argument, near.hint, near.hint[0] ? "" : ";");
    }
    return CLI_EXIT_DONE;
}

/* ------------------------------------------------------------------------------------------------------ reference */

static int use_truth(cli_study *study, bool required)
{
    bool limit = study->entry && study->entry->vary && !study->options->vary;
    bool own = study->options->set.count == 0 && (!study->parameter || limit);
    const cairn_model *model = cairn_scene_model(study->scene);
    bool known = study->entry && own && cli_study_state_truth(study->entry, model, study->until, &study->reference);
    study->reference_kind = known ? CLI_REFERENCE_TRUTH : CLI_REFERENCE_FINE;
    if (known || !required)
        return CLI_EXIT_DONE;
    return cli_wrong(
        "option --reference: no true solution is stored for '%s' at t = %g s%s; --reference fine computes one",
        study->entry ? study->entry->name : study->scene_name, study->until, own ? "" : " with other parameters");
}

static int use_fine(cli_study *study, const char *integrator)
{
    study->reference_kind = CLI_REFERENCE_FINE;
    study->fine_given = integrator;
    if (integrator && !cairn_integrator_parse(integrator, &study->fine_integrator))
        return cli_wrong("option --reference: there is no integrator '%s'", integrator);
    return CLI_EXIT_DONE;
}

static int read_reference(cli_study *study)
{
    const char *text = study->options->reference;
    const cairn_model *model = cairn_scene_model(study->scene);
    study->reference = cli_study_state_create(model);
    if (!text || !strcmp(text, "truth"))
        return use_truth(study, text);
    if (!strcmp(text, "fine") || !strncmp(text, "fine:", 5))
        return use_fine(study, text[4] ? text + 5 : NULL);
    study->reference_kind = CLI_REFERENCE_FILE;
    return cli_study_state_file(text, model, study, &study->reference);
}

/* A stored reference must know something of every quantity. */
static int check_reference(const cli_study *study)
{
    if (study->reference_kind == CLI_REFERENCE_FINE)
        return CLI_EXIT_DONE;
    for (int q = 0; q < study->quantity_count; ++q)
    {
        double size;
        double error = cli_study_quantity_error(&study->quantities[q], cairn_scene_model(study->scene),
                                                &study->reference, &study->reference, &size);
        if (isnan(error) && study->quantities[q].kind != CLI_MEASURE_THETA)
        {
            return cli_wrong("option --quantity: the reference does not hold '%s'; --reference fine computes it",
                             study->quantities[q].text);
        }
    }
    return CLI_EXIT_DONE;
}

/* ------------------------------------------------------------------------------------------------------- the runs */

static int64_t planned_steps(const cli_study *study, double h)
{
    cli_run_plan plan = cli_run_plan_steps(study->until, h);
    return plan.steps + (plan.last > 0);
}

static int add_run(cli_study *study, cairn_integrator integrator, cli_study_events events, int value, double h)
{
    study->runs[study->run_count] = (cli_study_run){.integrator = integrator,
                                                    .events = events,
                                                    .value = value,
                                                    .h = h,
                                                    .reference = -1,
                                                    .planned = planned_steps(study, h)};
    return study->run_count++;
}

/* The fine run for a row, made when there is none yet. */
static int fine_run(cli_study *study, const cli_study_run *row)
{
    cairn_integrator integrator = study->fine_given ? study->fine_integrator : row->integrator;
    cli_study_events events = study->fine_given ? CLI_EVENTS_SCENE : row->events;
    for (int i = study->row_count; i < study->run_count; ++i)
    {
        const cli_study_run *run = &study->runs[i];
        if (run->integrator == integrator && run->events == events && run->value == row->value)
            return i;
    }
    return add_run(study, integrator, events, row->value, study->steps[study->step_count - 1] / CLI_STUDY_FINER);
}

static void add_block(cli_study *study, cairn_integrator integrator, cli_study_events events, int value)
{
    cli_study_block *block = &study->blocks[study->block_count++];
    bool over_values = study->parameter && !study->steps_given;
    *block = (cli_study_block){.integrator = integrator, .events = events, .value = value, .first = study->run_count};
    for (int i = 0; i < (over_values ? study->value_count : study->step_count); ++i)
        add_run(study, integrator, events, over_values ? i : value, study->steps[over_values ? 0 : i]);
    block->count = study->run_count - block->first;
}

static bool looks_for_events(cairn_integrator integrator)
{
    return cairn_integrator_order(integrator) >= 2;
}

static void add_blocks(cli_study *study, cairn_integrator integrator)
{
    bool each = study->parameter && study->steps_given;
    bool searches = looks_for_events(integrator);
    for (int e = 0; e < (searches ? study->events_count : 1); ++e)
        for (int k = 0; k < (each ? study->value_count : 1); ++k)
            add_block(study, integrator, searches ? study->events[e] : CLI_EVENTS_SCENE, each ? k : -1);
}

static int list_runs(cli_study *study)
{
    int values = study->value_count > 0 ? study->value_count : 1;
    double wanted = (double)study->integrator_count * study->events_count * values * study->step_count;
    if (wanted > MOST_RUNS)
        return cli_wrong("%.0f runs are too many; a study has at most %d", wanted, MOST_RUNS);
    int rows = (int)wanted;
    study->runs = cli_allocate(2 * (size_t)rows, sizeof *study->runs);
    study->blocks = cli_allocate((size_t)rows, sizeof *study->blocks);
    for (int i = 0; i < study->integrator_count; ++i)
        add_blocks(study, study->integrators[i]);
    study->row_count = study->run_count;
    for (int i = 0; i < study->row_count && study->reference_kind == CLI_REFERENCE_FINE; ++i)
        study->runs[i].reference = fine_run(study, &study->runs[i]);
    assert(study->run_count <= 2 * rows);
    return CLI_EXIT_DONE;
}

/* Whether the scene of a run can be read, and its integrator takes it. */
static int try_run(const cli_study *study, const cli_study_run *run)
{
    cairn_scene *scene;
    cairn_simulation *simulation = NULL;
    int result = cli_study_load(study, study->context, run->value, false, &scene);
    if (!result)
    {
        cairn_settings settings = cli_study_settings(study, scene, run);
        cairn_status status = cairn_settings_check(study->context, &settings);
        status =
            status ? status : cairn_simulation_create(study->context, cairn_scene_model(scene), &settings, &simulation);
        cli_messages_print(study->context);
        result = cli_exit_status(status);
    }
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    return result;
}

static int try_runs(const cli_study *study)
{
    int result = CLI_EXIT_DONE;
    for (int i = 0; i < study->run_count && !result; ++i)
    {
        const cli_study_run *before = i > 0 ? &study->runs[i - 1] : NULL;
        bool same = before && before->integrator == study->runs[i].integrator &&
                    before->events == study->runs[i].events && before->value == study->runs[i].value;
        result = same ? CLI_EXIT_DONE : try_run(study, &study->runs[i]);
    }
    return result;
}

int cli_study_plan(cli_study *study, const char *argument)
{
    int result = find_scene(study, argument);
    result = result ? result : cli_study_read_values(study);
    int first = study->value_count > 0 ? 0 : -1;
    result = result ? result : cli_study_load(study, study->context, first, false, &study->scene);
    result = result ? result : cli_study_read_lists(study);
    result = result ? result : read_reference(study);
    result = result ? result : check_reference(study);
    result = result ? result : list_runs(study);
    return result ? result : try_runs(study);
}

void cli_study_free(cli_study *study)
{
    for (int i = 0; i < study->run_count; ++i)
        free(study->runs[i].end.bodies);
    for (int i = 0; i < study->value_count; ++i)
        free(study->assignments[i]);
    free(study->runs);
    free(study->blocks);
    free(study->reference.bodies);
    free(study->assignments);
    free(study->values);
    free(study->parameter);
    free(study->steps);
    free(study->integrators);
    cairn_scene_destroy(study->scene);
}
