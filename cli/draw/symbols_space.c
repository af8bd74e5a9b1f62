/* Symbols of joints in space: balls, rods and blocks as shaded triangles, lines as lines. Pins come a little towards the eye, so that they
 * show through the skin of their bodies. */
#include "cli/draw/outline.h"
#include "cli/draw/symbols.h"

#include <math.h>
#include <string.h>

enum
{
    ROUND = 14, /* sides of a full circle */
    RINGS = 7
};

static const double PI = 3.14159265358979323846;

/* What is being drawn. */
typedef struct brush
{
    cli_solids *solids;
    cli_colour colour;
    double lift; /* pixels towards the eye */
} brush;

static cli_raster_point corner(const brush *b, const double world[3], const double normal[3])
{
    cli_raster_point p = cli_solids_place(b->solids, world);
    p.z += b->lift;
    p.light = 0.5 + 0.5 * cli_view_light(&b->solids->panel->view, normal);
    return p;
}

/* Two triangles. */
static void draw_quad(const brush *b, const cli_raster_point quad[4])
{
    cli_raster_point half[3] = {quad[0], quad[2], quad[3]};
    cli_raster_triangle(&b->solids->raster, quad, b->colour);
    cli_raster_triangle(&b->solids->raster, half, b->colour);
}

static void draw_ball(const brush *b, const double centre[3], double radius)
{
    for (int i = 0; i < RINGS * ROUND; ++i)
    {
        cli_raster_point quad[4];
        for (int k = 0; k < 4; ++k)
        {
            double polar = PI * (i / ROUND + (k >= 2)) / RINGS,
                   around = 2 * PI * (i % ROUND + (k == 1 || k == 2)) / ROUND;
            double n[3] = {sin(polar) * cos(around), sin(polar) * sin(around), cos(polar)}, p[3];
            for (int c = 0; c < 3; ++c)
                p[c] = centre[c] + radius * n[c];
            quad[k] = corner(b, p, n);
        }
        draw_quad(b, quad);
    }
}

/* Two unit vectors across the unit vector d. */
static void across(const double d[3], double s[3], double t[3])
{
    double pick[3] = {fabs(d[0]) < 0.7, fabs(d[0]) >= 0.7, 0};
    double c[3] = {d[1] * pick[2] - d[2] * pick[1], d[2] * pick[0] - d[0] * pick[2], d[0] * pick[1] - d[1] * pick[0]};
    double size = sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
    for (int k = 0; k < 3; ++k)
        s[k] = c[k] / size;
    t[0] = d[1] * s[2] - d[2] * s[1];
    t[1] = d[2] * s[0] - d[0] * s[2];
    t[2] = d[0] * s[1] - d[1] * s[0];
}

static void draw_cap(const brush *b, const double centre[3], double (*rim)[3], const double normal[3])
{
    cli_raster_point fan[3] = {corner(b, centre, normal)};
    for (int i = 0; i < ROUND; ++i)
    {
        fan[1] = corner(b, rim[i], normal);
        fan[2] = corner(b, rim[(i + 1) % ROUND], normal);
        cli_raster_triangle(&b->solids->raster, fan, b->colour);
    }
}

static void draw_rod(const brush *b, double ends[2][3], double radius)
{
    double d[3], s[3], t[3], rim[2][ROUND][3], normal[ROUND][3], back[3], length = 0;
    for (int k = 0; k < 3; ++k)
        d[k] = ends[1][k] - ends[0][k], length = hypot(length, d[k]);
    for (int k = 0; k < 3; ++k)
        d[k] /= length, back[k] = -d[k];
    across(d, s, t);
    for (int i = 0; i < ROUND; ++i)
        for (int k = 0; k < 3; ++k)
        {
            normal[i][k] = cos(2 * PI * i / ROUND) * s[k] + sin(2 * PI * i / ROUND) * t[k];
            rim[0][i][k] = ends[0][k] + radius * normal[i][k];
            rim[1][i][k] = ends[1][k] + radius * normal[i][k];
        }
    for (int i = 0, j = 1; i < ROUND; ++i, j = (j + 1) % ROUND)
    {
        cli_raster_point quad[4] = {corner(b, rim[0][i], normal[i]), corner(b, rim[0][j], normal[j]),
                                    corner(b, rim[1][j], normal[j]), corner(b, rim[1][i], normal[i])};
        draw_quad(b, quad);
    }
    draw_cap(b, ends[0], rim[0], back);
    draw_cap(b, ends[1], rim[1], d);
}

static void draw_block(const brush *b, double (*points)[3])
{
    for (int f = 0; f < 6; ++f)
    {
        double normal[3];
        cli_raster_point quad[4];
        cli_polygon_normal((const double(*)[3])points, cli_box_faces[f], 4, normal);
        for (int k = 0; k < 4; ++k)
            quad[k] = corner(b, points[cli_box_faces[f][k]], normal);
        draw_quad(b, quad);
    }
}

static void draw_line(const brush *b, const cli_symbol *symbol, const cli_symbol_path *path)
{
    static const double UNLIT[3] = {0, 0, 0};
    double thick = (symbol->role == CLI_ROLE_ROD ? 2.2 : 1.3) * b->solids->scale;
    for (int i = 0; i + (symbol->closed ? 0 : 1) < path->count; ++i)
        cli_raster_line(&b->solids->raster, corner(b, path->points[i], UNLIT),
                        corner(b, path->points[(i + 1) % path->count], UNLIT), thick, b->colour);
}

static void draw_symbol(cli_solids *solids, const cli_symbol *symbol, cli_symbol_path *path)
{
    bool solid = symbol->kind != CLI_SYMBOL_LINE && symbol->kind != CLI_SYMBOL_TIE;
    brush b = {solids, cli_fade(cli_symbol_colour(symbol->role), (solid ? 0.75 : 1.0) * solids->strength), 0};
    const cli_axes *axes = &solids->panel->axes;
    double pixels_a_metre = solids->scale * axes->area.width / (axes->x.high - axes->x.low);
    if (symbol->role == CLI_ROLE_JOINT || symbol->kind == CLI_SYMBOL_LINE)
        b.lift = fmax(3.0 * solids->scale, 4.0 * solids->panel->scene.mechanism.unit * pixels_a_metre);
    if (symbol->role == CLI_ROLE_DRIVE || symbol->role == CLI_ROLE_LIMIT || symbol->role == CLI_ROLE_NEEDLE)
        b.lift = 1e6; /* before everything */
    switch (symbol->kind)
    {
    case CLI_SYMBOL_BALL:
        draw_ball(&b, path->points[0], symbol->radius);
        break;
    case CLI_SYMBOL_ROD:
        draw_rod(&b, path->points, symbol->radius);
        break;
    case CLI_SYMBOL_BLOCK:
        draw_block(&b, path->points);
        break;
    default:
        draw_line(&b, symbol, path);
        break;
    }
}

void cli_symbols_draw_solid(cli_solids *solids)
{
    const cli_mechanism *m = &solids->panel->scene.mechanism;
    bool last = solids->layer + 1 == solids->panel->snapshot_count;
    for (int i = 0; i < m->symbol_count; ++i)
    {
        const cli_symbol *symbol = &m->symbols[i];
        cli_symbol_path path;
        bool plain = symbol->role == CLI_ROLE_JOINT || symbol->kind == CLI_SYMBOL_TIE;
        if ((last || plain) && cli_symbol_path_make(solids->panel, solids->layer, symbol, &path))
            draw_symbol(solids, symbol, &path);
    }
}
