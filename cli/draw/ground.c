/* Ground: half-planes and half-spaces are unbounded, so the part that is drawn depends on the bodies around them. */
#include "cli/plot/plot_panel.h"
#include "cli/plot/plot_trace.h"

#include <math.h>

#define HATCH 7.0 /* points between hatch lines */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Orientation of the plane to the viewer: 0 edge-on, 1 face-on. */
static double facing(const cli_view *view, const cli_outline *plane)
{
    return fabs(dot(plane->normal, view->towards));
}

static bool edge_on(const cli_view *view, const cli_outline *plane)
{
    return facing(view, plane) < 1e-6;
}

static bool face_on(const cli_view *view, const cli_outline *plane)
{
    return facing(view, plane) > 0.999;
}

/* A rectangle of the plane with its grid lines: the part below and around the box of what moves. */
typedef struct patch
{
    double foot[3], t1[3], t2[3]; /* a point of the plane and two unit vectors in it */
    double low[2], high[2], step; /* along t1 and t2 */
} patch;

static void span_plane(const double n[3], double t1[3], double t2[3])
{
    int axis = 0;
    for (int i = 1; i < 3; ++i)
        if (fabs(n[i]) < fabs(n[axis]) - 1e-12)
            axis = i;
    for (int i = 0; i < 3; ++i)
        t1[i] = (i == axis ? 1.0 : 0.0) - n[axis] * n[i];
    double length = sqrt(dot(t1, t1));
    for (int i = 0; i < 3; ++i)
        t1[i] /= length;
    t2[0] = n[1] * t1[2] - n[2] * t1[1];
    t2[1] = n[2] * t1[0] - n[0] * t1[2];
    t2[2] = n[0] * t1[1] - n[1] * t1[0];
}

/* Range along a direction of the 8 corners of the box in space. */
static cli_range range_along(const cli_extent *extent, const double direction[3])
{
    cli_range range = {0};
    for (int corner = 0; corner < 8; ++corner)
    {
        double p[3];
        for (int k = 0; k < 3; ++k)
            p[k] = (corner >> k & 1) != 0 ? extent->space[k].high : extent->space[k].low;
        cli_range_add(&range, dot(p, direction), false);
    }
    return range;
}

static patch make_patch(const cli_outline *plane, const cli_extent *extent)
{
    patch p = {0};
    span_plane(plane->normal, p.t1, p.t2);
    cli_range range[2] = {range_along(extent, p.t1), range_along(extent, p.t2)};
    double size = fmax(fmax(range[0].high - range[0].low, range[1].high - range[1].low), 1e-9);
    cli_range height = range_along(extent, plane->normal);
    double margin = fmax(0.1 * size, 0.12 * (height.high - height.low));
    p.step = cli_nice_step((size + 2.0 * margin) / 10.0);
    for (int k = 0; k < 2; ++k)
    {
        p.low[k] = p.step * floor((range[k].low - margin) / p.step);
        p.high[k] = p.step * ceil((range[k].high + margin) / p.step);
    }
    double level = dot(plane->centre, plane->normal);
    for (int i = 0; i < 3; ++i)
        p.foot[i] = level * plane->normal[i];
    return p;
}

static void patch_point(const patch *p, double a, double b, double out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = p->foot[i] + a * p->t1[i] + b * p->t2[i];
}

static cli_point patch_on_page(const cli_panel *panel, const patch *p, double a, double b)
{
    double world[3], projected[3];
    patch_point(p, a, b, world);
    cli_view_project(&panel->view, world, projected);
    return cli_panel_page(panel, projected);
}

static void draw_patch(cli_canvas *canvas, const cli_panel *panel, const cli_outline *plane, const cli_extent *extent)
{
    patch p = make_patch(plane, extent);
    cli_point corners[4] = {patch_on_page(panel, &p, p.low[0], p.low[1]), patch_on_page(panel, &p, p.high[0], p.low[1]),
                            patch_on_page(panel, &p, p.high[0], p.high[1]),
                            patch_on_page(panel, &p, p.low[0], p.high[1])};
    cli_style line = cli_stroke(cli_rgb(0xD4D4D4), 0.7);
    if (dot(plane->normal, panel->view.towards) < 0.0) /* between the eye and the bodies: its border alone */
    {
        cli_draw_path(canvas, corners, 4, true, cli_stroke(cli_rgb(0xE4E4E4), 0.7));
        return;
    }
    cli_draw_path(canvas, corners, 4, true, cli_fill(cli_rgb(0xF6F6F6)));
    int lines[2];
    for (int k = 0; k < 2; ++k)
        lines[k] = (int)fmin(200.0, round((p.high[k] - p.low[k]) / p.step));
    for (int i = 0; i <= lines[0]; ++i)
    {
        double a = p.low[0] + i * p.step;
        cli_point ends[2] = {patch_on_page(panel, &p, a, p.low[1]), patch_on_page(panel, &p, a, p.high[1])};
        cli_draw_path(canvas, ends, 2, false, line);
    }
    for (int i = 0; i <= lines[1]; ++i)
    {
        double b = p.low[1] + i * p.step;
        cli_point ends[2] = {patch_on_page(panel, &p, p.low[0], b), patch_on_page(panel, &p, p.high[0], b)};
        cli_draw_path(canvas, ends, 2, false, line);
    }
}

/* A line across the panel with hatching on the inner side. The foot of the panel's centre on the line is found first,
 * so that no coordinate is far away. */
static void draw_edge(cli_canvas *canvas, const cli_panel *panel, const cli_outline *plane)
{
    double point[3], normal[3];
    cli_view_project(&panel->view, plane->centre, point);
    cli_view_project(&panel->view, plane->normal, normal);
    double length = hypot(normal[0], normal[1]);
    cli_point n = {normal[0] / length, -normal[1] / length}, t = {-n.y, n.x};
    cli_point p = cli_panel_page(panel, point);
    cli_rect area = panel->axes.area;
    cli_point c = {area.x + 0.5 * area.width, area.y + 0.5 * area.height};
    double away = (c.x - p.x) * n.x + (c.y - p.y) * n.y, reach = area.width + area.height;
    cli_point foot = {c.x - away * n.x, c.y - away * n.y};
    cli_point a = {foot.x - reach * t.x, foot.y - reach * t.y}, b = {foot.x + reach * t.x, foot.y + reach * t.y};
    if (!cli_clip_segment(area, &a, &b))
        return;
    cli_draw_line(canvas, a.x, a.y, b.x, b.y, cli_stroke(cli_rgb(0x444444), 1.3));
    double run = hypot(b.x - a.x, b.y - a.y);
    for (double s = -HATCH; s < run + HATCH; s += HATCH)
    {
        cli_point q = {a.x + s * t.x, a.y + s * t.y};
        cli_draw_line(canvas, q.x, q.y, q.x - HATCH * (n.x + t.x), q.y - HATCH * (n.y + t.y),
                      cli_stroke(cli_rgb(0x999999), 0.8));
    }
}

void cli_ground_draw(cli_canvas *canvas, const cli_panel *panel, const cli_outline *plane, const cli_extent *extent)
{
    if (edge_on(&panel->view, plane))
        draw_edge(canvas, panel, plane);
    else if (!face_on(&panel->view, plane) && extent->space[0].any)
        draw_patch(canvas, panel, plane, extent);
}

/* Make room for the boundary below the middle of what moves, unless it is far away. */
static void measure_edge(const cli_view *view, const cli_outline *plane, const cli_extent *moving, cli_extent *extent)
{
    double point[3], n[3], middle[2], size = 0.0, away = 0.0;
    cli_view_project(view, plane->centre, point);
    cli_view_project(view, plane->normal, n);
    for (int k = 0; k < 2; ++k)
    {
        middle[k] = 0.5 * (moving->paper[k].low + moving->paper[k].high);
        size = fmax(size, moving->paper[k].high - moving->paper[k].low);
        away += (middle[k] - point[k]) * n[k];
    }
    if (fabs(away) > 2.0 * size + 1.0)
        return;
    for (int k = 0; k < 2; ++k)
    {
        cli_range_add(&extent->paper[k], middle[k] - away * n[k], false);
        /* a strip of the ground itself, for the hatching */
        cli_range_add(&extent->paper[k], middle[k] - (away + 0.04 * size) * n[k], false);
    }
}

void cli_ground_measure(const cli_view *view, const cli_outline *plane, const cli_extent *moving, cli_extent *extent)
{
    if (!moving->paper[0].any)
        return;
    if (edge_on(view, plane))
    {
        measure_edge(view, plane, moving, extent);
        return;
    }
    if (face_on(view, plane))
        return;
    patch p = make_patch(plane, extent);
    for (int corner = 0; corner < 4; ++corner)
    {
        double world[3], projected[3];
        patch_point(&p, (corner & 1) != 0 ? p.high[0] : p.low[0], (corner & 2) != 0 ? p.high[1] : p.low[1], world);
        cli_view_project(view, world, projected);
        for (int k = 0; k < 2; ++k)
            cli_range_add(&extent->paper[k], projected[k], false);
    }
}
