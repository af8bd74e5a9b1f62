/* The bytes of a run file, changed in transactions: a process that is killed at any moment leaves the state before or the state
 * after, and nothing in between.
 *
 * Raw data (rows) and everything behind the old end of the file is written at once: no old metadata refers to it. Changes of
 * old metadata are kept in memory. To commit, they are written behind the new end of the file as a journal,
 *
 *     change ... change   each: address, size, bytes
 *     footer              "cairnlog", size of the changes, FNV-1a hash of them      (numbers: 8 bytes, little-endian)
 *
 * then made in place, and finally the journal is cut off. A file that ends with a whole journal is read as if its changes
 * were made. An incomplete journal is ignored, because HDF5 does not read beyond the end given in its superblock. It does not
 * matter how a file system splits the write of a process that is killed.
 *
 * HDF5 cannot close a file whose writes fail. Therefore a failed write is noted but reported to HDF5 as a success, and then
 * nothing is committed.
 */
#ifndef CRN_RUN_RUN_STORE_H
#define CRN_RUN_RUN_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A change that is not committed: its bytes are journal[at] ... journal[at + size - 1]. */
typedef struct crn_run_change
{
    uint64_t address;
    size_t size, at;
} crn_run_change;

typedef struct crn_run_store
{
    int descriptor;
    bool writable;
    bool journals_rows; /* changes of rows below `base` belong to the transaction, too */
    uint64_t base;      /* length of the file when it was opened or, by a reader, last checked */
    uint64_t end;       /* of the file after the commit, without journal */
    crn_run_change *changes;
    size_t change_count, change_capacity;
    unsigned char *journal; /* the changes in the form of the file */
    size_t used, capacity;
    int error;     /* errno of the first write that failed */
    bool attached; /* to an HDF5 file that is not closed yet */
} crn_run_store;

/* NULL with errno when the file cannot be opened or is not a regular one. */
crn_run_store *crn_run_store_open(const char *path, bool writable);
/* Does nothing when HDF5 failed to close its file and still uses the store. */
void crn_run_store_close(crn_run_store *store);

/* Read bytes as they will be after the commit; zeros beyond the end. A reader gets the bytes before or after another process'
 * commit. */
bool crn_run_store_read(crn_run_store *store, uint64_t address, size_t size, void *bytes);
void crn_run_store_write(crn_run_store *store, bool raw, uint64_t address, size_t size, const void *bytes);

/* Make the changes. False with errno when this or an earlier write failed: the file is then unchanged. */
bool crn_run_store_commit(crn_run_store *store);

/* Bring a file that its writer left to the state that readers see, for another writer: make the changes of its journal, and cut
 * off what lies behind its end, a number of 8 bytes at the address `end_at`. False with errno. */
bool crn_run_store_recover(crn_run_store *store, uint64_t end_at);

/* The length of the file now. */
uint64_t crn_run_store_length(const crn_run_store *store);

/* Decode a number of 8 bytes, little-endian. */
uint64_t crn_run_get_number(const unsigned char bytes[8]);

#endif
