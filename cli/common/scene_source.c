#include "cli/common/scene_source.h"
#include "cli/common/cli.h"
#include "cli/common/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static bool has_ending(const char *path, const char *ending)
{
    size_t length = strlen(path), end = strlen(ending);
    return length > end && !strcasecmp(path + length - end, ending);
}

static bool is_file(const char *path)
{
    struct stat info;
    return !stat(path, &info) && !S_ISDIR(info.st_mode);
}

/* Files that may be meant where the extension was left out. */
static void offer_files(cairn_suggestion *near, const char *name)
{
    static const char *const endings[] = {"yaml", "yml", "json"};
    for (int i = 0; i < 3; ++i)
    {
        char path[256];
        snprintf(path, sizeof path, "%s.%s", name, endings[i]);
        if (is_file(path))
        {
            near->distance = -2;
            snprintf(near->hint, sizeof near->hint, "; did you mean '%.70s'?", path);
        }
    }
}

const cairn_builtin *cli_builtin_find(const char *name)
{
    const cairn_builtin *builtin = cairn_builtin_find(name);
    cairn_suggestion near = {.word = name};
    struct stat info;
    if (builtin)
        return builtin;
    offer_files(&near, name);
    for (int i = 0; i < cairn_builtin_count(); ++i)
        cairn_suggestion_offer(&near, cairn_builtin_scene(i).name);
    if (!stat(name, &info) && S_ISDIR(info.st_mode))
        cli_error("'%s' is a directory, not a scene", name);
    else
        cli_error("there is no file and no built-in scene '%s'%s%s 'cairn examples' lists the built-in scenes", name,
                  near.hint, near.hint[0] ? "" : ";");
    return NULL;
}

void cli_parameters_free(cairn_parameter *parameters, int count)
{
    for (int i = 0; parameters && i < count; ++i)
        free((char *)parameters[i].name);
    free(parameters);
}

int cli_parameters_split(const cli_text_list *set, cairn_parameter **out)
{
    *out = cli_allocate((size_t)set->count + 1, sizeof **out);
    for (int i = 0; i < set->count; ++i)
    {
        const char *text = set->items[i];
        const char *sign = strchr(text, '=');
        if (!sign || sign == text || !sign[1])
        {
            cli_parameters_free(*out, i);
            *out = NULL;
            return cli_wrong("option --set: expected name=value, found '%s'", text);
        }
        (*out)[i] = (cairn_parameter){.name = cli_text("%.*s", (int)(sign - text), text), .value = sign + 1};
    }
    return CLI_EXIT_DONE;
}

/* An HDF5 file begins with these bytes; a scene cannot. */
bool cli_path_is_run(const char *path)
{
    char head[8];
    FILE *file = is_file(path) ? fopen(path, "rbe") : NULL;
    size_t got = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        fclose(file);
    return (file && has_ending(path, ".h5")) || (got == sizeof head && !memcmp(head, "\x89HDF\r\n\x1a\n", sizeof head));
}

/* A file that is something else than a scene, by its bytes or its name: a sentence that says what, and what to do. */
static bool refuse_file(const char *path)
{
    if (cli_path_is_run(path))
        cli_error("'%s' is a run file, not a scene; 'cairn view %s' shows it, 'cairn plot', 'cairn report' and "
                  "'cairn export' read it",
                  path, path);
    else if (has_ending(path, ".sdf") || has_ending(path, ".usd") || has_ending(path, ".usda"))
        cli_error(
            "'%s' is a robot or scene description of another program; of those Cairn reads URDF and MJCF ('cairn help "
            "import')",
            path);
    else if (has_ending(path, ".obj") || has_ending(path, ".stl") || has_ending(path, ".ply"))
        cli_error("'%s' is a mesh, not a scene; a scene names it in a shape: {type: mesh, file: %s}", path, path);
    else
        return false;
    return true;
}

int cli_scene_load(cairn_context *context, const char *argument, const cli_text_list *set, bool keep, cairn_scene **out)
{
    *out = NULL;
    bool file = is_file(argument);
    const cairn_builtin *builtin = file ? NULL : cli_builtin_find(argument);
    if ((!file && !builtin) || (file && refuse_file(argument)))
        return CLI_EXIT_WRONG;
    if (file && cairn_import_recognises(argument))
        return set->count > 0 ? cli_wrong("option --set: '%s' is not a scene file and has no parameters", argument)
                              : cli_import_load(context, argument, NULL, keep, out);
    cairn_parameter *parameters;
    int result = cli_parameters_split(set, &parameters);
    if (result)
        return result;
    cairn_status status =
        file ? cairn_scene_load(context, argument, parameters, set->count, out)
             : cairn_scene_parse(context, argument, builtin->text, builtin->length, parameters, set->count, out);
    cli_parameters_free(parameters, set->count);
    if (status && !keep)
        cli_messages_print(context);
    /* A scene that cannot be read is wrong input too. */
    return status == CAIRN_IO ? CLI_EXIT_WRONG : cli_exit_status(status);
}
