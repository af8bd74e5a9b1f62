/* The momenta that impulses give to bodies, for both widths (LANES):
 *
 *     v_a += p ,   w_a += arm_a x p ,   v_b -= p ,   w_b -= arm_b x p .
 *
 * Every body adds up its contacts in their order, whatever range of bodies a thread has; what is prescribed adds up none. Four wide, the
 * lanes are x, y, z and 0 of one vector, not four contacts: consecutive contacts share bodies. A body is two such vectors, whose last
 * numbers, 1/m and 1/J, get 0 added.
 */
#include "base/foresee.h"
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

/* x, y, z and 0; nothing behind z is read. */
INLINE vector vector_of(const double *x)
{
#if defined __AVX__
    return _mm256_maskload_pd(x, (__m256i)(lanes_mask){-1, -1, -1, 0});
#else
    lanes_half xy = *(const lanes_half *)x, z = {x[2], 0.0};
    return PICK(xy, z, 0, 1, 2, 3);
#endif
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

/* One contact; has_arms: its row has arms, so that no centre is asked for. */
INLINE void add_contact(const crn_compact_problem *problem, int j, bool has_arms, vector p, crn_compact_body *body,
                        int first, unsigned count)
{
    static const double NOWHERE[3];
    const crn_compact_pair pair = crn_compact_bodies(problem, j);
    const double *row = crn_compact_row(problem, j);
    if (!has_arms && problem->contact_count >= CRN_FAR)
        crn_foresee_item(row, problem->list.stride);
    if ((unsigned)(pair.a - first) < count && body[pair.a].inverse_mass != 0.0)
        add_momentum(&body[pair.a], 1.0, row + 3, has_arms ? NOWHERE : problem->list.centre[pair.a], p);
    if ((unsigned)(pair.b - first) < count && body[pair.b].inverse_mass != 0.0)
        add_momentum(&body[pair.b], -1.0, row + 6, has_arms ? NOWHERE : problem->list.centre[pair.b], p);
}

/* The problem is copied, so that the compiler knows that no momentum is part of it. */
static void add_momenta(const crn_compact_problem *of, const double (*impulse)[3], const int contacts[2],
                        crn_compact_body *body, int first, int end)
{
    const crn_compact_problem problem = *of;
    unsigned count = (unsigned)end - (unsigned)first;
    if (problem.contact)
        for (int j = contacts[0]; j < contacts[1]; ++j)
            add_contact(&problem, j, true, vector_of(impulse[j]), body, first, count);
    else
        for (int j = contacts[0]; j < contacts[1]; ++j)
            add_contact(&problem, j, false, vector_of(impulse[j]), body, first, count);
}
