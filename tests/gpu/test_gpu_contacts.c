/* Contacts and colours of the device's pipeline, on its twin for the processor (or, with CAIRN_GPU_LIBRARY, on a device): every pair that touches is
 * found once whatever the sizes and places, colours keep apart what shares a body, and nothing depends on the order of the work. */
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
    MOST = 400 /* spheres */
};

static const crn_gpu_table *gpu;

static crn_gpu_body sphere(double x, double y, double z, double radius)
{
    double m = 4000 * radius * radius * radius;
    return (crn_gpu_body){.x = {x, y, z},
                          .q = {1},
                          .inverse_mass = 1 / m,
                          .inverse_inertia = 1 / (0.4 * m * radius * radius),
                          .radius = radius,
                          .driven = -1};
}

static const uint8_t ONE_CLASS = 0;
static const double MU = 0.4, NO_BOUNCE = 0, STILL[3] = {0, 0, 0}, DOWN[3] = {0, 0, -9.81};

static crn_gpu_world *open_world(const crn_gpu_body *body, int count, const crn_gpu_plane *plane, int planes,
                                 uint32_t shuffle)
{
    char sentence[CRN_GPU_SENTENCE] = "";
    crn_gpu_description d = {.body_count = count,
                             .plane_count = planes,
                             .material_count = 1,
                             .class_count = 1,
                             .body = body,
                             .plane = plane,
                             .pair_class = &ONE_CLASS,
                             .friction = &MU,
                             .restitution = &NO_BOUNCE,
                             .law = CRN_GPU_CONE,
                             .sweeps = 10,
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

static crn_gpu_report take(crn_gpu_world *world, int steps, const double g[3])
{
    char sentence[CRN_GPU_SENTENCE] = "";
    crn_gpu_report report;
    if (!gpu->step(world, 0.005, steps, g, NULL, NULL, &report, sentence))
        fail_msg("%s", sentence);
    assert_int_equal(report.steps, steps);
    return report;
}

static crn_gpu_contact *contacts_of(crn_gpu_world *world, const crn_gpu_report *report)
{
    char sentence[CRN_GPU_SENTENCE] = "";
    crn_gpu_contact *contact = calloc((size_t)report->contacts + 1, sizeof *contact);
    assert_true(gpu->read_contacts(world, contact, report->contacts, sentence));
    return contact;
}

static double gap_of(const crn_gpu_body *a, const crn_gpu_body *b)
{
    double square = 0;
    for (int k = 0; k < 3; ++k)
        square += (a->x[k] - b->x[k]) * (a->x[k] - b->x[k]);
    return sqrt(square) - a->radius - b->radius;
}

/* ------------------------------------------------------------------------------------------------------------- search */

/* Every overlap of the bodies, found by looking at all pairs, is in the list once. */
static void check_found(const crn_gpu_body *body, int count, const crn_gpu_contact *contact, int contacts)
{
    static int seen[MOST][MOST];
    memset(seen, 0, sizeof seen);
    for (int k = 0; k < contacts; ++k)
    {
        int a = contact[k].a, b = contact[k].b;
        assert_true(a >= 0 && a < count && b >= 0 && b < count && a != b);
        ++seen[a][b];
        ++seen[b][a];
        assert_near(contact[k].gap, gap_of(&body[a], &body[b]), 1e-6);
    }
    for (int a = 0; a < count; ++a)
        for (int b = 0; b < a; ++b)
        {
            assert_true(seen[a][b] <= 1);
            if (gap_of(&body[a], &body[b]) < 0 && !seen[a][b])
                fail_msg("spheres %d and %d overlap by %g, but have no contact", a, b, -gap_of(&body[a], &body[b]));
        }
}

/* Radii that differ by factors up to `ratio`, in a box of which a part lies far off on either side of the origin. */
static void random_spheres(test_random *random, crn_gpu_body *body, int count, double ratio)
{
    for (int i = 0; i < count; ++i)
    {
        double r = 0.01 * pow(ratio, test_uniform(random, 0, 1));
        double far = i % 5 == 0 ? 1000 : i % 5 == 1 ? -77.7 : 0;
        double side = 0.02 * pow(ratio, 0.6);
        body[i] = sphere(far + test_uniform(random, -5, 5) * side, far / 3 + test_uniform(random, -5, 5) * side,
                         test_uniform(random, -5, 5) * side, r);
        for (int k = 0; k < 3; ++k)
            body[i].v[k] = test_uniform(random, -1, 1) * (i % 7 == 0 ? 20 : 0.1);
    }
}

static void finds_all_overlaps(void **state)
{
    (void)state;
    const double ratios[] = {1, 1.9, 2.1, 10, 300};
    crn_gpu_body body[MOST];
    for (int i = 0; i < 5; ++i)
    {
        test_random random = {(uint64_t)(11 + i)};
        random_spheres(&random, body, MOST, ratios[i]);
        crn_gpu_world *world = open_world(body, MOST, NULL, 0, 0);
        crn_gpu_report report = take(world, 1, STILL);
        crn_gpu_contact *contact = contacts_of(world, &report);
        assert_true(report.contacts > 20);
        check_found(body, MOST, contact, report.contacts);
        free(contact);
        gpu->close(world);
    }
}

/* So many overlaps that the memory for contacts has to grow, both of a body and of all. */
static void memory_grows(void **state)
{
    (void)state;
    crn_gpu_body body[MOST];
    for (int i = 0; i < MOST; ++i)
        body[i] = sphere(0.03 * (i % 8), 0.03 * (i / 8 % 8), 0.03 * (i / 64), 0.05); /* NOLINT: cells of a lattice */
    crn_gpu_world *world = open_world(body, MOST, NULL, 0, 0);
    crn_gpu_report report = take(world, 2, STILL);
    assert_true(report.grown > 0);
    gpu->close(world);
    world = open_world(body, MOST, NULL, 0, 0);
    report = take(world, 1, STILL);
    crn_gpu_contact *contact = contacts_of(world, &report);
    check_found(body, MOST, contact, report.contacts);
    free(contact);
    gpu->close(world);
}

/* ------------------------------------------------------------------------------------------------------------ colours */

static void check_colours(const crn_gpu_contact *contact, int contacts, int count)
{
    uint64_t *used = calloc((size_t)count, sizeof *used);
    for (int k = 0; k < contacts; ++k)
    {
        assert_true(contact[k].colour >= 0 && contact[k].colour <= 64);
        uint64_t bit = contact[k].colour < 64 ? (uint64_t)1 << contact[k].colour : 0;
        assert_false(used[contact[k].a] & bit);
        used[contact[k].a] |= bit;
        if (contact[k].b < 0)
            continue;
        assert_false(used[contact[k].b] & bit);
        used[contact[k].b] |= bit;
    }
    free(used);
}

/* A heap that falls on a floor: its state after some steps, and its colours checked on the way. */
static void fall(uint32_t shuffle, int batch, crn_gpu_body *body)
{
    crn_gpu_plane floor = {.n = {0, 0, 1}, .driven = -1};
    char sentence[CRN_GPU_SENTENCE] = "";
    test_random random = {5};
    for (int i = 0; i < MOST; ++i)
        body[i] = sphere(0.11 * (i % 6) + test_uniform(&random, 0, 0.01), 0.11 * (i / 6 % 6),
                         0.06 + 0.11 * (i / 36), /* NOLINT */
                         test_uniform(&random, 0.03, 0.05));
    crn_gpu_world *world = open_world(body, MOST, &floor, 1, shuffle);
    for (int k = 0; k < 60; k += batch)
    {
        crn_gpu_report report = take(world, batch, DOWN);
        crn_gpu_contact *contact = contacts_of(world, &report);
        check_colours(contact, report.contacts, MOST);
        free(contact);
    }
    assert_true(gpu->read_bodies(world, body, sentence));
    gpu->close(world);
}

/* Neither the order in which independent work is done nor the division into batches changes a bit. */
static void order_does_not_matter(void **state)
{
    (void)state;
    crn_gpu_body first[MOST], other[MOST];
    fall(0, 1, first);
    const struct
    {
        uint32_t shuffle;
        int batch;
    } ways[] = {{0, 1}, {1, 1}, {12345, 1}, {99, 20}, {0, 60}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i)
    {
        fall(ways[i].shuffle, ways[i].batch, other);
        assert_memory_equal(first, other, sizeof first);
    }
}

/* A ball that `around` others touch. If these are more than 64, those without a colour are visited one by one. Momentum is kept. */
static void touch_many(int around)
{
    crn_gpu_body body[MOST];
    char sentence[CRN_GPU_SENTENCE] = "";
    double before[3] = {0}, after[3] = {0}, size = 0;
    body[0] = sphere(0, 0, 0, 1);
    for (int i = 1; i <= around; ++i)
    {
        double z = -1 + (2.0 * i - 1) / around, turn = 2.399963 * i, flat = sqrt(1 - z * z), far = 1.0499;
        body[i] = sphere(far * flat * cos(turn), far * flat * sin(turn), far * z, 0.05);
        for (int k = 0; k < 3; ++k)
        {
            body[i].v[k] = -2 * body[i].x[k] + (k == 0 ? 0.3 : 0.0);
            before[k] += body[i].v[k] / body[i].inverse_mass;
            size += fabs(body[i].v[k]) / body[i].inverse_mass;
        }
    }
    crn_gpu_world *world = open_world(body, around + 1, NULL, 0, 0);
    crn_gpu_report report = take(world, 1, STILL);
    crn_gpu_contact *contact = contacts_of(world, &report);
    assert_true((around > 64) == (report.leftover > 0) && report.active >= around);
    check_colours(contact, report.contacts, around + 1);
    take(world, 20, STILL);
    assert_true(gpu->read_bodies(world, body, sentence));
    for (int i = 0; i <= around; ++i)
        for (int k = 0; k < 3; ++k)
            after[k] += body[i].v[k] / body[i].inverse_mass;
    for (int k = 0; k < 3; ++k)
        assert_near(after[k], before[k], 1e-5 * size);
    free(contact);
    gpu->close(world);
}

static void many_on_one(void **state)
{
    (void)state;
    touch_many(63);
    touch_many(64);
    touch_many(150);
}

/* -------------------------------------------------------------------------------------------------------- certificate */

/* A ball at rest on a floor. An impulse that is too large by d lifts it at d/m, an impulse across slides it at 7/2 d/m if friction bears it: the
 * certificate says so. */
static void certificate_finds_spoiled_impulses(void **state)
{
    (void)state;
    crn_gpu_plane floor = {.n = {0, 0, 1}, .driven = -1};
    crn_gpu_body body = sphere(0, 0, 0.1, 0.1);
    double m = 1 / body.inverse_mass, weight = 9.81 * 0.005;
    crn_gpu_world *world = open_world(&body, 1, &floor, 1, 0);
    crn_gpu_report report = take(world, 3, DOWN);
    assert_int_equal(report.contacts, 1);
    assert_true(report.worst < 1e-6 * weight);
    const double shares[] = {1e-3, 0.1, 0.3};
    for (int i = 0; i < 3; ++i)
    {
        double up = shares[i] * m * weight;
        gpu->spoil(world, 0, (double[3]){0, 0, up});
        report = take(world, 1, DOWN);
        assert_near(report.worst, shares[i] * weight, 0.01 * shares[i] * weight);
        gpu->close(world);
        world = open_world(&body, 1, &floor, 1, 0);
        take(world, 2, DOWN);
        gpu->spoil(world, 0, (double[3]){up, 0, 0});
        report = take(world, 1, DOWN);
        assert_true(report.worst > 2 * shares[i] * weight && report.worst < 4 * shares[i] * weight);
        gpu->close(world);
        world = open_world(&body, 1, &floor, 1, 0);
        take(world, 3, DOWN);
    }
    gpu->close(world);
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
        cmocka_unit_test(finds_all_overlaps),
        cmocka_unit_test(memory_grows),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(many_on_one),
        cmocka_unit_test(certificate_finds_spoiled_impulses),
    };
    return cmocka_run_group_tests(tests, open_library, NULL);
}
