#include "step/keep/walk.h"

#include "math/vec.h"
#include "model/names.h"
#include "step/keep/fields.h"
#include "step/keep/shelf.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* More steps than a run can take. Times are counted in doubles, which represent every whole number up to here exactly. */
static const int64_t MOST_STEPS = INT64_C(1) << 53;

/* s: no step is longer. */
static const double LONGEST_STEP = 1e100;

static void walk_time(crn_stream *stream, const crn_layout *layout, crn_state *state, crn_kept_account *account)
{
    (void)layout;
    (void)account;
    double *numbers[] = {&state->t,
                         &state->t_base,
                         &state->h_base,
                         &state->located_h,
                         &state->lag_h,
                         &state->mode_h,
                         &state->velocity_scale,
                         &state->part_length,
                         &state->total_at_start,
                         &state->contact_elastic,
                         &state->potentials.gravity,
                         &state->potentials.elastic,
                         &state->potentials.systems};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
    {
        crn_stream_numbers(stream, numbers[i], 1);
        crn_stream_check(stream, isfinite(*numbers[i]), "a number of the state, which is not finite");
    }
    bool timed = state->located_h >= 0 && state->located_h <= LONGEST_STEP && state->h_base > 0;
    crn_stream_check(stream, timed && state->h_base <= LONGEST_STEP, "the length of the step");
    crn_stream_long(stream, &state->step);
    crn_stream_long(stream, &state->steps_since_base);
    bool counted = state->step >= 0 && state->step <= MOST_STEPS && state->steps_since_base >= 0 &&
                   state->steps_since_base <= MOST_STEPS;
    crn_stream_check(stream, counted, "the number of steps");
    crn_stream_flag(stream, &state->rough);
}

/* Whether a body moves under forces; grains that are not in the layout do. */
static bool moves(const crn_layout *layout, int body, const crn_kept_account *account)
{
    size_t bodies = layout->model->body_count, grains = (size_t)account->grains;
    return (size_t)body < bodies ? layout->body_block[body] >= 0 : (size_t)body - bodies < grains;
}

/* Values that the user has set. */
static void walk_hand(crn_stream *stream, const crn_layout *layout, crn_state *state, crn_kept_account *account)
{
    crn_drag_spring *pull = &state->pull;
    crn_stream_numbers(stream, state->gravity, 3);
    crn_stream_numbers(stream, &state->friction, 1);
    crn_stream_flag(stream, &state->pulled);
    crn_stream_int(stream, &pull->body, 0, INT_MAX, "the body that is pulled");
    crn_stream_numbers(stream, pull->point, 3);
    crn_stream_numbers(stream, pull->target, 3);
    crn_stream_numbers(stream, &pull->stiffness, 1);
    crn_stream_numbers(stream, &pull->damping, 1);
    bool friction = isnan(state->friction) || (isfinite(state->friction) && state->friction >= 0);
    bool finite = crn_all_finite(pull->point, 3) && crn_all_finite(pull->target, 3) && isfinite(pull->stiffness) &&
                  isfinite(pull->damping);
    bool held =
        !state->pulled || (moves(layout, pull->body, account) && finite && pull->stiffness >= 0 && pull->damping >= 0);
    crn_stream_check(stream, crn_all_finite(state->gravity, 3), "the gravity");
    crn_stream_check(stream, friction, "the friction");
    crn_stream_check(stream, held, "the pull");
}

/* A quaternion of length 0 is not a rotation. */
static bool turns(const crn_layout *layout, const double *q)
{
    bool good = true;
    for (int k = 0; k < layout->body_block_count && good; ++k)
    {
        bool spatial = layout->q_start[k + 1] - layout->q_start[k] == 7;
        good = !spatial || crn_quaternion_turns(q + layout->q_start[k] + 3);
    }
    return good;
}

/* Arrays whose sizes depend on the model. */
static void walk_arrays(crn_stream *stream, const crn_layout *layout, crn_state *state, crn_kept_account *account)
{
    const cairn_model *model = layout->model;
    struct
    {
        double *array;
        size_t size;
        const char *what;
    } all[] = {
        {state->q, (size_t)layout->q_start[layout->block_count], "the positions"},
        {state->v, (size_t)layout->block_start[layout->block_count], "the velocities"},
        {state->spring_angle, model->spring_count, "the springs"},
        {state->coordinate, model->joint_count * CRN_JOINT_COORDINATES, "the coordinates of joints"},
        {state->spring_work, model->spring_count, "the works of springs"},
        {state->joint_work, model->joint_count, "the works of joints"},
        {state->force_work, model->force_count, "the works of forces"},
        {state->element_work, state->element_works, "the works along coordinates of joints"},
        {&state->passed->mass, model->statistic_count * (sizeof *state->passed / sizeof(double)), "what passed planes"},
    };
    if (account->teller)
        crn_device_write_coordinates(account->teller, stream);
    else if (account->stays)
        crn_shelve_motions(stream, layout, account->grains, state->shelf);
    for (size_t i = account->teller || account->stays ? 2 : 0; i < sizeof all / sizeof all[0]; ++i)
    {
        crn_stream_numbers(stream, all[i].array, all[i].size);
        if (crn_stream_reads(stream))
            crn_stream_check(stream, crn_all_finite(all[i].array, (int)all[i].size), all[i].what);
    }
    if (crn_stream_reads(stream) && !account->stays)
        crn_stream_check(stream, turns(layout, state->q), "an orientation");
}

/* Which grains are there, and how far their flows have got. */
static void walk_flows(crn_stream *stream, const crn_layout *layout, crn_state *state, crn_kept_account *account)
{
    (void)account;
    const cairn_model *model = layout->model;
    for (size_t i = 0; i < model->body_count && state->absent; ++i)
    {
        crn_stream_flag(stream, &state->absent[i]);
        bool grain = model->bodies[i].population && model->populations[model->bodies[i].population - 1].flow;
        crn_stream_check(stream, grain || !state->absent[i], "an absent body, which is no grain that comes and goes");
    }
    for (size_t i = 0; i < model->population_count && state->flow; ++i)
    {
        crn_flow *flow = &state->flow[i];
        int most = model->populations[i].count;
        for (int k = 0; k < 4; ++k)
            crn_stream_word(stream, &flow->random.s[k]);
        crn_stream_int(stream, &flow->told.present, 0, most, "the grains that are there");
        crn_stream_int(stream, &flow->next, 0, most, "the next grain");
        crn_stream_long(stream, &flow->told.inserted);
        crn_stream_long(stream, &flow->told.removed);
        crn_stream_long(stream, &flow->told.postponed);
        crn_stream_numbers(stream, &flow->told.mass_in, 4);
    }
}

/* ---------------------------------------------------------------------------------------------------- contacts */

static void walk_pressed(crn_stream *stream, const cairn_model *model, crn_state *state)
{
    size_t count = (size_t)state->pressed_count;
    crn_stream_list(stream, &state->pressed, &state->pressed_capacity, &count, sizeof *state->pressed,
                    CRN_LEAST_CONTACT, "pressed contacts");
    for (size_t i = 0; i < count && stream->status == CAIRN_OK; ++i)
    {
        crn_stream_contact(stream, model, &state->pressed[i]);
        bool sorted = i == 0 || state->pressed[i - 1].identity <= state->pressed[i].identity;
        crn_stream_check(stream, sorted, "the order of pressed contacts");
    }
    state->pressed_count = (int)count;
}

static void walk_modes(crn_stream *stream, crn_state *state)
{
    size_t count = (size_t)state->mode_count;
    crn_stream_list(stream, &state->modes, &state->mode_capacity, &count, sizeof *state->modes, 11 * 8, "modes");
    for (size_t i = 0; i < count && stream->status == CAIRN_OK; ++i)
    {
        crn_stream_mode(stream, &state->modes[i]);
        bool sorted = i == 0 || state->modes[i - 1].identity <= state->modes[i].identity;
        crn_stream_check(stream, sorted, "the order of modes");
    }
    state->mode_count = (int)count;
}

static void walk_wedged(crn_stream *stream, crn_wedged *wedged)
{
    size_t count = (size_t)wedged->count;
    crn_stream_list(stream, &wedged->identity, &wedged->capacity, &count, sizeof *wedged->identity, 8,
                    "wedged contacts");
    for (size_t i = 0; i < count && stream->status == CAIRN_OK; ++i)
    {
        crn_stream_word(stream, &wedged->identity[i]);
        bool sorted = i == 0 || wedged->identity[i - 1] <= wedged->identity[i];
        crn_stream_check(stream, sorted, "the order of wedged contacts");
    }
    wedged->count = (int)count;
}

static void walk_choice(crn_stream *stream, crn_choice *choice)
{
    crn_stream_list(stream, &choice->identity, &choice->contact_capacity, &choice->contacts, sizeof *choice->identity,
                    8, "chosen contacts");
    for (size_t i = 0; i < choice->contacts && stream->status == CAIRN_OK; ++i)
        crn_stream_word(stream, &choice->identity[i]);
    crn_stream_list(stream, &choice->row, &choice->row_capacity, &choice->rows, sizeof *choice->row, 16, "chosen rows");
    for (size_t i = 0; i < choice->rows && stream->status == CAIRN_OK; ++i)
    {
        crn_stream_numbers(stream, &choice->row[i].solved, 1);
        crn_stream_numbers(stream, &choice->row[i].shift, 1);
        bool right = isfinite(choice->row[i].solved) && isfinite(choice->row[i].shift);
        crn_stream_check(stream, right, "a chosen force");
    }
    crn_stream_int(stream, &choice->null_space, 0, INT_MAX, "the null space of the chosen forces");
    crn_stream_int(stream, &choice->velocity_null_space, 0, INT_MAX, "the null space of their velocities");
    crn_stream_int(stream, &choice->unexamined, 0, INT_MAX, "whether chosen forces were examined");
    crn_stream_flag(stream, &choice->chosen);
}

static void walk_anchors(crn_stream *stream, crn_anchors *anchors)
{
    size_t count = (size_t)anchors->count;
    crn_stream_list(stream, &anchors->now, &anchors->capacity, &count, sizeof *anchors->now, 10 * 8,
                    "memories of contacts");
    for (size_t i = 0; i < count && stream->status == CAIRN_OK; ++i)
    {
        crn_anchor *anchor = &anchors->now[i];
        crn_stream_word(stream, &anchor->identity);
        crn_stream_numbers(stream, anchor->stretch, 3);
        crn_stream_numbers(stream, anchor->roll, 3);
        crn_stream_numbers(stream, anchor->normal, 3);
        bool right =
            crn_all_finite(anchor->stretch, 3) && crn_all_finite(anchor->roll, 3) && crn_all_finite(anchor->normal, 3);
        crn_stream_check(stream, right, "the memory of a contact");
        bool sorted = i == 0 || anchors->now[i - 1].identity < anchor->identity;
        crn_stream_check(stream, sorted, "the order of memories of contacts");
    }
    anchors->count = (int)count;
    crn_stream_numbers(stream, &anchors->energy, 1);
}

static void walk_sides(crn_stream *stream, const cairn_model *model, crn_sides *sides)
{
    crn_stream_list(stream, &sides->side, &sides->capacity, &sides->count, sizeof *sides->side, 8 * 8, "sides");
    for (size_t i = 0; i < sides->count && stream->status == CAIRN_OK; ++i)
    {
        crn_stream_side(stream, model, &sides->side[i]);
        bool sorted = i == 0 || sides->side[i - 1].identity <= sides->side[i].identity;
        crn_stream_check(stream, sorted, "the order of sides");
    }
}

static void walk_memory(crn_stream *stream, const crn_layout *layout, crn_state *state, crn_kept_account *account)
{
    (void)account;
    const cairn_model *model = layout->model;
    crn_stream_patches(stream, &state->patches);
    walk_anchors(stream, &state->anchors);
    walk_sides(stream, model, &state->sides);
    walk_wedged(stream, &state->wedged);
    walk_choice(stream, &state->choice);
    for (int k = 0; k < (model->rolls ? CRN_WARMS : CRN_WARM_TURNING); ++k)
        crn_stream_warm(stream, model->dimension, &state->warm[k]);
    crn_stream_warm(stream, model->dimension, &state->lag);
    crn_stream_check(stream, state->lag.count == 0 || state->lag_h > 0, "the step of lagged friction");
    walk_pressed(stream, model, state);
    walk_modes(stream, state);
}

/* ------------------------------------------------------------------------------------------------- the account */

static void walk_audit(crn_stream *stream, const cairn_model *model, crn_audit_record *audit)
{
    crn_stream_int(stream, &audit->listed_count, 0, CRN_AUDIT_LISTED, "the list of violations");
    crn_stream_int(stream, &audit->found, 0, INT_MAX, "the number of violations");
    for (int i = 0; i < audit->listed_count && stream->status == CAIRN_OK; ++i)
        crn_stream_violation(stream, model, &audit->listed[i]);
    cairn_audit_totals *totals[2] = {&audit->step, &audit->totals};
    for (int k = 0; k < 2 * CAIRN_VIOLATION_KINDS; ++k)
    {
        crn_stream_long(stream, &totals[k % 2]->count[k / 2]);
        crn_stream_violation(stream, model, &totals[k % 2]->worst[k / 2]);
    }
}

/* The pairs that began to touch, still touch and stopped, one list after the other. */
static void walk_touches(crn_stream *stream, const cairn_model *model, crn_state *state)
{
    size_t count = state->touch_count[0] + state->touch_count[1] + state->touch_count[2], sum = 0;
    crn_stream_list(stream, &state->touches, &state->touch_capacity, &count, sizeof *state->touches, 5 * 8, "touches");
    for (int k = 0; k < 3; ++k)
    {
        crn_stream_count(stream, &state->touch_count[k], 1, "touches of a phase");
        sum += state->touch_count[k];
    }
    crn_stream_check(stream, sum == count, "the phases of touches");
    for (size_t i = 0; i < count && stream->status == CAIRN_OK; ++i)
        crn_stream_touch(stream, model, &state->touches[i]);
    if (stream->status != CAIRN_OK)
        state->touch_count[0] = state->touch_count[1] = state->touch_count[2] = 0;
}

/* Contacts that the device tells. */
static void write_contacts(crn_stream *stream, const cairn_model *model, cairn_simulation *lister)
{
    size_t count = (size_t)crn_device_contact_count(lister);
    crn_stream_count(stream, &count, CRN_LEAST_CONTACT, "contacts");
    for (int i = 0; i < (int)count && stream->status == CAIRN_OK; ++i)
    {
        cairn_contact contact;
        stream->status = crn_device_read_contact(lister, i, &contact);
        if (stream->status == CAIRN_OK)
            crn_stream_public_contact(stream, model, &contact);
    }
}

static void walk_contacts(crn_stream *stream, const cairn_model *model, crn_state *state)
{
    if (crn_stream_reads(stream) && state->shelf && crn_shelve_contacts(stream, model, state->shelf))
        return;
    crn_stream_list(stream, &state->contacts, &state->contact_capacity, &state->contact_count, sizeof *state->contacts,
                    CRN_LEAST_CONTACT, "contacts");
    for (size_t i = 0; i < state->contact_count && stream->status == CAIRN_OK; ++i)
        crn_stream_public_contact(stream, model, &state->contacts[i]);
}

static void walk_account(crn_stream *stream, const crn_layout *layout, crn_state *state, crn_kept_account *account)
{
    const cairn_model *model = layout->model;
    crn_stream_energy(stream, &state->energy);
    crn_stream_report(stream, &state->report, state->method);
    crn_stream_list(stream, &state->events, &state->event_capacity, &state->event_count, sizeof *state->events, 8 * 8,
                    "events");
    for (size_t i = 0; i < state->event_count && stream->status == CAIRN_OK; ++i)
        crn_stream_event(stream, model, &state->events[i]);
    if (account->lister)
        write_contacts(stream, model, account->lister);
    else
        walk_contacts(stream, model, state);
    walk_touches(stream, model, state);
    crn_stream_numbers(stream, account->joint_total[0], model->joint_count * CRN_PIECE_JOINT_ROWS);
    bool audited = account->audit;
    crn_stream_flag(stream, &audited);
    crn_stream_check(stream, audited == (account->audit != NULL), "the audit, which one of the two does without");
    if (account->audit && stream->status == CAIRN_OK)
        walk_audit(stream, model, account->audit);
}

/* Reading: room for the numbers, which states of ranks do without. */
static void make_room(crn_stream *stream, size_t nq, size_t nv, size_t works, crn_kept_start *start)
{
    start->q = calloc(nq + nv + works + 1, sizeof(double));
    start->v = start->q ? start->q + nq : NULL;
    start->element_work = start->q ? start->v + nv : NULL;
    if (!start->q)
        stream->status = CAIRN_NO_MEMORY;
}

/* The numbers are whole only if a step was made. */
static void walk_start(crn_stream *stream, const crn_layout *layout, crn_state *state, crn_kept_account *account)
{
    crn_kept_start *start = &account->start;
    crn_stream_flag(stream, &start->is_there);
    crn_stream_flag(stream, &start->is_old);
    if (!start->is_there)
        return;
    if (account->stays) /* such a state is read once more, without a shelf for its motions */
    {
        crn_stream_skip(stream, 8 * (1 + crn_shelved_numbers(layout, account->grains) + state->element_works));
        return;
    }
    size_t nq = (size_t)layout->q_start[layout->block_count], nv = (size_t)layout->block_start[layout->block_count];
    if (crn_stream_reads(stream))
        make_room(stream, nq, nv, state->element_works, start);
    if (stream->status)
        return;
    crn_stream_numbers(stream, &start->t, 1);
    crn_stream_numbers(stream, start->q, nq);
    crn_stream_numbers(stream, start->v, nv);
    crn_stream_numbers(stream, start->element_work, state->element_works);
    if (!crn_stream_reads(stream))
        return;
    bool finite = isfinite(start->t) && crn_all_finite(start->q, (int)nq) && crn_all_finite(start->v, (int)nv) &&
                  crn_all_finite(start->element_work, (int)state->element_works);
    crn_stream_check(stream, finite && turns(layout, start->q), "the start of the last step");
}

/* What the device itself can make no sense of, it refuses. */
static void walk_device(crn_stream *stream, const crn_layout *layout, crn_state *state, crn_kept_account *account)
{
    (void)layout;
    if (!account->has_device)
        return;
    if (account->keeper)
    {
        crn_device_write_kept(account->keeper, stream);
        return;
    }
    if (state->shelf)
    {
        (stream->writing ? crn_shelf_pass_kept : crn_shelve_kept)(state->shelf, stream);
        return;
    }
    crn_stream_list(stream, &state->device_kept, &state->device_kept_capacity, &state->device_kept_count,
                    sizeof *state->device_kept, 8, "what the device keeps");
    for (size_t i = 0; i < state->device_kept_count && stream->status == CAIRN_OK; ++i)
        crn_stream_word(stream, &state->device_kept[i]);
}

/* ------------------------------------------------------------------------------------------------- all blocks */

/* The parts of a state, in the order of the stream. A module that has state of its own adds a function here, which writes its
 * fields and reads them with their checks, and raises VERSION in save.c. */
static void (*const BLOCKS[])(crn_stream *, const crn_layout *, crn_state *, crn_kept_account *) = {
    walk_time, walk_hand, walk_arrays, walk_flows, walk_memory, walk_account, walk_start, walk_device,
};

void crn_state_walk(crn_stream *stream, const crn_layout *layout, crn_state *state, crn_kept_account *account)
{
    for (size_t i = 0; i < sizeof BLOCKS / sizeof BLOCKS[0]; ++i)
        BLOCKS[i](stream, layout, state, account);
    crn_stream_check(stream, stream->at == stream->size, "its end: there is more");
}
