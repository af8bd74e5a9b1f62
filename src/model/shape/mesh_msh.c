/* MSH, MuJoCo's own format of meshes: four whole numbers of 4 bytes, how many vertices, normals, texture coordinates and faces there are,
 * then their numbers of 4 bytes, x y z, x y z, u v, and three vertices from 0, all in the machine's order of bytes. It has no signature: it is
 * recognised by its length, which must be the one that its counts give. */
#include "model/shape/mesh_file.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum
{
    HEAD = 16
};

static bool sniff(const char *bytes, size_t length)
{
    int32_t n[4];
    uint64_t numbers = 0;
    if (length < HEAD)
        return false;
    memcpy(n, bytes, HEAD);
    static const unsigned EACH[4] = {3, 3, 2, 3};
    for (int i = 0; i < 4; ++i)
    {
        if (n[i] < 0)
            return false;
        numbers += EACH[i] * (uint64_t)n[i];
    }
    return n[0] > 0 && n[3] > 0 && length - HEAD == 4 * numbers;
}

static cairn_status load(void *out, const char *bytes, size_t length)
{
    crn_mesh_file *file = out;
    int32_t n[4], corner[3];
    (void)length;
    file->facets = true;
    memcpy(n, bytes, HEAD);
    const char *at = bytes + HEAD;
    for (int i = 0; i < n[0]; ++i, at += 12)
    {
        float x[3];
        memcpy(x, at, sizeof x);
        if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
            return crn_mesh_file_fail(file, 0, "vertex %d is not finite", i + 1);
        CRN_TRY(crn_mesh_file_add_vertex(file, (double[3]){x[0], x[1], x[2]}));
    }
    at += 12 * (size_t)n[1] + 8 * (size_t)n[2];
    for (int i = 0; i < n[3]; ++i, at += 12)
    {
        memcpy(corner, at, sizeof corner);
        for (int k = 0; k < 3; ++k)
            if (corner[k] < 0 || corner[k] >= n[0])
                return crn_mesh_file_fail(file, 0, "face %d: there is no vertex %d", i + 1, corner[k]);
        CRN_TRY(crn_mesh_file_add_triangle(file, (int[3]){corner[0], corner[1], corner[2]}, i + 1));
    }
    return crn_mesh_file_join(file);
}

const crn_importer crn_import_msh = {"MSH", sniff, load};
