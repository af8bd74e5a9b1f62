/* The bodies of a spatial scene, shaded, hiding each other, with springs and joints. A single frame also has shadows; of
 * several snapshots each newer one covers the older ones. */
#ifndef CLI_DRAW_SOLIDS_H
#define CLI_DRAW_SOLIDS_H

#include "cli/draw/raster.h"
#include "cli/draw/surface.h"
#include "cli/plot/plot_panel.h"

typedef struct cli_solids
{
    const cli_panel *panel; /* laid out */
    cli_surface surface;
    cli_raster raster;
    cli_raster_point *projected; /* per point of the surface */
    double (*world)[3];
    double scale;     /* pixels per point of the page */
    cli_point origin; /* the page's place of the first pixel */
    int64_t layer;    /* being drawn: a snapshot; -1: what stands still in several snapshots */
    double strength;  /* of its colours */
} cli_solids;

/* For pictures of so many pixels. */
void cli_solids_open(cli_solids *solids, const cli_panel *panel, int width, int height, double scale, cli_point origin);
void cli_solids_close(cli_solids *solids);

/* Where a point of the world is in the raster. */
cli_raster_point cli_solids_place(const cli_solids *solids, const double world[3]);

/* Draw the panel's snapshots into the raster. */
void cli_solids_draw(cli_solids *solids);

#endif
