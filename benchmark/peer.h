/* The peer: Siconos' Lemke with lexicographic pivoting, where its library is installed. */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "stack_lcp.h"

#include <stdbool.h>

typedef struct bench_peer bench_peer;

/* Name and version, or NULL when the benchmark was built without it. */
const char *peer_name(void);

/* A problem in the peer's own form, made outside of the clock. NULL without the peer. */
bench_peer *peer_create(const bench_lcp *lcp);
void peer_destroy(bench_peer *peer);

/* Solve: z (n), the pivots it counted; true when it claims success. */
bool peer_solve(bench_peer *peer, double *z, int *pivots);

#endif
