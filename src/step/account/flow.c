/* Flow through the planes of statistics.
 *
 * A dynamic body passes when its centre of mass goes from one side of the plane to the other between the ends of a step: with the
 * signed distances d = n (x - p), from d < 0 to d >= 0 it counts as plus its mass, the other way as minus. Every crossing is thus
 * counted once, whatever the steps, and a body that comes back cancels itself. With a region, the point where the straight line
 * between the two positions meets the plane must lie in it.
 */
#include "math/vec.h"
#include "model/periodic.h"
#include "step/account/account.h"
#include "step/simulation.h"

#include <assert.h>
#include <string.h>

/* +1, -1 or 0: how a body passed since time t. In a periodic box its image nearest to the point of the plane counts. */
static int passing(const cairn_simulation *s, const crn_statistic *statistic, double t, const double before[3],
                   const double after[3])
{
    double from[3], near[3], to[3], at[3];
    crn_sub3(before, statistic->point, from);
    memcpy(near, from, sizeof near);
    crn_box_shorten(s->model, t, near);
    crn_sub3(after, statistic->point, to);
    for (int k = 0; k < 3; ++k)
        to[k] -= from[k] - near[k];
    double d0 = crn_dot3(statistic->normal, near), d1 = crn_dot3(statistic->normal, to);
    if ((d0 < 0) == (d1 < 0))
        return 0;
    crn_sub3(to, near, at);
    crn_madd3(near, d0 / (d0 - d1), at, at);
    crn_add3(statistic->point, at, at);
    return crn_zone_holds(&statistic->region, at) ? (d0 < 0 ? 1 : -1) : 0;
}

static void count_bodies(const cairn_simulation *s, const crn_statistic *statistic, const double *q, double t,
                         crn_passed *passed)
{
    int n = s->model->dimension;
    for (int b = 0; b < (int)s->model->body_count; ++b)
    {
        int block = s->layout->body_block[b];
        double before[3] = {0}, after[3] = {0};
        if (block < 0 || crn_is_absent(s->layout, b))
            continue;
        memcpy(before, q + s->layout->q_start[block], (size_t)n * sizeof(double));
        memcpy(after, s->state.q + s->layout->q_start[block], (size_t)n * sizeof(double));
        int way = passing(s, statistic, t, before, after);
        passed->now += way * s->layout->mass[b];
        passed->bodies += way;
    }
}

void crn_book_flow(cairn_simulation *s, const double *q, double t, int steps)
{
    assert(steps > 0);
    for (size_t i = 0; i < s->model->statistic_count; ++i)
    {
        crn_passed *passed = &s->state.passed[i];
        passed->now = 0;
        if (s->model->statistics[i].has_plane)
            count_bodies(s, &s->model->statistics[i], q, t, passed);
        passed->mass += passed->now;
        passed->now /= steps;
    }
}
