/* The angle of a free surface.
 *
 * The horizontal plane is divided into cells, and the highest grain of each is taken for the surface, at its own place, by the height of
 * its top. A line, or a plane, is fitted to these points by least squares.
 *
 *     slope     cells are squares; the angle of the plane t = a + b x + c y
 *     repose    cells are sectors of rings about the vertical through the middle; the angle of the cone t = a - b r. Cells below 20 % and
 *               above 80 % of the heap's height are left out: the toe is thin and the tip is round
 *
 * The middle is that of the region, or the mean place of the grains.
 */
#include "statistics/grains.h"

#include <math.h>
#include <stdlib.h>

enum
{
    SECTORS = 12
};
static const double PI = 3.14159265358979323846;

/* A grain as the surface sees it. */
typedef struct top
{
    int64_t cell;
    double x, y, t; /* m: where it is across the vertical, and how high its top is */
} top;

typedef struct view
{
    double up[3], across[2][3];
    double middle[2], cell;
    double base, peak;
    top *tops;
    int count;
} view;

/* False without gravity: nothing is up. */
static bool look_up(const cairn_simulation *s, view *v)
{
    double g = crn_norm3(s->state.gravity);
    if (!(g > 0))
        return false;
    crn_scale3(-1 / g, s->state.gravity, v->up);
    if (s->model->dimension == 3)
        crn_tangents(v->up, v->across[0], v->across[1]);
    else
        crn_cross3(v->up, (double[3]){0, 0, 1}, v->across[0]);
    return true;
}

static void find_tops(const cairn_simulation *s, const crn_statistic *of, view *v)
{
    double largest = 0;
    v->base = INFINITY;
    v->peak = -INFINITY;
    for (int b = 0; b < (int)s->model->body_count; ++b)
    {
        if (!crn_grain_is_in(s, of, b))
            continue;
        double image[CRN_IMAGES][3], *x = image[0];
        crn_images_near(s, &of->region, crn_grain_position(s, b), image);
        double height = crn_dot3(v->up, x), size = crn_size_of(s->layout, b);
        v->tops[v->count++] = (top){.x = crn_dot3(v->across[0], x), .y = crn_dot3(v->across[1], x), .t = height + size};
        v->middle[0] += v->tops[v->count - 1].x;
        v->middle[1] += v->tops[v->count - 1].y;
        largest = fmax(largest, size);
        v->base = fmin(v->base, height - size);
        v->peak = fmax(v->peak, height + size);
    }
    v->cell = of->options.cell > 0 ? of->options.cell : 4 * largest;
    for (int k = 0; k < 2 && v->count > 0; ++k)
        v->middle[k] =
            of->region.kind == CRN_ZONE_ALL ? v->middle[k] / v->count : crn_dot3(v->across[k], of->region.centre);
}

static int64_t cell_number(double x, double width)
{
    return (int64_t)floor(fmin(fmax(x / width, -1e9), 1e9));
}

/* Sort the grains into squares. */
static void name_squares(view *v)
{
    for (int i = 0; i < v->count; ++i)
    {
        top *t = &v->tops[i];
        t->x -= v->middle[0];
        t->y -= v->middle[1];
        t->cell = cell_number(t->x, v->cell) * INT64_C(4000000000) + cell_number(t->y, v->cell);
    }
}

/* Sort them into sectors of rings, and replace x by the distance from the middle. */
static void name_sectors(view *v)
{
    for (int i = 0; i < v->count; ++i)
    {
        top *t = &v->tops[i];
        double x = t->x - v->middle[0], y = t->y - v->middle[1], r = hypot(x, y);
        int64_t sector = cell_number(atan2(y, x) + PI, 2 * PI / SECTORS);
        t->x = r;
        t->y = 0;
        t->cell = cell_number(r, v->cell) * (2 * SECTORS) + sector;
    }
}

static int compare_tops(const void *left, const void *right)
{
    const top *a = left, *b = right;
    int order = (a->cell > b->cell) - (a->cell < b->cell);
    return order != 0 ? order : (a->t < b->t) - (a->t > b->t);
}

/* Keep the highest of each cell, if that lies between two heights. */
static void keep_surface(view *v, double low, double high)
{
    int kept = 0;
    qsort(v->tops, (size_t)v->count, sizeof *v->tops, compare_tops);
    int64_t last = 0;
    for (int i = 0; i < v->count; ++i)
    {
        top t = v->tops[i];
        bool first = i == 0 || t.cell != last;
        last = t.cell;
        if (first && t.t >= low && t.t <= high)
            v->tops[kept++] = t;
    }
    v->count = kept;
}

/* The steepest slope of the plane through the points; of a line where they do not differ in y. NAN: there are too few. */
static double fit(const view *v)
{
    double mean[3] = {0}, xx = 0, xy = 0, yy = 0, xt = 0, yt = 0;
    for (int i = 0; i < v->count; ++i)
    {
        mean[0] += v->tops[i].x / v->count;
        mean[1] += v->tops[i].y / v->count;
        mean[2] += v->tops[i].t / v->count;
    }
    for (int i = 0; i < v->count; ++i)
    {
        double x = v->tops[i].x - mean[0], y = v->tops[i].y - mean[1], t = v->tops[i].t - mean[2];
        xx += x * x;
        xy += x * y;
        yy += y * y;
        xt += x * t;
        yt += y * t;
    }
    const double flat = 1e-12;
    if (yy <= flat * xx)
        return xx > 0 ? fabs(xt / xx) : NAN;
    double det = xx * yy - xy * xy;
    return det > flat * xx * yy ? hypot((yy * xt - xy * yt) / det, (xx * yt - xy * xt) / det) : NAN;
}

static cairn_status measure(const cairn_simulation *s, const crn_statistic *of, bool heap, double *out)
{
    view v = {0};
    out[0] = NAN;
    if (!look_up(s, &v))
        return CAIRN_OK;
    v.tops = malloc((s->model->body_count + 1) * sizeof *v.tops);
    if (!v.tops)
        return crn_statistic_no_memory(s, of);
    find_tops(s, of, &v);
    (heap ? name_sectors : name_squares)(&v);
    double tall = v.peak - v.base;
    keep_surface(&v, heap ? v.base + 0.2 * tall : -INFINITY, heap ? v.base + 0.8 * tall : INFINITY);
    out[0] = atan(fit(&v));
    free(v.tops);
    return CAIRN_OK;
}

cairn_status crn_stat_repose(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    return measure(s, of, true, out);
}

cairn_status crn_stat_slope(const cairn_simulation *s, const crn_statistic *of, double *out)
{
    return measure(s, of, false, out);
}
