/* What the builders share, and materials. */
#include "scene/build/build.h"

#include "math/vec.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void crn_read_list(crn_reader *reader, const crn_node *list, const char *field, const char *noun, crn_read_element read)
{
    assert(!reader->field);
    if (!list)
        return;
    if (list->kind != CRN_LIST)
    {
        const char *outer = reader->field;
        reader->field = field;
        crn_problem_at(reader, list, "expected a list, found %s", crn_describe(list).text);
        reader->field = outer;
        return;
    }
    int number = 1;
    const char *outer = reader->where;
    for (const crn_node *item = list->first; item && !crn_gave_up(reader); item = item->next)
    {
        crn_found name = crn_element_name(noun, item, number++);
        reader->where = name.text;
        read(reader, item);
        reader->where = outer;
    }
}

void crn_register(crn_reader *reader, crn_index *index, const char *noun, const crn_text *name, int32_t id)
{
    assert(!reader->field);
    if (!name->node)
        return;
    const crn_entry *taken = crn_index_find(index, name->text);
    crn_clip clip = crn_clip_text(name->text);
    reader->field = "name";
    if (taken)
        crn_problem_at(reader, name->node, "'%s' is already taken by the %s at line %d", clip.text, noun, taken->line);
    else if (strcmp(name->text, "world") == 0 || (index == &reader->materials && strcmp(name->text, "default") == 0))
        crn_problem_at(reader, name->node, "'%s' has a meaning of its own; choose another name", clip.text);
    else if (!crn_index_add(index, (crn_entry){name->text, id, name->node->line}))
        reader->no_memory = true;
    reader->field = NULL;
}

const crn_entry *crn_find(crn_reader *reader, const crn_index *index, const char *noun, const crn_node *name)
{
    assert(name->kind == CRN_SCALAR);
    const crn_entry *entry = crn_index_find(index, name->text);
    if (entry)
        return entry;
    cairn_suggestion near = {.word = name->text};
    for (size_t i = 0; i < index->count && reader->problem_count < CRN_PROBLEMS; ++i)
        cairn_suggestion_offer(&near, index->entries[i].name);
    crn_clip clip = crn_clip_text(name->text);
    crn_problem_at(reader, name, "there is no %s '%s'%s", noun, clip.text, near.hint);
    return NULL;
}

/* Read a rotation by an angle about an axis. */
static bool read_turn(crn_reader *reader, const crn_node *node, double q[4])
{
    assert(node->kind == CRN_MAPPING);
    crn_turn_record turn;
    char where[128];
    const char *outer = reader->where;
    snprintf(where, sizeof where, "%s, orientation", outer);
    reader->where = where;
    bool fine = crn_read_object(reader, &crn_turn_object, node, &turn);
    double length = crn_norm3(turn.axis.value);
    if (fine && !(length > 0 && isfinite(length)))
        fine = crn_problem_at(reader, turn.axis.node, "axis: must have a length greater than 0");
    reader->where = outer;
    if (!fine)
        return false;
    double scale = turn.angle.value / length;
    double phi[3] = {scale * turn.axis.value[0], scale * turn.axis.value[1], scale * turn.axis.value[2]};
    crn_quaternion_exp(phi, q);
    return true;
}

bool crn_read_orientation(crn_reader *reader, const crn_node *node, double q[4])
{
    assert(reader->where && !reader->field);
    if (node->kind == CRN_MAPPING)
        return read_turn(reader, node, q);
    reader->field = "orientation";
    bool fine = crn_read_numbers(reader, node, 4, q);
    if (fine && q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0)
        fine = crn_problem_at(reader, node, "a quaternion must not be zero");
    reader->field = NULL;
    return fine;
}

/* ------------------------------------------------------------------------------------------------ materials */

static void take(const crn_number *number, double *out)
{
    if (number->node)
        *out = number->value;
}

/* Read the patch of a compliant material, given by Young's modulus or its inverse. */
static bool read_patch(crn_reader *reader, const crn_node *node, cairn_patch_options *patch)
{
    crn_patch_record record;
    if (!node)
        return true;
    if (!crn_read_object(reader, &crn_patch_object, node, &record))
        return false;
    if ((record.young.node != NULL) == (record.compliance.node != NULL))
        return crn_problem_at(reader, node, "a patch needs either 'young' or 'compliance'");
    patch->elements = (int)fmin(record.elements.value, INT_MAX);
    patch->spacing = record.spacing.value;
    patch->compliance = record.young.node ? 1 / record.young.value : record.compliance.value;
    take(&record.poisson, &patch->poisson);
    take(&record.damping, &patch->damping);
    take(&record.retardation, &patch->retardation);
    patch->kernel = (cairn_patch_kernel)record.kernel.index;
    return true;
}

static void build_material(crn_reader *reader, const crn_node *node)
{
    crn_material_record record;
    cairn_material made = {0};
    cairn_material_options options = cairn_material_default();
    bool fine = crn_read_object(reader, &crn_material_object, node, &record);
    fine = read_patch(reader, record.patch.node, &options.patch) && fine;
    int before = crn_problem_total(reader);
    crn_register(reader, &reader->materials, "material", &record.name, 0);
    if (!fine || !reader->model || crn_problem_total(reader) != before)
        return;
    options.name = record.name.text;
    if (record.friction.node)
        options.friction = record.friction.value;
    if (record.restitution.node)
        options.restitution = record.restitution.value;
    options.stiffness = record.stiffness.value;
    options.damping = record.damping.value;
    options.tangential_stiffness = record.tangential_stiffness.value;
    options.rolling_friction = record.rolling_friction.value;
    options.spinning_friction = record.spinning_friction.value;
    options.cohesion = record.cohesion.value;
    options.cohesion_range = record.cohesion_range.value;
    if (record.weight.node)
        options.weight = record.weight.value;
    if (crn_pass_on(reader, node, cairn_model_add_material(reader->model, &options, &made)))
        crn_index_find(&reader->materials, options.name)->id = made.id;
}

static bool material_of(crn_reader *reader, const crn_node *name, cairn_material *out)
{
    assert(name->kind == CRN_SCALAR);
    *out = (cairn_material){0};
    if (strcmp(name->text, "default") == 0)
        return true;
    const crn_entry *entry = crn_find(reader, &reader->materials, "material", name);
    if (entry)
        out->id = entry->id;
    return entry && entry->id != 0;
}

bool crn_find_material(crn_reader *reader, const crn_text *name, cairn_material *out)
{
    *out = (cairn_material){0};
    if (!name->node)
        return true;
    const char *outer = reader->field;
    reader->field = "material";
    bool fine = material_of(reader, name->node, out);
    reader->field = outer;
    return fine;
}

static void build_pair(crn_reader *reader, const crn_node *node)
{
    crn_pair_record record;
    if (!crn_read_object(reader, &crn_pair_object, node, &record))
        return;
    cairn_material a, b;
    reader->field = "materials";
    bool first = material_of(reader, record.materials.name[0], &a);
    bool second = material_of(reader, record.materials.name[1], &b);
    reader->field = NULL;
    cairn_pair_options options = cairn_pair_default();
    options.friction = record.friction.value;
    options.restitution = record.restitution.value;
    take(&record.rolling_friction, &options.rolling_friction);
    take(&record.spinning_friction, &options.spinning_friction);
    take(&record.cohesion, &options.cohesion);
    if (first && second && reader->model)
        crn_pass_on(reader, node, cairn_model_add_pair(reader->model, a, b, &options));
}

void crn_build_materials(crn_reader *reader, const crn_scene_record *scene)
{
    crn_read_list(reader, scene->materials.node, "materials", "material", build_material);
    crn_read_list(reader, scene->pairs.node, "pairs", "pair", build_pair);
}
