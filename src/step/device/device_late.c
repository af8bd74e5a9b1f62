/* The physics certificate of a step that ranks look at themselves (device_glance.h). Process 0 asks them after the step; if they are in doubt it goes back to the start of the step, which it
 * is told of or has a copy of, looks for contacts there, and examines the whole as in device_audit.c. So it needs memory for that only where there is a doubt.
 */
#include "model/periodic.h"
#include "step/account/ledger_internal.h"
#include "step/device/device_glance.h"

#include <math.h>
#include <string.h>

/* Single spheres and half-spaces, which nothing drives, and gravity alone. Whoever watches pieces wants to see them. */
bool crn_device_audits_late(const cairn_simulation *s)
{
    const crn_device *device = s->device;
    return crn_device_is_shared(s) && device->shapes == 0 && device->forces == 0 && device->driven_count == 0 &&
           !s->state.pulled && !s->located.frame.any_driven && !crn_is_periodic(s->model) && !s->ledger.watch;
}

static cairn_status ask(cairn_simulation *s, double h, crn_glance_answer *answer)
{
    char sentence[CRN_GPU_SENTENCE] = "";
    const crn_piece piece = crn_device_audit_piece(s, h);
    crn_glance_question question;
    memset(&question, 0, sizeof question);
    question.task = CRN_DEVICE_GLANCE;
    question.h = h;
    memcpy(question.gravity, s->state.gravity, sizeof question.gravity);
    question.drift_time = piece.drift_time;
    question.left = piece.left;
    question.tolerance = piece.tolerance;
    question.speed = piece.speed;
    question.threshold = piece.threshold;
    question.cone = piece.cone;
    question.crowded = piece.crowded;
    question.lifts = piece.lifts;
    bool good =
        crn_crew_ask(s->device->world, crn_device_task, &question, sizeof question, answer, sizeof *answer, sentence);
    return good ? CAIRN_OK : crn_device_fail(s, CAIRN_IO, "%s", sentence);
}

/* Nobody doubts, no contact was left out, and the account has the kinetic energy that the bodies have: by a part of what the audit allows (ends.c). */
static bool is_sure(const cairn_simulation *s, const crn_glance_answer *answer)
{
    double off = fabs(s->state.energy.kinetic - answer->kinetic);
    return answer->doubts == 0 && answer->contacts == s->device->report.contacts && off <= 0.999e-9 * answer->kinetic;
}

/* What the audit takes from the start of the step. */
static cairn_status begin_late(cairn_simulation *s, double h)
{
    crn_state *state = &s->state;
    double *q = state->q, *v = state->v, t = state->t;
    state->q = s->device->before.q;
    state->v = s->device->before.v;
    state->t = t - h;
    cairn_status status = crn_device_audit_begin(s, h);
    state->q = q;
    state->v = v;
    state->t = t;
    crn_frame_update(&s->located.frame, s->layout, state->q, state->t, s->settings.step);
    state->located_h = 0;
    s->located.contact_count = 0;
    return status;
}

cairn_status crn_device_audit_late(cairn_simulation *s, double h)
{
    crn_glance_answer answer;
    CRN_TRY(ask(s, h, &answer));
    if (is_sure(s, &answer))
    {
        ++s->device->audit.glanced;
        crn_audit_begin(s->ledger.audit); /* which has no findings, and ends as it begins */
        return CAIRN_OK;
    }
    ++s->device->audit.examined;
    CRN_TRY(crn_device_note_origin(s));
    CRN_TRY(begin_late(s, h));
    return crn_device_audit_end(s, h);
}
