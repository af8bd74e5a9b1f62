/* The works of cohesion. A pull is part of the normal impulse of its contact (formulate/surface/cohesion.c), and its work is part of that
 * of contacts along their normals. */
#include "formulate/surface/cohesion.h"
#include "step/account/account.h"
#include "step/simulation.h"

void crn_book_pulls(cairn_simulation *s, const crn_stage *stage)
{
    const crn_assembly *assembly = &stage->assembly;
    for (int j = 0; s->model->coheres && j < crn_contacts_of(assembly); ++j)
    {
        const crn_contact *c = &assembly->active[j];
        double pull = stage->weight * crn_contact_pull(s->layout, c, stage->h);
        crn_gradient gradient;
        if (!(pull > 0))
            continue;
        crn_gradient_point(assembly->frame, &gradient, 0, c->body_a, c->point_a, c->normal, 1);
        crn_gradient_point(assembly->frame, &gradient, 1, c->body_b, c->point_b, c->normal, -1);
        s->state.energy.work_contact_normal -= pull * crn_gradient_rate(s->layout, &gradient, s->trial.mean);
    }
}
