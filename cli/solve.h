/* `cairn solve`: what came of one problem under one or several solvers. */
#ifndef CLI_SOLVE_H
#define CLI_SOLVE_H

#include "cli.h"
#include "json.h"

enum
{
    CRN_SOLVE_MOST = 32 /* solvers */
};

/* One solver's try. */
typedef struct crn_solve_try
{
    const char *solver;
    cairn_status status; /* CAIRN_UNSUPPORTED or CAIRN_INVALID: the solver does not do this law */
    char reason[256];    /* why not, when status is not CAIRN_OK */
    cairn_solver_report report;
    cairn_certificate certificate; /* computed anew, apart from the solver */
    double seconds;                /* wall time of the call, nothing warm */
    double siconos;                /* the error as Siconos defines it */
} crn_solve_try;

/* One file. */
typedef struct crn_solve_case
{
    const char *file;
    char law[48];
    double tolerance;
    const cairn_problem *problem;
    crn_solve_try tries[CRN_SOLVE_MOST];
    int count;
} crn_solve_case;

/* "solved", "missed", "failed", "cannot" (the law) or "error". */
const char *crn_solve_outcome(const crn_solve_try *t);

/* All numbers of a single try, or a table of several. */
void crn_solve_print_text(const crn_solve_case *c);

void crn_solve_put_json(crn_json *json, const crn_solve_case *c);

#endif
