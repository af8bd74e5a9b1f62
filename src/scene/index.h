/* Names of a scene's things: found in constant time, however many there are. */
#ifndef CRN_SCENE_INDEX_H
#define CRN_SCENE_INDEX_H

#include "cairn/base.h"

typedef struct crn_entry
{
    const char *name; /* not owned */
    int32_t id;       /* 0: the thing is wrong and was not built */
    int line;
} crn_entry;

/* Entries in the order of adding, and an open-addressing table of their numbers. Start with zeros. */
typedef struct crn_index
{
    crn_entry *entries;
    size_t count, capacity;
    uint32_t *slots; /* number of the entry plus 1; 0: free */
    size_t slot_count;
} crn_index;

/* The entry of a name; NULL when there is none. */
crn_entry *crn_index_find(const crn_index *index, const char *name);
/* Add a name that is not there yet. false when memory ran out. */
bool crn_index_add(crn_index *index, crn_entry entry);
void crn_index_free(crn_index *index);

#endif
