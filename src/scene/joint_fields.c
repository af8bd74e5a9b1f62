/* The fields of a joint depend on its type: crn_joint_object lists those of all joints; a class tells which of them it uses, and
 * which numbers of its own it has. */
#include "scene/joint_fields.h"

#include <assert.h>
#include <string.h>

/* Bit i: class i uses one of the fields `wanted`. */
static int mask_of(const crn_joint_fields *fields, unsigned wanted)
{
    assert(fields->count <= CRN_JOINT_CLASSES);
    int mask = 0;
    for (int i = 0; i < fields->count; ++i)
        mask |= (fields->type[i]->fields & wanted) != 0 ? 1 << i : 0;
    return mask;
}

static int angular_mask(const crn_joint_fields *fields, int dimension)
{
    int mask = 0;
    for (int i = 0; i < fields->count; ++i)
    {
        const int *angular = fields->type[i]->angular;
        bool holds = dimension == 0 ? angular[CRN_PLANE] + angular[CRN_SPACE] > 0 : angular[dimension - 2] > 0;
        mask |= holds ? 1 << i : 0;
    }
    return mask;
}

/* Whether a field gives the axis in this dimension. */
static unsigned axis_in(int dimension)
{
    return dimension == 2   ? CRN_JOINT_AXIS_PLANE
           : dimension == 3 ? CRN_JOINT_AXIS
                            : CRN_JOINT_AXIS | CRN_JOINT_AXIS_PLANE;
}

static void restrict_field(const crn_joint_fields *fields, int dimension, crn_field *field)
{
    assert(fields->count > 0);
    if (strcmp(field->name, "type") == 0)
    {
        field->words = fields->words;
        field->word_count = fields->count;
    }
    else if (strcmp(field->name, "points") == 0)
        field->required = mask_of(fields, CRN_JOINT_APART);
    else if (strcmp(field->name, "at") == 0)
        field->only = (int)((1u << fields->count) - 1) & ~mask_of(fields, CRN_JOINT_APART);
    else if (strcmp(field->name, "axis") == 0)
    {
        field->only = mask_of(fields, axis_in(dimension));
        field->required = dimension == 0 ? 0 : field->only & ~mask_of(fields, CRN_JOINT_AXIS_OPTIONAL);
    }
    else if (strcmp(field->name, "axis_b") == 0)
        field->only = (mask_of(fields, CRN_JOINT_AXIS) & ~mask_of(fields, CRN_JOINT_SECOND_AXIS | CRN_JOINT_BENT)) |
                      mask_of(fields, CRN_JOINT_THIRD_AXIS);
    else if (strcmp(field->name, "second_axis") == 0)
    {
        field->only = mask_of(fields, CRN_JOINT_SECOND_AXIS | CRN_JOINT_BENT);
        field->required = mask_of(fields, CRN_JOINT_SECOND_AXIS);
    }
    else if (strcmp(field->name, "over") == 0)
        field->only = field->required = mask_of(fields, CRN_JOINT_OVER);
    else if (strcmp(field->name, "length") == 0)
        field->only = mask_of(fields, CRN_JOINT_LENGTH);
    else if (strcmp(field->name, "stiffness_matrix") == 0)
        field->only = field->required = mask_of(fields, CRN_JOINT_MATRICES);
    else if (strcmp(field->name, "damping_matrix") == 0)
        field->only = mask_of(fields, CRN_JOINT_MATRICES);
    else if (strcmp(field->name, "stiffness") == 0 || strcmp(field->name, "damping") == 0)
        field->only = (int)((1u << fields->count) - 1) & ~mask_of(fields, CRN_JOINT_MATRICES);
    else if (strncmp(field->name, "angular_", 8) == 0)
        field->only = angular_mask(fields, dimension) & ~mask_of(fields, CRN_JOINT_MATRICES);
}

/* A field for a number of class `word`: a new one, or that of an earlier class with a number of the same name. */
static void add_number(crn_joint_fields *fields, const crn_joint_number *number, int word)
{
    assert(word >= 0 && word < fields->count);
    crn_object *object = &fields->object;
    crn_field *field = &fields->fields[CRN_JOINT_COMMON_FIELDS];
    while (field < fields->fields + object->count && strcmp(field->name, number->name) != 0)
        ++field;
    int slot = (int)(field - fields->fields) - CRN_JOINT_COMMON_FIELDS;
    assert(slot < CRN_JOINT_OWN_NUMBERS);
    if (slot == object->count - CRN_JOINT_COMMON_FIELDS)
    {
        *field = (crn_field){.name = number->name,
                             .kind = CRN_FIELD_NUMBER,
                             .offset = offsetof(crn_joint_record, number) + (size_t)slot * sizeof(crn_number),
                             .range = number->positive ? CRN_POSITIVE : CRN_ANY};
        object->count += 1;
    }
    field->only |= 1 << word;
    field->required |= number->required ? 1 << word : 0;
}

void crn_joint_fields_make(const cairn_context *context, int dimension, crn_joint_fields *out)
{
    assert(dimension == 0 || dimension == 2 || dimension == 3);
    assert(crn_joint_object.count == CRN_JOINT_COMMON_FIELDS);
    memset(out, 0, sizeof *out);
    const crn_joint_class *type;
    for (; (type = crn_joint_class_at(context, out->count)); ++out->count)
    {
        out->type[out->count] = type;
        bool plane = type->equations[0] + type->bounded[0] > 0, space = type->equations[1] + type->bounded[1] > 0;
        out->words[out->count] = (crn_word){type->name, plane && space ? 0 : plane ? 2 : 3};
    }
    memcpy(out->fields, crn_joint_object.fields, CRN_JOINT_COMMON_FIELDS * sizeof(crn_field));
    out->object = crn_joint_object;
    out->object.fields = out->fields;
    for (int i = 0; i < CRN_JOINT_COMMON_FIELDS; ++i)
        restrict_field(out, dimension, &out->fields[i]);
    for (int k = 0; k < out->count; ++k)
        for (int i = 0; i < out->type[k]->number_count; ++i)
            add_number(out, &out->type[k]->numbers[i], k);
}

int crn_joint_fields_numbers(const crn_joint_fields *fields, const crn_joint_record *record,
                             cairn_joint_number out[CRN_JOINT_NUMBERS])
{
    int count = 0;
    for (int i = CRN_JOINT_COMMON_FIELDS; i < fields->object.count; ++i)
    {
        const crn_number *given = &record->number[i - CRN_JOINT_COMMON_FIELDS];
        if (!given->node)
            continue;
        assert(count < CRN_JOINT_NUMBERS); /* a class has no more, and those of other classes were refused */
        out[count++] = (cairn_joint_number){fields->fields[i].name, given->value};
    }
    return count;
}
