/* The drawing layer: paths, circles, text and clipping on a canvas, with two back ends that look the same: SVG text and
 * PNG through cairo. Lengths are in points, x to the right and y down from the top left corner; a PNG has
 * CRN_PNG_SCALE pixels a point. A canvas writes to a stream that its owner opened (see crn_drawing for whole files).
 */
#ifndef CLI_DRAW_H
#define CLI_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define CRN_PNG_SCALE 2.0
#define CRN_FONT      "DejaVu Sans"

typedef struct crn_point
{
    double x, y;
} crn_point;

typedef struct crn_rect
{
    double x, y, width, height;
} crn_rect;

/* Each 0..1; alpha 0 means: do not draw. */
typedef struct crn_colour
{
    double r, g, b, a;
} crn_colour;

typedef enum crn_dash
{
    CRN_SOLID = 0,
    CRN_DASHED,
    CRN_DOTTED,
    CRN_DASH_DOT,
    CRN_DASH_COUNT,
} crn_dash;

typedef struct crn_style
{
    crn_colour stroke;
    double width;
    crn_dash dash;
    crn_colour fill;
} crn_style;

typedef enum crn_anchor
{
    CRN_START = 0,
    CRN_MIDDLE,
    CRN_END,
} crn_anchor;

typedef struct crn_text_style
{
    double size;
    crn_anchor anchor;
    crn_colour colour;
    bool bold;
    bool upwards; /* turned by a quarter, reading from bottom to top */
} crn_text_style;

/* Pixels of 4 bytes: blue, green, red, and one that is unused or, in pictures to lay over others, how far the pixel is covered,
 * with the colours multiplied by it. */
typedef struct crn_image
{
    unsigned char *pixels;
    int stride; /* bytes a row */
    int width, height;
} crn_image;

/* What a back end must do. Points are finite and moderate, text is valid UTF-8 of one line. */
typedef struct crn_canvas_ops
{
    void (*path)(void *self, const crn_point *points, int count, bool closed, const crn_style *style);
    void (*circle)(void *self, crn_point centre, double radius, const crn_style *style);
    void (*text)(void *self, crn_point at, const crn_text_style *style, const char *utf8);
    bool (*image)(void *self, crn_rect place, const crn_image *image); /* false when memory ran out */
    void (*clip)(void *self, crn_rect rect);
    void (*unclip)(void *self);
    bool (*finish)(void *self); /* write what is left; false when the picture could not be made */
    void (*destroy)(void *self);
} crn_canvas_ops;

typedef struct crn_canvas
{
    const crn_canvas_ops *ops;
    void *self;
    double width, height;
    int clips;          /* clips that are open */
    crn_point *scratch; /* for bounded copies of paths */
    int scratch_capacity;
    bool failed; /* memory ran out on the way */
} crn_canvas;

crn_colour crn_rgb(int hex);
crn_colour crn_fade(crn_colour colour, double amount); /* towards white: 1 keeps the colour, 0 is white */
crn_colour crn_palette(int index);                     /* Okabe and Ito's colours, readable by the colour-blind */
crn_style crn_stroke(crn_colour colour, double width);
crn_style crn_fill(crn_colour colour);

void crn_draw_path(crn_canvas *canvas, const crn_point *points, int count, bool closed, crn_style style);
void crn_draw_line(crn_canvas *canvas, double x0, double y0, double x1, double y1, crn_style style);
void crn_draw_rect(crn_canvas *canvas, crn_rect rect, crn_style style);
void crn_draw_circle(crn_canvas *canvas, crn_point centre, double radius, crn_style style);
void crn_draw_text(crn_canvas *canvas, double x, double y, crn_text_style style, const char *text);
/* Lay an image with a fourth byte over the picture. */
void crn_draw_image(crn_canvas *canvas, crn_rect place, const crn_image *image);
void crn_draw_clip(crn_canvas *canvas, crn_rect rect);
void crn_draw_unclip(crn_canvas *canvas);

/* Width of a text in points, from the advance widths of the font; good to a few per cent in any other. */
double crn_text_width(const char *text, double size);

/* A copy of `text` that is valid UTF-8 without control characters; at most `size` bytes with the closing zero. */
void crn_text_clean(const char *text, char *out, size_t size);

/* Back ends: false when memory ran out. The stream stays the caller's. */
bool crn_svg_create(FILE *stream, double width, double height, crn_canvas *out);
bool crn_png_create(FILE *stream, double width, double height, crn_canvas *out);
/* A picture in memory, of so many pixels and `scale` of them a point. */
bool crn_image_create(int width, int height, double scale, crn_canvas *out);
void crn_image_clear(crn_canvas *canvas); /* white again */

/* The pixels of a picture in memory, to read or change until the matching end. */
crn_image crn_image_begin(crn_canvas *canvas);
void crn_image_end(crn_canvas *canvas);
/* Write an image, or a part of one, as PNG, with or without its fourth byte. */
bool crn_image_encode(const crn_image *image, bool covered, FILE *stream);

bool crn_canvas_finish(crn_canvas *canvas);
void crn_canvas_destroy(crn_canvas *canvas);

/* A picture file on its way: drawn into a temporary file beside it, renamed when it is whole. */
typedef struct crn_drawing
{
    crn_canvas canvas;
    FILE *stream;
    char *path, *temporary;
} crn_drawing;

/* True for a name that ends in .svg or .png. */
bool crn_drawing_name_ok(const char *path);
/* Both return an exit status: 0, 1 (writing failed) or 2 (the place cannot be written), after a sentence on stderr. */
int crn_drawing_open(crn_drawing *drawing, const char *path, double width, double height);
int crn_drawing_close(crn_drawing *drawing);
/* Give up: the temporary file is removed. */
void crn_drawing_abandon(crn_drawing *drawing);

#endif
