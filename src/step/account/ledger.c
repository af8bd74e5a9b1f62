/* Filling the ledger. Every place where the velocity changes reports the change here, with the impulses that caused it. */
#include "math/vec.h"
#include "step/account/ledger_internal.h"
#include "step/schemes/rotors.h"

#include <assert.h>
#include <math.h>
#include <string.h>

cairn_status crn_ledger_open(cairn_simulation *s)
{
    crn_ledger *ledger = &s->ledger;
    size_t bodies = s->model->body_count, joints = s->model->joint_count;
    bool is_ours = s->settings.device == CAIRN_DEVICE_CPU;     /* a device has its own (device_audit.c) */
    size_t driven = is_ours && s->layout->drives ? bodies : 0; /* length of the arrays of driven bodies */
    CRN_TRY(crn_reserve_all(&ledger->memory, CRN_ARRAY(ledger->drive_before, driven),
                            CRN_ARRAY(ledger->drive_after, driven), CRN_ARRAY(ledger->joint_total, joints),
                            CRN_ARRAY(ledger->joint_last, joints), CRN_ARRAY(ledger->joint_impulse[0], joints),
                            CRN_ARRAY(ledger->joint_impulse[1], joints)));
    static_assert(CRN_PIECE_PLACES == 2, "joint_impulse has one array per place");
    if (!s->settings.audit)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&ledger->memory, CRN_ARRAY(ledger->inner, s->model->spring_count > 0 ? bodies : 0)));
    crn_audit_bodies constants = {.mass = s->layout->mass,
                                  .inertia = s->layout->inertia,
                                  .bound = s->layout->bound,
                                  .threads = s->settings.solver.threads,
                                  .scratch = s->scratch};
    ledger->audit = crn_audit_create(s->model, &constants);
    return ledger->audit ? CAIRN_OK : CAIRN_NO_MEMORY;
}

void crn_ledger_close(cairn_simulation *s)
{
    crn_audit_destroy(s->ledger.audit);
    crn_arena_release(&s->ledger.memory);
}

/* ------------------------------------------------------------------------------------------------------ pieces */

/* The ratio by which friction may exceed mu r_n. A pyramid's polygon lies within the circle, but the square has corners
 * outside it. */
static double cone_of(const cairn_simulation *s)
{
    cairn_law law = s->settings.law;
    bool space = s->model->dimension == 3;
    switch (law.kind)
    {
    case CAIRN_LAW_FRICTIONLESS:
        return 0.0;
    case CAIRN_LAW_BOX:
        return space ? sqrt(2.0) : 1.0;
    case CAIRN_LAW_LAGGED:
        return INFINITY; /* its bound comes from the previous step */
    default:
        return 1.0;
    }
}

static bool is_crowded(const cairn_simulation *s)
{
    bool crowded = false;
    for (size_t i = 0; i < s->state.event_count; ++i)
        crowded = crowded || s->state.events[i].kind == CAIRN_EVENT_STORM;
    for (int k = 0; k < s->stage_count; ++k)
        crowded = crowded || s->stage[k].relaxed > 0;
    return crowded;
}

static crn_piece_book read_book(cairn_simulation *s)
{
    cairn_energy *last = &s->ledger.booked;
    const cairn_energy *now = &s->state.energy;
    crn_piece_book book = {.normal = now->work_contact_normal - last->work_contact_normal,
                           .friction = now->work_friction - last->work_friction,
                           .joints = now->work_joints - last->work_joints,
                           .sum = fabs(now->work_contact_normal) + fabs(now->work_friction) + fabs(now->work_joints),
                           .complete = !s->model->gives && !s->model->has_rotors && s->model->system_count == 0 &&
                                       s->state.patches.block_count == 0};
    return book;
}

static void set_places(cairn_simulation *s, crn_piece *piece)
{
    crn_ledger *ledger = &s->ledger;
    piece->place_count = s->stage_count;
    for (int k = 0; k < s->stage_count; ++k)
    {
        const crn_frame *frame = s->stage[k].assembly.frame;
        bool at_start = frame == &s->located.frame;
        crn_piece_place *place = &piece->place[k];
        place->pose = frame->pose;
        place->drive_before = at_start ? frame->drive : ledger->drive_before;
        place->drive_after = at_start ? frame->drive : ledger->drive_after;
        place->joint_impulse = s->model->joint_count > 0 ? ledger->joint_impulse[k] : NULL;
    }
}

/* Whether a glance can judge the piece: rigid contacts, rigid joints and forces alone, at the start of a step. */
static bool is_plain(const cairn_simulation *s, bool impact)
{
    const cairn_model *model = s->model;
    return !impact && s->stage_count == 1 && s->stage[0].assembly.frame == &s->located.frame && !s->ledger.watch &&
           model->spring_count + model->system_count == 0 && model->couplings == 0 && !model->gives &&
           !model->has_rotors && !model->rolls && !model->coheres && s->state.patches.block_count == 0 &&
           !s->located.frame.any_driven && !model->drifts;
}

/* Audit a piece: at a glance, and in full where that leaves a doubt. */
static cairn_status audit_piece(cairn_simulation *s, crn_piece *piece, bool plain)
{
    crn_ledger *ledger = &s->ledger;
    bool right = false;
    crn_acted acted;
    if (plain)
    {
        CRN_TRY(crn_ledger_list_contacts(s, &acted));
        CRN_TRY(crn_audit_glance(ledger->audit, piece, &acted, &right));
    }
    if (right)
        return CAIRN_OK;
    CRN_TRY(crn_ledger_read_contacts(s));
    piece->contacts = ledger->contacts;
    piece->contact_count = ledger->contact_count;
    if (ledger->watch)
        ledger->watch(ledger->watch_data, piece);
    return crn_audit_piece(ledger->audit, piece);
}

/* Velocities at both ends of a piece or of the step, as the audit takes them. */
typedef struct ends
{
    double (*before)[6], (*after)[6];
    const int *row;
} ends;

/* Whether the velocities of the state serve as they are: the piece is the whole step, and all bodies that move have six numbers. */
static bool is_direct(const cairn_simulation *s)
{
    int six = 6 * s->layout->body_block_count;
    return s->model->dimension == 3 && s->layout->block_start[s->layout->body_block_count] == six &&
           !s->located.frame.any_driven && !crn_is_second_order(s->settings.integrator) && !s->ledger.watch;
}

/* Read the velocities at both ends of the piece. */
static cairn_status read_ends(cairn_simulation *s, ends *out)
{
    crn_ledger *ledger = &s->ledger;
    *out = (ends){(double(*)[6])s->trial.v_old, (double(*)[6])s->state.v, s->layout->body_block};
    if (is_direct(s))
        return CAIRN_OK;
    size_t bodies = s->model->body_count;
    CRN_TRY(crn_reserve_all(&ledger->memory, CRN_ARRAY(ledger->before, bodies), CRN_ARRAY(ledger->after, bodies)));
    crn_ledger_read_velocities(s, s->trial.v_old, ledger->before);
    crn_ledger_read_velocities(s, s->state.v, ledger->after);
    *out = (ends){ledger->before, ledger->after, NULL};
    return CAIRN_OK;
}

/* Collect a piece, add it to the sums, and audit it. */
static cairn_status tell(cairn_simulation *s, double h, bool impact)
{
    assert(h >= 0);
    assert(s->stage_count > 0 && s->stage_count <= CRN_PIECE_PLACES);
    crn_ledger *ledger = &s->ledger;
    cairn_status status = CAIRN_OK;
    for (int k = 0; k < s->stage_count && !status; ++k)
    {
        crn_ledger_read_joints(s, k);
        status = crn_is_second_order(s->settings.integrator) ? crn_ledger_add_totals(s, &s->stage[k]) : CAIRN_OK;
    }
    if (status || !ledger->is_due || (!impact && !(h > 0))) /* a part of zero length does nothing */
        return status;
    ends v;
    CRN_TRY(crn_vacate_scratch(s));
    CRN_TRY(read_ends(s, &v));
    if (!impact)
    {
        CRN_TRY(crn_ledger_read_forces(s));
        crn_ledger_read_drives(s, h);
    }
    bool correct = s->settings.stabilisation == CAIRN_STABILISE_GAP && !impact;
    bool lifts = cairn_law_lifts_off(s->settings.law.kind);
    crn_piece piece = {
        .t = s->state.t,
        .h = h,
        .drift_time =
            correct ? fmax(h, s->stage[0].assembly.frame == &s->located.frame ? h : s->settings.step) : INFINITY,
        .left = s->trial.left,
        .still = s->trial.still,
        .tolerance = s->settings.solver.tolerance,
        .speed = s->settings.step * crn_norm3(s->state.gravity),
        .threshold = s->settings.restitution_threshold,
        .held = crn_is_second_order(s->settings.integrator) ? s->settings.step : 0.0,
        .interpolated = impact ? 0.0 : ledger->interpolated,
        .crowded = is_crowded(s),
        .cone = cone_of(s),
        .lifts = lifts,
        .pose = s->located.frame.pose,
        .coordinate = s->state.coordinate,
        .absent = s->state.absent,
        .before = v.before,
        .after = v.after,
        .row = v.row,
        .outer = crn_ledger_has_forces(s) && !impact ? ledger->outer : NULL,
        .inner = s->model->spring_count > 0 ? ledger->inner : NULL,
        .book = read_book(s),
    };
    for (int k = 0; k < s->model->dimension; ++k)
        piece.fall[k] = h * s->state.gravity[k];
    set_places(s, &piece);
    return audit_piece(s, &piece, is_plain(s, impact));
}

static cairn_status finish(cairn_simulation *s, cairn_status status)
{
    s->ledger.booked = s->state.energy;
    return status ? crn_fail(s->context, status, "audit at t = %g: memory ran out", s->state.t) : CAIRN_OK;
}

cairn_status crn_ledger_smooth(cairn_simulation *s, double h)
{
    return finish(s, tell(s, h, false));
}

cairn_status crn_ledger_impact(cairn_simulation *s)
{
    return finish(s, tell(s, 0.0, true));
}

/* ------------------------------------------------------------------------------------------------------- steps */

void crn_ledger_settle(cairn_simulation *s)
{
    if (s->ledger.audit)
        crn_audit_start(s->ledger.audit, s->state.t, s->located.contacts, s->located.contact_count);
    s->state.report.physics.violations = s->ledger.audit ? crn_audit_found(s->ledger.audit) : 0;
    bool kept = s->settings.initial == CAIRN_INITIAL_KEEP; /* then overlaps are reported, but not forbidden */
    s->state.report.physics.forbidden =
        s->ledger.audit && !kept ? crn_audit_forbidden(s->ledger.audit, s->settings.allow) : 0;
}

/* Copy the velocities of driven bodies if there are any. Those of fixed bodies stay 0. */
static void copy_drives(const cairn_simulation *s, double (*out)[6])
{
    for (int b = 0; s->located.frame.any_driven && b < (int)s->model->body_count; ++b)
        if (s->model->bodies[b].kind == CAIRN_DRIVEN)
            memcpy(out[b], s->located.frame.drive[b], sizeof out[b]);
}

/* Whether the step that begins is audited. Steps are counted, so that a run that is resumed goes on alike. */
static bool is_due(const cairn_simulation *s)
{
    const cairn_settings *settings = &s->settings;
    int64_t every = settings->accuracy == CAIRN_ACCURACY_FAST && settings->audit_every > 1 ? settings->audit_every : 1;
    return s->ledger.audit && (s->ledger.is_asked || (s->state.step + 1) % every == 0);
}

static cairn_status read_start(cairn_simulation *s)
{
    crn_ledger *ledger = &s->ledger;
    CRN_TRY(crn_reserve_all(&ledger->memory, CRN_ARRAY(ledger->start, s->model->body_count)));
    crn_ledger_read_velocities(s, s->state.v, ledger->start);
    copy_drives(s, ledger->start);
    return CAIRN_OK;
}

cairn_status crn_ledger_begin(cairn_simulation *s)
{
    crn_ledger *ledger = &s->ledger;
    ledger->total_count = 0;
    ledger->projection_missed = 0;
    ledger->booked = s->state.energy;
    ledger->t = s->state.t;
    if (!ledger->has_chosen)
    {
        double(*last)[CRN_PIECE_JOINT_ROWS] = ledger->joint_total;
        ledger->joint_total = ledger->joint_last;
        ledger->joint_last = last;
    }
    ledger->has_chosen = false;
    ledger->forces = CRN_FORCES_SETTLED;
    for (size_t j = 0; j < s->model->joint_count; ++j) /* further rows are never set */
        memset(ledger->joint_total[j], 0,
               (size_t)(s->model->joints[j].rows + s->model->joints[j].bounded) * sizeof(double));
    ledger->is_due = is_due(s);
    if (!ledger->audit)
        return CAIRN_OK;
    crn_audit_begin(ledger->audit);
    if (!ledger->is_due)
    {
        crn_audit_forget_start(ledger->audit);
        return CAIRN_OK;
    }
    cairn_status status = crn_audit_from(ledger->audit, s->located.contacts, s->located.contact_count,
                                         crn_collider_keeps(s->located.collider, s->located.contacts));
    if (!status && !is_direct(s))
        status = read_start(s);
    return finish(s, status);
}

cairn_status crn_ledger_vacate(cairn_simulation *s, const void *memory)
{
    crn_audit *audit = s->ledger.audit;
    return audit && memory && crn_audit_lent(audit) == memory ? crn_audit_own_start(audit) : CAIRN_OK;
}

cairn_status crn_ledger_follow_start(cairn_simulation *s, const crn_contact *before, const crn_contact *more,
                                     int more_count)
{
    crn_audit *audit = s->ledger.audit;
    bool follows = audit && before && crn_audit_lent(audit) == before;
    return follows ? crn_audit_follow(audit, s->located.contacts, s->located.contact_count, more, more_count)
                   : CAIRN_OK;
}

void crn_ledger_moved(cairn_simulation *s)
{
    if (!s->state.report.projection_met)
        s->ledger.projection_missed = fmax(s->ledger.projection_missed, s->state.report.projection_error);
}

/* The velocities at both ends of the step. */
static ends read_step(cairn_simulation *s)
{
    crn_ledger *ledger = &s->ledger;
    if (is_direct(s))
        return (ends){(double(*)[6])s->saved.v, (double(*)[6])s->state.v, s->layout->body_block};
    crn_ledger_read_velocities(s, s->state.v, ledger->after);
    copy_drives(s, ledger->after);
    return (ends){ledger->start, ledger->after, NULL};
}

void crn_ledger_end(cairn_simulation *s, double h)
{
    assert(h > 0);
    crn_ledger *ledger = &s->ledger;
    s->state.report.physics = (cairn_physics_report){0};
    if (!ledger->is_due)
        return;
    ledger->is_asked = false;
    ends v = read_step(s);
    crn_audit_motion motion = {
        .t = ledger->t,
        .h = h,
        .left = s->trial.left,
        .tolerance = s->settings.solver.tolerance,
        .before = v.before,
        .after = v.after,
        .row = v.row,
        .contact_tolerance = crn_is_second_order(s->settings.integrator) ? s->settings.contact_tolerance : 0.0,
        .projection_missed = ledger->projection_missed,
        .projection_tolerance = s->settings.projection_tolerance,
        .book_kinetic = s->model->system_count > 0 ? NAN : s->state.energy.kinetic - crn_rotor_kinetic(s, s->state.v),
    };
    crn_audit_end(ledger->audit, &motion, s->located.contacts, s->located.contact_count);
    s->state.report.physics.audited = 1;
    s->state.report.physics.violations = crn_audit_found(ledger->audit);
    s->state.report.physics.forbidden = crn_audit_forbidden(ledger->audit, s->settings.allow);
}
