/* Whole files at once. */
#ifndef CRN_BASE_FILE_H
#define CRN_BASE_FILE_H

#include "base/context.h"

/* A pipe or a device may never answer: what a user names is read from any, what a file names from regular ones alone. */
typedef enum crn_file_kind
{
    CRN_FILE_ANY,
    CRN_FILE_REGULAR
} crn_file_kind;

/* The bytes of a file, at most `most` + 1, so that one that is too large is seen as such; to be freed by the caller. CAIRN_IO
 * or CAIRN_NO_MEMORY with a message that names the path. */
cairn_status crn_file_read(cairn_context *context, const char *path, crn_file_kind kind, size_t most, char **bytes,
                           size_t *length);

#endif
