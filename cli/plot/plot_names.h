/* The nearest of many names to one that was mistyped. */
#ifndef CLI_PLOT_PLOT_NAMES_H
#define CLI_PLOT_PLOT_NAMES_H

#include <stddef.h>

#define CLI_NEAR_MAX 3

typedef struct cli_near
{
    const char *wanted;
    int count;
    int distance[CLI_NEAR_MAX];
    char name[CLI_NEAR_MAX][128];
} cli_near;

/* Letters to add, drop, change or swap with a neighbour to come from a to b; case counts half. Long names are cut. */
int cli_plot_edit_distance(const char *a, const char *b);

/* Keep the candidate if it is among the nearest, and near at all. */
void cli_near_offer(cli_near *found, const char *candidate);

/* "did you mean 'a', 'b' or 'c'?", or "" when nothing is near. */
void cli_near_text(const cli_near *found, char *text, size_t size);

#endif
