/* The tool `cairn`: one function per command, exit statuses, messages on standard error, memory. */
#ifndef CLI_COMMON_CLI_H
#define CLI_COMMON_CLI_H

#include <cairn/cairn.h>

enum
{
    CLI_EXIT_DONE = 0,
    CLI_EXIT_FAILED = 1, /* the run failed or missed its tolerance, or a result could not be written */
    CLI_EXIT_WRONG = 2,  /* invalid input: an option, a scene, a run file */
    CLI_EXIT_LIMIT = 3,  /* a limit ended the run, which can be resumed */
    CLI_EXIT_SIGNAL = 128,
};

/* argv[0] is the command's name. Each returns the exit status. */
int cli_command_run(int argc, char **argv);
int cli_command_check(int argc, char **argv);
int cli_command_import(int argc, char **argv);
int cli_command_examples(int argc, char **argv);
int cli_command_export(int argc, char **argv);
int cli_command_figures(int argc, char **argv);
int cli_command_plot(int argc, char **argv);
int cli_command_report(int argc, char **argv);
int cli_command_schema(int argc, char **argv);
int cli_command_study(int argc, char **argv);
int cli_command_solve(int argc, char **argv);
int cli_command_compare(int argc, char **argv);
int cli_command_query(int argc, char **argv);
int cli_command_view(int argc, char **argv);

/* One sentence on standard error, after "cairn: ". Each returns what a function that fails with it returns: false, the
 * exit status of wrong input, the exit status of a failure. */
bool cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
int cli_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
int cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* These never return NULL: when memory runs out, the tool ends with a sentence and status 1. New memory is zeroed; what
 * cli_resize adds is not. The caller frees it. */
void *cli_allocate(size_t count, size_t size);
void *cli_resize(void *memory, size_t count, size_t size);
char *cli_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
cairn_context *cli_context_create(void);

/* Blocks of memory that are freed together: start with {0}. */
typedef struct cli_memory
{
    void *last;
} cli_memory;

void *cli_memory_take(cli_memory *memory, size_t count, size_t size); /* zeroed */
void cli_memory_free(cli_memory *memory);

/* The first sentence that this thread printed by any of these functions; "" when none. */
const char *cli_first_error(void);

/* All messages of a context on standard error: file:line:column: text, or cairn: text. Clears them. */
void cli_messages_print(cairn_context *context);

/* The exit status for a call that failed: wrong input or a failure. */
int cli_exit_status(cairn_status status);

#endif
