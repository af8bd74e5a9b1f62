/* Bodies that penetrate at the start: told with their depth by every scheme, resolved without energy by `project`, and let out
 * slowly by `keep`. The truths are geometry (the depth), and mechanics: what leaves at speed u under gravity g rises by no
 * more than u^2/(2 g). */
#include "support/check.h"
#include "support/worlds.h"

#include <stdlib.h>
#include <string.h>

enum
{
    INTEGRATORS = 5
};

static const double G = 9.81;

static double uniform(uint64_t *seed, double low, double high)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

static bool says(const cairn_context *context, const char *part)
{
    for (int i = 0; i < cairn_context_message_count(context); ++i)
        if (strstr(cairn_context_message(context, i).text, part))
            return true;
    return false;
}

static double depth_told(const cairn_context *context)
{
    const char *found = strstr(cairn_context_message(context, 0).text, "penetrates by ");
    return found ? strtod(found + strlen("penetrates by "), NULL) : NAN;
}

static cairn_settings settings_for(int integrator, cairn_initial initial)
{
    cairn_settings s = cairn_settings_default();
    s.integrator = (cairn_integrator)integrator;
    s.initial = initial;
    return s;
}

/* A box (space) or a disc (plane) of half height a, `depth` below the ground. */
static world sunk(int dimension, double a, double depth, cairn_body *body)
{
    world w = world_new(dimension);
    cairn_material material = add_material(w.model, "m", 0.4, 0.0);
    add_ground(w.model, material);
    double size[3] = {2 * a, 2 * a, 2 * a}, position[3] = {0, 0, 0};
    position[dimension == 2 ? 1 : 2] = a - depth;
    *body = dimension == 2 ? add_ball(w.model, "body", 1.0, a, position, material)
                           : add_box(w.model, "body", 1.0, size, position, material);
    return w;
}

static double height(const world *w, cairn_body body, int dimension, double a)
{
    return cairn_simulation_body(w->simulation, body).position[dimension == 2 ? 1 : 2] - a;
}

static double speed(const world *w, cairn_body body, int dimension)
{
    return cairn_simulation_body(w->simulation, body).velocity[dimension == 2 ? 1 : 2];
}

static void test_refused_by_every_scheme(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int k = 0; k < 200; ++k)
    {
        int dimension = 2 + k % 2;
        double a = pow(10, uniform(&seed, -4, 1)), tolerance = fmin(1e-6, 1e-3 * a);
        double depth = tolerance * pow(10, uniform(&seed, -2, 2));
        if (fabs(log10(depth / tolerance)) < 0.3)
            continue; /* a box is larger than its half height: leave the threshold itself alone */
        cairn_body body;
        world w = sunk(dimension, a, depth, &body);
        cairn_settings settings = settings_for(k / 2 % INTEGRATORS, CAIRN_INITIAL_REFUSE);
        cairn_status status = cairn_simulation_create(w.context, w.model, &settings, &w.simulation);
        assert_int_equal(status, depth < tolerance ? CAIRN_OK : CAIRN_INVALID);
        if (status)
        {
            assert_true(says(w.context, "'body'") && says(w.context, "keep") && says(w.context, "project"));
            assert_near(depth_told(w.context), depth, 1e-5 * depth + 1e-14);
        }
        world_free(&w);
    }
}

static void test_projected_without_energy(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * INTEGRATORS; ++k)
    {
        int dimension = 2 + k % 2;
        cairn_body body;
        world w = sunk(dimension, 0.5, 0.3, &body);
        cairn_settings settings = settings_for(k / 2, CAIRN_INITIAL_PROJECT);
        world_start(&w, &settings);
        assert_near(height(&w, body, dimension, 0.5), 0, 1e-9);
        assert_near(cairn_simulation_report(w.simulation)->penetration, 0, 1e-9);
        for (int i = 0; i < 100; ++i)
        {
            assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
            assert_near(height(&w, body, dimension, 0.5), 0, 1e-8);
        }
        world_free(&w);
    }
}

/* Kept overlaps: the report tells the depth from the start, the body leaves no faster than it is allowed to. */
static void test_kept_and_let_out(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int k = 0; k < 60; ++k)
    {
        int dimension = 2 + k % 2;
        double a = 0.5, depth = uniform(&seed, 0.01, 0.4), most = uniform(&seed, 0.05, 2);
        cairn_body body;
        world w = sunk(dimension, a, depth, &body);
        cairn_settings settings = settings_for(k / 2 % INTEGRATORS, CAIRN_INITIAL_KEEP);
        settings.push_out_speed = most;
        settings.step = uniform(&seed, 0.002, 0.01);
        world_start(&w, &settings);
        assert_near(cairn_simulation_report(w.simulation)->penetration, depth, 1e-12);
        double highest = -1, fastest = 0, told = 0;
        int steps = (int)((3 * depth / most + 3 * most / G + 0.3) / settings.step);
        for (int i = 0; i < steps; ++i)
        {
            assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
            highest = fmax(highest, height(&w, body, dimension, a));
            fastest = fmax(fastest, fabs(speed(&w, body, dimension)));
            told = fmax(told, cairn_simulation_report(w.simulation)->push_out_speed);
        }
        assert_true(fastest <= most * (1 + 1e-9));
        assert_true(told > 0.4 * fmin(most, depth / settings.step) && told <= most);
        assert_true(highest <= 0.5 * most * most / G + 1e-9);
        assert_near(height(&w, body, dimension, a), 0, 1e-6); /* and lies on the ground in the end */
        cairn_energy energy = cairn_simulation_energy(w.simulation);
        /* lifted out of the ground, and thrown at most */
        assert_true(energy.push_out >= G * depth * (1 - 1e-6));
        assert_true(energy.push_out <= G * (depth + most * settings.step) + 0.5 * most * most + 1e-9);
        world_free(&w);
    }
}

/* What only drifts is corrected as ever: the same numbers to the last bit without a bound. */
static void test_bound_is_of_no_consequence_for_drift(void **state)
{
    (void)state;
    for (int integrator = 0; integrator < INTEGRATORS; ++integrator)
    {
        cairn_body_state end[2];
        for (int bounded = 0; bounded < 2; ++bounded)
        {
            cairn_body body;
            world w = sunk(3, 0.5, -0.2, &body);
            cairn_body_state state_now;
            cairn_settings settings = settings_for(integrator, CAIRN_INITIAL_REFUSE);
            settings.push_out_speed = bounded ? settings.push_out_speed : INFINITY;
            world_start(&w, &settings);
            state_now = cairn_simulation_body(w.simulation, body);
            memcpy(state_now.angular_velocity, (double[3]){1, 2, 0.5}, sizeof state_now.angular_velocity);
            assert_int_equal(cairn_simulation_set_body(w.simulation, body, &state_now), CAIRN_OK);
            for (int i = 0; i < 100; ++i)
                assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
            end[bounded] = cairn_simulation_body(w.simulation, body);
            world_free(&w);
        }
        assert_memory_equal(&end[0], &end[1], sizeof end[0]);
    }
}

static void test_wrong_bound(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    double wrong[] = {0, -1, NAN};
    for (int i = 0; i < 3; ++i)
    {
        cairn_settings settings = cairn_settings_default();
        settings.push_out_speed = wrong[i];
        cairn_context_clear(context);
        assert_int_equal(cairn_settings_check(context, &settings), CAIRN_INVALID);
        assert_true(says(context, "push_out_speed"));
    }
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_by_every_scheme),
        cmocka_unit_test(test_projected_without_energy),
        cmocka_unit_test(test_kept_and_let_out),
        cmocka_unit_test(test_bound_is_of_no_consequence_for_drift),
        cmocka_unit_test(test_wrong_bound),
    };
    return cmocka_run_group_tests_name("overlap", tests, NULL, NULL);
}
