/* What a statistic is about: a region, a plane, and how finely it looks. */
#ifndef CRN_MODEL_STATISTIC_H
#define CRN_MODEL_STATISTIC_H

#include "cairn/statistics.h"
#include "model/zone.h"

enum
{
    CRN_STATISTIC_BINS = 64 /* most bins of a histogram */
};

typedef struct crn_statistic
{
    char *name;
    cairn_statistic_options options; /* as given; their name is this one's */
    crn_zone region;
    bool has_plane;
    double point[3], normal[3]; /* of the plane; the normal is unit */
} crn_statistic;

#endif
