/* Clipping of convex polygons by lines (I. Sutherland, G. Hodgman, Reentrant polygon clipping, CACM 17, 1974), so that the
 * corners keep their names when the polygons tremble.
 *
 * Faces of stacked bodies often share an edge: they are flush. Exact clipping is unstable there. A turn by 1e-6 makes the
 * two edges cross; the crossing is a further corner, far from all others, and it runs along the edge as the angle changes.
 * So every line has a band. A corner within the band counts as inside; it is moved onto the line along `slide`, and it
 * keeps its name. Edges that are flush to within the band then yield the corners of the clipped polygon alone. The result
 * differs from the exact intersection by at most the band's width, and it does not reach beyond any line.
 */
#ifndef CRN_COLLIDE_SHAPES_CLIP_H
#define CRN_COLLIDE_SHAPES_CLIP_H

#include <stdbool.h>

enum
{
    CRN_CLIP_ROOM = 256 /* most corners of a clipped polygon */
};

/* A corner: its position, and the names of the sides before and after it. */
typedef struct crn_clip_point
{
    double x[3];
    int in, out;
} crn_clip_point;

/* The line n x <= offset and its band, m. */
typedef struct crn_clip_line
{
    double n[3], offset, band;
    double slide[3]; /* where the band is not 0: slide n = -1, within the plane of the polygon */
    bool is_done;
    /* while a polygon is clipped by several lines: how far it reached beyond this one when that was last measured, m, and how many lines
     * had clipped it before */
    double beyond;
    int clips;
} crn_clip_line;

/* Clip a polygon of `count` corners by a line, into `to`, at most `room` corners; returns their number. The new side is called
 * `name`. */
int crn_clip_by(const crn_clip_point *from, int count, const crn_clip_line *line, int name, crn_clip_point *to,
                int room);

/* Clip a polygon in place by several lines, whose sides are called `first`, `first` + 1, ...; m: its unit normal. Lines beyond which it
 * reaches far come first, so that long edges are short when they meet an edge with which they are flush. */
int crn_clip_by_all(crn_clip_point *points, int count, int room, crn_clip_line *lines, int line_count, int first,
                    const double m[3]);

/* The band of two faces, from a mean half-width of each: 2 area / perimeter. */
double crn_clip_band(double half_width_a, double half_width_b);

#endif
