#define _GNU_SOURCE
#include "stepping.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A callback in another thread of the step may set the flag. */
static bool is_stopped(const int *stop)
{
    return __atomic_load_n(stop, __ATOMIC_RELAXED) != 0;
}

/* A device takes steps together, up to the next frame. */
static int steps_together(const cairn_simulation *simulation, const cairn_python_steps *steps)
{
    const int64_t most = 1000; /* without a look at signals */
    int64_t count = steps->wanted - steps->done < most ? steps->wanted - steps->done : most;
    int64_t to_frame = steps->recorder ? cairn_recorder_steps_to_frame(steps->recorder) : count;
    if (cairn_simulation_settings(simulation)->device != CAIRN_DEVICE_GPU || steps->samples)
        return 1;
    return (int)(count < to_frame ? count : to_frame);
}

cairn_status cairn_python_step(cairn_simulation *simulation, cairn_python_steps *steps)
{
    double end = now() + steps->seconds;
    cairn_status status = CAIRN_OK;
    for (steps->done = 0; steps->done < steps->wanted && !status && !is_stopped(steps->stop) && now() < end;)
    {
        int count = steps_together(simulation, steps);
        status = count == 1 ? cairn_simulation_step(simulation) : cairn_simulation_steps(simulation, count);
        steps->done += status == CAIRN_OK ? count : 0;
        if (!status && steps->recorder)
            status = cairn_recorder_write(steps->recorder);
    }
    return status;
}

int cairn_python_step_many(cairn_simulation *const *simulations, int count, int64_t steps, const int *stop,
                           cairn_status *status)
{
    int failed = 0;
    for (int i = 0; i < count; ++i)
    {
        status[i] = CAIRN_OK;
        for (int64_t k = 0; k < steps && !status[i] && !is_stopped(stop); ++k)
            status[i] = cairn_simulation_step(simulations[i]);
        failed += status[i] != CAIRN_OK;
    }
    return failed;
}

void cairn_python_states(const cairn_simulation *simulation, cairn_body_state *states)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    int count = cairn_model_body_count(model);
    for (int i = 0; i < count; ++i)
        states[i] = cairn_simulation_body(simulation, cairn_model_body(model, i));
}

/* ---------------------------------------------------------------------------------------------------------------- batches */

int cairn_python_read(cairn_simulation *const *simulations, int count, const cairn_quantity *quantities, double *values)
{
    int numbers = count > 0 ? quantities[0].count : 0;
    for (int i = 0; i < count; ++i)
    {
        double found[CAIRN_QUANTITY_MOST];
        if (quantities[i].count != numbers || cairn_quantity_value(simulations[i], &quantities[i], found))
            return i;
        memcpy(values + (size_t)i * (size_t)numbers, found, (size_t)numbers * sizeof *found);
    }
    return count;
}

/* `width` numbers per body, from rows that are `stride` apart. */
static double *copy_rows(const double *rows, int stride, int bodies, int width, double *values)
{
    for (int i = 0; i < bodies; ++i, values += width)
        memcpy(values, rows + (size_t)i * (size_t)stride, (size_t)width * sizeof *values);
    return values;
}

static bool has_bodies(const cairn_simulation *simulation, int bodies)
{
    return cairn_model_body_count(cairn_simulation_model(simulation)) == bodies;
}

int cairn_python_positions(cairn_simulation *const *simulations, int count, int bodies, double *values)
{
    for (int i = 0, stride = 0; i < count; ++i)
    {
        if (!has_bodies(simulations[i], bodies))
            return i;
        const double *rows = cairn_simulation_positions(simulations[i], &stride);
        values = copy_rows(rows, stride, bodies, 3, values);
    }
    return count;
}

int cairn_python_velocities(cairn_simulation *const *simulations, int count, int bodies, double *values)
{
    for (int i = 0, stride = 0; i < count; ++i)
    {
        const double *rows = NULL;
        if (!has_bodies(simulations[i], bodies) || cairn_simulation_velocities(simulations[i], &rows, &stride))
            return i;
        values = copy_rows(rows, stride, bodies, 6, values);
    }
    return count;
}

int cairn_python_set_targets(cairn_model *const *models, int count, const cairn_joint *joints, const char *coordinate,
                             const double *values)
{
    for (int i = 0; i < count; ++i)
    {
        char text[32];
        snprintf(text, sizeof text, "%.17g", values[i]);
        if (cairn_model_set_target(models[i], joints[i], coordinate, &(cairn_signal){.expression = text}))
            return i;
    }
    return count;
}
