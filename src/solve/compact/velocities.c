/* The velocities that impulses lead to, from a problem's own data: every body's linear and angular momentum first, then one product with
 * its inverse mass and inertia. */
#include "solve/compact/packed.h"

#include "base/parallel_ranges.h"
#include "math/vec.h"

#include <assert.h>
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
} turning;

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
    crn_compact_momenta *add = crn_compact_widest() > 1 ? crn_compact_momenta_4 : crn_compact_momenta_1;
    add(problem, t->impulse, t->body, first, first + (int)count);
    add_moments(t, first, first + (int)count);
    for (int i = first; i < first + (int)count; ++i)
        finish(problem, i, &t->body[i]);
}

void crn_compact_velocities(const crn_compact_problem *problem, const double (*impulse)[3], crn_compact_body *body)
{
    assert(body != problem->body || problem->body_count == 0);
    turning t = {problem, impulse, body, crn_compact_shares(problem)};
    if (impulse)
        crn_in_parts(t.parts, turn_part, &t);
    else if (problem->body_count > 0)
        memcpy(body, problem->body, (size_t)problem->body_count * sizeof *body);
}
