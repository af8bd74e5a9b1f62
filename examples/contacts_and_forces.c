/* Read contacts and their forces.
 *
 * A tower of three cubes stands on the floor. The contacts of a step come as one array of structs; an impulse divided by the
 * step is the mean force. The floor carries the weight of all three, and the lists of touches say who stands on whom. */
#include "example.h"

int main(void)
{
    const double g = 9.81;
    cairn_context *context = cairn_context_create();
    cairn_model *model;
    must(context, cairn_model_create(context, 3, &model));
    cairn_body floor = add_floor(context, model);
    const char *names[] = {"low", "middle", "high"};
    for (int i = 0; i < 3; ++i)
        add_cube(context, model, names[i], 0, i);

    cairn_settings settings = cairn_settings_default();
    cairn_hooks hooks = cairn_hooks_default();
    hooks.touches = true; /* keep lists of shapes that touch */
    cairn_simulation *simulation;
    must(context, cairn_simulation_create_hooked(context, model, &settings, &hooks, &simulation));

    int began;
    must(context, cairn_simulation_step(simulation));
    cairn_simulation_touches(simulation, CAIRN_TOUCH_BEGAN, &began);
    expect("pairs that began to touch", began, 3, 0);
    for (int n = 0; n < 20; ++n)
        must(context, cairn_simulation_step(simulation));

    /* The normal points from b to a, so a gets +impulse and b gets -impulse. */
    const cairn_contact *contacts;
    int count;
    must(context, cairn_simulation_contacts(simulation, &contacts, &count));
    double on_floor = 0;
    for (int i = 0; i < count; ++i)
    {
        double up = contacts[i].impulse[0] * contacts[i].normal[2] / settings.step;
        for (int k = 0; k < 2; ++k)
            up += contacts[i].impulse[1 + k] * contacts[i].tangent[k][2] / settings.step;
        on_floor += contacts[i].a.id == floor.id ? -up : contacts[i].b.id == floor.id ? up : 0;
    }
    expect("force of the floor, N", on_floor, 3 * 2 * g, 1e-6);

    const cairn_touch *touches = cairn_simulation_touches(simulation, CAIRN_TOUCH_WENT_ON, &count);
    for (int i = 0; i < count; ++i)
        printf("%s touches %s with %g N\n", cairn_model_body_name(model, touches[i].body_a),
               cairn_model_body_name(model, touches[i].body_b), touches[i].impulse / settings.step);
    expect("pairs that touch", count, 3, 0);
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
    return 0;
}
