/* The bodies of a description on process 0, which has those that are given in an array, or gives them a part at a time where they are many, as it does with those that are made. */
#ifndef CRN_DOMAIN_DESCRIBED_H
#define CRN_DOMAIN_DESCRIBED_H

#include "base/context.h"
#include "gpu/interface.h"

typedef struct crn_described
{
    const crn_gpu_description *d;
    crn_gpu_body *part; /* NULL: all are in an array */
    int first, count;
    cairn_status status; /* what went wrong: bodies that could not be read do not move */
} crn_described;

crn_described crn_described_open(const crn_gpu_description *description);
/* Returns the status. */
cairn_status crn_described_close(crn_described *from);
/* It lasts until another one is asked for. */
const crn_gpu_body *crn_described_body(crn_described *from, int number);

#endif
