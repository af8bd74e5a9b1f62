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

static int print_schema(void *data, int count, char **arguments)
{
    const bool *settings = data;
    (void)count;
    (void)arguments;
    if (*settings)
        print_settings();
    else
        fputs(cairn_scene_schema(), stdout);
    return CLI_EXIT_DONE;
}

int cli_command_schema(int argc, char **argv)
{
    bool settings = false;
    const cli_option options[] = {
        {CLI_FLAG("settings", 0, &settings, "print the properties of the settings alone, from their table")}, {0}};
    const cli_command command = {.usage = "schema [options]",
                                 .text = "Print the JSON Schema (draft 2020-12) of scene files on standard output.",
                                 .options = options,
                                 .work = print_schema,
                                 .data = &settings};
    return cli_command_call(&command, argc, argv);
}
