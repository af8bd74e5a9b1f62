/* Contact identities in ascending lists. */
#ifndef CRN_COLLIDE_IDENTITY_H
#define CRN_COLLIDE_IDENTITY_H

#include <stddef.h>
#include <stdint.h>

/* Of records in ascending order of their identities, the first whose identity is not below; `count` when all are. `first`: the
 * identity of the first record, `stride`: bytes from one record to the next. */
size_t crn_identity_place(const uint64_t *first, size_t count, size_t stride, uint64_t identity);
/* The record that has the identity, -1 when none has. */
int crn_identity_search(const uint64_t *first, size_t count, size_t stride, uint64_t identity);
/* The same in a plain list. */
static inline int crn_identity_find(const uint64_t *list, int count, uint64_t identity)
{
    return crn_identity_search(list, (size_t)(count > 0 ? count : 0), sizeof *list, identity);
}

/* Identity of a part of something that has one: a hash, since the bits are all in use. */
uint64_t crn_identity_part(uint64_t identity, int part);

#endif
