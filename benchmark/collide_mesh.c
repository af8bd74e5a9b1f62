/* What a landscape costs: balls and boxes side by side on a half-space, on a flat mesh and on hills, cut ever more finely. */
#include "bench.h"

#include "collide/collide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SIDE = 32, /* bodies along each edge */
    REPEATS = 9,
    SIZES = 3,
    ROWS = 1 + 2 * SIZES
};

static const double REACH = 0.02;               /* m */
static const int CELLS[SIZES] = {32, 224, 708}; /* along each edge: 2e3, 1e5, 1e6 triangles */
static const double WIDTH = 36.0;               /* m */
static const double MOST = 10.0; /* a body on a flat mesh of 1e6 triangles may cost so many times one on 2e3 */

typedef struct row
{
    const char *name;
    int triangles, contacts;
    double us, made; /* us a body; s: for the mesh to be made */
} row;

static double height_at(double x, double y, bool hills)
{
    return hills ? 0.3 * sin(0.9 * x) * cos(0.7 * y) : 0.0;
}

static cairn_status add_ground(cairn_model *model, cairn_body body, int cells, bool hills)
{
    cairn_shape out;
    if (cells == 0)
    {
        cairn_shape_options plane = cairn_shape_default(CAIRN_HALF_SPACE);
        return cairn_model_add_shape(model, body, &plane, &out);
    }
    int side = cells + 1;
    double *vertices = bench_memory(3 * (size_t)side * (size_t)side, sizeof *vertices);
    int *triangles = bench_memory(6 * (size_t)cells * (size_t)cells, sizeof *triangles);
    for (int i = 0; i < side * side; ++i)
    {
        double *x = vertices + 3 * i;
        x[0] = WIDTH * ((double)(i % side) / cells - 0.5);
        x[1] = WIDTH * ((double)(i / side) / cells - 0.5);
        x[2] = height_at(x[0], x[1], hills);
    }
    for (int i = 0; i < cells * cells; ++i)
    {
        int a = i / cells * side + i % cells, c = a + side + 1;
        int cell[6] = {a, a + 1, c, a, c, a + side};
        memcpy(triangles + 6 * i, cell, sizeof cell);
    }
    cairn_shape_options mesh = cairn_shape_default(CAIRN_MESH);
    mesh.vertices = vertices;
    mesh.vertex_count = side * side;
    mesh.triangles = triangles;
    mesh.triangle_count = 2 * cells * cells;
    cairn_status status = cairn_model_add_shape(model, body, &mesh, &out);
    free(vertices);
    free(triangles);
    return status;
}

static cairn_model *model_of(cairn_context *context, int cells, bool hills, double *made)
{
    cairn_model *model = NULL;
    cairn_status status = cairn_model_create(context, 3, &model);
    for (int i = 0; i <= SIDE * SIDE && !status; ++i)
    {
        char name[32];
        cairn_body_options options = cairn_body_default();
        cairn_body body;
        cairn_shape out;
        snprintf(name, sizeof name, "%d", i);
        options.name = name;
        options.kind = i == 0 ? CAIRN_FIXED : CAIRN_DYNAMIC;
        cairn_shape_options shape = cairn_shape_default(i % 2 ? CAIRN_SPHERE : CAIRN_BOX);
        shape.radius = 0.4;
        shape.density = 1.0;
        memcpy(shape.size, (double[3]){0.8, 0.8, 0.8}, sizeof shape.size);
        status = cairn_model_add_body(model, &options, &body);
        double start = bench_now();
        status = status   ? status
                 : i == 0 ? add_ground(model, body, cells, hills)
                          : cairn_model_add_shape(model, body, &shape, &out);
        *made = i == 0 ? bench_now() - start : *made;
    }
    if (status)
        cairn_model_destroy(model);
    return status ? NULL : model;
}

/* Side by side, swaying a little. */
static void place(crn_pose *poses, int step, bool hills)
{
    for (int i = 0; i <= SIDE * SIDE; ++i)
    {
        double x = i > 0 ? (i - 1) % SIDE - 0.5 * SIDE + 1e-3 * sin(step + i) : 0.0;
        double y = i > 0 ? (double)((i - 1) / SIDE) - 0.5 * SIDE + 1e-3 * cos(step + i) : 0.0;
        double z = i > 0 ? 0.4 + height_at(x, y, hills) : 0.0;
        poses[i] = (crn_pose){{x, y, z}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    }
}

static bool measure(bench_run *run, int cells, bool hills, row *out)
{
    cairn_context *context = cairn_context_create();
    cairn_model *model = model_of(context, cells, hills, &out->made);
    crn_collider *collider = crn_collider_create(1);
    crn_pose *poses = bench_memory(SIDE * SIDE + 1, sizeof *poses);
    double *margin = bench_memory(SIDE * SIDE + 1, sizeof *margin), times[REPEATS];
    int repeats = run->quick ? 3 : REPEATS;
    bool fine = model && collider;
    for (int step = -2; step < repeats && fine; ++step)
    {
        const crn_contact *contacts;
        place(poses, step, hills);
        for (int i = 0; i <= SIDE * SIDE; ++i)
            margin[i] = 0.5 * REACH;
        double start = bench_now();
        fine = !crn_collide(collider, model, poses, &(crn_reach){.margin = margin}, &contacts, &out->contacts);
        times[step < 0 ? 0 : step] = bench_now() - start;
    }
    out->triangles = 2 * cells * cells;
    out->us = fine ? 1e6 * bench_median(times, repeats) / (SIDE * SIDE) : NAN;
    free(margin);
    free(poses);
    crn_collider_destroy(collider);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
    return fine;
}

void bench_collide_mesh(bench_run *run)
{
    row rows[ROWS] = {{.name = "half-space"}};
    int count = 0;
    printf("\nCollision detection: %d balls and boxes on a landscape\n  %-12s %10s %9s %9s %8s %9s\n", SIDE * SIDE,
           "ground", "triangles", "in reach", "us/body", "ratio", "made in s");
    for (int i = 0; i < (run->quick ? 3 : ROWS); ++i)
    {
        bool hills = i > 0 && i % 2 == 0;
        rows[i].name = i == 0 ? "half-space" : hills ? "hills" : "flat mesh";
        if (!measure(run, i == 0 ? 0 : CELLS[(i - 1) / 2], hills, &rows[i]))
        {
            bench_wrong(run, "collision detection on a mesh");
            break;
        }
        ++count;
        printf("  %-12s %10d %9d %9.3f %8.2f %9.3f\n", rows[i].name, rows[i].triangles, rows[i].contacts, rows[i].us,
               rows[i].us / rows[0].us, rows[i].made);
        if (i > 0 && !hills && rows[i].contacts != rows[0].contacts)
            bench_wrong(run, "a flat mesh has other contacts than a half-space");
        if (i > 0 && !hills && !run->quick && rows[i].us > MOST * rows[1].us)
            bench_wrong(run, "a body on a flat mesh costs more than it may");
    }
    for (int i = 0; i < count && run->json; ++i)
    {
        fprintf(run->json,
                "%s{\"ground\": \"%s\", \"triangles\": %d, \"contacts\": %d, \"us_a_body\": %.4g, \"made_s\": %.4g}",
                i ? ",\n    " : "[\n    ", rows[i].name, rows[i].triangles, rows[i].contacts, rows[i].us, rows[i].made);
    }
    if (run->json)
        fprintf(run->json, count > 0 ? "\n  ]" : "[]");
}
