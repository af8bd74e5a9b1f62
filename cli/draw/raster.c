/* A small rasteriser. Each triangle is walked row by row over its bounding box; a sample within it, by the signs of the three
 * edge functions, takes the interpolated depth and light when it is nearer than what is there. Order does not matter, so
 * bodies may be of any size and may even cut through each other.
 */
#include "cli/draw/raster.h"
#include "cli/common/cli.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

void cli_raster_create(cli_raster *raster, int width, int height)
{
    assert(width > 0 && height > 0);
    *raster = (cli_raster){.width = CLI_RASTER_FINE * width, .height = CLI_RASTER_FINE * height};
    size_t samples = (size_t)raster->width * (size_t)raster->height;
    raster->depth = cli_allocate(samples, sizeof *raster->depth);
    raster->colour = cli_allocate(samples, sizeof *raster->colour);
    cli_raster_clear(raster);
}

void cli_raster_free(cli_raster *raster)
{
    free(raster->depth);
    free(raster->colour);
    *raster = (cli_raster){0};
}

void cli_raster_clear(cli_raster *raster)
{
    size_t samples = (size_t)raster->width * (size_t)raster->height;
    for (size_t i = 0; i < samples; ++i)
        raster->depth[i] = -INFINITY;
}

void cli_raster_flatten(cli_raster *raster)
{
    size_t samples = (size_t)raster->width * (size_t)raster->height;
    for (size_t i = 0; i < samples; ++i)
        raster->depth[i] = raster->depth[i] == -INFINITY ? -INFINITY : -FLT_MAX;
}

static void put(cli_raster *raster, int x, int y, double z, const double colour[3])
{
    size_t at = (size_t)y * (size_t)raster->width + (size_t)x;
    if (!((float)z > raster->depth[at]))
        return;
    raster->depth[at] = (float)z;
    for (int k = 0; k < 3; ++k)
        raster->colour[at][k] = (float)colour[k];
}

static double edge(const cli_raster_point *a, const cli_raster_point *b, double x, double y)
{
    return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

static int bound(double value, int most)
{
    return value < 0.0 ? 0 : value > most ? most : (int)value;
}

static bool usable(const cli_raster_point *p)
{
    return fabs(p->x) < 1e6 && fabs(p->y) < 1e6 && isfinite(p->z);
}

void cli_raster_triangle(cli_raster *raster, const cli_raster_point corner[3], cli_colour colour)
{
    cli_raster_point p[3];
    for (int i = 0; i < 3; ++i)
    {
        if (!usable(&corner[i]))
            return;
        p[i] = corner[i];
        p[i].x *= CLI_RASTER_FINE;
        p[i].y *= CLI_RASTER_FINE;
    }
    double area = edge(&p[0], &p[1], p[2].x, p[2].y);
    if (area == 0.0)
        return;
    int left = bound(fmin(p[0].x, fmin(p[1].x, p[2].x)) - 1.0, raster->width);
    int right = bound(fmax(p[0].x, fmax(p[1].x, p[2].x)) + 1.0, raster->width);
    int top = bound(fmin(p[0].y, fmin(p[1].y, p[2].y)) - 1.0, raster->height);
    int bottom = bound(fmax(p[0].y, fmax(p[1].y, p[2].y)) + 1.0, raster->height);
    for (int y = top; y < bottom; ++y)
        for (int x = left; x < right; ++x)
        {
            double w[3];
            for (int i = 0; i < 3; ++i)
                w[i] = edge(&p[(i + 1) % 3], &p[(i + 2) % 3], x + 0.5, y + 0.5) / area;
            if (w[0] < 0.0 || w[1] < 0.0 || w[2] < 0.0)
                continue;
            double light = w[0] * p[0].light + w[1] * p[1].light + w[2] * p[2].light;
            put(raster, x, y, w[0] * p[0].z + w[1] * p[1].z + w[2] * p[2].z,
                (double[3]){light * colour.r, light * colour.g, light * colour.b});
        }
}

/* A line is a strip of two triangles that face the eye. */
void cli_raster_line(cli_raster *raster, cli_raster_point a, cli_raster_point b, double thick, cli_colour colour)
{
    double dx = b.x - a.x, dy = b.y - a.y, length = hypot(dx, dy);
    if (!(length > 1e-9) || !usable(&a) || !usable(&b))
        return;
    double nx = -0.5 * thick * dy / length, ny = 0.5 * thick * dx / length;
    cli_raster_point q[4] = {{a.x + nx, a.y + ny, a.z, 1.0},
                             {a.x - nx, a.y - ny, a.z, 1.0},
                             {b.x - nx, b.y - ny, b.z, 1.0},
                             {b.x + nx, b.y + ny, b.z, 1.0}};
    cli_raster_triangle(raster, q, colour);
    cli_raster_triangle(raster, (cli_raster_point[3]){q[0], q[2], q[3]}, colour);
}

static unsigned char to_byte(double value)
{
    return (unsigned char)lround(255.0 * fmin(1.0, fmax(0.0, value)));
}

/* Sums over the samples of one pixel, and how many of them are covered. */
static int sum_samples(const cli_raster *raster, int x, int y, double sum[3])
{
    int covered = 0;
    sum[0] = sum[1] = sum[2] = 0.0;
    for (int j = 0; j < CLI_RASTER_FINE; ++j)
        for (int i = 0; i < CLI_RASTER_FINE; ++i)
        {
            size_t at = (size_t)(CLI_RASTER_FINE * y + j) * (size_t)raster->width + (size_t)(CLI_RASTER_FINE * x + i);
            if (raster->depth[at] == -INFINITY)
                continue;
            ++covered;
            for (int k = 0; k < 3; ++k)
                sum[k] += raster->colour[at][k];
        }
    return covered;
}

static const double SAMPLES = CLI_RASTER_FINE * CLI_RASTER_FINE;

static void lay_pixel(const cli_raster *raster, int x, int y, unsigned char *pixel)
{
    double sum[3];
    int covered = sum_samples(raster, x, y, sum);
    for (int k = 0; k < 3 && covered > 0; ++k) /* blue is the first byte */
        pixel[2 - k] = to_byte((sum[k] + (SAMPLES - covered) * pixel[2 - k] / 255.0) / SAMPLES);
}

void cli_raster_lay_over(const cli_raster *raster, unsigned char *pixels, int stride)
{
    for (int y = 0; y < raster->height / CLI_RASTER_FINE; ++y)
        for (int x = 0; x < raster->width / CLI_RASTER_FINE; ++x)
            lay_pixel(raster, x, y, pixels + (ptrdiff_t)y * stride + (ptrdiff_t)4 * x);
}

cli_image cli_raster_image(const cli_raster *raster)
{
    int width = raster->width / CLI_RASTER_FINE, height = raster->height / CLI_RASTER_FINE;
    cli_image image = {.width = width, .height = height, .stride = 4 * width};
    image.pixels = cli_allocate((size_t)height, (size_t)image.stride);
    for (int i = 0; i < width * height; ++i)
    {
        double sum[3];
        int covered = sum_samples(raster, i % width, i / width, sum);
        for (int k = 0; k < 3; ++k)
            image.pixels[4 * (size_t)i + 2 - (size_t)k] = to_byte(sum[k] / SAMPLES);
        image.pixels[4 * (size_t)i + 3] = to_byte(covered / SAMPLES);
    }
    return image;
}
