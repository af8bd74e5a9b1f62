/* The painter's way: what is far is drawn first and covered by what is near. Of a closed mesh only the triangles that look at
 * the eye are drawn; an open one shows its back as well. A triangle is filled in a shade by its slope to a light from the
 * upper left; of its sides those are drawn where the surface ends, turns away from the eye, or bends by more than an eighth
 * of a right angle, so that flat and smooth sides show no triangles.
 */
#include "cli/draw/mesh.h"

#include <math.h>
#include <stdlib.h>

static const double LIFT = 0.03;   /* of the mesh's depth, at most: how much nearer a triangle's sides are drawn */
static const double SMOOTH = 0.98; /* cosine of the least angle that is drawn as an edge */
static const double LIGHT[3] = {-0.41, 0.61, 0.68};

/* A triangle, or its sides, in the order of drawing: the sides a little later, so that its neighbours do not cover them. */
typedef struct tile
{
    int face;
    bool sides;
    double depth;
} tile;

typedef struct picture
{
    const cli_view *view;
    const cli_outline *mesh;
    const cli_point *page;
    cli_style style;
    bool open;
} picture;

static void corner_of(const picture *p, int face, int corner, double out[3])
{
    cli_view_project(p->view, p->mesh->points[p->mesh->face_vertices[3 * face + corner]], out);
}

/* The unit normal of a face to the right, up and towards the eye. */
static void normal_of(const picture *p, int face, double n[3])
{
    double a[3], b[3], c[3];
    corner_of(p, face, 0, a);
    corner_of(p, face, 1, b);
    corner_of(p, face, 2, c);
    for (int k = 0; k < 3; ++k)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
    }
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3 && length > 0.0; ++k)
        n[k] /= length;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static int by_depth(const void *a, const void *b)
{
    const tile *x = a, *y = b;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    if (x->sides != y->sides)
        return x->sides ? 1 : -1;
    return (x->face > y->face) - (x->face < y->face);
}

static double depth_range(const picture *p)
{
    double low = INFINITY, high = -INFINITY, x[3];
    for (int i = 0; i < p->mesh->count; ++i)
    {
        cli_view_project(p->view, p->mesh->points[i], x);
        low = fmin(low, x[2]);
        high = fmax(high, x[2]);
    }
    return fmax(high - low, 0.0);
}

/* The triangles to draw and their sides, the farthest first. */
static int collect(const picture *p, tile *tiles)
{
    int count = 0;
    double most = LIFT * depth_range(p);
    for (int face = 0; face < p->mesh->face_count; ++face)
    {
        double n[3], x[3], depth = 0.0, low = INFINITY, high = -INFINITY;
        normal_of(p, face, n);
        if (!p->open && n[2] <= 1e-9)
            continue;
        for (int k = 0; k < 3; ++k)
        {
            corner_of(p, face, k, x);
            depth += x[2] / 3.0;
            low = fmin(low, x[2]);
            high = fmax(high, x[2]);
        }
        if (!isfinite(depth))
            continue;
        tiles[count++] = (tile){face, false, depth};
        tiles[count++] = (tile){face, true, depth + fmin(high - low, most)};
    }
    qsort(tiles, (size_t)count, sizeof *tiles, by_depth);
    return count;
}

/* Between nearly the outline's colour in the dark and its filling in the light. */
static cli_colour shade(const picture *p, const double n[3])
{
    double light = dot(n, LIGHT), sign = n[2] < 0.0 ? -1.0 : 1.0, dark = 0.55 * (1.0 - fmax(sign * light, 0.0));
    cli_colour fill = p->style.fill, stroke = p->style.stroke;
    dark = fmin(n[2] < 0.0 ? dark + 0.15 : dark, 0.7);
    return (cli_colour){fill.r + dark * (stroke.r - fill.r), fill.g + dark * (stroke.g - fill.g),
                        fill.b + dark * (stroke.b - fill.b), 1.0};
}

static bool is_edge(const picture *p, int face, int corner, const double n[3])
{
    double m[3];
    int other = p->mesh->neighbours[3 * face + corner];
    if (other < 0)
        return true;
    normal_of(p, other, m);
    return n[2] * m[2] <= 0.0 || dot(n, m) < SMOOTH;
}

static void draw_tile(cli_canvas *canvas, const picture *p, const tile *t)
{
    double n[3];
    cli_point corners[3];
    normal_of(p, t->face, n);
    for (int k = 0; k < 3; ++k)
        corners[k] = p->page[p->mesh->face_vertices[3 * t->face + k]];
    if (!t->sides)
    {
        cli_style fill = {.fill = shade(p, n), .width = 0.4};
        fill.stroke = fill.fill; /* closes the hairline that two neighbours leave */
        cli_draw_path(canvas, corners, 3, true, fill);
    }
    for (int k = 0; k < 3 && t->sides; ++k)
    {
        cli_point a = corners[k], b = corners[(k + 1) % 3];
        if (is_edge(p, t->face, k, n))
            cli_draw_line(canvas, a.x, a.y, b.x, b.y, cli_stroke(p->style.stroke, 0.8 * p->style.width));
    }
}

void cli_mesh_draw(cli_canvas *canvas, const cli_view *view, const cli_outline *mesh, const cli_point *page,
                   cli_style style)
{
    picture p = {.view = view, .mesh = mesh, .page = page, .style = style};
    tile *tiles = malloc((size_t)mesh->face_count * 2 * sizeof *tiles + 1);
    if (!tiles)
        return;
    for (int i = 0; i < 3 * mesh->face_count && !p.open; ++i)
        p.open = mesh->neighbours[i] < 0;
    int count = collect(&p, tiles);
    for (int i = 0; i < count; ++i)
        draw_tile(canvas, &p, &tiles[i]);
    free(tiles);
}
