/* Derivatives of functions that are given by their values alone (C. J. F. Ridders, Adv. Eng. Softw. 4, 1982).
 *
 * The error of the central difference (f(t + d) - f(t - d)) / (2 d) is a series in d^2. It is computed for CRN_RIDDERS steps d, each
 * half the one before, and extrapolated to d = 0: the entry of the tableau that differs least from those it is computed from is the
 * result.
 */
#ifndef CRN_MATH_RIDDERS_H
#define CRN_MATH_RIDDERS_H

enum
{
    CRN_RIDDERS = 12
};

/* s: step i of a function of time. */
double crn_ridders_step(int i);
/* The derivative from the differences, the widest first. */
double crn_ridders(const double difference[CRN_RIDDERS]);

#endif
