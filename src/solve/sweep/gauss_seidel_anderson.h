/* Anderson's extrapolation of the sweeps.
 *
 * A sweep is a map T, r its fixed point, f(r) = T(r) - r. Where contacts keep their state (off, stick, slip) T is smooth
 * and the sweeps converge by the slow geometric series of its largest eigenvalues; the last few steps tell what these
 * are. With dF and dT the differences of f and T(r) over up to CRN_GS_MEMORY steps,
 *
 *     gamma = argmin | f_k - dF gamma |,      r_{k+1} = T(r_k) - dT gamma        (Anderson 1965, Walker and Ni 2011)
 *
 * in the norm sum r_j^2 / rho_j, the kinetic energy of an impulse at its own contact. Where f grows instead of falling
 * (a contact changed its state) the history is dropped and the sweeps go on from the best T(r) seen.
 *
 * Contacts that almost repeat each other hand their load over at a constant rate, thousands of sweeps long, until one
 * is empty: f stays the same and its differences are noise. When an extrapolation has failed, or for some
 * steps has gained nothing, and f hardly changes, r is moved along f instead, over a stride that doubles as long as f
 * does not grow.
 *
 * Neither can do lasting harm: a failure that came without progress since the last one is followed by twice as many plain
 * sweeps as that was.
 */
#ifndef CRN_SOLVE_SWEEP_GAUSS_SEIDEL_ANDERSON_H
#define CRN_SOLVE_SWEEP_GAUSS_SEIDEL_ANDERSON_H

#include "cairn/base.h"

enum
{
    CRN_GS_MEMORY = 12
};

typedef struct crn_gs_history
{
    int rows;
    double *weight; /* each row: 1 / sqrt(rho) of its contact; f and dF are kept times it, so that the norm is plain */
    int count, newest; /* differences kept, and the place of the last */
    bool started;      /* f_old and T_old are set */
    bool drifts;       /* extrapolation has failed or gains nothing: follow f as long as it stays the same */
    int steady;        /* steps in a row in which f hardly changed */
    double stride;     /* of the drift: sweeps skipped at once; 0: none yet */
    bool jumped;       /* the last sweep did not start at the T(r) before it */
    int pause, rest;   /* plain sweeps after a failure, and those still to make */
    double failed_at;  /* the least |f| at the last failure */
    double least;      /* the smallest |f| since the last time the history was dropped; infinite: none */
    double *before;    /* r before the sweep */
    double *f, *f_old, *T_old;
    double *safe; /* T(r) where |f| was least */
    double *dF[CRN_GS_MEMORY], *dT[CRN_GS_MEMORY];
    double gram[CRN_GS_MEMORY][CRN_GS_MEMORY]; /* dF' dF */
    double slope[CRN_GS_MEMORY];               /* dF' f */
    size_t capacity[6 + 2 * CRN_GS_MEMORY];
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
