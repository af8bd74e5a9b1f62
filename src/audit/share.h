/* Judging a piece, and the end of a step, that several share: each has some of the bodies, copies of others, and some of the contacts.
 *
 * Each asks what the whole examination asks (audit.c), of what it has. Where nobody has a doubt, that examination finds nothing:
 *
 *   contacts  The slack of a contact is that of the fastest contact of its group, here of the part of the group that is known, which is no larger. Every question but one is
 *             the stricter the smaller the slack is; that one is always asked (judge_letting_go). Of a body whose other contacts are elsewhere, a contact counts as one that stands alone,
 *             which is the stricter as well.
 *   bodies    Impulses on copies go to those that have the bodies, who compare all impulses with the change of momentum: by the slack of no speed, so that momenta of
 *             groups, whose contacts act with opposite impulses, are right by the sum of their bodies.
 *   energy    What a group gains, and what it may gain, are sums over its contacts. It gains little at the mean velocity if each share does, and acting last if each share
 *             does; which of the two is the smaller in all, nobody knows, so all shares have to be right in the same way.
 *   overlaps  are judged pair by pair, without the paths of driven bodies.
 *
 *   joints    are judged by who has their impulses, who tells the others what they give to bodies.
 *
 * All are granted a part of every allowance only, which leaves room for rounding.
 */
#ifndef CRN_AUDIT_SHARE_H
#define CRN_AUDIT_SHARE_H

#include "audit/audit.h"

/* A body of a piece that several share. */
typedef enum crn_border
{
    CRN_BORDER_NONE, /* all of its contacts are here */
    CRN_BORDER_OWN,  /* others may have contacts of it */
    CRN_BORDER_COPY  /* another one judges how it moves */
} crn_border;

/* Doubts of a share. */
typedef struct crn_share_doubts
{
    int clear;      /* what can be judged here */
    int mean, last; /* groups that gain energy at their mean velocities, and those that gain it if contacts act last */
} crn_share_doubts;

/* From now on the audit counts doubts. */
void crn_audit_share(crn_audit *audit);
/* Measure the contacts of a piece; then the impulses that they give a body: N s, and N m s in its frame. */
cairn_status crn_audit_share_look(crn_audit *audit, const crn_piece *piece, bool *is_finite);
double *crn_audit_given(crn_audit *audit, int body);
/* Judge it when all impulses on the own bodies are there. border: per body, a crn_border. */
void crn_audit_share_judge(crn_audit *audit, const crn_piece *piece, const uint8_t *border, crn_share_doubts *doubts);
/* The share of who has the joints, and no contacts: judge them. All groups are shared. */
void crn_audit_share_joints(crn_audit *audit, const crn_piece *piece, crn_share_doubts *doubts);
/* A joint that is somebody else's holds a body. */
void crn_audit_share_hold(crn_audit *audit, int body);
/* Doubts about the end of a step, whose start crn_audit_from has given. */
int crn_audit_share_end(crn_audit *audit, const crn_audit_motion *motion, const crn_contact *contacts, int count);

#endif
