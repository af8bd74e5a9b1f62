/* One-step problems of compliant patches, taken from runs, by every solver that takes their law: one answer, impulses of each
 * element included (they are unique: the compliance is definite and friction small), before and after a file. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cairn_material add_rubber(cairn_model *model, int elements, double spacing, double compliance)
{
    cairn_material_options options = cairn_material_default();
    options.name = "rubber";
    options.friction = 0.3;
    options.patch.elements = elements;
    options.patch.spacing = spacing;
    options.patch.compliance = compliance;
    cairn_material out = {0};
    assert_int_equal(cairn_model_add_material(model, &options, &out), CAIRN_OK);
    return out;
}

static void push(world *w, const char *name, double x, double spin)
{
    cairn_body body = cairn_model_find_body(w->model, name);
    cairn_body_state state = cairn_simulation_body(w->simulation, body);
    state.velocity[0] = x;
    state.angular_velocity[2] = spin;
    assert_int_equal(cairn_simulation_set_body(w->simulation, body, &state), CAIRN_OK);
}

/* Soft balls on hard ground, one on two of them, a hard one beside: patches between equal and different materials, and
 * rigid contacts. */
static world balls(int dimension, int elements, cairn_law law)
{
    world w = world_new(dimension);
    cairn_material rubber = add_rubber(w.model, elements, 1e-3, 1e-7), hard = add_material(w.model, "hard", 0.3, 0);
    add_ground(w.model, hard);
    int up = dimension - 1;
    double one[3] = {0}, two[3] = {0.2, 0, 0}, three[3] = {0.1, 0, 0}, four[3] = {0.4, 0, 0};
    one[up] = two[up] = four[up] = 0.1;
    three[up] = 0.1 + 0.1 * sqrt(3.0);
    add_ball(w.model, "one", 1.0, 0.1, one, rubber);
    add_ball(w.model, "two", 1.5, 0.1, two, rubber);
    add_ball(w.model, "three", 0.5, 0.1, three, rubber);
    add_ball(w.model, "four", 1.0, 0.1, four, hard);
    cairn_settings settings = cairn_settings_default();
    settings.step = 1e-3;
    settings.law = law;
    world_start(&w, &settings);
    push(&w, "one", 0.1, dimension == 2 ? 0.5 : 2);
    push(&w, "three", 0.02, -1);
    return w;
}

/* A box on four corner patches, slid and spun. */
static world slider(int elements, cairn_law law)
{
    world w = world_new(3);
    cairn_material rubber = add_rubber(w.model, elements, 2e-3, 1e-8);
    add_ground(w.model, rubber);
    add_box(w.model, "box", 2.0, (double[3]){0.2, 0.3, 0.1}, (double[3]){0, 0, 0.05}, rubber);
    cairn_settings settings = cairn_settings_default();
    settings.step = 1e-3;
    settings.law = law;
    world_start(&w, &settings);
    push(&w, "box", 0.05, 0.3);
    return w;
}

static double apart(const double *a, const double *b, int count)
{
    double largest = 0;
    for (int i = 0; i < count; ++i)
        largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

typedef struct answer
{
    double *v, *r;
    int n, rows;
} answer;

static double largest(const double *a, int count)
{
    double size = 0;
    for (int i = 0; i < count; ++i)
        size = fmax(size, fabs(a[i]));
    return size;
}

/* By one solver; false when it does not take the law. */
static bool solve(cairn_context *context, const cairn_problem *problem, cairn_solver_kind kind, answer *first)
{
    cairn_solver *solver = cairn_solver_create(context);
    cairn_solver_options options = cairn_solver_default();
    options.kind = kind;
    options.tolerance = 1e-11;
    cairn_solution solution;
    cairn_solver_report report;
    cairn_status status = cairn_solver_solve(solver, problem, &options, &solution, &report);
    bool takes = status != CAIRN_INVALID;
    cairn_context_clear(context);
    if (takes)
    {
        assert_int_equal(status, CAIRN_OK);
        if (report.outcome != CAIRN_SOLVED)
            fail_msg("%s: certificate %g", cairn_solver_kind_name(kind), report.certificate.relative);
        if (!first->v)
        {
            *first = (answer){calloc((size_t)solution.n, sizeof(double)),
                              calloc((size_t)solution.contact_rows, sizeof(double)), solution.n, solution.contact_rows};
            memcpy(first->v, solution.v, (size_t)solution.n * sizeof(double));
            memcpy(first->r, solution.r, (size_t)solution.contact_rows * sizeof(double));
        }
        double v = apart(first->v, solution.v, solution.n), r = apart(first->r, solution.r, solution.contact_rows);
        double size = largest(first->r, first->rows);
        if (v > 1e-8 * report.certificate.scale || r > 1e-7 * size)
            fail_msg("%s: velocities %g, impulses %g of %g off", cairn_solver_kind_name(kind), v, r, size);
    }
    cairn_solver_destroy(solver);
    return takes;
}

/* All solvers on one problem; returns how many took it. */
static int solve_all(cairn_context *context, const cairn_problem *problem)
{
    static const cairn_solver_kind kinds[] = {CAIRN_SOLVER_AUTO,  CAIRN_SOLVER_LEMKE, CAIRN_SOLVER_GAUSS_SEIDEL,
                                              CAIRN_SOLVER_APGD,  CAIRN_SOLVER_ADMM,  CAIRN_SOLVER_INTERIOR_POINT,
                                              CAIRN_SOLVER_NEWTON};
    answer first = {0};
    int count = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k)
    {
        bool slow = kinds[k] == CAIRN_SOLVER_LEMKE && problem->contact_count > 60;
        count += !slow && solve(context, problem, kinds[k], &first);
    }
    free(first.v);
    free(first.r);
    return count;
}

static void check_world(world w, int least)
{
    world_run(&w, 3);
    for (int i = 0; i < 3; ++i)
    {
        world_run(&w, 7);
        const cairn_problem *problem = cairn_simulation_problem(w.simulation);
        assert_true(problem->patch_count > 0 && cairn_problem_is_valid(w.context, problem));
        assert_true(solve_all(w.context, problem) >= least);
    }
    world_free(&w);
}

static void check_law(cairn_law law, int least)
{
    check_world(balls(2, 1, law), least);
    check_world(balls(2, 5, law), least);
    check_world(balls(3, 3, law), least);
    check_world(slider(3, law), least);
}

static void frictionless(void **state)
{
    (void)state;
    check_law((cairn_law){CAIRN_LAW_FRICTIONLESS, 0}, 7);
}

static void box(void **state)
{
    (void)state;
    check_law((cairn_law){CAIRN_LAW_BOX, 0}, 2);
}

static void pyramid(void **state)
{
    (void)state;
    check_law((cairn_law){CAIRN_LAW_PYRAMID, 6}, 2);
}

static void cone(void **state)
{
    (void)state;
    check_law((cairn_law){CAIRN_LAW_CONE, 0}, 6);
    check_world(balls(3, 5, (cairn_law){CAIRN_LAW_CONE, 0}), 6);
}

static void convex_cone(void **state)
{
    (void)state;
    check_law((cairn_law){CAIRN_LAW_CONVEX_CONE, 0}, 6);
}

static void convex_pyramid(void **state)
{
    (void)state;
    check_law((cairn_law){CAIRN_LAW_CONVEX_PYRAMID, 6}, 3);
}

/* In the plane the box and the cone are the same law. */
static void plane_laws_agree(void **state)
{
    (void)state;
    world w[2] = {balls(2, 3, (cairn_law){CAIRN_LAW_BOX, 0}), balls(2, 3, (cairn_law){CAIRN_LAW_CONE, 0})};
    world_run(&w[0], 50);
    world_run(&w[1], 50);
    for (int k = 0; k < 4; ++k)
    {
        static const char *const names[] = {"one", "two", "three", "four"};
        cairn_body_state a = world_body(&w[0], names[k]), b = world_body(&w[1], names[k]);
        assert_true(apart(a.position, b.position, 3) < 1e-8 && apart(a.velocity, b.velocity, 3) < 1e-6);
    }
    world_free(&w[0]);
    world_free(&w[1]);
}

/* A file holds the compliance, shared blocks too. */
static void file_keeps_patches(void **state)
{
    (void)state;
    world w = balls(3, 3, (cairn_law){CAIRN_LAW_CONE, 0});
    world_run(&w, 12);
    const cairn_problem *problem = cairn_simulation_problem(w.simulation);
    assert_int_equal(cairn_problem_save(w.context, problem, "patches.h5"), CAIRN_OK);
    cairn_problem *loaded;
    assert_int_equal(cairn_problem_load(w.context, "patches.h5", &loaded), CAIRN_OK);
    assert_int_equal(loaded->patch_count, problem->patch_count);
    for (int k = 0; k < problem->patch_count; ++k)
    {
        int rows = 3 * (problem->patch_start[k + 1] - problem->patch_start[k]);
        assert_int_equal(loaded->patch_start[k + 1], problem->patch_start[k + 1]);
        assert_memory_equal(loaded->R + loaded->R_start[k], problem->R + problem->R_start[k],
                            (size_t)(rows * rows) * sizeof(double));
    }
    cairn_certificate certificate;
    assert_int_equal(cairn_certify(loaded, cairn_simulation_solution(w.simulation), &certificate), CAIRN_OK);
    assert_true(certificate.relative <= 1e-9);
    cairn_problem_destroy(loaded);
    world_free(&w);
}

/* Same bits on any number of threads. */
static void threads_do_not_matter(void **state)
{
    (void)state;
    world w[2] = {balls(3, 3, (cairn_law){CAIRN_LAW_CONE, 0}), balls(3, 3, (cairn_law){CAIRN_LAW_CONE, 0})};
    cairn_settings settings = *cairn_simulation_settings(w[1].simulation);
    cairn_simulation_destroy(w[1].simulation);
    settings.solver.threads = 3;
    world_start(&w[1], &settings);
    push(&w[1], "one", 0.1, 2);
    push(&w[1], "three", 0.02, -1);
    world_run(&w[0], 40);
    world_run(&w[1], 40);
    cairn_body_state a = world_body(&w[0], "three"), b = world_body(&w[1], "three");
    assert_memory_equal(&a, &b, sizeof a);
    world_free(&w[0]);
    world_free(&w[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frictionless),
        cmocka_unit_test(box),
        cmocka_unit_test(pyramid),
        cmocka_unit_test(cone),
        cmocka_unit_test(convex_cone),
        cmocka_unit_test(convex_pyramid),
        cmocka_unit_test(plane_laws_agree),
        cmocka_unit_test(file_keeps_patches),
        cmocka_unit_test(threads_do_not_matter),
    };
    return cmocka_run_group_tests_name("solvers on compliant patches", tests, NULL, NULL);
}
