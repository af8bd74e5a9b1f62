/* The physics certificate of a step by the ranks that took it.
 *
 * Each rank looks at the contacts that it lists, at how its own bodies move, and for overlaps among its own bodies and ghosts. What travels is the impulses on ghosts, to
 * their owners, and a few sums: doubts, contacts, and the kinetic energy, which is exact (base/exact_sum.h). A step without a doubt has no violation. Otherwise process 0 examines all of
 * it (device_audit.c). So whoever looks, and however many they are, the same is found.
 *
 * device_glance.c   the task of a rank in scenes of single spheres and half-spaces under gravity alone: contacts and bodies (audit/glance.h)
 * device_overlaps.c overlaps in these
 * device_share.c    the task in others (audit/share.h)
 * device_share_overlaps.c   overlaps in these
 * device_linked.c   joints and springs, which are process 0's
 * device_replica.c  a rank's part of such a scene as a model, in which overlaps are looked for
 * device_start_overlaps.c   overlaps before the first step
 */
#ifndef CRN_STEP_DEVICE_GLANCE_H
#define CRN_STEP_DEVICE_GLANCE_H

#include "audit/audit.h"
#include "domain/crew.h"

/* What is asked. Every byte of it travels, so it is to be zeroed first. */
typedef struct crn_glance_question
{
    int64_t task; /* crn_device_tasks */
    double h, gravity[3];
    double drift_time, left, tolerance, speed, threshold, cone; /* as in crn_piece */
    int64_t crowded, lifts;                                     /* likewise */
} crn_glance_question;

/* In other scenes there is more, and behind it crn_share_drive, crn_gpu_load, the offsets of half-spaces that are not shapes, two each, and crn_linked_push. */
typedef struct crn_share_question
{
    crn_glance_question step;
    double k, room[2],
        step_after; /* of the search for contacts at both ends (step/reach.c), with the length of the step that the second would begin, s */
    double friction;            /* that was set by hand; NAN: none */
    double range;               /* m: of cohesion, at most */
    int64_t coheres, keeps_all; /* all contacts of meshes are listed */
    int64_t drives, loads, linked;
} crn_share_question;

/* A driven body at both ends of the step: where it is, and its velocity over the step that begins there; linear in the world, angular in its frame. */
typedef struct crn_share_drive
{
    double x[2][3], q[2][4], v[2][6];
} crn_share_drive;

typedef struct crn_glance_answer
{
    int64_t doubts; /* of all ranks together, or ranks in doubt */
    int64_t mean,
        last; /* groups of which parts are here and elsewhere, which gain energy by one of two measures (audit/share.h) */
    int64_t contacts; /* that were looked at or do not act */
    double kinetic;   /* J: of all bodies, at the end */
} crn_glance_answer;

_Static_assert(sizeof(crn_glance_answer) <= CRN_CREW_ANSWER, "an answer of ranks");

/* Collective, a crn_crew_task: from a question to an answer, the same on all ranks. The step's start (crn_domain.start) is dropped. */
bool crn_glance_task(crn_domain *domain, const void *question, size_t size, void *answer);

bool crn_share_task(crn_domain *domain, const void *question, size_t size, void *answer);

/* What is asked before the first step; behind it a point of every half-space. The answer is one number: the deepest overlap, m. */
typedef struct crn_start_question
{
    int64_t task;
    double gravity[3];
} crn_start_question;

bool crn_start_task(crn_domain *domain, const void *question, size_t size, void *answer);

/* The piece that a question is about, without bodies and contacts. */
crn_piece crn_glance_piece(const crn_glance_question *question);
/* Of both tasks: the crn_border of every body. */
void crn_glance_borders(const crn_domain *domain, uint8_t *border);
/* Collective: impulses on copies of bodies, of six numbers each, go to those that have the bodies; NULL: none from here, and none are taken. false: memory ran out. */
typedef struct crn_pushes
{
    void *data;
    void (*read)(void *data, int body, double out[6]);
    void (*add)(void *data, int body, const double given[6]);
} crn_pushes;
bool crn_glance_exchange(crn_domain *domain, const uint8_t *border, const crn_pushes *pushes);
/* Collective: from a rank's answer to that of all. */
void crn_glance_add_up(crn_domain *domain, crn_glance_answer *out);

/* Whether no overlap of this rank's bodies with others has grown in the step by more than crn_overlap_slight, and none have passed through each other. */
cairn_status crn_domain_overlaps_well(const crn_domain *domain, const crn_audit_motion *motion, bool *right);

#endif
