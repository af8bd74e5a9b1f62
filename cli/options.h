/* Options of a command: one table a command drives the parsing and the --help text, so that they cannot drift apart. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>

typedef enum crn_option_kind
{
    CRN_OPTION_FLAG = 0, /* bool */
    CRN_OPTION_TEXT,     /* const char * */
    CRN_OPTION_NUMBER,   /* double, finite */
    CRN_OPTION_COUNT,    /* int, at least 1 */
    CRN_OPTION_LIST,     /* crn_text_list: may be given several times */
} crn_option_kind;

typedef struct crn_text_list
{
    const char **items; /* the array is owned, the texts are argv's */
    int count;
} crn_text_list;

typedef struct crn_option
{
    const char *name; /* without the dashes */
    char letter;      /* 0: none */
    crn_option_kind kind;
    void *target;
    const char *argument; /* as help names it; NULL for a flag */
    const char *help;
} crn_option;

typedef struct crn_command
{
    const char *usage; /* "run SCENE [options]" */
    const char *text;  /* what the command does: a paragraph */
    const crn_option *options;
    int option_count;
    int least, most; /* other arguments that are allowed */
} crn_command;

enum
{
    CRN_GO_ON = -1
};

/* Set the targets. CRN_GO_ON, with the other arguments from argv[*first] on; or the exit status: 0 after --help, 2 after
 * a sentence on what is wrong. */
int crn_options_parse(const crn_command *command, int argc, char **argv, int *first);

#endif
