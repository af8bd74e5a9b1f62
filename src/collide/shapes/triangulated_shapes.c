#include "collide/shapes/triangulated_shapes.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

static cairn_status make(const crn_mesh_data *data, crn_facet *out)
{
    crn_mesh_report report;
    CRN_TRY(crn_mesh_create(data, &report, &out->mesh));
    return crn_mesh_index_create(out->mesh, &out->index);
}

static void drop(crn_facet *facet)
{
    crn_mesh_destroy(facet->mesh);
    crn_mesh_index_destroy(facet->index);
}

static cairn_status make_cube(crn_facet *out)
{
    static const double vertices[24] = {-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1,
                                        -1, -1, 1,  1, -1, 1,  -1, 1, 1,  1, 1, 1};
    static const int triangles[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                      2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    crn_mesh_data data = {.vertices = vertices, .vertex_count = 8, .triangles = triangles, .triangle_count = 12};
    return make(&data, out);
}

/* Triangulate every face as a fan about its first corner. A hull whose fans do not form a sound surface (needles, within
 * rounding) gets no triangles. */
static cairn_status make_hull(const crn_hull *hull, crn_facet *out)
{
    assert(hull && hull->face_count > 0);
    int count = 0, corners = hull->face_begin[hull->face_count];
    int *triangles = malloc(3 * (size_t)corners * sizeof(int));
    for (int f = 0; triangles && f < hull->face_count; ++f)
    {
        const int *ring = hull->face_vertices + hull->face_begin[f];
        for (int k = 1; k + 1 < hull->face_begin[f + 1] - hull->face_begin[f]; ++k, ++count)
        {
            triangles[3 * count] = ring[0];
            triangles[3 * count + 1] = ring[k];
            triangles[3 * count + 2] = ring[k + 1];
        }
    }
    crn_mesh_data data = {.vertices = hull->vertices,
                          .vertex_count = hull->vertex_count,
                          .triangles = triangles,
                          .triangle_count = count};
    cairn_status status = triangles ? make(&data, out) : CAIRN_NO_MEMORY;
    free(triangles);
    return status == CAIRN_INVALID ? CAIRN_OK : status;
}

static bool has_mesh(const cairn_model *model)
{
    for (size_t i = 0; i < model->shape_count; ++i)
        if (model->shapes[i].form->mesh)
            return true;
    return false;
}

cairn_status crn_facets_update(crn_facets *facets, const cairn_model *model)
{
    if (facets->hull_count == model->shape_count || !has_mesh(model))
        return CAIRN_OK;
    cairn_status status = facets->cube.mesh ? CAIRN_OK : make_cube(&facets->cube);
    if (crn_reserve(&facets->hull, &facets->hull_capacity, model->shape_count, sizeof(crn_facet)))
        status = CAIRN_NO_MEMORY;
    for (; !status && facets->hull_count < model->shape_count; ++facets->hull_count)
    {
        const crn_hull *hull = model->shapes[facets->hull_count].form->hull;
        status = hull ? make_hull(hull, &facets->hull[facets->hull_count]) : CAIRN_OK;
    }
    return status;
}

void crn_facets_free(crn_facets *facets)
{
    drop(&facets->cube);
    for (size_t i = 0; i < facets->hull_count; ++i)
        drop(&facets->hull[i]);
    free(facets->hull);
}

void crn_facets_lend(const crn_facets *facets, int shape, crn_placed *placed)
{
    bool box = crn_is_box(placed->kind);
    if (box || (placed->hull && shape >= 0 && (size_t)shape < facets->hull_count))
    {
        const crn_facet *facet = box ? &facets->cube : &facets->hull[shape];
        placed->mesh = facet->mesh;
        placed->index = facet->index;
    }
}
