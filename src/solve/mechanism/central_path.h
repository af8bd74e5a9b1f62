/* Bounded rows of a mechanism by an interior-point method: for those whose exchanges do not end. */
#ifndef CRN_SOLVE_MECHANISM_CENTRAL_PATH_H
#define CRN_SOLVE_MECHANISM_CENTRAL_PATH_H

#include "solve/mechanism/exchange.h"

typedef struct crn_central_path
{
    double *z;             /* per item: the impulse, within its bounds */
    double *lower, *upper; /* m/s: what the bounds push with, > 0 */
    double *v, *c, *r;     /* where it ended */
    crn_arena memory;
} crn_central_path;

void crn_central_path_release(crn_central_path *path);

/* Follow the path from the impulses of the solution until rates are nearer than `slack` m/s to their laws, and decide the rows by where
 * it ends. *found: it got there. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_central_path_follow(crn_central_path *path, crn_near *near, const cairn_problem *problem,
                                     const crn_exchange_solver *solver, const crn_method_options *options, double scale,
                                     double slack, cairn_solution *solution, crn_method_report *report, bool *found);

/* The solution where the path ended. */
void crn_central_path_give(const crn_central_path *path, cairn_solution *solution);

#endif
