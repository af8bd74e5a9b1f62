/* Rolling friction in the compact view: the lengths of its bounds (formulate/rolling.h), and the moments of the last step, from which
 * sweeps start and by which islands rest. They are remembered by the identity of the contact, like impulses. In the plane a moment is
 * one number, and the second of a row is 0. */
#include "formulate/rolling.h"
#include "math/vec.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* m: the size of the larger body that turns. */
static double length_of(const cairn_simulation *s, const crn_contact *contact)
{
    const crn_compact_body *body = s->compact.free;
    double a = body[contact->body_a].inverse_mass > 0 ? crn_size_of(s->layout, contact->body_a) : 0.0;
    double b = body[contact->body_b].inverse_mass > 0 ? crn_size_of(s->layout, contact->body_b) : 0.0;
    return fmax(a, b);
}

static cairn_status reserve(cairn_simulation *s, int dim, int count)
{
    crn_compact_scratch *c = &s->compact;
    return crn_reserve_all(&s->memory, CRN_ARRAY(c->rolling, count), CRN_ARRAY(c->kept_moment, dim * count));
}

cairn_status crn_compact_add_rolling(cairn_simulation *s, crn_stage *stage)
{
    crn_compact_scratch *c = &s->compact;
    const cairn_problem *problem = &stage->assembly.problem;
    int dim = problem->dim, count = s->located.contact_count;
    c->problem.rolling = NULL;
    if (!s->model->rolls)
        return CAIRN_OK;
    assert(problem->contact_count == count);
    CRN_TRY(reserve(s, dim, count));
    const crn_named named = crn_stage_names(stage);
    crn_warm_recall_range(&s->state.warm[CRN_WARM_TURNING], &named, 0, count, c->kept_moment);
    for (int j = 0; j < count; ++j)
    {
        const crn_contact *contact = &s->located.contacts[j];
        const double *kept = c->kept_moment + (ptrdiff_t)j * dim;
        crn_rolling lengths = crn_contact_rolling(s->model, contact);
        crn_compact_rolling *to = &c->rolling[j];
        *to = (crn_compact_rolling){lengths.rolling, lengths.spinning, length_of(s, contact), {0}};
        if (dim == 3)
            memcpy(to->moment, kept, sizeof to->moment);
        else
            to->moment[2] = kept[0];
    }
    c->problem.rolling = c->rolling;
    return CAIRN_OK;
}

cairn_status crn_compact_keep_rolling(cairn_simulation *s, crn_stage *stage)
{
    crn_compact_scratch *c = &s->compact;
    const cairn_problem *problem = &stage->assembly.problem;
    int dim = problem->dim;
    if (!c->problem.rolling)
        return CAIRN_OK;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        const double plane[2] = {c->rolling[j].moment[2], 0.0};
        memcpy(c->kept_moment + (ptrdiff_t)j * dim, dim == 3 ? c->rolling[j].moment : plane,
               (size_t)dim * sizeof(double));
    }
    const crn_named named = crn_stage_names(stage);
    return crn_warm_keep(&s->state.warm[CRN_WARM_TURNING], &named, c->kept_moment);
}

cairn_status crn_compact_gather_rolling(cairn_simulation *s, crn_compact_problem *of, const int *index, int count)
{
    crn_compact_scratch *c = &s->compact;
    of->rolling = NULL;
    if (!c->problem.rolling)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&s->memory, CRN_ARRAY(c->moving_rolling, count)));
    for (int i = 0; i < count; ++i)
        c->moving_rolling[i] = c->rolling[index[i]];
    of->rolling = c->moving_rolling;
    return CAIRN_OK;
}

void crn_compact_return_rolling(crn_compact_scratch *c, const crn_compact_problem *of, const int *index)
{
    for (int i = 0; of->rolling && of->rolling != c->rolling && i < of->contact_count; ++i)
        memcpy(c->rolling[index[i]].moment, of->rolling[i].moment, sizeof of->rolling[i].moment);
}

double crn_compact_rolling_work(const cairn_simulation *s, int j)
{
    const crn_compact_scratch *c = &s->compact;
    crn_compact_pair body = crn_compact_bodies(&c->problem, j);
    const double *m = c->problem.rolling ? c->rolling[j].moment : NULL;
    double rate = 0.0;
    if (!m)
        return 0.0;
    crn_compact_body a = crn_compact_start(s, body.a), b = crn_compact_start(s, body.b);
    for (int k = 0; k < 3; ++k)
        rate += m[k] * (a.w[k] + c->after[body.a].w[k] - b.w[k] - c->after[body.b].w[k]);
    return 0.5 * rate;
}
