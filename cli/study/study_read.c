/* The lists of a study's command line, with the defaults of its built-in study or its scene. */
#include "cli/common/cli.h"
#include "cli/study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int falling(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Sorted, each once. Without a list: the scene's step and five halves of it, or that step alone for a parameter. */
static int read_steps(cli_study *study)
{
    const char *text = study->options->steps;
    double h = cairn_scene_settings(study->scene).step;
    char halves[64];
    study->steps_given = text || !study->parameter;
    snprintf(halves, sizeof halves, study->parameter ? "%.17g" : "%.17g:%.17g", h, h / 32);
    text = text ? text : study->entry && !study->parameter ? study->entry->steps : halves;
    int result = cli_study_numbers("steps", text, &study->steps, &study->step_count);
    if (result)
        return result;
    qsort(study->steps, (size_t)study->step_count, sizeof *study->steps, falling);
    int kept = 1;
    for (int i = 1; i < study->step_count; ++i)
        if (study->steps[i] != study->steps[kept - 1])
            study->steps[kept++] = study->steps[i];
    study->step_count = kept;
    return CLI_EXIT_DONE;
}

static int add_integrator(cli_study *study, const char *name, bool required)
{
    cairn_integrator found;
    if (!cairn_integrator_parse(name, &found))
    {
        if (required)
            cli_error("option --integrator: there is no integrator '%s'", name);
        return required ? CLI_EXIT_WRONG : CLI_EXIT_DONE;
    }
    cairn_integrator *more =
        cli_resize(study->integrators, (size_t)(study->integrator_count + 1), sizeof *study->integrators);
    study->integrators = more;
    more[study->integrator_count++] = found;
    return CLI_EXIT_DONE;
}

static int read_integrators(cli_study *study)
{
    const char *given = study->options->integrator;
    const char *rest = given ? given : study->entry ? study->entry->integrators : NULL;
    int result = CLI_EXIT_DONE;
    if (!rest)
        return add_integrator(study, cairn_integrator_name(cairn_scene_settings(study->scene).integrator), true);
    while (rest && !result)
    {
        char *name = cli_study_item(rest, &rest);
        result = add_integrator(study, name, given);
        free(name);
    }
    return result;
}

/* --events on, off, or both with a comma between */
static int read_events(cli_study *study)
{
    const char *text = study->options->events;
    text = !text && study->entry ? study->entry->events : text;
    study->events_count = 1;
    if (!text)
        return CLI_EXIT_DONE;
    bool both = !strcmp(text, "on,off") || !strcmp(text, "off,on");
    if (!both && strcmp(text, "on") != 0 && strcmp(text, "off") != 0)
        return cli_wrong("option --events: expected on, off or on,off, found '%s'", text);
    bool first = !strncmp(text, "on", 2);
    study->events[0] = first ? CLI_EVENTS_ON : CLI_EVENTS_OFF;
    study->events[1] = first ? CLI_EVENTS_OFF : CLI_EVENTS_ON;
    study->events_count = both ? 2 : 1;
    return CLI_EXIT_DONE;
}

/* --vary name=a,b,c */
int cli_study_read_values(cli_study *study)
{
    const char *text = study->options->vary ? study->options->vary : study->entry ? study->entry->vary : NULL;
    const char *sign = text ? strchr(text, '=') : NULL;
    if (!text)
        return CLI_EXIT_DONE;
    if (!sign || sign == text || !sign[1])
        return cli_wrong("option --vary: expected name=value,value,..., found '%s'", text);
    study->parameter = cli_text("%.*s", (int)((size_t)(sign - text)), text);
    size_t room = strlen(sign); /* as many values as there are characters, at most */
    study->assignments = cli_allocate(room, sizeof *study->assignments);
    study->values = cli_allocate(room, sizeof *study->values);
    for (const char *rest = sign + 1; rest;)
    {
        int i = study->value_count;
        char *value = cli_study_item(rest, &rest);
        study->assignments[i] = cli_text("%s=%s", study->parameter, value);
        if (!cli_study_number(value, &study->values[i]))
            study->values[i] = NAN;
        ++study->value_count;
        free(value);
    }
    return CLI_EXIT_DONE;
}

static int read_quantities(cli_study *study)
{
    const char *rest = study->options->quantity ? study->options->quantity
                       : study->entry           ? study->entry->quantities
                                                : "position";
    int result = CLI_EXIT_DONE;
    while (rest && !result)
    {
        if (study->quantity_count == CLI_STUDY_QUANTITIES)
            return cli_wrong("option --quantity: more than %d quantities", CLI_STUDY_QUANTITIES);
        char *item = cli_study_item(rest, &rest);
        cli_study_quantity *quantity = &study->quantities[study->quantity_count];
        result = cli_study_quantity_parse(cairn_scene_model(study->scene), item, quantity);
        quantity->place = study->quantity_count++;
        free(item);
    }
    return result;
}

static int read_until(cli_study *study)
{
    study->until = !isnan(study->options->until)             ? study->options->until
                   : study->entry && study->entry->until > 0 ? study->entry->until
                                                             : cairn_scene_until(study->scene);
    if (!(study->until > 0))
        return cli_wrong("option --until: expected a time above 0 s, found %g", study->until);
    if (study->until / study->steps[study->step_count - 1] > 1e12)
    {
        return cli_wrong("%g s in steps of %g s are more than 1e12 steps", study->until,
                         study->steps[study->step_count - 1]);
    }
    return CLI_EXIT_DONE;
}

static int check_settings(const cli_study *study)
{
    cairn_settings unused = cairn_settings_default();
    return cli_settings_apply(&study->options->settings, &unused) ? CLI_EXIT_DONE : CLI_EXIT_WRONG;
}

int cli_study_read_lists(cli_study *study)
{
    int result = check_settings(study);
    result = result ? result : read_integrators(study);
    result = result ? result : read_events(study);
    result = result ? result : read_steps(study);
    result = result ? result : read_until(study);
    return result ? result : read_quantities(study);
}
