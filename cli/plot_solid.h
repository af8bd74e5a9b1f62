/* Drawing solids from their points on the page. */
#ifndef CLI_PLOT_SOLID_H
#define CLI_PLOT_SOLID_H

#include "draw.h"
#include "plot_outline.h"
#include "plot_view.h"

/* A capsule of a page radius between two points. */
void crn_solid_draw_capsule(crn_canvas *canvas, const crn_point ends[2], double radius, crn_style style);
/* A cylinder or cone: the outline of all its points and the caps that are seen. `page` holds the outline's points. */
void crn_solid_draw_turned(crn_canvas *canvas, const crn_outline *outline, const crn_point *page, crn_style style);
/* The faces of a hull or box that look at the eye, each as bright as the light finds it. */
void crn_solid_draw_hull(crn_canvas *canvas, const crn_view *view, const crn_outline *outline, const crn_point *page,
                         crn_style style);
void crn_solid_draw_box(crn_canvas *canvas, const crn_view *view, const crn_outline *outline, const crn_point *page,
                        crn_style style);
/* A sphere: a disc with a spot of light. */
void crn_solid_draw_sphere(crn_canvas *canvas, crn_point centre, double radius, crn_style style);

#endif
