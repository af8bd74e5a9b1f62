/* The certificate of the physics: what a step did, checked against the laws of mechanics from states, geometry and impulses
 * alone, by code that knows neither the integrator nor the solver. docs/physics-certificate.md has the formulas.
 */
#ifndef CAIRN_AUDIT_H
#define CAIRN_AUDIT_H

#include "cairn/model.h"

CAIRN_BEGIN_DECLS

typedef enum cairn_violation_kind
{
    CAIRN_VIOLATION_RESTITUTION = 0, /* m/s: a contact left at another speed than its restitution gives */
    CAIRN_VIOLATION_PULL,            /* m/s: a contact pulled its bodies together */
    CAIRN_VIOLATION_FRICTION,        /* m/s: an impulse outside its cone, or one that pushes along the slip */
    CAIRN_VIOLATION_ENERGY,          /* J: contacts, joints and friction added energy that nothing explains */
    CAIRN_VIOLATION_MOMENTUM,        /* m/s: the momentum of a free group changed without a force */
    CAIRN_VIOLATION_JUMP,            /* m/s: a velocity changed without an impulse on record */
    CAIRN_VIOLATION_PENETRATION, /* m: bodies overlap at the start, or went deeper in a step than turning explains */
    CAIRN_VIOLATION_PROJECTION,  /* m: the projection of positions missed its tolerance */
    CAIRN_VIOLATION_BOOK,        /* J: the account of energies disagrees with states and impulses */
    CAIRN_VIOLATION_NOT_FINITE,  /* a state that is not a finite number */
} cairn_violation_kind;

enum
{
    CAIRN_VIOLATION_KINDS = CAIRN_VIOLATION_NOT_FINITE + 1
};

typedef struct cairn_violation
{
    cairn_violation_kind kind;
    double time;      /* s, at the end of the piece of the step that it was found in */
    cairn_body a, b;  /* those it was found at; null: none, or the world */
    uint64_t contact; /* identity; 0: none */
    double size;      /* in the kind's unit */
    double allowance; /* what rounding, the solver's tolerance and the discretisation explain; size is larger */
} cairn_violation;

/* Names as in scene files and on the command line ("restitution", "not-finite"), and units ("m/s"). */
CAIRN_API const char *cairn_violation_name(cairn_violation_kind kind);
CAIRN_API const char *cairn_violation_unit(cairn_violation_kind kind);
/* False on an unknown name; *out is then left alone. */
CAIRN_API bool cairn_violation_parse(const char *text, cairn_violation_kind *out);

/* All that was found since the start. */
typedef struct cairn_audit_totals
{
    int64_t count[CAIRN_VIOLATION_KINDS];
    cairn_violation worst[CAIRN_VIOLATION_KINDS]; /* largest size / allowance; of kinds that were found */
} cairn_audit_totals;

CAIRN_END_DECLS

#endif
