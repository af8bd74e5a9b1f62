/* `cairn schema`: the JSON Schema of scene files. */
#include "cli/common/cli.h"
#include "cli/common/options.h"

#include <stdio.h>

int cli_command_schema(int argc, char **argv)
{
    static const cli_command COMMAND = {.usage = "schema",
                                        .text = "Print the JSON Schema (draft 2020-12) of scene files on standard "
                                                "output."};
    int first;
    int result = cli_options_parse(&COMMAND, argc, argv, &first);
    if (result != CLI_GO_ON)
        return result;
    fputs(cairn_scene_schema(), stdout);
    return CLI_EXIT_DONE;
}
