/* The SVG back end: each call becomes one element, written at once. Colours, widths and dashes are plain attributes so
 * that every viewer, editor and TeX converter reads them. */
#include "cli/common/cli.h"
#include "cli/common/html.h"
#include "cli/draw/draw.h"

#include "cli/view/view_bytes.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

typedef struct svg
{
    FILE *stream;
    int clip_count;
} svg;

/* A coordinate to a hundredth of a point, without trailing zeros. */
static void put_number(FILE *stream, double x)
{
    assert(isfinite(x));
    long hundredths = lround(x * 100.0);
    long whole = labs(hundredths) / 100, rest = labs(hundredths) % 100;
    const char *sign = hundredths < 0 ? "-" : "";
    if (rest == 0)
        fprintf(stream, "%s%ld", sign, whole);
    else if (rest % 10 == 0)
        fprintf(stream, "%s%ld.%ld", sign, whole, rest / 10);
    else
        fprintf(stream, "%s%ld.%02ld", sign, whole, rest);
}

static void put_attribute(FILE *stream, const char *name, double x)
{
    fprintf(stream, " %s=\"", name);
    put_number(stream, x);
    fputc('"', stream);
}

static void put_colour(FILE *stream, const char *name, cli_colour c)
{
    if (c.a <= 0.0)
    {
        fprintf(stream, " %s=\"none\"", name);
        return;
    }
    fprintf(stream, " %s=\"#%02lX%02lX%02lX\"", name, lround(c.r * 255), lround(c.g * 255), lround(c.b * 255));
    if (c.a < 1.0)
        fprintf(stream, " %s-opacity=\"%.3g\"", name, c.a);
}

static void put_style(FILE *stream, const cli_style *style)
{
    static const char *const dashes[CLI_DASH_COUNT] = {"", "6 3.5", "1.6 2.6", "7 3 1.6 3"};
    put_colour(stream, "fill", style->fill);
    if (style->stroke.a > 0.0)
    {
        put_colour(stream, "stroke", style->stroke);
        put_attribute(stream, "stroke-width", style->width);
        if (style->dash != CLI_SOLID)
            fprintf(stream, " stroke-dasharray=\"%s\"", dashes[style->dash]);
    }
}

static void path(void *self, const cli_point *points, int count, bool closed, const cli_style *style)
{
    FILE *stream = ((svg *)self)->stream;
    fprintf(stream, "<%s points=\"", closed ? "polygon" : "polyline");
    for (int i = 0; i < count; ++i)
    {
        if (i > 0)
            fputc(i % 16 == 0 ? '\n' : ' ', stream);
        put_number(stream, points[i].x);
        fputc(',', stream);
        put_number(stream, points[i].y);
    }
    fputc('"', stream);
    put_style(stream, style);
    fputs("/>\n", stream);
}

static void circle(void *self, cli_point centre, double radius, const cli_style *style)
{
    FILE *stream = ((svg *)self)->stream;
    fputs("<circle", stream);
    put_attribute(stream, "cx", centre.x);
    put_attribute(stream, "cy", centre.y);
    put_attribute(stream, "r", radius);
    put_style(stream, style);
    fputs("/>\n", stream);
}

static void text(void *self, cli_point at, const cli_text_style *style, const char *utf8)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    FILE *stream = ((svg *)self)->stream;
    fputs("<text", stream);
    put_attribute(stream, "x", at.x);
    put_attribute(stream, "y", at.y);
    put_attribute(stream, "font-size", style->size);
    put_colour(stream, "fill", style->colour);
    if (style->anchor != CLI_START)
        fprintf(stream, " text-anchor=\"%s\"", anchors[style->anchor]);
    if (style->bold)
        fputs(" font-weight=\"bold\"", stream);
    if (style->upwards)
    {
        fputs(" transform=\"rotate(-90 ", stream);
        put_number(stream, at.x);
        fputc(' ', stream);
        put_number(stream, at.y);
        fputs(")\"", stream);
    }
    fputc('>', stream);
    cli_html_text(stream, utf8);
    fputs("</text>\n", stream);
}

/* As PNG within the file. */
static bool image(void *self, cli_rect place, const cli_image *picture)
{
    FILE *stream = ((svg *)self)->stream;
    size_t size;
    unsigned char *bytes = cli_image_encode(picture, true, &size);
    if (!bytes)
        return false;
    fputs("<image", stream);
    put_attribute(stream, "x", place.x);
    put_attribute(stream, "y", place.y);
    put_attribute(stream, "width", place.width);
    put_attribute(stream, "height", place.height);
    fputs(" href=\"data:image/png;base64,", stream);
    cli_base64_write(stream, bytes, size);
    fputs("\"/>\n", stream);
    free(bytes);
    return true;
}

static void clip(void *self, cli_rect rect)
{
    svg *s = self;
    int id = ++s->clip_count;
    fprintf(s->stream, "<clipPath id=\"clip%d\"><rect", id);
    put_attribute(s->stream, "x", rect.x);
    put_attribute(s->stream, "y", rect.y);
    put_attribute(s->stream, "width", rect.width);
    put_attribute(s->stream, "height", rect.height);
    fprintf(s->stream, "/></clipPath>\n<g clip-path=\"url(#clip%d)\">\n", id);
}

static void unclip(void *self)
{
    fputs("</g>\n", ((svg *)self)->stream);
}

static bool finish(void *self)
{
    fputs("</g>\n</svg>\n", ((svg *)self)->stream);
    return true; /* stream errors are the owner's to see */
}

static const cli_canvas_ops svg_ops = {path, circle, text, image, clip, unclip, finish, free};

bool cli_svg_create(FILE *stream, double width, double height, cli_canvas *out)
{
    svg *s = cli_allocate(1, sizeof *s);
    assert(width > 0.0 && height > 0.0);
    *s = (svg){.stream = stream};
    *out = (cli_canvas){.ops = &svg_ops, .self = s, .width = width, .height = height};
    fprintf(stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
            "width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n",
            width, height, width, height);
    fputs("<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n"
          "<g font-family=\"" CLI_FONT ", Verdana, sans-serif\" stroke-linejoin=\"round\" stroke-linecap=\"butt\">\n",
          stream);
    return true;
}
