/* The compact view of a one-step problem, for sweeps over many contacts.
 *
 * It exists where A is block-diagonal and all rows are contacts between rigid bodies. Everything is in the world frame:
 *
 *     bodies     v_i = v_i^free + sum_j +-m_i^-1 p_j ,      w_i = w_i^free + sum_j +-J_i^-1 (arm_ij x p_j)
 *     contacts   u_j = v_a + w_a x arm_a - v_b - w_b x arm_b + bias_j n_j + drift_j ,      law_j(u_j, p_j, mu_j)
 *
 * Contacts may resist rolling and spinning by a moment m_j of their own, which turns a, and -m_j b:
 *
 *     |m_t| <= rolling r_n ,   |m_n| <= spinning r_n ,     each part opposed to its part of w_a - w_b where it is at its bound.
 *
 * where p_j = r_n n_j + r_t is the impulse on body a, and -p_j that on body b. J^-1 is the inverse of the rotational block of A,
 * which is not symmetric if the gyroscopic moment is taken implicitly. m^-1 is a number, but for uneven bodies, on which forces act that
 * are taken implicitly: there it is the inverse of the translational block of A. A plate on a rail, which a strong drag keeps from moving
 * sideways, is such a body. A prescribed or fixed body has m^-1 = 0 and J^-1 = 0, and its velocity never changes.
 */
#ifndef CRN_SOLVE_COMPACT_COMPACT_H
#define CRN_SOLVE_COMPACT_COMPACT_H

#include "base/memory.h"
#include "base/parallel_ranges.h"
#include "cairn/solver.h"
#include "solve/compact/polygon.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* One cache line. */
typedef struct crn_compact_body
{
    double v[3];            /* m/s */
    double inverse_mass;    /* 1/kg; 0: prescribed; of an uneven body the mean of the diagonal of its m^-1 */
    double w[3];            /* rad/s, world frame */
    double inverse_inertia; /* 1/(kg m^2), where J^-1 is a multiple of the identity */
} crn_compact_body;

typedef struct crn_compact_contact
{
    int a, b;                  /* bodies, a != b */
    double normal[3];          /* from b to a */
    double arm_a[3], arm_b[3]; /* from the centre of mass of each body to the contact point */
    double mu;
    double bias; /* m/s: w_n */
} crn_compact_contact;

/* Contacts that stand in a list of the caller's, at equal distances, with points in place of arms. */
typedef struct crn_compact_list
{
    const int *bodies;                   /* a and b of the first contact */
    const double *normal;                /* of the first contact, followed by its points on a and on b, and mu */
    size_t stride;                       /* bytes from one contact to the next */
    const double (*centre)[3];           /* per body: centre of mass. An arm is a point less this. */
    const double *bias;                  /* per contact: m/s */
    const struct crn_compact_span *span; /* per chunk (crn_compact_chunk): its bodies; NULL: they are looked for */
} crn_compact_list;

enum
{
    CRN_COMPACT_CHUNKS =
        512 /* of contacts in their order, as equal as can be, by which threads find those of their bodies */
};

/* The moving bodies between which all of a chunk's contacts lie; none: low > high. */
typedef struct crn_compact_span
{
    int low, high;
} crn_compact_span;

static const crn_compact_span CRN_COMPACT_NOBODY = {INT_MAX, -1};

static inline void crn_compact_widen(crn_compact_span *span, int body)
{
    span->low = body < span->low ? body : span->low;
    span->high = body > span->high ? body : span->high;
}

/* The first contact of a chunk. */
static inline int crn_compact_chunk(int contacts, int chunk)
{
    return (int)crn_part((size_t)contacts, CRN_COMPACT_CHUNKS, chunk);
}

/* How a contact resists rolling and spinning. */
typedef struct crn_compact_rolling
{
    double rolling, spinning; /* m: bounds of the moment, per normal impulse; 0: none */
    double length;            /* m: turns rad/s into the m/s of a residual */
    double moment[3];         /* N m s, world, on body a: read by load and judge, written by store */
} crn_compact_rolling;

/* What sweeps need to add to what two of them have changed (momentum.c). */
typedef struct crn_compact_momentum
{
    double share;   /* of the change since the sweeps before, that is added */
    double further; /* at most: of what these two sweeps have changed, that is added as well */
    double (*impulse)
        [3]; /* room per contact; it may be the array that a load reads and a store writes. NULL: sweeps add nothing. */
    double (*velocity)[6]; /* room per body */
} crn_compact_momentum;

/* The problem. All arrays belong to the caller. */
typedef struct crn_compact_problem
{
    int body_count, contact_count;
    cairn_law_kind law;                 /* all but lagged, and convex pyramid in space */
    const crn_compact_polygon *polygon; /* of pyramid and box in space (polygon.h); NULL: friction lies in a disc */
    bool
        is_planar; /* all motion is in the plane z = 0, where all exact laws are one, and all convex ones: two rows per contact; matters only to the certificate */
    const crn_compact_body *body; /* with the free velocities A^-1 p */
    /* per body: J^-1, row-major; NULL: all are isotropic */
    const double (*inverse_inertia)[9];
    /* per body: whether its inertia is isotropic, so that body[i].inverse_inertia holds; NULL: all are */
    const bool *is_round;
    /* the arms of bodies that can move are parallel to the normals of all contacts, as those of spheres about their centres, and their inertia is
     * isotropic; false: each contact is looked at */
    bool all_round;
    /* per body: which of the matrices below is its m^-1, -1: none is; NULL: there are no uneven bodies */
    const int *uneven;
    const double (*uneven_mass)[9];     /* m^-1, symmetric */
    const crn_compact_contact *contact; /* NULL: they are in the list */
    crn_compact_list list;
    /* per contact: the part of the solution that is in it changes; NULL: none resists rolling */
    crn_compact_rolling *rolling;
    const double (*drift)[3]; /* per contact: m/s, a known part of its relative velocity; NULL: all are 0 */
    /* per body: its height along some direction, from the bottom up. Sweeps follow it: loads travel through a heap in one
     * sweep. NULL: contacts are visited in no particular order. */
    const double *height;
    /* per body: its place along some direction across the height. Threads share the sweeps over a large problem by it. NULL: one
     * thread sweeps. */
    const double *across;
    /* that share the loops over contacts of large problems; 0: one. Results do not depend on it. */
    int threads;
    /* where sweeps keep the velocities: crn_compact_room of them, from a cache line on. A load overwrites it; the caller may judge into it between
     * sweeps, which then go on from velocities without the rounding of those before. NULL: in the scratch. */
    crn_compact_body *room;
    crn_compact_momentum momentum; /* ignored where contacts resist rolling */
} crn_compact_problem;

/* How many bodies `room` has: those of a problem, and those of the padding. */
size_t crn_compact_room(int body_count);
/* The next address at which a cache line begins. */
static inline void *crn_compact_align(void *memory)
{
    return (void *)(((uintptr_t)memory + 63) & ~(uintptr_t)63);
}

typedef struct crn_compact_pair
{
    int a, b;
} crn_compact_pair;

static inline crn_compact_pair crn_compact_bodies(const crn_compact_problem *problem, int j)
{
    crn_compact_pair out;
    const char *list = (const char *)problem->list.bodies;
    const void *from = problem->contact ? (const void *)&problem->contact[j] : list + problem->list.stride * (size_t)j;
    memcpy(&out, from, sizeof out);
    return out;
}

/* The normal, followed by arms (in a list: points) and mu. */
static inline const double *crn_compact_row(const crn_compact_problem *problem, int j)
{
    const char *list = (const char *)problem->list.normal;
    const char *from = problem->contact ? (const char *)&problem->contact[j] + offsetof(crn_compact_contact, normal)
                                        : list + problem->list.stride * (size_t)j;
    return (const double *)from;
}

static inline crn_compact_contact crn_compact_at(const crn_compact_problem *problem, int j)
{
    if (problem->contact)
        return problem->contact[j];
    crn_compact_pair body = crn_compact_bodies(problem, j);
    const double *row = crn_compact_row(problem, j);
    const double *a = problem->list.centre[body.a], *b = problem->list.centre[body.b];
    return (crn_compact_contact){.a = body.a,
                                 .b = body.b,
                                 .normal = {row[0], row[1], row[2]},
                                 .arm_a = {row[3] - a[0], row[4] - a[1], row[5] - a[2]},
                                 .arm_b = {row[6] - b[0], row[7] - b[1], row[8] - b[2]},
                                 .mu = row[9],
                                 .bias = problem->list.bias[j]};
}

/* How well the laws hold, in m/s: the natural map of each contact, as in docs/certificate.md. */
typedef struct crn_compact_certificate
{
    double worst;  /* the largest residual of a contact, m/s */
    int contact;   /* whose it is; -1: there are no contacts */
    double normal; /* the largest approach that is left: max of -u_n, m/s, 0 at least */
    double scale;  /* m/s: the velocity scale of the problem, as the general certificate defines it */
} crn_compact_certificate;

typedef struct crn_compact crn_compact;

/* scratch: for what lies between a load and the last store, and is nobody's then; NULL: it has its own. */
crn_compact *crn_compact_create(crn_scratch *scratch);
void crn_compact_destroy(crn_compact *compact);

/* Visit 1, 4 or 8 contacts at a time from the next load on, or as many as the processor can. Returns the number chosen. The default
 * is the fastest; results do not depend on it. */
int crn_compact_lanes(crn_compact *compact, int lanes);

/* Colour and pack a problem, and apply the impulses to start from (world vectors p_j; NULL: none, and no moments). The problem's arrays are read
 * again by crn_compact_judge. */
cairn_status crn_compact_load(crn_compact *compact, const crn_compact_problem *problem, const double (*impulse)[3]);

/* Take `count` sweeps, alternately forwards and backwards. Returns the largest change of a contact's velocity by its own impulse in
 * the last sweep, in m/s. */
double crn_compact_sweep(crn_compact *compact, int count);

/* Write the impulses (world vectors, by contact) with the moments of the problem, and the velocities (by body; v and w only change). Either may be NULL. */
void crn_compact_store(const crn_compact *compact, double (*impulse)[3], crn_compact_body *body);

/* Judge impulses: recompute the velocities from the problem's own data and these impulses alone, then the residual of every law.
 * Writes the recomputed velocities to `body` (body_count), and each contact's residual (m/s) to `residual` unless NULL. Knows nothing
 * of how the impulses were found. */
void crn_compact_judge(const crn_compact_problem *problem, const double (*impulse)[3], crn_compact_body *body,
                       double *residual, crn_compact_certificate *certificate);

#endif
