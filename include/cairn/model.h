/* The model: what the world is. Bodies, shapes, materials, joints, springs, forces and a user's own systems.
 *
 * A model is planar (3 degrees of freedom a body: x, y, angle) or spatial (6: linear velocity in the world
 * frame, angular velocity in the body frame). The origin of a body's frame is its centre of mass. Planar models
 * use the first two entries of every [3] vector and the angle instead of the quaternion; planar angular
 * quantities (angular velocity, torque) stand in entry [2].
 *
 * Ids are small structs passed by value; the zero id is null. Where a body is asked for to attach something to,
 * the null body is the world. A model may be built on until a simulation is made from it; the simulation keeps a
 * pointer to the model, which must outlive it and must not change meanwhile.
 */
#ifndef CAIRN_MODEL_H
#define CAIRN_MODEL_H

#include "cairn/base.h"

CAIRN_BEGIN_DECLS

typedef struct cairn_model cairn_model;

typedef struct cairn_body
{
    int32_t id;
} cairn_body;
typedef struct cairn_shape
{
    int32_t id;
} cairn_shape;
typedef struct cairn_material
{
    int32_t id;
} cairn_material;
typedef struct cairn_joint
{
    int32_t id;
} cairn_joint;
typedef struct cairn_spring
{
    int32_t id;
} cairn_spring;
typedef struct cairn_force
{
    int32_t id;
} cairn_force;
typedef struct cairn_system
{
    int32_t id;
} cairn_system;

/* dimension: 2 (planar) or 3 (spatial). NULL only when memory ran out or the dimension is neither. */
CAIRN_API cairn_model *cairn_model_create(cairn_context *context, int dimension);
CAIRN_API void cairn_model_destroy(cairn_model *model);
CAIRN_API int cairn_model_dimension(const cairn_model *model);

/* m/s^2, default (0, -9.81, 0) in the plane and (0, 0, -9.81) in space. */
CAIRN_API cairn_status cairn_model_set_gravity(cairn_model *model, const double gravity[3]);
CAIRN_API void cairn_model_gravity(const cairn_model *model, double gravity[3]);

/* ------------------------------------------------------------------------------------------- materials */

/* What a force on one element of a patch does to another. */
typedef enum cairn_patch_kernel
{
    CAIRN_KERNEL_MEAN = 0, /* even load on a square, mean displacement of a square: definite for all elements */
    CAIRN_KERNEL_POINT,    /* force at a point, displacement at a point, as Song et al. 2004, appendix A, corrected */
} cairn_patch_kernel;

/* A compliant material: every contact becomes a patch of viscoelastic elements (Song et al. 2004, docs/patches.md), n_s in the
 * plane and n_s x n_s in space, squares of side rho_0 on an elastic half-space. K = Xi^-1 and C = 2 damping sqrt(K) +
 * retardation K, the root that of the matrix and for 1 kg. Such a contact has no restitution: it bounces as far as it is
 * elastic. */
typedef struct cairn_patch_options
{
    int elements;       /* n_s, odd; 0, the default: rigid */
    double spacing;     /* m, rho_0 > 0 */
    double compliance;  /* m^2/N, eps = 1/E > 0, E Young's modulus */
    double poisson;     /* nu, -1 < nu <= 0.5; default 0.3 */
    double damping;     /* >= 0; default 1, as the paper */
    double retardation; /* s, >= 0; default 0 */
    cairn_patch_kernel kernel;
} cairn_patch_options;

enum
{
    CAIRN_MAX_ELEMENTS_PLANE = 99,
    CAIRN_MAX_ELEMENTS_SPACE = 25,
};

typedef struct cairn_material_options
{
    const char *name;   /* unique; required */
    double friction;    /* Coulomb's mu, >= 0; default 0.5 */
    double restitution; /* Newton's e, 0..1; default 0 */
    /* Regularised contact (docs/forces.md): it gives way like a spring and a damper, implicit in the step; in series with those
     * of the other material. Restitution does not act there. */
    double stiffness; /* N/m, > 0; 0, the default: rigid */
    double damping;   /* N s/m, >= 0, with a stiffness only; default 0 */
    /* > 0: how stiff against others where redundant rigid contacts share a load; default 1. Two materials a and b in contact
     * count as a b/(a + b), as two springs one behind the other. */
    double weight;
    /* Or a patch of elastic elements (docs/patches.md), instead of a stiffness. */
    cairn_patch_options patch;
} cairn_material_options;

CAIRN_API cairn_material_options cairn_material_default(void);
CAIRN_API cairn_status cairn_model_add_material(cairn_model *model, const cairn_material_options *options,
                                                cairn_material *out);
/* The materials as they were given, the default one (named "default") first, also for an index that is none. Names live as long
 * as the model. */
CAIRN_API int cairn_model_material_count(const cairn_model *model);
CAIRN_API cairn_material_options cairn_model_material(const cairn_model *model, int index);

/* Two compliant materials meet with the compliance of both, the elements, spacing and kernel of the finer one (that with the
 * smaller spacing, the more elements, the first), and the mean of their dampings and retardations. A rigid side adds nothing. */

/* Friction and restitution of one pair of materials. Without it a pair has the geometric mean of the frictions and
 * the larger of the restitutions. The null material is the default one (friction 0.5, restitution 0). */
CAIRN_API cairn_status cairn_model_set_pair(cairn_model *model, cairn_material a, cairn_material b, double friction,
                                            double restitution);

/* ---------------------------------------------------------------------------------------------- bodies */

typedef enum cairn_body_kind
{
    CAIRN_DYNAMIC = 0, /* moves under forces */
    CAIRN_FIXED,       /* never moves */
    CAIRN_DRIVEN,      /* moves as told, whatever pushes it */
} cairn_body_kind;

/* Pose and velocity of one body. Planar: position[2] is 0, the quaternion turns about z by `angle`. */
typedef struct cairn_body_state
{
    double position[3];         /* m, centre of mass */
    double angle;               /* rad, planar; 0 in space */
    double orientation[4];      /* unit quaternion (w, x, y, z), body to world */
    double velocity[3];         /* m/s, world frame */
    double angular_velocity[3]; /* rad/s, body frame; planar: entry [2] */
} cairn_body_state;

/* Prescribed motion: fill position and angle (planar) or orientation (spatial) at time t; velocities are ignored. A first-order
 * step moves the body from pose(t) to pose(t + h) at constant velocity; second-order ones differentiate the poses. */
typedef void (*cairn_motion_fn)(void *data, double t, cairn_body_state *pose);

typedef struct cairn_body_options
{
    const char *name; /* unique; required */
    cairn_body_kind kind;
    bool point;                 /* a point mass: no rotation, 2 or 3 degrees of freedom */
    double mass;                /* kg; 0: from the shapes' densities */
    double inertia[6];          /* kg m^2 about the centre of mass, body frame: xx yy zz xy xz yz, where xy stands for
                                   the matrix entry; planar: entry [2] alone (zz); all 0: from the shapes */
    double position[3];         /* m */
    double angle;               /* rad, planar */
    double orientation[4];      /* spatial; normalised on the way in */
    double velocity[3];         /* m/s, world frame */
    double angular_velocity[3]; /* rad/s, body frame */
    cairn_motion_fn motion;     /* driven bodies: this callback, or the expressions below */
    void *motion_data;
    uint64_t groups;        /* contact filter: a bit for each group it belongs to; default 1, the group of all others */
    uint64_t collides_with; /* bits of the groups it may touch; default all. Two bodies touch only when each has a group
                               that the other may touch */
    const char *motion_position[3]; /* expressions in t, e.g. "0.1*sin(2*t)"; NULL: stays at `position` */
    const char *motion_angle;       /* expression in t, rad: turn about `motion_axis` (planar: about z) */
    double motion_axis[3];          /* spatial: body-frame axis of that turn, applied after `orientation` */
} cairn_body_options;

CAIRN_API cairn_body_options cairn_body_default(void);
CAIRN_API cairn_status cairn_model_add_body(cairn_model *model, const cairn_body_options *options, cairn_body *out);
CAIRN_API int cairn_model_body_count(const cairn_model *model);
CAIRN_API cairn_body cairn_model_body(const cairn_model *model, int index); /* index from 0 */
CAIRN_API cairn_body cairn_model_find_body(const cairn_model *model, const char *name);
CAIRN_API const char *cairn_model_body_name(const cairn_model *model, cairn_body body);
CAIRN_API cairn_body_kind cairn_model_body_kind(const cairn_model *model, cairn_body body);
/* Mass of the body as the simulation will use it (shapes counted); 0 for fixed and driven ones. */
CAIRN_API double cairn_model_body_mass(const cairn_model *model, cairn_body body);

/* ---------------------------------------------------------------------------------------------- shapes */

typedef enum cairn_shape_kind
{
    CAIRN_POINT = 0,  /* plane and space */
    CAIRN_CIRCLE,     /* plane */
    CAIRN_SEGMENT,    /* plane: a bar without thickness between two vertices */
    CAIRN_POLYGON,    /* plane: convex or not, its sides not crossing; vertices counter-clockwise or clockwise */
    CAIRN_HALF_PLANE, /* plane: everything below a line; fixed and driven bodies only */
    CAIRN_SPHERE,     /* space */
    CAIRN_BOX,        /* space */
    CAIRN_HALF_SPACE, /* space; fixed and driven bodies only */
    CAIRN_ELLIPSE,    /* plane */
    CAIRN_ELLIPSOID,  /* space */
    CAIRN_CAPSULE,    /* plane and space: all within a radius of a segment, along x in the plane and z in space */
    CAIRN_CHAIN,      /* plane: segments joined at their ends; closed where the last vertex is the first */
    CAIRN_CYLINDER,   /* space: along z, centred */
    CAIRN_CONE, /* space: along z, tip up, the origin is its centre of mass: a quarter of the height over the base */
    CAIRN_HULL, /* space: the convex hull of the vertices */
    CAIRN_MESH, /* space: triangles, counter-clockwise from outside; fixed and driven bodies, and dynamic ones where it is
                   closed or mass and inertia are given */
    CAIRN_HEIGHT_FIELD, /* space: heights along z over a grid, solid below; fixed and driven bodies only */
} cairn_shape_kind;

/* As scene files call it; "unknown" for none of these. */
CAIRN_API const char *cairn_shape_kind_name(cairn_shape_kind kind);

typedef struct cairn_shape_options
{
    cairn_shape_kind kind;
    double radius;    /* m: circle, sphere, capsule, cylinder, cone */
    double length;    /* m: capsule, between the centres of its two round ends */
    double height;    /* m: cylinder, cone */
    double radii[3];  /* m: semi-axes of an ellipse (2) or ellipsoid (3), the longest at most 1000 times the shortest */
    double size[3];   /* m: full edge lengths of a box */
    double normal[3]; /* half-plane, half-space: outward normal in the shape's frame; normalised on the way in */
    const double *vertices; /* m, in the shape's frame, copied: x, y pairs for a segment (2), polygon (3 or more) and
                               chain (2 or more); x, y, z for a hull (4 or more) and a mesh */
    int vertex_count;
    const int *triangles; /* mesh: three vertices each, counted from 0; copied */
    int triangle_count;
    const char
        *file;    /* mesh, hull: an OBJ or STL file instead of arrays, told apart by its contents; height field: a text,
                         a line a row */
    double scale; /* mesh, hull: vertices are multiplied by it; height field: heights are; default 1 */
    double weld;  /* m, mesh: vertices nearer to each other than this become one, and triangles that vanish by it are
                      dropped; default 0: vertices of the same coordinates become one */
    bool flip;    /* mesh: turn every triangle round */
    bool recentre;         /* hull, and mesh that is closed: move it so that its centre of mass is the shape's origin */
    const double *heights; /* m, height field: along z, row by row; x grows along a row, y from row to row; copied */
    int columns, rows;  /* height field: points along x and y, two or more; the grid is centred at the shape's origin */
    double spacing;     /* m, height field: between neighbouring points */
    double position[3]; /* m: the shape in the body's frame; a half-plane passes through it */
    double angle;       /* rad, planar */
    double orientation[4]; /* spatial */
    double density;        /* kg/m^2 in the plane (kg/m for segment and chain), kg/m^3 in space; 0: adds no mass */
    cairn_material material;
} cairn_shape_options;

CAIRN_API cairn_shape_options cairn_shape_default(cairn_shape_kind kind);
CAIRN_API cairn_status cairn_model_add_shape(cairn_model *model, cairn_body body, const cairn_shape_options *options,
                                             cairn_shape *out);

/* How a shape is drawn: all that a front end must know about its kind. */
typedef enum cairn_shape_look
{
    CAIRN_LOOK_DOT = 0,
    CAIRN_LOOK_DISC,     /* radius: a disc in the plane, a ball in space */
    CAIRN_LOOK_LINE,     /* vertices, one after another */
    CAIRN_LOOK_POLYGON,  /* vertices, closed */
    CAIRN_LOOK_ELLIPSE,  /* radii: semi-axes */
    CAIRN_LOOK_CAPSULE,  /* radius, length: along x in the plane, along z in space */
    CAIRN_LOOK_PLANE,    /* normal: a half-plane or half-space through the shape's position */
    CAIRN_LOOK_BOX,      /* size */
    CAIRN_LOOK_CYLINDER, /* radius, height: along z, centred */
    CAIRN_LOOK_CONE,     /* radius, height: along z, the base a quarter of the height below the origin */
    CAIRN_LOOK_FACES,    /* vertices and faces; every kind of space not listed above has these */
} cairn_shape_look;

/* What a front end needs to draw a shape. Vertices (x, y pairs; of a hull or mesh x, y, z) and faces live as long as
 * the model. A chain and a polygon that is not convex are followed by further shapes of the model, the pieces that
 * collision detection needs: the first draws the whole, and the others are marked. */
typedef struct cairn_shape_info
{
    cairn_shape_kind kind;
    const char *name; /* of the kind, as in scene files */
    cairn_shape_look look;
    cairn_body body;
    bool piece; /* already drawn by a shape before it */
    double radius;
    double length, height;
    double radii[3];
    double size[3];
    double normal[3];
    const double *vertices;
    int vertex_count;
    const int
        *face_begin; /* hull, mesh: face f has the corners face_vertices[face_begin[f]] to [face_begin[f + 1] - 1], */
    const int *face_vertices; /* counter-clockwise from outside */
    int face_count;
    const int *neighbours; /* mesh: three a face: the face across the edge from corner k to corner k + 1; -1: border */
    double position[3];
    double angle;
    double orientation[4];
} cairn_shape_info;

CAIRN_API int cairn_model_shape_count(const cairn_model *model);
CAIRN_API cairn_shape_info cairn_model_shape(const cairn_model *model, int index);

/* Two bodies that must not touch each other (jointed bodies never do unless the joint says so). */
CAIRN_API cairn_status cairn_model_ignore_contact(cairn_model *model, cairn_body a, cairn_body b);

/* ------------------------------------------------------------------------------------ joints and springs */

/* A point of a body, in its frame; of the world when the body is null. */
typedef struct cairn_attachment
{
    cairn_body body;
    double point[3]; /* m */
} cairn_attachment;

/* The attachment of a body (or the world) at a point given in the world, by the body's initial pose. */
CAIRN_API cairn_attachment cairn_model_attach(const cairn_model *model, cairn_body body, const double world_point[3]);

typedef enum cairn_joint_kind
{
    CAIRN_JOINT_DISTANCE = 0, /* the two points keep their distance: 1 row */
    CAIRN_JOINT_REVOLUTE,     /* the two points coincide (2 rows), in space also the axes (3 + 2 rows) */
    CAIRN_JOINT_ROPE, /* the two points are at most a length apart: 1 row, whose impulse is positive where the rope pulls */
} cairn_joint_kind;

/* A number by name, of joint types that have numbers of their own. */
typedef struct cairn_joint_number
{
    const char *name;
    double value;
} cairn_joint_number;

typedef struct cairn_joint_options
{
    const char *name; /* unique; required */
    cairn_joint_kind kind;
    const char *type; /* the kind by its name, as scene files call it ("rope"); NULL: `kind` counts */
    cairn_attachment a, b;
    double axis[3]; /* revolute in space: in a's frame (the world's if a is the world) */
    double length;  /* m, distance joint and rope; NAN: the initial distance */
    bool collide;   /* whether the two bodies may touch each other; default no */
    double stiffness,
        damping; /* N/m, N s/m: the joint's points give way like a spring and a damper; 0, the default: rigid */
    double angular_stiffness, angular_damping; /* N m/rad, N m s/rad: and so does its axis; revolute in space */
    /* > 0: as that of materials; each row of the joint counts as weight/2, as a contact of two materials of weight 1 does where
     * this is 1; moments count like forces on an arm of 1 m; default 1 */
    double weight;
    const cairn_joint_number *numbers; /* of the type, beyond those above; what is not given has its default */
    int number_count;
} cairn_joint_options;

CAIRN_API cairn_joint_options cairn_joint_default(cairn_joint_kind kind);
CAIRN_API cairn_status cairn_model_add_joint(cairn_model *model, const cairn_joint_options *options, cairn_joint *out);
CAIRN_API int cairn_model_joint_count(const cairn_model *model);
CAIRN_API const char *cairn_model_joint_name(const cairn_model *model, int index);
CAIRN_API cairn_joint_kind cairn_model_joint_kind(const cairn_model *model, int index);
/* As scene files call it: "revolute". */
CAIRN_API const char *cairn_model_joint_type(const cairn_model *model, int index);
/* Whether its two points coincide, so that it is drawn as a pin; others are drawn as a line between their points. */
CAIRN_API bool cairn_model_joint_is_pin(const cairn_model *model, int index);
/* The two attachments of a joint, to draw it. */
CAIRN_API void cairn_model_joint_attachments(const cairn_model *model, int index, cairn_attachment *a,
                                             cairn_attachment *b);

typedef enum cairn_spring_kind
{
    CAIRN_SPRING_LINEAR = 0, /* between two points, along the line through them */
    CAIRN_SPRING_ANGULAR,    /* between two bodies, around an axis */
} cairn_spring_kind;

/* A spring, a damper, or both. Coordinate phi = length - rest (or angle - rest); force -(stiffness phi + damping phi'). */
typedef struct cairn_spring_options
{
    const char *name; /* unique; required */
    cairn_spring_kind kind;
    cairn_attachment a, b;
    double axis[3];   /* angular in space: in a's frame */
    double stiffness; /* N/m or N m/rad, >= 0 */
    double damping;   /* N s/m or N m s/rad, >= 0 */
    double rest;      /* m or rad; NAN: the initial length or angle */
} cairn_spring_options;

CAIRN_API cairn_spring_options cairn_spring_default(cairn_spring_kind kind);
CAIRN_API cairn_status cairn_model_add_spring(cairn_model *model, const cairn_spring_options *options,
                                              cairn_spring *out);
CAIRN_API int cairn_model_spring_count(const cairn_model *model);
CAIRN_API const char *cairn_model_spring_name(const cairn_model *model, int index);
CAIRN_API cairn_spring_kind cairn_model_spring_kind(const cairn_model *model, int index);
/* The two attachments of a spring, to draw it. */
CAIRN_API void cairn_model_spring_attachments(const cairn_model *model, int index, cairn_attachment *a,
                                              cairn_attachment *b);

/* ---------------------------------------------------------------------------------------------- forces */

/* Fill force (N) and torque (N m), both in the world frame; planar torque in entry [2]. */
typedef void (*cairn_force_fn)(void *data, double t, const cairn_body_state *state, double force[3], double torque[3]);

/* An outer force k1(t, q, v), treated explicitly by every integrator: a callback, or expressions in t. */
typedef struct cairn_force_options
{
    const char *name; /* unique; required */
    cairn_body body;
    double point[3]; /* m, body frame: where the force acts; default the centre of mass */
    bool body_frame; /* expressions give the components in the body's frame instead of the world's */
    cairn_force_fn function;
    void *data;
    const char *force[3];  /* expressions in t, e.g. "20*cos(t)"; NULL: 0 */
    const char *torque[3]; /* expressions in t; planar: entry [2] */
} cairn_force_options;

CAIRN_API cairn_force_options cairn_force_default(void);
CAIRN_API cairn_status cairn_model_add_force(cairn_model *model, const cairn_force_options *options, cairn_force *out);
CAIRN_API int cairn_model_force_count(const cairn_model *model);
CAIRN_API const char *cairn_model_force_name(const cairn_model *model, int index);

/* -------------------------------------------------------------------------------- a user's own systems */

/* M(q) v' = k(t, q, v) + joints + contacts, q' = v, in any n coordinates. Matrices are dense and row-major. */
typedef struct cairn_system_options
{
    const char *name;  /* unique; required */
    int n;             /* coordinates */
    const double *q;   /* n, initial; copied */
    const double *v;   /* n, initial; copied; NULL: 0 */
    int joint_count;   /* rows of Theta */
    int gap_count;     /* rows of Phi */
    int tangent_count; /* friction directions a gap: 0, 1 (plane, +-d) or 2 (space) */
    double friction;   /* mu of every gap */
    double restitution;
    void *data;                                                                           /* handed to every callback */
    void (*mass)(void *data, const double *q, double *M);                                 /* n x n; required */
    void (*force)(void *data, double t, const double *q, const double *v, double *k);     /* n; NULL: 0 */
    void (*force_q)(void *data, double t, const double *q, const double *v, double *k_q); /* n x n; NULL: 0 */
    void (*force_v)(void *data, double t, const double *q, const double *v, double *k_v); /* n x n; NULL: 0 */
    void (*joints)(void *data, const double *q, double *theta, double *gradient);         /* rows x n */
    /* phi: gaps; gradient: gaps x n; tangents: gaps x tangent_count x n (NULL when tangent_count is 0) */
    void (*gaps)(void *data, const double *q, double *phi, double *gradient, double *tangents);
    double (*potential)(void *data, const double *q); /* J, for the energy report only; NULL: 0 */
} cairn_system_options;

CAIRN_API cairn_status cairn_model_add_system(cairn_model *model, const cairn_system_options *options,
                                              cairn_system *out);
CAIRN_API int cairn_model_system_count(const cairn_model *model);

CAIRN_END_DECLS

#endif
