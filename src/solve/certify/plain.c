/* Residuals of the dynamics and of the joints in double, for problems in a sequence whose tolerance is far above rounding: A v - p - G'c - H'r
 * of the bodies and G v + R_c c - b of the joints, in one pass over the joints. */
#include "solve/certify/certifier.h"

#include "linalg/lanes.h"
#include "solve/certify/fives.h"

#include <assert.h>

/* y -= B'c and u += B v of one block of `rows` rows over a body. */
static void add_block(int rows, int size, const double *B, const double *v, const double *c, double *y, double *u)
{
    if (size == 6)
    {
        crn_lanes v0 = crn_lanes_at(v), v1 = crn_lanes_at(v + 2), v2 = crn_lanes_at(v + 4);
        crn_lanes y0 = crn_lanes_at(y), y1 = crn_lanes_at(y + 2), y2 = crn_lanes_at(y + 4);
        for (int k = 0; k < rows; ++k, B += 6)
        {
            crn_lanes b0 = crn_lanes_at(B), b1 = crn_lanes_at(B + 2), b2 = crn_lanes_at(B + 4);
            crn_lanes sum = (b0 * v0 + b1 * v1) + b2 * v2;
            u[k] += sum[0] + sum[1];
            y0 -= c[k] * b0;
            y1 -= c[k] * b1;
            y2 -= c[k] * b2;
        }
        *(crn_lanes *)y = y0;
        *(crn_lanes *)(y + 2) = y1;
        *(crn_lanes *)(y + 4) = y2;
        return;
    }
    for (int k = 0; k < rows; ++k)
    {
        for (int i = 0; i < size; ++i)
        {
            u[k] += B[k * size + i] * v[i];
            y[i] -= c[k] * B[k * size + i];
        }
    }
}

/* The same for one item of block rows. */
static void add_item(const cairn_problem *problem, const cairn_block_rows *rows, int i, const double *v,
                     const double *c, double *y, double *u)
{
    int first = rows->row_start[i], count = rows->row_start[i + 1] - first;
    for (int e = rows->entry_start[i]; e < rows->entry_start[i + 1]; ++e)
    {
        int start = problem->block_start[rows->block[e]];
        int size = problem->block_start[rows->block[e] + 1] - start;
        add_block(count, size, rows->value + rows->value_start[e], v + start, c + first, y + start, u + first);
    }
}

static void add_joints(const cairn_problem *problem, const double *v, const double *c, double *y, double *u)
{
    for (int i = 0; i < problem->G.item_count;)
    {
        bool fives = crn_are_fives(problem, i);
        if (fives)
            crn_fives_residuals(problem, i, v, c, y, u);
        else
            add_item(problem, &problem->G, i, v, c, y, u);
        i += fives ? 4 : 1;
    }
}

/* y += B x */
static void add_product(int rows, int columns, const double *B, const double *x, double *y)
{
    for (int k = 0; k < rows; ++k)
        for (int l = 0; l < columns; ++l)
            y[k] += B[k * columns + l] * x[l];
}

/* y += A v of a body whose translations couple with nothing. */
static void add_body(const double *A, const double *v, double *y)
{
    for (int k = 0; k < 3; ++k)
    {
        const double *turn = A + 6 * (k + 3);
        y[k] += A[7 * k] * v[k];
        y[k + 3] = ((y[k + 3] + turn[3] * v[3]) + turn[4] * v[4]) + turn[5] * v[5];
    }
}

void crn_certifier_find_plain(crn_certifier *work, const cairn_problem *problem, const cairn_solution *solution)
{
    assert(problem->A.block_count == problem->block_count);
    const cairn_block_matrix *A = &problem->A;
    double *y = work->column;
    for (int i = 0; i < problem->block_count; ++i)
    {
        int first = problem->block_start[i], size = problem->block_start[i + 1] - first;
        for (int k = first; k < first + size; ++k)
            y[k] = -problem->p[k];
        for (int e = A->row_start[i]; e < A->row_start[i + 1]; ++e)
        {
            const double *value = A->value + A->value_start[e];
            int start = problem->block_start[A->column[e]];
            int columns = problem->block_start[A->column[e] + 1] - start;
            if (A->column[e] == i && size == 6 && work->D.lead[i] >= 3)
                add_body(value, solution->v + first, y + first);
            else
                add_product(size, columns, value, solution->v + start, y + first);
        }
    }
    for (int i = 0; i < problem->joint_rows; ++i)
        work->rate[i] = problem->R_c[i] * solution->c[i] - problem->b[i];
    for (int i = 0; i < solution->contact_rows; ++i)
        work->velocity[i] = problem->w[i];
    add_joints(problem, solution->v, solution->c, y, work->rate);
    for (int j = 0; j < problem->contact_count; ++j)
        add_item(problem, &problem->H, j, solution->v, solution->r, y, work->velocity);
    for (int i = 0; i < solution->contact_rows; ++i)
        work->u[i] = work->velocity[i];
}
