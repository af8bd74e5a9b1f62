/* The elimination of small fronts: 1 to 6 pivots, the sizes of bodies and joints, written out for each number of them so that the
 * pivots stay in registers. The same sums in the same order as the general kernels (saddle_kernel.h): the same bits.
 */
#ifndef CRN_LINALG_SADDLE_SMALL_H
#define CRN_LINALG_SADDLE_SMALL_H

#include <stdbool.h>
#include <stddef.h>

/* Call a function with the number of pivots, 1 to 6, as a constant. */
#define CRN_FOR_PIVOTS(pivots, function, ...)                                                                          \
    switch (pivots)                                                                                                    \
    {                                                                                                                  \
    case 1:                                                                                                            \
        function(1, __VA_ARGS__);                                                                                      \
        break;                                                                                                         \
    case 2:                                                                                                            \
        function(2, __VA_ARGS__);                                                                                      \
        break;                                                                                                         \
    case 3:                                                                                                            \
        function(3, __VA_ARGS__);                                                                                      \
        break;                                                                                                         \
    case 4:                                                                                                            \
        function(4, __VA_ARGS__);                                                                                      \
        break;                                                                                                         \
    case 5:                                                                                                            \
        function(5, __VA_ARGS__);                                                                                      \
        break;                                                                                                         \
    default:                                                                                                           \
        function(6, __VA_ARGS__);                                                                                      \
    }

/* A front whose own columns are eliminated: P_p = L_p U_p. Rows are padded to whole vectors of four (saddle_pattern.h). */
typedef struct crn_small_front
{
    int pivots, below;
    size_t stride, below_stride;
    double *P, *L, *C;
    const double *inverse;
    double *sizes; /* out, padded too: sum_k |l_ik u_ki| of each row below */
    bool fresh;    /* C is zero and need not have been cleared */
} crn_small_front;

enum
{
    CRN_SMALL_PIVOTS = 6,
    CRN_SMALL_BELOW = 64 /* from here on packing pays */
};

static inline bool crn_small_fits(int pivots, int below)
{
    return pivots <= CRN_SMALL_PIVOTS && below <= CRN_SMALL_BELOW;
}

/* P_u becomes L_p^-1 P_u, L becomes L U_p^-1, C becomes C - L P_u. */
void crn_small_eliminate(const crn_small_front *front);

#endif
