/* Two convex shapes of space without a closed form: nearest points, then the manifold of the parts that face each other.
 *
 * 1. The distance (gjk.c), or the shallowest way out (epa.c), refined to rounding where a surface is curved (separation_search.c).
 * 2. A face of either shape is the reference if its own separation equals that value (within a bias, where it meets a face) and if
 *    its clipped manifold has a point as near as that. The better face is tried first, or a's where they differ by less than the
 *    bias. All extreme points of the common part are touches, so a landing face has them before it touches.
 * 3. Two nearly parallel straight lines, as of a cylinder lying beside another, touch at the ends of their common stretch.
 * 4. Otherwise there is the touch of the nearest points, and those of the faces beside it: an edge that crosses the border of a face
 *    may land on it with its other end in the next step. Likewise a line beside an edge of a box that it is nearly parallel to.
 * A round cap is an octagon in step 2. Where the true lowest point lies between its corners, it is added.
 */
#include "collide/convex/convex.h"

#include "math/vec.h"

#include <assert.h>
#include <string.h>

static const double FACE_BIAS = 1e-3; /* of the thickness */
static const double SAME = 1e-9;      /* of the thickness: tolerance for a line or corner over a face */
static const double BESIDE = 0.1;     /* of the thickness: least distance of other touches from the nearest points */
static const double ALIKE = 0.9;      /* cosine of the largest angle to a face that may add touches */
static const double LOWER = 1e-11; /* of the thickness: by how much a point must be lower than the corners of a cap */

/* The witness point on a, from the weights of the simplex. */
static void weighted_witness(const crn_pair_view *v, crn_nearest *out)
{
    assert(out->simplex.count >= 1 && out->simplex.count <= 4);
    memcpy(out->x_a, v->a->centre, sizeof out->x_a);
    for (int i = 0; i < out->simplex.count; ++i)
        crn_madd3(out->x_a, out->simplex.weight[i], out->simplex.p[i].a.x, out->x_a);
}

/* Refine n. When the result cannot be proved from a coarse distance search, repeat with a fine one. */
static void ascend(const crn_pair_view *v, double limit, bool apart, crn_nearest *out)
{
    if (!crn_ascend(v, apart, out) && apart && crn_gjk(v, limit, CRN_SMOOTH, out))
    {
        weighted_witness(v, out);
        crn_ascend(v, true, out);
    }
}

static bool are_line_and_box(const crn_pair_view *v)
{
    return crn_class_of(v->a->kind)->core == CRN_CORE_LINE && crn_is_box(v->b->kind);
}

bool crn_nearest_points(const crn_pair_view *v, double limit, crn_nearest *out)
{
    if (are_line_and_box(v) && crn_line_to_box(v, CRN_CROSSING * v->size, out))
        return out->s <= limit;
    bool curved = crn_is_curved(v->a) || crn_is_curved(v->b);
    bool apart = crn_gjk(v, limit, curved ? CRN_COARSE : CRN_SHARP, out);
    if (apart && out->s > limit)
        return false;
    if (!apart)
        crn_epa(v, out);
    weighted_witness(v, out);
    if (curved)
        ascend(v, limit, apart, out);
    return out->s <= limit;
}

/* A face that may become the reference. */
typedef struct candidate
{
    crn_face face;
    bool flipped; /* it is b's */
    double s;
} candidate;

static void make_candidate(const crn_pair_view *v, const double n[3], bool flipped, candidate *c)
{
    assert(crn_is_unit3(n));
    double along[3];
    crn_difference unused;
    c->flipped = flipped;
    c->s = -INFINITY;
    crn_scale3(flipped ? 1.0 : -1.0, n, along);
    crn_core_face(flipped ? v->b : v->a, along, &c->face);
    if (c->face.count > 2)
    {
        crn_scale3(flipped ? 1.0 : -1.0, c->face.n, along);
        c->s = crn_separation(v, along, &unused);
    }
}

static void add_nearest(const crn_pair_view *v, const crn_nearest *nearest, unsigned feature, crn_manifold *out)
{
    assert(crn_is_unit3(nearest->n) && isfinite(nearest->s));
    double point_a[3];
    crn_madd3(nearest->x_a, -v->a->radius, nearest->n, point_a);
    crn_manifold_add(out, nearest->s - v->a->radius - v->b->radius, nearest->n, point_a, feature);
}

static double least_gap(const crn_manifold *out)
{
    double least = INFINITY;
    for (int i = 0; i < out->count; ++i)
        least = fmin(least, out->touches[i].gap);
    return least;
}

/* Touches with `own` as the reference face, if it qualifies. Two faces have a bias, so that they stay together while they
 * tremble. A line or corner is nearest to a face exactly along its normal and needs no bias. */
static bool touch_face(const crn_pair_view *v, const crn_nearest *nearest, const candidate *own, const candidate *other,
                       double thickness, crn_manifold *out)
{
    assert(thickness >= 0.0);
    double bias = (other->face.count > 2 ? FACE_BIAS : SAME) * thickness;
    return own->s >= nearest->s - bias &&
           crn_face_clip(v, &own->face, own->flipped, fmax(nearest->s, 0.0) + bias, NULL, out);
}

static bool touch_flat(const crn_pair_view *v, const crn_nearest *nearest, const candidate *first,
                       const candidate *second, double thickness, crn_manifold *out)
{
    return touch_face(v, nearest, first, second, thickness, out) ||
           touch_face(v, nearest, second, first, thickness, out) ||
           crn_line_clip(v, nearest->n, first->flipped ? &second->face : &first->face,
                         first->flipped ? &first->face : &second->face, out);
}

static crn_beside beside_of(const crn_pair_view *v, const crn_nearest *nearest, double thickness)
{
    assert(thickness > 0.0);
    crn_beside beside = {.gap = nearest->s - v->a->radius - v->b->radius, .apart = BESIDE * thickness};
    crn_madd3(nearest->x_a, -v->a->radius, nearest->n, beside.point_a);
    return beside;
}

/* Add the touches of a face beside the nearest points; false when there are none. */
static bool touch_beside(const crn_pair_view *v, const crn_nearest *nearest, const candidate *c, double thickness,
                         crn_manifold *out)
{
    const crn_beside beside = beside_of(v, nearest, thickness);
    double cosine = (c->flipped ? 1.0 : -1.0) * crn_dot3(c->face.n, nearest->n);
    return c->face.count > 2 && cosine > ALIKE && crn_face_clip(v, &c->face, c->flipped, INFINITY, &beside, out);
}

/* Balls and smooth cores have a unique support point along every direction. */
bool crn_is_single(const crn_placed *p)
{
    crn_shape_core core = crn_class_of(p->kind)->core;
    return core == CRN_CORE_POINT || core == CRN_CORE_SMOOTH;
}

/* The same for a line, which is never the reference, and a box, which never shows a line. */
static void touch_line_and_box(const crn_pair_view *v, const crn_nearest *nearest, double thickness, crn_manifold *out)
{
    candidate face;
    make_candidate(v, nearest->n, true, &face);
    double bias = SAME * thickness;
    if (face.s >= nearest->s - bias && crn_face_clip(v, &face.face, true, fmax(nearest->s, 0.0) + bias, NULL, out))
        return;
    add_nearest(v, nearest, CRN_FEATURE_NEAR, out);
    if (!(thickness > 0.0) || touch_beside(v, nearest, &face, thickness, out))
        return;
    const crn_beside beside = beside_of(v, nearest, thickness);
    crn_edge_beside(v, nearest->n, &beside, out);
}

void crn_touch_convex(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    crn_pair_view v = crn_view_pair(a, b);
    crn_nearest nearest;
    double radii = a->radius + b->radius, thickness = fmin(crn_thickness(a), crn_thickness(b));
    if (!crn_nearest_points(&v, out->limit + radii, &nearest))
    {
        out->apart = nearest.s - radii;
        return;
    }
    if (crn_is_single(a) || crn_is_single(b))
    {
        add_nearest(&v, &nearest, 0, out);
        return;
    }
    if (are_line_and_box(&v))
    {
        touch_line_and_box(&v, &nearest, thickness, out);
        return;
    }
    candidate of_a, of_b;
    make_candidate(&v, nearest.n, false, &of_a);
    make_candidate(&v, nearest.n, true, &of_b);
    /* of two faces that are about as good, a's: the choice must not flicker */
    double ahead = of_a.face.count > 2 && of_b.face.count > 2 ? FACE_BIAS * thickness : 0.0;
    bool is_b_better = of_b.s > of_a.s + ahead;
    const candidate *first = is_b_better ? &of_b : &of_a, *second = is_b_better ? &of_a : &of_b;
    bool flat = touch_flat(&v, &nearest, first, second, thickness, out), curved = crn_is_curved(a) || crn_is_curved(b);
    if (!flat || (curved && least_gap(out) > nearest.s - radii + LOWER * thickness))
        add_nearest(&v, &nearest, CRN_FEATURE_NEAR, out);
    if (!flat && thickness > 0.0 && !touch_beside(&v, &nearest, first, thickness, out))
        touch_beside(&v, &nearest, second, thickness, out);
}
