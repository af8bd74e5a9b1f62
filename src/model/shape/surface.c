/* The surface of a convex shape for drawing: the hull of its support points along directions spread over the sphere. */
#include "math/vec.h"
#include "model/shape/shape.h"
#include "model/shape/shape_class.h"

#include <assert.h>
#include <string.h>

enum
{
    AROUND = 32,
    RINGS = 15, /* between the poles */
    POINTS = RINGS * AROUND + 2
};

/* Direction i: the poles first, then ring by ring. */
static void direction(int i, double out[3])
{
    assert(i >= 0 && i < POINTS);
    int ring = (i - 2) / AROUND + 1, k = (i - 2) % AROUND;
    double pi = acos(-1.0), polar = pi * ring / (RINGS + 1), turn = 2.0 * pi * k / AROUND;
    memcpy(out, (double[3]){sin(polar) * cos(turn), sin(polar) * sin(turn), cos(polar)}, 3 * sizeof(double));
    if (i < 2)
        memcpy(out, (double[3]){0, 0, i == 0 ? 1.0 : -1.0}, 3 * sizeof(double));
}

cairn_status crn_shape_make_surface(crn_shape *shape)
{
    const crn_shape_class *class = crn_class_of(shape->kind);
    crn_placed local = {.kind = shape->kind, .radius = shape->radius, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    double points[3 * POINTS];
    assert(class->support);
    memcpy(local.half, shape->form->half, sizeof local.half);
    for (int i = 0; i < POINTS; ++i)
    {
        double m[3], *x = points + 3 * i;
        direction(i, m);
        class->support(&local, m, x);
        crn_madd3(x, shape->radius, m, x);
        assert(isfinite(x[0] + x[1] + x[2]));
    }
    return crn_hull_create(points, POINTS, &shape->form->surface);
}
