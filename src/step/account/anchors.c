/* Tangential springs of soft contacts in the energy account, and their motion (formulate/anchor.h).
 *
 * The bodies slide with the velocity u at the end of the step, of which the surfaces slip with s and the spring stretches with
 * x' = u - s. The impulse r = e + d has a part e of the spring and a part d of the damper. The rows give the bodies the work W = r'(m - d_0),
 * where m is their mean velocity and d_0 the part of u due to driven bodies. It is split into
 *
 *     friction     r's, which is never positive
 *     dampers      d'x'
 *     driven       -r'd_0
 *     integration  e'x' + r'(m - u), and with the change of the elastic energy k x^2/2 the numerical loss of the spring
 *
 * whose sum is W, since u = s + x'.
 */
#include "step/account/account.h"
#include "step/simulation.h"

#include <assert.h>

bool crn_book_soft_friction(cairn_simulation *s, const crn_stage *stage, int j, double rows_work)
{
    assert(j >= 0 && j < crn_contacts_of(&stage->assembly));
    assert(stage->weight == 1.0); /* first-order schemes */
    const crn_contact *contact = &stage->assembly.active[j];
    int dim = s->model->dimension;
    const double *r = stage->solution.r + j * dim;
    cairn_energy *e = &s->state.energy;
    crn_anchor_motion m = crn_anchor_move(&s->state.anchors, s->model, contact, r + 1, stage->h);
    for (int i = 0; i < dim - 1; ++i)
    {
        double u = crn_contact_rate(s, stage, j, 1 + i, s->state.v), force = r[1 + i];
        double driven = force * stage->assembly.contact_drive[j][1 + i];
        e->work_friction += force * (u - m.rate[i]);
        e->work_dampers += (force - m.elastic[i]) * m.rate[i];
        e->work_springs += m.elastic[i] * m.rate[i];
        e->work_driven -= driven;
        e->integration += m.elastic[i] * m.rate[i] - force * u + driven;
    }
    e->integration += rows_work;
    return true;
}

/* rad: mean rotation of a contact's bodies about its normal over the step. */
static double turn_of(const void *data, const crn_contact *contact)
{
    const cairn_simulation *s = data;
    double spin =
        crn_spin_about(s, contact->body_a, contact->normal) + crn_spin_about(s, contact->body_b, contact->normal);
    return 0.5 * s->stage[0].h * spin;
}

cairn_status crn_accept_anchors(cairn_simulation *s, double h)
{
    crn_stage *stage = &s->stage[0];
    if (!(s->model->gives || s->model->rolls) || stage->assembly.rowless || crn_is_second_order(s->settings.integrator))
        return CAIRN_OK;
    assert(stage->h == h);
    const crn_input in = crn_stage_input(s, stage, h);
    cairn_status status = crn_anchors_advance(&s->state.anchors, &in, &stage->assembly, stage->solution.r, turn_of, s);
    return status ? crn_fail(s->context, status, "soft contacts at t = %g: memory ran out", s->state.t) : CAIRN_OK;
}
