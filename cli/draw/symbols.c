/* Symbols of joints in the plane, and where symbols are. */
#include "cli/draw/symbols.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define LEAST_RING 2.0 /* points */

cli_colour cli_symbol_colour(cli_symbol_role role)
{
    static const int COLOUR[CLI_ROLES] = {
        [CLI_ROLE_JOINT] = 0x3A3F45, [CLI_ROLE_RAIL] = 0x7A8694,  [CLI_ROLE_GROUND] = 0x666666,
        [CLI_ROLE_ROD] = 0x3A3F45,   [CLI_ROLE_ROPE] = 0x7A5C2E,  [CLI_ROLE_SPRING] = 0xA8457F,
        [CLI_ROLE_DRIVE] = 0xD55E00, [CLI_ROLE_LIMIT] = 0x0072B2, [CLI_ROLE_NEEDLE] = 0x003F63};
    assert((int)role >= 0 && role < CLI_ROLES);
    return cli_rgb(COLOUR[role]);
}

static bool place(const cli_panel *panel, int64_t snapshot, cairn_body body, const double point[3], double out[3])
{
    int index = cli_plot_scene_body(&panel->scene, panel->run, body);
    memcpy(out, point, 3 * sizeof *out);
    if (index >= 0)
        cli_plot_world_point(panel->run->dimension, cli_panel_state(panel, snapshot, index), point, out);
    return (index >= 0 || body.id == 0) && isfinite(out[0]) && isfinite(out[1]) && isfinite(out[2]);
}

/* Corner i of a block, in its body's frame: bit 0 along `to`, bit 1 along `side`, bit 2 across both. */
static void corner_of(const cli_symbol *symbol, int i, double out[3])
{
    const double *l = symbol->to, *w = symbol->side;
    double third[3] = {l[1] * w[2] - l[2] * w[1], l[2] * w[0] - l[0] * w[2], l[0] * w[1] - l[1] * w[0]};
    double size = sqrt(third[0] * third[0] + third[1] * third[1] + third[2] * third[2]);
    for (int k = 0; k < 3; ++k)
        out[k] = symbol->from[k] + ((i & 1) != 0 ? l[k] : -l[k]) + ((i & 2) != 0 ? w[k] : -w[k]) +
                 ((i & 4) != 0 ? 1 : -1) * symbol->radius * third[k] / size;
}

static bool make_tie(const cli_panel *panel, int64_t snapshot, const cli_symbol *symbol, cli_symbol_path *path)
{
    double from[3], to[3], down[3];
    if (!place(panel, snapshot, symbol->body, symbol->from, from) ||
        !place(panel, snapshot, symbol->other, symbol->to, to))
        return false;
    cli_mechanism_down(panel->scene.model, down);
    path->count = cli_tie_path(symbol, panel->scene.mechanism.unit, from, to, down, path->room);
    return true;
}

bool cli_symbol_path_make(const cli_panel *panel, int64_t snapshot, const cli_symbol *symbol, cli_symbol_path *path)
{
    static const int COUNT[CLI_SYMBOL_KINDS] = {[CLI_SYMBOL_BALL] = 1, [CLI_SYMBOL_ROD] = 2, [CLI_SYMBOL_BLOCK] = 8};
    const cli_mechanism *m = &panel->scene.mechanism;
    bool line = symbol->kind == CLI_SYMBOL_LINE, good = true;
    path->count = line ? symbol->count : COUNT[symbol->kind];
    path->radius = symbol->kind == CLI_SYMBOL_BALL || symbol->kind == CLI_SYMBOL_ROD ? symbol->radius : 0.0;
    path->points = line ? panel->symbol_points : path->room;
    if (symbol->kind == CLI_SYMBOL_TIE)
        return make_tie(panel, snapshot, symbol, path);
    for (int i = 0; i < path->count && good; ++i)
    {
        double corner[3];
        if (symbol->kind == CLI_SYMBOL_BLOCK)
            corner_of(symbol, i, corner);
        const double *local = line                               ? m->points[symbol->first + i]
                              : symbol->kind == CLI_SYMBOL_BLOCK ? corner
                              : i == 0                           ? symbol->from
                                                                 : symbol->to;
        good = place(panel, snapshot, symbol->body, local, path->points[i]);
    }
    return good;
}

/* ------------------------------------------------------------------------------------------------------- the plane */

static cli_point on_page(const cli_panel *panel, const double world[3])
{
    double projected[3];
    cli_view_project(&panel->view, world, projected);
    return cli_panel_page(panel, projected);
}

static cli_style style_of(const cli_symbol *symbol, double strength)
{
    static const double WIDTH[CLI_ROLES] = {[CLI_ROLE_JOINT] = 1.0, [CLI_ROLE_RAIL] = 1.1,  [CLI_ROLE_GROUND] = 0.9,
                                            [CLI_ROLE_ROD] = 1.8,   [CLI_ROLE_ROPE] = 1.1,  [CLI_ROLE_SPRING] = 1.1,
                                            [CLI_ROLE_DRIVE] = 1.5, [CLI_ROLE_LIMIT] = 1.2, [CLI_ROLE_NEEDLE] = 1.2};
    cli_style style = cli_stroke(cli_fade(cli_symbol_colour(symbol->role), strength), WIDTH[symbol->role]);
    bool area = symbol->kind == CLI_SYMBOL_BALL || symbol->kind == CLI_SYMBOL_BLOCK ||
                (symbol->closed && symbol->role == CLI_ROLE_GROUND);
    if (area)
        style.fill = cli_rgb(0xFFFFFF);
    return style;
}

static void draw_symbol(cli_canvas *canvas, const cli_panel *panel, const cli_symbol *symbol,
                        const cli_symbol_path *path, double strength)
{
    static const int RECTANGLE[4] = {0, 1, 3, 2};
    cli_style style = style_of(symbol, strength);
    double points_a_metre = panel->axes.area.width / (panel->axes.x.high - panel->axes.x.low);
    if (symbol->kind == CLI_SYMBOL_BALL)
    {
        cli_draw_circle(canvas, on_page(panel, path->points[0]), fmax(LEAST_RING, points_a_metre * symbol->radius),
                        style);
        return;
    }
    int count = symbol->kind == CLI_SYMBOL_BLOCK ? 4 : path->count;
    for (int i = 0; i < count; ++i)
        panel->page[i] = on_page(panel, path->points[symbol->kind == CLI_SYMBOL_BLOCK ? RECTANGLE[i] : i]);
    if (symbol->kind == CLI_SYMBOL_ROD)
        style.width = fmax(style.width, 2 * points_a_metre * symbol->radius);
    cli_draw_path(canvas, panel->page, count, symbol->closed || symbol->kind == CLI_SYMBOL_BLOCK, style);
}

void cli_symbols_draw(cli_canvas *canvas, const cli_panel *panel, int64_t snapshot, double strength)
{
    const cli_mechanism *m = &panel->scene.mechanism;
    bool last = snapshot + 1 == panel->snapshot_count;
    for (int i = 0; i < m->symbol_count; ++i)
    {
        const cli_symbol *symbol = &m->symbols[i];
        cli_symbol_path path;
        bool plain =
            (symbol->kind == CLI_SYMBOL_BALL && symbol->role == CLI_ROLE_JOINT) || symbol->kind == CLI_SYMBOL_TIE;
        if ((last || plain) && cli_symbol_path_make(panel, snapshot, symbol, &path))
            draw_symbol(canvas, panel, symbol, &path, strength);
    }
}
