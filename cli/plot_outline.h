/* The outline of a shape at a body's pose, in world coordinates, ready to be projected. */
#ifndef CLI_PLOT_OUTLINE_H
#define CLI_PLOT_OUTLINE_H

#include "cairn/model.h"

typedef enum crn_outline_kind
{
    CRN_OUTLINE_DOT = 0,
    CRN_OUTLINE_DISC,    /* circle, or a sphere as it is seen from anywhere */
    CRN_OUTLINE_LINE,    /* open */
    CRN_OUTLINE_POLYGON, /* closed */
    CRN_OUTLINE_BOX,     /* 8 corners: bit 0 of the index is the side in x, bit 1 in y, bit 2 in z */
    CRN_OUTLINE_ELLIPSE, /* ellipse or ellipsoid: the ends of its two or three semi-axes */
    CRN_OUTLINE_PLANE,   /* half-plane, half-space */
} crn_outline_kind;

typedef struct crn_outline
{
    crn_outline_kind kind;
    double centre[3]; /* of the shape; a point of the boundary of a half-space */
    double radius;
    double rim[3];    /* disc in the plane: a point of the rim that turns with the body */
    double normal[3]; /* half-plane, half-space */
    double (*points)[3];
    int count; /* points in use */
} crn_outline;

/* `outline->points` must have room for the shape's vertices, and for 8. */
void crn_outline_make(int dimension, const cairn_shape_info *shape, const cairn_body_state *state,
                      crn_outline *outline);

/* Corners of each face of a box, counter-clockwise from outside. */
extern const int crn_box_faces[6][4];

#endif
