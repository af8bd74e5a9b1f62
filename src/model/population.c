#include "model/population.h"

#include "cairn/population.h"
#include "model/handles.h"
#include "model/names.h"
#include "model/shape/shape.h"
#include "model/traits.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------------- names */

static int find_population(const cairn_model *model, const char *name, size_t length)
{
    for (size_t i = 0; i < model->population_count; ++i)
        if (strlen(model->populations[i].name) == length && memcmp(model->populations[i].name, name, length) == 0)
            return (int)i;
    return -1;
}

/* The slot of a grain, -1: the name is none of a grain. */
static int slot_of(const cairn_model *model, const char *name)
{
    const char *open = name ? strrchr(name, '[') : NULL;
    int population = open ? find_population(model, name, (size_t)(open - name)) : -1;
    if (population < 0)
        return -1;
    const crn_population *p = &model->populations[population];
    size_t digits = strspn(open + 1, "0123456789");
    if (digits == 0 || digits > 9 || (open[1] == '0' && digits > 1) || strcmp(open + 1 + digits, "]") != 0)
        return -1;
    int index = atoi(open + 1);
    return index < p->count ? p->first_slot + index : -1;
}

/* A slot may have been reused after its grain was removed: a grain has the population's own text as its name. */
static int grain_in_slot(const cairn_model *model, const crn_population *p, int slot)
{
    const crn_slot at = crn_slots_at(&model->body_slots, slot);
    if (at.index >= (int)model->body_count) /* it is not made yet */
        return at.index;
    const char *own = p->names + (size_t)(slot - p->first_slot) * p->stride;
    return at.used && model->bodies[at.index].name == own ? at.index : -1;
}

int crn_find_grain(const cairn_model *model, const char *name)
{
    int slot = slot_of(model, name);
    if (slot < 0)
        return -1;
    int population = find_population(model, name, (size_t)(strrchr(name, '[') - name));
    return grain_in_slot(model, &model->populations[population], slot);
}

cairn_status crn_check_grain_name(const cairn_model *model, const char *name)
{
    if (find_population(model, name, strlen(name)) >= 0)
        return crn_fail(model->context, CAIRN_INVALID, "body '%s': a population has this name", name);
    return slot_of(model, name) < 0 ? CAIRN_OK
                                    : crn_fail(model->context, CAIRN_INVALID,
                                               "body '%s': the name is that of a grain of a population", name);
}

cairn_status crn_population_check_name(const cairn_model *model, const char *name, int count)
{
    CRN_TRY(crn_check_name(model, "population", name, &model->body_names));
    if (strpbrk(name, "[]"))
        return crn_fail(model->context, CAIRN_INVALID, "population '%s': name: must not have brackets", name);
    if (find_population(model, name, strlen(name)) >= 0)
        return crn_fail(model->context, CAIRN_INVALID, "population '%s': the name is used twice", name);
    for (size_t i = 0, length = strlen(name); i < model->body_count; ++i)
    {
        const char *taken = model->bodies[i].name;
        bool same = model->bodies[i].population == 0 && strncmp(taken, name, length) == 0 && taken[length] == '[';
        if (same && atoi(taken + length + 1) < count)
            return crn_fail(model->context, CAIRN_INVALID, "population '%s': the body '%s' has the name of a grain",
                            name, taken);
    }
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------- adding */

static cairn_status run_out(const cairn_model *model, const char *name)
{
    return crn_fail(model->context, CAIRN_NO_MEMORY, "population '%s': memory ran out", name);
}

cairn_status crn_population_list(cairn_model *model, const char *name)
{
    crn_population made = {.name = crn_copy_text(name), .first_slot = (int32_t)model->body_slots.count};
    if (!made.name || crn_reserve_all(&model->memory, CRN_ARRAY(model->populations, model->population_count + 1)))
    {
        free(made.name);
        return run_out(model, name);
    }
    model->populations[model->population_count++] = made;
    return CAIRN_OK;
}

cairn_status crn_population_reserve(cairn_model *model, int count, int shapes)
{
    assert(count > 0 && model->population_count > 0);
    crn_population *p = &model->populations[model->population_count - 1];
    size_t parts = (size_t)count * (size_t)shapes;
    p->stride = strlen(p->name) + (size_t)snprintf(NULL, 0, "[%d]", count - 1) + 1;
    free(p->names);
    p->names = malloc(p->stride * (size_t)count);
    if (!p->names || crn_slots_reserve(&model->body_slots, (size_t)count) ||
        crn_slots_reserve(&model->shape_slots, parts) ||
        crn_reserve_all(&model->memory, CRN_ARRAY(model->bodies, model->body_count + (size_t)count),
                        CRN_ARRAY(model->shapes, model->shape_count + parts)))
        return run_out(model, p->name);
    return CAIRN_OK;
}

cairn_status crn_population_begin(cairn_model *model, const char *name, int count, int shapes)
{
    CRN_TRY(crn_population_list(model, name));
    cairn_status status = crn_population_reserve(model, count, shapes);
    if (status)
        crn_population_undo(model);
    return status;
}

/* Give a grain the traits of the population, or if they are not these, its own. The first grain makes them. */
static bool give_traits(crn_population *p, const crn_body_traits *traits, crn_body *grain)
{
    grain->has_traits = p->traits && !crn_traits_same(traits, p->traits);
    crn_body_traits *made = grain->has_traits || !p->traits ? malloc(sizeof *made) : p->traits;
    if (made && made != p->traits)
        *made = *traits;
    if (!grain->has_traits)
        p->traits = made;
    grain->traits = made;
    return made;
}

int crn_population_add_grain(cairn_model *model, const cairn_body_state *initial, uint64_t groups,
                             uint64_t collides_with)
{
    assert(model->population_count > 0);
    crn_population *p = &model->populations[model->population_count - 1];
    char *name = p->names + (size_t)p->count * p->stride;
    snprintf(name, p->stride, "%s[%d]", p->name, p->count);
    crn_body body = {.name = name, .population = (int)model->population_count, .kind = CAIRN_DYNAMIC};
    const crn_body_traits traits = {.initial = *initial, .groups = groups, .collides_with = collides_with, .owners = 1};
    memcpy(body.position, initial->position, sizeof body.position);
    if (!give_traits(p, &traits, &body))
        return -1;
    int32_t slot = crn_slots_append(&model->body_slots);
    assert(slot == p->first_slot + p->count);
    (void)slot;
    p->count += 1;
    model->revision += 1;
    model->bodies[model->body_count] = body;
    return (int)model->body_count++;
}

void crn_population_empty(cairn_model *model)
{
    assert(model->population_count > 0);
    crn_population *p = &model->populations[model->population_count - 1];
    size_t bodies = model->body_count - (size_t)p->count;
    while (model->shape_count > 0 && (size_t)model->shapes[model->shape_count - 1].body >= bodies)
    {
        crn_shape_free(model, &model->shapes[--model->shape_count]);
        crn_slots_undo(&model->shape_slots);
    }
    while (model->body_count > bodies)
    {
        crn_body_release(&model->bodies[--model->body_count]);
        crn_slots_undo(&model->body_slots);
    }
    p->count = 0;
    model->revision += 1;
}

void crn_population_undo(cairn_model *model)
{
    crn_population_empty(model);
    crn_population_release(&model->populations[--model->population_count]);
}

/* ---------------------------------------------------------------------------------------------- coming and going */

void crn_population_release(crn_population *p)
{
    cairn_population_region *own[2] = {p->flow ? &p->flow->in : NULL, p->flow ? &p->flow->out : NULL};
    for (int i = 0; i < 2 && own[i]; ++i)
    {
        free((void *)own[i]->vertices);
        free((void *)own[i]->triangles);
    }
    if (p->flow)
        free((void *)p->flow->sizes.table);
    free(p->flow);
    free(p->traits);
    free(p->name);
    free(p->names);
}

static bool copy_sizes(const cairn_sizes *from, cairn_sizes *to)
{
    *to = *from;
    to->table = NULL;
    if (from->kind != CAIRN_SIZES_TABLE)
        return true;
    double *table = malloc(2 * sizeof(double) * (size_t)from->table_count);
    if (table)
        memcpy(table, from->table, 2 * sizeof(double) * (size_t)from->table_count);
    to->table = table;
    return table;
}

static bool copy_region(const cairn_population_region *from, cairn_population_region *to)
{
    *to = *from;
    to->vertices = NULL;
    to->triangles = NULL;
    if (from->kind != CAIRN_REGION_MESH)
        return true;
    size_t numbers = 3 * sizeof(double) * (size_t)from->vertex_count;
    size_t corners = 3 * sizeof(int) * (size_t)from->triangle_count;
    double *vertices = malloc(numbers);
    int *triangles = malloc(corners);
    if (vertices && triangles)
    {
        memcpy(vertices, from->vertices, numbers);
        memcpy(triangles, from->triangles, corners);
    }
    to->vertices = vertices;
    to->triangles = triangles;
    return vertices && triangles;
}

cairn_status crn_population_set_flow(cairn_model *model, const cairn_population_options *o)
{
    assert(model->population_count > 0);
    crn_population *p = &model->populations[model->population_count - 1];
    crn_flow_options *flow = p->flow = calloc(1, sizeof *flow);
    if (!flow)
        return CAIRN_NO_MEMORY;
    flow->insertion = o->insertion;
    flow->inserts = o->insertion.rate > 0;
    flow->removes = o->removal;
    flow->recycles = o->recycle;
    memcpy(flow->velocity, o->velocity, sizeof flow->velocity);
    memcpy(flow->angular_velocity, o->angular_velocity, sizeof flow->angular_velocity);
    flow->seed = o->seed;
    flow->groups = o->groups;
    flow->collides_with = o->collides_with;
    flow->turned = o->shapes;
    flow->packing = o->packing;
    flow->spacing = o->spacing;
    flow->jitter = o->jitter;
    model->flows = true;
    bool fine = copy_region(&o->region, &flow->in);
    fine = (!o->removal || copy_region(o->removal, &flow->out)) && fine;
    fine = copy_sizes(&o->sizes, &flow->sizes) && fine;
    return fine ? CAIRN_OK : CAIRN_NO_MEMORY;
}

cairn_status crn_check_stays(const cairn_model *model, const char *kind, const char *name, int body)
{
    int population = body < 0 ? 0 : model->bodies[body].population;
    if (population == 0 || !model->populations[population - 1].flow)
        return CAIRN_OK;
    return crn_fail(model->context, CAIRN_INVALID,
                    "%s '%s': the body '%s' comes and goes with its population, and nothing can be attached to it",
                    kind, name, model->bodies[body].name);
}

/* ---------------------------------------------------------------------------------------------------- questions */

int cairn_model_population_count(const cairn_model *model)
{
    return (int)model->population_count;
}

int cairn_model_find_population(const cairn_model *model, const char *name)
{
    return name ? find_population(model, name, strlen(name)) : -1;
}

static const crn_population *population_at(const cairn_model *model, int population)
{
    return population >= 0 && (size_t)population < model->population_count ? &model->populations[population] : NULL;
}

const char *cairn_model_population_name(const cairn_model *model, int population)
{
    const crn_population *p = population_at(model, population);
    return p ? p->name : "";
}

int cairn_model_population_size(const cairn_model *model, int population)
{
    const crn_population *p = population_at(model, population);
    return p ? p->count : 0;
}

cairn_body cairn_model_population_body(const cairn_model *model, int population, int index)
{
    const crn_population *p = population_at(model, population);
    bool known = p && index >= 0 && index < p->count;
    return crn_body_handle(model, known ? grain_in_slot(model, p, p->first_slot + index) : -1);
}
