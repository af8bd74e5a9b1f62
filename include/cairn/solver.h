/* Solvers: one interface. A solver gets a one-step problem and a tolerance and returns (v, c, r) and a report.
 * It never sees bodies, shapes or files. The certificate comes from other code, from (problem, solution) alone.
 */
#ifndef CAIRN_SOLVER_H
#define CAIRN_SOLVER_H

#include "cairn/problem.h"

CAIRN_BEGIN_DECLS

/* How well the laws hold. Velocities in m/s (angular ones times the problem's lengths), impulses in N s.
 *
 * The natural map of contact j is r - P(r - rho u), with P the projection on the law's set and rho the contact's
 * effective mass; divided by rho it is a velocity: 0 exactly when the law holds. That of a bounded row is the same with its
 * bounds for the set: z - P(z - rho s). Every island, a part of the problem that
 * nothing couples with the rest, is judged by its own scale, a velocity taken from the problem's data alone (not from the
 * solution, so a huge wrong answer cannot hide): a fast body elsewhere excuses nothing.
 */
typedef struct cairn_certificate
{
    double natural_map;       /* m/s: largest over contacts and bounded rows */
    double impulse_outside;   /* N s: largest distance of r_j from its friction set, of z from its bounds */
    double penetration_speed; /* m/s: largest max(0, -u_n) */
    double complementarity;   /* J: largest |u_n r_n|; under the convex laws |u'r|; |s| times the room to the bound */
    double joint;             /* m/s: largest |G v + R_c c - b| */
    double dynamics;          /* m/s: largest |A^-1 (A v - p - G'c - H'r)|: how far v is from what the impulses make */
    double scale;             /* m/s: the largest of the islands' */
    double relative;   /* the worst over the islands of max(natural_map, joint, dynamics) / scale, its own of each */
    int worst_contact; /* index of the contact or bounded row with the largest natural map; -1: none */
} cairn_certificate;

typedef enum cairn_outcome
{
    CAIRN_SOLVED = 0, /* certificate within tolerance */
    CAIRN_MISSED,     /* a solution, but its certificate misses the tolerance */
    CAIRN_FAILED,     /* no solution: a ray, or too many pivots */
} cairn_outcome;

/* Why there is no solution, as far as it can be proved (docs/solvers.md). */
typedef enum cairn_cause
{
    CAIRN_CAUSE_UNKNOWN = 0, /* there may be one that no method found */
    CAIRN_CAUSE_JOINTS,      /* equations of joints contradict each other */
    CAIRN_CAUSE_CONTACTS,    /* every motion that the joints allow closes some contact further */
    CAIRN_CAUSE_LIFT_OFF,    /* a contact must slide and cannot lift off, as the convex laws want */
    CAIRN_CAUSE_TIME,        /* the time limit came before any method had found one */
    CAIRN_CAUSE_BOUNDS,      /* a bounded row whose impulse has no bound asks for a motion that nothing allows */
} cairn_cause;

/* A sentence without its full stop. */
CAIRN_API const char *cairn_cause_text(cairn_cause cause);

typedef enum cairn_solver_kind
{
    CAIRN_SOLVER_AUTO = 0,       /* by law and size, and stronger ones where the first misses (docs/solvers.md) */
    CAIRN_SOLVER_LEMKE,          /* complementary pivoting alone, for polyhedral laws */
    CAIRN_SOLVER_GAUSS_SEIDEL,   /* sweeps of exact local solves */
    CAIRN_SOLVER_APGD,           /* accelerated projected gradient */
    CAIRN_SOLVER_ADMM,           /* alternating directions on one sparse factorisation */
    CAIRN_SOLVER_INTERIOR_POINT, /* path following, second order */
    CAIRN_SOLVER_NEWTON,         /* proximal steps by a semismooth Newton method, second order */
    CAIRN_SOLVER_SMOOTHING,      /* Newton along the path of smoothed laws, second order */
    CAIRN_SOLVER_KINDS,          /* how many there are */
} cairn_solver_kind;

/* Names as in scene files: "auto", "interior-point"; "unknown" for a kind that is none. Parsing an unknown name returns false
 * and leaves *out alone. */
CAIRN_API const char *cairn_solver_kind_name(cairn_solver_kind kind);
CAIRN_API bool cairn_solver_kind_parse(const char *text, cairn_solver_kind *out);

/* Which forces are returned where contacts or joints are redundant and many would do (docs/forces.md). Under the exact
 * laws of friction other forces may come with other velocities; all but `auto` compare these too. */
typedef enum cairn_forces
{
    CAIRN_FORCES_AUTO =
        0,            /* least norm among forces that keep the velocities, in islands of up to 48 rows; any in larger */
    CAIRN_FORCES_ANY, /* whatever the method came to */
    CAIRN_FORCES_MINIMUM_NORM,   /* the stiff limit: least r'D r, D = diag(1/weights) (Preclik et al. 2011, eq. 65) */
    CAIRN_FORCES_MINIMUM_ENERGY, /* those of sliding contacts that take most energy (Preclik et al. 2011, section 3), */
    CAIRN_FORCES_MAXIMUM_ENERGY, /* and those that take least */
} cairn_forces;

CAIRN_API const char *cairn_forces_name(cairn_forces forces);

#define CAIRN_MAX_THREADS 1024

typedef struct cairn_solver_options
{
    cairn_solver_kind kind;
    double tolerance;   /* relative certificate to reach; default 1e-9 */
    int max_iterations; /* pivots, sweeps, iterations; 0: the method's own choice (lemke: 50 + 20 times its variables) */
    double
        time_limit; /* s for the whole solve; the best found by then is returned, see out_of_time; 0: none. Results then
                           depend on the machine and on what else it does */
    int threads;    /* at most; 1, the default, or 0: one. The bits of the result do not depend on it */
    const double *guess; /* r to start iterative methods from, dim * contact_count; NULL: none */
    cairn_forces forces; /* default auto */
} cairn_solver_options;

CAIRN_API cairn_solver_options cairn_solver_default(void);

typedef struct cairn_solution
{
    int n, joint_rows, contact_rows;
    double *v; /* n */
    double *c; /* joint_rows */
    double *r; /* contact_rows = dim * contact_count */
} cairn_solution;

typedef struct cairn_solver_report
{
    cairn_outcome outcome;
    int iterations;         /* pivots, sweeps, iterations of all islands and methods */
    int fallbacks;          /* how many stronger methods had to be tried */
    int refactorisations;   /* of the basis, for numerical safety */
    int dropped_joint_rows; /* redundant joint rows, whose impulse the method set to 0; see `forces` */
    int islands;            /* parts with contacts or joints that nothing couples */
    int largest_island;     /* contacts of the one that has most */
    int null_space; /* dimension of the forces that leave all active contacts and joints as they are; 0: unique */
    int velocity_null_space; /* of those, how many change velocities: dynamic friction of the exact laws */
    int unexamined;          /* islands too large to tell */
    bool chosen_forces;      /* where there is a null space: the forces asked for are returned, in every island */
    const char *method;      /* the method that produced the solution, e.g. "lemke"; "several": islands differ in it */
    cairn_certificate certificate;
    bool out_of_time;  /* the tolerance was missed and the time limit ended a method that might have gone on */
    cairn_cause cause; /* outcome CAIRN_FAILED: why */
    int culprit;       /* the joint row, the contact or the bounded row where that shows most; -1: none */
} cairn_solver_report;

typedef struct cairn_solver cairn_solver; /* workspace, kept warm between steps */

CAIRN_API cairn_solver *cairn_solver_create(cairn_context *context);
CAIRN_API void cairn_solver_destroy(cairn_solver *solver);

/* Solve. The solution's arrays belong to the solver and live until its next call. CAIRN_OK whatever the outcome;
 * CAIRN_NUMERIC when A is not positive definite or the data is not finite (a message says which). */
CAIRN_API cairn_status cairn_solver_solve(cairn_solver *solver, const cairn_problem *problem,
                                          const cairn_solver_options *options, cairn_solution *solution,
                                          cairn_solver_report *report);

/* A part of the problem solved last that nothing couples with the rest. Its arrays belong to the solver and live until its
 * next call; they number blocks, items of G and contacts as the problem does, ascending. */
typedef struct cairn_island
{
    int block_count, joint_count, contact_count;
    const int *block, *joint, *contact;
    cairn_outcome outcome; /* CAIRN_SOLVED: it holds what the whole's tolerance asks of it */
    int iterations;
    const char *method;
} cairn_island;

/* Islands in the order of their first blocks; none after a call that failed. Blocks without joints and contacts belong to
 * none. */
CAIRN_API int cairn_solver_island_count(const cairn_solver *solver);
CAIRN_API cairn_island cairn_solver_island(const cairn_solver *solver, int index);

/* The certificate of any (v, c, r), from the problem's data alone; allocates only when memory given before is too
 * small. CAIRN_NO_MEMORY is its only failure. */
CAIRN_API cairn_status cairn_certify(const cairn_problem *problem, const cairn_solution *solution,
                                     cairn_certificate *certificate);

CAIRN_END_DECLS

#endif
