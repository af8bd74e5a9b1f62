/* K = L U by fronts (saddle_pattern.h): values in, factors out; solutions are in saddle_solve.c.
 *
 * The multifrontal method (Duff and Reid 1983): a front gathers the rows and columns of its pivots from K and the updates
 * of its children, eliminates the pivots by dense algebra, and leaves an update for its parent. All values go to their
 * places first; a front's elimination is in saddle_front.c.
 */
#include "linalg/saddle.h"

#include "base/clock.h"
#include "base/memory.h"
#include "linalg/saddle_front.h"
#include "linalg/saddle_lanes.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Large fronts run faster than small ones: the fraction of the time extrapolated from small fronts that they take. */
static const double OPTIMISM = 0.5;

crn_saddle *crn_saddle_create(void)
{
    return calloc(1, sizeof(crn_saddle));
}

void crn_saddle_destroy(crn_saddle *saddle)
{
    if (!saddle)
        return;
    crn_saddle_pattern_release(&saddle->pattern);
    crn_arena_release(&saddle->memory);
    free(saddle);
}

int crn_saddle_dropped_rows(const crn_saddle *saddle)
{
    return saddle->dropped;
}

void crn_saddle_pivots(const crn_saddle *saddle, double *pivot)
{
    for (int i = 0; i < saddle->pattern.size; ++i)
        pivot[i] = saddle->inverse[i] != 0.0 ? 1.0 / saddle->inverse[i] : 0.0;
}

bool crn_saddle_drops(const crn_saddle *saddle, int item, int row)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    int block = pattern->bodies + item;
    assert(item >= 0 && block < pattern->blocks);
    assert(row >= 0 && row < pattern->start[block + 1] - pattern->start[block]);
    return saddle->inverse[pattern->row[pattern->position[block]] + row] == 0.0;
}

/* ---------------------------------------------------------------------------------------------------- factorisation */

static cairn_status reserve(crn_saddle *saddle)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    size_t size = (size_t)pattern->size + 1; /* one more than needed: no array is empty when there are no bodies */
    return crn_reserve_all(
        &saddle->memory, CRN_ARRAY(saddle->exchange, size), CRN_ARRAY(saddle->inverse, size),
        CRN_ARRAY(saddle->terms, size), CRN_ARRAY(saddle->solution, size), CRN_ARRAY(saddle->segment, size + LANES),
        CRN_ARRAY(saddle->compliance, size), CRN_ARRAY(saddle->stack[0], pattern->stack_size[0] + 1),
        CRN_ARRAY(saddle->stack[1], pattern->stack_size[1] + 1), CRN_ARRAY(saddle->values, pattern->value_count + 1));
}

/* Add the block (i, j) of A, `place` from the pattern. */
static void scatter_block(const crn_saddle *saddle, int i, int j, int place, const double *value)
{
    assert(i >= 0 && i < saddle->pattern.bodies && j >= 0 && j < saddle->pattern.bodies);
    const crn_saddle_pattern *pattern = &saddle->pattern;
    int a = pattern->position[i];
    int b = pattern->position[j];
    int rows = pattern->start[i + 1] - pattern->start[i];
    int columns = pattern->start[j + 1] - pattern->start[j];
    int s = pattern->front_of[a < b ? a : b];
    const crn_saddle_front *front = &pattern->front[s];
    size_t stride = front->stride;
    size_t below_stride = front->below_stride;
    bool in_P = pattern->front_of[a] == s;
    int to = pattern->front_of[b] == s ? pattern->row[b] - front->row : place;
    double *out = in_P ? saddle->values + front->values + (size_t)(pattern->row[a] - front->row) * stride + to
                       : saddle->values + front->values + (size_t)front->pivots * stride + (size_t)to * below_stride +
                             (place - front->pivots);
    size_t row = in_P ? stride : 1;
    size_t column = in_P ? 1 : below_stride;
    for (int k = 0; k < rows; ++k)
        for (int l = 0; l < columns; ++l)
            out[(size_t)k * row + (size_t)l * column] += value[k * columns + l];
}

/* P -= G' and L' += G', both at the rows of a body and the columns of a joint. */
INLINE void add_rows(int rows, int columns, const double *value, double *restrict P, size_t P_row, double *restrict L,
                     size_t L_row)
{
    UNROLL
    for (int l = 0; l < columns; ++l)
    {
        UNROLL
        for (int k = 0; k < rows; ++k)
        {
            P[(size_t)l * P_row + (size_t)k] -= value[k * columns + l];
            L[(size_t)l * L_row + (size_t)k] += value[k * columns + l];
        }
    }
}

/* Add G' above the diagonal, negative, and G below; body j, which comes before its joints. */
static void scatter_joint(const crn_saddle *saddle, int j, int rows, int place, const double *value)
{
    assert(j >= 0 && j < saddle->pattern.bodies && rows >= 0);
    const crn_saddle_pattern *pattern = &saddle->pattern;
    int columns = pattern->start[j + 1] - pattern->start[j];
    const crn_saddle_front *front = &pattern->front[pattern->front_of[pattern->position[j]]];
    size_t row = (size_t)(pattern->row[pattern->position[j]] - front->row);
    double *P = saddle->values + front->values + row * front->stride + place;
    double *L = saddle->values + front->values + (size_t)front->pivots * front->stride + row * front->below_stride +
                (place - front->pivots);
    if (rows == 5 && columns == 6)
        add_rows(5, 6, value, P, front->stride, L, front->below_stride);
    else
        add_rows(rows, columns, value, P, front->stride, L, front->below_stride);
}

/* The diagonal entry of K at row `row` in the order of positions, one of the front's rows. */
static double *diagonal(const crn_saddle *saddle, const crn_saddle_front *front, int row)
{
    assert(row >= front->row && row < front->row + front->pivots);
    return saddle->values + front->values + (size_t)(row - front->row) * (front->stride + 1);
}

static void scatter(crn_saddle *saddle, const cairn_problem *problem)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    const cairn_block_matrix *A = &problem->A;
    const cairn_block_rows *G = &problem->G;
    const int *place = pattern->place;
    memset(saddle->values, 0, pattern->value_count * sizeof(double));
    memset(saddle->compliance, 0, (size_t)pattern->size * sizeof(double));
    for (int i = 0; i < pattern->bodies; ++i)
        for (int e = A->row_start[i]; e < A->row_start[i + 1]; ++e)
            scatter_block(saddle, i, A->column[e], *place++, A->value + A->value_start[e]);
    for (int i = 0; i < G->item_count; ++i)
    {
        int rows = G->row_start[i + 1] - G->row_start[i];
        int position = pattern->position[pattern->bodies + i];
        const crn_saddle_front *front = &pattern->front[pattern->front_of[position]];
        for (int e = G->entry_start[i]; e < G->entry_start[i + 1]; ++e)
            scatter_joint(saddle, G->block[e], rows, *place++, G->value + G->value_start[e]);
        for (int k = 0; k < rows; ++k)
        {
            double R_c = problem->R_c[G->row_start[i] + k];
            *diagonal(saddle, front, pattern->row[position] + k) += R_c;
            saddle->compliance[pattern->row[position] + k] = R_c;
        }
    }
    for (int s = 0; s < pattern->front_count; ++s)
        for (int row = pattern->front[s].row; row < pattern->front[s].row + pattern->front[s].pivots; ++row)
            saddle->terms[row] = fabs(*diagonal(saddle, &pattern->front[s], row));
}

static cairn_status bad_pivot(const crn_saddle *saddle, cairn_context *context, int row, double pivot)
{
    assert(row >= 0 && row < saddle->pattern.size);
    const crn_saddle_pattern *pattern = &saddle->pattern;
    int position = 0;
    while (pattern->row[position + 1] <= row)
        ++position;
    int block = pattern->order[position];
    int inside = row - pattern->row[position];
    return crn_fail(context, CAIRN_NUMERIC, "the matrix A is not %s: row %d (block %d, its row %d) has the pivot %g",
                    saddle->any ? "regular" : "positive definite", pattern->start[block] + inside, block, inside,
                    pivot);
}

void crn_saddle_limit(crn_saddle *saddle, double deadline, double *work)
{
    assert(deadline >= 0.0);
    assert(!work || *work >= 0.0);
    saddle->deadline = deadline;
    saddle->work = work;
    saddle->begun = saddle->gave_up = false;
}

bool crn_saddle_gave_up(const crn_saddle *saddle)
{
    return saddle->gave_up;
}

/* Measures the speed of the elimination so far, for deadlines: the last fronts are the largest, and a single one can take longer
 * than all before it. */
typedef struct pace
{
    double begun;
    double work; /* operations, roughly */
} pace;

static double work_of(const crn_saddle_front *front)
{
    return (double)front->pivots * (double)front->width * (double)front->width;
}

static bool is_too_late(const crn_saddle *saddle, const crn_saddle_front *front, pace *p)
{
    if (saddle->deadline <= 0.0)
        return false;
    double now = crn_clock();
    p->begun = p->work > 0.0 ? p->begun : now;
    double needed = p->work > 0.0 ? work_of(front) * (now - p->begun) / p->work : 0.0;
    p->work += work_of(front);
    return now + OPTIMISM * needed >= saddle->deadline;
}

static double work_of_all(const crn_saddle_pattern *pattern)
{
    double work = 0.0;
    for (int s = 0; s < pattern->front_count; ++s)
        work += work_of(&pattern->front[s]);
    return work;
}

cairn_status crn_saddle_predict(crn_saddle *saddle, const cairn_problem *problem, double *work)
{
    cairn_status status = crn_saddle_pattern_update(&saddle->pattern, problem);
    *work = status ? INFINITY : work_of_all(&saddle->pattern);
    return status;
}

/* Take the work of a factorisation from the budget. Returns false where it does not suffice. */
static bool pay(crn_saddle *saddle)
{
    if (!saddle->work)
        return true;
    double needed = work_of_all(&saddle->pattern);
    bool affordable = (saddle->begun ? 1 : CRN_SADDLE_FEWEST) * needed <= *saddle->work;
    *saddle->work -= affordable ? needed : 0.0;
    saddle->begun = saddle->begun || affordable;
    return affordable;
}

static cairn_status factorise(crn_saddle *saddle, cairn_context *context, const cairn_problem *problem, bool any)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    cairn_status status = crn_saddle_pattern_update(&saddle->pattern, problem);
    saddle->gave_up = !status && !pay(saddle);
    if (saddle->gave_up)
        return CAIRN_NUMERIC;
    status = status ? status : reserve(saddle);
    if (status)
        return crn_fail(context, status, "no memory to factorise %d rows", problem->n + problem->joint_rows);
    saddle->any = any;
    saddle->dropped = 0;
    scatter(saddle, problem);
    pace p = {0.0, 0.0};
    for (int s = 0; s < pattern->front_count; ++s)
    {
        double pivot;
        saddle->gave_up = is_too_late(saddle, &pattern->front[s], &p);
        if (saddle->gave_up)
            return CAIRN_NUMERIC;
        int bad = crn_saddle_front_factorise(saddle, s, &pivot);
        if (bad >= 0)
            return bad_pivot(saddle, context, bad, pivot);
    }
    return CAIRN_OK;
}

cairn_status crn_saddle_factorise(crn_saddle *saddle, cairn_context *context, const cairn_problem *problem)
{
    return factorise(saddle, context, problem, false);
}

cairn_status crn_saddle_factorise_any(crn_saddle *saddle, cairn_context *context, const cairn_problem *problem)
{
    return factorise(saddle, context, problem, true);
}
