#include "populate/balls.h"

#include "math/vec.h"

#include <assert.h>
#include <math.h>

static int cell_along(const crn_balls *balls, int axis, double x)
{
    double at = floor((x - balls->lower[axis]) / balls->cell);
    return at < 0 ? 0 : at >= balls->cells[axis] ? balls->cells[axis] - 1 : (int)at;
}

static size_t cell_of(const crn_balls *balls, const int at[3])
{
    return ((size_t)at[2] * (size_t)balls->cells[1] + (size_t)at[1]) * (size_t)balls->cells[0] + (size_t)at[0];
}

cairn_status crn_balls_open(crn_balls *balls, const crn_bounds *bounds, int dimension, int count, const double *radius,
                            double (*x)[3])
{
    *balls = (crn_balls){.dimension = dimension, .count = count, .radius = radius, .x = x, .cells = {1, 1, 1}};
    for (int i = 0; i < count; ++i)
        balls->most = fmax(balls->most, radius[i]);
    assert(count == 0 || balls->most > 0);
    double cells = INFINITY, room = 4.0 * count + 64;
    for (balls->cell = 2 * balls->most; cells > room; balls->cell *= 1.26)
    {
        cells = 1;
        for (int k = 0; k < dimension; ++k)
            cells *= fmax(ceil((bounds->upper[k] - bounds->lower[k]) / balls->cell), 1);
        if (cells <= room)
            break;
    }
    size_t all = 1;
    for (int k = 0; k < 3; ++k)
    {
        balls->lower[k] = bounds->lower[k];
        if (k < dimension)
            balls->cells[k] = (int)fmax(ceil((bounds->upper[k] - bounds->lower[k]) / balls->cell), 1);
        all *= (size_t)balls->cells[k];
    }
    CRN_TRY(crn_reserve_all(&balls->memory, CRN_ARRAY(balls->first, all), CRN_ARRAY(balls->next, count)));
    crn_balls_clear(balls);
    return CAIRN_OK;
}

void crn_balls_close(crn_balls *balls)
{
    crn_arena_release(&balls->memory);
    *balls = (crn_balls){.count = 0};
}

void crn_balls_clear(crn_balls *balls)
{
    size_t all = (size_t)balls->cells[0] * (size_t)balls->cells[1] * (size_t)balls->cells[2];
    for (size_t i = 0; i < all; ++i)
        balls->first[i] = -1;
    for (int i = 0; i < balls->count; ++i)
        balls->next[i] = -2;
}

void crn_balls_insert(crn_balls *balls, int ball)
{
    assert(ball >= 0 && ball < balls->count && balls->next[ball] == -2);
    int at[3] = {0};
    for (int k = 0; k < balls->dimension; ++k)
        at[k] = cell_along(balls, k, balls->x[ball][k]);
    int *first = &balls->first[cell_of(balls, at)];
    balls->next[ball] = *first;
    *first = ball;
}

bool crn_balls_visit(const crn_balls *balls, const double x[3], double reach, crn_visit_ball visit, void *data)
{
    int low[3] = {0}, high[3] = {0}, at[3];
    for (int k = 0; k < balls->dimension; ++k)
    {
        low[k] = cell_along(balls, k, x[k] - reach);
        high[k] = cell_along(balls, k, x[k] + reach);
    }
    for (at[2] = low[2]; at[2] <= high[2]; ++at[2])
        for (at[1] = low[1]; at[1] <= high[1]; ++at[1])
            for (at[0] = low[0]; at[0] <= high[0]; ++at[0])
                for (int ball = balls->first[cell_of(balls, at)]; ball >= 0; ball = balls->next[ball])
                    if (!visit(data, ball))
                        return false;
    return true;
}

typedef struct place
{
    const crn_balls *balls;
    const double *x;
    double radius, clear;
} place;

static bool is_clear(void *data, int ball)
{
    const place *p = data;
    double off[3], apart = p->radius + p->balls->radius[ball] + p->clear;
    crn_sub3(p->balls->x[ball], p->x, off);
    return crn_dot3(off, off) >= apart * apart;
}

bool crn_balls_clear_of(const crn_balls *balls, const double x[3], double radius, double clear)
{
    place p = {balls, x, radius, clear};
    return crn_balls_visit(balls, x, radius + balls->most + clear, is_clear, &p);
}
