#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

cairn_status crn_reserve(void *array, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity)
        return CAIRN_OK;
    size_t grown = *capacity + *capacity / 2;
    size_t wanted = grown > need ? grown : need;
    if (wanted > SIZE_MAX / size)
        return CAIRN_NO_MEMORY;
    /* The pointer is copied bytewise, since the caller's element type is not known here. */
    void *old;
    memcpy(&old, array, sizeof old);
    void *memory = realloc(old, wanted * size);
    if (!memory)
        return CAIRN_NO_MEMORY;
    memset((char *)memory + *capacity * size, 0, (wanted - *capacity) * size);
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
