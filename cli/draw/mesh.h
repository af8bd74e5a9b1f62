/* Drawing a mesh: its triangles from far to near, shaded, and its sharp edges. */
#ifndef CLI_DRAW_MESH_H
#define CLI_DRAW_MESH_H

#include "cli/draw/draw.h"
#include "cli/draw/outline.h"
#include "cli/draw/view.h"

/* `page` holds the outline's points on the page. */
void cli_mesh_draw(cli_canvas *canvas, const cli_view *view, const cli_outline *mesh, const cli_point *page,
                   cli_style style);

#endif
