/* A file of which only a window is in memory, for files that are larger than what is left of it. */
#ifndef CRN_BASE_FILE_WINDOW_H
#define CRN_BASE_FILE_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
    CRN_WINDOW = 1 << 20 /* bytes */
};

typedef struct crn_file_window
{
    int descriptor; /* -1: closed */
    size_t size;    /* bytes of the file */
    unsigned char *bytes;
    size_t first, count; /* those of the file that `bytes` has */
} crn_file_window;

/* Regular files only. False: errno says why, 0 that it is none; then nothing is to be closed. */
bool crn_window_open(crn_file_window *window, const char *path);
/* Another window of the same file, which stays open if the first is closed, and has the same bytes if the name goes to another file. False: errno says why. */
bool crn_window_share(const crn_file_window *window, crn_file_window *out);
void crn_window_close(crn_file_window *window);
/* The bytes at a place of the file; false: it has fewer, or they could not be read. */
bool crn_window_read(void *window, size_t at, void *bytes, size_t size);
/* Continue a hash (base/hash.h) over some of them; false likewise. */
bool crn_window_hash(crn_file_window *window, size_t at, size_t size, uint64_t *hash);

#endif
