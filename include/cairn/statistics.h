/* Statistics: what many bodies do together, in a region or through a plane.
 *
 *     cairn_statistic_options options = cairn_statistic_default();
 *     options.name = "bulk";
 *     options.region = (cairn_region){.centre = {0, 0, 0.5}, .size = {1, 1, 0.2}};
 *     cairn_model_add_statistic(model, &options, &bulk);
 *     cairn_quantity_find(context, model, "bulk.stress", &stress);
 *
 * A statistic changes nothing in the motion. Its numbers are quantities (cairn/quantity.h): bulk.coordination, bulk.fabric,
 * bulk.stress, bulk.fraction, ... Without any statistic there is one of all bodies, named `grains`. All names, definitions and
 * errors: docs/statistics.md.
 */
#ifndef CAIRN_STATISTICS_H
#define CAIRN_STATISTICS_H

#include "cairn/query.h"

CAIRN_BEGIN_DECLS

typedef struct cairn_statistic
{
    int32_t id;
    uint16_t model;
    uint16_t generation;
} cairn_statistic;

/* What a statistic is about. */
typedef struct cairn_statistic_options
{
    /* Set by cairn_statistic_default; do not change. */
    size_t struct_size;
    /* Unique among statistics; required. */
    const char *name;
    /* Where it looks; no radius and no size: everywhere. */
    cairn_region region;
    /* m and unit-free: a point of a plane and its normal, of any length, through which bodies flow. A normal of 0: no plane. */
    double point[3], normal[3];
    /* Bins of the histograms, 1 to 64; default 16. */
    int bins;
    /* Where the histograms end, in multiples of the mean, > 0; default 4. */
    double top;
    /* m, >= 0: surfaces this close touch; default 1e-6. */
    double touching;
    /* m, > 0: cells in which a free surface is looked for; 0, the default: twice the largest grain's diameter. */
    double cell;
} cairn_statistic_options;

/* A statistic of everything; set its name, and a region or a plane where it should have one. */
CAIRN_API cairn_statistic_options cairn_statistic_default(void);

/* Add a statistic. CAIRN_INVALID, with its name in the message, for a region without extent, numbers that are not finite, and bins
 * out of range. Statistics stay as long as their model. */
CAIRN_API cairn_status cairn_model_add_statistic(cairn_model *model, const cairn_statistic_options *options,
                                                 cairn_statistic *out);

/* The number of statistics. */
CAIRN_API int cairn_model_statistic_count(const cairn_model *model);

/* Statistic `index`, from 0, in the order of adding; the null handle for an index out of range. */
CAIRN_API cairn_statistic cairn_model_statistic(const cairn_model *model, int index);

/* The statistic with this name; the null handle when there is none. */
CAIRN_API cairn_statistic cairn_model_find_statistic(const cairn_model *model, const char *name);

/* Name of a statistic, which lives as long as the model; "" for a null or foreign handle. */
CAIRN_API const char *cairn_model_statistic_name(const cairn_model *model, cairn_statistic statistic);

/* What it was added with; defaults for a null or foreign handle. The name lives as long as the model. */
CAIRN_API cairn_statistic_options cairn_model_statistic_options(const cairn_model *model, cairn_statistic statistic);

CAIRN_END_DECLS

#endif
