/* Two bodies have the same geometry when their cells are the same and their points, each in units of the body's own scale, agree to
 * 1e-9: all spheres, all cubes, all bars of the same proportions. */
#include "cli/export/instances.h"

#include "cli/common/cli.h"
#include "cli/export/vtk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SAME = 1e-9;

/* ------------------------------------------------------------------------------------------------------- finding */

/* The part of the surface that belongs to the body of the point and cell at which `next` begins; false at the end. */
static bool next_part(const cli_surface *s, cli_geometry *next)
{
    next->first_point += next->point_count;
    next->first_cell += next->cell_count;
    next->point_count = next->cell_count = 0;
    next->scale = 0;
    if (next->first_point >= s->point_count)
        return false;
    int body = s->point_body[next->first_point];
    for (int i = next->first_point; i < s->point_count && s->point_body[i] == body; ++i, ++next->point_count)
    {
        const double *p = s->points[i];
        next->scale = fmax(next->scale, hypot(hypot(p[0], p[1]), p[2]));
    }
    for (int c = next->first_cell; c < s->cell_count && s->cell_body[c] == body; ++c)
        ++next->cell_count;
    return true;
}

static bool agree(const cli_surface *s, const cli_geometry *a, const cli_geometry *b)
{
    if (a->point_count != b->point_count || a->cell_count != b->cell_count)
        return false;
    bool same = true;
    for (int i = 0; i < 3 * a->point_count && same; ++i)
        same = fabs(s->points[a->first_point + i / 3][i % 3] / a->scale -
                    s->points[b->first_point + i / 3][i % 3] / b->scale) <= SAME;
    int begin_a = s->begin[a->first_cell], begin_b = s->begin[b->first_cell];
    int corners = s->begin[a->first_cell + a->cell_count] - begin_a;
    same = same && corners == s->begin[b->first_cell + b->cell_count] - begin_b;
    for (int c = 0; c < a->cell_count && same; ++c)
        same = s->begin[a->first_cell + c] - begin_a == s->begin[b->first_cell + c] - begin_b;
    for (int k = 0; k < corners && same; ++k)
        same = s->corners[begin_a + k] - a->first_point == s->corners[begin_b + k] - b->first_point;
    return same;
}

/* The geometry that a part has, perhaps a new one; -1 when there are too many. */
static int kind_of(cli_instances *instances, const cli_surface *s, const cli_geometry *part)
{
    int kind = 0;
    while (kind < instances->kind_count && !agree(s, &instances->kinds[kind], part))
        ++kind;
    if (kind == CLI_MOST_GEOMETRIES)
        return -1;
    if (kind == instances->kind_count)
    {
        instances->kinds[instances->kind_count++] = *part;
        instances->kinds[kind].members = 0;
    }
    ++instances->kinds[kind].members;
    return kind;
}

/* Leave out geometries of few bodies, and number the others anew. */
static void drop_rare(cli_instances *instances, int bodies)
{
    int number[CLI_MOST_GEOMETRIES], kept = 0;
    for (int k = 0; k < instances->kind_count; ++k)
    {
        bool worth = instances->kinds[k].members >= CLI_LEAST_INSTANCES;
        number[k] = worth ? kept : -1;
        if (worth)
            instances->kinds[kept++] = instances->kinds[k];
    }
    instances->kind_count = kept;
    for (int i = 0; i < bodies; ++i)
    {
        int kind = instances->geometry[i];
        instances->geometry[i] = kind < 0 ? -1 : number[kind];
        if (instances->geometry[i] >= 0)
            instances->body[instances->count++] = i;
    }
}

void cli_instances_find(cli_instances *instances, const cli_surface *surface, const cli_plot_scene *scene, int bodies)
{
    size_t room = (size_t)bodies + 1;
    instances->geometry = cli_memory_take(&instances->memory, room, sizeof *instances->geometry);
    instances->scale = cli_memory_take(&instances->memory, room, sizeof *instances->scale);
    instances->body = cli_memory_take(&instances->memory, room, sizeof *instances->body);
    for (int i = 0; i < bodies; ++i)
        instances->geometry[i] = -1;
    for (cli_geometry part = {0}; next_part(surface, &part);)
    {
        int body = surface->point_body[part.first_point];
        if (!scene->moves[body] || part.scale == 0 || part.cell_count == 0)
            continue;
        instances->geometry[body] = kind_of(instances, surface, &part);
        instances->scale[body] = part.scale;
    }
    drop_rare(instances, bodies);
}

void cli_instances_free(cli_instances *instances)
{
    cli_memory_free(&instances->memory);
}

void cli_instances_remove(const cli_instances *instances, cli_surface *s)
{
    int *number = cli_allocate((size_t)s->point_count + 1, sizeof *number), points = 0, cells = 0, corners = 0;
    for (int i = 0; i < s->point_count; ++i)
    {
        number[i] = points;
        if (instances->geometry[s->point_body[i]] >= 0)
            continue;
        memmove(s->points[points], s->points[i], sizeof *s->points);
        memmove(s->normals[points], s->normals[i], sizeof *s->normals);
        s->point_body[points++] = s->point_body[i];
    }
    for (int c = 0; c < s->cell_count; ++c)
    {
        int begin = s->begin[c], end = s->begin[c + 1];
        if (instances->geometry[s->cell_body[c]] >= 0)
            continue;
        s->cell_body[cells] = s->cell_body[c];
        s->cell_look[cells] = s->cell_look[c];
        s->begin[cells++] = corners;
        for (int k = begin; k < end; ++k)
            s->corners[corners++] = number[s->corners[k]];
    }
    if (s->begin)
        s->begin[cells] = corners;
    s->point_count = points;
    s->cell_count = cells;
    s->corner_count = corners;
    free(number);
}

/* ------------------------------------------------------------------------------------------------------- writing */

/* Polygons alone: what is worth instances are solids. Dots and lines of a geometry are left out of its file. */
static bool write_geometry(const cli_surface *s, const cli_geometry *g, const char *path)
{
    size_t points = (size_t)g->point_count, corners = (size_t)(s->begin[g->first_cell + g->cell_count]);
    double *places = cli_allocate(3 * points + 1, sizeof *places);
    int64_t *corner = cli_allocate(corners + 1, sizeof *corner);
    int64_t *ends = cli_allocate((size_t)g->cell_count + 1, sizeof *ends);
    int64_t used = 0, cells = 0;
    for (size_t i = 0; i < 3 * points; ++i)
        places[i] = s->points[(size_t)g->first_point + i / 3][i % 3] / g->scale;
    for (int c = g->first_cell; c < g->first_cell + g->cell_count; ++c)
    {
        if (s->begin[c + 1] - s->begin[c] < 3)
            continue;
        for (int k = s->begin[c]; k < s->begin[c + 1]; ++k)
            corner[used++] = s->corners[k] - g->first_point;
        ends[cells++] = used;
    }
    cli_vtk_piece piece = {.points = places, .point_count = (int64_t)points, .polygons = {corner, ends, cells}};
    bool good = cli_vtk_write(path, &piece);
    free(places);
    free(corner);
    free(ends);
    return good;
}

bool cli_instances_write_geometries(const cli_instances *instances, const cli_surface *surface, const char *directory)
{
    bool good = true;
    for (int k = 0; k < instances->kind_count && good; ++k)
    {
        char *path = cli_text("%s/geometry_%d.vtp", directory, k);
        good = write_geometry(surface, &instances->kinds[k], path);
        free(path);
    }
    return good;
}

/* The columns of a frame: numbers of each instance one after another. */
typedef struct columns
{
    double *points;
    float *orientation, *velocity, *spin, *scale, *mass;
    int32_t *body, *geometry;
    int64_t *corners;
} columns;

static columns take_columns(cli_memory *memory, size_t count)
{
    return (columns){.points = cli_memory_take(memory, 3 * count + 1, sizeof(double)),
                     .orientation = cli_memory_take(memory, 4 * count + 1, sizeof(float)),
                     .velocity = cli_memory_take(memory, 3 * count + 1, sizeof(float)),
                     .spin = cli_memory_take(memory, 3 * count + 1, sizeof(float)),
                     .scale = cli_memory_take(memory, count + 1, sizeof(float)),
                     .mass = cli_memory_take(memory, count + 1, sizeof(float)),
                     .body = cli_memory_take(memory, count + 1, sizeof(int32_t)),
                     .geometry = cli_memory_take(memory, count + 1, sizeof(int32_t)),
                     .corners = cli_memory_take(memory, count + 1, sizeof(int64_t))};
}

/* The angular velocity is that of the world. */
static void fill(const columns *c, const cli_instances *instances, const cli_plot_run *run, int i)
{
    int body = instances->body[i];
    const cairn_body_state *state = &run->states[body];
    cairn_body_state turn = *state;
    double spin[3];
    memset(turn.position, 0, sizeof turn.position);
    cli_plot_world_point(run->dimension, &turn, state->angular_velocity, spin);
    spin[2] = run->dimension == 2 ? state->angular_velocity[2] : spin[2];
    double half = 0.5 * state->angle;
    const double planar[4] = {cos(half), 0, 0, sin(half)};
    const double *q = run->dimension == 2 ? planar : state->orientation;
    for (int k = 0; k < 4; ++k)
        c->orientation[4 * i + k] = (float)q[k];
    for (int k = 0; k < 3; ++k)
    {
        c->points[3 * i + k] = state->position[k];
        c->velocity[3 * i + k] = (float)state->velocity[k];
        c->spin[3 * i + k] = (float)spin[k];
    }
    c->scale[i] = (float)instances->scale[body];
    c->mass[i] = (float)cairn_run_body_mass(run->run, body);
    c->body[i] = body;
    c->geometry[i] = instances->geometry[body];
    c->corners[i] = i;
}

bool cli_instances_write_frame(const cli_instances *instances, const cli_plot_run *run, const char *path, double time)
{
    cli_memory memory = {0};
    columns c = take_columns(&memory, (size_t)instances->count);
    for (int i = 0; i < instances->count; ++i)
        fill(&c, instances, run, i);
    const cli_vtk_array data[] = {{"body", CLI_VTK_INT, 1, c.body},
                                  {"geometry", CLI_VTK_INT, 1, c.geometry},
                                  {"scale", CLI_VTK_FLOAT, 1, c.scale},
                                  {"orientation", CLI_VTK_FLOAT, 4, c.orientation},
                                  {"mass", CLI_VTK_FLOAT, 1, c.mass},
                                  {"velocity", CLI_VTK_FLOAT, 3, c.velocity},
                                  {"angular_velocity", CLI_VTK_FLOAT, 3, c.spin}};
    int arrays = (int)(sizeof data / sizeof data[0]) - (cairn_run_has(run->run, CAIRN_RECORD_VELOCITIES) ? 0 : 2);
    const int64_t end = instances->count;
    cli_vtk_piece piece = {.time = time,
                           .points = c.points,
                           .point_count = instances->count,
                           .dots = {c.corners, &end, 1}, /* one cell for all */
                           .point_data = data,
                           .point_arrays = arrays};
    bool good = cli_vtk_write(path, &piece);
    cli_memory_free(&memory);
    return good;
}
