/* Which shapes began to touch, still touch or stopped, from the contacts of the step and the lists of the previous
 * step. */
#include "base/memory.h"
#include "math/vec.h"
#include "step/simulation.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int compare_pairs(const void *x, const void *y)
{
    const cairn_touch *a = x, *b = y;
    int first = (a->shape_a.id > b->shape_a.id) - (a->shape_a.id < b->shape_a.id);
    return first != 0 ? first : (a->shape_b.id > b->shape_b.id) - (a->shape_b.id < b->shape_b.id);
}

static cairn_touch touch_of(const cairn_model *model, const crn_contact *contact, double impulse)
{
    return (cairn_touch){.body_a = crn_body_handle(model, contact->body_a),
                         .body_b = crn_body_handle(model, contact->body_b),
                         .shape_a = crn_shape_handle(model, crn_whole_shape(model, contact->shape_a)),
                         .shape_b = crn_shape_handle(model, crn_whole_shape(model, contact->shape_b)),
                         .impulse = impulse};
}

/* Contact i of the step and its normal impulse; gaps of users' systems have no shapes. */
static const crn_contact *contact_at(const cairn_simulation *s, int i, double *impulse)
{
    assert(i >= 0);
    const crn_stage *stage = crn_last_stage(s);
    if (crn_is_second_order(s->settings.integrator))
    {
        const crn_total *total = &s->ledger.totals[i];
        *impulse = crn_dot3(total->impulse, total->contact.normal);
        return &total->contact;
    }
    double r[3];
    crn_stage_impulse(stage, i, r);
    *impulse = stage->weight * r[0];
    return &stage->assembly.active[i];
}

/* One touch per pair of shapes, sorted, impulses added up. */
static size_t gather(const cairn_simulation *s, int contacts, cairn_touch *out)
{
    size_t count = 0, pairs = 0;
    for (int i = 0; i < contacts; ++i)
    {
        double impulse;
        const crn_contact *contact = contact_at(s, i, &impulse);
        if (contact->body_a >= 0 && impulse > 0)
            out[count++] = touch_of(s->model, contact, impulse);
    }
    qsort(out, count, sizeof *out, compare_pairs);
    for (size_t i = 0; i < count; ++i)
        if (pairs > 0 && compare_pairs(&out[pairs - 1], &out[i]) == 0)
            out[pairs - 1].impulse += out[i].impulse;
        else
            out[pairs++] = out[i];
    return pairs;
}

/* Sort the touches of the previous step by pair. This overwrites their order by phase. */
static size_t sort_before(crn_state *state)
{
    size_t count = state->touch_count[CAIRN_TOUCH_BEGAN] + state->touch_count[CAIRN_TOUCH_WENT_ON];
    if (count > 1)
        qsort(state->touches, count, sizeof *state->touches, compare_pairs);
    return count;
}

/* Select the touches of one phase. `old` are the pairs of the previous step, `now` those of this one. */
static size_t select_phase(const cairn_touch *old, size_t old_count, const cairn_touch *now, size_t now_count,
                           cairn_touch_phase phase, cairn_touch *out)
{
    size_t count = 0, i = 0, j = 0;
    while (i < old_count || j < now_count)
    {
        int order = i == old_count ? 1 : j == now_count ? -1 : compare_pairs(&old[i], &now[j]);
        cairn_touch_phase found = order < 0 ? CAIRN_TOUCH_ENDED : order == 0 ? CAIRN_TOUCH_WENT_ON : CAIRN_TOUCH_BEGAN;
        if (found == phase)
        {
            out[count] = order < 0 ? old[i] : now[j];
            out[count].impulse = order < 0 ? 0.0 : now[j].impulse;
            ++count;
        }
        i += order <= 0;
        j += order >= 0;
    }
    return count;
}

cairn_status crn_update_touches(cairn_simulation *s)
{
    crn_state *state = &s->state;
    crn_hooks *hooks = &s->hooks;
    if (!hooks->options.touches)
    {
        memset(state->touch_count, 0, sizeof state->touch_count);
        return CAIRN_OK;
    }
    assert(!state->contacts_listed);
    int contacts = cairn_simulation_contact_count(s);
    size_t before = state->touch_count[0] + state->touch_count[1], most = before + (size_t)contacts + 1;
    if (crn_reserve(&hooks->now, &hooks->now_capacity, (size_t)contacts + 1, sizeof *hooks->now) ||
        crn_reserve(&hooks->merged, &hooks->merged_capacity, most, sizeof *hooks->merged))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "touches at t = %g: memory ran out", state->t);
    size_t now = gather(s, contacts, hooks->now), old = sort_before(state), at = 0;
    for (int phase = CAIRN_TOUCH_BEGAN; phase <= CAIRN_TOUCH_ENDED; ++phase)
    {
        state->touch_count[phase] =
            select_phase(state->touches, old, hooks->now, now, (cairn_touch_phase)phase, hooks->merged + at);
        at += state->touch_count[phase];
    }
    cairn_touch *swap = state->touches;
    size_t capacity = state->touch_capacity;
    state->touches = hooks->merged;
    state->touch_capacity = hooks->merged_capacity;
    hooks->merged = swap;
    hooks->merged_capacity = capacity;
    return CAIRN_OK;
}

void crn_hand_over_touches(crn_state *from, const cairn_model *model, crn_state *to)
{
    size_t read = 0, kept = 0;
    free(to->touches);
    to->touches = from->touches;
    to->touch_capacity = from->touch_capacity;
    from->touches = NULL;
    from->touch_capacity = 0;
    for (int phase = CAIRN_TOUCH_BEGAN; phase <= CAIRN_TOUCH_ENDED; ++phase)
    {
        to->touch_count[phase] = 0;
        for (size_t end = read + from->touch_count[phase]; read < end; ++read)
        {
            const cairn_touch *touch = &to->touches[read];
            if (crn_shape_index(model, touch->shape_a) < 0 || crn_shape_index(model, touch->shape_b) < 0)
                continue;
            to->touches[kept++] = *touch;
            to->touch_count[phase] += 1;
        }
        from->touch_count[phase] = 0;
    }
}

const cairn_touch *cairn_simulation_touches(const cairn_simulation *s, cairn_touch_phase phase, int *count)
{
    const crn_state *state = &s->state;
    bool known = phase >= CAIRN_TOUCH_BEGAN && phase <= CAIRN_TOUCH_ENDED && s->hooks.options.touches;
    size_t start = 0;
    for (int k = 0; known && k < (int)phase; ++k)
        start += state->touch_count[k];
    *count = known ? (int)state->touch_count[phase] : 0;
    return known && state->touches ? state->touches + start : NULL;
}
