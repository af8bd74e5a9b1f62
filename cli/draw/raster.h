/* Shaded solids with hidden surfaces: triangles and lines into a buffer of depths, laid over a picture at the end. */
#ifndef CLI_DRAW_RASTER_H
#define CLI_DRAW_RASTER_H

#include "cli/draw/draw.h"

#include <stdint.h>

enum
{
    CLI_RASTER_FINE = 2, /* samples a pixel, each way, for smooth edges */
};

typedef struct cli_raster
{
    int width, height; /* samples */
    float *depth;      /* towards the eye; -infinity: nothing there */
    float (*colour)[3];
} cli_raster;

/* x, y in pixels of the picture, y down; z in any unit, towards the eye. */
typedef struct cli_raster_point
{
    double x, y, z;
    double light; /* 0..1 */
} cli_raster_point;

/* A buffer for a picture of this many pixels. */
void cli_raster_create(cli_raster *raster, int width, int height);
void cli_raster_free(cli_raster *raster);
void cli_raster_clear(cli_raster *raster);
/* Keep what was drawn as a background: all that follows covers it. */
void cli_raster_flatten(cli_raster *raster);

void cli_raster_triangle(cli_raster *raster, const cli_raster_point corner[3], cli_colour colour);
/* `thick` pixels wide. */
void cli_raster_line(cli_raster *raster, cli_raster_point a, cli_raster_point b, double thick, cli_colour colour);

/* Lay what was drawn over 32-bit pixels (blue, green, red, unused), `stride` bytes per row. */
void cli_raster_lay_over(const cli_raster *raster, unsigned char *pixels, int stride);

/* The same as an image of its own: the fourth byte is how far a pixel is covered, and the others are multiplied by it. The
 * caller frees the pixels. */
cli_image cli_raster_image(const cli_raster *raster);

#endif
