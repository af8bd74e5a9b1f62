/* What bounds friction, for every width: the disc of the exact law, and polygons (polygon.h). A part of visit.h and residual.h. */
#include "solve/compact/lanes.h"
#include "solve/compact/polygon.h"

/* x between -reach and reach */
INLINE lanes within(lanes x, lanes reach)
{
    x = lanes_choose(x, reach, reach, x);
    return lanes_choose(-reach, x, -reach, x);
}

/* x becomes its projection on the disc of a radius. */
INLINE void project_on_disc(lanes radius, lanes x[3])
{
    lanes square = lanes_dot(x, x);
    lanes share = lanes_choose(square, radius * radius, radius / lanes_root(square), lanes_all(1.0));
    for (int k = 0; k < 3; ++k)
        x[k] *= share;
}

/* The tangents of contacts, as crn_orthonormal_tangents has them. */
INLINE void lanes_tangents(const lanes n[3], lanes t[2][3])
{
    const lanes zero = lanes_all(0.0), one = lanes_all(1.0);
    lanes side = lanes_choose(zero, n[2], -one, one), a = -1.0 / (side + n[2]);
    lanes raw[3] = {one + side * n[0] * n[0] * a, side * (n[0] * n[1] * a), -side * n[0]};
    lanes along = lanes_dot(n, raw);
    for (int k = 0; k < 3; ++k)
        raw[k] -= along * n[k];
    lanes size = lanes_root(lanes_dot(raw, raw));
    for (int k = 0; k < 3; ++k)
        t[0][k] = raw[k] / size;
    lanes_cross(n, t[0], t[1]);
}

/* A point of the tangent plane, seen from the side of the polygon that it lies farthest along. */
typedef struct facing
{
    lanes out[2];       /* the normal of that side, or of the one opposite */
    lanes ahead, along; /* coordinates along that normal, and along the side */
} facing;

INLINE facing face_polygon(const crn_compact_polygon *polygon, const lanes t[2][3], const lanes x[3])
{
    lanes x1 = lanes_dot(x, t[0]), x2 = lanes_dot(x, t[1]);
    facing f = {.out = {lanes_all(polygon->out[0][0]), lanes_all(polygon->out[0][1])}};
    f.ahead = f.out[0] * x1 + f.out[1] * x2;
    for (int k = 1; k < polygon->pairs; ++k)
    {
        lanes c = lanes_all(polygon->out[k][0]), s = lanes_all(polygon->out[k][1]), ahead = c * x1 + s * x2;
        lanes size = lanes_size(ahead), most = lanes_size(f.ahead);
        f.out[0] = lanes_choose(size, most, c, f.out[0]);
        f.out[1] = lanes_choose(size, most, s, f.out[1]);
        f.ahead = lanes_choose(size, most, ahead, f.ahead);
    }
    f.along = f.out[0] * x2 - f.out[1] * x1;
    return f;
}

/* The point with its coordinates clipped: the projection on the polygon. */
INLINE void project_on_polygon(const crn_compact_polygon *polygon, const lanes t[2][3], lanes radius, lanes x[3])
{
    facing f = face_polygon(polygon, t, x);
    lanes ahead = within(f.ahead, polygon->apothem * radius), along = within(f.along, polygon->half * radius);
    lanes y1 = f.out[0] * ahead - f.out[1] * along, y2 = f.out[1] * ahead + f.out[0] * along;
    for (int k = 0; k < 3; ++k)
        x[k] = y1 * t[0][k] + y2 * t[1][k];
}
