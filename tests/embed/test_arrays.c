/* Arrays over all bodies and contacts agree with the functions that give them one by one; states are written all at once. */
#include "cairn/scene.h"
#include "math/vec.h"
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Rotation matrix of a body's state. */
static void matrix_of(int dimension, const cairn_body_state *state, double R[9])
{
    double c = cos(state->angle), s = sin(state->angle);
    if (dimension == 2)
        memcpy(R, (double[9]){c, -s, 0, s, c, 0, 0, 0, 1}, 9 * sizeof(double));
    else
        crn_quaternion_to_matrix(state->orientation, R);
}

static void compare_bodies(cairn_simulation *simulation)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    int x_stride, R_stride, v_stride;
    const double *x = cairn_simulation_positions(simulation, &x_stride), *v;
    const double *R = cairn_simulation_rotations(simulation, &R_stride);
    assert_int_equal(cairn_simulation_velocities(simulation, &v, &v_stride), CAIRN_OK);
    for (int i = 0; i < cairn_model_body_count(model); ++i)
    {
        cairn_body_state one = cairn_simulation_body(simulation, cairn_model_body(model, i));
        double expected[9];
        matrix_of(cairn_model_dimension(model), &one, expected);
        for (int k = 0; k < 3; ++k)
        {
            assert_near(x[i * x_stride + k], one.position[k], 0);
            assert_near(v[i * v_stride + k], one.velocity[k], 0);
            assert_near(v[i * v_stride + 3 + k], one.angular_velocity[k], 0);
        }
        for (int k = 0; k < 9; ++k)
            assert_near(R[i * R_stride + k], expected[k], 1e-15);
    }
}

static void compare_contacts(cairn_simulation *simulation)
{
    const cairn_contact *all;
    int count = cairn_simulation_contact_count(simulation), listed;
    cairn_contact *one = calloc((size_t)count + 1, sizeof *one);
    for (int i = 0; i < count; ++i)
        one[i] = cairn_simulation_contact(simulation, i);
    assert_int_equal(cairn_simulation_contacts(simulation, &all, &listed), CAIRN_OK);
    assert_int_equal(listed, count);
    for (int i = 0; i < count; ++i)
    {
        assert_true(all[i].identity == one[i].identity && all[i].a.id == one[i].a.id && all[i].b.id == one[i].b.id);
        assert_memory_equal(all[i].impulse, one[i].impulse, sizeof one[i].impulse);
        assert_memory_equal(all[i].velocity, one[i].velocity, sizeof one[i].velocity);
        assert_memory_equal(all[i].point, one[i].point, sizeof one[i].point);
    }
    free(one);
    const cairn_event *events = cairn_simulation_events(simulation, &listed);
    assert_int_equal(listed, cairn_simulation_event_count(simulation));
    for (int i = 0; i < listed; ++i)
        assert_near(events[i].time, cairn_simulation_event(simulation, i).time, 0);
}

static void arrays_agree_in_built_in_scenes(void **state)
{
    (void)state;
    cairn_context *context = cairn_context_create();
    int contacts = 0, events = 0;
    for (int i = 0; i < cairn_builtin_count(); ++i)
    {
        cairn_builtin builtin = cairn_builtin_scene(i);
        cairn_scene *scene;
        cairn_simulation *simulation;
        assert_int_equal(cairn_scene_parse(context, builtin.name, builtin.text, builtin.length, NULL, 0, &scene),
                         CAIRN_OK);
        cairn_settings settings = cairn_scene_settings(scene);
        assert_int_equal(cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation), CAIRN_OK);
        compare_bodies(simulation);
        for (int n = 0; n < 5 && cairn_simulation_step(simulation) == CAIRN_OK; ++n)
        {
            compare_bodies(simulation);
            compare_contacts(simulation);
            contacts += cairn_simulation_contact_count(simulation);
            events += cairn_simulation_event_count(simulation);
        }
        cairn_simulation_destroy(simulation);
        cairn_scene_destroy(scene);
    }
    assert_true(contacts > 100 && events > 0);
    cairn_context_destroy(context);
}

/* ------------------------------------------------------------------------------------------------------- writing */

static cairn_body add_flyer(cairn_model *model, int i)
{
    char name[32];
    snprintf(name, sizeof name, "ball%d", i);
    cairn_body_options options = cairn_body_default();
    options.name = name;
    options.mass = 1;
    options.inertia[0] = options.inertia[1] = options.inertia[2] = 0.1;
    options.position[0] = 3.0 * (i % 1000);
    options.position[1] = 3.0 * (i / 1000);
    options.velocity[2] = i;
    options.angular_velocity[1] = 0.5 * i;
    cairn_body body;
    assert_int_equal(cairn_model_add_body(model, &options, &body), CAIRN_OK);
    return body;
}

/* A ball thrown by set_states flies as the parabola says; the fixed ground keeps its place whatever is written for it. */
static void states_are_written_at_once(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_body first = add_flyer(w.model, 0), second = add_flyer(w.model, 1);
    cairn_settings settings = cairn_settings_default();
    settings.integrator = CAIRN_INTEGRATOR_STIFF2;
    world_start(&w, &settings);
    cairn_body_state to[2] = {{.orientation = {1, 0, 0, 0}, .position = {0, 0, 10}, .velocity = {1, 0, 2}},
                              {.orientation = {0, 1, 0, 0}, .position = {5, 5, 5}, .angular_velocity = {0, 0, 3}}};
    assert_int_equal(cairn_simulation_set_states(w.simulation, to, 1), CAIRN_INVALID);
    to[1].velocity[0] = NAN;
    assert_int_equal(cairn_simulation_set_states(w.simulation, to, 2), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(w.context), "ball1"));
    assert_near(cairn_simulation_body(w.simulation, first).position[2], 0, 0); /* nothing was written */
    to[1].velocity[0] = 0;
    assert_int_equal(cairn_simulation_set_states(w.simulation, to, 2), CAIRN_OK);
    compare_bodies(w.simulation);
    for (int n = 0; n < 10; ++n)
        assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
    double t = cairn_simulation_time(w.simulation);
    assert_near(cairn_simulation_body(w.simulation, first).position[2], 10 + 2 * t - 0.5 * 9.81 * t * t, 1e-12);
    assert_near(cairn_simulation_body(w.simulation, second).position[2], 5 - 0.5 * 9.81 * t * t, 1e-12);
    assert_near(cairn_simulation_energy(w.simulation).balance_error, 0, 1e-10);
    world_free(&w);
}

/* -------------------------------------------------------------------------------------------------------- a million */

static double milliseconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

/* Positions and velocities of a million bodies are summed up; the sums are known. Short: a hundredth of them. */
static void many_bodies_are_read_quickly(void **state)
{
    (void)state;
    int count = getenv("CAIRN_LONG") ? 1000000 : 10000, x_stride, v_stride;
    world w = world_new(3);
    for (int i = 0; i < count; ++i)
        add_flyer(w.model, i);
    cairn_settings settings = cairn_settings_default();
    world_start(&w, &settings);
    double start = milliseconds(), x_sum = 0, v_sum = 0;
    const double *v, *x = cairn_simulation_positions(w.simulation, &x_stride);
    assert_int_equal(cairn_simulation_velocities(w.simulation, &v, &v_stride), CAIRN_OK);
    for (int i = 0; i < count; ++i)
    {
        x_sum += x[i * x_stride];
        v_sum += v[i * v_stride + 2];
    }
    double took = milliseconds() - start;
    print_message("positions and velocities of %d bodies read in %.2f ms\n", count, took);
    assert_near(x_sum, 3.0 * 499.5 * count, 1e-3);
    assert_near(v_sum, 0.5 * (double)count * (count - 1), 1e-3);
    assert_true(took < 20 * 5); /* 20 ms on an idle machine */
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_agree_in_built_in_scenes),
        cmocka_unit_test(states_are_written_at_once),
        cmocka_unit_test(many_bodies_are_read_quickly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
