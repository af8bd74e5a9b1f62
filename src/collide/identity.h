/* Contact identities in ascending lists. */
#ifndef CRN_COLLIDE_IDENTITY_H
#define CRN_COLLIDE_IDENTITY_H

#include <stdint.h>

/* Place of an identity in an ascending list, -1 when it is not there. */
int crn_identity_find(const uint64_t *list, int count, uint64_t identity);

/* Identity of a part of something that has one: a hash, since the bits are all in use. */
uint64_t crn_identity_part(uint64_t identity, int part);

#endif
