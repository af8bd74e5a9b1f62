#include "cli/common/scene_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *builtin_name(const void *data, int index)
{
    (void)data;
    return cairn_builtin_scene(index).name;
}

const cairn_builtin *cli_find_builtin(const char *name)
{
    const cairn_builtin *builtin = cairn_builtin_find(name);
    if (!builtin)
    {
        const char *near = cli_nearest(name, cairn_builtin_count(), builtin_name, NULL);
        cli_error("there is no file and no built-in scene '%s'%s%s%s 'cairn examples' lists the built-in ones", name,
                  near ? ": did you mean '" : "", near ? near : "", near ? "'?" : ";");
    }
    return builtin;
}

void cli_free_parameters(cairn_parameter *parameters, int count)
{
    for (int i = 0; parameters && i < count; ++i)
        free((char *)parameters[i].name);
    free(parameters);
}

int cli_split_parameters(const cli_text_list *set, cairn_parameter **out)
{
    *out = calloc((size_t)set->count + 1, sizeof **out);
    for (int i = 0; *out && i < set->count; ++i)
    {
        const char *text = set->items[i];
        const char *sign = strchr(text, '=');
        if (!sign || sign == text || !sign[1])
        {
            cli_error("option --set: expected name=value, found '%s'", text);
            cli_free_parameters(*out, i);
            *out = NULL;
            return CLI_EXIT_WRONG;
        }
        (*out)[i] = (cairn_parameter){.name = strndup(text, (size_t)(sign - text)), .value = sign + 1};
        if (!(*out)[i].name)
        {
            cli_free_parameters(*out, i);
            *out = NULL;
        }
    }
    if (!*out)
    {
        cli_error("memory ran out");
        return CLI_EXIT_FAILED;
    }
    return CLI_EXIT_DONE;
}

static bool is_file(const char *path)
{
    struct stat info;
    return !stat(path, &info) && !S_ISDIR(info.st_mode);
}

/* An HDF5 file begins with these bytes; a scene cannot. */
bool cli_is_run(const char *path)
{
    char head[8];
    FILE *file = is_file(path) ? fopen(path, "rbe") : NULL;
    size_t got = file ? fread(head, 1, sizeof head, file) : 0, length = strlen(path);
    if (file)
        fclose(file);
    bool named = file && length > 3 && !strcmp(path + length - 3, ".h5");
    return named || (got == sizeof head && !memcmp(head, "\x89HDF\r\n\x1a\n", sizeof head));
}

int cli_load_scene(cairn_context *context, const char *argument, const cli_text_list *set, bool keep, cairn_scene **out)
{
    *out = NULL;
    bool file = is_file(argument);
    const cairn_builtin *builtin = file ? NULL : cli_find_builtin(argument);
    if (!file && !builtin)
        return CLI_EXIT_WRONG;
    cairn_parameter *parameters;
    int result = cli_split_parameters(set, &parameters);
    if (result)
        return result;
    cairn_status status =
        file ? cairn_scene_load(context, argument, parameters, set->count, out)
             : cairn_scene_parse(context, argument, builtin->text, builtin->length, parameters, set->count, out);
    cli_free_parameters(parameters, set->count);
    if (status && !keep)
        cli_print_messages(context);
    /* A scene that cannot be read is wrong input too. */
    return status == CAIRN_IO ? CLI_EXIT_WRONG : cli_exit_status(status);
}
