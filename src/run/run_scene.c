/* The scene of a run file, read back. The text in the file and the rows beside it are two accounts of one model, and a
 * damaged or forged file may hold two that differ: a reader that takes rows by the scene's indices would then read past
 * their end. So the two are compared here, once, for everything that has a name.
 */
#include "base/context.h"
#include "run/run_reader.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cairn_status differs(const cairn_run *run, const char *what, int in_scene, int in_file)
{
    assert(in_scene != in_file);
    return crn_fail(run->context, CAIRN_INVALID,
                    "run file '%s' does not fit its own scene: the scene has %d %s, the recorded data %d", run->path,
                    in_scene, what, in_file);
}

static cairn_status misnamed(const cairn_run *run, const char *what, const char *in_scene, const char *in_file)
{
    return crn_fail(
        run->context, CAIRN_INVALID,
        "run file '%s' does not fit its own scene: where the scene has '%s' among its %s, the recorded data "
        "have '%s'",
        run->path, in_scene, what, in_file);
}

static cairn_status check_bodies(const cairn_run *run, const cairn_model *model)
{
    int count = cairn_model_body_count(model);
    if (cairn_model_dimension(model) != run->dimension)
        return differs(run, "dimensions", cairn_model_dimension(model), run->dimension);
    if (count != run->body_names.count)
        return differs(run, "bodies", count, run->body_names.count);
    for (int i = 0; i < count; ++i)
    {
        const char *name = crn_run_group_name(model, "bodies", i);
        if (strcmp(name, cairn_run_body_name(run, i)) != 0)
            return misnamed(run, "bodies", name, cairn_run_body_name(run, i));
    }
    return CAIRN_OK;
}

/* The things of a group are the series of one of its quantities, in the order of the model. */
static cairn_status check_group(const cairn_run *run, const cairn_model *model, const crn_run_named *named)
{
    char path[80];
    int length = snprintf(path, sizeof path, "/%s/%s", named->group, named->quantity);
    int count = crn_run_group_count(model, named->group);
    int found = 0;
    for (size_t i = 0; i < run->series_count; ++i)
    {
        const crn_run_reader_series *series = &run->series[i];
        if (strcmp(series->path, path) != 0)
            continue;
        const char *name = series->name + length; /* "springs/work/NAME": no slash before, one behind */
        if (found < count && strcmp(crn_run_group_name(model, named->group, found), name) != 0)
            return misnamed(run, named->group, crn_run_group_name(model, named->group, found), name);
        ++found;
    }
    return found == count ? CAIRN_OK : differs(run, named->group, count, found);
}

static cairn_status check_model(const cairn_run *run, const cairn_model *model)
{
    CRN_TRY(check_bodies(run, model));
    for (int i = 0; i < CRN_RUN_NAMED; ++i)
        CRN_TRY(check_group(run, model, &crn_run_named_table[i]));
    return CAIRN_OK;
}

cairn_status cairn_run_scene(const cairn_run *run, cairn_scene **out)
{
    if (!run || !out)
    {
        return crn_fail(run ? run->context : NULL, CAIRN_INVALID,
                        "run file: the run or the place for the scene is NULL");
    }
    *out = NULL;
    if (!run->scene_text[0])
        return crn_fail(run->context, CAIRN_INVALID, "run file '%s' holds no scene", run->path);
    cairn_parameter *parameters = calloc((size_t)run->parameter_names.count + 1, sizeof *parameters);
    if (!parameters)
        return crn_run_reader_full(run);
    for (int i = 0; i < run->parameter_names.count; ++i)
        parameters[i] = cairn_run_parameter(run, i);
    cairn_scene *scene = NULL;
    cairn_status status = cairn_scene_parse(run->context, run->path, run->scene_text, strlen(run->scene_text),
                                            parameters, run->parameter_names.count, &scene);
    free(parameters);
    status = status ? status : check_model(run, cairn_scene_model(scene));
    if (status)
    {
        cairn_scene_destroy(scene);
        return status;
    }
    *out = scene;
    return CAIRN_OK;
}
