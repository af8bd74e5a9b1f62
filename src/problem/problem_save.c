/* Saving a one-step problem: an image is built in memory (hdf5_image.h) and written in one piece. No times are stored, so that
 * the same problem gives the same bytes.
 */
#include "base/context.h"
#include "base/file.h"
#include "base/hdf5_image.h"
#include "problem/problem_file.h"
#include "solve/auto/laws.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char UNITS[] = "SI: m, kg, s, N, rad";
static const char *const GROUPS[] = {"A", "G", "H", "R", "W"};

static bool put_text(hid_t object, const char *name, const char *text)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t type = H5Tcopy(H5T_C_S1);
    hid_t attribute = -1;
    if (H5Tset_size(type, strlen(text) + 1) >= 0)
        attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool done = attribute >= 0 && H5Awrite(attribute, type, text) >= 0;
    H5Aclose(attribute);
    H5Tclose(type);
    H5Sclose(space);
    return done;
}

static bool put_integer(hid_t object, const char *name, int value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT);
    bool done = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT, &value) >= 0;
    H5Aclose(attribute);
    H5Sclose(space);
    return done;
}

static bool put_head(hid_t file, const cairn_problem *problem)
{
    return put_text(file, "format", CRN_PROBLEM_FORMAT) && put_integer(file, "version", crn_problem_version(problem)) &&
           put_text(file, "units", UNITS) && put_integer(file, "dim", problem->dim) &&
           put_text(file, "law", crn_law_class_of(problem->law.kind)->name) &&
           put_integer(file, "directions", problem->law.directions);
}

/* The last group only where the compliance is sparse. */
static bool put_groups(hid_t file, bool sparse)
{
    hid_t plist = H5Pcreate(H5P_GROUP_CREATE);
    bool done = H5Pset_obj_track_times(plist, false) >= 0;
    for (size_t i = 0; done && i < sizeof GROUPS / sizeof GROUPS[0] - !sparse; ++i)
    {
        hid_t group = H5Gcreate2(file, GROUPS[i], H5P_DEFAULT, plist, H5P_DEFAULT);
        done = group >= 0;
        H5Gclose(group);
    }
    H5Pclose(plist);
    return done;
}

bool crn_put_array(hid_t file, const crn_problem_array *array, const void *data, size_t length)
{
    const int zero = 0; /* an empty list may come without its array of starts */
    data = !data && array->starts ? &zero : data;
    hsize_t extent = length;
    hid_t space = H5Screate_simple(1, &extent, NULL);
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    hid_t set = -1;
    if (H5Pset_obj_track_times(plist, false) >= 0)
        set = H5Dcreate2(file, array->path, crn_file_type(array->type), space, H5P_DEFAULT, plist, H5P_DEFAULT);
    bool done = set >= 0 && put_text(set, "unit", array->unit);
    if (done && length)
        done = data && H5Dwrite(set, crn_memory_type(array->type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    H5Dclose(set);
    H5Pclose(plist);
    H5Sclose(space);
    return done;
}

static size_t free_length(const cairn_problem *problem, int name)
{
    switch (name)
    {
    case CRN_BLOCK_START:
        return (size_t)problem->block_count + 1;
    case CRN_G_ROW_START:
        return (size_t)problem->G.item_count + 1;
    case CRN_H_ROW_START:
        return (size_t)problem->contact_count + 1;
    case CRN_R_PATCH_START:
        return (size_t)problem->patch_count + 1;
    default:
        break;
    }
    assert(name == CRN_R_VALUE);
    size_t end = 0;
    for (int k = 0; k < problem->patch_count; ++k)
        end = crn_patch_end(problem, k) > end ? crn_patch_end(problem, k) : end;
    return end;
}

static bool put_problem(hid_t file, const void *data)
{
    const cairn_problem *problem = data;
    size_t length[CRN_ARRAY_COUNT];
    bool done = put_head(file, problem) && put_groups(file, problem->W.block_count > 0);
    int count = problem->W.block_count > 0 ? CRN_ARRAY_COUNT : CRN_W_ROW_START; /* the last are those of W */
    for (int i = 0; done && i < count; ++i)
    {
        const crn_problem_array *array = &CRN_PROBLEM_ARRAYS[i];
        length[i] = array->length == CRN_FREE ? free_length(problem, i) : crn_ruled_length(problem, length, array);
        const void *values = crn_array_data(problem, array);
        done = (i >= CRN_FIRST_OPTIONAL && !values) || crn_put_array(file, array, values, length[i]);
    }
    return done && (!problem->bound || crn_bounds_save(file, problem));
}

cairn_status cairn_problem_save(cairn_context *context, const cairn_problem *problem, const char *path)
{
    if (!problem || !path)
        return crn_fail(context, CAIRN_INVALID, "saving a problem needs a problem and a path");
    if (!cairn_problem_is_valid(context, problem))
        return CAIRN_INVALID;
    crn_image built;
    if (!crn_image_build(&built, CRN_IMAGE_SEALED, put_problem, problem))
        return crn_fail(context, CAIRN_NO_MEMORY, "memory ran out while building '%s'", path);
    cairn_status status = crn_replace_file(context, path, built.bytes, built.size);
    free(built.bytes);
    return status;
}
