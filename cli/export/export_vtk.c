/* A run as time series for ParaView:
 *
 *     bodies.pvd    the surfaces of all bodies; body and fixed per cell, velocity per point
 *     contacts.pvd  one dot per contact: force on body_a, normal, gap, state, ...
 *     links.pvd     springs and joints as lines between their ends
 *     instances.pvd with --instances, bodies of one geometry as points
 *
 * each with one .vtp file per frame. Half-spaces are shown as squares as large as twice what moves.
 */
#include "cli/common/cli.h"
#include "cli/common/out_file.h"
#include "cli/common/progress.h"
#include "cli/common/signals.h"
#include "cli/draw/surface.h"
#include "cli/export/export.h"
#include "cli/export/instances.h"
#include "cli/export/vtk.h"
#include "cli/plot/plot_contact.h"
#include "cli/view/view_frames.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct exporter
{
    cli_plot_run *run;
    const char *directory;
    cli_plot_scene scene;
    cli_surface surface;
    cli_instances instances; /* none unless they are asked for */
    double *steps, *times;   /* per frame of the run; per frame written */
    double gravity;          /* m/s^2 */
    int64_t written;
    /* bodies: dots, lines, polygons in this order; what does not change */
    int64_t *corners[3], *ends[3], counts[3];
    int32_t *cell_body, *cell_fixed;
    double *points, *velocities; /* three per point */
    cli_memory memory;
} exporter;

static bool write_piece(const exporter *e, const char *name, const cli_vtk_piece *piece)
{
    char *path = cli_text("%s/%s_%06" PRId64 ".vtp", e->directory, name, e->written);
    bool good = cli_vtk_write(path, piece);
    free(path);
    return good;
}

/* ---------------------------------------------------------------------------------------------------------- bodies */

static int kind_of(const cli_surface *s, int cell)
{
    int corners = s->begin[cell + 1] - s->begin[cell];
    return corners >= 3 ? 2 : corners - 1;
}

/* Cells sorted by kind, as the format wants them. */
static void sort_cells(exporter *e)
{
    const cli_surface *s = &e->surface;
    size_t corners = (size_t)s->corner_count + 1, cells = (size_t)s->cell_count + 1;
    e->cell_body = cli_memory_take(&e->memory, cells, sizeof *e->cell_body);
    e->cell_fixed = cli_memory_take(&e->memory, cells, sizeof *e->cell_fixed);
    e->points = cli_memory_take(&e->memory, 3 * ((size_t)s->point_count + 1), sizeof *e->points);
    e->velocities = cli_memory_take(&e->memory, 3 * ((size_t)s->point_count + 1), sizeof *e->velocities);
    for (int kind = 0, next = 0; kind < 3; ++kind)
    {
        e->corners[kind] = cli_memory_take(&e->memory, corners, sizeof **e->corners);
        e->ends[kind] = cli_memory_take(&e->memory, cells, sizeof **e->ends);
        int64_t used = 0;
        for (int c = 0; c < s->cell_count; ++c)
        {
            if (kind_of(s, c) != kind)
                continue;
            for (int k = s->begin[c]; k < s->begin[c + 1]; ++k)
                e->corners[kind][used++] = s->corners[k];
            e->ends[kind][e->counts[kind]++] = used;
            e->cell_body[next] = s->cell_body[c];
            e->cell_fixed[next++] = !e->scene.moves[s->cell_body[c]];
        }
    }
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* A point of a body in the world, and its velocity v + R (omega x p), omega in the body's frame. */
static void place_point(const exporter *e, int point)
{
    const double *p = e->surface.points[point];
    const cairn_body_state *state = &e->run->states[e->surface.point_body[point]];
    cairn_body_state turn = *state;
    double sweep[3], *velocity = e->velocities + 3 * (size_t)point;
    turn.position[0] = turn.position[1] = turn.position[2] = 0;
    cli_plot_world_point(e->run->dimension, state, p, e->points + 3 * (size_t)point);
    cross(state->angular_velocity, p, sweep);
    cli_plot_world_point(e->run->dimension, &turn, sweep, velocity);
    for (int k = 0; k < 3; ++k)
        velocity[k] += state->velocity[k];
}

static bool write_bodies(const exporter *e, double time)
{
    for (int i = 0; i < e->surface.point_count; ++i)
        place_point(e, i);
    const cli_vtk_array point_data[] = {{"velocity", CLI_VTK_DOUBLE, 3, e->velocities}};
    const cli_vtk_array cell_data[] = {{"body", CLI_VTK_INT, 1, e->cell_body},
                                       {"fixed", CLI_VTK_INT, 1, e->cell_fixed}};
    cli_vtk_piece piece = {.time = time,
                           .points = e->points,
                           .point_count = e->surface.point_count,
                           .dots = {e->corners[0], e->ends[0], e->counts[0]},
                           .lines = {e->corners[1], e->ends[1], e->counts[1]},
                           .polygons = {e->corners[2], e->ends[2], e->counts[2]},
                           .point_data = point_data,
                           .cell_data = cell_data,
                           .point_arrays = 1,
                           .cell_arrays = 2};
    return write_piece(e, "bodies", &piece);
}

/* -------------------------------------------------------------------------------------------------------- contacts */

enum
{
    POINT = 0,
    FORCE,
    NORMAL_FORCE,
    FRICTION_FORCE,
    NORMAL,
    VELOCITY,
    VECTORS,
};
enum
{
    GAP = 0,
    MU,
    SCALARS,
};
enum
{
    STATE = 0,
    BODY_A,
    BODY_B,
    LABELS,
};

typedef struct contact_table
{
    double *vectors[VECTORS], *scalars[SCALARS];
    int32_t *labels[LABELS];
    int64_t *ends, *corners;
} contact_table;

static void allocate_table(contact_table *t, cli_memory *memory, int count)
{
    size_t room = (size_t)count + 1;
    t->ends = cli_memory_take(memory, room, sizeof *t->ends);
    t->corners = cli_memory_take(memory, room, sizeof *t->corners);
    for (int i = 0; i < VECTORS; ++i)
        t->vectors[i] = cli_memory_take(memory, 3 * room, sizeof(double));
    for (int i = 0; i < SCALARS; ++i)
        t->scalars[i] = cli_memory_take(memory, room, sizeof(double));
    for (int i = 0; i < LABELS; ++i)
        t->labels[i] = cli_memory_take(memory, room, sizeof(int32_t));
}

static void fill_contact(const exporter *e, contact_table *t, int i, const cairn_contact *c, double h)
{
    for (int k = 0; k < 3; ++k)
    {
        size_t at = 3 * (size_t)i + (size_t)k;
        double second = e->run->dimension == 3 ? 1 : 0; /* there is no second tangent in the plane */
        double normal = c->impulse[0] * c->normal[k] / h;
        double friction = (c->impulse[1] * c->tangent[0][k] + second * c->impulse[2] * c->tangent[1][k]) / h;
        t->vectors[POINT][at] = c->point[k];
        t->vectors[NORMAL_FORCE][at] = normal;
        t->vectors[FRICTION_FORCE][at] = friction;
        t->vectors[FORCE][at] = normal + friction;
        t->vectors[NORMAL][at] = c->normal[k];
        t->vectors[VELOCITY][at] = c->velocity[0] * c->normal[k] + c->velocity[1] * c->tangent[0][k] +
                                   second * c->velocity[2] * c->tangent[1][k];
    }
    t->scalars[GAP][i] = c->gap;
    t->scalars[MU][i] = c->friction;
    t->labels[BODY_A][i] = c->a.id - 1;
    t->labels[BODY_B][i] = c->b.id - 1;
    t->corners[i] = i;
    t->ends[i] = i + 1;
}

static bool write_table(const exporter *e, const contact_table *t, int count, double time)
{
    const cli_vtk_array data[] = {{"force", CLI_VTK_DOUBLE, 3, t->vectors[FORCE]},
                                  {"normal_force", CLI_VTK_DOUBLE, 3, t->vectors[NORMAL_FORCE]},
                                  {"friction_force", CLI_VTK_DOUBLE, 3, t->vectors[FRICTION_FORCE]},
                                  {"normal", CLI_VTK_DOUBLE, 3, t->vectors[NORMAL]},
                                  {"velocity", CLI_VTK_DOUBLE, 3, t->vectors[VELOCITY]},
                                  {"gap", CLI_VTK_DOUBLE, 1, t->scalars[GAP]},
                                  {"mu", CLI_VTK_DOUBLE, 1, t->scalars[MU]},
                                  {"state", CLI_VTK_INT, 1, t->labels[STATE]},
                                  {"body_a", CLI_VTK_INT, 1, t->labels[BODY_A]},
                                  {"body_b", CLI_VTK_INT, 1, t->labels[BODY_B]}};
    cli_vtk_piece piece = {.time = time,
                           .points = t->vectors[POINT],
                           .point_count = count,
                           .dots = {t->corners, t->ends, count},
                           .point_data = data,
                           .point_arrays = (int)(sizeof data / sizeof data[0])};
    return write_piece(e, "contacts", &piece);
}

static bool write_contacts(const exporter *e, int64_t frame)
{
    const cairn_contact *contacts;
    contact_table t;
    int count;
    cairn_status status = cairn_run_read_contacts(e->run->run, frame, &contacts, &count);
    if (status)
        return !cli_plot_report(e->run->context, status);
    double time = e->run->time[frame], h = e->steps[frame];
    cli_view_frame seen = {.dimension = e->run->dimension,
                           .time = time,
                           .h = h,
                           .gravity = e->gravity,
                           .bodies = e->run->states,
                           .body_count = e->run->body_count,
                           .contacts = contacts,
                           .contact_count = count};
    cli_view_scale scale = cli_view_scale_of(&seen);
    cli_memory memory = {0};
    allocate_table(&t, &memory, count);
    for (int i = 0; i < count; ++i)
    {
        fill_contact(e, &t, i, &contacts[i], h);
        t.labels[STATE][i] = (int32_t)cli_view_contact_state(&contacts[i], &scale);
    }
    bool good = write_table(e, &t, count, time);
    cli_memory_free(&memory);
    return good;
}

static bool write_instances(const exporter *e, double time)
{
    if (e->instances.count == 0)
        return true;
    char *path = cli_text("%s/instances_%06" PRId64 ".vtp", e->directory, e->written);
    bool good = cli_instances_write_frame(&e->instances, e->run, path, time);
    free(path);
    return good;
}

/* ----------------------------------------------------------------------------------------------------------- links */

/* Springs first (kind 0), then joints (kind 1). */
static bool write_links(const exporter *e, double time)
{
    size_t count = (size_t)(e->scene.spring_count + e->scene.joint_count);
    double *points = cli_allocate(6 * count + 1, sizeof *points);
    int64_t *corners = cli_allocate(2 * count + 1, sizeof *corners), *ends = cli_allocate(count + 1, sizeof *ends);
    int32_t *labels = cli_allocate(2 * count + 1, sizeof *labels);
    for (int i = 0; i < 2 * (int)count; ++i)
    {
        const cli_link *link = &e->scene.links[i / 2];
        const double *local = link->end[i % 2].point;
        double *place = points + 3 * (size_t)i;
        int body = link->body[i % 2];
        memcpy(place, local, 3 * sizeof *place);
        if (body >= 0)
            cli_plot_world_point(e->run->dimension, &e->run->states[body], local, place);
        corners[i] = i;
        ends[i / 2] = i + 1;
        labels[i / 2] = link->joint;
        labels[count + (size_t)(i / 2)] = link->index;
    }
    const cli_vtk_array cell_data[] = {{"joint", CLI_VTK_INT, 1, labels}, {"index", CLI_VTK_INT, 1, labels + count}};
    cli_vtk_piece piece = {.time = time,
                           .points = points,
                           .point_count = 2 * (int64_t)count,
                           .lines = {corners, ends, (int64_t)count},
                           .cell_data = cell_data,
                           .cell_arrays = 2};
    bool good = write_piece(e, "links", &piece);
    free(points);
    free(corners);
    free(ends);
    free(labels);
    return good;
}

/* ------------------------------------------------------------------------------------------------------------- run */

/* Where the centres are in the first and the last frame, for the half-spaces around them. */
static int middle_of(exporter *e, cli_surface_options *o)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 0;
    for (int end = 1; end >= 0; --end)
    {
        int status = cli_plot_run_read(e->run, end ? e->run->frame_count - 1 : 0);
        if (status)
            return status;
        for (int i = 0; i < 3 * e->run->body_count; ++i)
        {
            double x = e->run->states[i / 3].position[i % 3];
            low[i % 3] = isfinite(x) ? fmin(low[i % 3], x) : low[i % 3];
            high[i % 3] = isfinite(x) ? fmax(high[i % 3], x) : high[i % 3];
        }
    }
    for (int k = 0; k < 3; ++k)
    {
        o->middle[k] = low[k] <= high[k] ? 0.5 * (low[k] + high[k]) : 0;
        size = low[k] <= high[k] ? fmax(size, high[k] - low[k]) : size;
    }
    o->reach = fmax(size, 1);
    return 0;
}

static int prepare(exporter *e, bool instances)
{
    cli_surface_options options = {0};
    double gravity[3] = {0};
    e->steps = cli_memory_take(&e->memory, (size_t)e->run->frame_count + 1, sizeof *e->steps);
    e->times = cli_memory_take(&e->memory, (size_t)e->run->frame_count + 1, sizeof *e->times);
    int status = cli_plot_scene_open(&e->scene, e->run);
    status = status ? status : cli_contact_steps(e->run, e->steps);
    status = status || e->run->frame_count == 0 ? status : middle_of(e, &options);
    if (status)
        return status;
    if (e->scene.model)
        cairn_model_gravity(e->scene.model, gravity);
    e->gravity = hypot(hypot(gravity[0], gravity[1]), gravity[2]);
    cli_surface_make(&e->surface, &e->scene, e->run, e->run->states, &options);
    if (instances)
    {
        cli_instances_find(&e->instances, &e->surface, &e->scene, e->run->body_count);
        if (!cli_instances_write_geometries(&e->instances, &e->surface, e->directory))
            return CLI_EXIT_FAILED;
        cli_instances_remove(&e->instances, &e->surface);
    }
    sort_cells(e);
    return 0;
}

static int write_frame(exporter *e, int64_t frame)
{
    int status = cli_plot_run_read(e->run, frame);
    if (status)
        return status;
    double time = e->run->time[frame];
    if (!write_bodies(e, time) || !write_contacts(e, frame) || !write_links(e, time) || !write_instances(e, time))
        return CLI_EXIT_FAILED;
    e->times[e->written++] = time;
    return 0;
}

static int write_frames(exporter *e, const cli_selection *selection, bool quiet)
{
    int64_t begin, end;
    int status = 0;
    cli_plot_run_span(e->run, selection, &begin, &end);
    cli_progress progress = cli_progress_start(!quiet, (end - begin) / selection->every, 0);
    cli_signals_watch();
    for (int64_t frame = begin; frame < end && !status && !cli_signals_caught(); frame += selection->every)
    {
        status = write_frame(e, frame);
        cli_progress_count(&progress, e->written, "frames");
    }
    cli_progress_end(&progress);
    return cli_signals_status(status);
}

/* The series are written last, so that they name only existing files. */
static int write_series(const exporter *e)
{
    static const char *const NAMES[] = {"bodies", "contacts", "links", "instances"};
    for (size_t i = 0; i < (e->instances.count > 0 ? 4 : 3); ++i)
    {
        char *path = cli_text("%s/%s.pvd", e->directory, NAMES[i]);
        bool good = cli_vtk_write_series(path, NAMES[i], e->times, e->written);
        if (good)
            printf("%s\n", path);
        free(path);
        if (!good)
            return CLI_EXIT_FAILED;
    }
    return 0;
}

static void release(exporter *e)
{
    cli_plot_scene_close(&e->scene);
    cli_surface_free(&e->surface);
    cli_instances_free(&e->instances);
    cli_memory_free(&e->memory);
}

int cli_export_vtk(cli_plot_run *run, const char *directory, const cli_selection *selection, bool instances, bool quiet)
{
    exporter e = {.run = run, .directory = directory};
    int status = cli_out_directory(directory);
    status = status ? status : prepare(&e, instances);
    status = status ? status : write_frames(&e, selection, quiet);
    status = status ? status : write_series(&e);
    release(&e);
    return status;
}
