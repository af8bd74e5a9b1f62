/* The HDF5 operations that run files need. Each returns true when it succeeded.
 *
 * HDF5 prints its error stack to standard error by default. A library must not print, and must not change the caller's
 * setting either: crn_quiet_begin switches printing off for the length of a call, and crn_quiet_end restores the setting.
 */
#ifndef CRN_RUN_RUN_HDF5_H
#define CRN_RUN_RUN_HDF5_H

#include "base/memory.h"
#include "run/run_layout.h"

#include <hdf5.h>

enum
{
    CRN_RUN_END_AT = 28 /* where the superblock, of version 2 or 3 with addresses of 8 bytes, has the end of the file */
};

typedef struct crn_quiet
{
    H5E_auto2_t function;
    void *data;
} crn_quiet;

crn_quiet crn_quiet_begin(void);
void crn_quiet_end(crn_quiet before);

/* File access properties: the format of HDF5 1.10, whose metadata carry checksums, and no file locks, so that a reader never
 * stops the writer. */
hid_t crn_run_access(void);

/* The type of a column in memory, and its little-endian counterpart in the file. */
hid_t crn_run_memory_type(crn_run_type type);
hid_t crn_run_file_type(crn_run_type type, bool single);

bool crn_run_put_text_attribute(hid_t object, const char *name, const char *text);
bool crn_run_put_number_attribute(hid_t object, const char *name, double number);
bool crn_run_put_int_attribute(hid_t object, const char *name, int number);

/* Names as a table, of `size` bytes each; NULL: they are written later, and so are numbers. */
bool crn_run_put_table(hid_t file, const char *path, const char *table, size_t size, int count,
                       const char *description);
/* Create a list of `count` > 0 numbers. */
bool crn_run_put_numbers(hid_t file, const char *path, const double *numbers, int count, const char *unit,
                         const char *description);
/* Create a scalar string dataset of at least `size` bytes, and a list of `count` > 0 strings. */
bool crn_run_put_text(hid_t file, const char *path, const char *text, size_t size, const char *description);
bool crn_run_put_names(hid_t file, const char *path, const char *const *names, int count, const char *description);

struct cairn_recorder;
bool crn_run_put_joint_names(hid_t file, const struct cairn_recorder *recorder);
bool crn_run_put_sensor_names(hid_t file, const struct cairn_recorder *recorder);

/* Overwrite the text of a scalar string dataset in place; a longer text is truncated. */
bool crn_run_replace_text(hid_t file, const char *path, const char *text);

/* Strings of equal size: the i-th begins at first + i * stride and ends with 0. */
typedef struct crn_run_texts
{
    char *first;
    size_t stride;
    int count;
} crn_run_texts;

/* Both belong to the arena. NULL when the dataset is missing, not a string, or memory ran out. */
char *crn_run_get_text(hid_t file, const char *path, crn_arena *memory);
/* None when the dataset is missing. */
bool crn_run_get_names(hid_t file, const char *path, crn_arena *memory, crn_run_texts *names);
bool crn_run_get_int_attribute(hid_t object, const char *name, int *number);
/* Copy the text of an attribute into a buffer, truncated to fit. */
bool crn_run_get_text_attribute(hid_t object, const char *name, char *text, size_t size);

/* Extents of a dataset; rank 0 when it is not a simple one or has more than 3 axes. */
int crn_run_extents(hid_t dataset, hsize_t extents[3]);
/* Write or read `count` rows (first axis) from row `start` on. With `column` >= 0, read only this index of the second axis. */
bool crn_run_write_rows(hid_t dataset, hid_t type, hsize_t start, hsize_t count, const void *data);
/* Write `count` items of one row of several, from item `first` on. */
bool crn_run_write_part(hid_t dataset, hid_t type, hsize_t row, hsize_t first, hsize_t count, const void *data);
bool crn_run_read_rows(hid_t dataset, hid_t type, hsize_t start, hsize_t count, int column, void *data);

#endif
