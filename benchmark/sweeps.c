/* Sweeps over the compact view (docs/methods/compact.md): ns and bytes per visit of a contact, by number of grains, kind of contact and
 * width of vectors, and what loading, storing and judging cost per contact. */
#include "bench.h"
#include "solve/compact/packed.h"
#include "support/problems/compact_problem.h"

#include <stdlib.h>

enum
{
    SIZES = 5,
    WIDTHS = 3,
    SWEEPS = 20 /* as many as a step of a settled heap takes */
};

static const int COUNTS[SIZES] = {500, 2000, 8000, 32000, 128000};
static const int LANES[WIDTHS] = {1, 4, 8};

/* ns per contact; visits, per contact and sweep. */
typedef struct cost
{
    double visit, load, store, judge, bytes;
} cost;

/* A nearly cubic lattice. */
static test_compact *grains(int count, bool is_general)
{
    int side = 1;
    while (side * side * side < count)
        ++side;
    test_compact_recipe recipe = {.count = {side, side, (count + side * side - 1) / (side * side)},
                                  .law = CAIRN_LAW_CONE,
                                  .is_general = is_general,
                                  .mu = 0.5};
    return test_compact_create(&recipe, 1);
}

/* Bytes of the packed contacts that a sweep reads, per contact; r is written too, and the bodies are read and written. */
static double bytes_per_contact(const crn_compact *compact)
{
    double bytes = 0.0;
    for (int k = 0; k < compact->segment_count; ++k)
    {
        const crn_compact_segment *s = &compact->segment[k];
        size_t numbers = (size_t)CRN_COMPACT_FIELDS[s->kind] * sizeof(double);
        bytes += (double)(crn_compact_slots(s) * (numbers + (size_t)crn_compact_sides(s->kind) * sizeof(int)));
    }
    return bytes / compact->problem->contact_count;
}

/* One load, some sweeps, one judgement. */
static cost measure(bench_run *run, crn_compact *compact, const test_compact *test, crn_compact_body *body)
{
    crn_compact_certificate certificate;
    double *residual = NULL;
    double start = bench_now();
    if (crn_compact_load(compact, &test->problem, (const double(*)[3])test->impulse))
        bench_wrong(run, "no memory for compact contacts");
    double loaded = bench_now();
    crn_compact_sweep(compact, SWEEPS);
    double swept = bench_now();
    crn_compact_store(compact, test->impulse, NULL);
    double stored = bench_now();
    crn_compact_judge(&test->problem, (const double(*)[3])test->impulse, body, residual, &certificate);
    double judged = bench_now();
    double unit = 1e9 / test->problem.contact_count;
    return (cost){unit * (swept - loaded) / SWEEPS, unit * (loaded - start), unit * (stored - swept),
                  unit * (judged - stored), bytes_per_contact(compact)};
}

/* The median of some repetitions. */
static cost typical(bench_run *run, int lanes, const test_compact *test)
{
    enum
    {
        REPEATS = 15
    };
    double visit[REPEATS], load[REPEATS], store[REPEATS], judge[REPEATS];
    crn_compact *compact = crn_compact_create(NULL);
    crn_compact_body *body = bench_memory((size_t)test->problem.body_count, sizeof *body);
    int repeats = run->quick || test->problem.body_count > 20000 ? 5 : REPEATS;
    cost out = {0};
    if (!compact)
        abort();
    crn_compact_lanes(compact, lanes);
    for (int k = 0; k < repeats; ++k)
    {
        out = measure(run, compact, test, body);
        visit[k] = out.visit;
        load[k] = out.load;
        store[k] = out.store;
        judge[k] = out.judge;
    }
    free(body);
    crn_compact_destroy(compact);
    return (cost){bench_median(visit, repeats), bench_median(load, repeats), bench_median(store, repeats),
                  bench_median(judge, repeats), out.bytes};
}

static void measure_size(bench_run *run, int count, bool is_general, bool is_first)
{
    test_compact *test = grains(count, is_general);
    cost by_width[WIDTHS];
    for (int k = 0; k < WIDTHS; ++k)
        by_width[k] = typical(run, LANES[k], test);
    const cost *last = &by_width[WIDTHS - 1];
    const char *kind = is_general ? "general" : "round";
    printf("%8s %8d %9d %8.1f %8.1f %8.1f %8.0f %8.0f %8.0f %8.0f\n", kind, count, test->problem.contact_count,
           by_width[0].visit, by_width[1].visit, by_width[2].visit, last->load, last->store, last->judge, last->bytes);
    if (run->json)
        fprintf(run->json,
                "%s\n    {\"kind\": \"%s\", \"grains\": %d, \"contacts\": %d, \"ns_1\": %.2f, \"ns_4\": %.2f, "
                "\"ns_8\": %.2f, "
                "\"load_ns\": %.1f, \"store_ns\": %.1f, \"judge_ns\": %.1f, \"bytes\": %.1f}",
                is_first ? "" : ",", kind, count, test->problem.contact_count, by_width[0].visit, by_width[1].visit,
                by_width[2].visit, last->load, last->store, last->judge, last->bytes);
    test_compact_destroy(test);
}

void bench_sweeps(bench_run *run)
{
    printf("\nsweeps over the compact view: ns per visit one, four and eight wide; ns per contact of the rest (%d "
           "sweeps)\n",
           SWEEPS);
    printf("%8s %8s %9s %8s %8s %8s %8s %8s %8s %8s\n", "kind", "grains", "contacts", "1", "4", "8", "load", "store",
           "judge", "bytes");
    if (run->json)
        fprintf(run->json, "[");
    for (int kind = 0; kind < 2; ++kind)
        for (int k = 0; k < (run->quick ? 2 : SIZES); ++k)
            measure_size(run, COUNTS[k], kind == 1, kind == 0 && k == 0);
    if (run->json)
        fprintf(run->json, "\n  ]");
}
