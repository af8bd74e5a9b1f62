/* The certificate of the physics: pieces of steps in, violations out. Knows no scheme and no solver. */
#ifndef CRN_AUDIT_AUDIT_H
#define CRN_AUDIT_AUDIT_H

#include "audit/piece.h"
#include "base/memory.h"
#include "cairn/audit.h"
#include "math/inertia.h"

enum
{
    CRN_AUDIT_LISTED = 20 /* violations of one step that are kept one by one */
};

/* Constants of a model's bodies, and how many threads may look at them. The arrays belong to the caller. */
typedef struct crn_audit_bodies
{
    const double *mass;   /* per body: kg; 0: it does not move under forces */
    crn_inertias inertia; /* kg m^2, body frame */
    const double *bound;  /* m: radius about the origin that encloses the finite shapes */
    int threads;
    crn_scratch *scratch; /* for what is not needed from piece to piece; NULL: the audit has its own */
} crn_audit_bodies;

/* What was found in the last step, and since the start. */
typedef struct crn_audit_record
{
    cairn_violation listed[CRN_AUDIT_LISTED];
    int listed_count, found;
    cairn_audit_totals step, totals;
} crn_audit_record;

typedef struct crn_audit crn_audit;

/* NULL: memory ran out. */
crn_audit *crn_audit_create(const cairn_model *model, const crn_audit_bodies *bodies);
void crn_audit_destroy(crn_audit *audit);

/* Take over the findings of another audit: that of the same simulation before its model changed. */
void crn_audit_carry_on(const crn_audit *from, crn_audit *to);

/* Begin a step, with no findings yet. A step that fails is begun again. */
void crn_audit_begin(crn_audit *audit);
/* Set the contacts at the start of the step, from collision detection. lasts: they stay until the step has ended, or until
 * crn_audit_own_start copies them. */
cairn_status crn_audit_from(crn_audit *audit, const crn_contact *contacts, int count, bool lasts);
cairn_status crn_audit_own_start(crn_audit *audit);
/* Those contacts, where they were not copied; NULL: they were, or there are none. */
const crn_contact *crn_audit_lent(const crn_audit *audit);
/* They are now in another list, together with others that came later (by identity). */
cairn_status crn_audit_follow(crn_audit *audit, const crn_contact *contacts, int count, const crn_contact *more,
                              int more_count);
/* The step has failed: forget them. */
void crn_audit_forget_start(crn_audit *audit);
cairn_status crn_audit_piece(crn_audit *audit, const crn_piece *piece);
/* Whether one look shows that a piece has no violation; if *right is false it may still have none. For pieces at one place, its
 * start, without springs, driven bodies and soft contacts or joints. `acted` replaces the contacts of the piece. */
cairn_status crn_audit_glance(crn_audit *audit, const crn_piece *piece, const crn_acted *acted, bool *right);
/* Before the first step: overlaps are violations. */
void crn_audit_start(crn_audit *audit, double t, const crn_contact *contacts, int count);

/* How the bodies moved in a step, for judging its end. */
typedef struct crn_audit_motion
{
    double t, h;
    double left; /* m/s: the same */
    double tolerance;
    double (*before)[6], (*after)[6]; /* velocities at both ends, those of driven bodies too, by row */
    const int *row;                   /* as in crn_piece */
    double contact_tolerance;         /* m: smaller gaps count as closed */
    double projection_missed;         /* m: error that a projection of positions left; 0: it met ... */
    double projection_tolerance;      /* ... this */
    double book_kinetic;              /* J: kinetic energy in the account; NAN: it includes users' systems */
} crn_audit_motion;

/* m: what the overlap of bodies of a size may grow by, whatever their motion is: a part of the whole allowance (overlap.c), which is larger by 1e-12 m at least. */
static inline double crn_overlap_slight(const crn_audit_motion *motion, double size)
{
    return 0.9999 * ((1e-10 + 20 * motion->tolerance) * size + 2 * motion->h * motion->left);
}

/* Judge the end of a step by the contacts there. Its violations count from here on. */
void crn_audit_end(crn_audit *audit, const crn_audit_motion *motion, const crn_contact *contacts, int count);

/* Of the last step that ended. */
int crn_audit_found(const crn_audit *audit);                     /* all of them, listed or not */
int crn_audit_forbidden(const crn_audit *audit, uint32_t allow); /* those whose kind is not a bit of `allow` */
int crn_audit_listed(const crn_audit *audit);
cairn_violation crn_audit_violation(const crn_audit *audit, int index);
const cairn_audit_totals *crn_audit_totals(const crn_audit *audit);
/* All findings, to be saved and restored. */
crn_audit_record *crn_audit_record_of(crn_audit *audit);

#endif
