#include "domain/near.h"

#include <math.h>

typedef struct crn_near_cell
{
    int64_t at[3];
    size_t body;
} crn_near_cell;

static int by_place(const void *a, const void *b)
{
    const crn_near_cell *x = a, *y = b;
    for (int k = 2; k >= 0; --k)
        if (x->at[k] != y->at[k])
            return x->at[k] < y->at[k] ? -1 : 1;
    return (x->body > y->body) - (x->body < y->body);
}

static int64_t cell_at(double x, double side)
{
    const double most = 1e15;
    return (int64_t)floor(fmax(-most, fmin(most, x / side)));
}

cairn_status crn_near_build(crn_near *near, const crn_bodies *bodies, double skin)
{
    double sum = 0;
    near->bodies = NULL;
    CRN_TRY(crn_reserve(&near->cell, &near->capacity, bodies->count + 1, sizeof *near->cell));
    for (size_t i = 0; i < bodies->count; ++i)
        sum += 2 * bodies->body[i].reach;
    near->side = skin + (bodies->count > 0 ? sum / (double)bodies->count : 1.0);
    for (size_t i = 0; i < bodies->count; ++i)
    {
        near->cell[i].body = i;
        for (int k = 0; k < 3; ++k)
            near->cell[i].at[k] = cell_at(bodies->body[i].anchor[k], near->side);
    }
    if (bodies->count > 0)
        qsort(near->cell, bodies->count, sizeof *near->cell, by_place);
    near->bodies = bodies;
    return CAIRN_OK;
}

void crn_near_free(crn_near *near)
{
    free(near->cell);
    *near = (crn_near){0};
}

/* The first cell that is not before a place. */
static size_t first_from(const crn_near *near, const int64_t at[3])
{
    size_t low = 0, high = near->bodies->count;
    const crn_near_cell place = {{at[0], at[1], at[2]}, 0};
    while (low < high)
    {
        size_t middle = (low + high) / 2;
        if (by_place(&near->cell[middle], &place) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_in(const double x[3], const double y[3], double range)
{
    return fabs(x[0] - y[0]) <= range && fabs(x[1] - y[1]) <= range && fabs(x[2] - y[2]) <= range;
}

void crn_near_visit(const crn_near *near, const double x[3], double range, crn_near_found *found, void *data)
{
    const crn_bodies *bodies = near->bodies;
    int64_t low[3], high[3];
    double rows = 1;
    if (!bodies || bodies->count == 0)
        return;
    for (int k = 0; k < 3; ++k)
    {
        low[k] = cell_at(x[k] - range, near->side);
        high[k] = cell_at(x[k] + range, near->side);
        rows *= k > 0 ? (double)(high[k] - low[k] + 1) : 1.0;
    }
    if (rows > (double)bodies->count)
    {
        for (size_t i = 0; i < bodies->count; ++i)
            if (is_in(bodies->body[i].anchor, x, range))
                found(data, i);
        return;
    }
    for (int64_t c = low[2]; c <= high[2]; ++c)
        for (int64_t b = low[1]; b <= high[1]; ++b)
        {
            size_t i = first_from(near, (const int64_t[3]){low[0], b, c});
            for (; i < bodies->count; ++i)
            {
                const crn_near_cell *cell = &near->cell[i];
                if (cell->at[2] != c || cell->at[1] != b || cell->at[0] > high[0])
                    break;
                if (is_in(bodies->body[cell->body].anchor, x, range))
                    found(data, cell->body);
            }
        }
}
