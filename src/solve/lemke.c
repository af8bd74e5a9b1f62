/* Lemke's method with the lexicographic ratio test (Cottle, Pang and Stone, The Linear Complementarity Problem, 4.4).
 *
 * w = M z + q + d z_0 with the artificial z_0 large enough is feasible; from there each pivot brings in the complement
 * of the variable that left last, until z_0 leaves (solved) or nothing blocks (a ray). The lexicographic rule acts as
 * if q were q + (e, e^2, ...) with a vanishing e: no two rows tie, no basis returns, the path is finite. For a
 * copositive M with q'z >= 0 for all z solving the problem with q = 0 a ray cannot happen (Theorem 2.1, paper 0).
 *
 * In floating point: entries below PIVOT_FLOOR of their column count as zero; ratios that agree within TIE count as
 * tied and go to the lexicographic test; z_0 leaves whenever it is among the tied. The tableau is rebuilt from M when
 * its equations drift, and before a ray is believed.
 */
#include "solve/lemke.h"

#include "base/memory.h"
#include "solve/tableau.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PIVOT_FLOOR = 1e-10;
static const double TIE = 1e-12;
static const double DRIFT = 1e-10;
static const double SMALL_PIVOT = 1e-6;
static const int CHECK_EVERY = 40;

struct crn_lemke
{
    crn_tableau tableau;
    int *tied; /* rows in the running of a ratio test */
    size_t tied_capacity;
};

crn_lemke *crn_lemke_create(void)
{
    return calloc(1, sizeof(crn_lemke));
}

void crn_lemke_destroy(crn_lemke *lemke)
{
    if (lemke)
    {
        crn_tableau_release(&lemke->tableau);
        free(lemke->tied);
        free(lemke);
    }
}

static double entry(const crn_tableau *tableau, int row, int column)
{
    return tableau->T[(size_t)row * (tableau->n + 1) + column];
}

/* The first row to leave, for z_0: the lexicographically least of (q, I) / d, so the last of those that tie. */
static int first_row(const crn_tableau *tableau)
{
    int best = -1;
    double least = 0.0;
    for (int i = 0; i < tableau->n; ++i)
    {
        double ratio = tableau->q[i] / tableau->cover[i];
        if (ratio < 0.0 && ratio <= least)
        {
            least = ratio;
            best = i;
        }
    }
    return best;
}

static double largest_entry(const crn_tableau *tableau, int column)
{
    double largest = 0.0;
    for (int i = 0; i < tableau->n; ++i)
    {
        largest = fmax(largest, fabs(entry(tableau, i, column)));
    }
    return largest;
}

/* The rows whose ratio is least, within the tolerance; returns how many. */
static int least_ratios(crn_lemke *lemke, int column, double floor)
{
    const crn_tableau *tableau = &lemke->tableau;
    double bound = INFINITY;
    for (int i = 0; i < tableau->n; ++i)
    {
        double a = entry(tableau, i, column);
        if (a > floor)
        {
            bound = fmin(bound, (fmax(tableau->rhs[i], 0.0) + TIE) / a);
        }
    }
    int count = 0;
    for (int i = 0; i < tableau->n; ++i)
    {
        double a = entry(tableau, i, column);
        if (a > floor && fmax(tableau->rhs[i], 0.0) / a <= bound)
        {
            lemke->tied[count++] = i;
        }
    }
    return count;
}

/* Keep the lexicographically least of the tied rows of (B^-1 row) / a. */
static int break_ties(crn_lemke *lemke, int column, int count)
{
    const crn_tableau *tableau = &lemke->tableau;
    int *tied = lemke->tied;
    for (int j = 0; j < tableau->n && count > 1; ++j)
    {
        double least = INFINITY;
        for (int k = 0; k < count; ++k)
        {
            least = fmin(least, crn_tableau_inverse(tableau, tied[k], j) / entry(tableau, tied[k], column));
        }
        double bound = least + TIE * (1.0 + fabs(least));
        int kept = 0;
        for (int k = 0; k < count; ++k)
        {
            if (crn_tableau_inverse(tableau, tied[k], j) / entry(tableau, tied[k], column) <= bound)
            {
                tied[kept++] = tied[k];
            }
        }
        count = kept;
    }
    return tied[0];
}

/* The row that blocks the entering column; -1: none. */
static int leaving_row(crn_lemke *lemke, int column, double largest)
{
    const crn_tableau *tableau = &lemke->tableau;
    int count = least_ratios(lemke, column, PIVOT_FLOOR * fmax(largest, 1.0));
    for (int k = 0; k < count; ++k)
    {
        if (tableau->basic[lemke->tied[k]] == 2 * tableau->n)
        {
            return lemke->tied[k];
        }
    }
    return count ? break_ties(lemke, column, count) : -1;
}

static int complement(const crn_tableau *tableau, int variable)
{
    return variable < tableau->n ? variable + tableau->n : variable - tableau->n;
}

/* One pivot with the given variable entering; returns the variable that left, or -1 for a ray. */
static int step(crn_lemke *lemke, int entering, bool check, crn_lemke_report *report)
{
    crn_tableau *tableau = &lemke->tableau;
    int column = -1 - tableau->place[entering];
    assert(column >= 0);
    double largest = largest_entry(tableau, column);
    int row = leaving_row(lemke, column, largest);
    bool doubtful = row < 0 || entry(tableau, row, column) < SMALL_PIVOT * largest;
    if (doubtful || (check && crn_tableau_drift(tableau, column) > DRIFT))
    {
        if (report->pivots > 0 && crn_tableau_rebuild(tableau))
        {
            report->refactorisations++;
            row = leaving_row(lemke, column, largest_entry(tableau, column));
        }
    }
    if (row < 0)
    {
        return -1;
    }
    int leaving = tableau->basic[row];
    crn_tableau_pivot(tableau, row, column);
    report->pivots++;
    return leaving;
}

static void read_solution(const crn_tableau *tableau, double *z, bool *basic)
{
    for (int i = 0; i < tableau->n; ++i)
    {
        int place = tableau->place[i];
        basic[i] = place >= 0;
        z[i] = place >= 0 ? fmax(tableau->rhs[place], 0.0) : 0.0;
    }
}

cairn_status crn_lemke_solve(crn_lemke *lemke, int n, const double *M, const double *q, const double *cover,
                             int max_pivots, double *z, bool *basic, crn_lemke_report *report)
{
    crn_tableau *tableau = &lemke->tableau;
    *report = (crn_lemke_report){.outcome = CRN_LEMKE_SOLVED};
    if (crn_reserve(&lemke->tied, &lemke->tied_capacity, (size_t)n, sizeof(int)) ||
        crn_tableau_start(tableau, n, M, q, cover))
    {
        return CAIRN_NO_MEMORY;
    }
    int row = first_row(tableau);
    int leaving = 2 * n;
    if (row >= 0)
    {
        leaving = tableau->basic[row];
        crn_tableau_pivot(tableau, row, n);
        report->pivots = 1;
    }
    while (leaving >= 0 && leaving != 2 * n && report->pivots < max_pivots)
    {
        leaving = step(lemke, complement(tableau, leaving), report->pivots % CHECK_EVERY == 0, report);
    }
    if (leaving != 2 * n)
    {
        report->outcome = leaving < 0 ? CRN_LEMKE_RAY : CRN_LEMKE_LIMIT;
    }
    read_solution(tableau, z, basic);
    return CAIRN_OK;
}
