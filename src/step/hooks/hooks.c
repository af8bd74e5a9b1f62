#include "step/hooks/hooks.h"

#include "base/memory.h"
#include "model/periodic.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

cairn_hooks cairn_hooks_default(void)
{
    return (cairn_hooks){.struct_size = sizeof(cairn_hooks)};
}

cairn_status crn_hooks_set(cairn_simulation *s, const cairn_hooks *hooks)
{
    if (hooks)
        CRN_TRY(crn_check_size(s->context, "hooks", hooks->struct_size, sizeof *hooks));
    s->hooks.options = hooks ? *hooks : cairn_hooks_default();
    return CAIRN_OK;
}

void crn_hooks_close(crn_hooks *hooks)
{
    free(hooks->changed[0]);
    free(hooks->changed[1]);
    free(hooks->now);
    free(hooks->merged);
    memset(hooks, 0, sizeof *hooks);
}

cairn_status cairn_simulation_set_hooks(cairn_simulation *s, const cairn_hooks *hooks)
{
    if (!s)
        return crn_fail(NULL, CAIRN_INVALID, "hooks: the simulation is NULL");
    CRN_TRY(crn_simulation_enter(s));
    CRN_TRY(crn_hooks_set(s, hooks));
    s->state.mode_count = 0; /* stick and slip must be determined again */
    return crn_locate(s, s->settings.step);
}

static cairn_shape_pair pair_of(const cairn_model *model, int a, int b)
{
    assert(a >= 0 && b >= 0 && (size_t)a < model->shape_count && (size_t)b < model->shape_count);
    return (cairn_shape_pair){.body_a = crn_body_handle(model, model->shapes[a].body),
                              .body_b = crn_body_handle(model, model->shapes[b].body),
                              .shape_a = crn_shape_handle(model, crn_whole_shape(model, a)),
                              .shape_b = crn_shape_handle(model, crn_whole_shape(model, b))};
}

bool crn_ask_filter(const void *data, int shape_a, int shape_b)
{
    assert(shape_a != shape_b);
    const cairn_simulation *s = data;
    cairn_shape_pair pair = pair_of(s->model, shape_a, shape_b);
    return s->hooks.options.filter(s->hooks.options.data, s, &pair);
}

/* --------------------------------------------------------------------------------------------------- pre-solve */

static cairn_status check_surface(const cairn_simulation *s, const crn_contact *contact, const crn_reach *reach,
                                  const cairn_surface *surface)
{
    const char *a = s->model->bodies[contact->body_a].name, *b = s->model->bodies[contact->body_b].name;
    if (!isfinite(surface->friction) || surface->friction < 0)
        return crn_fail(s->context, CAIRN_INVALID,
                        "pre-solve hook: '%s' and '%s': friction must be a number of 0 or more, found %g", a, b,
                        surface->friction);
    if (!(surface->restitution >= 0 && surface->restitution <= 1))
        return crn_fail(s->context, CAIRN_INVALID,
                        "pre-solve hook: '%s' and '%s': restitution must be between 0 and 1, found %g", a, b,
                        surface->restitution);
    if (reach->lifts && hypot(1.0, surface->friction) > crn_reach_factor(s->model, true, reach->friction))
        return crn_fail(s->context, CAIRN_INVALID,
                        "pre-solve hook: '%s' and '%s': friction %g is more than that of any pair of materials, which "
                        "the convex laws do not allow",
                        a, b, surface->friction);
    return CAIRN_OK;
}

/* Ask the hook about one contact. *kept is set if it stays. */
static cairn_status ask(const cairn_simulation *s, const crn_reach *reach, crn_contact *contact, bool *kept)
{
    cairn_contact_candidate candidate = {.pair = pair_of(s->model, contact->shape_a, contact->shape_b),
                                         .identity = contact->identity,
                                         .gap = contact->gap};
    cairn_surface surface = {contact->friction, contact->restitution};
    for (int k = 0; k < 3; ++k)
        candidate.point[k] = crn_is_periodic(s->model) ? contact->point_a[k] - 0.5 * contact->gap * contact->normal[k]
                                                       : 0.5 * (contact->point_a[k] + contact->point_b[k]);
    memcpy(candidate.normal, contact->normal, sizeof candidate.normal);
    *kept = s->hooks.options.pre_solve(s->hooks.options.data, s, &candidate, &surface);
    if (*kept && check_surface(s, contact, reach, &surface))
        return CAIRN_INVALID;
    contact->friction = surface.friction;
    contact->restitution = surface.restitution;
    return CAIRN_OK;
}

cairn_status crn_collide_hooked(cairn_simulation *s, crn_collider *collider, const crn_pose *poses,
                                const crn_reach *reach, const crn_contact **contacts, int *count)
{
    if (collider == s->located.collider)
        CRN_TRY(crn_vacate_scratch(s));
    cairn_status status = crn_collide(collider, s->model, poses, reach, contacts, count);
    if (status != CAIRN_OK || !s->hooks.options.pre_solve)
        return status;
    int which = collider == s->located.collider ? 0 : 1, kept = 0;
    crn_contact **list = &s->hooks.changed[which];
    if (crn_reserve(list, &s->hooks.changed_capacity[which], (size_t)*count + 1, sizeof **list))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "pre-solve hook: memory ran out");
    for (int i = 0; i < *count && status == CAIRN_OK; ++i)
    {
        bool stays;
        (*list)[kept] = (*contacts)[i];
        status = ask(s, reach, &(*list)[kept], &stays);
        kept += stays;
    }
    *contacts = *list;
    *count = status ? 0 : kept;
    return status;
}
