/* The Newton system of a problem without bodies whose W is sparse.
 *
 * Nothing couples contacts but W, so the system is E dx = e with E = T W S + Theta, one block row per contact and the pattern of
 * W. E is the A of an auxiliary problem whose bodies are the contacts: crn_saddle factorises it in a fill-reducing order. It is
 * neither symmetric nor always definite under exact friction, so pivots are chosen among the rows eliminated together.
 */
#include "solve/newton/interior_point.h"

#include <assert.h>
#include <string.h>

static int cone_size(const crn_ip_system *system, int j)
{
    assert(j >= 0 && j < system->layout->cones);
    return system->layout->first[j + 1] - system->layout->first[j];
}

cairn_status crn_ip_sparse_prepare(crn_ip_system *system)
{
    const cairn_block_matrix *W = &system->problem->W;
    int entries = W->row_start[W->block_count];
    CRN_TRY(crn_reserve_all(&system->memory, CRN_ARRAY(system->value_start, entries + 1)));
    int values = 0;
    for (int i = 0; i < W->block_count; ++i)
    {
        for (int e = W->row_start[i]; e < W->row_start[i + 1]; ++e)
        {
            system->value_start[e] = values;
            values += cone_size(system, i) * cone_size(system, W->column[e]);
        }
    }
    system->value_start[entries] = values;
    CRN_TRY(crn_reserve_all(&system->memory, CRN_ARRAY(system->value, values + 1)));
    system->condensed = (cairn_problem){.block_count = W->block_count,
                                        .block_start = system->layout->first,
                                        .n = system->layout->rows,
                                        .A = {.block_count = W->block_count,
                                              .block_start = system->layout->first,
                                              .row_start = W->row_start,
                                              .column = W->column,
                                              .value_start = system->value_start,
                                              .value = system->value}};
    return CAIRN_OK;
}

/* out = T_i W_ij S_j on the rows of the two cones; those are the first of the contact's rows. */
static void fill_block(const crn_ip_system *system, int i, int j, const double *W, double *out)
{
    int dim = system->problem->dim, rows = cone_size(system, i), columns = cone_size(system, j);
    const double *T = system->blocks[i].T, *S = system->layout->S + system->layout->first[j];
    for (int k = 0; k < rows; ++k)
    {
        for (int l = 0; l < columns; ++l)
        {
            double sum = 0.0;
            for (int m = 0; m < rows; ++m)
                sum += T[3 * k + m] * W[m * dim + l];
            out[k * columns + l] = sum * S[l];
        }
    }
}

/* The diagonal block += Theta_j */
static void add_theta(const crn_ip_system *system, int j, double *out)
{
    int size = cone_size(system, j);
    for (int k = 0; k < size; ++k)
    {
        double unit[3] = {k == 0, k == 1, k == 2};
        long double column[3];
        crn_ip_apply_theta(system, &system->blocks[j], unit, column);
        for (int i = 0; i < size; ++i)
            out[i * size + k] += (double)column[i];
    }
}

cairn_status crn_ip_sparse_factorise(crn_ip_system *system)
{
    assert(system->sparse && system->condensed.n == system->layout->rows);
    const cairn_block_matrix *W = &system->problem->W;
    for (int i = 0; i < W->block_count; ++i)
    {
        for (int e = W->row_start[i]; e < W->row_start[i + 1]; ++e)
        {
            double *out = system->value + system->value_start[e];
            fill_block(system, i, W->column[e], W->value + W->value_start[e], out);
            if (W->column[e] == i)
                add_theta(system, i, out);
        }
    }
    return crn_saddle_factorise_any(system->saddle, NULL, &system->condensed);
}

void crn_ip_sparse_solve(crn_ip_system *system, const double *e, double *x)
{
    assert(system->sparse && e != x);
    memcpy(x, e, (size_t)system->layout->rows * sizeof(double));
    crn_saddle_solve(system->saddle, x, NULL);
}
