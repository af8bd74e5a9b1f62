/* The direction n of the largest separation s(n) of two cores, accurate to rounding, where one of them is curved.
 *
 * Support functions are smooth except at kinks: a flat face is the kink of one direction, a straight line (an edge, the
 * side of a cylinder or cone, the axis of a capsule) that of a circle n e = c of directions. The largest s may lie on
 * kinks of either shape; the search before has nearly found them. So every nearby case is tried, the likeliest first:
 *
 *     a face                               n is its normal
 *     lines or no kink, of either shape    the ascent of separation_newton.c
 *
 * until one is proved (convex_certificate.c), which also gives the touching point. Where rounding prevents a proof, the
 * case with the largest s is right, since s never exceeds the distance: no threshold decides.
 */
#include "collide/convex/separation_search.h"

#include "math/vec.h"

#include <assert.h>
#include <string.h>

enum
{
    MOST_KINKS = 32
};

static const double LEVEL = 1e-13;      /* of the extent: points within this count as equally low */
static const double NEAR_APART = 0.05;  /* largest distance of a kink that is tried when the shapes are apart, ... */
static const double NEAR_OVERLAP = 0.3; /* ... and when they overlap, where the search was coarser */
static const double LIKELY =
    1e-2; /* largest distance of a kink that is tried before others: the error that the searches leave */
static const double BETTER = 1e-13; /* of the extent: by how much a later case must be better */

/* One shape of the pair: sign -1 for a, whose outward directions are -n, and 1 for b. */
typedef struct side
{
    const crn_placed *shape;
    double sign;
    crn_kink kinks[MOST_KINKS];
    int count;
} side;

/* ---------------------------------------------------------------------------------------------------------- kinks */

/* List a kink; when the list is full it is dropped, but for the place of the last, "no kink". */
static void add(side *s, const crn_kink *kink)
{
    assert(kink->off >= 0.0);
    if (s->count < MOST_KINKS - 1)
        s->kinks[s->count++] = *kink;
}

static void add_line(side *s, const double e[3], double c, const double p[3], double off)
{
    assert(crn_is_unit3(e));
    crn_kink line = {.kind = CRN_KINK_LINE, .c = s->sign * c, .off = off};
    memcpy(line.e, e, sizeof line.e);
    memcpy(line.p, p, sizeof line.p);
    add(s, &line);
}

static void add_face(side *s, const double m[3], double off)
{
    assert(crn_is_unit3(m));
    crn_kink face = {.kind = CRN_KINK_FACE, .off = off};
    crn_scale3(s->sign, m, face.m);
    add(s, &face);
}

/* The face that faces m. */
static void list_face(side *s, const double m[3], double near)
{
    crn_face face;
    double across[3];
    crn_core_face(s->shape, m, &face);
    crn_cross3(face.n, m, across);
    if (face.count > 2 && crn_norm3(across) < near && crn_dot3(face.n, m) > 0.0)
        add_face(s, face.n, crn_norm3(across));
}

/* The edges of a box, which are parallel to its axes. */
static void list_box(side *s, const double m[3], double near)
{
    crn_corner top;
    crn_core_support(s->shape, m, &top);
    list_face(s, m, near);
    for (int k = 0; k < 3; ++k)
    {
        double e[3];
        crn_axis_of(s->shape, k, e);
        double off = fabs(crn_dot3(e, m));
        if (off < near)
            add_line(s, e, 0.0, top.x, off);
    }
}

static void offer_edge(side *s, const double m[3], const double from[3], const double to[3], double near)
{
    double e[3];
    crn_sub3(to, from, e);
    crn_scale3(1.0 / crn_norm3(e), e, e);
    double off = fabs(crn_dot3(e, m));
    if (off < near)
        add_line(s, e, 0.0, from, off);
}

/* The edges of a hull: between corners of the final simplex, and at the support point along m. */
static void list_hull(side *s, const double m[3], const crn_simplex *simplex, bool of_b, double near)
{
    const crn_hull *hull = s->shape->hull;
    crn_corner top;
    list_face(s, m, near);
    for (int ij = 0; ij < simplex->count * simplex->count; ++ij)
    {
        int i = ij / simplex->count, j = ij % simplex->count;
        const crn_corner *from = of_b ? &simplex->p[i].b : &simplex->p[i].a;
        const crn_corner *to = of_b ? &simplex->p[j].b : &simplex->p[j].a;
        if (from->name < to->name) /* otherwise the same corner, or the same edge reversed */
            offer_edge(s, m, from->x, to->x, near);
    }
    crn_core_support(s->shape, m, &top);
    for (int k = hull->corner_begin[top.name]; k < hull->corner_begin[top.name + 1]; ++k)
    {
        double to[3];
        crn_rotate3(s->shape->R, hull->vertices + 3 * hull->corner_next[k], to);
        offer_edge(s, m, top.x, to, near);
    }
}

/* Shapes of revolution: the side of a cylinder or cone, the axis of a capsule, and the caps. */
static void list_turned(side *s, const double m[3], double near)
{
    const crn_placed *p = s->shape;
    double axis[3], tip[3] = {0, 0, 0}, down[3], across[3], slope = 0.0;
    bool cone = crn_shape_has(p->kind, CRN_SHAPE_POINTED);
    crn_axis_of(p, 2, axis);
    double z = crn_dot3(axis, m);
    crn_cross3(axis, m, across);
    double sine = crn_norm3(across);
    if (sine < near && (cone ? z < 0.0 : crn_is_turned(p->kind)))
    {
        crn_scale3(z >= 0 ? 1.0 : -1.0, axis, down);
        add_face(s, down, sine);
    }
    if (cone)
    {
        slope = p->half[0] / hypot(p->half[0], 2.0 * p->half[2]);
        crn_scale3(1.5 * p->half[2], axis, tip);
    }
    if (fabs(z - slope) < near)
        add_line(s, axis, slope, tip, fabs(z - slope));
}

/* Order of trial: likely kinks first, faces before lines before no kink; then those further off. */
static double rank(const crn_kink *k)
{
    return k->kind == CRN_KINK_NONE   ? 2.0
           : k->off > LIKELY          ? 3.0 + k->off
           : k->kind == CRN_KINK_FACE ? 0.0
                                      : 1.0 + k->off;
}

static void sort_kinks(side *s)
{
    assert(s->count >= 1 && s->count <= MOST_KINKS);
    for (int i = 1; i < s->count; ++i)
    {
        crn_kink k = s->kinks[i];
        int j = i;
        for (; j > 0 && rank(&s->kinks[j - 1]) > rank(&k); --j)
            s->kinks[j] = s->kinks[j - 1];
        s->kinks[j] = k;
    }
}

/* The kinks of a shape near its outward direction m. */
static void list_kinks(side *s, const double m[3], const crn_simplex *simplex, bool of_b, double near)
{
    assert(near > 0.0);
    s->count = 0;
    switch (crn_class_of(s->shape->kind)->core)
    {
    case CRN_CORE_TURNED:
    case CRN_CORE_LINE:
        list_turned(s, m, near);
        break;
    case CRN_CORE_BOX:
        list_box(s, m, near);
        break;
    case CRN_CORE_HULL:
        list_hull(s, m, simplex, of_b, near);
        break;
    default:
        break;
    }
    s->kinks[s->count++] = (crn_kink){.kind = CRN_KINK_NONE};
    sort_kinks(s);
}

/* ---------------------------------------------------------------------------------------------------------- cases */

/* Keep the summit if it is the best so far; true when it is proved optimal. */
static bool offer(const crn_pair_view *v, const crn_summit *summit, bool *found, crn_nearest *out)
{
    assert(crn_is_unit3(summit->n));
    if (!(summit->s > out->s + (*found ? BETTER * v->size : 0.0)))
        return false;
    *found = true;
    out->s = summit->s;
    memcpy(out->n, summit->n, sizeof out->n);
    return crn_certify_convex_pair(v, summit->n, &summit->at, LEVEL, out->x_a);
}

/* A cap whose normal fails, because the facing point of the other shape lies beyond the rim: n is then along the line
 * from the rim to that point. Newton's method must start there, since near the axis the curvature of the rim is
 * unbounded. */
static bool try_rim(const crn_pair_view *v, const side *s, const crn_summit *cap, bool *found, crn_nearest *out)
{
    assert(crn_is_turned(s->shape->kind));
    static const crn_kink none = {.kind = CRN_KINK_NONE};
    const crn_placed *p = s->shape;
    double axis[3], radial[3], w[3];
    bool cone = crn_shape_has(p->kind, CRN_SHAPE_POINTED), of_b = s->sign > 0.0;
    crn_summit summit;
    crn_scale3(s->sign, cap->n, axis);
    /* the point of the other shape, relative to the centre of the cap */
    crn_madd3(of_b ? cap->at.a.x : cap->at.b.x, s->sign, v->d, w);
    crn_madd3(w, cone ? -0.5 * p->half[2] : -p->half[2], axis, w);
    crn_madd3(w, -crn_dot3(w, axis), axis, radial);
    double far = crn_norm3(radial);
    if (!(far > p->half[0]))
        return false;
    crn_madd3(w, -p->half[0] / far, radial, w);
    double length = crn_norm3(w);
    if (!(length > 0.0))
        return false;
    crn_scale3((cap->s < 0.0 ? -s->sign : s->sign) / length, w, summit.n);
    return crn_separation_newton(v, &none, &none, &summit) && offer(v, &summit, found, out);
}

/* Try the normals of faces; true when one is proved. */
static bool try_faces(const crn_pair_view *v, const side *s, bool *found, crn_nearest *out)
{
    for (int i = 0; i < s->count; ++i)
    {
        if (s->kinks[i].kind == CRN_KINK_FACE)
        {
            crn_summit summit;
            memcpy(summit.n, s->kinks[i].m, sizeof summit.n);
            summit.s = crn_separation(v, summit.n, &summit.at);
            bool round = crn_is_turned(s->shape->kind);
            if (offer(v, &summit, found, out) || (round && try_rim(v, s, &summit, found, out)))
                return true;
        }
    }
    return false;
}

/* Try lines or no kink of each shape, likely ones first: in the order of the sum of their ranks. */
static bool try_cases(const crn_pair_view *v, const side *a, const side *b, const double start[3], bool *found,
                      crn_nearest *out)
{
    for (int sum = 0; sum < a->count + b->count - 1; ++sum)
    {
        for (int i = sum < b->count ? 0 : sum - b->count + 1; i < a->count && i <= sum; ++i)
        {
            const crn_kink *of_a = &a->kinks[i], *of_b = &b->kinks[sum - i];
            crn_summit summit;
            memcpy(summit.n, start, sizeof summit.n);
            if (of_a->kind != CRN_KINK_FACE && of_b->kind != CRN_KINK_FACE &&
                crn_separation_newton(v, of_a, of_b, &summit) && offer(v, &summit, found, out))
                return true;
        }
    }
    return false;
}

/* Where rounding prevents a proof, or the kink was not listed: widen the extreme parts step by step until they have a
 * common point; if they never do, keep the search's own point. */
static void find_witness(const crn_pair_view *v, crn_nearest *out)
{
    crn_difference at;
    crn_separation(v, out->n, &at);
    for (double level = 10.0 * LEVEL; level < 1e-2; level *= 10.0)
        if (crn_certify_convex_pair(v, out->n, &at, level, out->x_a))
            return;
}

bool crn_ascend(const crn_pair_view *v, bool apart, crn_nearest *out)
{
    assert(crn_is_unit3(out->n));
    side a = {.shape = v->a, .sign = -1.0}, b = {.shape = v->b, .sign = 1.0};
    double m[3], start[3], near = apart ? NEAR_APART : NEAR_OVERLAP;
    bool found = false;
    crn_difference unused;
    memcpy(start, out->n, sizeof start);
    crn_scale3(-1.0, start, m);
    list_kinks(&a, m, &out->simplex, false, near);
    list_kinks(&b, start, &out->simplex, true, near);
    out->s = crn_separation(v, start, &unused) - BETTER * v->size;
    bool proved =
        try_faces(v, &a, &found, out) || try_faces(v, &b, &found, out) || try_cases(v, &a, &b, start, &found, out);
    if (!proved)
        find_witness(v, out);
    return proved;
}
