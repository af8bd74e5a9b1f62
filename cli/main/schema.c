/* `cairn schema`: the JSON Schema of scene files. */
#include "cli/common/settings.h"

#include <stdio.h>

/* What the table of settings makes of `simulation`; the schema of the tree is checked against it. */
static void print_settings(void)
{
    cli_json json = {.stream = stdout};
    cli_json_open(&json, NULL, '{');
    cli_settings_schema(&json);
    cli_json_close(&json, '}');
    putchar('\n');
}

int cli_command_schema(int argc, char **argv)
{
    bool settings = false;
    const cli_option options[] = {{"settings", 0, CLI_OPTION_FLAG, &settings, NULL,
                                   "print the properties of the settings alone, from their table"}};
    const cli_command command = {.usage = "schema [options]",
                                 .text = "Print the JSON Schema (draft 2020-12) of scene files on standard output.",
                                 .options = options,
                                 .option_count = 1};
    int first;
    int result = cli_options_parse(&command, argc, argv, &first);
    if (result != CLI_GO_ON)
        return result;
    if (settings)
        print_settings();
    else
        fputs(cairn_scene_schema(), stdout);
    return CLI_EXIT_DONE;
}
