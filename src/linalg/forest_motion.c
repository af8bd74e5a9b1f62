/* The motions that joints leave free, and W = H K^-1 H' by them. The rigid rows of a limb, G_c v_c + G_p v_p = 0, give
 *
 *     v_c = N y + T v_p                                                        G_c N = 0,   G_c T = -G_p,
 *
 * one y per degree of freedom. With the inertia A of the body and of all limbs below it, and rows (g_c, g_p) of compliance R besides, the
 * limb's own motion follows from the impulse f_c on it and the motion of its parent:
 *
 *     y = D^-1 (N'f_c - B v_p),     D = N'AN + (g_c N)' (g_c N) / R,     B = N'AT + (g_c N)' (g_c T + g_p) / R,
 *     v_c = N D^-1 N' f_c + T_r v_p,                     T_r = T - N D^-1 B,
 *     f_p += T_l' f_c,                                   T_l = T - N D^-T B with A' for A.
 *
 * From the roots to the leaves this gives the bodies' motions with the columns of all limbs above them,
 *
 *     right_c = [N D^-1, T_r right_p],     left_c = [N, T_l left_p],     W = (H right) (H left)'.
 *
 * A body with a hinge adds one column, where L and U have eleven rows (forest_columns.c).
 */
#include "linalg/forest.h"
#include "linalg/lu.h"
#include "math/lanes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A pivot of the rows of a joint below this share of their largest entry: a row depends on others. */
static const double DEPENDENT = 1e-11;
/* Rows that give way this much less than the inertia does would leave too few of its digits. */
static const double STIFF = 1e4;

enum
{
    WIDTH = CRN_FOREST_WIDTH,
    MOST = CRN_FOREST_ROWS
};

static bool is_rigid(const crn_limb *limb, const cairn_problem *problem, int row)
{
    return problem->R_c[problem->G.row_start[limb->joint] + row] == 0.0;
}

static int rigid_rows(const crn_limb *limb, const cairn_problem *problem)
{
    int count = 0;
    for (int j = 0; j < limb->m; ++j)
        count += is_rigid(limb, problem, j);
    return count;
}

int crn_forest_freedoms(crn_forest *forest, const cairn_problem *problem)
{
    int count = 0;
    crn_forest_mark(forest, problem);
    for (int k = 0; k < forest->limb_count; ++k)
    {
        const crn_limb *limb = &forest->limb[k];
        int own = limb->n - rigid_rows(limb, problem);
        if (own < 0)
            return -1;
        count += limb->contacts ? own : 0;
    }
    return count;
}

/* ---------------------------------------------------------------------------------------------------------- one limb */

/* The rigid rows of a limb: n | q numbers each, WIDTH apart. */
typedef struct rigid
{
    int count;
    double row[MOST][2 * WIDTH];
    int pivot[MOST]; /* the entry of v_c that a row gives */
} rigid;

static void load_rigid(const crn_limb *limb, const cairn_problem *problem, rigid *to)
{
    const cairn_block_rows *G = &problem->G;
    const double *own = G->value + G->value_start[limb->m > 0 ? limb->own_entry : 0];
    const double *other = G->value + G->value_start[limb->q > 0 ? limb->other_entry : 0];
    to->count = 0;
    for (int j = 0; j < limb->m; ++j)
    {
        if (!is_rigid(limb, problem, j))
            continue;
        assert(to->count < MOST);
        double *row = to->row[to->count++];
        memset(row, 0, 2 * WIDTH * sizeof(double));
        memcpy(row, own + j * limb->n, (size_t)limb->n * sizeof(double));
        memcpy(row + WIDTH, other + j * limb->q, (size_t)limb->q * sizeof(double));
    }
}

/* The largest entry among the rows from k on and the columns of the body: its row, and its column in `pivot`. */
INLINE int find_pivot(rigid *rows, int n, int k)
{
    double most = -1.0;
    int at = 0;
    for (int i = k; i < rows->count; ++i)
    {
        for (int j = 0; j < n; ++j)
        {
            double value = fabs(rows->row[i][j]);
            at = value > most ? i * WIDTH + j : at;
            most = value > most ? value : most;
        }
    }
    rows->pivot[k] = at % WIDTH;
    return at / WIDTH;
}

INLINE void swap_rows(double *a, double *b)
{
    double t[2 * WIDTH];
    memcpy(t, a, sizeof t);
    memcpy(a, b, sizeof t);
    memcpy(b, t, sizeof t);
}

/* Gauss and Jordan: afterwards row k reads v_c[pivot] + (free entries) + (parent) = 0. False: rows depend on each other. */
INLINE bool resolve(rigid *rows, int n)
{
    double first = 0.0;
    for (int k = 0; k < rows->count; ++k)
    {
        int best = find_pivot(rows, n, k);
        double *pivot = rows->row[k], value = rows->row[best][rows->pivot[k]];
        first = k == 0 ? fabs(value) : first;
        if (!(fabs(value) > DEPENDENT * first))
            return false;
        if (best != k)
            swap_rows(pivot, rows->row[best]);
        for (int j = 0; j < 2 * WIDTH; j += LANES)
            *(loose_lanes *)(pivot + j) /= value;
        for (int i = 0; i < rows->count; ++i)
        {
            double f = i == k ? 0.0 : rows->row[i][rows->pivot[k]];
            for (int j = 0; j < 2 * WIDTH && f != 0.0; j += LANES)
                *(loose_lanes *)(rows->row[i] + j) -= f * *(const loose_lanes *)(pivot + j);
        }
    }
    return true;
}

/* N, one row per degree of freedom, and T. */
INLINE void find_motions(const rigid *rows, int n, crn_motion *motion, double T[MOST][WIDTH])
{
    bool given[MOST] = {false};
    memset(T, 0, sizeof(double[MOST][WIDTH]));
    motion->count = 0;
    for (int k = 0; k < rows->count; ++k)
    {
        given[rows->pivot[k]] = true;
        for (int j = 0; j < WIDTH; j += LANES)
            *(loose_lanes *)(T[rows->pivot[k]] + j) = -*(const loose_lanes *)(rows->row[k] + WIDTH + j);
    }
    for (int i = 0; i < n; ++i)
    {
        if (given[i])
            continue;
        double *free = motion->free[motion->count++];
        memset(free, 0, WIDTH * sizeof(double));
        free[i] = 1.0;
        for (int k = 0; k < rows->count; ++k)
            free[rows->pivot[k]] = -rows->row[k][i];
    }
}

/* out += x' M, of `rows` numbers and rows. */
INLINE void add_times(int rows, const double *x, double (*M)[WIDTH], double *out)
{
    lanes sum[2] = {*(const loose_lanes *)out, *(const loose_lanes *)(out + LANES)};
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < 2; ++j)
            sum[j] += x[i] * *(const loose_lanes *)(M[i] + j * LANES);
    for (int j = 0; j < 2; ++j)
        *(loose_lanes *)(out + j * LANES) = sum[j];
}

INLINE double dot(int n, const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

/* D and B of A and of A', without rows that give way. */
INLINE void press(const crn_motion *motion, int n, const double *A, double T[MOST][WIDTH], double D[MOST][WIDTH],
                  double B[2][MOST][WIDTH])
{
    for (int d = 0; d < motion->count; ++d)
    {
        const double *N = motion->free[d];
        double NA[WIDTH] = {0.0}, AN[WIDTH] = {0.0};
        for (int i = 0; i < n; ++i)
        {
            for (int j = 0; j < n; ++j)
                NA[j] += N[i] * A[i * n + j];
            AN[i] = dot(n, A + i * n, N);
        }
        memset(B[0][d], 0, sizeof B[0][d]);
        memset(B[1][d], 0, sizeof B[1][d]);
        add_times(n, NA, T, B[0][d]);
        add_times(n, AN, T, B[1][d]);
        for (int e = 0; e < motion->count; ++e)
            D[d][e] = dot(n, NA, motion->free[e]);
    }
}

/* What the rows that give way add to them. False: so much that little is left of the inertia. */
static bool press_rows(const crn_limb *limb, const cairn_problem *problem, const crn_motion *motion,
                       double T[MOST][WIDTH], double D[MOST][WIDTH], double B[2][MOST][WIDTH])
{
    const cairn_block_rows *G = &problem->G;
    for (int j = 0; j < limb->m; ++j)
    {
        if (is_rigid(limb, problem, j))
            continue;
        const double *own = G->value + G->value_start[limb->own_entry] + j * limb->n;
        double yield = problem->R_c[G->row_start[limb->joint] + j], along[MOST] = {0.0}, parent[WIDTH] = {0.0};
        if (limb->q > 0)
            memcpy(parent, G->value + G->value_start[limb->other_entry] + j * limb->q,
                   (size_t)limb->q * sizeof(double));
        add_times(limb->n, own, T, parent);
        for (int d = 0; d < motion->count; ++d)
            along[d] = dot(limb->n, own, motion->free[d]);
        for (int d = 0; d < motion->count; ++d)
        {
            double share = along[d] / yield;
            if (!(share * along[d] <= STIFF * D[d][d]))
                return false;
            for (int e = 0; e < motion->count; ++e)
                D[d][e] += share * along[e];
            for (int c = 0; c < WIDTH; ++c)
            {
                B[0][d][c] += share * parent[c];
                B[1][d][c] += share * parent[c];
            }
        }
    }
    return true;
}

/* D^-1; false: it has none. */
static bool invert(int count, double D[MOST][WIDTH], double inverse[MOST][WIDTH])
{
    int order[MOST];
    if (count == 1)
        inverse[0][0] = 1.0 / D[0][0];
    if (count <= 1)
        return count == 0 || D[0][0] > 0.0;
    if (!crn_lu_factorise(count, D[0], WIDTH, order, 0.0))
        return false;
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j)
            inverse[i][j] = order[i] == j;
    crn_lu_solve(count, D[0], WIDTH, inverse[0], WIDTH, count);
    return true;
}

/* T_r and T_l. */
INLINE void pass_motion(crn_motion *motion, int n, double T[MOST][WIDTH], double B[2][MOST][WIDTH])
{
    double y[2][MOST][WIDTH] = {{{0.0}}};
    for (int d = 0; d < motion->count; ++d)
    {
        double transposed[MOST];
        for (int e = 0; e < motion->count; ++e)
            transposed[e] = motion->inverse[e][d];
        add_times(motion->count, motion->inverse[d], B[0], y[0][d]);
        add_times(motion->count, transposed, B[1], y[1][d]);
    }
    for (int i = 0; i < n; ++i)
    {
        double N[MOST];
        for (int d = 0; d < motion->count; ++d)
            N[d] = -motion->free[d][i];
        memcpy(motion->right[i], T[i], sizeof T[i]);
        memcpy(motion->left[i], T[i], sizeof T[i]);
        add_times(motion->count, N, y[0], motion->right[i]);
        add_times(motion->count, N, y[1], motion->left[i]);
    }
}

INLINE bool find_motion(const crn_forest *forest, const cairn_problem *problem, int k, int n, crn_motion *motion)
{
    const crn_limb *limb = &forest->limb[k];
    rigid rows;
    double T[MOST][WIDTH], D[MOST][WIDTH], B[2][MOST][WIDTH];
    load_rigid(limb, problem, &rows);
    if (!resolve(&rows, n))
        return false;
    find_motions(&rows, n, motion, T);
    press(motion, n, forest->inertia + k * MOST * MOST, T, D, B);
    bool soft = rows.count < limb->m;
    if ((soft && !press_rows(limb, problem, motion, T, D, B)) || !invert(motion->count, D, motion->inverse))
        return false;
    if (limb->q > 0)
        pass_motion(motion, n, T, B);
    return true;
}

/* ----------------------------------------------------------------------------------------------------------- all limbs */

/* out = x' M, of `rows` numbers and rows, in all columns. */
INLINE void combine(int rows, const double *x, const double *M, size_t stride, double *restrict out)
{
    for (size_t c = 0; c < stride; c += LANES)
    {
        lanes sum = x[0] * *(const loose_lanes *)(M + c);
        UNROLL
        for (int i = 1; i < rows; ++i)
            sum += x[i] * *(const loose_lanes *)(M + (size_t)i * stride + c);
        *(loose_lanes *)(out + c) = sum;
    }
}

/* right and left of the body of limb k. */
INLINE void move_body(const crn_forest *forest, int k, int n, int q, size_t stride)
{
    const crn_motion *motion = &forest->motion[k];
    const crn_limb *limb = &forest->limb[k];
    double *right = forest->moves + (size_t)(2 * MOST * k) * stride, *left = right + (size_t)MOST * stride;
    const double *above = forest->moves + (size_t)(2 * MOST * limb->parent) * stride;
    for (int i = 0; i < n; ++i, right += stride, left += stride)
    {
        if (limb->parent < 0)
        {
            memset(right, 0, stride * sizeof(double));
            memset(left, 0, stride * sizeof(double));
        }
        else
        {
            combine(q, motion->right[i], above, stride, right);
            combine(q, motion->left[i], above + (size_t)MOST * stride, stride, left);
        }
        for (int d = 0; d < motion->count; ++d)
        {
            left[motion->first + d] = motion->free[d][i];
            for (int e = 0; e < motion->count; ++e)
                right[motion->first + e] += motion->free[d][i] * motion->inverse[d][e];
        }
    }
}

/* The rows of an item at one body. Rows at a second body are added to those at the first. */
INLINE void enter(int dim, int n, const double *H, const double *moves, size_t stride, bool second, double *out)
{
    double sum[3 * CRN_FOREST_CONTACTS + LANES];
    for (int l = 0; l < dim; ++l, out += stride)
    {
        combine(n, H + l * n, moves, stride, second ? sum : out);
        for (size_t c = 0; c < stride && second; c += LANES)
            *(loose_lanes *)(out + c) += *(const loose_lanes *)(sum + c);
    }
}

INLINE void enter_item(const crn_forest *forest, const cairn_problem *problem, int j, size_t stride, double *right,
                       double *left)
{
    const cairn_block_rows *H = &problem->H;
    int dim = problem->dim;
    assert(H->entry_start[j] < H->entry_start[j + 1]);
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
    {
        int k = forest->limb_of[H->block[e]], n = forest->limb[k].n;
        const double *value = H->value + H->value_start[e];
        const double *moves = forest->moves + (size_t)(2 * MOST * k) * stride, *other = moves + (size_t)MOST * stride;
        bool second = e > H->entry_start[j];
        if (n == 6)
        {
            enter(dim, 6, value, moves, stride, second, right);
            enter(dim, 6, value, other, stride, second, left);
        }
        else
        {
            enter(dim, n, value, moves, stride, second, right);
            enter(dim, n, value, other, stride, second, left);
        }
    }
}

INLINE bool spread(const crn_forest *forest, const cairn_problem *problem, size_t stride, double *right, double *left)
{
    int first = 0;
    for (int k = forest->limb_count - 1; k >= 0; --k)
    {
        const crn_limb *limb = &forest->limb[k];
        bool spatial = limb->n == 6 && (limb->q == 6 || limb->q == 0);
        if (!limb->contacts)
            continue;
        if (!(spatial ? find_motion(forest, problem, k, 6, &forest->motion[k])
                      : find_motion(forest, problem, k, limb->n, &forest->motion[k])))
            return false;
        forest->motion[k].first = first;
        first += forest->motion[k].count;
        if (spatial)
            move_body(forest, k, 6, 6, stride);
        else
            move_body(forest, k, limb->n, limb->q, stride);
    }
    assert((size_t)first <= stride);
    for (int j = 0; j < problem->contact_count; ++j)
    {
        size_t at = (size_t)(j * problem->dim) * stride;
        enter_item(forest, problem, j, stride, right + at, left + at);
    }
    return true;
}

static bool plain_spread(const crn_forest *forest, const cairn_problem *problem, size_t stride, double *right,
                         double *left)
{
    return spread(forest, problem, stride, right, left);
}

WIDE static bool wide_spread(const crn_forest *forest, const cairn_problem *problem, size_t stride, double *right,
                             double *left)
{
    return spread(forest, problem, stride, right, left);
}

cairn_status crn_forest_spread(crn_forest *forest, const cairn_problem *problem, size_t stride, double *right,
                               double *left, bool *regular)
{
    assert(forest->fits && forest->has_lower && problem->contact_count <= CRN_FOREST_CONTACTS);
    CRN_TRY(crn_reserve_all(&forest->memory, CRN_ARRAY(forest->motion, forest->limb_count),
                            CRN_ARRAY(forest->moves, (size_t)(2 * MOST * forest->limb_count) * stride)));
    *regular = HAS_WIDE ? wide_spread(forest, problem, stride, right, left)
                        : plain_spread(forest, problem, stride, right, left);
    return CAIRN_OK;
}
