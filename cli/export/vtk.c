/* The head of a file names every array and says where in the appended bytes it begins; there each array is its length in
 * bytes and its numbers as they lie in memory. So the arrays are listed once, written twice. */
#include "cli/export/vtk.h"

#include "cli/common/cli.h"
#include "cli/common/out_file.h"

#include <inttypes.h>
#include <string.h>

enum
{
    MOST_ARRAYS = 32,
};

static const struct
{
    const char *name;
    size_t size;
} TYPES[] = {
    {"Float64", sizeof(double)}, {"Int32", sizeof(int32_t)}, {"Int64", sizeof(int64_t)}, {"Float32", sizeof(float)}};

typedef struct writer
{
    FILE *stream;
    struct
    {
        const void *data;
        uint64_t bytes;
    } listed[MOST_ARRAYS];
    int count;
    uint64_t offset;
} writer;

static void head(writer *w, cli_vtk_array array, int64_t tuples)
{
    uint64_t bytes = (uint64_t)tuples * (uint64_t)array.components * TYPES[array.type].size;
    fprintf(w->stream,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%" PRIu64
            "\"/>\n",
            TYPES[array.type].name, array.name, array.components, w->offset);
    if (w->count < MOST_ARRAYS)
    {
        w->listed[w->count].data = array.data;
        w->listed[w->count++].bytes = bytes;
    }
    w->offset += sizeof bytes + bytes;
}

static void head_cells(writer *w, const char *kind, const cli_vtk_cells *cells)
{
    int64_t corners = cells->count > 0 ? cells->ends[cells->count - 1] : 0;
    fprintf(w->stream, "<%s>\n", kind);
    head(w, (cli_vtk_array){"connectivity", CLI_VTK_LONG, 1, cells->corners}, corners);
    head(w, (cli_vtk_array){"offsets", CLI_VTK_LONG, 1, cells->ends}, cells->count);
    fprintf(w->stream, "</%s>\n", kind);
}

static void head_data(writer *w, const char *kind, const cli_vtk_array *arrays, int count, int64_t tuples)
{
    fprintf(w->stream, "<%s>\n", kind);
    for (int i = 0; i < count; ++i)
        head(w, arrays[i], tuples);
    fprintf(w->stream, "</%s>\n", kind);
}

static const char *byte_order(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 1 ? "LittleEndian" : "BigEndian";
}

static void put_head(writer *w, const cli_vtk_piece *p)
{
    fprintf(w->stream,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"%s\" "
            "header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" "
            "NumberOfTuples=\"1\" format=\"ascii\">%.17g</DataArray>\n</FieldData>\n"
            "<Piece NumberOfPoints=\"%" PRId64 "\" NumberOfVerts=\"%" PRId64 "\" NumberOfLines=\"%" PRId64
            "\" NumberOfStrips=\"0\" NumberOfPolys=\"%" PRId64 "\">\n<Points>\n",
            byte_order(), p->time, p->point_count, p->dots.count, p->lines.count, p->polygons.count);
    head(w, (cli_vtk_array){"points", CLI_VTK_DOUBLE, 3, p->points}, p->point_count);
    fputs("</Points>\n", w->stream);
    head_cells(w, "Verts", &p->dots);
    head_cells(w, "Lines", &p->lines);
    head_cells(w, "Polys", &p->polygons);
    head_data(w, "PointData", p->point_data, p->point_arrays, p->point_count);
    head_data(w, "CellData", p->cell_data, p->cell_arrays, p->dots.count + p->lines.count + p->polygons.count);
    fputs("</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", w->stream);
}

bool cli_vtk_write(const char *path, const cli_vtk_piece *piece)
{
    cli_out_file file;
    if (!cli_out_open(&file, path))
        return false;
    writer w = {.stream = file.stream};
    put_head(&w, piece);
    for (int i = 0; i < w.count; ++i)
    {
        fwrite(&w.listed[i].bytes, sizeof w.listed[i].bytes, 1, w.stream);
        if (w.listed[i].bytes > 0)
            fwrite(w.listed[i].data, 1, w.listed[i].bytes, w.stream);
    }
    fputs("\n</AppendedData>\n</VTKFile>\n", w.stream);
    return cli_out_finish(&file);
}

bool cli_vtk_write_series(const char *path, const char *name, const double *times, int64_t count)
{
    cli_out_file file;
    if (!cli_out_open(&file, path))
        return false;
    fprintf(file.stream,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"%s\">\n<Collection>\n",
            byte_order());
    for (int64_t i = 0; i < count; ++i)
    {
        fprintf(file.stream, "<DataSet timestep=\"%.17g\" group=\"\" part=\"0\" file=\"%s_%06" PRId64 ".vtp\"/>\n",
                times[i], name, i);
    }
    fputs("</Collection>\n</VTKFile>\n", file.stream);
    return cli_out_finish(&file);
}
