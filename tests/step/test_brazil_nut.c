/* The Brazil nut of Anitescu 2006, section 10.2: steps of 0.1 s are stable for the shaken box, and the large disk rises. The
 * motion is chaotic, so that what is asserted holds for every seed, not for one path: disks stay in the box and apart from each
 * other, the large one leaves the floor within a few shakes and is above 95 % of the others within 75 s. Everything is
 * measured here from the positions alone. The long part runs where CAIRN_LONG is set. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>

#define HALF_WIDTH 6.0
#define PERIOD     2.0
#define OVERLAP    1e-3 /* m: far above what the solver's tolerance leaves, far below a radius of 0.4 */

typedef struct disks
{
    double x[256], y[256], radius[256];
    int count, large;
    double floor;
} disks;

static disks look(const world *w)
{
    const cairn_model *model = world_model(w);
    disks d = {.floor = world_body(w, "box").position[1], .large = -1};
    int large = cairn_model_find_body(model, "large").id;
    for (int i = 0; i < cairn_model_shape_count(model); ++i)
    {
        cairn_shape_info shape = cairn_model_shape_info(model, cairn_model_shape(model, i));
        if (shape.kind == CAIRN_CIRCLE)
        {
            cairn_body_state state = cairn_simulation_body(w->simulation, shape.body);
            d.large = shape.body.id == large ? d.count : d.large;
            d.x[d.count] = state.position[0];
            d.y[d.count] = state.position[1];
            d.radius[d.count++] = shape.radius;
        }
    }
    assert_int_equal(d.count, 201);
    assert_true(d.large >= 0);
    return d;
}

static void check_apart(const disks *d)
{
    for (int i = 0; i < d->count; ++i)
    {
        assert_true(d->y[i] - d->radius[i] > d->floor - OVERLAP);
        assert_true(d->y[i] < d->floor + 100);
        assert_true(fabs(d->x[i]) + d->radius[i] < HALF_WIDTH + OVERLAP);
        for (int j = 0; j < i; ++j)
        {
            double distance = hypot(d->x[i] - d->x[j], d->y[i] - d->y[j]);
            assert_true(distance > d->radius[i] + d->radius[j] - OVERLAP);
        }
    }
}

/* Share of the small disks whose highest point is below that of the large one. */
static double passed(const disks *d)
{
    int below = 0;
    for (int i = 0; i < d->count; ++i)
        below += i != d->large && d->y[i] + d->radius[i] < d->y[d->large] + d->radius[d->large];
    return below / 200.0;
}

static world start(int seed, int *steps_a_shake)
{
    char text[16];
    snprintf(text, sizeof text, "%d", seed);
    const cairn_parameter parameter = {"seed", text};
    cairn_settings settings;
    world w = world_load("brazil-nut", &settings, &parameter, 1);
    assert_near(settings.step, 0.1, 0);
    *steps_a_shake = (int)(PERIOD / settings.step + 0.5);
    world_start(&w, &settings);
    return w;
}

/* To the top of the next shake, looking at the disks after every step. */
static disks shake(world *w, int steps)
{
    disks d = look(w);
    for (int i = 0; i < steps; ++i)
    {
        world_step(w);
        d = look(w);
        check_apart(&d);
    }
    return d;
}

static void test_leaves_the_floor(void **state)
{
    (void)state;
    int steps;
    world w = start(1, &steps);
    disks d = shake(&w, steps / 2);
    for (int k = 0; k < 5; ++k)
        d = shake(&w, steps);
    double above = d.y[d.large] - d.radius[d.large] - d.floor;
    print_message("six shakes: %.2f m above the floor, %.0f %% passed\n", above, 100 * passed(&d));
    assert_true(above > 0.3);
    world_free(&w);
}

static void test_comes_to_the_top(void **state)
{
    (void)state;
    if (!getenv("CAIRN_LONG"))
        skip();
    for (int seed = 1; seed <= 5; ++seed)
    {
        int steps, shakes = 1;
        world w = start(seed, &steps);
        disks d = shake(&w, steps / 2);
        for (; shakes < 37 && passed(&d) < 0.95; ++shakes)
            d = shake(&w, steps);
        print_message("seed %d: %d shakes\n", seed, shakes);
        assert_true(passed(&d) >= 0.95);
        assert_true(shakes >= 10); /* it is not thrown there */
        world_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaves_the_floor),
        cmocka_unit_test(test_comes_to_the_top),
    };
    return cmocka_run_group_tests_name("Brazil nut", tests, NULL, NULL);
}
