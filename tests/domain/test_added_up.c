/* Statistics of contacts that ranks add up: what the list of all contacts on process 0 comes to, and the same bits from any number of ranks. */
#include "cairn/cairn.h"
#include "cairn/ranks.h"

#include "base/exact_sum.h"
#include "statistics/grains.h"
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
    CONTACTS = 0,
    MEAN_FORCE,
    LARGEST_FORCE,
    COORDINATION,
    BACKBONE,
    RATTLERS,
    FABRIC,
    VIRIAL = FABRIC + 9,
    HISTOGRAM = VIRIAL + 9,
    BINS = 16,
    NUMBERS = HISTOGRAM + BINS
};

typedef struct measured_run
{
    const char *scene, *statistic;
    double value[NUMBERS], reference[NUMBERS]; /* by ranks, and from the list */
    atomic_int failures;
} measured_run;

static bool is_good(measured_run *run, cairn_context *context, cairn_status status)
{
    if (status)
        print_error("%s: %s\n", run->scene, cairn_context_last_message(context));
    run->failures += status != CAIRN_OK;
    return status == CAIRN_OK;
}

/* --------------------------------------------------------------------------------------------------------------- reference */

/* How much of the line from x to x + d lies in a box along the axes; everything: half[0] is 0. */
static double share_in(const crn_zone *zone, const double x[3], const double d[3])
{
    double low = 0, high = 1;
    for (int k = 0; k < 3 && zone->kind == CRN_ZONE_BOX; ++k)
    {
        double a = zone->centre[k] - zone->half[k] - x[k], b = zone->centre[k] + zone->half[k] - x[k];
        if (d[k] == 0 && (a > 0 || b < 0))
            return 0;
        if (d[k] == 0)
            continue;
        low = fmax(low, fmin(a / d[k], b / d[k]));
        high = fmin(high, fmax(a / d[k], b / d[k]));
    }
    return high > low ? high - low : 0;
}

static bool is_in(const crn_zone *zone, const double x[3])
{
    bool inside = true;
    for (int k = 0; k < 3 && zone->kind == CRN_ZONE_BOX; ++k)
        inside = inside && fabs(x[k] - zone->centre[k]) <= zone->half[k];
    return inside;
}

static void add_virial(const cairn_simulation *s, const crn_zone *zone, const crn_load *load, double out[9])
{
    for (int side = 0; side < 2; ++side)
    {
        double arm[3];
        if (!crn_is_grain(s, load->body[side]))
            continue;
        crn_branch(s, load, side, arm);
        double share = share_in(zone, crn_grain_position(s, load->body[side]), arm);
        for (int k = 0; k < 9; ++k)
            out[k] += (side == 0 ? -1 : 1) * share * load->force[k / 3] * arm[k % 3];
    }
}

/* The different neighbours of a grain. */
static int neighbours_of(const cairn_simulation *s, const crn_loads *loads, int grain)
{
    int64_t known[64];
    int count = 0;
    for (int i = 0; i < loads->count; ++i)
        for (int side = 0; side < 2; ++side)
        {
            const crn_load *load = &loads->load[i];
            if (load->body[side] != grain)
                continue;
            int other = load->body[1 - side], k = 0;
            int64_t name = crn_is_grain(s, other) ? other : load->wall[1 - side];
            while (k < count && known[k] != name)
                ++k;
            assert_true(k < 64);
            known[k] = name;
            count += k == count;
        }
    return count;
}

static void refer_neighbours(const cairn_simulation *s, const crn_zone *zone, const crn_loads *loads, double *out)
{
    double grains = 0, all = 0, held = 0, holding = 0;
    for (int b = 0; b < (int)s->model->body_count; ++b)
    {
        if (!crn_is_grain(s, b) || !is_in(zone, crn_grain_position(s, b)))
            continue;
        int count = neighbours_of(s, loads, b);
        grains += 1;
        all += count;
        held += count >= 2;
        holding += count >= 2 ? count : 0;
    }
    out[COORDINATION] = all / grains;
    out[BACKBONE] = holding / held;
    out[RATTLERS] = (grains - held) / grains;
}

/* From the list of all contacts. */
static void refer(measured_run *run, const cairn_simulation *s, const crn_statistic *of)
{
    crn_loads loads;
    double *out = run->reference, mean = 0;
    run->failures += crn_loads_find(s, &loads) != CAIRN_OK;
    for (int i = 0; i < loads.count; ++i)
    {
        const crn_load *load = &loads.load[i];
        add_virial(s, &of->region, load, out + VIRIAL);
        if (!is_in(&of->region, load->point))
            continue;
        out[CONTACTS] += 1;
        mean += fabs(load->pressing);
        out[LARGEST_FORCE] = fmax(out[LARGEST_FORCE], fabs(load->pressing));
        for (int k = 0; k < 9; ++k)
            out[FABRIC + k] += load->normal[k / 3] * load->normal[k % 3];
    }
    for (int k = 0; k < 9; ++k)
        out[FABRIC + k] /= out[CONTACTS];
    out[MEAN_FORCE] = mean / out[CONTACTS];
    for (int i = 0; i < loads.count; ++i)
    {
        double place = fabs(loads.load[i].pressing) / (of->options.top * out[MEAN_FORCE] / BINS);
        if (is_in(&of->region, loads.load[i].point) && place < BINS)
            out[HISTOGRAM + (int)place] += 1 / out[CONTACTS];
    }
    refer_neighbours(s, &of->region, &loads, out);
    free(loads.load);
}

/* ------------------------------------------------------------------------------------------------------------------- ranks */

static void measure(measured_run *run, cairn_context *context, const cairn_simulation *simulation)
{
    static const struct
    {
        const char *name;
        int at;
    } ASKED[] = {{"contacts", CONTACTS},
                 {"mean_force", MEAN_FORCE},
                 {"largest_force", LARGEST_FORCE},
                 {"coordination", COORDINATION},
                 {"backbone", BACKBONE},
                 {"rattlers", RATTLERS},
                 {"fabric", FABRIC},
                 {"virial", VIRIAL},
                 {"force_histogram", HISTOGRAM}};
    const cairn_model *model = cairn_simulation_model(simulation);
    for (size_t i = 0; i < sizeof ASKED / sizeof ASKED[0]; ++i)
    {
        char name[64];
        cairn_quantity quantity;
        snprintf(name, sizeof name, "%s.%s", run->statistic, ASKED[i].name);
        if (is_good(run, context, cairn_quantity_find(context, model, name, &quantity)))
            is_good(run, context, cairn_quantity_value(simulation, &quantity, &run->value[ASKED[i].at]));
    }
    run->failures += simulation->state.contacts_listed; /* nobody has listed the contacts so far */
    bool is_all = !strcmp(run->statistic, "grains");
    crn_statistic of = is_all ? crn_statistic_of_all(model) : model->statistics[0];
    run->failures += of.options.bins != BINS;
    refer(run, simulation, &of);
}

static void adapt(cairn_settings *settings, void *data)
{
    (void)data;
    settings->audit = false;
}

static void work(cairn_context *context, cairn_simulation *simulation, void *data)
{
    measured_run *run = data;
    if (is_good(run, context, cairn_simulation_steps(simulation, STEPS)))
        measure(run, context, simulation);
}

static void share(int ranks, measured_run *run)
{
    shared_scene scene = {.name = run->scene, .adapt = adapt, .work = work, .data = run};
    run->failures += shared_scene_run(&scene, ranks, 300);
}

static void check_scene(const char *scene, const char *statistic)
{
    static const int RANKS[] = {1, 3, 8};
    measured_run first = {0};
    for (int i = 0; i < 3; ++i)
    {
        measured_run run = {.scene = scene, .statistic = statistic};
        share(RANKS[i], &run);
        assert_int_equal(run.failures, 0);
        assert_true(run.value[CONTACTS] > 20 && run.value[COORDINATION] > 0.2);
        double size = 0;
        for (int k = 0; k < NUMBERS; ++k)
            size = fmax(size, k >= VIRIAL && k < HISTOGRAM ? fabs(run.reference[k]) : 0);
        for (int k = 0; k < NUMBERS; ++k)
            assert_near(run.value[k], run.reference[k],
                        1e-11 * (k >= VIRIAL && k < HISTOGRAM ? size : 1 + fabs(run.reference[k])));
        if (i == 0)
            first = run;
        assert_memory_equal(run.value, first.value, sizeof first.value);
    }
}

static void test_spheres(void **unused)
{
    (void)unused;
    check_scene("grains", "grains");
}

static void test_shapes(void **unused)
{
    (void)unused;
    check_scene("mixed", "grains");
}

static void test_mesh(void **unused)
{
    (void)unused;
    check_scene("terrain", "grains");
}

static void test_region(void **unused)
{
    (void)unused;
    check_scene("springs", "heap");
}

/* 2^53 + 1 + ... - 2^53: sums of doubles would lose the ones. The order does not matter. */
static void test_exact(void **unused)
{
    (void)unused;
    const double LARGE = 9007199254740992.0, TERM[] = {LARGE, 1, 1, 1, -LARGE, 0x1p-70, -3.5, 0x1p-70};
    const int COUNT = sizeof TERM / sizeof TERM[0];
    for (int first = 0; first < COUNT; ++first)
    {
        crn_exact_sum sum = {{0}}, other = {{0}};
        for (int i = 0; i < COUNT; ++i)
            crn_exact_add(i % 2 ? &sum : &other, TERM[(first + 3 * i) % COUNT]);
        crn_exact_carry(&other);
        for (int k = 0; k < CRN_EXACT_DIGITS; ++k)
            sum.digit[k] += other.digit[k];
        assert_true(crn_exact_value(sum) == -0.5);
        crn_exact_add(&sum, 0.5);
        assert_true(crn_exact_value(sum) == 0x1p-69);
    }
}

int main(void)
{
    setenv("CAIRN_PROCESSOR_LIBRARY", CAIRN_BUILD_DIR "/libcairn_processor.so", 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exact), cmocka_unit_test(test_spheres),
                                       cmocka_unit_test(test_shapes), cmocka_unit_test(test_mesh),
                                       cmocka_unit_test(test_region)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
