/* What a restored state has in bulk and nobody needs at once: the contacts of the last step, and what ranks go on from. Where ranks share the simulation it stays in the
 * file of the checkpoint until a step has been taken, so that process 0 never has all of it in memory. The file was checked when it was opened. It stays readable if
 * its name goes to another file meanwhile, as the next checkpoint does it. */
#ifndef CRN_STEP_KEEP_SHELF_H
#define CRN_STEP_KEEP_SHELF_H

#include "base/file_window.h"
#include "cairn/cairn.h"

enum
{
    CRN_SHELVED = 16384 /* so many contacts, and fewer, are listed */
};

typedef struct crn_shelf
{
    crn_file_window file;
    size_t contact_at, contact_bytes; /* where the first begins, and what each of them takes */
    size_t contacts;
    size_t kept_at, kept_words; /* of 8 bytes (device_keep.c) */
} crn_shelf;

/* NULL: there is no memory or no descriptor left. The other window may be closed. */
crn_shelf *crn_shelf_open(const crn_file_window *file);
void crn_shelf_close(crn_shelf *shelf); /* NULL is allowed */

/* Contacts from `first` on; false: they cannot be read, or are not contacts of the model. */
bool crn_shelf_contacts(crn_shelf *shelf, const cairn_model *model, size_t first, size_t count, cairn_contact *out);

#endif
