/* Hollow cylinder and hollow cone: smooth concave walls, seen from inside. They are the drum, the bin and the hopper.
 *
 * About z, from -half[2] to half[2], there is a hole of radius
 *
 *     R(z) = half[1] + (half[0] - half[1]) (z + half[2]) / (2 half[2]) ,
 *
 * half[0] at the top and half[1] at the bottom, open at both ends, in a solid ring that reaches out to CRN_HOLLOW_OUT times the
 * larger of both. A line meets the ring in up to two stretches: those of the slab and the outer cylinder without that of the hole.
 */
#include "model/shape/hollow.h"
#include "math/vec.h"
#include "model/shape/shape.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum
{
    AROUND = 48 /* flat faces that the wall is drawn by */
};

static double outer(const double half[3])
{
    return CRN_HOLLOW_OUT * fmax(half[0], half[1]);
}

static cairn_status check(const cairn_model *model, int body, const cairn_shape_options *o)
{
    CRN_TRY(crn_shape_check_measures(model, body, o->kind, (double[2]){o->radius, o->height}, 2, CRN_SHAPE_THINNEST,
                                     "radius and height: must be greater than 0",
                                     "radius and height: one is more than 1e6 times the other"));
    if (o->kind == CAIRN_HOLLOW_CONE && !(o->opening >= 0 && o->opening < o->radius))
        return crn_shape_complain(model, body, o->kind, "opening: must be 0 or more, and less than the radius");
    return CAIRN_OK;
}

static void measure(const cairn_shape_options *o, int dimension, crn_shape *shape)
{
    (void)dimension;
    double low = o->kind == CAIRN_HOLLOW_CONE ? o->opening : o->radius;
    memcpy(shape->form->half, (double[3]){o->radius, low, 0.5 * o->height}, sizeof shape->form->half);
}

static double bound(const crn_shape *shape)
{
    return hypot(outer(shape->form->half), shape->form->half[2]);
}

double crn_hollow_extent(const crn_placed *p, int k)
{
    assert(k >= 0 && k < 3);
    double along = fabs(p->R[3 * k + 2]);
    return along * p->half[2] + outer(p->half) * sqrt(fmax(0.0, 1.0 - along * along));
}

int crn_hollow_spans(const crn_placed *p, const double x[3], const double n[3], double low[2], double high[2])
{
    double y[3], m[3], h = p->half[2], out = outer(p->half), size = hypot(out, h), up[3] = {0, 0, 1},
                       down[3] = {0, 0, -1};
    double hole[2] = {-INFINITY, INFINITY}, slope = (p->half[1] - p->half[0]) / (2.0 * h);
    crn_into_shape(p, x, n, y, m);
    low[0] = -INFINITY;
    high[0] = INFINITY;
    bool met = crn_span_cut(y, m, (double[3]){0, 0, h}, up, size, &low[0], &high[0]) &&
               crn_span_cut(y, m, (double[3]){0, 0, -h}, down, size, &low[0], &high[0]) &&
               crn_span_side(y, m, out, 0.0, 0.0, &low[0], &high[0]);
    if (!met)
        return 0;
    if (!crn_span_side(y, m, p->half[0], slope, h - y[2], &hole[0], &hole[1]) || hole[1] <= low[0] ||
        hole[0] >= high[0])
        return 1;
    bool first = hole[0] > low[0], second = hole[1] < high[0];
    low[first] = hole[1];
    high[first] = high[0];
    if (first)
        high[0] = hole[0];
    return first + second;
}

/* The stretch nearest to x. */
static bool span(const crn_placed *p, const double x[3], const double n[3], double *low, double *high)
{
    double a[2], b[2];
    int count = crn_hollow_spans(p, x, n, a, b);
    if (count == 0)
        return false;
    int best = count == 2 && fmax(a[1], -b[1]) < fmax(a[0], -b[0]);
    *low = a[best];
    *high = b[best];
    return true;
}

static void normal(const crn_placed *p, const double x[3], const double d[3], double out[3])
{
    (void)d;
    double y[3], local[3];
    crn_into_shape(p, x, NULL, y, NULL);
    double across = hypot(y[0], y[1]);
    crn_hollow_side side = crn_hollow_nearest(p->half, across, y[2]);
    local[0] = across > 0.0 ? side.n[0] * y[0] / across : side.n[0];
    local[1] = across > 0.0 ? side.n[0] * y[1] / across : 0.0;
    local[2] = side.n[1];
    crn_rotate3(p->R, local, out);
}

crn_hollow_side crn_hollow_nearest(const double half[3], double rho, double z)
{
    double h = half[2], width = half[0] - half[1], slant = hypot(width, 2.0 * h);
    double x = rho - half[1], t = (width * x + 2.0 * h * (z + h)) / slant;
    crn_hollow_side side = {.n = {-2.0 * h / slant, width / slant}};
    side.distance = side.n[0] * x + side.n[1] * (z + h);
    side.is_wall = t >= 0.0 && t <= slant;
    double cap = fabs(z) - h, rim = z > 0.0 ? half[0] : half[1];
    bool over = cap > 0.0 && rho >= rim;
    if (over || (cap <= 0.0 && side.distance < cap)) /* beyond the plane at an end, or nearer to it than to the wall */
        return (crn_hollow_side){.distance = cap, .n = {0.0, z > 0.0 ? 1.0 : -1.0}};
    if (side.is_wall || (side.distance <= 0.0 && cap <= 0.0))
        return side;
    double away[2] = {rho - (t > 0.0 ? half[0] : half[1]), z - (t > 0.0 ? h : -h)}, size = hypot(away[0], away[1]);
    return (crn_hollow_side){.distance = size, .n = {away[0] / size, away[1] / size}};
}

/* The wall as flat faces that look inwards; those before and after it are transparent from outside. */
static cairn_status draw(crn_shape *shape)
{
    crn_hull *wall = calloc(1, sizeof *wall);
    if (!wall || crn_reserve_all(&wall->memory, CRN_ARRAY(wall->vertices, 6 * AROUND),
                                 CRN_ARRAY(wall->face_begin, AROUND + 1), CRN_ARRAY(wall->face_vertices, 4 * AROUND)))
    {
        free(wall);
        return CAIRN_NO_MEMORY;
    }
    wall->vertex_count = 2 * AROUND;
    wall->face_count = AROUND;
    for (int i = 0; i < AROUND; ++i)
    {
        double turn = 2.0 * acos(-1.0) * i / AROUND;
        int next = (i + 1) % AROUND, corner[4] = {2 * i, 2 * i + 1, 2 * next + 1, 2 * next};
        for (int top = 0; top < 2; ++top)
        {
            double r = shape->form->half[top ? 0 : 1], *at = wall->vertices + 3 * (2 * i + top);
            memcpy(at, (double[3]){r * cos(turn), r * sin(turn), top ? shape->form->half[2] : -shape->form->half[2]},
                   sizeof(double[3]));
        }
        wall->face_begin[i] = 4 * i;
        memcpy(wall->face_vertices + 4 * i, corner, sizeof corner);
    }
    wall->face_begin[AROUND] = 4 * AROUND;
    shape->form->surface = wall;
    return CAIRN_OK;
}

const crn_shape_class crn_class_hollow_cylinder = {
    .name = "hollow-cylinder",
    .dimension = 3,
    .takes = CRN_TAKES_RADIUS | CRN_TAKES_HEIGHT,
    .needs = CRN_TAKES_RADIUS | CRN_TAKES_HEIGHT,
    .flags = CRN_SHAPE_IMMOVABLE,
    .rank = CRN_RANK_HOLLOW,
    .look = CAIRN_LOOK_FACES,
    .check = check,
    .measure = measure,
    .bound = bound,
    .draw = draw,
    .span = span,
    .normal = normal,
};

const crn_shape_class crn_class_hollow_cone = {
    .name = "hollow-cone",
    .dimension = 3,
    .takes = CRN_TAKES_RADIUS | CRN_TAKES_HEIGHT | CRN_TAKES_OPENING,
    .needs = CRN_TAKES_RADIUS | CRN_TAKES_HEIGHT,
    .flags = CRN_SHAPE_IMMOVABLE,
    .rank = CRN_RANK_HOLLOW,
    .look = CAIRN_LOOK_FACES,
    .check = check,
    .measure = measure,
    .bound = bound,
    .draw = draw,
    .span = span,
    .normal = normal,
};
