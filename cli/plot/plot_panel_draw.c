/* Drawing a panel: ground, fixed bodies, paths, then the snapshots from the oldest (light) to the newest (dark). In the plane
 * all of it is made of lines and areas; bodies in space are a shaded image (solids.h). */
#include "cli/draw/solids.h"
#include "cli/draw/symbols.h"
#include "cli/plot/plot_chains.h"
#include "cli/plot/plot_panel.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define LIGHTEST 0.22 /* strength of colour of the first snapshot */
#define TEETH    15   /* of a spring, at most */
#define ROUND    96   /* corners of an ellipse */
#define HALF     24   /* sides of a half circle */

/* Colours of one body in one snapshot. */
typedef struct look
{
    cli_style outline;
    double dot; /* radius of points */
} look;

static look moving_look(int colour, double strength)
{
    cli_colour stroke = cli_fade(cli_palette(colour), strength), fill = stroke;
    fill.a = 0.13;
    return (look){{.stroke = stroke, .width = 1.2, .fill = fill}, 2.6};
}

/* Bodies that are not marked step back. */
static look marked_look(bool marked, double strength)
{
    look l = moving_look(1, strength);
    cli_colour grey = cli_fade(cli_rgb(0x5A6A7A), strength), fill = grey;
    fill.a = 0.13;
    l.outline.fill.a = 0.75;
    return marked ? l : (look){{.stroke = grey, .width = 0.8, .fill = fill}, 2.6};
}

/* Under force chains bodies are pale outlines. */
static look pale_look(void)
{
    return (look){{.stroke = cli_rgb(0xC8C8C8), .width = 0.6, .fill = {.a = 0.0}}, 1.5};
}

static look fixed_look(void)
{
    return (look){{.stroke = cli_rgb(0x666666), .width = 1.1, .fill = cli_rgb(0xE6E6E6)}, 2.6};
}

static cli_point on_page(const cli_panel *panel, const double world[3])
{
    double projected[3];
    cli_view_project(&panel->view, world, projected);
    return cli_panel_page(panel, projected);
}

static double points_a_metre(const cli_panel *panel)
{
    return panel->axes.area.width / (panel->axes.x.high - panel->axes.x.low);
}

static void draw_disc(cli_canvas *canvas, const cli_panel *panel, const cli_outline *o, const look *l)
{
    cli_point centre = on_page(panel, o->centre);
    double radius = fmax(o->radius * points_a_metre(panel), 0.8);
    cli_draw_circle(canvas, centre, radius, l->outline);
    if (radius > 4.0)
    {
        cli_point rim = on_page(panel, o->rim);
        cli_draw_line(canvas, centre.x, centre.y, rim.x, rim.y, cli_stroke(l->outline.stroke, 0.8));
    }
}

/* An ellipse with semi-axes a_k: sum a_k (a_k u)/rho, rho^2 = sum (a_k u)^2, for all directions u. `page` holds the ends of the
 * semi-axes. */
static void draw_ellipse(cli_canvas *canvas, const cli_panel *panel, const cli_outline *o, const look *l)
{
    cli_point centre = on_page(panel, o->centre), points[ROUND];
    for (int i = 0; i < ROUND; ++i)
    {
        double angle = 2.0 * acos(-1.0) * i / ROUND, ux = cos(angle), uy = sin(angle), squares = 0.0, x = 0.0, y = 0.0;
        for (int k = 0; k < o->count; ++k)
        {
            double ax = panel->page[k].x - centre.x, ay = panel->page[k].y - centre.y, along = ax * ux + ay * uy;
            squares += along * along;
            x += ax * along;
            y += ay * along;
        }
        double rho = fmax(sqrt(squares), 1e-12);
        points[i] = (cli_point){centre.x + x / rho, centre.y + y / rho};
    }
    cli_draw_path(canvas, points, ROUND, true, l->outline);
    cli_point rim = panel->page[0];
    cli_draw_line(canvas, centre.x, centre.y, rim.x, rim.y, cli_stroke(l->outline.stroke, 0.8));
}

/* A capsule of a page radius between two points. */
static void draw_capsule(cli_canvas *canvas, const cli_point ends[2], double radius, cli_style style)
{
    cli_point path[2 * HALF + 2];
    double towards = atan2(ends[1].y - ends[0].y, ends[1].x - ends[0].x), quarter = acos(0.0);
    int count = 0;
    for (int end = 1; end >= 0; end--)
        for (int i = 0; i <= HALF; ++i)
        {
            double angle = towards + (end == 1 ? -quarter : quarter) + 2.0 * quarter * i / HALF;
            path[count++] = (cli_point){ends[end].x + radius * cos(angle), ends[end].y + radius * sin(angle)};
        }
    cli_draw_path(canvas, path, count, true, style);
}

static void draw_outline(cli_canvas *canvas, const cli_panel *panel, const cli_outline *o, const look *l)
{
    for (int i = 0; i < o->count; ++i)
        panel->page[i] = on_page(panel, o->points[i]);
    switch (o->kind)
    {
    case CLI_OUTLINE_DISC:
        draw_disc(canvas, panel, o, l);
        break;
    case CLI_OUTLINE_LINE:
        cli_draw_path(canvas, panel->page, o->count, false, cli_stroke(l->outline.stroke, 2.0));
        break;
    case CLI_OUTLINE_POLYGON:
        cli_draw_path(canvas, panel->page, o->count, true, l->outline);
        break;
    case CLI_OUTLINE_ELLIPSE:
        draw_ellipse(canvas, panel, o, l);
        break;
    case CLI_OUTLINE_CAPSULE:
        draw_capsule(canvas, panel->page, fmax(o->radius * points_a_metre(panel), 0.8), l->outline);
        break;
    case CLI_OUTLINE_DOT:
        cli_draw_circle(canvas, on_page(panel, o->centre), l->dot, cli_fill(l->outline.stroke));
        break;
    case CLI_OUTLINE_PLANE: /* drawn as ground */
    case CLI_OUTLINE_SOLID: /* in space alone */
        break;
    }
}

static bool finite_state(const cairn_body_state *state)
{
    return isfinite(state->position[0]) && isfinite(state->position[1]) && isfinite(state->position[2]) &&
           isfinite(state->angle) && isfinite(state->orientation[0] + state->orientation[1] + state->orientation[2]);
}

static void draw_body(cli_canvas *canvas, const cli_panel *panel, int64_t snapshot, int body, const look *l)
{
    const cli_plot_scene *scene = &panel->scene;
    const cairn_body_state *state = cli_panel_state(panel, snapshot, body);
    if (!finite_state(state))
        return;
    if (!scene->has_shape[body])
    {
        cli_draw_circle(canvas, on_page(panel, state->position), l->dot, cli_fill(l->outline.stroke));
        return;
    }
    cli_outline outline = {.points = panel->points};
    for (int i = scene->first_shape[body]; i >= 0; i = scene->next_shape[i])
    {
        cairn_shape_info shape = cli_plot_scene_shape(scene, i);
        cli_outline_make(panel->run->dimension, &shape, state, &outline);
        draw_outline(canvas, panel, &outline, l);
    }
}

void cli_panel_draw_ground(cli_canvas *canvas, const cli_panel *panel, const cli_extent *extent)
{
    const cli_plot_scene *scene = &panel->scene;
    cli_outline outline = {.points = panel->points};
    for (int i = 0; i < scene->shape_count; ++i)
    {
        int body = scene->shape_body[i];
        if (body < 0)
            continue;
        cairn_shape_info shape = cli_plot_scene_shape(scene, i);
        cli_outline_make(panel->run->dimension, &shape, cli_panel_state(panel, 0, body), &outline);
        if (outline.kind == CLI_OUTLINE_PLANE)
            cli_ground_draw(canvas, panel, &outline, extent);
    }
}

static void draw_fixed(cli_canvas *canvas, const cli_panel *panel)
{
    look l = fixed_look();
    for (int b = 0; b < panel->body_count; ++b)
        if (!panel->scene.moves[b] && panel->scene.has_shape[b])
            draw_body(canvas, panel, 0, b, &l);
}

static void draw_paths(cli_canvas *canvas, const cli_panel *panel)
{
    for (int b = 0; b < panel->body_count; ++b)
    {
        int count = 0;
        if (!panel->scene.moves[b])
            continue;
        for (int64_t i = 0; i < panel->path_count; ++i)
        {
            cli_point p = cli_panel_page(panel, panel->path[i * panel->body_count + b]);
            if (isfinite(p.x) && isfinite(p.y))
                panel->page[count++] = p;
        }
        cli_style style = cli_stroke(cli_fade(cli_palette(panel->scene.colour[b]), 0.5), 0.7);
        cli_draw_path(canvas, panel->page, count, false, style);
    }
}

static bool link_end(const cli_panel *panel, int64_t snapshot, const cli_link *link, int side, cli_point *out)
{
    const cairn_attachment *end = &link->end[side];
    int body = link->body[side];
    double world[3] = {end->point[0], end->point[1], end->point[2]};
    if (body >= 0)
        cli_plot_world_point(panel->run->dimension, cli_panel_state(panel, snapshot, body), end->point, world);
    *out = on_page(panel, world);
    return (body >= 0 || end->body.id == 0) && isfinite(out->x) && isfinite(out->y);
}

static cli_point part_way(cli_point a, cli_point b, double part, double aside)
{
    double length = hypot(b.x - a.x, b.y - a.y), dx = b.x - a.x, dy = b.y - a.y;
    return (cli_point){a.x + part * dx - aside * dy / length, a.y + part * dy + aside * dx / length};
}

/* A zigzag between two straight ends. */
static void draw_zigzag(cli_canvas *canvas, cli_point a, cli_point b, cli_style style)
{
    cli_point points[TEETH + 4];
    int teeth = (int)fmin(TEETH, fmax(5.0, hypot(b.x - a.x, b.y - a.y) / 8.0)), count = 0;
    points[count++] = a;
    points[count++] = part_way(a, b, 0.15, 0.0);
    for (int i = 0; i < teeth; ++i)
        points[count++] = part_way(a, b, 0.15 + 0.7 * (i + 0.5) / teeth, i % 2 == 0 ? 4.5 : -4.5);
    points[count++] = part_way(a, b, 0.85, 0.0);
    points[count++] = b;
    assert(count <= TEETH + 4);
    cli_draw_path(canvas, points, count, false, style);
}

/* The last snapshot shows springs as zigzags, the others as thin lines, or the picture would be all springs. */
static void draw_springs(cli_canvas *canvas, const cli_panel *panel, int64_t snapshot, double strength)
{
    const cli_plot_scene *scene = &panel->scene;
    bool last = snapshot + 1 == panel->snapshot_count;
    cli_style style = cli_stroke(cli_fade(cli_rgb(0x444444), last ? 1.0 : 0.6 * strength), last ? 1.0 : 0.6);
    for (int i = 0; i < scene->spring_count; ++i)
    {
        cli_point a, b;
        if (!link_end(panel, snapshot, &scene->links[i], 0, &a) || !link_end(panel, snapshot, &scene->links[i], 1, &b))
            continue;
        if (last && hypot(b.x - a.x, b.y - a.y) > 16.0 && hypot(b.x - a.x, b.y - a.y) < 1e5)
            draw_zigzag(canvas, a, b, style);
        else
            cli_draw_line(canvas, a.x, a.y, b.x, b.y, style);
    }
}

double cli_panel_strength(const cli_panel *panel, int64_t snapshot)
{
    double age = panel->snapshot_count > 1 ? (double)snapshot / (double)(panel->snapshot_count - 1) : 1.0;
    return LIGHTEST + (1.0 - LIGHTEST) * age;
}

bool cli_panel_covered(const cli_panel *panel, int64_t snapshot, int body)
{
    if (snapshot + 1 == panel->snapshot_count)
        return false;
    const cairn_body_state *now = cli_panel_state(panel, snapshot, body), *next = now + panel->body_count;
    cli_point p = on_page(panel, now->position), q = on_page(panel, next->position);
    double turn = fabs(now->angle - next->angle);
    for (int i = 0; i < 4; ++i)
        turn = fmax(turn, fabs(now->orientation[i] - next->orientation[i]));
    return hypot(p.x - q.x, p.y - q.y) < 0.2 && turn < 2e-3;
}

static void draw_snapshot(cli_canvas *canvas, const cli_panel *panel, int64_t snapshot)
{
    double strength = cli_panel_strength(panel, snapshot);
    draw_springs(canvas, panel, snapshot, strength);
    for (int body = 0; body < panel->body_count; ++body)
    {
        if (!panel->scene.moves[body] || cli_panel_covered(panel, snapshot, body))
            continue;
        look l = panel->any_marked ? marked_look(panel->marked[body], strength)
                                   : moving_look(panel->scene.colour[body], strength);
        if (panel->vivid)
            l.outline.fill.a = 0.38;
        draw_body(canvas, panel, snapshot, body, &l);
    }
    cli_symbols_draw(canvas, panel, snapshot, strength);
}

/* The three axes of space in the corner of a tilted view, each of a round length. */
void cli_panel_draw_triad(cli_canvas *canvas, const cli_panel *panel)
{
    static const char *const names[3] = {"x", "y", "z"};
    cli_rect area = panel->axes.area;
    double unit = points_a_metre(panel), length = cli_nice_step(24.0 / unit);
    cli_point origin = {area.x + 20.0, area.y + area.height - 38.0};
    cli_text_style text = {.size = CLI_TICK_SIZE, .colour = cli_ink(), .anchor = CLI_MIDDLE};
    for (int k = 0; k < 3; ++k)
    {
        double axis[3] = {0.0, 0.0, 0.0}, p[3];
        axis[k] = length;
        cli_view_project(&panel->view, axis, p);
        cli_point tip = {origin.x + p[0] * unit, origin.y - p[1] * unit};
        double reach = hypot(tip.x - origin.x, tip.y - origin.y);
        if (reach < 1.0) /* it points at the eye */
            continue;
        cli_draw_line(canvas, origin.x, origin.y, tip.x, tip.y, cli_stroke(cli_ink(), 1.1));
        cli_draw_text(canvas, tip.x + 8.0 * (tip.x - origin.x) / reach,
                      tip.y + 8.0 * (tip.y - origin.y) / reach + 0.36 * CLI_TICK_SIZE, text, names[k]);
    }
    char caption[40];
    snprintf(caption, sizeof caption, "axes: %g m", length);
    text.anchor = CLI_START;
    text.colour = cli_grey();
    cli_draw_text(canvas, area.x + 4.0, area.y + area.height - 2.0, text, caption);
}

/* Bodies as outlines, in the plane and in space, and the forces over them. */
static void draw_chains(cli_canvas *canvas, const cli_panel *panel)
{
    look l = pale_look();
    for (int body = 0; body < panel->body_count; ++body)
        if (panel->scene.moves[body])
            draw_body(canvas, panel, 0, body, &l);
    cli_chains_draw(canvas, panel);
}

/* Bodies in space hide each other whatever their sizes, which no order of drawing would do. */
static void draw_solids(cli_canvas *canvas, const cli_panel *panel)
{
    cli_solids solids;
    cli_rect area = panel->axes.area;
    int width = (int)ceil(CLI_PNG_SCALE * area.width), height = (int)ceil(CLI_PNG_SCALE * area.height);
    cli_solids_open(&solids, panel, width, height, CLI_PNG_SCALE, (cli_point){area.x, area.y});
    cli_solids_draw(&solids);
    cli_image image = cli_raster_image(&solids.raster);
    cli_draw_image(canvas, (cli_rect){area.x, area.y, width / CLI_PNG_SCALE, height / CLI_PNG_SCALE}, &image);
    free(image.pixels);
    cli_solids_close(&solids);
}

void cli_panel_draw(cli_canvas *canvas, cli_panel *panel, const cli_extent *extent)
{
    cli_axes_draw_grid(canvas, &panel->axes);
    if (panel->snapshot_count > 0)
    {
        bool space = panel->run->dimension == 3;
        cli_draw_clip(canvas, panel->axes.area);
        cli_panel_draw_ground(canvas, panel, extent);
        if (!space)
            draw_fixed(canvas, panel);
        draw_paths(canvas, panel);
        if (panel->chains)
            draw_chains(canvas, panel);
        else if (space)
            draw_solids(canvas, panel);
        for (int64_t s = 0; s < panel->snapshot_count && !space && !panel->chains; ++s)
            draw_snapshot(canvas, panel, s);
        cli_draw_unclip(canvas);
    }
    cli_axes_draw_labels(canvas, &panel->axes);
    if (panel->axes.bare && !panel->no_triad)
        cli_panel_draw_triad(canvas, panel);
}
