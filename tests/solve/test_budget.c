/* A budget of work is kept to by count, depends on no machine: what is left is certified. */
#include "support/builder.h"
#include "support/check.h"

#include <math.h>
#include <string.h>

enum
{
    SIDE = 9
};

static const cairn_law CONE = {CAIRN_LAW_CONE, 0};
static const double VISIT = 500.0; /* multiplications per contact and sweep */

/* The one-step problem of a lattice of balls, which no method solves to 1e-13 within the budgets of this file. */
static cairn_simulation *make_lattice(cairn_context *context, cairn_law law, cairn_model **model)
{
    builder b = builder_open(context, 3, 0.4, 3);
    cairn_settings settings = cairn_settings_default();
    cairn_simulation *simulation;
    builder_ground(&b);
    for (int layer = 0; layer < (SIDE + 1) / 2; ++layer)
    {
        int width = SIDE - 2 * layer;
        double shift = layer + 0.5 * (layer % 2);
        for (int k = 0; k < width * width; ++k)
        {
            builder_pose pose = builder_at(k % width + shift, (double)(k / width) + shift, 0.5 + layer * sqrt(0.5));
            builder_ball(&b, &pose, 0.5);
        }
    }
    assert_int_equal(b.status, CAIRN_OK);
    *model = b.model;
    settings.law = law;
    settings.accuracy = CAIRN_ACCURACY_EXACT;
    settings.solver.tolerance = 1e-2; /* the problem alone is wanted */
    assert_int_equal(cairn_simulation_create(context, b.model, &settings, &simulation), CAIRN_OK);
    assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
    return simulation;
}

/* Solve within a budget, twice, which must give the same bits. Returns the relative certificate. */
static double solve_within(cairn_context *context, const cairn_problem *problem, double work, int *sweeps)
{
    cairn_solver *solver[2] = {cairn_solver_create(context), cairn_solver_create(context)};
    cairn_solver_options options = cairn_solver_default();
    cairn_solution solution[2];
    cairn_solver_report report[2];
    cairn_certificate certificate;
    options.tolerance = 1e-13;
    options.work_limit = work;
    for (int i = 0; i < 2; ++i)
        assert_int_equal(cairn_solver_solve(solver[i], problem, &options, &solution[i], &report[i]), CAIRN_OK);
    assert_int_equal(report[0].outcome, CAIRN_LIMITED);
    assert_false(report[0].out_of_time);
    assert_int_equal(report[0].iterations, report[1].iterations);
    assert_memory_equal(solution[0].v, solution[1].v, (size_t)problem->n * sizeof(double));
    assert_true(report[0].iterations * VISIT * problem->contact_count <= fmax(work, VISIT * problem->contact_count));
    assert_int_equal(cairn_certify(problem, &solution[0], &certificate), CAIRN_OK);
    assert_near(certificate.relative, report[0].certificate.relative, 1e-9 * certificate.relative);
    *sweeps = report[0].iterations;
    cairn_solver_destroy(solver[0]);
    cairn_solver_destroy(solver[1]);
    return certificate.relative;
}

static void count_work(cairn_law law)
{
    cairn_context *context = cairn_context_create();
    cairn_model *model;
    cairn_simulation *simulation = make_lattice(context, law, &model);
    const cairn_problem *problem = cairn_simulation_problem(simulation);
    double sweep = VISIT * problem->contact_count;
    int sweeps;
    double none = solve_within(context, problem, 1.0, &sweeps); /* one sweep, however small the budget is */
    double little = solve_within(context, problem, 100 * sweep, &sweeps);
    assert_true(law.kind == CAIRN_LAW_CONE || sweeps > 80); /* factorisations have no use for the rest */
    double more = solve_within(context, problem, 6400 * sweep, &sweeps);
    assert_true(little <= none && more < little);
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
}

static void work_is_counted(void **state)
{
    (void)state;
    count_work(CONE);
}

/* Polygons are swept as well as discs. */
static void work_is_counted_on_polygons(void **state)
{
    (void)state;
    count_work((cairn_law){CAIRN_LAW_PYRAMID, 6});
    count_work((cairn_law){CAIRN_LAW_BOX, 0});
}

static void negative_budgets_are_refused(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_model *model;
    cairn_simulation *simulation = make_lattice(context, CONE, &model);
    cairn_solver *solver = cairn_solver_create(context);
    cairn_solver_options options = cairn_solver_default();
    cairn_solution solution;
    cairn_solver_report report;
    options.work_limit = -1.0;
    assert_int_equal(cairn_solver_solve(solver, cairn_simulation_problem(simulation), &options, &solution, &report),
                     CAIRN_INVALID);
    cairn_solver_destroy(solver);
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_counted),
        cmocka_unit_test(work_is_counted_on_polygons),
        cmocka_unit_test(negative_budgets_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
