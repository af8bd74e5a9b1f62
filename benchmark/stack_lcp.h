/* A stack of boxes as a linear complementarity problem w = M z + q, 0 <= w _|_ z >= 0. */
#ifndef BENCH_STACK_LCP_H
#define BENCH_STACK_LCP_H

/* Unit cubes of 1 kg in towers that do not touch each other, with a state to step from. */
typedef struct bench_stack
{
    const char *name;
    int boxes;
    int height; /* boxes a tower */
    double mu;
    double push;   /* m/s: velocity of each tower's top box along x */
    double spin;   /* rad/s: of every box about the vertical, in turn left and right */
    double jitter; /* m and m/s: random change of corners and velocities, so that nothing is symmetric any more */
} bench_stack;

typedef struct bench_lcp
{
    int n;
    double *M; /* n x n, row-major */
    double *q;
} bench_lcp;

/* Four contacts between neighbours and pyramid(4): 24 variables a box. */
bench_lcp stack_lcp(const bench_stack *stack);
/* M = I + B B'/n + C - C' with random B, C: nothing to do with contacts, and easy; the peer's touchstone. */
bench_lcp random_lcp(int n);

void lcp_free(bench_lcp *lcp);

/* Largest |min(z, M z + q)|: 0 exactly when z solves the problem. */
double lcp_residual(const bench_lcp *lcp, const double *z);

#endif
