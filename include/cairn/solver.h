/* Solvers and the certificate.
 *
 * A solver takes a one-step problem and a tolerance, and returns (v, c, r) and a report. It never sees bodies, shapes or
 * files. How good the answer is, is measured by separate code, the certificate, from the problem and the solution alone.
 *
 *     cairn_solver *solver = cairn_solver_create(context);
 *     cairn_solver_options options = cairn_solver_default();
 *     cairn_solution solution;
 *     cairn_solver_report report;
 *     if (cairn_solver_solve(solver, problem, &options, &solution, &report) == CAIRN_OK && report.outcome == CAIRN_SOLVED)
 *         ... solution.v ...
 *     cairn_solver_destroy(solver);
 *
 * A simulation has solvers of its own. These functions are for problems that stand alone, and for studies of solvers.
 */
#ifndef CAIRN_SOLVER_H
#define CAIRN_SOLVER_H

#include "cairn/problem.h"

CAIRN_BEGIN_DECLS

/* -------------------------------------------------------------------------------------------- the certificate */

/* How well the laws hold. Velocities are in m/s (angular ones are multiplied by the problem's lengths), impulses in N s.
 *
 * The natural map of contact j is r - P(r - rho u), where P is the projection onto the law's set and rho the contact's
 * effective mass. Divided by rho it is a velocity, which is 0 exactly when the law holds. For a bounded row the interval
 * between its bounds takes the place of the set: z - P(z - rho s).
 *
 * Each island, a part of the problem that nothing couples with the rest, is judged by its own velocity scale. The scale is
 * computed from the problem's data alone, so that a huge wrong answer cannot hide behind it, and a fast body elsewhere
 * excuses nothing. */
typedef struct cairn_certificate
{
    /* m/s: the largest natural map over contacts and bounded rows. */
    double natural_map;
    /* N s: the largest distance of an impulse r_j from its friction set, or of z from its bounds. */
    double impulse_outside;
    /* m/s: the largest max(0, -u_n). */
    double penetration_speed;
    /* J: the largest |u_n r_n|; under the convex laws |u'r|; for a bounded row |s| times the room to the bound. */
    double complementarity;
    /* m/s: the largest |G v + R_c c - b|. */
    double joint;
    /* m/s: the largest |A^-1 (A v - p - G'c - H'r)|, which is how far v is from what the impulses produce. */
    double dynamics;
    /* m/s: the largest of the islands' scales. */
    double scale;
    /* The worst island's max(natural_map, joint, dynamics) / scale, each island by its own scale. Solvers are asked to bring
     * this number below the tolerance. */
    double relative;
    /* Index of the contact or bounded row with the largest natural map; -1: there is none. */
    int worst_contact;
} cairn_certificate;

/* What a solve came to. */
typedef enum cairn_outcome
{
    /* The certificate is within the tolerance. */
    CAIRN_SOLVED = 0,
    /* There is a solution, but its certificate misses the tolerance. */
    CAIRN_MISSED,
    /* There is no solution: a ray, or too many pivots. */
    CAIRN_FAILED,
    /* Large islands got the work that `work_limit` of the options, or the setting `accuracy` of a simulation, grants them. The
     * certificate says what is left. */
    CAIRN_LIMITED,
} cairn_outcome;

/* Why there is no solution, as far as that can be proved (docs/solvers.md). */
typedef enum cairn_cause
{
    /* Not proved: there may be a solution that no method found. */
    CAIRN_CAUSE_UNKNOWN = 0,
    /* Equations of joints contradict each other. */
    CAIRN_CAUSE_JOINTS,
    /* Every motion that the joints allow closes some contact further. */
    CAIRN_CAUSE_CONTACTS,
    /* A contact must slide but cannot lift off, which the convex laws require. */
    CAIRN_CAUSE_LIFT_OFF,
    /* The time limit came before any method had found a solution. */
    CAIRN_CAUSE_TIME,
    /* A bounded row whose impulse has no bound demands a motion that nothing allows. */
    CAIRN_CAUSE_BOUNDS,
} cairn_cause;

/* A cause in words: a sentence without its full stop. Never NULL; must not be freed. */
CAIRN_API const char *cairn_cause_text(cairn_cause cause);

/* ---------------------------------------------------------------------------------------------------- options */

/* The methods (docs/solvers.md). */
typedef enum cairn_solver_kind
{
    /* Chooses by law and size, and escalates to stronger methods where the first one misses the tolerance. */
    CAIRN_SOLVER_AUTO = 0,
    /* Complementary pivoting, for polyhedral laws only. */
    CAIRN_SOLVER_LEMKE,
    /* Sweeps of exact local solves. */
    CAIRN_SOLVER_GAUSS_SEIDEL,
    /* Accelerated projected gradient descent. */
    CAIRN_SOLVER_APGD,
    /* Alternating directions on one sparse factorisation. */
    CAIRN_SOLVER_ADMM,
    /* Path following; second order. */
    CAIRN_SOLVER_INTERIOR_POINT,
    /* Proximal steps by a semismooth Newton method; second order. */
    CAIRN_SOLVER_NEWTON,
    /* Newton's method along the path of smoothed laws; second order. */
    CAIRN_SOLVER_SMOOTHING,
    /* The number of kinds; not a kind. */
    CAIRN_SOLVER_KINDS,
} cairn_solver_kind;

/* Name of a method as scene files spell it, such as "auto" or "interior-point"; "unknown" for any other number. Must not be
 * freed. */
CAIRN_API const char *cairn_solver_kind_name(cairn_solver_kind kind);

/* Parse such a name. Returns false, and leaves *out alone, when it is unknown. */
CAIRN_API bool cairn_solver_kind_parse(const char *text, cairn_solver_kind *out);

/* Which forces to return where contacts or joints are redundant, so that many would do (docs/forces.md). Under the exact
 * friction laws, different forces may come with different velocities. All choices but `auto` compare those too. */
typedef enum cairn_forces
{
    /* The least norm among forces that keep the velocities, wherever finding them costs less than the solution. */
    CAIRN_FORCES_AUTO = 0,
    /* Whatever the method arrives at. */
    CAIRN_FORCES_ANY,
    /* The stiff limit: least r'D r, D = diag(1/weights) (Preclik et al. 2011, eq. 65). */
    CAIRN_FORCES_MINIMUM_NORM,
    /* Those that take the most energy at sliding contacts (Preclik et al. 2011, section 3). */
    CAIRN_FORCES_MINIMUM_ENERGY,
    /* Those that take the least energy there. */
    CAIRN_FORCES_MAXIMUM_ENERGY,
} cairn_forces;

/* Name of a choice of forces as scene files spell it; "unknown" for any other number. Must not be freed. */
CAIRN_API const char *cairn_forces_name(cairn_forces forces);

/* Largest number of threads that can be asked for. */
#define CAIRN_MAX_THREADS 1024

/* How to solve. Start from cairn_solver_default(). */
typedef struct cairn_solver_options
{
    /* Set by cairn_solver_default; do not change. */
    size_t struct_size;
    /* Default auto. */
    cairn_solver_kind kind;
    /* Relative certificate to reach; > 0, default 1e-9. */
    double tolerance;
    /* Limit on pivots, sweeps or iterations; 0, the default: the method's own (lemke: 50 + 20 times its variables). */
    int max_iterations;
    /* s of wall time for the whole solve; 0, the default: none. When it runs out, the best solution so far is returned, and
     * the report says so (out_of_time). Results then depend on the machine and its load. */
    double time_limit;
    /* Largest number of threads, up to CAIRN_MAX_THREADS; default 1; 0 counts as 1. Results are bit-identical for any
     * number. */
    int threads;
    /* Impulses r to start iterative methods from: dim * contact_count values, only read during the call. NULL, the default:
     * none. */
    const double *guess;
    /* Default auto. */
    cairn_forces forces;
    /* For problems that follow each other in time, with the solver auto: a guess that meets the tolerance is the answer as it
     * is, with the forces it has, and one that nearly does is corrected by one linear system where no contact slides
     * (docs/solvers.md). Default false. */
    bool steady;
    /* With `steady`: the n velocities before the step, only read during the call. A guess is not taken where it would change
     * the speed of a contact that holds: it would do so in every step to come. NULL, the default: not known. */
    const double *before;
    /* With the solver auto: limit on the work, in about the number of multiplications, shared among islands by their contacts.
     * Islands of up to 60 contacts or 8 bodies are solved whatever it takes, and so are laws that sweeps do not solve (pyramids and boxes in space). It is counted, not timed: results do not depend on the machine. When it is spent, or the next
     * factorisation would take too much of it, the outcome is CAIRN_LIMITED. 0, the default: none. */
    double work_limit;
} cairn_solver_options;

/* The defaults named above. */
CAIRN_API cairn_solver_options cairn_solver_default(void);

/* ---------------------------------------------------------------------------------------------------- solving */

/* A solution of a one-step problem. */
typedef struct cairn_solution
{
    /* Sizes of v, c and r; contact_rows = dim * contact_count. */
    int n, joint_rows, contact_rows;
    /* n velocities (m/s, rad/s). */
    double *v;
    /* joint_rows impulses of joints (N s, N m s). */
    double *c;
    /* contact_rows impulses of contacts in their frames (N s). */
    double *r;
} cairn_solution;

/* What a solve did. */
typedef struct cairn_solver_report
{
    cairn_outcome outcome;
    /* Pivots, sweeps and iterations of all islands and methods together. */
    int iterations;
    /* How many stronger methods had to be tried. */
    int fallbacks;
    /* Refactorisations of the basis, made for numerical safety. */
    int refactorisations;
    /* Redundant joint rows, whose impulse the method set to 0; see `forces` in the options. */
    int dropped_joint_rows;
    /* Islands that have contacts or joints. */
    int islands;
    /* Contacts of the island that has the most. */
    int largest_island;
    /* Dimension of the space of forces that leave all active contacts and joints as they are; 0: forces are unique. */
    int null_space;
    /* How many of those dimensions change velocities, through dynamic friction of the exact laws. */
    int velocity_null_space;
    /* Islands in which it was not determined, or not in full, whether forces are unique and velocities do not depend on them:
     * it would have taken longer than the solution (docs/forces.md). */
    int unexamined;
    /* Rows of the largest of them: those of its joints, and dim per contact. */
    int unexamined_rows;
    /* Where there is a null space: the forces that were asked for were found in every island. */
    bool chosen_forces;
    /* The forces are those of the guess, as they are or slightly corrected (`steady` in the options): null spaces were not
     * determined anew. False in the reports of a simulation, which repeat those that were determined last. */
    bool kept_forces;
    /* The method that produced the solution, such as "lemke"; "several" when it differs between islands. Must not be freed. */
    const char *method;
    /* The certificate of the solution. */
    cairn_certificate certificate;
    /* The tolerance was missed, and the time limit ended a method that might have gone on. */
    bool out_of_time;
    /* Outcome CAIRN_FAILED: why. */
    cairn_cause cause;
    /* The joint row, contact or bounded row where the cause shows most; -1: none. */
    int culprit;
} cairn_solver_report;

/* A solver: workspace that is reused from problem to problem. One thread at a time may use it. */
typedef struct cairn_solver cairn_solver;

/* Create a solver, which the caller destroys. Its messages go to the context, which must outlive it and may be NULL. Returns
 * NULL only when memory ran out. */
CAIRN_API cairn_solver *cairn_solver_create(cairn_context *context);

/* Destroy a solver, and with it the arrays of its last solution. NULL is allowed. */
CAIRN_API void cairn_solver_destroy(cairn_solver *solver);

/* Solve a problem. The arrays of *solution belong to the solver and live until its next call. Returns CAIRN_OK whatever the
 * outcome; the report has it. CAIRN_INVALID for a problem that makes no sense, options that are out of range or not made by
 * cairn_solver_default, a method that cannot handle the law, and NULL arguments; CAIRN_NUMERIC when A is
 * not positive definite or the data is not finite. A message says which. */
CAIRN_API cairn_status cairn_solver_solve(cairn_solver *solver, const cairn_problem *problem,
                                          const cairn_solver_options *options, cairn_solution *solution,
                                          cairn_solver_report *report);

/* Compute the certificate of any (v, c, r) from the problem's data alone. The solution may come from anywhere, but its sizes
 * must be those of the problem. The only failure is CAIRN_NO_MEMORY. */
CAIRN_API cairn_status cairn_certify(const cairn_problem *problem, const cairn_solution *solution,
                                     cairn_certificate *certificate);

/* ---------------------------------------------------------------------------------------------------- islands */

/* A part of the last problem that nothing couples with the rest. Its arrays belong to the solver and live until its next call.
 * They hold indices of the problem's blocks, items of G and contacts, in ascending order. */
typedef struct cairn_island
{
    int block_count, joint_count, contact_count;
    const int *block, *joint, *contact;
    /* CAIRN_SOLVED: the island meets what the tolerance of the whole problem asks of it. */
    cairn_outcome outcome;
    /* Pivots, sweeps and iterations spent on it. */
    int iterations;
    /* The method that solved it, such as "gauss-seidel". Must not be freed. */
    const char *method;
} cairn_island;

/* The number of islands of the last problem; 0 after a call that failed. Blocks without joints and contacts belong to no
 * island. */
CAIRN_API int cairn_solver_island_count(const cairn_solver *solver);

/* Island `index`, from 0, in the order of first blocks. An index out of range returns an empty island with outcome
 * CAIRN_FAILED and method "none". */
CAIRN_API cairn_island cairn_solver_island(const cairn_solver *solver, int index);

CAIRN_END_DECLS

#endif
