/* The momenta that impulses give to bodies, for both widths (LANES):
 *
 *     v_a += p ,   w_a += arm_a x p ,   v_b -= p ,   w_b -= arm_b x p .
 *
 * Every body adds up its contacts in their order, whatever range of bodies a thread has; what is prescribed adds up none. Four wide, the
 * lanes are x, y, z and 0 of one vector, not four contacts: consecutive contacts share bodies. A body is two such vectors, whose last
 * numbers, 1/m and 1/J, get 0 added.
 */
#include "math/vec.h"
#include "solve/compact/lanes.h"

#if LANES == 1

typedef const double *vector;

INLINE vector vector_of(const double *x)
{
    return x;
}

INLINE void add_momentum(crn_compact_body *body, double sign, const double *point, const double *centre, vector p)
{
    double arm[3], moment[3];
    crn_sub3(point, centre, arm);
    crn_cross3(arm, p, moment);
    crn_madd3(body->v, sign, p, body->v);
    crn_madd3(body->w, sign, moment, body->w);
}

#else

typedef lanes vector;

/* x, y, z and 0. */
INLINE vector vector_of(const double *x)
{
    lanes_half xy = *(const lanes_half *)x, z = {x[2], 0.0};
    return PICK(xy, z, 0, 1, 2, 3);
}

INLINE vector cross(vector a, vector b)
{
    return PICK(a, a, 1, 2, 0, 3) * PICK(b, b, 2, 0, 1, 3) - PICK(a, a, 2, 0, 1, 3) * PICK(b, b, 1, 2, 0, 3);
}

INLINE void add_momentum(crn_compact_body *body, double sign, const double *point, const double *centre, vector p)
{
    vector moment = cross(vector_of(point) - vector_of(centre), p);
    double *v = body->v, *w = body->w;
    lanes_put(v, *(const lanes_anywhere *)v + sign * p);
    lanes_put(w, *(const lanes_anywhere *)w + sign * moment);
}

#endif

static void add_momenta(const crn_compact_problem *problem, const double (*impulse)[3], crn_compact_body *body,
                        int first, int end)
{
    static const double NOWHERE[3]; /* arms need no centre */
    unsigned count = (unsigned)end - (unsigned)first;
    bool has_arms = problem->contact != NULL;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        const crn_compact_pair pair = crn_compact_bodies(problem, j);
        const double *row = crn_compact_row(problem, j);
        vector p = vector_of(impulse[j]);
        if ((unsigned)(pair.a - first) < count && body[pair.a].inverse_mass != 0.0)
            add_momentum(&body[pair.a], 1.0, row + 3, has_arms ? NOWHERE : problem->list.centre[pair.a], p);
        if ((unsigned)(pair.b - first) < count && body[pair.b].inverse_mass != 0.0)
            add_momentum(&body[pair.b], -1.0, row + 6, has_arms ? NOWHERE : problem->list.centre[pair.b], p);
    }
}
