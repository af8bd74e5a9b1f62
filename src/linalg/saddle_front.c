/* One front:
 *
 *     [ P ]   [ P_p  P_u ]      P_p = L_p U_p        by blocks of columns, with exchange of rows where any pivot will do
 *     [   ] = [          ]      P_u becomes L_p^-1 P_u
 *     [ L C ] [ L    C   ]      L   becomes L U_p^-1, that is U_p'^-1 L' as it is stored
 *                               C   becomes C - L P_u
 *
 * L_p has a unit diagonal; the inverses of U_p's are kept apart. They are 0 for dropped joint rows, which makes the
 * column of L zero: such a row has no part in what follows.
 *
 * A positive definite A has positive pivots in every order. The joints' pivots are those of R_c + G A^-1 G'; the size one
 * of them would have without cancellation is the sum of the sizes of its terms, |R_c| + sum_k |l_ik u_ki| over all pivots
 * before it, and it vanishes against this for a row that depends on those before it.
 */
#include "linalg/saddle_front.h"

#include "linalg/saddle_kernel.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    NARROW = 8 /* columns eliminated one by one before the rest of a block is updated */
};

/* Rounding leaves about 1e-15 of the terms' size in a pivot that should vanish; an honest one reaches down to the mass
 * ratio, 1e-8. */
static const double JOINT_PIVOT_FLOOR = 1e-11;

/* The pivot of a compliant row is at least R_c and never vanishes; below this share rounding hides its size. */
static const double SOFT_PIVOT_FLOOR = 1e-15;

/* Below this part of its terms a pivot of any sign is rounding alone. */
static const double PIVOT_FLOOR = 1e-14;

/* A front with its pieces; arrays by rows start at its own. */
typedef struct piece
{
    int pivots, width, below;
    bool joints, exchanges, any;
    double *P, *L, *C;
    double *inverse, *terms;
    const double *compliance;
    int *exchange;
    int dropped, bad; /* bad: -1, or a pivot that is not good enough */
    double bad_pivot;
} piece;

/* ------------------------------------------------------------------------------------------------ updates of children */

static void add(int count, const double *restrict from, double *restrict to)
{
    for (int i = 0; i < count; ++i)
        to[i] += from[i];
}

/* Add row `in` of an update to row `to` of the front. */
static void add_row(const piece *front, const crn_saddle_run *run, int count, const double *in, int to)
{
    assert(count >= 0 && to >= 0);
    int p = front->pivots;
    size_t below = (size_t)front->below;
    if (to < p)
    {
        double *out = front->P + (size_t)to * (size_t)front->width;
        for (int b = 0; b < count; ++b)
            add(run[b].length, in + run[b].from, out + run[b].to);
        return;
    }
    double *out = front->C + (size_t)(to - p) * below;
    for (int b = 0; b < count; ++b)
    {
        if (run[b].to >= p)
        {
            add(run[b].length, in + run[b].from, out + run[b].to - p);
            continue;
        }
        double *column = front->L + (size_t)run[b].to * below + (size_t)(to - p);
        for (int i = 0; i < run[b].length; ++i)
            column[(size_t)i * below] += in[run[b].from + i];
    }
}

static void add_children(const crn_saddle *saddle, int s, const piece *front)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    memset(front->C, 0, (size_t)front->below * (size_t)front->below * sizeof(double));
    for (int c = pattern->front[s].child; c >= 0; c = pattern->front[c].sibling)
    {
        const crn_saddle_front *child = &pattern->front[c];
        const crn_saddle_run *run = pattern->run + child->run;
        size_t rows = (size_t)(child->width - child->pivots);
        const double *update = saddle->stack[child->stack] + child->update;
        for (int a = 0; a < child->run_count; ++a)
            for (int i = 0; i < run[a].length; ++i)
                add_row(front, run, child->run_count, update + (size_t)(run[a].from + i) * rows, run[a].to + i);
    }
}

/* ------------------------------------------------------------------------------------------------------------- pivots */

/* Find what pivots are compared with: the terms from other fronts, and the columns as they are now. */
static void find_sizes(const piece *front)
{
    for (int i = 0; i < front->pivots; ++i)
    {
        for (int k = 0; k < front->pivots; ++k)
        {
            double value = fabs(front->P[(size_t)i * (size_t)front->width + (size_t)k]);
            front->terms[k] = value > front->terms[k] ? value : front->terms[k];
        }
    }
}

/* Bring the largest entry of column k to the diagonal. */
static void exchange_rows(const piece *front, int k)
{
    size_t width = (size_t)front->width;
    int best = k;
    for (int i = k + 1; i < front->pivots; ++i)
    {
        best =
            fabs(front->P[(size_t)i * width + (size_t)k]) > fabs(front->P[(size_t)best * width + (size_t)k]) ? i : best;
    }
    front->exchange[k] = best;
    double *a = front->P + (size_t)k * width;
    double *b = front->P + (size_t)best * width;
    for (size_t j = 0; j < width && best != k; ++j)
    {
        double value = a[j];
        a[j] = b[j];
        b[j] = value;
    }
}

/* The inverse of pivot k; false when it is not good enough. */
static bool invert(piece *front, int k)
{
    double d = front->P[(size_t)k * (size_t)front->width + (size_t)k];
    double size = front->any ? fabs(d) : d;
    double soft = front->compliance[k];
    bool held = soft > SOFT_PIVOT_FLOOR * front->terms[k] && size > 0.5 * soft;
    bool good = front->joints      ? held || size > JOINT_PIVOT_FLOOR * front->terms[k]
                : front->exchanges ? size > PIVOT_FLOOR * front->terms[k]
                                   : size > 0.0;
    bool drop = front->joints && !good;
    front->inverse[k] = drop ? 0.0 : 1.0 / d;
    front->dropped += drop;
    return drop || (good && isfinite(d));
}

/* Eliminate the columns first .. end-1 from all rows of pivots, one by one and no further to the right. */
static bool eliminate(piece *front, int first, int end)
{
    assert(0 <= first && first <= end);
    size_t width = (size_t)front->width;
    for (int k = first; k < end; ++k)
    {
        if (front->exchanges)
            exchange_rows(front, k);
        const double *restrict pivot = front->P + (size_t)k * width;
        if (!invert(front, k))
        {
            front->bad = k;
            front->bad_pivot = pivot[k];
            return false;
        }
        for (int i = k + 1; i < front->pivots; ++i)
        {
            double *restrict row = front->P + (size_t)i * width;
            row[k] *= front->inverse[k];
            for (int j = k + 1; j < end; ++j)
                row[j] -= row[k] * pivot[j];
            if (front->joints && i < end)
                front->terms[i] += fabs(row[k] * pivot[i]);
        }
    }
    return true;
}

/* The terms that pivots first .. end-1 add to the diagonal of later pivots up to `last`. */
static void add_own_terms(const piece *front, int first, int end, int last)
{
    assert(0 <= first && first <= end && end <= last);
    size_t width = (size_t)front->width;
    for (int i = end; i < last; ++i)
        for (int k = first; k < end; ++k)
            front->terms[i] += fabs(front->P[(size_t)i * width + (size_t)k] * front->P[(size_t)k * width + (size_t)i]);
}

/* Eliminate the pivots first .. end-1 by blocks of `step`, and from the columns up to `last` what follows from it. */
static bool factorise(piece *front, int first, int end, int last, int step)
{
    assert(0 <= first && first <= end && end <= last && step > 0);
    size_t width = (size_t)front->width;
    for (int a = first; a < end; a += step)
    {
        int b = end - a < step ? end : a + step;
        if (!(step == NARROW ? eliminate(front, a, b) : factorise(front, a, b, b, NARROW)))
            return false;
        double *right = front->P + (size_t)a * width + (size_t)b;
        crn_operand own = {front->P + (size_t)a * width + (size_t)a, width, 1};
        crn_operand under = {front->P + (size_t)b * width + (size_t)a, width, 1};
        crn_kernel_solve(b - a, last - b, own, NULL, right, width);
        crn_kernel_product(front->pivots - b, last - b, b - a, under, right, width, right + (size_t)(b - a) * width,
                           width);
        if (front->joints)
            add_own_terms(front, a, b, last < front->pivots ? last : front->pivots);
    }
    return true;
}

/* -------------------------------------------------------------------------------------------------------------- below */

/* L' becomes U_p'^-1 L'. */
static void solve_below(const piece *front)
{
    size_t width = (size_t)front->width;
    size_t below = (size_t)front->below;
    for (int a = 0; a < front->pivots; a += CRN_KERNEL_DEPTH)
    {
        int b = front->pivots - a < CRN_KERNEL_DEPTH ? front->pivots : a + CRN_KERNEL_DEPTH;
        double *rows = front->L + (size_t)a * below;
        crn_operand own = {front->P + (size_t)a * width + (size_t)a, 1, width};
        crn_operand right = {front->P + (size_t)a * width + (size_t)b, 1, width};
        crn_kernel_solve(b - a, front->below, own, front->inverse + a, rows, below);
        crn_kernel_product(front->pivots - b, front->below, b - a, right, rows, below, front->L + (size_t)b * below,
                           below);
    }
}

static void update_below(const piece *front)
{
    size_t below = (size_t)front->below;
    for (int a = 0; a < front->pivots; a += CRN_KERNEL_DEPTH)
    {
        int depth = front->pivots - a < CRN_KERNEL_DEPTH ? front->pivots - a : CRN_KERNEL_DEPTH;
        crn_operand left = {front->L + (size_t)a * below, 1, below};
        const double *right = front->P + (size_t)a * (size_t)front->width + (size_t)front->pivots;
        crn_kernel_product(front->below, front->below, depth, left, right, (size_t)front->width, front->C, below);
    }
}

/* The sizes of the terms that the front adds to diagonal entries below it: those of joints, or all. */
static void add_terms(crn_saddle *saddle, const crn_saddle_front *where, const piece *front)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    for (int e = where->below + where->below_count - 1; e >= where->below; --e)
    {
        int block = pattern->order[pattern->below[e]];
        if (block < pattern->bodies && !saddle->any)
            return;
        double *terms = saddle->terms + pattern->row[pattern->below[e]];
        int rows = pattern->start[block + 1] - pattern->start[block];
        for (int k = 0; k < front->pivots; ++k)
        {
            const double *u = front->P + (size_t)k * (size_t)front->width + pattern->offset[e];
            const double *l = front->L + (size_t)k * (size_t)front->below + (pattern->offset[e] - front->pivots);
            for (int i = 0; i < rows; ++i)
                terms[i] += fabs(l[i] * u[i]);
        }
    }
}

int crn_saddle_front_factorise(crn_saddle *saddle, int s, double *pivot)
{
    assert(0 <= s && s < saddle->pattern.front_count);
    const crn_saddle_pattern *pattern = &saddle->pattern;
    const crn_saddle_front *where = &pattern->front[s];
    bool joints = pattern->order[where->first] >= pattern->bodies;
    piece front = {.pivots = where->pivots,
                   .width = where->width,
                   .below = where->width - where->pivots,
                   .joints = joints,
                   .exchanges = saddle->any && !joints,
                   .any = saddle->any,
                   .P = saddle->values + where->values,
                   .C = saddle->stack[where->stack] + where->update,
                   .inverse = saddle->inverse + where->row,
                   .terms = saddle->terms + where->row,
                   .compliance = saddle->compliance + where->row,
                   .exchange = saddle->exchange + where->row,
                   .bad = -1};
    front.L = front.P + (size_t)front.pivots * (size_t)front.width;
    add_children(saddle, s, &front);
    if (front.exchanges)
        find_sizes(&front);
    if (!factorise(&front, 0, front.pivots, front.width, CRN_KERNEL_DEPTH))
    {
        *pivot = front.bad_pivot;
        return where->row + front.bad;
    }
    saddle->dropped += front.dropped;
    if (front.below > 0)
    {
        solve_below(&front);
        update_below(&front);
        add_terms(saddle, where, &front);
    }
    return -1;
}
