/* Rounded convex polygons in the plane: points and circles (1 vertex), bars (2 vertices, 2 sides), polygons.
 *
 * The cores (radius 0) are compared first, and the radii are subtracted from the gap afterwards. Along the outward normal
 * n of a side, the other core is separated by the height s of its lowest vertex. The largest s over all sides of both is
 * positive only if the cores are apart; otherwise -s is the least depth and n the way out. As for boxes (box_box.c), the
 * choice is:
 * 1. A side of a, then one of b, whose s is within a bias of the largest, with the other shape's facing side clipped to it: two points
 *     (flush sides, a side over a side) or one (a vertex over a side), provided that one of them is near enough.
 * 2. Cores apart: the closest points, which are then two vertices.
 * Overlapping cores always end in 1: the shortest way out moves the lowest vertex onto the best side itself, not beyond
 * its ends, and the facing side has that vertex.
 *
 * A bar has no inside: which of its sides is the surface is remembered (sides.h).
 *
 * Each touch is named after the vertex that makes it: 2 k for vertex k of a, 2 k + 1 for vertex k of b.
 */
#include "collide/shapes/sides.h"
#include "math/vec.h"

#include <assert.h>
#include <string.h>

static const double SIDE_BIAS = 1e-6;     /* of the shortest side */
static const double CLIP_SLOP = 1e-7;     /* likewise: sides are extended by this much, so that flush ends are kept */
static const double ROUNDING = 1e-13;     /* of the coordinates: added to that slop */
static const double APART = 1e-9;         /* likewise: below this, closest points give no direction */
static const double BETTER = 1.0 - 1e-10; /* factor by which a squared distance must be smaller to replace another */

typedef struct side
{
    int index; /* from vertex index to the next */
    double n[3];
    double separation;
} side;

typedef struct closest
{
    double squared;
    double point_a[3], point_b[3];
    unsigned feature;
} closest;

static void vertex_of(const crn_placed *p, int i, double out[3])
{
    assert(i >= 0 && p->vertex_count > 0);
    const double *v = p->vertices + 2 * (i % p->vertex_count);
    out[0] = v[0];
    out[1] = v[1];
    out[2] = 0.0;
}

static unsigned feature_of(const crn_placed *p, int i, bool of_b)
{
    return 2u * (unsigned)(i % p->vertex_count) + (of_b ? 1u : 0u);
}

/* Length and outward normal of side i; both are 0 for a single vertex. */
static double side_normal(const crn_placed *p, int i, double n[3])
{
    assert(i >= 0 && p->vertex_count > 0);
    double from[3], to[3];
    vertex_of(p, i, from);
    vertex_of(p, i + 1, to);
    double length = hypot(to[0] - from[0], to[1] - from[1]);
    double scale = length > 0.0 ? 1.0 / length : 0.0;
    n[0] = (to[1] - from[1]) * scale;
    n[1] = (from[0] - to[0]) * scale;
    n[2] = 0.0;
    return length;
}

static double shortest_side(const crn_placed *p)
{
    double shortest = INFINITY, n[3];
    for (int i = 0; p->vertex_count > 1 && i < p->vertex_count; ++i)
        shortest = fmin(shortest, side_normal(p, i, n));
    return shortest;
}

/* The largest coordinate, which rounding scales with. */
static double magnitude(const crn_placed *a, const crn_placed *b)
{
    double most = 0.0;
    for (int k = 0; k < 2; ++k)
        most = fmax(most, fmax(fabs(a->vertices[k]), fabs(b->vertices[k])));
    return most;
}

/* Height of the vertex of p lowest along n over `origin`, and which one it is. */
static double lowest(const crn_placed *p, const double n[3], const double origin[3], int *vertex)
{
    assert(p->vertex_count > 0);
    double least = INFINITY;
    for (int i = 0; i < p->vertex_count; ++i)
    {
        double x[3], arm[3];
        vertex_of(p, i, x);
        crn_sub3(x, origin, arm);
        double height = crn_dot3(n, arm);
        if (height < least)
        {
            least = height;
            *vertex = i;
        }
    }
    return least;
}

static bool is_cut(const crn_placed *p, int i)
{
    assert(i >= 0 && i < p->vertex_count);
    return p->shape && p->shape->form->seams[i].cut;
}

/* The sides that may be the surface, as bits. */
static int allowed_of(const crn_thin *thin, const crn_placed *reference)
{
    return !thin ? ~0 : reference == thin->a ? thin->allowed_a : thin->allowed_b;
}

/* The side of `reference`, among those of the outline, over which `incident` stands highest. *beyond: its height over the
 * cuts to other pieces. */
static side best_side(const crn_placed *reference, const crn_placed *incident, const crn_thin *thin, double *beyond)
{
    int allowed = allowed_of(thin, reference);
    side best = {.separation = -INFINITY};
    *beyond = -INFINITY;
    for (int i = 0; i < reference->vertex_count; ++i)
    {
        side s = {.index = i};
        double origin[3];
        int vertex;
        if (!(side_normal(reference, i, s.n) > 0.0) || (thin && !(allowed & 1 << i)))
            continue;
        vertex_of(reference, i, origin);
        s.separation = lowest(incident, s.n, origin, &vertex);
        if (is_cut(reference, i))
            *beyond = fmax(*beyond, s.separation);
        else
            best = s.separation > best.separation ? s : best;
    }
    return best;
}

/* Compare every vertex of p with every side of q. */
static void offer_vertices(closest *best, const crn_placed *p, const crn_placed *q, bool of_b)
{
    for (int ij = 0; ij < p->vertex_count * q->vertex_count; ++ij)
    {
        int i = ij / q->vertex_count, j = ij % q->vertex_count;
        double x[3], from[3], to[3], along[3], arm[3], foot[3];
        vertex_of(p, i, x);
        vertex_of(q, j, from);
        vertex_of(q, j + 1, to);
        crn_sub3(to, from, along);
        crn_sub3(x, from, arm);
        double squared = crn_dot3(along, along);
        double t = squared > 0.0 ? crn_dot3(arm, along) / squared : 0.0;
        crn_madd3(from, fmax(0.0, fmin(1.0, t)), along, foot);
        crn_sub3(x, foot, arm);
        if (crn_dot3(arm, arm) < BETTER * best->squared)
        {
            best->squared = crn_dot3(arm, arm);
            memcpy(best->point_a, of_b ? foot : x, sizeof foot);
            memcpy(best->point_b, of_b ? x : foot, sizeof foot);
            best->feature = feature_of(p, i, of_b);
        }
    }
}

/* Closest points of two cores that do not overlap. */
static closest closest_points(const crn_placed *a, const crn_placed *b)
{
    closest best = {.squared = INFINITY};
    offer_vertices(&best, a, b, false);
    offer_vertices(&best, b, a, true);
    return best;
}

/* Add a touch by the gap of the cores and the point on a's core. */
static void add(crn_manifold *out, const crn_placed *a, const crn_placed *b, double core_gap, const double normal[3],
                const double core_a[3], unsigned feature)
{
    double point_a[3];
    crn_madd3(core_a, -a->radius, normal, point_a);
    crn_manifold_add(out, core_gap - a->radius - b->radius, normal, point_a, feature);
}

/* A point of the incident core over the reference side: height over it, place along it, and its name. */
typedef struct over
{
    double x[3];
    double height;
    double place;
    unsigned feature;
} over;

/* The side of p that faces against n most directly. */
static int facing_side(const crn_placed *p, const double n[3])
{
    int best = 0;
    double least = INFINITY;
    for (int i = 0; i < p->vertex_count; ++i)
    {
        double m[3];
        if (side_normal(p, i, m) > 0.0 && crn_dot3(m, n) < least)
        {
            least = crn_dot3(m, n);
            best = i;
        }
    }
    return best;
}

/* Clip the segment between two points (which may coincide) to coordinates between low and high. A clipped end takes the
 * name of the end of the reference side. False when nothing remains. */
static bool cut(over ends[2], double low, double high, unsigned name_low, unsigned name_high)
{
    assert(low <= high);
    over from = ends[0], to = ends[1];
    if (fmax(from.place, to.place) < low || fmin(from.place, to.place) > high)
        return false;
    for (int k = 0; k < 2; ++k)
    {
        over *end = &ends[k];
        if (end->place >= low && end->place <= high)
            continue;
        bool below = end->place < low;
        double t = ((below ? low : high) - from.place) / (to.place - from.place);
        double piece[3];
        crn_sub3(to.x, from.x, piece);
        crn_madd3(from.x, t, piece, end->x);
        end->height = from.height + t * (to.height - from.height);
        end->feature = below ? name_low : name_high;
    }
    return true;
}

static over over_side(const crn_placed *incident, int vertex, const double origin[3], const double n[3], bool of_b)
{
    over point;
    double arm[3], along[3] = {-n[1], n[0], 0.0};
    vertex_of(incident, vertex, point.x);
    crn_sub3(point.x, origin, arm);
    point.height = crn_dot3(arm, n);
    point.place = crn_dot3(arm, along);
    point.feature = feature_of(incident, vertex, of_b);
    return point;
}

/* Add a touch of a point over a side of the reference, which is the pair's b when flipped. */
static void add_over(crn_manifold *out, const crn_placed *reference, const crn_placed *incident, const double n[3],
                     bool flipped, const over *point)
{
    double normal[3], foot[3];
    crn_scale3(flipped ? 1.0 : -1.0, n, normal);
    crn_madd3(point->x, -point->height, n, foot);
    add(out, flipped ? incident : reference, flipped ? reference : incident, point->height, normal,
        flipped ? point->x : foot, point->feature);
}

/* The manifold of a side and the one facing it. False, and nothing added, when no core gap is at most `reach`. */
static bool touch_side(const crn_placed *reference, const crn_placed *incident, const side *s, bool flipped,
                       double slop, double reach, crn_manifold *out)
{
    assert(s->index >= 0 && s->index < reference->vertex_count);
    assert(slop >= 0.0);
    double origin[3], unused[3];
    vertex_of(reference, s->index, origin);
    double length = side_normal(reference, s->index, unused);
    int facing = facing_side(incident, s->n);
    over ends[2] = {over_side(incident, facing, origin, s->n, !flipped),
                    over_side(incident, facing + 1, origin, s->n, !flipped)};
    if (!cut(ends, -slop, length + slop, feature_of(reference, s->index, flipped),
             feature_of(reference, s->index + 1, flipped)) ||
        !(fmin(ends[0].height, ends[1].height) <= reach))
        return false;
    add_over(out, reference, incident, s->n, flipped, &ends[0]);
    if (incident->vertex_count > 1)
        add_over(out, reference, incident, s->n, flipped, &ends[1]);
    return true;
}

static void touch_closest(const crn_placed *a, const crn_placed *b, const closest *best, double tiny, crn_manifold *out)
{
    double normal[3], distance = sqrt(best->squared);
    if (distance > tiny)
    {
        crn_sub3(best->point_a, best->point_b, normal);
        crn_scale3(1.0 / distance, normal, normal);
    }
    else
    {
        crn_any_normal(2, normal);
    }
    add(out, a, b, distance, normal, best->point_a, best->feature);
}

void crn_touch_planar(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(a->vertex_count >= 1 && b->vertex_count >= 1);
    double radius = a->radius + b->radius;
    bool points = a->vertex_count == 1 && b->vertex_count == 1;
    if (points && radius == 0.0)
        return; /* two points never touch */
    double beyond_a, beyond_b;
    side side_a = best_side(a, b, out->thin, &beyond_a), side_b = best_side(b, a, out->thin, &beyond_b);
    double largest = fmax(side_a.separation, side_b.separation);
    if (largest - radius > out->limit)
        return;
    double beyond = fmax(beyond_a, beyond_b);
    if (beyond > 0.0 && beyond > largest)
        return; /* the piece beyond the cut is nearer and has the touches */
    double size = points ? radius : fmin(shortest_side(a), shortest_side(b));
    double bias = SIDE_BIAS * size, tiny = APART * size;
    double slop = out->thin && out->thin->uncut ? INFINITY : CLIP_SLOP * size + ROUNDING * magnitude(a, b);
    bool apart = points || largest > -tiny;
    closest best = {.squared = 0.0};
    if (apart)
        best = closest_points(a, b);
    double reach = sqrt(best.squared) + bias;
    if (!points && side_a.separation >= largest - bias && touch_side(a, b, &side_a, false, slop, reach, out))
        return;
    if (!points && side_b.separation >= largest - bias && touch_side(b, a, &side_b, true, slop, reach, out))
        return;
    if (apart)
        touch_closest(a, b, &best, tiny, out);
}

bool crn_closest_planar(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(a->vertex_count >= 1 && b->vertex_count >= 1);
    double radius = a->radius + b->radius;
    bool points = a->vertex_count == 1 && b->vertex_count == 1;
    double size = points ? radius : fmin(shortest_side(a), shortest_side(b)), tiny = APART * size;
    if (!points)
    {
        double beyond_a, beyond_b;
        double largest = fmax(best_side(a, b, NULL, &beyond_a).separation, best_side(b, a, NULL, &beyond_b).separation);
        if (fmax(largest, fmax(beyond_a, beyond_b)) <= tiny)
            return false;
    }
    closest best = closest_points(a, b);
    touch_closest(a, b, &best, tiny, out);
    return true;
}
