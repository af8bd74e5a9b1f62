#include "scene/statistics/statistic_fields.h"

#include <stddef.h>

#define COUNT(array)         ((int)(sizeof(array) / sizeof((array)[0])))
#define AT(record, member)   .name = #member, .offset = offsetof(record, member)
#define TABLE(table, record) .fields = (table), .count = COUNT(table), .record_size = sizeof(record)

static const crn_word zone_types[] = {{"box", 0}, {"ball", 0}, {"cylinder", 3}};
enum
{
    BOX = 1 << 0,
    ROUND = 1 << 1 | 1 << 2,
    CYLINDER = 1 << 2
};

static const crn_field statistic_fields[] = {
    {AT(crn_statistic_record, name), .kind = CRN_FIELD_NAME, .required = CRN_ALWAYS},
    {AT(crn_statistic_record, region)},
    {AT(crn_statistic_record, plane)},
    {AT(crn_statistic_record, bins), .kind = CRN_FIELD_INTEGER, .range = CRN_POSITIVE},
    {AT(crn_statistic_record, top), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE},
    {AT(crn_statistic_record, touching), .kind = CRN_FIELD_NUMBER, .range = CRN_NOT_NEGATIVE},
    {AT(crn_statistic_record, cell), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE},
    {AT(crn_statistic_record, record)},
    {AT(crn_statistic_record, every), .kind = CRN_FIELD_INTEGER, .range = CRN_POSITIVE},
};

static const crn_field zone_fields[] = {
    {AT(crn_zone_record, type), .kind = CRN_FIELD_WORD, .words = zone_types, .word_count = COUNT(zone_types),
     .required = CRN_ALWAYS},
    {AT(crn_zone_record, position), .kind = CRN_FIELD_VECTOR},
    {AT(crn_zone_record, size), .kind = CRN_FIELD_VECTOR, .only = BOX, .required = BOX},
    {AT(crn_zone_record, radius), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE, .only = ROUND, .required = ROUND},
    {AT(crn_zone_record, height), .kind = CRN_FIELD_NUMBER, .range = CRN_POSITIVE, .only = CYLINDER,
     .required = CYLINDER},
    {AT(crn_zone_record, angle), .kind = CRN_FIELD_NUMBER, .dimension = 2, .instead = "orientation"},
    {AT(crn_zone_record, orientation), .dimension = 3, .instead = "angle"},
};

static const crn_field plane_fields[] = {
    {AT(crn_plane_record, point), .kind = CRN_FIELD_VECTOR, .required = CRN_ALWAYS},
    {AT(crn_plane_record, normal), .kind = CRN_FIELD_VECTOR, .required = CRN_ALWAYS},
};

const crn_object crn_statistic_object = {"statistic", "statistic", NULL, TABLE(statistic_fields, crn_statistic_record)};
const crn_object crn_zone_object = {"region", "zone", "type", TABLE(zone_fields, crn_zone_record)};
const crn_object crn_plane_object = {"plane", "plane", NULL, TABLE(plane_fields, crn_plane_record)};
