/* A small world whose run is recorded, the same frames computed apart from any file, and the comparison of a run file
 * with them. Every call that must succeed fails the test if not. */
#ifndef TEST_SUPPORT_RECORDING_H
#define TEST_SUPPORT_RECORDING_H

#include "cairn/run.h"
#include "cairn/scene.h"

enum
{
    RECORDING_BODIES = 4,
    RECORDING_CONTACTS = 8, /* at most */
};

extern const char recording_scene[];

typedef struct recording
{
    cairn_context *context;
    cairn_scene *scene;
    cairn_simulation *simulation;
} recording;

recording recording_start(void);
void recording_free(recording *w);
cairn_recorder *recording_record(recording *w, const char *path, int every, double interval);
void recording_step(recording *w, cairn_recorder *recorder, int steps);

/* What the simulation says after a step, kept to be compared with what the file says. */
typedef struct recording_frame
{
    double time;
    cairn_step_report report;
    cairn_energy energy;
    cairn_body_state bodies[RECORDING_BODIES];
    int contact_count;
    cairn_contact contacts[RECORDING_CONTACTS];
    double stretch, spring_work, joint_work, force_work;
} recording_frame;

/* The first `count` frames of the world, computed apart from any file; released with free. */
recording_frame *recording_frames(int count);

cairn_run *recording_open(const char *path);
/* Frames first, first + 1... of the file are the reference's of the same numbers. */
void recording_check(cairn_run *run, const recording_frame *frames, int64_t first);

/* All bytes of a file, released with free; and back. */
char *read_whole(const char *path, size_t *size);
void write_whole(const char *path, const char *bytes, size_t size);

#endif
