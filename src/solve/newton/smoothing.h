/* The smoothed projections onto the Lorentz cone of `size` rows, 1 to 3, and onto an interval (smoothing_cone.c). */
#ifndef CRN_SOLVE_NEWTON_SMOOTHING_H
#define CRN_SOLVE_NEWTON_SMOOTHING_H

typedef struct crn_smooth
{
    double P[3];
    double P_tau[3]; /* dP/dtau */
    double D[9];     /* dP/dz, rows of three */
    double rest[9];  /* I - D */
    double room;     /* the least spectral value of P and P - z, which an error in P must be small against */
} crn_smooth;

/* tau > 0 */
void crn_smooth_project(int size, const double *z, double tau, crn_smooth *out);

/* Of z on [lo, hi], either of which may be infinite: one row. */
void crn_smooth_clip(double lo, double hi, double z, double tau, crn_smooth *out);

#endif
