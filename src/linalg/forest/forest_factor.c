/* Factorisation and solution, limb by limb (forest.h). The loops over the rows of a limb are written for any sizes and inlined for those
 * of hinges and balls between bodies in space, where they have constant lengths. Rows are padded to whole vectors: what is computed
 * in the padding, and in columns that have been eliminated, is never read.
 */
#include "linalg/forest/forest.h"
#include "linalg/forest/hinge_limb.h"
#include "linalg/saddle_lanes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Before loops of constant length over the rows of a limb. */
#if defined(__clang__)
#define WRITE_OUT _Pragma("clang loop unroll(full)")
#else
#define WRITE_OUT _Pragma("GCC unroll 16")
#endif

/* A pivot of a joint below this share of its value before the joint's other rows were eliminated: its row depends on those. */
static const double DEPENDENT = 1e-11;

/* The rows of one limb, and where their columns are. */
typedef struct front
{
    double *F;       /* n + m + q rows of `stride` numbers: n | m | right-hand side | q */
    double *L;       /* n + m columns of `height` numbers */
    double *inverse; /* n + m */
    size_t stride, height;
} front;

static front front_of(const crn_forest *forest, const crn_limb *limb)
{
    int rows = limb->n + limb->m + limb->q;
    return (front){forest->values + limb->values, forest->lower + limb->lower, forest->inverse + limb->row,
                   crn_forest_padded(rows + 1), crn_forest_padded(rows)};
}

/* --------------------------------------------------------------------------------------------------------- the values */

/* What a child that was eliminated by its motion adds. */
INLINE void add_gain(const hinge_limb *from, int right, front *to)
{
    for (int i = 0; i < 6; ++i)
    {
        double *out = to->F + (size_t)i * to->stride;
        out[right] += from->gain[i][HINGE_LOAD];
        UNROLL
        for (int j = 0; j < 6; ++j)
            out[j] += from->gain[i][j];
    }
}

/* What the children of a limb add to A and to the right-hand side of its body. */
INLINE void add_children(const crn_forest *forest, const crn_limb *limb, int n, int right, front *to)
{
    for (int k = limb->child; k >= 0; k = forest->limb[k].sibling)
    {
        const crn_limb *child = &forest->limb[k];
        front from = front_of(forest, child);
        int tied = child->n + child->m;
        assert(child->q == n);
        if (child->by_motion)
            add_gain(hinge_of(forest, child), right, to);
        for (int i = 0; i < n && !child->by_motion; ++i)
        {
            const double *row = from.F + (size_t)(tied + i) * from.stride + tied;
            double *out = to->F + (size_t)i * to->stride;
            out[right] += row[0];
            UNROLL
            for (int j = 0; j < n; ++j)
                out[j] += row[1 + j];
        }
    }
}

/* Zeros from column `from` of a row, rounded down to a whole vector. */
INLINE void clear(double *row, int from, size_t stride)
{
    for (size_t j = (size_t)from & ~(size_t)(LANES - 1); j < stride; j += LANES)
        *(loose_lanes *)(row + j) = (lanes){0.0};
}

INLINE void load(const crn_forest *forest, const crn_limb *limb, const cairn_problem *problem, int n, int m, int q,
                 front *to)
{
    const cairn_block_rows *G = &problem->G;
    const double *A = problem->A.value + problem->A.value_start[problem->A.row_start[limb->body]];
    const double *p = problem->p + problem->block_start[limb->body];
    const double *own = m > 0 ? G->value + G->value_start[limb->own_entry] : NULL;
    const double *other = q > 0 ? G->value + G->value_start[limb->other_entry] : NULL;
    size_t stride = to->stride;
    int first = m > 0 ? G->row_start[limb->joint] : 0;
    double *body = to->F, *joint = to->F + (size_t)n * stride, *parent = joint + (size_t)m * stride;
    for (int i = 0; i < n; ++i, body += stride)
    {
        clear(body, n, stride);
        UNROLL
        for (int j = 0; j < n; ++j)
            body[j] = A[i * n + j];
        UNROLL
        for (int j = 0; j < m; ++j)
            body[n + j] = -own[j * n + i];
        body[n + m] = p[i];
    }
    for (int j = 0; j < m; ++j, joint += stride)
    {
        clear(joint, n, stride);
        UNROLL
        for (int i = 0; i < n; ++i)
            joint[i] = own[j * n + i];
        joint[n + j] = problem->R_c[first + j];
        joint[n + m] = problem->b[first + j];
        UNROLL
        for (int i = 0; i < q; ++i)
            joint[n + m + 1 + i] = other[j * q + i];
    }
    for (int i = 0; i < q; ++i, parent += stride)
    {
        clear(parent, n, stride);
        UNROLL
        for (int j = 0; j < m; ++j)
            parent[n + j] = -other[j * q + i];
    }
    add_children(forest, limb, n, n + m, to);
}

INLINE void keep_inertia(const crn_forest *forest, const crn_limb *limb, int n, const front *from)
{
    double(*to)[CRN_FOREST_WIDTH] = forest->inertia + (limb - forest->limb) * CRN_FOREST_ROWS;
    for (int i = 0; i < n; ++i)
    {
        UNROLL
        for (int j = 0; j < CRN_FOREST_WIDTH; ++j)
            to[i][j] = j < n ? from->F[(size_t)i * from->stride + (size_t)j] : 0.0;
    }
}

/* ---------------------------------------------------------------------------------------------------- the elimination */

/* Eliminate column k from the rows k + 1 .. end - 1, in the columns up to `width`. keep: store the column of L. */
INLINE void eliminate(int k, int end, int width, front *f, double inverse, bool keep)
{
    const double *pivot = f->F + (size_t)k * f->stride;
    f->inverse[k] = inverse;
    for (int i = k + 1; i < end; ++i)
    {
        double *row = f->F + (size_t)i * f->stride;
        double l = row[k] * inverse;
        if (keep)
            f->L[(size_t)k * f->height + (size_t)i] = l;
        UNROLL
        for (int j = (k + 1) & ~(LANES - 1); j < width; j += LANES)
            *(loose_lanes *)(row + j) -= l * *(const loose_lanes *)(pivot + j);
    }
}

/* False: a pivot is not positive, or a row of the joint depends on others. */
INLINE bool reduce(int n, int m, int q, front *f, bool keep)
{
    double before[CRN_FOREST_JOINT];
    for (int k = 0; k < n; ++k)
    {
        double pivot = f->F[(size_t)k * (f->stride + 1)];
        if (!(pivot > 0.0))
            return false;
        eliminate(k, n + m, n + m + 1, f, 1.0 / pivot, keep);
    }
    for (int k = 0; k < m; ++k)
        before[k] = f->F[(size_t)(n + k) * (f->stride + 1)];
    for (int k = n; k < n + m; ++k)
    {
        double pivot = f->F[(size_t)k * (f->stride + 1)];
        if (!(pivot > DEPENDENT * before[k - n]))
            return false;
        eliminate(k, n + m + q, n + m + 1 + q, f, 1.0 / pivot, keep);
    }
    return true;
}

/* As eliminate, where k, end and width are constants: the row of the pivot stays in registers. */
INLINE void eliminate_written(int k, int end, int width, front *f, double inverse, bool keep)
{
    enum
    {
        MOST = 5 /* vectors of a row */
    };
    lanes pivot[MOST];
    int first = (k + 1) / LANES, past = (width + LANES - 1) / LANES;
    assert(past <= MOST);
    UNROLL
    for (int j = first; j < past; ++j)
        pivot[j] = *(const loose_lanes *)(f->F + (size_t)k * f->stride + (size_t)(j * LANES));
    f->inverse[k] = inverse;
    for (int i = k + 1; i < end; ++i)
    {
        double *row = f->F + (size_t)i * f->stride;
        double l = row[k] * inverse;
        if (keep)
            f->L[(size_t)k * f->height + (size_t)i] = l;
        UNROLL
        for (int j = first; j < past; ++j)
            *(loose_lanes *)(row + j * LANES) -= l * pivot[j];
    }
}

/* The same for a body with a hinge, with the columns written out. */
INLINE bool reduce_hinge(front *f, bool keep)
{
    double before[5];
    WRITE_OUT
    for (int k = 0; k < 6; ++k)
    {
        double pivot = f->F[(size_t)k * (f->stride + 1)];
        if (!(pivot > 0.0))
            return false;
        eliminate_written(k, 11, 12, f, 1.0 / pivot, keep);
    }
    for (int k = 0; k < 5; ++k)
        before[k] = f->F[(size_t)(6 + k) * (f->stride + 1)];
    WRITE_OUT
    for (int k = 6; k < 11; ++k)
    {
        double pivot = f->F[(size_t)k * (f->stride + 1)];
        if (!(pivot > DEPENDENT * before[k - 6]))
            return false;
        eliminate_written(k, 17, 18, f, 1.0 / pivot, keep);
    }
    return true;
}

INLINE bool take_limb(const crn_forest *forest, const crn_limb *limb, const cairn_problem *problem, int n, int m, int q,
                      bool keep)
{
    front f = front_of(forest, limb);
    f.stride = crn_forest_padded(n + m + q + 1);
    f.height = crn_forest_padded(n + m + q);
    load(forest, limb, problem, n, m, q, &f);
    if (keep)
        keep_inertia(forest, limb, n, &f);
    bool hinged = n == 6 && m == 5 && q == 6;
    if (hinged ? !reduce_hinge(&f, keep) : !reduce(n, m, q, &f, keep))
        return false;
    for (int i = 0; i < n + m; ++i)
        forest->y[limb->row + i] = f.F[(size_t)i * f.stride + (size_t)(n + m)];
    return true;
}

/* Row i of what a child adds to A and to the load of its parent. */
INLINE hinge_row gain_of(const crn_forest *forest, const crn_limb *child, int i)
{
    if (child->by_motion)
        return hinge_load(hinge_of(forest, child)->gain[i]);
    front from = front_of(forest, child);
    int tied = child->n + child->m;
    const double *row = from.F + (size_t)tied * (from.stride + 1) + (size_t)i * from.stride;
    return (hinge_row){row[1], row[2], row[3], row[4], row[5], row[6], row[0]};
}

/* A row of A with its load. */
INLINE hinge_row body_row(const double *A, double load)
{
    const lanes first = *(const loose_lanes *)A, last = {A[4], A[5], load, 0.0};
    return __builtin_shufflevector(first, last, 0, 1, 2, 3, 4, 5, 6, 7);
}

INLINE void load_hinge(const crn_forest *forest, const crn_limb *limb, const cairn_problem *problem, hinge_limb *to)
{
    const double *A = problem->A.value + problem->A.value_start[problem->A.row_start[limb->body]];
    const double *p = problem->p + problem->block_start[limb->body];
    hinge_row row[6];
    UNROLL
    for (int i = 0; i < 6; ++i)
        row[i] = body_row(A + 6 * i, p[i]);
    for (int k = limb->child; k >= 0; k = forest->limb[k].sibling)
    {
        UNROLL
        for (int i = 0; i < 6; ++i)
            row[i] += gain_of(forest, &forest->limb[k], i);
    }
    UNROLL
    for (int i = 0; i < 6; ++i)
        hinge_store(row[i], to->A[i]);
}

/* The rows of the joint at the parent, or at the world. */
INLINE const double *other_rows(const crn_limb *limb, const cairn_problem *problem, const double *own)
{
    return limb->q > 0 ? problem->G.value + problem->G.value_start[limb->other_entry] : hinge_world(own);
}

INLINE bool take_hinge(const crn_forest *forest, const crn_limb *limb, const cairn_problem *problem)
{
    const cairn_block_rows *G = &problem->G;
    const double *own = G->value + G->value_start[limb->own_entry], *other = other_rows(limb, problem, own);
    hinge_limb *to = hinge_of(forest, limb);
    load_hinge(forest, limb, problem, to);
    return hinge_find_motion(own, other, problem->b + G->row_start[limb->joint], DEPENDENT, to) && hinge_eliminate(to);
}

INLINE bool fits_hinge(const crn_limb *limb, const cairn_problem *problem)
{
    const cairn_block_rows *G = &problem->G;
    const double *own = G->value + G->value_start[limb->own_entry];
    return hinge_limb_fits(own, other_rows(limb, problem, own), problem->R_c + G->row_start[limb->joint]);
}

INLINE bool factorise(const crn_forest *forest, const cairn_problem *problem)
{
    bool regular = true;
    for (int k = 0; k < forest->limb_count && regular; ++k)
    {
        crn_limb *limb = &forest->limb[k];
        bool hinged = limb->n == 6 && limb->m == 5 && limb->q == 6;
        bool tied = limb->n == 6 && limb->m == 5 && limb->q == 0; /* to the world */
        limb->by_motion =
            ((hinged && forest->kept != CRN_KEPT_FACTORS) || (tied && !forest->kept)) && fits_hinge(limb, problem);
        if (limb->by_motion)
            regular = take_hinge(forest, limb, problem);
        else if (hinged && forest->kept)
            regular = take_limb(forest, limb, problem, 6, 5, 6, true);
        else if (hinged)
            regular = take_limb(forest, limb, problem, 6, 5, 6, false);
        else if (limb->n == 6 && limb->m == 0 && limb->q == 0)
            regular = take_limb(forest, limb, problem, 6, 0, 0, true);
        else if (limb->n == 6 && limb->m == 3 && limb->q == 6)
            regular = take_limb(forest, limb, problem, 6, 3, 6, true);
        else if (limb->n == 6 && limb->m == 6 && limb->q == 6)
            regular = take_limb(forest, limb, problem, 6, 6, 6, true);
        else
            regular = take_limb(forest, limb, problem, limb->n, limb->m, limb->q, true);
    }
    return regular;
}

/* ------------------------------------------------------------------------------------------------------ the solution */

/* x -> U^-1 x with the rows of U `stride` apart, for any sizes. */
static void substitute(int rows, const double *U, size_t stride, const double *inverse, double *x)
{
    for (int k = rows - 1; k >= 0; --k)
    {
        x[k] *= inverse[k];
        for (int i = 0; i < k; ++i)
            x[i] -= U[(size_t)i * stride + (size_t)k] * x[k];
    }
}

/* The same for a body with a hinge, written out. */
INLINE void substitute_hinge(const double *U, size_t stride, const double *inverse, double *at)
{
    double x[11];
    memcpy(x, at, sizeof x);
    WRITE_OUT
    for (int k = 10; k >= 0; --k)
    {
        x[k] *= inverse[k];
        WRITE_OUT
        for (int i = 0; i < k; ++i)
            x[i] -= U[(size_t)i * stride + (size_t)k] * x[k];
    }
    memcpy(at, x, sizeof x);
}

/* y -> U^-1 y of one limb; v and c of its body and joint, v of its parent is known. */
INLINE void return_limb(const crn_forest *forest, const crn_limb *limb, const cairn_problem *problem, int n, int m,
                        int q, double *v, double *c)
{
    size_t stride = crn_forest_padded(n + m + q + 1);
    const double *F = forest->values + limb->values;
    const double *parent = q > 0 ? v + problem->block_start[forest->limb[limb->parent].body] : NULL;
    double x[CRN_FOREST_ROWS + CRN_FOREST_JOINT];
    memcpy(x, forest->y + limb->row, (size_t)(n + m) * sizeof(double));
    for (int i = n; i < n + m; ++i)
    {
        double sum = 0.0;
        UNROLL
        for (int j = 0; j < q; ++j)
            sum += F[(size_t)i * stride + (size_t)(n + m + 1 + j)] * parent[j];
        x[i] -= sum;
    }
    if (n == 6 && m == 5 && q == 6)
        substitute_hinge(F, crn_forest_padded(18), forest->inverse + limb->row, x);
    else
        substitute(n + m, F, stride, forest->inverse + limb->row, x);
    memcpy(v + problem->block_start[limb->body], x, (size_t)n * sizeof(double));
    if (m > 0)
        memcpy(c + problem->G.row_start[limb->joint], x + n, (size_t)m * sizeof(double));
}

INLINE void return_hinge(const crn_forest *forest, const crn_limb *limb, const cairn_problem *problem, double *v,
                         double *c)
{
    static const double STILL[6];
    const cairn_block_rows *G = &problem->G;
    const double *parent = limb->q > 0 ? v + problem->block_start[forest->limb[limb->parent].body] : STILL;
    hinge_return(hinge_of(forest, limb), G->value + G->value_start[limb->own_entry], parent,
                 v + problem->block_start[limb->body], c + G->row_start[limb->joint]);
}

INLINE void go_back(const crn_forest *forest, const cairn_problem *problem, double *v, double *c)
{
    for (int k = forest->limb_count - 1; k >= 0; --k)
    {
        const crn_limb *limb = &forest->limb[k];
        if (limb->by_motion)
            return_hinge(forest, limb, problem, v, c);
        else if (limb->n == 6 && limb->m == 5 && limb->q == 6)
            return_limb(forest, limb, problem, 6, 5, 6, v, c);
        else if (limb->n == 6 && limb->m == 0 && limb->q == 0)
            return_limb(forest, limb, problem, 6, 0, 0, v, c);
        else
            return_limb(forest, limb, problem, limb->n, limb->m, limb->q, v, c);
    }
}

static bool plain_factorise(const crn_forest *forest, const cairn_problem *problem, double *v, double *c)
{
    bool regular = factorise(forest, problem);
    if (regular)
        go_back(forest, problem, v, c);
    return regular;
}

WIDE static bool wide_factorise(const crn_forest *forest, const cairn_problem *problem, double *v, double *c)
{
    bool regular = factorise(forest, problem);
    if (regular)
        go_back(forest, problem, v, c);
    return regular;
}

WIDER static bool wider_factorise(const crn_forest *forest, const cairn_problem *problem, double *v, double *c)
{
    bool regular = factorise(forest, problem);
    if (regular)
        go_back(forest, problem, v, c);
    return regular;
}

bool crn_forest_factorise(crn_forest *forest, const cairn_problem *problem, crn_forest_kept keep, double *v, double *c)
{
    assert(forest->fits && forest->limb_count == problem->block_count);
    forest->kept = keep;
    bool regular = HAS_WIDER  ? wider_factorise(forest, problem, v, c)
                   : HAS_WIDE ? wide_factorise(forest, problem, v, c)
                              : plain_factorise(forest, problem, v, c);
    forest->kept = regular ? keep : CRN_KEPT_NOTHING;
    return regular;
}

/* y = L^-1 (v, c) of one limb. It takes from its parent's part of v what belongs to it there. */
INLINE void raise_limb(const crn_forest *forest, const crn_limb *limb, const cairn_problem *problem, int n, int m,
                       int q, double *v, const double *c)
{
    size_t height = crn_forest_padded(n + m + q);
    const double *L = forest->lower + limb->lower;
    double *parent = q > 0 ? v + problem->block_start[forest->limb[limb->parent].body] : NULL;
    double y[CRN_FOREST_ROWS + CRN_FOREST_JOINT];
    memcpy(y, v + problem->block_start[limb->body], (size_t)n * sizeof(double));
    if (m > 0)
        memcpy(y + n, c + problem->G.row_start[limb->joint], (size_t)m * sizeof(double));
    for (int i = 0; i < n + m; ++i, L += height)
    {
        for (int j = i + 1; j < n + m; ++j)
            y[j] -= L[j] * y[i];
        for (int j = 0; j < q && i >= n; ++j)
            parent[j] -= L[n + m + j] * y[i];
    }
    memcpy(forest->y + limb->row, y, (size_t)(n + m) * sizeof(double));
}

/* The same of a hinge by its motion. */
INLINE void raise_hinge(const crn_forest *forest, const crn_limb *limb, const cairn_problem *problem, double *v,
                        const double *c)
{
    const cairn_block_rows *G = &problem->G;
    double gain[6], *parent = v + problem->block_start[forest->limb[limb->parent].body];
    hinge_raise(hinge_of(forest, limb), G->value + G->value_start[limb->own_entry],
                v + problem->block_start[limb->body], c + G->row_start[limb->joint], gain);
    UNROLL
    for (int j = 0; j < 6; ++j)
        parent[j] += gain[j];
}

INLINE void go_up(const crn_forest *forest, const cairn_problem *problem, double *v, const double *c)
{
    for (int k = 0; k < forest->limb_count; ++k)
    {
        const crn_limb *limb = &forest->limb[k];
        if (limb->by_motion)
            raise_hinge(forest, limb, problem, v, c);
        else if (limb->n == 6 && limb->m == 5 && limb->q == 6)
            raise_limb(forest, limb, problem, 6, 5, 6, v, c);
        else
            raise_limb(forest, limb, problem, limb->n, limb->m, limb->q, v, c);
    }
}

static void plain_solve(const crn_forest *forest, const cairn_problem *problem, double *v, double *c)
{
    go_up(forest, problem, v, c);
    go_back(forest, problem, v, c);
}

WIDE static void wide_solve(const crn_forest *forest, const cairn_problem *problem, double *v, double *c)
{
    go_up(forest, problem, v, c);
    go_back(forest, problem, v, c);
}

void crn_forest_solve(crn_forest *forest, const cairn_problem *problem, double *v, double *c)
{
    assert(forest->fits && forest->limb_count == problem->block_count);
    assert(forest->kept);
    if (HAS_WIDE)
        wide_solve(forest, problem, v, c);
    else
        plain_solve(forest, problem, v, c);
}
