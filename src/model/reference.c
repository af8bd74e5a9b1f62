/* Quantities by name:
 *
 *     BODY.x  .y  .z          position of its centre of mass, m           BODY.vx  .vy  .vz     velocity, m/s, world frame
 *     BODY.angle              plane, rad                                  BODY.omega            plane, rad/s
 *     BODY.omega_x  _y  _z    space, rad/s, body frame
 *     JOINT.angle             a coordinate by its name, m or rad          JOINT.angle.rate      m/s or rad/s
 *
 * body:NAME and joint:NAME tell a body and a joint of the same name apart.
 */
#include "model/reference.h"

#include "model/joints/element.h"
#include "model/names.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A quantity of bodies. */
typedef struct body_field
{
    const char *name;
    crn_reference_kind kind;
    int k;
    int dimension; /* 0: in the plane and in space */
} body_field;

static const body_field FIELDS[] = {
    {"x", CRN_REFERENCE_POSITION, 0, 0},   {"y", CRN_REFERENCE_POSITION, 1, 0},   {"z", CRN_REFERENCE_POSITION, 2, 3},
    {"vx", CRN_REFERENCE_VELOCITY, 0, 0},  {"vy", CRN_REFERENCE_VELOCITY, 1, 0},  {"vz", CRN_REFERENCE_VELOCITY, 2, 3},
    {"angle", CRN_REFERENCE_ANGLE, 2, 2},  {"omega", CRN_REFERENCE_SPIN, 2, 2},   {"omega_x", CRN_REFERENCE_SPIN, 0, 3},
    {"omega_y", CRN_REFERENCE_SPIN, 1, 3}, {"omega_z", CRN_REFERENCE_SPIN, 2, 3},
};

enum
{
    FIELD_COUNT = (int)(sizeof FIELDS / sizeof FIELDS[0]),
    NAME_BYTES = 96
};

typedef struct finder
{
    const cairn_model *model;
    crn_references *references;
} finder;

static bool is_word(const char *start, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(start, word, length) == 0;
}

static bool find_field(int dimension, const crn_quantity_name *name, crn_reference *out)
{
    for (int i = 0; i < FIELD_COUNT; ++i)
    {
        bool here = FIELDS[i].dimension == 0 || FIELDS[i].dimension == dimension;
        if (!here || !is_word(name->field, name->field_length, FIELDS[i].name))
            continue;
        out->kind = FIELDS[i].kind;
        out->k = FIELDS[i].k;
        return true;
    }
    return false;
}

static bool find_coordinate(const cairn_model *model, const crn_quantity_name *name, crn_reference *out)
{
    for (int i = 0; i < cairn_model_coordinate_count(model, out->joint); ++i)
    {
        const char *word = cairn_model_coordinate_name(model, out->joint, i);
        size_t length = strlen(word);
        bool begins = name->field_length >= length && strncmp(name->field, word, length) == 0;
        bool whole = name->field_length == length;
        if (!begins || (!whole && !is_word(name->field + length, name->field_length - length, ".rate")))
            continue;
        out->kind = whole ? CRN_REFERENCE_COORDINATE : CRN_REFERENCE_RATE;
        out->k = i;
        return true;
    }
    return false;
}

/* What the thing has, for a message. */
static void list_fields(const cairn_model *model, const crn_reference *found, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; found->body.id != 0 && i < FIELD_COUNT && used < size; ++i)
        if (FIELDS[i].dimension == 0 || FIELDS[i].dimension == model->dimension)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", FIELDS[i].name);
    for (int i = 0; i < cairn_model_coordinate_count(model, found->joint) && used < size; ++i)
        used += (size_t)snprintf(text + used, size - used, "%s%s, %s.rate", used > 0 ? ", " : "",
                                 cairn_model_coordinate_name(model, found->joint, i),
                                 cairn_model_coordinate_name(model, found->joint, i));
}

/* Why a name is no quantity. */
static int refuse(const cairn_model *model, const crn_quantity_name *name, const char *owner,
                  const crn_reference *found, crn_expression_error *error)
{
    char known[80];
    int length = name->field_length > 20 ? 20 : (int)name->field_length;
    if (found->body.id == 0 && found->joint.id == 0)
        snprintf(error->text, sizeof error->text, "there is no body or joint '%.60s'", owner);
    else
    {
        list_fields(model, found, known, sizeof known);
        snprintf(error->text, sizeof error->text, "'%.20s' has no quantity '%.*s'; it has %s", owner, length,
                 name->field, known[0] ? known : "none");
    }
    return -1;
}

/* The place of a reference in the list, to which it is added if it is new; -1: there is no room. */
static int place_of(crn_references *references, const crn_reference *found, crn_expression_error *error)
{
    for (int i = 0; i < references->count; ++i)
        if (memcmp(&references->item[i], found, sizeof *found) == 0)
            return i;
    if (references->count == CRN_REFERENCES)
    {
        snprintf(error->text, sizeof error->text, "more than %d quantities are named", (int)CRN_REFERENCES);
        return -1;
    }
    if (!references->item)
        references->item = calloc(CRN_REFERENCES, sizeof *references->item);
    if (!references->item)
    {
        error->position = -1;
        return -1;
    }
    references->item[references->count] = *found;
    return references->count++;
}

static int find(void *data, const crn_quantity_name *name, crn_expression_error *error)
{
    const finder *at = data;
    char owner[NAME_BYTES];
    snprintf(owner, sizeof owner, "%.*s", (int)(name->owner_length < NAME_BYTES ? name->owner_length : NAME_BYTES - 1),
             name->owner);
    bool bodies = !name->sort || is_word(name->sort, name->sort_length, "body");
    bool joints = !name->sort || is_word(name->sort, name->sort_length, "joint");
    crn_reference found, body, joint;
    memset(&found, 0, sizeof found); /* compared byte by byte */
    body = joint = found;
    if (bodies)
        found.body = body.body = cairn_model_find_body(at->model, owner);
    if (joints)
        found.joint = joint.joint = cairn_model_find_joint(at->model, owner);
    bool is_body = body.body.id != 0 && find_field(at->model->dimension, name, &body);
    bool is_joint = joint.joint.id != 0 && find_coordinate(at->model, name, &joint);
    if (is_body && is_joint)
    {
        snprintf(error->text, sizeof error->text,
                 "a body and a joint are called '%.40s': write body:%.20s or joint:%.20s", owner, owner, owner);
        return -1;
    }
    if (!is_body && !is_joint)
        return refuse(at->model, name, owner, &found, error);
    int place = place_of(at->references, is_body ? &body : &joint, error);
    return place < 0 ? -1 : 1 + place;
}

cairn_status crn_compile_in_state(const cairn_model *model, const char *kind, const char *name, const char *field,
                                  const char *text, crn_references *references, crn_expression **out)
{
    static const char *const VARIABLES[] = {"t"};
    finder at = {model, references};
    const crn_quantities quantities = {.find = find, .data = &at};
    crn_expression_error error;
    *out = text ? crn_expression_compile_with(text, VARIABLES, 1, NULL, 0, &quantities, &error) : NULL;
    if (text && !*out && error.position < 0)
        return crn_fail(model->context, CAIRN_NO_MEMORY, "%s '%s': %s: memory ran out", kind, name, field);
    if (text && !*out)
        return crn_fail(model->context, CAIRN_INVALID, "%s '%s': %s: \"%s\" at character %d: %s", kind, name, field,
                        text, error.position + 1, error.text);
    return CAIRN_OK;
}

void crn_references_release(crn_references *references)
{
    free(references->item);
    *references = (crn_references){.item = NULL};
}

bool crn_reference_is_position(const crn_reference *reference)
{
    return reference->kind <= CRN_REFERENCE_COORDINATE;
}

static bool hold(const cairn_model *model, const crn_references *references)
{
    for (int i = 0; i < references->count; ++i)
    {
        const crn_reference *item = &references->item[i];
        bool there =
            item->body.id != 0 ? crn_body_index(model, item->body) >= 0 : crn_joint_index(model, item->joint) >= 0;
        if (!there)
            return false;
    }
    return true;
}

cairn_status crn_check_references(cairn_context *context, const cairn_model *model)
{
    for (size_t i = 0; model->has_references && i < model->force_count; ++i)
        if (!hold(model, &model->forces[i].references))
            return crn_fail(context, CAIRN_INVALID,
                            "force '%s': an expression names a body or a joint that was removed",
                            model->forces[i].name);
    for (size_t j = 0; model->has_references && j < model->joint_count; ++j)
        for (int i = 0; i < model->joints[j].element_count; ++i)
        {
            const crn_signal *target = &model->joints[j].element[i].target;
            if (!hold(model, &target->references))
                return crn_fail(context, CAIRN_INVALID,
                                "joint '%s': the target '%s' names a body or a joint that was removed",
                                model->joints[j].name, target->text);
        }
    return CAIRN_OK;
}
