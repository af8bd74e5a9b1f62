/* Run files: everything that a run did, in one HDF5 file (layout: docs/run-file.md). A recorder writes one while a simulation
 * steps; a run reads one. A file can be read while it is being written, and stays valid when the writer is killed.
 *
 *     cairn_recorder *recorder;
 *     cairn_recorder_create(context, "out.h5", simulation, NULL, &recorder);
 *     while (cairn_simulation_time(simulation) < 10 && cairn_simulation_step(simulation) == CAIRN_OK)
 *         cairn_recorder_write(recorder);
 *     cairn_recorder_close(recorder, "done");
 *
 *     cairn_run *run;
 *     cairn_run_open(context, "out.h5", &run);
 *     for (int64_t frame = 0; frame < cairn_run_frame_count(run); ++frame)
 *         cairn_run_read_frame(run, frame, states);
 *     cairn_run_close(run);
 */
#ifndef CAIRN_RUN_H
#define CAIRN_RUN_H

#include "cairn/quantity.h"
#include "cairn/scene.h"

CAIRN_BEGIN_DECLS

/* ---------------------------------------------------------------------------------------------------- writing */

/* A recorder writes one run file. One thread at a time may use it. */
typedef struct cairn_recorder cairn_recorder;

/* What to record, besides the simulation. Texts are copied. */
typedef struct cairn_recorder_options
{
    /* Set by cairn_recorder_default; do not change. */
    size_t struct_size;
    /* File or built-in name of the scene; may be NULL. */
    const char *scene_name;
    /* The scene as it was read (cairn_scene_text), so that the file is complete by itself; may be NULL. */
    const char *scene_text;
    /* Record every n-th step; >= 1, default 1. */
    int every;
    /* s of wall time between writes to disk; >= 0, default 0.5. */
    double flush_interval;
    /* Values given to the scene's parameters, as to cairn_scene_parse; parameter_count of them. Default none. */
    const cairn_parameter *parameters;
    int parameter_count;
    /* Quantities to record after every step; must outlive the recorder, and keep its columns. Default NULL: none. */
    cairn_watch *watch;
    /* Time between checkpoints (cairn/checkpoint.h), in s of simulated time and in s of wall time; >= 0, default 0: never by itself. */
    double checkpoint_interval, checkpoint_wall;
    /* s of simulated time between frames: the first step at or after each multiple is recorded, in place of every n-th. >= 0,
     * default 0: `every` counts. */
    double interval;
    /* The groups that are not recorded; default 0. */
    unsigned leave_out;
    /* Store the numbers of bodies, contacts and joints in single precision, with 7 digits. Default false. */
    bool single;
    /* Level of compression (deflate, lossless) of large datasets, 0 (none) to 9; default 0. */
    int compression;
} cairn_recorder_options;

/* The defaults named above. */
CAIRN_API cairn_recorder_options cairn_recorder_default(void);

/* The same, with what the mapping `recording` of a scene says, and the scene's text. The text belongs to the scene, which must
 * live until the recorder is created. */
CAIRN_API cairn_recorder_options cairn_recorder_of(const cairn_scene *scene);

/* Create a run file and record the initial state. A file that is there is replaced in one step, once the new one is complete,
 * and its checkpoints are removed. options: NULL stands for the defaults. The recorder reads the simulation at every call, so
 * the simulation must outlive it. *out belongs to the caller (cairn_recorder_close); it is NULL on failure. CAIRN_IO when the
 * file cannot be written; CAIRN_INVALID for options that are out of range or not made by cairn_recorder_default. */
CAIRN_API cairn_status cairn_recorder_create(cairn_context *context, const char *path,
                                             const cairn_simulation *simulation, const cairn_recorder_options *options,
                                             cairn_recorder **out);

/* Record the state after a step. Call it after every step: it leaves out frames by itself (`every`), and keeps the events of
 * those steps for the next frame. The frame stays in memory until the next flush, which this call makes when it is due.
 * CAIRN_INVALID when something was added to the model or removed from it, since a run file holds one set of bodies; CAIRN_IO
 * when a write fails, and from then on. */
CAIRN_API cairn_status cairn_recorder_write(cairn_recorder *recorder);

/* Ask now for what cairn_recorder_write will need of the state, so that steps can be begun before it is called (cairn_simulation_begin_steps). `simulation` is
 * the one that is recorded. */
CAIRN_API cairn_status cairn_recorder_prepare(cairn_recorder *recorder, cairn_simulation *simulation);

/* Steps from the simulation's state to the next frame: a device may take so many at a time. 1 where frames are recorded by time. */
CAIRN_API int cairn_recorder_steps_to_frame(const cairn_recorder *recorder);

/* Write all frames that are still in memory to the file. CAIRN_IO when that fails. */
CAIRN_API cairn_status cairn_recorder_flush(cairn_recorder *recorder);

/* Flush, mark the run as finished with a status word such as "done", and destroy the recorder. It is destroyed even when this
 * fails. */
CAIRN_API cairn_status cairn_recorder_close(cairn_recorder *recorder, const char *status);

/* -------------------------------------------------------------------------------------------- opening and facts */

/* A run file that is open for reading. One thread at a time may use it. Texts and arrays that it returns belong to it and live
 * until it is closed, unless stated otherwise. */
typedef struct cairn_run cairn_run;

/* Open a run file. It may still be growing: the run shows the frames that are complete now. *out belongs to the caller
 * (cairn_run_close); it is NULL on failure. CAIRN_IO when the file cannot be read, CAIRN_INVALID when it is damaged or not a
 * run file. */
CAIRN_API cairn_status cairn_run_open(cairn_context *context, const char *path, cairn_run **out);

/* Open a file that cairn_run_open refuses because it was cut short. The run shows the leading frames that are whole, at least
 * one, and has the status "cut-short". CAIRN_INVALID when not even the first frame is whole. */
CAIRN_API cairn_status cairn_run_open_cut(cairn_context *context, const char *path, cairn_run **out);

/* Close a run. NULL is allowed. */
CAIRN_API void cairn_run_close(cairn_run *run);

/* 2 (planar) or 3 (spatial). */
CAIRN_API int cairn_run_dimension(const cairn_run *run);

/* The number of complete frames, including the initial one. */
CAIRN_API int64_t cairn_run_frame_count(const cairn_run *run);

/* The number of bodies. */
CAIRN_API int cairn_run_body_count(const cairn_run *run);

/* Name of a body, counted from 0 in the order of the model; "" for an index out of range. */
CAIRN_API const char *cairn_run_body_name(const cairn_run *run, int body);

/* Mass (kg) of a body, 0 for bodies that are not dynamic, and radius (m) of the ball about its centre of mass that holds its
 * shapes, of a sphere its own; INFINITY for half-spaces, 0 without shapes. NAN for an index out of range, and in files of
 * versions that did not record them. */
CAIRN_API double cairn_run_body_mass(const cairn_run *run, int body);
CAIRN_API double cairn_run_body_radius(const cairn_run *run, int body);

/* Whether a group of datasets was recorded (cairn_recorder_options.leave_out). Contacts that were not recorded are read as
 * none, velocities as NAN. */
CAIRN_API bool cairn_run_has(const cairn_run *run, cairn_record group);

/* How the run ended: "done" or another word that cairn_recorder_close was given; "running" while it goes on, and for ever after
 * a kill. */
CAIRN_API const char *cairn_run_status(const cairn_run *run);

/* The scene as it was read, and its file or built-in name; "" when none was recorded. */
CAIRN_API const char *cairn_run_scene_text(const cairn_run *run);
CAIRN_API const char *cairn_run_scene_name(const cairn_run *run);

/* The scene as it was run, with the values that its parameters were given. *out belongs to the caller (cairn_scene_destroy).
 * CAIRN_INVALID when the file holds no scene, or one whose dimension, bodies, springs, joints or forces are not those of the
 * recorded data. */
CAIRN_API cairn_status cairn_run_scene(const cairn_run *run, cairn_scene **out);

/* The number of parameters of the scene that were given values. */
CAIRN_API int cairn_run_parameter_count(const cairn_run *run);

/* Parameter `index`, from 0, and its value; empty texts for an index out of range. */
CAIRN_API cairn_parameter cairn_run_parameter(const cairn_run *run, int index);

/* Write a setting of the run, or a fact about it, into `text`, which has room for `size` bytes. The name is that in the file
 * (docs/run-file.md): "integrator", "step", "created". Returns false, and an empty text, when the file has no such entry. */
CAIRN_API bool cairn_run_setting(const cairn_run *run, const char *name, char *text, size_t size);

/* All settings of the run, exactly as they were. Settings that an older file lacks have their defaults. */
CAIRN_API cairn_status cairn_run_settings(const cairn_run *run, cairn_settings *out);

/* ----------------------------------------------------------------------------------------------------- reading */

/* The number of scalar series. A series has one value per frame: "time", "energy/kinetic", "elbow.angle", "elbow.force.x". */
CAIRN_API int cairn_run_series_count(const cairn_run *run);

/* Name and unit of series `index`, from 0; "" for an index out of range. */
CAIRN_API const char *cairn_run_series_name(const cairn_run *run, int index);
CAIRN_API const char *cairn_run_series_unit(const cairn_run *run, int index);

/* Read all frames of one series into `values`, which has room for cairn_run_frame_count numbers. CAIRN_INVALID for an unknown
 * name, CAIRN_IO when the file cannot be read. */
CAIRN_API cairn_status cairn_run_read_series(cairn_run *run, const char *name, double *values);

/* The number of columns of sensors (cairn_recorder_options.watch), and name and unit of column `index`, from 0; "" for an index
 * out of range. 0 when the run has no sensors. */
CAIRN_API int cairn_run_sensor_count(const cairn_run *run);
CAIRN_API const char *cairn_run_sensor_name(const cairn_run *run, int index);
CAIRN_API const char *cairn_run_sensor_unit(const cairn_run *run, int index);

/* The number of samples of the sensors, one per step and one of the start, whatever steps are frames. */
CAIRN_API int64_t cairn_run_sample_count(const cairn_run *run);

/* Read all samples of a column of sensors, or with index -1 their times, into `values`, which has room for
 * cairn_run_sample_count numbers. The series "sensors/NAME" has those at the frames alone. */
CAIRN_API cairn_status cairn_run_read_samples(cairn_run *run, int index, double *values);

/* Read the states of all bodies in one frame, from 0, into `states`, which has room for cairn_run_body_count of them.
 * CAIRN_INVALID for a frame out of range, CAIRN_IO when the file cannot be read. */
CAIRN_API cairn_status cairn_run_read_frame(cairn_run *run, int64_t frame, cairn_body_state *states);

/* Read the contacts of one frame. The array lives until the next call on the run; NULL and 0 when there are none. Errors as
 * above. */
CAIRN_API cairn_status cairn_run_read_contacts(cairn_run *run, int64_t frame, const cairn_contact **contacts,
                                               int *count);

/* The number of events up to the last complete frame. */
CAIRN_API int64_t cairn_run_event_count(const cairn_run *run);

/* Read these events, in order of time. NULL and 0 when there are none, or when the file is of format version 1, which had no
 * events. The array lives as long as the run. CAIRN_IO when the file cannot be read. */
CAIRN_API cairn_status cairn_run_read_events(cairn_run *run, const cairn_event **events, int64_t *count);

/* Read the violations of physics (cairn/audit.h): those of the initial state, and the first 20 of each step. Otherwise as
 * cairn_run_read_events. */
CAIRN_API cairn_status cairn_run_read_violations(cairn_run *run, const cairn_violation **violations, int64_t *count);

CAIRN_END_DECLS

#endif
