/* The general problem of a compact step, made on request: by users who want to see or save it, and by tests that certify the solution with
 * the general certificate. */
#include "formulate/rolling.h"
#include "step/simulation.h"

#include <assert.h>
#include <string.h>

/* The rows of rolling friction, turned to the moments that the sweeps have found, and their impulses. */
static cairn_status add_moments(cairn_simulation *s, crn_stage *stage)
{
    crn_compact_scratch *c = &s->compact;
    crn_assembly *assembly = &stage->assembly;
    int rows = assembly->problem.dim * assembly->problem.contact_count;
    CRN_TRY(crn_reserve_all(&s->memory, CRN_ARRAY(c->r, rows)));
    for (int j = 0; c->problem.rolling && j < crn_contacts_of(assembly); ++j)
    {
        crn_aim_rolling(assembly, j, c->rolling[j].moment);
        crn_set_moment(assembly, j, c->rolling[j].moment, c->r);
    }
    stage->solution.r = c->r;
    stage->solution.contact_rows = rows;
    return CAIRN_OK;
}

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
    c->frame.v = s->saved.v; /* forces may name velocities */
    crn_frame_update(&c->frame, s->layout, s->saved.q, s->saved.t, stage->h);
    crn_input in = crn_stage_input(s, stage, stage->h);
    in.frame = &c->frame;
    in.q = s->saved.q;
    in.v = in.v_at = s->saved.v;
    in.t = s->saved.t;
    in.contacts = c->contacts_kept;
    in.contact_count = (int)count;
    in.splits_forces = true;
    CRN_TRY(stage->formulate(&stage->assembly, &in));
    cairn_problem *problem = &stage->assembly.problem;
    assert(crn_contacts_of(&stage->assembly) == (int)count && problem->joint_rows == 0);
    CRN_TRY(add_moments(s, stage));
    for (int j = 0; j < (int)count; ++j)
        problem->w[(ptrdiff_t)j * problem->dim] = stage->assembly.contact_drive[j][0] + c->bias[j];
    return CAIRN_OK;
}

cairn_status crn_compact_generalise(cairn_simulation *s)
{
    crn_stage *stage = &s->stage[0];
    return s->stage_count == 1 && stage->assembly.rowless ? formulate(s, stage) : CAIRN_OK;
}
