/* Momentum: sweeps that go on in the direction in which the last ones went.
 *
 * A sweep forwards and one backwards are one step of a fixed-point iteration x -> F(x) of the impulses. Where no contact changes between
 * open, stuck and sliding, F is affine, and since it is symmetric in the metric of the problem, the error of F shrinks by real factors
 * between 0 and 1: slowly in the modes that are as large as the heap, by 1 - e with a small e. Plain pairs of sweeps need some 1 / e of them. After
 *
 *     x_k = F(y_k) ,     y_k+1 = x_k + b (x_k - x_k-1) + g (x_k - y_k) ,
 *
 * (Nesterov 1983; with g Kim and Fessler 2016) a mode with the factor f is that of a damped oscillator,
 *
 *     z^2 = ((1 + b + g) f - g) z - b f .
 *
 * It shrinks by the root of b f where that is complex, so that some e^-1/2 pairs do with the best b; the slowest ones go as 1 - e (1 + g) / (1 - b), and
 * the fastest, which a sweep would end at once, as -g. These need some pairs to die out: so g grows with the number of pairs, up to `further`;
 * b is `share`. What is kept between two pairs is one vector,
 *
 *     t_k = (b x_k-1 + g y_k) / (b + g) :     y_k+1 = x_k + (b + g) (x_k - t_k) ,     t_k+1 = x_k + g (x_k - t_k) .
 *
 * Contacts that open or slip make F piecewise affine; what goes too far there is projected by the next visit, since a visit takes any impulse and
 * leaves a lawful one. The last pair is not pushed on, so that all impulses in the end are lawful. Fixed points are those of F: there y_k = x_k = x_k-1.
 *
 * Velocities are affine in the impulses, v = v^free + A^-1 H' r. So with the same shares for all contacts and bodies, the bodies' velocities go
 * with the impulses without any sum over contacts. Contacts are pushed as they are visited backwards for the last
 * time, since nobody else reads their impulses; the bodies of a slab, once its contacts have been visited, which a backward sweep does last.
 * No thread waits for another one because of this.
 *
 * The impulses that are kept are world vectors, stored in the order of the segments: so room for one per contact is enough, and the
 * caller's array of impulses will do, which is read before the first sweep and written after the last.
 */
#include "solve/compact/packed.h"

#include "base/foresee.h"

#include <math.h>
#include <string.h>

enum
{
    AHEAD = 8 /* bodies: memory is asked for so far ahead */
};

static const double PER_PAIR = 0.1; /* of g */

/* Where the impulses of each segment are kept. */
static void place_impulses(crn_compact *compact)
{
    double *room = compact->has_momentum ? compact->problem->momentum.impulse[0] : NULL;
    for (int k = 0; k < compact->segment_count; ++k)
    {
        compact->segment[k].before = room;
        room = room ? room + 3 * compact->segment[k].contact_count : NULL;
    }
}

cairn_status crn_compact_plan_momentum(crn_compact *compact)
{
    const crn_compact_problem *problem = compact->problem;
    int slabs = compact->slab_count > 0 ? compact->slab_count : 1, next[CRN_COMPACT_SLABS + 1] = {0};
    compact->has_momentum = problem->momentum.impulse && problem->contact_count > 0 && !problem->rolling;
    place_impulses(compact);
    if (!compact->has_momentum)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&compact->memory, CRN_ARRAY(compact->member, problem->body_count)));
    for (int i = 0; i < problem->body_count; ++i)
        if (!compact->site[i].is_held)
            ++next[compact->site[i].slab + 1];
    for (int slab = 0; slab < slabs; ++slab)
        next[slab + 1] += next[slab];
    for (int slab = 0; slab <= slabs; ++slab)
        compact->slab_member[slab] = next[slab];
    for (int i = 0; i < problem->body_count; ++i)
        if (!compact->site[i].is_held)
            compact->member[next[compact->site[i].slab]++] = i;
    return CAIRN_OK;
}

/* The first forward sweep keeps what it starts from; the backward ones after it push, but not the very last sweep. */
crn_compact_pace crn_compact_pace_of(const crn_compact *compact, int i, int count)
{
    const crn_compact_momentum *momentum = &compact->problem->momentum;
    bool is_backward = compact->is_backward ^ (i & 1);
    int kept = compact->is_backward; /* the sweep that keeps */
    double beyond = fmin(momentum->further, PER_PAIR * (count / 2));
    return (crn_compact_pace){.keeps = compact->has_momentum && i == kept && count > kept + 2,
                              .pushes = compact->has_momentum && is_backward && i > kept && i + 1 < count,
                              .share = momentum->share + beyond,
                              .beyond = beyond};
}

static inline void push(double v[3], double before[3], crn_compact_pace pace)
{
    double now[3] = {v[0], v[1], v[2]}, change[3] = {v[0] - before[0], v[1] - before[1], v[2] - before[2]};
    for (int k = 0; k < 3; ++k)
    {
        v[k] = now[k] + pace.share * change[k];
        before[k] = now[k] + pace.beyond * change[k];
    }
}

static void push_bodies(const crn_compact *compact, int first, int end, crn_compact_pace pace)
{
    const int *member = compact->member;
    double(*before)[6] = compact->problem->momentum.velocity;
    bool is_far = compact->problem->contact_count >= CRN_FAR;
    for (int i = first; i < end; ++i)
    {
        crn_compact_body *body = &compact->body[member[i]];
        if (is_far && i + AHEAD < end)
        {
            crn_foresee_write(&compact->body[member[i + AHEAD]], 0);
            crn_foresee_write(before[i + AHEAD], 0);
        }
        push(body->v, before[i], pace);
        push(body->w, before[i] + 3, pace);
    }
}

static void keep_bodies(const crn_compact *compact, int first, int end)
{
    double(*before)[6] = compact->problem->momentum.velocity;
    for (int i = first; i < end; ++i)
    {
        const crn_compact_body *body = &compact->body[compact->member[i]];
        memcpy(before[i], body->v, sizeof body->v);
        memcpy(before[i] + 3, body->w, sizeof body->w);
    }
}

void crn_compact_pace_bodies(const crn_compact *compact, int part, crn_compact_pace pace)
{
    int slabs = compact->slab_count > 0 ? compact->slab_count : 1;
    if (part >= slabs)
        return;
    int first = compact->slab_member[part], end = compact->slab_member[part + 1];
    if (pace.pushes)
        push_bodies(compact, first, end, pace);
    else
        keep_bodies(compact, first, end);
}
