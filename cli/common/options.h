/* The command line of a command. One table per command drives parsing, checking and the --help text, so they cannot drift
 * apart. Options may stand anywhere; "-5" and "-.5" are numbers, not options; "--" ends the options. */
#ifndef CLI_COMMON_OPTIONS_H
#define CLI_COMMON_OPTIONS_H

#include <stdbool.h>

typedef enum cli_option_kind
{
    CLI_OPTION_FLAG = 0, /* bool */
    CLI_OPTION_TEXT,     /* const char * */
    CLI_OPTION_NUMBER,   /* double, finite, from `least` to `most` */
    CLI_OPTION_COUNT,    /* int, at least 1 */
    CLI_OPTION_LIST,     /* cli_text_list: one item each time the option is given */
    CLI_OPTION_NAMES,    /* cli_text_list: separated by commas; the argument is cut up in place */
    CLI_OPTION_PARSED,   /* anything: `parse` reads it */
} cli_option_kind;

/* cli_command_call frees the array; the texts belong to argv. */
typedef struct cli_text_list
{
    const char **items;
    int count;
} cli_text_list;

typedef struct cli_option
{
    const char *name; /* without the dashes; NULL ends the table */
    char letter;      /* 0: none */
    cli_option_kind kind;
    void *target;
    const char *argument; /* as help names it; NULL for a flag */
    const char *help;
    const char *expected; /* completes "expected ..." when the value is wrong; NULL: said by kind and range */
    double least, most;   /* of a number; equal: any */
    bool (*parse)(const char *text, void *target);
} cli_option;

/* A row of the table: {CLI_FLAG("quiet", 'q', &o.quiet, "no progress bar")}, or {CLI_VALUE(NUMBER, "step", 0, &o.step, "H",
 * "step in s")}, with .expected, .least, .most or .parse after it where needed. */
#define CLI_FLAG(option, short_name, place, text)                                                                      \
    .name = (option), .letter = (short_name), .kind = CLI_OPTION_FLAG, .target = (place), .help = (text)
#define CLI_VALUE(sort, option, short_name, place, value, text)                                                        \
    .name = (option), .letter = (short_name), .kind = CLI_OPTION_##sort, .target = (place), .argument = (value),       \
    .help = (text)

typedef struct cli_command
{
    const char *usage; /* "run SCENE [options]" */
    const char *text;  /* what the command does: a paragraph */
    const cli_option *options;
    int least, most; /* number of other arguments */
    /* Do it, with the other arguments. Returns the exit status. */
    int (*work)(void *data, int count, char **arguments);
    void *data;
} cli_command;

/* Parse argv, do the work, free the lists. Returns the exit status: 0 also after --help, 2 after a sentence about the
 * first mistake. Reorders argv. */
int cli_command_call(const cli_command *command, int argc, char **argv);

#endif
