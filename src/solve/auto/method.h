/* What every iterative solver looks like from outside: one function, one workspace, one report. The certificate
 * (solve/certify.h) judges the result; a method's own stopping test is only its guess.
 *
 * A method is given the whole problem (bodies, joints, springs, compliance, bias) and works on
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
    double tolerance;            /* relative certificate aimed at, of the problem taken as one island */
    double scale;                /* m/s: the certificate's, where it is known; 0: the method finds it */
    const double *contact_scale; /* m/s: of each contact's island, no more than `scale`; NULL: all as that */
    int max_iterations;          /* 0: the method's own choice */
    double deadline; /* asked at every iteration, by crn_is_late; what is best by then is returned. 0: none */
    int threads;     /* that it may use; 0: one */
    bool brief;      /* only a first look is wanted: cheap iterations, no other means */
    bool
        has_successor; /* a stronger method stands ready: it may give up, or decline, where that one promises to be quicker */
} crn_method_options;

typedef struct crn_method_report
{
    int iterations;
    bool converged; /* by the method's own test */
    bool declined;  /* nothing was done, and the solution is without meaning */
    bool cut;       /* it ended early since a factorisation would not have been done by the deadline */
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
    /* Bounds that are multiples of an impulse must be constants to it; the fixed point (fixed_point.h) renews them. */
    bool needs_constant_bounds;
    /* v and c are unknowns beside r, known to its tolerance alone; the other methods compute them from r. */
    bool carries_velocities;
    /* It factorises matrices of bodies and contacts together, which may fail where those of the bodies do not. */
    bool factorises_contacts;
} crn_method;

/* All methods: the enumerator after CAIRN_SOLVER_ and the name after crn_method_. Each is defined in its own file; a new one is
 * that file, a line here and its enumerator in cairn/solver.h. */
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
