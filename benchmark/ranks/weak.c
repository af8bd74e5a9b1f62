/* What a step costs per rank, as ranks and bodies grow together. Ranks are threads that sleep while they wait, so that their processor time is work.
 *
 *     weak LIBRARY BODIES RANKS...      libcairn_processor.so, and bodies per rank
 *
 * Spheres of radius 0.05 m fall 0.1 m into a tray with walls, ten layers deep, whose area grows with the ranks; h = 5 ms, mu = 0.5, 20 sweeps. A line
 * per number of ranks: bodies, contacts, ghosts per rank, and per step and rank processor time, messages, bytes, and reductions. */
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
    const crn_gpu_table *pipeline;
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
                                 .sweeps = 20,
                                 .certify_every = 10,
                                 .restitution_threshold = 0.1,
                                 .push_out_speed = 1,
                                 .step = 0.005,
                                 .push_share = -1,
                                 .push_out = true,
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
    double start = processor_time();
    good = good && table->step(world, 0.005, MEASURED, gravity, NULL, NULL, &b->report, sentence);
    b->seconds[0] = processor_time() - start;
    if (good)
    {
        b->tally = crn_crew_count(world);
        b->tally.messages -= before.messages;
        b->tally.bytes -= before.bytes;
        b->tally.reductions -= before.reductions;
        b->tally.rebuilds -= before.rebuilds;
    }
    else
        printf("failed: %s\n", sentence);
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
    {
        crn_crew_serve(ranks, b->pipeline);
        b->seconds[ranks->rank] = processor_time();
    }
}

int main(int argc, char **argv)
{
    void *library = argc > 3 ? dlopen(argv[1], RTLD_NOW) : NULL;
    crn_gpu_table_fn *table_of = NULL;
    void *found = library ? dlsym(library, "crn_gpu_table_of") : NULL;
    memcpy(&table_of, &found, sizeof found);
    const crn_gpu_table *pipeline = table_of ? table_of(CRN_GPU_VERSION) : NULL;
    if (!pipeline)
        return fprintf(stderr, "usage: weak LIBRARY BODIES RANKS...\n"), 2;
    printf("ranks  bodies  contacts  ghosts/rank  neighbours  ms/step  messages/step  kB/step  reductions/step  "
           "rebuilds  balance\n");
    for (int i = 3; i < argc; ++i)
    {
        int ranks = atoi(argv[i]);
        bench *b = calloc(1, sizeof *b);
        b->pipeline = pipeline;
        fill(b, ranks * atoi(argv[2]));
        thread_ranks_run(ranks, 3600, take_part, b);
        double per = 1.0 / MEASURED / ranks;
        printf("%5d  %6d  %8d  %11.0f  %10.1f  %7.2f  %13.0f  %7.0f  %15.1f  %8d  %.3f\n", ranks, b->count,
               b->report.contacts, (double)b->tally.ghosts / ranks, (double)b->tally.neighbours / ranks,
               1e3 * b->seconds[0] / MEASURED, (double)b->tally.messages * per, 1e-3 * (double)b->tally.bytes * per,
               (double)b->tally.reductions / MEASURED, (int)b->tally.rebuilds, b->tally.balance);
        fflush(stdout);
        free(b->body);
        free(b);
    }
    return 0;
}
