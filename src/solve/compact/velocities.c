/* The velocities that impulses lead to, from a problem's own data: every body's linear and angular momentum first, then one product with
 * its inverse mass and inertia. */
#include "solve/compact/packed.h"

#include "base/parallel_ranges.h"
#include "math/vec.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

static bool is_round(const crn_compact_problem *problem, int body)
{
    return !problem->inverse_inertia || (problem->is_round && problem->is_round[body]);
}

/* From momenta to velocities. */
static void finish(const crn_compact_problem *problem, int i, crn_compact_body *body)
{
    const crn_compact_body *from = &problem->body[i];
    double turn[3], push[3];
    if (is_round(problem, i))
        crn_scale3(from->inverse_inertia, body->w, turn);
    else
        crn_rotate3(problem->inverse_inertia[i], body->w, turn);
    if (crn_compact_is_uneven(problem, i))
    {
        crn_rotate3(problem->uneven_mass[problem->uneven[i]], body->v, push);
        crn_add3(from->v, push, body->v);
    }
    else
        crn_madd3(from->v, from->inverse_mass, body->v, body->v);
    crn_add3(from->w, turn, body->w);
}

/* Impulses on their way into velocities, part by part. */
typedef struct turning
{
    const crn_compact_problem *problem;
    const double (*impulse)[3];
    crn_compact_body *body;
    int parts;
    const crn_compact_span *span; /* per chunk of contacts */
    crn_compact_span own[CRN_COMPACT_CHUNKS];
} turning;

/* Contacts mostly come in the order of their bodies, so that few chunks concern more than one range of bodies. */
static crn_compact_span span_of(const crn_compact_problem *problem, int chunk)
{
    crn_compact_span span = CRN_COMPACT_NOBODY;
    int count = problem->contact_count;
    for (int j = crn_compact_chunk(count, chunk); j < crn_compact_chunk(count, chunk + 1); ++j)
    {
        const crn_compact_pair pair = crn_compact_bodies(problem, j);
        const int body[2] = {pair.a, pair.b};
        for (int side = 0; side < 2; ++side)
        {
            bool is_within = body[side] >= span.low && body[side] <= span.high;
            if (!is_within && !crn_compact_is_prescribed(problem, body[side]))
                crn_compact_widen(&span, body[side]);
        }
    }
    return span;
}

static void chunk_part(void *data, int part)
{
    turning *t = data;
    int end = (int)crn_part(CRN_COMPACT_CHUNKS, t->parts, part + 1);
    for (int k = (int)crn_part(CRN_COMPACT_CHUNKS, t->parts, part); k < end; ++k)
        t->own[k] = span_of(t->problem, k);
}

/* Whether the bodies of all chunks are those that were given. */
static inline bool are_spans(const turning *t)
{
    bool hold = true;
    for (int k = 0; k < CRN_COMPACT_CHUNKS && t->parts > 1; ++k)
    {
        const crn_compact_span span = span_of(t->problem, k);
        hold = hold && t->span[k].low == span.low && t->span[k].high == span.high;
    }
    return hold;
}

/* w += the moments of contacts that resist rolling */
static void add_moments(const turning *t, int first, int end)
{
    const crn_compact_problem *problem = t->problem;
    for (int j = 0; problem->rolling && j < problem->contact_count; ++j)
    {
        const crn_compact_pair pair = crn_compact_bodies(problem, j);
        const int body[2] = {pair.a, pair.b};
        for (int side = 0; side < 2; ++side)
        {
            double *w = t->body[body[side]].w;
            if (body[side] >= first && body[side] < end && t->body[body[side]].inverse_mass != 0.0)
                crn_madd3(w, side == 0 ? 1.0 : -1.0, problem->rolling[j].moment, w);
        }
    }
}

/* The chunks with contacts of a range of bodies, as many at a time as follow each other. */
static void add_impulses(const turning *t, int first, int end)
{
    crn_compact_momenta *add = crn_compact_widest() > 1 ? crn_compact_momenta_4 : crn_compact_momenta_1;
    int count = t->problem->contact_count;
    if (t->parts == 1)
        add(t->problem, t->impulse, (const int[2]){0, count}, t->body, first, end);
    for (int k = 0, begin = 0; k < CRN_COMPACT_CHUNKS && t->parts > 1; begin = ++k)
    {
        while (k < CRN_COMPACT_CHUNKS && t->span[k].high >= first && t->span[k].low < end)
            ++k;
        const int contacts[2] = {crn_compact_chunk(count, begin), crn_compact_chunk(count, k)};
        if (k > begin)
            add(t->problem, t->impulse, contacts, t->body, first, end);
    }
}

/* All contacts of a range of bodies (momenta.h). */
static void turn_part(void *data, int part)
{
    const turning *t = data;
    const crn_compact_problem *problem = t->problem;
    int first = (int)crn_part((size_t)problem->body_count, t->parts, part);
    unsigned count = (unsigned)crn_part((size_t)problem->body_count, t->parts, part + 1) - (unsigned)first;
    for (int i = first; i < first + (int)count; ++i)
    {
        t->body[i] = (crn_compact_body){.inverse_mass = problem->body[i].inverse_mass,
                                        .inverse_inertia = problem->body[i].inverse_inertia};
    }
    add_impulses(t, first, first + (int)count);
    add_moments(t, first, first + (int)count);
    for (int i = first; i < first + (int)count; ++i)
        finish(problem, i, &t->body[i]);
}

void crn_compact_velocities(const crn_compact_problem *problem, const double (*impulse)[3], crn_compact_body *body)
{
    assert(body != problem->body || problem->body_count == 0);
    turning t;
    t.problem = problem;
    t.impulse = impulse;
    t.body = body;
    t.parts = crn_compact_shares(problem);
    t.span = problem->contact || !problem->list.span ? t.own : problem->list.span;
    if (impulse && t.parts > 1 && t.span == t.own)
        crn_in_parts(t.parts, chunk_part, &t);
    assert(!impulse || are_spans(&t));
    if (impulse)
        crn_in_parts(t.parts, turn_part, &t);
    else if (problem->body_count > 0)
        memcpy(body, problem->body, (size_t)problem->body_count * sizeof *body);
}
