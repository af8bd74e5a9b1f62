#include "solve/compact/packed.h"

#include "base/parallel_ranges.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    ENOUGH = 2048 /* contacts per thread that pay for waking it */
};

/* Elsewhere the compiler makes four lanes of what there is. */
int crn_compact_widest(void)
{
#if defined __x86_64__
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") ? 8 : __builtin_cpu_supports("avx2") ? 4 : 1;
#else
    return 4;
#endif
}

crn_compact *crn_compact_create(crn_scratch *scratch)
{
    crn_compact *compact = calloc(1, sizeof(crn_compact));
    if (!compact)
        return NULL;
    compact->lanes = crn_compact_widest();
    compact->scratch = scratch ? scratch : &compact->own;
    return compact;
}

void crn_compact_destroy(crn_compact *compact)
{
    if (!compact)
        return;
    crn_arena_release(&compact->memory);
    crn_scratch_release(&compact->own);
    free(compact);
}

int crn_compact_lanes(crn_compact *compact, int lanes)
{
    assert(lanes == 1 || lanes == 4 || lanes == 8);
    int most = crn_compact_widest();
    compact->lanes = lanes < most ? lanes : most;
    return compact->lanes;
}

int crn_compact_shares(const crn_compact_problem *problem)
{
    int most =
        problem->contact_count / ENOUGH < CRN_COMPACT_SHARES ? problem->contact_count / ENOUGH : CRN_COMPACT_SHARES;
    int shares = problem->threads < most ? problem->threads : most;
    return shares > 1 ? shares : 1;
}

cairn_status crn_compact_load(crn_compact *compact, const crn_compact_problem *problem, const double (*impulse)[3])
{
    assert(problem->body_count >= 0 && problem->contact_count >= 0);
    assert(problem->law == CAIRN_LAW_FRICTIONLESS || problem->law == CAIRN_LAW_CONE ||
           problem->law == CAIRN_LAW_CONVEX_CONE);
    compact->problem = problem;
    compact->is_backward = false;
    CRN_TRY(crn_compact_plan(compact));
    crn_compact_velocities(problem, impulse, compact->body);
    memset(compact->body + problem->body_count, 0, crn_compact_spare(compact) * sizeof *compact->body);
    crn_compact_fill(compact, impulse);
    return CAIRN_OK;
}

/* --------------------------------------------------------------------------------------------------------------- sweeps */

static crn_compact_visits *visits_of(int lanes)
{
    return lanes == 8 ? crn_compact_visits_8 : lanes == 4 ? crn_compact_visits_4 : crn_compact_visits_1;
}

static double visit_segment(const crn_compact *compact, int k, bool measure)
{
    const crn_compact_segment *s = &compact->segment[k];
    bool is_convex = compact->problem->law == CAIRN_LAW_CONVEX_CONE;
    return visits_of(s->lanes)(s, compact->body, 0, s->group_count, is_convex, measure);
}

/* One sweep over the slabs and what lies between them. */
typedef struct sweep
{
    const crn_compact *compact;
    bool is_backward, measure;
    double worst[CRN_COMPACT_SLABS + 1]; /* per part */
} sweep;

/* All contacts of a slab, or those between slabs, which come last. */
static void visit_part(void *data, int part)
{
    sweep *w = data;
    int first = w->compact->part_segment[part], end = w->compact->part_segment[part + 1];
    double worst = 0.0;
    for (int i = first; i < end; ++i)
        worst = fmax(worst, visit_segment(w->compact, w->is_backward ? first + end - 1 - i : i, w->measure));
    w->worst[part] = worst;
}

/* Threads share the slabs. What lies between these follows or, backwards, comes before. */
static double take_sweep(const crn_compact *compact, bool is_backward, bool measure)
{
    sweep w = {.compact = compact, .is_backward = is_backward, .measure = measure};
    double worst = 0.0;
    if (is_backward)
        visit_part(&w, compact->slab_count);
    crn_share_parts(compact->problem->threads, compact->slab_count, visit_part, &w);
    if (!is_backward)
        visit_part(&w, compact->slab_count);
    for (int part = 0; part <= compact->slab_count; ++part)
        worst = fmax(worst, w.worst[part]);
    return worst;
}

double crn_compact_sweep(crn_compact *compact, int count)
{
    assert(compact->problem && count >= 0);
    double worst = 0.0;
    for (int i = 0; i < count; ++i)
    {
        worst = take_sweep(compact, compact->is_backward, i == count - 1);
        compact->is_backward = !compact->is_backward;
    }
    return sqrt(worst);
}

/* -------------------------------------------------------------------------------------------------------------- results */

/* Impulses on their way to the caller. */
typedef struct storing
{
    const crn_compact *compact;
    double (*impulse)[3];
    int parts;
} storing;

static void store_lane(const crn_compact_segment *s, int group, int lane, double (*impulse)[3],
                       crn_compact_rolling *rolling)
{
    int source = s->source[group * s->lanes + lane];
    if (source == CRN_COMPACT_PADDING)
        return;
    const double *at = s->data + (size_t)group * (size_t)(CRN_COMPACT_FIELDS[s->kind] * s->lanes) + lane;
    double sign = source < 0 ? -1.0 : 1.0;
    int j = source < 0 ? ~source : source, turns = crn_compact_turns(s->kind);
    double *p = impulse[j];
    double r_n = at[CRN_AT_IMPULSE * s->lanes];
    for (int k = 0; turns > 0 && k < 3; ++k)
        rolling[j].moment[k] = sign * at[(turns + CRN_TURN_MOMENT + k) * s->lanes];
    for (int k = 0; k < 3; ++k)
        p[k] = sign * (r_n * at[(CRN_AT_NORMAL + k) * s->lanes] + at[(CRN_AT_IMPULSE + 1 + k) * s->lanes]);
}

static void store_part(void *data, int part)
{
    const storing *store = data;
    const crn_compact *compact = store->compact;
    size_t contacts = (size_t)compact->problem->contact_count, segments = (size_t)compact->segment_count;
    int end = (int)crn_part(contacts, store->parts, part + 1);
    for (int j = (int)crn_part(contacts, store->parts, part); j < end; ++j)
        if (compact->kind[j] == CRN_COMPACT_KINDS)
            memset(store->impulse[j], 0, sizeof store->impulse[j]);
    end = (int)crn_part(segments, store->parts, part + 1);
    for (int k = (int)crn_part(segments, store->parts, part); k < end; ++k)
        for (int group = 0; group < compact->segment[k].group_count; ++group)
            for (int lane = 0; lane < compact->segment[k].lanes; ++lane)
                store_lane(&compact->segment[k], group, lane, store->impulse, compact->problem->rolling);
}

void crn_compact_store(const crn_compact *compact, double (*impulse)[3], crn_compact_body *body)
{
    const crn_compact_problem *problem = compact->problem;
    assert(problem);
    storing store = {compact, impulse, crn_compact_shares(problem)};
    if (impulse)
        crn_in_parts(store.parts, store_part, &store);
    if (body)
        memcpy(body, compact->body, (size_t)problem->body_count * sizeof *body);
}
