/* Where a ray meets a mesh (T. Moeller, B. Trumbore, Fast, minimum storage ray/triangle intersection, 1997). */
#include "collide/mesh/mesh.h"

#include "math/vec.h"

#include <assert.h>

enum
{
    STACK = 64
};

static const double EDGE = 1e-12; /* fraction by which a ray may miss a triangle: it must not slip between two */

static bool meets(const crn_mesh *mesh, int t, const double x[3], const double d[3], double *s)
{
    assert(t >= 0 && t < mesh->triangle_count);
    const int *v = mesh->triangles + 3 * t;
    const double *p = mesh->vertices + 3 * v[0];
    double u[3], w[3], arm[3], across[3], turned[3];
    crn_sub3(mesh->vertices + 3 * v[1], p, u);
    crn_sub3(mesh->vertices + 3 * v[2], p, w);
    crn_sub3(x, p, arm);
    crn_cross3(d, w, across);
    double area = crn_dot3(u, across);
    if (area == 0.0)
        return false;
    double b = crn_dot3(arm, across) / area;
    crn_cross3(arm, u, turned);
    double c = crn_dot3(d, turned) / area;
    *s = crn_dot3(w, turned) / area;
    return b >= -EDGE && c >= -EDGE && b + c <= 1.0 + EDGE;
}

int crn_mesh_ray(const crn_mesh *mesh, const crn_mesh_index *index, const double x[3], const double d[3], int side,
                 double *most)
{
    assert(side >= -1 && side <= 1 && *most >= 0.0);
    const crn_tree *tree = &index->triangles;
    int stack[STACK], height = 0, found = -1;
    stack[height++] = 1;
    while (height > 0)
    {
        int node = stack[--height], begin, end;
        if (!crn_bounds_met(&tree->node[node], x, d, *most))
            continue;
        if (node < 1 << tree->depth)
        {
            stack[height++] = 2 * node + 1;
            stack[height++] = 2 * node;
            continue;
        }
        crn_tree_places(tree, node, &begin, &end);
        for (int i = begin; i < end; ++i)
        {
            int t = tree->order[i];
            double s, along = crn_dot3(mesh->normals + 3 * t, d);
            bool wanted = side == 0 || (side < 0 ? along < 0.0 : along > 0.0);
            if (wanted && meets(mesh, t, x, d, &s) && s >= 0.0 && (s < *most || (s == *most && t < found)))
            {
                *most = s;
                found = t;
            }
        }
    }
    return found;
}
