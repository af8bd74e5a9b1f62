/* The certificate of the physics: every step checked against the laws of mechanics.
 *
 * The check uses states, geometry and impulses alone, and its code knows neither the integrator nor the solver. It is on by
 * default (`audit` in cairn_settings). What it finds is listed by cairn_simulation_violation, summed up by
 * cairn_simulation_audit, and counted in the step report. docs/physics-certificate.md has the formulas.
 */
#ifndef CAIRN_AUDIT_H
#define CAIRN_AUDIT_H

#include "cairn/model.h"

CAIRN_BEGIN_DECLS

/* --------------------------------------------------------------------------------------------- kinds and names */

/* What a step did wrong. The unit is that of cairn_violation.size. */
typedef enum cairn_violation_kind
{
    /* m/s: a contact separated at a speed other than its restitution gives. */
    CAIRN_VIOLATION_RESTITUTION = 0,
    /* m/s: a contact pulled its bodies together. */
    CAIRN_VIOLATION_PULL,
    /* m/s: an impulse outside its friction cone, or one that pushes along the slip. */
    CAIRN_VIOLATION_FRICTION,
    /* J: contacts, joints and friction added energy that nothing explains. */
    CAIRN_VIOLATION_ENERGY,
    /* m/s: the momentum of a free group of bodies changed without a force. */
    CAIRN_VIOLATION_MOMENTUM,
    /* m/s: a velocity changed without a recorded impulse. */
    CAIRN_VIOLATION_JUMP,
    /* m: bodies overlap at the start, or got deeper into each other in a step than rotation explains. */
    CAIRN_VIOLATION_PENETRATION,
    /* m: the projection of positions missed its tolerance. */
    CAIRN_VIOLATION_PROJECTION,
    /* J: the energy account disagrees with states and impulses. */
    CAIRN_VIOLATION_BOOK,
    /* A state that is not a finite number. */
    CAIRN_VIOLATION_NOT_FINITE,
} cairn_violation_kind;

/* The number of kinds. */
enum
{
    CAIRN_VIOLATION_KINDS = CAIRN_VIOLATION_NOT_FINITE + 1
};

/* Name of a kind as in scene files and on the command line, such as "restitution" or "not-finite". Must not be freed. */
CAIRN_API const char *cairn_violation_name(cairn_violation_kind kind);

/* Unit of a kind, such as "m/s". Must not be freed. */
CAIRN_API const char *cairn_violation_unit(cairn_violation_kind kind);

/* Parse a name. Returns false, and leaves *out alone, when it is unknown. */
CAIRN_API bool cairn_violation_parse(const char *text, cairn_violation_kind *out);

/* -------------------------------------------------------------------------------------------------- violations */

/* One violation. */
typedef struct cairn_violation
{
    cairn_violation_kind kind;
    /* s: the end of the part of the step in which it was found. */
    double time;
    /* The bodies involved; a null handle stands for none, or for the world. */
    cairn_body a, b;
    /* Identity of the contact; 0: none. */
    uint64_t contact;
    /* How large it is, in the kind's unit. */
    double size;
    /* What rounding, the solver's tolerance and the discretisation explain. `size` is larger than this. */
    double allowance;
} cairn_violation;

/* All violations since the start of a simulation. */
typedef struct cairn_audit_totals
{
    /* Number of violations of each kind. */
    int64_t count[CAIRN_VIOLATION_KINDS];
    /* The violation of each kind with the largest size / allowance; only where the count is not 0. */
    cairn_violation worst[CAIRN_VIOLATION_KINDS];
} cairn_audit_totals;

CAIRN_END_DECLS

#endif
