#include "linalg/four_bodies.h"

#include "math/lanes.h"

#include <assert.h>

static_assert(LANES == 4, "as the header has it");

enum
{
    SIZE = 6,
    TURNS = 20 /* before the first number of the turns: rows are read and written in fours from here on */
};

INLINE lane_bits bits_at(const double *x)
{
    return (lane_bits) * (const loose_lanes *)x;
}

INLINE bool any(lane_bits is)
{
    return (is[0] | is[1] | is[2] | is[3]) != 0;
}

/* The bits of all that couples the translations of a body, with each other and with turns. */
INLINE lane_bits coupling(const double *A)
{
    const lane_bits not_0 = {0, -1, -1, -1}, not_1 = {-1, 0, -1, -1}, not_2 = {-1, -1, 0, -1}, not_3 = {-1, -1, -1, 0};
    lane_bits linear = (bits_at(A) & not_0) | bits_at(A + 2) | (bits_at(A + 6) & not_1) | bits_at(A + 8) |
                       (bits_at(A + 12) & not_2) | (bits_at(A + 14) & not_0);
    return linear | ((bits_at(A + 18) | bits_at(A + 24) | bits_at(A + 30)) & not_3);
}

/* Whether the translations of all four couple with nothing; the sign of a zero does not count. */
INLINE bool are_apart(const double *const A[LANES])
{
    return !any((coupling(A[0]) | coupling(A[1]) | coupling(A[2]) | coupling(A[3])) << 1);
}

INLINE void read_turns(const double *const A[LANES], lanes turn[3][3])
{
    UNROLL
    for (int i = 0; i < 3; ++i)
    {
        lanes row[LANES];
        UNROLL
        for (int l = 0; l < LANES; ++l)
            row[l] = *(const loose_lanes *)(A[l] + TURNS + SIZE * i);
        lanes_transpose(row);
        UNROLL
        for (int k = 0; k < 3; ++k)
            turn[i][k] = row[k + 1];
    }
}

INLINE lanes read_one(const double *const A[LANES], int at)
{
    return (lanes){A[0][at], A[1][at], A[2][at], A[3][at]};
}

INLINE void swap_where(lane_bits is, lanes x[6], lanes y[6])
{
    UNROLL
    for (int k = 0; k < 6; ++k)
    {
        lanes t = x[k];
        x[k] = lanes_choose(is, y[k], t);
        y[k] = lanes_choose(is, t, y[k]);
    }
}

/* The largest of the first column to the top. */
INLINE void pivot_first(lanes a[3][6])
{
    lane_bits second = lanes_size(a[1][0]) > lanes_size(a[0][0]);
    lanes best = lanes_choose(second, a[1][0], a[0][0]);
    lane_bits third = lanes_size(a[2][0]) > lanes_size(best);
    if (!any(second | third))
        return;
    swap_where(second & ~third, a[0], a[1]);
    swap_where(third, a[0], a[2]);
}

/* Elimination of the turns and the identity beside them; where the pivots are. */
INLINE bool eliminate(lanes a[3][6])
{
    pivot_first(a);
    UNROLL
    for (int i = 1; i < 3; ++i)
    {
        lanes f = a[i][0] / a[0][0];
        UNROLL
        for (int k = 1; k < 6; ++k)
            a[i][k] -= f * a[0][k];
    }
    lane_bits third = lanes_size(a[2][1]) > lanes_size(a[1][1]);
    if (any(third))
        swap_where(third, a[1], a[2]);
    lanes f = a[2][1] / a[1][1];
    UNROLL
    for (int k = 2; k < 6; ++k)
        a[2][k] -= f * a[1][k];
    const lanes zero = {0.0};
    return !any((a[0][0] == zero) | (a[1][1] == zero) | (a[2][2] == zero));
}

INLINE void write_turns(lanes x[3][3], double *const X[LANES])
{
    UNROLL
    for (int i = 0; i < 3; ++i)
    {
        lanes row[LANES] = {{0.0}, x[i][0], x[i][1], x[i][2]};
        lanes_transpose(row);
        UNROLL
        for (int l = 0; l < LANES; ++l)
            *(loose_lanes *)(X[l] + TURNS + SIZE * i) = row[l];
    }
}

/* X of the translations, the inverses of their masses; whether there are any. */
INLINE bool invert_masses(const double *const A[LANES], double *const X[LANES])
{
    lane_bits none = {0};
    UNROLL
    for (int k = 0; k < 3; ++k)
    {
        lanes mass = read_one(A, 7 * k), inverse = 1.0 / mass;
        none |= mass == (lanes){0.0};
        UNROLL
        for (int l = 0; l < LANES; ++l)
            X[l][7 * k] = inverse[l];
    }
    return !any(none);
}

INLINE bool invert(const double *const A[LANES], double *const X[LANES])
{
    const lanes zero = {0.0}, one = {1.0, 1.0, 1.0, 1.0};
    lanes turn[3][3], x[3][3];
    read_turns(A, turn);
    lane_bits alone = (turn[0][1] == zero) & (turn[1][0] == zero) & (turn[0][2] == zero) & (turn[2][0] == zero);
    lanes a[3][6] = {{turn[0][0], turn[0][1], turn[0][2], one, zero, zero},
                     {turn[1][0], turn[1][1], turn[1][2], zero, one, zero},
                     {turn[2][0], turn[2][1], turn[2][2], zero, zero, one}};
    if (any(alone) || !are_apart(A) || !invert_masses(A, X) || !eliminate(a))
        return false;
    UNROLL
    for (int k = 0; k < 3; ++k)
    {
        x[2][k] = a[2][k + 3] / a[2][2];
        x[1][k] = (a[1][k + 3] - a[1][2] * x[2][k]) / a[1][1];
        x[0][k] = ((a[0][k + 3] - a[0][1] * x[1][k]) - a[0][2] * x[2][k]) / a[0][0];
    }
    write_turns(x, X);
    return true;
}

/* Pivots of the symmetric part, as Cholesky's method has them. */
INLINE bool are_definite(const double *const A[LANES])
{
    const lanes zero = {0.0};
    lanes turn[3][3];
    read_turns(A, turn);
    lane_bits masses = (read_one(A, 0) > zero) & (read_one(A, 7) > zero) & (read_one(A, 14) > zero);
    lanes a = turn[0][0], b = 0.5 * (turn[0][1] + turn[1][0]), c = 0.5 * (turn[0][2] + turn[2][0]);
    lanes d = turn[1][1] - b * b / a, e = 0.5 * (turn[1][2] + turn[2][1]) - b * c / a;
    lane_bits turns = (a > zero) & (d > zero) & (turn[2][2] - c * c / a - e * e / d > zero);
    return are_apart(A) && !any(~(masses & turns));
}

WIDE static bool wide_invert(const double *const A[LANES], double *const X[LANES])
{
    return invert(A, X);
}

static bool plain_invert(const double *const A[LANES], double *const X[LANES])
{
    return invert(A, X);
}

bool crn_four_bodies_invert(const double *const A[4], double *const X[4])
{
    return (HAS_WIDE ? wide_invert : plain_invert)(A, X);
}

WIDE static bool wide_are_definite(const double *const A[LANES])
{
    return are_definite(A);
}

static bool plain_are_definite(const double *const A[LANES])
{
    return are_definite(A);
}

bool crn_four_bodies_are_definite(const double *const A[4])
{
    return (HAS_WIDE ? wide_are_definite : plain_are_definite)(A);
}
