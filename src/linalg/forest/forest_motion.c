/* The motions that a joint leaves its body. The rigid rows of a limb, G_c v_c + G_p v_p = 0, give
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
 * forest_spread.c goes on from there.
 */
#include "linalg/forest/forest.h"
#include "linalg/lu.h"
#include "math/lanes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A pivot below this share of its row before others were eliminated: it would leave too few digits. */
static const double DEPENDENT = 1e-6;
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

/* The column of the body in which a row has its largest entry. */
INLINE int find_pivot(const double *row, int n)
{
    double most = fabs(row[0]);
    int at = 0;
    UNROLL
    for (int j = 1; j < n; ++j)
    {
        double value = fabs(row[j]);
        at = value > most ? j : at;
        most = value > most ? value : most;
    }
    return at;
}

/* Gauss and Jordan: afterwards row k reads v_c[pivot] + (free entries) + (parent) = 0. False: a row depends on others, or nearly. */
INLINE bool resolve(rigid *rows, int n)
{
    double before[MOST];
    for (int k = 0; k < rows->count; ++k)
        before[k] = fabs(rows->row[k][find_pivot(rows->row[k], n)]);
    for (int k = 0; k < rows->count; ++k)
    {
        double *pivot = rows->row[k];
        int column = rows->pivot[k] = find_pivot(pivot, n);
        if (!(fabs(pivot[column]) > DEPENDENT * before[k]))
            return false;
        double inverse = 1.0 / pivot[column];
        for (int j = 0; j < 2 * WIDTH; j += LANES)
            *(loose_lanes *)(pivot + j) *= inverse;
        for (int i = 0; i < rows->count; ++i)
        {
            double f = rows->row[i][column];
            if (i == k || f == 0.0)
                continue;
            UNROLL
            for (int j = 0; j < 2 * WIDTH; j += LANES)
                *(loose_lanes *)(rows->row[i] + j) -= f * *(const loose_lanes *)(pivot + j);
            rows->row[i][column] = 0.0;
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

/* Both with zeros up to WIDTH. */
INLINE double dot(const double *x, const double *y)
{
    return lanes_sum(*(const loose_lanes *)x * *(const loose_lanes *)y +
                     *(const loose_lanes *)(x + LANES) * *(const loose_lanes *)(y + LANES));
}

/* D and B of A and of A', without rows that give way. */
INLINE void press(const crn_motion *motion, int n, double (*A)[WIDTH], double T[MOST][WIDTH], double D[MOST][WIDTH],
                  double B[2][MOST][WIDTH])
{
    for (int d = 0; d < motion->count; ++d)
    {
        const double *N = motion->free[d];
        double NA[WIDTH] = {0.0}, AN[WIDTH] = {0.0};
        add_times(n, N, A, NA);
        for (int i = 0; i < n; ++i)
            AN[i] = dot(A[i], N);
        memset(B[0][d], 0, sizeof B[0][d]);
        memset(B[1][d], 0, sizeof B[1][d]);
        add_times(n, NA, T, B[0][d]);
        add_times(n, AN, T, B[1][d]);
        for (int e = 0; e < motion->count; ++e)
            D[d][e] = dot(NA, motion->free[e]);
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
        double yield = problem->R_c[G->row_start[limb->joint] + j], along[MOST] = {0.0};
        double own[WIDTH] = {0.0}, parent[WIDTH] = {0.0};
        memcpy(own, G->value + G->value_start[limb->own_entry] + j * limb->n, (size_t)limb->n * sizeof(double));
        if (limb->q > 0)
            memcpy(parent, G->value + G->value_start[limb->other_entry] + j * limb->q,
                   (size_t)limb->q * sizeof(double));
        add_times(limb->n, own, T, parent);
        for (int d = 0; d < motion->count; ++d)
            along[d] = dot(own, motion->free[d]);
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
    assert(count >= 0 && count <= MOST);
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
    assert(motion->count >= 0 && motion->count <= n);
    memcpy(motion->right, T, sizeof(double[MOST][WIDTH]));
    memcpy(motion->left, T, sizeof(double[MOST][WIDTH]));
    for (int d = 0; d < motion->count; ++d)
    {
        double right[WIDTH] = {0.0}, left[WIDTH] = {0.0};
        for (int e = 0; e < motion->count; ++e)
        {
            add_times(1, &motion->inverse[d][e], &B[0][e], right);
            add_times(1, &motion->inverse[e][d], &B[1][e], left);
        }
        for (int i = 0; i < n; ++i)
        {
            double N = -motion->free[d][i];
            add_times(1, &N, &right, motion->right[i]);
            add_times(1, &N, &left, motion->left[i]);
        }
    }
}

/* The motions of a body without a joint: all, and D = A. */
INLINE bool find_free_motion(int n, double (*A)[WIDTH], crn_motion *motion)
{
    double D[MOST][WIDTH];
    motion->count = n;
    memset(motion->free, 0, sizeof motion->free);
    for (int i = 0; i < n; ++i)
        motion->free[i][i] = 1.0;
    memcpy(D, A, (size_t)n * sizeof D[0]);
    return invert(n, D, motion->inverse);
}

INLINE bool find_motion(const crn_forest *forest, const cairn_problem *problem, int k, int n, crn_motion *motion)
{
    const crn_limb *limb = &forest->limb[k];
    if (limb->m == 0 && limb->q == 0)
        return find_free_motion(n, forest->inertia + k * MOST, motion);
    rigid rows;
    double T[MOST][WIDTH], D[MOST][WIDTH], B[2][MOST][WIDTH];
    load_rigid(limb, problem, &rows);
    if (!resolve(&rows, n))
        return false;
    find_motions(&rows, n, motion, T);
    press(motion, n, forest->inertia + k * MOST, T, D, B);
    bool soft = rows.count < limb->m;
    if ((soft && !press_rows(limb, problem, motion, T, D, B)) || !invert(motion->count, D, motion->inverse))
        return false;
    if (limb->q > 0)
        pass_motion(motion, n, T, B);
    return true;
}

static bool plain_find(const crn_forest *forest, const cairn_problem *problem, int k)
{
    return find_motion(forest, problem, k, forest->limb[k].n, &forest->motion[forest->limb[k].motion]);
}

/* For bodies in space. */
WIDE static bool wide_find(const crn_forest *forest, const cairn_problem *problem, int k)
{
    return find_motion(forest, problem, k, 6, &forest->motion[forest->limb[k].motion]);
}

bool crn_forest_find_motion(const crn_forest *forest, const cairn_problem *problem, int k)
{
    assert(k >= 0 && k < forest->limb_count && forest->kept && !forest->limb[k].by_motion);
    return HAS_WIDE && forest->limb[k].n == 6 ? wide_find(forest, problem, k) : plain_find(forest, problem, k);
}
