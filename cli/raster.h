/* Shaded solids with hidden surfaces: triangles and lines into a buffer of depths, laid over a picture at the end. */
#ifndef CLI_RASTER_H
#define CLI_RASTER_H

#include "draw.h"

#include <stdint.h>

enum
{
    CRN_RASTER_FINE = 2, /* samples a pixel, each way, for smooth edges */
};

typedef struct crn_raster
{
    int width, height; /* samples */
    float *depth;      /* towards the eye; -infinity: nothing there */
    float (*colour)[3];
} crn_raster;

/* x, y in pixels of the picture, y down; z in any unit, towards the eye. */
typedef struct crn_raster_point
{
    double x, y, z;
    double light; /* 0..1 */
} crn_raster_point;

/* A buffer for a picture of this many pixels. False when memory ran out. */
bool crn_raster_create(crn_raster *raster, int width, int height);
void crn_raster_free(crn_raster *raster);
void crn_raster_clear(crn_raster *raster);

void crn_raster_triangle(crn_raster *raster, const crn_raster_point corner[3], crn_colour colour);
/* `thick` pixels wide. */
void crn_raster_line(crn_raster *raster, crn_raster_point a, crn_raster_point b, double thick, crn_colour colour);

/* Lay what was drawn over 32-bit pixels (blue, green, red, unused), `stride` bytes a row. */
void crn_raster_lay_over(const crn_raster *raster, unsigned char *pixels, int stride);

/* The same as an image of its own: the fourth byte is how far a pixel is covered, and the others are multiplied by it. The
 * pixels are to be freed; NULL when memory ran out. */
crn_image crn_raster_image(const crn_raster *raster);

#endif
