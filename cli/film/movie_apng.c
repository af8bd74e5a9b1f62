/* Animated PNG, which every browser plays: the pictures of an ordinary PNG one after another (the APNG chapter of the PNG
 * specification, third edition). The first is whole; of each other one only the rectangle that changed is stored.
 *
 *     signature, IHDR, acTL, then for each picture fcTL and its data: IDAT of the first, fdAT of the others; IEND
 *
 * Pictures are encoded by cairo, and their data chunks are taken over.
 */
#include "cli/film/movie.h"

#include "cli/common/cli.h"
#include "cli/common/out_file.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

typedef struct apng
{
    cli_out_file file;
    int width, height, delay; /* ms */
    uint32_t pictures, sequence;
    unsigned char *last; /* the picture before, rows without gaps */
} apng;

static void big_endian(unsigned char *out, uint32_t value)
{
    for (int i = 0; i < 4; ++i)
        out[i] = (unsigned char)(value >> (24 - 8 * i));
}

static uint32_t read_big_endian(const unsigned char *in)
{
    return (uint32_t)in[0] << 24 | (uint32_t)in[1] << 16 | (uint32_t)in[2] << 8 | in[3];
}

/* A chunk whose data come in two parts, the second perhaps none. */
static void put_chunk(apng *a, const char *kind, const unsigned char *head, size_t head_length,
                      const unsigned char *data, size_t length)
{
    unsigned char word[4];
    uLong sum = crc32_z(crc32_z(0, (const unsigned char *)kind, 4), head, head_length);
    big_endian(word, (uint32_t)(head_length + length));
    fwrite(word, 1, 4, a->file.stream);
    fwrite(kind, 1, 4, a->file.stream);
    fwrite(head, 1, head_length, a->file.stream);
    if (length > 0)
        fwrite(data, 1, length, a->file.stream);
    big_endian(word, (uint32_t)(length > 0 ? crc32_z(sum, data, length) : sum));
    fwrite(word, 1, 4, a->file.stream);
}

static void put_control(apng *a)
{
    unsigned char data[8];
    big_endian(data, a->pictures);
    big_endian(data + 4, 0); /* for ever */
    put_chunk(a, "acTL", data, sizeof data, NULL, 0);
}

static void put_head(apng *a)
{
    static const unsigned char SIGNATURE[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    unsigned char data[13] = {0};
    fwrite(SIGNATURE, 1, sizeof SIGNATURE, a->file.stream);
    big_endian(data, (uint32_t)a->width);
    big_endian(data + 4, (uint32_t)a->height);
    data[8] = 8; /* bits a channel */
    data[9] = 2; /* red, green, blue */
    put_chunk(a, "IHDR", data, sizeof data, NULL, 0);
    put_control(a);
}

static void put_frame_control(apng *a, int x, int y, int width, int height)
{
    unsigned char data[26] = {0};
    big_endian(data, a->sequence++);
    big_endian(data + 4, (uint32_t)width);
    big_endian(data + 8, (uint32_t)height);
    big_endian(data + 12, (uint32_t)x);
    big_endian(data + 16, (uint32_t)y);
    data[20] = (unsigned char)(a->delay >> 8);
    data[21] = (unsigned char)a->delay;
    data[22] = 1000 >> 8;
    data[23] = 1000 & 255;
    put_chunk(a, "fcTL", data, sizeof data, NULL, 0);
}

/* The data chunks of a PNG in memory. */
static void put_data(apng *a, const unsigned char *png, size_t size)
{
    for (size_t at = 8; at + 12 <= size;)
    {
        uint32_t length = read_big_endian(png + at);
        const unsigned char *kind = png + at + 4, *data = png + at + 8;
        unsigned char sequence[4];
        if (!memcmp(kind, "IDAT", 4) && a->pictures == 1)
            put_chunk(a, "IDAT", data, length, NULL, 0);
        else if (!memcmp(kind, "IDAT", 4))
        {
            big_endian(sequence, a->sequence++);
            put_chunk(a, "fdAT", sequence, 4, data, length);
        }
        at += 12 + length;
    }
}

/* The rectangle where a picture differs from the one before; a single pixel where it does not. */
static cli_image changed(const apng *a, const cli_image *image, int *x, int *y)
{
    int left = INT_MAX, right = -1, top = INT_MAX, bottom = -1;
    for (int j = 0; j < a->height; ++j)
    {
        const unsigned char *now = image->pixels + (ptrdiff_t)j * image->stride,
                            *old = a->last + (size_t)4 * j * a->width;
        if (!memcmp(now, old, (size_t)4 * a->width))
            continue;
        int first = 0, end = a->width - 1;
        while (!memcmp(now + 4 * first, old + 4 * first, 4))
            ++first;
        while (!memcmp(now + 4 * end, old + 4 * end, 4))
            end--;
        left = first < left ? first : left;
        right = end > right ? end : right;
        top = j < top ? j : top;
        bottom = j;
    }
    *x = right < 0 ? 0 : left;
    *y = right < 0 ? 0 : top;
    return (cli_image){.pixels = image->pixels + (ptrdiff_t)*y * image->stride + (ptrdiff_t)4 * *x,
                       .stride = image->stride,
                       .width = right < 0 ? 1 : right - left + 1,
                       .height = right < 0 ? 1 : bottom - top + 1};
}

static void keep(apng *a, const cli_image *image)
{
    for (int j = 0; j < a->height; ++j)
        memcpy(a->last + (size_t)4 * j * a->width, image->pixels + (ptrdiff_t)j * image->stride, (size_t)4 * a->width);
}

static bool add(void *self, const cli_image *image)
{
    apng *a = self;
    size_t size;
    int x = 0, y = 0;
    cli_image part = a->pictures == 0 ? *image : changed(a, image, &x, &y);
    unsigned char *bytes = cli_image_encode(&part, false, &size);
    if (!bytes)
        return cli_error("a picture of '%s' cannot be encoded", a->file.path);
    ++a->pictures;
    put_frame_control(a, x, y, part.width, part.height);
    put_data(a, bytes, size);
    keep(a, image);
    free(bytes);
    return true;
}

static void abandon(void *self)
{
    apng *a = self;
    cli_out_abandon(&a->file);
    free(a->last);
    free(a);
}

/* The number of pictures is known now and takes its place behind the header. */
static bool finish(void *self)
{
    apng *a = self;
    put_chunk(a, "IEND", (const unsigned char *)"", 0, NULL, 0);
    bool placed = fseek(a->file.stream, 8 + 12 + 13, SEEK_SET) == 0;
    put_control(a);
    bool good = cli_out_finish(&a->file) && placed;
    free(a->last);
    free(a);
    return good;
}

bool cli_apng_open(cli_movie_sink *sink, const char *path, int width, int height, double fps)
{
    apng *a = cli_allocate(1, sizeof *a);
    unsigned char *last = cli_allocate((size_t)4 * (size_t)width * (size_t)height, 1);
    *a = (apng){.width = width, .height = height, .delay = (int)fmax(1, round(1000 / fps)), .last = last};
    if (!cli_out_open(&a->file, path))
    {
        abandon(a);
        return false;
    }
    put_head(a);
    *sink = (cli_movie_sink){a, add, finish, abandon};
    return true;
}
