#include "peer.h"

#include "bench.h"

#ifdef CAIRN_HAVE_SICONOS

#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>
#include <stdlib.h>
#include <string.h>

struct bench_peer
{
    LinearComplementarityProblem *problem;
    SolverOptions *options;
    double *w;
};

const char *peer_name(void)
{
    return "Siconos lcp_lexicolemke";
}

bench_peer *peer_create(const bench_lcp *lcp)
{
    bench_peer *made = bench_memory(1, sizeof *made);
    double *columns = bench_memory((size_t)lcp->n * (size_t)lcp->n, sizeof *columns); /* owned by the peer's matrix */
    for (int i = 0; i < lcp->n; ++i)
        for (int j = 0; j < lcp->n; ++j)
            columns[j * lcp->n + i] = lcp->M[i * lcp->n + j];
    made->problem = newLCP();
    made->problem->size = lcp->n;
    made->problem->M = NM_create_from_data(NM_DENSE, lcp->n, lcp->n, columns);
    made->problem->q = bench_memory((size_t)lcp->n, sizeof(double));
    memcpy(made->problem->q, lcp->q, (size_t)lcp->n * sizeof(double));
    made->options = solver_options_create(SICONOS_LCP_LEMKE);
    made->w = bench_memory((size_t)lcp->n, sizeof(double));
    return made;
}

void peer_destroy(bench_peer *peer)
{
    if (!peer)
        return;
    freeLinearComplementarityProblem(peer->problem);
    solver_options_delete(peer->options);
    free(peer->options);
    free(peer->w);
    free(peer);
}

bool peer_solve(bench_peer *peer, double *z, int *pivots)
{
    int info = -1;
    memset(z, 0, (size_t)peer->problem->size * sizeof *z);
    lcp_lexicolemke(peer->problem, z, peer->w, &info, peer->options);
    *pivots = peer->options->iparam[SICONOS_IPARAM_ITER_DONE];
    return info == 0;
}

#else

const char *peer_name(void)
{
    return NULL;
}

bench_peer *peer_create(const bench_lcp *lcp)
{
    (void)lcp;
    return NULL;
}

void peer_destroy(bench_peer *peer)
{
    (void)peer;
}

bool peer_solve(bench_peer *peer, double *z, int *pivots)
{
    (void)peer;
    (void)z;
    (void)pivots;
    return false;
}

#endif
