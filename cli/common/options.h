/* Options of a command: one table a command drives the parsing and the --help text, so that they cannot drift apart. */
#ifndef CLI_COMMON_OPTIONS_H
#define CLI_COMMON_OPTIONS_H

#include <stdbool.h>

typedef enum cli_option_kind
{
    CLI_OPTION_FLAG = 0, /* bool */
    CLI_OPTION_TEXT,     /* const char * */
    CLI_OPTION_NUMBER,   /* double, finite */
    CLI_OPTION_COUNT,    /* int, at least 1 */
    CLI_OPTION_LIST,     /* cli_text_list: may be given several times */
} cli_option_kind;

typedef struct cli_text_list
{
    const char **items; /* the array is owned, the texts are argv's */
    int count;
} cli_text_list;

typedef struct cli_option
{
    const char *name; /* without the dashes */
    char letter;      /* 0: none */
    cli_option_kind kind;
    void *target;
    const char *argument; /* as help names it; NULL for a flag */
    const char *help;
} cli_option;

typedef struct cli_command
{
    const char *usage; /* "run SCENE [options]" */
    const char *text;  /* what the command does: a paragraph */
    const cli_option *options;
    int option_count;
    int least, most; /* other arguments that are allowed */
} cli_command;

enum
{
    CLI_GO_ON = -1,
    CLI_MOST_OPTIONS = 64
};

/* Set the targets. CLI_GO_ON, with the other arguments from argv[*first] on; or the exit status: 0 after --help, 2 after
 * a sentence on what is wrong. */
int cli_options_parse(const cli_command *command, int argc, char **argv, int *first);

#endif
