#include "base/memory.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The header in front of an array of an arena. Its size is a multiple of the strictest alignment, so the array is aligned like
 * malloc's memory. */
typedef struct crn_block
{
    _Alignas(max_align_t) size_t capacity; /* elements */
    size_t index;                          /* its place in the arena */
} crn_block;

/* Elements of `size` bytes for an array that is to hold `need`: half as many again as before, in large arrays, of which a half would be much
 * memory for nothing, a sixteenth, and a sixty-fourth in those that the system moves page by page. */
static size_t grown_capacity(size_t capacity, size_t need, size_t size)
{
    enum
    {
        FEW = 8,         /* elements; an array that has grown will mostly grow again */
        LARGE = 1 << 16, /* bytes */
        HUGE = 1 << 18
    };
    size_t share = capacity > HUGE / size ? 64 : capacity > LARGE / size ? 16 : 2;
    size_t grown = capacity > 0 && capacity < FEW ? FEW : capacity + capacity / share;
    return grown > need ? grown : need;
}

/* The pointer behind `array` is copied bytewise, since the element type is not known here. */
static void *load_pointer(const void *array)
{
    void *pointer;
    memcpy(&pointer, array, sizeof pointer);
    return pointer;
}

/* `kept` bytes of `old` in a block of `size` bytes, of which the rest is zero. Large blocks are moved by the system, page by page, without
 * a second copy and without holes where they were. */
static void *grow_zeroed(void *old, size_t kept, size_t size)
{
    assert(kept <= size && (old || kept == 0));
    if (!old)
        return calloc(1, size);
    char *memory = realloc(old, size);
    if (memory)
        memset(memory + kept, 0, size - kept);
    return memory;
}

static cairn_status grow_block(crn_arena *arena, const crn_array *array, crn_block *old)
{
    assert(!old || (old->index < arena->count && arena->block[old->index] == old));
    bool is_new = !old;
    size_t kept = old ? old->capacity : 0;
    size_t wanted = grown_capacity(kept, array->need > 0 ? array->need : 1, array->size);
    if (wanted > (SIZE_MAX - sizeof(crn_block)) / array->size)
        return CAIRN_NO_MEMORY;
    if (is_new && crn_reserve(&arena->block, &arena->capacity, arena->count + 1, sizeof(crn_block *)))
        return CAIRN_NO_MEMORY;
    size_t header = sizeof(crn_block);
    crn_block *block = grow_zeroed(old, old ? header + kept * array->size : 0, header + wanted * array->size);
    if (!block)
        return CAIRN_NO_MEMORY;
    block->index = is_new ? arena->count++ : block->index;
    block->capacity = wanted;
    arena->block[block->index] = block;
    void *memory = block + 1;
    memcpy(array->pointer, &memory, sizeof memory);
    return CAIRN_OK;
}

cairn_status crn_arena_reserve(crn_arena *arena, size_t count, const crn_array *arrays)
{
    assert(arena && count > 0);
    for (size_t i = 0; i < count; ++i)
    {
        void *memory = load_pointer(arrays[i].pointer);
        crn_block *block = memory ? (crn_block *)memory - 1 : NULL;
        if (block && block->capacity >= arrays[i].need)
            continue;
        if (grow_block(arena, &arrays[i], block))
            return CAIRN_NO_MEMORY;
    }
    return CAIRN_OK;
}

char *crn_arena_text(crn_arena *arena, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = NULL;
    if (crn_reserve_all(arena, CRN_ARRAY(copy, size)) == CAIRN_OK)
        memcpy(copy, text, size);
    return copy;
}

void crn_arena_release(crn_arena *arena)
{
    for (size_t i = 0; i < arena->count; ++i)
        free(arena->block[i]);
    free(arena->block);
    memset(arena, 0, sizeof *arena);
}

void *crn_scratch_take(crn_scratch *scratch, size_t bytes)
{
    if (bytes <= scratch->capacity && scratch->memory)
        return scratch->memory;
    size_t wanted = grown_capacity(scratch->capacity, bytes > 0 ? bytes : 1, 1);
    /* Not freed first: the system moves large blocks without copying them, and where one was freed, the C library would take the next
     * ones from its heap, where growing arrays leave holes. */
    void *memory = realloc(scratch->memory, wanted);
    if (!memory)
        return NULL;
    scratch->memory = memory;
    scratch->capacity = wanted;
    return memory;
}

void crn_scratch_release(crn_scratch *scratch)
{
    free(scratch->memory);
    *scratch = (crn_scratch){0};
}

cairn_status crn_reserve(void *array, size_t *capacity, size_t need, size_t size)
{
    assert(array && capacity && size > 0);
    if (need <= *capacity)
        return CAIRN_OK;
    size_t wanted = grown_capacity(*capacity, need, size);
    if (wanted > SIZE_MAX / size)
        return CAIRN_NO_MEMORY;
    void *memory = grow_zeroed(load_pointer(array), *capacity * size, wanted * size);
    if (!memory)
        return CAIRN_NO_MEMORY;
    memcpy(array, &memory, sizeof memory);
    *capacity = wanted;
    return CAIRN_OK;
}

char *crn_copy_text(const char *text)
{
    if (!text)
        return NULL;
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}
