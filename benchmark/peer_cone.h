/* The peer on problems with exact friction: Siconos' solvers, each in the storage that suits it. */
#ifndef BENCH_PEER_CONE_H
#define BENCH_PEER_CONE_H

#include "local_form.h"

/* How many solvers there are (0 without the peer), and the name of each. */
int peer_cone_count(void);
const char *peer_cone_name(int solver);

/* Whether a solver takes a problem: those of the global form want bodies without joints, in space. */
bool peer_cone_takes(int solver, const cairn_problem *problem);
/* Whether it starts from W and q. */
bool peer_cone_needs_W(int solver);

/* A problem in the forms that the peer takes, made outside of the clock; the problem must stay. False when W cannot be
 * formed. */
typedef struct peer_form
{
    const cairn_problem *problem;
    double seconds; /* to form W; 0 where the problem is W and q already */
    local_form local;
    local_form padded; /* of a planar problem */
} peer_form;

bool peer_form_make(cairn_context *context, const cairn_problem *problem, peer_form *form);
void peer_form_free(peer_form *form);

/* Solve from r = 0 to the peer's own tolerance: r (dim * contacts). The clock runs for the peer's driver alone: its matrices
 * are made before, anew for every call. True when it claims success. */
bool peer_cone_solve(int solver, const peer_form *form, double tolerance, double *r, int *iterations, double *seconds);

#endif
