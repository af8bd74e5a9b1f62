#include "model/shape/mesh_index.h"

#include "base/union_find.h"
#include "math/vec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum
{
    HULL_VERTICES = 1 << 17 /* no hull is computed for larger meshes, which are landscapes that do not move */
};

static int corner(const crn_mesh *mesh, int t, int k)
{
    assert(t >= 0 && t < mesh->triangle_count && k >= 0 && k < 6);
    return mesh->triangles[3 * t + k % 3];
}

/* Whether the edge after corner k of triangle t is a ridge that t lists, rather than its neighbour. */
static bool lists(const crn_mesh *mesh, int t, int k)
{
    assert(t >= 0 && t < mesh->triangle_count && k >= 0 && k < 3);
    int other = mesh->neighbours[3 * t + k];
    return mesh->bend[3 * t + k] > 0 && (other < 0 || t < other);
}

static int count_ridges(const crn_mesh *mesh)
{
    int count = 0;
    for (int i = 0; i < 3 * mesh->triangle_count; ++i)
        count += lists(mesh, i / 3, i % 3);
    return count;
}

static cairn_status allocate(const crn_mesh *mesh, crn_mesh_index *index)
{
    size_t vertices = (size_t)mesh->vertex_count, triangles = (size_t)mesh->triangle_count;
    size_t ridges = (size_t)count_ridges(mesh);
    return crn_reserve_all(&index->memory, CRN_ARRAY(index->ridges, ridges), CRN_ARRAY(index->stretches, ridges),
                           CRN_ARRAY(index->vertex_ridge, vertices), CRN_ARRAY(index->ring_begin, vertices + 2),
                           CRN_ARRAY(index->ring, 6 * triangles), CRN_ARRAY(index->region, triangles),
                           CRN_ARRAY(index->bounds, triangles));
}

/* --------------------------------------------------------------------------------------------------------- ridges */

static void list_ridges(const crn_mesh *mesh, bool border, crn_mesh_index *index)
{
    for (int i = 0; i < 3 * mesh->triangle_count; ++i)
    {
        int t = i / 3, k = i % 3, other = mesh->neighbours[i];
        if (lists(mesh, t, k) && (other < 0) == border)
            index->ridges[index->ridge_count++] = (crn_ridge){{corner(mesh, t, k), corner(mesh, t, k + 1)}, {t, other}};
    }
}

static void find_ridges(const crn_mesh *mesh, crn_mesh_index *index)
{
    list_ridges(mesh, true, index);
    list_ridges(mesh, false, index);
    for (int v = 0; v < mesh->vertex_count; ++v)
        index->vertex_ridge[v] = -1;
    for (int r = index->ridge_count - 1; r >= 0; --r)
    {
        index->vertex_ridge[index->ridges[r].v[0]] = r;
        index->vertex_ridge[index->ridges[r].v[1]] = r;
    }
}

/* ---------------------------------------------------------------------------------------------------------- rings */

/* Visit each vertex with each of its neighbours once: the next corner of every triangle, and at a border also the
 * previous one. With `ring` the neighbours are filled in at begin[v], which advances; without, they are counted. */
static void visit_rings(const crn_mesh *mesh, int *begin, int *ring)
{
    for (int i = 0; i < 3 * mesh->triangle_count; ++i)
    {
        int from = corner(mesh, i / 3, i % 3), to = corner(mesh, i / 3, i % 3 + 1);
        int ends[2][2] = {{from, to}, {to, from}};
        for (int k = 0; k < (mesh->neighbours[i] < 0 ? 2 : 1); ++k)
        {
            if (ring)
                ring[begin[ends[k][0]]] = ends[k][1];
            ++begin[ends[k][0]];
        }
    }
}

static void find_rings(const crn_mesh *mesh, crn_mesh_index *index)
{
    int *begin = index->ring_begin;
    visit_rings(mesh, begin + 2, NULL);
    for (int v = 1; v <= mesh->vertex_count + 1; ++v)
        begin[v] += begin[v - 1];
    visit_rings(mesh, begin + 1, index->ring);
}

/* -------------------------------------------------------------------------------------------------------- regions */

static void find_regions(const crn_mesh *mesh, int *region)
{
    for (int t = 0; t < mesh->triangle_count; ++t)
        region[t] = t;
    for (int i = 0; i < 3 * mesh->triangle_count; ++i)
        if (mesh->bend[i] == 0 && mesh->neighbours[i] >= 0)
            crn_union_join(region, i / 3, mesh->neighbours[i]);
    for (int t = 0; t < mesh->triangle_count; ++t)
        region[t] = crn_union_root(region, t);
}

/* ---------------------------------------------------------------------------------------------------------- trees */

static crn_bounds bounds_of(const crn_mesh *mesh, const int *vertices, int count)
{
    assert(count > 0);
    crn_bounds all = crn_bounds_empty();
    for (int i = 0; i < count; ++i)
    {
        crn_bounds one;
        memcpy(one.lower, mesh->vertices + 3 * vertices[i], sizeof one.lower);
        memcpy(one.upper, mesh->vertices + 3 * vertices[i], sizeof one.upper);
        crn_bounds_join(&all, &one);
    }
    return all;
}

static cairn_status find_trees(const crn_mesh *mesh, crn_mesh_index *index)
{
    index->all = crn_bounds_empty();
    for (int t = 0; t < mesh->triangle_count; ++t)
    {
        index->bounds[t] = bounds_of(mesh, mesh->triangles + 3 * t, 3);
        crn_bounds_join(&index->all, &index->bounds[t]);
    }
    for (int r = 0; r < index->ridge_count; ++r)
        index->stretches[r] = bounds_of(mesh, index->ridges[r].v, 2);
    CRN_TRY(crn_tree_build(&index->triangles, index->bounds, NULL, mesh->triangle_count));
    return crn_tree_build(&index->sharp, index->stretches, NULL, index->ridge_count);
}

static cairn_status find_hull(const crn_mesh *mesh, crn_mesh_index *index)
{
    if (mesh->vertex_count > HULL_VERTICES || !crn_points_span(mesh->vertices, mesh->vertex_count))
        return CAIRN_OK;
    cairn_status status = crn_hull_create(mesh->vertices, mesh->vertex_count, &index->hull);
    return status == CAIRN_NO_MEMORY ? status : CAIRN_OK;
}

static cairn_status build(const crn_mesh *mesh, crn_mesh_index *index)
{
    CRN_TRY(allocate(mesh, index));
    find_ridges(mesh, index);
    find_rings(mesh, index);
    find_regions(mesh, index->region);
    CRN_TRY(find_trees(mesh, index));
    return find_hull(mesh, index);
}

cairn_status crn_mesh_index_create(const crn_mesh *mesh, crn_mesh_index **out)
{
    assert(mesh->triangle_count > 0);
    crn_mesh_index *index = *out = calloc(1, sizeof *index);
    cairn_status status = index ? build(mesh, index) : CAIRN_NO_MEMORY;
    if (status)
    {
        crn_mesh_index_destroy(index);
        *out = NULL;
    }
    return status;
}

void crn_mesh_index_destroy(crn_mesh_index *index)
{
    if (index)
    {
        crn_arena_release(&index->memory);
        crn_tree_free(&index->triangles);
        crn_tree_free(&index->sharp);
        crn_hull_destroy(index->hull);
        free(index);
    }
}
