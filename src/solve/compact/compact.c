#include "solve/compact/packed.h"

#include "base/foresee.h"
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
    assert(problem->law != CAIRN_LAW_LAGGED && (problem->law != CAIRN_LAW_CONVEX_PYRAMID || problem->is_planar));
    assert(!problem->polygon == (problem->is_planar || !crn_compact_has_polygon(problem->law)));
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

static double visit_segment(const crn_compact *compact, int k, bool measure, crn_compact_pace pace)
{
    const crn_compact_segment *s = &compact->segment[k];
    return visits_of(s->lanes)(s, compact->body, 0, s->group_count, measure, pace);
}

/* Sweeps over the slabs and the seams between them, alternately forwards and backwards. Forwards seams come last, backwards first: so in every
 * phase but the first and the last, either the slabs or the seams are swept twice. */
typedef struct sweeps
{
    const crn_compact *compact;
    int count;
    double worst[CRN_COMPACT_PARTS]; /* per part, of the last sweep */
} sweeps;

/* All contacts of a slab or a seam. */
static double visit_part(const crn_compact *compact, int part, bool is_backward, bool measure, crn_compact_pace pace)
{
    int first = compact->part_segment[part], end = compact->part_segment[part + 1];
    double worst = 0.0;
    for (int i = first; i < end; ++i)
        worst = fmax(worst, visit_segment(compact, is_backward ? first + end - 1 - i : i, measure, pace));
    return worst;
}

static void sweep_part(sweeps *w, int part, int i)
{
    const crn_compact *compact = w->compact;
    crn_compact_pace pace = crn_compact_pace_of(compact, i, w->count);
    if (pace.keeps)
        crn_compact_pace_bodies(compact, part, pace);
    w->worst[part] = visit_part(compact, part, compact->is_backward ^ (i & 1), i == w->count - 1, pace);
    if (pace.pushes)
        crn_compact_pace_bodies(compact, part, pace);
}

/* The end of one sweep and the start of the next. */
static void visit_phase(void *data, int part, int phase)
{
    sweeps *w = data;
    for (int i = phase - 1; i <= phase; ++i)
        if (i >= 0 && i < w->count)
            sweep_part(w, part, i);
}

double crn_compact_sweep(crn_compact *compact, int count)
{
    assert(compact->problem && count >= 0);
    sweeps w = {.compact = compact, .count = count};
    double worst = 0.0;
    crn_compact_alternate(compact, count > 0 ? count + 1 : 0, compact->is_backward, visit_phase, &w);
    compact->is_backward ^= count & 1;
    for (int part = 0; part < crn_compact_parts(compact); ++part)
        worst = fmax(worst, w.worst[part]);
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
    const double *at = s->data + (size_t)group * (size_t)(s->fields * s->lanes) + lane;
    double sign = source < 0 ? -1.0 : 1.0;
    int j = source < 0 ? ~source : source, turns = crn_compact_turns(s->kind);
    double *p = impulse[j];
    double r_n = at[CRN_AT_IMPULSE * s->lanes];
    for (int k = 0; turns > 0 && k < 3; ++k)
        rolling[j].moment[k] = sign * at[(turns + CRN_TURN_MOMENT + k) * s->lanes];
    for (int k = 0; k < 3; ++k)
        p[k] = sign * (r_n * at[(CRN_AT_NORMAL + k) * s->lanes] + at[(CRN_AT_IMPULSE + 1 + k) * s->lanes]);
}

/* Ask for where an impulse goes. */
static inline void foresee_store(int source, double (*impulse)[3])
{
    crn_foresee_write(impulse[source == CRN_COMPACT_PADDING ? 0 : source < 0 ? ~source : source], 0);
}

static void store_segment(const crn_compact_segment *s, bool is_far, double (*impulse)[3], crn_compact_rolling *rolling)
{
    for (int group = 0; group < s->group_count; ++group)
        for (int lane = 0; lane < s->lanes; ++lane)
        {
            int later = group * s->lanes + lane + CRN_FORESEEN;
            if (is_far && later < s->group_count * s->lanes)
                foresee_store(s->source[later], impulse);
            store_lane(s, group, lane, impulse, rolling);
        }
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
        store_segment(&compact->segment[k], contacts >= CRN_FAR, store->impulse, compact->problem->rolling);
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
