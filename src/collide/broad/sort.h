/* A stable merge sort on 64-bit keys with workspace from the caller: qsort may allocate. */
#ifndef CRN_COLLIDE_BROAD_SORT_H
#define CRN_COLLIDE_BROAD_SORT_H

#include <stddef.h>
#include <stdint.h>

typedef struct crn_keyed
{
    uint64_t key;
    int a, b; /* payload */
} crn_keyed;

/* Sort items by key; equal keys keep their order. `work` holds `count` items too. */
void crn_sort(crn_keyed *items, size_t count, crn_keyed *work);

#endif
