/* The effective mass of each contact: the impulse per unit of velocity.
 *
 * Bodies alone: H_j D^-1 H_j', from one small factorisation per block of A. Joints or springs can make a contact far less mobile
 * than its bodies (a light link on a heavy carriage); then the true H_j K^-1 H_j' is used. It costs one solve per contact row, so
 * beyond EXACT_WORK entries the value of the bodies alone is used instead.
 */
#include "solve/gradient/operator.h"

#include "linalg/compliance.h"
#include "linalg/lu.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double EXACT_WORK = 1e7;

/* A contact that joints hold entirely keeps the scale of its bodies: its own mobility is rounding noise. */
static const double LOCKED = 1e-12;

static int block_size(const cairn_problem *problem, int block)
{
    assert(block >= 0 && block < problem->block_count);
    return problem->block_start[block + 1] - problem->block_start[block];
}

/* Add h D^-1 h' to rho for the rows h of all contacts on this block. */
static void add_block_mobility(crn_operator *op, int block)
{
    const cairn_problem *problem = op->problem;
    const cairn_block_rows *H = &problem->H;
    int size = block_size(problem, block);
    double *factors = op->work;
    double *x = factors + (size_t)size * (size_t)size;
    int diagonal = problem->A.row_start[block];
    while (problem->A.column[diagonal] != block)
        ++diagonal;
    memcpy(factors, problem->A.value + problem->A.value_start[diagonal], (size_t)size * (size_t)size * sizeof(double));
    bool regular = crn_lu_factorise(size, factors, size, op->order, 0.0);
    for (int e = op->first[block]; e >= 0 && regular; e = op->next[2 * e])
    {
        for (int k = 0; k < problem->dim; ++k)
        {
            const double *row = H->value + H->value_start[e] + k * size;
            for (int i = 0; i < size; ++i)
                x[i] = row[op->order[i]];
            crn_lu_solve(size, factors, size, x, 1, 1);
            for (int i = 0; i < size; ++i)
                op->rho[op->next[2 * e + 1]] += row[i] * x[i];
        }
    }
}

/* Entries of H listed by the block they touch: next[2 e] is the next one, next[2 e + 1] the contact. */
static void list_by_block(const cairn_problem *problem, int *first, int *next)
{
    const cairn_block_rows *H = &problem->H;
    for (int block = 0; block < problem->block_count; ++block)
        first[block] = -1;
    for (int j = problem->contact_count - 1; j >= 0; --j)
    {
        for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
        {
            next[2 * e] = first[H->block[e]];
            next[2 * e + 1] = j;
            first[H->block[e]] = e;
        }
    }
}

static void add_compliance(const cairn_problem *problem, double *trace)
{
    for (int j = 0; j < problem->contact_count && crn_has_compliance(problem); ++j)
    {
        int stride;
        const double *R = crn_compliance_block(problem, j, j, &stride);
        for (int k = 0; k < crn_item_rows(problem, j) && R; ++k)
            trace[j] += R[k * (stride + 1)];
    }
}

/* The trace of H_j K^-1 H_j'. */
static double exact_mobility(crn_operator *op, int j)
{
    assert(j >= 0 && j < op->problem->contact_count);
    const cairn_problem *problem = op->problem;
    const cairn_block_rows *H = &problem->H;
    double trace = 0.0;
    for (int k = 0; k < crn_item_rows(problem, j); ++k)
    {
        memset(op->v, 0, (size_t)problem->n * sizeof(double));
        memset(op->c, 0, (size_t)problem->joint_rows * sizeof(double));
        for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
        {
            int size = block_size(problem, H->block[e]);
            for (int i = 0; i < size; ++i)
                op->v[problem->block_start[H->block[e]] + i] += H->value[H->value_start[e] + k * size + i];
        }
        crn_saddle_solve(op->saddle, op->v, op->c);
        for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
        {
            int size = block_size(problem, H->block[e]);
            for (int i = 0; i < size; ++i)
                trace += H->value[H->value_start[e] + k * size + i] * op->v[problem->block_start[H->block[e]] + i];
        }
    }
    return trace;
}

static bool worth_exact(const crn_operator *op)
{
    const cairn_problem *problem = op->problem;
    bool coupled = problem->block_count > 0 && problem->A.row_start[problem->block_count] > problem->block_count;
    return (coupled || problem->joint_rows > 0) && (double)op->rows * (double)problem->n <= EXACT_WORK;
}

static double mass_of(int rows, double trace)
{
    assert(rows > 0);
    double mass = rows / trace;
    return isfinite(mass) && mass > 0.0 ? mass : 1.0;
}

static cairn_status reserve(crn_operator *op)
{
    const cairn_problem *problem = op->problem;
    int entries = problem->contact_count ? problem->H.entry_start[problem->contact_count] : 0;
    size_t largest = 0;
    for (int i = 0; i < problem->block_count; ++i)
    {
        size_t size = (size_t)block_size(problem, i);
        largest = size > largest ? size : largest;
    }
    return crn_reserve_all(&op->memory, CRN_ARRAY(op->work, largest * (largest + 1) + 1),
                           CRN_ARRAY(op->order, largest + 1), CRN_ARRAY(op->first, problem->block_count + 1),
                           CRN_ARRAY(op->next, 2 * entries + 1));
}

cairn_status crn_operator_find_scales(crn_operator *op)
{
    const cairn_problem *problem = op->problem;
    size_t contacts = (size_t)problem->contact_count;
    CRN_TRY(reserve(op));
    if (contacts == 0)
        return CAIRN_OK;
    memset(op->rho, 0, contacts * sizeof(double));
    memset(op->weight, 0, contacts * sizeof(double));
    list_by_block(problem, op->first, op->next);
    for (int block = 0; block < problem->block_count; ++block)
        add_block_mobility(op, block);
    bool exact = worth_exact(op);
    add_compliance(problem, op->weight);
    for (int j = 0; j < problem->contact_count; ++j)
    {
        double compliance = op->weight[j];
        double bodies = op->rho[j] + compliance;
        double all = exact ? exact_mobility(op, j) + compliance : bodies;
        int rows = crn_item_rows(problem, j);
        op->rho[j] = mass_of(rows, bodies);
        op->weight[j] = all > LOCKED * bodies ? mass_of(rows, all) : op->rho[j];
    }
    return CAIRN_OK;
}
