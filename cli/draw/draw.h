/* The drawing layer: paths, circles, text and clipping on a canvas, with two back ends that look the same: SVG text and
 * PNG through cairo. Lengths are in points, x to the right and y down from the top left corner; a PNG has
 * CLI_PNG_SCALE pixels per point. A canvas writes to a stream that its owner opened (see cli_drawing for whole files).
 */
#ifndef CLI_DRAW_DRAW_H
#define CLI_DRAW_DRAW_H

#include "cli/common/out_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define CLI_PNG_SCALE 2.0
#define CLI_FONT      "DejaVu Sans"

typedef struct cli_point
{
    double x, y;
} cli_point;

typedef struct cli_rect
{
    double x, y, width, height;
} cli_rect;

/* Each 0..1; alpha 0 means: do not draw. */
typedef struct cli_colour
{
    double r, g, b, a;
} cli_colour;

typedef enum cli_dash
{
    CLI_SOLID = 0,
    CLI_DASHED,
    CLI_DOTTED,
    CLI_DASH_DOT,
    CLI_DASH_COUNT,
} cli_dash;

typedef struct cli_style
{
    cli_colour stroke;
    double width;
    cli_dash dash;
    cli_colour fill;
} cli_style;

typedef enum cli_anchor
{
    CLI_START = 0,
    CLI_MIDDLE,
    CLI_END,
} cli_anchor;

typedef struct cli_text_style
{
    double size;
    cli_anchor anchor;
    cli_colour colour;
    bool bold;
    bool upwards; /* turned by a quarter, reading from bottom to top */
} cli_text_style;

/* Pixels of 4 bytes: blue, green, red, and one that is unused or, in pictures to lay over others, how far the pixel is covered,
 * with the colours multiplied by it. */
typedef struct cli_image
{
    unsigned char *pixels;
    int stride; /* bytes per row */
    int width, height;
} cli_image;

/* What a back end must do. Points are finite and moderate, text is valid UTF-8 of one line. */
typedef struct cli_canvas_ops
{
    void (*path)(void *self, const cli_point *points, int count, bool closed, const cli_style *style);
    void (*circle)(void *self, cli_point centre, double radius, const cli_style *style);
    void (*text)(void *self, cli_point at, const cli_text_style *style, const char *utf8);
    bool (*image)(void *self, cli_rect place, const cli_image *image); /* false when it cannot be encoded */
    void (*clip)(void *self, cli_rect rect);
    void (*unclip)(void *self);
    bool (*finish)(void *self); /* write what is left; false when the picture could not be made */
    void (*destroy)(void *self);
} cli_canvas_ops;

typedef struct cli_canvas
{
    const cli_canvas_ops *ops;
    void *self;
    double width, height;
    int clips;          /* clips that are open */
    cli_point *scratch; /* for bounded copies of paths */
    int scratch_capacity;
    bool failed; /* an image could not be encoded */
} cli_canvas;

cli_colour cli_rgb(int hex);
cli_colour cli_fade(cli_colour colour, double amount); /* towards white: 1 keeps the colour, 0 is white */
cli_colour cli_palette(int index);                     /* Okabe and Ito's colours, readable by the colour-blind */
cli_style cli_stroke(cli_colour colour, double width);
cli_style cli_fill(cli_colour colour);

void cli_draw_path(cli_canvas *canvas, const cli_point *points, int count, bool closed, cli_style style);
void cli_draw_line(cli_canvas *canvas, double x0, double y0, double x1, double y1, cli_style style);
void cli_draw_rect(cli_canvas *canvas, cli_rect rect, cli_style style);
void cli_draw_circle(cli_canvas *canvas, cli_point centre, double radius, cli_style style);
void cli_draw_text(cli_canvas *canvas, double x, double y, cli_text_style style, const char *text);
/* Lay an image with a fourth byte over the picture. */
void cli_draw_image(cli_canvas *canvas, cli_rect place, const cli_image *image);
void cli_draw_clip(cli_canvas *canvas, cli_rect rect);
void cli_draw_unclip(cli_canvas *canvas);

/* Width of a text in points, from the advance widths of the font; good to a few per cent in any other. */
double cli_text_width(const char *text, double size);

/* A copy of `text` that is valid UTF-8 without control characters; at most `size` bytes with the closing zero. */
void cli_text_clean(const char *text, char *out, size_t size);

/* Back ends: false when memory ran out. The stream stays the caller's. */
bool cli_svg_create(FILE *stream, double width, double height, cli_canvas *out);
bool cli_png_create(FILE *stream, double width, double height, cli_canvas *out);
/* A picture in memory, of so many pixels and `scale` of them a point. */
bool cli_image_create(int width, int height, double scale, cli_canvas *out);
void cli_image_clear(cli_canvas *canvas); /* white again */

/* The pixels of a picture in memory, to read or change until the matching end. */
cli_image cli_image_begin(cli_canvas *canvas);
void cli_image_end(cli_canvas *canvas);
/* An image, or a part of one, as PNG, with or without its fourth byte. The caller frees the bytes; NULL: it cannot be encoded. */
unsigned char *cli_image_encode(const cli_image *image, bool covered, size_t *size);

bool cli_canvas_finish(cli_canvas *canvas);
void cli_canvas_destroy(cli_canvas *canvas);

/* A picture file that is being drawn. */
typedef struct cli_drawing
{
    cli_canvas canvas;
    cli_out_file file;
} cli_drawing;

/* True for a name that ends in .svg or .png. */
bool cli_drawing_name_ok(const char *path);
/* Both return an exit status: 0, 1 (writing failed) or 2 (the place cannot be written), after a sentence on stderr. */
int cli_drawing_open(cli_drawing *drawing, const char *path, double width, double height);
int cli_drawing_close(cli_drawing *drawing);
/* Give up: the temporary file is removed. */
void cli_drawing_abandon(cli_drawing *drawing);

#endif
