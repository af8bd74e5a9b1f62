/* Meshes that move: as the shapes they stand for, the same with and without the contacts that others imply, the same for any
 * number of threads, without gaining energy and hardly sinking in. */
#include "math/vec.h"
#include "support/check.h"
#include "support/collide_scene.h"
#include "support/meshes.h"
#include "support/worlds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST = 40
};

static test_mesh slab, ground, part;

typedef struct yard
{
    world w;
    cairn_material material;
    cairn_body bodies[MOST];
    int count;
} yard;

static yard open_yard(double friction)
{
    yard y = {.w = world_new(3)};
    cairn_model_set_gravity(y.w.model, (double[3]){0, 0, -9.81});
    y.material = add_material(y.w.model, "all", friction, 0);
    return y;
}

static void add_shape(yard *y, cairn_body_options *options, cairn_shape_options shape)
{
    char name[16];
    cairn_shape out;
    snprintf(name, sizeof name, "body %d", y->count);
    options->name = name;
    shape.material = y->material;
    assert_int_equal(cairn_model_add_body(y->w.model, options, &y->bodies[y->count]), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(y->w.model, y->bodies[y->count++], &shape, &out), CAIRN_OK);
}

static void add_fixed(yard *y, cairn_shape_options shape)
{
    cairn_body_options options = cairn_body_default();
    options.kind = CAIRN_FIXED;
    add_shape(y, &options, shape);
}

static void add_moving(yard *y, cairn_shape_options shape, double x, double y0, double z, const double velocity[3],
                       const double spin[3])
{
    cairn_body_options options = cairn_body_default();
    memcpy(options.position, (double[3]){x, y0, z}, sizeof options.position);
    memcpy(options.velocity, velocity, sizeof options.velocity);
    memcpy(options.angular_velocity, spin, sizeof options.angular_velocity);
    shape.density = 1000;
    add_shape(y, &options, shape);
}

static void start(yard *y, bool reduction, int threads, const char *law)
{
    cairn_settings settings = cairn_settings_default();
    settings.reduction = reduction;
    settings.solver.threads = threads;
    settings.solver.tolerance = 1e-12;
    assert_true(cairn_law_parse(law, &settings.law));
    world_start(&y->w, &settings);
}

static cairn_body_state state_of(const yard *y, int body)
{
    return cairn_simulation_body(y->w.simulation, y->bodies[body]);
}

static double apart(const yard *a, const yard *b)
{
    double most = 0;
    for (int i = 0; i < a->count; ++i)
    {
        cairn_body_state x = state_of(a, i), y = state_of(b, i);
        for (int k = 0; k < 3; ++k)
        {
            most = fmax(most, fabs(x.position[k] - y.position[k]));
            most = fmax(most, fabs(x.velocity[k] - y.velocity[k]));
        }
        for (int k = 0; k < 4; ++k)
            most = fmax(most, fabs(x.orientation[k] - y.orientation[k]));
    }
    return most;
}

/* A finely cut slab thrown flat on a finely cut floor goes where a box on a half-space goes, however many contacts are listed. */
static void slides_like_a_box(void **state)
{
    (void)state;
    test_mesh_fine_box(&slab, 2, 2, 0.2, 6);
    test_mesh_sheet(&ground, 20);
    for (int i = 0; i < ground.vertex_count; ++i)
    {
        ground.vertices[3 * i] *= 4;
        ground.vertices[3 * i + 1] *= 4;
    }
    cairn_shape_options box = cairn_shape_default(CAIRN_BOX);
    memcpy(box.size, (double[3]){2, 2, 0.2}, sizeof box.size);
    yard y[3];
    int most[3] = {0, 0, 0};
    for (int k = 0; k < 3; ++k)
    {
        y[k] = open_yard(0.2);
        add_fixed(&y[k], k == 0 ? cairn_shape_default(CAIRN_HALF_SPACE) : test_mesh_options(&ground));
        add_moving(&y[k], k == 0 ? box : test_mesh_options(&slab), 0, 0, 0.15, (double[3]){1.5, 0.3, 0},
                   (double[3]){0, 0, 1});
        start(&y[k], k < 2, 1, "convex cone");
    }
    for (int i = 0; i < 60; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            world_step(&y[k].w);
            int count = cairn_simulation_contact_count(y[k].w.simulation);
            most[k] = count > most[k] ? count : most[k];
        }
        assert_near(apart(&y[0], &y[1]), 0, 1e-9);
        assert_near(apart(&y[1], &y[2]), 0, 1e-8);
    }
    assert_true(most[1] == 4 && most[2] >= 10 * most[1]);
    for (int k = 0; k < 3; ++k)
        world_free(&y[k].w);
}

/* A hill of n x n cells. */
static void make_hills(test_mesh *m, int n, double height)
{
    test_mesh_sheet(m, n);
    for (int i = 0; i < m->vertex_count; ++i)
    {
        double *x = m->vertices + 3 * i;
        x[0] *= 3;
        x[1] *= 3;
        x[2] = height * (cos(2.1 * x[0]) * sin(1.7 * x[1] + 0.3) + 0.15 * (x[0] * x[0] + x[1] * x[1]));
    }
}

/* Angles, jagged and concave, that fall on hills and on each other. */
static yard heap(int count, int threads)
{
    yard y = open_yard(0.4);
    uint64_t seed = 5;
    make_hills(&ground, 24, 0.3);
    test_mesh_angle(&part);
    for (int i = 0; i < 3 * part.vertex_count; ++i)
        part.vertices[i] *= 0.25;
    cairn_shape_options shape = test_mesh_options(&part);
    shape.recentre = true;
    add_fixed(&y, test_mesh_options(&ground));
    for (int i = 0; i < count; ++i)
    {
        double spin[3] = {collide_uniform(&seed, -2, 2), collide_uniform(&seed, -2, 2), collide_uniform(&seed, -2, 2)};
        add_moving(&y, shape, 1.0 * (i % 2) - 0.5, 1.0 * (i / 2 % 2) - 0.5, 1.2 + 1.0 * (i / 4), (double[3]){0, 0, 0},
                   spin);
    }
    start(&y, true, threads, "cone");
    return y;
}

static double energy(const yard *y)
{
    cairn_energy e = cairn_simulation_energy(y->w.simulation);
    return e.kinetic + e.potential;
}

static void falls_into_a_heap(void **state)
{
    (void)state;
    bool full = getenv("CAIRN_LONG") != NULL;
    yard y = heap(full ? 24 : 8, 1);
    double last = energy(&y), deepest = 0;
    for (int i = 0; i < (full ? 400 : 150); ++i)
    {
        world_step(&y.w);
        double now = energy(&y);
        assert_true(now <= last + 1e-6 * fabs(last));
        last = now;
        for (int c = 0; c < cairn_simulation_contact_count(y.w.simulation); ++c)
            deepest = fmin(deepest, cairn_simulation_contact(y.w.simulation, c).gap);
    }
    /* no deeper than what the turn of a body within a step, at 5 to 10 m/s, makes of the linear constraint */
    assert_true(deepest > -0.02 * 0.75);
    world_free(&y.w);
}

static void threads_make_no_difference(void **state)
{
    (void)state;
    yard one = heap(8, 1), three = heap(8, 3);
    world_run(&one.w, 60);
    world_run(&three.w, 60);
    for (int i = 0; i < one.count; ++i)
    {
        cairn_body_state a = state_of(&one, i), b = state_of(&three, i);
        assert_memory_equal(&a, &b, sizeof a);
    }
    world_free(&one.w);
    world_free(&three.w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slides_like_a_box),
        cmocka_unit_test(falls_into_a_heap),
        cmocka_unit_test(threads_make_no_difference),
    };
    return cmocka_run_group_tests_name("mesh motion", tests, NULL, NULL);
}
