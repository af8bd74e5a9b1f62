/* The surfaces of all shapes of a scene as points and flat cells, made once; what moves is the bodies' frames. For export and
 * for shaded pictures. */
#ifndef CLI_DRAW_SURFACE_H
#define CLI_DRAW_SURFACE_H

#include "cli/plot/plot_scene.h"

enum
{
    CLI_CELL_TINTED = 1, /* a sector of a round surface that is darker, so that its turning shows */
    CLI_CELL_EDGED = 2,  /* its border is an edge of the solid */
    CLI_CELL_SIDE =
        4, /* of a triangle: the side after its first corner alone is one; twice that, after its second; ... */
};

/* A cell of one corner is a dot, of two a line, of more a polygon, counter-clockwise from outside. */
typedef struct cli_surface
{
    double (*points)[3];  /* m, frame of the body */
    double (*normals)[3]; /* unit, of the smooth surface at the point; 0 where the faces are flat */
    int *point_body;      /* body of the run */
    int point_count, point_room;
    int *corners; /* of all cells, one after another */
    int corner_count, corner_room;
    int *begin; /* cell_count + 1: first corner of a cell */
    int *cell_body;
    unsigned char *cell_look; /* CLI_CELL_... */
    int cell_count, cell_room;
} cli_surface;

typedef struct cli_surface_options
{
    int round;        /* sides of a full circle; 0: as suits the number of shapes */
    double middle[3]; /* m, world: half-planes and half-spaces are shown around the foot of this point, */
    double reach;     /* m: this far; 0: not at all */
    bool links;       /* bodies without shapes are the links of mechanisms, and not dots */
} cli_surface_options;

/* Of all shapes of bodies in the run; a body without shape is a dot. */
void cli_surface_make(cli_surface *surface, const cli_plot_scene *scene, const cli_plot_run *run,
                      const cairn_body_state *states, const cli_surface_options *options);
void cli_surface_free(cli_surface *surface);

#endif
