/* The layout of problem files: one table for saving, loading and checking (prose: docs/problem-file.md).
 *
 * The table lists every array of cairn_problem with its place in the file, its element type and the rule for its
 * length. A length is free, that of an earlier array, or the last entry of an earlier array of starts. So a file is checked
 * from front to back, and no entry is used before its array is known to be long enough.
 */
#ifndef CRN_PROBLEM_PROBLEM_FILE_H
#define CRN_PROBLEM_PROBLEM_FILE_H

#include "cairn/problem.h"

#include <hdf5.h>

#define CRN_PROBLEM_FORMAT  "cairn-problem"
#define CRN_PROBLEM_VERSION 3 /* the newest; crn_problem_version is that of a problem's file */

typedef enum crn_element
{
    CRN_INDEX = 0, /* int */
    CRN_REAL,      /* double */
    CRN_IDENTITY,  /* uint64_t */
} crn_element;

typedef enum crn_length_rule
{
    CRN_FREE = 0, /* any length */
    CRN_LIKE,     /* length of the array `of`, + `plus` */
    CRN_LAST,     /* last entry of the array of starts `of` */
} crn_length_rule;

enum crn_problem_array_name
{
    CRN_BLOCK_START,
    CRN_P,
    CRN_A_ROW_START,
    CRN_A_COLUMN,
    CRN_A_VALUE_START,
    CRN_A_VALUE,
    CRN_G_ROW_START,
    CRN_G_ENTRY_START,
    CRN_G_BLOCK,
    CRN_G_VALUE_START,
    CRN_G_VALUE,
    CRN_G_COMPLIANCE,
    CRN_G_BIAS,
    CRN_H_ROW_START,
    CRN_H_ENTRY_START,
    CRN_H_BLOCK,
    CRN_H_VALUE_START,
    CRN_H_VALUE,
    CRN_H_BIAS,
    CRN_H_FRICTION,
    CRN_H_IDENTITY,
    CRN_R_PATCH_START,
    CRN_R_START,
    CRN_R_VALUE,
    CRN_FIRST_OPTIONAL, /* from here on: omitted from the file when the problem has none */
    CRN_H_RADIUS = CRN_FIRST_OPTIONAL,
    CRN_H_WEIGHT,
    CRN_G_WEIGHT,
    CRN_LENGTH,
    CRN_G_LENGTH,
    CRN_W_ROW_START,
    CRN_W_COLUMN,
    CRN_W_VALUE_START,
    CRN_W_VALUE,
    CRN_ARRAY_COUNT
};

typedef struct crn_problem_array
{
    const char *path;
    const char *unit;
    size_t offset; /* of the pointer in cairn_problem */
    crn_element type;
    bool starts; /* never decreasing */
    crn_length_rule length;
    int of;
    int plus;
} crn_problem_array;

extern const crn_problem_array CRN_PROBLEM_ARRAYS[CRN_ARRAY_COUNT];

/* The file that a problem is loaded from, and the context for messages. */
typedef struct crn_problem_source
{
    cairn_context *context;
    const char *path;
    hid_t file;
    size_t size; /* bytes of the whole file */
} crn_problem_source;

/* The version a problem is written as: 3 with sparse compliance W, 2 with bounded rows, otherwise 1, which knows neither. */
int crn_problem_version(const cairn_problem *problem);

/* The array's data in a problem; may be NULL in a problem made by a caller. */
const void *crn_array_data(const cairn_problem *problem, const crn_problem_array *array);

size_t crn_element_size(crn_element type);
hid_t crn_file_type(crn_element type);
hid_t crn_memory_type(crn_element type);

/* The length that the rule of an array requires, given the arrays before it. Not for free lengths. */
size_t crn_ruled_length(const cairn_problem *problem, const size_t *length, const crn_problem_array *array);

/* Bounded rows are an array of structs in memory and four datasets in the file, in problem_bounds.c. Save: false on failure. */
bool crn_bounds_save(hid_t file, const cairn_problem *problem);
/* contact_count must be known. A file without these datasets has no bounded rows. */
cairn_status crn_bounds_load(const crn_problem_source *from, cairn_problem *problem);

/* Write a dataset, and read one into a new array, whose pointer is stored at array->offset of `into`. */
bool crn_put_array(hid_t file, const crn_problem_array *array, const void *data, size_t length);
cairn_status crn_get_array(const crn_problem_source *from, const crn_problem_array *array, void *into, size_t *length);

/* One past the last value of R that patch k uses. */
size_t crn_patch_end(const cairn_problem *problem, int k);

#endif
