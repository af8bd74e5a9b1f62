#include "cli/common/cli.h"

#include <stdarg.h>
#include <stddef.h>
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

cairn_context *cli_context_create(void)
{
    return checked(cairn_context_create());
}

/* Each block is preceded by the address of the one before it. */
typedef struct block
{
    struct block *before;
    max_align_t bytes[];
} block;

void *cli_memory_take(cli_memory *memory, size_t count, size_t size)
{
    if (size > 0 && count > (SIZE_MAX - sizeof(block)) / size)
        return checked(NULL);
    block *b = cli_allocate(1, sizeof *b + count * size);
    b->before = memory->last;
    memory->last = b;
    return b->bytes;
}

void cli_memory_free(cli_memory *memory)
{
    for (block *b = memory->last; b; b = memory->last)
    {
        memory->last = b->before;
        free(b);
    }
}
