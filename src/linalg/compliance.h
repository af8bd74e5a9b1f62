/* The compliance R of contacts, whether it is stored in dense patches or in the sparse blocks W of a problem without bodies. */
#ifndef CRN_LINALG_COMPLIANCE_H
#define CRN_LINALG_COMPLIANCE_H

#include "cairn/problem.h"

bool crn_has_compliance(const cairn_problem *problem);
/* R_ij of contacts i and j, its rows *stride values apart; NULL: it is 0. */
const double *crn_compliance_block(const cairn_problem *problem, int i, int j, int *stride);
/* W += R, W a dense matrix of all contact rows */
void crn_compliance_add_dense(const cairn_problem *problem, double *W);
/* y += R r */
void crn_compliance_add(const cairn_problem *problem, const double *r, long double *y);

#endif
