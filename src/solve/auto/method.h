/* The interface of iterative solvers: one function, one workspace, one report. The certificate (solve/certify) judges the
 * result; a method's own stopping test is only an estimate.
 *
 * A method gets the whole problem (bodies, joints, springs, compliance, bias) and solves
 *
 *     A v = p + G'c + H'r,   G v + R_c c = b,   u = H v + R r + w,   law(u, r, mu)   or   z = P_[lo, hi](z - u_n), z = r_n
 *
 * It may not change the problem, allocates only when its workspace is too small, and gives the same bits for any number of
 * threads.
 */
#ifndef CRN_SOLVE_AUTO_METHOD_H
#define CRN_SOLVE_AUTO_METHOD_H

#include "base/context.h"
#include "cairn/solver.h"

typedef struct crn_method_options
{
    double tolerance;            /* aimed at, of the relative certificate of the problem as one island */
    double scale;                /* m/s: the certificate's, where it is known; 0: the method computes it */
    const double *contact_scale; /* m/s: per contact that of its island, at most `scale`; NULL: all are `scale` */
    const double *before; /* velocities before the step, where the problem is one of a sequence; NULL: not known */
    int max_iterations;   /* 0: the method's own choice */
    double deadline;      /* tested in every iteration by crn_is_late; the best so far is returned. 0: none */
    double *work;         /* multiplications left for factorisations, which reduce it; NULL: no limit */
    int threads;          /* that it may use; 0: one */
    bool brief;           /* only a few cheap iterations are wanted: skip what takes time to set up */
    bool eases;           /* hold: contacts at the bound of friction may stick; try it from half their friction */
    bool limbs;           /* hold: joints form trees, and rounding may be that of their elimination limb by limb */
    bool has_successor;   /* a stronger method follows: this one may decline or give up when that is quicker */
} crn_method_options;

typedef struct crn_method_report
{
    int iterations;
    bool converged; /* by the method's own test */
    bool declined;  /* nothing was done, and the solution is meaningless */
    bool resting;   /* declined because a method for bodies at rest should come first */
    bool cut;       /* it ended early because a factorisation would not have ended by the deadline */
} crn_method_report;

typedef struct crn_method
{
    const char *name;
    /* Laws the method solves. */
    bool (*can_solve)(const cairn_problem *problem);
    /* NULL when memory ran out. */
    void *(*create)(void);
    void (*destroy)(void *workspace);
    /* solution's arrays have the right sizes; on entry r holds a guess (0 when there is none), on return v, c and r are
     * set. CAIRN_OK also when it did not converge; CAIRN_NUMERIC when A is not positive definite; CAIRN_NO_MEMORY. */
    cairn_status (*solve)(void *workspace, cairn_context *context, const cairn_problem *problem,
                          const crn_method_options *options, cairn_solution *solution, crn_method_report *report);
    /* NULL, or: about how many multiplications one of its factorisations takes, from the pattern of the problem, which stays with the
     * workspace. CAIRN_NO_MEMORY is the only failure. */
    cairn_status (*predict)(void *workspace, const cairn_problem *problem, double *work);
    /* It takes bounds that are multiples of an impulse only as constants; the fixed point (fixed_point.h) updates them. */
    bool needs_constant_bounds;
    /* v and c are unknowns like r, only as accurate as its tolerance; other methods compute them from r. */
    bool carries_velocities;
    /* It factorises matrices of bodies and contacts together, which may fail where the bodies alone do not. */
    bool factorises_contacts;
} crn_method;

/* All methods: the enumerator after CAIRN_SOLVER_ and the name after crn_method_. Each is defined in its own file; a new method
 * needs that file, a line here and its enumerator in cairn/solver.h. */
#define CRN_METHODS(X)                                                                                                 \
    X(GAUSS_SEIDEL, gauss_seidel)                                                                                      \
    X(APGD, apgd)                                                                                                      \
    X(ADMM, admm)                                                                                                      \
    X(INTERIOR_POINT, interior_point)                                                                                  \
    X(NEWTON, newton)                                                                                                  \
    X(SMOOTHING, smoothing)

#define CRN_DECLARE(KIND, name) extern const crn_method crn_method_##name;
CRN_METHODS(CRN_DECLARE)
#undef CRN_DECLARE

#endif
