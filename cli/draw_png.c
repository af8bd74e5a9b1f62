/* The PNG back end: the same calls on a cairo image, written out at the end. */
#include "draw.h"

#include <assert.h>
#include <cairo.h>
#include <math.h>
#include <stdlib.h>

/* fontconfig, behind cairo's text, keeps its caches until the process ends: leak checkers are told that it is not us. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CHECKS_LEAKS 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define CHECKS_LEAKS 1
#endif
#ifdef CHECKS_LEAKS
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libfontconfig\n";
}
#endif

typedef struct png
{
    FILE *stream;
    cairo_surface_t *surface;
    cairo_t *cairo;
} png;

static void set_colour(cairo_t *cairo, crn_colour c)
{
    cairo_set_source_rgba(cairo, c.r, c.g, c.b, c.a);
}

static void set_dash(cairo_t *cairo, crn_dash dash)
{
    static const double patterns[CRN_DASH_COUNT][4] = {{0}, {6, 3.5}, {1.6, 2.6}, {7, 3, 1.6, 3}};
    static const int lengths[CRN_DASH_COUNT] = {0, 2, 2, 4};
    cairo_set_dash(cairo, patterns[dash], lengths[dash], 0.0);
}

/* Fill and stroke the current path. */
static void paint(cairo_t *cairo, const crn_style *style)
{
    if (style->fill.a > 0.0)
    {
        set_colour(cairo, style->fill);
        cairo_fill_preserve(cairo);
    }
    if (style->stroke.a > 0.0)
    {
        set_colour(cairo, style->stroke);
        cairo_set_line_width(cairo, style->width);
        set_dash(cairo, style->dash);
        cairo_stroke_preserve(cairo);
    }
    cairo_new_path(cairo);
}

static void path(void *self, const crn_point *points, int count, bool closed, const crn_style *style)
{
    cairo_t *cairo = ((png *)self)->cairo;
    cairo_move_to(cairo, points[0].x, points[0].y);
    for (int i = 1; i < count; i++)
        cairo_line_to(cairo, points[i].x, points[i].y);
    if (closed)
        cairo_close_path(cairo);
    paint(cairo, style);
}

static void circle(void *self, crn_point centre, double radius, const crn_style *style)
{
    cairo_t *cairo = ((png *)self)->cairo;
    cairo_new_sub_path(cairo);
    cairo_arc(cairo, centre.x, centre.y, radius, 0.0, 2.0 * acos(-1.0));
    cairo_close_path(cairo);
    paint(cairo, style);
}

static void text(void *self, crn_point at, const crn_text_style *style, const char *utf8)
{
    cairo_t *cairo = ((png *)self)->cairo;
    cairo_text_extents_t extents;
    cairo_save(cairo);
    cairo_select_font_face(cairo, CRN_FONT, CAIRO_FONT_SLANT_NORMAL,
                           style->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, style->size);
    cairo_text_extents(cairo, utf8, &extents);
    cairo_translate(cairo, at.x, at.y);
    if (style->upwards)
        cairo_rotate(cairo, -acos(0.0));
    double shift = style->anchor == CRN_START ? 0.0 : style->anchor == CRN_MIDDLE ? 0.5 : 1.0;
    cairo_move_to(cairo, -shift * extents.x_advance, 0.0);
    set_colour(cairo, style->colour);
    cairo_show_text(cairo, utf8);
    cairo_new_path(cairo);
    cairo_restore(cairo);
}

static void clip(void *self, crn_rect rect)
{
    cairo_t *cairo = ((png *)self)->cairo;
    cairo_save(cairo);
    cairo_rectangle(cairo, rect.x, rect.y, rect.width, rect.height);
    cairo_clip(cairo);
}

static void unclip(void *self)
{
    cairo_restore(((png *)self)->cairo);
}

static cairo_status_t write_bytes(void *stream, const unsigned char *data, unsigned int length)
{
    return fwrite(data, 1, length, stream) == length ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static bool finish(void *self)
{
    png *p = self;
    if (cairo_status(p->cairo) != CAIRO_STATUS_SUCCESS)
        return false;
    cairo_surface_flush(p->surface);
    return cairo_surface_write_to_png_stream(p->surface, write_bytes, p->stream) == CAIRO_STATUS_SUCCESS;
}

static void destroy(void *self)
{
    png *p = self;
    cairo_destroy(p->cairo);
    cairo_surface_destroy(p->surface);
    free(p);
}

static const crn_canvas_ops png_ops = {path, circle, text, clip, unclip, finish, destroy};

/* White paper, points as unit, no hinting: text keeps the proportions it has in the SVG. */
static void prepare(cairo_t *cairo)
{
    cairo_scale(cairo, CRN_PNG_SCALE, CRN_PNG_SCALE);
    cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
    cairo_paint(cairo);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_BUTT);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(cairo, options);
    cairo_font_options_destroy(options);
}

bool crn_png_create(FILE *stream, double width, double height, crn_canvas *out)
{
    png *p = malloc(sizeof *p);
    if (p == NULL)
        return false;
    assert(width > 0.0 && height > 0.0);
    p->stream = stream;
    p->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)lround(width * CRN_PNG_SCALE),
                                            (int)lround(height * CRN_PNG_SCALE));
    p->cairo = cairo_create(p->surface);
    *out = (crn_canvas){.ops = &png_ops, .self = p, .width = width, .height = height};
    if (cairo_status(p->cairo) != CAIRO_STATUS_SUCCESS)
    {
        crn_canvas_destroy(out);
        return false;
    }
    prepare(p->cairo);
    return true;
}
