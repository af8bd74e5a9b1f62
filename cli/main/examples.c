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
    const cairn_builtin *builtin = cli_find_builtin(name);
    if (!builtin)
        return CLI_EXIT_WRONG;
    fwrite(builtin->text, 1, builtin->length, stdout);
    return CLI_EXIT_DONE;
}

static char *scene_path(const char *directory, int index)
{
    char *path;
    return asprintf(&path, "%s/%s.yaml", directory, cairn_builtin_scene(index).name) < 0 ? NULL : path;
}

/* Whether none of the files is there yet. */
static bool nothing_in_the_way(const char *directory)
{
    bool clear = true;
    for (int i = 0; i < cairn_builtin_count(); ++i)
    {
        char *path = scene_path(directory, i);
        if (path && !access(path, F_OK))
        {
            cli_error("'%s' is there already; --force replaces it", path);
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

int cli_command_examples(int argc, char **argv)
{
    bool json = false;
    bool force = false;
    const char *directory = NULL;
    cli_gallery_options gallery = {.seconds = 6};
    const cli_option options[] = {
        {"write", 'w', CLI_OPTION_TEXT, &directory, "DIR", "write all scenes as files into a directory"},
        {"force", 'f', CLI_OPTION_FLAG, &force, NULL, "with --write: replace files that are there"},
        {"json", 0, CLI_OPTION_FLAG, &json, NULL, "list them as one JSON object"},
        {"gallery", 0, CLI_OPTION_TEXT, &gallery.directory, "DIR",
         "write a page with a moving picture of every scene, or of those named"},
        {"seconds", 0, CLI_OPTION_NUMBER, &gallery.seconds, "S",
         "with --gallery: how long a scene may be computed, default 6"},
        {"jobs", 'j', CLI_OPTION_COUNT, &gallery.jobs, "N", "with --gallery: scenes at the same time"},
        {"quiet", 'q', CLI_OPTION_FLAG, &gallery.quiet, NULL, "with --gallery: no progress bar"},
    };
    const cli_command command = {.usage = "examples [NAME] [options]",
                                 .text = "List the built-in scenes with their titles, or print the scene NAME as YAML.",
                                 .options = options,
                                 .option_count = sizeof options / sizeof options[0],
                                 .most = cairn_builtin_count()};
    int first;
    int result = cli_options_parse(&command, argc, argv, &first);
    if (result != CLI_GO_ON)
        return result;
    if (gallery.directory)
    {
        gallery.names = argv + first;
        gallery.count = argc - first;
        return cli_gallery_write(&gallery);
    }
    if (argc - first > 1)
    {
        cli_error("one argument too many: '%s'; only --gallery takes several scenes", argv[first + 1]);
        return CLI_EXIT_WRONG;
    }
    if (directory)
        return write_all(directory, force);
    if (first < argc)
        return print_scene(argv[first]);
    return json ? print_json() : print_list();
}
