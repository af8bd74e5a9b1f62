/* Which format a file has. Bytes of STL are known by their length: 80 bytes of anything, a count, and 50 bytes a facet; text of
 * STL begins with "solid", as some files of bytes do; what else is text is OBJ.
 */
#include "model/shape/mesh_file.h"

#include "base/memory.h"
#include "model/shape/mesh.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum
{
    HEAD_BYTES = 84,
    FACET_BYTES = 50
};

cairn_status crn_mesh_file_fail(crn_mesh_file *file, int line, const char *format, ...)
{
    char sentence[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (line > 0)
        snprintf(file->error, sizeof file->error, "%.100s, line %d: %s", file->name, line, sentence);
    else
        snprintf(file->error, sizeof file->error, "%.100s: %s", file->name, sentence);
    return CAIRN_INVALID;
}

cairn_status crn_mesh_file_add_vertex(crn_mesh_file *file, const double x[3])
{
    if (file->vertex_count == 3 * CRN_MOST_TRIANGLES)
        return crn_mesh_file_fail(file, 0, "more than %d vertices", 3 * CRN_MOST_TRIANGLES);
    size_t need = 3 * (size_t)file->vertex_count + 3;
    if (crn_reserve(&file->vertices, &file->vertex_capacity, need, sizeof(double)))
        return CAIRN_NO_MEMORY;
    memcpy(file->vertices + need - 3, x, 3 * sizeof(double));
    ++file->vertex_count;
    return CAIRN_OK;
}

cairn_status crn_mesh_file_add_triangle(crn_mesh_file *file, const int corners[3], int place)
{
    if (file->triangle_count == CRN_MOST_TRIANGLES)
        return crn_mesh_file_fail(file, 0, "more than %d triangles", CRN_MOST_TRIANGLES);
    size_t need = 3 * (size_t)file->triangle_count + 3;
    if (crn_reserve(&file->triangles, &file->triangle_capacity, need, sizeof(int)) ||
        crn_reserve(&file->places, &file->place_capacity, need / 3, sizeof(int)))
        return CAIRN_NO_MEMORY;
    memcpy(file->triangles + need - 3, corners, 3 * sizeof(int));
    file->places[file->triangle_count++] = place;
    return CAIRN_OK;
}

static bool begins_solid(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length && strchr(" \t\r\n", text[at]) && text[at])
        ++at;
    return length - at >= 5 && strncasecmp(text + at, "solid", 5) == 0;
}

/* Whether the length is what the count of facets says. */
static bool fits(const unsigned char *bytes, size_t length)
{
    if (length < HEAD_BYTES)
        return false;
    size_t count = bytes[80] | (size_t)bytes[81] << 8 | (size_t)bytes[82] << 16 | (size_t)bytes[83] << 24;
    return length == HEAD_BYTES + FACET_BYTES * count;
}

/* STL writes a vertex again for each of its triangles. */
static cairn_status join_corners(crn_mesh_file *file)
{
    crn_mesh_data data = {.vertices = file->vertices,
                          .vertex_count = file->vertex_count,
                          .triangles = file->triangles,
                          .triangle_count = file->triangle_count};
    int *number = malloc((size_t)file->vertex_count * sizeof(int) + 1), count = 0;
    double *kept = malloc((size_t)file->vertex_count * 3 * sizeof(double) + 1);
    cairn_status status = number && kept ? crn_merge_vertices(&data, number, kept, &count) : CAIRN_NO_MEMORY;
    for (int i = 0; status == CAIRN_OK && i < 3 * file->triangle_count; ++i)
        file->triangles[i] = number[file->triangles[i]];
    if (status == CAIRN_OK && count > 0)
    {
        memcpy(file->vertices, kept, (size_t)count * 3 * sizeof(double));
        file->vertex_count = count;
    }
    free(number);
    free(kept);
    return status;
}

cairn_status crn_mesh_file_parse(const char *name, const void *bytes, size_t length, crn_mesh_file *out)
{
    *out = (crn_mesh_file){0};
    snprintf(out->name, sizeof out->name, "%s", name);
    if (length == 0)
        return crn_mesh_file_fail(out, 0, "the file is empty");
    if (length > CRN_MESH_FILE_BYTES)
        return crn_mesh_file_fail(out, 0, "the file is larger than %d bytes", CRN_MESH_FILE_BYTES);
    bool binary = fits(bytes, length) || memchr(bytes, '\0', length);
    if (!binary && !begins_solid(bytes, length))
        return crn_mesh_file_parse_obj(out, bytes, length);
    cairn_status status = (binary ? crn_mesh_file_parse_bytes : crn_mesh_file_parse_stl)(out, bytes, length);
    return status == CAIRN_OK ? join_corners(out) : status;
}

void crn_mesh_file_free(crn_mesh_file *file)
{
    free(file->vertices);
    free(file->triangles);
    free(file->places);
    *file = (crn_mesh_file){0};
}
