/* Islands: that they are the connected components, that solving them one by one solves the whole, with the whole's tolerance, and
 * at what cost. */
#include "solve/auto/auto.h"
#include "support/check.h"
#include "support/problems/joined_problem.h"
#include "support/worlds.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const cairn_law LAWS[] = {
    {CAIRN_LAW_FRICTIONLESS, 0}, {CAIRN_LAW_PYRAMID, 6},        {CAIRN_LAW_BOX, 0},
    {CAIRN_LAW_CONE, 0},         {CAIRN_LAW_CONVEX_PYRAMID, 6}, {CAIRN_LAW_CONVEX_CONE, 0}};

/* ---------------------------------------------------------------------------------------------------- problems */

/* A body that joints hold inside a wall: nothing solves it. */
static cairn_problem *infeasible(cairn_law law)
{
    static const double I[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double mu = 0.3;
    return test_problem_from_dense(&(test_dense){.dim = 3,
                                                 .law = law,
                                                 .block_count = 1,
                                                 .block_size = (int[]){3},
                                                 .A = I,
                                                 .joint_rows = 3,
                                                 .G = I,
                                                 .contact_count = 1,
                                                 .H = I,
                                                 .w = (double[]){-1, 0, 0},
                                                 .mu = &mu});
}

/* ------------------------------------------------------------------------------------------------------ solving */

typedef struct bench
{
    cairn_context *context;
    cairn_solver *solver;
    cairn_solution solution;
    cairn_solver_report report;
} bench;

static bench bench_new(void)
{
    bench b = {.context = cairn_context_create()};
    b.solver = cairn_solver_create(b.context);
    assert_non_null(b.solver);
    return b;
}

static void bench_free(bench *b)
{
    cairn_solver_destroy(b->solver);
    cairn_context_destroy(b->context);
}

static void bench_solve(bench *b, const cairn_problem *problem, cairn_solver_options options)
{
    assert_true(cairn_problem_is_valid(b->context, problem));
    assert_int_equal(cairn_solver_solve(b->solver, problem, &options, &b->solution, &b->report), CAIRN_OK);
    cairn_certificate certificate;
    assert_int_equal(cairn_certify(problem, &b->solution, &certificate), CAIRN_OK);
    assert_true(certificate.relative == b->report.certificate.relative);
    assert_true(b->report.outcome != CAIRN_SOLVED || certificate.relative <= options.tolerance);
}

/* --------------------------------------------------------------------------------------------------- components */

/* The same label for two blocks as long as something couples them: labels flow until none changes. */
static bool flow(int *label, const int *block, int count)
{
    int least = label[block[0]];
    bool changed = false;
    for (int i = 1; i < count; ++i)
        least = label[block[i]] < least ? label[block[i]] : least;
    for (int i = 0; i < count; ++i)
    {
        changed = changed || label[block[i]] != least;
        label[block[i]] = least;
    }
    return changed;
}

static bool flow_rows(int *label, const cairn_block_rows *B, int first, int end)
{
    int from = B->entry_start[first], to = B->entry_start[end];
    return to > from && flow(label, B->block + from, to - from);
}

static void label_blocks(const cairn_problem *problem, int *label)
{
    bool changed = true;
    for (int i = 0; i < problem->block_count; ++i)
        label[i] = i;
    while (changed)
    {
        changed = false;
        for (int i = 0; i < problem->block_count; ++i)
        {
            changed = flow(label, problem->A.column + problem->A.row_start[i],
                           problem->A.row_start[i + 1] - problem->A.row_start[i]) ||
                      changed;
        }
        for (int i = 0; i < problem->G.item_count; ++i)
            changed = flow_rows(label, &problem->G, i, i + 1) || changed;
        for (int j = 0; j < problem->contact_count; ++j)
            changed = flow_rows(label, &problem->H, j, j + 1) || changed;
        for (int k = 0; k < problem->patch_count; ++k)
            changed = flow_rows(label, &problem->H, problem->patch_start[k], problem->patch_start[k + 1]) || changed;
    }
}

/* All members of an island have one label, which no other island has; every joint and contact is in exactly one. */
static void check_components(const cairn_problem *problem, const cairn_solver *solver, const int *label)
{
    bool *seen = calloc((size_t)problem->block_count + 1, sizeof(bool));
    int joints = 0, contacts = 0;
    for (int k = 0; k < cairn_solver_island_count(solver); ++k)
    {
        cairn_island island = cairn_solver_island(solver, k);
        int members = 0;
        assert_true(island.block_count > 0 && island.joint_count + island.contact_count > 0);
        int own = label[island.block[0]];
        assert_false(seen[own]);
        seen[own] = true;
        for (int i = 0; i < problem->block_count; ++i)
        {
            bool inside = members < island.block_count && island.block[members] == i;
            assert_true(inside == (label[i] == own));
            members += inside;
        }
        for (int j = 0; j < island.contact_count; ++j)
        {
            assert_true(j == 0 || island.contact[j] > island.contact[j - 1]);
            assert_int_equal(label[problem->H.block[problem->H.entry_start[island.contact[j]]]], own);
        }
        for (int j = 0; j < island.joint_count; ++j)
        {
            assert_true(j == 0 || island.joint[j] > island.joint[j - 1]);
            assert_int_equal(label[problem->G.block[problem->G.entry_start[island.joint[j]]]], own);
        }
        joints += island.joint_count;
        contacts += island.contact_count;
    }
    assert_int_equal(joints, problem->G.item_count);
    assert_int_equal(contacts, problem->contact_count);
    free(seen);
}

static void islands_are_the_components(void **state)
{
    (void)state;
    bench b = bench_new();
    for (int trial = 0; trial < 60; ++trial)
    {
        test_join join = test_join_random(trial, trial % 2 ? 3 : 2, LAWS[0], 0.3);
        int *label = calloc((size_t)join.problem->block_count + 1, sizeof(int));
        bench_solve(&b, join.problem, cairn_solver_default());
        label_blocks(join.problem, label);
        check_components(join.problem, b.solver, label);
        assert_int_equal(b.report.islands, cairn_solver_island_count(b.solver));
        assert_true(b.report.islands >= 2 && b.report.largest_island >= 1);
        free(label);
        test_join_release(&join);
    }
    bench_free(&b);
}

static void check_islands(bench *b, const cairn_problem *problem, int *label)
{
    bench_solve(b, problem, cairn_solver_default());
    label_blocks(problem, label);
    check_components(problem, b->solver, label);
}

/* Islands are known again while nothing couples other blocks. That the first block of a contact is another one, with all numbers as they were, is
 * noticed. */
static void changed_entries_change_islands(void **state)
{
    (void)state;
    cairn_problem *one = test_problem_stack(4, LAWS[3], 0.3, 1e-2, 1e-2);
    test_join join = test_join_copies(one, 3);
    const cairn_block_rows *H = &join.problem->H;
    int *label = calloc((size_t)join.problem->block_count + 1, sizeof(int)), changes = 0;
    bench b = bench_new();
    for (int trial = 0; trial < 3 * H->item_count; ++trial)
    {
        int item = trial % H->item_count, other = trial * 5 % join.problem->block_count;
        int *block = &H->block[H->entry_start[item]], was = *block;
        bool paired = H->entry_start[item + 1] - H->entry_start[item] > 1;
        check_islands(&b, join.problem, label);
        check_islands(&b, join.problem, label);
        *block = paired && block[1] <= other ? was : other; /* the blocks of an item ascend */
        changes += *block != was;
        check_islands(&b, join.problem, label);
        *block = was;
    }
    assert_true(changes > 4);
    bench_free(&b);
    free(label);
    test_join_release(&join);
    test_problem_destroy(one);
}

/* Contacts without bodies, coupled by patches alone, as a local problem of FCLIB has them. */
static void patches_alone_are_islands(void **state)
{
    (void)state;
    double R[36] = {0}, mu[2] = {0.3, 0.3}, w[6] = {-1, 0.2, 0, -1, 0, 0.1};
    for (int i = 0; i < 6; ++i)
        R[i * 7] = 1.0;
    R[3] = R[18] = 0.2; /* the normals of both */
    test_dense dense = {.dim = 3, .law = LAWS[3], .contact_count = 2, .H = NULL, .w = w, .mu = mu, .R = R};
    cairn_problem *one = test_problem_from_dense(&dense);
    test_join join = test_join_copies(one, 3);
    bench b = bench_new();
    bench_solve(&b, join.problem, cairn_solver_default());
    assert_int_equal(b.report.outcome, CAIRN_SOLVED);
    assert_int_equal(b.report.islands, 3);
    assert_int_equal(b.report.largest_island, 2);
    bench_free(&b);
    test_join_release(&join);
    test_problem_destroy(one);
}

/* ---------------------------------------------------------------------------------------------------- the whole */

/* Friction is kept small enough for the velocity to be unique under the laws that are not convex. */
static void islands_solve_the_whole(void **state)
{
    (void)state;
    bench b = bench_new();
    crn_solver_policy *policy = crn_solver_policy_create();
    cairn_solver_options options = cairn_solver_default();
    options.tolerance = 1e-11;
    double worst = 0.0;
    for (int trial = 0; trial < 120; ++trial)
    {
        test_join join = test_join_random(trial, trial % 4 == 3 ? 2 : 3, LAWS[trial % 6], 0.2);
        bench_solve(&b, join.problem, options);
        assert_int_equal(b.report.outcome, CAIRN_SOLVED);
        cairn_solution whole;
        cairn_solver_report report;
        assert_int_equal(crn_solver_policy_solve(policy, b.context, join.problem, NULL, &options, &whole, &report),
                         CAIRN_OK);
        assert_int_equal(report.outcome, CAIRN_SOLVED);
        for (int i = 0; i < join.problem->n; ++i)
        {
            worst = fmax(worst, fabs(b.solution.v[i] - whole.v[i]));
            assert_near(b.solution.v[i], whole.v[i], 1e-9);
        }
        test_join_release(&join);
    }
    print_message("largest difference to the whole: %.1e m/s\n", worst);
    crn_solver_policy_destroy(policy);
    bench_free(&b);
}

/* A slow island beside a fast one need not be solved to its own scale, and the whole still keeps the whole's tolerance; that
 * of the fast one is not loosened. */
static void tolerance_is_that_of_the_whole(void **state)
{
    (void)state;
    cairn_problem *slow = test_problem_stack(6, LAWS[3], 0.5, 1e-4, 1e-4);
    cairn_problem *fast = test_problem_stack(6, LAWS[3], 0.5, 1e-1, 1e-1);
    cairn_solver_options options = {
        .struct_size = sizeof options, .kind = CAIRN_SOLVER_GAUSS_SEIDEL, .tolerance = 1e-7};
    test_join join = test_problem_join((cairn_problem *[]){slow, fast}, 2, 11);
    bench b = bench_new();
    bench_solve(&b, slow, options);
    int alone_slow = b.report.iterations;
    bench_solve(&b, join.problem, options);
    assert_int_equal(b.report.outcome, CAIRN_SOLVED);
    int a = cairn_solver_island(b.solver, 0).iterations, c = cairn_solver_island(b.solver, 1).iterations;
    print_message("sweeps: slow %d alone; %d and %d together\n", alone_slow, a, c);
    assert_int_equal(cairn_solver_island(b.solver, 0).outcome, CAIRN_SOLVED);
    assert_int_equal(cairn_solver_island(b.solver, 1).outcome, CAIRN_SOLVED);
    assert_true(2 * (a < c ? a : c) < (a < c ? c : a) && 2 * (a < c ? a : c) < alone_slow);
    bench_free(&b);
    test_join_release(&join);
    test_problem_destroy(slow);
    test_problem_destroy(fast);
}

/* ------------------------------------------------------------------------------------------------------ failures */

static void one_island_fails_and_is_named(void **state)
{
    (void)state;
    bench b = bench_new();
    for (int l = 0; l < 6; ++l)
    {
        cairn_problem *part[4] = {test_problem_single(LAWS[l], 2.0), test_problem_single(LAWS[l], 0.1),
                                  infeasible(LAWS[l]), test_problem_single(LAWS[l], -1.0)};
        double speed[4];
        cairn_solver_options options = cairn_solver_default();
        for (int k = 0; k < 4; k += k == 1 ? 2 : 1)
        {
            bench_solve(&b, part[k], options);
            assert_int_equal(b.report.outcome, CAIRN_SOLVED);
            speed[k] = b.solution.v[1];
        }
        test_join join = test_problem_join(part, 4, (uint64_t)l);
        bench_solve(&b, join.problem, options);
        assert_int_equal(b.report.outcome, CAIRN_FAILED);
        assert_int_equal(b.report.islands, 4);
        assert_int_equal(b.report.certificate.worst_contact, join.contact[2]);
        for (int i = 0; i < 4; ++i)
        {
            cairn_island island = cairn_solver_island(b.solver, i);
            bool bad = island.block[0] == join.block[2];
            assert_int_equal(island.outcome, bad ? CAIRN_FAILED : CAIRN_SOLVED);
            assert_int_equal(island.joint_count, bad ? 2 : 0);
            assert_int_equal(island.contact_count, 1);
        }
        for (int k = 0; k < 4; k += k == 1 ? 2 : 1)
            assert_near(b.solution.v[join.problem->block_start[join.block[k]] + 1], speed[k], 1e-8);
        test_join_release(&join);
        for (int k = 0; k < 4; ++k)
            test_problem_destroy(part[k]);
    }
    bench_free(&b);
}

/* A message about one island speaks of it by the numbers of the whole. */
static void bad_mass_is_named_by_its_block(void **state)
{
    (void)state;
    bench b = bench_new();
    cairn_problem *one = test_problem_single(LAWS[1], 1.0);
    test_join join = test_join_copies(one, 7);
    cairn_solver_options options = cairn_solver_default();
    int bad = 5;
    double *value = join.problem->A.value + join.problem->A.value_start[join.problem->A.row_start[bad]];
    value[4] = -1.0;
    for (int threads = 1; threads <= 4; threads *= 2)
    {
        options.threads = threads;
        assert_int_equal(cairn_solver_solve(b.solver, join.problem, &options, &b.solution, &b.report), CAIRN_NUMERIC);
        assert_non_null(strstr(cairn_context_last_message(b.context), "block 5"));
        assert_int_equal(cairn_solver_island_count(b.solver), 0);
    }
    options.threads = -1;
    assert_int_equal(cairn_solver_solve(b.solver, join.problem, &options, &b.solution, &b.report), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(b.context), "threads"));
    bench_free(&b);
    test_join_release(&join);
    test_problem_destroy(one);
}

/* In a simulation the bodies are named: a point held inside the ground, others beside it. */
static void step_names_the_bodies(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_material stone = add_material(w.model, "stone", 0.4, 0.0);
    add_ground(w.model, stone);
    add_point(w.model, "sound", 1.0, 0.0, 0.0, stone);
    cairn_body stuck = add_point(w.model, "stuck", 1.0, 5.0, -0.1, stone);
    add_point(w.model, "sound too", 1.0, 9.0, 0.0, stone);
    cairn_joint_options nail = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    cairn_joint joint;
    nail.name = "nail";
    nail.a.body = stuck;
    memcpy(nail.b.point, (double[3]){5.0, -0.1, 0.0}, sizeof nail.b.point);
    assert_int_equal(cairn_model_add_joint(w.model, &nail, &joint), CAIRN_OK);
    cairn_settings settings = cairn_settings_default();
    settings.initial = CAIRN_INITIAL_KEEP;
    world_start(&w, &settings);
    assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_UNSOLVED);
    const char *message = cairn_context_last_message(w.context);
    print_message("%s\n", message);
    assert_non_null(strstr(message, "'stuck'"));
    assert_null(strstr(message, "sound"));
    world_free(&w);
}

/* ---------------------------------------------------------------------------------------------------------- cost */

static double cpu_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds a contact of `count` bodies that each touch the ground: the best of three warm solves. */
static double time_of_singles(int count, cairn_law law)
{
    cairn_problem *one = test_problem_single(law, 0.5);
    test_join join = test_join_copies(one, count);
    bench b = bench_new();
    double best = INFINITY;
    for (int i = 0; i < 4; ++i)
    {
        cairn_solver_options options = cairn_solver_default();
        double start = cpu_time();
        assert_int_equal(cairn_solver_solve(b.solver, join.problem, &options, &b.solution, &b.report), CAIRN_OK);
        best = i > 0 ? fmin(best, cpu_time() - start) : best;
    }
    assert_int_equal(b.report.outcome, CAIRN_SOLVED);
    assert_int_equal(b.report.islands, count);
    /* mu = 0.3 brakes 0.5 by 0.3 */
    assert_near(b.solution.v[1], 0.2, 1e-9);
    bench_free(&b);
    test_join_release(&join);
    test_problem_destroy(one);
    return best / count;
}

static void time_is_linear(void **state)
{
    (void)state;
    cairn_law laws[] = {{CAIRN_LAW_CONE, 0}, {CAIRN_LAW_PYRAMID, 8}};
    for (int l = 0; l < 2; ++l)
    {
        double few = time_of_singles(500, laws[l]);
        double many = time_of_singles(10000, laws[l]);
        print_message("%.2f us an island of 500, %.2f us of 10000\n", 1e6 * few, 1e6 * many);
        assert_true(many < 3.0 * few);
    }
}

/* A second solve of the same sizes finds all memory there. */
static void warm_solves_allocate_nothing(void **state)
{
    (void)state;
    test_join join = test_join_random(6, 3, LAWS[3], 0.3);
    bench b = bench_new();
    cairn_solver_options options = cairn_solver_default();
    for (int i = 0; i < 2; ++i)
        assert_int_equal(cairn_solver_solve(b.solver, join.problem, &options, &b.solution, &b.report), CAIRN_OK);
    struct mallinfo2 before = mallinfo2();
    assert_int_equal(cairn_solver_solve(b.solver, join.problem, &options, &b.solution, &b.report), CAIRN_OK);
    struct mallinfo2 after = mallinfo2();
    assert_int_equal(after.uordblks, before.uordblks);
    assert_int_equal(after.hblkhd, before.hblkhd);
    bench_free(&b);
    test_join_release(&join);
}

/* The impulses of the solution as the guess: every island starts from its own. */
static void guesses_reach_their_islands(void **state)
{
    (void)state;
    cairn_problem *part[3] = {test_problem_stack(3, LAWS[3], 0.5, 0.01, 0.0),
                              test_problem_stack(5, LAWS[3], 0.3, 0.01, 0.05),
                              test_problem_stack(2, LAWS[3], 0.7, 0.01, 0.2)};
    test_join join = test_problem_join(part, 3, 3);
    cairn_solver_options options = {
        .struct_size = sizeof options, .kind = CAIRN_SOLVER_GAUSS_SEIDEL, .tolerance = 1e-8};
    bench b = bench_new();
    bench_solve(&b, join.problem, options);
    int cold = b.report.iterations;
    size_t bytes = (size_t)b.solution.contact_rows * sizeof(double);
    double *guess = malloc(bytes);
    memcpy(guess, b.solution.r, bytes);
    options.guess = guess;
    options.tolerance = 1.1e-8; /* the guess itself meets it */
    bench_solve(&b, join.problem, options);
    print_message("sweeps: %d cold, %d from the solution\n", cold, b.report.iterations);
    assert_true(cold > 0);
    assert_int_equal(b.report.iterations, 0);
    free(guess);
    bench_free(&b);
    test_join_release(&join);
    for (int k = 0; k < 3; ++k)
        test_problem_destroy(part[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(islands_are_the_components),
        cmocka_unit_test(changed_entries_change_islands),
        cmocka_unit_test(patches_alone_are_islands),
        cmocka_unit_test(islands_solve_the_whole),
        cmocka_unit_test(tolerance_is_that_of_the_whole),
        cmocka_unit_test(one_island_fails_and_is_named),
        cmocka_unit_test(bad_mass_is_named_by_its_block),
        cmocka_unit_test(step_names_the_bodies),
        cmocka_unit_test(time_is_linear),
        cmocka_unit_test(warm_solves_allocate_nothing),
        cmocka_unit_test(guesses_reach_their_islands),
    };
    return cmocka_run_group_tests_name("islands", tests, NULL, NULL);
}
