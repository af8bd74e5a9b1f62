/* A four-sided heap: layers of spheres in the hollows of those below, each side two spheres shorter, so that it slopes by 35
 * degrees. Radii differ by up to 3 %, so the lattice is loose: it is let fall for some steps, by sweeps at a loose tolerance, until the
 * forces have found their ways. A pyramid that no wall holds goes on flowing: balls roll. A bed comes to rest. */
#include "heaps.h"

#include "bench.h"
#include "support/builder.h"

#include <errno.h>
#include <math.h>
#include <sys/stat.h>

enum
{
    SWEEPS = 200,
    LAYERS = 8 /* of mounds and beds */
};

static const double CONTACTS_A_BALL = 3.9;             /* seen at the last moments */
static const double FRICTION = 0.3;                    /* that of the built-in heap */
static const int MOMENTS[HEAP_MOMENTS] = {10, 15, 20}; /* steps: landing, and on the way to rest */
static const double LOOSE = 0.03;                      /* largest shortage of a radius */

static int layers_of(heap_shape shape, int side)
{
    int most = (side + 1) / 2;
    return shape == HEAP_BED || (shape == HEAP_MOUND && most > LAYERS) ? LAYERS : most;
}

/* Balls a side of a layer. */
static int width_of(heap_shape shape, int side, int layer)
{
    return shape == HEAP_BED ? side - layer % 2 : side - 2 * layer;
}

/* The side whose heap has so many contacts. */
static int side_of(heap_shape shape, int contacts)
{
    int side = 0;
    double found = 0;
    while (found < contacts)
    {
        int balls = 0;
        ++side;
        for (int layer = 0; layer < layers_of(shape, side); ++layer)
        {
            int width = width_of(shape, side, layer);
            balls += width * width;
        }
        found = CONTACTS_A_BALL * balls;
    }
    return side;
}

/* Walls about a bed, which the outermost balls nearly touch. */
static void add_walls(builder *b, int side)
{
    double half = 0.5 * side;
    builder_wall(b, -half, 0, 0, 1, 0, 0);
    builder_wall(b, half, 0, 0, -1, 0, 0);
    builder_wall(b, 0, -half, 0, 0, 1, 0);
    builder_wall(b, 0, half, 0, 0, -1, 0);
}

cairn_model *heaps_model(cairn_context *context, heap_shape shape, int contacts)
{
    int side = side_of(shape, contacts);
    builder b = builder_open(context, 3, FRICTION, 7);
    builder_ground(&b);
    if (shape == HEAP_BED)
        add_walls(&b, side);
    for (int layer = 0; layer < layers_of(shape, side); ++layer)
    {
        int width = width_of(shape, side, layer);
        double shift = (shape == HEAP_BED ? 0.0 : 0.5 * (layer % 2)) - 0.5 * (width - 1);
        for (int k = 0; k < width * width; ++k)
        {
            builder_pose pose = builder_at(k % width + shift, (double)(k / width) + shift, 0.5 + layer * sqrt(0.5));
            pose.density = 2;
            builder_ball(&b, &pose, 0.5 * (1 - test_uniform(&b.random, 0, LOOSE)));
        }
    }
    if (b.status)
    {
        cairn_model_destroy(b.model);
        return NULL;
    }
    return b.model;
}

static void name_file(char *path, size_t size, const char *directory, heap_shape shape, int contacts, int moment)
{
    static const char *const NAMES[HEAP_SHAPES] = {"heap", "mound", "bed"};
    snprintf(path, size, "%s/%s-%d-%d.h5", directory, NAMES[shape], contacts, moment);
}

/* Step on to a moment and write its problem. A step that is not solved ends the world; its problem is kept all the same. */
static cairn_status save_moment(cairn_context *context, cairn_simulation *simulation, int moment, const char *path)
{
    cairn_fclib_options options = cairn_fclib_default();
    cairn_status status = CAIRN_OK;
    int64_t step = cairn_simulation_report(simulation)->step;
    for (; step < MOMENTS[moment] && !status; ++step)
        status = cairn_simulation_step(simulation);
    if (!status || status == CAIRN_UNSOLVED)
        status = cairn_problem_save_fclib(context, cairn_simulation_problem(simulation), path, &options);
    return status;
}

static bool settle_and_save(cairn_context *context, const char *directory, heap_shape shape, int contacts)
{
    char path[4096];
    cairn_settings settings = cairn_settings_default();
    cairn_simulation *simulation = NULL;
    cairn_model *model = heaps_model(context, shape, contacts);
    settings.law = (cairn_law){CAIRN_LAW_CONE, 0};
    settings.solver.kind = CAIRN_SOLVER_GAUSS_SEIDEL;
    settings.solver.tolerance = 1e-3;
    settings.solver.max_iterations = SWEEPS;
    cairn_status status = model ? cairn_simulation_create(context, model, &settings, &simulation) : CAIRN_INVALID;
    for (int moment = 0; moment < HEAP_MOMENTS && !status; ++moment)
    {
        name_file(path, sizeof path, directory, shape, contacts, moment);
        status = save_moment(context, simulation, moment, path);
    }
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
    return !status;
}

cairn_problem *heaps_get(cairn_context *context, const char *directory, heap_shape shape, int contacts, int moment)
{
    char path[4096];
    struct stat there;
    cairn_problem *problem = NULL;
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
    {
        perror(directory);
        return NULL;
    }
    name_file(path, sizeof path, directory, shape, contacts, moment);
    bool fine = true;
    if (stat(path, &there) != 0)
    {
        fprintf(stderr, "making a heap of %d contacts\n", contacts);
        fine = settle_and_save(context, directory, shape, contacts);
    }
    if (!fine || cairn_problem_load(context, path, &problem))
        fprintf(stderr, "heap of %d contacts: %s\n", contacts, cairn_context_last_message(context));
    return problem;
}
