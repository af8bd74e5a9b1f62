/* The distance of two cores (E. Gilbert, D. Johnson, S. Keerthi, A fast procedure for computing the distance between
 * complex objects, IEEE J. Robotics and Automation 4, 1988).
 *
 * v is the point nearest to the origin of the hull of a few points w of the difference a - b. The support point of the
 * difference along -v is added, and points that the new v does not need are dropped, until |v| agrees with the lower
 * bound s(v/|v|) to rounding. The nearest point of a simplex is the least of the candidates on its newest corner and on
 * the edges and faces that contain that corner: seven small cases without a decision that rounding could reverse. Faces
 * are solved by areas, so that needles keep their digits, and give v along their own normal, so that touching faces keep
 * the direction.
 */
#include "collide/convex/convex.h"

#include "math/vec.h"

#include <assert.h>
#include <string.h>

enum
{
    MOST_STEPS = 128
};

static const double TOUCHING = 1e-10; /* of the extent: nearer than this, v gives no direction */
/* of the distance: tolerance for |v| and its lower bound to agree */
static const double CLOSE[] = {[CRN_SHARP] = 1e-14, [CRN_COARSE] = 1e-4, [CRN_SMOOTH] = 1e-10};
static const double ROUNDING = 1e-15;   /* of the extent: added to that tolerance */
static const double GRAZING = 1e-6;     /* of the extent: a search with a bound below minus this has failed */
static const double DEGENERATE = 1e-14; /* sine below which a triangle has no plane */

/* The best candidate so far. */
typedef struct part
{
    double squared;
    double v[3];
    double weight[4];
} part;

/* Whether v is nearer than the best so far; if so it replaces it, with all weights 0, to be filled in by the caller. */
static bool offer(part *best, const double v[3])
{
    double squared = crn_dot3(v, v);
    if (!(squared < best->squared))
        return false;
    best->squared = squared;
    memcpy(best->v, v, sizeof best->v);
    memset(best->weight, 0, sizeof best->weight);
    return true;
}

static void offer_edge(part *best, const crn_simplex *s, int i, int j)
{
    assert(i >= 0 && i < s->count && j >= 0 && j < s->count);
    double along[3], v[3];
    crn_sub3(s->p[j].w, s->p[i].w, along);
    double t = -crn_dot3(s->p[i].w, along) / crn_dot3(along, along);
    if (t > 0.0 && t < 1.0)
    {
        crn_madd3(s->p[i].w, t, along, v);
        if (offer(best, v))
        {
            best->weight[i] = 1.0 - t;
            best->weight[j] = t;
        }
    }
}

static void offer_triangle(part *best, const crn_simplex *s, int i, int j, int k)
{
    assert(i < s->count && j < s->count && k < s->count);
    const double *p = s->p[i].w, *q = s->p[j].w, *r = s->p[k].w;
    double e[3], f[3], n[3], area[3], cross[3], v[3];
    crn_sub3(q, p, e);
    crn_sub3(r, p, f);
    crn_cross3(e, f, n);
    crn_cross3(q, r, cross);
    area[0] = crn_dot3(n, cross);
    crn_cross3(r, p, cross);
    area[1] = crn_dot3(n, cross);
    if (!(area[0] > 0.0 && area[1] > 0.0))
        return;
    crn_cross3(p, q, cross);
    area[2] = crn_dot3(n, cross);
    double squared = crn_dot3(n, n), sum = area[0] + area[1] + area[2];
    if (area[2] > 0.0 && squared > DEGENERATE * DEGENERATE * crn_dot3(e, e) * crn_dot3(f, f))
    {
        crn_scale3(crn_dot3(n, p) / squared, n, v);
        if (offer(best, v))
        {
            best->weight[i] = area[0] / sum;
            best->weight[j] = area[1] / sum;
            best->weight[k] = area[2] / sum;
        }
    }
}

/* Six times the volume of three corners and the origin. */
static double volume(const double p[3], const double q[3], const double r[3])
{
    double cross[3];
    crn_cross3(q, r, cross);
    return crn_dot3(p, cross);
}

/* Whether the origin lies inside a tetrahedron. */
static bool holds_origin(const crn_simplex *s)
{
    assert(s->count == 4);
    const double *p = s->p[0].w, *q = s->p[1].w, *r = s->p[2].w, *t = s->p[3].w;
    double part_p = volume(q, t, r), part_q = volume(p, r, t);
    if (!(part_p > 0 ? part_q > 0 : part_p < 0 && part_q < 0))
        return false;
    double part_r = volume(p, t, q), part_t = volume(p, q, r);
    return part_p > 0 ? part_r > 0 && part_t > 0 : part_r < 0 && part_t < 0;
}

/* Drop the corners that the nearest point does not need. */
static void reduce(crn_simplex *s, const part *best)
{
    int kept = 0;
    for (int i = 0; i < s->count; ++i)
    {
        if (best->weight[i] > 0.0)
        {
            if (kept != i)
                s->p[kept] = s->p[i];
            s->weight[kept++] = best->weight[i];
        }
    }
    s->count = kept;
}

/* The point of the simplex nearest to the origin, among the parts that contain the newest corner; the best of the others
 * is the previous v. */
static void nearest_of(const crn_simplex *s, part *best)
{
    assert(s->count >= 1 && s->count <= 4);
    int last = s->count - 1;
    best->squared = INFINITY;
    offer(best, s->p[last].w);
    best->weight[last] = 1.0;
    for (int i = 0; i < last; ++i)
        offer_edge(best, s, i, last);
    for (int i = 0; i < last; ++i)
        for (int j = i + 1; j < last; ++j)
            offer_triangle(best, s, i, j, last);
}

static bool has(const crn_simplex *s, const crn_difference *p)
{
    for (int i = 0; i < s->count; ++i)
        if (memcmp(s->p[i].w, p->w, sizeof p->w) == 0)
            return true;
    return false;
}

/* The first direction, and its support point. */
static void start(const crn_pair_view *view, crn_nearest *out)
{
    double length = crn_norm3(view->d);
    crn_any_normal(3, out->n);
    if (length > 0.0)
        crn_scale3(1.0 / length, view->d, out->n);
    out->s = crn_separation(view, out->n, &out->simplex.p[0]);
    out->simplex.count = 1;
    out->simplex.weight[0] = 1.0;
}

/* Add the point to the simplex and find the new v; false when the origin is inside. *stuck: v is no shorter than before,
 * and the simplex is unchanged. */
static bool advance(crn_simplex *s, const crn_difference *next, double v[3], double *length, bool *stuck)
{
    assert(s->count >= 1 && s->count < 4);
    part best;
    s->p[s->count++] = *next;
    if (s->count == 4 && holds_origin(s))
        return false;
    nearest_of(s, &best);
    double shorter = crn_norm3(best.v);
    *stuck = !(shorter < *length);
    if (*stuck)
    {
        --s->count;
        return true;
    }
    reduce(s, &best);
    memcpy(v, best.v, sizeof best.v);
    *length = shorter;
    return true;
}

/* out->n has the best lower bound of all directions tried; |v| converges to it from above. */
bool crn_gjk(const crn_pair_view *view, double limit, crn_closeness closeness, crn_nearest *out)
{
    bool stuck = false;
    double v[3], n[3], close = CLOSE[closeness];
    start(view, out);
    memcpy(v, out->simplex.p[0].w, sizeof v);
    double length = crn_norm3(v);
    for (int step = 0; step < MOST_STEPS && length > TOUCHING * view->size; ++step)
    {
        crn_difference next;
        crn_scale3(1.0 / length, v, n);
        double bound = crn_separation(view, n, &next);
        if (bound > out->s)
        {
            out->s = bound;
            memcpy(out->n, n, sizeof n);
        }
        if (out->s > limit)
            return true;
        bool there = length - out->s <= close * length + ROUNDING * view->size;
        if (there || has(&out->simplex, &next))
            break;
        if (!advance(&out->simplex, &next, v, &length, &stuck))
            return false;
        if (stuck)
            break;
    }
    bool apart = length > TOUCHING * view->size && out->s > -GRAZING * view->size;
    out->s = apart && closeness == CRN_SHARP ? length : out->s;
    return apart;
}
