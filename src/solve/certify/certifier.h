/* The certifier's memory and its parts: scales and masses (scale.c), residuals and judgement (certify.c). */
#ifndef CRN_SOLVE_CERTIFY_CERTIFIER_H
#define CRN_SOLVE_CERTIFY_CERTIFIER_H

#include "base/memory.h"
#include "linalg/inverses.h"
#include "linalg/saddle.h"
#include "solve/certify/certify.h"

#include <assert.h>
#include <math.h>

struct crn_certifier
{
    crn_saddle *saddle;         /* A alone, for the free velocity of coupled systems */
    crn_inverses D;             /* of the diagonal blocks of A */
    bool regular;               /* all diagonal blocks have an inverse */
    bool coupled;               /* A has off-diagonal blocks, and `saddle` holds its factors */
    bool plain;                 /* residuals are computed in double */
    double scale;               /* the largest of all islands */
    const crn_islands *islands; /* NULL: the problem is one island */
    double *island_scale;       /* per island */
    double *island_worst;       /* per island: its largest residual */
    double *contact_scale;      /* per contact: the scale of its island */
    double *mass;            /* per item, where there are bounded rows: the mass of such a row, found with its scale */
    double *free_velocity;   /* A^-1 p */
    double *column;          /* a right-hand side and its solution */
    long double *dynamics;   /* n */
    long double *joint;      /* joint_rows */
    long double *u;          /* dim * contact_count */
    double *rate, *velocity; /* joint and u in double, where `plain` is set */
    crn_arena memory;
};

static inline int crn_certifier_island_count(const crn_certifier *certifier)
{
    return certifier->islands ? certifier->islands->component_count : 1;
}

/* Nodes are numbered as in islands.h: blocks, then items of G, then contacts. */
static inline int crn_certifier_island_of(const crn_certifier *certifier, int node)
{
    int island = certifier->islands ? certifier->islands->component[node] : 0;
    assert(island >= 0 && island < crn_certifier_island_count(certifier));
    return island;
}

/* The larger of two numbers; NaN counts as infinity. */
static inline double crn_larger(double a, double b)
{
    if (isnan(b))
        return INFINITY;
    return b > a ? b : a;
}

/* The residual of the dynamics into `column`, that of the joints into `rate`, and the velocities of the contacts into `u`, all in double. For
 * contacts without compliance. */
void crn_certifier_find_plain(crn_certifier *work, const cairn_problem *problem, const cairn_solution *solution);

#endif
