/* Shading: a face is as bright as it is turned towards the light. Round bodies
 * have two darker quarters, which show how they turn. */
#include "film_solid.h"

#include <math.h>
#include <stdlib.h>

#define AMBIENT 0.5
#define TINT    0.80
#define STEEP   0.7 /* least cosine between a plane's normal and the light that throws shadows on it */
#define MARKED  60  /* bodies; the quarters of more would be a flicker */

bool crn_solid_scene_make(crn_film *film)
{
    crn_surface_options options = {0};
    if (!crn_surface_make(&film->surface, &film->panel.scene, film->run, film->panel.states, &options))
        return false;
    size_t count = (size_t)film->surface.point_count + 1;
    film->projected = malloc(count * sizeof *film->projected);
    film->world = malloc(count * sizeof *film->world);
    return film->projected != NULL && film->world != NULL &&
           crn_raster_create(&film->raster, film->options.width, film->options.height);
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double brightness(const crn_view *view, const double normal[3])
{
    return AMBIENT + (1.0 - AMBIENT) * crn_view_light(view, normal);
}

static crn_raster_point to_raster(const crn_film *film, const double world[3])
{
    double projected[3], scale = film->options.width / film->canvas.width;
    crn_view_project(&film->panel.view, world, projected);
    crn_point page = crn_panel_page(&film->panel, projected);
    double unit = film->panel.axes.area.width / (film->panel.axes.x.high - film->panel.axes.x.low);
    return (crn_raster_point){scale * page.x, scale * page.y, scale * unit * projected[2], 1.0};
}

static void place_points(crn_film *film)
{
    const crn_surface *s = &film->surface;
    for (int i = 0; i < s->point_count; i++)
    {
        const cairn_body_state *state = crn_panel_state(&film->panel, 0, s->point_body[i]);
        cairn_body_state turn = *state;
        double normal[3];
        turn.position[0] = turn.position[1] = turn.position[2] = 0.0;
        crn_plot_world_point(3, state, s->points[i], film->world[i]);
        crn_plot_world_point(3, &turn, s->normals[i], normal);
        film->projected[i] = to_raster(film, film->world[i]);
        film->projected[i].light = dot(normal, normal) > 0.5 ? brightness(&film->panel.view, normal) : 0.0;
    }
}

static double flat_light(const crn_film *film, const int *corners, int count)
{
    double normal[3];
    crn_polygon_normal((const double(*)[3])film->world, corners, count, normal);
    return brightness(&film->panel.view, normal);
}

static crn_colour colour_of(const crn_film *film, int cell)
{
    const crn_plot_scene *scene = &film->panel.scene;
    int body = film->surface.cell_body[cell];
    crn_colour colour = scene->moves[body] ? crn_fade(crn_palette(scene->colour[body]), 0.82) : crn_rgb(0xD2D2D2);
    bool tinted = (film->surface.cell_look[cell] & CRN_CELL_TINTED) != 0 && film->panel.body_count <= MARKED;
    double factor = tinted && scene->moves[body] ? TINT : 1.0;
    return (crn_colour){factor * colour.r, factor * colour.g, factor * colour.b, 1.0};
}

/* The sides in `sides`, a bit each. */
static void draw_edges(crn_film *film, const int *corners, int count, int sides, crn_colour colour)
{
    crn_colour dark = {0.45 * colour.r, 0.45 * colour.g, 0.45 * colour.b, 1.0};
    double thick = 0.8 * film->options.width / film->canvas.width;
    for (int i = 0; i < count; i++)
    {
        if (i < 3 && (sides >> i & 1) == 0)
            continue;
        crn_raster_point a = film->projected[corners[i]], b = film->projected[corners[(i + 1) % count]];
        a.z += thick, b.z += thick; /* before the faces that it borders */
        crn_raster_line(&film->raster, a, b, thick, dark);
    }
}

static void draw_dot(crn_film *film, int point, crn_colour colour)
{
    double size = 5.0 * film->options.width / film->canvas.width;
    crn_raster_point a = film->projected[point], b = a;
    a.x -= 0.5 * size, b.x += 0.5 * size;
    crn_raster_line(&film->raster, a, b, size, colour);
}

/* Seen from behind a solid's face is hidden by others; only open meshes show their backs. */
static void draw_polygon(crn_film *film, int cell, const int *corners, int count)
{
    crn_colour colour = colour_of(film, cell);
    double flat = flat_light(film, corners, count);
    crn_raster_point p[3];
    for (int i = 1; i + 1 < count; i++)
    {
        const int index[3] = {corners[0], corners[i], corners[i + 1]};
        for (int k = 0; k < 3; k++)
        {
            p[k] = film->projected[index[k]];
            p[k].light = p[k].light > 0.0 ? p[k].light : flat;
        }
        crn_raster_triangle(&film->raster, p, colour);
    }
    int look = film->surface.cell_look[cell], sides = (look & CRN_CELL_EDGED) != 0 ? 7 : look / CRN_CELL_SIDE;
    if (sides != 0)
        draw_edges(film, corners, count, sides, colour);
}

/* A plane on which what stands over it throws shadows, triangle by triangle. */
typedef struct shadow_plane
{
    double normal[3], level, lamp[3], fall; /* fall: how far the light comes down along the normal */
} shadow_plane;

static crn_raster_point shadow_of(const crn_film *film, const shadow_plane *plane, const double world[3])
{
    double height = fmax(0.0, dot(plane->normal, world) - plane->level), foot[3];
    for (int k = 0; k < 3; k++)
        foot[k] = world[k] - height / plane->fall * plane->lamp[k];
    return to_raster(film, foot);
}

static void cast_shadow(crn_film *film, const shadow_plane *plane, const int *corners, int count)
{
    crn_raster_point p[3] = {shadow_of(film, plane, film->world[corners[0]])};
    for (int i = 1; i + 1 < count; i++)
    {
        p[1] = shadow_of(film, plane, film->world[corners[i]]);
        p[2] = shadow_of(film, plane, film->world[corners[i + 1]]);
        crn_raster_triangle(&film->raster, p, crn_rgb(0xD8DADC));
    }
}

/* Shadows on a half-space, as far as eye and lamp are both before it and the light falls steeply enough. */
static void cast_shadows(crn_film *film, const crn_outline *outline)
{
    shadow_plane plane = {.level = dot(outline->normal, outline->centre)};
    const crn_surface *s = &film->surface;
    crn_view_lamp(&film->panel.view, plane.lamp);
    for (int k = 0; k < 3; k++)
        plane.normal[k] = outline->normal[k];
    plane.fall = dot(plane.normal, plane.lamp);
    if (plane.fall < STEEP || dot(plane.normal, film->panel.view.towards) < 0.05)
        return;
    for (int c = 0; c < s->cell_count; c++)
        if (film->panel.scene.moves[s->cell_body[c]])
            cast_shadow(film, &plane, s->corners + s->begin[c], s->begin[c + 1] - s->begin[c]);
}

static void draw_shadows(crn_film *film)
{
    const crn_plot_scene *scene = &film->panel.scene;
    crn_outline outline = {.points = film->panel.points};
    for (int i = 0; i < scene->shape_count; i++)
    {
        cairn_shape_info shape = cairn_model_shape(scene->model, i);
        if (scene->shape_body[i] < 0 || shape.kind != CAIRN_HALF_SPACE)
            continue;
        crn_outline_make(3, &shape, crn_panel_state(&film->panel, 0, scene->shape_body[i]), &outline);
        cast_shadows(film, &outline);
    }
}

static bool link_end(const crn_film *film, int body, const cairn_attachment *end, crn_raster_point *out)
{
    double world[3] = {end->point[0], end->point[1], end->point[2]};
    if (body >= 0)
        crn_plot_world_point(3, crn_panel_state(&film->panel, 0, body), end->point, world);
    *out = to_raster(film, world);
    return body >= 0 || end->body.id == 0;
}

/* A body without shape is seen as a stick from its centre to the joint. */
static void draw_stick(crn_film *film, int body, const cairn_attachment *end)
{
    crn_raster_point tip;
    if (body < 0 || film->panel.scene.has_shape[body] || !link_end(film, body, end, &tip))
        return;
    crn_raster_point centre = to_raster(film, crn_panel_state(&film->panel, 0, body)->position);
    crn_raster_line(&film->raster, centre, tip, 2.5 * film->options.width / film->canvas.width,
                    crn_palette(film->panel.scene.colour[body]));
}

/* A spring or joint between two attachments of these bodies: a line, or a dot where the points are one. */
static void draw_link(crn_film *film, const int body[2], const cairn_attachment end[2], double thick)
{
    crn_raster_point a, b;
    double unit = film->options.width / film->canvas.width;
    if (!link_end(film, body[0], &end[0], &a) || !link_end(film, body[1], &end[1], &b))
        return;
    if (hypot(b.x - a.x, b.y - a.y) < 2.0 * unit)
    {
        thick = 4.0;
        a.x -= 2.0 * unit, b.x = a.x + 4.0 * unit, b.y = a.y;
        a.z += 3.0 * unit, b.z = a.z; /* a hinge shows through the skin of its bodies */
    }
    crn_raster_line(&film->raster, a, b, thick * unit, crn_rgb(0x444444));
}

static void draw_links(crn_film *film)
{
    const crn_plot_scene *scene = &film->panel.scene;
    cairn_attachment end[2];
    for (int i = 0; i < scene->spring_count; i++)
    {
        cairn_model_spring_attachments(scene->model, i, &end[0], &end[1]);
        draw_link(film, scene->spring_body + 2 * i, end, 1.5);
    }
    for (int i = 0; i < scene->joint_count; i++)
    {
        cairn_model_joint_attachments(scene->model, i, &end[0], &end[1]);
        draw_link(film, scene->joint_body + 2 * i, end, 2.0);
        draw_stick(film, scene->joint_body[2 * i], &end[0]);
        draw_stick(film, scene->joint_body[2 * i + 1], &end[1]);
    }
}

void crn_solid_scene_draw(crn_film *film)
{
    const crn_surface *s = &film->surface;
    crn_panel_draw_ground(&film->canvas, &film->panel, &film->extent);
    crn_raster_clear(&film->raster);
    place_points(film);
    draw_shadows(film);
    for (int c = 0; c < s->cell_count; c++)
    {
        const int *corners = s->corners + s->begin[c];
        int count = s->begin[c + 1] - s->begin[c];
        if (count >= 3)
            draw_polygon(film, c, corners, count);
        else if (count == 1)
            draw_dot(film, corners[0], colour_of(film, c));
    }
    draw_links(film);
    crn_image image = crn_image_begin(&film->canvas);
    crn_raster_lay_over(&film->raster, image.pixels, image.stride);
    crn_image_end(&film->canvas);
    if (film->options.captions && film->panel.view.tilted)
        crn_panel_draw_triad(&film->canvas, &film->panel);
}
