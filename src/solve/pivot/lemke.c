/* Lemke's method with the lexicographic ratio test (Cottle, Pang and Stone, The Linear Complementarity Problem, 4.4).
 *
 * w = M z + q + d z_0 with the artificial z_0 large enough is feasible; from there each pivot brings in the complement
 * of the variable that left last, until z_0 leaves (solved) or nothing blocks (a ray). The lexicographic rule acts as
 * if q were q + (e, e^2, ...) with a vanishing e: no two rows tie, no basis returns, the path is finite. For a
 * copositive M with q'z >= 0 for all z solving the problem with q = 0 a ray cannot happen (Theorem 2.1, Anitescu & Potra 2002).
 *
 * In floating point: entries below PIVOT_FLOOR of their column count as zero; ratios that agree within TIE count as
 * tied and go to the lexicographic test; z_0 leaves whenever it is among the tied. The inverse is rebuilt from M when
 * columns drift from their equations, and before a ray or a small pivot is accepted.
 */
#include "solve/pivot/lemke.h"

#include "base/clock.h"
#include "base/memory.h"
#include "solve/pivot/lemke_basis.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const double PIVOT_FLOOR = 1e-9;
static const double TIE = 1e-12;
static const double DRIFT = 1e-9;
static const double SMALL_PIVOT = 1e-6;
static const int REFRESH_EVERY = 20;

/* Rebuilding costs about as much as k pivots, so an inverse no more than k / FRESH_SHARE pivots old is trusted. */
static const int FRESH_SHARE = 20;

struct crn_lemke
{
    crn_basis basis;
    int *tied;      /* candidates of a ratio test; in the arena of the basis */
    int rebuilt_at; /* the pivot the inverse was last rebuilt at */
};

crn_lemke *crn_lemke_create(void)
{
    return calloc(1, sizeof(crn_lemke));
}

void crn_lemke_destroy(crn_lemke *lemke)
{
    if (lemke)
    {
        crn_basis_release(&lemke->basis);
        free(lemke);
    }
}

/* The row that z_0 replaces first: the lexicographically least of (q, I) / d, so the last of those that tie. */
static int first_row(const crn_basis *basis)
{
    int best = -1;
    double least = 0.0;
    for (int i = 0; i < basis->n; ++i)
    {
        double ratio = basis->q[i] / basis->cover[i];
        if (ratio < 0.0 && ratio <= least)
        {
            least = ratio;
            best = i;
        }
    }
    return best;
}

static double largest_entry(const crn_basis *basis)
{
    double largest = 0.0;
    for (int a = 0; a < basis->k; ++a)
        largest = fmax(largest, fabs(basis->y_z[a]));
    for (int i = 0; i < basis->n; ++i)
        largest = fmax(largest, fabs(basis->y_w[i]));
    return largest;
}

/* The basic variables whose ratio is least, within the tolerance; returns how many. Entries of w that are not basic
 * are 0, below any floor. */
static int least_ratios(crn_lemke *lemke, double floor)
{
    const crn_basis *basis = &lemke->basis;
    double bound = INFINITY;
    int count = 0;
    for (int a = 0; a < basis->k; ++a)
    {
        double ratio = (fmax(basis->x_z[a], 0.0) + TIE) / basis->y_z[a];
        bound = basis->y_z[a] > floor ? fmin(bound, ratio) : bound;
    }
    for (int i = 0; i < basis->n; ++i)
    {
        double ratio = (fmax(basis->x_w[i], 0.0) + TIE) / basis->y_w[i];
        bound = basis->y_w[i] > floor ? fmin(bound, ratio) : bound;
    }
    for (int a = 0; a < basis->k; ++a)
        if (basis->y_z[a] > floor && fmax(basis->x_z[a], 0.0) / basis->y_z[a] <= bound)
            lemke->tied[count++] = basis->variable[a];
    for (int i = 0; i < basis->n; ++i)
        if (basis->y_w[i] > floor && fmax(basis->x_w[i], 0.0) / basis->y_w[i] <= bound)
            lemke->tied[count++] = basis->n + i;
    return count;
}

/* Keep the lexicographically least of the tied rows of B^-1 divided by their entries. */
static int break_ties(crn_lemke *lemke, int count)
{
    const crn_basis *basis = &lemke->basis;
    int *tied = lemke->tied;
    for (int j = 0; j < basis->n && count > 1; ++j)
    {
        double least = INFINITY;
        for (int t = 0; t < count; ++t)
        {
            basis->target[t] = crn_basis_inverse(basis, tied[t], j) / crn_basis_entry(basis, tied[t]);
            least = fmin(least, basis->target[t]);
        }
        double bound = least + TIE * (1.0 + fabs(least));
        int kept = 0;
        for (int t = 0; t < count; ++t)
            if (basis->target[t] <= bound)
                tied[kept++] = tied[t];
        count = kept;
    }
    return tied[0];
}

/* The variable that blocks the entering column; -1: none. */
static int find_leaving(crn_lemke *lemke, double largest)
{
    int count = least_ratios(lemke, PIVOT_FLOOR * fmax(largest, 1.0));
    for (int t = 0; t < count; ++t)
        if (lemke->tied[t] == 2 * lemke->basis.n)
            return lemke->tied[t];
    return count ? break_ties(lemke, count) : -1;
}

static int complement(const crn_basis *basis, int variable)
{
    return variable < basis->n ? variable + basis->n : variable - basis->n;
}

/* One pivot with the given variable entering; returns the variable that left, or -1 for a ray. */
static int step(crn_lemke *lemke, int entering, crn_lemke_report *report)
{
    crn_basis *basis = &lemke->basis;
    int age = report->pivots - lemke->rebuilt_at;
    double drift = crn_basis_enter(basis, entering);
    double largest = largest_entry(basis);
    int leaving = find_leaving(lemke, largest);
    bool doubtful = leaving < 0 || crn_basis_entry(basis, leaving) < SMALL_PIVOT * largest;
    if ((doubtful && age > basis->k / FRESH_SHARE) || (drift > DRIFT && age > 0))
    {
        if (crn_basis_rebuild(basis))
        {
            ++report->refactorisations;
            lemke->rebuilt_at = report->pivots;
            crn_basis_enter(basis, entering);
            leaving = find_leaving(lemke, largest_entry(basis));
        }
    }
    if (leaving < 0)
        return -1;
    crn_basis_pivot(basis, entering, leaving);
    ++report->pivots;
    if (report->pivots % REFRESH_EVERY == 0)
        crn_basis_refresh(basis);
    return leaving;
}

static void read_solution(const crn_basis *basis, double *z, bool *basic)
{
    for (int i = 0; i < basis->n; ++i)
    {
        basic[i] = crn_basis_holds(basis, i);
        z[i] = basic[i] ? fmax(crn_basis_value(basis, i), 0.0) : 0.0;
    }
}

cairn_status crn_lemke_solve(crn_lemke *lemke, int n, const double *M, const double *q, const double *cover,
                             int max_pivots, double deadline, double *z, bool *basic, crn_lemke_report *report)
{
    crn_basis *basis = &lemke->basis;
    *report = (crn_lemke_report){.outcome = CRN_LEMKE_SOLVED};
    CRN_TRY(crn_reserve_all(&basis->memory, CRN_ARRAY(lemke->tied, n)));
    CRN_TRY(crn_basis_start(basis, n, M, q, cover));
    lemke->rebuilt_at = 0;
    int row = first_row(basis);
    int leaving = 2 * n;
    if (row >= 0)
    {
        leaving = n + row;
        crn_basis_enter(basis, 2 * n);
        crn_basis_pivot(basis, 2 * n, leaving);
        report->pivots = 1;
    }
    while (leaving >= 0 && leaving != 2 * n && report->pivots < max_pivots && !crn_is_late(deadline))
        leaving = step(lemke, complement(basis, leaving), report);
    if (leaving != 2 * n)
        report->outcome = leaving < 0 ? CRN_LEMKE_RAY : CRN_LEMKE_LIMIT;
    read_solution(basis, z, basic);
    return CAIRN_OK;
}
