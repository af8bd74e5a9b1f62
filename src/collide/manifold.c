/* The touches of one pair: adding, swapping a and b, sorting. */
#include "collide/narrow.h"

#include "base/memory.h"
#include "math/vec.h"

#include <assert.h>
#include <string.h>

void crn_manifold_add(crn_manifold *manifold, double gap, const double normal[3], const double point_a[3],
                      uint64_t feature)
{
    if (!(gap <= manifold->limit))
        return;
    if (!crn_is_unit3(normal)) /* a shape so far away that rounding has left nothing of its form */
    {
        manifold->status = CAIRN_NUMERIC;
        return;
    }
    size_t need = (size_t)manifold->count + 1;
    if (need > manifold->capacity && manifold->grows &&
        crn_reserve(&manifold->touches, &manifold->capacity, need, sizeof(crn_touch)))
    {
        manifold->status = CAIRN_NO_MEMORY;
        return;
    }
    assert(need <= manifold->capacity);
    crn_touch *touch = &manifold->touches[manifold->count++];
    touch->feature = feature;
    touch->gap = gap;
    memcpy(touch->normal, normal, sizeof touch->normal);
    memcpy(touch->point_a, point_a, sizeof touch->point_a);
    crn_madd3(point_a, -gap, normal, touch->point_b);
}

bool crn_manifold_has(const crn_manifold *manifold, uint64_t feature)
{
    for (int i = 0; i < manifold->count; ++i)
        if (manifold->touches[i].feature == feature)
            return true;
    return false;
}

bool crn_is_beside(const crn_beside *nearest, double gap, const double point_a[3])
{
    assert(!nearest || nearest->apart >= 0.0);
    double arm[3];
    if (!nearest)
        return true;
    crn_sub3(point_a, nearest->point_a, arm);
    return gap >= nearest->gap && crn_dot3(arm, arm) > nearest->apart * nearest->apart;
}

void crn_manifold_swap(crn_manifold *manifold)
{
    assert(manifold->count >= 0 && (size_t)manifold->count <= manifold->capacity);
    for (int i = 0; i < manifold->count; ++i)
    {
        crn_touch *touch = &manifold->touches[i];
        double point[3];
        memcpy(point, touch->point_a, sizeof point);
        memcpy(touch->point_a, touch->point_b, sizeof point);
        memcpy(touch->point_b, point, sizeof point);
        for (int k = 0; k < 3; ++k)
            touch->normal[k] = -touch->normal[k];
    }
}

/* Insertion sort: there are few touches, and they are mostly in order. */
void crn_manifold_sort(crn_manifold *manifold)
{
    assert(manifold->count >= 0 && (size_t)manifold->count <= manifold->capacity);
    for (int i = 1; i < manifold->count; ++i)
    {
        crn_touch touch = manifold->touches[i];
        int j = i;
        for (; j > 0 && manifold->touches[j - 1].feature > touch.feature; --j)
            manifold->touches[j] = manifold->touches[j - 1];
        manifold->touches[j] = touch;
        assert(j == 0 || manifold->touches[j - 1].feature < touch.feature);
    }
}
