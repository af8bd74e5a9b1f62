/* A shape in the world: x = pose.x + pose.R (shape in the body's frame), and the bounds the broad phase sweeps. */
#include "collide/place.h"

#include "math/vec.h"

#include <assert.h>
#include <string.h>

static void to_world(const crn_pose *pose, const double local[3], double out[3])
{
    crn_rotate3(pose->R, local, out);
    crn_add3(pose->x, out, out);
}

static void place_vertices(const crn_shape *shape, const crn_pose *pose, double *vertices, crn_placed *placed)
{
    assert(shape->vertex_count >= 1);
    placed->vertices = vertices;
    placed->vertex_count = shape->vertex_count;
    for (int i = 0; i < shape->vertex_count; ++i)
    {
        double local[3] = {shape->vertices[2 * i], shape->vertices[2 * i + 1], 0.0}, world[3];
        to_world(pose, local, world);
        vertices[2 * i] = world[0];
        vertices[2 * i + 1] = world[1];
    }
}

/* Bounds of the vertices (planar), or of the sphere or box. */
static void bare_bounds(crn_placed *placed, int dimension)
{
    for (int k = 0; k < 3; ++k)
    {
        bool box = placed->kind == CAIRN_BOX;
        const double *row = placed->R + 3 * k, *half = placed->half;
        double reach = box ? fabs(row[0]) * half[0] + fabs(row[1]) * half[1] + fabs(row[2]) * half[2] : 0.0;
        placed->lower[k] = dimension == 2 ? 0.0 : placed->centre[k] - reach;
        placed->upper[k] = dimension == 2 ? 0.0 : placed->centre[k] + reach;
    }
    for (int k = 0; dimension == 2 && k < 2; ++k)
    {
        placed->lower[k] = INFINITY;
        placed->upper[k] = -INFINITY;
        for (int i = 0; i < placed->vertex_count; ++i)
        {
            placed->lower[k] = fmin(placed->lower[k], placed->vertices[2 * i + k]);
            placed->upper[k] = fmax(placed->upper[k], placed->vertices[2 * i + k]);
        }
    }
}

static void bound(crn_placed *placed, int dimension)
{
    bare_bounds(placed, dimension);
    for (int k = 0; k < 3; ++k)
    {
        /* a little more than needed: rounding must not lose shapes that touch exactly */
        double slop = 1e-12 * (fabs(placed->lower[k]) + fabs(placed->upper[k]) + placed->radius);
        double reach = placed->radius + placed->margin + slop;
        placed->lower[k] -= reach;
        placed->upper[k] += reach;
    }
}

void crn_place(const crn_shape *shape, int dimension, const crn_pose *pose, double margin, double *vertices,
               crn_placed *placed)
{
    *placed = (crn_placed){.kind = shape->kind, .body = shape->body, .margin = margin, .radius = shape->radius};
    to_world(pose, shape->position, placed->centre);
    if (crn_is_half(shape->kind))
    {
        crn_rotate3(pose->R, shape->normal, placed->normal);
        return;
    }
    if (dimension == 2)
    {
        place_vertices(shape, pose, vertices, placed);
    }
    else
    {
        memcpy(placed->half, shape->half, sizeof placed->half);
        crn_multiply33(pose->R, shape->rotation, placed->R);
    }
    bound(placed, dimension);
}
