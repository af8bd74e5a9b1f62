/* Levels of cells for balls of any sizes: spheres, or what holds a shape. */
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

/* Writes the level of each ball: its centre, and its radius. Returns the number of levels; 0: the sizes differ too much. On several ranks, sizes are
 * those of all of them. The box is that where the scene begins, if the description has one, not where the bodies are: the order of the cells decides the order
 * of visits, and a run that is resumed must have the same. */
inline int make_levels(const crn_gpu_description *d, const std::vector<D4> &ball, Level level[LEVELS], int *level_of, int *cells)
{
    const crn_gpu_rank *rank = d->rank;
    const bool has_box = !rank && d->high[0] > d->low[0] && d->high[1] > d->low[1] && d->high[2] > d->low[2];
    double smallest = rank && rank->largest > 0 ? rank->smallest : INFINITY, largest = rank ? rank->largest : 0;
    for (const D4 &b : ball)
    {
        smallest = fmin(smallest, b.w);
        largest = fmax(largest, b.w);
    }
    int count = largest > 0 ? 1 + (int)ceil(log2(largest / smallest)) : 1;
    if (count > LEVELS)
        return 0;
    std::vector<int> balls(LEVELS);
    std::vector<double> low(3 * LEVELS, INFINITY), high(3 * LEVELS, -INFINITY);
    for (size_t i = 0; i < ball.size(); ++i)
    {
        const double x[3] = {ball[i].x, ball[i].y, ball[i].z};
        int l = 0;
        while (l < count - 1 && ldexp(smallest, l) < ball[i].w)
            ++l;
        level_of[i] = l;
        ++balls[(size_t)l];
        for (int k = 0; k < 3; ++k)
        {
            low[(size_t)(3 * l + k)] = fmin(low[(size_t)(3 * l + k)], x[k]);
            high[(size_t)(3 * l + k)] = fmax(high[(size_t)(3 * l + k)], x[k]);
        }
    }
    long long first = 0;
    for (int l = 0; l < count; ++l)
    {
        double side[3];
        for (int k = 0; k < 3; ++k)
            side[k] = (has_box ? d->high[k] - d->low[k] : high[(size_t)(3 * l + k)] - low[(size_t)(3 * l + k)]) + smallest;
        level[l] = Level();
        level[l].inverse[0] = 1 / (1.05 * ldexp(smallest, l));
        level[l].inverse[1] = level[l].inverse[2] = 0.5 * level[l].inverse[0];
        level[l].is_used = balls[(size_t)l] > 0;
        shape_level(level[l], side, balls[(size_t)l]);
        level[l].first = (int)first;
        first += level[l].is_used ? 1ll << (level[l].bits[0] + level[l].bits[1] + level[l].bits[2]) : 0;
    }
    if (first > 1ll << 30)
        return 0;
    *cells = (int)first;
    return count;
}

} // namespace crn
