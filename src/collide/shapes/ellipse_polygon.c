/* An ellipse against a rounded convex polygon of the plane: point and circle (1 vertex), bar (2), polygon. The candidates
 * for the normal are the normals of the sides and the directions away from the corners (ellipsoid.c). */
#include "collide/shapes/ellipsoid.h"

#include "math/vec.h"

#include <assert.h>
#include <string.h>

/* The best direction so far. */
typedef struct best
{
    double n[3];
    double s;
} best;

static void corner_of(const crn_placed *p, int i, double out[3])
{
    assert(i >= -p->vertex_count && p->vertex_count > 0);
    const double *v = p->vertices + 2 * ((i + p->vertex_count) % p->vertex_count);
    memcpy(out, (double[3]){v[0], v[1], 0.0}, 3 * sizeof(double));
}

static void offer_polygon(best *b, const crn_placed *ellipse, const crn_placed *polygon, const double n[3])
{
    double s = INFINITY;
    for (int i = 0; i < polygon->vertex_count; ++i)
    {
        double x[3];
        corner_of(polygon, i, x);
        s = fmin(s, crn_ellipsoid_height(ellipse, n, x));
    }
    if (s > b->s)
    {
        memcpy(b->n, n, sizeof b->n);
        b->s = s;
    }
}

/* Whether corner i may be the support point along n: no neighbour is clearly further. */
static bool may_support(const crn_placed *polygon, int i, const double n[3])
{
    double x[3], other[3], arm[3], most = -INFINITY, length = 0.0;
    corner_of(polygon, i, x);
    for (int side = -1; side <= 1; side += 2)
    {
        corner_of(polygon, i + side, other);
        crn_sub3(other, x, arm);
        most = fmax(most, crn_dot3(n, arm));
        length = fmax(length, crn_norm3(arm));
    }
    return most <= 1e-6 * length;
}

void crn_touch_ellipse_planar(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(crn_is_elliptic(a->kind) && b->vertex_count > 0);
    best found = {.s = -INFINITY};
    for (int i = 0; i < b->vertex_count; ++i)
    {
        double from[3], to[3], n[3];
        corner_of(b, i, from);
        corner_of(b, i + 1, to);
        double length = hypot(to[0] - from[0], to[1] - from[1]);
        crn_ellipsoid_away_from(a, 2, from, n);
        if (may_support(b, i, n))
            offer_polygon(&found, a, b, n);
        if (length > 0.0)
        {
            memcpy(n, (double[3]){(to[1] - from[1]) / length, (from[0] - to[0]) / length, 0.0}, sizeof n);
            offer_polygon(&found, a, b, n);
        }
    }
    crn_ellipsoid_add(a, found.n, found.s - b->radius, out);
}
