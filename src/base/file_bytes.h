/* Whole files: read at once, replaced at once. */
#ifndef CRN_BASE_FILE_BYTES_H
#define CRN_BASE_FILE_BYTES_H

#include "base/context.h"

/* The bytes of a regular file, to be freed by the caller. CAIRN_IO or CAIRN_NO_MEMORY with a message. */
cairn_status crn_read_file(cairn_context *context, const char *path, void **bytes, size_t *size);

/* All of the bytes under `path`, or what was there before: written beside it, synchronised, then renamed. */
cairn_status crn_replace_file(cairn_context *context, const char *path, const void *bytes, size_t size);

#endif
