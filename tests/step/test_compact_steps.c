/* Steps whose large islands are swept in the compact view: the general certificate judges them, bits do not depend on threads, and
 * the path is taken only where it applies. */
#include "support/check.h"
#include "support/heap.h"

#include <cairn/state.h>

#include <stdio.h>
#include <string.h>

enum
{
    LATTICE = 17 /* grains along an edge of lattice_world */
};

enum
{
    LAW_COUNT = 5
};

static const cairn_law LAWS[LAW_COUNT] = {{CAIRN_LAW_CONE, 0},
                                          {CAIRN_LAW_CONVEX_CONE, 0},
                                          {CAIRN_LAW_FRICTIONLESS, 0},
                                          {CAIRN_LAW_PYRAMID, 6},
                                          {CAIRN_LAW_BOX, 0}};

static world start(const heap_options *options, const cairn_settings *settings)
{
    world w = heap_world(options);
    world_start(&w, settings);
    return w;
}

/* ----------------------------------------------------------------------------------------------------- certificate */

/* The general certificate knows nothing of the compact view. Scales may differ by the directions in which components of velocities
 * are taken, along axes of the world or along tangents, and so may what is relative to them. */
static void certify(const world *w)
{
    const cairn_certificate *own = &cairn_simulation_report(w->simulation)->solver.certificate;
    const cairn_problem *problem = cairn_simulation_problem(w->simulation);
    cairn_certificate general;
    assert_non_null(problem);
    assert_int_equal(problem->contact_count, cairn_simulation_contact_count(w->simulation));
    assert_int_equal(cairn_certify(problem, cairn_simulation_solution(w->simulation), &general), CAIRN_OK);
    assert_near(own->natural_map, general.natural_map, 1e-9 * general.natural_map + 1e-14 * general.scale);
    assert_near(own->penetration_speed, general.penetration_speed, 1e-14 * general.scale);
    /* of an island at rest: the speed of the fastest point, not the largest component */
    assert_true(general.dynamics <= own->dynamics + 1e-12 * general.scale);
    assert_true(own->dynamics <= 4 * general.dynamics);
    assert_true(own->scale > 0.4 * general.scale && own->scale < 2 * general.scale);
}

/* Certify every third step while grains fall, collide and settle. */
static void certify_run(const heap_options *options, cairn_law law, int steps)
{
    cairn_settings settings = cairn_settings_default();
    settings.law = law;
    settings.step = 0.005;
    world w = start(options, &settings);
    int swept = 0;
    for (int k = 0; k < steps; ++k)
    {
        heap_run(&w, 1);
        swept += heap_swept(&w);
        if (k % 3 == 0 && heap_swept(&w))
            certify(&w);
    }
    assert_true(swept > steps / 3);
    world_free(&w);
}

static void general_certificate_agrees(void **state)
{
    (void)state;
    /* With 1 a disc that the floor drives into a corner locks: no impulses balance it. */
    const double frictions[] = {0, 0.3, 0.9};
    uint64_t seed = 1;
    for (int dimension = 2; dimension <= 3; ++dimension)
        for (int law = 0; law < LAW_COUNT; ++law)
            for (int mix = HEAP_ROUND; mix <= HEAP_MIXED; ++mix)
            {
                heap_options options = {.dimension = dimension,
                                        .mix = (heap_mix)mix,
                                        .count = IS_SANITIZED ? 80 : 100,
                                        .friction = frictions[seed % 3],
                                        .floor = seed % 2 ? NULL : "0.02*sin(20*t)",
                                        .seed = seed};
                certify_run(&options, LAWS[law], IS_SANITIZED ? 90 : 120);
                ++seed;
            }
    const heap_options planar = {.dimension = 2, .count = 100, .friction = 0.3, .seed = seed};
    certify_run(&planar, (cairn_law){CAIRN_LAW_CONVEX_PYRAMID, 4}, 90);
}

/* With gyroscopic moments: slender boxes that spin. */
static void spinning_bodies_are_certified(void **state)
{
    (void)state;
    const cairn_integrator schemes[] = {CAIRN_INTEGRATOR_EULER, CAIRN_INTEGRATOR_STIFF};
    for (int i = 0; i < 2; ++i)
    {
        heap_options options = {.dimension = 3, .mix = HEAP_MIXED, .count = 100, .friction = 0.4, .seed = 17};
        cairn_settings settings = cairn_settings_default();
        settings.integrator = schemes[i];
        settings.step = 0.005;
        world w = start(&options, &settings);
        heap_run(&w, 80);
        for (int b = HEAP_WALLS; b < 60; ++b)
        {
            cairn_body body = cairn_model_body(w.model, b);
            cairn_body_state s = cairn_simulation_body(w.simulation, body);
            s.angular_velocity[b % 3] = 40;
            s.angular_velocity[(b + 1) % 3] = 25;
            assert_int_equal(cairn_simulation_set_body(w.simulation, body, &s), CAIRN_OK);
        }
        for (int k = 0; k < 30; ++k)
        {
            heap_run(&w, 1);
            assert_true(heap_swept(&w));
            certify(&w);
        }
        world_free(&w);
    }
}

/* The problem can be asked for between steps without changing them. */
static void asking_changes_nothing(void **state)
{
    (void)state;
    heap_options options = {.dimension = 3, .mix = HEAP_MIXED, .count = 80, .friction = 0.4, .seed = 5};
    cairn_settings settings = cairn_settings_default();
    world asked = start(&options, &settings), left = start(&options, &settings);
    for (int k = 0; k < 60; ++k)
    {
        heap_run(&asked, 1);
        heap_run(&left, 1);
        assert_non_null(cairn_simulation_problem(asked.simulation));
        for (int j = 0; j < cairn_simulation_contact_count(left.simulation); ++j)
        {
            cairn_contact a = cairn_simulation_contact(asked.simulation, j);
            cairn_contact b = cairn_simulation_contact(left.simulation, j);
            assert_true(a.identity == b.identity && memcmp(a.impulse, b.impulse, sizeof a.impulse) == 0);
            for (int i = 0; i < 3; ++i)
                assert_near(a.velocity[i], b.velocity[i], 1e-13);
        }
    }
    int stride;
    size_t size = (size_t)cairn_model_body_count(left.model) * 3 * sizeof(double);
    const double *x = cairn_simulation_positions(asked.simulation, &stride);
    if (stride == 3)
        assert_memory_equal(x, cairn_simulation_positions(left.simulation, &stride), size);
    world_free(&asked);
    world_free(&left);
}

/* ----------------------------------------------------------------------------------------------------- determinism */

static void assert_same_state(const world *a, cairn_simulation *other)
{
    for (int b = 0; b < cairn_model_body_count(world_model(a)); ++b)
    {
        cairn_body body = cairn_model_body(world_model(a), b);
        cairn_body_state one = cairn_simulation_body(a->simulation, body), two = cairn_simulation_body(other, body);
        assert_memory_equal(&one.position, &two.position, sizeof one.position);
        assert_memory_equal(&one.orientation, &two.orientation, sizeof one.orientation);
        assert_memory_equal(&one.velocity, &two.velocity, sizeof one.velocity);
        assert_memory_equal(&one.angular_velocity, &two.angular_velocity, sizeof one.angular_velocity);
    }
}

static void run_other(cairn_simulation *simulation, int steps)
{
    for (int k = 0; k < steps; ++k)
        assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
}

/* Body handles belong to their model, so that a second world is compared with copies of the first one's states. */
static void threads_give_the_same_bits(void **state)
{
    (void)state;
    heap_options options = {.dimension = 3, .mix = HEAP_MIXED, .count = 200, .friction = 0.5, .seed = 11};
    cairn_settings settings = cairn_settings_default();
    settings.step = 0.005;
    world w = heap_world(&options);
    world_start(&w, &settings);
    heap_run(&w, 120);
    for (int threads = 2; threads <= 3; ++threads)
    {
        cairn_simulation *other;
        settings.solver.threads = threads;
        assert_int_equal(cairn_simulation_create(w.context, w.model, &settings, &other), CAIRN_OK);
        run_other(other, 120);
        assert_same_state(&w, other);
        cairn_simulation_destroy(other);
    }
    world_free(&w);
}

/* Spheres on a lattice, each nearly touching its neighbours and in motion: enough bodies and contacts for every loop that threads share. */
static world lattice_world(void)
{
    const heap_options floor = {.dimension = 3, .mix = HEAP_ROUND, .count = 1, .friction = 0.5, .half = 20, .seed = 1};
    const double apart = 2 * HEAP_RADIUS * (1 + 1e-6);
    cairn_shape_options sphere = cairn_shape_default(CAIRN_SPHERE);
    world w = heap_world(&floor);
    sphere.material = cairn_model_find_material(w.model, "grain");
    sphere.radius = HEAP_RADIUS;
    for (int i = 0; i < LATTICE * LATTICE * LATTICE; ++i)
    {
        cairn_body_options options = cairn_body_default();
        const int place[3] = {i % LATTICE, i / LATTICE % LATTICE, i / (LATTICE * LATTICE)};
        cairn_body body;
        cairn_shape unused;
        char name[24];
        snprintf(name, sizeof name, "grain %d", i);
        options.name = name;
        options.mass = 1;
        for (int k = 0; k < 3; ++k)
        {
            options.position[k] = apart * place[k] + (k == 0 ? 1 : HEAP_RADIUS);
            options.velocity[k] = 0.3 * sin(i * (k + 1.7));
        }
        assert_int_equal(cairn_model_add_body(w.model, &options, &body), CAIRN_OK);
        assert_int_equal(cairn_model_add_shape(w.model, body, &sphere, &unused), CAIRN_OK);
    }
    return w;
}

static cairn_simulation *run_lattice(const world *w, int threads)
{
    cairn_settings settings = cairn_settings_default();
    cairn_simulation *simulation;
    settings.step = 0.005;
    settings.solver.threads = threads;
    assert_int_equal(cairn_simulation_create(w->context, w->model, &settings, &simulation), CAIRN_OK);
    run_other(simulation, 4);
    assert_true(cairn_simulation_report(simulation)->contacts > 5000);
    return simulation;
}

static void threads_share_large_loops_with_the_same_bits(void **state)
{
    (void)state;
    world w = lattice_world();
    w.simulation = run_lattice(&w, 1);
    for (int threads = 2; threads <= (IS_SANITIZED ? 2 : 5); threads += 3)
    {
        cairn_simulation *other = run_lattice(&w, threads);
        assert_same_state(&w, other);
        assert_int_equal(cairn_simulation_report(other)->physics.violations,
                         cairn_simulation_report(w.simulation)->physics.violations);
        cairn_simulation_destroy(other);
    }
    world_free(&w);
}

/* A state from bytes, as if read from a file. */
static cairn_state *through_bytes(cairn_context *context, cairn_simulation *simulation)
{
    cairn_state *saved, *out;
    size_t size;
    assert_int_equal(cairn_simulation_save(simulation, &saved), CAIRN_OK);
    const void *bytes = cairn_state_bytes(saved, &size);
    assert_int_equal(cairn_state_from_bytes(context, bytes, size, &out), CAIRN_OK);
    cairn_state_destroy(saved);
    return out;
}

/* Saved, cloned and restored while falling (at 40 steps), and while at rest or nearly (at 400, under sanitizers earlier). */
static void states_continue_with_the_same_bits(void **state)
{
    (void)state;
    heap_options options = {.dimension = 3, .mix = HEAP_MIXED, .count = 80, .friction = 0.6, .seed = 3};
    cairn_settings settings = cairn_settings_default();
    settings.step = 0.005;
    world w = heap_world(&options);
    world_start(&w, &settings);
    for (int round = 0; round < 2; ++round)
    {
        cairn_simulation *clone, *restored;
        heap_run(&w, round == 0 ? 40 : IS_SANITIZED ? 120 : 360);
        assert_int_equal(cairn_simulation_clone(w.simulation, NULL, &clone), CAIRN_OK);
        cairn_state *saved = through_bytes(w.context, w.simulation);
        assert_int_equal(cairn_simulation_create(w.context, w.model, &settings, &restored), CAIRN_OK);
        run_other(restored, 7); /* what it has done before does not matter */
        assert_int_equal(cairn_simulation_restore(restored, saved), CAIRN_OK);
        for (int j = 0; j < cairn_simulation_contact_count(w.simulation); ++j)
        {
            cairn_contact a = cairn_simulation_contact(w.simulation, j), b = cairn_simulation_contact(restored, j);
            assert_memory_equal(a.impulse, b.impulse, sizeof a.impulse);
            assert_memory_equal(a.velocity, b.velocity, sizeof a.velocity);
        }
        heap_run(&w, 40);
        run_other(clone, 40);
        run_other(restored, 40);
        assert_same_state(&w, clone);
        assert_same_state(&w, restored);
        cairn_state_destroy(saved);
        cairn_simulation_destroy(clone);
        cairn_simulation_destroy(restored);
    }
    world_free(&w);
}

/* ------------------------------------------------------------------------------------------------------- the path */

/* Whether a step of an island of 76 contacts is swept. The first one is not, since a structure at rest is solved exactly when it is first loaded. */
static bool is_swept(world *w, const cairn_settings *settings)
{
    world_start(w, settings);
    heap_run(w, 2);
    return heap_swept(w);
}

static void assert_settings(const char *name, const char *text, bool expected)
{
    cairn_settings settings = cairn_settings_default();
    world w = heap_row(10, 0.4, NULL);
    if (name)
        assert_int_equal(cairn_settings_set(w.context, &settings, name, text), CAIRN_OK);
    bool swept = is_swept(&w, &settings);
    if (swept != expected)
        fail_msg("%s %s: %s", name ? name : "", text ? text : "", swept ? "swept" : "not swept");
    world_free(&w);
}

static void settings_choose_the_path(void **state)
{
    (void)state;
    assert_settings(NULL, NULL, true);
    assert_settings("accuracy", "fast", true);
    assert_settings("accuracy", "balanced", true);
    assert_settings("accuracy", "exact", false);
    assert_settings("law", "convex cone", true);
    assert_settings("law", "frictionless", true);
    assert_settings("law", "pyramid(4)", true);
    assert_settings("law", "box", true);
    assert_settings("law", "convex pyramid(4)", false);
    assert_settings("law", "lagged", false);
    assert_settings("integrator", "euler", true);
    assert_settings("integrator", "stiff2", false);
    assert_settings("integrator", "trapezoid", false);
    assert_settings("stabilisation", "none", true);
    assert_settings("stabilisation", "project", false);
    assert_settings("solver", "gauss-seidel", false);
    assert_settings("forces", "any", true);
    assert_settings("forces", "minimum-norm", false);
}

/* While bodies fall, islands are small and become many. From some 150 contacts on they are swept, and what sweeps leave is reported. */
static void many_small_islands_are_swept(void **state)
{
    (void)state;
    heap_options options = {.dimension = 3, .mix = HEAP_MIXED, .count = 300, .friction = 0.5, .half = 2, .seed = 6};
    cairn_settings settings = cairn_settings_default();
    settings.step = 0.005;
    world w = start(&options, &settings);
    int swept = 0;
    for (int k = 0; k < 40; ++k)
    {
        heap_run(&w, 1);
        const cairn_step_report *report = cairn_simulation_report(w.simulation);
        bool is_many = report->solver.islands > 8 && report->solver.largest_island <= 60;
        if (!is_many)
            continue;
        assert_int_equal(heap_swept(&w), report->contacts > 150);
        bool is_met = report->solver.certificate.relative <= settings.solver.tolerance;
        assert_int_equal(report->solver.outcome, is_met ? CAIRN_SOLVED : CAIRN_LIMITED);
        if (heap_swept(&w))
            certify(&w);
        swept += heap_swept(&w);
    }
    assert_true(swept > 3);
    world_free(&w);
}

static void joints_and_springs_choose_the_path(void **state)
{
    (void)state;
    for (int what = 0; what < 3; ++what)
    {
        cairn_settings settings = cairn_settings_default();
        world w = heap_row(10, 0.4, NULL);
        cairn_body last = cairn_model_body(w.model, cairn_model_body_count(w.model) - 1);
        cairn_attachment here = {.body = last}, there = {.point = {0, 0, 2}};
        double at[3] = {0, 0, 0.1 + HEAP_RADIUS};
        if (what == 0)
            add_spring(w.model, "spring", here, there, 10, 0);
        else if (what == 1)
        {
            cairn_joint joint;
            cairn_joint_options options = cairn_joint_default(CAIRN_JOINT_DISTANCE);
            options.name = "rod";
            options.a = here;
            options.b = there;
            assert_int_equal(cairn_model_add_joint(w.model, &options, &joint), CAIRN_OK);
        }
        else
        {
            cairn_material material;
            cairn_material_options options = cairn_material_default();
            options.name = "rubber";
            options.stiffness = 1e4;
            options.damping = 1;
            assert_int_equal(cairn_model_add_material(w.model, &options, &material), CAIRN_OK);
            add_ball(w.model, "soft", 0.5, HEAP_RADIUS, at, material);
        }
        assert_false(is_swept(&w, &settings));
        world_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(general_certificate_agrees),
        cmocka_unit_test(spinning_bodies_are_certified),
        cmocka_unit_test(asking_changes_nothing),
        cmocka_unit_test(threads_give_the_same_bits),
        cmocka_unit_test(threads_share_large_loops_with_the_same_bits),
        cmocka_unit_test(states_continue_with_the_same_bits),
        cmocka_unit_test(settings_choose_the_path),
        cmocka_unit_test(many_small_islands_are_swept),
        cmocka_unit_test(joints_and_springs_choose_the_path),
    };
    return cmocka_run_group_tests_name("compact steps", tests, NULL, NULL);
}
