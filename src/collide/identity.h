/* Contact identities: 64 bits that name what touches and stay the same from step to step.
 *
 *     bit 63  0        shape a        shape b        feature of the pair
 *
 * Each shape has 24 bits and the feature has 16. A mesh has too many features for 16 bits. In a model with meshes the
 * shapes therefore get only as many bits as their number needs, plus one that is 0 and keeps bit 63 clear, which marks
 * the gaps of user-defined systems. The feature of a pair with a mesh gets the remaining bits: the leading bits of a
 * hash. A shape is named by its serial number, which it keeps when other shapes are removed. Serial numbers are never
 * reused and grow with the index, so identities last and sort like the pairs.
 */
#ifndef CRN_COLLIDE_IDENTITY_H
#define CRN_COLLIDE_IDENTITY_H

#include "model/model.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

/* Bits of an identity for each of the two shapes. */
int crn_identity_bits(const cairn_model *model);
static inline uint64_t crn_identity_pack(int bits, int serial_a, int serial_b, uint64_t feature)
{
    assert(serial_a < serial_b && serial_b < 1 << (bits - 1) && feature < UINT64_C(1) << (64 - 2 * bits));
    return (uint64_t)serial_a << (64 - bits) | (uint64_t)serial_b << (64 - 2 * bits) | feature;
}
/* Convert an identity from `old` bits per shape to `bits`. Ascending lists stay ascending. */
uint64_t crn_identity_rename(const cairn_model *model, int old, int bits, uint64_t identity);

/* Lower bound: the first of the records, sorted by identity, whose identity is not less than `identity`; `count` when
 * there is none. `first` points to the identity of the first record, `stride` is the number of bytes from one record to
 * the next. */
size_t crn_identity_place(const uint64_t *first, size_t count, size_t stride, uint64_t identity);
/* The record with this identity, -1: none. */
int crn_identity_search(const uint64_t *first, size_t count, size_t stride, uint64_t identity);
/* The same for a plain array of identities. */
static inline int crn_identity_find(const uint64_t *list, int count, uint64_t identity)
{
    return crn_identity_search(list, (size_t)(count > 0 ? count : 0), sizeof *list, identity);
}

/* The identity of a part of something that has an identity: a hash, since all bits are in use. */
uint64_t crn_identity_part(uint64_t identity, int part);

#endif
