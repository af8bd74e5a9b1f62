/* Random numbers that are the same on every machine: xoshiro256** (Blackman, Vigna 2021), its state filled by splitmix64.
 *
 * Only additions, multiplications, divisions and roots are used, which IEEE 754 defines to the bit; the logarithm and the
 * exponential are series of these. Callers keep the state: there is none here. */
#ifndef CRN_BASE_RANDOM_H
#define CRN_BASE_RANDOM_H

#include <stdint.h>

typedef struct crn_random
{
    uint64_t s[4];
} crn_random;

/* A generator for a seed; streams of one seed are independent of each other. */
crn_random crn_random_start(uint64_t seed, uint64_t stream);
uint64_t crn_random_next(crn_random *random);
/* Evenly in (0, 1), never an end: the middle of one of 2^52 equal parts. */
double crn_random_unit(crn_random *random);
/* One number of a stream without those before it, evenly in (0, 1): splitmix64, whose state is a count. A key is that of a seed and a stream. */
uint64_t crn_random_key(uint64_t seed, uint64_t stream);
double crn_random_at(uint64_t key, uint64_t index);
/* A unit quaternion, every turn equally likely (Marsaglia 1972). */
void crn_random_turn(crn_random *random, double q[4]);

/* ln x, x > 0 and finite; e^x, |x| < 700: to a few units in the last place. */
double crn_exact_log(double x);
double crn_exact_exp(double x);
/* The u-quantile of the standard normal distribution, 0 < u < 1, to 1e-15 (Wichura 1988, algorithm AS 241). */
double crn_normal_quantile(double u);

#endif
