/* The general problem of a compact step, made on request: by users who want to see or save it, and by tests that certify the solution with
 * the general certificate. */
#include "step/simulation.h"

#include <assert.h>
#include <string.h>

/* Formulate the problem at the start of the last step, with the contacts and biases that were swept. */
static cairn_status formulate(cairn_simulation *s, crn_stage *stage)
{
    crn_compact_scratch *c = &s->compact;
    size_t count = (size_t)stage->assembly.problem.contact_count;
    CRN_TRY(crn_compact_read_rows(s, stage));
    CRN_TRY(crn_reserve_all(&s->memory, CRN_ARRAY(c->contacts_kept, count)));
    memcpy(c->contacts_kept, stage->assembly.active, count * sizeof *c->contacts_kept);
    if (!c->frame.pose)
        CRN_TRY(crn_frame_create(s->layout, &c->frame));
    c->frame.coordinate = s->state.coordinate;
    crn_frame_update(&c->frame, s->layout, s->saved.q, s->saved.t, stage->h);
    crn_input in = crn_stage_input(s, stage, stage->h);
    in.frame = &c->frame;
    in.q = s->saved.q;
    in.v = in.v_at = s->saved.v;
    in.t = s->saved.t;
    in.contacts = c->contacts_kept;
    in.contact_count = (int)count;
    CRN_TRY(stage->formulate(&stage->assembly, &in));
    cairn_problem *problem = &stage->assembly.problem;
    assert(problem->contact_count == (int)count && problem->joint_rows == 0);
    for (int j = 0; j < problem->contact_count; ++j)
        problem->w[(ptrdiff_t)j * problem->dim] = stage->assembly.contact_drive[j][0] + c->contact[j].bias;
    return CAIRN_OK;
}

cairn_status crn_compact_generalise(cairn_simulation *s)
{
    crn_stage *stage = &s->stage[0];
    return s->stage_count == 1 && stage->assembly.rowless ? formulate(s, stage) : CAIRN_OK;
}
