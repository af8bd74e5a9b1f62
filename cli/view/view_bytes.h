/* Bytes that grow, written little-endian whatever the machine is; and base64. */
#ifndef CLI_VIEW_VIEW_BYTES_H
#define CLI_VIEW_VIEW_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cli_bytes
{
    unsigned char *data;
    size_t size, capacity;
} cli_bytes;

void cli_bytes_free(cli_bytes *bytes);
void cli_bytes_put(cli_bytes *bytes, const void *data, size_t size);
void cli_bytes_u32(cli_bytes *bytes, uint32_t value);
void cli_bytes_f32(cli_bytes *bytes, double value);
void cli_bytes_f64(cli_bytes *bytes, double value);
void cli_bytes_f32_list(cli_bytes *bytes, const double *values, int count);
/* Overwrite four bytes that are there. */
void cli_bytes_set_u32(cli_bytes *bytes, size_t at, uint32_t value);

void cli_base64_write(FILE *stream, const unsigned char *data, size_t size);

#endif
