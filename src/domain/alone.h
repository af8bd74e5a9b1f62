/* A job of one process, which needs nobody to carry its messages. */
#ifndef CRN_DOMAIN_ALONE_H
#define CRN_DOMAIN_ALONE_H

#include "cairn/ranks.h"

cairn_ranks crn_ranks_alone(void);

#endif
