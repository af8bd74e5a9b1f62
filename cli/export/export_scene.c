/* `cairn export SCENE --scene FILE`: a scene with everything written out. */
#include "cli/common/out_file.h"
#include "cli/common/scene_source.h"
#include "cli/export/export.h"

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
    status = status ? status : cairn_run_scene(run, scene);
    cairn_run_close(run);
    return status ? tell(context, status) : CLI_EXIT_DONE;
}

int cli_export_scene(const char *argument, const cli_text_list *set, const char *path)
{
    cairn_context *context = cli_context_create();
    cairn_scene *scene = NULL;
    char *text = NULL;
    int result = load(context, argument, set, &scene);
    cairn_status status = result ? CAIRN_OK : cairn_scene_written_out(scene, &text);
    result = status ? tell(context, status) : result;
    result = result ? result : cli_out_text(path, text);
    cairn_text_destroy(text);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
    return result;
}
