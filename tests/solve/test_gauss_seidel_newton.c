/* Newton's method on the contacts alone: its answers against the certificate, against other methods, and where sweeps by
 * themselves are slow: mass ratios, redundant contacts. */
#include "support/check.h"
#include "support/problems/random_problem.h"

#include <cairn/solver.h>
#include <stdlib.h>
#include <string.h>

#include "solve/auto/method.h"
#include "solve/sweep/gauss_seidel_newton.h"

static const cairn_law LAWS[] = {{CAIRN_LAW_FRICTIONLESS, 0}, {CAIRN_LAW_CONE, 0}, {CAIRN_LAW_CONVEX_CONE, 0}};
static const crn_local_law LOCAL[] = {CRN_LOCAL_FRICTIONLESS, CRN_LOCAL_COULOMB, CRN_LOCAL_CONVEX};

static test_recipe recipe_of(int trial, cairn_law law)
{
    return (test_recipe){.dim = trial % 2 ? 2 : 3,
                         .law = law,
                         .bodies = 2 + trial % 4,
                         .contacts = 3 + trial % 8,
                         .joints = trial % 3,
                         .mass_ratio = trial % 5 ? 10.0 : 1e4,
                         .mu = 0.6,
                         .coupled = trial % 7 == 0,
                         .gaps = trial % 4 == 1,
                         .redundant = trial % 2,
                         .compliant = trial % 9 == 0};
}

typedef struct work
{
    crn_gs_plan plan;
    crn_gs_newton newton;
    cairn_solution solution;
} work;

static void open_work(work *w, const cairn_problem *problem)
{
    int rows = problem->dim * problem->contact_count;
    memset(w, 0, sizeof *w);
    assert_true(crn_gs_plan_open(&w->plan));
    assert_int_equal(crn_gs_plan_make(&w->plan, NULL, problem, NULL), CAIRN_OK);
    w->solution = (cairn_solution){problem->n,
                                   problem->joint_rows,
                                   rows,
                                   calloc((size_t)problem->n + 1, sizeof(double)),
                                   calloc((size_t)problem->joint_rows + 1, sizeof(double)),
                                   calloc((size_t)rows + 1, sizeof(double))};
}

static void close_work(work *w)
{
    crn_gs_plan_close(&w->plan);
    crn_gs_newton_release(&w->newton);
    free(w->solution.v);
    free(w->solution.c);
    free(w->solution.r);
}

/* From no impulses; v and c of the result. */
static bool solve(work *w, const cairn_problem *problem, crn_local_law law, double target)
{
    double u[CRN_GS_NEWTON_ROWS];
    int iterations = 0;
    bool found;
    cairn_solution *s = &w->solution;
    crn_gs_plan_recover(&w->plan, problem, false, s->r, s->v, s->c);
    assert_true(cairn_problem_velocities(problem, s->v, s->r, u));
    assert_int_equal(crn_gs_newton_solve(&w->newton, &w->plan, problem, law, target, u, s->r, &iterations, &found),
                     CAIRN_OK);
    assert_true(iterations <= 48);
    crn_gs_plan_recover(&w->plan, problem, false, s->r, s->v, s->c);
    crn_gs_plan_recover(&w->plan, problem, true, s->r, s->v, s->c);
    return found;
}

/* What it says it found holds, impulses are on their cones, and it finds most. */
static void what_is_found_holds(void **state)
{
    (void)state;
    for (int l = 0; l < 3; ++l)
    {
        int found = 0;
        int trials = 60;
        for (int trial = 0; trial < trials; ++trial)
        {
            test_recipe recipe = recipe_of(trial, LAWS[l]);
            cairn_problem *problem = test_problem_random(&recipe, (uint64_t)trial);
            cairn_certificate certificate;
            work w;
            open_work(&w, problem);
            bool solved = solve(&w, problem, LOCAL[l], 1e-9);
            assert_int_equal(cairn_certify(problem, &w.solution, &certificate), CAIRN_OK);
            found += solved;
            if (solved)
            {
                assert_true(certificate.natural_map < 1e-8);
                assert_true(certificate.impulse_outside < 1e-12 * (1.0 + recipe.mass_ratio));
            }
            for (int i = 0; i < w.solution.contact_rows && !solved; ++i)
                assert_true(w.solution.r[i] == 0.0); /* as it was */
            close_work(&w);
            test_problem_destroy(problem);
        }
        print_message("law %d: %d of %d found from nothing\n", (int)LAWS[l].kind, found, trials);
        assert_true(found >= trials * 3 / 4);
    }
}

/* Under the convex law and a symmetric A velocities are unique: interior points find the same. */
static void velocities_are_those_of_interior_points(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_solver *solver = cairn_solver_create(context);
    for (int trial = 0; trial < 30; ++trial)
    {
        test_recipe recipe = recipe_of(trial, LAWS[2]);
        recipe.mass_ratio = 10.0;
        cairn_problem *problem = test_problem_random(&recipe, (uint64_t)trial + 500);
        cairn_solver_options options = cairn_solver_default();
        cairn_solver_report report;
        cairn_solution other;
        work w;
        options.kind = CAIRN_SOLVER_INTERIOR_POINT;
        open_work(&w, problem);
        assert_int_equal(cairn_solver_solve(solver, problem, &options, &other, &report), CAIRN_OK);
        if (solve(&w, problem, LOCAL[2], 1e-10) && report.outcome == CAIRN_SOLVED)
            for (int i = 0; i < problem->n; ++i)
                assert_near(w.solution.v[i], other.v[i], 1e-6 * report.certificate.scale);
        close_work(&w);
        test_problem_destroy(problem);
    }
    cairn_solver_destroy(solver);
    cairn_context_destroy(context);
}

/* A heavy cube on a light one, four contacts a face, pushed: sweeps alone need hundreds to thousands. The law's own answer is
 * known: at rest both stay where they are, and the impulses carry the weights. */
static void heavy_on_light(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    cairn_solver *solver = cairn_solver_create(context);
    for (double mass = 1e2; mass <= 1e6; mass *= 1e2)
    {
        double h = 0.01;
        cairn_problem *problem = test_problem_stack(2, LAWS[1], 0.5, h, 0.0);
        cairn_solver_options options = cairn_solver_default();
        cairn_solver_report report;
        cairn_solution solution;
        double *A = problem->A.value + problem->A.value_start[problem->A.row_start[1]];
        for (int k = 0; k < 36; ++k)
            A[k] *= mass;
        for (int k = 6; k < 12; ++k)
            problem->p[k] *= mass;
        assert_int_equal(cairn_solver_solve(solver, problem, &options, &solution, &report), CAIRN_OK);
        print_message("mass ratio %g: %s, %d iterations, certificate %.1e\n", mass, report.method, report.iterations,
                      report.certificate.relative);
        assert_int_equal(report.outcome, CAIRN_SOLVED);
        assert_string_equal(report.method, "gauss-seidel");
        assert_true(report.iterations < 60);
        double weight = 0.0;
        for (int j = 0; j < problem->contact_count; ++j)
            weight += solution.r[3 * j];
        /* the upper face carries the upper cube, the lower face both */
        assert_near(weight / ((2.0 * mass + 1.0) * 9.81 * h), 1.0, 1e-7);
        for (int i = 0; i < problem->n; ++i)
            assert_near(solution.v[i], 0.0, 1e-8);
        test_problem_destroy(problem);
    }
    cairn_solver_destroy(solver);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_found_holds),
        cmocka_unit_test(velocities_are_those_of_interior_points),
        cmocka_unit_test(heavy_on_light),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
