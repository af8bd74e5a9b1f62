/* The physics certificate of a step that ranks look at themselves (device_glance.h). Process 0 asks them after the step; if they are in doubt it goes back to the start of the step, which it
 * is told of or has a copy of, looks for contacts there, and examines the whole as in device_audit.c. So it needs memory for that only where there is a doubt.
 */
#include "model/periodic.h"
#include "step/account/ledger_internal.h"
#include "step/device/device_glance.h"
#include "step/device/device_linked.h"
#include "step/schemes/rotors.h"
#include "step/simulation.h"

#include <math.h>
#include <string.h>

/* Whoever watches pieces wants to see them; a pull is process 0's; and couplings have parts in many bodies. */
bool crn_device_audits_late(const cairn_simulation *s)
{
    return crn_device_is_shared(s) && !s->state.pulled && s->model->couplings == 0 && !s->ledger.watch;
}

static bool has_links(const cairn_simulation *s)
{
    return s->model->joint_count + s->model->spring_count > 0;
}

/* Single spheres and half-spaces, which nothing drives, under gravity alone. */
static bool is_simple(const cairn_simulation *s)
{
    const crn_device *device = s->device;
    return device->is_plain && !has_links(s) && device->forces == 0 && device->driven_count == 0 &&
           !s->located.frame.any_driven && !crn_is_periodic(s->model);
}

/* ---------------------------------------------------------------------------------------------------------- the question */

/* Of driven bodies at one end of the step. */
static void note_drives(const cairn_simulation *s, int end, double t, double h, crn_share_drive *out)
{
    const crn_frame frame = {.layout = s->layout, .t = t, .h = h};
    for (int i = 0; i < s->device->driven_count; ++i)
    {
        cairn_body_state state;
        crn_model_pose_at(s->model, s->device->driven[i], t, &state);
        memcpy(out[i].x[end], state.position, sizeof out[i].x[end]);
        memcpy(out[i].q[end], state.orientation, sizeof out[i].q[end]);
        crn_frame_find_drive(&frame, s->device->driven[i], out[i].v[end]);
    }
}

/* m: the offsets of half-spaces of a scene of single spheres. */
static void note_planes(const cairn_simulation *s, int end, double t, double *out)
{
    for (int i = 0; i < s->device->planes; ++i)
    {
        const crn_shape *shape = &s->model->shapes[s->device->plane_shape[i]];
        cairn_body_state state;
        double R[9], x[3], n[3];
        crn_model_pose_at(s->model, shape->body, t, &state);
        crn_quaternion_to_matrix(state.orientation, R);
        crn_rotate3(R, crn_frame_of(shape)->position, x);
        crn_rotate3(R, shape->form->normal, n);
        crn_add3(x, state.position, x);
        out[2 * i + end] = crn_dot3(n, x);
    }
}

/* What a question has behind its drives: loads, and offsets. */
static crn_gpu_load *loads_of(const crn_device *device)
{
    crn_share_drive *drive = (crn_share_drive *)((crn_share_question *)device->audit.ask + 1);
    return (crn_gpu_load *)(drive + device->driven_count);
}

static double *offsets_of(const crn_device *device)
{
    return (double *)(loads_of(device) + device->forces);
}

static crn_linked_push *pushes_of(const crn_device *device)
{
    return (crn_linked_push *)(offsets_of(device) + 2 * device->planes);
}

static cairn_status ready_links(cairn_simulation *s, double h)
{
    crn_frame_update(&s->located.frame, s->layout, s->state.q, s->state.t, h);
    return crn_linked_open(&s->device->audit.linked, s, h, loads_of(s->device))
               ? crn_device_fail(s, CAIRN_NO_MEMORY, "memory ran out")
               : CAIRN_OK;
}

/* Process 0's share, whose doubts are added to those of the ranks. */
static cairn_status judge_links(cairn_simulation *s, double h, crn_share_doubts *doubts)
{
    crn_device *device = s->device;
    crn_share_question *ask = (crn_share_question *)device->audit.ask;
    cairn_status status = crn_linked_judge(&device->audit.linked, s, h, doubts, pushes_of(device));
    ask->linked = device->audit.linked.count;
    crn_linked_free(&device->audit.linked);
    return status ? crn_device_fail(s, CAIRN_NO_MEMORY, "memory ran out") : CAIRN_OK;
}

cairn_status crn_device_audit_ready(cairn_simulation *s, double h)
{
    crn_device *device = s->device;
    crn_share_question *ask;
    size_t drives = (size_t)device->driven_count, loads = (size_t)device->forces, planes = (size_t)device->planes;
    size_t linked = has_links(s) ? 2 * (s->model->joint_count + s->model->spring_count) : 0;
    device->audit.ask_size = sizeof *ask + drives * sizeof(crn_share_drive) + loads * sizeof(crn_gpu_load) +
                             2 * planes * sizeof(double) + linked * sizeof(crn_linked_push);
    device->audit.t = s->state.t;
    CRN_TRY(crn_reserve_all(&device->memory, CRN_ARRAY(device->audit.ask, device->audit.ask_size)));
    memset(device->audit.ask, 0, device->audit.ask_size);
    ask = (crn_share_question *)device->audit.ask;
    ask->drives = device->driven_count;
    ask->loads = device->forces;
    note_drives(s, 0, s->state.t, h, (crn_share_drive *)(ask + 1));
    note_planes(s, 0, s->state.t, offsets_of(device));
    CRN_TRY(crn_device_time_forces(s, device, s->state.t, true, loads_of(device)));
    return has_links(s) ? ready_links(s, h) : CAIRN_OK;
}

static void fill_step(const cairn_simulation *s, double h, crn_glance_question *ask)
{
    const crn_piece piece = crn_device_audit_piece(s, h);
    ask->task = is_simple(s) ? CRN_DEVICE_GLANCE : CRN_DEVICE_SHARE;
    ask->h = h;
    memcpy(ask->gravity, s->state.gravity, sizeof ask->gravity);
    ask->drift_time = piece.drift_time;
    ask->left = piece.left;
    ask->tolerance = piece.tolerance;
    ask->speed = piece.speed;
    ask->threshold = piece.threshold;
    ask->cone = piece.cone;
    ask->crowded = piece.crowded;
    ask->lifts = piece.lifts;
}

/* How contacts are searched at both ends (set_reach in step/reach.c). */
static void fill_search(const cairn_simulation *s, double h, crn_share_question *ask)
{
    const double steps[2] = {h, s->settings.step};
    ask->friction = s->state.friction;
    ask->k = crn_reach_factor(s->model, ask->step.lifts != 0, isnan(ask->friction) ? NULL : &ask->friction);
    for (int end = 0; end < 2; ++end)
        ask->room[end] = ask->k * steps[end] * steps[end] * crn_norm3(s->state.gravity) + s->settings.contact_tolerance;
    ask->step_after = s->settings.step;
    ask->range = s->model->range;
    ask->coheres = s->model->coheres;
    ask->keeps_all = !s->settings.reduction;
}

static cairn_status ask(cairn_simulation *s, double h, crn_glance_answer *answer)
{
    char sentence[CRN_GPU_SENTENCE] = "";
    crn_device *device = s->device;
    crn_share_question *ask = (crn_share_question *)device->audit.ask;
    fill_step(s, h, &ask->step);
    fill_search(s, h, ask);
    note_drives(s, 1, s->state.t, s->settings.step, (crn_share_drive *)(ask + 1));
    note_planes(s, 1, s->state.t, offsets_of(device));
    crn_share_doubts doubts = {0};
    CRN_TRY(has_links(s) ? judge_links(s, h, &doubts) : CAIRN_OK);
    size_t whole = (size_t)((unsigned char *)(pushes_of(device) + ask->linked) - device->audit.ask);
    size_t size = ask->step.task == CRN_DEVICE_SHARE ? whole : sizeof ask->step;
    bool good = crn_crew_ask(device->world, crn_device_task, ask, size, answer, sizeof *answer, sentence);
    answer->doubts += doubts.clear;
    answer->mean += doubts.mean;
    answer->last += doubts.last;
    return good ? CAIRN_OK : crn_device_fail(s, CAIRN_IO, "%s", sentence);
}

/* Nobody doubts, no contact was left out, and the account has the kinetic energy that the bodies have: by a part of what the audit allows (ends.c). */
static bool is_sure(cairn_simulation *s, const crn_glance_answer *answer)
{
    double off = fabs(s->state.energy.kinetic - crn_rotor_kinetic(s, s->state.v) - answer->kinetic);
    return answer->doubts == 0 && (answer->mean == 0 || answer->last == 0) &&
           answer->contacts == s->device->report.contacts && off <= 0.999e-9 * answer->kinetic;
}

/* ------------------------------------------------------------------------------------------------------------ after it */

/* What the audit takes from the start of the step. */
static cairn_status begin_late(cairn_simulation *s, double h)
{
    crn_state *state = &s->state;
    double *q = state->q, *v = state->v, t = state->t;
    state->q = s->device->before.q;
    state->v = s->device->before.v;
    state->t = s->device->audit.t;
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
