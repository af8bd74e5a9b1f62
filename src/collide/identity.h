/* Contact identities: what touches, in 64 bits, the same step after step.
 *
 *     bit 63  0        shape a        shape b        feature of the pair
 *
 * The two shapes have 24 bits each and the feature 16. A mesh has too many features for 16 bits: in a model with meshes the shapes
 * get as many bits as their number needs and one more, which is 0 and keeps clear of the gaps of users' systems (bit 63), and
 * the feature of a pair with a mesh gets what is left, the leading bits of a hash. A shape is named by its serial number, which
 * it keeps when others are removed. Serial numbers are never used again and grow with the index, so that identities last and
 * have the order of the pairs.
 */
#ifndef CRN_COLLIDE_IDENTITY_H
#define CRN_COLLIDE_IDENTITY_H

#include "model/model.h"
#include <stddef.h>
#include <stdint.h>

/* Bits of an identity for each of the two shapes. */
int crn_identity_bits(const cairn_model *model);
uint64_t crn_identity_pack(int bits, int serial_a, int serial_b, uint64_t feature);
/* An identity of a time when shapes had `old` bits, now that they have `bits`. Ascending lists stay so. */
uint64_t crn_identity_rename(const cairn_model *model, int old, int bits, uint64_t identity);

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
