/* Step a simulation and read all bodies at once.
 *
 * Ten cubes are thrown upwards at different speeds. Positions and velocities are read as arrays, without a call per body, and
 * compared with the parabola of free flight. */
#include "example.h"

int main(void)
{
    enum
    {
        COUNT = 10
    };
    cairn_context *context = cairn_context_create();
    cairn_model *model;
    must(context, cairn_model_create(context, 3, &model));
    for (int i = 0; i < COUNT; ++i)
    {
        char name[16];
        snprintf(name, sizeof name, "cube%d", i);
        add_cube(context, model, name, 3.0 * i, 10);
    }

    /* Settings always begin with their default; change what should differ. */
    cairn_settings settings = cairn_settings_default();
    settings.step = 0.01;
    settings.integrator = CAIRN_INTEGRATOR_STIFF2;
    cairn_simulation *simulation;
    must(context, cairn_simulation_create(context, model, &settings, &simulation));

    /* All states at once, e.g. from another program. */
    cairn_body_state states[COUNT];
    for (int i = 0; i < COUNT; ++i)
    {
        states[i] = cairn_simulation_body(simulation, cairn_model_body(model, i));
        states[i].velocity[2] = i;
    }
    must(context, cairn_simulation_set_states(simulation, states, COUNT));

    for (int n = 0; n < 50; ++n)
        must(context, cairn_simulation_step(simulation));

    /* Arrays over all bodies: body i begins at i * stride. They are valid until the next step. */
    int x_stride, v_stride;
    const double *x = cairn_simulation_positions(simulation, &x_stride), *v;
    must(context, cairn_simulation_velocities(simulation, &v, &v_stride));
    double t = cairn_simulation_time(simulation);
    for (int i = 0; i < COUNT; ++i)
    {
        expect("height, m", x[i * x_stride + 2], 10.5 + i * t - 0.5 * 9.81 * t * t, 1e-9);
        expect("speed, m/s", v[i * v_stride + 2], i - 9.81 * t, 1e-9);
    }
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
    return 0;
}
