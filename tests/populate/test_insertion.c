/* Grains that come in and leave: how many at which time, what they weigh and bring, that they come in without overlap, wait where there is no
 * place, are not there before, and that a saved state goes on with the same bits. Numbers, masses, energies and distances are
 * computed here from the bodies. */
#include "support/check.h"

#include <cairn/cairn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct world
{
    cairn_context *context;
    cairn_model *model;
    cairn_simulation *simulation;
    int population, dimension;
} world;

static cairn_population_options rain(int count, double rate)
{
    cairn_population_options o = cairn_population_default();
    o.name = "rain";
    o.count = count;
    o.density = 1000;
    o.sizes = (cairn_sizes){.kind = CAIRN_SIZES_UNIFORM, .least = 0.02, .most = 0.04};
    o.region = (cairn_population_region){.position = {0.1, -0.2, 2}, .size = {0.8, 0.6, 0.3}};
    o.velocity[0] = 0.3;
    o.insertion.rate = rate;
    return o;
}

static world open_world(int dimension)
{
    world w = {.context = cairn_context_create(), .dimension = dimension};
    assert_int_equal(cairn_model_create(w.context, dimension, &w.model), CAIRN_OK);
    return w;
}

static void start(world *w, const cairn_population_options *o, double step, cairn_integrator integrator)
{
    cairn_settings settings = cairn_settings_default();
    settings.step = step;
    settings.integrator = integrator;
    if (cairn_model_add_population(w->model, o, &w->population) ||
        cairn_simulation_create(w->context, w->model, &settings, &w->simulation))
        fail_msg("%s", cairn_context_last_message(w->context));
}

static void add_floor(world *w, double height)
{
    cairn_body_options ground = cairn_body_default();
    cairn_shape_options half = cairn_shape_default(w->dimension == 2 ? CAIRN_HALF_PLANE : CAIRN_HALF_SPACE);
    cairn_body body;
    cairn_shape shape;
    ground.name = "floor";
    ground.kind = CAIRN_FIXED;
    half.position[w->dimension - 1] = height;
    assert_int_equal(cairn_model_add_body(w->model, &ground, &body), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(w->model, body, &half, &shape), CAIRN_OK);
}

static void close_world(world *w)
{
    cairn_simulation_destroy(w->simulation);
    cairn_model_destroy(w->model);
    cairn_context_destroy(w->context);
}

static void step(world *w)
{
    if (cairn_simulation_step(w->simulation))
        fail_msg("%s", cairn_context_last_message(w->context));
}

static cairn_body grain(const world *w, int i)
{
    return cairn_model_population_body(w->model, w->population, i);
}

static double radius_of(const world *w, int i)
{
    double m = cairn_model_body_mass(w->model, grain(w, i)) / 1000, pi = 3.14159265358979323846;
    return w->dimension == 2 ? sqrt(m / pi) : cbrt(0.75 * m / pi);
}

static int count_present(const world *w)
{
    int sum = 0;
    for (int i = 0; i < cairn_model_population_size(w->model, w->population); i++)
    {
        bool is_there = cairn_simulation_is_present(w->simulation, grain(w, i));
        cairn_body_state state = cairn_simulation_body(w->simulation, grain(w, i));
        assert_true(is_there == isfinite(state.position[0]));
        sum += is_there;
    }
    return sum;
}

/* Grain k comes in at the first step that does not start before begin + k/rate, and none from `until` on: step lengths that divide
 * these times and that do not. */
static void test_times(void **state)
{
    (void)state;
    const double steps[] = {0.01, 0.007, 0.031}, begins[] = {0, 0.05, 0.0333}, untils[] = {0, 0.2, 0.17};
    for (int i = 0; i < 27; i++)
    {
        world w = open_world(3);
        cairn_population_options o = rain(12, 100);
        double h = steps[i % 3];
        o.insertion.begin = begins[i / 3 % 3];
        o.insertion.until = untils[i / 9];
        start(&w, &o, h, CAIRN_INTEGRATOR_EULER);
        assert_int_equal(count_present(&w), 0);
        for (int n = 0; n * h < 0.3; n++)
        {
            step(&w);
            int wanted = 0;
            for (int k = 0; k < o.count; k++)
            {
                double at = o.insertion.begin + k / o.insertion.rate;
                wanted += n * h >= at - 1e-9 && !(o.insertion.until > 0 && at >= o.insertion.until - 1e-9) ? 1 : 0;
            }
            assert_int_equal(count_present(&w), wanted);
            assert_int_equal(cairn_simulation_population(w.simulation, w.population).inserted, wanted);
        }
        close_world(&w);
    }
}

/* A flow that ends has as many grains as come in. */
static void test_count_from_time(void **state)
{
    (void)state;
    world w = open_world(3);
    cairn_population_options o = rain(0, 50);
    o.insertion.begin = 0.1;
    o.insertion.until = 0.35;
    start(&w, &o, 0.01, CAIRN_INTEGRATOR_EULER);
    assert_int_equal(cairn_model_population_size(w.model, w.population), 13); /* at 0.1, 0.12, ... 0.34 */
    for (int i = 0; i < 60; i++)
        step(&w);
    assert_int_equal(count_present(&w), 13);
    close_world(&w);
}

/* J: energy of the grains that are there. */
static double energy(const world *w, double *mass)
{
    double sum = 0;
    *mass = 0;
    for (int i = 0; i < cairn_model_population_size(w->model, w->population); i++)
    {
        if (!cairn_simulation_is_present(w->simulation, grain(w, i)))
            continue;
        cairn_body_state s = cairn_simulation_body(w->simulation, grain(w, i));
        double m = cairn_model_body_mass(w->model, grain(w, i)), I[9], r = radius_of(w, i), turn = 0, speed = 0;
        cairn_model_body_inertia(w->model, grain(w, i), I);
        assert_near(I[8], (w->dimension == 2 ? 0.5 : 0.4) * m * r * r, 1e-12 * m);
        for (int k = 0; k < 3; k++)
        {
            speed += s.velocity[k] * s.velocity[k];
            turn += s.angular_velocity[k] * s.angular_velocity[k];
        }
        sum += 0.5 * m * speed + 0.5 * I[8] * turn + 9.81 * m * s.position[w->dimension - 1];
        *mass += m;
    }
    return sum;
}

/* Mass and energy, with contacts, removal and recycling, in the plane and in space, under a scheme of each order. */
static void test_account(void **state)
{
    (void)state;
    for (int variant = 0; variant < 4; variant++)
    {
        world w = open_world(2 + variant % 2);
        int up = w.dimension - 1;
        cairn_population_options o = rain(40, 150);
        o.region.position[up] = 1;
        o.region.size[1] = 0.5;
        o.velocity[up] = -2;
        cairn_population_region hole = {.position = {1.0, 0, 0}, .size = {1, 8, 8}};
        o.removal = &hole;
        o.recycle = true;
        add_floor(&w, 0.2);
        start(&w, &o, variant / 2 ? 0.002 : 0.004, variant / 2 ? CAIRN_INTEGRATOR_TRAPEZOID : CAIRN_INTEGRATOR_EULER);
        for (int n = 0; n < (variant / 2 ? 100 : 250); n++)
        {
            double mass;
            step(&w);
            double found = energy(&w, &mass);
            cairn_population_flow flow = cairn_simulation_population(w.simulation, w.population);
            cairn_energy account = cairn_simulation_energy(w.simulation);
            assert_near(flow.mass_in - flow.mass_out, mass, 1e-9);
            assert_int_equal(flow.inserted - flow.removed, flow.present);
            assert_int_equal(flow.present, count_present(&w));
            assert_near(account.total, found, 1e-9);
            assert_near(account.added, flow.energy_in - flow.energy_out, 1e-9);
            assert_near(account.balance_error, 0, 1e-9);
            assert_int_equal(cairn_simulation_report(w.simulation)->physics.forbidden, 0);
        }
        cairn_population_flow flow = cairn_simulation_population(w.simulation, w.population);
        assert_true(variant / 2 || (flow.removed > 5 && flow.inserted > 40)); /* some came in twice */
        close_world(&w);
    }
}

/* A grain falls as a thrown stone from when it comes in; before, and once it is out, nothing happens to it. */
static void test_free_fall(void **state)
{
    (void)state;
    world w = open_world(3);
    cairn_population_options o = rain(1, 1);
    cairn_population_region below = {.position = {0, 0, -10}, .size = {100, 100, 20}};
    double x[3] = {0}, h = 0.01;
    o.insertion.begin = 0.105;
    o.removal = &below;
    start(&w, &o, h, CAIRN_INTEGRATOR_EULER);
    int came = -1, left = -1;
    for (int n = 0; n < 120; n++)
    {
        step(&w);
        cairn_body_state now = cairn_simulation_body(w.simulation, grain(&w, 0));
        bool is_there = isfinite(now.position[0]);
        if (is_there && came < 0)
            came = n;
        left = came >= 0 && !is_there && left < 0 ? n : left;
        if (!is_there)
        {
            assert_near(cairn_simulation_energy(w.simulation).total, 0, 1e-12);
            continue;
        }
        int steps = n - came + 1; /* semi-implicit Euler: z = z_0 - g h^2 n (n + 1)/2 */
        if (steps == 1)
            for (int k = 0; k < 3; k++)
                x[k] = now.position[k] - h * now.velocity[k];
        assert_near(now.position[0], x[0] + 0.3 * h * steps, 1e-12);
        assert_near(now.position[2], x[2] - 9.81 * h * h * steps * (steps + 1) / 2, 1e-12);
    }
    assert_int_equal(came, 11);
    assert_true(fabs(x[0] - 0.1) < 0.4 && fabs(x[1] + 0.2) < 0.3 && fabs(x[2] - 2) < 0.15);
    /* removed at the start of the step after its centre passed z = 0 */
    int steps = 0;
    while (x[2] - 9.81 * h * h * steps * (steps + 1) / 2 > 0)
        steps++;
    assert_int_equal(left, came + steps);
    close_world(&w);
}

/* Where a grain was at the start of the last step. A first-order step moves it by h times its new velocity. */
static void start_of(const world *w, int i, double h, double out[3])
{
    cairn_body_state now = cairn_simulation_body(w->simulation, grain(w, i));
    for (int k = 0; k < 3; k++)
        out[k] = now.position[k] - h * now.velocity[k];
}

/* Grains come in clear of each other, of those that are there and of the floor, however dense the rain is. */
static void test_no_overlap(void **state)
{
    (void)state;
    world w = open_world(3);
    cairn_population_options o = rain(300, 3000);
    double x[3], y[3], h = 0.01;
    bool was[300] = {false};
    int looked = 0;
    add_floor(&w, 1.87);
    start(&w, &o, h, CAIRN_INTEGRATOR_EULER);
    for (int n = 0; n < 30; n++)
    {
        step(&w);
        for (int i = 0; i < 300; i++)
        {
            if (was[i] || !cairn_simulation_is_present(w.simulation, grain(&w, i)))
                continue;
            start_of(&w, i, h, x);
            assert_true(x[2] - 1.87 > radius_of(&w, i));
            for (int k = 0; k < 300; k++)
            {
                if (k == i || !cairn_simulation_is_present(w.simulation, grain(&w, k)))
                    continue;
                start_of(&w, k, h, y);
                double off = sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2));
                assert_true(off > radius_of(&w, i) + radius_of(&w, k));
                looked++;
            }
        }
        for (int i = 0; i < 300; i++)
            was[i] = cairn_simulation_is_present(w.simulation, grain(&w, i));
        double mass;
        assert_near(cairn_simulation_energy(w.simulation).total, energy(&w, &mass), 1e-9);
    }
    assert_true(looked > 2000);
    close_world(&w);
}

/* An inlet that clogs: without gravity the region fills up, and the rest waits. It is counted, and every step ends. */
static void test_clogged(void **state)
{
    (void)state;
    world w = open_world(3);
    const double none[3] = {0};
    cairn_population_options o = rain(5000, 1e6);
    o.velocity[0] = 0;
    assert_int_equal(cairn_model_set_gravity(w.model, none), CAIRN_OK);
    start(&w, &o, 0.01, CAIRN_INTEGRATOR_EULER);
    for (int n = 0; n < 5; n++)
        step(&w);
    cairn_population_flow flow = cairn_simulation_population(w.simulation, w.population);
    double volume = flow.mass_in / 1000 / (0.8 * 0.6 * 0.3);
    if (!(volume > 0.15 && volume < 0.4))
        fail_msg("%d grains fill %g of the inlet", flow.present, volume);
    assert_int_equal(flow.postponed, 4); /* at t = 0 one alone is due */
    assert_true(flow.present == flow.inserted && flow.inserted < 5000);
    close_world(&w);
}

/* A state saved between two insertions, and one between two removals, goes on with the same bits; so does a clone. */
static void check_saved(int steps)
{
    world w = open_world(3);
    cairn_population_options o = rain(60, 200);
    cairn_population_region hole = {.position = {1.1, 0, 1}, .size = {1, 8, 8}};
    o.removal = &hole;
    o.recycle = true;
    add_floor(&w, 1.5);
    start(&w, &o, 0.005, CAIRN_INTEGRATOR_EULER);
    for (int n = 0; n < steps; n++)
        step(&w);
    cairn_state *saved;
    cairn_simulation *clone;
    cairn_body_state end[60];
    assert_int_equal(cairn_simulation_save(w.simulation, &saved), CAIRN_OK);
    assert_int_equal(cairn_simulation_clone(w.simulation, w.context, &clone), CAIRN_OK);
    for (int n = 0; n < 120; n++)
        step(&w);
    cairn_population_flow flow = cairn_simulation_population(w.simulation, w.population);
    assert_true(flow.removed > 0 || steps < 100);
    for (int i = 0; i < 60; i++)
        end[i] = cairn_simulation_body(w.simulation, grain(&w, i));
    assert_int_equal(cairn_simulation_restore(w.simulation, saved), CAIRN_OK);
    for (int n = 0; n < 120; n++)
    {
        step(&w);
        assert_int_equal(cairn_simulation_step(clone), CAIRN_OK);
    }
    for (int i = 0; i < 60; i++)
    {
        cairn_body_state a = cairn_simulation_body(w.simulation, grain(&w, i));
        cairn_body_state b = cairn_simulation_body(clone, grain(&w, i));
        assert_memory_equal(&a, &end[i], sizeof a);
        assert_memory_equal(&b, &end[i], sizeof b);
    }
    cairn_population_flow again = cairn_simulation_population(w.simulation, w.population);
    assert_memory_equal(&again, &flow, sizeof flow);
    cairn_simulation_destroy(clone);
    cairn_state_destroy(saved);
    close_world(&w);
}

static void test_saved(void **state)
{
    (void)state;
    check_saved(31); /* half of the grains have come in */
    check_saved(137);
}

/* What is absent is found by no query, cannot be moved or held, and a model that changes keeps it absent. */
static void test_absent(void **state)
{
    (void)state;
    world w = open_world(3);
    cairn_population_options o = rain(5, 10);
    start(&w, &o, 0.01, CAIRN_INTEGRATOR_EULER);
    step(&w);
    assert_int_equal(count_present(&w), 1);
    cairn_query *query;
    cairn_region all = {.centre = {0, 0, 0}, .radius = 100};
    cairn_distance distance;
    int count;
    assert_int_equal(cairn_query_create(w.context, w.model, &query), CAIRN_OK);
    assert_int_equal(cairn_query_follow(query, w.simulation), CAIRN_OK);
    assert_int_equal(cairn_query_overlap(query, &all, NULL, 0, &count), CAIRN_OK);
    assert_int_equal(count, 1);
    assert_int_equal(cairn_query_closest(query, grain(&w, 3), all.centre, &distance), CAIRN_INVALID);
    cairn_body_state there[5]; /* the same from states, as run files give them */
    for (int i = 0; i < 5; i++)
        there[i] = cairn_simulation_body(w.simulation, grain(&w, i));
    assert_int_equal(cairn_query_place(query, there), CAIRN_OK);
    assert_int_equal(cairn_query_overlap(query, &all, NULL, 0, &count), CAIRN_OK);
    assert_int_equal(count, 1);
    cairn_query_destroy(query);
    cairn_body_state rest = {.orientation = {1, 0, 0, 0}};
    assert_int_equal(cairn_simulation_set_body(w.simulation, grain(&w, 3), &rest), CAIRN_INVALID);
    assert_int_equal(cairn_simulation_pull(w.simulation, grain(&w, 3), all.centre, all.centre, 1, 0), CAIRN_INVALID);
    cairn_spring_options spring = cairn_spring_default(CAIRN_SPRING_LINEAR);
    cairn_spring made;
    spring.name = "spring";
    spring.a.body = grain(&w, 0);
    spring.stiffness = 1;
    assert_int_equal(cairn_model_add_spring(w.model, &spring, &made), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(w.context), "comes and goes"));
    add_floor(&w, 1.0);
    for (int n = 0; n < 15; n++)
        step(&w);
    assert_int_equal(count_present(&w), 2);
    close_world(&w);
}

static void test_refused(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++)
    {
        world w = open_world(3);
        cairn_population_options o = rain(5, 10);
        cairn_population_region bad = {.size = {1, -1, 1}},
                                around = {.kind = CAIRN_REGION_CYLINDER, .radius = 1, .height = 3.8};
        int index;
        o.insertion.rate = i == 0 ? -1 : i == 1 ? NAN : 10;
        o.insertion.begin = i == 2 ? 3 : 0;
        o.insertion.until = i == 2 || i >= 8 ? 2 : 0;
        o.fraction = i == 8 ? 0.1 : 0;
        o.velocity[0] = i == 9 ? NAN : 0; /* refused although the count is given by the time */
        o.recycle = i == 3;
        o.removal = i == 4 ? &bad : i == 7 ? &around : NULL;
        o.region.size[2] = i == 5 ? 0.05 : 0.3; /* narrower than the largest grain */
        o.count = i == 6 || i >= 8 ? 0 : 5;
        assert_int_equal(cairn_model_add_population(w.model, &o, &index), CAIRN_INVALID);
        assert_non_null(strstr(cairn_context_last_message(w.context), "population 'rain'"));
        assert_int_equal(cairn_model_body_count(w.model), 0);
        close_world(&w);
    }
}

/* Images of a periodic box know nothing of grains that come and go: said, not ignored. */
static void test_periodic(void **state)
{
    (void)state;
    world w = open_world(3);
    cairn_population_options o = rain(5, 10);
    const double box[3] = {5, 5, 0};
    cairn_settings settings = cairn_settings_default();
    assert_int_equal(cairn_model_set_periodic(w.model, box, 0), CAIRN_OK);
    assert_int_equal(cairn_model_add_population(w.model, &o, &w.population), CAIRN_OK);
    assert_int_equal(cairn_simulation_create(w.context, w.model, &settings, &w.simulation), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(w.context), "periodic box"));
    close_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times),     cmocka_unit_test(test_count_from_time), cmocka_unit_test(test_account),
        cmocka_unit_test(test_free_fall), cmocka_unit_test(test_no_overlap),      cmocka_unit_test(test_clogged),
        cmocka_unit_test(test_saved),     cmocka_unit_test(test_absent),          cmocka_unit_test(test_refused),
        cmocka_unit_test(test_periodic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
