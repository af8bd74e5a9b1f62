/* What both back ends share: colours, bounded coordinates, clean text and its width. */
#include "cli/draw/draw.h"
#include "cli/common/cli.h"
#include "cli/common/json.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beyond this no renderer's fixed-point arithmetic is safe, and nothing is visible. */
#define LIMIT 1e6

cli_colour cli_rgb(int hex)
{
    return (cli_colour){((hex >> 16) & 255) / 255.0, ((hex >> 8) & 255) / 255.0, (hex & 255) / 255.0, 1.0};
}

cli_colour cli_fade(cli_colour colour, double amount)
{
    assert(amount >= 0.0 && amount <= 1.0);
    double white = 1.0 - amount;
    return (cli_colour){white + amount * colour.r, white + amount * colour.g, white + amount * colour.b, colour.a};
}

/* Okabe & Ito, "Color universal design", without black and with yellow, too light on white, at the end. */
cli_colour cli_palette(int index)
{
    static const int colours[] = {0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0xC9B800};
    int count = (int)(sizeof colours / sizeof colours[0]);
    assert(index >= 0);
    return cli_rgb(colours[index % count]);
}

cli_style cli_stroke(cli_colour colour, double width)
{
    return (cli_style){.stroke = colour, .width = width};
}

cli_style cli_fill(cli_colour colour)
{
    return (cli_style){.fill = colour};
}

static double bounded(double x)
{
    return x > LIMIT ? LIMIT : x < -LIMIT ? -LIMIT : x;
}

void cli_draw_path(cli_canvas *canvas, const cli_point *points, int count, bool closed, cli_style style)
{
    if (count < 2)
        return;
    if (count > canvas->scratch_capacity)
    {
        canvas->scratch_capacity = 2 * count;
        canvas->scratch = cli_resize(canvas->scratch, (size_t)canvas->scratch_capacity, sizeof *canvas->scratch);
    }
    for (int i = 0; i < count; ++i)
    {
        if (isnan(points[i].x) || isnan(points[i].y))
            return;
        canvas->scratch[i] = (cli_point){bounded(points[i].x), bounded(points[i].y)};
    }
    canvas->ops->path(canvas->self, canvas->scratch, count, closed, &style);
}

void cli_draw_line(cli_canvas *canvas, double x0, double y0, double x1, double y1, cli_style style)
{
    cli_point points[2] = {{x0, y0}, {x1, y1}};
    cli_draw_path(canvas, points, 2, false, style);
}

void cli_draw_rect(cli_canvas *canvas, cli_rect rect, cli_style style)
{
    double right = rect.x + rect.width, bottom = rect.y + rect.height;
    cli_point points[4] = {{rect.x, rect.y}, {right, rect.y}, {right, bottom}, {rect.x, bottom}};
    cli_draw_path(canvas, points, 4, true, style);
}

void cli_draw_circle(cli_canvas *canvas, cli_point centre, double radius, cli_style style)
{
    if (isnan(centre.x) || isnan(centre.y) || !(radius > 0.0))
        return;
    canvas->ops->circle(canvas->self, (cli_point){bounded(centre.x), bounded(centre.y)}, bounded(radius), &style);
}

void cli_draw_text(cli_canvas *canvas, double x, double y, cli_text_style style, const char *text)
{
    char clean[512];
    assert(isfinite(x) && isfinite(y) && style.size > 0.0);
    cli_text_clean(text, clean, sizeof clean);
    if (clean[0] != '\0')
        canvas->ops->text(canvas->self, (cli_point){x, y}, &style, clean);
}

void cli_draw_image(cli_canvas *canvas, cli_rect place, const cli_image *image)
{
    if (!canvas->ops->image(canvas->self, place, image))
        canvas->failed = true;
}

void cli_draw_clip(cli_canvas *canvas, cli_rect rect)
{
    ++canvas->clips;
    canvas->ops->clip(canvas->self, rect);
}

void cli_draw_unclip(cli_canvas *canvas)
{
    assert(canvas->clips > 0);
    canvas->clips--;
    canvas->ops->unclip(canvas->self);
}

void cli_text_clean(const char *text, char *out, size_t size)
{
    const unsigned char *in = (const unsigned char *)text;
    size_t used = 0;
    assert(size > 0);
    while (*in != '\0')
    {
        size_t length = cli_utf8_length(in);
        size_t wanted = length == 0 ? 1 : length;
        if (used + wanted >= size)
            break;
        if (length == 0)
            out[used] = '?';
        else if (length == 1 && (*in < 0x20 || *in == 0x7F))
            out[used] = ' ';
        else
            memcpy(out + used, in, length);
        used += wanted;
        in += wanted;
    }
    out[used] = '\0';
}

/* Advance widths of DejaVu Sans, thousandths of the size, from the space to the tilde. */
static const short advance[95] = {318,  401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
                                  636,  636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
                                  1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
                                  603,  787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
                                  500,  613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
                                  635,  635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838};

double cli_text_width(const char *text, double size)
{
    double width = 0.0;
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; ++c)
        if (*c >= 0x20 && *c < 0x7F)
            width += advance[*c - 0x20];
        else if (*c >= 0xC0) /* one lead byte a character outside ASCII, a middling width each */
            width += 650.0;
    return width * size / 1000.0;
}

bool cli_canvas_finish(cli_canvas *canvas)
{
    assert(canvas->clips == 0);
    return canvas->ops->finish(canvas->self) && !canvas->failed;
}

void cli_canvas_destroy(cli_canvas *canvas)
{
    if (canvas->ops)
        canvas->ops->destroy(canvas->self);
    free(canvas->scratch);
    *canvas = (cli_canvas){0};
}
