/* Visits to contacts that are due alone (gauss_seidel_due.h): a bed of balls with thousands of contacts in one island. */
#include "solve/sweep/active_visits.h"
#include "support/builder.h"
#include "support/check.h"
#include "support/problems/method_check.h"

#include <stdlib.h>
#include <string.h>

enum
{
    SIDE = 28, /* balls */
    LEAST = 5000
};

/* The problem of the first step of three layers of balls that touch all round, pushed at one side; released with the
 * simulation. */
typedef struct bed
{
    cairn_context *context;
    cairn_model *model;
    cairn_simulation *simulation;
    const cairn_problem *problem;
} bed;

static bed make_bed(cairn_law law)
{
    bed at = {.context = cairn_context_create()};
    builder b = builder_open(at.context, 3, 0.4, 3);
    cairn_settings settings = cairn_settings_default();
    builder_ground(&b);
    for (int layer = 0; layer < 3; ++layer)
    {
        for (int k = 0; k < SIDE * SIDE; ++k)
        {
            double shift = 0.5 * (layer % 2);
            builder_pose pose = builder_at(k % SIDE + shift, (double)(k / SIDE) + shift, 0.5 + layer * sqrt(0.5));
            pose.velocity[0] = k % SIDE == 0 ? test_uniform(&b.random, 0.0, 1.0) : 0.0;
            builder_ball(&b, &pose, 0.5);
        }
    }
    assert_int_equal(b.status, CAIRN_OK);
    at.model = b.model;
    settings.law = law;
    settings.solver.kind = CAIRN_SOLVER_GAUSS_SEIDEL;
    settings.solver.tolerance = 1e-2; /* the problem alone is wanted */
    assert_int_equal(cairn_simulation_create(at.context, at.model, &settings, &at.simulation), CAIRN_OK);
    assert_int_equal(cairn_simulation_step(at.simulation), CAIRN_OK);
    at.problem = cairn_simulation_problem(at.simulation);
    assert_true(at.problem->contact_count >= LEAST);
    return at;
}

static void release_bed(bed *at)
{
    cairn_simulation_destroy(at->simulation);
    cairn_model_destroy(at->model);
    cairn_context_destroy(at->context);
}

/* The velocities of the convex law are unique: the same as those of another method, as far as errors of 1e-5 at each contact
 * tell over a bed of 28 balls. */
static void velocities_are_those_of_another_method(void **state)
{
    (void)state;
    bed at = make_bed((cairn_law){CAIRN_LAW_CONVEX_CONE, 0});
    method_run visits = method_solve(&crn_method_gauss_seidel, at.problem, 1e-5, 0, NULL);
    assert_true(visits.report.converged && visits.certificate.relative <= 1e-5);
    if (TAKES_ALL)
    {
        method_run gradient = method_solve(&crn_method_apgd, at.problem, 1e-5, 0, NULL);
        assert_true(gradient.certificate.relative <= 1e-5);
        assert_true(method_difference(&visits, &gradient) < 5e-3);
        method_release(&gradient);
    }
    method_release(&visits);
    release_bed(&at);
}

static void coulombs_law_is_certified(void **state)
{
    (void)state;
    bed at = make_bed((cairn_law){CAIRN_LAW_CONE, 0});
    method_run run = method_solve(&crn_method_gauss_seidel, at.problem, 1e-6, 0, NULL);
    assert_true(run.report.converged && run.certificate.relative <= 1e-6);
    method_run again = method_solve(&crn_method_gauss_seidel, at.problem, 1e-6, 0, run.solution.r);
    assert_int_equal(again.report.iterations, 0);
    method_release(&again);
    method_release(&run);
    release_bed(&at);
}

/* Few visits are made and the best point so far handed back; a limit is no failure. */
static void limit_is_kept(void **state)
{
    (void)state;
    bed at = make_bed((cairn_law){CAIRN_LAW_CONE, 0});
    method_run few = method_solve(&crn_method_gauss_seidel, at.problem, 1e-10, 3, NULL);
    method_run more = method_solve(&crn_method_gauss_seidel, at.problem, 1e-10, 40, NULL);
    assert_false(few.report.converged);
    assert_true(more.certificate.relative < few.certificate.relative);
    method_release(&few);
    method_release(&more);
    release_bed(&at);
}

/* By plain sweeps to the tolerance; their number. */
static int sweep_to(crn_gs_run *run, double tolerance)
{
    int sweeps = 0;
    while (sweeps < 2000 && crn_gs_error(run) > tolerance)
    {
        crn_gs_sweep(run);
        ++sweeps;
    }
    return sweeps;
}

/* What it is for: the error is met, and visits are spared against sweeps over all contacts. */
static void visits_are_spared(void **state)
{
    (void)state;
    bed at = make_bed((cairn_law){CAIRN_LAW_CONE, 0});
    crn_gs_plan plan = {0};
    crn_gs_due due = {0};
    cairn_solution solution = {.n = at.problem->n, .contact_rows = 3 * at.problem->contact_count};
    solution.v = calloc((size_t)solution.n, sizeof(double));
    solution.r = calloc((size_t)solution.contact_rows, sizeof(double));
    assert_true(crn_gs_plan_open(&plan));
    assert_int_equal(crn_gs_plan_make(&plan, at.context, at.problem, NULL), CAIRN_OK);
    crn_gs_plan_recover(&plan, at.problem, false, solution.r, solution.v, NULL);
    crn_gs_run run = {&plan, at.problem, &solution, CRN_LOCAL_COULOMB, crn_gs_scale(at.problem, solution.v), 1.0, 1,
                      0.0,   NULL,       NULL};
    double error = INFINITY;
    int worth = 0;
    assert_true(crn_gs_due_applies(&run));
    assert_int_equal(crn_gs_due_iterate(&due, &run, 1e-4, 1000, &error, &worth), CAIRN_OK);
    assert_true(error <= 1e-4 && crn_gs_error(&run) <= 1e-4);
    memset(solution.r, 0, (size_t)solution.contact_rows * sizeof(double));
    crn_gs_plan_recover(&plan, at.problem, false, solution.r, solution.v, NULL);
    int sweeps = sweep_to(&run, 1e-4);
    print_message("visits worth %d sweeps instead of %d\n", worth, sweeps);
    assert_true(worth < sweeps);
    crn_gs_due_release(&due);
    crn_gs_plan_close(&plan);
    free(solution.v);
    free(solution.r);
    release_bed(&at);
}

static void threads_give_the_same_bits(void **state)
{
    (void)state;
    bed at = make_bed((cairn_law){CAIRN_LAW_CONE, 0});
    int rows = 3 * at.problem->contact_count;
    double *r[2] = {calloc((size_t)rows, sizeof(double)), calloc((size_t)rows, sizeof(double))};
    double *v = calloc((size_t)at.problem->n, sizeof(double));
    for (int k = TAKES_ALL ? 0 : 1; k < 2; ++k)
    {
        void *workspace = crn_method_gauss_seidel.create();
        cairn_solution solution = {.n = at.problem->n, .contact_rows = rows, .v = v, .r = r[k]};
        crn_method_options options = {.tolerance = 1e-5, .threads = 1 + 2 * k};
        crn_method_report report;
        assert_int_equal(crn_method_gauss_seidel.solve(workspace, at.context, at.problem, &options, &solution, &report),
                         CAIRN_OK);
        assert_true(report.converged);
        crn_method_gauss_seidel.destroy(workspace);
    }
    if (TAKES_ALL)
        assert_memory_equal(r[0], r[1], (size_t)rows * sizeof(double));
    free(r[0]);
    free(r[1]);
    free(v);
    release_bed(&at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_are_those_of_another_method),
        cmocka_unit_test(coulombs_law_is_certified),
        cmocka_unit_test(limit_is_kept),
        cmocka_unit_test(visits_are_spared),
        cmocka_unit_test(threads_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
