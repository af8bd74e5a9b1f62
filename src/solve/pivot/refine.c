#include "solve/pivot/refine.h"

#include "linalg/blocks.h"
#include "linalg/lu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int PASSES = 5;

/* No correction is computed from a basis that is worse conditioned than this. */
static const double SINGULAR = 1e-14;

void crn_refiner_release(crn_refiner *refiner)
{
    crn_arena_release(&refiner->memory);
    memset(refiner, 0, sizeof *refiner);
}

cairn_status crn_refiner_reserve(crn_refiner *refiner, const crn_lcp *lcp, int k, int rows)
{
    size_t size = (size_t)(lcp->size > k ? lcp->size : k);
    return crn_reserve_all(&refiner->memory, CRN_ARRAY(refiner->lu, (size_t)k * (size_t)k),
                           CRN_ARRAY(refiner->row, size), CRN_ARRAY(refiner->basic, size),
                           CRN_ARRAY(refiner->rhs, size), CRN_ARRAY(refiner->trial, size),
                           CRN_ARRAY(refiner->slack, size), CRN_ARRAY(refiner->u, rows));
}

static int count_basic(const crn_lcp *lcp, const bool *is_basic)
{
    int k = 0;
    for (int a = 0; a < lcp->size; ++a)
        k += is_basic[a];
    return k;
}

static bool factorise(crn_refiner *refiner, const crn_lcp *lcp, const bool *is_basic, int k)
{
    int count = 0;
    for (int a = 0; a < lcp->size; ++a)
        if (is_basic[a])
            refiner->basic[count++] = a;
    for (int i = 0; i < k; ++i)
    {
        const double *source = lcp->M + (size_t)refiner->basic[i] * lcp->size;
        for (int j = 0; j < k; ++j)
            refiner->lu[(size_t)i * k + j] = source[refiner->basic[j]];
    }
    return crn_lu_factorise(k, refiner->lu, k, refiner->row, SINGULAR);
}

/* r, v, c and the slacks of z; returns how far z is from a solution: the largest of |slack| on the basis, of -slack
 * elsewhere and of -z. */
static double evaluate(crn_refiner *refiner, crn_reduction *reduction, const crn_lcp *lcp, const cairn_problem *problem,
                       const bool *is_basic, const double *z, cairn_solution *solution)
{
    double worst = 0.0;
    crn_lcp_impulses(lcp, problem, z, solution->r);
    crn_recover(reduction, problem, solution->r, solution->v, solution->c);
    crn_contact_velocities(problem, solution->v, solution->r, reduction->u);
    for (int i = 0; i < reduction->rows; ++i)
        refiner->u[i] = (double)reduction->u[i];
    crn_lcp_slacks(lcp, problem, z, refiner->u, refiner->slack);
    for (int a = 0; a < lcp->size; ++a)
    {
        double slack = is_basic[a] ? fabs(refiner->slack[a]) : -refiner->slack[a];
        worst = fmax(worst, fmax(slack, -z[a]));
    }
    return worst;
}

/* trial = z - M_aa^-1 slack */
static void correct(crn_refiner *refiner, const crn_lcp *lcp, int k, const double *z)
{
    memcpy(refiner->trial, z, (size_t)lcp->size * sizeof(double));
    for (int i = 0; i < k; ++i)
        refiner->rhs[i] = refiner->slack[refiner->basic[refiner->row[i]]];
    crn_lu_solve(k, refiner->lu, k, refiner->rhs, 1, 1);
    for (int i = 0; i < k; ++i)
        refiner->trial[refiner->basic[i]] = fmax(z[refiner->basic[i]] - refiner->rhs[i], 0.0);
}

cairn_status crn_refine(crn_refiner *refiner, crn_reduction *reduction, const crn_lcp *lcp,
                        const cairn_problem *problem, const bool *is_basic, double *z, cairn_solution *solution)
{
    int k = count_basic(lcp, is_basic);
    if (crn_refiner_reserve(refiner, lcp, k, reduction->rows))
        return CAIRN_NO_MEMORY;
    bool regular = factorise(refiner, lcp, is_basic, k);
    double error = evaluate(refiner, reduction, lcp, problem, is_basic, z, solution);
    for (int pass = 0; pass < PASSES && regular && k > 0 && error > 0.0; ++pass)
    {
        correct(refiner, lcp, k, z);
        double next = evaluate(refiner, reduction, lcp, problem, is_basic, refiner->trial, solution);
        if (!(next < error))
        {
            evaluate(refiner, reduction, lcp, problem, is_basic, z, solution);
            break;
        }
        memcpy(z, refiner->trial, (size_t)lcp->size * sizeof(double));
        error = next;
    }
    return CAIRN_OK;
}
