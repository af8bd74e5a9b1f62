/* From a name to a quantity.
 *
 * OWNER.FIELD is tried at every dot, since names may contain dots: 'a.b'.x with quotes says where the name of the owner ends, and
 * body:arm.angle which sort of thing it is. A name that means two things is refused.
 */
#include "quantity/find.h"
#include "base/context.h"
#include "base/memory.h"
#include "model/handles.h"
#include "model/joints/element.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *const PARTS[] = {"x", "y", "z", "magnitude"};
static const crn_owner OWNERS[] = {CRN_OF_BODY, CRN_OF_JOINT, CRN_OF_SPRING, CRN_OF_FORCE, CRN_OF_STATISTIC};
enum
{
    OWNER_COUNT = sizeof OWNERS / sizeof OWNERS[0]
};

const char *crn_owner_name(crn_owner owner)
{
    static const char *const names[] = {
        [CRN_OF_BODY] = "body",         [CRN_OF_JOINT] = "joint",        [CRN_OF_COORDINATE] = "joint",
        [CRN_OF_SPRING] = "spring",     [CRN_OF_FORCE] = "force",        [CRN_OF_WORLD] = "simulation",
        [CRN_OF_FUNCTION] = "function", [CRN_OF_STATISTIC] = "statistic"};
    return names[owner];
}

static bool is_vector(const crn_quantity_row *row, int dimension)
{
    return row->form == CRN_VECTOR || (row->form == CRN_ROTATION && dimension == 3);
}

/* The part of a vector or tensor of this name; CRN_PART_ALL when there is none. */
static int find_part(int dimension, crn_form form, const char *name)
{
    if (form == CRN_TENSOR)
        return crn_quantity_tensor_part(dimension, name);
    for (int i = 0; i <= CRN_PART_MAGNITUDE; ++i)
        if ((i < dimension || i == CRN_PART_MAGNITUDE) && !strcmp(PARTS[i], name))
            return i;
    return CRN_PART_ALL;
}

/* Whether the names are the same; run files write energy/kinetic. */
static bool same_name(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; ++i)
        if (a[i] != b[i] && !(a[i] == '.' && b[i] == '/'))
            return false;
    return true;
}

bool crn_quantity_is_offered(const cairn_model *model, const crn_quantity_row *row, const cairn_quantity *thing)
{
    if (row->owner == CRN_OF_STATISTIC)
        return crn_quantity_suits(model, row, thing->statistic);
    int index = row->owner == CRN_OF_JOINT ? crn_joint_index(model, thing->joint) : -1;
    bool reaction = index >= 0 && row->form != CRN_SCALAR;
    return !(reaction && model->joints[index].coupling);
}

int crn_quantity_row_named(int dimension, crn_owner owner, const char *name, int *part)
{
    for (int i = 0; i < crn_quantity_row_count; ++i)
    {
        const crn_quantity_row *row = &crn_quantity_rows[i];
        size_t length = strlen(row->name);
        bool offered = row->owner == owner && (row->dimension == 0 || row->dimension == dimension);
        if (!offered || strlen(name) < length || !same_name(row->name, name, length))
            continue;
        *part = CRN_PART_ALL;
        if (!name[length])
            return i;
        bool has_parts = is_vector(row, dimension) || row->form == CRN_TENSOR;
        if (length > 0 && name[length] == '.' && has_parts)
            *part = find_part(dimension, row->form, name + length + 1);
        if (*part != CRN_PART_ALL)
            return i;
    }
    return -1;
}

void crn_quantity_begin(int dimension, int row, int part, bool turns, cairn_quantity *out)
{
    assert(row >= 0 && row < crn_quantity_row_count);
    const crn_quantity_row *of = &crn_quantity_rows[row];
    int numbers = of->form == CRN_TENSOR ? dimension * dimension : is_vector(of, dimension) ? dimension : 1;
    *out = (cairn_quantity){.count = part == CRN_PART_ALL ? numbers : 1,
                            .unit = turns && of->angular ? of->angular : of->unit,
                            .row = row,
                            .part = part};
}

void crn_quantity_make(const cairn_model *model, int row, int part, bool turns, cairn_quantity *thing)
{
    cairn_quantity common;
    const crn_quantity_row *of = &crn_quantity_rows[row];
    bool planar = of->owner == CRN_OF_STATISTIC && model->dimension == 2;
    crn_quantity_begin(model->dimension, row, part, turns || planar, &common);
    thing->count =
        of->form == CRN_HISTOGRAM ? crn_quantity_statistic(model, thing->statistic).options.bins : common.count;
    thing->unit = common.unit;
    thing->row = row;
    thing->part = part;
}

void crn_quantity_found(crn_quantity_search *search, crn_owner owner, const cairn_quantity *quantity)
{
    if (search->found == 0)
        search->quantity = *quantity;
    if (search->found < 2)
        search->owner[search->found] = owner;
    ++search->found;
}

/* ------------------------------------------------------------------------------------------------------- owners */

static bool turns(const cairn_model *model, int joint, int coordinate)
{
    return crn_element_turns(&model->joints[joint], model->dimension, &(crn_element){.coordinate = coordinate});
}

/* "torque" is short for the drive of the only angle among the coordinates. */
static void search_torque(crn_quantity_search *search, int joint, cairn_joint handle)
{
    int angle = -1, count = 0, part;
    for (int i = 0; i < search->model->joints[joint].coordinates; ++i)
        if (turns(search->model, joint, i))
        {
            angle = i;
            ++count;
        }
    if (count != 1)
        return;
    cairn_quantity made;
    int row = crn_quantity_row_named(search->model->dimension, CRN_OF_COORDINATE, "drive", &part);
    crn_quantity_begin(search->model->dimension, row, part, true, &made);
    made.joint = handle;
    made.coordinate = angle;
    crn_quantity_found(search, CRN_OF_JOINT, &made);
}

/* JOINT.COORDINATE and JOINT.COORDINATE.FIELD. */
static void search_coordinates(crn_quantity_search *search, cairn_joint handle, const char *field)
{
    const cairn_model *model = search->model;
    int joint = crn_joint_index(model, handle), part;
    for (int i = 0; i < model->joints[joint].coordinates; ++i)
    {
        const char *name = cairn_model_coordinate_name(model, handle, i);
        size_t length = strlen(name);
        bool begins = !strncmp(field, name, length) && (!field[length] || field[length] == '.');
        const char *rest = field + length + (begins && field[length] ? 1 : 0);
        int row = begins ? crn_quantity_row_named(model->dimension, CRN_OF_COORDINATE, rest, &part) : -1;
        if (row < 0 || (field[length] && !*rest))
            continue;
        cairn_quantity made;
        crn_quantity_begin(model->dimension, row, part, turns(model, joint, i), &made);
        made.joint = handle;
        made.coordinate = i;
        crn_quantity_found(search, CRN_OF_JOINT, &made);
    }
    if (!strcmp(field, "torque"))
        search_torque(search, joint, handle);
}

/* The thing of this sort that has the name; false: there is none. */
static bool find_thing(const cairn_model *model, crn_owner owner, const char *name, cairn_quantity *out)
{
    if (owner == CRN_OF_BODY)
        out->body = cairn_model_find_body(model, name);
    else if (owner == CRN_OF_JOINT)
        out->joint = cairn_model_find_joint(model, name);
    else if (owner == CRN_OF_SPRING)
        out->spring = cairn_model_find_spring(model, name);
    else if (owner == CRN_OF_FORCE)
        out->force = cairn_model_find_force(model, name);
    else
        out->statistic = cairn_model_find_statistic(model, name);
    bool found = out->body.id + out->joint.id + out->spring.id + out->force.id + out->statistic.id != 0;
    return found || (owner == CRN_OF_STATISTIC && crn_quantity_is_of_all(model, name));
}

/* FIELD of the thing of this sort that has the name, if there is one. */
static void search_owner(crn_quantity_search *search, crn_owner owner, const char *name, const char *field)
{
    const cairn_model *model = search->model;
    cairn_quantity thing = {.row = 0};
    if (!find_thing(model, owner, name, &thing))
        return;
    if (owner == CRN_OF_JOINT)
        search_coordinates(search, thing.joint, field);
    int part, row = crn_quantity_row_named(model->dimension, owner, field, &part);
    if (row < 0 || !crn_quantity_is_offered(model, &crn_quantity_rows[row], &thing))
        return;
    bool angular = owner == CRN_OF_SPRING && cairn_model_spring_kind(model, thing.spring) == CAIRN_SPRING_ANGULAR;
    crn_quantity_make(model, row, part, angular, &thing);
    crn_quantity_found(search, owner, &thing);
}

/* The owner is the first `length` bytes of `name`. */
static void search_split(crn_quantity_search *search, unsigned sorts, const char *name, size_t length,
                         const char *field)
{
    char *owner = strndup(name, length);
    search->no_memory = search->no_memory || !owner;
    for (int i = 0; i < OWNER_COUNT && owner; ++i)
        if (sorts & (1U << i))
            search_owner(search, OWNERS[i], owner, field);
    free(owner);
}

static void search_owners(crn_quantity_search *search, const char *text)
{
    unsigned sorts = (1U << OWNER_COUNT) - 1;
    for (int i = 0; i < OWNER_COUNT; ++i)
    {
        size_t length = strlen(crn_owner_name(OWNERS[i]));
        if (!strncmp(text, crn_owner_name(OWNERS[i]), length) && text[length] == ':')
        {
            sorts = 1U << i;
            text += length + 1;
            break;
        }
    }
    const char *quote = *text == '\'' ? strrchr(text + 1, '\'') : NULL;
    if (quote && quote[1] == '.')
    {
        search_split(search, sorts, text + 1, (size_t)(quote - text - 1), quote + 2);
        return;
    }
    for (const char *dot = strchr(text, '.'); dot; dot = strchr(dot + 1, '.'))
        search_split(search, sorts, text, (size_t)(dot - text), dot + 1);
}

void crn_quantity_search_all(crn_quantity_search *search, const char *text)
{
    int part, row = crn_quantity_row_named(search->model->dimension, CRN_OF_WORLD, text, &part);
    if (row >= 0)
    {
        cairn_quantity made;
        crn_quantity_begin(search->model->dimension, row, part, false, &made);
        crn_quantity_found(search, CRN_OF_WORLD, &made);
    }
    crn_quantity_search_functions(search, text);
    search_owners(search, text);
}

/* -------------------------------------------------------------------------------------------------- public API */

static void offer(void *data, const char *name, const cairn_quantity *quantity)
{
    (void)quantity;
    cairn_suggestion_offer(data, name);
}

cairn_status cairn_quantity_find(cairn_context *context, const cairn_model *model, const char *name,
                                 cairn_quantity *out)
{
    if (!model || !name || !out)
        return crn_fail(context, CAIRN_INVALID, "quantity: the model, the name or the place for it is NULL");
    crn_quantity_search search = {.model = model};
    crn_quantity_search_all(&search, name);
    *out = search.quantity;
    if (search.no_memory)
        return crn_fail(context, CAIRN_NO_MEMORY, "quantity '%s': memory ran out", name);
    if (search.found == 1)
        return CAIRN_OK;
    *out = (cairn_quantity){.count = 0};
    if (search.found > 1)
        return crn_fail(context, CAIRN_INVALID, "quantity '%s' may be one of a %s or of a %s; write '%s:%s' or '%s:%s'",
                        name, crn_owner_name(search.owner[0]), crn_owner_name(search.owner[1]),
                        crn_owner_name(search.owner[0]), name, crn_owner_name(search.owner[1]), name);
    cairn_suggestion near = {.word = name};
    CRN_TRY(cairn_quantity_each(model, offer, &near));
    return crn_fail(context, CAIRN_INVALID, "there is no quantity '%s'%s", name,
                    near.hint[0] ? near.hint
                                 : "; they have names such as 'BODY.position', 'JOINT.force', 'JOINT.angle', "
                                   "'force(BODY,BODY)' and 'energy.total'");
}

const char *cairn_quantity_part(const cairn_quantity *quantity, int index)
{
    bool known = quantity && quantity->row >= 0 && quantity->row < crn_quantity_row_count && index >= 0;
    if (!known || quantity->count < 2 || index >= quantity->count || quantity->count > CAIRN_QUANTITY_MOST)
        return "";
    return crn_quantity_number_name(&crn_quantity_rows[quantity->row], quantity->count, index);
}
