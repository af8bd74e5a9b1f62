/* The physics certificate of a step of single spheres and half-spaces at a glance, by the ranks that took it.
 *
 * Each rank looks at the contacts that it lists, at how its own bodies move (audit/glance.h), and for overlaps among its own bodies and ghosts. What travels is the impulses on ghosts, to
 * their owners, and a few sums: doubts, contacts, and the kinetic energy, which is exact (base/exact_sum.h). A step without a doubt has no violation. Otherwise process 0 examines all of
 * it, as it does every step of other scenes (device_audit.c). So whoever looks, and however many they are, the same is found.
 *
 * device_glance.c   the task of a rank: contacts and bodies
 * device_overlaps.c overlaps
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

typedef struct crn_glance_answer
{
    int64_t doubts;   /* ranks that are not sure of their contacts or bodies, and those not sure of their overlaps */
    int64_t contacts; /* that were looked at or do not act */
    double kinetic;   /* J: of all bodies, at the end */
} crn_glance_answer;

_Static_assert(sizeof(crn_glance_answer) <= CRN_CREW_ANSWER, "an answer of ranks");

/* Collective, a crn_crew_task: from a question to an answer, the same on all ranks. The step's start (crn_domain.start) is dropped. */
bool crn_glance_task(crn_domain *domain, const void *question, size_t size, void *answer);

/* Whether no overlap of this rank's bodies with others has grown in the step by more than crn_overlap_slight, and none have passed through each other. */
cairn_status crn_domain_overlaps_well(const crn_domain *domain, const crn_audit_motion *motion, bool *right);

#endif
