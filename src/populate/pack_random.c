/* Random sequential packing: grain after grain, the largest first, gets the first of its random places that is free. Equal balls jam
 * so at a share of 0.38, discs at 0.55; the tries rise steeply before. A grain that finds no place after TRIES of them ends it. */
#include "populate/pack.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum
{
    TRIES = 20000
};

bool crn_packing_stands(crn_packing *p, const double x[3], double radius, bool *failed)
{
    return crn_region_depth(p->region, x) >= radius &&
           crn_obstacles_meet(p->obstacles, x, radius, CRN_PACKING_CLEAR * p->balls->most, failed) < 0;
}

bool crn_packing_fits(crn_packing *p, const double x[3], double radius, bool *failed)
{
    return crn_region_depth(p->region, x) >= radius &&
           crn_balls_clear_of(p->balls, x, radius, CRN_PACKING_CLEAR * p->balls->most) &&
           crn_obstacles_meet(p->obstacles, x, radius, CRN_PACKING_CLEAR * p->balls->most, failed) < 0;
}

double crn_packing_share(const crn_packing *p, const int *order, int count)
{
    double sum = 0;
    for (int i = 0; i < count; ++i)
    {
        double r = p->balls->radius[order ? order[i] : i];
        sum +=
            p->region->dimension == 2 ? 3.14159265358979323846 * r * r : 4.0 / 3.0 * 3.14159265358979323846 * r * r * r;
    }
    return sum / p->region->volume;
}

typedef struct rank
{
    double radius;
    int ball;
} rank;

static int larger_first(const void *a, const void *b)
{
    const rank *x = a, *y = b;
    return x->radius != y->radius ? (x->radius < y->radius) - (x->radius > y->radius)
                                  : (x->ball > y->ball) - (x->ball < y->ball);
}

static cairn_status place_all(crn_packing *p, rank *order)
{
    crn_balls *balls = p->balls;
    bool failed = false;
    for (int i = 0; i < balls->count; ++i)
    {
        int ball = order[i].ball, tries = 0;
        double *x = balls->x[ball];
        do
            crn_region_draw(p->region, p->random, x);
        while (!crn_packing_fits(p, x, balls->radius[ball], &failed) && !failed && ++tries < TRIES);
        if (failed)
            return crn_fail(p->context, CAIRN_NO_MEMORY, "population '%s': memory ran out", p->name);
        if (tries >= TRIES)
            return crn_fail(
                p->context, CAIRN_INVALID,
                "population '%s': packing: random places were found for %d of its %d grains, and %d more tries found "
                "none for the next; together they would fill %.3g of the region: take fewer, a larger region or "
                "another packing",
                p->name, i, balls->count, TRIES, crn_packing_share(p, NULL, balls->count));
        crn_balls_insert(balls, ball);
    }
    return CAIRN_OK;
}

cairn_status crn_pack_random(crn_packing *p)
{
    int count = p->balls->count;
    rank *order = malloc((size_t)(count > 0 ? count : 1) * sizeof *order);
    if (!order)
        return crn_fail(p->context, CAIRN_NO_MEMORY, "population '%s': memory ran out", p->name);
    for (int i = 0; i < count; ++i)
        order[i] = (rank){p->balls->radius[i], i};
    qsort(order, (size_t)count, sizeof *order, larger_first);
    cairn_status status = place_all(p, order);
    free(order);
    return status;
}
