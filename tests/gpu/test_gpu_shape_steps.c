/* Steps of a world with shapes on the device's pipeline (its twin for the processor, or with CAIRN_GPU_LIBRARY a device): nothing depends on the
 * order of the work or on batches, memory grows without a trace, contacts keep their impulses, and the certificate finds wrong ones. */
#include "gpu/interface.h"
#include "support/check.h"
#include "support/device_library.h"
#include "support/problems/random_problem.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    BODIES = 61, /* the last one is fixed */
    SHAPES = 200
};

static const crn_gpu_table *gpu;
static const uint8_t ONE_CLASS = 0;
static const double MU = 0.4, NO_BOUNCE = 0, DOWN[3] = {0, 0, -9.81};

typedef struct scene
{
    crn_gpu_body body[BODIES];
    crn_gpu_shape shape[SHAPES];
    int bodies, shapes, walls;
} scene;

static crn_gpu_shape *add_shape(scene *s, crn_gpu_kind kind, int body)
{
    s->shape[s->shapes] = (crn_gpu_shape){.kind = kind, .body = body, .triangle = -1, .q = {1}};
    return &s->shape[s->shapes++];
}

static int add_body(scene *s, double x, double y, double z, double mass)
{
    crn_gpu_body *body = &s->body[s->bodies];
    *body = (crn_gpu_body){.x = {x, y, z}, .q = {1}, .driven = -1, .groups = 1, .collides_with = 1};
    body->inverse_mass = mass > 0 ? 1 / mass : 0.0;
    body->inertia[0] = 0.003 * mass;
    body->inertia[4] = 0.002 * mass;
    body->inertia[8] = 0.004 * mass;
    return s->bodies++;
}

static void add_floor(scene *s)
{
    int fixed = add_body(s, 0, 0, 0, 0);
    add_shape(s, CRN_GPU_HALF_SPACE, fixed)->half[2] = 1;
    crn_gpu_shape *bin = add_shape(s, CRN_GPU_HOLLOW, fixed);
    bin->half[0] = bin->half[1] = 0.6;
    bin->half[2] = 10;
    s->walls = 2;
}

/* Spheres, capsules, boxes and pairs of spheres in a round bin. */
static void make_heap(scene *s)
{
    test_random random = {5};
    *s = (scene){0};
    for (int i = 0; i < BODIES - 1; ++i)
    {
        int b = add_body(s, test_uniform(&random, -0.02, 0.02) + 0.25 * (i % 3 - 1),
                         test_uniform(&random, -0.02, 0.02) + 0.25 * (i / 3 % 3 - 1), 0.15 + 0.25 * (i / 9), 1);
        crn_gpu_shape *shape = add_shape(s,
                                         i % 4 == 1   ? CRN_GPU_CAPSULE
                                         : i % 4 == 2 ? CRN_GPU_BOX
                                                      : CRN_GPU_SPHERE,
                                         b);
        shape->radius = shape->kind == CRN_GPU_BOX ? 0.0 : 0.06;
        memcpy(shape->half, shape->kind == CRN_GPU_BOX ? (double[3]){0.09, 0.05, 0.04} : (double[3]){0, 0, 0.05},
               sizeof shape->half);
        if (i % 4 != 3)
            continue;
        shape->x[0] = 0.05;
        add_shape(s, CRN_GPU_SPHERE, b)->radius = 0.07;
        s->shape[s->shapes - 1].x[0] = -0.05;
    }
    add_floor(s);
}

static crn_gpu_world *open_scene(const scene *s, uint32_t shuffle, int sweeps)
{
    char sentence[CRN_GPU_SENTENCE] = "";
    crn_gpu_description d = {.body_count = s->bodies,
                             .shape_count = s->shapes,
                             .wall_count = s->walls,
                             .material_count = 1,
                             .class_count = 1,
                             .body = s->body,
                             .shape = s->shape,
                             .pair_class = &ONE_CLASS,
                             .friction = &MU,
                             .restitution = &NO_BOUNCE,
                             .law = CRN_GPU_CONE,
                             .sweeps = sweeps,
                             .certify_every = 1,
                             .restitution_threshold = 0.01,
                             .push_out_speed = 1,
                             .step = 0.005,
                             .push_share = -1,
                             .push_out = true,
                             .shuffle = shuffle};
    crn_gpu_world *world = gpu->open(&d, sentence);
    if (!world)
        fail_msg("%s", sentence);
    return world;
}

static crn_gpu_report take(crn_gpu_world *world, int steps)
{
    char sentence[CRN_GPU_SENTENCE] = "";
    crn_gpu_report report;
    if (!gpu->step(world, 0.005, steps, DOWN, NULL, NULL, &report, sentence))
        fail_msg("%s", sentence);
    return report;
}

static crn_gpu_report fall(uint32_t shuffle, int batch, int steps, scene *end)
{
    char sentence[CRN_GPU_SENTENCE] = "";
    crn_gpu_report report = {0};
    make_heap(end);
    crn_gpu_world *world = open_scene(end, shuffle, 15);
    for (int k = 0; k < steps; k += batch)
        report = take(world, batch);
    assert_true(gpu->read_bodies(world, end->body, sentence));
    gpu->close(world);
    return report;
}

static void order_does_not_matter(void **state)
{
    (void)state;
    static scene first, other;
    int steps = 120;
    crn_gpu_report report = fall(0, 1, steps, &first);
    assert_true(report.contacts > 50 && report.colours > 5 && report.penetration < 0.002);
    const struct
    {
        uint32_t shuffle;
        int batch;
    } ways[] = {{0, 1}, {1, 1}, {12345, 1}, {99, 20}, {0, 60}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i)
    {
        fall(ways[i].shuffle, ways[i].batch, steps, &other);
        assert_memory_equal(first.body, other.body, sizeof first.body);
    }
}

/* All bodies on one heap of overlaps: more pairs and contacts than there is room for at first. Every pair of spheres that overlaps has its contact. */
static void memory_grows(void **state)
{
    (void)state;
    static scene s;
    s = (scene){0};
    for (int i = 0; i < BODIES - 1; ++i)
        add_shape(&s, CRN_GPU_SPHERE, add_body(&s, 0.02 * (i % 4), 0.02 * (i / 4 % 4), 1 + 0.02 * (i / 16), 1))
            ->radius = 0.1; /* NOLINT */
    add_floor(&s);
    crn_gpu_world *world = open_scene(&s, 0, 1);
    crn_gpu_report report =
        take(world, 3); /* those that follow in the batch know nothing of the first one's contacts */
    assert_true(report.grown > 0);
    gpu->close(world);
    world = open_scene(&s, 0, 1);
    report = take(world, 1);
    assert_int_equal(report.contacts, (BODIES - 1) * (BODIES - 2) / 2); /* the furthest are 0.1 m apart */
    gpu->close(world);
}

/* ------------------------------------------------------------------------------------------------------- impulses */

static void make_box(scene *s)
{
    *s = (scene){0};
    int b = add_body(s, 0, 0, 0.1, 2);
    memcpy(add_shape(s, CRN_GPU_BOX, b)->half, (double[3]){0.2, 0.15, 0.1}, 3 * sizeof(double));
    add_floor(s);
}

/* The four corners of a box at rest bear its weight together, and start from that in the next step: a few sweeps then suffice. */
static void impulses_are_kept(void **state)
{
    (void)state;
    static scene s;
    char sentence[CRN_GPU_SENTENCE] = "";
    make_box(&s);
    crn_gpu_world *world = open_scene(&s, 0, 4);
    take(world, 60);
    crn_gpu_report report = take(world, 1);
    crn_gpu_contact contact[8];
    double sum = 0, weight = 2 * 9.81 * 0.005;
    assert_int_equal(report.contacts, 4);
    assert_true(gpu->read_contacts(world, contact, 4, sentence));
    for (int k = 0; k < 4; ++k)
    {
        assert_int_equal(contact[k].shape_a, 0);
        assert_int_equal(contact[k].shape_b, 1);
        assert_near(contact[k].normal[2], 1, 1e-7);
        assert_near(fabs(contact[k].arm[0]), 0.2, 1e-3);
        sum += contact[k].impulse[2];
    }
    assert_near(sum, weight, 1e-4 * weight);
    assert_true(report.worst < 1e-4 * 9.81 * 0.005); /* four sweeps from nothing would not do */
    gpu->close(world);
}

/* An impulse that is too large by d at a corner with the arm r lifts that corner at d (1/m + (r x n) J^-1 (r x n)). */
static void certificate_finds_spoiled_impulses(void **state)
{
    (void)state;
    static scene s;
    const double shares[] = {1e-3, 0.02};
    for (int i = 0; i < 2; ++i)
    {
        make_box(&s);
        crn_gpu_world *world = open_scene(&s, 0, 50);
        take(world, 40);
        double d = shares[i] * 2 * 9.81 * 0.005;
        gpu->spoil(world, 1, (double[3]){0, 0, d});
        crn_gpu_report report = take(world, 1);
        double W = 1 / 2.0 + 0.15 * 0.15 / 0.006 + 0.2 * 0.2 / 0.004;
        assert_near(report.worst, W * d, 0.05 * W * d);
        gpu->close(world);
    }
}

static int open_library(void **state)
{
    (void)state;
    gpu = device_table();
    return gpu ? 0 : -1;
}

int main(void)
{
    if (!device_is_there())
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(memory_grows),
        cmocka_unit_test(impulses_are_kept),
        cmocka_unit_test(certificate_finds_spoiled_impulses),
    };
    return cmocka_run_group_tests(tests, open_library, NULL);
}
