/* Steps on a device (setting `device`): what the scene must consist of, and how its state gets there and back.
 *
 * library.c         opens the device's library
 * describe.c        checks and describes the scene; says what the device does not support
 * describe_shapes.c the same of bodies that are not single spheres
 * describe_joints.c the same of joints, and of what acts on their coordinates
 * describe_springs.c and of springs between bodies
 * describe_forces.c and of applied forces
 * device_step.c     takes steps, reads the state back, and closes the account
 * device_finish.c   finishes steps whose sweeps have missed the tolerance, with the processor's solvers
 * device_works.c    what joints, springs and forces have done
 * device_audit.c    the physics certificate of the last step of a batch
 * device_late.c     the same by ranks, and by process 0 where they are in doubt
 * device_glance.c   what each rank does for it
 * device_contacts.c the contacts of the last step, on request
 * device_loads.c    what contacts come to, added up over ranks
 * device_keep.c     what the device goes on from, in saved states
 * device_motions.c  how bodies move, from the device and from ranks
 * device_away.c     the same where ranks keep it, and process 0 asks for what it reads
 * device_start.c    from the start on; and what overlaps there, by ranks
 * device_window.c   single ones, and a part at a time
 * device_shelved.c  where they are in the file of a restored state
 * device_sums.c     what the account needs of all of them
 * device_grains.c   bodies that process 0 never has
 * ranks.c           processes that share a simulation (src/domain)
 *
 * The state of the simulation is complete between calls: it is read back at the end of every call that steps, or from ranks when somebody asks for it. The device keeps its
 * own copy with the impulses of the last step. If somebody has changed the state in between, the device's copy is made anew.
 */
#ifndef CRN_STEP_DEVICE_DEVICE_H
#define CRN_STEP_DEVICE_DEVICE_H

#include "audit/piece.h"
#include "base/context.h"
#include "base/memory.h"
#include "cairn/ranks.h"
#include "cairn/simulation.h"
#include "cairn/solver.h"
#include "collide/broad/sort.h"
#include "domain/crew.h"
#include "formulate/frame.h"
#include "gpu/interface.h"
#include "step/device/device_linked.h"
#include "step/device/device_loads.h"
#include "step/keep/stream.h"

#ifdef _OPENMP
#include <pthread.h>
#endif

struct crn_state;

/* A force, and its place among the model's. */
typedef struct crn_device_force
{
    int index;
    crn_gpu_force at;
} crn_device_force;

/* What the audit of a step needs from its start, and of its contacts. */
typedef struct crn_device_audit
{
    int done;                         /* steps of this batch: 0 or 1 */
    crn_pose *pose;                   /* per body */
    double (*before)[6], (*after)[6]; /* per body: velocities */
    double (*drive)[6];               /* those of driven bodies in the step */
    double (*outer)[6], (*inner)[6];  /* impulses of forces and gyroscopic moments, and of springs */
    crn_gradient *gradient;           /* three per spring */
    crn_arena listed;                 /* owns the contacts: of ranks, only while they are judged */
    crn_linked linked;                /* likewise: what joints and springs hold */
    double t;                         /* s: when a step began that ranks look at */
    unsigned char *ask;               /* of them (device_glance.h) */
    size_t ask_size;
    int64_t glanced, examined; /* steps that ranks were sure of, and that process 0 had to examine after them */
    crn_piece_contact *contact;
    int contacts;
} crn_device_audit;

/* How bodies moved before a batch: until it is sure that they move well after it. */
typedef struct crn_device_before
{
    crn_arena memory; /* owns the arrays, unless they are those of a step (step/trial.c) */
    double *q, *v;    /* NULL: nobody has noted it */
    bool is_awaited;  /* the audit wants them after the step */
} crn_device_before;

/* Some of the motions that ranks have; those of bodies that they do not move have the number -1. */
typedef struct crn_device_view
{
    crn_crew_motion *motion;
    int first, count;
    int last, stride;      /* the last body that was read by itself, and how far behind the one before it */
    crn_crew_motion *some; /* of bodies here and there, in the order of their numbers: of the window of contacts */
    int some_count;
    int64_t *asked; /* scratch: their numbers */
} crn_device_view;

/* What the account needs of all motions after a batch. */
typedef struct crn_device_sums
{
    double part[4], kinetic; /* J: part: twice, of every fourth body */
    double gravity, gain;    /* J: the potential of gravity, and the scheme's own gain */
    bool is_finite;          /* all coordinates */
    int bodies;
} crn_device_sums;

/* How a body moves that the device does not move. */
typedef struct crn_device_still
{
    int number; /* of the device's bodies */
    double motion[CRN_CREW_NUMBERS];
} crn_device_still;

/* What the processor's solvers need for a step of the device's; see device_finish.c. */
typedef struct crn_device_finish
{
    cairn_solver *solver;
    cairn_status status; /* of the last batch */
    int64_t iterations;  /* likewise */
    int *block_of;       /* per body of the step; -1: impulses do not change how it moves */
    int *start, *diagonal, *diagonal_value;
    int *row, *entry, *block, *entry_value, none[2];
    double *mass, *momentum, *gradient, *bias, *friction, *length, *guess;
    uint64_t *identity;
} crn_device_finish;

/* Steps that are under way; see device_ahead.c. */
typedef struct crn_device_ahead
{
    bool is_running; /* a thread takes them */
    double h, gravity[3];
    int count;
    bool good; /* what came of them */
    crn_gpu_report report;
    char sentence[CRN_GPU_SENTENCE];
#ifdef _OPENMP
    pthread_t thread;
#endif
} crn_device_ahead;

typedef struct crn_device
{
    crn_arena memory;  /* owns the arrays */
    crn_arena sending; /* owns those that describe bodies: of ranks, only while they are told */
    const crn_gpu_table *gpu;
    const crn_gpu_table *pipeline; /* of ranks: what takes the steps of each */
    crn_gpu_world *world;          /* NULL: to be made from the state */
    crn_gpu_body *body;            /* per sphere, or per body where there are shapes; NULL: ranks have them */
    crn_device_still *still;       /* of ranks: bodies that do not move by themselves, in the order of their numbers */
    int stills;
    bool is_plain;     /* there are single spheres and half-spaces alone */
    int *sphere_shape; /* per sphere: its shape; where there are others, bodies have the model's numbers */
    crn_gpu_plane *plane;
    int *plane_shape; /* per half-space */
    int bodies, planes;
    crn_gpu_shape *shape; /* of a scene that is not of single spheres and half-spaces alone */
    int *shape_of;        /* per shape: the model's */
    int shapes, walls;
    int made_shapes;     /* of grains that are not made, which ranks number between the others and the walls */
    int32_t *wall_after; /* per half-space, or per wall: how many of the other shapes come before it */
    crn_gpu_triangle *triangle;
    int32_t *triangle_first; /* per triangle: the first shape of its mesh */
    double *vertex;
    int32_t *ring_begin, *ring;
    int triangles, vertices;
    crn_gpu_hull *hull;
    double *hull_corner, *hull_normal;
    int32_t *hull_face_begin, *hull_face_corner, *hull_at_begin, *hull_at;
    int hulls, hull_corners, hull_faces;
    int *hull_shape, *hull_home; /* per hull: the first shape that has it; and where hulls are found by their corners */
    size_t hull_mask;
    crn_gpu_joint *joint; /* by colour: joints and springs */
    int *joint_of;        /* likewise: the model's joint, or behind all joints its spring */
    int *joint_colour, joint_first[65], joint_colours, joints, timed, aparts;
    uint64_t *joint_mask; /* per body: colours of its joints */
    uint64_t *apart;      /* pairs of bodies that must not touch */
    crn_gpu_timed *time;  /* `timed` per step of a batch */
    crn_gpu_joint_row *joint_row;
    crn_device_force *force; /* by body */
    crn_gpu_force *force_at;
    crn_gpu_load *load;               /* `forces` per step of a batch */
    crn_gpu_instruction *instruction; /* of forces that depend on the state */
    crn_gpu_variable *variable;
    int32_t *program_first;
    int instructions, variables;
    double *force_work; /* J: and behind them that of a pull */
    int forces;
    bool was_pulled; /* in the last batch */
    double rotors;   /* J: their kinetic energy before the batch */
    int *driven;     /* driven bodies that have shapes */
    int driven_count;
    crn_gpu_drive *drive; /* driven_count per step of a batch */
    uint8_t *pair_class;
    double class_friction[CRN_GPU_CLASSES], class_restitution[CRN_GPU_CLASSES];
    crn_gpu_surface class_surface[CRN_GPU_CLASSES];
    int classes;
    uint64_t known;  /* hash of the state as it was read last */
    double *q_start; /* the places before the batch, where the flow through planes is booked; NULL: nobody asks */
    crn_device_before before;
    crn_device_view view;
    bool has_origin; /* ranks know how bodies moved before the batch */
    bool is_ordered; /* of ranks: numbers ascend with the bodies */
    crn_device_audit audit;
    crn_device_finish finish;
    double friction; /* that was set by hand then */
    crn_gpu_report report;
    crn_device_ahead ahead;
    crn_gpu_contact *contact; /* scratch of device_contacts.c */
    crn_keyed *order;         /* likewise */
    cairn_contact *window;    /* the contacts from window_first on, where not all of them are listed */
    int window_first, window_count;
    bool has_answer; /* of ranks, after the last batch: to the last question about contacts */
    crn_loads_question question;
    crn_loads_answer answer;
    int64_t *kept_first, *kept_size; /* scratch of device_keep.c */
    uint64_t written;                /* hash of the motions that were written from the ranks (device_away.c) */
    bool has_kept;                   /* while bodies are sent: the state has records of them that are in order */
    double *motion;                  /* likewise: of a part of the bodies */
} crn_device;

/* device_ahead.c: have a thread take the steps that device->ahead describes; false: there is none. Wait for it, and take its report. */
bool crn_device_run_ahead(crn_device *device);
bool crn_device_catch_up(crn_device *device, char *sentence);

/* Open the library and the device, and send the scene there. A sentence says what is missing or not supported. */
cairn_status crn_device_open(cairn_simulation *simulation);
void crn_device_close(crn_device *device); /* NULL is allowed */

/* Begin the same, where the caller can gain from it; the next call of crn_device_step, with the same steps, finishes them. */
cairn_status crn_device_begin(cairn_simulation *simulation, double h, int count);
/* Take `count` steps of length h on the device and read the state back. */
cairn_status crn_device_step(cairn_simulation *simulation, double h, int count);

/* device_audit.c: whether the last of `count` steps is to be audited; before and after a step that is. */
bool crn_device_audit_is_due(const cairn_simulation *simulation, int count);
cairn_status crn_device_audit_begin(cairn_simulation *simulation, double h);
cairn_status crn_device_audit_end(cairn_simulation *simulation, double h);
/* device_late.c: whether ranks look at the step to come themselves; then they are asked after it. */
bool crn_device_audits_late(const cairn_simulation *simulation);
cairn_status crn_device_audit_ready(cairn_simulation *simulation, double h); /* before it: note what acts in it */
cairn_status crn_device_audit_late(cairn_simulation *simulation, double h);
/* The piece of an audited step, but for its contacts and bodies. */
crn_piece crn_device_audit_piece(const cairn_simulation *simulation, double h);

/* N m s in the body's frame: what the gyroscopic moment alone does in a step (gpu/shapes/turn.hpp), where it does something; w: rad/s, likewise. */
void crn_device_turn_impulse(bool is_implicit, const double I[9], const double w[3], double h, double out[3]);
/* Add what a force does in a step to the impulses on its body: N s, and N m s in its frame. */
void crn_device_force_impulse(const crn_gpu_force *force, const crn_gpu_load *load, const double R[9], bool is_point,
                              double h, double out[6]);

/* Add what a spring does in a step to the impulses on its two bodies, likewise; gradient: of its coordinates at the start. */
void crn_device_spring_pulls(const cairn_simulation *simulation, const crn_gpu_joint *spring,
                             const crn_gpu_joint_row *row, const crn_gradient gradient[3], double pull[2][6]);

/* A contact as the processor has it, where the bodies were at the start of the step; impulse: N s on its a. */
crn_contact crn_device_contact_at(const cairn_simulation *simulation, const crn_gpu_contact *from, const crn_pose *pose,
                                  double impulse[3]);
int crn_device_contact_count(const cairn_simulation *simulation);
/* List the contacts of the last step in the state, by identity. */
cairn_status crn_device_list_contacts(cairn_simulation *simulation);
/* One of them. Ranks that have many give a window of them at a time, so that process 0 never has them all: ask for them in ascending order. */
cairn_status crn_device_read_contact(cairn_simulation *simulation, int index, cairn_contact *out);
/* Of ranks: the next part of them as the ranks have them, in device->contact; none of a part comes before one of the part before it. is_first: the first part. */
cairn_status crn_device_next_contacts(cairn_simulation *simulation, bool is_first, int *count);
/* What the identity of a contact holds of its feature. */
uint64_t crn_device_feature_mask(const cairn_simulation *simulation);

/* device_finish.c: what the device calls for a step that its sweeps cannot finish; user: the simulation. */
bool crn_device_finish_step(void *user, const crn_gpu_left *left);

/* device_motions.c: the motions of all bodies, into the state. */
cairn_status crn_device_read_motions(cairn_simulation *simulation);
/* Before that: note those of the state; go back to them; and let go of them. */
cairn_status crn_device_note_motions(cairn_simulation *simulation);
void crn_device_recall_motions(cairn_simulation *simulation);
/* Note those before the last batch, and have those after it. */
cairn_status crn_device_note_origin(cairn_simulation *simulation);
void crn_device_drop_motions(cairn_simulation *simulation);
/* Of one: as the state has it; and into coordinates and velocities of all. */
cairn_body_state crn_device_state_of(const crn_gpu_body *from);
void crn_device_write_motion(const cairn_simulation *simulation, int number, const crn_gpu_body *from, double *q,
                             double *v);
/* device_start.c: whether motions are with the ranks from the start on; and then, once the bodies are handed out, what overlaps. is_slight: nobody is told of it. */
bool crn_device_begins_away(const cairn_simulation *simulation);
cairn_status crn_device_judge_start(cairn_simulation *simulation, bool *is_slight);
/* device_away.c: whether nothing in the scene keeps motions from staying with the ranks; whether they stay there after a batch; and let go of those that are here. */
bool crn_device_may_leave_motions(const cairn_simulation *simulation);
bool crn_device_leaves_motions(const cairn_simulation *simulation);
void crn_device_let_motions_go(cairn_simulation *simulation);
/* Have those of both bodies of some contacts, until the next batch or the next window. */
cairn_status crn_device_view_contacts(cairn_simulation *simulation, const crn_gpu_contact *contact, int count);
/* Such a motion, by the number of a body; NULL: it is not there. */
const crn_crew_motion *crn_device_seen(const crn_device *device, int number);
/* device_window.c: have the motions of bodies from a number on; of those that ranks do not move, body is -1. false after a message. */
bool crn_device_slide(const cairn_simulation *simulation, int first, int count);
/* Coordinates and velocities of a block, as they are in the state. */
void crn_device_unpack(const cairn_simulation *simulation, int body, const double number[CRN_CREW_NUMBERS], double q[7],
                       double v[6]);
/* Write coordinates and velocities of all bodies that ranks have, as the state would have them. */
void crn_device_write_coordinates(cairn_simulation *simulation, crn_stream *stream);
/* device_shelved.c: whether motions of the next state may stay in its file until a step is taken; whether they are there. Then read those of a body, and have all of them in the arrays of the
 * state; false: they cannot be read. */
bool crn_device_may_shelve(const cairn_simulation *simulation);
bool crn_motions_are_shelved(const cairn_simulation *simulation);
bool crn_device_read_shelved(const cairn_simulation *simulation, int body, cairn_body_state *out);
bool crn_device_take_shelved(cairn_simulation *simulation);
/* Of one body; positions are not numbers where it could not be read. */
void crn_device_read_body(const cairn_simulation *simulation, int body, cairn_body_state *out);
/* After a batch, of all of them; and whether the account is in the range of numbers. */
cairn_status crn_device_add_motions(cairn_simulation *simulation, double h, crn_device_sums *out);
/* The same of grains that are not made (device_grains.h), as they begin: J. */
void crn_device_add_start(const cairn_simulation *simulation, double *kinetic, double *gravity);
cairn_status crn_device_check_sums(cairn_simulation *simulation, const crn_device_sums *sums);
/* Before the batch, of all; and have the state go back there: the world is made anew. */
bool crn_device_read_origin(const cairn_simulation *simulation, double *q, double *v, char *sentence);
cairn_status crn_device_recall_origin(cairn_simulation *simulation);
cairn_status crn_device_drop_origin(const cairn_simulation *simulation); /* ranks need not know it any more */
/* device_step.c: the device has the state as it is. */
void crn_device_remember(const cairn_simulation *simulation);
/* Ranks have been told of the bodies: process 0 lets go of what described them. */
cairn_status crn_device_hand_over(cairn_simulation *simulation, crn_device *device);
/* Those of bodies from `first` on, `count` of them, in the order of their numbers, CRN_CREW_NUMBERS each. */
bool crn_device_list_motions(const crn_device *device, int64_t first, int64_t count, double *motion, char *sentence);

/* device_loads.c: whether ranks add up what contacts come to; and what they come to. */
bool crn_device_adds_up(const cairn_simulation *simulation);
cairn_status crn_device_ask_loads(const cairn_simulation *simulation, const crn_statistic *of, double least,
                                  const crn_loads_answer **out);

/* Whether they are many, and not listed. */
bool crn_device_lists_parts(const cairn_simulation *simulation);

/* Whether the bodies are with ranks, and not with a device of this process alone. */
bool crn_device_is_shared(const cairn_simulation *simulation);

/* device_keep.c: whether the device says what it goes on from; whether it has it now, rather than the state; write it where it belongs in a saved state, a part
 * at a time; and if the state has it for the bodies as they are, the description gets it, and the motions that it was for. */
bool crn_device_keeps(const cairn_simulation *simulation);
bool crn_device_has_kept(const cairn_simulation *simulation);
void crn_device_write_kept(cairn_simulation *simulation, crn_stream *stream);
cairn_status crn_device_take_kept(cairn_simulation *simulation, crn_device *device, crn_gpu_description *description);
/* Of a state whose motions are in its file: whether the device goes on from what it has. */
bool crn_device_goes_on_from(const cairn_simulation *simulation, const struct crn_state *fresh);
/* The same for bodies that are described a part at a time; false: they cannot be read. */
bool crn_device_overlay_kept(const cairn_simulation *simulation, int first, int count, crn_gpu_body *out);
/* The state has become another one: the world is made anew. NULL is allowed. */
void crn_device_forget(crn_device *device);
/* Whether the world is that of the state. */
bool crn_device_is_known(const cairn_simulation *simulation);

/* library.c: the functions of the library of a device, not CAIRN_DEVICE_CPU; NULL after a sentence. */
const crn_gpu_table *crn_device_library(cairn_context *context, cairn_device kind);
/* crn_fail with "device NAME: " before it. */
cairn_status crn_device_fail(const cairn_simulation *simulation, cairn_status status, const char *format, ...)
    CRN_PRINTF(3, 4);

/* ranks.c: what process 0 asks all ranks for; the first number of a question. */
enum crn_device_tasks
{
    CRN_DEVICE_LOADS,
    CRN_DEVICE_GLANCE,
    CRN_DEVICE_SHARE,
    CRN_DEVICE_START
};
bool crn_device_task(crn_domain *domain, const void *question, size_t size, void *answer);
/* The processes that share simulations of this context; NULL: none. */
cairn_ranks *crn_device_ranks(const cairn_context *context);

/* describe.c: describe the scene at its state. CAIRN_UNSUPPORTED with a sentence that names what the device cannot do. */
cairn_status crn_device_describe(cairn_simulation *simulation, crn_device *device, crn_gpu_description *out);
int crn_device_driven_index(crn_device *device, int body); /* among the driven bodies; adds it */
bool crn_device_read_dynamic(const cairn_simulation *simulation, int body, crn_gpu_body *out); /* false: it cannot */
/* Whether the sweeps over single spheres will do. */
bool crn_device_is_plain(const cairn_simulation *simulation);
/* read_bodies of a description of these for ranks. */
bool crn_device_describe_bodies(void *simulation, int32_t first, int32_t count, crn_gpu_body *out);
/* The model's body of a number of the device's; and the number of a body, -1: it has none. */
int crn_device_body_of(const cairn_simulation *simulation, const crn_device *device, int number);
int crn_device_number_of(const cairn_simulation *simulation, const crn_device *device, int body);
/* describe_shapes.c: whether there are single spheres and half-spaces alone; describe the shapes of other scenes. */
bool crn_device_is_round(const cairn_simulation *simulation);
cairn_status crn_device_add_shapes(cairn_simulation *simulation, crn_device *device);
/* Grains that are in the model now have their shapes in the list as well. */
cairn_status crn_device_list_grains(const cairn_simulation *simulation, crn_device *device);
/* describe_joints.c */
cairn_status crn_device_add_joints(cairn_simulation *simulation, crn_device *device);
/* What acts on coordinates over a step of the frame's time. */
void crn_device_time_joints(const cairn_simulation *simulation, const crn_device *device, crn_gpu_timed *out);
/* describe_springs.c, describe_forces.c */
void crn_device_add_spring(const cairn_simulation *simulation, int spring, crn_gpu_joint *out);
cairn_status crn_device_add_forces(cairn_simulation *simulation, crn_device *device);
/* The forces at time t; those that depend on the state, where it is to be that of the simulation, or 0. */
cairn_status crn_device_time_forces(const cairn_simulation *simulation, const crn_device *device, double t,
                                    bool is_of_state, crn_gpu_load *out);
crn_gpu_pull crn_device_pull(const cairn_simulation *simulation, const crn_device *device);
/* Impulses, angles and works of joints, springs and forces after a batch; *work: of all on the bodies, in J. */
cairn_status crn_device_read_works(cairn_simulation *simulation, double *work);
/* Where driven bodies are, and what acts on joints and bodies, in `count` steps of length h from t on. */
cairn_status crn_device_drives(cairn_simulation *simulation, crn_device *device, double t, double h, int count);

#endif
