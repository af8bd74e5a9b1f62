/* The nearest point of a mesh, and the side of the surface.
 *
 * The side follows from the pseudo-normal of the nearest feature: the normal of a face, the sum of both normals for an
 * edge, and for a vertex the sum of all normals around it, each weighted by its angle there (J. A. Baerentzen, H. Aanaes,
 * Signed distance computation using the angle weighted pseudonormal, IEEE TVCG 11, 2005).
 */
#include "collide/mesh/mesh.h"

#include "math/vec.h"

#include <assert.h>
#include <string.h>

enum
{
    STACK = 64
};

/* Which part of a triangle is nearest: corner k (0..2), edge k (3..5), the face (6). */
typedef struct nearest_part
{
    double y[3], square;
    int part;
} nearest_part;

static const double *corner(const crn_mesh *mesh, int t, int k)
{
    assert(t >= 0 && t < mesh->triangle_count && k >= 0 && k < 6);
    return mesh->vertices + 3 * mesh->triangles[3 * t + k % 3];
}

static void near_edge(const crn_mesh *mesh, int t, int k, const double x[3], nearest_part *best)
{
    assert(k >= 0 && k < 3);
    double along[3], arm[3], y[3], off[3];
    crn_sub3(corner(mesh, t, k + 1), corner(mesh, t, k), along);
    crn_sub3(x, corner(mesh, t, k), arm);
    double s = crn_dot3(arm, along) / crn_dot3(along, along);
    double place = fmin(1.0, fmax(0.0, s));
    crn_madd3(corner(mesh, t, k), place, along, y);
    crn_sub3(x, y, off);
    double square = crn_dot3(off, off);
    if (square < best->square)
    {
        best->square = square;
        best->part = s <= 0.0 ? k : s >= 1.0 ? (k + 1) % 3 : 3 + k;
        memcpy(best->y, y, sizeof y);
    }
}

static nearest_part near_triangle(const crn_mesh *mesh, int t, const double x[3])
{
    nearest_part best = {.square = INFINITY};
    const double *n = mesh->normals + 3 * t;
    double arm[3];
    bool inside = true;
    for (int k = 0; k < 3; ++k)
    {
        double along[3], out[3];
        crn_sub3(corner(mesh, t, k + 1), corner(mesh, t, k), along);
        crn_sub3(x, corner(mesh, t, k), arm);
        crn_cross3(along, n, out);
        if (crn_dot3(out, arm) > 0.0)
        {
            inside = false;
            near_edge(mesh, t, k, x, &best);
        }
    }
    if (inside)
    {
        double height = crn_dot3(n, arm);
        best.square = height * height;
        best.part = 6;
        crn_madd3(x, -height, n, best.y);
    }
    return best;
}

/* --------------------------------------------------------------------------------------------------- pseudo-normals */

static int place_of(const crn_mesh *mesh, int t, int v)
{
    return mesh->triangles[3 * t] == v ? 0 : mesh->triangles[3 * t + 1] == v ? 1 : 2;
}

static void add_weighted(const crn_mesh *mesh, int t, int k, double sum[3])
{
    double p[3], q[3], cross[3];
    crn_sub3(corner(mesh, t, k + 1), corner(mesh, t, k), p);
    crn_sub3(corner(mesh, t, k + 2), corner(mesh, t, k), q);
    crn_cross3(p, q, cross);
    crn_madd3(sum, atan2(crn_norm3(cross), crn_dot3(p, q)), mesh->normals + 3 * t, sum);
}

/* Visit the triangles around a vertex: one way until the round is complete or a border is met, then the other way. */
static void vertex_normal(const crn_mesh *mesh, int t, int v, double out[3])
{
    int at = t;
    memset(out, 0, 3 * sizeof(double));
    do
    {
        int k = place_of(mesh, at, v);
        add_weighted(mesh, at, k, out);
        at = mesh->neighbours[3 * at + k];
    } while (at >= 0 && at != t);
    for (at = at < 0 ? mesh->neighbours[3 * t + (place_of(mesh, t, v) + 2) % 3] : -1; at >= 0 && at != t;)
    {
        int k = place_of(mesh, at, v);
        add_weighted(mesh, at, k, out);
        at = mesh->neighbours[3 * at + (k + 2) % 3];
    }
}

static void part_normal(const crn_mesh *mesh, int t, int part, double out[3])
{
    assert(part >= 0 && part <= 6);
    const double *n = mesh->normals + 3 * t;
    memcpy(out, n, 3 * sizeof(double));
    if (part < 3)
        vertex_normal(mesh, t, mesh->triangles[3 * t + part], out);
    else if (part < 6 && mesh->neighbours[3 * t + part - 3] >= 0)
        crn_add3(out, mesh->normals + 3 * mesh->neighbours[3 * t + part - 3], out);
}

static crn_mesh_point side_of(const crn_mesh *mesh, int t, const nearest_part *part, const double x[3])
{
    assert(part->square >= 0.0);
    crn_mesh_point p = {.triangle = t};
    double out[3], off[3], distance = sqrt(part->square);
    memcpy(p.y, part->y, sizeof p.y);
    part_normal(mesh, t, part->part, out);
    crn_sub3(x, part->y, off);
    double sign = crn_dot3(off, out) >= 0.0 ? 1.0 : -1.0;
    p.height = sign * distance;
    if (part->part == 6 || !(distance > 1e-12 * mesh->extent))
        memcpy(p.n, mesh->normals + 3 * t, sizeof p.n);
    else
        crn_scale3(sign / distance, off, p.n);
    return p;
}

crn_mesh_point crn_mesh_nearest(const crn_mesh *mesh, const crn_mesh_index *index, const double x[3], double radius)
{
    assert(radius >= 0.0 && index->triangles.count > 0);
    const crn_tree *tree = &index->triangles;
    nearest_part best = {.square = radius * radius};
    int stack[STACK], height = 0, found = -1;
    stack[height++] = 1;
    while (height > 0)
    {
        int node = stack[--height], begin, end;
        if (!(crn_bounds_square(&tree->node[node], x) <= best.square))
            continue;
        if (node < 1 << tree->depth)
        {
            bool second = crn_bounds_square(&tree->node[2 * node + 1], x) < crn_bounds_square(&tree->node[2 * node], x);
            stack[height++] = 2 * node + (second ? 0 : 1);
            stack[height++] = 2 * node + (second ? 1 : 0);
            continue;
        }
        crn_tree_places(tree, node, &begin, &end);
        for (int i = begin; i < end; ++i)
        {
            nearest_part part = near_triangle(mesh, tree->order[i], x);
            if (part.square < best.square || (found < 0 && part.square <= best.square))
            {
                best = part;
                found = tree->order[i];
            }
        }
    }
    return found < 0 ? (crn_mesh_point){.triangle = -1} : side_of(mesh, found, &best, x);
}

bool crn_shell_holds(const crn_shell *shell, const crn_placed *placed, const double x[3], double radius, double slop)
{
    assert(radius >= 0.0);
    if (crn_is_box(placed->kind))
    {
        const double *half = placed->half;
        return fmax(fabs(x[0]) - half[0], fmax(fabs(x[1]) - half[1], fabs(x[2]) - half[2])) <= slop;
    }
    crn_mesh_point p = crn_mesh_nearest(shell->mesh, shell->index, x, radius + slop);
    return p.triangle >= 0 && p.height <= slop;
}
