/* Convex hulls by Qhull (C. B. Barber, D. P. Dobkin, H. Huhdanpaa, The Quickhull algorithm for convex hulls, ACM TOMS 22,
 * 1996), whose facets that lie in one plane are merged, so that a cube has six faces and not twelve.
 */
#include "model/shape/hull.h"

#include "math/vec.h"

#include <assert.h>
#include <libqhull_r/qhull_ra.h>
#include <stdlib.h>
#include <string.h>

static const double FLAT = 1e-9; /* of the extent: a thinner hull counts as flat */

/* ------------------------------------------------------------------------------------------------- flat or not */

/* The largest distance of the points from the point, line or plane through `base` that `directions` unit axes span;
 * residue: the perpendicular of the furthest point. */
static double furthest(const double *points, int count, const double *base, double axes[3][3], int directions,
                       double residue[3])
{
    assert(directions >= 0 && directions < 3 && count > 0);
    double most = 0;
    for (int i = 0; i < count; ++i)
    {
        double arm[3];
        crn_sub3(points + 3 * i, base, arm);
        for (int k = 0; k < directions; ++k)
            crn_madd3(arm, -crn_dot3(arm, axes[k]), axes[k], arm);
        double length = crn_norm3(arm);
        if (length > most)
        {
            most = length;
            memcpy(residue, arm, 3 * sizeof(double));
        }
    }
    return most;
}

bool crn_points_span(const double *points, int count)
{
    double axes[3][3], residue[3] = {0, 0, 0}, extent = 0;
    for (int k = 0; k < 3; ++k)
    {
        double most = furthest(points, count, points, axes, k, residue);
        extent = k == 0 ? most : extent;
        if (!(most > FLAT * extent))
            return false;
        for (int i = 0; i < 3; ++i)
            axes[k][i] = residue[i] / most;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------------- Qhull */

/* Newell's normal of a face, unit. */
static void face_normal(const crn_hull *hull, int face, double n[3])
{
    assert(face >= 0 && hull->face_begin[face + 1] - hull->face_begin[face] >= 3);
    int begin = hull->face_begin[face], end = hull->face_begin[face + 1];
    const double *base = hull->vertices + 3 * hull->face_vertices[begin];
    n[0] = n[1] = n[2] = 0;
    for (int k = begin + 1; k + 1 < end; ++k)
    {
        double p[3], q[3], cross[3];
        crn_sub3(hull->vertices + 3 * hull->face_vertices[k], base, p);
        crn_sub3(hull->vertices + 3 * hull->face_vertices[k + 1], base, q);
        crn_cross3(p, q, cross);
        crn_add3(n, cross, n);
    }
    double length = crn_norm3(n);
    for (int k = 0; k < 3 && length > 0; ++k)
        n[k] /= length;
}

static void reverse(int *items, int count)
{
    for (int i = 0; i < count / 2; ++i)
    {
        int held = items[i];
        items[i] = items[count - 1 - i];
        items[count - 1 - i] = held;
    }
}

/* Corners of one facet, in order, counter-clockwise from outside. */
static void copy_facet(qhT *qh, facetT *facet, const int *number, crn_hull *hull)
{
    vertexT *vertex, **vertexp;
    int face = hull->face_count, at = hull->face_begin[face];
    setT *ring = qh_facet3vertex(qh, facet);
    FOREACHvertex_(ring)
    {
        hull->face_vertices[at++] = number[qh_pointid(qh, vertex->point)];
    }
    qh_settempfree(qh, &ring);
    hull->face_begin[face + 1] = at;
    double n[3];
    face_normal(hull, face, n);
    if (crn_dot3(n, facet->normal) < 0)
    {
        reverse(hull->face_vertices + hull->face_begin[face], at - hull->face_begin[face]);
        face_normal(hull, face, n);
    }
    memcpy(hull->normals + 3 * face, n, sizeof n);
    ++hull->face_count;
}

/* Corners are numbered in the order of the points given. `number` has one entry per point. */
static cairn_status copy_hull(qhT *qh, const double *points, int count, int *number, crn_hull *hull)
{
    vertexT *vertex;
    facetT *facet;
    int rings = 0, faces = 0;
    memset(number, 0, (size_t)count * sizeof(int));
    FORALLvertices
    {
        number[qh_pointid(qh, vertex->point)] = 1;
    }
    FORALLfacets
    {
        rings += qh_setsize(qh, facet->vertices);
        ++faces;
    }
    CRN_TRY(crn_reserve_all(&hull->memory, CRN_ARRAY(hull->vertices, 3 * qh->num_vertices),
                            CRN_ARRAY(hull->normals, 3 * faces), CRN_ARRAY(hull->face_begin, faces + 1),
                            CRN_ARRAY(hull->face_vertices, rings)));
    for (int i = 0; i < count; ++i)
    {
        if (number[i])
        {
            number[i] = hull->vertex_count;
            memcpy(hull->vertices + 3 * hull->vertex_count++, points + 3 * i, 3 * sizeof(double));
        }
    }
    FORALLfacets
    {
        copy_facet(qh, facet, number, hull);
    }
    return CAIRN_OK;
}

/* Compute thickness and extent. */
static void measure(crn_hull *hull)
{
    assert(hull->face_count >= 4 && hull->vertex_count >= 4);
    hull->thickness = INFINITY;
    for (int f = 0; f < hull->face_count; ++f)
    {
        const double *n = hull->normals + 3 * f;
        double down[3] = {-n[0], -n[1], -n[2]};
        double high = crn_dot3(n, hull->vertices + 3 * crn_hull_support(hull, n));
        double low = crn_dot3(n, hull->vertices + 3 * crn_hull_support(hull, down));
        hull->thickness = fmin(hull->thickness, 0.5 * (high - low));
    }
    hull->extent = crn_extent_of(hull->vertices, hull->vertex_count);
}

/* Qhull writes its complaints to a file, here one in memory. It is given the points relative to the first, so that rounding
 * scales with the size of the shape and not with its position. */
static cairn_status run_qhull(const double *points, int count, double *moved, int *number, crn_hull *hull)
{
    for (int i = 0; i < count; ++i)
        crn_sub3(points + 3 * i, points, moved + 3 * i);
    char *said = NULL, command[] = "qhull ";
    size_t length = 0;
    int unused, left;
    FILE *silent = open_memstream(&said, &length);
    if (!silent)
        return CAIRN_NO_MEMORY;
    qhT qh;
    qh_zero(&qh, silent);
    cairn_status status = CAIRN_NUMERIC;
    if (qh_new_qhull(&qh, 3, count, moved, False, command, NULL, silent) == 0)
        status = copy_hull(&qh, points, count, number, hull);
    qh_freeqhull(&qh, !qh_ALL);
    qh_memfreeshort(&qh, &unused, &left);
    fclose(silent);
    free(said);
    return status;
}

cairn_status crn_hull_create(const double *points, int count, crn_hull **out)
{
    assert(points && count >= 4);
    crn_arena scratch = {0};
    double *moved = NULL;
    int *number = NULL;
    crn_hull *hull = calloc(1, sizeof *hull);
    cairn_status status = CAIRN_NO_MEMORY;
    if (hull && !crn_reserve_all(&scratch, CRN_ARRAY(moved, 3 * (size_t)count), CRN_ARRAY(number, count)))
        status = run_qhull(points, count, moved, number, hull);
    status = status ? status : crn_hull_join(hull);
    crn_arena_release(&scratch);
    *out = hull;
    if (status == CAIRN_OK)
    {
        measure(hull);
        return CAIRN_OK;
    }
    crn_hull_destroy(hull);
    *out = NULL;
    return status;
}

static cairn_status copy_faces(const crn_hull *from, crn_hull *hull)
{
    size_t faces = (size_t)from->face_count, corners = 3 * (size_t)from->vertex_count;
    size_t entries = (size_t)(from->face_begin[faces] - from->face_begin[0]);
    CRN_TRY(crn_reserve_all(&hull->memory, CRN_ARRAY(hull->vertices, corners), CRN_ARRAY(hull->face_begin, faces + 1),
                            CRN_ARRAY(hull->face_vertices, entries), CRN_ARRAY(hull->normals, 3 * faces)));
    hull->vertex_count = from->vertex_count;
    hull->face_count = from->face_count;
    memcpy(hull->vertices, from->vertices, corners * sizeof *hull->vertices);
    memcpy(hull->normals, from->normals, 3 * faces * sizeof *hull->normals);
    memcpy(hull->face_vertices, from->face_vertices + from->face_begin[0], entries * sizeof *hull->face_vertices);
    for (size_t f = 0; f <= faces; ++f)
        hull->face_begin[f] = from->face_begin[f] - from->face_begin[0];
    return crn_hull_join(hull);
}

cairn_status crn_hull_rebuild(const crn_hull *from, crn_hull **out)
{
    crn_hull *hull = calloc(1, sizeof *hull);
    cairn_status status = hull ? copy_faces(from, hull) : CAIRN_NO_MEMORY;
    *out = status ? NULL : hull;
    if (status)
        crn_hull_destroy(hull);
    else
        measure(hull);
    return status;
}

void crn_hull_destroy(crn_hull *hull)
{
    if (hull)
    {
        crn_arena_release(&hull->memory);
        free(hull);
    }
}

crn_moments crn_hull_moments(const crn_hull *hull)
{
    assert(hull->face_count >= 4);
    crn_moments m = {0};
    double mean[3];
    crn_mean_of(hull->vertices, hull->vertex_count, mean);
    for (int f = 0; f < hull->face_count; ++f)
    {
        const int *ring = hull->face_vertices + hull->face_begin[f];
        int count = hull->face_begin[f + 1] - hull->face_begin[f];
        for (int k = 1; k + 1 < count; ++k)
        {
            crn_moments_add(&m, mean, hull->vertices + 3 * ring[0], hull->vertices + 3 * ring[k],
                            hull->vertices + 3 * ring[k + 1]);
        }
    }
    crn_moments_shift(&m, mean);
    return m;
}

cairn_status crn_hull_centre(crn_hull *hull)
{
    crn_moments m = crn_hull_moments(hull);
    CRN_TRY(crn_reserve_all(&hull->memory, CRN_ARRAY(hull->given, 3 * hull->vertex_count)));
    memcpy(hull->given, hull->vertices, (size_t)hull->vertex_count * 3 * sizeof(double));
    crn_moments_centre(&m, hull->vertices, hull->vertex_count);
    hull->extent = crn_extent_of(hull->vertices, hull->vertex_count);
    return CAIRN_OK;
}
