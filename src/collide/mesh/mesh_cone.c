/* The cones of ridges and vertices. A ridge with the inward directions d_1, d_2 of its faces (in each face, across the ridge) has
 * the directions n with n d_1 <= 0 and n d_2 <= 0; a vertex v with the neighbours w those with n (w - v) <= 0. */
#include "collide/mesh/mesh.h"

#include "math/vec.h"

#include <assert.h>

crn_ridge crn_ridge_at(const crn_shell *shell, int ridge)
{
    assert(ridge >= 0 && ridge < shell->index->ridge_count + 3 * shell->mesh->triangle_count);
    const crn_mesh *mesh = shell->mesh;
    int i = ridge - shell->index->ridge_count;
    if (i < 0)
        return shell->index->ridges[ridge];
    int t = i / 3, k = i % 3;
    return (crn_ridge){{mesh->triangles[i], mesh->triangles[3 * t + (k + 1) % 3]}, {t, mesh->neighbours[i]}};
}

void crn_ridge_inward(const crn_shell *shell, int ridge, double inward[2][3])
{
    const crn_ridge edge = crn_ridge_at(shell, ridge), *r = &edge;
    double along[3];
    crn_sub3(shell->vertices + 3 * r->v[1], shell->vertices + 3 * r->v[0], along);
    crn_scale3(1.0 / crn_norm3(along), along, along);
    crn_cross3(shell->mesh->normals + 3 * r->t[0], along, inward[0]);
    if (r->t[1] < 0)
    {
        crn_scale3(-1.0, shell->mesh->normals + 3 * r->t[0],
                   inward[1]); /* at a border the surface is taken to go straight down */
        return;
    }
    crn_cross3(along, shell->mesh->normals + 3 * r->t[1], inward[1]);
}

bool crn_vertex_rises(const crn_pass *pass, int v, const double n[3], double slope, double height)
{
    assert(v >= 0 && crn_is_unit3(n));
    assert(slope >= 0.0 && height >= 0.0);
    const crn_shell *source = &pass->source;
    if (!source->mesh)
        return true;
    double m[3];
    crn_unrotate3(pass->R, n, m);
    for (int i = source->index->ring_begin[v]; i < source->index->ring_begin[v + 1]; ++i)
    {
        double edge[3];
        crn_sub3(source->vertices + 3 * source->index->ring[i], source->vertices + 3 * v, edge);
        if (crn_dot3(m, edge) < -(slope * crn_norm3(edge) + height))
            return false;
    }
    return true;
}

bool crn_vertex_faces(const crn_shell *shell, int v, const double w[3])
{
    assert(v >= 0 && v < shell->mesh->vertex_count);
    const crn_mesh_index *index = shell->index;
    const crn_ridge *first = &index->ridges[index->vertex_ridge[v]];
    if (first->t[1] < 0 && crn_dot3(w, shell->mesh->normals + 3 * first->t[0]) < 0.0)
        return false; /* below the border */
    for (int i = index->ring_begin[v]; i < index->ring_begin[v + 1]; ++i)
    {
        double edge[3];
        crn_sub3(shell->vertices + 3 * index->ring[i], shell->vertices + 3 * v, edge);
        if (crn_dot3(w, edge) > 0.0)
            return false;
    }
    return true;
}
