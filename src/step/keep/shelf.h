/* What a restored state has in bulk and nobody needs at once: how bodies move, the contacts of the last step, and what ranks go on from. Where ranks share the simulation it stays in the
 * file of the checkpoint until a step has been taken, so that process 0 never has all of it in memory. The file was checked when it was opened. It stays readable if
 * its name goes to another file meanwhile, as the next checkpoint does it. */
#ifndef CRN_STEP_KEEP_SHELF_H
#define CRN_STEP_KEEP_SHELF_H

#include "base/file_window.h"
#include "cairn/cairn.h"
#include "formulate/layout.h"
#include "step/keep/stream.h"

enum
{
    CRN_SHELVED = 16384 /* so many contacts, and fewer, are listed */
};

typedef struct crn_shelf
{
    crn_file_window file, places, rates; /* the same file: motions are read in two places at a time */
    bool has_motions;                    /* nobody else has those of the state */
    size_t place_at, rate_at;            /* where their coordinates and their velocities begin */
    uint64_t motion_hash;                /* of both */
    size_t contact_at, contact_bytes;    /* where the first begins, and what each of them takes */
    size_t contacts;
    size_t kept_at, kept_words; /* of 8 bytes (device_keep.c) */
} crn_shelf;

/* NULL: there is no memory or no descriptor left. The other window may be closed. */
crn_shelf *crn_shelf_open(const crn_file_window *file);
void crn_shelf_close(crn_shelf *shelf); /* NULL is allowed */

/* Coordinates, or velocities, from one on, in the order of the state; false: they cannot be read. */
bool crn_shelf_places(crn_shelf *shelf, size_t first, size_t count, double *q);
bool crn_shelf_rates(crn_shelf *shelf, size_t first, size_t count, double *v);
/* Contacts from `first` on; false: they cannot be read, or are not contacts of the model. */
bool crn_shelf_contacts(crn_shelf *shelf, const cairn_model *model, size_t first, size_t count, cairn_contact *out);

/* shelve.c: reading a state, check what the stream comes to and leave it there. Motions are those of the layout, and of so many grains behind them. Contacts are left only if they are many: true. */
void crn_shelve_motions(crn_stream *stream, const crn_layout *layout, int grains, crn_shelf *shelf);
bool crn_shelve_contacts(crn_stream *stream, const cairn_model *model, crn_shelf *shelf);
void crn_shelve_kept(crn_shelf *shelf, crn_stream *stream);
/* Numbers of such motions. */
size_t crn_shelved_numbers(const crn_layout *layout, int grains);
/* Writing one: motions, and what ranks go on from, go from the file to another one. */
void crn_shelf_pass_motions(crn_shelf *shelf, const crn_layout *layout, int grains, crn_stream *stream);
void crn_shelf_pass_kept(crn_shelf *shelf, crn_stream *stream);

#endif
