/* Entry point: finds the command, and checks that standard output could be written. */
#include "cli/common/cli.h"
#include "cli/ranks/ranks.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct command
{
    const char *name;
    const char *summary;
    int (*function)(int argc, char **argv);
} command;

static const command COMMANDS[] = {
    {"run", "simulate a scene", cli_command_run},
    {"check", "validate a scene and list its errors", cli_command_check},
    {"import", "read a robot from a URDF or MJCF file and list what was left out", cli_command_import},
    {"examples", "list, print or write the built-in scenes", cli_command_examples},
    {"study", "measure errors and orders over steps, integrators or parameters", cli_command_study},
    {"solve", "solve contact problems from files and compare solvers", cli_command_solve},
    {"compare", "run one scene under several laws, solvers or integrators", cli_command_compare},
    {"view", "show a run, or an interactive simulation, in the browser", cli_command_view},
    {"plot", "plot quantities of runs", cli_command_plot},
    {"report", "write a report of a run: tables, plots and the viewer", cli_command_report},
    {"query", "find distances, ray hits, overlaps and closest points", cli_command_query},
    {"export", "export a run as tables, ParaView files or video, or write out a scene", cli_command_export},
    {"figures", "reproduce the figures of the papers", cli_command_figures},
    {"schema", "print the JSON Schema of scene files", cli_command_schema},
};
enum
{
    COMMAND_COUNT = (int)(sizeof COMMANDS / sizeof COMMANDS[0])
};

static int print_help(void)
{
    puts("cairn: dynamics of rigid bodies with contact, friction, impacts, joints and springs\n\nusage: cairn COMMAND "
         "[arguments]\n\ncommands:");
    for (int i = 0; i < COMMAND_COUNT; ++i)
        printf("  %-10s %s\n", COMMANDS[i].name, COMMANDS[i].summary);
    puts("\n'cairn help COMMAND' or 'cairn COMMAND --help' explains a command; 'cairn --version' prints the "
         "version.\nexit status: 0 success, 1 a run failed or missed its tolerance, 2 invalid input, 128 + N ended by "
         "signal N");
    return CLI_EXIT_DONE;
}

static const command *find_command(const char *name)
{
    cairn_suggestion near = {.word = name};
    for (int i = 0; i < COMMAND_COUNT; ++i)
    {
        if (!strcmp(COMMANDS[i].name, name))
            return &COMMANDS[i];
        cairn_suggestion_offer(&near, COMMANDS[i].name);
    }
    struct stat info;
    if (!stat(name, &info) || cairn_builtin_find(name))
        cli_error("'%s' is not a command; 'cairn run %s' simulates a scene, 'cairn view FILE' shows a run", name, name);
    else
        cli_error("unknown command '%s'%s%s 'cairn --help' lists the commands", name, near.hint,
                  near.hint[0] ? "" : ";");
    return NULL;
}

static int help(int argc, char **argv)
{
    if (argc < 2)
        return print_help();
    const command *found = find_command(argv[1]);
    char option[] = "--help";
    char *arguments[] = {argv[1], option, NULL};
    return found ? found->function(2, arguments) : CLI_EXIT_WRONG;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 1)
        return cli_wrong("a command is missing; 'cairn --help' lists the commands");
    if (!strcmp(argv[0], "--help") || !strcmp(argv[0], "-h"))
        return print_help();
    if (!strcmp(argv[0], "--version") || !strcmp(argv[0], "-V"))
    {
        printf("cairn %s\n", cairn_version());
        return CLI_EXIT_DONE;
    }
    if (!strcmp(argv[0], "help"))
        return help(argc, argv);
    const command *found = find_command(argv[0]);
    return found ? found->function(argc, argv) : CLI_EXIT_WRONG;
}

int main(int argc, char **argv)
{
    signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is an error to report, not a crash */
    int status = cli_ranks_start(argc > 1 ? argv[1] : NULL);
    if (!status && !cli_ranks_serve(&status))
        status = dispatch(argc - 1, argv + 1);
    errno = 0;
    if (fflush(stdout) || ferror(stdout))
    {
        cli_error("standard output cannot be written: %s", errno ? strerror(errno) : "a write failed");
        status = status == CLI_EXIT_DONE ? CLI_EXIT_FAILED : status;
    }
    cli_ranks_end(status);
    if (status != CLI_EXIT_DONE)
    {
        /* HDF5 1.10 leaks when it fails to open a damaged file, and prints a complaint about it at exit. */
        _exit(status);
    }
    return status;
}
