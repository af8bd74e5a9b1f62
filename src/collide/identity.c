#include "collide/identity.h"

#include <assert.h>

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

/* The finaliser of splitmix64 (Steele, Lea, Flood 2014): each bit of the input turns about half of the output's. */
uint64_t crn_identity_part(uint64_t identity, int part)
{
    uint64_t z = identity + ((uint64_t)part + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}
