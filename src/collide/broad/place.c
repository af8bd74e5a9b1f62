/* Shapes in the world: x = pose.x + pose.R (shape in the body's frame), and their bounds for the broad phase. */
#include "collide/broad/place.h"

#include "collide/convex/convex.h"
#include "math/vec.h"
#include "model/shape/hollow.h"

#include <assert.h>
#include <string.h>

void crn_place_point(const crn_pose *pose, const double local[3], double out[3])
{
    crn_rotate3(pose->R, local, out);
    crn_add3(pose->x, out, out);
}

static void place_vertices(const crn_shape *shape, const crn_pose *pose, double *vertices, crn_placed *placed)
{
    assert(shape->form->vertex_count >= 1);
    placed->vertices = vertices;
    placed->vertex_count = shape->form->vertex_count;
    for (int i = 0; i < shape->form->vertex_count; ++i)
    {
        double local[3] = {shape->form->vertices[2 * i], shape->form->vertices[2 * i + 1], 0.0}, world[3];
        crn_place_point(pose, local, world);
        vertices[2 * i] = world[0];
        vertices[2 * i + 1] = world[1];
    }
}

/* Half the extent of a box, ellipse, ellipsoid or line along coordinate k; 0 for other kinds. */
static double extent(const crn_placed *placed, int k)
{
    assert(k >= 0 && k < 3);
    const double *row = placed->R + 3 * k, *half = placed->half;
    if (crn_is_elliptic(placed->kind))
        return crn_norm3((double[3]){row[0] * half[0], row[1] * half[1], row[2] * half[2]});
    if (crn_is_hollow(placed->kind))
        return crn_hollow_extent(placed, k);
    if (crn_class_of(placed->kind)->core == CRN_CORE_LINE)
        return fabs(row[2]) * half[2];
    return crn_is_box(placed->kind) ? fabs(row[0]) * half[0] + fabs(row[1]) * half[1] + fabs(row[2]) * half[2] : 0.0;
}

/* Bounds from support points: they need not be symmetric about the centre. */
static void support_bounds(crn_placed *placed)
{
    assert(placed->vertex_count == 0);
    assert(crn_class_of(placed->kind)->support);
    for (int k = 0; k < 3; ++k)
    {
        double axis[3] = {0, 0, 0};
        crn_corner low, high;
        axis[k] = -1.0;
        crn_core_support(placed, axis, &low);
        axis[k] = 1.0;
        crn_core_support(placed, axis, &high);
        placed->bounds.lower[k] = placed->centre[k] + low.x[k];
        placed->bounds.upper[k] = placed->centre[k] + high.x[k];
    }
}

/* The same for a hull. */
static void hull_bounds(crn_placed *placed)
{
    for (int side = 0; side < 6; ++side)
    {
        int k = side / 2;
        double sign = side % 2 ? 1.0 : -1.0, m[3], x[3];
        crn_scale3(sign, placed->R + 3 * k, m);
        crn_rotate3(placed->R, placed->hull->vertices + 3 * crn_hull_extreme(placed->hull, m), x);
        *(side % 2 ? &placed->bounds.upper[k] : &placed->bounds.lower[k]) = placed->centre[k] + x[k];
    }
}

/* Bounds of a mesh: those of its own frame, rotated. */
static void mesh_bounds(crn_placed *placed)
{
    assert(placed->mesh && placed->index);
    const crn_bounds *all = &placed->index->all;
    for (int k = 0; k < 3; ++k)
    {
        double middle = placed->centre[k], reach = 0.0;
        for (int i = 0; i < 3; ++i)
        {
            middle += placed->R[3 * k + i] * 0.5 * (all->lower[i] + all->upper[i]);
            reach += fabs(placed->R[3 * k + i]) * 0.5 * (all->upper[i] - all->lower[i]);
        }
        placed->bounds.lower[k] = middle - reach;
        placed->bounds.upper[k] = middle + reach;
    }
}

/* Convex shapes of space whose bounds have no closed form. */
static bool is_bounded_by_support(const crn_placed *placed)
{
    crn_shape_rank rank = crn_class_of(placed->kind)->rank;
    return placed->vertex_count == 0 && rank == CRN_RANK_CONVEX;
}

/* Bounds without radius and margin. */
static void bare_bounds(crn_placed *placed)
{
    if (crn_is_mesh(placed->kind))
    {
        mesh_bounds(placed);
        return;
    }
    if (is_bounded_by_support(placed))
    {
        (placed->hull ? hull_bounds : support_bounds)(placed);
        return;
    }
    for (int k = 0; k < 3; ++k)
    {
        double reach = extent(placed, k);
        placed->bounds.lower[k] = placed->centre[k] - reach;
        placed->bounds.upper[k] = placed->centre[k] + reach;
    }
    for (int i = 0; i < 2 * placed->vertex_count && !crn_is_elliptic(placed->kind); ++i)
    {
        double at = placed->vertices[i];
        placed->bounds.lower[i % 2] = i < 2 ? at : fmin(placed->bounds.lower[i % 2], at);
        placed->bounds.upper[i % 2] = i < 2 ? at : fmax(placed->bounds.upper[i % 2], at);
    }
}

static void bound(crn_placed *placed)
{
    bare_bounds(placed);
    crn_bounds_grow(&placed->bounds, placed->radius, placed->margin);
}

void crn_place(const crn_shape *shape, int dimension, const crn_pose *pose, double margin, double *vertices,
               crn_placed *placed)
{
    assert(dimension == 2 || dimension == 3);
    assert(margin >= 0.0);
    *placed = (crn_placed){.kind = shape->kind, .body = shape->body, .margin = margin, .radius = shape->radius};
    placed->hull = shape->form->hull;
    placed->mesh = shape->form->mesh;
    placed->index = shape->form->mesh_index;
    crn_place_point(pose, crn_frame_of(shape)->position, placed->centre);
    placed->centre[2] = dimension == 2 ? 0.0 : placed->centre[2];
    if (crn_is_half(shape->kind))
    {
        crn_rotate3(pose->R, shape->form->normal, placed->normal);
        return;
    }
    if (dimension == 2)
        place_vertices(shape, pose, vertices, placed);
    if (shape->form->seams)
    {
        placed->shape = shape;
        memcpy(placed->R, pose->R, sizeof placed->R);
    }
    if (dimension == 3 || crn_is_elliptic(shape->kind))
    {
        memcpy(placed->half, shape->form->half, sizeof placed->half);
        if (crn_is_ball(shape->kind)) /* has no axes of its own */
            memcpy(placed->R, pose->R, sizeof placed->R);
        else
            crn_multiply33(pose->R, crn_frame_of(shape)->rotation, placed->R);
    }
    bound(placed);
}

void crn_place_again(const crn_pose *pose, double margin, crn_placed *placed)
{
    assert(margin >= 0.0 && !crn_is_half(placed->kind) && placed->vertex_count == 0);
    memcpy(placed->centre, pose->x, sizeof placed->centre);
    memcpy(placed->R, pose->R, sizeof placed->R);
    placed->margin = margin;
    bound(placed);
}
