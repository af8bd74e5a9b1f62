/* The certificate of the physics: pieces of steps in, violations out. Knows no scheme and no solver. */
#ifndef CRN_AUDIT_AUDIT_H
#define CRN_AUDIT_AUDIT_H

#include "audit/piece.h"
#include "cairn/audit.h"

enum
{
    CRN_AUDIT_LISTED = 20 /* violations of one step that are kept one by one */
};

/* Constants of a model's bodies. The arrays belong to the caller. */
typedef struct crn_audit_bodies
{
    const double *mass;   /* a body, kg; 0: it does not move under forces */
    double (*inertia)[9]; /* kg m^2, body frame */
    const double *bound;  /* m: radius about the origin that holds the finite shapes */
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

/* Go on with what another audit found so far, that of the same simulation before its model changed. */
void crn_audit_carry_on(const crn_audit *from, crn_audit *to);

/* A step begins: nothing is found in it yet. One that fails is begun again. */
void crn_audit_begin(crn_audit *audit);
/* Where the bodies are as it begins, from the geometry. */
cairn_status crn_audit_from(crn_audit *audit, const crn_contact *contacts, int count);
cairn_status crn_audit_piece(crn_audit *audit, const crn_piece *piece);
/* Before the first step: overlaps are violations. */
void crn_audit_start(crn_audit *audit, double t, const crn_contact *contacts, int count);

/* How the bodies moved in a step, for the judgement of its end. */
typedef struct crn_audit_motion
{
    double t, h;
    double tolerance;
    double (*before)[6], (*after)[6]; /* a body: velocities at both ends, those of driven bodies too */
    double contact_tolerance;         /* m: to which gaps are closed */
    double projection_missed;         /* m: what a projection of positions left; 0: none, or it met ... */
    double projection_tolerance;      /* ... this */
    double book_kinetic;              /* J, of the account; NAN: not of bodies alone */
} crn_audit_motion;

/* The end of a step: contacts from the geometry there. Violations of the step count from here on. */
void crn_audit_end(crn_audit *audit, const crn_audit_motion *motion, const crn_contact *contacts, int count);

/* Of the last step that ended. */
int crn_audit_found(const crn_audit *audit);                     /* all, also those that are not listed */
int crn_audit_forbidden(const crn_audit *audit, uint32_t allow); /* those whose kind is not a bit of `allow` */
int crn_audit_listed(const crn_audit *audit);
cairn_violation crn_audit_violation(const crn_audit *audit, int index);
const cairn_audit_totals *crn_audit_totals(const crn_audit *audit);
/* All of it, to be saved and put back. */
crn_audit_record *crn_audit_record_of(crn_audit *audit);

#endif
