/* Deposition: grain after grain is let fall from a random place at the upper end of the region. It goes down in small steps; where it
 * runs into grains or the border, it is pushed out along the normals, and so rolls down over them. It rests where no step gets it
 * lower any more. Only places without overlap are kept, so that the packing is free of it however the search ends. */
#include "populate/pack.h"

#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    DROPS = 40,   /* places tried for a grain */
    PUSHES = 6,   /* rounds of pushing out after a step */
    ATTEMPTS = 5, /* directions of a step */
    STEPS = 20000 /* of one grain */
};

static const double FIRST = 0.7, LAST = 1e-3; /* length of the steps, of the grain's radius */
static const double ENOUGH = 0.02;            /* how much lower a step must get, of its length */

typedef struct push
{
    const crn_balls *balls;
    double *x;
    double radius, clear;
} push;

static bool push_out(void *data, int ball)
{
    push *p = data;
    double off[3], apart = p->radius + p->balls->radius[ball] + p->clear;
    crn_sub3(p->x, p->balls->x[ball], off);
    double distance = crn_norm3(off);
    if (distance < apart && distance > 0)
        crn_madd3(p->balls->x[ball], apart / distance, off, p->x);
    return true;
}

/* Push a ball out of others and into the region. True when it is free then. */
static bool settle(crn_packing *p, double x[3], double radius, double lowest, bool *failed)
{
    crn_balls *balls = p->balls;
    double clear = CRN_PACKING_CLEAR * balls->most, inward[3];
    push out = {balls, x, radius, 2 * clear};
    for (int i = 0; i < PUSHES && !*failed; ++i)
    {
        crn_balls_visit(balls, x, radius + balls->most + 2 * clear, push_out, &out);
        for (int wall = 0; wall < 3; ++wall)
        {
            double depth = crn_region_slope(p->region, x, inward);
            if (depth >= radius)
                break;
            crn_madd3(x, radius + clear - depth, inward, x);
        }
        if (!(crn_dot3(x, p->down) > lowest))
            return false;
        if (crn_packing_fits(p, x, radius, failed))
            return true;
    }
    return false;
}

/* A step down; the later tries also go to a random side, as no grain stays on top of another one. */
static void aim(crn_packing *p, int attempt, double step, const double x[3], double out[3])
{
    crn_madd3(x, step, p->down, out);
    double aside[3] = {0};
    for (int k = 0; k < p->region->dimension && attempt > 0; ++k)
        aside[k] = 2 * crn_random_unit(p->random) - 1;
    crn_madd3(aside, -crn_dot3(aside, p->down), p->down, aside);
    crn_madd3(out, step, aside, out);
}

/* Go down by a length within which there is nothing. */
static bool fall(crn_packing *p, double x[3], double radius, double far, bool *failed)
{
    double next[3];
    crn_madd3(x, far, p->down, next);
    if (p->region->kind == CAIRN_REGION_MESH && crn_region_depth(p->region, x) < far)
        return false; /* between two places of a mesh there may be a border */
    if (!crn_balls_clear_of(p->balls, x, radius, far) ||
        crn_obstacles_meet(p->obstacles, x, radius, far, failed) >= 0 || !crn_packing_stands(p, next, radius, failed))
        return false;
    memcpy(x, next, sizeof next);
    return true;
}

/* Let a ball at a free place go down as far as it can. */
static void roll(crn_packing *p, double x[3], double radius, bool *failed)
{
    double step = FIRST * radius;
    for (double far = p->balls->cell; far > step; far *= 0.5)
        while (fall(p, x, radius, far, failed))
            ;
    for (int i = 0; i < STEPS && step > LAST * radius && !*failed; ++i)
    {
        bool lower = false;
        for (int attempt = 0; attempt < ATTEMPTS && !lower; ++attempt)
        {
            double next[3];
            aim(p, attempt, step, x, next);
            lower = settle(p, next, radius, crn_dot3(x, p->down) + ENOUGH * step, failed);
            if (lower)
                memcpy(x, next, sizeof next);
        }
        step *= lower ? 1 : 0.5;
    }
}

/* A random place as high as possible: of a few free ones, the highest. */
static bool drop(crn_packing *p, double radius, double x[3], bool *failed)
{
    bool found = false;
    for (int i = 0; i < DROPS && !*failed; ++i)
    {
        double at[3];
        crn_region_draw(p->region, p->random, at);
        bool higher = !found || crn_dot3(at, p->down) < crn_dot3(x, p->down);
        if (!higher || !crn_packing_fits(p, at, radius, failed))
            continue;
        memcpy(x, at, sizeof at);
        found = true;
        if (i >= DROPS / 4)
            break;
    }
    return found;
}

cairn_status crn_pack_deposit(crn_packing *p)
{
    crn_balls *balls = p->balls;
    bool failed = false;
    if (crn_norm3(p->down) == 0)
        return crn_fail(p->context, CAIRN_INVALID, "population '%s': packing: without gravity nothing is deposited",
                        p->name);
    for (int i = 0; i < balls->count; ++i)
    {
        double *x = balls->x[i];
        bool found = drop(p, balls->radius[i], x, &failed);
        if (failed)
            return crn_fail(p->context, CAIRN_NO_MEMORY, "population '%s': memory ran out", p->name);
        if (!found)
            return crn_fail(p->context, CAIRN_INVALID,
                            "population '%s': packing: %d of its %d grains were deposited, then the region was full",
                            p->name, i, balls->count);
        roll(p, x, balls->radius[i], &failed);
        crn_balls_insert(balls, i);
    }
    return CAIRN_OK;
}
