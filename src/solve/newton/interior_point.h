/* The interior point method: its variables, its Newton system and its cones.
 *
 * A contact with friction has the variables x = (mu r_n, r_t) and y = (u_n / mu, u_t), each in the Lorentz cone
 * L = {x_0 >= |x_1|} of dim rows exactly when r is in K and u in K*; x'y = r'u. A contact without friction has x = r_n
 * and y = u_n, the Lorentz cone of one row; its tangential impulses are 0 and its tangential rows are left out. With
 * S = diag(1 / mu, 1, 1) for each contact, r = S x and y = S u.
 *
 * A bounded row has one row too: x = z and y = s, with its interval in place of the cone. Bounds that are multiples of an impulse
 * are held constant from outside (fixed_point.h).
 *
 * Exact Coulomb friction adds the convexity gap to the normal row (De Saxce): y = F(u) = S u + (|u_t|, 0, 0), whose
 * derivative is T = S + e_0 (0, u_t' / |u_t|). T = S for the convex law.
 *
 * One Newton step solves, for given right-hand sides and the scaling's Theta (interior_point_cone.c),
 *
 *     A dv - G'dc - H'S dx               = f
 *     G dv + R_c dc                      = g
 *     T (H dv + R S dx) + Theta dx       = e
 */
#ifndef CRN_SOLVE_NEWTON_INTERIOR_POINT_H
#define CRN_SOLVE_NEWTON_INTERIOR_POINT_H

#include "base/context.h"
#include "base/memory.h"
#include "cairn/solver.h"
#include "linalg/saddle.h"
#include "solve/auto/method.h"
#include "solve/certify/certify.h"

/* Where the variables of the cones lie. */
typedef struct crn_ip_layout
{
    int cones;   /* one per contact */
    int rows;    /* of all cones */
    int *first;  /* cones + 1: first row of each */
    int *full;   /* per row: its place among all contact rows */
    double *S;   /* per row */
    double *rho; /* per contact: its effective mass, with the diagonal of A for A */
} crn_ip_layout;

/* The arrays belong to the arena. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_ip_layout_update(crn_arena *memory, crn_ip_layout *layout, const cairn_problem *problem);

/* A Newton step or the right-hand side of one: n, joint_rows and rows values. */
typedef struct crn_ip_vector
{
    double *v, *c, *x;
} crn_ip_vector;

cairn_status crn_ip_vector_reserve(crn_arena *memory, crn_ip_vector *vector, const cairn_problem *problem,
                                   const crn_ip_layout *layout);

/* Cones (interior_point_cone.c). `size` rows each. */

/* The Nesterov-Todd scaling of interior points x, y: the symmetric W with W x = W^-1 y = lambda. */
typedef struct crn_ip_scaling
{
    int size;
    double eta;
    double w[3];
    double a;    /* w_0 + |w_1| */
    double d[2]; /* w_1 / |w_1| */
    double lambda[3];
} crn_ip_scaling;

/* False when x or y is not strictly inside the cone, to within rounding. */
bool crn_ip_scale(crn_ip_scaling *scaling, int size, const double *x, const double *y);
void crn_ip_scaling_apply(const crn_ip_scaling *scaling, const double *x, double *out); /* W x */
/* Rows of x, `stride` apart, become those of V x, where V'V = Theta^-1 = W^-2. */
void crn_ip_scaling_root(const crn_ip_scaling *scaling, double *x, int stride);
/* out = Theta^power x, power 1 or -1. */
void crn_ip_scaling_theta(const crn_ip_scaling *scaling, int power, const double *x, long double *out);
void crn_ip_product(int size, const double *x, const double *y, double *out);    /* x o y */
void crn_ip_divide(const crn_ip_scaling *scaling, const double *d, double *out); /* lambda o out = d */
/* The largest t up to 1 with lambda + t d in the cone. */
double crn_ip_reach(const crn_ip_scaling *scaling, const double *d);
double crn_ip_determinant(int size, const double *x);
/* The point of {|r_t| <= mu r_n} nearest to r, `size` rows. */
void crn_ip_project(int size, double mu, const double *r, double *out);

/* The same for contact j of a problem; under the lagged law its set is a half cylinder, of a bounded row an interval. */
void crn_ip_project_on(const cairn_problem *problem, int j, int size, const double *r, double *out);

/* The matrices of one contact in the Newton system, `size` rows of three. */
typedef struct crn_ip_blocks
{
    int size;
    double T[9];
    double Theta[9];        /* read unless the system is scaled */
    crn_ip_scaling scaling; /* read when it is */
} crn_ip_blocks;

/* The Newton system (interior_point_system.c). */
typedef struct crn_ip_system
{
    const cairn_problem *problem;
    const crn_ip_layout *layout;
    const crn_ip_blocks *blocks;
    bool scaled; /* Theta is that of a scaling, whose inverse is known */
    crn_saddle *saddle;
    cairn_problem condensed; /* A with the contacts eliminated into it, and the joints */

    bool
        sparse; /* the problem has no bodies and a sparse W: the contacts themselves are factorised (interior_point_sparse.c) */

    int groups;                  /* patches of contacts that compliance couples, or single contacts */
    int *group_start;            /* groups + 1: first contact */
    int *patch;                  /* per group: its patch; -1: rigid */
    int *touched_start;          /* groups + 1 */
    int *touched;                /* the blocks a group touches, ascending */
    int *E_start;                /* groups + 1 */
    double *E;                   /* T R S + Theta of each group, factorised */
    int *E_row;                  /* the rows' order, from the group's first row */
    int most_rows, most_columns; /* of a group */

    int *row_start, *column, *value_start; /* of the condensed matrix */
    double *value;
    int *mark, *place;                  /* work, per block */
    double *B, *X, *C;                  /* work: two factors of what a group adds to A, right-hand sides */
    double *r, *u;                      /* work: all contact rows */
    long double *sum_v, *sum_c, *sum_u; /* work: residuals */
    crn_ip_vector rest;                 /* work: refinement */
    crn_ip_vector correction;
    crn_arena memory;
} crn_ip_system;

bool crn_ip_system_open(crn_ip_system *system);
void crn_ip_system_close(crn_ip_system *system);

/* The parts of prepare: groups with the blocks they touch, then the condensed matrix's pattern
 * (interior_point_pattern.c). CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_ip_find_groups(crn_ip_system *system);
cairn_status crn_ip_find_pattern(crn_ip_system *system);

/* The same for a sparse W: the pattern, the factors of E = T W S + Theta, and x = E^-1 e (interior_point_sparse.c). */
cairn_status crn_ip_sparse_prepare(crn_ip_system *system);
cairn_status crn_ip_sparse_factorise(crn_ip_system *system);
void crn_ip_sparse_solve(crn_ip_system *system, const double *e, double *x);

/* Theta of a contact times x. */
void crn_ip_apply_theta(const crn_ip_system *system, const crn_ip_blocks *blocks, const double *x, long double *out);

/* Symbolic work for a problem; the blocks stay the caller's and are read by the calls below. */
cairn_status crn_ip_system_prepare(crn_ip_system *system, const cairn_problem *problem, const crn_ip_layout *layout,
                                   const crn_ip_blocks *blocks);
/* CAIRN_NUMERIC when a pivot is not positive; with `any`, which accepts indefinite matrices, when it vanishes. */
cairn_status crn_ip_system_factorise(crn_ip_system *system, bool scaled, bool any);
/* Solve with refinement against the whole system in long double. */
void crn_ip_system_solve(crn_ip_system *system, const crn_ip_vector *right, crn_ip_vector *step);

/* A point and how well it satisfies the equations (interior_point_state.c). */
typedef struct crn_ip_state
{
    const cairn_problem *problem;
    crn_ip_layout layout;
    double scale;        /* m/s: errors are relative to it */
    double deadline;     /* of the method that uses the state; 0: none */
    bool exact;          /* the convexity gap mu |u_t| is added to u_n as it is at the point; */
    double *shift;       /* if not, this is added, per contact: 0 for the convex law */
    crn_ip_vector now;   /* v, c, x */
    crn_ip_vector right; /* v and c: what A v = ... and G v = ... lack */
    double *r, *u;       /* all contact rows */
    long double *sum;    /* work: the longest of the three kinds of rows */
    crn_arena memory;
} crn_ip_state;

cairn_status crn_ip_state_update(crn_ip_state *state, const cairn_problem *problem);
/* Residuals of dynamics and joints into `right`, r and u; returns the largest of them and of the natural maps, as
 * velocities, against the scale. */
double crn_ip_judge(crn_ip_state *state);
/* now += length * step */
void crn_ip_move(crn_ip_state *state, double length, const crn_ip_vector *step);
void crn_ip_copy(const crn_ip_state *state, const crn_ip_vector *from, crn_ip_vector *to);
/* The law is exact Coulomb friction: in the plane the polyhedral laws are. */
bool crn_ip_is_exact(const cairn_problem *problem);
/* |u_t| of a contact's u. */
double crn_ip_slip(int dim, const double *u);
/* What is added to u_n of contact j. */
double crn_ip_gap(const crn_ip_state *state, int j);
/* r - P_K(r - rho u) of contact j on its cone's rows, the gap added to u_n; `moved` is the
 * point projected. */
void crn_ip_natural_map(const crn_ip_state *state, int j, double *moved, double *map);

/* D, the derivative of the projection onto K at z (interior_point_polish.c). */
void crn_ip_differentiate(int size, double mu, const double *z, double D[9]);
/* That of crn_ip_project_on. */
void crn_ip_differentiate_on(const cairn_problem *problem, int j, int size, const double *z, double D[9]);

/* Semismooth Newton steps from a point near the solution (interior_point_polish.c). The system must be prepared for the
 * problem and the blocks; least_epsilon is the smallest weight of the proximal term. Ends with the state at the best point found; returns its error. */
double crn_ip_polish(crn_ip_state *state, crn_ip_system *system, crn_ip_blocks *blocks, crn_ip_vector *step,
                     crn_ip_vector *best, double target, double least_epsilon, int *iterations);

/* r = S x on all contact rows, those left out 0. */
void crn_ip_impulses(const crn_ip_layout *layout, const cairn_problem *problem, const double *x, double *r);

/* What the methods of this folder share (interior_point_core.c). It is the first member of their workspaces. */
typedef struct crn_ip_core
{
    crn_ip_state state;
    crn_ip_system system;
    crn_ip_blocks *blocks;
    crn_certifier *certifier; /* for its scale */
    crn_ip_vector step;
    crn_ip_vector best; /* the point with the least error, */
    double least;       /* and that error */
    crn_arena memory;   /* of the whole workspace */
} crn_ip_core;

/* A workspace of `size` bytes, zeroed behind its core; NULL when memory ran out. */
void *crn_ip_create(size_t size);
void crn_ip_destroy(void *workspace);

/* Prepare state and system for a problem: the scale, the symbolic work, the deadline; no shifts and no best point yet. */
cairn_status crn_ip_begin(crn_ip_core *core, const cairn_problem *problem, const crn_method_options *options);
/* A method's `predict`. */
cairn_status crn_ip_predict(void *workspace, const cairn_problem *problem, double *work);
/* Keep the state's point if its error is the least so far; true when it is. */
bool crn_ip_keep(crn_ip_core *core, double error);
/* Move v and c to where the impulses put them. CAIRN_NUMERIC when A is not positive definite. */
cairn_status crn_ip_follow_impulses(crn_ip_core *core);
/* Unless the status is a failure, hand out the best point where there is one. *cut: the factorisation ran into the deadline.
 * Returns the status. */
cairn_status crn_ip_finish(const crn_ip_core *core, cairn_status status, cairn_solution *solution, bool *cut);

#endif
