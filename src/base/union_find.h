/* Union-find over the numbers 0 .. n - 1: disjoint sets as a forest, parent[i] == i at a root. Start with parent[i] = i. The root
 * of a set is its least member, so that the outcome does not depend on the order of the unions. */
#ifndef CRN_BASE_UNION_FIND_H
#define CRN_BASE_UNION_FIND_H

#include <assert.h>

/* The root of i; halves the path on the way. */
static inline int crn_union_root(int *parent, int i)
{
    assert(i >= 0);
    while (parent[i] != i)
    {
        assert(parent[i] >= 0 && parent[i] < i);
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Unite the sets of a and b. */
static inline void crn_union_join(int *parent, int a, int b)
{
    a = crn_union_root(parent, a);
    b = crn_union_root(parent, b);
    parent[a > b ? a : b] = a > b ? b : a;
}

#endif
