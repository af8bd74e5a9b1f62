/* The table of iterative methods, and their workspaces, made when first needed. */
#ifndef CRN_SOLVE_AUTO_METHODS_H
#define CRN_SOLVE_AUTO_METHODS_H

#include "cairn/solver.h"
#include "solve/auto/method.h"

enum
{
    CRN_SOLVER_KINDS = CAIRN_SOLVER_SMOOTHING + 1
};

typedef struct crn_workshop
{
    void *workspace[CRN_SOLVER_KINDS];
} crn_workshop;

/* NULL for kinds that are not iterative methods. */
const crn_method *crn_method_of(cairn_solver_kind kind);

/* NULL when memory ran out. */
void *crn_workshop_get(crn_workshop *workshop, cairn_solver_kind kind);
void crn_workshop_release(crn_workshop *workshop);

#endif
