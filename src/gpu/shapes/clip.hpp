/* The part of an incident face or line that lies over a reference face: clipped by its sides (I. Sutherland & G. Hodgman 1974), and thinned out to as many
 * points as a pair has room for.
 *
 * Names of touches: a corner of a has its own, a corner of b 1024 more. A crossing of two edges has one that is made from the names of their four ends,
 * whichever of the faces is the reference. */
#pragma once

#include "../world.hpp"
#include "nearest.hpp"
#include "touches.hpp"

namespace crn
{

enum
{
    CUT_ROOM = 2 * FACE_ROOM,
    NAMES_OF_B = 1024,
    NAMES_OF_CROSSINGS = 4096
};

/* Sides are those of the incident face, and FACE_ROOM on those of the reference. */
struct CutPoint
{
    D3 x;
    int in, out; /* the sides that end and begin here */
};

struct Cut
{
    CutPoint at[CUT_ROOM];
    int count;
};

/* Keep what is within n x <= offset. A line (is_open) has no side from its end to its start. */
CRN_HD void cut(Cut &clip, D3 n, double offset, int side, bool is_open)
{
    Cut from = clip;
    clip.count = 0;
    for (int i = 0; i < from.count; ++i)
    {
        const CutPoint &p = from.at[i], &q = from.at[(i + 1) % from.count];
        double here = dot(n, p.x) - offset, there = dot(n, q.x) - offset;
        if (here <= 0 && clip.count < CUT_ROOM)
            clip.at[clip.count++] = p;
        bool has_side = from.count > 2 || (from.count == 2 && i == 0) || !is_open;
        if (!has_side || from.count < 2 || (here <= 0) == (there <= 0) || clip.count == CUT_ROOM)
            continue;
        D3 x = p.x + (here / (here - there)) * (q.x - p.x);
        bool leaves = here <= 0;
        clip.at[clip.count++] = leaves ? CutPoint{x, p.out, side} : CutPoint{x, side, p.out};
    }
}

/* The corner where sides k and l of a face meet. */
CRN_HD int corner_between(const Face &face, int k, int l)
{
    return face.name[(k + 1) % face.count == l ? l : k];
}
CRN_HD unsigned long long edge_name(const Face &face, int k)
{
    unsigned long long p = (unsigned long long)face.name[k], q = (unsigned long long)face.name[(k + 1) % face.count];
    return p < q ? p << 10 | q : q << 10 | p;
}

CRN_HD int name_of(const CutPoint &p, const Face &reference, const Face &incident, bool is_b)
{
    bool in = p.in >= FACE_ROOM, out = p.out >= FACE_ROOM;
    if (!in && !out)
        return corner_between(incident, p.in, p.out) + (is_b ? 0 : NAMES_OF_B);
    if (in && out)
        return corner_between(reference, p.in - FACE_ROOM, p.out - FACE_ROOM) + (is_b ? NAMES_OF_B : 0);
    unsigned long long i = edge_name(incident, in ? p.out : p.in), r = edge_name(reference, (in ? p.in : p.out) - FACE_ROOM);
    return NAMES_OF_CROSSINGS + (int)(scramble(is_b ? i << 20 | r : r << 20 | i) >> 48);
}

/* Drop points until there are `most_left`, each time the one between whose neighbours the least is lost, but never the lowest. */
CRN_HD void thin_out(Cut &clip, double *gap, int most_left)
{
    while (clip.count > most_left)
    {
        int lowest = 0, drop = -1;
        double least_lost = INFINITY;
        for (int i = 1; i < clip.count; ++i)
            lowest = gap[i] < gap[lowest] ? i : lowest;
        for (int i = 0; i < clip.count; ++i)
        {
            D3 x = clip.at[i].x, p = clip.at[(i + clip.count - 1) % clip.count].x, q = clip.at[(i + 1) % clip.count].x;
            double lost = norm(cross(p - x, q - x));
            if (i != lowest && lost < least_lost)
            {
                least_lost = lost;
                drop = i;
            }
        }
        --clip.count;
        for (int i = drop; i < clip.count; ++i)
        {
            clip.at[i] = clip.at[i + 1];
            gap[i] = gap[i + 1];
        }
    }
}

} // namespace crn
