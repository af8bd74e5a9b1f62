/* What a mechanism needs of W besides Newton's method: masses and sweeps. */
#ifndef CRN_SOLVE_MECHANISM_DELASSUS_H
#define CRN_SOLVE_MECHANISM_DELASSUS_H

#include "solve/sweep/gauss_seidel_newton.h"

/* rho of each contact: rows / trace of its block of W, as the certificate has it but with joints. */
void crn_delassus_masses(const crn_gs_newton *newton, double *rho);

/* Sweeps of block Gauss-Seidel over u = W r + q, on r. u: workspace, one number per row of W. */
void crn_delassus_sweep(const crn_gs_newton *newton, int count, double *u, double *r);

#endif
