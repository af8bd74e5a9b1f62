#include "collide/shapes/clip.h"

#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double BAND = 1e-4; /* of the smaller half-width: ten times the trembling of resting bodies */
static const double FAR = 100.0; /* bands: beyond this, a line clips first */

double crn_clip_band(double half_width_a, double half_width_b)
{
    assert(half_width_a >= 0.0 && half_width_b >= 0.0);
    return BAND * fmin(half_width_a, half_width_b);
}

/* The crossing of the side from p (at height dp above the line) to q (at dq). */
static crn_clip_point crossing(const crn_clip_point *p, const crn_clip_point *q, double dp, double dq, int name)
{
    assert((dp <= 0.0) != (dq <= 0.0));
    crn_clip_point cut;
    double side[3];
    crn_sub3(q->x, p->x, side);
    crn_madd3(p->x, dp / (dp - dq), side, cut.x);
    cut.in = dp <= 0.0 ? p->out : name;
    cut.out = dp <= 0.0 ? name : p->out;
    return cut;
}

/* A corner within the band, moved onto the line. If one of its sides lies beyond the band, the line takes the place of that side. */
static crn_clip_point slid(const crn_clip_point *p, const crn_clip_line *line, double height, double before,
                           double after, int name)
{
    assert(height > 0.0 && height <= line->band);
    crn_clip_point q = *p;
    crn_madd3(p->x, height, line->slide, q.x);
    if (before > line->band && after <= line->band)
        q.in = name;
    if (after > line->band && before <= line->band)
        q.out = name;
    return q;
}

/* The height of every corner over a line. Returns the largest. */
static double measure(const crn_clip_point *points, int count, const crn_clip_line *line, double *height)
{
    double most = -INFINITY;
    for (int i = 0; i < count; ++i)
    {
        height[i] = crn_dot3(line->n, points[i].x) - line->offset;
        most = height[i] > most ? height[i] : most;
    }
    return most;
}

/* Clip corners of which the heights are known. */
static int clip_at(const crn_clip_point *from, const double *height, int count, const crn_clip_line *line, int name,
                   crn_clip_point *to, int room)
{
    assert(count >= 0 && room >= count && line->band >= 0.0);
    int kept = 0;
    double band = line->band, before = count > 0 ? height[count - 1] : 0.0;
    for (int i = 0; i < count; ++i)
    {
        int next = i + 1 < count ? i + 1 : 0;
        const crn_clip_point *p = &from[i], *q = &from[next];
        double dp = height[i], dq = height[next];
        if (dp <= band && kept < room)
            to[kept++] = dp > 0.0 ? slid(p, line, dp, before, dq, name) : *p;
        if (((dp <= 0.0 && dq > band) || (dq <= 0.0 && dp > band)) && kept < room)
            to[kept++] = crossing(p, q, dp, dq, name);
        before = dp;
    }
    return kept;
}

int crn_clip_by(const crn_clip_point *from, int count, const crn_clip_line *line, int name, crn_clip_point *to,
                int room)
{
    assert(count <= CRN_CLIP_ROOM);
    double height[CRN_CLIP_ROOM];
    measure(from, count, line, height);
    return clip_at(from, height, count, line, name, to, room);
}

/* The way from outside onto the line within the plane of normal m. Without one there is no band. */
static void find_slide(crn_clip_line *line, const double m[3])
{
    if (line->band == 0.0)
        return;
    double tilt = crn_dot3(line->n, m), square = 1.0 - tilt * tilt;
    if (square < 0.5)
        line->band = 0.0;
    else
        for (int k = 0; k < 3; ++k)
            line->slide[k] = -(line->n[k] - tilt * m[k]) / square;
}

int crn_clip_by_all(crn_clip_point *points, int count, int room, crn_clip_line *lines, int line_count, int first,
                    const double m[3])
{
    assert(room <= CRN_CLIP_ROOM && count <= room && crn_is_unit3(m));
    crn_clip_point before[CRN_CLIP_ROOM];
    double height[CRN_CLIP_ROOM];
    int clips = 0;
    for (int pass = 0; pass < 2; ++pass)
    {
        for (int k = 0; k < line_count; ++k)
        {
            crn_clip_line *line = &lines[k];
            /* nothing was beyond this line, and the polygon is still the same */
            bool is_known = pass > 0 && line->clips == clips && !(line->beyond > 0.0);
            if (line->is_done || is_known)
                continue;
            line->beyond = measure(points, count, line, height);
            line->clips = clips;
            if (!(line->beyond > (pass == 0 ? FAR * line->band : 0.0)))
                continue;
            line->is_done = true;
            find_slide(line, m);
            memcpy(before, points, (size_t)count * sizeof before[0]);
            count = clip_at(before, height, count, line, first + k, points, room);
            ++clips;
        }
    }
    return count;
}
