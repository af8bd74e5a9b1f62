#include "scene/population/population_fields.h"

#include <stddef.h>

#define COUNT(array)       ((int)(sizeof(array) / sizeof((array)[0])))
#define AT(record, member) .name = #member, .offset = offsetof(record, member)
#define ONE_OF(word_table) .kind = CRN_FIELD_WORD, .words = (word_table), .word_count = COUNT(word_table)
#define IN_PLANE(other)    .dimension = 2, .instead = (other)
#define IN_SPACE(other)    .dimension = 3, .instead = (other)

static const crn_word packings[] = {{"random", 0}, {"lattice", 0}, {"deposit", 0}, {"growth", 0}};
static const crn_word regions[] = {{"box", 0}, {"cylinder", 3}, {"mesh", 3}, {"disc", 2}};
static const crn_word distributions[] = {{"uniform", 0}, {"normal", 0}, {"lognormal", 0}, {"table", 0}};
static const crn_word measures[] = {{"number", 0}, {"mass", 0}};

/* Masks over the words above. */
enum
{
    BOX = 1 << CRN_WORD_BOX,
    CYLINDER = 1 << CRN_WORD_CYLINDER,
    MESH = 1 << CRN_WORD_MESH,
    DISC = 1 << CRN_WORD_DISC,
    UNIFORM = 1 << 0,
    NORMAL = 1 << 1 | 1 << 2,
    TABLE = 1 << 3
};

static const crn_field population_fields[] = {
    {AT(crn_population_record, name), .kind = CRN_FIELD_NAME, .required = CRN_ALWAYS},
    {AT(crn_population_record, count), .kind = CRN_FIELD_INTEGER, .range = CRN_POSITIVE},
    {AT(crn_population_record, fraction), .kind = CRN_FIELD_NUMBER, .range = CRN_FRACTION},
    {AT(crn_population_record, radius)},
    {AT(crn_population_record, shapes)},
    {AT(crn_population_record, density), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE},
    {AT(crn_population_record, material), .kind = CRN_FIELD_NAME},
    {AT(crn_population_record, region), .required = CRN_ALWAYS},
    {AT(crn_population_record, packing), ONE_OF(packings)},
    {AT(crn_population_record, spacing), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE},
    {AT(crn_population_record, jitter), .kind = CRN_FIELD_NUMBER, .range = CRN_FRACTION},
    {AT(crn_population_record, seed), .kind = CRN_FIELD_INTEGER, .range = CRN_NOT_NEGATIVE},
    {AT(crn_population_record, velocity), .kind = CRN_FIELD_VECTOR},
    {AT(crn_population_record, angular_velocity)},
    {AT(crn_population_record, groups)},
    {AT(crn_population_record, collides_with)},
    {AT(crn_population_record, insertion)},
    {AT(crn_population_record, removal)},
};

static const crn_field insertion_fields[] = {
    {AT(crn_insertion_record, rate), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE, .required = CRN_ALWAYS},
    {AT(crn_insertion_record, begin), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},
    {AT(crn_insertion_record, until), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE},
};

static const crn_field removal_fields[] = {
    {AT(crn_removal_record, region), .required = CRN_ALWAYS},
    {AT(crn_removal_record, recycle), .kind = CRN_FIELD_FLAG},
};

static const crn_field region_fields[] = {
    {AT(crn_region_record, type), ONE_OF(regions), .required = CRN_ALWAYS},
    {AT(crn_region_record, position), .kind = CRN_FIELD_VECTOR},
    {AT(crn_region_record, angle), .kind = CRN_FIELD_NUMBER, IN_PLANE("orientation")},
    {AT(crn_region_record, orientation), IN_SPACE("angle")},
    {AT(crn_region_record, size), .kind = CRN_FIELD_VECTOR, .only = BOX, .required = BOX},
    {AT(crn_region_record, radius), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE, .only = CYLINDER | DISC,
     .required = CYLINDER | DISC},
    {AT(crn_region_record, height), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE, .only = CYLINDER,
     .required = CYLINDER},
    {AT(crn_region_record, vertices), .kind = CRN_FIELD_VECTORS, .only = MESH},
    {AT(crn_region_record, triangles), .only = MESH},
    {AT(crn_region_record, file), .kind = CRN_FIELD_NAME, .only = MESH},
};

static const crn_field sizes_fields[] = {
    {AT(crn_sizes_record, distribution), ONE_OF(distributions), .required = CRN_ALWAYS},
    {AT(crn_sizes_record, by), ONE_OF(measures)},
    {AT(crn_sizes_record, mean), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE, .only = NORMAL, .required = NORMAL},
    {AT(crn_sizes_record, deviation), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE, .only = NORMAL,
     .required = NORMAL},
    {AT(crn_sizes_record, min), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE, .only = UNIFORM | NORMAL,
     .required = UNIFORM},
    {AT(crn_sizes_record, max), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE, .only = UNIFORM | NORMAL,
     .required = UNIFORM},
    {AT(crn_sizes_record, points), .only = TABLE, .required = TABLE},
};

#define TABLE_OF(table, record) .fields = (table), .count = COUNT(table), .record_size = sizeof(record)

const crn_object crn_population_object = {"population", "population", NULL,
                                          TABLE_OF(population_fields, crn_population_record)};
const crn_object crn_region_object = {"region", "region", "type", TABLE_OF(region_fields, crn_region_record)};
const crn_object crn_sizes_object = {"radius", "sizes", "distribution", TABLE_OF(sizes_fields, crn_sizes_record)};
const crn_object crn_insertion_object = {"insertion", "insertion", NULL,
                                         TABLE_OF(insertion_fields, crn_insertion_record)};
const crn_object crn_removal_object = {"removal", "removal", NULL, TABLE_OF(removal_fields, crn_removal_record)};
