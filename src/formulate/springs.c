#include "formulate/springs.h"

#include "math/swing_twist_angle.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double AXES[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static int linear(const cairn_model *model, const crn_frame *frame, const crn_spring *spring, double phi[3],
                  crn_gradient gradient[3])
{
    double a[3], b[3], d[3];
    crn_frame_point(frame, &spring->a, a);
    crn_frame_point(frame, &spring->b, b);
    crn_sub3(b, a, d);
    if (spring->rest == 0)
    {
        for (int k = 0; k < model->dimension; ++k)
        {
            phi[k] = d[k];
            crn_gradient_point(frame, &gradient[k], 0, spring->a.body, a, AXES[k], -1);
            crn_gradient_point(frame, &gradient[k], 1, spring->b.body, b, AXES[k], 1);
        }
        return model->dimension;
    }
    double length = crn_norm3(d);
    /* where the points coincide exactly, a spring with a rest length has no direction and exerts no force */
    double unit[3] = {0, 0, 0};
    for (int k = 0; length > 0 && k < 3; ++k)
        unit[k] = d[k] / length;
    phi[0] = length - spring->rest;
    crn_gradient_point(frame, &gradient[0], 0, spring->a.body, a, unit, -1);
    crn_gradient_point(frame, &gradient[0], 1, spring->b.body, b, unit, 1);
    return 1;
}

/* The relative angle, with the number of full turns that brings it closest to the angle of the previous step. */
static double relative_angle(const cairn_model *model, const crn_frame *frame, const crn_spring *spring,
                             double last_angle, double g_a[3], double g_b[3])
{
    static const double UNTURNED[4] = {1, 0, 0, 0};
    int a = spring->a.body;
    int b = spring->b.body;
    if (model->dimension == 2)
    {
        memcpy(g_a, (double[3]){0, 0, -1}, sizeof(double[3]));
        memcpy(g_b, AXES[2], sizeof(double[3]));
        return (b < 0 ? 0.0 : frame->angle[b]) - (a < 0 ? 0.0 : frame->angle[a]);
    }
    double angle = crn_swing_twist_angle(a < 0 ? UNTURNED : frame->quaternion[a],
                                         b < 0 ? UNTURNED : frame->quaternion[b], spring->axis_a, g_a, g_b);
    double turn = 2 * acos(-1.0);
    return angle + turn * round((last_angle - angle) / turn);
}

static int angular(const cairn_model *model, const crn_frame *frame, const crn_spring *spring, double last_angle,
                   double phi[3], crn_gradient gradient[3])
{
    double g[2][3];
    phi[0] = relative_angle(model, frame, spring, last_angle, g[0], g[1]) - spring->rest;
    for (int side = 0; side < 2; ++side)
    {
        memset(gradient[0].g[side], 0, sizeof gradient[0].g[side]);
        gradient[0].body[side] = side == 0 ? spring->a.body : spring->b.body;
        memcpy(gradient[0].g[side] + 3, g[side], sizeof g[side]);
    }
    return 1;
}

int crn_spring_coordinates(const cairn_model *model, const crn_frame *frame, int index, double last_angle,
                           double phi[3], crn_gradient gradient[3])
{
    assert(index >= 0 && (size_t)index < model->spring_count);
    const crn_spring *spring = &model->springs[index];
    return spring->kind == CAIRN_SPRING_LINEAR ? linear(model, frame, spring, phi, gradient)
                                               : angular(model, frame, spring, last_angle, phi, gradient);
}

double crn_spring_stretch(const cairn_model *model, const crn_frame *frame, int index, double last_angle)
{
    double phi[3] = {0};
    crn_gradient gradient[3];
    int count = crn_spring_coordinates(model, frame, index, last_angle, phi, gradient);
    return count == 1 ? phi[0] : crn_norm3(phi);
}
