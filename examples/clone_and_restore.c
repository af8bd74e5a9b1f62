/* Look ahead without disturbing the run: clones, saved states and bytes.
 *
 * A cube slides over the floor. Clones try several pushes from the same moment and tell where each would end; the original goes
 * on as if nobody had looked. Then the run goes back to a saved moment and repeats itself to the last bit. */
#include "example.h"

static double slide(cairn_context *context, cairn_simulation *simulation, cairn_body cube, int steps)
{
    for (int n = 0; n < steps; ++n)
        must(context, cairn_simulation_step(simulation));
    return cairn_simulation_body(simulation, cube).position[0];
}

int main(void)
{
    const double g = 9.81, mu = 0.5; /* of the default material */
    cairn_context *context = cairn_context_create();
    cairn_model *model;
    must(context, cairn_model_create(context, 3, &model));
    add_floor(context, model);
    cairn_body cube = add_cube(context, model, "cube", 0, 0);
    cairn_settings settings = cairn_settings_default();
    settings.integrator = CAIRN_INTEGRATOR_STIFF2;
    cairn_simulation *simulation;
    must(context, cairn_simulation_create(context, model, &settings, &simulation));

    /* What would happen if the cube were pushed at 1, 2, 3 m/s? It slides v^2 / (2 mu g). */
    for (int v = 1; v <= 3; ++v)
    {
        cairn_simulation *clone;
        must(context, cairn_simulation_clone(simulation, NULL, &clone));
        cairn_body_state state = cairn_simulation_body(clone, cube);
        state.velocity[0] = v;
        must(context, cairn_simulation_set_body(clone, cube, &state));
        expect("would slide to, m", slide(context, clone, cube, 80), v * v / (2 * mu * g), 1e-4);
        cairn_simulation_destroy(clone);
    }
    expect("but is still at, m", cairn_simulation_body(simulation, cube).position[0], 0, 0);

    /* Keep a moment as bytes (for a file, say), go on, come back, and go on again. */
    cairn_body_state state = cairn_simulation_body(simulation, cube);
    state.velocity[0] = 2;
    must(context, cairn_simulation_set_body(simulation, cube, &state));
    slide(context, simulation, cube, 10);
    cairn_state *kept, *read;
    must(context, cairn_simulation_save(simulation, &kept));
    size_t size;
    const void *bytes = cairn_state_bytes(kept, &size);
    must(context, cairn_state_from_bytes(context, bytes, size, &read));
    double first = slide(context, simulation, cube, 20);
    must(context, cairn_simulation_restore(simulation, read));
    expect("time after going back, s", cairn_simulation_time(simulation), 0.1, 1e-12);
    expect("the same again, to the last bit", slide(context, simulation, cube, 20), first, 0);
    cairn_state_destroy(kept);
    cairn_state_destroy(read);
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
    return 0;
}
