/* Saves and restores the parts of the state that are not plain coordinates: patch lists, lagged impulses and events.
 *
 * Lists are not copied. Patches keep two lists that are swapped when a step is accepted, and impulses and events do the
 * same here. Swapping again restores the old state. A step with patches or lagged friction has a single part, so one
 * swap is enough.
 */
#include "step/simulation.h"

#include <assert.h>

static void change_events(cairn_simulation *s)
{
    cairn_event *events = s->state.events;
    size_t count = s->state.event_count, capacity = s->state.event_capacity;
    s->state.events = s->saved.events;
    s->state.event_count = s->saved.event_count;
    s->state.event_capacity = s->saved.event_capacity;
    s->saved.events = events;
    s->saved.event_count = count;
    s->saved.event_capacity = capacity;
}

void crn_save_rest(cairn_simulation *s)
{
    crn_saved *saved = &s->saved;
    saved->t_base = s->state.t_base;
    saved->h_base = s->state.h_base;
    saved->steps_since_base = s->state.steps_since_base;
    saved->step = s->state.step;
    saved->part_length = s->state.part_length;
    saved->velocity_scale = s->state.velocity_scale;
    saved->projection_iterations = s->state.report.projection_iterations;
    saved->projection_met = s->state.report.projection_met;
    saved->patch_energy = s->state.patches.energy;
    saved->patch_penetration = s->state.patches.penetration;
    saved->patch_turns = s->state.patches.turns;
    saved->anchor_turns = s->state.anchors.turns;
    saved->lag_kept = false;
    saved->frame_h = s->state.located_h;
    change_events(s);
    s->state.event_count = 0;
}

static void restore_patches(cairn_simulation *s)
{
    assert(s->saved.patch_turns == 0 || s->saved.patch_turns == 1);
    if (s->state.patches.turns != s->saved.patch_turns)
        crn_patches_turn_back(&s->state.patches);
    s->state.patches.turns = s->saved.patch_turns;
    s->state.patches.energy = s->saved.patch_energy;
    s->state.patches.penetration = s->saved.patch_penetration;
}

static void restore_anchors(cairn_simulation *s)
{
    if (s->state.anchors.turns != s->saved.anchor_turns)
        crn_anchors_turn_back(&s->state.anchors);
    s->state.anchors.turns = s->saved.anchor_turns;
}

static void restore_lag(cairn_simulation *s)
{
    if (s->saved.lag_kept)
    {
        crn_warm later = s->state.lag;
        s->state.lag = s->saved.lag;
        s->state.lag_h = s->saved.lag_h;
        s->saved.lag = later;
        s->saved.lag_kept = false;
    }
}

void crn_restore_rest(cairn_simulation *s)
{
    const crn_saved *saved = &s->saved;
    s->state.t_base = saved->t_base;
    s->state.h_base = saved->h_base;
    s->state.steps_since_base = saved->steps_since_base;
    s->state.step = saved->step;
    s->state.part_length = saved->part_length;
    s->state.velocity_scale = saved->velocity_scale;
    s->state.report.projection_iterations = saved->projection_iterations;
    s->state.report.projection_met = saved->projection_met;
    restore_patches(s);
    restore_anchors(s);
    restore_lag(s);
    change_events(s);
}
