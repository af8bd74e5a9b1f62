/* `cairn solve`: what came of one problem under one or several solvers. */
#ifndef CLI_SOLVE_SOLVE_H
#define CLI_SOLVE_SOLVE_H

#include "cli/common/cli.h"
#include "cli/common/json.h"

enum
{
    CLI_SOLVE_MOST = 32 /* solvers */
};

/* One solver's try. */
typedef struct cli_solve_try
{
    const char *solver;
    cairn_status status; /* CAIRN_UNSUPPORTED or CAIRN_INVALID: the solver does not do this law */
    char reason[256];    /* why not, when status is not CAIRN_OK */
    cairn_solver_report report;
    cairn_certificate certificate; /* computed anew, apart from the solver */
    double seconds;                /* wall time of the call, nothing warm */
    double siconos;                /* the error as Siconos defines it */
} cli_solve_try;

/* One file. */
typedef struct cli_solve_case
{
    const char *file;
    char law[48];
    double tolerance;
    const cairn_problem *problem;
    cli_solve_try tries[CLI_SOLVE_MOST];
    int count;
} cli_solve_case;

/* "solved", "missed", "failed", "cannot" (the law) or "error". */
const char *cli_solve_outcome(const cli_solve_try *t);

/* All numbers of a single try, or a table of several. */
void cli_solve_print_text(const cli_solve_case *c);

void cli_solve_put_json(cli_json *json, const cli_solve_case *c);

#endif
