/* Shading: a face is as bright as it is turned towards the light. Round bodies have two darker quarters, which show how they
 * turn. */
#include "cli/draw/solids.h"
#include "cli/common/cli.h"
#include "cli/draw/symbols.h"

#include <math.h>
#include <stdlib.h>

#define AMBIENT 0.5
#define TINT    0.80
#define STEEP   0.7 /* least cosine between a plane's normal and the light that throws shadows on it */
#define TURNING 60  /* bodies; the quarters of more would be a flicker */

void cli_solids_open(cli_solids *solids, const cli_panel *panel, int width, int height, double scale, cli_point origin)
{
    cli_surface_options options = {.links = true};
    *solids = (cli_solids){.panel = panel, .scale = scale, .origin = origin};
    cli_surface_make(&solids->surface, &panel->scene, panel->run, panel->states, &options);
    size_t count = (size_t)solids->surface.point_count + 1;
    solids->projected = cli_allocate(count, sizeof *solids->projected);
    solids->world = cli_allocate(count, sizeof *solids->world);
    cli_raster_create(&solids->raster, width, height);
}

void cli_solids_close(cli_solids *solids)
{
    cli_surface_free(&solids->surface);
    cli_raster_free(&solids->raster);
    free(solids->projected);
    free(solids->world);
    *solids = (cli_solids){0};
}

static const cairn_body_state *state_of(const cli_solids *solids, int body)
{
    return cli_panel_state(solids->panel, solids->layer < 0 ? 0 : solids->layer, body);
}

/* A single frame shows all bodies in one layer. Of several the first layer is what stands still, and each snapshot a layer. */
static bool is_drawn(const cli_solids *solids, int body)
{
    const cli_panel *panel = solids->panel;
    bool moves = panel->scene.moves[body];
    if (panel->snapshot_count == 1)
        return true;
    return solids->layer < 0 ? !moves && panel->scene.has_shape[body]
                             : moves && !cli_panel_covered(panel, solids->layer, body);
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double brightness(const cli_view *view, const double normal[3])
{
    return AMBIENT + (1.0 - AMBIENT) * cli_view_light(view, normal);
}

cli_raster_point cli_solids_place(const cli_solids *solids, const double world[3])
{
    const cli_axes *axes = &solids->panel->axes;
    double projected[3], scale = solids->scale, unit = axes->area.width / (axes->x.high - axes->x.low);
    cli_view_project(&solids->panel->view, world, projected);
    cli_point page = cli_panel_page(solids->panel, projected);
    return (cli_raster_point){scale * (page.x - solids->origin.x), scale * (page.y - solids->origin.y),
                              scale * unit * projected[2], 1.0};
}

static void place_points(cli_solids *solids)
{
    const cli_surface *s = &solids->surface;
    for (int i = 0; i < s->point_count; ++i)
    {
        const cairn_body_state *state = state_of(solids, s->point_body[i]);
        cairn_body_state turn = *state;
        double normal[3];
        turn.position[0] = turn.position[1] = turn.position[2] = 0.0;
        cli_plot_world_point(3, state, s->points[i], solids->world[i]);
        cli_plot_world_point(3, &turn, s->normals[i], normal);
        solids->projected[i] = cli_solids_place(solids, solids->world[i]);
        solids->projected[i].light = dot(normal, normal) > 0.5 ? brightness(&solids->panel->view, normal) : 0.0;
    }
}

static double flat_light(const cli_solids *solids, const int *corners, int count)
{
    double normal[3];
    cli_polygon_normal((const double(*)[3])solids->world, corners, count, normal);
    return brightness(&solids->panel->view, normal);
}

static cli_colour colour_of(const cli_solids *solids, int cell)
{
    const cli_plot_scene *scene = &solids->panel->scene;
    int body = solids->surface.cell_body[cell];
    const cli_panel *panel = solids->panel;
    cli_colour colour = cli_fade(cli_palette(panel->any_marked ? 1 : scene->colour[body]), 0.82);
    if (panel->any_marked && !panel->marked[body]) /* among marked bodies the others step back */
        colour = cli_rgb(0xC3CAD1);
    if (!scene->moves[body])
        colour = cli_rgb(0xD2D2D2);
    bool tinted = (solids->surface.cell_look[cell] & CLI_CELL_TINTED) != 0 && panel->body_count <= TURNING;
    double factor = tinted && scene->moves[body] ? TINT : 1.0;
    colour = cli_fade(colour, solids->strength);
    return (cli_colour){factor * colour.r, factor * colour.g, factor * colour.b, 1.0};
}

/* The sides in `sides`, a bit each. */
static void draw_edges(cli_solids *solids, const int *corners, int count, int sides, cli_colour colour)
{
    double share = 1.0 - 0.55 * solids->strength;
    cli_colour dark = {share * colour.r, share * colour.g, share * colour.b, 1.0};
    double thick = 0.8 * solids->scale;
    for (int i = 0; i < count; ++i)
    {
        if (i < 3 && (sides >> i & 1) == 0)
            continue;
        cli_raster_point a = solids->projected[corners[i]], b = solids->projected[corners[(i + 1) % count]];
        a.z += thick, b.z += thick; /* before the faces that it borders */
        cli_raster_line(&solids->raster, a, b, thick, dark);
    }
}

static void draw_dot(cli_solids *solids, int point, cli_colour colour)
{
    double size = 5.0 * solids->scale;
    cli_raster_point a = solids->projected[point], b = a;
    a.x -= 0.5 * size, b.x += 0.5 * size;
    cli_raster_line(&solids->raster, a, b, size, colour);
}

/* Seen from behind a solid's face is hidden by others; only open meshes show their backs. */
static void draw_polygon(cli_solids *solids, int cell, const int *corners, int count)
{
    cli_colour colour = colour_of(solids, cell);
    double flat = flat_light(solids, corners, count);
    cli_raster_point p[3];
    for (int i = 1; i + 1 < count; ++i)
    {
        const int index[3] = {corners[0], corners[i], corners[i + 1]};
        for (int k = 0; k < 3; ++k)
        {
            p[k] = solids->projected[index[k]];
            p[k].light = p[k].light > 0.0 ? p[k].light : flat;
        }
        cli_raster_triangle(&solids->raster, p, colour);
    }
    int look = solids->surface.cell_look[cell], sides = (look & CLI_CELL_EDGED) != 0 ? 7 : look / CLI_CELL_SIDE;
    if (sides != 0)
        draw_edges(solids, corners, count, sides, colour);
}

/* A plane on which what stands over it throws shadows, triangle by triangle. */
typedef struct shadow_plane
{
    double normal[3], level, lamp[3], fall; /* fall: how far the light comes down along the normal */
} shadow_plane;

static cli_raster_point shadow_of(const cli_solids *solids, const shadow_plane *plane, const double world[3])
{
    double height = fmax(0.0, dot(plane->normal, world) - plane->level), foot[3];
    for (int k = 0; k < 3; ++k)
        foot[k] = world[k] - height / plane->fall * plane->lamp[k];
    return cli_solids_place(solids, foot);
}

static void cast_shadow(cli_solids *solids, const shadow_plane *plane, const int *corners, int count)
{
    cli_raster_point p[3] = {shadow_of(solids, plane, solids->world[corners[0]])};
    for (int i = 1; i + 1 < count; ++i)
    {
        p[1] = shadow_of(solids, plane, solids->world[corners[i]]);
        p[2] = shadow_of(solids, plane, solids->world[corners[i + 1]]);
        cli_raster_triangle(&solids->raster, p, cli_rgb(0xD8DADC));
    }
}

/* Shadows on a half-space, as far as eye and lamp are both before it and the light falls steeply enough. */
static void cast_shadows(cli_solids *solids, const cli_outline *outline)
{
    shadow_plane plane = {.level = dot(outline->normal, outline->centre)};
    const cli_surface *s = &solids->surface;
    cli_view_lamp(&solids->panel->view, plane.lamp);
    for (int k = 0; k < 3; ++k)
        plane.normal[k] = outline->normal[k];
    plane.fall = dot(plane.normal, plane.lamp);
    if (plane.fall < STEEP || dot(plane.normal, solids->panel->view.towards) < 0.05)
        return;
    for (int c = 0; c < s->cell_count; ++c)
        if (solids->panel->scene.moves[s->cell_body[c]])
            cast_shadow(solids, &plane, s->corners + s->begin[c], s->begin[c + 1] - s->begin[c]);
}

static void draw_shadows(cli_solids *solids)
{
    const cli_plot_scene *scene = &solids->panel->scene;
    cli_outline outline = {.points = solids->panel->points};
    for (int i = 0; i < scene->shape_count; ++i)
    {
        cairn_shape_info shape = cli_plot_scene_shape(scene, i);
        if (scene->shape_body[i] < 0 || shape.look != CAIRN_LOOK_PLANE)
            continue;
        cli_outline_make(3, &shape, state_of(solids, scene->shape_body[i]), &outline);
        cast_shadows(solids, &outline);
    }
}

static bool link_end(const cli_solids *solids, int body, const cairn_attachment *end, cli_raster_point *out)
{
    double world[3] = {end->point[0], end->point[1], end->point[2]};
    if (body >= 0)
        cli_plot_world_point(3, state_of(solids, body), end->point, world);
    *out = cli_solids_place(solids, world);
    return body >= 0 || end->body.id == 0;
}

static void draw_springs(cli_solids *solids)
{
    const cli_plot_scene *scene = &solids->panel->scene;
    for (int i = 0; i < scene->spring_count; ++i)
    {
        const cli_link *link = &scene->links[i];
        cli_raster_point a, b;
        if (link_end(solids, link->body[0], &link->end[0], &a) && link_end(solids, link->body[1], &link->end[1], &b))
            cli_raster_line(&solids->raster, a, b, 1.5 * solids->scale, cli_fade(cli_rgb(0x444444), solids->strength));
    }
}

static void draw_layer(cli_solids *solids)
{
    const cli_surface *s = &solids->surface;
    place_points(solids);
    if (solids->panel->snapshot_count == 1)
        draw_shadows(solids);
    for (int c = 0; c < s->cell_count; ++c)
    {
        const int *corners = s->corners + s->begin[c];
        int count = is_drawn(solids, s->cell_body[c]) ? s->begin[c + 1] - s->begin[c] : 0;
        if (count >= 3)
            draw_polygon(solids, c, corners, count);
        else if (count == 1)
            draw_dot(solids, corners[0], colour_of(solids, c));
    }
    if (solids->layer >= 0)
    {
        draw_springs(solids);
        cli_symbols_draw_solid(solids);
    }
}

void cli_solids_draw(cli_solids *solids)
{
    int64_t count = solids->panel->snapshot_count;
    cli_raster_clear(&solids->raster);
    for (solids->layer = count == 1 ? 0 : -1; solids->layer < count; ++solids->layer)
    {
        solids->strength = solids->layer < 0 ? 1.0 : cli_panel_strength(solids->panel, solids->layer);
        cli_raster_flatten(&solids->raster);
        draw_layer(solids);
    }
}
