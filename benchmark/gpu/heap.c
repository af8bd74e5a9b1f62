/* A heap of spheres that falls to rest in a box with five walls, on the device (or its twin): time per step, and how good the steps are.
 *
 *     heap LIBRARY SPHERES SWEEPS SECONDS [WIDTH [SHARE [EVERY [RUNS [TOLERANCE]]]]]
 *
 * WIDTH: spheres along each wall (default: as in a cube). SHARE: of an overlap that is pushed out per step; negative: the product's rule.
 * EVERY: steps between certificates. RUNS: repetitions whose last states must be equal to the bit. TOLERANCE: relative residual that every step
 * must reach, within 20,000 sweeps; 0: none.
 */
#include "gpu/interface.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double RADIUS = 0.05, SPACING = 0.12, STEP = 0.005;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double jitter(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return 2.0 * (double)(*state >> 40) / (double)(1 << 24) - 1.0;
}

static void place(crn_gpu_body *body, int count, int wide)
{
    uint64_t state = 7;
    double m = 1000 * 4.0 / 3 * 3.14159265358979 * RADIUS * RADIUS * RADIUS;
    for (int i = 0; i < count; ++i)
    {
        int cell[3] = {i % wide, i / wide % wide, i / wide / wide};
        body[i] = (crn_gpu_body){.q = {1},
                                 .inverse_mass = 1 / m,
                                 .inverse_inertia = 1 / (0.4 * m * RADIUS * RADIUS),
                                 .radius = RADIUS,
                                 .driven = -1};
        for (int k = 0; k < 3; ++k)
            body[i].x[k] = (cell[k] + 0.5) * SPACING + 0.009 * jitter(&state);
    }
}

static uint64_t hash(const crn_gpu_body *body, int count)
{
    uint64_t h = 1469598103934665603u;
    for (int i = 0; i < count; ++i)
        for (size_t k = 0; k < sizeof(double) * 13; ++k)
            h = (h ^ ((const unsigned char *)body[i].x)[k]) * 1099511628211u;
    return h;
}

typedef struct options
{
    int count, sweeps, wide, every;
    double until, share, tolerance;
} options;

static void tell(const options *o, const crn_gpu_report *r, const crn_gpu_body *body, double time)
{
    double kinetic = 0, top = 0;
    for (int i = 0; i < o->count; ++i)
    {
        const double *v = body[i].v;
        kinetic += 0.5 * 0.5236 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        top = fmax(top, body[i].x[2]);
    }
    printf("  t %.2f contacts %d active %d colours %d leftover %d rounds %d grown %d pen max %.2e mean %.2e r, "
           "residual worst %.2e "
           "mean %.2e m/s scale %.2e, sweeps %.0f most %d held %d, KE/N %.2e J, top %.2f m\n",
           time, r->contacts, r->active, r->colours, r->leftover, r->rounds, r->grown, r->penetration / RADIUS,
           r->mean_relative_penetration, r->worst, r->mean, r->scale, (double)r->sweeps / r->steps, r->most_sweeps,
           r->held, kinetic / o->count, top);
}

static uint64_t run(const crn_gpu_table *gpu, const options *o, int verbose)
{
    char sentence[CRN_GPU_SENTENCE] = "";
    double side = SPACING * o->wide, g[3] = {0, 0, -9.81}, mu = 0.5, e = 0;
    crn_gpu_plane plane[5] = {{.n = {0, 0, 1}, .driven = -1},
                              {.n = {1, 0, 0}, .driven = -1},
                              {.n = {-1, 0, 0}, .offset = -side, .driven = -1},
                              {.n = {0, 1, 0}, .driven = -1},
                              {.n = {0, -1, 0}, .offset = -side, .driven = -1}};
    crn_gpu_body *body = calloc((size_t)o->count, sizeof *body);
    uint8_t zero = 0;
    place(body, o->count, o->wide);
    crn_gpu_description d = {.body_count = o->count,
                             .plane_count = 5,
                             .material_count = 1,
                             .class_count = 1,
                             .body = body,
                             .plane = plane,
                             .pair_class = &zero,
                             .friction = &mu,
                             .restitution = &e,
                             .law = CRN_GPU_CONE,
                             .sweeps = o->sweeps,
                             .tolerance = o->tolerance,
                             .most_sweeps = 20000,
                             .certify_every = o->every,
                             .restitution_threshold = 0.01,
                             .push_out_speed = 1,
                             .step = STEP,
                             .push_share = o->share,
                             .push_out = true};
    crn_gpu_world *world = gpu->open(&d, sentence);
    int steps = (int)(o->until / STEP + 0.5), batch = steps / 5;
    crn_gpu_report r = {0};
    double wall = 0;
    for (int s = 0; world && s < 5 && !sentence[0]; ++s)
    {
        double start = seconds();
        if (!gpu->step(world, STEP, batch, g, NULL, NULL, &r, sentence) || (wall = seconds() - start) < 0 ||
            !gpu->read_bodies(world, body, sentence))
            break;
        if (verbose)
            tell(o, &r, body, (s + 1) * batch * STEP);
        if (verbose)
            printf("    %d steps in %.3f s: %.3f ms per step, %.0f steps/s\n", batch, wall, 1e3 * wall / batch,
                   batch / wall);
    }
    if (sentence[0])
        printf("%s\n", sentence);
    if (world)
        gpu->close(world);
    printf("N %d sweeps %d share %g every %d: %.3f ms per step (%.0f steps/s), visits %.2e/s, late pen max %.2e mean "
           "%.2e r, hash %016llx\n",
           o->count, o->sweeps, o->share, o->every, 1e3 * wall / batch, batch / wall,
           (double)r.contacts * o->sweeps * batch / wall, r.penetration / RADIUS, r.mean_relative_penetration,
           (unsigned long long)hash(body, o->count));
    uint64_t found = hash(body, o->count);
    free(body);
    return found;
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    options o = {.count = atoi(argv[2]), .sweeps = atoi(argv[3]), .until = atof(argv[4]), .share = -1, .every = 10};
    o.wide = argc > 5 && atoi(argv[5]) > 0 ? atoi(argv[5]) : (int)ceil(cbrt(o.count) - 1e-9);
    o.share = argc > 6 ? atof(argv[6]) : -1;
    o.every = argc > 7 ? atoi(argv[7]) : 10;
    o.tolerance = argc > 9 ? atof(argv[9]) : 0;
    int runs = argc > 8 ? atoi(argv[8]) : 1, different = 0;
    void *library = dlopen(argv[1], RTLD_NOW);
    crn_gpu_table_fn *table_of = library ? (crn_gpu_table_fn *)dlsym(library, "crn_gpu_table_of") : NULL;
    if (!table_of)
        return printf("%s\n", dlerror()), 1;
    uint64_t first = run(table_of(CRN_GPU_VERSION), &o, 1);
    for (int i = 1; i < runs; ++i)
        different += run(table_of(CRN_GPU_VERSION), &o, 0) != first;
    if (runs > 1)
        printf("%d runs: %d different\n", runs, different);
    return different > 0;
}
