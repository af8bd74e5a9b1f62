/* Whole files: read at once, replaced at once. */
#ifndef CRN_BASE_FILE_H
#define CRN_BASE_FILE_H

#include "base/context.h"

/* A pipe or a device may never answer. A path that the user gave may name one; a path found in a file must name a regular file. */
typedef enum crn_file_kind
{
    CRN_FILE_ANY,
    CRN_FILE_REGULAR
} crn_file_kind;

/* Read a file; the caller frees the bytes. At most `most` + 1 bytes are read, which is enough to see that a file is too large.
 * CAIRN_IO or CAIRN_NO_MEMORY with a message that names the path. */
cairn_status crn_file_read(cairn_context *context, const char *path, crn_file_kind kind, size_t most, char **bytes,
                           size_t *length);

/* Replace the file at `path`, or leave it as it was: the bytes are written to a file beside it, synchronised, and renamed. */
cairn_status crn_replace_file(cairn_context *context, const char *path, const void *bytes, size_t size);

/* The steps of a replacement, for files that are written in several steps. On failure errno is set; it is 0 when there is
 * something at the path that is not a regular file. */
/* Create a file beside `path` and return its descriptor; the caller frees its name. -1 and no name on failure. */
int crn_create_beside(const char *path, char **name);
bool crn_write_all(int descriptor, const void *bytes, size_t size);
/* Close the file. False when that fails or `good`, the success of the steps before, is false: errno is then theirs. */
bool crn_close_file(int descriptor, bool good);
/* The reason behind errno, for a message. */
const char *crn_file_error(int error);

#endif
