#include <cairn/cairn.h>
#include <stdio.h>

int main(void)
{
    cairn_context *context = cairn_context_create();
    cairn_model *model = cairn_model_create(context, 2);
    cairn_body_options floor = cairn_body_default(), puck = cairn_body_default();
    cairn_shape_options ground = cairn_shape_default(CAIRN_HALF_PLANE), tip = cairn_shape_default(CAIRN_POINT);
    cairn_settings settings = cairn_settings_default();
    cairn_simulation *simulation = NULL;
    cairn_material standard = {0};
    cairn_shape shape;
    cairn_body a, b;

    floor.name = "floor", floor.kind = CAIRN_FIXED, ground.normal[1] = 1;
    puck.name = "puck", puck.point = true, puck.mass = 0.2, puck.velocity[0] = 2;
    settings.step = 0.001;
    bool failed = cairn_model_add_body(model, &floor, &a) || cairn_model_add_shape(model, a, &ground, &shape) ||
                  cairn_model_add_body(model, &puck, &b) || cairn_model_add_shape(model, b, &tip, &shape) ||
                  cairn_model_set_pair(model, standard, standard, 0.3, 0) ||
                  cairn_simulation_create(context, model, &settings, &simulation);
    for (int i = 0; i < 1000 && !failed; ++i)
        failed = cairn_simulation_step(simulation) != CAIRN_OK;
    if (failed)
        fprintf(stderr, "%s\n", cairn_context_last_message(context));
    else
        printf("stopped at x = %.4f m\n", cairn_simulation_body(simulation, b).position[0]);

    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
    return failed;
}
