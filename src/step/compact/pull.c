/* Cohesion in the compact view: the pulls of contacts (formulate/surface/cohesion.c) are known impulses, and so part of the velocities
 * that bodies have without contacts. Sweeps, rest and certificate then see ordinary contacts. */
#include "formulate/surface/cohesion.h"
#include "math/vec.h"
#include "step/compact/uneven.h"
#include "step/simulation.h"

/* An impulse acts on a body at an arm. */
static void act(crn_compact_scratch *c, int i, const double arm[3], const double p[3])
{
    crn_compact_body *body = &c->free[i];
    double moment[3], turn[3], push[3];
    crn_cross3(arm, p, moment);
    if (c->is_round[i])
        crn_scale3(body->inverse_inertia, moment, turn);
    else
        crn_rotate3(c->inverse_inertia[i], moment, turn);
    if (crn_uneven_of(c, i))
        crn_rotate3(c->uneven_mass[c->uneven[i]], p, push);
    else
        crn_scale3(body->inverse_mass, p, push);
    crn_add3(body->v, push, body->v);
    crn_add3(body->w, turn, body->w);
}

void crn_compact_pull(cairn_simulation *s, double h)
{
    crn_compact_scratch *c = &s->compact;
    for (int j = 0; s->model->coheres && j < s->located.contact_count; ++j)
    {
        double pull = crn_contact_pull(s->layout, &s->located.contacts[j], h), p[3];
        const crn_compact_contact here = crn_compact_at(&c->problem, j), *contact = &here;
        crn_scale3(-pull, contact->normal, p);
        if (pull > 0 && c->free[contact->a].inverse_mass > 0)
            act(c, contact->a, contact->arm_a, p);
        crn_scale3(-1.0, p, p);
        if (pull > 0 && c->free[contact->b].inverse_mass > 0)
            act(c, contact->b, contact->arm_b, p);
    }
}
