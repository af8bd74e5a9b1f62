/* Quantities that expressions name: positions and velocities of bodies, coordinates of joints and their rates. */
#ifndef CRN_MODEL_REFERENCE_H
#define CRN_MODEL_REFERENCE_H

#include "base/expression.h"
#include "cairn/model.h"

typedef enum crn_reference_kind
{
    CRN_REFERENCE_POSITION,   /* m: entry k of a body's position */
    CRN_REFERENCE_ANGLE,      /* rad: that of a body in the plane */
    CRN_REFERENCE_COORDINATE, /* coordinate k of a joint */
    CRN_REFERENCE_VELOCITY,   /* the rates of these; */
    CRN_REFERENCE_SPIN,       /* in space entry k of the angular velocity, body frame */
    CRN_REFERENCE_RATE,
} crn_reference_kind;

typedef struct crn_reference
{
    crn_reference_kind kind;
    int k;
    cairn_body body;
    cairn_joint joint;
} crn_reference;

enum
{
    CRN_REFERENCES = 32 /* the most that one force or one target may name */
};

/* The quantities of some expressions. Variable 0 of these is t, variable 1 + i is item i. */
typedef struct crn_references
{
    crn_reference *item;
    int count;
} crn_references;

void crn_references_release(crn_references *references);

/* Compile an expression in t and in quantities of the model, which are added to *references; text NULL: *out is NULL. `kind`, `name`
 * and `field` say in messages whose it is. */
cairn_status crn_compile_in_state(const cairn_model *model, const char *kind, const char *name, const char *field,
                                  const char *text, crn_references *references, crn_expression **out);

/* Whether a quantity changes with positions alone. */
bool crn_reference_is_position(const crn_reference *reference);
/* CAIRN_INVALID, with a message, when an expression of a force or of a joint names something that has been removed. */
cairn_status crn_check_references(cairn_context *context, const cairn_model *model);

#endif
