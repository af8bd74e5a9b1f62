/* Importers of file formats. Each kind of content (triangles, heights, scenes) has a table of them; a new format is one file and
 * one line in its table. The first importer that recognises the bytes loads them. */
#ifndef CRN_BASE_IMPORTER_H
#define CRN_BASE_IMPORTER_H

#include "cairn/base.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct crn_importer
{
    const char *name; /* of the format, in messages */
    bool (*sniff)(const char *bytes, size_t length);
    /* Fill `out`, whose type belongs to the table. CAIRN_INVALID with a sentence left in it, or CAIRN_NO_MEMORY. */
    cairn_status (*load)(void *out, const char *bytes, size_t length);
} crn_importer;

/* NULL: none of the `count` importers recognises the bytes. */
static inline const crn_importer *crn_importer_find(const crn_importer *const *table, int count, const char *bytes,
                                                    size_t length)
{
    for (int i = 0; i < count; ++i)
        if (table[i]->sniff(bytes, length))
            return table[i];
    return NULL;
}

#endif
