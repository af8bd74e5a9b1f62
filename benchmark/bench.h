/* The benchmark's own small tools: clock, medians, a JSON writer. Nothing here is part of the library. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What every part of the benchmark is handed. */
typedef struct bench_run
{
    FILE *json;           /* NULL: no file wanted */
    bool quick;           /* few repetitions, small sizes: a check that it all still runs */
    const char *problems; /* directory of the problem set */
    const char *figures;  /* directory for pictures; NULL: none */
    bool reuse;           /* take what the peer did from the last run on these problems */
    int every;            /* of the problem set, take one in so many */
    double limit;         /* s of processor time for one call of a solver */
    int failures;         /* answers that were wrong */
} bench_run;

/* Seconds of processor time of this thread: other programs on the machine do not count. */
double bench_now(void);

/* The median of some numbers; sorts them. */
double bench_median(double *values, int count);

/* Memory or the end of the program: a benchmark has nothing better to do. */
void *bench_memory(size_t count, size_t size);

/* Slope of log y over log x by least squares: the exponent of y ~ x^k. */
double bench_exponent(const double *x, const double *y, int count);

/* One more wrong answer, told on standard error. */
void bench_wrong(bench_run *run, const char *what);

/* The parts. */
void bench_lemke(bench_run *run);
void bench_assembly(bench_run *run);
void bench_scenes(bench_run *run);
void bench_solvers(bench_run *run);
void bench_growth(bench_run *run);
void bench_patches(bench_run *run);
void bench_sweeps(bench_run *run);
void bench_collide(bench_run *run);
void bench_collide_mesh(bench_run *run); /* of the part before */

#endif
