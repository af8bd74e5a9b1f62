#include "cli/common/options.h"
#include "cli/common/cli.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    HELP_COLUMN = 32,
    GO_ON = -1,
};

/* ------------------------------------------------------------------------------------------------------------ help */

static void print_option(const char *name, char letter, const char *argument, const char *help)
{
    char left[128];
    int used = letter ? snprintf(left, sizeof left, "  -%c, --%s", letter, name)
                      : snprintf(left, sizeof left, "      --%s", name);
    if (argument)
        snprintf(left + used, sizeof left - (size_t)used, " %s", argument);
    printf("%-*s  %s\n", HELP_COLUMN, left, help);
}

static int print_help(const cli_command *command)
{
    printf("usage: cairn %s\n\n%s\n\noptions:\n", command->usage, command->text);
    for (const cli_option *option = command->options; option->name; ++option)
        print_option(option->name, option->letter, option->argument, option->help);
    print_option("help", 'h', NULL, "print this text");
    return CLI_EXIT_DONE;
}

/* ---------------------------------------------------------------------------------------------------------- values */

/* A finite number at the start of a text; *end is what follows it. */
static bool read_number(const char *text, char **end, double *out)
{
    *out = strtod(text, end);
    return *end != text && isfinite(*out);
}

static bool refuse_value(const cli_option *option, const char *expected, const char *text)
{
    return cli_error("option --%s: expected %s, found '%s'", option->name,
                     option->expected ? option->expected : expected, text);
}

static bool set_number(const cli_option *option, const char *text)
{
    char *end, range[96];
    double value;
    bool any = option->least == option->most;
    snprintf(range, sizeof range, "a number from %g to %g", option->least, option->most);
    if (!read_number(text, &end, &value) || *end || (!any && !(value >= option->least && value <= option->most)))
        return refuse_value(option, any ? "a finite number" : range, text);
    *(double *)option->target = value;
    return true;
}

static bool set_count(const cli_option *option, const char *text)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < 1 || value > INT_MAX)
        return refuse_value(option, "a whole number of at least 1", text);
    *(int *)option->target = (int)value;
    return true;
}

static void add_text(cli_text_list *list, const char *text)
{
    list->items = cli_resize((void *)list->items, (size_t)list->count + 1, sizeof *list->items);
    list->items[list->count++] = text;
}

/* The names of the last time the option was given. */
static void set_names(cli_text_list *list, char *text)
{
    list->count = 0;
    while (text)
        add_text(list, strsep(&text, ","));
}

static bool set_option(const cli_option *option, char *text)
{
    switch (option->kind)
    {
    case CLI_OPTION_FLAG:
        *(bool *)option->target = true;
        break;
    case CLI_OPTION_TEXT:
        *(const char **)option->target = text;
        break;
    case CLI_OPTION_NUMBER:
        return set_number(option, text);
    case CLI_OPTION_COUNT:
        return set_count(option, text);
    case CLI_OPTION_LIST:
        add_text(option->target, text);
        break;
    case CLI_OPTION_NAMES:
        set_names(option->target, text);
        break;
    case CLI_OPTION_PARSED:
        assert(option->parse && option->expected);
        return option->parse(text, option->target) || refuse_value(option, "", text);
    }
    return true;
}

/* --------------------------------------------------------------------------------------------------------- parsing */

typedef struct parser
{
    const cli_command *command;
    char **next, **end; /* the words that are still to come */
    char **rest;        /* the other arguments, moved to the front of argv */
    int rest_count;
} parser;

static int refuse_option(const cli_command *command, const char *word)
{
    cairn_suggestion near = {.word = word};
    for (const cli_option *option = command->options; option->name && !strncmp(word, "--", 2); ++option)
    {
        char name[64];
        snprintf(name, sizeof name, "--%s", option->name);
        cairn_suggestion_offer(&near, name);
    }
    return cli_wrong("unknown option '%s'%s%s 'cairn %.*s --help' lists them", word, near.hint, near.hint[0] ? "" : ";",
                     (int)strcspn(command->usage, " "), command->usage);
}

/* The option of this name, or the only one whose name begins so. */
static const cli_option *find_option(const cli_command *command, const char *name, size_t length)
{
    const cli_option *found = NULL;
    int count = 0;
    for (const cli_option *option = command->options; option->name; ++option)
    {
        if (strncmp(option->name, name, length) != 0)
            continue;
        if (!option->name[length])
            return option;
        found = option;
        ++count;
    }
    return count == 1 ? found : NULL;
}

/* Set an option to a value, or to the next word where `value` is NULL and it needs one. A next word that is an option is no value: one
 * was forgotten. */
static int take_value(parser *p, const cli_option *option, char *value)
{
    bool given = option->kind == CLI_OPTION_FLAG || value;
    if (!given)
        value = p->next < p->end ? *p->next++ : NULL;
    if (!given && !value)
        return cli_wrong("option '--%s' needs a value", option->name);
    if (!given && !strncmp(value, "--", 2) && find_option(p->command, value + 2, strcspn(value + 2, "=")))
        return cli_wrong("option '--%s' needs a value, but '%s' follows", option->name, value);
    return set_option(option, value) ? GO_ON : CLI_EXIT_WRONG;
}

static int take_long(parser *p, char *word)
{
    size_t length = strcspn(word + 2, "=");
    char *value = word[2 + length] ? word + 3 + length : NULL;
    const cli_option *option = find_option(p->command, word + 2, length);
    if (!option && length > 0 && !strncmp("help", word + 2, length) && !value)
        return print_help(p->command);
    if (!option)
        return refuse_option(p->command, word);
    if (option->kind == CLI_OPTION_FLAG && value)
        return cli_wrong("option '--%s' takes no value", option->name);
    return take_value(p, option, value);
}

/* "-o FILE", "-oFILE", or flags together, "-qf". */
static int take_letters(parser *p, char *letters)
{
    int result = GO_ON;
    for (char *at = letters; *at && result == GO_ON; ++at)
    {
        const cli_option *option = p->command->options;
        while (option->name && option->letter != *at)
            ++option;
        if (!option->name)
            return *at == 'h' ? print_help(p->command) : refuse_option(p->command, (char[]){'-', *at, '\0'});
        if (option->kind != CLI_OPTION_FLAG)
            return take_value(p, option, at[1] ? at + 1 : NULL);
        result = take_value(p, option, NULL);
    }
    return result;
}

static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] && word[1] != '.' && !isdigit((unsigned char)word[1]);
}

static int parse(parser *p)
{
    bool ended = false;
    int result = GO_ON;
    while (p->next < p->end && result == GO_ON)
    {
        char *word = *p->next++;
        if (ended || !is_option(word))
            p->rest[p->rest_count++] = word;
        else if (!strcmp(word, "--"))
            ended = true;
        else
            result = word[1] == '-' ? take_long(p, word) : take_letters(p, word + 1);
    }
    return result;
}

static int check_rest(const parser *p)
{
    const cli_command *command = p->command;
    if (p->rest_count < command->least)
        return cli_wrong("an argument is missing; usage: cairn %s", command->usage);
    if (p->rest_count > command->most)
        return cli_wrong("one argument too many: '%s'; 'cairn %.*s --help' explains", p->rest[command->most],
                         (int)strcspn(command->usage, " "), command->usage);
    return GO_ON;
}

int cli_command_call(const cli_command *command, int argc, char **argv)
{
    parser p = {.command = command, .next = argv + 1, .end = argv + argc, .rest = argv + 1};
    int result = parse(&p);
    result = result == GO_ON ? check_rest(&p) : result;
    if (result == GO_ON)
        result = command->work(command->data, p.rest_count, p.rest);
    for (const cli_option *option = command->options; option->name; ++option)
        if (option->kind == CLI_OPTION_LIST || option->kind == CLI_OPTION_NAMES)
            free((void *)((cli_text_list *)option->target)->items);
    return result;
}
