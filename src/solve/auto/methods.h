/* The table of solvers: their names, the iterative methods, and the workspaces of these methods, made when first needed. */
#ifndef CRN_SOLVE_AUTO_METHODS_H
#define CRN_SOLVE_AUTO_METHODS_H

#include "cairn/solver.h"
#include "solve/auto/method.h"

typedef struct crn_workshop
{
    void *workspace[CAIRN_SOLVER_KINDS];
} crn_workshop;

/* NULL for kinds that are not iterative methods. */
const crn_method *crn_method_of(cairn_solver_kind kind);

/* Names of solvers and of choices of forces by the values of their enumerations; NULL past the last one. */
const char *crn_solver_word(int index);
const char *crn_forces_word(int index);

/* NULL when memory ran out. */
void *crn_workshop_get(crn_workshop *workshop, cairn_solver_kind kind);
void crn_workshop_release(crn_workshop *workshop);

#endif
