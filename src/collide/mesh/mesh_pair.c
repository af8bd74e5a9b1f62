/* A mesh against a bounded shape: which features are compared with which, and in which frame.
 *
 *     vertices of a -> faces, ridges, vertices of the mesh      mesh_vertex.c
 *     ridges of a   -> ridges of the mesh                       mesh_ridge.c
 *     vertices of the mesh -> faces and ridges of a             the same with the roles swapped
 *
 * Each vertex or ridge searches the trees of the other shape for nearby features, so the cost of a body on a landscape is
 * logarithmic in the size of the landscape, plus what it touches.
 */
#include "collide/mesh/mesh.h"

#include "base/memory.h"
#include "collide/convex/convex.h"
#include "collide/identity.h"
#include "math/vec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum
{
    FEW = 64 /* up to this many ridges are tried one by one rather than searched */
};

static const double ROUNDING = 1e-12; /* of the target's extent */
static const double FLUSH = 1e-9;     /* of the smaller extent: edges this near to each other count as flush */

void crn_mesh_work_free(crn_mesh_work *work)
{
    free(work->triangles.item);
    free(work->ridges.item);
    free(work->own.item);
    free(work->gathered.item);
    crn_arena_release(&work->memory);
}

/* ------------------------------------------------------------------------------------------------------ searching */

static void push(crn_mesh_work *work, crn_hits *found, int item)
{
    if (crn_hits_add(found, item))
        work->status = CAIRN_NO_MEMORY;
}

static void all_of(int count, crn_mesh_work *work, crn_hits *found)
{
    found->count = 0;
    for (int i = 0; i < count; ++i)
        push(work, found, i);
}

void crn_near_triangles(const crn_shell *shell, const crn_bounds *box, crn_mesh_work *work, crn_hits *found)
{
    found->count = 0;
    if (!shell->searched)
        all_of(shell->mesh ? shell->mesh->triangle_count : 0, work, found);
    else if (crn_tree_overlap(&shell->index->triangles, shell->index->bounds, box, found))
        work->status = CAIRN_NO_MEMORY;
}

/* Add the flat edges of nearby triangles, numbered after the ridges. */
static void add_flat_edges(const crn_shell *shell, const crn_bounds *box, crn_mesh_work *work, crn_hits *found)
{
    const crn_mesh *mesh = shell->mesh;
    crn_near_triangles(shell, box, work, &work->gathered);
    for (int i = 0; i < 3 * work->gathered.count; ++i)
    {
        int t = work->gathered.item[i / 3], at = 3 * t + i % 3;
        if (mesh->bend[at] == 0 && t < mesh->neighbours[at])
            push(work, found, shell->index->ridge_count + at);
    }
}

void crn_near_ridges(const crn_shell *shell, const crn_bounds *box, crn_mesh_work *work, crn_hits *found)
{
    found->count = 0;
    if (!shell->mesh)
        return;
    if (!shell->searched || shell->index->ridge_count <= FEW)
        all_of(shell->index->ridge_count, work, found);
    else if (crn_tree_overlap(&shell->index->sharp, shell->index->stretches, box, found))
        work->status = CAIRN_NO_MEMORY;
    if (work->plain)
        add_flat_edges(shell, box, work, found);
}

void crn_near_point(const crn_shell *shell, const double x[3], double radius, crn_mesh_work *work)
{
    assert(radius >= 0.0);
    const crn_mesh_index *index = shell->index;
    if (!shell->searched || work->plain)
    {
        crn_bounds box = {{x[0] - radius, x[1] - radius, x[2] - radius}, {x[0] + radius, x[1] + radius, x[2] + radius}};
        crn_near_triangles(shell, &box, work, &work->triangles);
        crn_near_ridges(shell, &box, work, &work->ridges);
        return;
    }
    work->triangles.count = work->ridges.count = 0;
    if (crn_tree_around(&index->triangles, index->bounds, x, radius, &work->triangles) ||
        crn_tree_around(&index->sharp, index->stretches, x, radius, &work->ridges))
        work->status = CAIRN_NO_MEMORY;
}

/* ---------------------------------------------------------------------------------------------------------- adding */

static uint64_t key_of(crn_pairing pairing, int a, int b)
{
    uint64_t packed = (uint64_t)pairing << 60 | (uint64_t)(a & 0x3fffffff) << 30 | (uint64_t)(b & 0x3fffffff);
    return crn_identity_part(packed, 0);
}

/* The pairing with source and target swapped, as seen from a pair whose source is b. */
static crn_pairing turned(crn_pairing pairing)
{
    return pairing == CRN_VERTEX_FACE ? CRN_FACE_VERTEX : pairing == CRN_VERTEX_RIDGE ? CRN_RIDGE_VERTEX : pairing;
}

/* Room for one more contact; NULL, and work->status, when memory ran out. */
static crn_raw *new_raw(crn_mesh_work *work)
{
    if (!crn_reserve_all(&work->memory, CRN_ARRAY(work->raw, work->raw_count + 1)))
        return &work->raw[work->raw_count++];
    work->status = CAIRN_NO_MEMORY;
    return NULL;
}

void crn_pass_add(const crn_pass *pass, crn_pairing pairing, int source, int target, double gap, const double n[3],
                  const double x[3])
{
    assert(crn_is_unit3(n));
    double apart = gap - pass->radius - pass->to->radius, normal[3], at[3];
    if (!(apart <= pass->limit))
        return;
    crn_raw *raw = new_raw(pass->work);
    if (!raw)
        return;
    crn_rotate3(pass->to->R, n, normal);
    crn_rotate3(pass->to->R, x, at);
    crn_add3(at, pass->to->centre, at);
    crn_madd3(at, -pass->radius, normal, at); /* the source's surface */
    raw->gap = apart;
    raw->key = pass->flipped ? key_of(turned(pairing), target, source) : key_of(pairing, source, target);
    crn_scale3(pass->flipped ? -1.0 : 1.0, normal, raw->normal);
    crn_madd3(at, pass->flipped ? apart : 0.0, raw->normal, raw->point_a);
}

/* ---------------------------------------------------------------------------------------------------------- passes */

/* Whether the core is a line, as of a capsule. */
static bool has_line(const crn_placed *p)
{
    return crn_class_of(p->kind)->core == CRN_CORE_LINE;
}

static crn_shell shell_of(const crn_placed *p, crn_mesh_work *work)
{
    crn_shell shell = {p->mesh, p->index, p->mesh ? p->mesh->vertices : NULL, p->mesh && !crn_is_box(p->kind)};
    if (p->mesh && crn_is_box(p->kind))
    {
        for (int i = 0; i < 24; ++i)
            work->corners[i] = p->mesh->vertices[i] * p->half[i % 3];
        shell.vertices = work->corners;
    }
    return shell;
}

/* m: the extent of a shape from its centre. */
static double extent_of(const crn_placed *p)
{
    return crn_is_mesh(p->kind) ? p->mesh->extent : crn_core_extent(p) + p->radius;
}

static crn_pass make_pass(const crn_placed *a, const crn_placed *b, bool flipped, double limit, crn_mesh_work *work)
{
    assert(a->mesh || b->mesh);
    crn_pass pass = {.from = flipped ? b : a, .to = flipped ? a : b, .flipped = flipped, .limit = limit, .work = work};
    double apart[3];
    pass.source = shell_of(pass.from, work);
    pass.target = shell_of(pass.to, work);
    pass.radius = pass.from->radius;
    for (int i = 0; i < 9; ++i)
    {
        const double *p = pass.to->R + i / 3, *q = pass.from->R + i % 3;
        pass.R[i] = p[0] * q[0] + p[3] * q[3] + p[6] * q[6];
    }
    crn_sub3(pass.from->centre, pass.to->centre, apart);
    crn_unrotate3(pass.to->R, apart, pass.t);
    double own = extent_of(a), other = extent_of(b);
    pass.slop = ROUNDING * fmax(own, other) + FLUSH * fmin(own, other);
    pass.depth = fmin(own, other);
    return pass;
}

static void to_target(const crn_pass *pass, const double x[3], double out[3])
{
    crn_rotate3(pass->R, x, out);
    crn_add3(out, pass->t, out);
}

/* Bounds of the target in the source's frame, grown by the largest gap. A target without trees is a box or capsule, which lies
 * about its centre. */
static crn_bounds seen_from_source(const crn_pass *pass)
{
    double arm[3], extent[3], centre[3];
    crn_bounds box;
    for (int k = 0; k < 3; ++k)
    {
        const crn_bounds *all = pass->target.searched ? &pass->target.index->all : NULL;
        arm[k] = (all ? 0.5 * (all->lower[k] + all->upper[k]) : 0.0) - pass->t[k];
        extent[k] = all ? 0.5 * (all->upper[k] - all->lower[k]) : pass->to->half[k];
    }
    crn_unrotate3(pass->R, arm, centre);
    for (int k = 0; k < 3; ++k)
    {
        double half = pass->limit + pass->to->radius;
        for (int i = 0; i < 3; ++i)
            half += fabs(pass->R[3 * i + k]) * extent[i];
        box.lower[k] = centre[k] - half;
        box.upper[k] = centre[k] + half;
        assert(box.lower[k] <= box.upper[k]);
    }
    return box;
}

/* Whether a vertex is processed with ridge r: each vertex with one ridge, except those without ridges, which only a plain
 * list has. */
static bool is_own(const crn_pass *pass, int v, int r)
{
    assert(v >= 0 && v < pass->source.mesh->vertex_count);
    int own = pass->source.index->vertex_ridge[v];
    return own == r || own < 0;
}

/* A vertex of the source against the axis of the target, a capsule. */
static void touch_axis(const crn_pass *pass, int v, const double x[3])
{
    assert(has_line(pass->to));
    double half = pass->to->half[2], w[3] = {x[0], x[1], 0.0}, n[3];
    double distance = crn_norm3(w);
    if (fabs(x[2]) < half && distance > pass->slop && distance <= pass->limit + pass->to->radius)
    {
        crn_scale3(1.0 / distance, w, n);
        if (crn_vertex_rises(pass, v, n, 0.0, 0.0))
            crn_pass_add(pass, CRN_VERTEX_RIDGE, v, 0, distance, n, x);
    }
}

static void pass_vertex(const crn_pass *pass, int v, const double x[3])
{
    if (pass->target.mesh)
        crn_touch_vertex(pass, v, x);
    else
        touch_axis(pass, v, x);
}

/* Process the vertices of the source, and its ridges unless the other pass does. */
static void run_pass(const crn_pass *pass, bool ridges)
{
    crn_mesh_work *work = pass->work;
    crn_bounds box = seen_from_source(pass);
    crn_near_ridges(&pass->source, &box, work, &work->own);
    for (int i = 0; i < work->own.count; ++i)
    {
        int r = work->own.item[i];
        const crn_ridge ridge = crn_ridge_at(&pass->source, r);
        double x[2][3];
        for (int k = 0; k < 2; ++k)
        {
            to_target(pass, pass->source.vertices + 3 * ridge.v[k], x[k]);
            if (is_own(pass, ridge.v[k], r))
                pass_vertex(pass, ridge.v[k], x[k]);
        }
        if (ridges)
            crn_touch_ridge(pass, r, x[0], x[1]);
    }
}

/* A sphere, point or capsule against the mesh. */
static void run_round(const crn_pass *pass)
{
    if (!has_line(pass->from))
    {
        crn_touch_vertex(pass, 0, pass->t);
        return;
    }
    double ends[2][3];
    for (int k = 0; k < 2; ++k)
    {
        to_target(pass, (double[3]){0, 0, (k ? 1 : -1) * pass->from->half[2]}, ends[k]);
        crn_touch_vertex(pass, k, ends[k]);
    }
    crn_touch_ridge(pass, -1, ends[0], ends[1]);
}

/* ------------------------------------------------------------------------------------------------------- crossing */

/* Whether the segment from x to x + u passes through the target's surface. */
static bool passes(const crn_pass *pass, const double x[3], const double u[3], double out[3])
{
    const crn_shell *target = &pass->target;
    double at = 1.0;
    bool met;
    if (target->searched)
    {
        met = crn_mesh_ray(target->mesh, target->index, x, u, 0, &at) >= 0;
    }
    else
    {
        const double *half = pass->to->half;
        crn_bounds box = {{-half[0], -half[1], -half[2]}, {half[0], half[1], half[2]}};
        met = target->mesh && crn_bounds_met(&box, x, u, 1.0);
        at = 0.5;
    }
    crn_madd3(x, at, u, out);
    return met;
}

static bool ridges_pass(const crn_pass *pass, double out[3])
{
    crn_mesh_work *work = pass->work;
    crn_bounds box = seen_from_source(pass);
    crn_near_ridges(&pass->source, &box, work, &work->own);
    for (int i = 0; i < work->own.count; ++i)
    {
        const crn_ridge ridge = crn_ridge_at(&pass->source, work->own.item[i]);
        double x[2][3], u[3];
        to_target(pass, pass->source.vertices + 3 * ridge.v[0], x[0]);
        to_target(pass, pass->source.vertices + 3 * ridge.v[1], x[1]);
        crn_sub3(x[1], x[0], u);
        if (passes(pass, x[0], u, out))
            return true;
    }
    return false;
}

bool crn_mesh_crosses(const crn_placed *a, const crn_placed *b, crn_mesh_work *work, double out[3])
{
    crn_pass pass = make_pass(a, b, false, 0.0, work);
    double at[3], ends[2][3], u[3];
    bool crossed = false;
    if (a->mesh)
    {
        crossed = ridges_pass(&pass, at);
        if (!crossed)
        {
            pass = make_pass(a, b, true, 0.0, work);
            crossed = ridges_pass(&pass, at);
        }
    }
    else if (has_line(a))
    {
        to_target(&pass, (double[3]){0, 0, -a->half[2]}, ends[0]);
        to_target(&pass, (double[3]){0, 0, a->half[2]}, ends[1]);
        crn_sub3(ends[1], ends[0], u);
        crossed = passes(&pass, ends[0], u, at);
    }
    crn_rotate3(pass.to->R, at, out);
    crn_add3(out, pass.to->centre, out);
    return crossed;
}

void crn_touch_mesh(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(crn_is_mesh(b->kind) && out->work);
    crn_mesh_work *work = out->work;
    work->raw_count = 0;
    work->status = CAIRN_OK;
    crn_pass pass = make_pass(a, b, false, out->limit, work);
    if (crn_is_curved(a))
        crn_touch_curved(&pass);
    else if (!a->mesh)
        run_round(&pass);
    else
        run_pass(&pass, true);
    if (!crn_is_curved(a) && (a->mesh || has_line(a)))
    {
        crn_pass back = make_pass(a, b, true, out->limit, work);
        run_pass(&back, false);
    }
    crn_mesh_reduce(work, extent_of(a), out);
    out->status = work->status ? work->status : out->status;
}

/* b is the half-space. The corners of the mesh's hull suffice: the other vertices are implied. */
void crn_touch_half_space_mesh(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(crn_is_mesh(a->kind) && crn_is_half(b->kind));
    const crn_hull *hull = a->index->hull;
    int count = hull ? hull->vertex_count : a->mesh->vertex_count;
    const double *vertices = hull ? hull->vertices : a->mesh->vertices;
    crn_mesh_work *work = out->work;
    work->raw_count = 0;
    work->status = CAIRN_OK;
    for (int i = 0; i < count; ++i)
    {
        double x[3], arm[3];
        crn_rotate3(a->R, vertices + 3 * i, x);
        crn_add3(x, a->centre, x);
        crn_sub3(x, b->centre, arm);
        double gap = crn_dot3(b->normal, arm);
        if (gap > out->limit)
            continue;
        crn_raw *raw = new_raw(work);
        if (!raw)
            break;
        *raw = (crn_raw){.key = key_of(CRN_VERTEX_FACE, i, 0), .gap = gap};
        memcpy(raw->normal, b->normal, sizeof raw->normal);
        memcpy(raw->point_a, x, sizeof raw->point_a);
    }
    crn_mesh_reduce(work, a->mesh->extent, out);
    out->status = work->status ? work->status : out->status;
}
