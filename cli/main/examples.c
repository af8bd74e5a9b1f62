/* `cairn examples`: the built-in scenes. */
#include "cli/common/cli.h"
#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/out_file.h"
#include "cli/common/scene_source.h"
#include "cli/report/gallery.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int print_json(void)
{
    cli_json json = {.stream = stdout};
    cli_json_open(&json, NULL, '{');
    cli_json_open(&json, "examples", '[');
    for (int i = 0; i < cairn_builtin_count(); ++i)
    {
        cairn_builtin builtin = cairn_builtin_scene(i);
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "name", builtin.name);
        cli_json_text(&json, "title", builtin.title);
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    cli_json_close(&json, '}');
    return CLI_EXIT_DONE;
}

static int print_list(void)
{
    int width = 0;
    for (int i = 0; i < cairn_builtin_count(); ++i)
    {
        int length = (int)strlen(cairn_builtin_scene(i).name);
        width = length > width ? length : width;
    }
    for (int i = 0; i < cairn_builtin_count(); ++i)
    {
        cairn_builtin builtin = cairn_builtin_scene(i);
        printf("%-*s  %s\n", width, builtin.name, builtin.title);
    }
    return CLI_EXIT_DONE;
}

static int print_scene(const char *name)
{
    const cairn_builtin *builtin = cli_builtin_find(name);
    if (!builtin)
        return CLI_EXIT_WRONG;
    fwrite(builtin->text, 1, builtin->length, stdout);
    return CLI_EXIT_DONE;
}

static char *scene_path(const char *directory, int index)
{
    return cli_text("%s/%s.yaml", directory, cairn_builtin_scene(index).name);
}

/* Whether none of the files exists. */
static bool nothing_in_the_way(const char *directory)
{
    bool clear = true;
    for (int i = 0; i < cairn_builtin_count(); ++i)
    {
        char *path = scene_path(directory, i);
        if (path && !access(path, F_OK))
        {
            cli_error("'%s' exists; --force replaces it", path);
            clear = false;
        }
        free(path);
    }
    return clear;
}

static bool write_scene(const char *directory, int index)
{
    cairn_builtin builtin = cairn_builtin_scene(index);
    char *path = scene_path(directory, index);
    cli_out_file file;
    bool good = path && cli_out_open(&file, path);
    if (good)
    {
        fwrite(builtin.text, 1, builtin.length, file.stream);
        good = cli_out_finish(&file);
    }
    free(path);
    return good;
}

static int write_all(const char *directory, bool force)
{
    int made = cli_out_directory(directory);
    if (made || (!force && !nothing_in_the_way(directory)))
        return CLI_EXIT_WRONG;
    for (int i = 0; i < cairn_builtin_count(); ++i)
        if (!write_scene(directory, i))
            return CLI_EXIT_FAILED;
    printf("%d scenes written to %s\n", cairn_builtin_count(), directory);
    return CLI_EXIT_DONE;
}

typedef struct examples_options
{
    bool json, force;
    const char *directory;
    cli_gallery_options gallery;
} examples_options;

static int examples(void *data, int count, char **arguments)
{
    examples_options *o = data;
    if (o->gallery.directory)
    {
        o->gallery.names = arguments;
        o->gallery.count = count;
        return cli_gallery_write(&o->gallery);
    }
    if (count > 1)
        return cli_wrong("one argument too many: '%s'; only --gallery takes several scenes", arguments[1]);
    if (o->directory)
        return write_all(o->directory, o->force);
    if (count > 0)
        return print_scene(arguments[0]);
    return o->json ? print_json() : print_list();
}

int cli_command_examples(int argc, char **argv)
{
    examples_options o = {.gallery = {.seconds = 6}};
    const cli_option options[] = {
        {CLI_VALUE(TEXT, "write", 'w', &o.directory, "DIR", "write all scenes as files into a directory")},
        {CLI_FLAG("force", 'f', &o.force, "with --write: replace existing files")},
        {CLI_FLAG("json", 0, &o.json, "list the scenes as one JSON object")},
        {CLI_VALUE(TEXT, "gallery", 0, &o.gallery.directory, "DIR",
                   "write a page with an animation of every scene, or of the named scenes")},
        {CLI_VALUE(NUMBER, "seconds", 0, &o.gallery.seconds, "S",
                   "with --gallery: computing time per scene, default 6")},
        {CLI_VALUE(COUNT, "jobs", 'j', &o.gallery.jobs, "N", "with --gallery: parallel jobs")},
        {CLI_FLAG("quiet", 'q', &o.gallery.quiet, "with --gallery: no progress bar")},
        {0},
    };
    const cli_command command = {.usage = "examples [NAME] [options]",
                                 .text = "List the built-in scenes with their titles, or print the scene NAME as YAML.",
                                 .options = options,
                                 .most = cairn_builtin_count(),
                                 .work = examples,
                                 .data = &o};
    return cli_command_call(&command, argc, argv);
}
