/* The lagged law of one contact, solved exactly: u = W r + q, 0 <= u_n _|_ r_n >= 0, |r_t| <= radius, and u_t opposes r_t
 * where it slips. W is positive definite, not always symmetric. See local_lagged.c. */
#ifndef CRN_SOLVE_SWEEP_LOCAL_LAGGED_H
#define CRN_SOLVE_SWEEP_LOCAL_LAGGED_H

void crn_local_lagged(int dim, double radius, const double *W, const double *q, double *r);

#endif
