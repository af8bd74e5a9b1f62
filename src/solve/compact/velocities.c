/* The velocities that impulses lead to, from a problem's own data: every body's linear and angular momentum first, then one product with
 * its inverse mass and inertia. */
#include "solve/compact/packed.h"

#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static bool is_round(const crn_compact_problem *problem, int body)
{
    return !problem->inverse_inertia || (problem->is_round && problem->is_round[body]);
}

/* v += p, w += arm x p */
static inline void add_momentum(crn_compact_body *body, double sign, const double arm[3], const double p[3])
{
    double moment[3];
    crn_cross3(arm, p, moment);
    crn_madd3(body->v, sign, p, body->v);
    crn_madd3(body->w, sign, moment, body->w);
}

/* From momenta to velocities. */
static void finish(const crn_compact_problem *problem, int i, crn_compact_body *body)
{
    const crn_compact_body *from = &problem->body[i];
    double turn[3];
    if (is_round(problem, i))
        crn_scale3(from->inverse_inertia, body->w, turn);
    else
        crn_rotate3(problem->inverse_inertia[i], body->w, turn);
    crn_madd3(from->v, from->inverse_mass, body->v, body->v);
    crn_add3(from->w, turn, body->w);
}

void crn_compact_velocities(const crn_compact_problem *problem, const double (*impulse)[3], crn_compact_body *body)
{
    assert(body != problem->body || problem->body_count == 0);
    if (problem->body_count > 0)
        memcpy(body, problem->body, (size_t)problem->body_count * sizeof *body);
    if (!impulse)
        return;
    for (int i = 0; i < problem->body_count; ++i)
        for (int k = 0; k < 3; ++k)
            body[i].v[k] = body[i].w[k] = 0.0;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        const crn_compact_contact *c = &problem->contact[j];
        add_momentum(&body[c->a], 1.0, c->arm_a, impulse[j]);
        add_momentum(&body[c->b], -1.0, c->arm_b, impulse[j]);
    }
    for (int i = 0; i < problem->body_count; ++i)
        finish(problem, i, &body[i]);
}
