#include "cli/view/view_bytes.h"
#include "cli/common/cli.h"

#include <stdlib.h>
#include <string.h>

void cli_bytes_free(cli_bytes *bytes)
{
    free(bytes->data);
    *bytes = (cli_bytes){0};
}

void cli_bytes_put(cli_bytes *bytes, const void *data, size_t size)
{
    size_t need = bytes->size + size;
    if (need > bytes->capacity)
    {
        bytes->capacity = need + need / 2 + 64;
        bytes->data = cli_resize(bytes->data, bytes->capacity, 1);
    }
    if (size > 0)
        memcpy(bytes->data + bytes->size, data, size);
    bytes->size = need;
}

static void little(uint64_t value, int size, unsigned char *out)
{
    for (int i = 0; i < size; ++i)
        out[i] = (unsigned char)(value >> (8 * i));
}

void cli_bytes_u32(cli_bytes *bytes, uint32_t value)
{
    unsigned char out[4];
    little(value, 4, out);
    cli_bytes_put(bytes, out, sizeof out);
}

void cli_bytes_f32(cli_bytes *bytes, double value)
{
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    cli_bytes_u32(bytes, bits);
}

void cli_bytes_f64(cli_bytes *bytes, double value)
{
    uint64_t bits;
    unsigned char out[8];
    memcpy(&bits, &value, sizeof bits);
    little(bits, 8, out);
    cli_bytes_put(bytes, out, sizeof out);
}

void cli_bytes_f32_list(cli_bytes *bytes, const double *values, int count)
{
    for (int i = 0; i < count; ++i)
        cli_bytes_f32(bytes, values[i]);
}

void cli_bytes_set_u32(cli_bytes *bytes, size_t at, uint32_t value)
{
    if (at + 4 <= bytes->size)
        little(value, 4, bytes->data + at);
}

void cli_base64_write(FILE *stream, const unsigned char *data, size_t size)
{
    static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3)
    {
        size_t left = size - i;
        unsigned long word = (unsigned long)data[i] << 16 | (left > 1 ? (unsigned long)data[i + 1] << 8 : 0) |
                             (left > 2 ? data[i + 2] : 0);
        char four[4] = {LETTERS[word >> 18], LETTERS[word >> 12 & 63], '=', '='};
        four[2] = left > 1 ? LETTERS[word >> 6 & 63] : '=';
        four[3] = left > 2 ? LETTERS[word & 63] : '=';
        fwrite(four, 1, sizeof four, stream);
    }
}
