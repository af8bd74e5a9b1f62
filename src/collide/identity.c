#include "collide/identity.h"

#include <assert.h>

enum
{
    SHAPE_BITS = 24
};

int crn_identity_bits(const cairn_model *model)
{
    bool mesh = false;
    for (size_t i = 0; i < model->shape_count && !mesh; ++i)
        mesh = model->shapes[i].form->mesh;
    int bits = 1;
    size_t serials = (size_t)model->serials + (size_t)model->unmade.count;
    while (bits < SHAPE_BITS && (size_t)1 << (bits - 1) < serials)
        ++bits;
    return mesh ? bits : SHAPE_BITS;
}

/* Whether the shape with a serial number is a mesh; false when it was removed. */
static bool is_mesh(const cairn_model *model, uint64_t serial)
{
    size_t low = 0, high = model->shape_count;
    while (low < high)
    {
        size_t middle = low + (high - low) / 2;
        bool below = (uint64_t)model->shapes[middle].serial < serial;
        low = below ? middle + 1 : low;
        high = below ? high : middle;
    }
    return low < model->shape_count && (uint64_t)model->shapes[low].serial == serial && model->shapes[low].form->mesh;
}

uint64_t crn_identity_rename(const cairn_model *model, int old, int bits, uint64_t identity)
{
    assert(old >= 1 && old <= SHAPE_BITS);
    assert(bits >= 1 && bits <= SHAPE_BITS);
    if (identity >> 63) /* a gap of a user-defined system */
        return identity;
    uint64_t a = identity >> (64 - old), b = identity >> (64 - 2 * old) & ((UINT64_C(1) << old) - 1);
    uint64_t feature = identity & ((UINT64_C(1) << (64 - 2 * old)) - 1);
    if (bits > old && (is_mesh(model, a) || is_mesh(model, b)))
        feature >>= 2 * (bits - old);
    return a << (64 - bits) | b << (64 - 2 * bits) | feature;
}

static uint64_t at(const uint64_t *first, size_t stride, size_t i)
{
    return *(const uint64_t *)(const void *)((const char *)first + i * stride);
}

size_t crn_identity_place(const uint64_t *first, size_t count, size_t stride, uint64_t identity)
{
    assert(stride >= sizeof *first && stride % sizeof *first == 0 && (first || count == 0));
    size_t low = 0, high = count;
    while (low < high)
    {
        size_t middle = low + (high - low) / 2;
        if (at(first, stride, middle) < identity)
            low = middle + 1;
        else
            high = middle;
    }
    assert(low == count || at(first, stride, low) >= identity);
    return low;
}

int crn_identity_search(const uint64_t *first, size_t count, size_t stride, uint64_t identity)
{
    size_t place = crn_identity_place(first, count, stride, identity);
    return place < count && at(first, stride, place) == identity ? (int)place : -1;
}

/* The finaliser of splitmix64 (Steele, Lea, Flood 2014): each input bit flips about half of the output bits. */
uint64_t crn_identity_part(uint64_t identity, int part)
{
    uint64_t z = identity + ((uint64_t)part + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}
