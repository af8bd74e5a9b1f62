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

/* Heaps that fall, with and without restitution: steps that find contacts late, or take restitution away, take no more sweeps than were
 * given either, and create no energy by it. Returns the number of steps that took all of them. */
static int steps_that_take_all(int sweeps, cairn_accuracy accuracy, double restitution)
{
    cairn_settings settings = cairn_settings_default();
    settings.step = 0.005;
    settings.accuracy = accuracy;
    settings.solver.max_iterations = sweeps;
    world w = heap_world(
        &(heap_options){.dimension = 3, .count = 300, .friction = 0.4, .restitution = restitution, .seed = 2});
    world_start(&w, &settings);
    int took_all = 0;
    bool swept_before =
        false; /* in the step where islands grow large, the first pass may be that of a general problem, whose iterations count for each island */
    for (int k = 0; k < 160; ++k)
    {
        heap_run(&w, 1);
        const cairn_step_report *step = cairn_simulation_report(w.simulation);
        const cairn_solver_report *report = &step->solver;
        bool swept = strcmp(report->method, "sweeps") == 0;
        assert_true(!swept || !swept_before || report->iterations <= sweeps);
        assert_int_equal(step->physics.violations, 0);
        took_all += swept && report->iterations == sweeps;
        swept_before = swept;
    }
    world_free(&w);
    return took_all;
}

static void a_maximum_is_one(void **state)
{
    (void)state;
    static const int SWEEPS[] = {1, 2, 4, 13, 14, 40};
    int took_all = 0;
    for (int i = 0; i < 6; ++i)
        for (int bounces = 0; bounces < 2; ++bounces)
            for (int fast = 0; fast < 2; ++fast)
                took_all += steps_that_take_all(SWEEPS[i], fast ? CAIRN_ACCURACY_FAST : CAIRN_ACCURACY_BALANCED,
                                                bounces ? 0.5 : 0.0);
    assert_true(took_all > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(more_sweeps_leave_less), cmocka_unit_test(a_maximum_is_one)};
    return cmocka_run_group_tests_name("sweeps given", tests, NULL, NULL);
}
