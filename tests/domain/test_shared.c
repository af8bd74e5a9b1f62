/* Simulations that ranks share, as threads of one process: the same bits from any number of them, also when the state moves on to another number of ranks, and
 * the physics certificate holds. */
#include "cairn/cairn.h"

#include "support/check.h"
#include "support/shared_scene.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    STEPS = 98,
    BATCH = 7
};

/* A run, and what it came to. */
typedef struct shared_run
{
    const char *scene;
    const cairn_state *from; /* NULL: the scene's beginning */
    int steps, batch;
    bool is_saved;
    cairn_state *end_state; /* where it is saved */
    int bodies, contacts;
    cairn_body_state *body;
    cairn_energy energy;
    const char *pulled; /* body that is pulled in the first half; NULL: none */
    double measured[3]; /* of the statistic `heap`, if there is one */
    int64_t rebuilds;
    cairn_ranks_tally tally;
    double radius;  /* m: of balls that are all alike; 0: they are not */
    double overlap; /* m: the largest of two of them after any batch */
    int violations; /* of laws, after any batch */
    atomic_int failures;
} shared_run;

static bool is_good(shared_run *run, cairn_context *context, cairn_status status)
{
    if (status)
        print_error("%s: %s\n", run->scene, cairn_context_last_message(context));
    run->failures += status != CAIRN_OK;
    return status == CAIRN_OK;
}

static void read_bodies(shared_run *run, const cairn_simulation *simulation)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    run->bodies = cairn_model_body_count(model);
    run->body = realloc(run->body, (size_t)run->bodies * sizeof *run->body);
    for (int i = 0; i < run->bodies; ++i)
        run->body[i] = cairn_simulation_body(simulation, cairn_model_body(model, i));
}

/* The first body is the table. */
static void find_overlap(shared_run *run)
{
    for (int i = 1; run->radius > 0 && i < run->bodies; ++i)
        for (int j = 1; j < i; ++j)
        {
            const double *x = run->body[i].position, *y = run->body[j].position;
            double e[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
            run->overlap = fmax(run->overlap, 2 * run->radius - sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]));
        }
}

/* A body is pulled to a place, and let go. */
static bool pull(shared_run *run, cairn_context *context, cairn_simulation *simulation, int left)
{
    static const double POINT[3] = {0, 0.01, 0}, TARGET[3] = {0, 0, 0.7};
    const cairn_model *model = cairn_simulation_model(simulation);
    if (run->pulled && left == run->steps)
        return is_good(
            run, context,
            cairn_simulation_pull(simulation, cairn_model_find_body(model, run->pulled), POINT, TARGET, 50, 2));
    if (run->pulled && 2 * left <= run->steps)
        cairn_simulation_let_go(simulation);
    return true;
}

static void measure(shared_run *run, cairn_context *context, const cairn_simulation *simulation)
{
    static const char *const NAMES[] = {"heap.temperature", "heap.contacts", "heap.stress.zz"};
    const cairn_model *model = cairn_simulation_model(simulation);
    for (int i = 0; cairn_model_statistic_count(model) > 0 && i < 3; ++i)
    {
        cairn_quantity quantity;
        if (is_good(run, context, cairn_quantity_find(context, model, NAMES[i], &quantity)))
            is_good(run, context, cairn_quantity_value(simulation, &quantity, &run->measured[i]));
    }
}

static void take_steps(shared_run *run, cairn_context *context, cairn_simulation *simulation)
{
    for (int left = run->steps; left > 0; left -= run->batch)
    {
        if (!pull(run, context, simulation, left) ||
            !is_good(run, context, cairn_simulation_steps(simulation, left < run->batch ? left : run->batch)))
            return;
        read_bodies(run, simulation);
        find_overlap(run);
        run->violations += cairn_simulation_report(simulation)->physics.forbidden != 0;
    }
    measure(run, context, simulation);
    run->contacts = cairn_simulation_report(simulation)->contacts;
    run->energy = cairn_simulation_energy(simulation);
    run->tally = cairn_simulation_ranks(simulation);
    run->rebuilds = run->tally.rebuilds;
    if (run->is_saved)
        is_good(run, context, cairn_simulation_save(simulation, &run->end_state));
}

static void work(cairn_context *context, cairn_simulation *simulation, void *data)
{
    shared_run *run = data;
    if (!run->from || is_good(run, context, cairn_simulation_restore(simulation, run->from)))
        take_steps(run, context, simulation);
}

/* Scenes of the tool are for one process unless told otherwise. */
static void adapt(cairn_settings *settings, void *data)
{
    (void)data;
    settings->device = CAIRN_DEVICE_RANKS;
}

static void share(int ranks, shared_run *run)
{
    shared_scene scene = {.name = run->scene, .adapt = adapt, .work = work, .data = run};
    run->failures += shared_scene_run(&scene, ranks, 300);
}

/* Where there are joints, drives see the state of every step, and batches are part of the result. */
static shared_run run_on(int ranks, const char *scene, const cairn_state *from, int steps, bool is_saved)
{
    shared_run run = {.scene = scene, .from = from, .steps = steps, .batch = BATCH, .is_saved = is_saved};
    share(ranks, &run);
    assert_int_equal(run.failures, 0);
    assert_int_equal(run.violations, 0);
    return run;
}

static void assert_same(const shared_run *a, const shared_run *b)
{
    assert_int_equal(a->bodies, b->bodies);
    assert_int_equal(a->contacts, b->contacts);
    assert_memory_equal(a->body, b->body, (size_t)a->bodies * sizeof *a->body);
    assert_memory_equal(&a->energy, &b->energy, sizeof a->energy);
    assert_memory_equal(a->measured, b->measured, sizeof a->measured);
}

/* What is saved, impulses and colours included, does not depend on the ranks. */
static void assert_same_state(const cairn_state *a, const cairn_state *b)
{
    size_t size[2];
    const void *x = cairn_state_bytes(a, &size[0]), *y = cairn_state_bytes(b, &size[1]);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(x, y, size[0]);
}

static void check_scene(const char *scene)
{
    static const int RANKS[] = {2, 3, 5, 8};
    shared_run alone = run_on(1, scene, NULL, STEPS, false);
    assert_true(alone.contacts > 30);
    assert_true(alone.rebuilds > 1);
    for (size_t i = TAKES_ALL ? 0 : 3; i < sizeof RANKS / sizeof RANKS[0]; ++i)
    {
        shared_run shared = run_on(RANKS[i], scene, NULL, STEPS, false);
        assert_same(&alone, &shared);
        free(shared.body);
    }
    shared_run first = run_on(2, scene, NULL, 3 * BATCH, true), other = run_on(5, scene, NULL, 3 * BATCH, true);
    assert_same_state(first.end_state, other.end_state);
    cairn_state_destroy(other.end_state);
    free(other.body);
    shared_run rest = run_on(3, scene, first.end_state, STEPS - 3 * BATCH, false);
    assert_same(&alone, &rest);
    cairn_state_destroy(first.end_state);
    free(first.body);
    free(rest.body);
    free(alone.body);
}

static void test_grains(void **unused)
{
    (void)unused;
    check_scene("grains");
}

static void test_mixed(void **unused)
{
    (void)unused;
    check_scene("mixed");
}

static void test_drum(void **unused)
{
    (void)unused;
    check_scene("drum");
}

static void test_chains(void **unused)
{
    (void)unused;
    check_scene("chains");
}

static void test_giant(void **unused)
{
    (void)unused;
    check_scene("giant");
}

/* A friction polygon, moments that resist rolling, and cohesion. */
static void test_laws(void **unused)
{
    (void)unused;
    check_scene("laws");
}

/* Ellipsoids, cylinders, cones, and hulls no two of which are alike. */
static void test_convex(void **unused)
{
    (void)unused;
    check_scene("convex");
}

/* Balls in a box that repeats along two axes. */
static void test_periodic(void **unused)
{
    (void)unused;
    check_scene("periodic");
}

/* Convex shapes and clumps in a box that repeats along all axes. */
static void test_crystal(void **unused)
{
    (void)unused;
    check_scene("crystal");
}

/* Fewer mechanisms than ranks: some have nothing, before and after the bodies have flown apart. */
static void test_islands(void **unused)
{
    (void)unused;
    static const int RANKS[] = {2, 3, 4, 8};
    shared_run alone = run_on(1, "islands", NULL, 70, false);
    for (size_t i = TAKES_ALL ? 0 : 3; i < sizeof RANKS / sizeof RANKS[0]; ++i)
    {
        shared_run shared = run_on(RANKS[i], "islands", NULL, 70, false);
        assert_same(&alone, &shared);
        assert_true(shared.rebuilds > 3);
        free(shared.body);
    }
    free(alone.body);
}

/* Springs, joints that give, a rotor, forces of time and a statistic. */
static void test_springs(void **unused)
{
    (void)unused;
    check_scene("springs");
}

/* The same with a body that is pulled: the hand's work is that of the audit, and it does not depend on the ranks. */
static void test_pull(void **unused)
{
    (void)unused;
    static const int RANKS[] = {1, 3, 8};
    shared_run first = {0};
    for (size_t i = 0; i < sizeof RANKS / sizeof RANKS[0]; i += TAKES_ALL ? 1 : 2)
    {
        shared_run run = {.scene = "springs", .steps = 60, .batch = BATCH, .pulled = "pushed"};
        share(RANKS[i], &run);
        assert_int_equal(run.failures, 0);
        assert_int_equal(run.violations, 0);
        assert_true(isfinite(run.measured[0]) && run.measured[1] > 20 && run.measured[2] != 0);
        if (i == 0)
            first = run;
        else
        {
            assert_same(&first, &run);
            free(run.body);
        }
    }
    shared_run free_run = {.scene = "springs", .steps = 60, .batch = BATCH};
    share(2, &free_run);
    assert_true(first.energy.work_forces > free_run.energy.work_forces + 0.1);
    free(free_run.body);
    free(first.body);
}

/* The busiest rank has no more than 1.15 times the mean work in any step. */
static void check_balance(const char *scene, int steps, int cuts, int contacts)
{
    for (int ranks = 4; ranks <= 8; ranks *= 2)
    {
        shared_run run = {.scene = scene, .steps = steps, .batch = 25};
        share(ranks, &run);
        assert_int_equal(run.failures, 0);
        assert_int_equal(run.violations, 0);
        assert_int_equal(run.tally.uneven_steps, 0);
        assert_true(run.tally.most_uneven > 1 && run.tally.most_uneven <= 1.15);
        assert_true(run.tally.cuts > cuts && run.contacts > contacts);
        free(run.body);
    }
}

/* Grains leave a column. */
static void test_balance_of_avalanche(void **unused)
{
    (void)unused;
    if (IS_SANITIZED)
        check_balance("avalanche", 24, 0, 0);
    else
        check_balance("avalanche", 150, 5, 1500);
}

/* Grains fall into a hopper, whose gate is drawn aside in the last ten of 410 steps. */
static void test_balance_of_hopper(void **unused)
{
    (void)unused;
    if (IS_SANITIZED)
        check_balance("../../../scenes/hopper", 12, 0, 0);
    else if (getenv("CAIRN_LONG"))
        check_balance("../../../scenes/hopper", 410, 20, 6000);
    else
        check_balance("../../../scenes/hopper", 100, 5, 500);
}

/* Balls that a collision sends towards others within the step do not get into them. */
static void test_break(void **unused)
{
    (void)unused;
    static const int RANKS[] = {1, 2, 3, 8};
    shared_run first = {0};
    for (size_t i = 0; i < sizeof RANKS / sizeof RANKS[0]; i += TAKES_ALL ? 1 : 3)
    {
        shared_run run = {.scene = "break", .steps = 60, .batch = 1, .radius = 0.04};
        share(RANKS[i], &run);
        assert_int_equal(run.failures, 0);
        assert_int_equal(run.violations, 0);
        assert_true(run.overlap < 1e-5);
        if (i == 0)
            first = run;
        else
        {
            assert_same(&first, &run);
            free(run.body);
        }
    }
    free(first.body);
}

int main(void)
{
    setenv("CAIRN_PROCESSOR_LIBRARY", CAIRN_BUILD_DIR "/libcairn_processor.so", 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_grains),
                                       cmocka_unit_test(test_mixed),
                                       cmocka_unit_test(test_drum),
                                       cmocka_unit_test(test_chains),
                                       cmocka_unit_test(test_giant),
                                       cmocka_unit_test(test_springs),
                                       cmocka_unit_test(test_laws),
                                       cmocka_unit_test(test_convex),
                                       cmocka_unit_test(test_periodic),
                                       cmocka_unit_test(test_crystal),
                                       cmocka_unit_test(test_islands),
                                       cmocka_unit_test(test_balance_of_avalanche),
                                       cmocka_unit_test(test_balance_of_hopper),
                                       cmocka_unit_test(test_pull),
                                       cmocka_unit_test(test_break)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
