/* The internals of a model: dense arrays in the order of creation; body -1 is the world. handles.h translates handles. */
#ifndef CRN_MODEL_MODEL_H
#define CRN_MODEL_MODEL_H

#include "base/context.h"
#include "base/expression.h"
#include "base/memory.h"
#include "base/name_table.h"
#include "cairn/population.h"
#include "model/reference.h"
#include "model/shape/hull.h"
#include "model/shape/mesh_index.h"
#include "model/slots.h"
#include "model/statistic.h"
#include "model/unmade.h"

#include <string.h>

/* How a driven body moves. */
typedef struct crn_driven_motion
{
    cairn_motion_fn callback; /* NULL: by the expressions below */
    void *data;
    crn_expression *position[3]; /* in t; NULL: constant */
    crn_expression *angle;
    char *text[4]; /* of these four, for scene files */
    double axis[3];
} crn_driven_motion;

/* All but the place where a body begins: bodies that begin alike share it (model/traits.h). */
typedef struct crn_body_traits
{
    bool is_round; /* the inertia was given and is the same about all axes */
    double mass;   /* kg, as given; 0: from shapes */
    union          /* kg m^2; read by crn_given_inertia */
    {
        double *inertia;      /* as given, body frame, 3 x 3; planar: [8]; NULL: from shapes */
        double round_inertia; /* where is_round */
    };
    cairn_body_state initial; /* but for the position, which is the body's; read by crn_initial_of */
    uint64_t groups, collides_with;
    crn_driven_motion *motion; /* NULL unless driven */
    size_t owners;             /* bodies that share it; a population's own is not counted */
} crn_body_traits;

/* Heaps have many, so what they share is elsewhere. */
typedef struct crn_body
{
    char *name;     /* a grain's belongs to its population */
    int population; /* its index plus 1; 0: none */
    cairn_body_kind kind : 8;
    bool point : 1;             /* point mass: it does not rotate */
    bool hold : 1;              /* it stays where it is when a mechanism is assembled */
    bool has_traits : 1;        /* it is one of their owners */
    int shape_begin, shape_end; /* all shapes of the body have indices in [begin, end) */
    double position[3];         /* m: of the initial state */
    crn_body_traits *traits;    /* of bodies that begin alike, or of its population */
} crn_body;

static inline cairn_body_state crn_initial_of(const crn_body *body)
{
    cairn_body_state state = body->traits->initial;
    memcpy(state.position, body->position, sizeof state.position);
    return state;
}

/* The inertia of a body as it was given, 3 x 3. Returns false, and all 0, where it follows from the shapes. */
static inline bool crn_given_inertia(const crn_body *body, double out[9])
{
    const crn_body_traits *traits = body->traits;
    bool is_given = traits->is_round || traits->inertia;
    for (int k = 0; k < 9; ++k)
        out[k] = !is_given ? 0.0 : !traits->is_round ? traits->inertia[k] : k % 4 == 0 ? traits->round_inertia : 0.0;
    return is_given;
}

/* How the outline continues beyond a vertex of a piece: the neighbours of that vertex on the outline that do not belong
 * to the piece, and whether the side from it to the next vertex is a cut. */
typedef struct crn_outline_seam
{
    bool has_before, has_after;
    double before[2], after[2]; /* m, body frame */
    bool cut;
} crn_outline_seam;

/* Where a shape is on its body. */
typedef struct crn_shape_frame
{
    double position[3]; /* body frame */
    double angle;
    double orientation[4];
    double rotation[9];
} crn_shape_frame;

/* What spheres do not have: all those of a model share one form. */
typedef struct crn_shape_form
{
    double half[3];   /* box: half edge lengths; ellipse, ellipsoid: semi-axes, in the plane the third is 0;
                         cylinder, cone: radius, radius, half the height; capsule: half the length last */
    double normal[3]; /* half-plane, half-space: unit, body frame */
    double *vertices; /* planar kinds but the half-plane: x, y pairs in the BODY frame, counter-clockwise;
                            point, circle and ellipse: 1, segment and capsule: 2, polygon: 3 or more */
    int vertex_count, local_count;
    crn_outline_seam *seams; /* pieces of a chain or of a concave polygon: one per vertex; NULL: none */
    crn_hull *hull;          /* hull: in the shape's frame */
    crn_mesh *mesh;          /* mesh, height field: likewise */
    crn_mesh_index *mesh_index;
    double *local_vertices;   /* as given, shape frame, for drawing; the first piece has those of the whole outline */
    cairn_shape_kind drawn;   /* kind of the whole shape */
    bool piece;               /* a piece of a larger shape, but not its first */
    double *surface_velocity; /* m/s, body frame: of a conveyor; NULL: the surface moves with its body */
    crn_hull *surface;        /* classes that are drawn by faces but have none: the hull of points on the surface */
} crn_shape_form;

/* One cache line, since heaps have many. */
typedef struct crn_shape
{
    cairn_shape_kind kind;
    int serial; /* number of shapes added to the model before it; contact identities use it as the shape's name */
    int body;
    int material;
    double radius; /* of the rounding: circle, sphere, capsule; 0 for all others */
    double density;
    double bound; /* m: radius of the ball about the body's origin that holds the shape; inf: half-plane, -space */
    crn_shape_form *form;       /* its own, or the model's sphere_form */
    crn_shape_frame *own_frame; /* NULL: that of the body; read by crn_frame_of */
} crn_shape;

/* The frame of a body, where most shapes are. */
extern const crn_shape_frame crn_body_frame;

static inline const crn_shape_frame *crn_frame_of(const crn_shape *shape)
{
    return shape->own_frame ? shape->own_frame : &crn_body_frame;
}

typedef struct crn_material
{
    char *name;
    double friction;
    double restitution;
    double stiffness, damping; /* 0: rigid */
    double tangential;         /* N/m; 0: rigid */
    double rolling, spinning;  /* m: moments they resist with, per normal force */
    double cohesion, range;    /* N, m: a bounded pull, and the gap up to which it acts; range 0: by the bodies' size */
    double weight;
    cairn_patch_options patch; /* elements 0: rigid */
} crn_material;

typedef struct crn_pair
{
    int a, b;                   /* materials, a <= b */
    cairn_pair_options options; /* NAN: as the materials have it */
} crn_pair;

typedef struct crn_attachment
{
    int body; /* -1: the world */
    double point[3];
} crn_attachment;

typedef struct crn_joint_class crn_joint_class; /* model/joints/joint_class.h */

enum
{
    CRN_JOINT_NUMBERS = 8,    /* most class-specific numbers of a joint class */
    CRN_JOINT_COORDINATES = 3 /* most coordinates of one */
};

typedef struct crn_joint
{
    char *name;
    const crn_joint_class *type;
    cairn_joint_kind kind; /* its place in the table of classes */
    crn_attachment a, b;
    double axis[2][3][3]; /* the joint's axes on a and on b, unit, in the body's frame */
    double given[3][3];   /* axis, second_axis and axis_b of its options, for scene files */
    double third;         /* gimbal: 1, or -1 where the third axis is against axis x second_axis */
    double length;
    bool is_mixed; /* coordinates take part in one equation: theta += mix . coordinates - offset */
    double mix[CRN_JOINT_COORDINATES], offset;
    double over[2][3];            /* of classes with pulleys: their places in the world */
    int coordinates;              /* free coordinates */
    unsigned begins, begins_rate; /* bits of the coordinates whose values, and whose rates, at the start are given: */
    double initial[CRN_JOINT_COORDINATES], initial_rate[CRN_JOINT_COORDINATES];
    struct crn_element *element; /* what acts on them (joints/element.h): those with equations first */
    int element_count;
    double number[CRN_JOINT_NUMBERS]; /* class-specific, in the order of the class */
    struct crn_bushing *bushing;      /* of that class (joints/bushing.h) */
    int own_rows, own_bounded;        /* equations and bounded rows of the class */
    int rows;                         /* equations */
    int item;                         /* index among the joints with equations; -1: it has none */
    int bounded;                      /* bounded rows, after the equations */
    double stiffness, damping, angular_stiffness, angular_damping; /* 0: rigid */
    double weight;
    bool parts;                    /* it keeps its two bodies from touching */
    struct crn_coupling *coupling; /* what a coupling adds up (joints/coupling.h); NULL: a joint of two bodies */
} crn_joint;

typedef struct crn_spring
{
    char *name;
    cairn_spring_kind kind;
    crn_attachment a, b;
    double axis_a[3]; /* angular in space: unit, a's frame */
    double stiffness, damping, rest;
} crn_spring;

typedef struct crn_force
{
    char *name;
    int body;
    double point[3];
    bool body_frame;
    cairn_force_fn function;
    cairn_force_slopes_fn slopes;
    void *data;
    crn_expression *force[3]; /* NULL: 0 */
    crn_expression *torque[3];
    char *text[6];             /* of these six, for messages */
    crn_references references; /* what they name */
} crn_force;

typedef struct crn_system
{
    char *name;
    cairn_system_options options; /* q, v, name point to the copies below */
    double *q0, *v0;
} crn_system;

typedef struct crn_ignore
{
    int a, b;    /* a < b */
    int reasons; /* number of joints and requests that keep them apart; 0: they may touch again */
} crn_ignore;

/* How the grains of a population come and go. */
typedef struct crn_flow_options
{
    cairn_insertion insertion;
    bool inserts, removes, recycles;
    cairn_population_region in, out; /* their arrays, and the table of sizes, belong to this */
    cairn_sizes sizes;
    cairn_packing packing;
    double spacing, jitter;
    double velocity[3], angular_velocity[3];
    uint64_t seed, groups, collides_with;
    bool turned; /* they come in with random orientations */
} crn_flow_options;

/* Bodies that were described together (populate/). Their names are not in the table of names: they say where the body is. */
typedef struct crn_population
{
    char *name;
    char *names; /* one per grain, `stride` bytes each: "sand[17]" */
    size_t stride;
    int32_t first_slot; /* the slots of the grains follow each other */
    int count;
    crn_body_traits *traits; /* of the grains that begin as the first of them does */
    crn_flow_options *flow;  /* NULL: all are there from the start and stay */
} crn_population;

struct cairn_model
{
    cairn_context *context;
    crn_arena memory;  /* the arrays of bodies, shapes, materials, pairs, joints, springs, forces and systems */
    uint16_t number;   /* of the model in its context, from 1; 0: it has no context */
    uint64_t revision; /* incremented by every addition and removal */
    int serials;       /* number of shapes ever added */
    int dimension;
    double gravity[3];
    double box[3]; /* m: of the periodic box; 0: open (model/periodic.h) */
    double shear;  /* 1/s */
    bool gives;    /* some material or joint has a stiffness */
    bool rolls;    /* some material resists rolling or spinning */
    bool coheres;  /* some material or pair pulls */
    double range;  /* m: the largest gap at which one is told to pull */
    bool weighs;   /* some has a weight other than 1 */
    bool drifts;   /* some surface moves beyond its body (collide/drift.h) */
    crn_body *bodies;
    size_t body_count; /* in the array */
    crn_unmade unmade; /* further bodies */
    crn_slots body_slots;
    crn_name_table body_names;
    crn_population *populations;
    size_t population_count;
    bool flows; /* some population has a flow */
    crn_shape *shapes;
    size_t shape_count;
    crn_shape_form *sphere_form; /* of all spheres whose surface does not move; NULL: there are none yet */
    crn_slots shape_slots;
    crn_material *materials; /* [0] is the default one */
    size_t material_count;
    crn_slots material_slots;
    crn_name_table material_names;
    crn_pair *pairs;
    size_t pair_count;
    crn_joint *joints;
    size_t joint_count;
    crn_slots joint_slots;
    crn_name_table joint_names;
    int joint_items;     /* joints that have equations */
    int bounded_rows;    /* of all joints */
    bool has_elements;   /* something acts on the coordinates of joints, or there are couplings */
    bool has_references; /* expressions name quantities of bodies and joints */
    bool has_rotors;     /* some coordinate has an inertia of its own */
    bool has_bearings;   /* friction of some joint grows with its load */
    bool has_initial;    /* some coordinate has a value or a rate to begin with */
    int couplings;
    crn_spring *springs;
    size_t spring_count;
    crn_slots spring_slots;
    crn_name_table spring_names;
    crn_force *forces;
    size_t force_count;
    crn_slots force_slots;
    crn_name_table force_names;
    crn_system *systems;
    size_t system_count;
    crn_slots system_slots;
    crn_name_table system_names;
    crn_statistic *statistics;
    size_t statistic_count;
    crn_slots statistic_slots;
    crn_name_table statistic_names;
    crn_ignore *ignored; /* a hash table, ignored.c */
    size_t ignored_count, ignored_slots;
};

/* Free what a body or a force owns, not the struct itself. */
void crn_body_release(crn_body *body);
void crn_force_release(crn_force *force);

/* Friction and restitution of shapes of two materials. */
void crn_materials_pair(const cairn_model *model, int a, int b, double *friction, double *restitution);
/* m: the lengths of rolling and spinning friction. */
void crn_materials_rolling(const cairn_model *model, int a, int b, double *rolling, double *spinning);
/* N: the largest pull of a contact; *range, in m: the gap up to which it acts, 0 where it is not told. */
double crn_materials_cohesion(const cairn_model *model, int a, int b, double *range);

/* Whether two shapes touch with a compliant patch; *finer: the material whose elements the patch uses. */
bool crn_model_patch_of(const cairn_model *model, int shape_a, int shape_b, int *finer);
/* The same for two materials. */
bool crn_materials_patch(const cairn_model *model, int a, int b, int *finer);

/* Whether two bodies may touch: they differ, one is dynamic, their groups collide, and the pair is not ignored. */
bool crn_model_may_touch(const cairn_model *model, int body_a, int body_b);

/* Mass (kg) of a body's shapes and its centre (m, body frame), wherever that is; the extent of the shapes from the origin (m). */
void crn_model_shapes_mass(const cairn_model *model, int body, double *mass, double centre[3], double *extent);

/* Mass and inertia (3x3, body frame; planar [8]) of a body, including its shapes. CAIRN_INVALID with a message when a
 * dynamic body has no mass or inertia, or when the centre of its shapes is not the origin of its frame. */
cairn_status crn_model_mass(const cairn_model *model, int body, double *mass, double inertia[9]);
/* The same with messages in another context than the model's. */
cairn_status crn_model_weigh(cairn_context *context, const cairn_model *model, int body, double *mass,
                             double inertia[9]);

/* Pose of a driven (or fixed) body at time t. */
void crn_model_pose_at(const cairn_model *model, int body, double t, cairn_body_state *pose);
/* Velocity of a driven body just after t (side 1) or just before it (side -1): linear in the world frame, angular in the
 * body's frame. Expressions are differentiated exactly; callbacks by extrapolated central differences, which ignore the
 * side. In motion.c. */
void crn_model_velocity_at(const cairn_model *model, int body, double t, int side, double twist[6]);
/* Recompute what depends on all joints: their rows, and whether compliance, weights and elements are in use. */
void crn_model_review_joints(cairn_model *model);
/* The same where one joint alone has more rows than before: `rows` and `bounded` are what it had. */
void crn_model_review_joint(cairn_model *model, int index, int rows, int bounded);

/* The first time in (t0, t1] at which the velocity of a body driven by expressions jumps, INFINITY: none (see
 * crn_expression_next_kink). */
double crn_model_next_kink(const cairn_model *model, double t0, double t1);

#endif
