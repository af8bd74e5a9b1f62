/* The settings of Gauss-Seidel that are not every method's. */
#ifndef CRN_SOLVE_SWEEP_GAUSS_SEIDEL_H
#define CRN_SOLVE_SWEEP_GAUSS_SEIDEL_H

/* r moves by `relaxation` times the way to the local solution, and is put back on its cone where that leaves it: 1 (the
 * default) is plain Gauss-Seidel, above it over-relaxation, at most 1.9. `workspace` is one of
 * crn_method_gauss_seidel. */
void crn_gauss_seidel_relax(void *workspace, double relaxation);

#endif
