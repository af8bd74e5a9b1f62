/* Functions of time: targets of drives, rest values of springs. */
#ifndef CRN_MODEL_SIGNAL_H
#define CRN_MODEL_SIGNAL_H

#include "base/expression.h"
#include "cairn/model.h"
#include "model/reference.h"

typedef struct crn_signal
{
    crn_expression *expression;
    crn_references references; /* what it names besides t */
    char *text;                /* the expression, for messages */
    cairn_signal_fn function;
    void *data;
    double *table; /* pairs of a time and a value, the times ascending */
    int table_count;
} crn_signal;

/* Copy a signal; one that gives nothing is 0. `who` and `field` name it in messages. With `in_state` its expression may name quantities;
 * then its values are those of formulate/references.h, and the functions below know none: NAN. */
cairn_status crn_signal_set(const cairn_model *model, const char *who, const char *field, const cairn_signal *given,
                            bool in_state, crn_signal *out);
void crn_signal_release(crn_signal *signal);
double crn_signal_value(const crn_signal *signal, double t);
/* Whether it has one value for all times: a number, or an expression without a variable. */
bool crn_signal_is_constant(const crn_signal *signal);
/* The derivative just after t (side 1) or just before it (side -1). */
double crn_signal_rate(const crn_signal *signal, double t, int side);
/* The first time in (t0, t1] at which the derivative jumps, as far as it is known; INFINITY: none. */
double crn_signal_next_kink(const crn_signal *signal, double t0, double t1);

#endif
