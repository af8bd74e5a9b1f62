/* Steps whose search the time limit ends: the run goes on with the best answer, counted as one that missed, and what it reports
 * is what acted. The limit is one that no search keeps, on any machine. */
#include "support/worlds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Vertical momentum, and mass, of all that moves. */
static double momentum(const world *w, double *mass)
{
    const cairn_model *model = world_model(w);
    double sum = 0;
    *mass = 0;
    for (int i = 0; i < cairn_model_body_count(model); ++i)
    {
        cairn_body body = cairn_model_body(model, i);
        double m = cairn_model_body_mass(model, body);
        sum += m * cairn_simulation_body(w->simulation, body).velocity[2];
        *mass += m;
    }
    return sum;
}

/* Vertical impulse that fixed bodies exerted in the last step. */
static double support(const world *w)
{
    const cairn_model *model = world_model(w);
    double sum = 0;
    for (int i = 0; i < cairn_simulation_contact_count(w->simulation); ++i)
    {
        cairn_contact c = cairn_simulation_contact(w->simulation, i);
        bool a = cairn_model_body_kind(model, c.a) == CAIRN_DYNAMIC,
             b = cairn_model_body_kind(model, c.b) == CAIRN_DYNAMIC;
        double up = c.impulse[0] * c.normal[2] + c.impulse[1] * c.tangent[0][2] + c.impulse[2] * c.tangent[1][2];
        sum += a == b ? 0 : a ? up : -up;
    }
    return sum;
}

/* Whatever the answer, the momentum changes by weight and contacts alone. */
static int run_short_of_time(const char *name, int steps)
{
    cairn_settings settings;
    world w = world_load(name, &settings, NULL, 0);
    settings.accuracy = CAIRN_ACCURACY_EXACT;
    settings.solver.time_limit = 1e-9;
    world_start(&w, &settings);
    int failures = 0;
    double mass, before = momentum(&w, &mass);
    for (int i = 0; i < steps; ++i)
    {
        assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
        const cairn_solver_report *report = &cairn_simulation_report(w.simulation)->solver;
        double now = momentum(&w, &mass), weight = 9.81 * mass * settings.step;
        assert_true(fabs(now - before + weight - support(&w)) <= 1e-9 * (weight + fabs(now)));
        before = now;
        bool met = report->certificate.relative <= settings.solver.tolerance;
        assert_int_equal(report->outcome, met ? CAIRN_SOLVED : CAIRN_MISSED);
        assert_int_equal(report->out_of_time, !met);
        failures += report->certificate.relative > 1e-2;
    }
    world_free(&w);
    return failures;
}

/* Heaps and structures in which such answers are so far off that they would be refused, had the search had its time. */
static void the_best_answer_is_taken_and_counted(void **state)
{
    (void)state;
    assert_true(run_short_of_time("sphere-heap", 60) > 0);
    assert_true(run_short_of_time("wall", 20) > 0);
    assert_true(run_short_of_time("pyramid", 10) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_best_answer_is_taken_and_counted)};
    return cmocka_run_group_tests_name("steps out of time", tests, NULL, NULL);
}
