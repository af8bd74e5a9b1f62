#include "solve/certify/fives.h"

#include "math/lanes.h"

#include <string.h>

enum
{
    ROWS = 5,
    UNKNOWNS = 6
};

static bool is_body(const cairn_problem *problem, int block)
{
    return problem->block_start[block + 1] - problem->block_start[block] == UNKNOWNS;
}

bool crn_are_fives(const cairn_problem *problem, int first)
{
    const cairn_block_rows *G = &problem->G;
    bool are = first + LANES <= G->item_count;
    for (int i = first; i < first + LANES && are; ++i)
    {
        int e = G->entry_start[i];
        are = G->row_start[i + 1] - G->row_start[i] == ROWS && G->entry_start[i + 1] - e == 2 &&
              is_body(problem, G->block[e]) && is_body(problem, G->block[e + 1]);
    }
    return are;
}

/* The same of six numbers, without reading beyond them. */
INLINE void read_six(const double *const from[LANES], int at, lanes out[UNKNOWNS])
{
    lanes last[LANES];
    lanes_read_four(from, at, out);
    lanes_read_four(from, at + 2, last);
    out[4] = last[2];
    out[5] = last[3];
}

/* One entry of each of the four joints: its numbers, and where its body's unknowns start. */
typedef struct entries
{
    const double *B[LANES];
    int start[LANES];
} entries;

INLINE entries entries_of(const cairn_problem *problem, int first, int side)
{
    const cairn_block_rows *G = &problem->G;
    entries out;
    UNROLL
    for (int l = 0; l < LANES; ++l)
    {
        int e = G->entry_start[first + l] + side;
        out.B[l] = G->value + G->value_start[e];
        out.start[l] = problem->block_start[G->block[e]];
    }
    return out;
}

INLINE void read_unknowns(const entries *of, const double *x, lanes out[UNKNOWNS])
{
    const double *from[LANES] = {x + of->start[0], x + of->start[1], x + of->start[2], x + of->start[3]};
    read_six(from, 0, out);
}

/* Add five numbers to each of four lists that follow each other. */
INLINE void add_rows(lanes row[ROWS], double *out)
{
    lanes last = row[4];
    lanes_transpose(row);
    UNROLL
    for (int l = 0; l < LANES; ++l, out += ROWS)
    {
        *(loose_lanes *)out += row[l];
        out[4] += last[l];
    }
}

INLINE void find_speeds(const cairn_problem *problem, int first, const double *x, double *speed)
{
    lanes sum[ROWS] = {{0.0}, {0.0}, {0.0}, {0.0}, {0.0}};
    UNROLL
    for (int side = 0; side < 2; ++side)
    {
        entries of = entries_of(problem, first, side);
        lanes own[UNKNOWNS], B[UNKNOWNS];
        read_unknowns(&of, x, own);
        UNROLL
        for (int i = 0; i < ROWS; ++i)
        {
            read_six(of.B, UNKNOWNS * i, B);
            UNROLL
            for (int k = 0; k < UNKNOWNS; ++k)
                sum[i] += lanes_size(B[k] * own[k]);
        }
    }
    speed += problem->G.row_start[first];
    memset(speed, 0, LANES * ROWS * sizeof(double));
    add_rows(sum, speed);
}

/* y -= of each of the four bodies, one after the other: they may be the same. */
INLINE void subtract(const entries *of, lanes more[UNKNOWNS], double *y)
{
    lanes last[LANES] = {more[2], more[3], more[4], more[5]};
    lanes_transpose(more);
    lanes_transpose(last);
    UNROLL
    for (int l = 0; l < LANES; ++l)
    {
        double *out = y + of->start[l];
        *(loose_lanes *)out -= more[l];
        out[4] -= last[l][2];
        out[5] -= last[l][3];
    }
}

INLINE void find_residuals(const cairn_problem *problem, int first, const double *v, const double *c, double *y,
                           double *u)
{
    int row = problem->G.row_start[first];
    lanes rate[ROWS] = {{0.0}, {0.0}, {0.0}, {0.0}, {0.0}}, impulse[ROWS];
    UNROLL
    for (int i = 0; i < ROWS; ++i)
        impulse[i] = (lanes){c[row + i], c[row + ROWS + i], c[row + 2 * ROWS + i], c[row + 3 * ROWS + i]};
    UNROLL
    for (int side = 0; side < 2; ++side)
    {
        entries of = entries_of(problem, first, side);
        lanes own[UNKNOWNS], B[UNKNOWNS], sum[UNKNOWNS] = {{0.0}, {0.0}, {0.0}, {0.0}, {0.0}, {0.0}};
        read_unknowns(&of, v, own);
        UNROLL
        for (int i = 0; i < ROWS; ++i)
        {
            read_six(of.B, UNKNOWNS * i, B);
            UNROLL
            for (int k = 0; k < UNKNOWNS; ++k)
            {
                rate[i] += B[k] * own[k];
                sum[k] += B[k] * impulse[i];
            }
        }
        subtract(&of, sum, y);
    }
    add_rows(rate, u + row);
}

WIDE static void wide_speeds(const cairn_problem *problem, int first, const double *x, double *speed)
{
    find_speeds(problem, first, x, speed);
}

static void plain_speeds(const cairn_problem *problem, int first, const double *x, double *speed)
{
    find_speeds(problem, first, x, speed);
}

void crn_fives_speeds(const cairn_problem *problem, int first, const double *x, double *speed)
{
    (HAS_WIDE ? wide_speeds : plain_speeds)(problem, first, x, speed);
}

WIDE static void wide_residuals(const cairn_problem *problem, int first, const double *v, const double *c, double *y,
                                double *u)
{
    find_residuals(problem, first, v, c, y, u);
}

static void plain_residuals(const cairn_problem *problem, int first, const double *v, const double *c, double *y,
                            double *u)
{
    find_residuals(problem, first, v, c, y, u);
}

void crn_fives_residuals(const cairn_problem *problem, int first, const double *v, const double *c, double *y,
                         double *u)
{
    (HAS_WIDE ? wide_residuals : plain_residuals)(problem, first, v, c, y, u);
}
