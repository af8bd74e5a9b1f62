/* Every field of a state, in one order, through a stream. */
#ifndef CRN_STEP_KEEP_WALK_H
#define CRN_STEP_KEEP_WALK_H

#include "base/file_window.h"
#include "cairn/state.h"
#include "step/keep/stream.h"
#include "step/simulation.h"

/* Where the last step began: its mean values, such as an acceleration, are differences from there. */
typedef struct crn_kept_start
{
    bool is_there, is_old; /* as those of crn_saved */
    double t;
    double *q, *v, *element_work;
} crn_kept_start;

/* Results of the last step that a simulation keeps outside its state. */
typedef struct crn_kept_account
{
    crn_kept_start start;
    double (*joint_total)[CRN_PIECE_JOINT_ROWS];
    crn_audit_record *audit; /* NULL: the audit is off */
    bool has_device;         /* one that says what it goes on from: the state has a block more */
    /* Writing: the simulation whose device has the contacts, or what it goes on from, and tells them a part at a time; NULL: the state has them. */
    cairn_simulation *lister, *keeper;
    cairn_simulation *teller; /* likewise: whose ranks alone have the motions */
    /* Reading: whether motions stay in the file of the state, which has a shelf then; and the grains that are not in the layout. */
    bool stays;
    int grains;
} crn_kept_account;

/* Write a state, or read one into an open and empty state. Reading checks every field: after CAIRN_OK every index is in
 * range, every list is sorted as the step expects, and q, v and t are numbers. */
void crn_state_walk(crn_stream *stream, const crn_layout *layout, crn_state *state, crn_kept_account *account);

/* save.c: write the state of a simulation without having all of it in memory: what follows its header goes to `take` piece by piece, and the header, which
 * belongs before it, is known in the end. *size: of both. CAIRN_IO: `take` has failed; other failures have left a message. */
enum
{
    CRN_STATE_HEADER = 72 /* bytes */
};
cairn_status crn_simulation_write(cairn_simulation *simulation,
                                  bool (*take)(void *taker, const void *bytes, size_t size), void *taker,
                                  unsigned char head[CRN_STATE_HEADER], uint64_t *size);

/* A state whose bytes are in a file, from `first` on: they are read when it is restored. The file must stay open as long. NULL and *wrong: why these
 * are not a state. */
cairn_state *crn_state_in_file(crn_file_window *file, size_t first, size_t size, const char **wrong);

#endif
