/* The fields of a statistic in a scene file, of its region and of its plane. */
#ifndef CRN_SCENE_STATISTICS_STATISTIC_FIELDS_H
#define CRN_SCENE_STATISTICS_STATISTIC_FIELDS_H

#include "scene/fields.h"

typedef struct crn_statistic_record
{
    crn_text name;
    crn_any region, plane, record;
    crn_number bins, top, touching, cell, every;
} crn_statistic_record;

typedef struct crn_zone_record
{
    crn_choice type; /* box, ball, cylinder */
    crn_vector position, size;
    crn_number radius, height, angle;
    crn_any orientation;
} crn_zone_record;

typedef struct crn_plane_record
{
    crn_vector point, normal;
} crn_plane_record;

extern const crn_object crn_statistic_object, crn_zone_object, crn_plane_object;

#endif
