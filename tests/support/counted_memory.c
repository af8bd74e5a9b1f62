#include "support/counted_memory.h"

#include <malloc.h>
#include <stddef.h>

static _Thread_local long long live, peak;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);

static void *counted(void *memory)
{
    live += (long long)malloc_usable_size(memory);
    peak = live > peak ? live : peak;
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *memory, size_t size)
{
    live -= (long long)malloc_usable_size(memory);
    return counted(__real_realloc(memory, size));
}

void __wrap_free(void *memory)
{
    live -= (long long)malloc_usable_size(memory);
    __real_free(memory);
}

long long counted_bytes(void)
{
    return live;
}

long long counted_begin(void)
{
    return peak = live;
}

long long counted_peak(void)
{
    return peak;
}
