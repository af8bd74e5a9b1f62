#define _GNU_SOURCE
#include "stepping.h"

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

cairn_status cairn_python_step(cairn_simulation *simulation, cairn_python_steps *steps)
{
    double end = now() + steps->seconds;
    cairn_status status = CAIRN_OK;
    for (steps->done = 0; steps->done < steps->wanted && !status && !is_stopped(steps->stop) && now() < end;)
    {
        status = cairn_simulation_step(simulation);
        steps->done += status == CAIRN_OK;
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
