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

/* What the world consists of. One thread at a time may change a model. */
typedef struct cairn_model cairn_model;

/* Handles name the things in a model. They are small structs, passed by value, and stay valid until their thing is removed.
 * A handle whose id is 0 is null; `(cairn_body){0}` is how to write one. Where something is attached to a body, the null body
 * is the world. Two handles name the same thing when all three fields are equal.
 *
 * A stale handle (its thing was removed) and a foreign one (of another model) are recognised: functions that return a status
 * answer CAIRN_INVALID with a sentence, and getters return the value that their comment names. Handles read from run files
 * have model 0, which fits every model. Do not write to the fields. All handles have the same three. */
typedef struct cairn_body
{
    /* Slot, from 1; 0: null. */
    int32_t id;
    /* Number of the model in its context; 0: any. */
    uint16_t model;
    /* How many things the slot named before this one. */
    uint16_t generation;
} cairn_body;
typedef struct cairn_shape
{
    int32_t id;
    uint16_t model;
    uint16_t generation;
} cairn_shape;
typedef struct cairn_material
{
    int32_t id;
    uint16_t model;
    uint16_t generation;
} cairn_material;
typedef struct cairn_joint
{
    int32_t id;
    uint16_t model;
    uint16_t generation;
} cairn_joint;
typedef struct cairn_spring
{
    int32_t id;
    uint16_t model;
    uint16_t generation;
} cairn_spring;
typedef struct cairn_force
{
    int32_t id;
    uint16_t model;
    uint16_t generation;
} cairn_force;
typedef struct cairn_system
{
    int32_t id;
    uint16_t model;
    uint16_t generation;
} cairn_system;

/* Make an empty model of dimension 2 (planar) or 3 (spatial). It has one material, named "default". Messages about it go to
 * the context, which may be NULL when nobody wants to read them. CAIRN_INVALID for another dimension. On failure *out is NULL;
 * otherwise the caller destroys the model. */
CAIRN_API cairn_status cairn_model_create(cairn_context *context, int dimension, cairn_model **out);

/* Destroy a model and all that is in it. NULL is allowed. */
CAIRN_API void cairn_model_destroy(cairn_model *model);

/* 2 (planar) or 3 (spatial). */
CAIRN_API int cairn_model_dimension(const cairn_model *model);

/* A number that grows whenever something is added to the model or removed from it. Compare two values to learn whether arrays
 * with one entry per body are still up to date. */
CAIRN_API uint64_t cairn_model_revision(const cairn_model *model);

/* Set gravity, in m/s^2. The default is (0, -9.81, 0) in the plane and (0, 0, -9.81) in space. A simulation takes it from the model
 * when it is created; cairn_simulation_set_gravity changes it later. CAIRN_INVALID when a number is not finite. */
CAIRN_API cairn_status cairn_model_set_gravity(cairn_model *model, const double gravity[3]);

/* Make the model periodic: everything repeats at multiples of `size` (m) along the axes of the world; 0: open along that axis, which all
 * are at the start. With a shear rate (1/s), images above each other along y move past each other along x at shear * size[1] (Lees
 * and Edwards 1972); x and y must be periodic then. States are not wrapped: a body that crosses the border goes on. Bodies may be half as
 * large as the box at most, which simulations check. CAIRN_INVALID for a size below 0 or a number that is not finite. */
CAIRN_API cairn_status cairn_model_set_periodic(cairn_model *model, const double size[3], double shear);
/* The sizes, 0 where the model is open, and the shear rate. */
CAIRN_API void cairn_model_periodic(const cairn_model *model, double size[3], double *shear);

/* Get gravity, in m/s^2. */
CAIRN_API void cairn_model_gravity(const cairn_model *model, double gravity[3]);

/* ------------------------------------------------------------------------------------------- materials */

/* What a force on one element of a patch does to another. */
typedef enum cairn_patch_kernel
{
    /* Even load on a square, mean displacement of a square: definite for all elements. */
    CAIRN_KERNEL_MEAN = 0,
    /* Force at a point, displacement at a point, as Song et al. 2004, appendix A, corrected. */
    CAIRN_KERNEL_POINT,
} cairn_patch_kernel;

/* A compliant material: every contact becomes a patch of viscoelastic elements (Song et al. 2004, docs/patches.md), n_s in the
 * plane and n_s x n_s in space, squares of side rho_0 on an elastic half-space. K = Xi^-1 and C = 2 damping sqrt(K) +
 * retardation K, the root that of the matrix and for 1 kg. Such a contact has no restitution: it bounces as far as it is
 * elastic. */
typedef struct cairn_patch_options
{
    /* n_s: elements per patch (per side in space); odd; 0, the default: the material is rigid. */
    int elements;
    /* m: side rho_0 of an element, > 0. */
    double spacing;
    /* m^2/N: eps = 1/E > 0, with E Young's modulus. */
    double compliance;
    /* Poisson's ratio nu, -1 < nu <= 0.5; default 0.3. */
    double poisson;
    /* Damping ratio, >= 0; default 1, as in the paper. */
    double damping;
    /* s: retardation time, >= 0; default 0. */
    double retardation;
    /* Default mean. */
    cairn_patch_kernel kernel;
} cairn_patch_options;

/* Largest n_s in the plane and in space. */
enum
{
    CAIRN_MAX_ELEMENTS_PLANE = 99,
    CAIRN_MAX_ELEMENTS_SPACE = 25,
};

/* A material: friction, restitution and stiffness of surfaces. */
typedef struct cairn_material_options
{
    /* Set by cairn_material_default; do not change. */
    size_t struct_size;
    /* Unique among materials; required. */
    const char *name;
    /* Coulomb's mu, >= 0; default 0.5. */
    double friction;
    /* Newton's e, 0..1; default 0. */
    double restitution;
    /* N/m, > 0: contacts give way like a spring and a damper (docs/forces.md), implicit in the step, in series with those of
     * the other material. They have no restitution. 0, the default: rigid. */
    double stiffness;
    /* N s/m, >= 0: the damper of such contacts; requires a stiffness; default 0. */
    double damping;
    /* N/m, > 0: the spring along the surface, which friction stretches; requires a stiffness. 0, the default: the same as
     * the stiffness. Elastic bodies have 2 (1 - nu)/(2 - nu) times that, with nu Poisson's ratio. */
    double tangential_stiffness;
    /* m, >= 0: the moment that resists rolling is at most this length times the normal force; default 0. Those of two
     * materials in contact add up. */
    double rolling_friction;
    /* m, >= 0: the same for spinning about the normal; default 0. */
    double spinning_friction;
    /* N, >= 0: contacts hold together up to this pull (docs/laws.md); default 0. Two materials have the geometric mean. */
    double cohesion;
    /* m, >= 0: the gap up to which they pull; two materials have the larger one. 0, the default: a thousandth of the size of
     * the smaller body that moves. */
    double cohesion_range;
    /* > 0: relative stiffness by which redundant rigid contacts share a load; default 1. Two materials a and b in contact count
     * as a b/(a + b), like two springs in series. */
    double weight;
    /* A patch of elastic elements per contact (docs/patches.md), instead of a stiffness; default none. */
    cairn_patch_options patch;
} cairn_material_options;

/* The defaults named above. Each cairn_*_default function also sets struct_size, by which the library recognises options that
 * were never initialised or were compiled for another version. */
CAIRN_API cairn_material_options cairn_material_default(void);

/* Add a material. CAIRN_INVALID, with the material's name and the field at fault in the message, when a value is out of range or
 * the name is missing or taken. Materials cannot be removed. */
CAIRN_API cairn_status cairn_model_add_material(cairn_model *model, const cairn_material_options *options,
                                                cairn_material *out);

/* The number of materials, including the default one. */
CAIRN_API int cairn_model_material_count(const cairn_model *model);

/* Material `index`, from 0, in the order of adding; 0 is the default material. The null handle for an index out of range. */
CAIRN_API cairn_material cairn_model_material(const cairn_model *model, int index);

/* The material with this name; the null handle when there is none. */
CAIRN_API cairn_material cairn_model_find_material(const cairn_model *model, const char *name);

/* Name of a material ("default" for the null handle, "" for a stale or foreign one). It lives as long as the model. */
CAIRN_API const char *cairn_model_material_name(const cairn_model *model, cairn_material material);

/* The options of a material as they were given. A null, stale or foreign handle returns those of the default material. */
CAIRN_API cairn_material_options cairn_model_material_options(const cairn_model *model, cairn_material material);

/* Set friction and restitution of one pair of materials. Otherwise a pair has the geometric mean of the two frictions and the
 * larger of the two restitutions. Where two compliant materials meet, the compliances add up; elements, spacing and kernel are
 * those of the finer one (smaller spacing, then more elements, then the first), and damping and retardation are the mean. A
 * rigid side adds nothing. The null material is the default one (friction 0.5, restitution 0). CAIRN_INVALID when the
 * pair was set before, a value is out of range or a material is not in the model. */
CAIRN_API cairn_status cairn_model_set_pair(cairn_model *model, cairn_material a, cairn_material b, double friction,
                                            double restitution);

/* What two materials have in contact with each other. NAN in any field: what follows from the two materials. */
typedef struct cairn_pair_options
{
    /* Set by cairn_pair_default; do not change. */
    size_t struct_size;
    /* Coulomb's mu, >= 0. */
    double friction;
    /* Newton's e, 0..1. */
    double restitution;
    /* m, >= 0: as in cairn_material_options, but the sum of both sides. */
    double rolling_friction, spinning_friction;
    /* N, >= 0: the largest pull of a contact. */
    double cohesion;
} cairn_pair_options;

/* NAN in all fields. */
CAIRN_API cairn_pair_options cairn_pair_default(void);

/* Set what a pair of materials has, as cairn_model_set_pair does for friction and restitution. The same errors. */
CAIRN_API cairn_status cairn_model_add_pair(cairn_model *model, cairn_material a, cairn_material b,
                                            const cairn_pair_options *options);

/* ---------------------------------------------------------------------------------------------- bodies */

/* What moves a body. */
typedef enum cairn_body_kind
{
    /* Moves under forces. */
    CAIRN_DYNAMIC = 0,
    /* Never moves */
    CAIRN_FIXED,
    /* Follows a prescribed motion, whatever pushes it. */
    CAIRN_DRIVEN,
} cairn_body_kind;

/* Pose and velocity of one body. Planar: position[2] is 0, the quaternion turns about z by `angle`. */
typedef struct cairn_body_state
{
    /* m, centre of mass. */
    double position[3];
    /* rad, planar; 0 in space. */
    double angle;
    /* Unit quaternion (w, x, y, z), body to world. */
    double orientation[4];
    /* m/s, world frame. */
    double velocity[3];
    /* rad/s, body frame; planar: entry [2]. */
    double angular_velocity[3];
} cairn_body_state;

/* Exchange a state for that of the body's image in the box, which is centred at the origin, at time t: for pictures, and for places and
 * velocities relative to the mean flow. Along open axes nothing changes. */
CAIRN_API void cairn_model_wrap(const cairn_model *model, double t, cairn_body_state *state);

/* Prescribed motion: fill position and angle (planar) or orientation (spatial) at time t; velocities are ignored. A first-order
 * step moves the body from pose(t) to pose(t + h) at constant velocity; second-order ones differentiate the poses. */
typedef void (*cairn_motion_fn)(void *data, double t, cairn_body_state *pose);

/* A body: its mass, its initial state, and how it moves. */
typedef struct cairn_body_options
{
    /* Set by cairn_body_default; do not change. */
    size_t struct_size;
    /* Unique among bodies; required; not "world". */
    const char *name;
    cairn_body_kind kind;
    /* A point mass, which does not rotate: 2 or 3 degrees of freedom. Default no. */
    bool point;
    /* kg; 0, the default: from the shapes' densities. */
    double mass;
    /* kg m^2 about the centre of mass, body frame: the matrix entries xx yy zz xy xz yz; planar: only entry [2] (zz). All 0,
     * the default: from the shapes. */
    double inertia[6];
    /* m */
    double position[3];
    /* rad, planar */
    double angle;
    /* Spatial; normalised on the way in. */
    double orientation[4];
    /* m/s, world frame. */
    double velocity[3];
    /* rad/s, body frame. */
    double angular_velocity[3];
    /* Driven bodies: this callback, or the expressions below. */
    cairn_motion_fn motion;
    void *motion_data;
    /* Contact filter: a bit for each group it belongs to; default 1, the group of all others. */
    uint64_t groups;
    /* Bits of the groups it may touch; default all. Two bodies touch only when each has a group that the other may
     * touch. */
    uint64_t collides_with;
    /* Expressions in t, e.g. "0.1*sin(2*t)"; NULL: stays at `position`. */
    const char *motion_position[3];
    /* Expression in t, rad: turn about `motion_axis` (planar: about z). */
    const char *motion_angle;
    /* Spatial: body-frame axis of that turn, applied after `orientation`. */
    double motion_axis[3];
    /* When a mechanism is assembled (cairn/assembly.h), the body keeps the pose and velocity given here; default no. */
    bool hold;
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

/* The number of bodies. */
CAIRN_API int cairn_model_body_count(const cairn_model *model);

/* Body `index`, from 0, in the order of adding; the null handle for an index out of range. Removing a body moves those behind it
 * one index forward, so keep handles rather than indices. */
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

/* Inertia (kg m^2) likewise, about the centre of mass in the body's frame, row by row; planar: only entry [8]. All 0 where the mass is 0. */
CAIRN_API void cairn_model_body_inertia(const cairn_model *model, cairn_body body, double inertia[9]);

/* ---------------------------------------------------------------------------------------------- shapes */

/* The kinds of shapes. Measures are those of cairn_shape_options. */
typedef enum cairn_shape_kind
{
    /* Plane and space. */
    CAIRN_POINT = 0,
    /* Plane */
    CAIRN_CIRCLE,
    /* Plane: a bar without thickness between two vertices. */
    CAIRN_SEGMENT,
    /* Plane: convex or not, its sides not crossing; vertices counter-clockwise or clockwise. */
    CAIRN_POLYGON,
    /* Plane: everything below a line; fixed and driven bodies only. */
    CAIRN_HALF_PLANE,
    /* Space */
    CAIRN_SPHERE,
    /* Space */
    CAIRN_BOX,
    /* Space; fixed and driven bodies only. */
    CAIRN_HALF_SPACE,
    /* Plane */
    CAIRN_ELLIPSE,
    /* Space */
    CAIRN_ELLIPSOID,
    /* Plane and space: all within a radius of a segment, along x in the plane and z in space. */
    CAIRN_CAPSULE,
    /* Plane: segments joined at their ends; closed where the last vertex is the first. */
    CAIRN_CHAIN,
    /* Space: along z, centred. */
    CAIRN_CYLINDER,
    /* Space: along z, tip up, the origin is its centre of mass: a quarter of the height over the base. */
    CAIRN_CONE,
    /* Space: the convex hull of the vertices. */
    CAIRN_HULL,
    /* Space: triangles, counter-clockwise from outside; fixed and driven bodies, and dynamic ones where it is
     * closed or mass and inertia are given. */
    CAIRN_MESH,
    /* Space: heights along z over a grid, solid below; fixed and driven bodies only. */
    CAIRN_HEIGHT_FIELD,
    /* Space: the wall of a hole along z, centred and open at both ends, in a ring that reaches out to twice its radius; fixed and driven
     * bodies only. */
    CAIRN_HOLLOW_CYLINDER,
    /* Space: the same with another radius at its lower end. */
    CAIRN_HOLLOW_CONE,
} cairn_shape_kind;

/* Name of a kind as scene files spell it; "unknown" for any other number. Must not be freed. */
CAIRN_API const char *cairn_shape_kind_name(cairn_shape_kind kind);

/* A shape: its kind, its measures, and where it sits on its body. Only the measures of its kind are looked at. */
typedef struct cairn_shape_options
{
    /* Set by cairn_shape_default; do not change. */
    size_t struct_size;
    cairn_shape_kind kind;
    /* m: circle, sphere, capsule, cylinder, cone, hollow cylinder, and the upper end of a hollow cone. */
    double radius;
    /* m: capsule, between the centres of its two round ends. */
    double length;
    /* m: cylinder and cone, hollow ones too. */
    double height;
    /* m: semi-axes of an ellipse (2) or ellipsoid (3), the longest at most 1000 times the shortest. */
    double radii[3];
    /* m: full edge lengths of a box. */
    double size[3];
    /* Half-plane, half-space: outward normal in the shape's frame; need not have unit length. */
    double normal[3];
    /* m, in the shape's frame, copied: x, y pairs for a segment (2), polygon (3 or more) and chain (2 or more); x,
     * y, z for a hull (4 or more) and a mesh. */
    const double *vertices;
    int vertex_count;
    /* Mesh: three vertices each, counted from 0; copied. */
    const int *triangles;
    int triangle_count;
    /* Mesh, hull: an OBJ or STL file instead of arrays, told apart by its contents; height field: a text,
     * one line per row. */
    const char *file;
    /* Mesh, hull: vertices are multiplied by it; height field: heights are; default 1. */
    double scale;
    /* m, mesh: vertices nearer to each other than this become one, and triangles that vanish by it are dropped;
     * default 0: vertices of the same coordinates become one. */
    double weld;
    /* Mesh: reverse the orientation of every triangle; default no. */
    bool flip;
    /* Hull, and mesh that is closed: move it so that its centre of mass is the shape's origin. */
    bool recentre;
    /* m, height field: along z, row by row; x grows along a row, y from row to row; copied. */
    const double *heights;
    /* Height field: points along x and y, two or more; the grid is centred at the shape's origin. */
    int columns, rows;
    /* m, height field: between neighbouring points. */
    double spacing;
    /* m: the shape in the body's frame; a half-plane passes through it. */
    double position[3];
    /* rad: the shape's rotation in the body's frame, planar. */
    double angle;
    /* The same in space: a quaternion (w, x, y, z), normalised when added. */
    double orientation[4];
    /* kg/m^2 in the plane (kg/m for segment and chain), kg/m^3 in space; 0: adds no mass. */
    double density;
    /* Null, the default: the default material. */
    cairn_material material;
    /* m/s, body's frame: the surface moves along itself at this velocity while its body stays, as a conveyor belt does. At a contact
     * its part along the normal does not count. Default 0. */
    double surface_velocity[3];
    /* m: hollow cone, radius of its lower end, less than `radius`, that of its upper end; 0: it is closed in a tip. */
    double opening;
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
    /* Radius: a disc in the plane, a ball in space. */
    CAIRN_LOOK_DISC,
    /* Vertices, one after another. */
    CAIRN_LOOK_LINE,
    /* Vertices, closed */
    CAIRN_LOOK_POLYGON,
    /* Radii: semi-axes */
    CAIRN_LOOK_ELLIPSE,
    /* Radius, length: along x in the plane, along z in space. */
    CAIRN_LOOK_CAPSULE,
    /* Normal: a half-plane or half-space through the shape's position. */
    CAIRN_LOOK_PLANE,
    /* Size */
    CAIRN_LOOK_BOX,
    /* Radius, height: along z, centred. */
    CAIRN_LOOK_CYLINDER,
    /* Radius, height: along z, the base a quarter of the height below the origin. */
    CAIRN_LOOK_CONE,
    /* Vertices and faces; every kind of space not listed above has these. */
    CAIRN_LOOK_FACES,
} cairn_shape_look;

/* What a front end needs to draw a shape. Vertices (x, y pairs; of a hull or mesh x, y, z) and faces live as long as
 * the model. A chain and a polygon that is not convex are followed by further shapes of the model, the pieces that
 * collision detection needs: the first draws the whole, and the others are marked. */
typedef struct cairn_shape_info
{
    cairn_shape_kind kind;
    /* Of the kind, as in scene files. */
    const char *name;
    cairn_shape_look look;
    cairn_body body;
    /* Already drawn by a shape before it. */
    bool piece;
    double radius;
    double length, height;
    double radii[3];
    double size[3];
    double normal[3];
    const double *vertices;
    int vertex_count;
    /* Hull, mesh: face f has the corners face_vertices[face_begin[f]] to [face_begin[f + 1] - 1],. */
    const int *face_begin;
    /* counter-clockwise from outside. */
    const int *face_vertices;
    int face_count;
    /* Mesh: three a face: the face across the edge from corner k to corner k + 1; -1: border. */
    const int *neighbours;
    double position[3];
    double angle;
    double orientation[4];
    /* m/s, body's frame */
    double surface_velocity[3];
    /* m: hollow cone */
    double opening;
} cairn_shape_info;

/* The number of shapes, pieces included. */
CAIRN_API int cairn_model_shape_count(const cairn_model *model);

/* Shape `index`, from 0, in the order of adding; the null handle for an index out of range. Shapes have no names. */
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
    /* m */
    double point[3];
} cairn_attachment;

/* The attachment of a body at a point given in the world (m), by the body's initial pose. With the null body, or a stale or
 * foreign one, the point of the world itself. */
CAIRN_API cairn_attachment cairn_model_attach(const cairn_model *model, cairn_body body, const double world_point[3]);

/* The built-in kinds of joints. */
typedef enum cairn_joint_kind
{
    /* The two points keep their distance: 1 row. */
    CAIRN_JOINT_DISTANCE = 0,
    /* The two points coincide (2 rows), in space also the axes (3 + 2 rows). */
    CAIRN_JOINT_REVOLUTE,
    /* The two points are at most a length apart: 1 row, whose impulse is positive where the rope pulls. */
    CAIRN_JOINT_ROPE,
    /* Space: the two points coincide (3 rows). */
    CAIRN_JOINT_BALL,
    /* b moves with a: 2 + 1 rows, in space 3 + 3. */
    CAIRN_JOINT_WELD,
    /* b slides along the axis and does not turn: 1 + 1 rows, in space 2 + 3. */
    CAIRN_JOINT_PRISMATIC,
    /* Space: b slides along the axis and turns about it (2 + 2 rows). */
    CAIRN_JOINT_CYLINDRICAL,
    /* Space: the two points coincide, and b turns about the axis, which a keeps, and the second axis, which b keeps (3 + 1 rows). */
    CAIRN_JOINT_UNIVERSAL,
    /* Space: b slides in a plane whose normal is the axis, and turns about it (1 + 2 rows). */
    CAIRN_JOINT_PLANAR,
    /* b's point stays on a line along the axis: a pin in a slot (1 row), in space a point on a line (2 rows). */
    CAIRN_JOINT_SLOT,
    /* Space: b's point stays on a plane whose normal is the axis (1 row). */
    CAIRN_JOINT_POINT_ON_PLANE,
    /* Space: the two points coincide, and b does not twist against a, at any bend (3 + 1 rows). */
    CAIRN_JOINT_CONSTANT_VELOCITY,
    /* Space: as cylindrical, with a slide of `pitch` m per turn (3 + 2 rows). */
    CAIRN_JOINT_SCREW,
    /* Plane: a wheel about b's point rolls without slip on a line through a's point along the axis (2 rows). */
    CAIRN_JOINT_ROLLING,
    /* A pinion of `radius` about b's point meshes with a rack of a, along the axis, in space along the second axis (1 row). */
    CAIRN_JOINT_RACK,
    /* Two gear wheels about the points mesh; `ratio` is the radius of a's by that of b's (1 row). */
    CAIRN_JOINT_GEAR,
    /* A taut rope from a's point over two fixed pulleys to b's point; `ratio` strands lead to b (1 row). */
    CAIRN_JOINT_PULLEY,
    /* A full stiffness matrix and a full damping matrix hold b in its initial pose against a (up to 3 or 6 rows). */
    CAIRN_JOINT_BUSHING,
    /* Space: the two points coincide, and b turns by three angles: about the axis, which a keeps, about the second axis, which that turn
     * carries along, and about the third, which b keeps (3 rows). */
    CAIRN_JOINT_GIMBAL,
    /* Space: two hinges in a row, about the axis, which a keeps, and the second axis, which b keeps. The points are where the two axes pass
     * each other, at the distance that they have at the start (3 + 1 rows). */
    CAIRN_JOINT_DOUBLE_HINGE,
    /* Several bodies; made by cairn_model_add_coupling. */
    CAIRN_JOINT_COUPLING = 1000,
} cairn_joint_kind;

/* A number by name, of joint types that have numbers of their own. */
typedef struct cairn_joint_number
{
    const char *name;
    double value;
} cairn_joint_number;

/* A joint between two points. */
typedef struct cairn_joint_options
{
    /* Set by cairn_joint_default; do not change. */
    size_t struct_size;
    /* Unique among joints; required. */
    const char *name;
    cairn_joint_kind kind;
    /* The kind by its name, as scene files call it ("rope"); NULL: `kind` counts. */
    const char *type;
    cairn_attachment a, b;
    /* In a's frame (the world's if a is the world), of kinds that have an axis; both bodies have it at the start. */
    double axis[3];
    /* Universal, gimbal, double hinge and rack in space: likewise, perpendicular to `axis`. Constant velocity: the axis of b at the start, if it is not
     * `axis`. */
    double second_axis[3];
    /* Space, kinds with `axis` but without `second_axis`: the axis in b's frame (the world's if b is the world), for a mechanism
     * that is yet to be assembled; 0, the default: where `axis` is at the start. Gimbal: the third axis in b's frame, perpendicular
     * to the other two at the start; default `axis` x `second_axis`. */
    double axis_b[3];
    /* m, pulley: the places of the two pulleys in the world. */
    double over[2][3];
    /* m: distance joint, rope and pulley; NAN: as at the start. */
    double length;
    /* Whether the two bodies may touch each other; default no. */
    bool collide;
    double stiffness,
        damping; /* N/m, N s/m: the joint's points give way like a spring and a damper; 0, the default: rigid */
    /* N m/rad, N m s/rad: and so do the angles that it holds. */
    double angular_stiffness, angular_damping;
    /* Bushing: symmetric and positive semidefinite, row by row, of the translation (m) and then the rotation (rad) of b against a
     * along the axes of a's frame: 6 x 6 in space, 3 x 3 (x, y, angle) in the plane. Without a damping, NULL. */
    const double *stiffness_matrix, *damping_matrix;
    /* > 0: as that of materials; each row of the joint counts as weight/2, as a contact of two materials of weight 1 does where
     * this is 1; moments count like forces on an arm of 1 m; default 1 */
    double weight;
    /* Of the type, beyond those above; what is not given has its default. */
    const cairn_joint_number *numbers;
    int number_count;
} cairn_joint_options;

/* A rigid joint of this kind between two points of the world; set its name and attachments. */
CAIRN_API cairn_joint_options cairn_joint_default(cairn_joint_kind kind);

/* Add a joint between two different bodies, or a body and the world, at least one of them dynamic. Lengths and axes that are not
 * given are taken from the bodies' initial poses. CAIRN_INVALID, with the joint's name and the field at fault in the message. */
CAIRN_API cairn_status cairn_model_add_joint(cairn_model *model, const cairn_joint_options *options, cairn_joint *out);

/* A function of time: one of an expression in t ("0.3*sin(t)"), a table and a callback. Expressions of targets may also name quantities
 * of bodies and joints ("2*wheel.omega", docs/state-forces.md). */
typedef double (*cairn_signal_fn)(void *data, double t);
typedef struct cairn_signal
{
    const char *expression;
    /* table_count pairs of a time and a value, times ascending: straight lines in between, constant before and after. */
    const double *table;
    int table_count;
    cairn_signal_fn function;
    void *data;
} cairn_signal;

/* What drives a coordinate of a joint. */
typedef enum cairn_drive_kind
{
    CAIRN_DRIVE_NONE = 0,
    /* The coordinate follows the target. */
    CAIRN_DRIVE_POSITION,
    /* Its rate follows the target. */
    CAIRN_DRIVE_SPEED,
    /* The target is the force or torque. */
    CAIRN_DRIVE_FORCE,
} cairn_drive_kind;

/* What acts on a free coordinate of a joint: m and N, or rad and N m. All of it is implicit. */
typedef struct cairn_coordinate_options
{
    /* Set by cairn_coordinate_default; do not change. */
    size_t struct_size;
    /* The range; default -INFINITY to INFINITY. */
    double lower, upper;
    /* 0 to 1: of an impact at the ends of the range; default 0. */
    double restitution;
    /* >= 0: dry friction, the largest force or torque; default 0. */
    double friction;
    /* >= 0: to this is added the coefficient times what the joint carries (docs/joints.md); default 0. */
    double friction_coefficient;
    /* m, >= 0, angles: the radius at which the reaction across the axis rubs, and that at which the reaction along it does. With a
     * coefficient, one of them is required; default 0. */
    double friction_radius, thrust_radius;
    /* m, >= 0: the joint rests on two bearings this far apart, which carry its moment; default 0: moments do not rub. */
    double bearing_length;
    /* >= 0: viscous friction, force per rate, and the damper of the spring; default 0. */
    double damping;
    /* >= 0: a spring to the rest value; default 0. */
    double stiffness;
    cairn_signal rest;
    /* kg or kg m^2, >= 0: of what turns or slides with the coordinate besides the bodies, e.g. the rotor of a motor times the square of
     * its gear ratio. Its force is - rotor_inertia times the acceleration of the coordinate; default 0. */
    double rotor_inertia;
    cairn_drive_kind drive;
    cairn_signal target;
    /* Gains of a position drive (force per deviation, and per deviation of the rate) and a speed drive (the second); where both are
     * 0, the default, the drive is rigid. */
    double drive_stiffness, drive_damping;
    /* > 0: the most that the drive gives, as a force and as a power (W); default INFINITY. */
    double drive_limit, drive_power;
    /* The value and the rate in which simulations begin that are created later; the bodies are placed accordingly
     * (cairn/assembly.h). A joint that is added to a simulation must have them already. NAN, the default: as the initial poses and
     * velocities of the bodies have it. */
    double initial, initial_rate;
} cairn_coordinate_options;

/* Nothing acts. */
CAIRN_API cairn_coordinate_options cairn_coordinate_default(void);

/* The number of free coordinates of a joint, and the name of coordinate `index`, e.g. "angle"; NULL when there is none. */
CAIRN_API int cairn_model_coordinate_count(const cairn_model *model, cairn_joint joint);
CAIRN_API const char *cairn_model_coordinate_name(const cairn_model *model, cairn_joint joint, int index);

/* Say what acts on a coordinate of a joint, by its name; once per coordinate. A simulation that runs follows in
 * its next step. CAIRN_INVALID, with the joint's name and the field at
 * fault in the message. */
CAIRN_API cairn_status cairn_model_set_coordinate(cairn_model *model, cairn_joint joint, const char *name,
                                                  const cairn_coordinate_options *options);

/* Replace the target of a coordinate's drive; NULL: the one that cairn_model_set_coordinate gave it is back. A simulation that runs
 * follows from its next step on. CAIRN_INVALID, with the joint's name, where the coordinate has no drive. */
CAIRN_API cairn_status cairn_model_set_target(cairn_model *model, cairn_joint joint, const char *name,
                                              const cairn_signal *target);

/* What a front end needs to show a coordinate and what acts on it: units as in cairn_coordinate_options. */
typedef struct cairn_coordinate_info
{
    /* E.g. "angle"; NULL for a coordinate that is not there. */
    const char *name;
    /* Whether it is in rad; others are in m. */
    bool is_angle;
    /* Where the coordinate is measured: an angle is that about `axis`, from `zero` to `needle`; a position is one along `axis`. 0: a
     * direction of a, 1: of b, in the body's frame. Zero vectors where the direction is not fixed in either body. */
    int axis_side, zero_side, needle_side;
    double axis[3], zero[3], needle[3];
    double lower, upper, friction, stiffness, damping, rotor_inertia;
    cairn_drive_kind drive;
    double drive_stiffness, drive_damping, drive_limit, drive_power;
} cairn_coordinate_info;

CAIRN_API cairn_coordinate_info cairn_model_coordinate_info(const cairn_model *model, cairn_joint joint, int index);

/* The target of the drive of coordinate `index` at time t (s); NAN where there is no drive, or its target depends on the state. */
CAIRN_API double cairn_model_target(const cairn_model *model, cairn_joint joint, int index, double t);

/* One term of a coupling: factor times a coordinate of a joint, or times the length of a rope through points of bodies. */
typedef struct cairn_coupling_term
{
    /* Finite and not 0. */
    double factor;
    cairn_joint joint;
    /* The name of the coordinate; NULL: the only one that the joint has. */
    const char *coordinate;
    /* In place of a joint: the points, two or more, through which a rope runs straight from one to the next. */
    const cairn_attachment *points;
    int point_count;
} cairn_coupling_term;

/* A coupling: the sum of its terms is a coordinate, over any number of bodies up to 64. It is a joint with the one coordinate `value`:
 * everything that takes a joint takes a coupling, and cairn_model_set_coordinate says what acts on it (limits, friction, a spring, a
 * drive). */
typedef struct cairn_coupling_options
{
    /* Set by cairn_coupling_default; do not change. */
    size_t struct_size;
    /* Unique among joints and couplings; required. */
    const char *name;
    const cairn_coupling_term *terms;
    int term_count;
    /* Whether the sum is held, by an equation; default yes. */
    bool hold;
    /* m or rad: where it is held; not given: where it is at the start. */
    cairn_signal value;
    /* As that of joints; default 1. */
    double weight;
} cairn_coupling_options;

/* A coupling that is held where it is at the start; set its name and terms. */
CAIRN_API cairn_coupling_options cairn_coupling_default(void);

/* Add a coupling. It is removed with any joint or body that it refers to. CAIRN_INVALID, with the coupling's name and the term at
 * fault in the message. */
CAIRN_API cairn_status cairn_model_add_coupling(cairn_model *model, const cairn_coupling_options *options,
                                                cairn_joint *out);

/* The straight strands of the ropes of a coupling, to draw them: their number, 0 for any other joint, and the ends of one of them. */
CAIRN_API int cairn_model_coupling_strands(const cairn_model *model, cairn_joint coupling);
CAIRN_API void cairn_model_coupling_strand(const cairn_model *model, cairn_joint coupling, int strand,
                                           cairn_attachment *a, cairn_attachment *b);

/* Remove a joint. The bodies that it connected stay, and may touch each other again unless something else forbids it. */
CAIRN_API cairn_status cairn_model_remove_joint(cairn_model *model, cairn_joint joint);

/* The number of joints. */
CAIRN_API int cairn_model_joint_count(const cairn_model *model);

/* Joint `index`, from 0, in the order of adding; the null handle for an index out of range. */
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

/* The two attachments of a joint, to draw it; of a coupling, which has none, the origin of one of its bodies twice. The
 * origin of the world for a null, stale or foreign handle. */
CAIRN_API void cairn_model_joint_attachments(const cairn_model *model, cairn_joint joint, cairn_attachment *a,
                                             cairn_attachment *b);

/* What a front end needs to draw a joint, beside its attachments. */
typedef struct cairn_joint_info
{
    /* Unit, in the frames of a and of b: axis 0 is that about which things turn (in the plane its normal), axis 1 that along which
     * planar joints slide or, in space, the second axis; they coincide at the start, unless the type says otherwise. */
    double axis[2][3][3];
    /* m: of distance, rope and pulley; of rolling the wheel's radius. Others 0. */
    double length;
    /* m, pulley: the places of the two pulleys in the world. */
    double over[2][3];
} cairn_joint_info;

/* All zero for a null, stale or foreign handle. */
CAIRN_API cairn_joint_info cairn_model_joint_info(const cairn_model *model, cairn_joint joint);

/* A number that the joint's type has by this name, e.g. "pitch"; NAN where it has none. */
CAIRN_API double cairn_model_joint_number(const cairn_model *model, cairn_joint joint, const char *name);

/* The kinds of springs. */
typedef enum cairn_spring_kind
{
    /* Between two points, along the line through them. */
    CAIRN_SPRING_LINEAR = 0,
    /* Between two bodies, around an axis. */
    CAIRN_SPRING_ANGULAR,
} cairn_spring_kind;

/* A spring, a damper, or both. Coordinate phi = length - rest (or angle - rest); force -(stiffness phi + damping phi'). */
typedef struct cairn_spring_options
{
    /* Set by cairn_spring_default; do not change. */
    size_t struct_size;
    /* Unique among springs; required. */
    const char *name;
    cairn_spring_kind kind;
    cairn_attachment a, b;
    /* Angular in space: in a's frame. */
    double axis[3];
    /* N/m or N m/rad, >= 0. */
    double stiffness;
    /* N s/m or N m s/rad, >= 0. */
    double damping;
    /* m or rad; NAN: the initial length or angle. */
    double rest;
} cairn_spring_options;

/* A spring of this kind without stiffness and damping; set its name, attachments and constants. */
CAIRN_API cairn_spring_options cairn_spring_default(cairn_spring_kind kind);

/* Add a spring between two different bodies, or a body and the world, at least one of them dynamic. CAIRN_INVALID, with the
 * spring's name and the field at fault in the message. */
CAIRN_API cairn_status cairn_model_add_spring(cairn_model *model, const cairn_spring_options *options,
                                              cairn_spring *out);

/* Remove a spring. The bodies that it connected stay. */
CAIRN_API cairn_status cairn_model_remove_spring(cairn_model *model, cairn_spring spring);

/* The number of springs. */
CAIRN_API int cairn_model_spring_count(const cairn_model *model);

/* Spring `index`, from 0, in the order of adding; the null handle for an index out of range. */
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

/* Compute a force (N) and a torque (N m) at time t (s), both in the world frame; planar torque in entry [2]. `state` is the body's
 * present state. The function must not change anything, and must return the same for the same arguments. */
typedef void (*cairn_force_fn)(void *data, double t, const cairn_body_state *state, double force[3], double torque[3]);

/* Compute the derivatives of force and torque, the rows in this order, by velocity and angular velocity, and by position and a small
 * rotation, the columns likewise; all in the world frame, rows and columns [2], [3] and [4] unused in the plane. The matrices are 0
 * before the call. They need not be exact: they make the step implicit, and do not change what it tends to. */
typedef void (*cairn_force_slopes_fn)(void *data, double t, const cairn_body_state *state, double by_velocity[6][6],
                                      double by_position[6][6]);

/* An applied force k1(t, q, v): a callback, or expressions in t and in quantities of bodies and joints by name: "-0.5*car.vx",
 * "-20*elbow.angle - 2*elbow.angle.rate" (docs/state-forces.md). Derivatives by the state of its own body that resist the motion are
 * taken implicitly by stiff, stiff2 and the trapezoidal schemes. */
typedef struct cairn_force_options
{
    /* Set by cairn_force_default; do not change. */
    size_t struct_size;
    /* Unique among forces; required. */
    const char *name;
    /* Dynamic */
    cairn_body body;
    /* m, body frame: where the force acts; default the centre of mass. */
    double point[3];
    /* Expressions give the components in the body's frame instead of the world's. */
    bool body_frame;
    cairn_force_fn function;
    /* Its derivatives; NULL, the default: it is explicit. */
    cairn_force_slopes_fn slopes;
    void *data;
    /* Expressions, e.g. "20*cos(t)"; NULL: 0. What they name must be in the model. */
    const char *force[3];
    /* Expressions; planar: entry [2]. */
    const char *torque[3];
} cairn_force_options;

/* No force; set its name, its body, and a function or expressions. */
CAIRN_API cairn_force_options cairn_force_default(void);

/* Add a force on a dynamic body. CAIRN_INVALID, with the force's name in the message, when an expression does not compile or the
 * body is not a dynamic one of the model. */
CAIRN_API cairn_status cairn_model_add_force(cairn_model *model, const cairn_force_options *options, cairn_force *out);

/* Remove a force. CAIRN_INVALID for a null, stale or foreign handle, as for all functions that remove something. */
CAIRN_API cairn_status cairn_model_remove_force(cairn_model *model, cairn_force force);

/* The number of forces. */
CAIRN_API int cairn_model_force_count(const cairn_model *model);

/* Force `index`, from 0, in the order of adding; the null handle for an index out of range. */
CAIRN_API cairn_force cairn_model_force(const cairn_model *model, int index);

/* The force with this name; the null handle when there is none. */
CAIRN_API cairn_force cairn_model_find_force(const cairn_model *model, const char *name);

/* Name of a force, which lives as long as the force; "" for a null, stale or foreign handle. */
CAIRN_API const char *cairn_model_force_name(const cairn_model *model, cairn_force force);

/* -------------------------------------------------------------------------------- a user's own systems */

/* M(q) v' = k(t, q, v) + joints + contacts, q' = v, in any n coordinates. Matrices are dense and row-major. */
typedef struct cairn_system_options
{
    /* Set by cairn_system_default; do not change. */
    size_t struct_size;
    /* Unique among systems; required. */
    const char *name;
    /* Coordinates */
    int n;
    /* N, initial; copied. */
    const double *q;
    /* N, initial; copied; NULL: 0. */
    const double *v;
    /* Rows of Theta. */
    int joint_count;
    /* Rows of Phi. */
    int gap_count;
    /* Friction directions a gap: 0, 1 (plane, +-d) or 2 (space). */
    int tangent_count;
    /* Mu of every gap. */
    double friction;
    double restitution;
    /* Handed to every callback. */
    void *data;
    /* N x n; required. */
    void (*mass)(void *data, const double *q, double *M);
    /* N; NULL: 0. */
    void (*force)(void *data, double t, const double *q, const double *v, double *k);
    /* N x n; NULL: 0. */
    void (*force_q)(void *data, double t, const double *q, const double *v, double *k_q);
    /* N x n; NULL: 0. */
    void (*force_v)(void *data, double t, const double *q, const double *v, double *k_v);
    /* Rows x n. */
    void (*joints)(void *data, const double *q, double *theta, double *gradient);
    /* phi: gaps; gradient: gaps x n; tangents: gaps x tangent_count x n (NULL when tangent_count is 0) */
    void (*gaps)(void *data, const double *q, double *phi, double *gradient, double *tangents);
    /* J, for the energy report only; NULL: 0. */
    double (*potential)(void *data, const double *q);
} cairn_system_options;

/* No coordinates and no callbacks: fill at least name, n, q and mass. */
CAIRN_API cairn_system_options cairn_system_default(void);

/* Add a system. CAIRN_INVALID, with its name in the message, when a callback that its numbers of rows ask for is missing. Systems
 * cannot be removed. */
CAIRN_API cairn_status cairn_model_add_system(cairn_model *model, const cairn_system_options *options,
                                              cairn_system *out);

/* The number of systems. */
CAIRN_API int cairn_model_system_count(const cairn_model *model);

/* System `index`, from 0, in the order of adding; the null handle for an index out of range. */
CAIRN_API cairn_system cairn_model_system(const cairn_model *model, int index);

/* The system with this name; the null handle when there is none. */
CAIRN_API cairn_system cairn_model_find_system(const cairn_model *model, const char *name);

/* Name of a system, which lives as long as the model; "" for a null, stale or foreign handle. */
CAIRN_API const char *cairn_model_system_name(const cairn_model *model, cairn_system system);

CAIRN_END_DECLS

#endif
