/* `max_iterations` in swept steps: that many sweeps at most, and what more sweeps leave of the contact laws is less. */
#include "support/check.h"
#include "support/heap.h"

#include <string.h>

/* The mean residual of the last steps of a heap that settles with so many sweeps a step. */
static double residual_with(int sweeps)
{
    cairn_settings settings = cairn_settings_default();
    settings.step = 0.005;
    settings.solver.max_iterations = sweeps;
    world w = heap_world(&(heap_options){.dimension = 3, .count = 150, .friction = 0.4, .seed = 2});
    world_start(&w, &settings);
    double mean = 0;
    int counted = 0;
    for (int k = 0; k < 160; ++k)
    {
        heap_run(&w, 1);
        const cairn_solver_report *report = &cairn_simulation_report(w.simulation)->solver;
        if (k < 100 || strcmp(report->method, "sweeps") != 0)
            continue;
        assert_true(report->iterations > 0 && report->iterations <= sweeps);
        mean += report->certificate.natural_map;
        ++counted;
    }
    assert_true(counted > 10);
    world_free(&w);
    return mean / counted;
}

static void more_sweeps_leave_less(void **state)
{
    (void)state;
    double few = residual_with(3), some = residual_with(15), many = residual_with(400);
    assert_true(some < 0.5 * few && many < 0.8 * some);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(more_sweeps_leave_less)};
    return cmocka_run_group_tests_name("sweeps given", tests, NULL, NULL);
}
