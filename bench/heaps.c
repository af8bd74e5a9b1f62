/* A four-sided heap: layers of spheres in the hollows of those below, each side two spheres shorter, so that it slopes by 35
 * degrees. Radii differ by up to 3 %, so the lattice is loose: it is let fall for STEPS steps, by sweeps at a loose tolerance, until
 * the forces have found their ways. */
#include "heaps.h"

#include "bench.h"
#include "support/builder.h"

#include <errno.h>
#include <math.h>
#include <sys/stat.h>

enum
{
    STEPS = 15,
    SWEEPS = 200,
    MOUND = 8 /* layers */
};

static const double CONTACTS_A_BALL = 3.9; /* seen after STEPS */
static const double FRICTION = 0.5;
static const double LOOSE = 0.03; /* largest shortage of a radius */

static int layers_of(heap_shape shape, int side)
{
    int most = (side + 1) / 2;
    return shape == HEAP_MOUND && most > MOUND ? MOUND : most;
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
            balls += (side - 2 * layer) * (side - 2 * layer);
        }
        found = CONTACTS_A_BALL * balls;
    }
    return side;
}

static cairn_model *make_model(cairn_context *context, heap_shape shape, int side)
{
    builder b = builder_open(context, 3, FRICTION, 7);
    builder_ground(&b);
    for (int layer = 0; layer < layers_of(shape, side); ++layer)
    {
        int width = side - 2 * layer;
        double shift = 0.5 * (layer % 2) - 0.5 * (width - 1);
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

/* Let it settle; a step that is not solved ends it, and its problem is the one kept. */
static bool settle_and_save(cairn_context *context, const cairn_model *model, const char *path)
{
    cairn_settings settings = cairn_settings_default();
    cairn_simulation *simulation = NULL;
    cairn_fclib_options options = cairn_fclib_default();
    settings.law = (cairn_law){CAIRN_LAW_CONE, 0};
    settings.solver.kind = CAIRN_SOLVER_GAUSS_SEIDEL;
    settings.solver.tolerance = 1e-3;
    settings.solver.max_iterations = SWEEPS;
    cairn_status status = cairn_simulation_create(context, model, &settings, &simulation);
    for (int i = 0; i < STEPS && !status; ++i)
    {
        status = cairn_simulation_step(simulation);
    }
    status = status == CAIRN_UNSOLVED ? CAIRN_OK : status;
    status = status ? status : cairn_problem_save_fclib(context, cairn_simulation_problem(simulation), path, &options);
    cairn_simulation_destroy(simulation);
    return !status;
}

cairn_problem *heaps_get(cairn_context *context, const char *directory, heap_shape shape, int contacts)
{
    char path[4096];
    struct stat there;
    cairn_problem *problem = NULL;
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
    {
        perror(directory);
        return NULL;
    }
    snprintf(path, sizeof path, "%s/%s-%d.h5", directory, shape == HEAP_MOUND ? "mound" : "heap", contacts);
    bool fine = true;
    if (stat(path, &there) != 0)
    {
        fprintf(stderr, "making a heap of %d contacts\n", contacts);
        cairn_model *model = make_model(context, shape, side_of(shape, contacts));
        fine = model && settle_and_save(context, model, path);
        cairn_model_destroy(model);
    }
    if (!fine || cairn_problem_load(context, path, &problem))
    {
        fprintf(stderr, "heap of %d contacts: %s\n", contacts, cairn_context_last_message(context));
    }
    return problem;
}
