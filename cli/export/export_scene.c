/* `cairn export SCENE --scene FILE`: a scene with everything written out. */
#include "cli/common/scene_source.h"
#include "cli/export/export.h"

#include <stdio.h>

int cli_export_scene(const char *argument, const cli_text_list *set, const char *path)
{
    cairn_context *context = cli_context_create();
    cairn_scene *scene = NULL;
    cairn_run *run = NULL;
    int result = CLI_EXIT_DONE;
    cairn_status status = CAIRN_OK;
    if (!cli_path_is_run(argument))
        result = cli_scene_load(context, argument, set, false, &scene);
    else
        status = cairn_run_open(context, argument, &run);
    if (!status && run)
        status = cairn_run_scene(run, &scene);
    if (!result && !status)
        status = cairn_scene_save(scene, path);
    if (status)
    {
        cli_messages_print(context);
        result = cli_exit_status(status);
    }
    if (!result)
        printf("%s\n", path);
    cairn_run_close(run);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
    return result;
}
