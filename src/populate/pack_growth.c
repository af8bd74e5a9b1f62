/* Growth, after Lubachevsky and Stillinger (1990): all grains start as small balls at random places and grow together; those that
 * touch push each other aside, and the border pushes them in. Instead of following collisions in time,
 * every size of a rising sequence is relaxed by sweeps over the overlapping pairs. The last size is larger than the grains by GAP, and
 * it is relaxed until overlaps are less than that: then the grains themselves overlap nowhere. */
#include "populate/pack.h"

#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    SIZES = 120,        /* from the first to the last */
    SWEEPS = 30,        /* of one size, at most */
    LAST_SWEEPS = 3000, /* of the last one */
    STALLED = 150
};

static const double SMALLEST = 0.2, GAP = 1e-3, LOOSE = 0.03;
static const double PUSH = 0.9; /* of the overlap, each: over-relaxed, 0.5 would part the two exactly */

typedef struct growth
{
    crn_packing *packing;
    double scale;
    double worst; /* the largest overlap, of the sum of the radii */
    int ball;
} growth;

static bool part(void *data, int other)
{
    growth *g = data;
    crn_balls *balls = g->packing->balls;
    if (other >= g->ball)
        return true;
    double *x = balls->x[g->ball], *y = balls->x[other], off[3];
    double apart = g->scale * (balls->radius[g->ball] + balls->radius[other]);
    crn_sub3(x, y, off);
    double distance = crn_norm3(off);
    if (distance >= apart)
        return true;
    double by = distance > 0 ? PUSH * (apart - distance) / distance : 0;
    crn_madd3(x, by, off, x);
    crn_madd3(y, -by, off, y);
    g->worst = fmax(g->worst, 1 - distance / apart);
    return true;
}

/* One sweep over all pairs and the border. */
static void sweep(growth *g)
{
    crn_packing *p = g->packing;
    crn_balls *balls = p->balls;
    g->worst = 0;
    crn_balls_clear(balls);
    for (int i = 0; i < balls->count; ++i)
        crn_balls_insert(balls, i);
    for (g->ball = 0; g->ball < balls->count; ++g->ball)
    {
        double inward[3], *x = balls->x[g->ball], radius = g->scale * balls->radius[g->ball];
        double depth = crn_region_slope(p->region, x, inward);
        for (int wall = 0; wall < 3 && depth < radius; ++wall)
        {
            g->worst = fmax(g->worst, (radius - depth) / (2 * radius));
            crn_madd3(x, radius - depth, inward, x);
            depth = crn_region_slope(p->region, x, inward);
        }
        crn_balls_visit(balls, x, radius + g->scale * balls->most, part, g);
    }
}

/* Sweep at a size, from 0, the smallest, to 1, the last, until overlaps are small or shrink no more: STALLED sweeps bring them down by
 * less than a tenth. */
static void relax(growth *g, double size, int sweeps, double small)
{
    double best = INFINITY;
    g->scale = SMALLEST + (1 + GAP - SMALLEST) * size;
    g->worst = 1;
    for (int i = 0, last = 0; i < sweeps && g->worst > small && i - last < STALLED; ++i)
    {
        sweep(g);
        if (g->worst < 0.9 * best)
        {
            best = g->worst;
            last = i;
        }
    }
}

/* Whether all grains are free at their full size, as they are now. */
static cairn_status verify(crn_packing *p, bool *fine)
{
    crn_balls *balls = p->balls;
    bool failed = false;
    *fine = true;
    crn_balls_clear(balls);
    for (int i = 0; i < balls->count && *fine && !failed; ++i)
    {
        const double *x = balls->x[i];
        *fine = crn_region_depth(p->region, x) >= balls->radius[i] && crn_balls_clear_of(balls, x, balls->radius[i], 0);
        int body = crn_obstacles_meet(p->obstacles, x, balls->radius[i], 0, &failed);
        if (body >= 0)
            return crn_fail(p->context, CAIRN_INVALID,
                            "population '%s': packing: the body '%s' is in the region; grains that grow need all of it",
                            p->name, p->obstacles->model->bodies[body].name);
        crn_balls_insert(balls, i);
    }
    return failed ? crn_fail(p->context, CAIRN_NO_MEMORY, "population '%s': memory ran out", p->name) : CAIRN_OK;
}

cairn_status crn_pack_growth(crn_packing *p)
{
    crn_balls *balls = p->balls;
    growth g = {.packing = p};
    for (int i = 0; i < balls->count; ++i)
    {
        int tries = 0;
        do
            crn_region_draw(p->region, p->random, balls->x[i]);
        while (crn_region_depth(p->region, balls->x[i]) < 0 && ++tries < 100000);
    }
    for (int k = 1; k < SIZES; ++k)
        relax(&g, (double)k / SIZES, SWEEPS, LOOSE);
    relax(&g, 1, LAST_SWEEPS, 0.5 * GAP);
    bool fine;
    CRN_TRY(verify(p, &fine));
    return fine ? CAIRN_OK
                : crn_fail(p->context, CAIRN_INVALID,
                           "population '%s': packing: its %d grains jam before they have grown to their size, at which "
                           "they would "
                           "fill %.3g of the region: take fewer or a larger region",
                           p->name, balls->count, crn_packing_share(p, NULL, balls->count));
}
