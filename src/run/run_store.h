/* The bytes of a run file, changed in transactions, so that a process killed at any moment leaves the state before or the
 * state after, and nothing between.
 *
 * While HDF5 works on the file, what it writes goes two ways. Raw data (rows) and everything behind the old end of the
 * file goes straight there: no old metadata leads to it. Changes of old metadata are kept in memory. To commit, they are
 * written behind the new end of the file as a journal,
 *
 *     change ... change   each: address, size, bytes
 *     footer              "cairnlog", size of the changes, FNV-1a hash of them      (numbers: 8 bytes, little-endian)
 *
 * then made in place, and last the journal is cut off. A file that ends with a whole journal is read as if its changes
 * were made; one that ends with a part of a journal is read without it: HDF5 does not look behind the end its superblock
 * tells. How a file system cuts a write in two when its process is killed does not matter.
 *
 * A write that fails is noted and HDF5 is told that all is well, because it cannot give up a file whose writes fail; then
 * nothing is committed.
 */
#ifndef CRN_RUN_RUN_STORE_H
#define CRN_RUN_RUN_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A change that waits: its bytes are journal[at] ... journal[at + size - 1]. */
typedef struct crn_run_change
{
    uint64_t address;
    size_t size, at;
} crn_run_change;

typedef struct crn_run_store
{
    int descriptor;
    bool writable;
    uint64_t base; /* length of the file when it was opened or, by a reader, last looked at */
    uint64_t end;  /* of the file as it will be, without journal */
    crn_run_change *changes;
    size_t change_count, change_capacity;
    unsigned char *journal; /* the changes as they stand in the file */
    size_t used, capacity;
    int error;     /* errno of the first write that failed */
    bool attached; /* to an HDF5 file that is not closed yet */
} crn_run_store;

/* NULL with errno when the file cannot be opened or is not a regular one. */
crn_run_store *crn_run_store_open(const char *path, bool writable);
/* A store that an HDF5 file still holds, since HDF5 failed to close it, is left to it. */
void crn_run_store_close(crn_run_store *store);

/* Bytes as they will be after the commit; behind the end they are zero. A reader sees the bytes before or after another
 * process' commit. */
bool crn_run_store_read(crn_run_store *store, uint64_t address, size_t size, void *bytes);
void crn_run_store_write(crn_run_store *store, bool raw, uint64_t address, size_t size, const void *bytes);

/* Make the changes. False with errno when they, or a write before, could not be made: the file is then as it was. */
bool crn_run_store_commit(crn_run_store *store);

/* The length of the file now. */
uint64_t crn_run_store_length(const crn_run_store *store);

/* A number of 8 bytes, little-endian. */
uint64_t crn_run_get_number(const unsigned char bytes[8]);

#endif
