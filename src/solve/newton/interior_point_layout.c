/* Rows of the cones: which contact rows they represent and how these are scaled. */
#include "solve/newton/interior_point.h"

#include "linalg/compliance.h"
#include "solve/auto/bounded.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The diagonal of A at row k of a block. */
static double diagonal(const cairn_problem *problem, int block, int k)
{
    assert(block >= 0 && block < problem->block_count);
    int size = problem->block_start[block + 1] - problem->block_start[block];
    int e = problem->A.row_start[block];
    while (problem->A.column[e] != block)
        ++e;
    return problem->A.value[problem->A.value_start[e] + k * size + k];
}

/* The trace of H_j diag(A)^-1 H_j'. */
static double mobility(const cairn_problem *problem, int contact)
{
    assert(contact >= 0 && contact < problem->contact_count);
    const cairn_block_rows *H = &problem->H;
    double trace = 0.0;
    for (int e = H->entry_start[contact]; e < H->entry_start[contact + 1]; ++e)
    {
        int size = problem->block_start[H->block[e] + 1] - problem->block_start[H->block[e]];
        for (int k = 0; k < size; ++k)
        {
            double inverse = 1.0 / diagonal(problem, H->block[e], k);
            for (int row = 0; row < problem->dim; ++row)
            {
                double value = H->value[H->value_start[e] + row * size + k];
                trace += value * value * inverse;
            }
        }
    }
    return trace;
}

static void find_masses(crn_ip_layout *layout, const cairn_problem *problem)
{
    for (int j = 0; j < problem->contact_count; ++j)
        layout->rho[j] = mobility(problem, j);
    for (int j = 0; j < problem->contact_count && crn_has_compliance(problem); ++j)
    {
        int stride;
        const double *R = crn_compliance_block(problem, j, j, &stride);
        for (int k = 0; k < crn_item_rows(problem, j) && R; ++k)
            layout->rho[j] += R[k * (stride + 1)];
    }
    for (int j = 0; j < problem->contact_count; ++j)
    {
        double rho = (double)crn_item_rows(problem, j) / layout->rho[j];
        layout->rho[j] = isfinite(rho) && rho > 0.0 ? rho : 1.0;
    }
}

cairn_status crn_ip_layout_update(crn_arena *memory, crn_ip_layout *layout, const cairn_problem *problem)
{
    size_t contacts = (size_t)problem->contact_count + 1;
    size_t rows = contacts * (size_t)problem->dim;
    CRN_TRY(crn_reserve_all(memory, CRN_ARRAY(layout->first, contacts), CRN_ARRAY(layout->full, rows),
                            CRN_ARRAY(layout->S, rows), CRN_ARRAY(layout->rho, contacts)));
    layout->cones = problem->contact_count;
    layout->rows = 0;
    for (int j = 0; j < layout->cones; ++j)
    {
        bool lagged = problem->law.kind == CAIRN_LAW_LAGGED;
        double bound = lagged ? problem->radius[j] : problem->mu[j];
        bool friction = problem->law.kind != CAIRN_LAW_FRICTIONLESS && bound > 0.0 && !crn_is_row(problem, j);
        layout->first[j] = layout->rows;
        for (int k = 0; k < (friction ? problem->dim : 1); ++k)
        {
            layout->full[layout->rows] = j * problem->dim + k;
            layout->S[layout->rows++] = friction && !lagged && k == 0 ? 1.0 / problem->mu[j] : 1.0;
        }
    }
    layout->first[layout->cones] = layout->rows;
    find_masses(layout, problem);
    return CAIRN_OK;
}

void crn_ip_impulses(const crn_ip_layout *layout, const cairn_problem *problem, const double *x, double *r)
{
    assert(layout->rows <= problem->dim * problem->contact_count);
    assert(layout->cones == problem->contact_count);
    memset(r, 0, (size_t)(problem->dim * problem->contact_count) * sizeof(double));
    for (int i = 0; i < layout->rows; ++i)
        r[layout->full[i]] = layout->S[i] * x[i];
}

cairn_status crn_ip_vector_reserve(crn_arena *memory, crn_ip_vector *vector, const cairn_problem *problem,
                                   const crn_ip_layout *layout)
{
    assert(layout->cones == problem->contact_count);
    return crn_reserve_all(memory, CRN_ARRAY(vector->v, problem->n + 1), CRN_ARRAY(vector->c, problem->joint_rows + 1),
                           CRN_ARRAY(vector->x, layout->rows + 1));
}
