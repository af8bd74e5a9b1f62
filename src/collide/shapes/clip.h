/* Clipping of convex polygons by lines (I. Sutherland, G. Hodgman, Reentrant polygon clipping, CACM 17, 1974). */
#ifndef CRN_COLLIDE_SHAPES_CLIP_H
#define CRN_COLLIDE_SHAPES_CLIP_H

/* A corner: its position, and the names of the sides before and after it. */
typedef struct crn_clip_point
{
    double x[3];
    int in, out;
} crn_clip_point;

/* Clip a polygon of `count` corners to n x <= offset, into `to`, at most `room` corners; returns their number. The new
 * side is called `line`. */
int crn_clip_by(const crn_clip_point *from, int count, const double n[3], double offset, int line, crn_clip_point *to,
                int room);

#endif
