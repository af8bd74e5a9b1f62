/* Convex solids written a second time. */
#include "support/solid.h"

#include "math/vec.h"

#include <math.h>
#include <string.h>

const cairn_shape_kind solid_kinds[SOLID_KINDS] = {CAIRN_SPHERE,   CAIRN_CAPSULE, CAIRN_BOX,      CAIRN_HULL,
                                                   CAIRN_CYLINDER, CAIRN_CONE,    CAIRN_ELLIPSOID};

/* A length: any of the style's. */
static double draw_length(double size, solid_style style, uint64_t *seed)
{
    double low = style == SOLID_SLENDER ? -4.0 : -0.5;
    return size * pow(10.0, collide_uniform(seed, low, 0.0));
}

static void draw_points(solid *s, double size, solid_style style, uint64_t *seed)
{
    double scale[3];
    int count = 6 + (int)collide_uniform(seed, 0, SOLID_POINTS - 6);
    for (int k = 0; k < 3; ++k)
        scale[k] = k == 0 ? size : draw_length(size, style, seed);
    for (int i = 0; i < count; ++i)
    {
        double x[3] = {collide_uniform(seed, -1, 1), collide_uniform(seed, -1, 1), collide_uniform(seed, -1, 1)};
        double length = crn_norm3(x);
        for (int k = 0; k < 3; ++k)
            s->points[3 * i + k] = scale[k] * x[k] / length;
    }
    s->shape.vertices = s->points;
    s->shape.vertex_count = count;
}

void solid_draw(solid *s, cairn_shape_kind kind, double size, solid_style style, uint64_t *seed)
{
    memset(s, 0, sizeof *s);
    s->shape = cairn_shape_default(kind);
    double p = draw_length(size, style, seed), q = draw_length(size, style, seed), r = draw_length(size, style, seed);
    bool flat = collide_uniform(seed, 0, 1) < 0.5;
    s->shape.radius = flat ? size : p;
    s->shape.length = s->shape.height = flat ? p : size;
    memcpy(s->shape.size, (double[3]){2 * size, 2 * p, 2 * q}, sizeof s->shape.size);
    memcpy(s->shape.radii, (double[3]){size, fmax(q, 1.1e-3 * size), fmax(r, 1.1e-3 * size)}, sizeof s->shape.radii);
    if (kind == CAIRN_CAPSULE && flat)
    {
        s->shape.radius = p;
        s->shape.length = size;
    }
    if (kind == CAIRN_HULL)
        draw_points(s, size, style, seed);
}

void solid_pose(solid *s, double reach, double most, uint64_t *seed)
{
    double turn[3], x[3];
    for (int k = 0; k < 3; ++k)
    {
        turn[k] = collide_uniform(seed, -most, most);
        x[k] = collide_uniform(seed, -reach, reach);
    }
    collide_set_pose(&s->pose, x[0], x[1], x[2], turn);
}

/* In the solid's own frame. */
static void own_support(const solid *s, const double m[3], double x[3])
{
    const cairn_shape_options *o = &s->shape;
    double round = hypot(m[0], m[1]), length = crn_norm3(m), best = -INFINITY;
    double rim[2] = {round > 0 ? o->radius * m[0] / round : 0, round > 0 ? o->radius * m[1] / round : 0};
    memset(x, 0, 3 * sizeof(double));
    switch (o->kind)
    {
    case CAIRN_SPHERE:
    case CAIRN_CAPSULE:
        for (int k = 0; k < 3; ++k)
            x[k] = o->radius * m[k] / length;
        x[2] += o->kind == CAIRN_CAPSULE ? copysign(o->length / 2, m[2]) : 0;
        break;
    case CAIRN_BOX:
        for (int k = 0; k < 3; ++k)
            x[k] = copysign(o->size[k] / 2, m[k]);
        break;
    case CAIRN_CYLINDER:
        memcpy(x, (double[3]){rim[0], rim[1], copysign(o->height / 2, m[2])}, 3 * sizeof(double));
        break;
    case CAIRN_CONE:
        memcpy(x, (double[3]){rim[0], rim[1], -o->height / 4}, 3 * sizeof(double));
        if (m[2] * 0.75 * o->height > crn_dot3(x, m))
            memcpy(x, (double[3]){0, 0, 0.75 * o->height}, 3 * sizeof(double));
        break;
    case CAIRN_ELLIPSOID:
    {
        double y[3] = {o->radii[0] * m[0], o->radii[1] * m[1], o->radii[2] * m[2]}, rho = crn_norm3(y);
        for (int k = 0; k < 3; ++k)
            x[k] = o->radii[k] * y[k] / rho;
        break;
    }
    default:
        for (int i = 0; i < o->vertex_count; ++i)
        {
            double along = crn_dot3(s->points + 3 * i, m);
            if (along > best)
            {
                best = along;
                memcpy(x, s->points + 3 * i, 3 * sizeof(double));
            }
        }
        break;
    }
}

void solid_support(const solid *s, const double n[3], double out[3])
{
    double m[3], x[3];
    crn_unrotate3(s->pose.R, n, m);
    own_support(s, m, x);
    crn_rotate3(s->pose.R, x, out);
    crn_add3(s->pose.x, out, out);
}

double solid_apart(const solid *a, const solid *b, const double n[3])
{
    double down[3] = {-n[0], -n[1], -n[2]}, low[3], high[3];
    solid_support(a, down, low);
    solid_support(b, n, high);
    crn_sub3(low, high, low);
    return crn_dot3(n, low);
}

static double level_of_planes(const crn_hull *hull, const double x[3])
{
    double most = -INFINITY;
    for (int f = 0; f < hull->face_count; ++f)
    {
        double arm[3];
        crn_sub3(x, hull->vertices + 3 * hull->face_vertices[hull->face_begin[f]], arm);
        most = fmax(most, crn_dot3(hull->normals + 3 * f, arm));
    }
    return most;
}

double solid_level(const solid *s, const crn_hull *hull, const double world[3])
{
    const cairn_shape_options *o = &s->shape;
    double arm[3], x[3];
    crn_sub3(world, s->pose.x, arm);
    crn_unrotate3(s->pose.R, arm, x);
    double round = hypot(x[0], x[1]);
    switch (o->kind)
    {
    case CAIRN_SPHERE:
        return crn_norm3(x) - o->radius;
    case CAIRN_CAPSULE:
        x[2] -= fmax(-o->length / 2, fmin(o->length / 2, x[2]));
        return crn_norm3(x) - o->radius;
    case CAIRN_BOX:
        return fmax(fabs(x[0]) - o->size[0] / 2, fmax(fabs(x[1]) - o->size[1] / 2, fabs(x[2]) - o->size[2] / 2));
    case CAIRN_CYLINDER:
        return fmax(round - o->radius, fabs(x[2]) - o->height / 2);
    case CAIRN_CONE:
    {
        double slant = hypot(o->radius, o->height);
        return fmax((round * o->height + (x[2] - 0.75 * o->height) * o->radius) / slant, -o->height / 4 - x[2]);
    }
    case CAIRN_ELLIPSOID:
    {
        /* (|y| - 1) |y| / |grad| with y = x/e: the distance to first order */
        double y[3], g[3];
        for (int k = 0; k < 3; ++k)
        {
            y[k] = x[k] / o->radii[k];
            g[k] = y[k] / o->radii[k];
        }
        return (crn_norm3(y) - 1) * crn_norm3(y) / crn_norm3(g);
    }
    default:
        return level_of_planes(hull, x);
    }
}

double solid_extent(const solid *s)
{
    double most = 0;
    for (int k = 0; k < 6; ++k)
    {
        double n[3] = {0, 0, 0}, x[3];
        n[k / 2] = k % 2 ? 1 : -1;
        own_support(s, n, x);
        most = fmax(most, crn_norm3(x));
    }
    return most;
}

bool solid_is_flat(const solid *s)
{
    return s->shape.kind == CAIRN_BOX || s->shape.kind == CAIRN_HULL || s->shape.kind == CAIRN_CAPSULE;
}

bool solid_has_faces(const solid *s)
{
    cairn_shape_kind kind = s->shape.kind;
    return kind == CAIRN_BOX || kind == CAIRN_HULL || kind == CAIRN_CYLINDER || kind == CAIRN_CONE;
}

void solid_collide(collide_scene *scene, solid *a, solid *b, double margin)
{
    collide_start(scene, 3);
    a->shape.vertices = a->points;
    b->shape.vertices = b->points;
    collide_add(scene, &a->shape, 0, 0, 0);
    collide_add(scene, &b->shape, 0, 0, 0);
    scene->poses[0] = a->pose;
    scene->poses[1] = b->pose;
    collide_within(scene, margin);
}
