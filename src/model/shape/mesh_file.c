/* Triangles from a file, by the importer that recognises it, and what the importers share. */
#include "model/shape/mesh_file.h"

#include "model/shape/mesh.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Binary formats before text, and last the format without a signature. */
static const crn_importer *const IMPORTERS[] = {&crn_import_msh, &crn_import_stl_bytes, &crn_import_stl_text,
                                                &crn_import_obj};

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
    CRN_TRY(crn_reserve_all(&file->memory, CRN_ARRAY(file->vertices, need)));
    memcpy(file->vertices + need - 3, x, 3 * sizeof(double));
    ++file->vertex_count;
    return CAIRN_OK;
}

cairn_status crn_mesh_file_add_triangle(crn_mesh_file *file, const int corners[3], int place)
{
    assert(corners[0] >= 0 && corners[1] >= 0 && corners[2] >= 0 && place > 0);
    if (file->triangle_count == CRN_MOST_TRIANGLES)
        return crn_mesh_file_fail(file, 0, "more than %d triangles", CRN_MOST_TRIANGLES);
    size_t need = 3 * (size_t)file->triangle_count + 3;
    CRN_TRY(crn_reserve_all(&file->memory, CRN_ARRAY(file->triangles, need), CRN_ARRAY(file->places, need / 3)));
    memcpy(file->triangles + need - 3, corners, 3 * sizeof(int));
    file->places[file->triangle_count++] = place;
    return CAIRN_OK;
}

cairn_status crn_mesh_file_join(crn_mesh_file *file)
{
    crn_mesh_data data = {.vertices = file->vertices,
                          .vertex_count = file->vertex_count,
                          .triangles = file->triangles,
                          .triangle_count = file->triangle_count};
    crn_arena scratch = {0};
    int *number = NULL, count = 0;
    double *kept = NULL;
    cairn_status status = crn_reserve_all(&scratch, CRN_ARRAY(number, file->vertex_count),
                                          CRN_ARRAY(kept, 3 * (size_t)file->vertex_count));
    status = status ? status : crn_merge_vertices(&data, number, kept, &count);
    for (int i = 0; status == CAIRN_OK && i < 3 * file->triangle_count; ++i)
        file->triangles[i] = number[file->triangles[i]];
    if (status == CAIRN_OK && count > 0)
    {
        memcpy(file->vertices, kept, (size_t)count * 3 * sizeof(double));
        file->vertex_count = count;
    }
    crn_arena_release(&scratch);
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
    int count = sizeof IMPORTERS / sizeof IMPORTERS[0];
    const crn_importer *importer = crn_importer_find(IMPORTERS, count, bytes, length);
    return importer ? importer->load(out, bytes, length)
                    : crn_mesh_file_fail(out, 0, "the file is neither STL nor OBJ");
}

void crn_mesh_file_free(crn_mesh_file *file)
{
    crn_arena_release(&file->memory);
    *file = (crn_mesh_file){0};
}
