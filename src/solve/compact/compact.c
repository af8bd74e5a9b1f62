#include "solve/compact/packed.h"
#include "solve/compact/rendezvous.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum
{
    ENOUGH = 2048 /* contacts per thread that pay for a barrier per colour */
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

crn_compact *crn_compact_create(void)
{
    crn_compact *compact = calloc(1, sizeof(crn_compact));
    if (compact)
        compact->lanes = crn_compact_widest();
    return compact;
}

void crn_compact_destroy(crn_compact *compact)
{
    if (!compact)
        return;
    crn_arena_release(&compact->memory);
    free(compact);
}

int crn_compact_lanes(crn_compact *compact, int lanes)
{
    assert(lanes == 1 || lanes == 4 || lanes == 8);
    int most = crn_compact_widest();
    compact->lanes = lanes < most ? lanes : most;
    return compact->lanes;
}

cairn_status crn_compact_load(crn_compact *compact, const crn_compact_problem *problem, const double (*impulse)[3],
                              int threads)
{
    assert(problem->body_count >= 0 && problem->contact_count >= 0);
    assert(problem->law == CAIRN_LAW_FRICTIONLESS || problem->law == CAIRN_LAW_CONE ||
           problem->law == CAIRN_LAW_CONVEX_CONE);
    assert(threads >= 1);
    compact->problem = problem;
    compact->threads = threads;
    compact->is_backward = false;
    CRN_TRY(crn_compact_plan(compact));
    int spare = CRN_COMPACT_SPARE * crn_compact_parts(compact);
    CRN_TRY(crn_reserve_all(&compact->memory, CRN_ARRAY(compact->body_memory, problem->body_count + spare + 1)));
    compact->body = crn_compact_align(compact->body_memory);
    crn_compact_velocities(problem, impulse, compact->body);
    memset(compact->body + problem->body_count, 0, (size_t)spare * sizeof *compact->body);
    crn_compact_fill(compact, impulse);
    return CAIRN_OK;
}

/* --------------------------------------------------------------------------------------------------------------- sweeps */

static crn_compact_visits *visits_of(int lanes)
{
    return lanes == 8 ? crn_compact_visits_8 : lanes == 4 ? crn_compact_visits_4 : crn_compact_visits_1;
}

/* One of the threads of a sweep. */
typedef struct member
{
    crn_rendezvous *rendezvous;
    int thread, threads;
} member;

static const member ALONE = {NULL, 0, 1};

/* What one thread of several does with a segment. */
static double share_segment(const crn_compact *compact, int k, int thread, int threads, bool measure)
{
    const crn_compact_segment *s = &compact->segment[k];
    bool is_serial = s->is_serial;
    if (is_serial && thread > 0)
        return 0.0;
    int parts = is_serial ? 1 : threads;
    int first = (int)((int64_t)s->group_count * thread / parts);
    int end = (int)((int64_t)s->group_count * (thread + 1) / parts);
    return visits_of(s->lanes)(s, compact->body, first, end, compact->problem->law == CAIRN_LAW_CONVEX_CONE, measure);
}

/* One sweep by colours: threads wait for each other where the colour changes. */
static double share_colours(const crn_compact *compact, bool backward, bool measure, const member *self)
{
    double worst = 0.0;
    for (int i = 0; i < compact->segment_count; ++i)
    {
        int k = backward ? compact->segment_count - 1 - i : i, next = backward ? k - 1 : k + 1;
        worst = fmax(worst, share_segment(compact, k, self->thread, self->threads, measure));
        bool ends = i == compact->segment_count - 1 || compact->segment[next].colour != compact->segment[k].colour;
        if (ends && self->threads > 1)
            crn_rendezvous_wait(self->rendezvous, self->threads);
    }
    return worst;
}

/* All contacts of a slab, or those between slabs. */
static double visit_part(const crn_compact *compact, int part, bool backward, bool measure)
{
    int first = compact->part_segment[part], end = compact->part_segment[part + 1];
    double worst = 0.0;
    for (int i = first; i < end; ++i)
        worst = fmax(worst, share_segment(compact, backward ? first + end - 1 - i : i, 0, 1, measure));
    return worst;
}

/* One sweep by slabs: those of this thread, and what lies between all slabs after them or, backwards, before. */
static double share_slabs(const crn_compact *compact, bool backward, bool measure, const member *self)
{
    int slabs = compact->slab_count, thread = self->thread, threads = self->threads;
    double worst = 0.0;
    for (int half = 0; half < 2; ++half)
    {
        bool between = half == (backward ? 0 : 1);
        if (between && thread == 0)
            worst = fmax(worst, visit_part(compact, slabs, backward, measure));
        for (int part = slabs * thread / threads; part < slabs * (thread + 1) / threads && !between; ++part)
            worst = fmax(worst, visit_part(compact, part, backward, measure));
        if (threads > 1)
            crn_rendezvous_wait(self->rendezvous, threads);
    }
    return worst;
}

/* One thread's share of all sweeps. */
static double share_sweeps(const crn_compact *compact, int count, const member *self)
{
    double worst = 0.0;
    for (int sweep = 0; sweep < count; ++sweep)
    {
        bool backward = compact->is_backward != (sweep % 2 == 1), measure = sweep == count - 1;
        worst = fmax(worst, compact->slab_count > 0 ? share_slabs(compact, backward, measure, self)
                                                    : share_colours(compact, backward, measure, self));
    }
    return worst;
}

#ifdef _OPENMP
static double sweep_by_threads(const crn_compact *compact, int count, int threads)
{
    double worst = 0.0;
    crn_rendezvous rendezvous = {0};
#pragma omp parallel num_threads(threads) reduction(max : worst)
    worst = share_sweeps(compact, count, &(member){&rendezvous, omp_get_thread_num(), omp_get_num_threads()});
    return worst;
}
#else
static double sweep_by_threads(const crn_compact *compact, int count, int threads)
{
    (void)threads;
    return share_sweeps(compact, count, &ALONE);
}
#endif

/* Slabs pay from small ones on, colours only if each is worth a barrier. */
static int useful_threads(const crn_compact *compact)
{
    int contacts = compact->problem->contact_count, most = contacts / ENOUGH;
    if (compact->slab_count > 0)
        most = compact->slab_count;
    else if (compact->segment_count > 0 && contacts / compact->segment_count < ENOUGH / 8)
        most = 1;
    return compact->threads < most ? compact->threads : most;
}

double crn_compact_sweep(crn_compact *compact, int count)
{
    assert(compact->problem && count >= 0);
    int threads = useful_threads(compact);
    double worst = threads > 1 ? sweep_by_threads(compact, count, threads) : share_sweeps(compact, count, &ALONE);
    compact->is_backward = compact->is_backward != (count % 2 == 1);
    return sqrt(worst);
}

/* -------------------------------------------------------------------------------------------------------------- results */

static void store_lane(const crn_compact_segment *s, int group, int lane, double (*impulse)[3])
{
    int source = s->source[group * s->lanes + lane];
    if (source == CRN_COMPACT_PADDING)
        return;
    const double *at = s->data + (size_t)group * (size_t)(CRN_COMPACT_FIELDS[s->kind] * s->lanes) + lane;
    double sign = source < 0 ? -1.0 : 1.0;
    double *p = impulse[source < 0 ? ~source : source];
    double r_n = at[CRN_AT_IMPULSE * s->lanes];
    for (int k = 0; k < 3; ++k)
        p[k] = sign * (r_n * at[(CRN_AT_NORMAL + k) * s->lanes] + at[(CRN_AT_IMPULSE + 1 + k) * s->lanes]);
}

void crn_compact_store(const crn_compact *compact, double (*impulse)[3], crn_compact_body *body)
{
    const crn_compact_problem *problem = compact->problem;
    assert(problem);
    for (int j = 0; impulse && j < problem->contact_count; ++j)
        if (compact->kind[j] == CRN_COMPACT_KINDS)
            memset(impulse[j], 0, sizeof impulse[j]);
    for (int k = 0; impulse && k < compact->segment_count; ++k)
        for (int group = 0; group < compact->segment[k].group_count; ++group)
            for (int lane = 0; lane < compact->segment[k].lanes; ++lane)
                store_lane(&compact->segment[k], group, lane, impulse);
    if (body)
        memcpy(body, compact->body, (size_t)problem->body_count * sizeof *body);
}
