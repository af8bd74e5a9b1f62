#include "model/zone.h"

#include "math/vec.h"
#include "model/names.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static double volume_of(const crn_zone *r)
{
    bool planar = r->dimension == 2;
    switch (r->kind)
    {
    case CRN_ZONE_BOX:
        return 4 * r->half[0] * r->half[1] * (planar ? 1 : 2 * r->half[2]);
    case CRN_ZONE_BALL:
        return planar ? PI * r->radius * r->radius : 4.0 / 3 * PI * r->radius * r->radius * r->radius;
    case CRN_ZONE_CYLINDER:
        return PI * r->radius * r->radius * 2 * r->half[2];
    default:
        return INFINITY;
    }
}

static void turn(const cairn_region *given, crn_zone *out)
{
    double q[4];
    memcpy(q, given->orientation, sizeof q);
    bool planar = out->dimension == 2;
    if (planar || (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0))
        crn_quaternion_exp((double[3]){0, 0, planar ? given->angle : 0.0}, q);
    crn_quaternion_normalise(q);
    crn_quaternion_to_matrix(q, out->R);
}

cairn_status crn_zone_make(const cairn_model *model, const char *kind, const char *name, const cairn_region *given,
                           crn_zone *out)
{
    int n = model->dimension;
    bool round = given->radius != 0, tall = given->height != 0, sized = true, any = round || tall;
    *out = (crn_zone){.dimension = n, .R = {[0] = 1, [4] = 1, [8] = 1}, .volume = INFINITY};
    for (int k = 0; k < n; ++k)
    {
        any = any || given->size[k] != 0;
        sized = sized && given->size[k] > 0 && isfinite(given->size[k]);
    }
    if (!any)
        return CAIRN_OK;
    if (!crn_all_finite(given->centre, n) || !isfinite(given->angle) || !crn_all_finite(given->orientation, 4))
        return crn_fail(model->context, CAIRN_INVALID, "%s '%s': region: centre and orientation must be finite", kind,
                        name);
    if (tall && (n == 2 || !round))
        return crn_fail(model->context, CAIRN_INVALID,
                        "%s '%s': region: a height belongs to a cylinder, which is in space and has a radius", kind,
                        name);
    bool good =
        round ? given->radius > 0 && isfinite(given->radius) && given->height >= 0 && isfinite(given->height) : sized;
    if (!good)
        return crn_fail(model->context, CAIRN_INVALID,
                        "%s '%s': region: radius, height or edges must be finite and greater than 0", kind, name);
    out->kind = tall ? CRN_ZONE_CYLINDER : round ? CRN_ZONE_BALL : CRN_ZONE_BOX;
    out->radius = given->radius;
    memcpy(out->centre, given->centre, (size_t)n * sizeof(double));
    crn_scale3(round ? 0.0 : 0.5, given->size, out->half);
    out->half[2] = tall ? 0.5 * given->height : n == 2 ? 0.0 : out->half[2];
    turn(given, out);
    out->volume = volume_of(out);
    assert(out->volume > 0);
    return CAIRN_OK;
}

void crn_zone_local(const crn_zone *r, const double x[3], double out[3])
{
    double off[3];
    crn_sub3(x, r->centre, off);
    crn_unrotate3(r->R, off, out);
}

bool crn_zone_holds(const crn_zone *r, const double x[3])
{
    double low = 0, high = 0;
    return crn_zone_span(r, x, (double[3]){0}, &low, &high);
}

/* Narrow [*low, *high] to |x + s n| <= half. */
static bool cut_slab(double x, double n, double half, double *low, double *high)
{
    if (n == 0)
        return fabs(x) <= half;
    double a = (-half - x) / n, b = (half - x) / n;
    *low = fmax(*low, fmin(a, b));
    *high = fmin(*high, fmax(a, b));
    return *low <= *high;
}

/* Narrow it to |x + s n| <= radius, in the first `count` coordinates. */
static bool cut_round(int count, const double x[3], const double n[3], double radius, double *low, double *high)
{
    double a = crn_dot(count, n, n), b = crn_dot(count, x, n), c = crn_dot(count, x, x) - radius * radius;
    if (a == 0)
        return c <= 0;
    double root = b * b - a * c;
    if (root < 0)
        return false;
    root = sqrt(root);
    *low = fmax(*low, (-b - root) / a);
    *high = fmin(*high, (-b + root) / a);
    return *low <= *high;
}

bool crn_zone_span(const crn_zone *r, const double x[3], const double n[3], double *low, double *high)
{
    double at[3], along[3];
    if (r->kind == CRN_ZONE_ALL)
        return true;
    crn_zone_local(r, x, at);
    crn_unrotate3(r->R, n, along);
    if (r->kind == CRN_ZONE_BALL)
        return cut_round(r->dimension, at, along, r->radius, low, high);
    if (r->kind == CRN_ZONE_CYLINDER)
        return cut_round(2, at, along, r->radius, low, high) && cut_slab(at[2], along[2], r->half[2], low, high);
    bool inside = true;
    for (int k = 0; k < r->dimension && inside; ++k)
        inside = cut_slab(at[k], along[k], r->half[k], low, high);
    return inside;
}
