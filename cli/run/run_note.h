/* What `cairn run` keeps in a checkpoint beside the state: its end time, what it watches, and the counts of its summary, so
 * that the summary of a resumed run is that of the whole run. */
#ifndef CLI_RUN_RUN_NOTE_H
#define CLI_RUN_RUN_NOTE_H

#include "cli/run/run.h"

/* The note of a run now; *size is its number of bytes. The caller frees it. */
void *cli_run_note_pack(const cli_run_state *run, size_t *size);

/* Before the simulation exists: end time and names of --watch, in memory of the run. False when the note is not one of this
 * version. */
bool cli_run_note_plan(const void *note, size_t size, cli_run_state *run);

/* After that: counts, and the extremes of what is watched. */
void cli_run_note_unpack(const void *note, cli_run_state *run);

#endif
