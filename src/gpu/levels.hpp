/* Levels of cells for spheres of any sizes. */
#pragma once

#include "world.hpp"

#include <vector>

namespace crn
{

/* The axes from the shortest side of the scene to its longest. */
inline void order_axes(Level &level, const double side[3])
{
    for (int k = 0; k < 3; ++k)
        level.axis[k] = k;
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 2; ++i)
            if (side[level.axis[i]] > side[level.axis[i + 1]])
            {
                int swap = level.axis[i];
                level.axis[i] = level.axis[i + 1];
                level.axis[i + 1] = swap;
            }
}

/* Divide the bits of a level's cells among the axes in proportion to where its bodies are at the start. */
inline void shape_level(Level &level, const double side[3], int bodies)
{
    order_axes(level, side);
    const double extent[3] = {2 * side[level.axis[0]], side[level.axis[1]], side[level.axis[2]]};
    int bits = 6;
    while (bits < 28 && (1ll << bits) < 4ll * bodies)
        ++bits;
    level.bits[0] = level.bits[1] = level.bits[2] = 2;
    for (int left = bits - 6; left > 0; --left)
    {
        int longest = 0;
        for (int k = 1; k < 3; ++k)
            if (extent[k] / (1 << level.bits[k]) > extent[longest] / (1 << level.bits[longest]))
                longest = k;
        ++level.bits[longest];
    }
}

/* Writes the level of each body. Returns the number of levels; 0: the sizes differ too much. */
inline int make_levels(const crn_gpu_description *d, Level level[LEVELS], int *level_of, int *cells)
{
    double smallest = INFINITY, largest = 0;
    for (int i = 0; i < d->body_count; ++i)
    {
        smallest = fmin(smallest, d->body[i].radius);
        largest = fmax(largest, d->body[i].radius);
    }
    int count = d->body_count > 0 ? 1 + (int)ceil(log2(largest / smallest)) : 1;
    if (count > LEVELS)
        return 0;
    std::vector<int> bodies(LEVELS);
    std::vector<double> low(3 * LEVELS, INFINITY), high(3 * LEVELS, -INFINITY);
    for (int i = 0; i < d->body_count; ++i)
    {
        int l = 0;
        while (l < count - 1 && ldexp(smallest, l) < d->body[i].radius)
            ++l;
        level_of[i] = l;
        ++bodies[(size_t)l];
        for (int k = 0; k < 3; ++k)
        {
            low[(size_t)(3 * l + k)] = fmin(low[(size_t)(3 * l + k)], d->body[i].x[k]);
            high[(size_t)(3 * l + k)] = fmax(high[(size_t)(3 * l + k)], d->body[i].x[k]);
        }
    }
    long long first = 0;
    for (int l = 0; l < count; ++l)
    {
        double side[3];
        for (int k = 0; k < 3; ++k)
            side[k] = high[(size_t)(3 * l + k)] - low[(size_t)(3 * l + k)] + smallest;
        level[l] = Level();
        level[l].inverse[0] = 1 / (1.05 * ldexp(smallest, l));
        level[l].inverse[1] = level[l].inverse[2] = 0.5 * level[l].inverse[0];
        level[l].is_used = bodies[(size_t)l] > 0;
        shape_level(level[l], side, bodies[(size_t)l]);
        level[l].first = (int)first;
        first += level[l].is_used ? 1ll << (level[l].bits[0] + level[l].bits[1] + level[l].bits[2]) : 0;
    }
    if (first > 1ll << 30)
        return 0;
    *cells = (int)first;
    return count;
}

} // namespace crn
