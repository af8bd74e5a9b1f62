/* Sweeps over the compact view before the sweeps over blocks: heaps from a cold start. */
#include "solve/sweep/momentum_sweeps.h"
#include "support/builder.h"
#include "support/check.h"
#include "support/problems/method_check.h"

#include <string.h>

enum
{
    SIDE = 9, /* balls along the lowest layer of a heap */
    MOST = 4000
};

/* The problem of the first step of a four-sided heap of balls that touch, in the hollows of those below; released with the simulation. */
typedef struct heap
{
    cairn_context *context;
    cairn_model *model;
    cairn_simulation *simulation;
    const cairn_problem *problem;
} heap;

static heap make_heap(cairn_law_kind law, double mu, double jitter)
{
    heap at = {.context = cairn_context_create()};
    builder b = builder_open(at.context, 3, mu, 3);
    cairn_settings settings = cairn_settings_default();
    builder_ground(&b);
    for (int layer = 0; layer < SIDE; ++layer)
    {
        int width = SIDE - layer;
        for (int k = 0; k < width * width; ++k)
        {
            double shift = -0.5 * (width - 1);
            builder_pose pose = builder_at(k % width + shift, (double)(k / width) + shift, 0.5 + layer * sqrt(0.5));
            for (int c = 0; c < 3; ++c)
                pose.velocity[c] = test_uniform(&b.random, -jitter, jitter);
            builder_ball(&b, &pose, 0.5);
        }
    }
    assert_int_equal(b.status, CAIRN_OK);
    at.model = b.model;
    settings.law = (cairn_law){law, 0};
    settings.solver.kind = CAIRN_SOLVER_GAUSS_SEIDEL;
    settings.solver.tolerance = 1e-2; /* the problem alone is wanted */
    assert_int_equal(cairn_simulation_create(at.context, at.model, &settings, &at.simulation), CAIRN_OK);
    assert_int_equal(cairn_simulation_step(at.simulation), CAIRN_OK);
    at.problem = cairn_simulation_problem(at.simulation);
    assert_true(at.problem->contact_count >= 800);
    return at;
}

static void release_heap(heap *at)
{
    cairn_simulation_destroy(at->simulation);
    cairn_model_destroy(at->model);
    cairn_context_destroy(at->context);
}

/* A run on a heap, from r = 0. */
typedef struct course
{
    crn_gs_plan plan;
    crn_gs_momentum momentum;
    cairn_solution solution;
    crn_gs_run run;
} course;

static void open_course(course *c, const heap *at)
{
    const cairn_problem *problem = at->problem;
    *c = (course){.solution = {.n = problem->n, .contact_rows = 3 * problem->contact_count}};
    c->solution.v = calloc((size_t)problem->n, sizeof(double));
    c->solution.r = calloc((size_t)c->solution.contact_rows, sizeof(double));
    assert_true(crn_gs_plan_open(&c->plan));
    assert_int_equal(crn_gs_plan_make(&c->plan, at->context, problem, NULL), CAIRN_OK);
    crn_gs_plan_recover(&c->plan, problem, false, c->solution.r, c->solution.v, NULL);
    c->run = (crn_gs_run){.plan = &c->plan,
                          .problem = problem,
                          .solution = &c->solution,
                          .law = crn_gs_law(problem),
                          .scale = crn_gs_scale(problem, c->solution.v),
                          .omega = 1.0,
                          .threads = 1};
}

static void close_course(course *c)
{
    crn_gs_momentum_release(&c->momentum);
    crn_gs_plan_close(&c->plan);
    free(c->solution.v);
    free(c->solution.r);
}

/* Sweep; the error by the blocks, which know nothing of the view. */
static double sweep(course *c, double tolerance, int limit, int *sweeps)
{
    assert_int_equal(crn_gs_momentum_iterate(&c->momentum, &c->run, tolerance, limit, sweeps), CAIRN_OK);
    crn_gs_plan_recover(&c->plan, c->run.problem, false, c->solution.r, c->solution.v, NULL);
    return crn_gs_error(&c->run);
}

/* From a cold start to the tolerance by these sweeps alone; from there on none is taken, and nothing changes. */
static void heaps_meet_the_tolerance(void **state)
{
    (void)state;
    static const cairn_law_kind LAWS[] = {CAIRN_LAW_FRICTIONLESS, CAIRN_LAW_CONE, CAIRN_LAW_CONVEX_CONE};
    for (int k = 0; k < 3; ++k)
    {
        heap at = make_heap(LAWS[k], 0.2, 0.05);
        course c;
        int sweeps;
        open_course(&c, &at);
        assert_true(crn_gs_error(&c.run) > 0.1);
        assert_true(sweep(&c, 1e-5, MOST, &sweeps) <= 1e-5);
        assert_true(sweeps > 0 && sweeps < MOST);
        size_t size = (size_t)c.solution.contact_rows * sizeof(double);
        double *before = malloc(size);
        memcpy(before, c.solution.r, size);
        sweep(&c, 1e-5, MOST, &sweeps);
        assert_int_equal(sweeps, 0);
        for (int i = 0; i < c.solution.contact_rows; ++i)
            assert_near(c.solution.r[i], before[i], 1e-12);
        free(before);
        close_course(&c);
        release_heap(&at);
    }
}

/* A limit is kept to the sweep, and the result is never worse than the start. */
static void limits_are_kept(void **state)
{
    (void)state;
    heap at = make_heap(CAIRN_LAW_CONE, 0.2, 0.05);
    course c;
    open_course(&c, &at);
    double error = crn_gs_error(&c.run);
    for (int limit = 1; limit < 300; limit = 3 * limit + 1)
    {
        int sweeps;
        double next = sweep(&c, 1e-12, limit, &sweeps);
        assert_int_equal(sweeps, limit);
        assert_true(next <= error * (1.0 + 1e-9));
        error = next;
    }
    close_course(&c);
    release_heap(&at);
}

/* In a regular lattice with much friction contacts wander: that is seen long before the limit. */
static void hopeless_sweeps_end(void **state)
{
    (void)state;
    heap at = make_heap(CAIRN_LAW_CONE, 0.4, 0.0);
    course c;
    int sweeps;
    open_course(&c, &at);
    assert_true(sweep(&c, 1e-10, 100 * MOST, &sweeps) > 1e-10);
    assert_true(sweeps > 0 && sweeps < 10 * MOST);
    close_course(&c);
    release_heap(&at);
}

/* Velocities of the convex law are unique: interior points find the same. */
static void velocities_are_those_of_interior_points(void **state)
{
    (void)state;
    heap at = make_heap(CAIRN_LAW_CONVEX_CONE, 0.3, 0.05);
    method_run swept = method_solve(&crn_method_gauss_seidel, at.problem, 1e-6, 0, NULL);
    method_run other = method_solve(&crn_method_interior_point, at.problem, 1e-8, 0, NULL);
    assert_true(swept.certificate.relative <= 1e-6 && other.certificate.relative <= 1e-8);
    assert_true(method_difference(&swept, &other) < 1e-4);
    method_release(&swept);
    method_release(&other);
    release_heap(&at);
}

/* r after a few sweeps that a stronger method follows; `bare`: the compact view is not swept. Returns the number of sweeps. */
static int leave(const cairn_problem *problem, bool bare, double *r)
{
    void *workspace = crn_method_gauss_seidel.create();
    double work = 1e12;
    crn_method_options options = {
        .tolerance = 1e-13, .max_iterations = 20, .has_successor = true, .work = bare ? &work : NULL};
    crn_method_report report;
    double *v = calloc((size_t)problem->n, sizeof(double));
    cairn_solution solution = {.n = problem->n, .contact_rows = 3 * problem->contact_count, .v = v, .r = r};
    assert_int_equal(crn_method_gauss_seidel.solve(workspace, NULL, problem, &options, &solution, &report), CAIRN_OK);
    assert_false(report.converged || report.declined);
    crn_method_gauss_seidel.destroy(workspace);
    free(v);
    return report.iterations;
}

/* Where faces touch, a method that follows starts from where it would have started without these sweeps. */
static void what_follows_is_left_alone(void **state)
{
    (void)state;
    cairn_problem *problem = test_problem_stack(80, (cairn_law){CAIRN_LAW_CONE, 0}, 0.4, 0.01, 0.5);
    size_t rows = 3 * (size_t)problem->contact_count;
    double *with = calloc(rows, sizeof(double)), *without = calloc(rows, sizeof(double));
    int more = leave(problem, false, with), few = leave(problem, true, without);
    assert_true(few == 20 && more > 100);
    assert_memory_equal(with, without, rows * sizeof(double));
    free(with);
    free(without);
    test_problem_destroy(problem);
}

/* The method as a whole, by the certificate, which is separate code; and the same bits for any number of threads. */
static void bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    heap at = make_heap(CAIRN_LAW_CONE, 0.2, 0.05);
    double *first = NULL;
    for (int threads = 1; threads <= 4; threads += TAKES_ALL ? 1 : 3)
    {
        cairn_solver *solver = cairn_solver_create(at.context);
        cairn_solver_options options = cairn_solver_default();
        cairn_solver_report report;
        cairn_solution solution;
        options.kind = CAIRN_SOLVER_GAUSS_SEIDEL;
        options.tolerance = 1e-5;
        options.threads = threads;
        assert_int_equal(cairn_solver_solve(solver, at.problem, &options, &solution, &report), CAIRN_OK);
        assert_int_equal(report.outcome, CAIRN_SOLVED);
        assert_true(report.certificate.relative <= 1e-5);
        size_t size = (size_t)solution.contact_rows * sizeof(double);
        if (first)
            assert_memory_equal(first, solution.r, size);
        else
            first = memcpy(malloc(size), solution.r, size);
        cairn_solver_destroy(solver);
    }
    free(first);
    release_heap(&at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heaps_meet_the_tolerance),   cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(hopeless_sweeps_end),        cmocka_unit_test(velocities_are_those_of_interior_points),
        cmocka_unit_test(what_follows_is_left_alone), cmocka_unit_test(bits_do_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
