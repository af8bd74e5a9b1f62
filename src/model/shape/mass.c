/* Mass and inertia from shapes. Each shape is homogeneous; inertias add by the parallel-axis theorem. */
#include "math/vec.h"
#include "model/names.h"
#include "model/shape/shape_class.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Mass, mass times centre, and inertia about the body's origin. */
typedef struct sum
{
    double mass;
    double moment[3];
    double inertia[9];
    double extent; /* m: largest bound, the length scale for "the centre is at the origin" */
} sum;

/* Add a part of mass m with centre c (body frame) and inertia I_c (3x3, body axes) about its own centre. */
static void add_part(sum *s, double m, const double c[3], const double I_c[9])
{
    assert(m >= 0);
    double cc = crn_dot3(c, c);
    s->mass += m;
    for (int i = 0; i < 3; ++i)
    {
        s->moment[i] += m * c[i];
        for (int j = 0; j < 3; ++j)
            s->inertia[3 * i + j] += I_c[3 * i + j] + m * ((i == j ? cc : 0.0) - c[i] * c[j]);
    }
}

static void add_planar(sum *s, const crn_shape *shape, double density)
{
    const crn_shape_class *class = crn_class_of(shape->kind);
    crn_planar_mass part = {.centre = {crn_frame_of(shape)->position[0], crn_frame_of(shape)->position[1], 0}};
    if (class->area)
        class->area(shape, density, &part);
    assert(part.mass >= 0 && part.polar >= 0);
    add_part(s, part.mass, part.centre, (double[9]){0, 0, 0, 0, 0, 0, 0, 0, part.polar});
}

/* A hull or closed mesh: centre and inertia from the moments of its volume. */
static void add_volume(sum *s, const crn_shape *shape, crn_moments m, double density)
{
    assert(m.volume > 0);
    double c[3], centre[3], I[9], turned[9], R_t[9];
    for (int k = 0; k < 3; ++k)
        c[k] = m.first[k] / m.volume;
    double trace = m.second[0] + m.second[1] + m.second[2] - m.volume * crn_dot3(c, c);
    for (int k = 0; k < 6; ++k)
    {
        int i = k < 3 ? k : k < 5 ? 0 : 1, j = k < 3 ? k : k == 3 ? 1 : 2;
        double about = m.second[k] - m.volume * c[i] * c[j];
        I[3 * i + j] = I[3 * j + i] = density * ((i == j ? trace : 0.0) - about);
        R_t[3 * i + j] = crn_frame_of(shape)->rotation[3 * j + i];
        R_t[3 * j + i] = crn_frame_of(shape)->rotation[3 * i + j];
    }
    crn_multiply33(crn_frame_of(shape)->rotation, I, turned);
    crn_multiply33(turned, R_t, I);
    crn_rotate3(crn_frame_of(shape)->rotation, c, centre);
    crn_add3(centre, crn_frame_of(shape)->position, centre);
    add_part(s, density * m.volume, centre, I);
}

static void add_spatial(sum *s, const crn_shape *shape, double density)
{
    if (shape->form->hull || shape->form->mesh)
    {
        add_volume(s, shape,
                   shape->form->hull ? crn_hull_moments(shape->form->hull) : crn_mesh_moments(shape->form->mesh),
                   density);
        return;
    }
    const crn_shape_class *class = crn_class_of(shape->kind);
    double principal[3] = {0, 0, 0}, m = density * (class->volume ? class->volume(shape, principal) : 0);
    /* R diag(principal) R' */
    const double *R = crn_frame_of(shape)->rotation;
    double I[9] = {0};
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k)
                I[3 * i + j] += R[3 * i + k] * density * principal[k] * R[3 * j + k];
    }
    add_part(s, m, crn_frame_of(shape)->position, I);
}

/* Where the mass is given, densities only weight the shapes relative to each other; if none is given, all are 1. */
static void add_shapes(const cairn_model *model, int body, sum *s)
{
    bool any_density = false;
    const crn_body *owner = &model->bodies[body];
    for (int i = owner->shape_begin; i < owner->shape_end; ++i)
        any_density = any_density || (model->shapes[i].body == body && model->shapes[i].density > 0);
    bool fill_in = !any_density && owner->traits->mass > 0;
    for (int i = owner->shape_begin; i < owner->shape_end; ++i)
    {
        const crn_shape *shape = &model->shapes[i];
        double density = fill_in ? 1.0 : shape->density;
        if (shape->body != body || !(density > 0))
            continue;
        s->extent = fmax(s->extent, shape->bound);
        if (model->dimension == 2)
            add_planar(s, shape, density);
        else
            add_spatial(s, shape, density);
    }
}

void crn_model_shapes_mass(const cairn_model *model, int body, double *mass, double centre[3], double *extent)
{
    sum s = {0};
    add_shapes(model, body, &s);
    *mass = s.mass;
    *extent = s.extent;
    for (int k = 0; k < 3; ++k)
        centre[k] = s.mass > 0 ? s.moment[k] / s.mass : 0.0;
}

/* Whether a body is a single hull or mesh, which the option recentre can move to its centre. */
static bool can_recentre(const cairn_model *model, const crn_body *body)
{
    const crn_shape *shape = &model->shapes[body->shape_begin];
    return body->shape_end == body->shape_begin + 1 && (shape->form->hull || shape->form->mesh);
}

static cairn_status check_centre(cairn_context *context, const cairn_model *model, const crn_body *body, const sum *s)
{
    assert(s->mass > 0);
    double c[3] = {s->moment[0] / s->mass, s->moment[1] / s->mass, s->moment[2] / s->mass};
    if (crn_norm3(c) <= 1e-9 * s->extent)
        return CAIRN_OK;
    return crn_fail(
        context, CAIRN_INVALID,
        "body '%s': its shapes' centre of mass is (%.12g, %.12g, %.12g), but the origin of a body's frame is its "
        "centre of mass: shift the shapes by the opposite, %sor give mass and inertia",
        body->name, c[0], c[1], c[2], can_recentre(model, body) ? "move the shape with recentre, " : "");
}

cairn_status crn_model_weigh(cairn_context *context, const cairn_model *model, int index, double *mass,
                             double inertia[9])
{
    assert(index >= 0 && (size_t)index < model->body_count);
    const crn_body *body = &model->bodies[index];
    *mass = body->traits->mass;
    bool is_given = crn_given_inertia(body, inertia), complete = *mass > 0 && (is_given || body->point);
    if (body->kind != CAIRN_DYNAMIC || complete)
        return CAIRN_OK;
    sum s = {0};
    add_shapes(model, index, &s);
    if (*mass == 0 && !(s.mass > 0))
    {
        const char *why = s.extent > 0 ? "its shapes are so small that theirs is 0"
                                       : "none given, and no shape with a density to compute it from";
        return crn_fail(context, CAIRN_INVALID, "body '%s': mass: %s", body->name, why);
    }
    cairn_status status = s.mass > 0 && !body->point ? check_centre(context, model, body, &s) : CAIRN_OK;
    *mass = *mass > 0 ? *mass : s.mass;
    if (status != CAIRN_OK || is_given || body->point)
        return status;
    double scale = s.mass > 0 ? *mass / s.mass : 0.0;
    for (int k = 0; k < 9; ++k)
        inertia[k] = scale * s.inertia[k];
    double least = model->dimension == 2 ? inertia[8] : fmin(fmin(inertia[0], inertia[4]), inertia[8]);
    if (!(least > 0))
    {
        return crn_fail(context, CAIRN_INVALID,
                        "body '%s': inertia: none given, and no shape to compute it from (a body that cannot turn is a "
                        "point mass: point: true)",
                        body->name);
    }
    return CAIRN_OK;
}

cairn_status crn_model_mass(const cairn_model *model, int index, double *mass, double inertia[9])
{
    return crn_model_weigh(model->context, model, index, mass, inertia);
}
