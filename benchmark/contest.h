/* Solvers in a contest: Cairn's and the peer's on one problem, each in a process of its own, each judged by the same
 * measure of its impulses. */
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include "measure.h"
#include "peer_cone.h"
#include "trial.h"

enum
{
    CONTEST_TARGETS = 2, /* measured errors to reach: 1e-4 and 1e-8 */
    CONTEST_MOST = 16    /* solvers */
};

extern const double CONTEST_TARGET[CONTEST_TARGETS];

typedef enum contest_end
{
    CONTEST_MET = 0,
    CONTEST_NOT_MET,   /* it ended, and its error misses the target at every tolerance tried */
    CONTEST_TIME,      /* its time was up */
    CONTEST_CRASH,     /* it crashed or exited */
    CONTEST_NOT_TAKEN, /* it does not take this kind of problem */
    CONTEST_NOT_RUN
} contest_end;

typedef struct contest_result
{
    contest_end end;
    double seconds;  /* of the call that met the target, or of the last one that ended */
    double assembly; /* s: forming W for a solver of the peer that wants it, where the problem is given with bodies */
    double tolerance;
    measure error;
    int iterations;
    bool claimed;    /* the solver says that it succeeded */
    char method[24]; /* of `auto`: the method that gave the solution */
} contest_result;

/* The solvers: first Cairn's (auto the first of them), then the peer's. */
int contest_count(void);
int contest_own_count(void);
const char *contest_name(int solver);

/* What is to be met. The solver's own tolerance is the target, and then made ten times smaller until the measured error meets
 * it: the time is that of the one call that did. */
typedef struct contest_rules
{
    double target; /* measured error, as Siconos defines it */
    double limit;  /* s of processor time a call */
} contest_rules;

contest_result contest_run(int solver, const peer_form *form, const contest_rules *rules);

#endif
