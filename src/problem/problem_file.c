#include "problem/problem_file.h"

#include <assert.h>
#include <string.h>

const crn_problem_array CRN_PROBLEM_ARRAYS[CRN_ARRAY_COUNT] = {
    [CRN_BLOCK_START] = {"block_start", "1", offsetof(cairn_problem, block_start), CRN_INDEX, true, CRN_FREE, 0, 0},
    [CRN_P] = {"p", "N s, N m s", offsetof(cairn_problem, p), CRN_REAL, false, CRN_LAST, CRN_BLOCK_START, 0},
    [CRN_A_ROW_START] = {"A/row_start", "1", offsetof(cairn_problem, A.row_start), CRN_INDEX, true, CRN_LIKE,
                         CRN_BLOCK_START, 0},
    [CRN_A_COLUMN] = {"A/column", "1", offsetof(cairn_problem, A.column), CRN_INDEX, false, CRN_LAST, CRN_A_ROW_START,
                      0},
    [CRN_A_VALUE_START] = {"A/value_start", "1", offsetof(cairn_problem, A.value_start), CRN_INDEX, true, CRN_LIKE,
                           CRN_A_COLUMN, 1},
    [CRN_A_VALUE] = {"A/value", "kg, kg m, kg m^2", offsetof(cairn_problem, A.value), CRN_REAL, false, CRN_LAST,
                     CRN_A_VALUE_START, 0},
    [CRN_G_ROW_START] = {"G/row_start", "1", offsetof(cairn_problem, G.row_start), CRN_INDEX, true, CRN_FREE, 0, 0},
    [CRN_G_ENTRY_START] = {"G/entry_start", "1", offsetof(cairn_problem, G.entry_start), CRN_INDEX, true, CRN_LIKE,
                           CRN_G_ROW_START, 0},
    [CRN_G_BLOCK] = {"G/block", "1", offsetof(cairn_problem, G.block), CRN_INDEX, false, CRN_LAST, CRN_G_ENTRY_START,
                     0},
    [CRN_G_VALUE_START] = {"G/value_start", "1", offsetof(cairn_problem, G.value_start), CRN_INDEX, true, CRN_LIKE,
                           CRN_G_BLOCK, 1},
    [CRN_G_VALUE] = {"G/value", "1, m", offsetof(cairn_problem, G.value), CRN_REAL, false, CRN_LAST, CRN_G_VALUE_START,
                     0},
    [CRN_G_COMPLIANCE] = {"G/R_c", "1/kg", offsetof(cairn_problem, R_c), CRN_REAL, false, CRN_LAST, CRN_G_ROW_START, 0},
    [CRN_G_BIAS] = {"G/b", "m/s", offsetof(cairn_problem, b), CRN_REAL, false, CRN_LAST, CRN_G_ROW_START, 0},
    [CRN_H_ROW_START] = {"H/row_start", "1", offsetof(cairn_problem, H.row_start), CRN_INDEX, true, CRN_FREE, 0, 0},
    [CRN_H_ENTRY_START] = {"H/entry_start", "1", offsetof(cairn_problem, H.entry_start), CRN_INDEX, true, CRN_LIKE,
                           CRN_H_ROW_START, 0},
    [CRN_H_BLOCK] = {"H/block", "1", offsetof(cairn_problem, H.block), CRN_INDEX, false, CRN_LAST, CRN_H_ENTRY_START,
                     0},
    [CRN_H_VALUE_START] = {"H/value_start", "1", offsetof(cairn_problem, H.value_start), CRN_INDEX, true, CRN_LIKE,
                           CRN_H_BLOCK, 1},
    [CRN_H_VALUE] = {"H/value", "1, m", offsetof(cairn_problem, H.value), CRN_REAL, false, CRN_LAST, CRN_H_VALUE_START,
                     0},
    [CRN_H_BIAS] = {"H/w", "m/s", offsetof(cairn_problem, w), CRN_REAL, false, CRN_LAST, CRN_H_ROW_START, 0},
    [CRN_H_FRICTION] = {"H/mu", "1", offsetof(cairn_problem, mu), CRN_REAL, false, CRN_LIKE, CRN_H_ROW_START, -1},
    [CRN_H_IDENTITY] = {"H/identity", "1", offsetof(cairn_problem, identity), CRN_IDENTITY, false, CRN_LIKE,
                        CRN_H_ROW_START, -1},
    [CRN_R_PATCH_START] = {"R/patch_start", "1", offsetof(cairn_problem, patch_start), CRN_INDEX, true, CRN_FREE, 0, 0},
    [CRN_R_START] = {"R/value_start", "1", offsetof(cairn_problem, R_start), CRN_INDEX, false, CRN_LIKE,
                     CRN_R_PATCH_START, -1},
    [CRN_R_VALUE] = {"R/value", "1/kg", offsetof(cairn_problem, R), CRN_REAL, false, CRN_FREE, 0, 0},
    [CRN_H_RADIUS] = {"H/radius", "N s", offsetof(cairn_problem, radius), CRN_REAL, false, CRN_LIKE, CRN_H_ROW_START,
                      -1},
    [CRN_H_WEIGHT] = {"H/weight", "1", offsetof(cairn_problem, weight), CRN_REAL, false, CRN_LIKE, CRN_H_ROW_START, -1},
    [CRN_G_WEIGHT] = {"G/weight", "1", offsetof(cairn_problem, joint_weight), CRN_REAL, false, CRN_LAST,
                      CRN_G_ROW_START, 0},
    [CRN_LENGTH] = {"length", "1, m", offsetof(cairn_problem, length), CRN_REAL, false, CRN_LAST, CRN_BLOCK_START, 0},
    [CRN_G_LENGTH] = {"G/length", "1, m", offsetof(cairn_problem, joint_length), CRN_REAL, false, CRN_LAST,
                      CRN_G_ROW_START, 0},
    [CRN_W_ROW_START] = {"W/row_start", "1", offsetof(cairn_problem, W.row_start), CRN_INDEX, true, CRN_LIKE,
                         CRN_H_ROW_START, 0},
    [CRN_W_COLUMN] = {"W/column", "1", offsetof(cairn_problem, W.column), CRN_INDEX, false, CRN_LAST, CRN_W_ROW_START,
                      0},
    [CRN_W_VALUE_START] = {"W/value_start", "1", offsetof(cairn_problem, W.value_start), CRN_INDEX, true, CRN_LIKE,
                           CRN_W_COLUMN, 1},
    [CRN_W_VALUE] = {"W/value", "1/kg", offsetof(cairn_problem, W.value), CRN_REAL, false, CRN_LAST, CRN_W_VALUE_START,
                     0},
};

int crn_problem_version(const cairn_problem *problem)
{
    return problem->W.block_count > 0 ? CRN_PROBLEM_VERSION : problem->bound ? 2 : 1;
}

const void *crn_array_data(const cairn_problem *problem, const crn_problem_array *array)
{
    void *data;
    memcpy(&data, (const char *)problem + array->offset, sizeof data);
    return data;
}

size_t crn_element_size(crn_element type)
{
    return type == CRN_INDEX ? sizeof(int) : type == CRN_REAL ? sizeof(double) : sizeof(uint64_t);
}

hid_t crn_file_type(crn_element type)
{
    return type == CRN_INDEX ? H5T_STD_I32LE : type == CRN_REAL ? H5T_IEEE_F64LE : H5T_STD_U64LE;
}

hid_t crn_memory_type(crn_element type)
{
    return type == CRN_INDEX ? H5T_NATIVE_INT : type == CRN_REAL ? H5T_NATIVE_DOUBLE : H5T_NATIVE_UINT64;
}

/* The last entry of an array of starts; a missing array stands for the single 0 of an empty list. */
static size_t last_start(const cairn_problem *problem, const size_t *length, int name)
{
    assert(CRN_PROBLEM_ARRAYS[name].starts && length[name] >= 1);
    const int *starts = crn_array_data(problem, &CRN_PROBLEM_ARRAYS[name]);
    return starts ? (size_t)starts[length[name] - 1] : 0;
}

size_t crn_ruled_length(const cairn_problem *problem, const size_t *length, const crn_problem_array *array)
{
    assert(array->of < (int)(array - CRN_PROBLEM_ARRAYS));
    assert(array->length != CRN_FREE);
    return array->length == CRN_LAST ? last_start(problem, length, array->of)
                                     : (size_t)((long long)length[array->of] + array->plus);
}

size_t crn_patch_end(const cairn_problem *problem, int k)
{
    assert(k >= 0 && k < problem->patch_count);
    assert(problem->patch_start[k] <= problem->patch_start[k + 1]);
    size_t rows = (size_t)(problem->patch_start[k + 1] - problem->patch_start[k]) * (size_t)problem->dim;
    return (size_t)problem->R_start[k] + rows * rows;
}
