/* Drawing a mesh: its triangles from far to near, shaded, and its sharp edges. */
#ifndef CLI_PLOT_MESH_H
#define CLI_PLOT_MESH_H

#include "draw.h"
#include "plot_outline.h"
#include "plot_view.h"

/* `page` holds the outline's points on the page. */
void crn_mesh_draw(crn_canvas *canvas, const crn_view *view, const crn_outline *mesh, const crn_point *page,
                   crn_style style);

#endif
