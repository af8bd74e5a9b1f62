/* The pieces of one outline (a chain, or a polygon that is not convex) touch as one shape, without bumps at the seams.
 *
 * A piece knows nothing of its neighbours: a block that slides along a straight chain and has sunk in slightly would hit
 * the end of the next segment head-on and stop. Let v be a corner of the piece, w a neighbour of v along the outline that
 * belongs to another piece, and n the outward normal of a touch at v. Where n (w - v) > 0, the outline comes nearer
 * beyond v: the nearest point lies on the other piece, and this touch does not belong to the whole outline. It is
 * dropped, unless n is the normal of a side of this piece, which is a surface of the outline wherever it is touched. The
 * same rule keeps convex corners (n between the normals of the two sides) and reduces a valley to its two sides. Cuts
 * inside a polygon are no surface at all (planar.c).
 */
#include "collide/narrow.h"

#include "math/vec.h"

#include <assert.h>

static const double AT_CORNER = 1e-6; /* of the side: a touch this near to a corner belongs to the corner */
static const double LEVEL = 1e-9;     /* sine of the angle by which the outline must rise beyond the corner */

static double length_of(const double from[2], const double to[2])
{
    return hypot(to[0] - from[0], to[1] - from[1]);
}

static double rise(const double n[3], const double from[2], const double to[2])
{
    return (n[0] * (to[0] - from[0]) + n[1] * (to[1] - from[1])) / length_of(from, to);
}

/* Whether n is the normal of a side of the piece that meets corner i and is not a cut. */
static bool is_side_normal(const crn_shape *piece, int i, const double n[3])
{
    assert(i >= 0 && i < piece->form->vertex_count);
    int count = piece->form->vertex_count, before = (i + count - 1) % count, after = (i + 1) % count;
    const double *v = piece->form->vertices + 2 * i;
    return (!piece->form->seams[i].cut && fabs(rise(n, v, piece->form->vertices + 2 * after)) < LEVEL) ||
           (!piece->form->seams[before].cut && fabs(rise(n, v, piece->form->vertices + 2 * before)) < LEVEL);
}

/* Whether a touch at x (world) with the outward normal n (world) belongs to the whole outline. */
static bool belongs(const crn_placed *p, const double x[3], const double n[3])
{
    const crn_shape *piece = p->shape;
    double m[3];
    crn_unrotate3(p->R, n, m);
    for (int i = 0; i < piece->form->vertex_count; ++i)
    {
        const crn_outline_seam *seam = &piece->form->seams[i];
        const double *v = piece->form->vertices + 2 * i, *at = p->vertices + 2 * i;
        double size = length_of(v, piece->form->vertices + 2 * ((i + 1) % piece->form->vertex_count));
        if (hypot(x[0] - at[0], x[1] - at[1]) > AT_CORNER * size || is_side_normal(piece, i, m))
            continue;
        if ((seam->has_before && rise(m, v, seam->before) > LEVEL) ||
            (seam->has_after && rise(m, v, seam->after) > LEVEL))
            return false;
    }
    return true;
}

void crn_outline_seams_filter(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    int kept = 0;
    for (int i = 0; i < out->count; ++i)
    {
        const crn_touch *touch = &out->touches[i];
        double outward[3];
        crn_scale3(-1.0, touch->normal, outward);
        if ((!a->shape || belongs(a, touch->point_a, outward)) &&
            (!b->shape || belongs(b, touch->point_b, touch->normal)))
            out->touches[kept++] = *touch;
    }
    out->count = kept;
}
