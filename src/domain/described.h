/* The bodies of a description on process 0, which has all of them in an array, or gives them a part at a time where they are many. */
#ifndef CRN_DOMAIN_DESCRIBED_H
#define CRN_DOMAIN_DESCRIBED_H

#include "base/context.h"
#include "gpu/interface.h"

typedef struct crn_described
{
    const crn_gpu_description *d;
    crn_gpu_body *part; /* NULL: there is an array */
    int first, count;
    cairn_status status; /* what went wrong: bodies that could not be read do not move */
} crn_described;

crn_described crn_described_open(const crn_gpu_description *description);
/* Returns the status. */
cairn_status crn_described_close(crn_described *from);
/* It lasts until another one is asked for. */
const crn_gpu_body *crn_described_body(crn_described *from, int number);

#endif
