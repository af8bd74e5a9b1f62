/* The nearest point of the surface is found among the triangles near x, in a ball that grows until it has met one. Whether x is inside
 * follows from how often a ray from x crosses the surface; the ray points in a direction along which no user aligns a mesh. */
#include "populate/interior.h"

#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct crn_interior
{
    crn_mesh *mesh;
    crn_mesh_index *index;
    double volume;
    crn_hits found;
    bool no_memory;
};

const char *crn_interior_open(const crn_mesh_data *data, crn_interior **out)
{
    crn_mesh_report report;
    crn_interior *made = *out = calloc(1, sizeof *made);
    if (!made)
        return "region: memory ran out";
    if (!data->vertices || !data->triangles)
        return "region: a mesh needs vertices and triangles";
    cairn_status status = crn_mesh_create(data, &report, &made->mesh);
    if (status == CAIRN_INVALID)
        return "region: its triangles are no oriented surface: each edge belongs to two of them, which run along it in "
               "opposite "
               "directions, counter-clockwise from outside";
    if (status || crn_mesh_index_create(made->mesh, &made->index))
        return "region: memory ran out";
    if (!made->mesh->closed)
        return "region: its mesh has a border, so it has no inside";
    made->volume = crn_mesh_moments(made->mesh).volume;
    return NULL;
}

void crn_interior_close(crn_interior *interior)
{
    if (!interior)
        return;
    free(interior->found.item);
    crn_mesh_index_destroy(interior->index);
    crn_mesh_destroy(interior->mesh);
    free(interior);
}

double crn_interior_volume(const crn_interior *interior)
{
    return interior->volume;
}

crn_bounds crn_interior_bounds(const crn_interior *interior)
{
    return interior->index->all;
}

static const double *corner(const crn_mesh *mesh, int triangle, int k)
{
    assert(triangle >= 0 && triangle < mesh->triangle_count);
    return mesh->vertices + 3 * mesh->triangles[3 * triangle + k];
}

/* The point of the segment from a to b that is nearest to x. */
static void nearest_on_edge(const double a[3], const double b[3], const double x[3], double out[3])
{
    double along[3], to[3];
    crn_sub3(b, a, along);
    crn_sub3(x, a, to);
    double share = crn_dot3(along, to) / crn_dot3(along, along);
    crn_madd3(a, fmin(fmax(share, 0), 1), along, out);
}

/* Where the line x + s n meets the plane of a triangle, and whether that is within it. */
static bool over_face(const crn_mesh *mesh, int triangle, const double x[3], const double n[3], double *s)
{
    const double *normal = mesh->normals + 3 * triangle;
    double to[3], at[3], edge[3], side[3], slope = crn_dot3(n, normal);
    crn_sub3(corner(mesh, triangle, 0), x, to);
    if (slope == 0)
        return false;
    *s = crn_dot3(to, normal) / slope;
    crn_madd3(x, *s, n, at);
    for (int k = 0; k < 3; ++k)
    {
        crn_sub3(corner(mesh, triangle, (k + 1) % 3), corner(mesh, triangle, k), edge);
        crn_sub3(at, corner(mesh, triangle, k), to);
        crn_cross3(edge, to, side);
        if (crn_dot3(side, normal) < 0)
            return false;
    }
    return true;
}

static void nearest_on_triangle(const crn_mesh *mesh, int triangle, const double x[3], double out[3])
{
    const double *normal = mesh->normals + 3 * triangle;
    double s, best = INFINITY;
    if (over_face(mesh, triangle, x, normal, &s))
    {
        crn_madd3(x, s, normal, out);
        return;
    }
    for (int k = 0; k < 3; ++k)
    {
        double at[3], off[3];
        nearest_on_edge(corner(mesh, triangle, k), corner(mesh, triangle, (k + 1) % 3), x, at);
        crn_sub3(at, x, off);
        if (crn_dot3(off, off) < best)
        {
            best = crn_dot3(off, off);
            memcpy(out, at, sizeof at);
        }
    }
}

static bool is_inside(crn_interior *in, const double x[3])
{
    static const double RAY[3] = {0.5413, 0.6217, 0.5661};
    int crossings = 0;
    double s;
    in->found.count = 0;
    if (crn_tree_ray(&in->index->triangles, in->index->bounds, x, RAY, INFINITY, &in->found))
        in->no_memory = true;
    for (int i = 0; i < in->found.count; ++i)
        crossings += over_face(in->mesh, in->found.item[i], x, RAY, &s) && s > 0 ? 1 : 0;
    return crossings % 2 == 1;
}

/* The offset of the nearest point of the surface from x. */
static double offset_of_surface(crn_interior *in, const double x[3], double out[3])
{
    double reach = sqrt(crn_bounds_square(&in->index->all, x)) + in->mesh->extent / 64, best = INFINITY;
    for (int tries = 0; tries < 64 && !(best <= reach); ++tries)
    {
        reach = tries > 0 ? fmin(2 * reach, best) : reach;
        in->found.count = 0;
        if (crn_tree_around(&in->index->triangles, in->index->bounds, x, reach, &in->found))
            in->no_memory = true;
        for (int i = 0; i < in->found.count; ++i)
        {
            double at[3] = {0}, off[3];
            nearest_on_triangle(in->mesh, in->found.item[i], x, at);
            crn_sub3(at, x, off);
            if (crn_norm3(off) < best)
            {
                best = crn_norm3(off);
                memcpy(out, off, sizeof off);
            }
        }
    }
    return best;
}

double crn_interior_depth(crn_interior *in, const double x[3], double inward[3])
{
    double off[3] = {0, 0, 1}, distance = offset_of_surface(in, x, off);
    bool inside = is_inside(in, x);
    if (in->no_memory)
        return -INFINITY;
    crn_scale3((inside ? -1 : 1) / (distance > 0 ? distance : 1), off, inward);
    return inside ? distance : -distance;
}
