/* Names of a scene's things: found in constant time, however many there are. */
#ifndef CRN_SCENE_INDEX_H
#define CRN_SCENE_INDEX_H

#include "base/name_table.h"

typedef struct crn_entry
{
    const char *name; /* not owned */
    int32_t id;       /* 0: the thing is wrong and was not built */
    int line;
} crn_entry;

/* Entries in the order of adding, and the table of their names. A zeroed index is empty. */
typedef struct crn_index
{
    crn_entry *entries;
    size_t count, capacity;
    crn_name_table names;
} crn_index;

/* The entry of a name; NULL when there is none. */
crn_entry *crn_index_find(const crn_index *index, const char *name);
/* Add a name that is not there yet. False when memory ran out. */
bool crn_index_add(crn_index *index, crn_entry entry);
void crn_index_free(crn_index *index);

#endif
