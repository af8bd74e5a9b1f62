/* Loading scenes: from a file, or from the scenes built into the library. */
#ifndef CLI_COMMON_SCENE_SOURCE_H
#define CLI_COMMON_SCENE_SOURCE_H

#include "cli/common/cli.h"
#include "cli/common/options.h"

/* Load a file, or else a built-in scene of that name, with --set values. CLI_EXIT_DONE, or the exit status after messages
 * on standard error. When `keep` is given, a wrong scene's messages are left in the context instead. */
int cli_scene_load(cairn_context *context, const char *argument, const cli_text_list *set, bool keep,
                   cairn_scene **out);

/* Whether a path is that of a run file: its bytes or its name (.h5) say so. */
bool cli_path_is_run(const char *path);

/* Each "name=value" split in two, in a list to be freed; the values are those of `set`. The exit status, after a message. */
int cli_parameters_split(const cli_text_list *set, cairn_parameter **out);
void cli_parameters_free(cairn_parameter *parameters, int count);

/* A built-in scene, or NULL after a sentence with the nearest name. */
const cairn_builtin *cli_builtin_find(const char *name);

#endif
