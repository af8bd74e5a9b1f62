/* Many random instances of one situation: what is drawn for each, and the score. An instance is run by a function that tells
 * how far the outcome is from its closed form, in shares of what is allowed. */
#ifndef TEST_SUPPORT_INSTANCES_H
#define TEST_SUPPORT_INSTANCES_H

#include "support/worlds.h"

typedef struct instance
{
    uint64_t seed; /* advanced by what is drawn */
    int number;
    int dimension;
    double h;
    double e, mu;
    double offset; /* of the event from the end of a step, in steps */
    double time;   /* s, of the event */
    cairn_settings settings;
} instance;

double instance_uniform(instance *x, double low, double high);

/* How far off, in shares of what is allowed: up to 1 is right. `why` may be filled. */
typedef double instance_fn(instance *x, char why[200]);

/* Runs `count` instances for each second-order scheme, events at the end of a step, just before it, just after it and anywhere; prints
 * those that are wrong and how many there are. Fails the test if there is one. CAIRN_INSTANCE=N runs that number alone. */
void instances_check(const char *name, instance_fn *run, int count);

/* A fixed half-plane (half-space) through a point. */
cairn_body instance_wall(cairn_model *model, const char *name, const double point[3], const double normal[3],
                         cairn_material material);

#endif
