#include "model/traits.h"

#include "base/expression.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum
{
    LOOK_BACK = 4 /* bodies: kinds that take turns in a scene are few */
};

bool crn_traits_same(const crn_body_traits *a, const crn_body_traits *b)
{
    const cairn_body_state *x = &a->initial, *y = &b->initial;
    bool plain = !a->motion && !b->motion && a->is_round == b->is_round &&
                 (a->is_round ? a->round_inertia == b->round_inertia : !a->inertia && !b->inertia);
    return plain && memcmp(&a->mass, &b->mass, sizeof a->mass) == 0 &&
           memcmp(&x->angle, &y->angle, sizeof x->angle) == 0 &&
           memcmp(x->orientation, y->orientation, sizeof x->orientation) == 0 &&
           memcmp(x->velocity, y->velocity, sizeof x->velocity) == 0 &&
           memcmp(x->angular_velocity, y->angular_velocity, sizeof x->angular_velocity) == 0 &&
           a->groups == b->groups && a->collides_with == b->collides_with;
}

static void destroy(crn_body_traits *traits)
{
    crn_driven_motion *motion = traits->motion;
    for (int k = 0; motion && k < 3; ++k)
        crn_expression_destroy(motion->position[k]);
    for (int k = 0; motion && k < 4; ++k)
        free(motion->text[k]);
    if (motion)
        crn_expression_destroy(motion->angle);
    free(motion);
    if (!traits->is_round)
        free(traits->inertia);
    free(traits);
}

void crn_traits_release(crn_body *body)
{
    if (body->has_traits && --body->traits->owners == 0)
        destroy(body->traits);
    body->has_traits = false;
    body->traits = NULL;
}

void crn_traits_share(const cairn_model *model, crn_body *body)
{
    assert(body->has_traits && body->traits->owners == 1);
    for (size_t back = 1; back <= LOOK_BACK && back <= model->body_count; ++back)
    {
        const crn_body *other = &model->bodies[model->body_count - back];
        if (!other->has_traits || !crn_traits_same(body->traits, other->traits))
            continue;
        crn_traits_release(body);
        body->traits = other->traits;
        body->traits->owners += 1;
        body->has_traits = true;
        return;
    }
}

bool crn_traits_own(crn_body *body)
{
    if (body->has_traits && body->traits->owners == 1)
        return true;
    assert(!body->traits->motion && (body->traits->is_round || !body->traits->inertia));
    crn_body_traits *own = malloc(sizeof *own);
    if (!own)
        return false;
    *own = *body->traits;
    own->owners = 1;
    crn_traits_release(body);
    body->traits = own;
    body->has_traits = true;
    return true;
}
