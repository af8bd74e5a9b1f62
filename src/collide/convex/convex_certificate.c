/* Proof that a direction n is that of the nearest points of two cores, and the touching point.
 *
 * The points of a core that are furthest along n form a part of its surface: a point, a straight line or a face. The
 * difference of the two parts is where the difference a - b of the cores meets its supporting plane n w = s. The
 * direction n is a stationary direction of s if and only if the foot s n of the origin lies in it, that is, if the two
 * parts have a common point when both are projected along n. That point lies on both surfaces. Where the cores are apart,
 * s <= distance <= s follows: no search can find a better direction.
 *
 * So both parts are projected into the plane across n. A face is clipped by the other face or line; lines and points are
 * compared. A round cap is represented by its inscribed octagon, and where that is too small by the disc.
 */
#include "collide/convex/convex.h"

#include "collide/shapes/clip.h"
#include "math/vec.h"

#include <assert.h>
#include <string.h>

enum
{
    MOST = 2 * CRN_FACE_ROOM
};

static const double NEAR = 10.0; /* times the level: points this near coincide */

/* The extreme part of a core, projected into the plane across n through b's centre. */
typedef struct part
{
    crn_clip_point at[MOST];
    int count;
    double middle[3], radius; /* of a disc; radius 0: not a disc */
} part;

static void add(part *p, const double x[3], const double shift[3], const double n[3])
{
    assert(p->count < MOST);
    double *to = p->at[p->count++].x;
    crn_add3(x, shift, to);
    crn_madd3(to, -crn_dot3(to, n), n, to);
}

/* The edge of a hull from its corner `top` to the only neighbour that is as high: the face that looks most along m need
 * not contain it. */
static bool show_edge(const crn_placed *p, const double m[3], const crn_corner *top, const double shift[3], double high,
                      part *out)
{
    assert(top->name >= 0 && top->name < p->hull->vertex_count);
    const crn_hull *hull = p->hull;
    double x[3], other[3] = {0, 0, 0};
    int count = 0;
    for (int k = hull->corner_begin[top->name]; k < hull->corner_begin[top->name + 1]; ++k)
    {
        crn_rotate3(p->R, hull->vertices + 3 * hull->corner_next[k], x);
        if (crn_dot3(x, m) >= high)
        {
            memcpy(other, x, sizeof other);
            ++count;
        }
    }
    if (count == 1)
    {
        add(out, top->x, shift, m);
        add(out, other, shift, m);
    }
    return count == 1;
}

/* The corners of the face that looks most along m, those of them that are as high as `high`. */
static void show_face(const crn_placed *p, const double m[3], const double shift[3], double high, part *out)
{
    crn_face face;
    crn_core_face(p, m, &face);
    for (int i = 0; i < face.count; ++i)
        if (crn_dot3(face.corner[i].x, m) >= high)
            add(out, face.corner[i].x, shift, m);
    if (out->count == CRN_RIM && crn_is_turned(p->kind))
    {
        crn_add3(out->at[0].x, out->at[CRN_RIM / 2].x, out->middle);
        crn_scale3(0.5, out->middle, out->middle);
        out->radius = p->half[0];
    }
}

/* The part of p that is extreme along its outward direction m, with support point `top`, shifted by `shift`. */
static void show(const crn_placed *p, const double m[3], const crn_corner *top, const double shift[3], double level,
                 part *out)
{
    double high = crn_dot3(top->x, m) - level;
    out->count = 0;
    out->radius = 0.0;
    if (!crn_is_single(p) && !(p->hull && show_edge(p, m, top, shift, high, out)))
        show_face(p, m, shift, high, out);
    if (out->count == 0)
        add(out, top->x, shift, m);
}

/* Twice the area along n: negative when the corners are clockwise. */
static double area(const part *p, const double n[3])
{
    double sum = 0.0, cross[3], u[3], w[3];
    for (int i = 1; i + 1 < p->count; ++i)
    {
        crn_sub3(p->at[i].x, p->at[0].x, u);
        crn_sub3(p->at[i + 1].x, p->at[0].x, w);
        crn_cross3(u, w, cross);
        sum += crn_dot3(cross, n);
    }
    return sum;
}

/* Clip `p` by the sides of the face `by`; out: the mean of the remaining corners. False when nothing remains. */
static bool clip(const part *by, part *p, const double n[3], double slop, double out[3])
{
    assert(by->count > 2 && slop >= 0.0);
    crn_clip_point before[MOST];
    double way = area(by, n) < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < by->count && p->count > 0; ++k)
    {
        const double *from = by->at[k].x, *to = by->at[(k + 1) % by->count].x;
        double side[3], outward[3];
        crn_sub3(to, from, side);
        crn_cross3(side, n, outward);
        double length = crn_norm3(outward);
        if (length > 0.0)
        {
            crn_scale3(way / length, outward, outward);
            memcpy(before, p->at, (size_t)p->count * sizeof before[0]);
            crn_clip_line line = {.offset = crn_dot3(outward, from) + slop};
            memcpy(line.n, outward, sizeof line.n);
            p->count = crn_clip_by(before, p->count, &line, 0, p->at, MOST);
        }
    }
    out[0] = out[1] = out[2] = 0.0;
    for (int i = 0; i < p->count; ++i)
        crn_madd3(out, 1.0 / p->count, p->at[i].x, out);
    return p->count > 0;
}

/* The point of the segment from p to q nearest to x. */
static void foot(const double p[3], const double q[3], const double x[3], double out[3])
{
    double u[3], arm[3];
    crn_sub3(q, p, u);
    crn_sub3(x, p, arm);
    double squared = crn_dot3(u, u), place = squared > 0.0 ? crn_dot3(arm, u) / squared : 0.0;
    crn_madd3(p, fmax(0.0, fmin(1.0, place)), u, out);
}

/* Two parts of one or two points each: the point of a nearest to b. True when they meet within slop. */
static bool pass(const part *a, const part *b, const double n[3], double slop, double out[3])
{
    assert(a->count >= 1 && a->count <= 2 && b->count >= 1 && b->count <= 2);
    const double *p = a->at[0].x, *q = a->at[a->count - 1].x, *r = b->at[0].x, *s = b->at[b->count - 1].x;
    double u[3], w[3], arm[3], cross[3], y[3];
    crn_sub3(q, p, u);
    crn_sub3(s, r, w);
    crn_sub3(r, p, arm);
    crn_cross3(u, w, cross);
    double turn = crn_dot3(cross, n), place = 0.5;
    if (fabs(turn) > 1e-6 * crn_norm3(u) * crn_norm3(w))
    {
        crn_cross3(arm, w, cross);
        place = fmax(0.0, fmin(1.0, crn_dot3(cross, n) / turn));
    }
    crn_madd3(p, place, u, out);
    foot(r, s, out, y);
    foot(p, q, y, out);
    foot(r, s, out, y);
    crn_sub3(out, y, arm);
    return crn_norm3(arm) <= slop;
}

/* The point of a part nearest to x, both in the plane across n. */
static void nearest_of(const part *p, const double n[3], const double x[3], double out[3])
{
    assert(p->count > 0);
    double way = area(p, n) < 0.0 ? -1.0 : 1.0, least = INFINITY;
    bool inside = p->count > 2;
    for (int k = 0; k < p->count; ++k)
    {
        const double *from = p->at[k].x, *to = p->at[(k + 1) % p->count].x;
        double side[3], arm[3], cross[3], at[3];
        crn_sub3(to, from, side);
        crn_sub3(x, from, arm);
        crn_cross3(side, arm, cross);
        inside = inside && way * crn_dot3(cross, n) >= 0.0;
        foot(from, to, x, at);
        crn_sub3(x, at, arm);
        if (crn_dot3(arm, arm) < least)
        {
            least = crn_dot3(arm, arm);
            memcpy(out, at, sizeof at);
        }
    }
    if (inside)
        memcpy(out, x, 3 * sizeof(double));
}

/* The point of a disc nearest to x. */
static void nearest_of_disc(const part *disc, const double x[3], double out[3])
{
    assert(disc->radius > 0.0);
    double arm[3];
    crn_sub3(x, disc->middle, arm);
    double far = crn_norm3(arm);
    crn_madd3(disc->middle, far > disc->radius ? disc->radius / far : 1.0, arm, out);
}

/* Whether a disc contains the point of the other part that is nearest to its centre. */
static bool in_disc(const part *disc, const part *other, const double n[3], double slop, double out[3])
{
    double arm[3];
    if (!(disc->radius > 0.0))
        return false;
    if (other->radius > 0.0)
        nearest_of_disc(other, disc->middle, out);
    else
        nearest_of(other, n, disc->middle, out);
    crn_sub3(out, disc->middle, arm);
    return crn_norm3(arm) <= disc->radius + slop;
}

static bool overlap(const part *a, const part *b, const double n[3], double slop, double out[3])
{
    assert(a->count >= 1 && b->count >= 1);
    part rest;
    const part *face = a->count > 2 ? a : b, *other = face == a ? b : a;
    if (face->count > 2)
    {
        rest.count = other->count;
        memcpy(rest.at, other->at, (size_t)other->count * sizeof rest.at[0]);
    }
    return (face->count > 2 ? clip(face, &rest, n, slop, out) : pass(a, b, n, slop, out)) ||
           in_disc(a, b, n, slop, out) || in_disc(b, a, n, slop, out);
}

bool crn_certify_convex_pair(const crn_pair_view *v, const double n[3], const crn_difference *at, double level,
                             double x_a[3])
{
    assert(crn_is_unit3(n) && level > 0.0);
    static const double nothing[3] = {0, 0, 0};
    part a, b;
    double m[3], x[3];
    crn_scale3(-1.0, n, m);
    show(v->a, m, &at->a, v->d, level * v->size, &a);
    show(v->b, n, &at->b, nothing, level * v->size, &b);
    if (!overlap(&a, &b, n, NEAR * level * v->size, x))
        return false;
    crn_madd3(x, crn_dot3(at->a.x, n) + crn_dot3(v->d, n), n, x);
    crn_add3(x, v->b->centre, x_a);
    return true;
}
