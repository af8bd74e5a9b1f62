/* The errors of impulses r, by the same code whoever found them: velocities and joint impulses follow from r alone. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <cairn/cairn.h>

typedef struct measure
{
    double siconos;     /* natural map as Siconos defines it (docs/solve.md) */
    double certificate; /* relative certificate (docs/certificate.md) */
} measure;

/* Infinite where r is not finite or the dynamics cannot be solved. */
measure measure_impulses(cairn_context *context, const cairn_problem *problem, const double *r);

#endif
