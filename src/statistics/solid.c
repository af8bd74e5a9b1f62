/* Solid fraction: the volume of the grains within a region, divided by that of the region.
 *
 * Grains of one shape that lie wholly inside, and balls and discs however they are cut, count exactly (ball_share.c). Every other grain is
 * measured along parallel lines over its bounds, z in space, y in the plane. Along a line the stretches within its shapes are exact, their
 * union is taken, so that overlapping spheres of a clump count once, and is cut by the region. The lines make a regular grid; its two
 * halves, as the colours of a chessboard, give two estimates, and half their difference is taken for the error of their mean. Errors of
 * grains add up as if they were independent.
 */
#include "collide/broad/place.h"
#include "collide/mesh/mesh.h"
#include "collide/query/line_span.h"
#include "model/shape/shape_class.h"
#include "statistics/ball_share.h"
#include "statistics/grains.h"

#include <stdlib.h>
#include <string.h>

enum
{
    LINES = 24,   /* across a grain, in space in both directions */
    STRETCHES = 8 /* that one line may have in one shape: concave meshes have several */
};

typedef struct stretch
{
    double low, high;
} stretch;

/* Everything that one grain needs. */
typedef struct grain
{
    const cairn_simulation *s;
    const crn_statistic *of;
    crn_pose pose;
    crn_placed *placed; /* its shapes */
    int count;
    double *vertices;
    stretch *found;
    crn_bounds bounds;
} grain;

/* The volume of one shape; in the plane its area. */
static double volume_of(const cairn_model *model, const crn_shape *shape)
{
    const crn_shape_class *class = crn_class_of(shape->kind);
    double principal[3];
    crn_planar_mass planar = {0};
    if (model->dimension == 3)
        return class->volume ? class->volume(shape, principal) : 0.0;
    if (class->area)
        class->area(shape, 1.0, &planar);
    return planar.mass;
}

/* The next solid shape of a body, from shape `at` on; NULL: there is none. */
static const crn_shape *next_shape(const cairn_model *model, int body, int at)
{
    for (; at < model->bodies[body].shape_end; ++at)
        if (model->shapes[at].body == body && volume_of(model, &model->shapes[at]) > 0)
            return &model->shapes[at];
    return NULL;
}

/* ------------------------------------------------------------------------------------------------------------- lines */

/* The stretches of a line within a mesh, which may be concave. */
static int mesh_stretches(const crn_placed *shape, const double x[3], const double n[3], stretch *out)
{
    double y[3], d[3], from[3], at = 0;
    crn_into_shape(shape, x, n, y, d);
    int count = 0;
    while (count < STRETCHES)
    {
        double enter = INFINITY, leave = INFINITY;
        crn_madd3(y, at, d, from);
        crn_mesh_ray(shape->mesh, shape->index, from, d, -1, &enter);
        crn_mesh_ray(shape->mesh, shape->index, from, d, 1, &leave);
        if (!isfinite(leave) || !isfinite(enter) || leave <= enter)
            break;
        out[count++] = (stretch){at + enter, at + leave};
        at += leave + 1e-9 * (leave - enter); /* beyond the surface */
    }
    return count;
}

static int stretches(const crn_placed *shape, const double x[3], const double n[3], stretch *out)
{
    if (crn_class_of(shape->kind)->rank == CRN_RANK_MESH)
        return mesh_stretches(shape, x, n, out);
    return crn_line_span(shape, x, n, &out[0].low, &out[0].high) ? 1 : 0;
}

static int compare_stretches(const void *left, const void *right)
{
    const stretch *a = left, *b = right;
    return (a->low > b->low) - (a->low < b->low);
}

/* The length of a line within the grain and the region. */
static double length_on(grain *g, const double x[3], const double n[3])
{
    double low = -INFINITY, high = INFINITY, sum = 0;
    int count = 0;
    if (!crn_zone_span(&g->of->region, x, n, &low, &high))
        return 0;
    for (int i = 0; i < g->count; ++i)
        count += stretches(&g->placed[i], x, n, g->found + count);
    qsort(g->found, (size_t)count, sizeof *g->found, compare_stretches);
    for (int i = 0; i < count; ++i)
    {
        low = fmax(low, g->found[i].low);
        double end = fmin(high, g->found[i].high);
        sum += fmax(end - low, 0);
        low = fmax(low, end);
    }
    return sum;
}

/* Measure a grain along lines: its volume in the region, and the square of the error. */
static void along_lines(grain *g, double *volume, double *square)
{
    int n = g->s->model->dimension, rows = n == 3 ? LINES : 1;
    const crn_bounds *b = &g->bounds;
    double dx = (b->upper[0] - b->lower[0]) / LINES, dy = (b->upper[1] - b->lower[1]) / LINES, sum[2] = {0};
    double along[3] = {0, n == 2, n == 3}, cell = n == 3 ? dx * dy : dx;
    for (int i = 0; i < LINES; ++i)
        for (int j = 0; j < rows; ++j)
        {
            double x[3] = {b->lower[0] + (i + 0.5) * dx, n == 3 ? b->lower[1] + (j + 0.5) * dy : b->lower[1] - dy,
                           n == 3 ? b->lower[2] - dx : 0};
            sum[(i + j) % 2] += cell * length_on(g, x, along);
        }
    *volume += sum[0] + sum[1];
    *square += (sum[0] - sum[1]) * (sum[0] - sum[1]);
}

static cairn_status reserve(grain *g, int body)
{
    const cairn_model *model = g->s->model;
    size_t vertices = 0, count = 0;
    const crn_shape *shape = next_shape(model, body, model->bodies[body].shape_begin);
    for (; shape; shape = next_shape(model, body, (int)(shape - model->shapes) + 1))
    {
        vertices += 2 * (size_t)shape->form->vertex_count;
        ++count;
    }
    g->placed = calloc(count, sizeof *g->placed);
    g->vertices = malloc((vertices + 1) * sizeof *g->vertices);
    g->found = malloc(count * STRETCHES * sizeof *g->found);
    return g->placed && g->vertices && g->found ? CAIRN_OK : CAIRN_NO_MEMORY;
}

static void include(crn_bounds *all, const crn_bounds *one, bool first)
{
    for (int k = 0; k < 3; ++k)
    {
        all->lower[k] = first ? one->lower[k] : fmin(all->lower[k], one->lower[k]);
        all->upper[k] = first ? one->upper[k] : fmax(all->upper[k], one->upper[k]);
    }
}

static cairn_status place(grain *g, int body)
{
    const cairn_model *model = g->s->model;
    CRN_TRY(reserve(g, body));
    double *next = g->vertices;
    const crn_shape *shape = next_shape(model, body, model->bodies[body].shape_begin);
    for (; shape; shape = next_shape(model, body, (int)(shape - model->shapes) + 1))
    {
        crn_placed *placed = &g->placed[g->count];
        crn_place(shape, model->dimension, &g->pose, 0.0, next, placed);
        next += 2 * shape->form->vertex_count;
        include(&g->bounds, &placed->bounds, g->count++ == 0);
    }
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ grains */

/* Add the image of a body at x. */
static cairn_status add_image(const cairn_simulation *s, const crn_statistic *of, int body, const double x[3],
                              double *volume, double *square)
{
    const crn_shape *shape = next_shape(s->model, body, s->model->bodies[body].shape_begin);
    crn_where where = crn_ball_where(&of->region, x, s->layout->bound[body]);
    if (!shape || where == CRN_BALL_OUTSIDE)
        return CAIRN_OK;
    bool single = !next_shape(s->model, body, (int)(shape - s->model->shapes) + 1);
    bool ball = shape->kind == CAIRN_SPHERE || shape->kind == CAIRN_CIRCLE;
    if (single && ball && shape->radius == s->layout->bound[body])
    {
        *volume += crn_ball_share(&of->region, x, shape->radius);
        return CAIRN_OK;
    }
    if (single && where == CRN_BALL_INSIDE)
    {
        *volume += volume_of(s->model, shape);
        return CAIRN_OK;
    }
    grain g = {.s = s, .of = of, .pose = crn_pose_of(s, body)};
    memcpy(g.pose.x, x, sizeof g.pose.x);
    cairn_status status = place(&g, body);
    if (!status)
        along_lines(&g, volume, square);
    free(g.placed);
    free(g.vertices);
    free(g.found);
    return status;
}

static cairn_status add_body(const cairn_simulation *s, const crn_statistic *of, int body, double *volume,
                             double *square)
{
    double at[CRN_IMAGES][3];
    int images = crn_images_near(s, &of->region, crn_grain_position(s, body), at);
    for (int i = 0; i < images; ++i)
        CRN_TRY(add_image(s, of, body, at[i], volume, square));
    return CAIRN_OK;
}

static cairn_status measure(const cairn_simulation *s, const crn_statistic *of, double *volume, double *square)
{
    *volume = *square = 0;
    for (int b = 0; b < (int)s->model->body_count; ++b)
        if (crn_is_grain(s, b) && add_body(s, of, b, volume, square))
            return crn_statistic_no_memory(s, of);
    return CAIRN_OK;
}

cairn_status crn_stat_fraction(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    double volume, square;
    CRN_TRY(measure(s, of, &volume, &square));
    out[0] = volume / of->region.volume;
    return CAIRN_OK;
}

cairn_status crn_stat_fraction_error(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    double volume, square;
    CRN_TRY(measure(s, of, &volume, &square));
    out[0] = sqrt(square) / of->region.volume;
    return CAIRN_OK;
}
