/* The least depth of two overlapping cores: a polytope inside the difference a - b is expanded where it is nearest to the
 * origin (G. van den Bergen, Proximity queries and penetration depth computation on 3D game objects, GDC 2001).
 *
 * The distance of the polytope's nearest face is a lower bound of the depth. For every direction -n tried, -s(n) is an
 * upper bound and a valid way out. The best way out tried so far is the answer whenever the search ends: when both bounds
 * agree, or when rounding, flat shapes or lack of room stop it. There is no failure to handle.
 */
#include "collide/convex/convex.h"

#include "math/vec.h"

#include <assert.h>
#include <string.h>

enum
{
    MOST_POINTS = 160,
    MOST_FACES = 640,
    MOST_EDGES = 640
};

static const double SHARP = 1e-13;   /* of the extent: the two bounds agree (flat shapes) */
static const double SMOOTH = 1e-5;   /* of thickness and depth, for curved shapes: crn_ascend refines further */
static const double LEVEL = 1e-12;   /* 1 - cosine: faces in one plane */
static const double VISIBLE = 1e-14; /* of the extent: a point must be this far above a face to see it */

typedef struct face
{
    int p[3];
    double n[3]; /* outward */
    double height;
} face;

typedef struct polytope
{
    crn_difference points[MOST_POINTS];
    int point_count;
    face faces[MOST_FACES];
    int face_count;
    int edges[MOST_EDGES][2];
    int edge_count;
} polytope;

/* Keep a way out if it is the shallowest so far. */
static void offer(crn_nearest *out, const double n[3], double s)
{
    if (s > out->s)
    {
        out->s = s;
        memcpy(out->n, n, 3 * sizeof(double));
    }
}

/* Evaluate the outward normal m of the difference as a way out; returns the depth along it. */
static double explore(const crn_pair_view *v, const double m[3], crn_difference *point, crn_nearest *out)
{
    double n[3];
    crn_scale3(-1.0, m, n);
    double s = crn_separation(v, n, point);
    offer(out, n, s);
    return -s;
}

static bool add_face(polytope *t, int p, int q, int r)
{
    assert(p >= 0 && p < t->point_count && q >= 0 && q < t->point_count && r >= 0 && r < t->point_count);
    double e[3], f[3];
    if (t->face_count == MOST_FACES)
        return false;
    face *next = &t->faces[t->face_count++];
    *next = (face){.p = {p, q, r}};
    crn_sub3(t->points[q].w, t->points[p].w, e);
    crn_sub3(t->points[r].w, t->points[p].w, f);
    crn_cross3(e, f, next->n);
    double length = crn_norm3(next->n);
    if (length > 0.0)
        crn_scale3(1.0 / length, next->n, next->n);
    /* a sliver without a plane is never nearest and never visible */
    next->height = length > 0.0 ? crn_dot3(next->n, t->points[p].w) : INFINITY;
    return true;
}

/* Toggle an edge: one shared by two removed faces is inside the hole, one that remains is on its rim. */
static bool add_edge(polytope *t, int from, int to)
{
    assert(from != to);
    for (int i = 0; i < t->edge_count; ++i)
    {
        if (t->edges[i][0] == to && t->edges[i][1] == from)
        {
            memcpy(t->edges[i], t->edges[--t->edge_count], sizeof t->edges[i]);
            return true;
        }
    }
    if (t->edge_count == MOST_EDGES)
        return false;
    t->edges[t->edge_count][0] = from;
    t->edges[t->edge_count++][1] = to;
    return true;
}

/* Replace the faces visible from the last point by a fan around it. */
static bool blow_up(polytope *t, double tolerance)
{
    assert(t->point_count > 4 && t->face_count >= 4);
    int last = t->point_count - 1;
    t->edge_count = 0;
    for (int i = 0; i < t->face_count;)
    {
        face *f = &t->faces[i];
        if (!(crn_dot3(f->n, t->points[last].w) > f->height + tolerance))
        {
            ++i;
            continue;
        }
        for (int k = 0; k < 3; ++k)
            if (!add_edge(t, f->p[k], f->p[(k + 1) % 3]))
                return false;
        *f = t->faces[--t->face_count];
    }
    for (int i = 0; i < t->edge_count; ++i)
        if (!add_face(t, t->edges[i][0], t->edges[i][1], last))
            return false;
    return t->edge_count > 2;
}

/* ---------------------------------------------------------------------------------------------------------- start */

/* The distance of x from the point, line or plane through the first `count` points. */
static double off(const polytope *t, int count, const double x[3])
{
    assert(count >= 1 && count <= 3);
    double e[3], f[3], n[3], arm[3];
    crn_sub3(x, t->points[0].w, arm);
    if (count == 1)
        return crn_norm3(arm);
    crn_sub3(t->points[1].w, t->points[0].w, e);
    if (count == 2)
    {
        crn_cross3(e, arm, n);
        return crn_norm3(n) / crn_norm3(e);
    }
    crn_sub3(t->points[2].w, t->points[0].w, f);
    crn_cross3(e, f, n);
    return fabs(crn_dot3(n, arm)) / crn_norm3(n);
}

/* Add the support point furthest from the points so far, among many directions. */
static bool widen(const crn_pair_view *v, polytope *t, crn_nearest *out)
{
    double most = 1e-9 * v->size;
    bool found = false;
    for (int k = 0; k < 26; ++k)
    {
        int code = k < 13 ? k : k + 1; /* all of {-1, 0, 1}^3 but 0 */
        double m[3] = {code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};
        crn_difference point;
        crn_scale3(1.0 / crn_norm3(m), m, m);
        explore(v, m, &point, out);
        double far = off(t, t->point_count, point.w);
        if (far > most)
        {
            most = far;
            t->points[t->point_count] = point;
            found = true;
        }
    }
    t->point_count += found ? 1 : 0;
    return found;
}

/* Build a tetrahedron from the simplex of the distance search; false when the difference is flat. */
static bool start(const crn_pair_view *v, polytope *t, crn_nearest *out)
{
    const crn_simplex *s = &out->simplex;
    t->point_count = 0;
    for (int i = 0; i < s->count; ++i)
    {
        t->points[t->point_count] = s->p[i];
        bool apart = t->point_count == 0 || off(t, t->point_count, s->p[i].w) > 1e-9 * v->size;
        t->point_count += apart ? 1 : 0;
    }
    while (t->point_count < 4)
        if (!widen(v, t, out))
            return false;
    double e[3], f[3], g[3], n[3];
    crn_sub3(t->points[1].w, t->points[0].w, e);
    crn_sub3(t->points[2].w, t->points[0].w, f);
    crn_sub3(t->points[3].w, t->points[0].w, g);
    crn_cross3(e, f, n);
    bool inward = crn_dot3(n, g) > 0.0;
    int q = inward ? 2 : 1, r = inward ? 1 : 2;
    t->face_count = 0;
    return add_face(t, 0, q, r) && add_face(t, 0, r, 3) && add_face(t, r, q, 3) && add_face(t, q, 0, 3);
}

/* --------------------------------------------------------------------------------------------------------- search */

static int nearest_face(const polytope *t)
{
    assert(t->face_count > 0);
    int best = 0;
    for (int i = 1; i < t->face_count; ++i)
        best = t->faces[i].height < t->faces[best].height ? i : best;
    return best;
}

/* Areas of the three parts into which the projection of the origin divides a face; negative where it lies beyond a side. */
static double areas(const polytope *t, const face *f, double area[3])
{
    for (int k = 0; k < 3; ++k)
    {
        double cross[3];
        crn_cross3(t->points[f->p[(k + 1) % 3]].w, t->points[f->p[(k + 2) % 3]].w, cross);
        area[k] = crn_dot3(f->n, cross);
    }
    return fmin(area[0], fmin(area[1], area[2]));
}

/* Coplanar faces are one face of the difference: keep the one that contains the projection of the origin, with the
 * weights of that projection. */
static void keep_simplex(const polytope *t, const face *f, double level, crn_simplex *s)
{
    const face *best = f;
    double area[3], most = areas(t, f, area), sum = 0.0;
    for (int i = 0; i < t->face_count && most < 0.0; ++i)
    {
        const face *other = &t->faces[i];
        bool same = fabs(other->height - f->height) <= level && crn_dot3(other->n, f->n) > 1.0 - LEVEL;
        double least = same ? areas(t, other, area) : -INFINITY;
        if (least > most)
        {
            most = least;
            best = other;
        }
    }
    areas(t, best, area);
    for (int k = 0; k < 3; ++k)
    {
        s->weight[k] = fmax(0.0, area[k]);
        sum += s->weight[k];
    }
    s->count = 3;
    for (int k = 0; k < 3; ++k)
    {
        s->p[k] = t->points[best->p[k]];
        s->weight[k] = sum > 0.0 ? s->weight[k] / sum : 1.0 / 3.0;
    }
}

/* Expand the nearest face; true when the search is over. */
static bool improve(const crn_pair_view *v, polytope *t, double thin, crn_nearest *out)
{
    bool smooth = crn_is_curved(v->a) || crn_is_curved(v->b);
    face f = t->faces[nearest_face(t)];
    if (t->point_count == MOST_POINTS || !isfinite(f.height))
        return true;
    double sharp = SHARP * v->size, before = out->s, depth = explore(v, f.n, &t->points[t->point_count], out);
    double close = smooth ? fmax(sharp, SMOOTH * fmin(v->size, thin - out->s)) : sharp;
    bool done = depth - f.height <= close || (smooth && -out->s - f.height <= close);
    if (done || out->s > before)
        keep_simplex(t, &f, close, &out->simplex);
    ++t->point_count;
    return done || !blow_up(t, VISIBLE * v->size);
}

void crn_epa(const crn_pair_view *v, crn_nearest *out)
{
    assert(out->simplex.count >= 1 && out->simplex.count <= 4);
    polytope t;
    double thin = fmin(crn_thickness(v->a), crn_thickness(v->b));
    crn_difference best;
    out->s = crn_separation(v, out->n, &best); /* the best direction of the distance search */
    bool over = !start(v, &t, out);
    out->simplex = (crn_simplex){.p = {best}, .weight = {1.0}, .count = 1};
    while (!over)
        over = improve(v, &t, thin, out);
}
