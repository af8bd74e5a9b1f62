/* Triangle meshes against shapes and against each other: declarations shared by the files mesh_*.c.
 *
 * A polyhedron touches by its features: vertices, ridges (sharp edges, model/shape/mesh_index.h) and faces. A feature may
 * push only along the directions of its own cone, those that lead straight away from the solid: a face along its normal,
 * a ridge between the normals of its two faces, a vertex between those of all faces around it. Two features make a
 * contact when there is a normal n, from the target to the source, in the target's cone with -n in the source's cone:
 *
 *     vertex - face     n is the face's normal, the vertex lies over the face
 *     ridge - ridge     n is across both, the nearest points lie within both
 *     vertex - ridge, vertex - vertex     n is along the line between them, as long as they are apart
 *
 * Flat edges and vertices inside a flat region have no cone beyond that of the region, which its triangles cover, so
 * results do not depend on how a plane is divided into triangles. Boxes and hulls are polyhedra too. A sphere or point is
 * one vertex, a capsule two vertices and a ridge, with all directions in their cones, grown by a radius. Everything is
 * compared in the target's frame.
 */
#ifndef CRN_COLLIDE_MESH_MESH_H
#define CRN_COLLIDE_MESH_MESH_H

#include "collide/narrow.h"

/* A polyhedron. A box shares the triangles of a cube (from -1 to 1) but has its own vertices, so the trees of the cube do
 * not apply. */
typedef struct crn_shell
{
    const crn_mesh *mesh; /* NULL: round */
    const crn_mesh_index *index;
    const double *vertices;
    bool searched; /* has trees */
} crn_shell;

typedef enum crn_pairing
{
    CRN_VERTEX_FACE,
    CRN_FACE_VERTEX,
    CRN_RIDGE_RIDGE,
    CRN_VERTEX_RIDGE,
    CRN_RIDGE_VERTEX,
    CRN_VERTEX_VERTEX,
    CRN_CURVED_FACE, /* cylinders, cones, ellipsoids */
    CRN_CURVED_RIDGE
} crn_pairing;

/* One contact of two features before the reduction; a and b as in the pair. */
typedef struct crn_raw
{
    uint64_t key; /* a hash of pairing and features */
    double gap, normal[3], point_a[3];
} crn_raw;

/* A face, ridge or vertex of the target that one vertex of the source may touch. */
typedef struct crn_candidate
{
    crn_pairing pairing;
    int feature;
    double height;   /* m: of the source's core over the feature along n */
    double distance; /* m: distance from the feature, without sign */
    double aside;    /* m: by how much the vertex misses a face */
    double n[3], middle[3];
    bool silent; /* the vertex does not push against it; it only shows where the vertex is */
    bool dropped;
} crn_candidate;

/* The workspace of one thread, kept from call to call. */
typedef struct crn_mesh_work
{
    crn_hits triangles, ridges, own, gathered;
    crn_arena memory; /* all arrays below */
    crn_raw *raw;
    int raw_count;
    crn_candidate *candidates;
    int candidate_count;
    double corners[24]; /* of a box */
    bool plain;         /* list every contact, also those of flat edges and vertices; nothing is reduced */
    cairn_status status;
    struct crn_spread *spread; /* mesh_reduce.c */
    struct crn_keyed *order;
    int *corner;
    int found, kept; /* contacts of the last pair before and after the reduction */
} crn_mesh_work;

void crn_mesh_work_free(crn_mesh_work *work);

/* The features of `from` against those of `to`, in the frame of `to`. */
typedef struct crn_pass
{
    const crn_placed *from, *to;
    crn_shell source, target;
    bool flipped;      /* `from` is the pair's b */
    double R[9], t[3]; /* from the source's frame into the target's */
    double radius;     /* of the source */
    double limit;      /* m: largest gap */
    double slop;       /* m: rounding */
    double depth;      /* m: how deep below the surface to search */
    crn_mesh_work *work;
} crn_pass;

/* m: bodies at rest do not sink into each other by more than this. */
static inline double crn_pass_sunk(const crn_pass *pass)
{
    return 1e-5 * pass->depth + pass->slop;
}

/* Whether a step is so long that a body may turn about its first contact and hit with what follows. Against that,
 * contacts are added along the planes of faces, which would brake what merely slides past; so slow bodies get none. */
static inline bool crn_pass_is_fast(const crn_pass *pass)
{
    return pass->limit > 0.06 * pass->depth;
}

/* mesh_pair.c: add a contact by the point x on the source's core and the normal n from target to source, both in the
 * target's frame; `gap` does not include the source's radius. */
void crn_pass_add(const crn_pass *pass, crn_pairing pairing, int source, int target, double gap, const double n[3],
                  const double x[3]);
/* mesh_pair.c: the triangles or ridges of a shell near a box. */
void crn_near_triangles(const crn_shell *shell, const crn_bounds *box, crn_mesh_work *work, crn_hits *found);
void crn_near_ridges(const crn_shell *shell, const crn_bounds *box, crn_mesh_work *work, crn_hits *found);
/* mesh_pair.c: both near a point, into work->triangles and work->ridges. */
void crn_near_point(const crn_shell *shell, const double x[3], double radius, crn_mesh_work *work);

/* mesh_pair.c: whether a sharp edge of one shape passes through the surface of the other, and where (world). b is a mesh. */
bool crn_mesh_crosses(const crn_placed *a, const crn_placed *b, crn_mesh_work *work, double out[3]);
/* mesh_cone.c: a ridge. Numbers from ridge_count up are the edges of the triangles, three each, where flat ones are
 * listed too. */
crn_ridge crn_ridge_at(const crn_shell *shell, int ridge);
/* mesh_cone.c: the directions into the two faces of a ridge, across the ridge. */
void crn_ridge_inward(const crn_shell *shell, int ridge, double inward[2][3]);
/* mesh_cone.c: whether no neighbour of the source's vertex v lies further below v along n (target's frame) than
 * height + slope times its distance. */
bool crn_vertex_rises(const crn_pass *pass, int v, const double n[3], double slope, double height);
/* mesh_cone.c: whether vertex v of a shell is nearer to the point v + w than everything around it. */
bool crn_vertex_faces(const crn_shell *shell, int v, const double w[3]);

/* mesh_vertex.c: vertex v of the source, at x. */
void crn_touch_vertex(const crn_pass *pass, int v, const double x[3]);
/* mesh_ridge.c: the source's ridge r from x0 to x1 (r < 0: the axis of a capsule). */
void crn_touch_ridge(const crn_pass *pass, int r, const double x0[3], const double x1[3]);
/* mesh_near.c: whether x (in the shell's frame) lies inside the solid or at most slop outside; the search covers
 * `radius`. */
bool crn_shell_holds(const crn_shell *shell, const crn_placed *placed, const double x[3], double radius, double slop);
/* mesh_curved.c: a cylinder, cone or ellipsoid. */
void crn_touch_curved(const crn_pass *pass);
/* mesh_reduce.c: reduce the raw contacts to touches. */
void crn_mesh_reduce(crn_mesh_work *work, double size, crn_manifold *out);

/* The nearest point of a mesh to x within a radius; mesh_near.c. */
typedef struct crn_mesh_point
{
    int triangle;  /* -1: none */
    double y[3];   /* the point */
    double n[3];   /* unit, outward, along the line through x and y where x is off the surface */
    double height; /* m: of x along n; negative inside */
} crn_mesh_point;

crn_mesh_point crn_mesh_nearest(const crn_mesh *mesh, const crn_mesh_index *index, const double x[3], double radius);

/* mesh_ray.c: the first triangle that the ray x + s d, 0 <= s <= *most, hits, -1: none; *most becomes its s. `side` < 0:
 * only triangles through which the ray enters the solid, > 0: only those through which it leaves, 0: all. */
int crn_mesh_ray(const crn_mesh *mesh, const crn_mesh_index *index, const double x[3], const double d[3], int side,
                 double *most);

#endif
