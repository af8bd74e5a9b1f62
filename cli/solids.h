/* The bodies of a spatial scene at one time, shaded, hiding each other, with shadows, springs and joints. */
#ifndef CLI_SOLIDS_H
#define CLI_SOLIDS_H

#include "plot_panel.h"
#include "raster.h"
#include "surface.h"

typedef struct crn_solids
{
    const crn_panel *panel; /* of a single frame, laid out */
    crn_surface surface;
    crn_raster raster;
    crn_raster_point *projected; /* a point of the surface */
    double (*world)[3];
    double scale;     /* pixels a point of the page */
    crn_point origin; /* the page's place of the first pixel */
} crn_solids;

/* For pictures of so many pixels. False when memory ran out. */
bool crn_solids_open(crn_solids *solids, const crn_panel *panel, int width, int height, double scale, crn_point origin);
void crn_solids_close(crn_solids *solids);

/* Draw the panel's frame into the raster. */
void crn_solids_draw(crn_solids *solids);

#endif
