/* Names to indices: a hash table with open addressing, so that a million named things are added in linear time. */
#ifndef CRN_BASE_NAME_TABLE_H
#define CRN_BASE_NAME_TABLE_H

#include "cairn/base.h"

typedef struct crn_name_table
{
    const char **names; /* per slot: owned by the thing named; NULL: free slot */
    int *indices;       /* per slot, in the same memory */
    size_t slot_count;  /* 0 or a power of two, of which at most three quarters are taken */
    size_t name_count;
} crn_name_table;

/* Index of a name; -1 when the table does not have it. */
int crn_name_table_find(const crn_name_table *table, const char *name);
/* Add a name that is not in the table yet; the text must live as long as the table. */
cairn_status crn_name_table_add(crn_name_table *table, const char *name, int index);
/* Remove a name, which must be in the table. */
void crn_name_table_remove(crn_name_table *table, const char *name);
void crn_name_table_free(crn_name_table *table);

#endif
