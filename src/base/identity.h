/* Contact identities in ascending lists. */
#ifndef CRN_BASE_IDENTITY_H
#define CRN_BASE_IDENTITY_H

#include <stdint.h>

/* Place of an identity in an ascending list, -1 when it is not there. */
int crn_identity_find(const uint64_t *list, int count, uint64_t identity);

#endif
