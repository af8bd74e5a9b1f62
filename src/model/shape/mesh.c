/* From triangles to a surface: coinciding vertices are merged, the two triangles of each edge are found, and whatever
 * cannot be the surface of a solid is reported.
 *
 * An edge is sound when two triangles share it and traverse it in opposite directions; an edge of a single triangle is a
 * border. The bend of an edge follows from the heights of the two opposite corners over the plane of the other triangle:
 * below, convex; above, concave; flat within 2^-22 of the size, which is the accuracy that the single precision of an STL
 * file leaves of a plane.
 */
#include "model/shape/mesh.h"

#include "math/vec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const double FLAT = 0x1p-22;    /* of the size */
static const double THINNEST = 1e-10;  /* height of a triangle over its longest side */
static const double NO_VOLUME = 1e-12; /* of the cube of the size */
static const double FURTHEST = 1e30;   /* m: fifth powers of it are finite */

enum
{
    MANY = 64
};

typedef struct edge
{
    int low, high; /* its vertices */
    int triangle, corner;
} edge;

typedef struct builder
{
    const crn_mesh_data *data;
    crn_mesh_report *report;
    crn_mesh *mesh;
    int *given;        /* per triangle of the mesh: its number in the data */
    int *number;       /* per vertex of the data: its number in the mesh */
    edge *edges;       /* three per triangle */
    crn_arena scratch; /* given, number, edges */
    double size; /* m: the distance of the furthest vertex from the first, independent of the position of the mesh */
} builder;

/* ------------------------------------------------------------------------------------------------------- the data */

static crn_mesh_fault check_numbers(const crn_mesh_data *data, crn_mesh_report *report)
{
    for (int i = 0; i < data->vertex_count; ++i)
    {
        const double *x = data->vertices + 3 * i;
        report->vertex = i;
        if (!(fabs(x[0]) <= FURTHEST && fabs(x[1]) <= FURTHEST && fabs(x[2]) <= FURTHEST))
            return CRN_MESH_NOT_FINITE;
    }
    for (int i = 0; i < 3 * data->triangle_count; ++i)
    {
        report->triangle = i / 3;
        report->vertex = data->triangles[i];
        if (report->vertex < 0 || report->vertex >= data->vertex_count)
            return CRN_MESH_RANGE;
    }
    return data->triangle_count > 0 ? CRN_MESH_SOUND : CRN_MESH_EMPTY;
}

static cairn_status allocate(builder *b)
{
    size_t vertices = (size_t)b->data->vertex_count, triangles = (size_t)b->data->triangle_count;
    crn_mesh *mesh = b->mesh = calloc(1, sizeof *mesh);
    if (!mesh)
        return CAIRN_NO_MEMORY;
    CRN_TRY(crn_reserve_all(&b->scratch, CRN_ARRAY(b->given, triangles), CRN_ARRAY(b->number, vertices),
                            CRN_ARRAY(b->edges, 3 * triangles)));
    return crn_reserve_all(&mesh->memory, CRN_ARRAY(mesh->vertices, 3 * vertices),
                           CRN_ARRAY(mesh->triangles, 3 * triangles), CRN_ARRAY(mesh->begin, triangles + 1),
                           CRN_ARRAY(mesh->normals, 3 * triangles), CRN_ARRAY(mesh->neighbours, 3 * triangles),
                           CRN_ARRAY(mesh->bend, 3 * triangles));
}

/* Copy the triangles with their merged vertices; those that welding made vanish are dropped. */
static void take_triangles(builder *b)
{
    const crn_mesh_data *data = b->data;
    crn_mesh *mesh = b->mesh;
    for (int t = 0; t < data->triangle_count; ++t)
    {
        const int *from = data->triangles + 3 * t;
        int corners[3] = {b->number[from[0]], b->number[from[data->flip ? 2 : 1]], b->number[from[data->flip ? 1 : 2]]};
        bool vanished = corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0];
        if (!(vanished && data->weld > 0))
        {
            b->given[mesh->triangle_count] = t;
            mesh->begin[mesh->triangle_count] = 3 * mesh->triangle_count;
            memcpy(mesh->triangles + 3 * mesh->triangle_count++, corners, sizeof corners);
        }
    }
    mesh->begin[mesh->triangle_count] = 3 * mesh->triangle_count;
}

static void measure(builder *b)
{
    b->mesh->extent = crn_extent_of(b->mesh->vertices, b->mesh->vertex_count);
    for (int i = 1; i < b->mesh->vertex_count; ++i)
    {
        double arm[3];
        crn_sub3(b->mesh->vertices + 3 * i, b->mesh->vertices, arm);
        b->size = fmax(b->size, crn_norm3(arm));
    }
}

static const double *corner_of(const crn_mesh *mesh, int triangle, int corner)
{
    assert(triangle >= 0 && triangle < mesh->triangle_count && corner >= 0);
    return mesh->vertices + 3 * mesh->triangles[3 * triangle + corner % 3];
}

/* The normal of a triangle; false when it has no area. */
static bool find_normal(crn_mesh *mesh, int triangle)
{
    assert(triangle >= 0 && triangle < mesh->triangle_count);
    double side[3][3], n[3], longest = 0;
    for (int k = 0; k < 3; ++k)
    {
        crn_sub3(corner_of(mesh, triangle, k + 1), corner_of(mesh, triangle, k), side[k]);
        longest = fmax(longest, crn_norm3(side[k]));
    }
    for (int k = 0; k < 3 && longest > 0; ++k)
    {
        side[0][k] /= longest;
        side[1][k] /= longest;
    }
    crn_cross3(side[0], side[1], n);
    double area = crn_norm3(n);
    for (int k = 0; k < 3; ++k)
        mesh->normals[3 * triangle + k] = n[k] / area;
    return area > THINNEST;
}

static crn_mesh_fault find_normals(builder *b)
{
    for (int t = 0; t < b->mesh->triangle_count; ++t)
    {
        if (!find_normal(b->mesh, t))
        {
            b->report->triangle = b->given[t];
            return CRN_MESH_NO_AREA;
        }
    }
    return CRN_MESH_SOUND;
}

/* ---------------------------------------------------------------------------------------------------------- edges */

static int compare_edges(const void *left, const void *right)
{
    const edge *a = left, *b = right;
    int x[3] = {a->low, a->high, a->triangle}, y[3] = {b->low, b->high, b->triangle};
    for (int k = 0; k < 3; ++k)
        if (x[k] != y[k])
            return x[k] < y[k] ? -1 : 1;
    return (a->corner > b->corner) - (a->corner < b->corner);
}

static void sort_edges(builder *b)
{
    const crn_mesh *mesh = b->mesh;
    for (int i = 0; i < 3 * mesh->triangle_count; ++i)
    {
        int from = mesh->triangles[i], to = mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
        b->edges[i] = (edge){from < to ? from : to, from < to ? to : from, i / 3, i % 3};
    }
    qsort(b->edges, (size_t)mesh->triangle_count * 3, sizeof(edge), compare_edges);
}

static void copy_edge(const crn_mesh *mesh, const edge *e, double ends[2][3])
{
    memcpy(ends[0], corner_of(mesh, e->triangle, e->corner), sizeof ends[0]);
    memcpy(ends[1], corner_of(mesh, e->triangle, e->corner + 1), sizeof ends[1]);
}

/* Report a fault at an edge; of several faults, that of the lowest triangle is kept. */
static void blame(builder *b, crn_mesh_fault fault, const edge *first, const edge *second, int count)
{
    crn_mesh_report *report = b->report;
    int triangle = b->given[first->triangle];
    if (report->fault == CRN_MESH_SOUND || triangle < report->triangle)
    {
        report->fault = fault;
        report->triangle = fault == CRN_MESH_TWICE ? b->given[second->triangle] : triangle;
        report->other = fault == CRN_MESH_TWICE ? triangle : b->given[second->triangle];
        report->count = count;
        copy_edge(b->mesh, first, report->edge);
    }
}

static int opposite(const crn_mesh *mesh, const edge *e)
{
    return mesh->triangles[3 * e->triangle + (e->corner + 2) % 3];
}

static bool runs_up(const crn_mesh *mesh, const edge *e)
{
    return mesh->triangles[3 * e->triangle + e->corner] == e->low;
}

/* Report two triangles with the same corners among those at an edge. With very many triangles at an edge the search is
 * skipped: their number is enough to report. */
static bool find_twins(builder *b, const edge *edges, int count)
{
    assert(count >= 2);
    for (int i = 0; i < count && count <= MANY; ++i)
    {
        for (int j = i + 1; j < count; ++j)
        {
            if (opposite(b->mesh, &edges[i]) == opposite(b->mesh, &edges[j]))
            {
                blame(b, CRN_MESH_TWICE, &edges[i], &edges[j], count);
                return true;
            }
        }
    }
    return false;
}

static double height_over(const crn_mesh *mesh, const edge *e, const edge *other)
{
    double arm[3];
    crn_sub3(mesh->vertices + 3 * opposite(mesh, other), corner_of(mesh, e->triangle, e->corner), arm);
    return crn_dot3(mesh->normals + 3 * e->triangle, arm);
}

static signed char bend_of(const crn_mesh *mesh, double size, const edge *a, const edge *b)
{
    double over_a = height_over(mesh, a, b), over_b = height_over(mesh, b, a);
    double height = fabs(over_a) > fabs(over_b) ? over_a : over_b;
    bool folded = crn_dot3(mesh->normals + 3 * a->triangle, mesh->normals + 3 * b->triangle) < 0;
    if (fabs(height) <= FLAT * size)
        return folded ? 1 : 0; /* folded back onto itself: a blade */
    return height < 0 ? 1 : -1;
}

static void join(const builder *of, const edge *a, const edge *b)
{
    assert(a->triangle != b->triangle);
    crn_mesh *mesh = of->mesh;
    int i = 3 * a->triangle + a->corner, j = 3 * b->triangle + b->corner;
    mesh->neighbours[i] = b->triangle;
    mesh->neighbours[j] = a->triangle;
    mesh->bend[i] = mesh->bend[j] = bend_of(mesh, of->size, a, b);
}

static void note_border(builder *b, const edge *e)
{
    crn_mesh_report *report = b->report;
    int at = 3 * e->triangle + e->corner, given = b->given[e->triangle];
    b->mesh->neighbours[at] = -1;
    b->mesh->bend[at] = 1;
    if (report->border_count++ == 0 || given < report->border_triangle)
    {
        report->border_triangle = given;
        copy_edge(b->mesh, e, report->border);
    }
}

/* Pair the triangles that share one edge, or report them. */
static void pair_up(builder *b, const edge *edges, int count)
{
    if (count == 1)
        note_border(b, edges);
    else if (find_twins(b, edges, count))
        return;
    else if (count > 2)
        blame(b, CRN_MESH_CROWDED, edges, edges + 1, count);
    else if (runs_up(b->mesh, edges) == runs_up(b->mesh, edges + 1))
        blame(b, CRN_MESH_TURNED, edges, edges + 1, count);
    else
        join(b, edges, edges + 1);
}

static crn_mesh_fault find_neighbours(builder *b)
{
    int count = 3 * b->mesh->triangle_count;
    sort_edges(b);
    for (int i = 0, next; i < count; i = next)
    {
        next = i + 1;
        while (next < count && b->edges[next].low == b->edges[i].low && b->edges[next].high == b->edges[i].high)
            ++next;
        pair_up(b, b->edges + i, next - i);
    }
    b->mesh->closed = b->report->border_count == 0;
    return b->report->fault;
}

/* --------------------------------------------------------------------------------------------------------- volume */

/* For an open mesh the result is meaningless. */
crn_moments crn_mesh_moments(const crn_mesh *mesh)
{
    crn_moments m = {0};
    double mean[3];
    crn_mean_of(mesh->vertices, mesh->vertex_count, mean);
    for (int t = 0; t < mesh->triangle_count; ++t)
        crn_moments_add(&m, mean, corner_of(mesh, t, 0), corner_of(mesh, t, 1), corner_of(mesh, t, 2));
    crn_moments_shift(&m, mean);
    return m;
}

static crn_mesh_fault check_volume(const builder *b)
{
    if (!b->mesh->closed)
        return CRN_MESH_SOUND;
    double volume = b->report->volume = crn_mesh_moments(b->mesh).volume;
    if (fabs(volume) > NO_VOLUME * b->size * b->size * b->size)
        return volume > 0 ? CRN_MESH_SOUND : CRN_MESH_INSIDE_OUT;
    return CRN_MESH_NO_VOLUME;
}

cairn_status crn_mesh_centre(crn_mesh *mesh)
{
    assert(mesh->closed);
    crn_moments m = crn_mesh_moments(mesh);
    CRN_TRY(crn_reserve_all(&mesh->memory, CRN_ARRAY(mesh->given, 3 * mesh->vertex_count)));
    memcpy(mesh->given, mesh->vertices, (size_t)mesh->vertex_count * 3 * sizeof(double));
    crn_moments_centre(&m, mesh->vertices, mesh->vertex_count);
    mesh->extent = crn_extent_of(mesh->vertices, mesh->vertex_count);
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------ all of it */

static cairn_status build(builder *b)
{
    crn_mesh_report *report = b->report;
    report->fault = check_numbers(b->data, report);
    if (report->fault != CRN_MESH_SOUND)
        return CAIRN_INVALID;
    CRN_TRY(allocate(b));
    CRN_TRY(crn_merge_vertices(b->data, b->number, b->mesh->vertices, &b->mesh->vertex_count));
    take_triangles(b);
    measure(b);
    report->fault = b->mesh->triangle_count > 0 ? find_normals(b) : CRN_MESH_EMPTY;
    if (report->fault == CRN_MESH_SOUND && find_neighbours(b) == CRN_MESH_SOUND)
        report->fault = check_volume(b);
    return report->fault == CRN_MESH_SOUND ? CAIRN_OK : CAIRN_INVALID;
}

cairn_status crn_mesh_create(const crn_mesh_data *data, crn_mesh_report *report, crn_mesh **out)
{
    *report = (crn_mesh_report){0};
    builder b = {.data = data, .report = report};
    cairn_status status = build(&b);
    crn_arena_release(&b.scratch);
    if (status != CAIRN_OK)
    {
        crn_mesh_destroy(b.mesh);
        b.mesh = NULL;
    }
    *out = b.mesh;
    return status;
}

void crn_mesh_destroy(crn_mesh *mesh)
{
    if (mesh)
    {
        crn_arena_release(&mesh->memory);
        free(mesh);
    }
}
