/* The nearest of many names to one that was mistyped. */
#ifndef CLI_PLOT_NAMES_H
#define CLI_PLOT_NAMES_H

#include <stddef.h>

#define CRN_NEAR_MAX 3

typedef struct crn_near
{
    const char *wanted;
    int count;
    int distance[CRN_NEAR_MAX];
    char name[CRN_NEAR_MAX][128];
} crn_near;

/* Letters to add, drop, change or swap with a neighbour to come from a to b; case counts half. Long names are cut. */
int crn_plot_edit_distance(const char *a, const char *b);

/* Keep the candidate if it is among the nearest, and near at all. */
void crn_near_offer(crn_near *found, const char *candidate);

/* "did you mean 'a', 'b' or 'c'?", or "" when nothing is near. */
void crn_near_text(const crn_near *found, char *text, size_t size);

#endif
