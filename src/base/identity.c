#include "base/identity.h"

int crn_identity_find(const uint64_t *list, int count, uint64_t identity)
{
    int low = 0, high = count - 1;
    while (low <= high)
    {
        int middle = low + (high - low) / 2;
        if (list[middle] == identity)
        {
            return middle;
        }
        low = list[middle] < identity ? middle + 1 : low;
        high = list[middle] < identity ? high : middle - 1;
    }
    return -1;
}
