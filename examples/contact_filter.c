/* Hooks: which shapes may touch, and how.
 *
 * Two cubes fall onto the floor. One carries a mark in its user data; the filter lets marked bodies pass through everything. The
 * pre-solve hook makes the floor slippery where x > 0. */
#include "example.h"

/* Pure functions: the same answer for the same arguments. A filter may be called by several threads at once. */
static bool may_touch(void *data, const cairn_simulation *simulation, const cairn_shape_pair *pair)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    (void)data;
    return !cairn_model_body_data(model, pair->body_a) && !cairn_model_body_data(model, pair->body_b);
}

static bool is_slippery(void *data, const cairn_simulation *simulation, const cairn_contact_candidate *candidate,
                        cairn_surface *surface)
{
    (void)data;
    (void)simulation;
    if (candidate->point[0] > 0)
        surface->friction = 0;
    return true; /* false would drop the contact */
}

int main(void)
{
    static char mark[] = "ghost";
    cairn_context *context = cairn_context_create();
    cairn_model *model;
    must(context, cairn_model_create(context, 3, &model));
    add_floor(context, model);
    cairn_body solid = add_cube(context, model, "solid", 2, 0), ghost = add_cube(context, model, "ghost", -5, 0);
    must(context, cairn_model_set_body_data(model, ghost, mark));

    cairn_settings settings = cairn_settings_default();
    cairn_hooks hooks = cairn_hooks_default();
    hooks.filter = may_touch;
    hooks.pre_solve = is_slippery;
    cairn_simulation *simulation;
    must(context, cairn_simulation_create_hooked(context, model, &settings, &hooks, &simulation));
    cairn_body_state push = cairn_simulation_body(simulation, solid);
    push.velocity[0] = 1;
    must(context, cairn_simulation_set_body(simulation, solid, &push));
    for (int n = 0; n < 100; ++n)
        must(context, cairn_simulation_step(simulation));

    double t = cairn_simulation_time(simulation);
    expect("the ghost has fallen through, m", cairn_simulation_body(simulation, ghost).position[2],
           0.5 - 0.5 * 9.81 * t * (t + settings.step), 1e-9); /* as the first-order scheme falls */
    expect("the other lies on the floor, m", cairn_simulation_body(simulation, solid).position[2], 0.5, 1e-6);
    expect("and slides at full speed, m/s", cairn_simulation_body(simulation, solid).velocity[0], 1, 1e-9);
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
    return 0;
}
