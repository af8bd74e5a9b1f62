/* One vertex of the source (of a polyhedron, the centre of a sphere, an end of a capsule) against the faces, ridges and
 * vertices of the target.
 *
 * Outside, the vertex is in the prism over a face, in the wedge over a ridge or in the cone over a vertex. These are the
 * target's features that are locally nearest to it, one for each part of the surface that comes near. Across a concave
 * edge both faces count, and the prism of each extends beyond the edge by what a step may cross. Inside, the vertex is
 * below several faces. It is pushed out by the nearest of those that form a convex body together, and by all that form a
 * corner to lie in. A vertex that is deeper below the surface than the reach of the step is searched for down to
 * pass->depth and leaves by the nearest point of the surface. An open mesh other than a height field has no inside to
 * search.
 */
#include "collide/mesh/mesh.h"

#include "base/memory.h"
#include "math/vec.h"

#include <assert.h>
#include <string.h>

static const double FACE_SLOPE = 0.5; /* sine by which an edge may point towards a face: the vertex is landing on it */
static const double LEVEL = 1e-9;     /* the same for a vertex inside a flat region */
static const double RIDGE_SLOPE = 0.02; /* the same towards a ridge or vertex */

static crn_candidate *next(const crn_pass *pass)
{
    crn_mesh_work *work = pass->work;
    size_t need = (size_t)work->candidate_count + 1;
    if (crn_reserve_all(&work->memory, CRN_ARRAY(work->candidates, need)))
    {
        work->status = CAIRN_NO_MEMORY;
        return NULL;
    }
    crn_candidate *c = &work->candidates[work->candidate_count++];
    *c = (crn_candidate){.aside = 0.0};
    return c;
}

/* ---------------------------------------------------------------------------------------------------------- faces */

static const double *corner(const crn_shell *shell, int t, int k)
{
    assert(t >= 0 && t < shell->mesh->triangle_count && k >= 0 && k < 6);
    return shell->vertices + 3 * shell->mesh->triangles[3 * t + k % 3];
}

/* m: by how much x lies beyond the edge after corner k of triangle t. */
static double beyond(const crn_shell *shell, int t, int k, const double x[3])
{
    double along[3], out[3], arm[3];
    crn_sub3(corner(shell, t, k + 1), corner(shell, t, k), along);
    crn_cross3(along, shell->mesh->normals + 3 * t, out);
    crn_sub3(x, corner(shell, t, k), arm);
    return crn_dot3(out, arm) / crn_norm3(along);
}

/* Whether x lies over triangle t, or beside and below it by no more than bodies sink in. */
static bool is_over(const crn_pass *pass, int t, const double x[3])
{
    const crn_shell *target = &pass->target;
    double arm[3], sunk = crn_pass_sunk(pass);
    crn_sub3(x, corner(target, t, 0), arm);
    return crn_dot3(arm, target->mesh->normals + 3 * t) >= -sunk && beyond(target, t, 0, x) <= sunk &&
           beyond(target, t, 1, x) <= sunk && beyond(target, t, 2, x) <= sunk;
}

/* m: by how much x is outside the prism over a triangle, not counting flat edges; negative inside; infinite where it is
 * too far outside. Across a concave edge x may be outside by the reach, as long as it lies over the neighbour there. */
static double outside(const crn_pass *pass, int t, const double x[3])
{
    const crn_mesh *mesh = pass->target.mesh;
    double most = -INFINITY;
    for (int k = 0; k < 3; ++k)
    {
        double by = beyond(&pass->target, t, k, x);
        bool goes_on = by <= pass->slop || (by <= pass->limit && mesh->bend[3 * t + k] < 0 &&
                                            is_over(pass, mesh->neighbours[3 * t + k], x));
        if (!goes_on)
            return INFINITY;
        most = mesh->bend[3 * t + k] != 0 || by > 0.0 ? fmax(most, by) : most;
    }
    return most;
}

static void middle_of(const crn_shell *shell, int t, double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = (corner(shell, t, 0)[k] + corner(shell, t, 1)[k] + corner(shell, t, 2)[k]) / 3.0;
}

/* The candidate of the same flat region, if there is one. */
static crn_candidate *of_region(const crn_pass *pass, int region)
{
    assert(region >= 0 && region < pass->target.mesh->triangle_count);
    for (int i = 0; i < pass->work->candidate_count; ++i)
    {
        crn_candidate *c = &pass->work->candidates[i];
        if (c->pairing == CRN_VERTEX_FACE && c->feature == region)
            return c;
    }
    return NULL;
}

/* Whether a vertex is well outside and well over a face, so that it hits the face if it moves on. That requires
 * everything around the vertex to be on the face's side too, or a body so fast that it turns about its first contact and
 * the rest follows. A vertex just below the edge of a face, because it has sunk in slightly, does not hit it. Nor does a
 * vertex of a slow body that reaches around the face, as a bore around a bar: the plane of the face would stop what
 * slides past. */
static bool is_met(const crn_pass *pass, int v, const double n[3], double height, double aside)
{
    double sunk = crn_pass_sunk(pass);
    return height > sunk && aside < -sunk && (crn_pass_is_fast(pass) || crn_vertex_rises(pass, v, n, 0.0, height));
}

/* Whether a vertex lies inside a flat region. Such vertices are listed only in a plain list, and then only on a parallel
 * face. */
static bool is_flat(const crn_pass *pass, int v)
{
    return pass->source.mesh && pass->source.index->vertex_ridge[v] < 0;
}

static void offer_face(const crn_pass *pass, int v, int t, const double x[3])
{
    assert(t >= 0 && t < pass->target.mesh->triangle_count);
    const double *n = pass->target.mesh->normals + 3 * t;
    double arm[3], reach = pass->limit + pass->radius;
    crn_sub3(x, corner(&pass->target, t, 0), arm);
    double height = crn_dot3(n, arm), aside;
    if (!(height <= reach && height >= -reach) || !((aside = outside(pass, t, x)) < INFINITY))
        return;
    int feature = pass->work->plain ? t : pass->target.index->region[t];
    crn_candidate *c = of_region(pass, feature);
    if (c && c->aside <= aside)
        return;
    c = c ? c : next(pass);
    if (c)
    {
        c->pairing = CRN_VERTEX_FACE;
        c->feature = feature;
        c->height = height;
        c->aside = aside;
        c->distance = hypot(height, fmax(aside, 0.0));
        memcpy(c->n, n, sizeof c->n);
        c->silent = is_flat(pass, v)
                        ? !crn_vertex_rises(pass, v, n, LEVEL, 0.0)
                        : !is_met(pass, v, n, height, aside) && !crn_vertex_rises(pass, v, n, FACE_SLOPE, 0.0);
        middle_of(&pass->target, t, c->middle);
    }
}

/* ------------------------------------------------------------------------------------------- ridges and vertices */

static void offer_apart(const crn_pass *pass, int v, crn_pairing pairing, int feature, const double w[3])
{
    double distance = crn_norm3(w), n[3];
    if (!(distance <= pass->limit + pass->radius && distance > pass->slop))
        return;
    crn_scale3(1.0 / distance, w, n);
    crn_candidate *c = next(pass);
    if (c)
    {
        c->silent = !crn_vertex_rises(pass, v, n, RIDGE_SLOPE, 0.0);
        c->pairing = pairing;
        c->feature = feature;
        c->height = c->distance = distance;
        memcpy(c->n, n, sizeof n);
    }
}

static void offer_ridge(const crn_pass *pass, int v, int r, const double x[3])
{
    assert(r >= 0 && v >= 0);
    const crn_shell *target = &pass->target;
    const crn_ridge ridge = crn_ridge_at(target, r);
    const double *from = target->vertices + 3 * ridge.v[0], *to = target->vertices + 3 * ridge.v[1];
    double along[3], arm[3], w[3], inward[2][3];
    crn_sub3(to, from, along);
    crn_sub3(x, from, arm);
    double place = crn_dot3(arm, along) / crn_dot3(along, along);
    if (place > 0.0 && place < 1.0)
    {
        crn_madd3(arm, -place, along, w);
        crn_ridge_inward(target, r, inward);
        if (crn_dot3(w, inward[0]) < -pass->slop && crn_dot3(w, inward[1]) < -pass->slop)
            offer_apart(pass, v, CRN_VERTEX_RIDGE, r, w);
        return;
    }
    int end = place <= 0.0 ? 0 : 1, corner_v = ridge.v[end];
    crn_sub3(x, end ? to : from, w);
    if (!pass->flipped && target->index->vertex_ridge[corner_v] == r && crn_vertex_faces(target, corner_v, w))
        offer_apart(pass, v, CRN_VERTEX_VERTEX, corner_v, w);
}

/* --------------------------------------------------------------------------------------------------------- choosing */

/* Whether two faces look away from each other, like those of a convex body. */
static bool is_convex_pair(const crn_candidate *a, const crn_candidate *b)
{
    double arm[3];
    crn_sub3(b->middle, a->middle, arm);
    return crn_dot3(a->n, arm) <= 0.0 && crn_dot3(b->n, arm) >= 0.0;
}

/* Whether candidate c yields to another. */
static bool gives_way(const crn_candidate *c, const crn_candidate *other, double slop)
{
    assert(slop >= 0.0);
    if (c->height < 0.0 && other->height > 0.0 && other->distance < (1.0 - 1e-6) * c->distance - slop)
        return true; /* the vertex is outside, and this face is on the far side */
    if (c->pairing != CRN_VERTEX_FACE || other->pairing != CRN_VERTEX_FACE || other->silent ||
        fmax(c->aside, other->aside) > slop)
        return false;
    bool less = c->height < other->height || (c->height == other->height && c->feature > other->feature);
    return less && ((c->height < -slop && other->height < -slop) || is_convex_pair(c, other));
}

static void choose(const crn_pass *pass)
{
    crn_mesh_work *work = pass->work;
    for (int i = 0; i < work->candidate_count; ++i)
    {
        crn_candidate *c = &work->candidates[i];
        for (int j = 0; j < work->candidate_count && !c->dropped; ++j)
            c->dropped = j != i && gives_way(c, &work->candidates[j], pass->slop);
    }
}

/* Whether x lies in the bounds; a height field is solid all the way down. */
static bool holds(const crn_bounds *box, bool ground, const double x[3])
{
    return box->lower[0] <= x[0] && x[0] <= box->upper[0] && box->lower[1] <= x[1] && x[1] <= box->upper[1] &&
           (ground || box->lower[2] <= x[2]) && x[2] <= box->upper[2];
}

/* A vertex inside a box, no deeper than `radius`, leaves by the nearest side. */
static bool touch_inside_box(const crn_pass *pass, int v, const double x[3], double radius)
{
    assert(crn_is_box(pass->to->kind));
    double n[3] = {0, 0, 0}, depth = INFINITY;
    int axis = 0;
    for (int k = 0; k < 3; ++k)
    {
        double under = pass->to->half[k] - fabs(x[k]);
        axis = under < depth ? k : axis;
        depth = fmin(depth, under);
    }
    n[axis] = x[axis] < 0.0 ? -1.0 : 1.0;
    bool found = depth > 0.0 && depth <= radius && crn_vertex_rises(pass, v, n, FACE_SLOPE, 0.0);
    if (found)
        crn_pass_add(pass, CRN_VERTEX_FACE, v, axis, -depth, n, x);
    return found;
}

/* A vertex inside the target, nearer to the surface than `radius`, leaves by the nearest point, which may lie on a
 * concave edge. */
static bool touch_inside(const crn_pass *pass, int v, const double x[3], double radius)
{
    assert(radius > 0.0);
    const crn_shell *target = &pass->target;
    bool ground = crn_shape_has(pass->to->kind, CRN_SHAPE_GROUND);
    if (crn_is_box(pass->to->kind))
        return touch_inside_box(pass, v, x, radius);
    if (!target->searched || !(target->mesh->closed || ground) || !holds(&target->index->all, ground, x))
        return false;
    crn_mesh_point p = crn_mesh_nearest(target->mesh, target->index, x, radius);
    bool found = p.triangle >= 0 && p.height < 0.0 && crn_vertex_rises(pass, v, p.n, FACE_SLOPE, 0.0);
    if (found)
        crn_pass_add(pass, CRN_VERTEX_FACE, v, target->index->region[p.triangle], p.height, p.n, x);
    return found;
}

/* m: how deep to search for the surface: 0 when the remaining candidates show that the vertex is outside, pass->depth
 * when there are none. */
static double depth_by_candidates(const crn_pass *pass)
{
    const crn_mesh_work *work = pass->work;
    double least = INFINITY;
    for (int i = 0; i < work->candidate_count; ++i)
    {
        const crn_candidate *c = &work->candidates[i];
        least = c->dropped ? least : c->height < 0.0 ? fmin(least, c->distance) : 0.0;
    }
    return work->candidate_count == 0 ? pass->depth : least > 10.0 * pass->slop ? least * (1.0 - 1e-6) : 0.0;
}

void crn_touch_vertex(const crn_pass *pass, int v, const double x[3])
{
    assert(v >= 0 && pass->target.mesh);
    crn_mesh_work *work = pass->work;
    work->candidate_count = 0;
    crn_near_point(&pass->target, x, pass->limit + pass->radius, work);
    for (int i = 0; i < work->triangles.count; ++i)
        offer_face(pass, v, work->triangles.item[i], x);
    for (int i = 0; i < work->ridges.count; ++i)
        offer_ridge(pass, v, work->ridges.item[i], x);
    choose(pass);
    double depth = depth_by_candidates(pass);
    if (depth > 0.0 && touch_inside(pass, v, x, depth))
        return;
    for (int i = 0; i < work->candidate_count; ++i)
    {
        const crn_candidate *c = &work->candidates[i];
        if (!c->dropped && !c->silent)
            crn_pass_add(pass, c->pairing, v, c->feature, c->height, c->n, x);
    }
}
