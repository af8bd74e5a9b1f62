/* Anderson's extrapolation of the sweeps (linalg/anderson.h).
 *
 * A sweep is a map T with the solution as its fixed point. While contacts keep their state (open, stick, slip) T is smooth, and
 * the sweeps converge like the geometric series of its largest eigenvalues, which is slow; the last few steps reveal those
 * eigenvalues. The norm is sum r_j^2 / rho_j, the kinetic energy of an impulse at its own contact. Where f = T(r) - r grows (a
 * contact has changed its state), the history is dropped and the sweeps go on from the best T(r) seen.
 *
 * Contacts that are almost copies of each other shift load from one to the other at a constant rate, over thousands of sweeps,
 * until one is empty: f stays the same and its differences are noise. When an extrapolation has failed, or has gained nothing for
 * some steps, and f hardly changes, r is moved along f instead, by a stride that doubles as long as f does not grow.
 *
 * Neither does lasting harm: a failure without progress since the last one is followed by twice as many plain sweeps as that was.
 */
#ifndef CRN_SOLVE_SWEEP_GAUSS_SEIDEL_ANDERSON_H
#define CRN_SOLVE_SWEEP_GAUSS_SEIDEL_ANDERSON_H

#include "linalg/anderson.h"

typedef struct crn_gs_history
{
    int rows;
    crn_anderson past; /* its f is weighted, so that the norm is the plain one */
    double *weight;    /* per row: 1 / sqrt(rho) of its contact */
    bool drifts;       /* extrapolation has failed or gains nothing: follow f as long as it stays the same */
    int steady;        /* successive steps in which f hardly changed */
    double stride;     /* of the drift, in sweeps skipped at once; 0: none yet */
    bool jumped;       /* the last sweep did not start at the T(r) before it */
    int pause, rest;   /* plain sweeps after a failure, and those still to make */
    double failed_at;  /* the least |f| at the last failure */
    double least;      /* the least |f| since the history was last dropped; infinite: none */
    double *before;    /* r before the sweep */
    double *safe;      /* T(r) where |f| was least */
    crn_arena memory;
} crn_gs_history;

/* What to do after a sweep. */
typedef enum crn_gs_advice
{
    CRN_GS_GO_ON,       /* from T(r) */
    CRN_GS_EXTRAPOLATE, /* from the point written to `next` */
    CRN_GS_GO_BACK,     /* the same, but it is an older T(r) */
} crn_gs_advice;

/* Begin with an empty history. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_gs_history_start(crn_gs_history *history, int rows, int dim, const double *rho);
void crn_gs_history_drop(crn_gs_history *history);
void crn_gs_history_release(crn_gs_history *history);

/* Before a sweep from r; and after it, with T(r). */
void crn_gs_history_before(crn_gs_history *history, const double *r);
crn_gs_advice crn_gs_history_after(crn_gs_history *history, const double *T, double *next);

#endif
