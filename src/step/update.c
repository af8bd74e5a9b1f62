/* Updating a simulation after objects were added to its model or removed from it.
 *
 * A second interior of the simulation is laid out for the current model and takes over the state of everything that still
 * exists. It replaces the old interior only if the new objects pass the checks of an initial state; otherwise the old one is
 * restored unchanged. Memory keyed by contact identity is moved as it is: identities outlast removal and are never reused, so
 * entries of removed contacts are never found. Deformed patches that have lost their contact relax, as after every separation.
 *
 * Adding and removing objects changes the energy by theirs. The change is booked in cairn_energy.added:
 *
 *     added += total(after) - total(before)
 */
#include "base/memory.h"
#include "base/swap.h"
#include "collide/identity.h"
#include "step/account/account.h"
#include "step/simulation.h"

#include <assert.h>
#include <string.h>

static void copy_block(const crn_layout *from, int old, const crn_layout *to, int now, const crn_state *state,
                       crn_state *out)
{
    int q_width = from->q_start[old + 1] - from->q_start[old];
    int width = from->block_start[old + 1] - from->block_start[old];
    assert(to->q_start[now + 1] - to->q_start[now] == q_width);
    assert(to->block_start[now + 1] - to->block_start[now] == width);
    memcpy(out->q + to->q_start[now], state->q + from->q_start[old], (size_t)q_width * sizeof(double));
    memcpy(out->v + to->block_start[now], state->v + from->block_start[old], (size_t)width * sizeof(double));
}

/* Copy positions and velocities of bodies that still exist, and of users' systems, which cannot be removed. */
static void copy_motion(const cairn_simulation *s, const crn_moves *moves, cairn_simulation *fresh)
{
    const crn_layout *from = s->layout, *to = fresh->layout;
    for (int k = 0; k < from->body_block_count; ++k)
    {
        int body = moves->to[CRN_ROSTER_BODIES][from->block_body[k]];
        if (body >= 0)
            copy_block(from, k, to, to->body_block[body], &s->state, &fresh->state);
    }
    for (int i = from->body_block_count; i < from->block_count; ++i)
        copy_block(from, i, to, i - from->body_block_count + to->body_block_count, &s->state, &fresh->state);
}

/* Which grains are there, and the flows of populations that were there before. */
static void copy_flows(const cairn_simulation *s, const crn_moves *moves, cairn_simulation *fresh)
{
    const crn_state *from = &s->state;
    for (int b = 0; b < s->roster.count[CRN_ROSTER_BODIES] && from->absent; ++b)
        if (moves->to[CRN_ROSTER_BODIES][b] >= 0)
            fresh->state.absent[moves->to[CRN_ROSTER_BODIES][b]] = from->absent[b];
    if (from->flow)
        memcpy(fresh->state.flow, from->flow, (size_t)s->gates.count * sizeof *from->flow);
}

static void copy_values(const crn_roster *roster, const crn_moves *moves, int kind, const double *from, double *to)
{
    for (int i = 0; i < roster->count[kind]; ++i)
        if (moves->to[kind][i] >= 0)
            to[moves->to[kind][i]] = from[i];
}

/* The same for `width` numbers per joint. */
static void copy_rows(const crn_roster *roster, const crn_moves *moves, int width, const double *from, double *to)
{
    const int *moved = moves->to[CRN_ROSTER_JOINTS];
    for (int i = 0; i < roster->count[CRN_ROSTER_JOINTS]; ++i)
        if (moved[i] >= 0)
            memcpy(to + width * moved[i], from + width * i, (size_t)width * sizeof(double));
}

/* Copy the time, what the user has set, and the data of springs, joints and forces. */
static void copy_account(const cairn_simulation *s, const crn_moves *moves, cairn_simulation *fresh)
{
    const crn_state *from = &s->state;
    crn_state *to = &fresh->state;
    to->t = from->t;
    to->t_base = from->t_base;
    to->h_base = from->h_base;
    to->steps_since_base = from->steps_since_base;
    to->step = from->step;
    memcpy(to->gravity, from->gravity, sizeof to->gravity);
    to->friction = from->friction;
    to->pull = from->pull;
    to->pulled = from->pulled && moves->to[CRN_ROSTER_BODIES][from->pull.body] >= 0;
    to->pull.body = to->pulled ? moves->to[CRN_ROSTER_BODIES][from->pull.body] : 0;
    to->lag_h = from->lag_h;
    to->mode_h = from->mode_h;
    to->velocity_scale = from->velocity_scale;
    to->part_length = from->part_length;
    to->rough = from->rough;
    to->total_at_start = from->total_at_start;
    to->energy = from->energy;
    to->report = from->report;
    memcpy(to->method, from->method, sizeof to->method);
    copy_values(&s->roster, moves, CRN_ROSTER_SPRINGS, from->spring_angle, to->spring_angle);
    copy_values(&s->roster, moves, CRN_ROSTER_SPRINGS, from->spring_work, to->spring_work);
    copy_values(&s->roster, moves, CRN_ROSTER_JOINTS, from->joint_work, to->joint_work);
    copy_rows(&s->roster, moves, CRN_JOINT_COORDINATES, from->coordinate, to->coordinate);
    if (from->element_works > 0 && to->element_works > 0)
        copy_rows(&s->roster, moves, CRN_ELEMENT_WORKS, from->element_work, to->element_work);
    copy_values(&s->roster, moves, CRN_ROSTER_FORCES, from->force_work, to->force_work);
    memcpy(to->passed, from->passed, s->statistic_count * sizeof *to->passed); /* they are never removed */
}

static bool move_contact(const crn_moves *moves, crn_contact *contact)
{
    if (contact->body_a < 0)
        return true; /* a gap of a user's system */
    contact->body_a = moves->to[CRN_ROSTER_BODIES][contact->body_a];
    contact->body_b = moves->to[CRN_ROSTER_BODIES][contact->body_b];
    contact->shape_a = moves->to[CRN_ROSTER_SHAPES][contact->shape_a];
    contact->shape_b = moves->to[CRN_ROSTER_SHAPES][contact->shape_b];
    return contact->shape_a >= 0 && contact->shape_b >= 0;
}

/* Copy the contact memory that refers to bodies and shapes by index. */
static cairn_status copy_places(const crn_state *from, const crn_moves *moves, crn_state *to)
{
    size_t pressed = (size_t)from->pressed_count;
    if (crn_reserve(&to->pressed, &to->pressed_capacity, pressed, sizeof *to->pressed) ||
        crn_sides_copy(&from->sides, &to->sides))
        return CAIRN_NO_MEMORY;
    to->pressed_count = 0;
    for (size_t i = 0; i < pressed; ++i)
    {
        crn_contact contact = from->pressed[i];
        if (move_contact(moves, &contact))
            to->pressed[to->pressed_count++] = contact;
    }
    size_t kept = 0;
    for (size_t i = 0; i < from->sides.count; ++i)
    {
        crn_side side = from->sides.side[i];
        side.body[0] = moves->to[CRN_ROSTER_BODIES][side.body[0]];
        side.body[1] = moves->to[CRN_ROSTER_BODIES][side.body[1]];
        if (side.body[0] >= 0 && side.body[1] >= 0)
            to->sides.side[kept++] = side;
    }
    to->sides.count = kept;
    return CAIRN_OK;
}

/* Move the memory that is keyed by identity, and the solvers with everything they have learned. */
static void hand_over(cairn_simulation *old, cairn_simulation *s)
{
    crn_state *from = &old->state, *to = &s->state;
    CRN_SWAP(crn_patches, from->patches, to->patches);
    CRN_SWAP(crn_anchors, from->anchors, to->anchors);
    CRN_SWAP(crn_wedged, from->wedged, to->wedged);
    for (int k = 0; k < CRN_WARMS; ++k)
        CRN_SWAP(crn_warm, from->warm[k], to->warm[k]);
    CRN_SWAP(crn_warm, from->lag, to->lag);
    CRN_SWAP(crn_contact_mode *, from->modes, to->modes);
    CRN_SWAP(int, from->mode_count, to->mode_count);
    CRN_SWAP(size_t, from->mode_capacity, to->mode_capacity);
    CRN_SWAP(cairn_event *, from->events, to->events);
    CRN_SWAP(size_t, from->event_count, to->event_count);
    CRN_SWAP(size_t, from->event_capacity, to->event_capacity);
    for (int k = 0; k < CRN_STAGES; ++k)
        CRN_SWAP(cairn_solver *, old->stage[k].solver, s->stage[k].solver);
    CRN_SWAP(cairn_solver *, old->projection.stage.solver, s->projection.stage.solver);
    crn_hand_over_touches(from, s->model, to);
    s->ledger.watch = old->ledger.watch;
    s->ledger.watch_data = old->ledger.watch_data;
    if (s->ledger.audit)
        crn_audit_carry_on(old->ledger.audit, s->ledger.audit);
}

typedef struct renaming
{
    const cairn_model *model;
    int old, bits;
} renaming;

static uint64_t rename_one(const void *data, uint64_t identity)
{
    const renaming *r = data;
    return crn_identity_rename(r->model, r->old, r->bits, identity);
}

/* In a model with meshes, identities are packed more tightly as shapes are added, so they change. Elements of patches,
 * whose identities are hashes, lose their warm start. */
static void rename_contacts(const renaming *r, crn_state *state)
{
    for (int i = 0; i < state->patches.now.count; ++i)
        state->patches.now.patch[i].identity = rename_one(r, state->patches.now.patch[i].identity);
    for (int i = 0; i < state->anchors.count; ++i)
        state->anchors.now[i].identity = rename_one(r, state->anchors.now[i].identity);
    for (int i = 0; i < state->wedged.count; ++i)
        state->wedged.identity[i] = rename_one(r, state->wedged.identity[i]);
    for (int i = 0; i < state->pressed_count; ++i)
        state->pressed[i].identity = rename_one(r, state->pressed[i].identity);
    for (int i = 0; i < state->mode_count; ++i)
        state->modes[i].identity = rename_one(r, state->modes[i].identity);
    for (int k = 0; k < CRN_WARMS; ++k)
        crn_warm_rename(&state->warm[k], rename_one, r);
    crn_warm_rename(&state->lag, rename_one, r);
}

/* Once memory has been handed over nothing may fail: reserve what renaming takes. */
static cairn_status prepare_names(crn_state *state)
{
    for (int k = 0; k < CRN_WARMS; ++k)
        CRN_TRY(crn_warm_reserve_work(&state->warm[k], (size_t)state->warm[k].count));
    return crn_warm_reserve_work(&state->lag, (size_t)state->lag.count);
}

/* The new interior is in place: locate poses and contacts, check them, and compute the energies. */
static cairn_status settle(cairn_simulation *s, cairn_simulation *old, const crn_moves *moves)
{
    cairn_status status = crn_check_regularised(s);
    status = status ? status : crn_locate(s, old->state.located_h > 0 ? old->state.located_h : s->settings.step);
    status = status ? status : crn_check_newcomers(s, moves);
    renaming names = {s->model, old->identity_bits, s->identity_bits};
    if (!status && names.old != names.bits && prepare_names(&old->state))
        status = crn_fail(s->context, CAIRN_NO_MEMORY, "simulation: memory ran out while following its model");
    if (status)
        return status;
    hand_over(old, s);
    if (names.old != names.bits)
        rename_contacts(&names, &s->state);
    s->state.energy.added += crn_recount(s);
    crn_report_violations(s);
    s->state.report.energy = s->state.energy;
    return CAIRN_OK;
}

static cairn_status follow(cairn_simulation *s, cairn_simulation *fresh, const crn_moves *moves)
{
    copy_motion(s, moves, fresh);
    copy_account(s, moves, fresh);
    copy_flows(s, moves, fresh);
    fresh->hooks.options = s->hooks.options;
    cairn_status status = copy_places(&s->state, moves, &fresh->state);
    if (status)
        return crn_fail(s->context, status, "simulation: memory ran out while following its model");
    CRN_SWAP(cairn_simulation, *s, *fresh);
    crn_simulation_bind(s);
    status = settle(s, fresh, moves);
    if (status)
        CRN_SWAP(cairn_simulation, *s, *fresh);
    return status;
}

static const char UNDER_WAY[] = "steps are under way; finish them first (cairn_simulation_finish_steps)";

cairn_status crn_simulation_enter(cairn_simulation *s)
{
    assert(s);
    if (s->begun > 0)
        return crn_fail(s->context, CAIRN_INVALID, UNDER_WAY);
    return cairn_simulation_update(s);
}

cairn_status cairn_simulation_update(cairn_simulation *s)
{
    if (!s)
        return CAIRN_INVALID;
    if (crn_is_current(s))
        return CAIRN_OK;
    if (s->begun > 0)
        return crn_fail(s->context, CAIRN_INVALID, UNDER_WAY);
    CRN_TRY(crn_motions_fetch(s));
    CRN_TRY(crn_make_grains(s->model));
    cairn_simulation *fresh = NULL;
    crn_moves moves;
    cairn_status status = crn_simulation_open(s->context, s->model, &s->settings, &fresh);
    if (status)
        return status;
    if (crn_moves_find(s->model, &s->roster, &moves))
        status = crn_fail(s->context, CAIRN_NO_MEMORY, "simulation: memory ran out while following its model");
    status = status ? status : follow(s, fresh, &moves);
    crn_moves_free(&moves);
    cairn_simulation_destroy(fresh);
    return status;
}
