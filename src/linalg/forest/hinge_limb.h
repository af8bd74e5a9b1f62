/* A limb whose joint is a hinge, eliminated by the motion that the hinge leaves it; shorter than by rows (forest_factor.c), whose factors
 * only W in full needs. The rows of a hinge hold a point and two turns,
 *
 *     s x + X w - s x_p + P w_p = g_x,     T w + Q w_p = g_t,     v_c = (x, w), v_p = (x_p, w_p), s = 1 or -1
 *
 * and leave, with n = t_1 x t_2 and e_1, e_2 dual to the rows t_1, t_2 of T,
 *
 *     w = n y + e_1 (g_1 - q_1 w_p) + e_2 (g_2 - q_2 w_p),     x = x_p + s (g_x - X w - P w_p),
 *
 * that is, v_c = N y + M v_p + d. Impulses of the joint do nothing along N, so N'(A_c v_c - f_c) = 0 gives y, and since G_c M + G_p = 0 the
 * parent feels M'(f_c - A_c v_c). Another right-hand side changes d, f_c and what follows from them. This is the articulated-body method (Featherstone 1983) again, with a pivot of one row instead of eleven.
 */
#ifndef CRN_LINALG_FOREST_HINGE_LIMB_H
#define CRN_LINALG_FOREST_HINGE_LIMB_H

#include "linalg/forest/forest.h"
#include "linalg/saddle_lanes.h"

#include <assert.h>
#include <stdint.h>

/* Columns of the rows below. */
enum
{
    HINGE_LOAD = 6, /* f_c, and -d */
    HINGE_FREE = 7, /* N */
    HINGE_WIDTH = 8 /* the first six: of v_c or v_p */
};

/* What is kept of a limb until its parent's velocity is known, in the place of its rows of U. */
typedef struct hinge_limb
{
    double A[6][HINGE_WIDTH];    /* A_c with what the limbs below add, f_c, A_c N */
    double move[6][HINGE_WIDTH]; /* M, -d, N */
    double pivot[HINGE_WIDTH];   /* N'A M, N'(f_c - A d), N'A N */
    double dual[2][3];           /* e_1, e_2 */
    double sign;                 /* s; 0: the limb was eliminated by rows */
    double gain[6][HINGE_WIDTH]; /* what the parent's A and load gain */
} hinge_limb;

/* What is kept of a limb that was eliminated by its motion. */
INLINE hinge_limb *hinge_of(const crn_forest *forest, const crn_limb *limb)
{
    static_assert(sizeof(hinge_limb) <= CRN_FOREST_HINGE * sizeof(double), "it lies in the rows of body and joint");
    return (hinge_limb *)(forest->values + limb->values);
}

/* What the first three rows of a block of a joint miss of (sign I, X), and the last two of (0, T): bits, of which none are set where they have
 * this form. */
INLINE lane_bits hinge_misfit(const double *rows, double sign)
{
    const lane_bits linear = {INT64_MAX, INT64_MAX, INT64_MAX, 0}; /* without the sign of zeros */
    const lanes unit[5] = {{1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}, {0.0}, {0.0}};
    lane_bits off = {0};
    UNROLL
    for (int i = 0; i < 5; ++i)
        off |= (lane_bits)(*(const loose_lanes *)(rows + 6 * i) - sign * unit[i]);
    return off & linear;
}

/* The rows of a hinge at the world, which has no velocity, in place of those at a parent. */
INLINE const double *hinge_world(const double *own)
{
    static const double ROWS[2][30] = {{[0] = 1.0, [7] = 1.0, [14] = 1.0}, {[0] = -1.0, [7] = -1.0, [14] = -1.0}};
    return ROWS[own[0] > 0.0];
}

/* Whether the rows have this form, and do not give. */
INLINE bool hinge_limb_fits(const double *own, const double *other, const double *R)
{
    double sign = own[0];
    lane_bits off = hinge_misfit(own, sign) | hinge_misfit(other, -sign);
    return (off[0] | off[1] | off[2]) == 0 && sign * sign == 1.0 && R[0] + R[1] + R[2] + R[3] + R[4] == 0.0;
}

INLINE void hinge_cross(const double *x, const double *y, double *out)
{
    out[0] = x[1] * y[2] - x[2] * y[1];
    out[1] = x[2] * y[0] - x[0] * y[2];
    out[2] = x[0] * y[1] - x[1] * y[0];
}

INLINE double hinge_dot(const double *x, const double *y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/* A row, one vector where the processor has vectors of eight numbers. */
typedef double hinge_row __attribute__((vector_size(HINGE_WIDTH * sizeof(double))));
typedef double loose_hinge_row
    __attribute__((vector_size(HINGE_WIDTH * sizeof(double)), aligned(sizeof(double)), may_alias));

INLINE hinge_row hinge_load(const double *row)
{
    return *(const loose_hinge_row *)row;
}

INLINE void hinge_store(hinge_row row, double *out)
{
    *(loose_hinge_row *)out = row;
}

/* The angular part of a row of a joint in the columns of w_p, and g in that of the load. */
INLINE hinge_row hinge_turn(const double *row, double g)
{
    const lanes x = *(const loose_lanes *)(row + 2), load = g * (lanes){1.0, 0.0, 0.0, 0.0};
    return __builtin_shufflevector(x, load, 5, 5, 5, 1, 2, 3, 4, 5);
}

/* M, -d and N. False: the turns that the hinge holds depend on each other, where their angle's square is below `dependent`. */
INLINE bool hinge_find_motion(const double *own, const double *other, const double *g, double dependent,
                              hinge_limb *limb)
{
    const hinge_row unit[3] = {{1.0}, {0.0, 1.0}, {0.0, 0.0, 1.0}};
    const hinge_row along = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    const double *t_1 = own + 21, *t_2 = own + 27;
    double n[3], e_1[3], e_2[3];
    hinge_cross(t_1, t_2, n);
    double square = hinge_dot(n, n);
    if (!(square > dependent * hinge_dot(t_1, t_1) * hinge_dot(t_2, t_2)))
        return false;
    hinge_cross(t_2, n, e_1);
    hinge_cross(n, t_1, e_2);
    limb->sign = own[0];
    hinge_row turn[3], first = hinge_turn(other + 18, g[3]), second = hinge_turn(other + 24, g[4]);
    UNROLL
    for (int k = 0; k < 3; ++k)
    {
        limb->dual[0][k] = e_1[k] / square;
        limb->dual[1][k] = e_2[k] / square;
        turn[k] = n[k] * along;
        turn[k] += -limb->dual[0][k] * first;
        turn[k] += -limb->dual[1][k] * second;
        hinge_store(turn[k], limb->move[3 + k]);
    }
    UNROLL
    for (int k = 0; k < 3; ++k)
    {
        hinge_row held = hinge_turn(other + 6 * k, g[k]);
        UNROLL
        for (int l = 0; l < 3; ++l)
            held += own[6 * k + 3 + l] * turn[l];
        hinge_store(unit[k] + -limb->sign * held, limb->move[k]);
    }
    return true;
}

/* Eliminate the limb, whose A, f_c, M, d and N are known. False: the pivot is not positive. */
INLINE bool hinge_eliminate(hinge_limb *limb)
{
    const hinge_row load = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    hinge_row move[6], E[6], pivot = {0.0};
    UNROLL
    for (int k = 0; k < 6; ++k)
        move[k] = hinge_load(limb->move[k]);
    UNROLL
    for (int i = 0; i < 6; ++i)
    {
        E[i] = limb->A[i][HINGE_LOAD] * load;
        UNROLL
        for (int k = 0; k < 6; ++k)
            E[i] += limb->A[i][k] * move[k];
        pivot += limb->move[i][HINGE_FREE] * E[i];
    }
    hinge_store(pivot, limb->pivot);
    UNROLL
    for (int i = 0; i < 6; ++i)
        limb->A[i][HINGE_FREE] = E[i][HINGE_FREE];
    double D = limb->pivot[HINGE_FREE];
    if (!(D > 0.0))
        return false;
    UNROLL
    for (int i = 0; i < 6; ++i)
        E[i] += -limb->A[i][HINGE_FREE] / D * pivot;
    UNROLL
    for (int i = 0; i < 3; ++i)
    {
        hinge_row turn = {0.0};
        UNROLL
        for (int k = 0; k < 6; ++k)
            turn += limb->move[k][3 + i] * E[k];
        hinge_store(E[i], limb->gain[i]);
        hinge_store(turn, limb->gain[3 + i]);
    }
    return true;
}

/* Another right-hand side: f_c with what the limbs below add, and g. out: what the parent's load gains. `own` are the joint's rows of the
 * limb's body. */
INLINE void hinge_raise(hinge_limb *limb, const double *own, const double *f, const double *g, double out[6])
{
    double left[6], pivot = 0.0;
    UNROLL
    for (int k = 0; k < 3; ++k)
        limb->move[3 + k][HINGE_LOAD] = -(limb->dual[0][k] * g[3] + limb->dual[1][k] * g[4]);
    UNROLL
    for (int k = 0; k < 3; ++k)
    {
        double held = g[k];
        UNROLL
        for (int l = 0; l < 3; ++l)
            held += own[6 * k + 3 + l] * limb->move[3 + l][HINGE_LOAD];
        limb->move[k][HINGE_LOAD] = -limb->sign * held;
    }
    UNROLL
    for (int i = 0; i < 6; ++i)
    {
        left[i] = limb->A[i][HINGE_LOAD] = f[i];
        UNROLL
        for (int k = 0; k < 6; ++k)
            left[i] += limb->A[i][k] * limb->move[k][HINGE_LOAD];
        pivot += limb->move[i][HINGE_FREE] * left[i];
    }
    limb->pivot[HINGE_LOAD] = pivot;
    pivot /= limb->pivot[HINGE_FREE];
    UNROLL
    for (int i = 0; i < 6; ++i)
        left[i] -= limb->A[i][HINGE_FREE] * pivot;
    UNROLL
    for (int i = 0; i < 3; ++i)
    {
        out[i] = left[i];
        out[3 + i] = 0.0;
        UNROLL
        for (int k = 0; k < 6; ++k)
            out[3 + i] += limb->move[k][3 + i] * left[k];
    }
}

/* v_c and the impulses of the joint; `own` are the joint's rows of the limb's body. */
INLINE void hinge_return(const hinge_limb *limb, const double *own, const double *parent, double *v, double *c)
{
    double y = limb->pivot[HINGE_LOAD], left[6], moment[3];
    UNROLL
    for (int k = 0; k < 6; ++k)
        y -= limb->pivot[k] * parent[k];
    y /= limb->pivot[HINGE_FREE];
    UNROLL
    for (int i = 0; i < 6; ++i)
    {
        const double *move = limb->move[i];
        double sum = move[HINGE_FREE] * y - move[HINGE_LOAD] + (i < 3 ? parent[i] : 0.0);
        v[i] = sum + (move[3] * parent[3] + move[4] * parent[4] + move[5] * parent[5]);
    }
    UNROLL
    for (int i = 0; i < 6; ++i)
    {
        double sum = -limb->A[i][HINGE_LOAD];
        UNROLL
        for (int k = 0; k < 6; ++k)
            sum += limb->A[i][k] * v[k];
        left[i] = sum;
    }
    UNROLL
    for (int k = 0; k < 3; ++k)
        c[k] = limb->sign * left[k];
    UNROLL
    for (int k = 0; k < 3; ++k)
        moment[k] = left[3 + k] - (own[3 + k] * c[0] + own[9 + k] * c[1] + own[15 + k] * c[2]);
    c[3] = hinge_dot(limb->dual[0], moment);
    c[4] = hinge_dot(limb->dual[1], moment);
}

#endif
