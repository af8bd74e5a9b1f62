/* Growing arrays. Hot loops reserve once and reuse: a warm step allocates nothing. */
#ifndef CRN_BASE_MEMORY_H
#define CRN_BASE_MEMORY_H

#include "cairn/base.h"

/* Return the status of a call from the function at hand, unless it is CAIRN_OK. */
#define CRN_TRY(call)                                                                                                  \
    do                                                                                                                 \
    {                                                                                                                  \
        cairn_status status_of_call = (call);                                                                          \
        if (status_of_call != CAIRN_OK)                                                                                \
            return status_of_call;                                                                                     \
    } while (0)

/* The arrays of one owner: each grows by itself, all are released together. A zeroed arena is empty. Arrays that belong to an
 * arena are never freed or reallocated one by one, and may be exchanged only among arrays of the same arena. */
typedef struct crn_arena
{
    struct crn_block **block;
    size_t count, capacity;
} crn_arena;

/* One array, and how many elements it has to hold; see CRN_ARRAY. */
typedef struct crn_array
{
    void *pointer; /* to any object pointer: NULL, or an array of the same arena */
    size_t need, size;
} crn_array;

#define CRN_ARRAY(array, need)                                                                                         \
    (crn_array)                                                                                                        \
    {                                                                                                                  \
        &(array), (size_t)(need), sizeof *(array)                                                                      \
    }

/* crn_reserve_all(&work->memory, CRN_ARRAY(work->x, n), CRN_ARRAY(work->y, n)): make every array hold at least as many elements
 * as named, growing by half as much again (large ones by a sixteenth, then by a sixty-fourth); elements that are kept stay, new memory is zeroed. Arrays are never NULL afterwards.
 * CAIRN_OK or CAIRN_NO_MEMORY (arrays not yet grown are left as they were). */
#define crn_reserve_all(arena, ...)                                                                                    \
    crn_arena_reserve((arena), sizeof((crn_array[]){__VA_ARGS__}) / sizeof(crn_array), (crn_array[]){__VA_ARGS__})
cairn_status crn_arena_reserve(crn_arena *arena, size_t count, const crn_array *arrays);

/* Release all arrays of an arena and leave it empty. The owner's pointers dangle: callers usually zero the owner. */
void crn_arena_release(crn_arena *arena);

/* A copy of a text that belongs to an arena; NULL when memory ran out. */
char *crn_arena_text(crn_arena *arena, const char *text);

/* Memory that several users take in turn: what one of them has written there is lost when the next one takes it. */
typedef struct crn_scratch
{
    void *memory;
    size_t capacity; /* bytes */
} crn_scratch;

/* Take it, with at least so many bytes, which hold anything; NULL when memory ran out, and it stays as it was. Who has it already may take more: what
 * it holds stays, but may have moved. */
void *crn_scratch_take(crn_scratch *scratch, size_t bytes);
void crn_scratch_release(crn_scratch *scratch);

/* One array without an owner: make *array (a pointer to any object pointer) hold at least `need` elements of `size` bytes. Released by
 * free(). Otherwise as crn_reserve_all. */
cairn_status crn_reserve(void *array, size_t *capacity, size_t need, size_t size);

/* A copy of a string; NULL when memory ran out or text is NULL. */
char *crn_copy_text(const char *text);

#endif
