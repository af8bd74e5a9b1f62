#include "cli/common/options.h"
#include "cli/common/cli.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_OPTIONS = 32,
    HELP_COLUMN = 28,
    FIRST_CODE = 256, /* codes of options without a letter, beyond all characters */
};

static void print_option(const char *name, char letter, const char *argument, const char *help)
{
    char left[128];
    int used = letter ? snprintf(left, sizeof left, "  -%c, --%s", letter, name)
                      : snprintf(left, sizeof left, "      --%s", name);
    if (argument)
        snprintf(left + used, sizeof left - (size_t)used, " %s", argument);
    printf("%-*s  %s\n", HELP_COLUMN, left, help);
}

static void print_help(const cli_command *command)
{
    printf("usage: cairn %s\n\n%s\n\noptions:\n", command->usage, command->text);
    for (int i = 0; i < command->option_count; ++i)
    {
        const cli_option *option = &command->options[i];
        print_option(option->name, option->letter, option->argument, option->help);
    }
    print_option("help", 'h', NULL, "print this text");
}

/* getopt's tables: `lengthy` with room for all options, `letters` for the short ones. */
static void fill_tables(const cli_command *command, struct option *lengthy, char *letters)
{
    assert(command->option_count + 2 <= MOST_OPTIONS);
    size_t used = 0;
    letters[used++] = ':'; /* a missing argument is told apart from an unknown option */
    for (int i = 0; i < command->option_count; ++i)
    {
        const cli_option *option = &command->options[i];
        bool takes = option->kind != CLI_OPTION_FLAG;
        lengthy[i] = (struct option){option->name, takes ? required_argument : no_argument, NULL, FIRST_CODE + i};
        if (option->letter)
        {
            letters[used++] = option->letter;
            letters[used] = ':';
            used += takes;
        }
    }
    lengthy[command->option_count] = (struct option){"help", no_argument, NULL, 'h'};
    letters[used++] = 'h';
    letters[used] = '\0';
}

static bool set_number(const cli_option *option, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value))
    {
        cli_error("option --%s: expected a finite number, found '%s'", option->name, text);
        return false;
    }
    *(double *)option->target = value;
    return true;
}

static bool set_count(const cli_option *option, const char *text)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < 1 || value > INT_MAX)
    {
        cli_error("option --%s: expected a whole number of at least 1, found '%s'", option->name, text);
        return false;
    }
    *(int *)option->target = (int)value;
    return true;
}

static bool add_text(cli_text_list *list, const char *text)
{
    const char **items = realloc((void *)list->items, (size_t)(list->count + 1) * sizeof *items);
    if (!items)
    {
        cli_error("memory ran out");
        return false;
    }
    list->items = items;
    items[list->count++] = text;
    return true;
}

static bool set_option(const cli_option *option, const char *text)
{
    switch (option->kind)
    {
    case CLI_OPTION_FLAG:
        *(bool *)option->target = true;
        return true;
    case CLI_OPTION_TEXT:
        *(const char **)option->target = text;
        return true;
    case CLI_OPTION_NUMBER:
        return set_number(option, text);
    case CLI_OPTION_COUNT:
        return set_count(option, text);
    case CLI_OPTION_LIST:
        break;
    }
    return add_text(option->target, text);
}

static int refuse_option(const cli_command *command, const char *argument)
{
    cairn_suggestion near = {.word = argument};
    for (int i = 0; i < command->option_count && !strncmp(argument, "--", 2); ++i)
    {
        char name[64];
        snprintf(name, sizeof name, "--%s", command->options[i].name);
        cairn_suggestion_offer(&near, name);
    }
    cli_error("unknown option '%s'%s%s 'cairn %.*s --help' lists them", argument, near.hint, near.hint[0] ? "" : ";",
              (int)strcspn(command->usage, " "), command->usage);
    return CLI_EXIT_WRONG;
}

static const cli_option *find_option(const cli_command *command, int code)
{
    for (int i = 0; i < command->option_count; ++i)
        if (code == FIRST_CODE + i || code == command->options[i].letter)
            return &command->options[i];
    return NULL;
}

static int check_rest(const cli_command *command, int count, char **rest)
{
    int length = (int)strcspn(command->usage, " ");
    if (count < command->least)
    {
        cli_error("an argument is missing; usage: cairn %s", command->usage);
        return CLI_EXIT_WRONG;
    }
    if (count > command->most)
    {
        cli_error("one argument too many: '%s'; 'cairn %.*s --help' explains", rest[command->most], length,
                  command->usage);
        return CLI_EXIT_WRONG;
    }
    return CLI_GO_ON;
}

int cli_options_parse(const cli_command *command, int argc, char **argv, int *first)
{
    struct option lengthy[MOST_OPTIONS] = {{0}};
    char letters[2 * MOST_OPTIONS + 2];
    fill_tables(command, lengthy, letters);
    optind = 0;
    opterr = 0;
    int code;
    while ((code = getopt_long(argc, argv, letters, lengthy, NULL)) != -1)
    {
        const cli_option *option = find_option(command, code);
        if (code == 'h')
        {
            print_help(command);
            return CLI_EXIT_DONE;
        }
        if (code == ':')
        {
            cli_error("option '%s' needs a value", argv[optind - 1]);
            return CLI_EXIT_WRONG;
        }
        if (code == '?' || !option)
        {
            char letter[] = {'-', (char)optopt, '\0'};
            bool lengthy_one = optopt == 0 || optopt >= FIRST_CODE;
            return refuse_option(command, lengthy_one ? argv[optind - 1] : letter);
        }
        if (!set_option(option, optarg))
            return CLI_EXIT_WRONG;
    }
    *first = optind;
    return check_rest(command, argc - optind, argv + optind);
}
