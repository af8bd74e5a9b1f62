/* What a step costs per rank, as ranks and bodies grow together. Ranks are threads that sleep while they wait, so that their processor time is work.
 *
 *     weak LIBRARY MODE BODIES SWEEPS RANKS...      libcairn_processor.so, reproducible or split, bodies per rank, sweeps per step
 *
 * Spheres of radius 0.05 m fall 0.1 m into a tray with walls, ten layers deep, whose area grows with the ranks; h = 5 ms, mu = 0.5. A line per number of
 * ranks: mode, bodies, contacts, sweeps and colours; ghosts, those of them with contacts, and neighbours per rank; and per step and rank processor time, messages, bytes and reductions. model.py
 * reads these lines. */
#include "domain/crew.h"
#include "support/thread_ranks.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    SETTLE = 60,
    MEASURED = 20,
    MOST_RANKS = 64
};

typedef struct bench
{
    const crn_gpu_table *pipeline; /* counts the time of its ranks */
    int sweeps;
    bool is_split;
    bool is_good;
    crn_gpu_body *body;
    crn_gpu_plane plane[5];
    int count;
    double side[2], seconds[MOST_RANKS];
    crn_gpu_report report;
    cairn_ranks_tally tally;
} bench;

static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The pipeline, and the processor time of the rank that calls it: the lower quartile of the steps that are measured, since the machine has other work to do. What is done
 * between steps is not in it: the audit, and rebuilds. */
static const crn_gpu_table *library_table;
static _Thread_local int taken;
static _Thread_local double spent[MEASURED];

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quartile(void)
{
    qsort(spent, MEASURED, sizeof *spent, by_size);
    return spent[MEASURED / 4];
}

static bool step_and_count(crn_gpu_world *world, double h, int32_t steps, const double gravity[3],
                           const crn_gpu_drive *drive, const crn_gpu_timed *timed, crn_gpu_report *report,
                           char *sentence)
{
    double begun = processor_time();
    bool good = library_table->step(world, h, steps, gravity, drive, timed, report, sentence);
    if (taken >= SETTLE && taken < SETTLE + MEASURED)
        spent[taken - SETTLE] = processor_time() - begun;
    taken += good && !report->lacks_ghosts;
    return good;
}

static void fill(bench *b, int count)
{
    const int layers = 10, across = (int)ceil(sqrt((double)count / layers));
    const double r = 0.05, apart = 2.05 * r;
    b->count = count;
    b->body = calloc((size_t)count, sizeof *b->body);
    for (int i = 0; i < count; ++i)
    {
        int layer = i / (across * across), j = i % (across * across);
        double shift = 0.3 * r * (layer % 2) + 0.01 * r * sin(12.9898 * i);
        b->body[i] = (crn_gpu_body){
            .x = {apart * (j % across + 0.5) + shift, apart * (j / across + 0.5) + shift, 0.1 + apart * (layer + 0.5)},
            .q = {1},
            .inverse_mass = 1,
            .inverse_inertia = 2.5 / (r * r),
            .radius = r,
            .driven = -1};
    }
    b->side[0] = b->side[1] = apart * (across + 0.5);
    const crn_gpu_plane walls[5] = {{.n = {0, 0, 1}, .driven = -1},
                                    {.n = {1, 0, 0}, .driven = -1},
                                    {.n = {-1, 0, 0}, .offset = -b->side[0], .driven = -1},
                                    {.n = {0, 1, 0}, .driven = -1},
                                    {.n = {0, -1, 0}, .offset = -b->side[1], .driven = -1}};
    memcpy(b->plane, walls, sizeof walls);
}

static crn_gpu_description describe(const bench *b, cairn_ranks *ranks)
{
    static const uint8_t class = 0;
    static const double friction = 0.5, restitution = 0;
    return (crn_gpu_description){.body_count = b->count,
                                 .body = b->body,
                                 .plane_count = 5,
                                 .plane = b->plane,
                                 .material_count = 1,
                                 .class_count = 1,
                                 .pair_class = &class,
                                 .friction = &friction,
                                 .restitution = &restitution,
                                 .law = CRN_GPU_CONE,
                                 .sweeps = b->sweeps,
                                 .certify_every = 10,
                                 .restitution_threshold = 0.1,
                                 .push_out_speed = 1,
                                 .step = 0.005,
                                 .push_share = -1,
                                 .push_out = true,
                                 .is_split = b->is_split,
                                 .ranks = ranks,
                                 .pipeline = b->pipeline,
                                 .high = {b->side[0], b->side[1], 1.2}};
}

static void lead(cairn_ranks *ranks, bench *b)
{
    const crn_gpu_table *table = crn_crew_table();
    const double gravity[3] = {0, 0, -9.81};
    char sentence[CRN_GPU_SENTENCE] = "";
    crn_gpu_description d = describe(b, ranks);
    crn_gpu_world *world = table->open(&d, sentence);
    bool good = world && table->step(world, 0.005, SETTLE, gravity, NULL, NULL, &b->report, sentence);
    cairn_ranks_tally before = good ? crn_crew_count(world) : (cairn_ranks_tally){0};
    good = good && table->step(world, 0.005, MEASURED, gravity, NULL, NULL, &b->report, sentence);
    if (good)
    {
        b->tally = crn_crew_count(world);
        b->tally.messages -= before.messages;
        b->tally.bytes -= before.bytes;
        b->tally.reductions -= before.reductions;
        b->tally.rebuilds -= before.rebuilds;
    }
    else
        fprintf(stderr, "failed: %s\n", sentence);
    b->is_good = good;
    if (world)
        table->close(world);
    crn_crew_dismiss(ranks);
}

static void take_part(cairn_ranks *ranks, void *data)
{
    bench *b = data;
    if (ranks->rank == 0)
        lead(ranks, b);
    else
        crn_crew_serve(ranks, b->pipeline, &(crn_crew_calls){NULL, NULL});
    b->seconds[ranks->rank] = quartile();
}

/* Whether the steps could be taken. */
static bool measure(const crn_gpu_table *pipeline, bool is_split, int bodies, int sweeps, int ranks)
{
    bench *b = calloc(1, sizeof *b);
    b->pipeline = pipeline;
    b->sweeps = sweeps;
    b->is_split = is_split;
    fill(b, ranks * bodies);
    thread_ranks_run(ranks, 3600, take_part, b);
    double per = 1.0 / MEASURED / ranks, seconds = 0;
    for (int r = 0; r < ranks; ++r)
        seconds += b->seconds[r];
    printf("%5s  %5d  %7d  %8d  %6d  %7d  %11.0f  %11.0f  %10.2f  %7.2f  %13.1f  %10.0f  %15.1f  %8d\n",
           is_split ? "split" : "whole", ranks, b->count, b->report.contacts, sweeps, b->report.colours,
           (double)b->tally.ghosts / ranks, (double)b->tally.border / ranks, (double)b->tally.neighbours / ranks,
           1e3 * seconds / ranks, (double)b->tally.messages * per, (double)b->tally.bytes * per,
           (double)b->tally.reductions / MEASURED, (int)b->tally.rebuilds);
    fflush(stdout);
    bool good = b->is_good;
    free(b->body);
    free(b);
    return good;
}

int main(int argc, char **argv)
{
    void *library = argc > 5 ? dlopen(argv[1], RTLD_NOW) : NULL;
    crn_gpu_table_fn *table_of = NULL;
    void *found = library ? dlsym(library, "crn_gpu_table_of") : NULL;
    memcpy(&table_of, &found, sizeof found);
    library_table = table_of ? table_of(CRN_GPU_VERSION) : NULL;
    if (!library_table)
        return fprintf(stderr, "usage: weak LIBRARY MODE BODIES SWEEPS RANKS...\n"), 2;
    crn_gpu_table pipeline = *library_table;
    pipeline.step = step_and_count;
    printf("#mode  ranks  bodies  contacts  sweeps  colours  ghosts/rank  border/rank  neighbours  ms/step  "
           "messages/step  "
           "bytes/step  "
           "reductions/step  "
           "rebuilds\n");
    bool good = true;
    for (int i = 5; i < argc; ++i)
        good &= measure(&pipeline, !strcmp(argv[2], "split"), atoi(argv[3]), atoi(argv[4]), atoi(argv[i]));
    return !good;
}
