/* A setting of `cairn compare`: name=value pairs with commas between, over the scene's own settings. */
#include "cli/compare/compare.h"
#include "cli/study/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cairn_setting *find_setting(const char *name)
{
    const cairn_setting *setting = cairn_setting_find(name);
    cairn_suggestion near = {.word = name};
    for (int i = 0; !setting && i < cairn_setting_count(); ++i)
        cairn_suggestion_offer(&near, cairn_setting_at(i)->name);
    if (!setting)
        cli_error("option --with: unknown setting '%s'%s", name, near.hint);
    return setting;
}

/* One "name=value"; the text is cut in two. */
static int apply_pair(char *text, cairn_settings *settings)
{
    char *sign = strchr(text, '=');
    if (!sign || sign == text || !sign[1])
    {
        return cli_wrong("option --with: expected name=value, or 'scene' for the scene's own settings, found '%s'",
                         text);
    }
    *sign = '\0';
    char where[64];
    const cairn_setting *setting = find_setting(text);
    snprintf(where, sizeof where, "option --with: %s", text);
    return setting && cli_setting_set(setting, where, sign + 1, settings) ? CLI_EXIT_DONE : CLI_EXIT_WRONG;
}

int cli_compare_apply(const char *text, cairn_settings *settings)
{
    int result = CLI_EXIT_DONE;
    for (const char *rest = strcmp(text, "scene") != 0 ? text : NULL; rest && !result;)
    {
        char *item = cli_study_item(rest, &rest);
        result = apply_pair(item, settings);
        free(item);
    }
    return result;
}
