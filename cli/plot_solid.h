/* Drawing solids that are more than a disc or a box, from their points on the page. */
#ifndef CLI_PLOT_SOLID_H
#define CLI_PLOT_SOLID_H

#include "draw.h"
#include "plot_outline.h"

/* A capsule of a page radius between two points. */
void crn_solid_draw_capsule(crn_canvas *canvas, const crn_point ends[2], double radius, crn_style style);
/* A cylinder or cone: the outline of all its points and the caps that are seen. `page` holds the outline's points. */
void crn_solid_draw_turned(crn_canvas *canvas, const crn_outline *outline, const crn_point *page, crn_style style);
/* The faces of a hull that look at the eye. */
void crn_solid_draw_hull(crn_canvas *canvas, const crn_outline *outline, const crn_point *page, crn_style style);

#endif
