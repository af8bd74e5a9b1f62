/* Bytes that grow, written little-endian whatever the machine is; and base64. */
#ifndef CLI_VIEW_BYTES_H
#define CLI_VIEW_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct crn_bytes
{
    unsigned char *data;
    size_t size, capacity;
    bool failed; /* memory ran out; what is put after that is dropped */
} crn_bytes;

void crn_bytes_free(crn_bytes *bytes);
void crn_bytes_put(crn_bytes *bytes, const void *data, size_t size);
void crn_bytes_u32(crn_bytes *bytes, uint32_t value);
void crn_bytes_f32(crn_bytes *bytes, double value);
void crn_bytes_f64(crn_bytes *bytes, double value);
void crn_bytes_f32_list(crn_bytes *bytes, const double *values, int count);
/* Overwrite four bytes that are there. */
void crn_bytes_set_u32(crn_bytes *bytes, size_t at, uint32_t value);

void crn_base64_write(FILE *stream, const unsigned char *data, size_t size);

#endif
