/* Drawing solids from their points on the page. */
#ifndef CLI_DRAW_SOLID_H
#define CLI_DRAW_SOLID_H

#include "cli/draw/draw.h"
#include "cli/draw/outline.h"
#include "cli/draw/view.h"

/* A capsule of a page radius between two points. */
void cli_solid_draw_capsule(cli_canvas *canvas, const cli_point ends[2], double radius, cli_style style);
/* A cylinder or cone: the outline of all its points and the caps that are seen. `page` holds the outline's points. */
void cli_solid_draw_turned(cli_canvas *canvas, const cli_outline *outline, const cli_point *page, cli_style style);
/* The faces of a hull or box that look at the eye, each as bright as the light finds it. */
void cli_solid_draw_hull(cli_canvas *canvas, const cli_view *view, const cli_outline *outline, const cli_point *page,
                         cli_style style);
void cli_solid_draw_box(cli_canvas *canvas, const cli_view *view, const cli_outline *outline, const cli_point *page,
                        cli_style style);
/* A sphere: a disc with a spot of light. */
void cli_solid_draw_sphere(cli_canvas *canvas, cli_point centre, double radius, cli_style style);

#endif
