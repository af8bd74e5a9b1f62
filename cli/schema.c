/* `cairn schema`: the JSON Schema of scene files. */
#include "cli.h"
#include "options.h"

#include <stdio.h>

int crn_cli_schema(int argc, char **argv)
{
    static const crn_command COMMAND = {.usage = "schema",
                                        .text = "Print the JSON Schema (draft 2020-12) of scene files on standard "
                                                "output."};
    int first;
    int result = crn_options_parse(&COMMAND, argc, argv, &first);
    if (result != CRN_GO_ON)
    {
        return result;
    }
    fputs(cairn_scene_schema(), stdout);
    return CRN_EXIT_DONE;
}
