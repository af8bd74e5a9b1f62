/* Messages on standard error. */
#include "cli/common/cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Kept for programs that read the tool's JSON and not its standard error. */
static _Thread_local char first_error[1024];

const char *cli_first_error(void)
{
    return first_error;
}

static void keep_first(const char *text)
{
    if (!first_error[0])
        snprintf(first_error, sizeof first_error, "%s", text);
}

static void print_sentence(const char *format, va_list arguments)
{
    char text[sizeof first_error];
    va_list again;
    va_copy(again, arguments);
    vsnprintf(text, sizeof text, format, again);
    va_end(again);
    keep_first(text);
    fputs("cairn: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

bool cli_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_sentence(format, arguments);
    va_end(arguments);
    return false;
}

int cli_wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_sentence(format, arguments);
    va_end(arguments);
    return CLI_EXIT_WRONG;
}

int cli_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_sentence(format, arguments);
    va_end(arguments);
    return CLI_EXIT_FAILED;
}

void cli_messages_print(cairn_context *context)
{
    for (int i = 0; i < cairn_context_message_count(context); ++i)
    {
        cairn_message message = cairn_context_message(context, i);
        keep_first(message.text);
        if (!message.file)
            cli_error("%s", message.text);
        else if (message.line > 0)
            fprintf(stderr, "%s:%d:%d: %s\n", message.file, message.line, message.column, message.text);
        else
            fprintf(stderr, "%s: %s\n", message.file, message.text);
    }
    cairn_context_clear(context);
}

int cli_exit_status(cairn_status status)
{
    switch (status)
    {
    case CAIRN_OK:
        return CLI_EXIT_DONE;
    case CAIRN_INVALID:
    case CAIRN_UNSUPPORTED:
        return CLI_EXIT_WRONG;
    case CAIRN_NO_MEMORY:
    case CAIRN_IO:
    case CAIRN_NUMERIC:
    case CAIRN_UNSOLVED:
        break;
    }
    return CLI_EXIT_FAILED;
}
