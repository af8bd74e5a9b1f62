/* Responses and own blocks of the contacts, for the Gauss-Seidel plan only. */
#ifndef CRN_SOLVE_SWEEP_GAUSS_SEIDEL_RESPONSE_H
#define CRN_SOLVE_SWEEP_GAUSS_SEIDEL_RESPONSE_H

#include "solve/sweep/gauss_seidel_plan.h"

/* Needs the clusters, the neighbours and the factors of K. CAIRN_NUMERIC, CAIRN_NO_MEMORY. */
cairn_status crn_gs_plan_respond(crn_gs_plan *plan, cairn_context *context, const cairn_problem *problem);

#endif
