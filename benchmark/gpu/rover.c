/* A rover drives over a bed of grains, on the device (or its twin): a frame and four wheels, balls on driven hinges. Time per step, how far it gets, and how
 * good the steps are.
 *
 *     rover LIBRARY GRAINS SWEEPS SECONDS [RUNS] [CLEATS] [ROLLING]
 *
 * RUNS: repetitions whose last states must be equal to the bit. CLEATS: bars around every wheel, none by default. ROLLING: m, the arm of the moment that
 * resists rolling, 0 by default.
 */
#include "gpu/interface.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    WHEELS = 4,
    FRAME = 0, /* body; wheels follow, then grains, then the bin */
    LAYERS = 8
};
static const double GRAIN = 0.03, STEP = 0.004, WHEEL = 0.15, SPIN = 4, START = 0.6;

typedef struct scene
{
    crn_gpu_body *body;
    crn_gpu_shape *shape;
    crn_gpu_joint joint[WHEELS];
    uint64_t apart[WHEELS];
    int bodies, shapes;
} scene;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int add_body(scene *s, double mass, const double inertia[3], const double x[3])
{
    crn_gpu_body *body = &s->body[s->bodies];
    *body = (crn_gpu_body){
        .q = {1}, .inverse_mass = mass > 0 ? 1 / mass : 0, .driven = -1, .groups = 1, .collides_with = 1};
    memcpy(body->x, x, sizeof body->x);
    for (int k = 0; k < 3; ++k)
        body->inertia[4 * k] = inertia[k];
    return s->bodies++;
}

static crn_gpu_shape *add_shape(scene *s, int kind, int body)
{
    crn_gpu_shape *shape = &s->shape[s->shapes++];
    *shape = (crn_gpu_shape){.kind = kind, .body = body, .triangle = -1, .q = {1}};
    return shape;
}

static void add_ball(scene *s, double density, double radius, const double x[3])
{
    double m = density * 4.18879 * radius * radius * radius, J = 0.4 * m * radius * radius;
    add_shape(s, CRN_GPU_SPHERE, add_body(s, m, (double[3]){J, J, J}, x))->radius = radius;
}

static crn_gpu_row row_of(int function, int k, int l)
{
    return (crn_gpu_row){.function = function, .k = k, .l = l, .timed = -1, .coordinate = -1, .sign = 1};
}

/* A hinge about y with a motor. */
static void add_hinge(scene *s, int i, const double place[3])
{
    crn_gpu_joint *joint = &s->joint[i];
    *joint = (crn_gpu_joint){.body = {FRAME, 1 + i}, .equations = 5, .rows = 6, .watched = 6, .length = 0.5};
    for (int side = 0; side < 2; ++side)
        memcpy(joint->axis[side], (double[3][3]){{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, sizeof joint->axis[side]);
    for (int k = 0; k < 3; ++k)
        joint->point[0][k] = place[k] - s->body[FRAME].x[k];
    for (int k = 0; k < 3; ++k)
        joint->row[k] = row_of(CRN_GPU_MEET, k, 0);
    joint->row[3] = row_of(CRN_GPU_ACROSS, 0, 1);
    joint->row[4] = row_of(CRN_GPU_ACROSS, 0, 2);
    joint->row[5] = row_of(CRN_GPU_TURN, 0, 0);
    joint->row[5].mode = CRN_GPU_RATE;
    joint->row[5].timed = i;
    s->apart[i] = (uint64_t)(1 + i);
}

static void add_wall(scene *s, int body, const double x[3], const double n[3])
{
    crn_gpu_shape *shape = add_shape(s, CRN_GPU_HALF_SPACE, body);
    memcpy(shape->x, x, sizeof shape->x);
    memcpy(shape->half, n, sizeof shape->half);
}

/* Bars along the axle, around the wheel. */
static void add_cleats(scene *s, int wheel, int count)
{
    const double half = sqrt(0.5);
    for (int i = 0; i < count; ++i)
    {
        crn_gpu_shape *bar = add_shape(s, CRN_GPU_CAPSULE, wheel);
        double angle = 6.283185307179586 * i / count;
        memcpy(bar->x, (double[3]){WHEEL * cos(angle), 0, WHEEL * sin(angle)}, sizeof bar->x);
        memcpy(bar->q, (double[4]){half, half, 0, 0}, sizeof bar->q); /* from z to y */
        bar->half[2] = 0.08;
        bar->radius = 0.02;
    }
}

static void make(scene *s, int grains, int cleats)
{
    int across = (int)ceil(sqrt(grains / (3.0 * LAYERS))), along = 3 * across;
    double gap = 2.1 * GRAIN, width = across * gap, length = along * gap, top = (LAYERS + 1) * gap + WHEEL;
    *s = (scene){.body = calloc((size_t)grains + 8, sizeof *s->body),
                 .shape = calloc((size_t)grains + 16 + (size_t)(WHEELS * cleats), sizeof *s->shape)};
    add_body(s, 25, (double[3]){0.6, 1.5, 1.9}, (double[3]){0.6, 0.5 * width, top + 0.1});
    memcpy(add_shape(s, CRN_GPU_BOX, FRAME)->half, (double[3]){0.4, 0.12, 0.06}, 3 * sizeof(double));
    for (int i = 0; i < WHEELS; ++i)
    {
        const double place[3] = {i < 2 ? 0.9 : 0.3, 0.5 * width + (i % 2 ? 0.3 : -0.3), top};
        add_ball(s, 300, WHEEL, place);
        add_cleats(s, 1 + i, cleats);
        add_hinge(s, i, place);
    }
    for (int i = 0; i < grains; ++i)
        add_ball(
            s, 2000, GRAIN * (1 - 0.1 * (i * 7919 % 101) / 100),
            (double[3]){(i % along + 0.5) * gap, (i / along % across + 0.5) * gap, (i / along / across + 0.5) * gap});
    int bin = add_body(s, 0, (double[3]){0, 0, 0}, (double[3]){0, 0, 0});
    add_wall(s, bin, (double[3]){0, 0, 0}, (double[3]){0, 0, 1});
    add_wall(s, bin, (double[3]){0, 0, 0}, (double[3]){1, 0, 0});
    add_wall(s, bin, (double[3]){length, 0, 0}, (double[3]){-1, 0, 0});
    add_wall(s, bin, (double[3]){0, 0, 0}, (double[3]){0, 1, 0});
    add_wall(s, bin, (double[3]){0, width, 0}, (double[3]){0, -1, 0});
}

/* Motors start once the bed has settled. */
static crn_gpu_timed *times_of(int first, int steps)
{
    crn_gpu_timed *timed = calloc((size_t)(WHEELS * steps), sizeof *timed);
    for (int i = 0; i < WHEELS * steps; ++i)
        timed[i] = (crn_gpu_timed){.shift = (first + i / WHEELS) * STEP > START ? -SPIN : 0, .lo = -60, .hi = 60};
    return timed;
}

static uint64_t hash(const crn_gpu_body *body, int count)
{
    uint64_t h = 1469598103934665603u;
    for (int i = 0; i < count; ++i)
        for (size_t k = 0; k < sizeof(double) * 13; ++k)
            h = (h ^ ((const unsigned char *)body[i].x)[k]) * 1099511628211u;
    return h;
}

/* m: the largest distance of a wheel's centre from its hinge. */
static double parted(const scene *s)
{
    double most = 0;
    for (int i = 0; i < WHEELS; ++i)
    {
        const crn_gpu_body *frame = &s->body[FRAME], *wheel = &s->body[1 + i];
        const double *q = frame->q, *p = s->joint[i].point[0];
        double c[3] = {q[2] * p[2] - q[3] * p[1] + q[0] * p[0], q[3] * p[0] - q[1] * p[2] + q[0] * p[1],
                       q[1] * p[1] - q[2] * p[0] + q[0] * p[2]};
        double x[3] = {p[0] + 2 * (q[2] * c[2] - q[3] * c[1]), p[1] + 2 * (q[3] * c[0] - q[1] * c[2]),
                       p[2] + 2 * (q[1] * c[1] - q[2] * c[0])};
        double sum = 0;
        for (int k = 0; k < 3; ++k)
            sum += pow(frame->x[k] + x[k] - wheel->x[k], 2);
        most = fmax(most, sqrt(sum));
    }
    return most;
}

static uint64_t run(const crn_gpu_table *gpu, char **argv, int cleats, double rolling, int verbose)
{
    char sentence[CRN_GPU_SENTENCE] = "";
    int grains = atoi(argv[2]), sweeps = atoi(argv[3]);
    double g[3] = {0, 0, -9.81}, mu = 0.6, e = 0, wall = 0, until = atof(argv[4]);
    int first[WHEELS + 1] = {0, 1, 2, 3, 4}, batch = (int)(until / STEP / 5 + 0.5);
    uint8_t zero = 0;
    crn_gpu_surface surface = {.rolling = rolling};
    scene s;
    make(&s, grains, cleats);
    crn_gpu_description d = {.body_count = s.bodies,
                             .shape_count = s.shapes,
                             .wall_count = 5,
                             .body = s.body,
                             .shape = s.shape,
                             .material_count = 1,
                             .class_count = 1,
                             .pair_class = &zero,
                             .friction = &mu,
                             .restitution = &e,
                             .surface = rolling > 0 ? &surface : NULL,
                             .law = CRN_GPU_CONE,
                             .joint_count = WHEELS,
                             .joint_colours = WHEELS,
                             .timed_count = WHEELS,
                             .apart_count = WHEELS,
                             .joint = s.joint,
                             .joint_first = first,
                             .apart = s.apart,
                             .sweeps = sweeps,
                             .certify_every = 10,
                             .restitution_threshold = 0.01,
                             .push_out_speed = 1,
                             .step = STEP,
                             .push_share = -1,
                             .push_out = true,
                             .is_implicit = true};
    crn_gpu_world *world = gpu->open(&d, sentence);
    crn_gpu_report r = {0};
    for (int part = 0; world && part < 5 && !sentence[0]; ++part)
    {
        crn_gpu_timed *timed = times_of(part * batch, batch);
        double start = seconds();
        bool is_good = gpu->step(world, STEP, batch, g, NULL, timed, &r, sentence);
        wall = seconds() - start;
        free(timed);
        if (is_good && gpu->read_bodies(world, s.body, sentence) && verbose)
            printf("  t %.2f contacts %d colours %d, rover at %.3f %.3f %.3f m, speed %.3f m/s, hinges off by %.1e m, "
                   "pen mean "
                   "%.1e r, residual worst %.1e scale %.1e m/s; %.3f ms per step\n",
                   (part + 1) * batch * STEP, r.contacts, r.colours, s.body[0].x[0], s.body[0].x[1], s.body[0].x[2],
                   s.body[0].v[0], parted(&s), r.mean_relative_penetration, r.worst, r.scale, 1e3 * wall / batch);
    }
    uint64_t found = hash(s.body, s.bodies);
    printf("rover, %d grains, %d cleats, rolling %g m, %d sweeps: %.3f ms per step (%.0f steps/s), hash %016llx %s\n",
           grains, cleats, rolling, sweeps, 1e3 * wall / batch, batch / wall, (unsigned long long)found, sentence);
    if (world)
        gpu->close(world);
    free(s.body);
    free(s.shape);
    return sentence[0] ? 0 : found;
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    int runs = argc > 5 ? atoi(argv[5]) : 1, cleats = argc > 6 ? atoi(argv[6]) : 0, different = 0;
    double rolling = argc > 7 ? atof(argv[7]) : 0;
    void *library = dlopen(argv[1], RTLD_NOW);
    crn_gpu_table_fn *table_of = library ? (crn_gpu_table_fn *)dlsym(library, "crn_gpu_table_of") : NULL;
    if (!table_of)
        return printf("%s\n", dlerror()), 1;
    uint64_t first = run(table_of(CRN_GPU_VERSION), argv, cleats, rolling, 1);
    for (int i = 1; i < runs; ++i)
        different += run(table_of(CRN_GPU_VERSION), argv, cleats, rolling, 0) != first;
    if (runs > 1)
        printf("%d runs: %d different\n", runs, different);
    return different > 0 || !first;
}
