/* `cairn export SCENE --scene FILE`: a scene with everything written out; --urdf and --mjcf: as a robot for other programs. */
#include "cli/common/out_file.h"
#include "cli/common/scene_source.h"
#include "cli/export/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The exit status of a call that failed, after its messages. */
static int tell(cairn_context *context, cairn_status status)
{
    cli_messages_print(context);
    return cli_exit_status(status);
}

static int load(cairn_context *context, const char *argument, const cli_text_list *set, cairn_scene **scene)
{
    cairn_run *run = NULL;
    if (!cli_path_is_run(argument))
        return cli_scene_load(context, argument, set, false, scene);
    if (set->count > 0)
        return cli_wrong("--set: a run has the parameters that it was run with");
    cairn_status status = cairn_run_open(context, argument, &run);
    bool there = status != CAIRN_IO;
    status = status ? status : cairn_run_scene(run, scene);
    cairn_run_close(run);
    int result = status ? tell(context, status) : CLI_EXIT_DONE;
    return there ? result : CLI_EXIT_WRONG;
}

/* ----------------------------------------------------------------------------------------------------------- robots */

/* What was changed or left out, on standard error. */
static void tell_notes(const char *argument, const cairn_import_notes *notes)
{
    int count = cairn_import_note_count(notes);
    for (int i = 0; i < count; ++i)
        fprintf(stderr, "%s: %s\n", argument, cairn_import_note(notes, i).text);
    if (count > 0)
        fprintf(stderr, "%s: %d note%s on what was changed or left out\n", argument, count, count == 1 ? "" : "s");
}

/* The text goes to *text where the path is -. */
static cairn_status write_robot(const cairn_scene *scene, const cairn_sensor *sensors, cli_export_format format,
                                const char *path, char **text, cairn_import_notes **notes)
{
    const cairn_model *model = cairn_scene_model(scene);
    cairn_settings settings = cairn_scene_settings(scene);
    cairn_save_options options = cairn_save_default();
    bool to_file = strcmp(path, "-") != 0;
    options.title = cairn_scene_title(scene);
    options.settings = &settings;
    options.sensors = sensors;
    options.sensor_count = cairn_scene_sensor_count(scene);
    if (format == CLI_EXPORT_URDF)
        return to_file ? cairn_model_save_urdf(model, &options, path, notes)
                       : cairn_model_urdf(model, &options, text, notes);
    return to_file ? cairn_model_save_mjcf(model, &options, path, notes)
                   : cairn_model_mjcf(model, &options, text, notes);
}

static int export_robot(cairn_context *context, const cairn_scene *scene, cli_export_format format,
                        const char *argument, const char *path)
{
    cairn_import_notes *notes = NULL;
    char *text = NULL;
    int count = cairn_scene_sensor_count(scene);
    cairn_sensor *sensors = calloc((size_t)count + 1, sizeof *sensors);
    for (int i = 0; sensors && i < count; ++i)
        sensors[i] = cairn_scene_sensor(scene, i);
    cairn_status status = sensors ? write_robot(scene, sensors, format, path, &text, &notes) : CAIRN_NO_MEMORY;
    free(sensors);
    tell_notes(argument, notes);
    cli_messages_print(context);
    int result = cli_out_status(status, path);
    if (!result && text)
        result = cli_out_text("-", text);
    else if (!result)
        printf("%s\n", path);
    cairn_text_destroy(text);
    cairn_import_notes_destroy(notes);
    return result;
}

static int export_scene(cairn_context *context, const cairn_scene *scene, const char *path)
{
    char *text = NULL;
    cairn_status status = cairn_scene_written_out(scene, &text);
    int result = status ? tell(context, status) : cli_out_text(path, text);
    cairn_text_destroy(text);
    return result;
}

int cli_export_model(const char *argument, const cli_text_list *set, cli_export_format format, const char *path)
{
    cairn_context *context = cli_context_create();
    cairn_scene *scene = NULL;
    int result = load(context, argument, set, &scene);
    if (!result && format == CLI_EXPORT_SCENE)
        result = export_scene(context, scene, path);
    else if (!result)
        result = export_robot(context, scene, format, argument, path);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
    return result;
}
