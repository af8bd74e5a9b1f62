#include "collide/identity.h"

int crn_identity_find(const uint64_t *list, int count, uint64_t identity)
{
    int low = 0, high = count - 1;
    while (low <= high)
    {
        int middle = low + (high - low) / 2;
        if (list[middle] == identity)
            return middle;
        low = list[middle] < identity ? middle + 1 : low;
        high = list[middle] < identity ? high : middle - 1;
    }
    return -1;
}

/* The finaliser of splitmix64 (Steele, Lea, Flood 2014): each bit of the input turns about half of the output's. */
uint64_t crn_identity_part(uint64_t identity, int part)
{
    uint64_t z = identity + ((uint64_t)part + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}
