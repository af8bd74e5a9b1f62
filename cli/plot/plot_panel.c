/* Reading and measuring a panel. */
#include "cli/plot/plot_panel.h"
#include "cli/common/cli.h"
#include "cli/draw/symbols.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_POINTS 1500 /* per body, at most */
#define BLOWN_UP    1e4

const cairn_body_state *cli_panel_state(const cli_panel *panel, int64_t snapshot, int body)
{
    assert(snapshot >= 0 && snapshot < panel->snapshot_count && body >= 0 && body < panel->body_count);
    return &panel->states[snapshot * panel->body_count + body];
}

cli_point cli_panel_page(const cli_panel *panel, const double projected[3])
{
    return (cli_point){cli_scale_map(&panel->axes.x, projected[0]), cli_scale_map(&panel->axes.y, projected[1])};
}

/* As many as the eye can tell apart. */
static int64_t default_snapshots(const cli_panel *panel)
{
    int things = panel->scene.shape_count - panel->scene.mechanism.link_count + panel->body_count;
    return things <= 20 ? 13 : things <= 100 ? 7 : things <= 1000 ? 4 : 2;
}

static void choose_frames(cli_panel *panel, int64_t begin, int64_t end, int64_t every, bool every_given)
{
    int64_t frames = end - begin, count = (frames + every - 1) / every;
    if (!every_given && count > default_snapshots(panel))
        count = default_snapshots(panel);
    panel->frames = cli_memory_take(&panel->memory, (size_t)count + 1, sizeof *panel->frames);
    panel->states =
        cli_memory_take(&panel->memory, (size_t)count * (size_t)panel->body_count + 1, sizeof *panel->states);
    panel->snapshot_count = count;
    for (int64_t i = 0; i < count; ++i) /* evenly from the first frame to the last */
        panel->frames[i] = every_given ? begin + i * every : begin + (count > 1 ? i * (frames - 1) / (count - 1) : 0);
}

static void allocate(cli_panel *panel)
{
    size_t bodies = (size_t)panel->body_count + 1, line = 1;
    for (int i = 0; i < panel->scene.mechanism.symbol_count; ++i)
        line = (size_t)panel->scene.mechanism.symbols[i].count > line ? (size_t)panel->scene.mechanism.symbols[i].count
                                                                      : line;
    size_t vertices = (size_t)panel->scene.most_vertices + line;
    panel->symbol_points = cli_memory_take(&panel->memory, line, sizeof *panel->symbol_points);
    panel->path = cli_memory_take(&panel->memory, (size_t)PATH_POINTS * bodies, sizeof *panel->path);
    panel->points = cli_memory_take(&panel->memory, vertices, sizeof *panel->points);
    panel->page = cli_memory_take(&panel->memory, (size_t)PATH_POINTS + vertices, sizeof *panel->page);
    panel->marked = cli_memory_take(&panel->memory, bodies, sizeof *panel->marked);
}

static int read_snapshots(cli_panel *panel)
{
    for (int64_t i = 0; i < panel->snapshot_count; ++i)
    {
        int status = cli_plot_run_read(panel->run, panel->frames[i]);
        if (status != 0)
            return status;
        for (int b = 0; b < panel->body_count; ++b)
        {
            panel->states[i * panel->body_count + b] = panel->run->states[b];
            if (panel->scene.model) /* in a periodic box */
                cairn_model_wrap(panel->scene.model, panel->run->time[panel->frames[i]],
                                 &panel->states[i * panel->body_count + b]);
        }
    }
    return 0;
}

/* The paths of the centres, for scenes small enough to see them. */
static int read_paths(cli_panel *panel, int64_t begin, int64_t end)
{
    int64_t frames = end - begin, stride = (frames + PATH_POINTS - 1) / PATH_POINTS;
    if (panel->body_count > 30 || frames < 2)
        return 0;
    for (int64_t f = begin; f < end; f += stride)
    {
        int status = cli_plot_run_read(panel->run, f);
        if (status != 0)
            return status;
        double(*row)[3] = panel->path + panel->path_count * panel->body_count;
        for (int b = 0; b < panel->body_count; ++b)
            cli_view_project(&panel->view, panel->run->states[b].position, row[b]);
        ++panel->path_count;
    }
    assert(panel->path_count <= PATH_POINTS);
    return 0;
}

static int mark_bodies(cli_panel *panel, const cli_plot_options *options)
{
    for (int i = 0; i < options->mark.count; ++i)
    {
        int body = cli_plot_run_find_body(panel->run, options->mark.items[i], strlen(options->mark.items[i]));
        if (body < 0)
            return cli_wrong("plot: option --mark: run '%s' has no body '%s'", panel->run->path,
                             options->mark.items[i]);
        panel->marked[body] = panel->any_marked = true;
    }
    return 0;
}

/* The panel of the frames from `begin` to before `end`. */
static int open(cli_panel *panel, cli_plot_run *run, const cli_plot_options *options, int64_t begin, int64_t end)
{
    *panel = (cli_panel){.run = run, .body_count = run->body_count, .view = cli_view_of(options->view, run->dimension)};
    int status = cli_plot_scene_open(&panel->scene, run);
    if (status != 0)
        return status;
    choose_frames(panel, begin, end, options->selection.every, options->every_given);
    allocate(panel);
    status = mark_bodies(panel, options);
    status = status == 0 ? read_snapshots(panel) : status;
    return status == 0 ? read_paths(panel, begin, end) : status;
}

int cli_panel_open(cli_panel *panel, cli_plot_run *run, const cli_plot_options *options)
{
    int64_t begin, end;
    cli_plot_run_span(run, &options->selection, &begin, &end);
    return open(panel, run, options, begin, end);
}

int cli_panel_open_frame(cli_panel *panel, cli_plot_run *run, const cli_plot_options *options, int64_t frame)
{
    return open(panel, run, options, frame, frame + 1);
}

int cli_panel_turn_to(cli_panel *panel, int64_t frame)
{
    assert(panel->snapshot_count == 1);
    panel->frames[0] = frame;
    return read_snapshots(panel);
}

void cli_panel_close(cli_panel *panel)
{
    cli_plot_scene_close(&panel->scene);
    cli_memory_free(&panel->memory);
    *panel = (cli_panel){0};
}

static bool counts(const cli_extent *extent, const double p[3])
{
    for (int k = 0; k < 2; ++k)
        if (extent->within[k].any && !(p[k] >= extent->within[k].low && p[k] <= extent->within[k].high))
            return false;
    return true;
}

static void add_point(const cli_view *view, const double world[3], double radius, cli_extent *extent)
{
    double p[3];
    cli_view_project(view, world, p);
    if (!counts(extent, p))
        return;
    for (int k = 0; k < 2; ++k)
    {
        cli_range_add(&extent->paper[k], p[k] - radius, false);
        cli_range_add(&extent->paper[k], p[k] + radius, false);
    }
    for (int k = 0; k < 3; ++k)
    {
        cli_range_add(&extent->space[k], world[k] - radius, false);
        cli_range_add(&extent->space[k], world[k] + radius, false);
    }
}

/* An ellipsoid reaches as far along a direction as its semi-axes squared and summed. */
static void add_ellipse(const cli_view *view, const cli_outline *outline, cli_extent *extent)
{
    double centre[3], paper[3] = {0.0, 0.0, 0.0}, space[3] = {0.0, 0.0, 0.0};
    cli_view_project(view, outline->centre, centre);
    if (!counts(extent, centre))
        return;
    for (int i = 0; i < outline->count; ++i)
    {
        double p[3];
        cli_view_project(view, outline->points[i], p);
        for (int k = 0; k < 3; ++k)
        {
            paper[k] = hypot(paper[k], p[k] - centre[k]);
            space[k] = hypot(space[k], outline->points[i][k] - outline->centre[k]);
        }
    }
    for (int k = 0; k < 3; ++k)
        for (int sign = -1; sign <= 1; sign += 2)
        {
            if (k < 2)
                cli_range_add(&extent->paper[k], centre[k] + sign * paper[k], false);
            cli_range_add(&extent->space[k], outline->centre[k] + sign * space[k], false);
        }
}

static void add_outline(const cli_view *view, const cli_outline *outline, cli_extent *extent)
{
    if (outline->kind == CLI_OUTLINE_ELLIPSE)
    {
        add_ellipse(view, outline, extent);
        return;
    }
    if (outline->count == 0)
        add_point(view, outline->centre, outline->kind == CLI_OUTLINE_DISC ? outline->radius : 0.0, extent);
    for (int i = 0; i < outline->count; ++i)
        add_point(view, outline->points[i], outline->kind == CLI_OUTLINE_CAPSULE ? outline->radius : 0.0, extent);
}

/* What moves, or what stands still, in one snapshot; half-spaces apart. */
static void measure_shapes(cli_panel *panel, int64_t snapshot, bool moving, cli_extent *extent)
{
    const cli_plot_scene *scene = &panel->scene;
    cli_outline outline = {.points = panel->points};
    for (int i = 0; i < scene->shape_count; ++i)
    {
        int body = scene->shape_body[i];
        if (body < 0 || scene->moves[body] != moving)
            continue;
        cairn_shape_info shape = cli_plot_scene_shape(scene, i);
        cli_outline_make(panel->run->dimension, &shape, cli_panel_state(panel, snapshot, body), &outline);
        if (outline.kind != CLI_OUTLINE_PLANE)
            add_outline(&panel->view, &outline, extent);
    }
    for (int b = 0; b < panel->body_count; ++b)
        if (scene->moves[b] == moving && !scene->has_shape[b])
            add_point(&panel->view, cli_panel_state(panel, snapshot, b)->position, 0.0, extent);
}

/* Symbols of joints: supports in the world, without which a pendulum would be cut off, rails, wheels. */
static void measure_symbols(cli_panel *panel, int64_t snapshot, cli_extent *extent)
{
    for (int i = 0; i < panel->scene.mechanism.symbol_count; ++i)
    {
        cli_symbol_path path;
        if (cli_symbol_path_make(panel, snapshot, &panel->scene.mechanism.symbols[i], &path))
            for (int k = 0; k < path.count; ++k)
                add_point(&panel->view, path.points[k], path.radius, extent);
    }
}

/* Where springs of a mechanism are held by the world, as far as that is near: some stand for forces from afar. */
static void measure_springs(cli_panel *panel, cli_extent *extent)
{
    double width = extent->paper[0].high - extent->paper[0].low, height = extent->paper[1].high - extent->paper[1].low;
    for (int i = 0; i < 2 * panel->scene.spring_count && panel->scene.joint_count > 0; ++i)
    {
        const cairn_attachment *end = &panel->scene.links[i / 2].end[i % 2];
        double p[3], room = hypot(width, height);
        cli_view_project(&panel->view, end->point, p);
        if (end->body.id == 0 && p[0] > extent->paper[0].low - room && p[0] < extent->paper[0].high + room &&
            p[1] > extent->paper[1].low - room && p[1] < extent->paper[1].high + room)
            add_point(&panel->view, end->point, 0.0, extent);
    }
}

static void measure_ground(cli_panel *panel, const cli_extent *moving, cli_extent *extent)
{
    const cli_plot_scene *scene = &panel->scene;
    cli_outline outline = {.points = panel->points};
    for (int i = 0; i < scene->shape_count && panel->snapshot_count > 0; ++i)
    {
        if (scene->shape_body[i] < 0)
            continue;
        cairn_shape_info shape = cli_plot_scene_shape(scene, i);
        cli_outline_make(panel->run->dimension, &shape, cli_panel_state(panel, 0, scene->shape_body[i]), &outline);
        if (outline.kind == CLI_OUTLINE_PLANE)
            cli_ground_measure(&panel->view, &outline, moving, extent);
    }
}

/* Fixed bodies may be far larger than what moves: they count up to half a box beyond it. */
static void add_bounded(cli_range *range, cli_range fixed)
{
    if (!fixed.any)
        return;
    double room = range->any ? 0.5 * (range->high - range->low) : INFINITY;
    double low = range->any ? range->low - room : fixed.low, high = range->any ? range->high + room : fixed.high;
    cli_range_add(range, fmin(high, fmax(low, fixed.low)), false);
    cli_range_add(range, fmin(high, fmax(low, fixed.high)), false);
}

/* Where nobody gave limits, what flies ten thousand times farther than the scene is large has blown up. */
static void keep_near(cli_panel *panel, cli_extent *extent)
{
    cli_extent start = {0};
    measure_shapes(panel, 0, true, &start);
    for (int k = 0; k < 2; ++k)
    {
        cli_range r = start.paper[k];
        double room =
            BLOWN_UP * (1.0 + fmax(start.paper[0].high - start.paper[0].low, start.paper[1].high - start.paper[1].low));
        if (!extent->within[k].any && r.any)
            extent->within[k] = (cli_range){r.low - room, r.high + room, true};
    }
}

void cli_panel_measure(cli_panel *panel, cli_extent *extent)
{
    cli_extent moving = *extent, fixed = {0};
    if (panel->snapshot_count > 0)
        keep_near(panel, &moving);
    for (int64_t s = 0; s < panel->snapshot_count; ++s)
    {
        measure_shapes(panel, s, true, &moving);
        measure_symbols(panel, s, &moving);
    }
    measure_springs(panel, &moving);
    for (int64_t i = 0; i < panel->path_count; ++i)
        for (int b = 0; b < panel->body_count; ++b)
            if (panel->scene.moves[b] && counts(&moving, panel->path[i * panel->body_count + b]))
                for (int k = 0; k < 2; ++k)
                    cli_range_add(&moving.paper[k], panel->path[i * panel->body_count + b][k], false);
    if (panel->snapshot_count > 0)
        measure_shapes(panel, 0, false, &fixed);
    for (int k = 0; k < 2; ++k)
        moving.within[k] = extent->within[k];
    *extent = moving;
    for (int k = 0; k < 2; ++k)
        add_bounded(&extent->paper[k], fixed.paper[k]);
    for (int k = 0; k < 3; ++k)
        add_bounded(&extent->space[k], fixed.space[k]);
    measure_ground(panel, &moving, extent);
}
