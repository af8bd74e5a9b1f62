/* Two crossing ridges: n is across both and lies in both cones. Ridges that are nearly parallel touch at their ends, as
 * vertices.
 *
 * Where n leaves a cone, a vertex or face is nearer. While the ridges are still apart, one may yet land on the other
 * within the step, when the body turns about that vertex. They are then held along the normal of the face that n leans
 * over, like the corners of two faces that are clipped by each other.
 */
#include "collide/mesh/mesh.h"

#include "math/vec.h"

#include <assert.h>
#include <string.h>

static const double ALONG = 1e-6; /* sine below which two ridges are parallel */
static const double TILT = 0.02;  /* sine by which n may leave a cone: two faces about to land on each other */
static const double LEVEL = 1e-9; /* the same for a flat edge */
static const double LEAN = 0.5;   /* the same while the ridges are apart */

/* Parameters of the nearest points of two lines, c = u x w. True when both lie on the ridges, within slop. */
static bool places(const double u[3], const double w[3], const double c[3], const double arm[3], double slop, double *s,
                   double *t)
{
    double p[3], q[3], square = crn_dot3(c, c);
    crn_cross3(arm, w, p);
    crn_cross3(arm, u, q);
    *s = crn_dot3(p, c) / square;
    *t = crn_dot3(q, c) / square;
    double e = slop / crn_norm3(u), f = slop / crn_norm3(w);
    return *s >= -e && *s <= 1.0 + e && *t >= -f && *t <= 1.0 + f;
}

/* A ridge as a segment with the planes of its two faces, in the target's frame. */
typedef struct line
{
    double x[3], u[3]; /* from x to x + u */
    double inward[2][3];
    double plane[2][3]; /* outward */
    double tilt;        /* sine by which n may leave its cone */
} line;

static void find_planes(const crn_shell *shell, int r, line *out)
{
    assert(r >= 0);
    const crn_ridge ridge = crn_ridge_at(shell, r);
    const double *normals = shell->mesh->normals;
    crn_ridge_inward(shell, r, out->inward);
    out->tilt = r < shell->index->ridge_count ? TILT : LEVEL;
    memcpy(out->plane[0], normals + 3 * ridge.t[0], sizeof out->plane[0]);
    if (ridge.t[1] < 0)
    {
        crn_scale3(-1.0, out->inward[0], out->plane[1]);
        return;
    }
    memcpy(out->plane[1], normals + 3 * ridge.t[1], sizeof out->plane[1]);
}

static bool in_cone(const line *ridge, double sign, const double n[3])
{
    assert(fabs(sign) == 1.0);
    return sign * crn_dot3(n, ridge->inward[0]) <= ridge->tilt && sign * crn_dot3(n, ridge->inward[1]) <= ridge->tilt;
}

/* The midpoint of the part of `a` that lies inside the wedge of b, no further than 4 depth from its parameter s. */
static bool point_in_wedge(const line *a, double s, const line *b, double depth, double out[3])
{
    double reach = 4.0 * depth / crn_norm3(a->u), low = fmax(0.0, s - reach), high = fmin(1.0, s + reach), arm[3];
    crn_sub3(a->x, b->x, arm);
    for (int k = 0; k < 2; ++k)
    {
        double at = crn_dot3(b->plane[k], arm), rate = crn_dot3(b->plane[k], a->u);
        low = rate < 0.0 ? fmax(low, -at / rate) : low;
        high = rate > 0.0 ? fmin(high, -at / rate) : high;
    }
    crn_madd3(a->x, 0.5 * (low + high), a->u, out);
    return low <= high;
}

static const double FLUSH = 1e-3; /* of the depth: a ridge less deep inside slides along a face and crosses nothing */

/* Whether two ridges with a negative gap pass through each other's solids, rather than belong to the far sides of bodies
 * that are apart. */
static bool is_crossed(const crn_pass *pass, const line *own, double s, const line *other, double t, double depth)
{
    double x[3], y[3], arm[3], back[3];
    if (!point_in_wedge(own, s, other, depth, x) ||
        !crn_shell_holds(&pass->target, pass->to, x, 4.0 * depth, -FLUSH * depth))
        return false;
    if (!pass->source.mesh)
        return true;
    if (!point_in_wedge(other, t, own, depth, y))
        return false;
    crn_sub3(y, pass->t, arm);
    crn_unrotate3(pass->R, arm, back);
    return crn_shell_holds(&pass->source, pass->from, back, 4.0 * depth, -FLUSH * depth);
}

/* The normal of the face that n leans over most, seen from the target; normals of the source's faces are reversed.
 * Returns by how much. */
static double lean(const line *own, const line *facing, const double n[3], double out[3])
{
    double most = -INFINITY;
    for (int k = 0; k < 4; ++k)
    {
        const line *ridge = k < 2 ? facing : own;
        double sign = k < 2 ? 1.0 : -1.0, by = sign * crn_dot3(n, ridge->inward[k % 2]);
        if (by > most)
        {
            most = by;
            crn_scale3(sign, ridge->plane[k % 2], out);
        }
    }
    return most;
}

/* Add the contact of two ridges that are apart, along the normal of a face. */
static void touch_leaning(const crn_pass *pass, int r, const line *own, int other, const line *facing,
                          const double across[3], const double c[3], const double arm[3])
{
    assert(r >= 0 && other >= 0);
    double n[3], wn[3], un[3], x[3], unused[3];
    double sunk = crn_pass_sunk(pass);
    if (!(lean(own, facing, across, n) <= LEAN && lean(own, facing, n, unused) <= LEAN))
        return;
    crn_cross3(facing->u, n, wn);
    crn_cross3(own->u, n, un);
    double det = crn_dot3(own->u, wn), s = crn_dot3(arm, wn) / det, t = crn_dot3(arm, un) / det;
    double gap = -crn_dot3(arm, c) / crn_dot3(n, c);
    if (s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0 && gap > sunk && gap <= pass->limit)
    {
        crn_madd3(own->x, s, own->u, x);
        crn_pass_add(pass, CRN_RIDGE_RIDGE, r, other, gap, n, x);
    }
}

static void touch_two(const crn_pass *pass, int r, const line *own, int other)
{
    const crn_shell *target = &pass->target;
    const crn_ridge ridge = crn_ridge_at(target, other);
    line facing;
    double c[3], arm[3], n[3], s, t, x[3];
    memcpy(facing.x, target->vertices + 3 * ridge.v[0], sizeof facing.x);
    crn_sub3(target->vertices + 3 * ridge.v[1], facing.x, facing.u);
    crn_cross3(own->u, facing.u, c);
    double sine = crn_norm3(c), size = crn_norm3(own->u) * crn_norm3(facing.u);
    crn_sub3(facing.x, own->x, arm);
    if (!(sine > ALONG * size))
        return;
    bool inner = places(own->u, facing.u, c, arm, pass->slop, &s, &t);
    find_planes(target, other, &facing);
    crn_scale3(1.0 / sine, c, n);
    if (crn_dot3(n, facing.plane[0]) + crn_dot3(n, facing.plane[1]) < 0.0)
        crn_scale3(-1.0, n, n);
    double gap = -crn_dot3(n, arm), reach = pass->limit + pass->radius;
    bool apt = in_cone(&facing, 1.0, n) && (r < 0 || in_cone(own, -1.0, n));
    if (!apt && r >= 0 && crn_pass_is_fast(pass) && gap > 0.0 && gap <= reach && own->tilt == TILT &&
        facing.tilt == TILT)
        touch_leaning(pass, r, own, other, &facing, n, c, arm);
    if (apt && inner && gap <= reach && gap >= -reach &&
        (gap >= -pass->slop || is_crossed(pass, own, s, &facing, t, -gap)))
    {
        crn_madd3(own->x, s, own->u, x);
        crn_pass_add(pass, CRN_RIDGE_RIDGE, r, other, gap, n, x);
    }
}

void crn_touch_ridge(const crn_pass *pass, int r, const double x0[3], const double x1[3])
{
    assert(r >= -1);
    line own = {.x = {x0[0], x0[1], x0[2]}};
    double reach = pass->limit + pass->radius;
    crn_bounds box;
    crn_sub3(x1, x0, own.u);
    for (int k = 0; k < 3; ++k)
    {
        box.lower[k] = fmin(x0[k], x1[k]) - reach;
        box.upper[k] = fmax(x0[k], x1[k]) + reach;
    }
    if (r >= 0)
    {
        line local;
        find_planes(&pass->source, r, &local);
        own.tilt = local.tilt;
        for (int k = 0; k < 2; ++k)
        {
            crn_rotate3(pass->R, local.inward[k], own.inward[k]);
            crn_rotate3(pass->R, local.plane[k], own.plane[k]);
        }
    }
    crn_near_ridges(&pass->target, &box, pass->work, &pass->work->ridges);
    for (int i = 0; i < pass->work->ridges.count; ++i)
        touch_two(pass, r, &own, pass->work->ridges.item[i]);
}
