#include "domain/curve.h"

#include "domain/fold.h"

#include <assert.h>
#include <string.h>

crn_curve crn_curve_over(const double low[3], const double high[3], double cell)
{
    crn_curve curve = {.side = cell, .levels = 0};
    for (int k = 0; k < 3; ++k)
    {
        curve.low[k] = low[k];
        curve.side = fmax(curve.side, high[k] - low[k]);
    }
    while (curve.levels < CRN_CURVE_LEVELS && ldexp(curve.side, -curve.levels - 1) >= cell)
        ++curve.levels;
    return curve;
}

crn_curve crn_curve_in(const double box[3], const double low[3], const double high[3], double cell)
{
    double begin[3], end[3];
    for (int k = 0; k < 3; ++k)
    {
        begin[k] = box[k] > 0 ? -0.5 * box[k] : low[k];
        end[k] = box[k] > 0 ? 0.5 * box[k] : high[k];
    }
    crn_curve curve = crn_curve_over(begin, end, cell);
    memcpy(curve.box, box, sizeof curve.box);
    return curve;
}

/* ---------------------------------------------------------------------------------------------------------------- keys */

/* The cell of a coordinate, of those of the finest level. */
static uint32_t cell_of(const crn_curve *curve, double x, int k)
{
    double cells = ldexp(1, curve->levels), at = floor((x - curve->low[k]) / curve->side * cells);
    return at > 0 ? (uint32_t)fmin(at, cells - 1) : 0;
}

/* Skilling's transformation of coordinates with `bits` bits, in place. */
static void transpose(uint32_t x[3], int bits)
{
    for (uint32_t q = bits > 0 ? 1u << (bits - 1) : 0; q > 1; q >>= 1)
        for (int k = 0; k < 3; ++k)
            if (x[k] & q)
                x[0] ^= q - 1;
            else
            {
                uint32_t swap = (x[0] ^ x[k]) & (q - 1);
                x[0] ^= swap;
                x[k] ^= swap;
            }
    x[1] ^= x[0];
    x[2] ^= x[1];
    uint32_t flip = 0;
    for (uint32_t q = bits > 0 ? 1u << (bits - 1) : 0; q > 1; q >>= 1)
        if (x[2] & q)
            flip ^= q - 1;
    for (int k = 0; k < 3; ++k)
        x[k] ^= flip;
}

static uint64_t key_of(const uint32_t cell[3], int bits)
{
    uint32_t x[3] = {cell[0], cell[1], cell[2]};
    transpose(x, bits);
    uint64_t key = 0;
    for (int bit = bits - 1; bit >= 0; --bit)
        for (int k = 0; k < 3; ++k)
            key = key << 1 | (x[k] >> bit & 1);
    return key;
}

uint64_t crn_curve_key(const crn_curve *curve, const double x[3])
{
    uint32_t cell[3];
    for (int k = 0; k < 3; ++k)
        cell[k] = cell_of(curve, crn_fold(x[k], curve->box[k]), k);
    return key_of(cell, curve->levels);
}

/* --------------------------------------------------------------------------------------------------------------- ranks */

int crn_curve_rank(const uint64_t *cut, int ranks, uint64_t key)
{
    int low = 0, high = ranks; /* cut[low] <= key < cut[high] */
    while (high - low > 1)
    {
        int middle = (low + high) / 2;
        if (cut[middle] <= key)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A box of cells, and what is looked for in it. */
typedef struct visit
{
    const crn_curve *curve;
    const uint64_t *cut;
    int ranks;
    uint32_t low[3], high[3];
    bool *marked;
    int *list, length;
} visit;

static void mark(visit *v, int rank)
{
    if (!v->marked[rank])
        v->list[v->length++] = rank;
    v->marked[rank] = true;
}

/* Octants that lie in one stretch are marked; others are divided. */
static void look(visit *v, const uint32_t octant[3], int level)
{
    int below = v->curve->levels - level;
    for (int k = 0; k < 3; ++k)
        if (octant[k] > v->high[k] >> below || octant[k] < v->low[k] >> below)
            return;
    uint64_t first = key_of(octant, level) << (3 * below), last = first + ((UINT64_C(1) << (3 * below)) - 1);
    int rank = crn_curve_rank(v->cut, v->ranks, first);
    if (rank == crn_curve_rank(v->cut, v->ranks, last))
    {
        mark(v, rank);
        return;
    }
    assert(below > 0);
    for (uint32_t child = 0; child < 8; ++child)
    {
        const uint32_t part[3] = {2 * octant[0] + (child & 1), 2 * octant[1] + (child >> 1 & 1),
                                  2 * octant[2] + (child >> 2)};
        look(v, part, level + 1);
    }
}

int crn_curve_near(const crn_curve *curve, const uint64_t *cut, int ranks, const double low[3], const double high[3],
                   bool *marked, int *list, int length)
{
    visit v = {.curve = curve, .cut = cut, .ranks = ranks, .marked = marked, .list = list, .length = length};
    for (int k = 0; k < 3; ++k)
    {
        v.low[k] = cell_of(curve, low[k], k);
        v.high[k] = cell_of(curve, high[k], k);
    }
    look(&v, (const uint32_t[3]){0, 0, 0}, 0);
    return v.length;
}
