/* `cairn schema`: the JSON Schema of scene files. */
#include "cli/common/cli.h"
#include "cli/common/options.h"

#include <stdio.h>

static int print_schema(void *data, int count, char **arguments)
{
    (void)data;
    (void)count;
    (void)arguments;
    fputs(cairn_scene_schema(), stdout);
    return CLI_EXIT_DONE;
}

int cli_command_schema(int argc, char **argv)
{
    const cli_option options[] = {{0}};
    const cli_command command = {.usage = "schema",
                                 .text = "Print the JSON Schema (draft 2020-12) of scene files on standard output.",
                                 .options = options,
                                 .work = print_schema};
    return cli_command_call(&command, argc, argv);
}
