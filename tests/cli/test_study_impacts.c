/* The study `impacts`: what its truths are beside conservation laws, and that it sees a number that is wrong. */
#include "cli/study/impacts.h"

#include "support/check.h"

#include <stdlib.h>
#include <string.h>

static const double G = 9.81;

static cli_impact_row find(const char *what, cairn_integrator integrator)
{
    int count;
    cli_impact_row *rows = cli_impact_rows(&count), found = {0};
    assert_non_null(rows);
    for (int i = 0; i < count; ++i)
        if (!strcmp(rows[i].what, what) && rows[i].integrator == integrator)
            found = rows[i];
    free(rows);
    assert_non_null(found.what);
    return found;
}

static cli_impact_run run_one(const cli_impact_row *row, int index)
{
    cli_impact_run run = {.steps = 0};
    atomic_llong done = 0;
    cli_impact_run_one(row, index, &run, &done);
    assert_int_equal(done, run.steps);
    assert_false(run.failed);
    return run;
}

/* Once the box is off the table gravity alone acts. */
static void box_truth_keeps_to_free_flight(void **state)
{
    (void)state;
    cli_impact_row row = find("box over an edge: flies off", CAIRN_INTEGRATOR_STIFF2);
    cli_impact_run early = {.steps = 0}, late = {.steps = 0}, end = {.steps = 0};
    cli_impact_row at = row;
    at.until = 0.5;
    early = run_one(&at, 3);
    at.until = 0.6;
    late = run_one(&at, 3);
    end = run_one(&row, 3);
    const double *a = early.numbers.truth, *b = late.numbers.truth, *c = end.numbers.truth;
    assert_near(a[0] - 2 * b[0] + c[0], 0, 1e-12);              /* no force along x */
    assert_near(a[1] - 2 * b[1] + c[1], -G * 0.1 * 0.1, 1e-12); /* gravity */
    assert_near(a[2] - 2 * b[2] + c[2], 0, 1e-12);              /* no moment */
    for (int k = 0; k < 3; ++k)
        assert_near(end.numbers.value[k], c[k], 2e-4);
}

/* The box has lost what friction took on its way to where it tips. */
static void tip_truth_is_the_work_of_friction(void **state)
{
    (void)state;
    cli_impact_row row = find("box over an edge: tips", CAIRN_INTEGRATOR_STIFF2);
    cli_impact_run run = run_one(&row, 0);
    double t = run.numbers.truth[0], v = 1.3 - 0.1 * G * t;
    assert_near(0.5 * 1.3 * 1.3 - 0.5 * v * v, 0.1 * G * 0.308, 1e-14);
    assert_near(t, 0.26302629, 1e-8);
}

/* Every bounce of the true course is on the plate. */
static void bounces_are_on_the_plate(void **state)
{
    (void)state;
    cli_impact_row row = find("vibrating plate", CAIRN_INTEGRATOR_STIFF2);
    cli_impact_run run = run_one(&row, 0);
    double t = run.numbers.truth[0];
    assert_true(run.numbers.count >= 5);
    assert_near(0.3 - 0.5 * G * t * t, 0.02 * sin(31 * t), 1e-13);
    double plate = 0.02 * 31 * cos(31 * t), v = plate - 0.7 * (-G * t - plate), s = run.numbers.truth[1] - t;
    assert_near(0.02 * sin(31 * t) + v * s - 0.5 * G * s * s, 0.02 * sin(31 * (t + s)), 1e-13);
}

/* A point leaves a circle at the speed that its height gave it, and whose path bends as the circle does. */
static void circle_truth_balances_energy(void **state)
{
    (void)state;
    cli_impact_row row = find("take-off from a circle: after", CAIRN_INTEGRATOR_STIFF2);
    cli_impact_run run = run_one(&row, 2);
    cli_impact_row later = row;
    later.until = row.until - 0.001;
    cli_impact_run before = run_one(&later, 2);
    double vx = (run.numbers.truth[0] - before.numbers.truth[0]) / 0.001;
    double vy = (run.numbers.truth[1] - before.numbers.truth[1]) / 0.001;
    double y = 0.5 * (run.numbers.truth[1] + before.numbers.truth[1]) + 0.125 * G * 1e-6; /* of the middle */
    assert_near(0.5 * (vx * vx + vy * vy) + G * y, 0.5 + G, 1e-9);
}

/* ------------------------------------------------------------------------------------------------------ judgement */

static void a_wrong_number_is_off(void **state)
{
    (void)state;
    cli_impact_row row = find("aligned impact, e = 0.5", CAIRN_INTEGRATOR_STIFF2);
    cli_impact_run run = run_one(&row, 0);
    assert_near(run.numbers.truth[0], 0.5, 0);
    assert_false(cli_impact_judge(&row, &run).off);
    cli_impact_run wrong = run;
    wrong.numbers.value[0] = 1.414;
    assert_true(cli_impact_judge(&row, &wrong).off);
    assert_near(cli_impact_judge(&row, &wrong).error, 0.914, 1e-12);
    wrong.numbers.value[0] = NAN;
    assert_true(cli_impact_judge(&row, &wrong).off);
    wrong = run;
    wrong.violations = 1;
    assert_true(cli_impact_judge(&row, &wrong).off);
    wrong = run;
    wrong.failed = true;
    assert_true(cli_impact_judge(&row, &wrong).off);
}

/* Errors of c h^p with a scatter of two have the order p; one that is missing has none. */
static void orders_are_those_of_the_envelope(void **state)
{
    (void)state;
    cli_impact_row row = find("take-off from a circle", CAIRN_INTEGRATOR_STIFF2);
    for (int p = 1; p <= 2; ++p)
    {
        cli_impact_run runs[6] = {{.steps = 0}};
        for (int k = 0; k < 6; ++k)
        {
            runs[k].numbers =
                (cli_impact_numbers){.count = 1, .truth = {1}, .value = {1 + (k % 2 + 1) * pow(0.5, p * k)}};
        }
        cli_impact_verdict v = cli_impact_judge(&row, runs);
        assert_near(v.value, p, 0.34);
        assert_int_equal(v.off, p < 2);
        runs[4].numbers.value[0] = NAN;
        assert_true(cli_impact_judge(&row, runs).off);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_truth_keeps_to_free_flight), cmocka_unit_test(tip_truth_is_the_work_of_friction),
        cmocka_unit_test(bounces_are_on_the_plate),       cmocka_unit_test(circle_truth_balances_energy),
        cmocka_unit_test(a_wrong_number_is_off),          cmocka_unit_test(orders_are_those_of_the_envelope),
    };
    return cmocka_run_group_tests_name("study_impacts", tests, NULL, NULL);
}
