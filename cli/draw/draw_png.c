/* The PNG back end: the same calls on a cairo image, written out at the end or, for animations, kept in memory. */
#include "cli/common/cli.h"
#include "cli/draw/draw.h"

#include <assert.h>
#include <cairo.h>
#include <math.h>
#include <stdlib.h>

/* fontconfig, behind cairo's text, keeps its caches until the process ends: this tells leak checkers to ignore them. */
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
    return "leak:libfontconfig\nleak:^Fc\nleak:^IA__Fc\n"; /* as a shared library, or linked into the tool */
}
#endif

typedef struct png
{
    FILE *stream; /* NULL: the picture stays in memory */
    double scale; /* pixels per point */
    cairo_surface_t *surface;
    cairo_t *cairo;
} png;

static void set_colour(cairo_t *cairo, cli_colour c)
{
    cairo_set_source_rgba(cairo, c.r, c.g, c.b, c.a);
}

static void set_dash(cairo_t *cairo, cli_dash dash)
{
    static const double patterns[CLI_DASH_COUNT][4] = {{0}, {6, 3.5}, {1.6, 2.6}, {7, 3, 1.6, 3}};
    static const int lengths[CLI_DASH_COUNT] = {0, 2, 2, 4};
    cairo_set_dash(cairo, patterns[dash], lengths[dash], 0.0);
}

/* Fill and stroke the current path. */
static void paint(cairo_t *cairo, const cli_style *style)
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

static void path(void *self, const cli_point *points, int count, bool closed, const cli_style *style)
{
    cairo_t *cairo = ((png *)self)->cairo;
    cairo_move_to(cairo, points[0].x, points[0].y);
    for (int i = 1; i < count; ++i)
        cairo_line_to(cairo, points[i].x, points[i].y);
    if (closed)
        cairo_close_path(cairo);
    paint(cairo, style);
}

static void circle(void *self, cli_point centre, double radius, const cli_style *style)
{
    cairo_t *cairo = ((png *)self)->cairo;
    cairo_new_sub_path(cairo);
    cairo_arc(cairo, centre.x, centre.y, radius, 0.0, 2.0 * acos(-1.0));
    cairo_close_path(cairo);
    paint(cairo, style);
}

static void text(void *self, cli_point at, const cli_text_style *style, const char *utf8)
{
    cairo_t *cairo = ((png *)self)->cairo;
    cairo_text_extents_t extents;
    cairo_save(cairo);
    cairo_select_font_face(cairo, CLI_FONT, CAIRO_FONT_SLANT_NORMAL,
                           style->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, style->size);
    cairo_text_extents(cairo, utf8, &extents);
    cairo_translate(cairo, at.x, at.y);
    if (style->upwards)
        cairo_rotate(cairo, -acos(0.0));
    double shift = style->anchor == CLI_START ? 0.0 : style->anchor == CLI_MIDDLE ? 0.5 : 1.0;
    cairo_move_to(cairo, -shift * extents.x_advance, 0.0);
    set_colour(cairo, style->colour);
    cairo_show_text(cairo, utf8);
    cairo_new_path(cairo);
    cairo_restore(cairo);
}

static bool image(void *self, cli_rect place, const cli_image *picture)
{
    cairo_t *cairo = ((png *)self)->cairo;
    cairo_surface_t *source = cairo_image_surface_create_for_data(picture->pixels, CAIRO_FORMAT_ARGB32, picture->width,
                                                                  picture->height, picture->stride);
    cairo_save(cairo);
    cairo_translate(cairo, place.x, place.y);
    cairo_scale(cairo, place.width / picture->width, place.height / picture->height);
    cairo_set_source_surface(cairo, source, 0.0, 0.0);
    cairo_paint(cairo);
    cairo_restore(cairo);
    cairo_surface_destroy(source);
    return true;
}

static void clip(void *self, cli_rect rect)
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
    return !p->stream || cairo_surface_write_to_png_stream(p->surface, write_bytes, p->stream) == CAIRO_STATUS_SUCCESS;
}

static void destroy(void *self)
{
    png *p = self;
    cairo_destroy(p->cairo);
    cairo_surface_destroy(p->surface);
    free(p);
}

static const cli_canvas_ops png_ops = {path, circle, text, image, clip, unclip, finish, destroy};

/* White paper, points as unit, no hinting: text keeps the proportions it has in the SVG. */
static void prepare(cairo_t *cairo, double scale)
{
    cairo_scale(cairo, scale, scale);
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

static bool create(FILE *stream, int width, int height, double scale, cli_canvas *out)
{
    png *p = cli_allocate(1, sizeof *p);
    assert(width > 0 && height > 0 && scale > 0.0);
    *p = (png){.stream = stream, .scale = scale};
    p->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    p->cairo = cairo_create(p->surface);
    *out = (cli_canvas){.ops = &png_ops, .self = p, .width = width / scale, .height = height / scale};
    if (cairo_status(p->cairo) != CAIRO_STATUS_SUCCESS)
    {
        cli_canvas_destroy(out);
        return false;
    }
    prepare(p->cairo, scale);
    return true;
}

bool cli_png_create(FILE *stream, double width, double height, cli_canvas *out)
{
    bool made =
        create(stream, (int)lround(width * CLI_PNG_SCALE), (int)lround(height * CLI_PNG_SCALE), CLI_PNG_SCALE, out);
    if (made)
    {
        out->width = width;
        out->height = height;
    }
    return made;
}

bool cli_image_create(int width, int height, double scale, cli_canvas *out)
{
    return create(NULL, width, height, scale, out);
}

void cli_image_clear(cli_canvas *canvas)
{
    cairo_t *cairo = ((png *)canvas->self)->cairo;
    cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
    cairo_paint(cairo);
}

cli_image cli_image_begin(cli_canvas *canvas)
{
    cairo_surface_t *surface = ((png *)canvas->self)->surface;
    cairo_surface_flush(surface);
    return (cli_image){.pixels = cairo_image_surface_get_data(surface),
                       .stride = cairo_image_surface_get_stride(surface),
                       .width = cairo_image_surface_get_width(surface),
                       .height = cairo_image_surface_get_height(surface)};
}

void cli_image_end(cli_canvas *canvas)
{
    cairo_surface_mark_dirty(((png *)canvas->self)->surface);
}

unsigned char *cli_image_encode(const cli_image *picture, bool covered, size_t *size)
{
    char *bytes = NULL;
    FILE *memory = open_memstream(&bytes, size);
    if (!memory)
        return NULL;
    cairo_surface_t *part =
        cairo_image_surface_create_for_data(picture->pixels, covered ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24,
                                            picture->width, picture->height, picture->stride);
    bool written = cairo_surface_write_to_png_stream(part, write_bytes, memory) == CAIRO_STATUS_SUCCESS;
    cairo_surface_destroy(part);
    if (fclose(memory) == 0 && written)
        return (unsigned char *)bytes;
    free(bytes);
    return NULL;
}
