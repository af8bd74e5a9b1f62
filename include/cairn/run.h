/* Run files: everything a run did, in HDF5. Readable while the run goes on, valid after a kill (layout: docs/run-file.md).
 */
#ifndef CAIRN_RUN_H
#define CAIRN_RUN_H

#include "cairn/scene.h"

CAIRN_BEGIN_DECLS

/* ------------------------------------------------------------------------------------------- writing */

typedef struct cairn_recorder cairn_recorder;

typedef struct cairn_recorder_options
{
    const char *scene_name;            /* file or built-in name; may be NULL */
    const char *scene_text;            /* the scene as read; may be NULL */
    int every;                         /* record each n-th step; default 1 */
    double flush_interval;             /* s of wall time between writes to disk; default 0.5 */
    const cairn_parameter *parameters; /* values given to the scene's parameters, as to cairn_scene_parse */
    int parameter_count;
} cairn_recorder_options;

CAIRN_API cairn_recorder_options cairn_recorder_default(void);

/* Create the file (replacing one that is there) and record the initial state. */
CAIRN_API cairn_status cairn_recorder_create(cairn_context *context, const char *path,
                                             const cairn_simulation *simulation, const cairn_recorder_options *options,
                                             cairn_recorder **out);
/* Record the state after a step (kept in memory until the next flush). To be called after every step: the events of steps
 * that `every` leaves out belong to the next frame. */
CAIRN_API cairn_status cairn_recorder_write(cairn_recorder *recorder);
CAIRN_API cairn_status cairn_recorder_flush(cairn_recorder *recorder);
/* Mark the run as finished with a status word, flush and release. Releases even when it fails. */
CAIRN_API cairn_status cairn_recorder_close(cairn_recorder *recorder, const char *status);

/* ------------------------------------------------------------------------------------------- reading */

typedef struct cairn_run cairn_run;

CAIRN_API cairn_status cairn_run_open(cairn_context *context, const char *path, cairn_run **out);
/* A file that cairn_run_open refuses because it was cut short: the first frames that are whole in it, at least one. Its status
 * is "cut-short". */
CAIRN_API cairn_status cairn_run_open_cut(cairn_context *context, const char *path, cairn_run **out);
CAIRN_API void cairn_run_close(cairn_run *run);

CAIRN_API int cairn_run_dimension(const cairn_run *run);
CAIRN_API int64_t cairn_run_frame_count(const cairn_run *run); /* frames that are complete, the initial one included */
CAIRN_API int cairn_run_body_count(const cairn_run *run);
CAIRN_API const char *cairn_run_body_name(const cairn_run *run, int body);
CAIRN_API const char *cairn_run_status(const cairn_run *run); /* "done", ..., or "running" (also after a kill) */
CAIRN_API const char *cairn_run_scene_text(const cairn_run *run);
CAIRN_API const char *cairn_run_scene_name(const cairn_run *run);
/* The scene as it was run, with the values its parameters were given. CAIRN_INVALID when the file holds none, or one whose
 * dimension, bodies, springs, joints or forces are not those of the recorded data. To be destroyed by the caller. */
CAIRN_API cairn_status cairn_run_scene(const cairn_run *run, cairn_scene **out);

/* The values that were given to the scene's parameters. */
CAIRN_API int cairn_run_parameter_count(const cairn_run *run);
CAIRN_API cairn_parameter cairn_run_parameter(const cairn_run *run, int index); /* texts live as long as the run */

/* A setting of the run or a fact about it by its name in the file (docs/run-file.md), as text: "integrator", "step", "created".
 * False, and an empty text, when the file has none. */
CAIRN_API bool cairn_run_setting(const cairn_run *run, const char *name, char *text, size_t size);
/* All settings of the run, exactly as they were; those that an older file does not have are the defaults. */
CAIRN_API cairn_status cairn_run_settings(const cairn_run *run, cairn_settings *out);

/* Scalar series recorded in every frame: "time", "energy/kinetic", "certificate/relative", ... */
CAIRN_API int cairn_run_series_count(const cairn_run *run);
CAIRN_API const char *cairn_run_series_name(const cairn_run *run, int index);
CAIRN_API const char *cairn_run_series_unit(const cairn_run *run, int index);
/* All frames of one series: frame_count values into `values`. */
CAIRN_API cairn_status cairn_run_read_series(cairn_run *run, const char *name, double *values);

/* All body states of one frame: body_count entries. */
CAIRN_API cairn_status cairn_run_read_frame(cairn_run *run, int64_t frame, cairn_body_state *states);
/* The contacts of one frame: NULL and 0 when there are none; valid until the next call. */
CAIRN_API cairn_status cairn_run_read_contacts(cairn_run *run, int64_t frame, const cairn_contact **contacts,
                                               int *count);

/* The events up to the last complete frame, in order of time; NULL and 0 when there are none, or the file is of format
 * version 1, which knew no events. They live as long as the run. */
CAIRN_API int64_t cairn_run_event_count(const cairn_run *run);
CAIRN_API cairn_status cairn_run_read_events(cairn_run *run, const cairn_event **events, int64_t *count);

/* Likewise the violations of the physics: those of the initial state, and the first 20 of each step. */
CAIRN_API cairn_status cairn_run_read_violations(cairn_run *run, const cairn_violation **violations, int64_t *count);

CAIRN_END_DECLS

#endif
