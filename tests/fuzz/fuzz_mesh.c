/* Any bytes as a file of triangles and as a file of heights: no crash, no hang, a refusal always says something, and what is
 * taken is a surface. */
#include "model/shape/mesh.h"
#include "model/shape/mesh_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        __builtin_trap();
}

/* Every neighbour has the edge the other way round. */
static void check_surface(const crn_mesh *mesh)
{
    int borders = 0;
    for (int i = 0; i < 3 * mesh->triangle_count; i++)
    {
        int other = mesh->neighbours[i], from = mesh->triangles[i], to = mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
        bool found = false;
        for (int k = 0; other >= 0 && k < 3; k++)
            found =
                found || (mesh->triangles[3 * other + k] == to && mesh->triangles[3 * other + (k + 1) % 3] == from &&
                          mesh->neighbours[3 * other + k] == i / 3);
        must(other < 0 || found);
        must(isfinite(mesh->normals[i]));
        borders += other < 0 ? 1 : 0;
    }
    must(mesh->closed == (borders == 0));
    must(!mesh->closed || crn_mesh_moments(mesh).volume > 0);
}

static void try_mesh(const crn_mesh_file *file, double weld)
{
    crn_mesh *mesh;
    crn_mesh_report report;
    crn_mesh_data from = {.vertices = file->vertices,
                          .vertex_count = file->vertex_count,
                          .triangles = file->triangles,
                          .triangle_count = file->triangle_count,
                          .weld = weld};
    cairn_status status = crn_mesh_create(&from, &report, &mesh);
    must((status == CAIRN_OK) == (mesh != NULL));
    must(status == CAIRN_NO_MEMORY || (status == CAIRN_OK) == (report.fault == CRN_MESH_SOUND));
    if (mesh != NULL)
        check_surface(mesh);
    crn_mesh_destroy(mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    crn_mesh_file file;
    crn_height_file heights;
    cairn_status status = crn_mesh_file_parse("fuzz", data, size, &file);
    must((status == CAIRN_INVALID) == (file.error[0] != '\0'));
    if (status == CAIRN_OK)
    {
        try_mesh(&file, 0);
        try_mesh(&file, 0.01);
    }
    crn_mesh_file_free(&file);
    status = crn_height_file_parse("fuzz", data, size, &heights);
    must((status == CAIRN_INVALID) == (heights.error[0] != '\0'));
    must(status != CAIRN_OK || (heights.rows >= 2 && heights.columns >= 2));
    crn_height_file_free(&heights);
    return 0;
}
