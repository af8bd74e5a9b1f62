/* A point mass falls for one second in 1000 explicit steps: v = -g t, and x = -(g t^2 / 2)(1 + h / t) for a scheme that
 * moves with the new velocity. Exit status 0 when the installed library says so too. */
#include <cairn/cairn.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static int fall(cairn_context *context, double *x, double *v)
{
    cairn_model *model = NULL;
    cairn_body_options options = cairn_body_default();
    options.name = "stone";
    options.point = true;
    options.mass = 2;
    cairn_body stone = {0};
    cairn_settings settings = cairn_settings_default();
    settings.step = 1e-3;
    settings.integrator = CAIRN_INTEGRATOR_EULER;
    cairn_simulation *simulation = NULL;
    int failed = cairn_model_create(context, 2, &model) || cairn_model_add_body(model, &options, &stone) ||
                 cairn_simulation_create(context, model, &settings, &simulation);
    for (int i = 0; i < 1000 && !failed; ++i)
        failed = cairn_simulation_step(simulation) != CAIRN_OK;
    if (!failed)
    {
        cairn_body_state state = cairn_simulation_body(simulation, stone);
        *x = state.position[1];
        *v = state.velocity[1];
    }
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
    return failed;
}

int main(void)
{
    double x = 0, v = 0;
    cairn_context *context = cairn_context_create();
    int failed = fall(context, &x, &v);
    if (failed)
        fprintf(stderr, "failed: %s\n", cairn_context_last_message(context));
    cairn_context_destroy(context);
    printf("cairn %s: x = %.12g m, v = %.12g m/s\n", cairn_version(), x, v);
    int right =
        fabs(v + 9.81) < 1e-9 && fabs(x + 9.81 / 2 * (1 + 1e-3)) < 1e-9 && !strcmp(cairn_version(), CAIRN_VERSION);
    return failed || !right;
}
