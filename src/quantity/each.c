/* All quantities of a model by name. A name that means several things gets the sort of its owner in front, and quotes. */
#include "base/memory.h"
#include "model/handles.h"
#include "model/joints/element.h"
#include "quantity/find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct listing
{
    const cairn_model *model;
    void (*visit)(void *data, const char *name, const cairn_quantity *quantity);
    void *data;
    char *name;
    size_t capacity;
    bool no_memory;
} listing;

/* Write OWNER.FIRST.SECOND, where a field may be empty; with a sort, sort:'OWNER'.FIRST.SECOND. */
static bool write_name(const char *sort, const char *owner, const char *first, const char *second, char **text,
                       size_t *capacity)
{
    const char *quote = sort ? "'" : "", *dot = *first && *second ? "." : "";
    size_t length = strlen(sort ? sort : "") + strlen(owner) + strlen(first) + strlen(second) + 8;
    if (crn_reserve(text, capacity, length, 1))
        return false;
    snprintf(*text, length, "%s%s%s%s%s.%s%s%s", sort ? sort : "", sort ? ":" : "", quote, owner, quote, first, dot,
             second);
    return true;
}

/* Whether the name of an owner may mean something else too. */
static bool is_doubtful(const cairn_model *model, const char *name)
{
    int sharing = (cairn_model_find_body(model, name).id != 0) + (cairn_model_find_joint(model, name).id != 0) +
                  (cairn_model_find_spring(model, name).id != 0) + (cairn_model_find_force(model, name).id != 0) +
                  (cairn_model_find_statistic(model, name).id != 0);
    return sharing > 1 || strpbrk(name, ".:'()") || !strcmp(name, "energy");
}

bool crn_quantity_write_name(const cairn_model *model, crn_owner owner, const char *name, const char *first,
                             const char *second, char **text, size_t *capacity)
{
    if (!write_name(NULL, name, first, second, text, capacity))
        return false;
    if (!is_doubtful(model, name))
        return true;
    crn_quantity_search search = {.model = model};
    crn_quantity_search_all(&search, *text);
    return search.found == 1 || write_name(crn_owner_name(owner), name, first, second, text, capacity);
}

/* Visit all rows of an owner; `thing` says which it is. */
static void tell_rows(listing *list, crn_owner rows, const cairn_quantity *thing, bool turns, const char *name,
                      const char *first)
{
    int dimension = list->model->dimension;
    crn_owner owner = rows == CRN_OF_COORDINATE ? CRN_OF_JOINT : rows;
    for (int i = 0; i < crn_quantity_row_count && !list->no_memory; ++i)
    {
        const crn_quantity_row *row = &crn_quantity_rows[i];
        if (row->owner != rows || (row->dimension != 0 && row->dimension != dimension) ||
            !crn_quantity_is_offered(list->model, row, thing))
            continue;
        cairn_quantity made = *thing;
        crn_quantity_make(list->model, i, CRN_PART_ALL, turns, &made);
        list->no_memory =
            !crn_quantity_write_name(list->model, owner, name, first, row->name, &list->name, &list->capacity);
        if (!list->no_memory)
            list->visit(list->data, list->name, &made);
    }
}

static void tell_joint(listing *list, int index)
{
    const cairn_model *model = list->model;
    const crn_joint *joint = &model->joints[index];
    cairn_quantity thing = {.joint = crn_joint_handle(model, index)};
    tell_rows(list, CRN_OF_JOINT, &thing, false, joint->name, "");
    for (int i = 0; i < joint->coordinates; ++i)
    {
        bool turns = crn_element_turns(joint, model->dimension, &(crn_element){.coordinate = i});
        thing.coordinate = i;
        tell_rows(list, CRN_OF_COORDINATE, &thing, turns, joint->name,
                  cairn_model_coordinate_name(model, thing.joint, i));
    }
}

static void tell_world(listing *list)
{
    for (int i = 0; i < crn_quantity_row_count; ++i)
    {
        cairn_quantity made;
        crn_quantity_begin(list->model->dimension, i, CRN_PART_ALL, false, &made);
        if (crn_quantity_rows[i].owner == CRN_OF_WORLD)
            list->visit(list->data, crn_quantity_rows[i].name, &made);
    }
}

static void tell_springs(listing *list)
{
    for (int i = 0; i < cairn_model_spring_count(list->model); ++i)
    {
        cairn_quantity thing = {.spring = cairn_model_spring(list->model, i)};
        bool turns = cairn_model_spring_kind(list->model, thing.spring) == CAIRN_SPRING_ANGULAR;
        tell_rows(list, CRN_OF_SPRING, &thing, turns, cairn_model_spring_name(list->model, thing.spring), "");
    }
}

static void tell_statistics(listing *list)
{
    if (crn_quantity_is_of_all(list->model, "grains"))
        tell_rows(list, CRN_OF_STATISTIC, &(cairn_quantity){.count = 0}, false, "grains", "");
    for (int i = 0; i < cairn_model_statistic_count(list->model); ++i)
    {
        cairn_quantity thing = {.statistic = cairn_model_statistic(list->model, i)};
        tell_rows(list, CRN_OF_STATISTIC, &thing, false, cairn_model_statistic_name(list->model, thing.statistic), "");
    }
}

cairn_status cairn_quantity_each(const cairn_model *model,
                                 void (*visit)(void *data, const char *name, const cairn_quantity *quantity),
                                 void *data)
{
    if (!model || !visit)
        return CAIRN_INVALID;
    listing list = {.model = model, .visit = visit, .data = data};
    tell_world(&list);
    for (int i = 0; i < cairn_model_body_count(model); ++i)
    {
        cairn_quantity thing = {.body = cairn_model_body(model, i)};
        tell_rows(&list, CRN_OF_BODY, &thing, false, cairn_model_body_name(model, thing.body), "");
    }
    for (int i = 0; i < cairn_model_joint_count(model); ++i)
        tell_joint(&list, i);
    tell_springs(&list);
    for (int i = 0; i < cairn_model_force_count(model); ++i)
    {
        cairn_quantity thing = {.force = cairn_model_force(model, i)};
        tell_rows(&list, CRN_OF_FORCE, &thing, false, cairn_model_force_name(model, thing.force), "");
    }
    tell_statistics(&list);
    free(list.name);
    return list.no_memory ? CAIRN_NO_MEMORY : CAIRN_OK;
}
