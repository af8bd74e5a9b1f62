/* Growth in a running simulation, beside that of problems started from nothing. */
#ifndef BENCH_GROWTH_WARM_H
#define BENCH_GROWTH_WARM_H

#include "bench.h"
#include "heaps.h"

enum
{
    WARM_STRETCHES = 2 /* landing, after it */
};

typedef struct warm_result
{
    int contacts;        /* of a step on average */
    double us_a_contact; /* and step */
    double sweeps;       /* a step */
    int missed;          /* steps that missed the tolerance or ran out of time */
} warm_result;

/* A heap of about so many contacts, simulated; limit: s of a step's solver. False after a message when it could not be. */
bool growth_warm(heap_shape shape, int contacts, double tolerance, double limit, warm_result result[WARM_STRETCHES]);

#endif
