/* The library's table of settings on the command line: one option per setting, the same ones in every command that simulates. */
#ifndef CLI_COMMON_SETTINGS_H
#define CLI_COMMON_SETTINGS_H

#include "cli/common/cli.h"
#include "cli/common/json.h"
#include "cli/common/options.h"

enum
{
    CLI_MOST_SETTINGS = 40,
    CLI_MOST_OPTIONS = 64
};

/* What was given, and the texts that the options point to. */
typedef struct cli_settings
{
    const char *given[CLI_MOST_SETTINGS]; /* in the order of the table; NULL: as the scene says */
    char name[CLI_MOST_SETTINGS][32];
    char help[CLI_MOST_SETTINGS][320];
} cli_settings;

/* One option per setting after those that a command has of its own; settings named in `leave_out` (NULL at its end; NULL: none)
 * excepted. `options` has room for CLI_MOST_OPTIONS, of which an empty one ends the table. */
void cli_settings_append(cli_settings *settings, const char *const *leave_out, cli_option *options);

/* What was given over the scene's settings; false after a sentence for each that is wrong. */
bool cli_settings_apply(const cli_settings *given, cairn_settings *settings);

/* "option --law: expected ..., found 'x'": `where` is "option --law". False, after that sentence, when the text is wrong. */
bool cli_setting_set(const cairn_setting *setting, const char *where, const char *text, cairn_settings *settings);

/* All settings as fields of the JSON object that is open. */
void cli_settings_json(cli_json *json, const cairn_settings *settings);

/* The properties of `simulation` in the JSON Schema of scene files, but for the end time. */
void cli_settings_schema(cli_json *json);

#endif
