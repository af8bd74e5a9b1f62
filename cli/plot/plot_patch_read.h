/* The elements of one patch in one frame of a run. */
#ifndef CLI_PLOT_PLOT_PATCH_READ_H
#define CLI_PLOT_PLOT_PATCH_READ_H

#include "cli/plot/plot_run.h"

typedef struct cli_patch_element
{
    double x[2];        /* m, place along the tangents */
    double normal;      /* N */
    double friction[2]; /* N along the tangents, on body a */
    bool loaded, slips;
} cli_patch_element;

typedef struct cli_patch_frame
{
    double time;
    cli_patch_element *elements;
    int count;
    double spacing; /* m; 0: a lone element */
    char name[160]; /* of the two bodies, a first */
} cli_patch_frame;

/* The patch with the largest force in a frame; count 0 when there is none. Returns the exit status. */
int cli_patch_frame_read(cli_plot_run *run, int64_t frame, double h, cli_patch_frame *out);
void cli_patch_frame_free(cli_patch_frame *frame);

#endif
