#include "populate/region.h"

#include "math/vec.h"
#include "populate/interior.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static bool is_length(double x)
{
    return isfinite(x) && x > 0;
}

static const char *measure(const cairn_population_region *o, crn_region *out)
{
    int dimension = out->dimension;
    if (o->kind == CAIRN_REGION_MESH)
    {
        crn_mesh_data data = {o->vertices, o->vertex_count, o->triangles, o->triangle_count, 0, false};
        const char *wrong = dimension == 3 ? crn_interior_open(&data, &out->inner) : "region: the plane has no meshes";
        out->volume = wrong ? 0 : crn_interior_volume(out->inner);
        return wrong;
    }
    if (o->kind == CAIRN_REGION_CYLINDER)
    {
        if (!is_length(o->radius) || (dimension == 3 && !is_length(o->height)))
            return dimension == 3 ? "region: radius and height: must be greater than 0"
                                  : "region: radius: must be greater than 0";
        out->half[0] = out->half[1] = o->radius;
        out->half[2] = dimension == 3 ? 0.5 * o->height : 0;
        out->volume = PI * o->radius * o->radius * (dimension == 3 ? o->height : 1);
        return NULL;
    }
    if (o->kind != CAIRN_REGION_BOX)
        return "region: type: unknown value";
    out->volume = 1;
    for (int k = 0; k < dimension; ++k)
    {
        if (!is_length(o->size[k]))
            return "region: size: must be greater than 0";
        out->half[k] = 0.5 * o->size[k];
        out->volume *= o->size[k];
    }
    return NULL;
}

static const char *place(const cairn_population_region *o, crn_region *out)
{
    double q[4] = {o->orientation[0], o->orientation[1], o->orientation[2], o->orientation[3]};
    bool turned = q[0] != 0 || q[1] != 0 || q[2] != 0 || q[3] != 0;
    if (!isfinite(o->position[0]) || !isfinite(o->position[1]) || !isfinite(o->position[2]) || !isfinite(o->angle))
        return "region: position: must be finite numbers";
    if (out->dimension == 3 && turned && !crn_quaternion_turns(q))
        return "region: orientation: a quaternion must be finite and not zero";
    if (out->dimension == 2 || !turned)
        crn_quaternion_exp((double[3]){0, 0, out->dimension == 2 ? o->angle : 0}, q);
    crn_quaternion_normalise(q);
    crn_quaternion_to_matrix(q, out->pose.R);
    memcpy(out->pose.x, o->position, sizeof out->pose.x);
    if (out->dimension == 2)
        out->pose.x[2] = 0;
    return NULL;
}

/* The bounds in the world of those in the region's own frame. */
static void bound(crn_region *out)
{
    out->own = (crn_bounds){{-out->half[0], -out->half[1], -out->half[2]}, {out->half[0], out->half[1], out->half[2]}};
    if (out->inner)
        out->own = crn_interior_bounds(out->inner);
    out->bounds = crn_bounds_empty();
    for (int i = 0; i < 8; ++i)
    {
        const double *low = out->own.lower, *high = out->own.upper;
        double local[3] = {i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]}, x[3];
        crn_rotate3(out->pose.R, local, x);
        crn_add3(x, out->pose.x, x);
        crn_bounds corner = {{x[0], x[1], x[2]}, {x[0], x[1], x[2]}};
        crn_bounds_join(&out->bounds, &corner);
    }
}

const char *crn_region_open(const cairn_population_region *options, int dimension, crn_region *out)
{
    *out = (crn_region){.kind = options->kind, .dimension = dimension};
    const char *wrong = measure(options, out);
    wrong = wrong ? wrong : place(options, out);
    if (!wrong)
        bound(out);
    return wrong;
}

void crn_region_close(crn_region *region)
{
    crn_interior_close(region->inner);
    region->inner = NULL;
}

/* The depth below face `axis` of a box, in the region's frame; keeps the least with its direction. */
static void offer(double depth, int axis, double sign, double *least, double inward[3])
{
    if (!(depth < *least))
        return;
    *least = depth;
    for (int k = 0; k < 3; ++k)
        inward[k] = k == axis ? sign : 0;
}

static double own_slope(const crn_region *region, const double y[3], double inward[3])
{
    double least = INFINITY;
    bool round = region->kind == CAIRN_REGION_CYLINDER;
    if (region->inner)
        return crn_interior_depth(region->inner, y, inward);
    for (int k = round ? 2 : 0; k < region->dimension; ++k)
    {
        offer(region->half[k] - y[k], k, -1, &least, inward);
        offer(region->half[k] + y[k], k, 1, &least, inward);
    }
    double rho = sqrt(y[0] * y[0] + y[1] * y[1]);
    if (round && region->half[0] - rho < least)
    {
        least = region->half[0] - rho;
        inward[0] = rho > 0 ? -y[0] / rho : 1;
        inward[1] = rho > 0 ? -y[1] / rho : 0;
        inward[2] = 0;
    }
    return least;
}

double crn_region_slope(const crn_region *region, const double x[3], double inward[3])
{
    double y[3], n[3];
    crn_sub3(x, region->pose.x, y);
    crn_unrotate3(region->pose.R, y, y);
    double depth = own_slope(region, y, n);
    crn_rotate3(region->pose.R, n, inward);
    return depth;
}

double crn_region_depth(const crn_region *region, const double x[3])
{
    double inward[3];
    return crn_region_slope(region, x, inward);
}

void crn_region_draw(const crn_region *region, crn_random *random, double x[3])
{
    double y[3] = {0};
    for (int k = 0; k < region->dimension; ++k)
        y[k] = region->own.lower[k] + crn_random_unit(random) * (region->own.upper[k] - region->own.lower[k]);
    crn_rotate3(region->pose.R, y, x);
    crn_add3(x, region->pose.x, x);
    assert(region->dimension == 3 || x[2] == 0);
}
