/* Small separators of graphs: vertices whose removal leaves two sides of about the same weight that no edge joins. */
#ifndef CRN_LINALG_SADDLE_SEPARATOR_H
#define CRN_LINALG_SADDLE_SEPARATOR_H

#include <stddef.h>

/* Every edge stands in both directions: the neighbours of i are to[start[i]] .. to[start[i + 1] - 1]. */
typedef struct crn_separator_graph
{
    int count;
    int *start, *to;
    int *weight;    /* per vertex */
    int *thickness; /* per edge */
} crn_separator_graph;

enum
{
    CRN_SEPARATOR = 2 /* the side of the separator's vertices; the others are on 0 or 1 */
};

/* How much work memory a graph of this size takes, in numbers. */
size_t crn_separator_memory(int count, int edges);

/* The side of every vertex of a graph of at least two. Returns the weight of the separator. */
int crn_separator_find(const crn_separator_graph *graph, int *side, int *memory, size_t size);

#endif
