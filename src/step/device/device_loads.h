/* What the contacts of the last step come to, added up over ranks: statistics need none of them on process 0.
 *
 * Every rank looks at the contacts that it counts. Counts are whole numbers, sums are exact (base/exact_sum.h), and the rest are maxima, so that nothing depends on the
 * number of ranks. */
#ifndef CRN_STEP_DEVICE_LOADS_H
#define CRN_STEP_DEVICE_LOADS_H

#include "domain/crew.h"
#include "model/statistic.h"

/* What is asked. Every byte of it travels, so it is to be zeroed first. */
typedef struct crn_loads_question
{
    int64_t task; /* crn_device_tasks */
    crn_zone region;
    double h;     /* s: of the step, to make forces of impulses */
    double least; /* of the largest normal force: contacts with less carry none */
    double top;   /* of a histogram of normal forces: in their means */
    int64_t bins;
} crn_loads_question;

/* Of contacts that carry a force: those whose point lies in the region; the virial is that of all, by their share of it. */
typedef struct crn_loads_answer
{
    int64_t contacts;
    double fabric[9], virial[9]; /* sum of n n'; J */
    double force, largest;       /* N: of the sizes of normal forces */
    int64_t bin[CRN_STATISTIC_BINS];
    /* Of grains in the region: their different neighbours in all; those that have two or more; and the neighbours of these. */
    int64_t neighbours, held, holding;
} crn_loads_answer;

_Static_assert(sizeof(crn_loads_answer) <= CRN_CREW_ANSWER, "an answer of ranks");

/* Collective, a crn_crew_task: from a question to an answer, the same on all ranks. */
bool crn_loads_task(crn_domain *domain, const void *question, size_t size, void *answer);

#endif
