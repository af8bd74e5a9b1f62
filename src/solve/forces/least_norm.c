#include "solve/forces/least_norm.h"

#include "linalg/definite.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    MOST_STEPS = 80,
    MOST_REFINEMENTS = 30,
    MOST_HALVINGS = 40,
    MOST_CORRECTIONS = 3
};
static const double ACCEPTABLE = 1e-10;     /* of |f|: the gradient at which only refinement remains */
static const double SHARE_OF_MISSED = 1e-3; /* of what the solution at hand misses, which others may miss besides */
static const double REGULAR = 1e-13;        /* of the largest diagonal entry, added to the Hessian */
static const double DESCENT = 1e-4;
static const double DOUBTFUL = 1e-4; /* pivots that may belong to a free motion */
static const double UNEVEN = 1e2;    /* of the smallest cost: above this ranks are judged without weights */
static const double FLAT = 1e-13;    /* of the dual: gains below this are lost in its rounding */

bool crn_least_norm_open(crn_least_norm *work)
{
    return crn_balance_open(&work->balance);
}

void crn_least_norm_close(crn_least_norm *work)
{
    crn_balance_close(&work->balance);
    crn_arena_release(&work->memory);
    memset(work, 0, sizeof *work);
}

static double find_gradient(crn_least_norm *work, int m);

static double size_of(int m, const double *x)
{
    return sqrt(crn_dot(m, x, x));
}

/* Make room for `rows` equations, and find D^-1/2. */
static cairn_status prepare(crn_least_norm *work, const crn_active *active, int rows)
{
    size_t m = (size_t)active->count, n = (size_t)rows;
    CRN_TRY(crn_reserve_all(&work->memory, CRN_ARRAY(work->x, m), CRN_ARRAY(work->slope, m), CRN_ARRAY(work->f, n),
                            CRN_ARRAY(work->pi, n), CRN_ARRAY(work->y, m), CRN_ARRAY(work->z, m),
                            CRN_ARRAY(work->step, n), CRN_ARRAY(work->trial, n), CRN_ARRAY(work->scale, m),
                            CRN_ARRAY(work->gradient, n), CRN_ARRAY(work->derivative, 9 * active->piece_count)));
    work->rows = rows;
    work->acceptable = ACCEPTABLE;
    memset(work->slope, 0, m * sizeof(double));
    for (int k = 0; k < active->piece_count; ++k)
    {
        const crn_piece *piece = &active->piece[k];
        assert(piece->cost > 0.0);
        for (int a = piece->first; a < piece->first + piece->count; ++a)
            work->scale[a] = 1.0 / sqrt(piece->cost);
    }
    return CAIRN_OK;
}

cairn_status crn_least_norm_begin(crn_least_norm *work, const crn_active *active, bool keep)
{
    bool kept = keep && !active->symmetric;
    const double *E = kept ? active->P : active->E;
    const double *e = kept ? active->f : active->e;
    size_t m = (size_t)active->count;
    work->sparse = false;
    CRN_TRY(prepare(work, active, active->count));
    CRN_TRY(crn_reserve_all(&work->memory, CRN_ARRAY(work->B, m * m), CRN_ARRAY(work->hessian, m * m),
                            CRN_ARRAY(work->factor, m * m)));
    for (size_t a = 0; a < m; ++a)
    {
        double *row = work->B + a * m;
        for (size_t b = 0; b < m; ++b)
            row[b] = E[a * m + b] * work->scale[b];
        double size = size_of((int)m, row);
        double factor = size > 0.0 ? 1.0 / size : 1.0;
        for (size_t b = 0; b < m; ++b)
            row[b] *= factor;
        work->f[a] = e[a] * factor;
    }
    return CAIRN_OK;
}

bool crn_least_norm_aim(crn_least_norm *work, const crn_active *active, const double *x0)
{
    assert(!work->sparse);
    int m = active->count;
    for (int a = 0; a < m; ++a)
        work->z[a] = x0[a] / work->scale[a];
    double missed = find_gradient(work, m) / size_of(m, work->f);
    if (!(missed > ACCEPTABLE))
        return false;
    work->acceptable = fmax(ACCEPTABLE, SHARE_OF_MISSED * missed);
    for (int a = 0; a < m; ++a)
        work->f[a] += work->gradient[a];
    return true;
}

cairn_status crn_least_norm_begin_sparse(crn_least_norm *work, const crn_active *active, const cairn_problem *problem,
                                         const double *x0)
{
    work->sparse = true;
    work->factorised = false;
    CRN_TRY(prepare(work, active, problem->n));
    CRN_TRY(crn_balance_arrange(&work->balance, active, problem, work->scale));
    for (int a = 0; a < active->count; ++a)
        work->z[a] = x0[a] / work->scale[a];
    crn_balance_times(&work->balance, work->z, NULL, work->f);
    return CAIRN_OK;
}

/* Whether the weights differ so much that a stiff part could hide a soft one. */
static bool has_uneven_weights(const crn_active *active)
{
    double least = INFINITY, most = 0.0;
    for (int k = 0; k < active->piece_count; ++k)
    {
        least = fmin(least, active->piece[k].cost);
        most = fmax(most, active->piece[k].cost);
    }
    return most > UNEVEN * least;
}

/* Count the motions that no force resists. In B B' + regular I the last unknown k that takes part in such a motion u of length one has the
 * pivot regular / u_k^2: small, but in proportion to `regular`, which pivots of the structure are not. So where pivots are neither
 * small for certain nor large, a second factorisation tells. -1: they would take too much work. */
static int count_free_motions(crn_least_norm *work, const crn_active *active, double dependent)
{
    int motions = 0, doubtful = 0;
    work->factorised = crn_balance_factorise(&work->balance, active, NULL, REGULAR);
    if (!work->factorised)
        return -1;
    crn_balance_pivots(&work->balance, work->trial);
    for (int i = 0; i < work->rows; ++i)
    {
        motions += work->trial[i] < dependent;
        doubtful += work->trial[i] >= dependent && work->trial[i] < DOUBTFUL;
    }
    if (doubtful == 0)
        return motions;
    work->factorised = false;
    if (!crn_balance_factorise(&work->balance, active, NULL, 10.0 * REGULAR))
        return -1;
    crn_balance_pivots(&work->balance, work->step);
    motions = 0;
    for (int i = 0; i < work->rows; ++i)
        motions += work->trial[i] < DOUBTFUL && work->step[i] > 3.0 * work->trial[i];
    return motions;
}

cairn_status crn_least_norm_nullity(crn_least_norm *work, const crn_active *active, const cairn_problem *problem,
                                    double dependent, int *nullity)
{
    assert(work->sparse && dependent > REGULAR);
    bool uneven = has_uneven_weights(active);
    for (int a = 0; a < active->count && uneven; ++a)
        work->y[a] = 1.0;
    if (uneven)
        CRN_TRY(crn_balance_arrange(&work->balance, active, problem, work->y));
    int motions = count_free_motions(work, active, dependent);
    *nullity = motions >= 0 ? active->count - (work->rows - motions) : -1;
    work->factorised = work->factorised && !uneven;
    return uneven ? crn_balance_arrange(&work->balance, active, problem, work->scale) : CAIRN_OK;
}

/* -------------------------------------------------------------------------------------------------- products with B */

/* y += B'pi */
static void add_transposed(crn_least_norm *work, int m, const double *pi)
{
    if (work->sparse)
    {
        crn_balance_add_transposed(&work->balance, pi, work->y);
        return;
    }
    for (int a = 0; a < m; ++a)
        for (int b = 0; b < m && pi[a] != 0.0; ++b)
            work->y[b] += pi[a] * work->B[a * m + b];
}

/* The gradient B z - f; returns its size. */
static double find_gradient(crn_least_norm *work, int m)
{
    if (work->sparse)
    {
        crn_balance_times(&work->balance, work->z, work->f, work->gradient);
        return size_of(work->rows, work->gradient);
    }
    for (int a = 0; a < m; ++a)
    {
        long double sum = -(long double)work->f[a];
        for (int b = 0; b < m; ++b)
            sum += (long double)work->B[a * m + b] * work->z[b];
        work->gradient[a] = (double)sum;
    }
    return size_of(m, work->gradient);
}

/* B transposed, in work->factor. */
static const double *transpose(crn_least_norm *work, int m)
{
    for (int a = 0; a < m; ++a)
        for (int b = 0; b < m; ++b)
            work->factor[(ptrdiff_t)b * m + a] = work->B[(ptrdiff_t)a * m + b];
    return work->factor;
}

static void add_multiple(int count, double share, const double *restrict from, double *restrict to)
{
    for (int b = 0; b < count; ++b)
        to[b] += share * from[b];
}

/* Factorise B B', slightly regularised; false when it is singular all the same. */
static bool factorise_gram(crn_least_norm *work, const crn_active *active)
{
    int m = active->count;
    if (work->sparse)
        return work->factorised || crn_balance_factorise(&work->balance, active, NULL, REGULAR);
    const double *columns = transpose(work, m);
    memset(work->hessian, 0, (size_t)m * (size_t)m * sizeof(double));
    for (int a = 0; a < m; ++a)
    {
        double *row = work->hessian + (ptrdiff_t)a * m;
        for (int k = 0; k < m; ++k)
            add_multiple(a + 1, work->B[(ptrdiff_t)a * m + k], columns + (ptrdiff_t)k * m, row);
        row[a] += REGULAR;
    }
    return crn_definite_factorise(m, work->hessian);
}

static void find_step(crn_least_norm *work)
{
    for (int a = 0; a < work->rows; ++a)
        work->step[a] = -work->gradient[a];
    if (work->sparse)
        crn_balance_solve(&work->balance, work->step);
    else
        crn_definite_solve(work->rows, work->hessian, work->step);
}

/* -------------------------------------------------------------------------------------------------------- the dual */

/* A piece in the scaled variables z. */
static crn_piece scaled(const crn_least_norm *work, const crn_piece *piece)
{
    assert(piece->count >= 1 && piece->count <= 3);
    crn_piece other = *piece;
    if (piece->kind == CRN_PIECE_DISC)
        other.mu /= work->scale[piece->first];
    other.lo /= work->scale[piece->first];
    other.hi /= work->scale[piece->first];
    return other;
}

/* y = B'pi + D^-1/2 g, z = P(y); returns the negative of the dual's value, which is minimised. */
static double evaluate(crn_least_norm *work, const crn_active *active, int directions, const double *pi)
{
    int m = active->count;
    double value = -crn_dot(work->rows, work->f, pi);
    for (int b = 0; b < m; ++b)
        work->y[b] = work->scale[b] * work->slope[b];
    add_transposed(work, m, pi);
    for (int k = 0; k < active->piece_count; ++k)
    {
        crn_piece piece = scaled(work, &active->piece[k]);
        const double *y = work->y + piece.first;
        double *z = work->z + piece.first;
        crn_piece_project(&piece, directions, y, z);
        for (int i = 0; i < piece.count; ++i)
            value += 0.5 * (y[i] * y[i] - (y[i] - z[i]) * (y[i] - z[i]));
    }
    return value;
}

/* Row a of the Hessian += that of B_piece P' B_piece'; columns: B transposed. */
static void add_piece(crn_least_norm *work, int m, int a, const crn_piece *piece, const double *derivative,
                      const double *columns)
{
    assert(piece->first >= 0 && piece->first + piece->count <= m);
    const double *row = work->B + (ptrdiff_t)a * m + piece->first;
    const double *column[3] = {columns, columns, columns};
    double left[3] = {0.0, 0.0, 0.0};
    bool any = false;
    for (int i = 0; i < piece->count; ++i)
    {
        for (int j = 0; j < piece->count; ++j)
            left[i] += row[j] * 0.5 * (derivative[3 * j + i] + derivative[3 * i + j]);
        any = any || left[i] != 0.0;
        column[i] = columns + (ptrdiff_t)(piece->first + i) * m;
    }
    double *restrict to = work->hessian + (ptrdiff_t)a * m;
    if (any && piece->count == 1)
        add_multiple(a + 1, left[0], column[0], to);
    else
        for (int b = 0; b <= a && any; ++b)
            to[b] += left[0] * column[0][b] + left[1] * column[1][b] + left[2] * column[2][b];
}

static bool factorise_dense(crn_least_norm *work, const crn_active *active, double regular)
{
    int m = active->count;
    double largest = 0.0;
    memset(work->hessian, 0, (size_t)m * (size_t)m * sizeof(double));
    const double *columns = transpose(work, m);
    for (int a = 0; a < m; ++a)
        for (int k = 0; k < active->piece_count; ++k)
            add_piece(work, m, a, &active->piece[k], work->derivative + 9 * (ptrdiff_t)k, columns);
    for (int a = 0; a < m; ++a)
        largest = fmax(largest, work->hessian[a * m + a]);
    for (int a = 0; a < m; ++a)
        work->hessian[a * m + a] += regular * (largest > 0.0 ? largest : 1.0);
    return crn_definite_factorise(m, work->hessian);
}

/* Factorise the Hessian B P' B'. */
static bool factorise_hessian(crn_least_norm *work, const crn_active *active, int directions, double regular)
{
    assert(regular > 0.0);
    work->factorised = false;
    for (int k = 0; k < active->piece_count; ++k)
    {
        crn_piece piece = scaled(work, &active->piece[k]);
        crn_piece_differentiate(&piece, directions, work->y + piece.first, work->derivative + 9 * (ptrdiff_t)k);
    }
    return work->sparse ? crn_balance_factorise(&work->balance, active, work->derivative, regular)
                        : factorise_dense(work, active, regular);
}

/* Halve the step until the dual falls enough; false when it never does. */
static bool walk(crn_least_norm *work, const crn_active *active, int directions, double *value)
{
    int n = work->rows;
    double slope = crn_dot(n, work->gradient, work->step);
    double share = 1.0;
    for (int halving = 0; halving < MOST_HALVINGS; ++halving, share *= 0.5)
    {
        for (int a = 0; a < n; ++a)
            work->trial[a] = work->pi[a] + share * work->step[a];
        double next = evaluate(work, active, directions, work->trial);
        if (next <= *value + DESCENT * share * slope + 1e-15 * fabs(*value))
        {
            *value = next;
            memcpy(work->pi, work->trial, (size_t)n * sizeof(double));
            return true;
        }
    }
    return false;
}

/* Start from the pseudo-inverse's answer, with all variables free, which is often the solution. Returns the gradient's size. */
static double start(crn_least_norm *work, const crn_active *active, int directions, double *value)
{
    int m = active->count;
    memset(work->pi, 0, (size_t)work->rows * sizeof(double));
    for (int b = 0; b < m; ++b)
        work->z[b] = work->scale[b] * work->slope[b];
    find_gradient(work, m);
    if (factorise_gram(work, active))
    {
        find_step(work);
        memcpy(work->pi, work->step, (size_t)work->rows * sizeof(double));
    }
    *value = evaluate(work, active, directions, work->pi);
    return find_gradient(work, m);
}

/* Take steps with the last factor while the gradient shrinks: the rest is rounding, which no line search could see. */
static double refine(crn_least_norm *work, const crn_active *active, int directions, double left)
{
    int m = active->count;
    for (int pass = 0; pass < MOST_REFINEMENTS; ++pass)
    {
        find_step(work);
        for (int a = 0; a < work->rows; ++a)
            work->trial[a] = work->pi[a] + work->step[a];
        evaluate(work, active, directions, work->trial);
        double next = find_gradient(work, m);
        if (!(next < left))
            break;
        memcpy(work->pi, work->trial, (size_t)work->rows * sizeof(double));
        bool enough = next > 0.9 * left;
        left = next;
        if (enough)
            break;
    }
    evaluate(work, active, directions, work->pi);
    return find_gradient(work, m);
}

/* z += P' B'(step), the change along the faces that z lies on */
static void move_on_faces(crn_least_norm *work, const crn_active *active, bool free)
{
    memset(work->y, 0, (size_t)active->count * sizeof(double));
    add_transposed(work, active->count, work->step);
    for (int k = 0; k < active->piece_count; ++k)
    {
        const crn_piece *piece = &active->piece[k];
        const double *D = work->derivative + 9 * (ptrdiff_t)k, *y = work->y + piece->first;
        double *z = work->z + piece->first;
        for (int i = 0; i < piece->count; ++i)
            for (int j = 0; j < piece->count; ++j)
                z[i] += (free ? i == j : 0.5 * (D[3 * i + j] + D[3 * j + i])) * y[j];
    }
}

/* Where pi is large, rounding of B'pi limits what refinement can reach. The rest of B z = f is met by changes of z itself. */
static void balance(crn_least_norm *work, const crn_active *active, bool free)
{
    int m = active->count;
    double left = find_gradient(work, m);
    for (int pass = 0; pass < MOST_CORRECTIONS; ++pass)
    {
        memcpy(work->x, work->z, (size_t)m * sizeof(double));
        find_step(work);
        move_on_faces(work, active, free);
        double next = find_gradient(work, m);
        if (!(next < 0.5 * left))
        {
            memcpy(work->z, work->x, (size_t)m * sizeof(double));
            return;
        }
        left = next;
    }
}

static void take_result(crn_least_norm *work, int m)
{
    for (int a = 0; a < m; ++a)
        work->x[a] = work->z[a] * work->scale[a];
}

bool crn_least_norm_solve(crn_least_norm *work, const crn_active *active, int directions)
{
    int m = active->count;
    double whole = size_of(work->rows, work->f);
    double value;
    double left = start(work, active, directions, &value);
    int step = 0;
    for (; step < MOST_STEPS && left > work->acceptable * whole; ++step)
    {
        double regular = fmax(REGULAR, 1e-3 * (left / whole) * fmin(1.0, left / whole));
        if (!factorise_hessian(work, active, directions, regular))
            break;
        find_step(work);
        bool walked = fabs(crn_dot(work->rows, work->gradient, work->step)) > FLAT * fabs(value) &&
                      walk(work, active, directions, &value);
        double next = walked ? find_gradient(work, m) : refine(work, active, directions, left);
        if (!walked && !(next < 0.9 * left))
        {
            left = next;
            break;
        }
        left = next;
    }
    bool found = left <= work->acceptable * whole;
    if (found && (step == 0 || factorise_hessian(work, active, directions, REGULAR)))
    {
        refine(work, active, directions, left);
        if (work->sparse)
            balance(work, active, step == 0);
    }
    take_result(work, m);
    return found;
}

double crn_least_norm_along_null(crn_least_norm *work, const crn_active *active)
{
    assert(!work->sparse);
    int m = active->count;
    for (int b = 0; b < m; ++b)
        work->y[b] = work->scale[b] * work->slope[b];
    double whole = size_of(m, work->y);
    bool regular = factorise_gram(work, active);
    for (int pass = 0; pass < 2 && regular; ++pass)
    {
        for (int a = 0; a < m; ++a)
            work->step[a] = crn_dot(m, work->B + a * m, work->y);
        crn_definite_solve(m, work->hessian, work->step);
        for (int a = 0; a < m; ++a)
            for (int b = 0; b < m; ++b)
                work->y[b] -= work->step[a] * work->B[a * m + b];
    }
    double part = size_of(m, work->y);
    for (int b = 0; b < m; ++b)
        work->slope[b] = work->y[b] / work->scale[b];
    return whole > 0.0 ? part / whole : 0.0;
}
