/* Bodies of several shapes on the device (or its twin): time per step, and how good the steps are.
 *
 *     shapes LIBRARY mixed|drum|land BODIES SWEEPS SECONDS [RUNS]
 *
 * mixed: equal parts of spheres, capsules, boxes and clumps of three spheres fall to rest in a bin with five walls. drum: clumps in a drum, a
 * hollow cylinder with two ends, that turns. land: the mixed bodies on a height field of hills within four walls. RUNS: repetitions whose
 * last states must be equal to the bit.
 */
#include "gpu/interface.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double SIZE = 0.05, SPACING = 0.15, STEP = 0.005, DENSITY = 1000, PI = 3.14159265358979, TURN = 1.0;

typedef struct scene
{
    int bodies, shapes, walls, triangles, vertices, rings;
    crn_gpu_body *body;
    crn_gpu_shape *shape;
    crn_gpu_triangle *triangle;
    double *vertex;
    int32_t *ring_begin, *ring;
    bool turns; /* the last body is driven */
} scene;

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

/* ------------------------------------------------------------------------------------------------------------- bodies */

static void weigh(crn_gpu_body *body, double mass, double x, double y, double z)
{
    body->inverse_mass = 1 / mass;
    body->inertia[0] = x;
    body->inertia[4] = y;
    body->inertia[8] = z;
}

static crn_gpu_shape *add_shape(scene *s, int kind, int body)
{
    crn_gpu_shape *shape = &s->shape[s->shapes++];
    *shape = (crn_gpu_shape){.kind = kind, .body = body, .triangle = -1, .q = {1}};
    return shape;
}

static void make_sphere(scene *s, int i)
{
    double m = DENSITY * 4 / 3 * PI * SIZE * SIZE * SIZE, J = 0.4 * m * SIZE * SIZE;
    add_shape(s, CRN_GPU_SPHERE, i)->radius = SIZE;
    weigh(&s->body[i], m, J, J, J);
}

static void make_capsule(scene *s, int i)
{
    double r = 0.6 * SIZE, l = 0.7 * SIZE, m = DENSITY * PI * r * r * (2 * l + 4.0 / 3 * r),
           across = m * (r * r / 4 + l * l / 2);
    crn_gpu_shape *shape = add_shape(s, CRN_GPU_CAPSULE, i);
    shape->radius = r;
    shape->half[2] = l;
    weigh(&s->body[i], m, across, across, 0.45 * m * r * r);
}

static void make_box(scene *s, int i)
{
    double a = 0.9 * SIZE, b = 0.7 * SIZE, c = 0.6 * SIZE, m = DENSITY * 8 * a * b * c;
    memcpy(add_shape(s, CRN_GPU_BOX, i)->half, (double[3]){a, b, c}, 3 * sizeof(double));
    weigh(&s->body[i], m, m * (b * b + c * c) / 3, m * (a * a + c * c) / 3, m * (a * a + b * b) / 3);
}

static void make_clump(scene *s, int i)
{
    double r = 0.55 * SIZE, far = 0.5 * SIZE, m = 2.4 * DENSITY * 4 / 3 * PI * r * r * r, ball = 0.4 * m * r * r;
    for (int k = 0; k < 3; ++k)
    {
        crn_gpu_shape *shape = add_shape(s, CRN_GPU_SPHERE, i);
        shape->radius = r;
        shape->x[0] = far * cos(2 * PI * k / 3);
        shape->x[1] = far * sin(2 * PI * k / 3);
    }
    weigh(&s->body[i], m, ball + m * far * far / 2, ball + m * far * far / 2, ball + m * far * far);
}

static void turn_body(crn_gpu_body *body, uint64_t *state)
{
    double size = 0;
    for (int k = 0; k < 4; ++k)
    {
        body->q[k] = jitter(state) + (k == 0 ? 0.1 : 0);
        size += body->q[k] * body->q[k];
    }
    for (int k = 0; k < 4; ++k)
        body->q[k] /= sqrt(size);
}

static void add_body(scene *s, const double x[3], bool clumps, uint64_t *state)
{
    int i = s->bodies++, kind = clumps ? 3 : i % 4;
    s->body[i] = (crn_gpu_body){.driven = -1, .groups = 1, .collides_with = ~(uint64_t)0};
    memcpy(s->body[i].x, x, sizeof s->body[i].x);
    turn_body(&s->body[i], state);
    (kind == 0 ? make_sphere : kind == 1 ? make_capsule : kind == 2 ? make_box : make_clump)(s, i);
}

static int add_fixed(scene *s)
{
    s->body[s->bodies] = (crn_gpu_body){.q = {1}, .driven = -1, .groups = 1, .collides_with = ~(uint64_t)0};
    return s->bodies++;
}

static void add_plane(scene *s, int body, double x, double y, double z, double nx, double ny, double nz)
{
    crn_gpu_shape *shape = add_shape(s, CRN_GPU_HALF_SPACE, body);
    memcpy(shape->x, (double[3]){x, y, z}, sizeof shape->x);
    memcpy(shape->half, (double[3]){nx, ny, nz}, sizeof shape->half);
    ++s->walls;
}

/* ------------------------------------------------------------------------------------------------------------- scenes */

static void add_walls(scene *s, int body, double side)
{
    add_plane(s, body, 0, 0, 0, 1, 0, 0);
    add_plane(s, body, side, 0, 0, -1, 0, 0);
    add_plane(s, body, 0, 0, 0, 0, 1, 0);
    add_plane(s, body, 0, side, 0, 0, -1, 0);
}

static void fill_bin(scene *s, int count, int wide, double floor)
{
    uint64_t state = 7;
    for (int i = 0; i < count; ++i)
    {
        double x[3] = {i % wide, i / wide % wide, i / wide / wide};
        for (int k = 0; k < 3; ++k)
            x[k] = (x[k] + 0.5) * SPACING + 0.01 * jitter(&state) + (k == 2 ? floor : 0);
        add_body(s, x, false, &state);
    }
}

static int width_of(int count)
{
    return (int)ceil(cbrt(count) - 1e-9);
}

static void make_mixed(scene *s, int count)
{
    int wide = width_of(count);
    fill_bin(s, count, wide, 0);
    int walls = add_fixed(s);
    add_plane(s, walls, 0, 0, 0, 0, 0, 1);
    add_walls(s, walls, wide * SPACING);
}

/* The drum is as long as its radius, and half full at first. Its axis is y. */
static void make_drum(scene *s, int count)
{
    double radius = cbrt(2.2 * count * SPACING * SPACING * SPACING / PI), half = 0.5 * radius;
    uint64_t state = 7;
    int across = (int)(2 * radius / SPACING), along = (int)(2 * half / SPACING);
    for (int i = 0; s->bodies < count && i < 4 * across * across * along; ++i)
    {
        double x = (i % across + 0.5) * SPACING - radius, y = (i / across % along + 0.5) * SPACING - half;
        double z = (i / across / along + 0.5) * SPACING - radius;
        if (hypot(x, z) < radius - 1.2 * SIZE)
            add_body(s, (double[3]){x + 0.01 * jitter(&state), y, z + 0.01 * jitter(&state)}, true, &state);
    }
    int drum = add_fixed(s);
    s->body[drum].driven = 0;
    s->turns = true;
    crn_gpu_shape *hollow = add_shape(s, CRN_GPU_HOLLOW, drum);
    memcpy(hollow->half, (double[3]){radius, radius, half + SPACING}, sizeof hollow->half);
    memcpy(hollow->q, (double[4]){sqrt(0.5), sqrt(0.5), 0, 0}, sizeof hollow->q);
    ++s->walls;
    add_plane(s, drum, 0, half, 0, 0, -1, 0);
    add_plane(s, drum, 0, -half, 0, 0, 1, 0);
}

static double hill(double x, double y)
{
    return 0.3 * SPACING * (2 + sin(3 * x) + cos(2.3 * y));
}

/* Which neighbour a triangle of the land has across edge k; -1: none. Cells have two: below and above the diagonal from (0, 0) to (1, 1). */
static int neighbour_of(int i, int j, int upper, int k, int n)
{
    static const int step[2][3][2] = {{{0, -1}, {1, 0}, {0, 0}}, {{0, 0}, {0, 1}, {-1, 0}}};
    int a = i + step[upper][k][0], b = j + step[upper][k][1];
    return a < 0 || b < 0 || a >= n || b >= n ? -1 : 2 * (b * n + a) + 1 - upper;
}

static void find_normal(const scene *s, crn_gpu_triangle *t)
{
    const double *p = s->vertex + 3 * t->v[0], *q = s->vertex + 3 * t->v[1], *r = s->vertex + 3 * t->v[2];
    double u[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]}, w[3] = {r[0] - p[0], r[1] - p[1], r[2] - p[2]};
    double n[3] = {u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]};
    double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; ++k)
        t->n[k] = n[k] / size;
}

/* Convex where the corner of the neighbour that is off the edge lies below. */
static void bend_edges(scene *s, int t)
{
    crn_gpu_triangle *a = &s->triangle[t];
    for (int k = 0; k < 3; ++k)
    {
        double lowest = 0;
        const crn_gpu_triangle *b = a->neighbour[k] < 0 ? NULL : &s->triangle[a->neighbour[k]];
        for (int c = 0; b && c < 3; ++c)
        {
            const double *x = s->vertex + 3 * b->v[c], *y = s->vertex + 3 * a->v[k];
            double height = a->n[0] * (x[0] - y[0]) + a->n[1] * (x[1] - y[1]) + a->n[2] * (x[2] - y[2]);
            lowest = fabs(height) > fabs(lowest) ? height : lowest;
        }
        a->bend[k] = (int8_t)(!b || lowest < -1e-12 ? 1 : lowest > 1e-12 ? -1 : 0);
        if (a->bend[k] > 0 && (!b || t < a->neighbour[k]))
            a->owns |= (uint8_t)(8 << k);
    }
}

static void add_ring(scene *s, int i, int j, int n)
{
    static const int way[6][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {-1, -1}, {0, -1}};
    for (int k = 0; k < 6; ++k)
    {
        int a = i + way[k][0], b = j + way[k][1];
        if (a >= 0 && b >= 0 && a <= n && b <= n)
            s->ring[s->rings++] = b * (n + 1) + a;
    }
    s->ring_begin[s->vertices] = s->rings;
}

static void make_land(scene *s, int count)
{
    int wide = width_of(count), n = wide, body = 0;
    double side = wide * SPACING;
    fill_bin(s, count, wide, 1.3 * SPACING);
    body = add_fixed(s);
    s->ring_begin[0] = 0;
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i)
        {
            double x = side * i / n, y = side * j / n;
            memcpy(s->vertex + 3 * s->vertices++, (double[3]){x, y, hill(x, y)}, 3 * sizeof(double));
            add_ring(s, i, j, n);
        }
    for (int c = 0; c < 2 * n * n; ++c)
    {
        int i = c / 2 % n, j = c / 2 / n, v = j * (n + 1) + i, upper = c % 2;
        crn_gpu_triangle *t = &s->triangle[s->triangles];
        *t = (crn_gpu_triangle){.v = {v, upper ? v + n + 2 : v + 1, upper ? v + n + 1 : v + n + 2},
                                .owns = upper ? 0 : 1};
        for (int k = 0; k < 3; ++k) /* upper: (0,0) (1,1) (0,1); lower: (0,0) (1,0) (1,1) */
            t->neighbour[k] = neighbour_of(i, j, upper, k, n);
        find_normal(s, t);
        add_shape(s, CRN_GPU_TRIANGLE, body)->triangle = s->triangles++;
    }
    for (int t = 0; t < s->triangles; ++t)
        bend_edges(s, t);
    add_walls(s, body, side);
}

/* ---------------------------------------------------------------------------------------------------------------- run */

static void take_room(scene *s, int count)
{
    int n = width_of(count) + 1;
    *s = (scene){0};
    s->body = calloc((size_t)count + 8, sizeof *s->body);
    s->shape = calloc(3 * (size_t)count + 2 * (size_t)(n * n) + 16, sizeof *s->shape);
    s->triangle = calloc(2 * (size_t)(n * n), sizeof *s->triangle);
    s->vertex = calloc(3 * (size_t)(n * n), sizeof *s->vertex);
    s->ring_begin = calloc((size_t)(n * n) + 1, sizeof *s->ring_begin);
    s->ring = calloc(6 * (size_t)(n * n), sizeof *s->ring);
}

static void give_room(scene *s)
{
    free(s->body);
    free(s->shape);
    free(s->triangle);
    free(s->vertex);
    free(s->ring_begin);
    free(s->ring);
}

/* Where the drum is in every step of a batch. */
static crn_gpu_drive *drives_of(const scene *s, int first, int steps)
{
    crn_gpu_drive *drive = calloc((size_t)steps, sizeof *drive);
    for (int i = 0; s->turns && i < steps; ++i)
    {
        double half = 0.5 * TURN * STEP * (first + i);
        drive[i] = (crn_gpu_drive){.q = {cos(half), 0, sin(half), 0}, .w = {0, TURN, 0}};
    }
    return drive;
}

static uint64_t hash(const crn_gpu_body *body, int count)
{
    uint64_t h = 1469598103934665603u;
    for (int i = 0; i < count; ++i)
        for (size_t k = 0; k < sizeof(double) * 13; ++k)
            h = (h ^ ((const unsigned char *)body[i].x)[k]) * 1099511628211u;
    return h;
}

static uint64_t run(const crn_gpu_table *gpu, const char *name, int count, int sweeps, double until, int verbose)
{
    char sentence[CRN_GPU_SENTENCE] = "";
    double g[3] = {0, 0, -9.81}, mu = 0.5, e = 0, wall = 0;
    uint8_t zero = 0;
    scene s;
    take_room(&s, count);
    (strcmp(name, "drum") == 0 ? make_drum : strcmp(name, "land") == 0 ? make_land : make_mixed)(&s, count);
    crn_gpu_description d = {.body_count = s.bodies,
                             .shape_count = s.shapes,
                             .wall_count = s.walls,
                             .triangle_count = s.triangles,
                             .vertex_count = s.vertices,
                             .body = s.body,
                             .shape = s.shape,
                             .triangle = s.triangle,
                             .vertex = s.vertex,
                             .ring_begin = s.ring_begin,
                             .ring = s.ring,
                             .material_count = 1,
                             .class_count = 1,
                             .driven_count = s.turns,
                             .pair_class = &zero,
                             .friction = &mu,
                             .restitution = &e,
                             .law = CRN_GPU_CONE,
                             .sweeps = sweeps,
                             .certify_every = 10,
                             .restitution_threshold = 0.01,
                             .push_out_speed = 1,
                             .step = STEP,
                             .push_share = -1,
                             .push_out = true,
                             .is_implicit = true};
    crn_gpu_world *world = gpu->open(&d, sentence);
    int batch = (int)(until / STEP / 5 + 0.5);
    crn_gpu_report r = {0};
    for (int part = 0; world && part < 5 && !sentence[0]; ++part)
    {
        crn_gpu_drive *drive = drives_of(&s, part * batch, batch);
        double start = seconds();
        bool is_good = gpu->step(world, STEP, batch, g, drive, NULL, &r, sentence);
        wall = seconds() - start;
        free(drive);
        if (is_good && verbose)
            printf("  t %.2f contacts %d active %d colours %d leftover %d pen max %.2e m mean %.2e of the size, "
                   "residual worst %.2e mean "
                   "%.2e m/s; %.3f ms per step, %.0f steps/s\n",
                   (part + 1) * batch * STEP, r.contacts, r.active, r.colours, r.leftover, r.penetration,
                   r.mean_relative_penetration, r.worst, r.mean, 1e3 * wall / batch, batch / wall);
        fflush(stdout);
    }
    if (world && !sentence[0])
        gpu->read_bodies(world, s.body, sentence);
    if (sentence[0])
        printf("%s\n", sentence);
    uint64_t found = hash(s.body, s.bodies);
    printf("%s, %d bodies, %d shapes, %d sweeps: %.3f ms per step (%.0f steps/s), %.1f MB, hash %016llx\n", name,
           s.bodies, s.shapes, sweeps, 1e3 * wall / batch, batch / wall, 1e-6 * (double)gpu->estimate(&d),
           (unsigned long long)found);
    if (world)
        gpu->close(world);
    give_room(&s);
    return sentence[0] ? 0 : found;
}

int main(int argc, char **argv)
{
    if (argc < 6)
        return 2;
    int runs = argc > 6 ? atoi(argv[6]) : 1, different = 0;
    void *library = dlopen(argv[1], RTLD_NOW);
    crn_gpu_table_fn *table_of = library ? (crn_gpu_table_fn *)dlsym(library, "crn_gpu_table_of") : NULL;
    if (!table_of)
        return printf("%s\n", dlerror()), 1;
    uint64_t first = 0;
    for (int i = 0; i < runs; ++i)
    {
        uint64_t found = run(table_of(CRN_GPU_VERSION), argv[2], atoi(argv[3]), atoi(argv[4]), atof(argv[5]), i == 0);
        first = i == 0 ? found : first;
        different += found != first;
    }
    if (runs > 1)
        printf("%d runs: %d different\n", runs, different);
    return different > 0 || first == 0;
}
