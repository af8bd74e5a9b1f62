/* The outline of a shape at a body's pose, in world coordinates, ready to be projected. */
#ifndef CLI_DRAW_OUTLINE_H
#define CLI_DRAW_OUTLINE_H

#include "cairn/model.h"

typedef enum cli_outline_kind
{
    CLI_OUTLINE_DOT = 0,
    CLI_OUTLINE_DISC,    /* circle, or a sphere as it is seen from anywhere */
    CLI_OUTLINE_LINE,    /* open */
    CLI_OUTLINE_POLYGON, /* closed */
    CLI_OUTLINE_ELLIPSE, /* ellipse or ellipsoid: the ends of its two or three semi-axes */
    CLI_OUTLINE_PLANE,   /* half-plane, half-space */
    CLI_OUTLINE_CAPSULE, /* the centres of its two ends */
    CLI_OUTLINE_SOLID,   /* anything else in space: its corners, and points of its rims */
} cli_outline_kind;

enum
{
    CLI_OUTLINE_RIM = 48, /* points of a rim */
    CLI_OUTLINE_ROOM = 2 * CLI_OUTLINE_RIM,
};

typedef struct cli_outline
{
    cli_outline_kind kind;
    double centre[3]; /* of the shape; a point of the boundary of a half-space */
    double radius;
    double rim[3];    /* disc in the plane: a point of the rim that turns with the body */
    double normal[3]; /* half-plane, half-space */
    double (*points)[3];
    int count; /* points in use */
} cli_outline;

/* `outline->points` must have room for the shape's vertices, and for CLI_OUTLINE_ROOM. */
void cli_outline_make(int dimension, const cairn_shape_info *shape, const cairn_body_state *state,
                      cli_outline *outline);

/* Corners of each face of a box, counter-clockwise from outside. Bit 0 of an index is the side in x, bit 1 in y, bit 2 in z. */
extern const int cli_box_faces[6][4];

#endif
