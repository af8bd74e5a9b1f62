/* Solids on the page: seen from far away, a convex solid is the convex hull of its points. */
#include "cli/draw/solid.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define DARK   0.55 /* strength of the colour of a face in the dark, */
#define BRIGHT 0.14 /* and of one in full light */
#define SPOT   3.0  /* points: smaller spheres are plain */

enum
{
    HALF_ROUND = 24,    /* sides of a half circle */
    MOST_CORNERS = 128, /* of a face that is drawn */
};

void cli_solid_draw_capsule(cli_canvas *canvas, const cli_point ends[2], double radius, cli_style style)
{
    cli_point path[2 * HALF_ROUND + 2];
    double towards = atan2(ends[1].y - ends[0].y, ends[1].x - ends[0].x), quarter = acos(0.0);
    int count = 0;
    for (int end = 1; end >= 0; end--)
        for (int i = 0; i <= HALF_ROUND; ++i)
        {
            double angle = towards + (end == 1 ? -quarter : quarter) + 2.0 * quarter * i / HALF_ROUND;
            path[count++] = (cli_point){ends[end].x + radius * cos(angle), ends[end].y + radius * sin(angle)};
        }
    cli_draw_path(canvas, path, count, true, style);
}

/* Twice the area of a triangle: which way the path o, a, b turns. */
static double turn(cli_point o, cli_point a, cli_point b)
{
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

static int by_place(const void *a, const void *b)
{
    const cli_point *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return p->y < q->y ? -1 : p->y > q->y ? 1 : 0;
}

/* The convex hull of points, sorted in place (A. M. Andrew, 1979); `hull` has room for one more than there are. */
static int convex_hull(cli_point *points, int count, cli_point *hull)
{
    int size = 0;
    qsort(points, (size_t)count, sizeof *points, by_place);
    for (int pass = 0; pass < 2; ++pass)
    {
        int least = size + 1;
        for (int i = 0; i < count; ++i)
        {
            cli_point p = points[pass == 0 ? i : count - 1 - i];
            while (size > least && turn(hull[size - 2], hull[size - 1], p) <= 0.0)
                size--;
            hull[size++] = p;
        }
        size--; /* the last point begins the other half */
    }
    return size;
}

/* A face is seen when it goes round counter-clockwise to the eye; y points down on the page. */
static void draw_face(cli_canvas *canvas, const cli_point *corners, int count, cli_style style)
{
    double area = 0.0;
    for (int i = 1; i + 1 < count; ++i)
        area += turn(corners[0], corners[i], corners[i + 1]);
    if (area < -1e-9)
        cli_draw_path(canvas, corners, count, true, style);
}

/* Lighter where the light falls: the fill of a solid is its stroke thinned by white. */
static cli_style lit(cli_style style, double light)
{
    double alpha = style.fill.a;
    style.fill = cli_fade(style.stroke, DARK + (BRIGHT - DARK) * light);
    style.fill.a = alpha;
    return style;
}

void cli_solid_draw_turned(cli_canvas *canvas, const cli_outline *outline, const cli_point *page, cli_style style)
{
    cli_point points[CLI_OUTLINE_ROOM], hull[CLI_OUTLINE_ROOM + 1];
    assert(outline->count <= CLI_OUTLINE_ROOM);
    for (int i = 0; i < outline->count; ++i)
        points[i] = page[i];
    int count = convex_hull(points, outline->count, hull);
    cli_draw_path(canvas, hull, count, true, lit(style, 0.4));
    for (int first = 0; first + CLI_OUTLINE_RIM <= outline->count; first += CLI_OUTLINE_RIM)
        draw_face(canvas, page + first, CLI_OUTLINE_RIM, lit(style, 0.8));
}

static void draw_lit_face(cli_canvas *canvas, const cli_view *view, const cli_outline *outline, const cli_point *page,
                          const int *vertices, int all, cli_style style)
{
    cli_point corners[MOST_CORNERS];
    double normal[3];
    int stride = (all + MOST_CORNERS - 1) / MOST_CORNERS, count = 0;
    for (int k = 0; k < all; k += stride)
        corners[count++] = page[vertices[k]];
    cli_polygon_normal((const double(*)[3])outline->points, vertices, all, normal);
    draw_face(canvas, corners, count, lit(style, cli_view_light(view, normal)));
}

void cli_solid_draw_hull(cli_canvas *canvas, const cli_view *view, const cli_outline *outline, const cli_point *page,
                         cli_style style)
{
    for (int f = 0; f < outline->face_count; ++f)
    {
        int begin = outline->face_begin[f];
        draw_lit_face(canvas, view, outline, page, outline->face_vertices + begin, outline->face_begin[f + 1] - begin,
                      style);
    }
}

void cli_solid_draw_box(cli_canvas *canvas, const cli_view *view, const cli_outline *outline, const cli_point *page,
                        cli_style style)
{
    for (int f = 0; f < 6; ++f)
        draw_lit_face(canvas, view, outline, page, cli_box_faces[f], 4, style);
}

void cli_solid_draw_sphere(cli_canvas *canvas, cli_point centre, double radius, cli_style style)
{
    cli_draw_circle(canvas, centre, radius, lit(style, 0.45));
    if (radius > SPOT)
    {
        cli_style spot = cli_fill(lit(style, 0.9).fill);
        cli_draw_circle(canvas, (cli_point){centre.x - 0.24 * radius, centre.y - 0.34 * radius}, 0.5 * radius, spot);
    }
}
