/* The corner of a hull furthest along a direction, by walking uphill from corner to corner: on a convex body, a corner
 * that no neighbour exceeds is the highest. The walk starts at the corner that is highest along the diagonal of the
 * direction's octant, so the result depends on the direction only. Small hulls are searched exhaustively, which is as
 * fast. */
#include "model/shape/hull.h"

#include "math/vec.h"

#include <assert.h>
#include <math.h>

enum
{
    SMALL = 24
};

static int search(const crn_hull *hull, const double n[3])
{
    assert(hull->vertex_count > 0);
    int best = 0;
    double most = -INFINITY;
    for (int i = 0; i < hull->vertex_count; ++i)
    {
        double along = crn_dot3(hull->vertices + 3 * i, n);
        if (along > most)
        {
            most = along;
            best = i;
        }
    }
    return best;
}

/* Uphill from a corner. */
static int walk(const crn_hull *hull, const double n[3], int best)
{
    int from = -1;
    double most = crn_dot3(hull->vertices + 3 * best, n);
    while (from != best)
    {
        from = best;
        for (int k = hull->corner_begin[from]; k < hull->corner_begin[from + 1]; ++k)
        {
            double along = crn_dot3(hull->vertices + 3 * hull->corner_next[k], n);
            if (along > most)
            {
                most = along;
                best = hull->corner_next[k];
            }
        }
    }
    return best;
}

int crn_hull_support(const crn_hull *hull, const double n[3])
{
    return hull->walkable ? walk(hull, n, hull->start[(n[0] >= 0) | (n[1] >= 0) << 1 | (n[2] >= 0) << 2])
                          : search(hull, n);
}

/* ------------------------------------------------------------------------------------------------------- cells of directions */

static int square_of(double x)
{
    int square = (int)(0.5 * CRN_HULL_SQUARES * (x + 1));
    return square < 0 ? 0 : square < CRN_HULL_SQUARES ? square : CRN_HULL_SQUARES - 1;
}

static int cell_of(const double n[3])
{
    int k = fabs(n[1]) > fabs(n[0]) ? 1 : 0;
    k = fabs(n[2]) > fabs(n[k]) ? 2 : k;
    double size = fabs(n[k]);
    if (!(size > 0))
        return 0;
    int face = 2 * k + (n[k] > 0), u = square_of(n[(k + 1) % 3] / size), v = square_of(n[(k + 2) % 3] / size);
    return (face * CRN_HULL_SQUARES + u) * CRN_HULL_SQUARES + v;
}

static void middle_of(int cell, double n[3])
{
    int v = cell % CRN_HULL_SQUARES, u = cell / CRN_HULL_SQUARES % CRN_HULL_SQUARES;
    int face = cell / (CRN_HULL_SQUARES * CRN_HULL_SQUARES), k = face / 2;
    n[k] = face % 2 ? 1 : -1;
    n[(k + 1) % 3] = (2 * u + 1.0) / CRN_HULL_SQUARES - 1;
    n[(k + 2) % 3] = (2 * v + 1.0) / CRN_HULL_SQUARES - 1;
    assert(cell_of(n) == cell);
}

int crn_hull_extreme(const crn_hull *hull, const double n[3])
{
    return hull->near ? walk(hull, n, hull->near[cell_of(n)]) : crn_hull_support(hull, n);
}

static cairn_status find_near(crn_hull *hull)
{
    CRN_TRY(crn_reserve_all(&hull->memory, CRN_ARRAY(hull->near, CRN_HULL_CELLS)));
    for (int cell = 0; cell < CRN_HULL_CELLS; ++cell)
    {
        double n[3];
        middle_of(cell, n);
        hull->near[cell] = crn_hull_support(hull, n);
    }
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- neighbours */

/* List the faces at each corner and the next corner in each; corner_begin[v + 1] is the running end while the lists are
 * filled. */
static void list_corners(crn_hull *hull)
{
    int entries = hull->face_begin[hull->face_count];
    for (int k = 0; k < entries; ++k)
        ++hull->corner_begin[hull->face_vertices[k] + 2];
    for (int v = 0; v < hull->vertex_count; ++v)
        hull->corner_begin[v + 1] += hull->corner_begin[v];
    for (int f = 0; f < hull->face_count; ++f)
    {
        int begin = hull->face_begin[f], count = hull->face_begin[f + 1] - begin;
        for (int k = 0; k < count; ++k)
        {
            int at = hull->corner_begin[hull->face_vertices[begin + k] + 1]++;
            hull->corner_faces[at] = f;
            hull->corner_next[at] = hull->face_vertices[begin + (k + 1) % count];
        }
    }
}

cairn_status crn_hull_join(crn_hull *hull)
{
    size_t entries = (size_t)hull->face_begin[hull->face_count];
    CRN_TRY(crn_reserve_all(&hull->memory, CRN_ARRAY(hull->corner_begin, hull->vertex_count + 2),
                            CRN_ARRAY(hull->corner_faces, entries), CRN_ARRAY(hull->corner_next, entries)));
    list_corners(hull);
    for (int octant = 0; octant < 8; ++octant)
    {
        double n[3] = {octant & 1 ? 1 : -1, octant & 2 ? 1 : -1, octant & 4 ? 1 : -1};
        hull->start[octant] = search(hull, n);
    }
    /* a corner that lost its faces when coplanar facets were merged cannot be reached by walking */
    hull->walkable = hull->vertex_count > SMALL;
    for (int v = 0; v < hull->vertex_count; ++v)
        hull->walkable = hull->walkable && hull->corner_begin[v + 1] - hull->corner_begin[v] >= 3;
    return hull->walkable ? find_near(hull) : CAIRN_OK;
}
