#include "cli/common/cli.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The whole tool ends here, with what was printed so far written out. */
static void *checked(void *memory)
{
    if (memory)
        return memory;
    cli_error("memory ran out");
    exit(CLI_EXIT_FAILED);
}

void *cli_allocate(size_t count, size_t size)
{
    return checked(calloc(count ? count : 1, size ? size : 1));
}

void *cli_resize(void *memory, size_t count, size_t size)
{
    size = size ? size : 1;
    count = count ? count : 1;
    return checked(count > SIZE_MAX / size ? NULL : realloc(memory, count * size));
}

char *cli_text(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return checked(length < 0 ? NULL : text);
}
