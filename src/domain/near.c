#include "domain/near.h"

#include "domain/fold.h"

typedef struct crn_near_cell
{
    int64_t at[3];
    double x[3]; /* m: of the image in the box */
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

cairn_status crn_near_build(crn_near *near, const crn_bodies *bodies, const double box[3], double skin)
{
    double sum = 0;
    near->bodies = NULL;
    memcpy(near->box, box, sizeof near->box);
    CRN_TRY(crn_reserve(&near->cell, &near->capacity, bodies->count + 1, sizeof *near->cell));
    for (size_t i = 0; i < bodies->count; ++i)
        sum += 2 * bodies->body[i].reach;
    near->side = skin + (bodies->count > 0 ? sum / (double)bodies->count : 1.0);
    for (size_t i = 0; i < bodies->count; ++i)
    {
        near->cell[i].body = i;
        for (int k = 0; k < 3; ++k)
        {
            near->cell[i].x[k] = crn_fold(bodies->body[i].anchor[k], box[k]);
            near->cell[i].at[k] = cell_at(near->cell[i].x[k], near->side);
        }
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
    const crn_near_cell place = {.at = {at[0], at[1], at[2]}};
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

/* Whether x is within range of a body, and no other image of x is nearer. */
static bool is_in(const crn_near *near, const crn_near_cell *cell, const double x[3], double range)
{
    for (int k = 0; k < 3; ++k)
    {
        double far = fabs(x[k] - cell->x[k]);
        if (far > range || (near->box[k] > 0 && far > 0.5 * near->box[k]))
            return false;
    }
    return true;
}

/* The cells around a place; how many rows of them. */
static double rows_around(const crn_near *near, const double x[3], double range, int64_t low[3], int64_t high[3])
{
    for (int k = 0; k < 3; ++k)
    {
        low[k] = cell_at(x[k] - range, near->side);
        high[k] = cell_at(x[k] + range, near->side);
    }
    return (double)(high[1] - low[1] + 1) * (double)(high[2] - low[2] + 1);
}

/* Around one image of a place. */
static void visit_image(const crn_near *near, const double x[3], double range, crn_near_found *found, void *data)
{
    size_t count = near->bodies->count;
    int64_t low[3], high[3];
    if (rows_around(near, x, range, low, high) > (double)count)
    {
        for (size_t i = 0; i < count; ++i)
            if (is_in(near, &near->cell[i], x, range))
                found(data, near->cell[i].body);
        return;
    }
    for (int64_t c = low[2]; c <= high[2]; ++c)
        for (int64_t b = low[1]; b <= high[1]; ++b)
        {
            size_t i = first_from(near, (const int64_t[3]){low[0], b, c});
            for (; i < count; ++i)
            {
                const crn_near_cell *cell = &near->cell[i];
                if (cell->at[2] != c || cell->at[1] != b || cell->at[0] > high[0])
                    break;
                if (is_in(near, cell, x, range))
                    found(data, cell->body);
            }
        }
}

void crn_near_visit(const crn_near *near, const double x[3], double range, crn_near_found *found, void *data)
{
    double image[3];
    if (!near->bodies || near->bodies->count == 0)
        return;
    for (int i = 0; i < CRN_FOLD_IMAGES; ++i)
        if (crn_fold_image(near->box, i, x, range, image))
            visit_image(near, image, range, found, data);
}
