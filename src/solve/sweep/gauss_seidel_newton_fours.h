/* Four contacts in space at a time, one per vector lane, for Newton's method on the contacts (gauss_seidel_newton.c). Arrays of three numbers per
 * contact are read as four numbers from the first of each: they are one number longer than their contacts. */
#ifndef CRN_SOLVE_SWEEP_GAUSS_SEIDEL_NEWTON_FOURS_H
#define CRN_SOLVE_SWEEP_GAUSS_SEIDEL_NEWTON_FOURS_H

#include "math/lanes.h"
#include "solve/sweep/gauss_seidel_newton.h"

/* Which contacts the lanes hold; lanes past the last contact repeat it. */
typedef struct newton_four
{
    int item[LANES];
} newton_four;

INLINE newton_four four_from(const crn_gs_newton *newton, int first)
{
    newton_four four;
    UNROLL
    for (int l = 0; l < LANES; ++l)
        four.item[l] = first + l < newton->contacts ? first + l : newton->contacts - 1;
    return four;
}

INLINE lanes four_numbers(const newton_four *four, const double *x)
{
    return (lanes){x[four->item[0]], x[four->item[1]], x[four->item[2]], x[four->item[3]]};
}

/* Three numbers per contact. */
INLINE void four_vectors(const newton_four *four, const double *x, lanes out[4])
{
    UNROLL
    for (int l = 0; l < LANES; ++l)
        out[l] = *(const loose_lanes *)(x + 3 * four->item[l]);
    lanes_transpose(out);
}

/* The fourth number of each is overwritten by the next contact, or lies past the last. */
INLINE void four_store(const newton_four *four, const lanes x[3], double *out)
{
    lanes row[LANES] = {x[0], x[1], x[2], x[2]};
    lanes_transpose(row);
    UNROLL
    for (int l = 0; l < LANES; ++l)
        *(loose_lanes *)(out + 3 * four->item[l]) = row[l];
}

INLINE lanes four_friction(const crn_gs_newton *newton, const newton_four *four)
{
    return newton->law == CRN_LOCAL_FRICTIONLESS ? (lanes){0.0} : four_numbers(four, newton->mu);
}

/* sqrt(x_1^2 + x_2^2) */
INLINE lanes four_slip(const lanes x[3])
{
    return lanes_root(x[1] * x[1] + x[2] * x[2]);
}

#endif
