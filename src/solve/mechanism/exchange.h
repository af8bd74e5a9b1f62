/* Bounded rows of a mechanism, however many: which are held, and which are at a bound. With the decision made, what is left is a mechanism
 * of the same tree (near.h), solved in time proportional to its bodies. Rows that contradict it change sides, all at once, and from the
 * decision of the last step few do. */
#ifndef CRN_SOLVE_MECHANISM_EXCHANGE_H
#define CRN_SOLVE_MECHANISM_EXCHANGE_H

#include "solve/auto/method.h"
#include "solve/mechanism/near.h"

struct crn_central_path;

/* What solves the problems without bounded rows. */
typedef struct crn_exchange_solver
{
    cairn_status (*solve)(void *data, const cairn_problem *problem, const crn_method_options *options,
                          cairn_solution *solution, crn_method_report *report);
    void *data;
} crn_exchange_solver;

/* Solve a problem that crn_near_applies to. Declined: a bounded row lies between bodies without a joint, the solver declines, or no
 * decision without contradiction was found. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_exchange(crn_near *near, struct crn_central_path *path, const cairn_problem *problem,
                          const crn_exchange_solver *solver, const crn_method_options *options,
                          cairn_solution *solution, crn_method_report *report);

#endif
