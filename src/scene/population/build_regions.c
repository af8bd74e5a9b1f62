/* Regions of the world, in which grains are packed. */
#include "scene/build/build.h"
#include "scene/files.h"
#include "scene/population/population_fields.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static bool read_mesh(crn_reader *reader, const crn_node *node, const crn_region_record *record,
                      cairn_population_region *out)
{
    bool file = record->file.node, listed = record->vertices.node && record->triangles.node;
    if (file == listed || (file && (record->vertices.node || record->triangles.node)))
        return crn_problem_at(reader, node, "a mesh needs either 'vertices' and 'triangles' or 'file'");
    reader->field = file ? "file" : "triangles";
    const crn_scene_file *found = file ? crn_find_file(reader, record->file.node, false) : NULL;
    bool fine = file ? found != NULL
                     : crn_read_triangles(reader, record->triangles.node, record->vertices.count, &out->triangles,
                                          &out->triangle_count);
    reader->field = NULL;
    out->vertices = found ? found->mesh.vertices : record->vertices.values;
    out->vertex_count = found ? found->mesh.vertex_count : record->vertices.count;
    out->triangles = found ? found->mesh.triangles : out->triangles;
    out->triangle_count = found ? found->mesh.triangle_count : out->triangle_count;
    return fine;
}

static bool read_record(crn_reader *reader, const crn_node *node, cairn_population_region *out)
{
    static const cairn_region_kind KIND[] = {CAIRN_REGION_BOX, CAIRN_REGION_CYLINDER, CAIRN_REGION_MESH,
                                             CAIRN_REGION_CYLINDER};
    crn_region_record record;
    bool fine = crn_read_object(reader, &crn_region_object, node, &record);
    out->kind = KIND[record.type.index];
    out->angle = record.angle.value;
    out->radius = record.radius.value;
    out->height = record.height.value;
    memcpy(out->position, record.position.value, sizeof out->position);
    memcpy(out->size, record.size.value, sizeof out->size);
    if (record.orientation.node && reader->dimension != 0)
        fine = crn_read_orientation(reader, record.orientation.node, out->orientation) && fine;
    return fine && (record.type.index != CRN_WORD_MESH || read_mesh(reader, node, &record, out));
}

bool crn_read_region(crn_reader *reader, const crn_node *node, cairn_population_region *out)
{
    assert(!reader->field);
    char where[128];
    const char *outer = reader->where;
    snprintf(where, sizeof where, "%s, region", outer);
    reader->where = where;
    *out = (cairn_population_region){.kind = CAIRN_REGION_BOX};
    bool fine = read_record(reader, node, out);
    reader->where = outer;
    return fine;
}
