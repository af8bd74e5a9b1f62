#include "collide/shapes/clip.h"

#include "math/vec.h"

#include <assert.h>

/* The crossing of the side from p (at height dp above the line) to q (at dq). */
static crn_clip_point crossing(const crn_clip_point *p, const crn_clip_point *q, double dp, double dq, int line)
{
    assert((dp <= 0.0) != (dq <= 0.0));
    crn_clip_point cut;
    double side[3];
    crn_sub3(q->x, p->x, side);
    crn_madd3(p->x, dp / (dp - dq), side, cut.x);
    cut.in = dp <= 0.0 ? p->out : line;
    cut.out = dp <= 0.0 ? line : p->out;
    return cut;
}

int crn_clip_by(const crn_clip_point *from, int count, const double n[3], double offset, int line, crn_clip_point *to,
                int room)
{
    assert(count >= 0 && room >= count);
    int kept = 0;
    for (int i = 0; i < count; ++i)
    {
        const crn_clip_point *p = &from[i], *q = &from[(i + 1) % count];
        double dp = crn_dot3(n, p->x) - offset, dq = crn_dot3(n, q->x) - offset;
        if (dp <= 0.0 && kept < room)
            to[kept++] = *p;
        if ((dp <= 0.0) != (dq <= 0.0) && kept < room)
            to[kept++] = crossing(p, q, dp, dq, line);
    }
    return kept;
}
