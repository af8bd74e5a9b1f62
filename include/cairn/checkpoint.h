/* Checkpoints: what it takes to continue a recorded run after its process ended in any way, with the same bits.
 *
 *     cairn_recorder_options options = cairn_recorder_default();
 *     options.checkpoint_wall = 600;                      every ten minutes
 *     cairn_recorder_create(context, "out.h5", simulation, &options, &recorder);
 *     while (... cairn_simulation_step(simulation) == CAIRN_OK && cairn_recorder_write(recorder) == CAIRN_OK)
 *         if (cairn_recorder_checkpoint_due(recorder))
 *             cairn_recorder_checkpoint(recorder, simulation, NULL, 0);
 *
 *     cairn_checkpoint_open(context, "out.h5", &checkpoint);       in another process, with a simulation of the same scene
 *     cairn_recorder_resume(context, "out.h5", checkpoint, simulation, &options, &recorder);
 *     cairn_checkpoint_close(checkpoint);
 *
 * A checkpoint of the run file out.h5 is the file out.h5.checkpoint: the state (cairn/state.h), how much of the run file belongs
 * to it, and bytes of the caller. It is written beside its final name, flushed to the disk, and renamed; the one before it becomes
 * out.h5.checkpoint-old. So whenever the process is killed, a whole checkpoint is there, once there was one. It has a version and a
 * checksum.
 */
#ifndef CAIRN_CHECKPOINT_H
#define CAIRN_CHECKPOINT_H

#include "cairn/run.h"
#include "cairn/state.h"

CAIRN_BEGIN_DECLS

/* ---------------------------------------------------------------------------------------------------- writing */

/* Whether a checkpoint is due: since the last one, or since the recorder was created, checkpoint_interval of simulated time or
 * checkpoint_wall of wall time has passed (cairn_recorder_options). */
CAIRN_API bool cairn_recorder_checkpoint_due(const cairn_recorder *recorder);

/* Write a checkpoint, after cairn_recorder_write and before the next step. `simulation` is the one that is recorded, and does
 * not change. Frames that wait in memory are written before. `note`, of `size` bytes, is kept with the checkpoint for the
 * caller; NULL and 0: none. CAIRN_IO when a file cannot be written; the last checkpoint then stays. CAIRN_INVALID for another
 * simulation, or one with a step that was not handed to the recorder. */
CAIRN_API cairn_status cairn_recorder_checkpoint(cairn_recorder *recorder, cairn_simulation *simulation,
                                                 const void *note, size_t size);

/* ---------------------------------------------------------------------------------------------------- reading */

/* A checkpoint that was read. It never changes. */
typedef struct cairn_checkpoint cairn_checkpoint;

/* Read the last checkpoint of the run file at `path`. *out belongs to the caller (cairn_checkpoint_close); it is NULL on
 * failure. CAIRN_IO when there is none. CAIRN_INVALID when the last one is cut off, damaged, of another version, or of another
 * run; the message then names the one before it, if that is good. It is read when the last one is removed. */
CAIRN_API cairn_status cairn_checkpoint_open(cairn_context *context, const char *path, cairn_checkpoint **out);

/* Close a checkpoint. NULL is allowed. */
CAIRN_API void cairn_checkpoint_close(cairn_checkpoint *checkpoint);

/* The file it was read from. */
CAIRN_API const char *cairn_checkpoint_path(const cairn_checkpoint *checkpoint);

/* The state, which lives as long as the checkpoint. */
CAIRN_API const cairn_state *cairn_checkpoint_state(const cairn_checkpoint *checkpoint);

/* The caller's bytes, which live as long as the checkpoint; NULL and 0: none. */
CAIRN_API const void *cairn_checkpoint_note(const cairn_checkpoint *checkpoint, size_t *size);

/* Continue a run file: restore the simulation from the checkpoint, cut off what the file has from later steps, and record on.
 * Model and settings must be those of the recorded run (cairn_run_scene, cairn_run_settings); the number of threads may differ.
 * Of the options, watch, flush_interval and those of checkpoints count; the watch must have the columns that the file has. *out
 * belongs to the caller (cairn_recorder_close); it is NULL on failure, and the file is then as it was. Errors as those of
 * cairn_simulation_restore and cairn_run_open. */
CAIRN_API cairn_status cairn_recorder_resume(cairn_context *context, const char *path,
                                             const cairn_checkpoint *checkpoint, cairn_simulation *simulation,
                                             const cairn_recorder_options *options, cairn_recorder **out);

/* ------------------------------------------------------------------------------------------ start states for others */

/* The frame nearest to a time; -1 when the run has no frames. CAIRN_IO when the times cannot be read. */
CAIRN_API cairn_status cairn_run_frame_at(cairn_run *run, double time, int64_t *frame);

/* Place the bodies of a simulation as bodies of the same names are in a frame of a run of another scene, with their velocities;
 * *placed is their number. Bodies that the run does not have, and those that are fixed or driven, stay as they are. The time of
 * the simulation does not change. CAIRN_INVALID for a frame that is not there, a run of another dimension, or when no name is
 * in both. */
CAIRN_API cairn_status cairn_run_place(cairn_run *run, int64_t frame, cairn_simulation *simulation, int *placed);

CAIRN_END_DECLS

#endif
