/* The same heap on the processor and on a device, at the same number of sweeps per step: how deep contacts overlap, what the sweeps leave, and what the heap is like.
 *
 *     compare SPHERES SWEEPS SECONDS
 *
 * The device's library is found as libcairn finds it (CAIRN_GPU_LIBRARY). Overlaps are those of contacts that carry a force, in the last step; residuals are the certified
 * ones of the last fifth of the steps.
 */
#include <cairn/cairn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double RADIUS = 0.05, STEP = 0.005;

typedef struct sample
{
    double *at;
    int count;
} sample;

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const sample *of, double share)
{
    int i = (int)(share * (of->count - 1));
    return of->count > 0 ? of->at[i] : 0.0;
}

static bool add_walls(cairn_model *model, cairn_material material, double half)
{
    cairn_body_options options = cairn_body_default();
    cairn_body body;
    cairn_shape shape;
    options.name = "bin";
    options.kind = CAIRN_FIXED;
    bool failed = cairn_model_add_body(model, &options, &body) != CAIRN_OK;
    for (int i = 0; i < 5 && !failed; ++i)
    {
        cairn_shape_options wall = cairn_shape_default(CAIRN_HALF_SPACE);
        wall.material = material;
        int axis = i == 0 ? 2 : (i - 1) / 2;
        wall.normal[axis] = i % 2 || i == 0 ? 1 : -1;
        wall.position[axis] = i == 0 ? 0 : i % 2 ? -half : half;
        failed = cairn_model_add_shape(model, body, &wall, &shape) != CAIRN_OK;
    }
    return !failed;
}

/* As in heap.c: columns with a little room, in no order. */
static bool add_spheres(cairn_model *model, cairn_material material, int count, int across)
{
    uint64_t seed = 12345;
    bool failed = false;
    for (int i = 0; i < count && !failed; ++i)
    {
        cairn_body_options options = cairn_body_default();
        cairn_shape_options ball = cairn_shape_default(CAIRN_SPHERE);
        cairn_body body;
        cairn_shape shape;
        char name[24];
        snprintf(name, sizeof name, "ball%d", i);
        options.name = name;
        options.mass = 4.18879 * 2000 * RADIUS * RADIUS * RADIUS;
        for (int k = 0; k < 3; ++k)
        {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            int cell = k == 0 ? i % across : k == 1 ? i / across % across : i / across / across;
            options.position[k] = (cell + 0.6 - (k < 2 ? 0.5 * across : 0)) * 2.3 * RADIUS +
                                  0.1 * RADIUS * ((double)(seed >> 40) / (1 << 24) - 0.5);
            options.inertia[k] = 0.4 * options.mass * RADIUS * RADIUS;
        }
        ball.radius = RADIUS;
        ball.material = material;
        failed = cairn_model_add_body(model, &options, &body) != CAIRN_OK ||
                 cairn_model_add_shape(model, body, &ball, &shape) != CAIRN_OK;
    }
    return !failed;
}

static double value_of(cairn_context *context, const cairn_simulation *simulation, const char *name)
{
    cairn_quantity quantity;
    double value[9] = {NAN};
    if (cairn_quantity_find(context, cairn_simulation_model(simulation), name, &quantity) == CAIRN_OK)
        cairn_quantity_value(simulation, &quantity, value);
    return value[0];
}

static void tell(cairn_context *context, const cairn_simulation *simulation, sample *residual)
{
    int all = cairn_simulation_contact_count(simulation);
    sample deep = {calloc((size_t)all + 1, sizeof(double)), 0};
    for (int i = 0; i < all; ++i)
    {
        cairn_contact contact = cairn_simulation_contact(simulation, i);
        if (contact.impulse[0] > 0)
            deep.at[deep.count++] = fmax(0, -contact.gap) / RADIUS;
    }
    qsort(deep.at, (size_t)deep.count, sizeof(double), ascending);
    qsort(residual->at, (size_t)residual->count, sizeof(double), ascending);
    printf("  overlap/r median %.2e, 90 %% %.2e, 99 %% %.2e, most %.2e\n", quantile(&deep, 0.5), quantile(&deep, 0.9),
           quantile(&deep, 0.99), quantile(&deep, 1));
    printf("  residual, m/s: median %.2e, 90 %% %.2e, most %.2e\n", quantile(residual, 0.5), quantile(residual, 0.9),
           quantile(residual, 1));
    printf("  contacts %.0f, coordination %.3f, rattlers %.3f, mean force %.3f N, virial.zz %.4g J, speed %.2e m/s\n",
           value_of(context, simulation, "grains.contacts"), value_of(context, simulation, "grains.coordination"),
           value_of(context, simulation, "grains.rattlers"), value_of(context, simulation, "grains.mean_force"),
           value_of(context, simulation, "grains.virial.zz"), value_of(context, simulation, "grains.mean_speed"));
    free(deep.at);
}

static bool run(int count, int sweeps, double until, cairn_device device)
{
    cairn_context *context = cairn_context_create();
    cairn_model *model = NULL;
    cairn_simulation *simulation = NULL;
    cairn_material material;
    cairn_material_options wood = cairn_material_default();
    cairn_settings settings = cairn_settings_default();
    int across = (int)ceil(cbrt(0.5 * count)), steps = (int)(until / STEP + 0.5);
    sample residual = {calloc((size_t)steps, sizeof(double)), 0};
    wood.name = "wood";
    wood.friction = 0.5;
    settings.step = STEP;
    settings.sweeps = sweeps;
    settings.device = device;
    settings.audit = false;
    settings.certify_every = 1;
    bool good = cairn_model_create(context, 3, &model) == CAIRN_OK &&
                cairn_model_add_material(model, &wood, &material) == CAIRN_OK &&
                add_walls(model, material, 0.5 * across * 2.3 * RADIUS + 0.6 * RADIUS) &&
                add_spheres(model, material, count, across) &&
                cairn_simulation_create(context, model, &settings, &simulation) == CAIRN_OK;
    for (int i = 0; i < steps && good; ++i)
    {
        good = cairn_simulation_step(simulation) == CAIRN_OK;
        if (good && i >= steps - steps / 5)
            residual.at[residual.count++] = cairn_simulation_report(simulation)->solver.certificate.natural_map;
    }
    printf("%s, %d spheres, %d sweeps, t = %g s\n", device == CAIRN_DEVICE_GPU ? "device" : "processor", count, sweeps,
           until);
    if (good)
        tell(context, simulation, &residual);
    else
        printf("  %s\n", cairn_context_last_message(context));
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
    free(residual.at);
    return good;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    int count = atoi(argv[1]), sweeps = atoi(argv[2]);
    double until = atof(argv[3]);
    bool processor = run(count, sweeps, until, CAIRN_DEVICE_CPU), device = run(count, sweeps, until, CAIRN_DEVICE_GPU);
    return !(processor && device);
}
