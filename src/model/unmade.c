#include "model/unmade.h"

#include "base/memory.h"
#include "model/model.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    MOST_NAMES = 1 << 10 /* whoever asks for more has use for all of them */
};

static cairn_model *own(const cairn_model *model)
{
    return (cairn_model *)(uintptr_t)model; /* what it means stays as it is */
}

static void count_slots(cairn_model *model, int count)
{
    crn_slots *slots[2] = {&model->body_slots, &model->shape_slots};
    for (int i = 0; i < 2; ++i)
    {
        assert(!slots[i]->slot);
        slots[i]->used = slots[i]->count = slots[i]->count + (size_t)count;
    }
}

/* Handles of what was never removed follow each other. */
static int grains_of(const cairn_model *model, size_t population)
{
    const crn_population *p = &model->populations[population];
    bool is_last = population + 1 == model->population_count;
    return (is_last ? (int)model->body_slots.count : p[1].first_slot) - p->first_slot;
}

static size_t first_population(const cairn_model *model)
{
    return model->population_count - (size_t)model->unmade.populations;
}

void crn_unmade_add(cairn_model *model, int count, void *recipe, cairn_status (*make)(cairn_model *, const void *),
                    void (*release)(void *))
{
    crn_unmade *unmade = &model->unmade;
    assert(count > 0 && !unmade->followers);
    if (unmade->recipe)
        unmade->release(unmade->recipe);
    unmade->populations = unmade->count > 0 ? unmade->populations + 1 : 1;
    unmade->count += count;
    unmade->recipe = recipe;
    unmade->make = make;
    unmade->release = release;
    model->populations[model->population_count - 1].count = count;
    count_slots(model, count);
    model->revision += 1;
}

/* Followers let go of the list themselves, one by one. */
static void tell_followers(crn_unmade *unmade)
{
    while (unmade->followers)
    {
        crn_follower *next = unmade->followers;
        unmade->followers = next->next;
        next->next = NULL;
        next->made(next->data);
    }
}

cairn_status crn_make_grains(const cairn_model *given)
{
    cairn_model *model = own(given);
    crn_unmade *unmade = &model->unmade;
    int count = unmade->count;
    uint64_t revision = model->revision;
    if (count == 0)
        return CAIRN_OK;
    unmade->count = 0;
    count_slots(model, -count);
    for (size_t i = first_population(model); i < model->population_count; ++i)
        model->populations[i].count = 0;
    cairn_status status = unmade->make(model, unmade->recipe);
    model->revision = revision;
    if (status)
    {
        count_slots(model, unmade->count = count);
        for (size_t i = first_population(model); i < model->population_count; ++i)
            model->populations[i].count = grains_of(model, i);
        return status;
    }
    tell_followers(unmade);
    return CAIRN_OK;
}

void crn_unmade_release(cairn_model *model)
{
    crn_unmade *unmade = &model->unmade;
    for (size_t i = 0; i < unmade->name_count; ++i)
        free(unmade->names[i].text);
    free(unmade->names);
    if (unmade->recipe)
        unmade->release(unmade->recipe);
    *unmade = (crn_unmade){0};
}

void crn_follow(const cairn_model *model, crn_follower *follower)
{
    follower->next = model->unmade.followers;
    own(model)->unmade.followers = follower;
}

void crn_unfollow(const cairn_model *model, crn_follower *follower)
{
    crn_follower **at = &own(model)->unmade.followers;
    while (*at && *at != follower)
        at = &(*at)->next;
    if (*at)
        *at = follower->next;
}

/* -------------------------------------------------------------------------------------------------------------- names */

size_t crn_unmade_write_name(const cairn_model *model, int body, char *text, size_t size)
{
    const crn_population *p = &model->populations[model->population_count - 1];
    while (p->first_slot > body)
        --p;
    return (size_t)snprintf(text, size, "%s[%d]", p->name, body - p->first_slot);
}

/* The last grain has the longest name of its population. */
size_t crn_unmade_name_size(const cairn_model *model)
{
    size_t size = 1;
    for (size_t i = first_population(model); i < model->population_count && model->unmade.count > 0; ++i)
    {
        int last = model->populations[i].first_slot + model->populations[i].count - 1;
        size_t own = crn_unmade_write_name(model, last, NULL, 0) + 1;
        size = own > size ? own : size;
    }
    return size;
}

static char *make_name(const cairn_model *model, int body)
{
    size_t size = crn_unmade_write_name(model, body, NULL, 0) + 1;
    char *text = malloc(size);
    if (text)
        (void)crn_unmade_write_name(model, body, text, size);
    return text;
}

static const char *find_name(const crn_unmade *unmade, int body)
{
    for (size_t i = unmade->name_count; i > 0; --i)
        if (unmade->names[i - 1].body == body)
            return unmade->names[i - 1].text;
    return NULL;
}

static const char *add_name(const cairn_model *model, int body)
{
    crn_unmade *unmade = &own(model)->unmade;
    if (crn_reserve(&unmade->names, &unmade->name_capacity, unmade->name_count + 1, sizeof *unmade->names))
        return NULL;
    char *text = make_name(model, body);
    if (text)
        unmade->names[unmade->name_count++] = (crn_grain_name){body, text};
    return text;
}

const char *crn_unmade_name(const cairn_model *model, int body)
{
    const crn_unmade *unmade = &model->unmade;
    const char *name = find_name(unmade, body);
    if (!name && unmade->name_count == MOST_NAMES)
        name = crn_make_grains(model) ? NULL : model->bodies[body].name;
    else if (!name)
        name = add_name(model, body);
    return name ? name : "";
}
