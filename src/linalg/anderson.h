/* Anderson's extrapolation of a fixed-point iteration r <- T(r).
 *
 * With f = T(r) - r, and with dF and dT the differences of f and T between successive steps as columns,
 *
 *     gamma = argmin | f - dF gamma |,      next r = T(r) - dT gamma        (Anderson 1965, Walker and Ni 2011):
 *
 * a quasi-Newton step where T is nearly affine. The caller chooses the norm: f may carry a weight per row.
 */
#ifndef CRN_LINALG_ANDERSON_H
#define CRN_LINALG_ANDERSON_H

#include "base/memory.h"

enum
{
    CRN_ANDERSON_MOST = 12 /* differences */
};

typedef struct crn_anderson
{
    int rows, depth;       /* at most `depth` differences are kept */
    int count, newest;     /* differences kept, and the slot of the last one */
    bool started;          /* f_old and T_old are set */
    double *f;             /* the residual of the step at hand; the caller writes it */
    double *f_old, *T_old; /* of the step before */
    double *dF[CRN_ANDERSON_MOST], *dT[CRN_ANDERSON_MOST];
    double gram[CRN_ANDERSON_MOST][CRN_ANDERSON_MOST]; /* dF' dF */
    double slope[CRN_ANDERSON_MOST];                   /* dF' f */
    crn_arena memory;
} crn_anderson;

/* Begin without differences. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_anderson_start(crn_anderson *past, int rows, int depth);
void crn_anderson_drop(crn_anderson *past);
void crn_anderson_release(crn_anderson *past);

/* Take in the differences of `f` and T to the step before; the oldest ones make room. Does nothing in the first step. */
void crn_anderson_push(crn_anderson *past, const double *T);

/* next = T - dT gamma. False, with `next` undefined, when there are no differences or they do not determine gamma. */
bool crn_anderson_extrapolate(const crn_anderson *past, const double *T, double *next);

/* Make `f` and T the step before. `f` is undefined afterwards. */
void crn_anderson_remember(crn_anderson *past, const double *T);

#endif
