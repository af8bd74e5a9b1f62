/* What tests of simulations on the device share. */
#ifndef CAIRN_TESTS_SUPPORT_DEVICE_H
#define CAIRN_TESTS_SUPPORT_DEVICE_H

#include "math/vec.h"
#include "support/check.h"
#include "support/device_library.h"
#include "support/worlds.h"

#include <string.h>

/* sweeps: 0 for the default. */
static inline cairn_settings on_device(double h, int sweeps)
{
    cairn_settings settings = cairn_settings_default();
    settings.device = CAIRN_DEVICE_GPU;
    settings.step = h;
    settings.sweeps = sweeps > 0 ? sweeps : settings.sweeps;
    return settings;
}

static inline void device_take(world *w, int steps)
{
    assert_int_equal(cairn_simulation_steps(w->simulation, steps), CAIRN_OK);
}

static inline cairn_shape_options shape_of(cairn_shape_kind kind, cairn_material material)
{
    cairn_shape_options shape = cairn_shape_default(kind);
    shape.material = material;
    return shape;
}

static inline void add_shape(cairn_model *model, cairn_body body, const cairn_shape_options *options)
{
    cairn_shape shape;
    assert_int_equal(cairn_model_add_shape(model, body, options, &shape), CAIRN_OK);
}

/* Three balls of radius 0.1 at the corners of a triangle, turned by a rotation vector. */
static inline cairn_body add_clump(cairn_model *model, const char *name, const double position[3], const double turn[3],
                                   cairn_material material)
{
    cairn_body_options options = cairn_body_default();
    options.name = name;
    options.mass = 1;
    options.inertia[0] = options.inertia[1] = 0.03;
    options.inertia[2] = 0.05;
    memcpy(options.position, position, sizeof options.position);
    crn_quaternion_exp(turn, options.orientation);
    cairn_body body;
    assert_int_equal(cairn_model_add_body(model, &options, &body), CAIRN_OK);
    for (int i = 0; i < 3; ++i)
    {
        double phi = 2.0943951023931953 * i;
        cairn_shape_options shape = shape_of(CAIRN_SPHERE, material);
        shape.radius = 0.1;
        memcpy(shape.position, (double[3]){0.15 * cos(phi), 0.15 * sin(phi), 0}, sizeof shape.position);
        add_shape(model, body, &shape);
    }
    return body;
}

#endif
