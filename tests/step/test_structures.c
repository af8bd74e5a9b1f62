/* Stone and card structures: those that can stand do, for ten seconds when CAIRN_LONG is set, and those that cannot fall. What
 * can stand is known without simulating: an arch by its lines of thrust (support/arch.h), a leaning pair by the friction at its
 * feet. What stands has the weights of all its bodies on the ground. */
#include "support/arch.h"
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct stand
{
    double moved;       /* m: the largest distance of a body from its place at the start, at any time */
    double residual;    /* the worst certificate */
    double penetration; /* m, the largest */
    double carried;     /* N: what the ground bears in the last step */
    double weight;      /* N, of all bodies */
    double size;        /* m: how far from the origin bodies are */
    int count;          /* of bodies, the ground too */
    double thrust;      /* N: sum of the level forces of the ground on what stands to the right of x = 0 */
} stand;

static double distance(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* Forces of the ground, body 0, in the last step. */
static void ground_forces(const world *w, double h, stand *out)
{
    const cairn_model *model = world_model(w);
    int up = cairn_model_dimension(model) - 1;
    for (int i = 0; i < cairn_simulation_contact_count(w->simulation); ++i)
    {
        cairn_contact c = cairn_simulation_contact(w->simulation, i);
        bool is_a = c.a.id == cairn_model_body(model, 0).id;
        if (!is_a && c.b.id != cairn_model_body(model, 0).id)
            continue;
        double sign = is_a ? -1 / h : 1 / h;
        for (int k = 0; k < 3; ++k)
        {
            const double *direction = k == 0 ? c.normal : c.tangent[k - 1];
            out->carried += sign * c.impulse[k] * direction[up];
            out->thrust += c.point[0] > 0 ? -sign * c.impulse[k] * direction[0] : 0.0;
        }
    }
}

static void weigh(const cairn_model *model, stand *out)
{
    out->count = cairn_model_body_count(model);
    for (int i = 1; i < cairn_model_body_count(model); ++i)
        out->weight += 9.81 * cairn_model_body_mass(model, cairn_model_body(model, i));
}

static void watch(const world *w, const cairn_body_state *before, stand *out)
{
    const cairn_model *model = world_model(w);
    const cairn_step_report *report = cairn_simulation_report(w->simulation);
    for (int i = 0; i < cairn_model_body_count(model); ++i)
    {
        cairn_body_state now = cairn_simulation_body(w->simulation, cairn_model_body(model, i));
        out->moved = fmax(out->moved, distance(now.position, before[i].position));
        out->size = fmax(out->size, distance(before[i].position, (const double[3]){0}));
    }
    out->residual = fmax(out->residual, report->solver.certificate.relative);
    out->penetration = fmax(out->penetration, report->penetration);
}

/* Run a scene, with a parameter changed unless `name` is NULL, under its own law or another. */
static stand run(const char *scene, const char *name, double value, const cairn_law *law, double until)
{
    char text[32];
    snprintf(text, sizeof text, "%.17g", value);
    cairn_settings settings;
    const cairn_parameter parameter = {name, text};
    world w = world_load(scene, &settings, &parameter, name ? 1 : 0);
    settings.accuracy = CAIRN_ACCURACY_EXACT;
    settings.law = law ? *law : settings.law;
    world_start(&w, &settings);
    const cairn_model *model = world_model(&w);
    int count = cairn_model_body_count(model), steps = (int)(until / settings.step + 0.5);
    cairn_body_state *before = calloc((size_t)count, sizeof *before);
    assert_non_null(before);
    for (int i = 0; i < count; ++i)
        before[i] = cairn_simulation_body(w.simulation, cairn_model_body(model, i));
    stand out = {0};
    clock_t start = clock();
    for (int i = 0; i < steps; ++i)
    {
        world_step(&w);
        watch(&w, before, &out);
    }
    double ms = 1e3 * (double)(clock() - start) / CLOCKS_PER_SEC / steps;
    ground_forces(&w, settings.step, &out);
    weigh(model, &out);
    print_message("%-15s %-5s %-8.4g %5.2f s: moved %.1e m, residual %.1e, penetration %.1e m, %.2f ms a step\n", scene,
                  name ? name : "", name ? value : 0.0, until, out.moved, out.residual, out.penetration, ms);
    free(before);
    world_free(&w);
    return out;
}

static void assert_stands(const stand *s)
{
    assert_true(s->moved < 1e-9 * s->size);
    assert_true(s->penetration < 1e-10);
    /* the certificate, 1e-9, is relative to the largest impulse, which bears all bodies, and each may be off by a few times it */
    assert_near(s->carried / s->weight, 1, 1e-8 * s->count);
}

static double seconds(double in_short)
{
    return getenv("CAIRN_LONG") ? 10 : in_short;
}

static const cairn_law LAWS[] = {{CAIRN_LAW_PYRAMID, 4}, {CAIRN_LAW_CONVEX_PYRAMID, 4}};

/* The thrust that was found is one that a line of thrust within the stones can have. */
static void assert_thrust(const stand *s, int stones, double depth)
{
    arch a = {.stones = stones, .depth = depth, .friction = 0.6};
    a.weight = s->weight / stones;
    assert_near(a.weight, 9.81 * 2000 * arch_stone_area(&a), 1e-9 * a.weight);
    double least, largest;
    assert_true(arch_thrust(&a, &least, &largest));
    print_message("    thrust %.6g of the weight, between %.6g and %.6g\n", s->thrust / s->weight, least / s->weight,
                  largest / s->weight);
    assert_true(s->thrust > least * (1 - 1e-6) && s->thrust < largest * (1 + 1e-6));
}

static void arch_falls_and_stands(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        stand thick = run("arch", NULL, 0, &LAWS[i], 0.5), thin = run("arch", "depth", 0.07, &LAWS[i], 0.5);
        assert_stands(&thick);
        assert_thrust(&thick, 15, 0.2);
        assert_true(thin.moved > 0.05);
    }
    assert_true(run("arch", "mu", 0.15, NULL, 0.5).moved > 0.05);
}

/* Milankovitch's least depth of a finely cut arch, 0.1075, and what it is for the arches of the scenes. */
static void least_depth_of_arches(void **state)
{
    (void)state;
    assert_near(arch_least_depth(301, 0.6), 0.107478, 1e-5);
    assert_near(arch_least_depth(25, 0.6), 0.10696, 1e-5);
    assert_near(arch_least_depth(101, 0.6), 0.10745, 1e-5);
}

static void arch_of_25(void **state)
{
    (void)state;
    double least = arch_least_depth(25, 0.6);
    stand s = run("arch-25", NULL, 0, NULL, seconds(0.5));
    assert_stands(&s);
    assert_thrust(&s, 25, 0.12);
    s = run("arch-25", "depth", least * 1.001, NULL, seconds(0.5));
    assert_stands(&s);
    assert_thrust(&s, 25, least * 1.001);
    assert_true(run("arch-25", "depth", 0.1, NULL, 0.5).moved > 0.05);
    assert_true(run("arch-25", "depth", least * 0.999, NULL, 1).moved > 1e-4);
}

static void arch_of_101(void **state)
{
    (void)state;
    stand s = run("arch-101", NULL, 0, NULL, seconds(0.05));
    assert_stands(&s);
    assert_thrust(&s, 101, 0.12);
    assert_true(run("arch-101", "depth", 0.1, NULL, 0.1).moved > 1e-4);
}

static void card_house(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        stand s = run("card-house", NULL, 0, &LAWS[i], seconds(0.5));
        assert_stands(&s);
    }
    assert_true(run("card-house", "mu", 0.1, NULL, 0.5).moved > 0.05);
}

static void walls(void **state)
{
    (void)state;
    stand bricks = run("wall", NULL, 0, NULL, seconds(0.2)),
          stones = run("dry-stone-wall", NULL, 0, NULL, seconds(0.2));
    assert_stands(&bricks);
    assert_stands(&stones);
    /* beds with a slope of 0.04 are too steep for this */
    assert_true(run("dry-stone-wall", "mu", 0.02, NULL, 0.2).moved > 1e-3);
}

static void tall_stack(void **state)
{
    (void)state;
    stand s = run("tall-stack", NULL, 0, NULL, seconds(0.1));
    assert_stands(&s);
}

/* Iterations of 40 steps under a tolerance, and how far the bodies have moved. */
static long iterations_at(const char *scene, double tolerance, double *moved)
{
    cairn_settings settings;
    world w = world_load(scene, &settings, NULL, 0);
    settings.accuracy = CAIRN_ACCURACY_EXACT;
    settings.solver.tolerance = tolerance;
    world_start(&w, &settings);
    cairn_body_state first = cairn_simulation_body(w.simulation, cairn_model_body(world_model(&w), 1));
    long iterations = 0;
    for (int i = 0; i < 40; ++i)
    {
        world_step(&w);
        iterations += cairn_simulation_report(w.simulation)->solver.iterations;
    }
    cairn_body_state last = cairn_simulation_body(w.simulation, cairn_model_body(world_model(&w), 1));
    *moved = distance(first.position, last.position);
    world_free(&w);
    return iterations;
}

/* Loose forces would tilt the boxes, and every step would begin anew. */
static void a_looser_tolerance_takes_no_more_work(void **state)
{
    (void)state;
    const char *scenes[] = {"wall", "tall-stack"};
    for (int i = 0; i < 2; ++i)
    {
        double moved;
        long before = iterations_at(scenes[i], 1e-6, &moved);
        for (double tolerance = 1e-5; tolerance < 0.2; tolerance *= 10)
        {
            long iterations = iterations_at(scenes[i], tolerance, &moved);
            print_message("    %s at %g: %ld iterations, moved %g m\n", scenes[i], tolerance, iterations, moved);
            assert_true((double)iterations <= 1.1 * (double)before);
            assert_true(moved < 1e-6);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(least_depth_of_arches),
        cmocka_unit_test(arch_falls_and_stands),
        cmocka_unit_test(arch_of_25),
        cmocka_unit_test(arch_of_101),
        cmocka_unit_test(card_house),
        cmocka_unit_test(walls),
        cmocka_unit_test(tall_stack),
        cmocka_unit_test(a_looser_tolerance_takes_no_more_work),
    };
    return cmocka_run_group_tests_name("structures", tests, NULL, NULL);
}
