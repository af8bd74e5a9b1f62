/* The model: what the world is. Bodies, shapes, materials, joints, springs, forces and a user's own systems.
 *
 * A model is planar (3 degrees of freedom per body: x, y, angle) or spatial (6: linear velocity in the world frame,
 * angular velocity in the body frame). The origin of a body's frame is its centre of mass. Planar models use the first two
 * entries of every [3] vector and the angle instead of the quaternion; planar angular quantities (angular velocity, torque)
 * stand in entry [2]. Units are SI throughout.
 *
 *     cairn_body_options options = cairn_body_default();
 *     options.name = "ball";
 *     options.position[2] = 1.0;
 *     cairn_body ball;
 *     cairn_status status = cairn_model_add_body(model, &options, &ball);
 *
 * Adding copies everything out of the options: names, vertices and expressions may be freed afterwards. Only callbacks and
 * the data pointers handed to them must stay valid.
 *
 * A model may change while simulations of it run. Bodies, shapes, joints, springs and forces can be added and removed between
 * steps, and each simulation follows at its next step; see cairn_simulation_update. Do not change a model while another
 * thread steps a simulation of it.
 */
#ifndef CAIRN_MODEL_H
#define CAIRN_MODEL_H

#include "cairn/base.h"

CAIRN_BEGIN_DECLS

typedef struct cairn_model cairn_model;

/* Handles name the things in a model. They are small structs, passed by value, and stay valid until their thing is removed.
 * A handle whose id is 0 is null; `(cairn_body){0}` is how to write one. Where something is attached to a body, the null body
 * is the world. Two handles name the same thing when all three fields are equal.
 *
 * A stale handle (its thing was removed) and a foreign one (of another model) are recognised: functions that return a status
 * answer CAIRN_INVALID with a sentence, and getters return the value that their comment names. Handles read from run files
 * have model 0, which fits every model. The fields are not for writing. */
typedef struct cairn_body
{
    int32_t id;          /* slot, from 1; 0: null */
    uint16_t model;      /* number of the model in its context; 0: any */
    uint16_t generation; /* how many things the slot has named before */
} cairn_body;
typedef struct cairn_shape
{
    int32_t id;          /* slot, from 1; 0: null */
    uint16_t model;      /* number of the model in its context; 0: any */
    uint16_t generation; /* how many things the slot has named before */
} cairn_shape;
typedef struct cairn_material
{
    int32_t id;          /* slot, from 1; 0: null */
    uint16_t model;      /* number of the model in its context; 0: any */
    uint16_t generation; /* how many things the slot has named before */
} cairn_material;
typedef struct cairn_joint
{
    int32_t id;          /* slot, from 1; 0: null */
    uint16_t model;      /* number of the model in its context; 0: any */
    uint16_t generation; /* how many things the slot has named before */
} cairn_joint;
typedef struct cairn_spring
{
    int32_t id;          /* slot, from 1; 0: null */
    uint16_t model;      /* number of the model in its context; 0: any */
    uint16_t generation; /* how many things the slot has named before */
} cairn_spring;
typedef struct cairn_force
{
    int32_t id;          /* slot, from 1; 0: null */
    uint16_t model;      /* number of the model in its context; 0: any */
    uint16_t generation; /* how many things the slot has named before */
} cairn_force;
typedef struct cairn_system
{
    int32_t id;          /* slot, from 1; 0: null */
    uint16_t model;      /* number of the model in its context; 0: any */
    uint16_t generation; /* how many things the slot has named before */
} cairn_system;

/* Make an empty model of dimension 2 (planar) or 3 (spatial). It has one material, named "default". Messages about it go to
 * the context, which may be NULL when nobody wants to read them. CAIRN_INVALID for another dimension. On failure *out is NULL;
 * otherwise the caller destroys the model. */
CAIRN_API cairn_status cairn_model_create(cairn_context *context, int dimension, cairn_model **out);
/* Destroy a model and all that is in it. NULL is allowed. */
CAIRN_API void cairn_model_destroy(cairn_model *model);
/* 2 or 3. */
CAIRN_API int cairn_model_dimension(const cairn_model *model);
/* A number that grows whenever something is added to the model or removed from it. */
CAIRN_API uint64_t cairn_model_revision(const cairn_model *model);

/* Gravity in m/s^2. The default is (0, -9.81, 0) in the plane and (0, 0, -9.81) in space. A simulation takes it from the model
 * when it is created; cairn_simulation_set_gravity changes it later. CAIRN_INVALID when a number is not finite. */
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
    size_t struct_size; /* set by cairn_material_default; do not change */
    const char *name;   /* unique among materials; required */
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

/* The defaults named above. Each cairn_*_default function also sets struct_size, by which the library recognises options that
 * were never initialised or were compiled for another version. */
CAIRN_API cairn_material_options cairn_material_default(void);
/* Add a material. CAIRN_INVALID, with the material's name and the field at fault in the message, when a value is out of range or
 * the name is missing or taken. Materials cannot be removed. */
CAIRN_API cairn_status cairn_model_add_material(cairn_model *model, const cairn_material_options *options,
                                                cairn_material *out);
/* How many materials there are, the default one included, and the one at `index`, in the order of adding from 0; index 0 is the
 * default material. The null handle for an index out of range. */
CAIRN_API int cairn_model_material_count(const cairn_model *model);
CAIRN_API cairn_material cairn_model_material(const cairn_model *model, int index);
/* The material with this name; the null handle when there is none. */
CAIRN_API cairn_material cairn_model_find_material(const cairn_model *model, const char *name);
/* Name of a material ("default" for the null handle, "" for a stale or foreign one). It lives as long as the model. */
CAIRN_API const char *cairn_model_material_name(const cairn_model *model, cairn_material material);
/* The options of a material as they were given. A null, stale or foreign handle returns those of the default material. */
CAIRN_API cairn_material_options cairn_model_material_options(const cairn_model *model, cairn_material material);

/* Two compliant materials meet with the compliance of both, the elements, spacing and kernel of the finer one (that with the
 * smaller spacing, the more elements, the first), and the mean of their dampings and retardations. A rigid side adds nothing. */

/* Friction and restitution of one pair of materials. Without it a pair has the geometric mean of the frictions and
 * the larger of the restitutions. The null material is the default one (friction 0.5, restitution 0). CAIRN_INVALID when the
 * pair was set before, a value is out of range or a material is not in the model. */
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
    size_t struct_size; /* set by cairn_body_default; do not change */
    const char *name;   /* unique among bodies; required; not "world" */
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

/* A dynamic body at the origin, at rest, that touches all others. */
CAIRN_API cairn_body_options cairn_body_default(void);
/* Add a body. CAIRN_INVALID, with the body's name and the field at fault in the message, when a value is out of range, an
 * expression does not compile, or the name is missing or taken. A dynamic body also needs mass and inertia, given or from
 * shapes that are added later; whether it has them is checked when a simulation is created or updated. */
CAIRN_API cairn_status cairn_model_add_body(cairn_model *model, const cairn_body_options *options, cairn_body *out);
/* Remove a body, and with it its shapes, every joint and spring attached to it, the forces on it and its ignored contacts. All
 * their handles become stale. The other bodies keep their order. The cost is linear in the size of the model. */
CAIRN_API cairn_status cairn_model_remove_body(cairn_model *model, cairn_body body);
/* Set the pose and velocity in which a dynamic body begins. Simulations in which the body already moves are not affected. What is
 * attached later takes this pose as the initial one: to join bodies where they are now, first set theirs to
 * cairn_simulation_body. CAIRN_INVALID for a body that is not dynamic or numbers that are not finite. */
CAIRN_API cairn_status cairn_model_set_body(cairn_model *model, cairn_body body, const cairn_body_state *state);
/* How many bodies there are, and the one at `index`, in the order of adding from 0; the null handle when out of range. Removing
 * a body moves those behind it one index forward, so keep handles rather than indices. */
CAIRN_API int cairn_model_body_count(const cairn_model *model);
CAIRN_API cairn_body cairn_model_body(const cairn_model *model, int index);
/* Index of a body as cairn_model_body counts them; -1 for a null, stale or foreign handle. For arrays with one entry per body. */
CAIRN_API int cairn_model_body_index(const cairn_model *model, cairn_body body);
/* The body with this name; the null handle when there is none. */
CAIRN_API cairn_body cairn_model_find_body(const cairn_model *model, const char *name);
/* Name of a body: "world" for the null handle, "" for a stale or foreign one. It lives as long as the body. */
CAIRN_API const char *cairn_model_body_name(const cairn_model *model, cairn_body body);
/* Kind of a body; CAIRN_FIXED for a null, stale or foreign handle. */
CAIRN_API cairn_body_kind cairn_model_body_kind(const cairn_model *model, cairn_body body);
/* Mass (kg) of the body as the simulation will use it, shapes counted; 0 for bodies that are not dynamic, that have no valid mass
 * yet, and for null, stale and foreign handles. */
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
    size_t struct_size; /* set by cairn_shape_default; do not change */
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

/* A shape of this kind at the body's origin, of the default material and without density. Its measures are 0 and must be set. */
CAIRN_API cairn_shape_options cairn_shape_default(cairn_shape_kind kind);
/* Add a shape to a body. *out names the whole shape, also one that is stored as several convex pieces. CAIRN_INVALID, with the
 * body's name and the field at fault in the message, when a measure is missing or out of range; CAIRN_IO when its file cannot be
 * read. Contacts are told apart by the shapes' order of adding, which ends at 8388608 shapes, removed ones included. */
CAIRN_API cairn_status cairn_model_add_shape(cairn_model *model, cairn_body body, const cairn_shape_options *options,
                                             cairn_shape *out);

/* Remove a shape with all its pieces; any of their handles names it. A body whose mass came from the shape must keep mass from
 * others, or simulations of the model can no longer be updated. */
CAIRN_API cairn_status cairn_model_remove_shape(cairn_model *model, cairn_shape shape);

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

/* How many shapes there are, pieces counted, and the one at `index`, in the order of adding from 0; the null handle when out of
 * range. Shapes have no names. */
CAIRN_API int cairn_model_shape_count(const cairn_model *model);
CAIRN_API cairn_shape cairn_model_shape(const cairn_model *model, int index);
/* Index of a shape as cairn_model_shape counts them; -1 for a null, stale or foreign handle. */
CAIRN_API int cairn_model_shape_index(const cairn_model *model, cairn_shape shape);
/* A shape's description. A null, stale or foreign handle returns a point of the null body. Pointers in it live as long as the
 * shape. */
CAIRN_API cairn_shape_info cairn_model_shape_info(const cairn_model *model, cairn_shape shape);

/* Let two bodies pass through each other (jointed bodies do unless the joint says otherwise, as long as it is there).
 * CAIRN_INVALID unless they are two different bodies of the model. */
CAIRN_API cairn_status cairn_model_ignore_contact(cairn_model *model, cairn_body a, cairn_body b);

/* ------------------------------------------------------------------------------------ joints and springs */

/* A point of a body, in its frame; of the world when the body is null. */
typedef struct cairn_attachment
{
    cairn_body body;
    double point[3]; /* m */
} cairn_attachment;

/* The attachment of a body at a point given in the world (m), by the body's initial pose. With the null body, or a stale or
 * foreign one, the point of the world itself. */
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
    size_t struct_size; /* set by cairn_joint_default; do not change */
    const char *name;   /* unique among joints; required */
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
/* Add a joint between two different bodies, or a body and the world, at least one of them dynamic. Lengths and axes that are not
 * given are taken from the bodies' initial poses. CAIRN_INVALID, with the joint's name and the field at fault in the message. */
CAIRN_API cairn_status cairn_model_add_joint(cairn_model *model, const cairn_joint_options *options, cairn_joint *out);
/* Remove a joint. The bodies that it connected stay, and may touch each other again unless something else forbids it. */
CAIRN_API cairn_status cairn_model_remove_joint(cairn_model *model, cairn_joint joint);
/* How many joints there are, and the one at `index`, in the order of adding from 0; the null handle when out of range. */
CAIRN_API int cairn_model_joint_count(const cairn_model *model);
CAIRN_API cairn_joint cairn_model_joint(const cairn_model *model, int index);
/* The joint with this name; the null handle when there is none. */
CAIRN_API cairn_joint cairn_model_find_joint(const cairn_model *model, const char *name);
/* Name of a joint, which lives as long as the joint; "" for a null, stale or foreign handle. */
CAIRN_API const char *cairn_model_joint_name(const cairn_model *model, cairn_joint joint);
/* Kind of a joint; CAIRN_JOINT_DISTANCE for a null, stale or foreign handle. */
CAIRN_API cairn_joint_kind cairn_model_joint_kind(const cairn_model *model, cairn_joint joint);
/* Type of a joint as scene files call it, e.g. "revolute"; "" for a null, stale or foreign handle. */
CAIRN_API const char *cairn_model_joint_type(const cairn_model *model, cairn_joint joint);
/* Whether the two points of a joint coincide, so that it is drawn as a pin; others are drawn as a line between their points. */
CAIRN_API bool cairn_model_joint_is_pin(const cairn_model *model, cairn_joint joint);
/* The two attachments of a joint, to draw it; the origin of the world for a null, stale or foreign handle. */
CAIRN_API void cairn_model_joint_attachments(const cairn_model *model, cairn_joint joint, cairn_attachment *a,
                                             cairn_attachment *b);

typedef enum cairn_spring_kind
{
    CAIRN_SPRING_LINEAR = 0, /* between two points, along the line through them */
    CAIRN_SPRING_ANGULAR,    /* between two bodies, around an axis */
} cairn_spring_kind;

/* A spring, a damper, or both. Coordinate phi = length - rest (or angle - rest); force -(stiffness phi + damping phi'). */
typedef struct cairn_spring_options
{
    size_t struct_size; /* set by cairn_spring_default; do not change */
    const char *name;   /* unique among springs; required */
    cairn_spring_kind kind;
    cairn_attachment a, b;
    double axis[3];   /* angular in space: in a's frame */
    double stiffness; /* N/m or N m/rad, >= 0 */
    double damping;   /* N s/m or N m s/rad, >= 0 */
    double rest;      /* m or rad; NAN: the initial length or angle */
} cairn_spring_options;

CAIRN_API cairn_spring_options cairn_spring_default(cairn_spring_kind kind);
/* Add a spring between two different bodies, or a body and the world, at least one of them dynamic. CAIRN_INVALID, with the
 * spring's name and the field at fault in the message. */
CAIRN_API cairn_status cairn_model_add_spring(cairn_model *model, const cairn_spring_options *options,
                                              cairn_spring *out);
/* Remove a spring. The bodies that it connected stay. */
CAIRN_API cairn_status cairn_model_remove_spring(cairn_model *model, cairn_spring spring);
/* How many springs there are, and the one at `index`, in the order of adding from 0; the null handle when out of range. */
CAIRN_API int cairn_model_spring_count(const cairn_model *model);
CAIRN_API cairn_spring cairn_model_spring(const cairn_model *model, int index);
/* The spring with this name; the null handle when there is none. */
CAIRN_API cairn_spring cairn_model_find_spring(const cairn_model *model, const char *name);
/* Name of a spring, which lives as long as the spring; "" for a null, stale or foreign handle. */
CAIRN_API const char *cairn_model_spring_name(const cairn_model *model, cairn_spring spring);
/* Kind of a spring; CAIRN_SPRING_LINEAR for a null, stale or foreign handle. */
CAIRN_API cairn_spring_kind cairn_model_spring_kind(const cairn_model *model, cairn_spring spring);
/* The two attachments of a spring, to draw it; the origin of the world for a null, stale or foreign handle. */
CAIRN_API void cairn_model_spring_attachments(const cairn_model *model, cairn_spring spring, cairn_attachment *a,
                                              cairn_attachment *b);

/* ---------------------------------------------------------------------------------------------- forces */

/* Fill force (N) and torque (N m), both in the world frame; planar torque in entry [2]. */
typedef void (*cairn_force_fn)(void *data, double t, const cairn_body_state *state, double force[3], double torque[3]);

/* An outer force k1(t, q, v), treated explicitly by every integrator: a callback, or expressions in t. */
typedef struct cairn_force_options
{
    size_t struct_size; /* set by cairn_force_default; do not change */
    const char *name;   /* unique among forces; required */
    cairn_body body;    /* dynamic */
    double point[3];    /* m, body frame: where the force acts; default the centre of mass */
    bool body_frame;    /* expressions give the components in the body's frame instead of the world's */
    cairn_force_fn function;
    void *data;
    const char *force[3];  /* expressions in t, e.g. "20*cos(t)"; NULL: 0 */
    const char *torque[3]; /* expressions in t; planar: entry [2] */
} cairn_force_options;

CAIRN_API cairn_force_options cairn_force_default(void);
/* Add a force on a dynamic body. CAIRN_INVALID, with the force's name in the message, when an expression does not compile or the
 * body is not a dynamic one of the model. */
CAIRN_API cairn_status cairn_model_add_force(cairn_model *model, const cairn_force_options *options, cairn_force *out);
/* Remove a force. */
CAIRN_API cairn_status cairn_model_remove_force(cairn_model *model, cairn_force force);
/* How many forces there are, and the one at `index`, in the order of adding from 0; the null handle when out of range. */
CAIRN_API int cairn_model_force_count(const cairn_model *model);
CAIRN_API cairn_force cairn_model_force(const cairn_model *model, int index);
/* The force with this name; the null handle when there is none. */
CAIRN_API cairn_force cairn_model_find_force(const cairn_model *model, const char *name);
/* Name of a force, which lives as long as the force; "" for a null, stale or foreign handle. */
CAIRN_API const char *cairn_model_force_name(const cairn_model *model, cairn_force force);

/* -------------------------------------------------------------------------------- a user's own systems */

/* M(q) v' = k(t, q, v) + joints + contacts, q' = v, in any n coordinates. Matrices are dense and row-major. */
typedef struct cairn_system_options
{
    size_t struct_size; /* set by cairn_system_default; do not change */
    const char *name;   /* unique among systems; required */
    int n;              /* coordinates */
    const double *q;    /* n, initial; copied */
    const double *v;    /* n, initial; copied; NULL: 0 */
    int joint_count;    /* rows of Theta */
    int gap_count;      /* rows of Phi */
    int tangent_count;  /* friction directions a gap: 0, 1 (plane, +-d) or 2 (space) */
    double friction;    /* mu of every gap */
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

/* No coordinates and no callbacks: fill at least name, n, q and mass. */
CAIRN_API cairn_system_options cairn_system_default(void);
/* Add a system. CAIRN_INVALID, with its name in the message, when a callback that its numbers of rows ask for is missing. Systems
 * cannot be removed. */
CAIRN_API cairn_status cairn_model_add_system(cairn_model *model, const cairn_system_options *options,
                                              cairn_system *out);
/* How many systems there are, and the one at `index`, in the order of adding from 0; the null handle when out of range. */
CAIRN_API int cairn_model_system_count(const cairn_model *model);
CAIRN_API cairn_system cairn_model_system(const cairn_model *model, int index);
/* The system with this name; the null handle when there is none. */
CAIRN_API cairn_system cairn_model_find_system(const cairn_model *model, const char *name);
/* Name of a system, which lives as long as the model; "" for a null, stale or foreign handle. */
CAIRN_API const char *cairn_model_system_name(const cairn_model *model, cairn_system system);

CAIRN_END_DECLS

#endif
