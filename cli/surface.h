/* The surfaces of all shapes of a scene as points and flat cells, made once; what moves is the bodies' frames. For export and
 * for shaded pictures. */
#ifndef CLI_SURFACE_H
#define CLI_SURFACE_H

#include "plot_scene.h"

enum
{
    CRN_CELL_TINTED = 1, /* a sector of a round surface that is darker, so that its turning shows */
    CRN_CELL_EDGED = 2,  /* its border is an edge of the solid */
    CRN_CELL_SIDE =
        4, /* of a triangle: the side after its first corner alone is one; twice that, after its second; ... */
};

/* A cell of one corner is a dot, of two a line, of more a polygon, counter-clockwise from outside. */
typedef struct crn_surface
{
    double (*points)[3];  /* m, frame of the body */
    double (*normals)[3]; /* unit, of the smooth surface at the point; 0 where the faces are flat */
    int *point_body;      /* body of the run */
    int point_count, point_room;
    int *corners; /* of all cells, one after another */
    int corner_count, corner_room;
    int *begin; /* cell_count + 1: first corner of a cell */
    int *cell_body;
    unsigned char *cell_look; /* CRN_CELL_... */
    int cell_count, cell_room;
    bool failed; /* memory ran out */
} crn_surface;

typedef struct crn_surface_options
{
    int round;        /* sides of a full circle; 0: as suits the number of shapes */
    double middle[3]; /* m, world: half-planes and half-spaces are shown around the foot of this point, */
    double reach;     /* m: this far; 0: not at all */
} crn_surface_options;

/* Of all shapes of bodies in the run; a body without shape is a dot. False when memory ran out. */
bool crn_surface_make(crn_surface *surface, const crn_plot_scene *scene, const crn_plot_run *run,
                      const cairn_body_state *states, const crn_surface_options *options);
void crn_surface_free(crn_surface *surface);

#endif
