/* Triangles from files: OBJ, STL as text or binary, and MSH, recognised by their contents; and heights from rows of text. */
#ifndef CRN_MODEL_SHAPE_MESH_FILE_H
#define CRN_MODEL_SHAPE_MESH_FILE_H

#include "base/importer.h"
#include "base/memory.h"

enum
{
    CRN_MESH_FILE_BYTES = 1 << 28 /* largest file */
};

typedef struct crn_mesh_file
{
    char name[256];
    double *vertices; /* x, y, z */
    int *triangles;   /* three vertices each, from 0 */
    int *places;      /* per triangle: its line in the file, or its facet counted from 1 */
    bool facets;      /* `places` are facets: the file is binary */
    int vertex_count, triangle_count;
    crn_arena memory; /* vertices, triangles, places */
    char error[384];  /* why the file cannot be read: a sentence that names file and line or facet */
} crn_mesh_file;

/* Fill `out`, which need not be initialised and must be freed whatever the status. `name` is used in messages.
 * CAIRN_INVALID with out->error, or CAIRN_NO_MEMORY. */
cairn_status crn_mesh_file_parse(const char *name, const void *bytes, size_t length, crn_mesh_file *out);
void crn_mesh_file_free(crn_mesh_file *file);

/* Rows of equally many numbers, one row per line; '#' begins a comment. */
typedef struct crn_height_file
{
    const char *name;
    double *heights;
    int columns, rows;
    size_t capacity;
    char error[384];
} crn_height_file;

cairn_status crn_height_file_parse(const char *name, const void *bytes, size_t length, crn_height_file *out);
void crn_height_file_free(crn_height_file *file);

/* One importer per format: triangles go into a crn_mesh_file, heights into a crn_height_file. */
extern const crn_importer crn_import_stl_bytes, crn_import_msh, crn_import_stl_text, crn_import_obj, crn_import_rows;

/* For the importers: add to the file, and finally merge coinciding vertices where a format repeats them. */
cairn_status crn_mesh_file_add_vertex(crn_mesh_file *file, const double x[3]);
cairn_status crn_mesh_file_add_triangle(crn_mesh_file *file, const int corners[3], int place);
cairn_status crn_mesh_file_join(crn_mesh_file *file);
/* Set file->error; line 0: none. Returns CAIRN_INVALID. */
cairn_status crn_mesh_file_fail(crn_mesh_file *file, int line, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#endif
