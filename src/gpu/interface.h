/* What libcairn and the device's library say to each other: plain C, no type of either side.
 *
 * libcairn opens the library at run time and asks crn_gpu_table_of for a table of functions. The library holds the state of the bodies from
 * `open` to `close`; libcairn reads it back when somebody wants to see it. Units are SI, vectors are in the world frame.
 *
 * Three libraries have this interface. libcairn_gpu.so runs on a CUDA device. libcairn_gpu_twin.so is the same source compiled for the
 * processor, so that tests need no device. libcairn_processor.so is the same again, with double in place of float.
 */
#ifndef CRN_GPU_INTERFACE_H
#define CRN_GPU_INTERFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

    enum
    {
        CRN_GPU_VERSION = 9,    /* of this interface */
        CRN_GPU_CLASSES = 64,   /* different pairs of friction and restitution, at most */
        CRN_GPU_CORNERS = 256,  /* of a hull, at most */
        CRN_GPU_SENTENCE = 256, /* bytes of a message */
        CRN_GPU_STACK = 64,     /* values of a program of a force */
        CRN_GPU_DRIVEN_FLAG = 1
    };

    /* A body with one sphere at its centre of mass, or, in a world with shapes, with those that name it. */
    typedef struct crn_gpu_body
    {
        double x[3];
        double q[4];            /* orientation: w, x, y, z */
        double v[3], w[3];      /* m/s and rad/s, both in the world frame */
        double inverse_mass;    /* 1/kg; 0: fixed or driven */
        double inverse_inertia; /* 1/(kg m^2); 0 likewise */
        double radius;
        int32_t material;
        int32_t driven; /* index among the driven bodies; -1: dynamic or fixed */
        /* of a world with shapes alone, where inverse_inertia, radius and material are not read: */
        double inertia[9]; /* kg m^2, in the body's frame; all 0: it does not turn */
        uint64_t groups, collides_with;
    } crn_gpu_body;

    typedef enum crn_gpu_kind
    {
        CRN_GPU_SPHERE,
        CRN_GPU_CAPSULE, /* along z */
        CRN_GPU_BOX,
        CRN_GPU_ELLIPSOID,
        CRN_GPU_CYLINDER,   /* about z */
        CRN_GPU_CONE_SHAPE, /* about z: its tip at 3/2 of half its height, its base at -1/2 */
        CRN_GPU_HULL,
        CRN_GPU_TRIANGLE,   /* of a mesh or height field; its body is fixed or driven */
        CRN_GPU_HOLLOW,     /* hollow cylinder or cone about z; likewise */
        CRN_GPU_HALF_SPACE, /* likewise */
        CRN_GPU_KINDS
    } crn_gpu_kind;

    /* A shape in the frame of its body. */
    typedef struct crn_gpu_shape
    {
        int32_t kind, body, material;
        int32_t triangle; /* its number, of a triangle; of a hull that of the hull */
        double x[3], q[4];
        double half
            [3]; /* box: half its edges; ellipsoid: its semi-axes; cylinder, cone: radius, radius, half the height; capsule: half its length last; hollow: radius above, radius below, half its height;
                           half-space: its normal, in the body's frame */
        double radius; /* of a sphere or capsule */
    } crn_gpu_shape;

    /* The corners and faces of a hull, in arrays that all hulls share: corner c of them lies on the faces hull_at[hull_at_begin[c]] to
     * hull_at[hull_at_begin[c + 1] - 1], and face f has the corners hull_face_corner[hull_face_begin[f]] and so on, counter-clockwise from outside, by
     * their numbers in their hull. */
    typedef struct crn_gpu_hull
    {
        int32_t corner, corners; /* the first of its corners, and how many there are */
        int32_t face, faces;
        double thickness, extent; /* m: half the least; of the furthest corner from the origin */
    } crn_gpu_hull;

    /* A triangle of a mesh, counter-clockwise from outside. Edge k runs from corner k to the next. */
    typedef struct crn_gpu_triangle
    {
        int32_t v[3];         /* vertices */
        int32_t neighbour[3]; /* the triangle across an edge; -1: none */
        int8_t bend[3];       /* of an edge: 1 convex or at a border, 0 flat, -1 concave */
        uint8_t
            owns; /* bit k: corner k, bit 3 + k: edge k, which no other triangle looks at, and which can be touched */
        uint8_t
            is_ground; /* it is of a height field, which is solid below; read by the certificate of the physics alone */
        double n[3];   /* unit, outward, in the body's frame */
    } crn_gpu_triangle;

    /* A half-space n . x <= offset of a fixed or driven body. */
    typedef struct crn_gpu_plane
    {
        double n[3], offset, v[3];
        int32_t material;
        int32_t driven; /* index among the driven bodies; -1: fixed */
    } crn_gpu_plane;

    /* A driven body in one step: its pose at the start and its mean velocity. Of a driven half-space, `x` is any point of its surface,
 * q is not read, and w must be 0. */
    typedef struct crn_gpu_drive
    {
        double x[3], q[4], v[3], w[3];
    } crn_gpu_drive;

    typedef enum crn_gpu_law
    {
        CRN_GPU_FRICTIONLESS,
        CRN_GPU_CONE,
        CRN_GPU_CONVEX
    } crn_gpu_law;

    /* What a pair of materials has besides friction and restitution. Worlds with shapes only. */
    typedef struct crn_gpu_surface
    {
        double rolling, spinning; /* m: times the normal force, the largest moments that resist rolling and spinning */
        double cohesion, range; /* N: the largest pull; m: the gap up to which it acts, 0: by the size of the bodies */
    } crn_gpu_surface;

    enum
    {
        CRN_GPU_EQUATIONS = 8, /* of a joint, at most */
        CRN_GPU_FACTOR = 36,   /* numbers in the lower half of their block */
        CRN_GPU_ROWS = 16      /* of a joint: equations, bounded rows, and angles that are only watched */
    };

    typedef enum crn_gpu_function
    {
        CRN_GPU_MEET,
        CRN_GPU_ALONG,
        CRN_GPU_ACROSS,
        CRN_GPU_NO_TWIST,
        CRN_GPU_TURN,
        CRN_GPU_SLIDE,
        CRN_GPU_STRETCH,
        CRN_GPU_TWIST
    } crn_gpu_function; /* joints/joint.hpp */

    typedef enum crn_gpu_mode
    {
        CRN_GPU_HOLD,  /* its function is to be 0 */
        CRN_GPU_RATE,  /* only its rate counts */
        CRN_GPU_GAP,   /* it is a gap */
        CRN_GPU_ROTOR, /* it resists a change of its rate with the inertia k_s */
        CRN_GPU_EARLY  /* a spring and a damper, taken where the step starts */
    } crn_gpu_mode;

    typedef struct crn_gpu_row
    {
        int32_t function, k, l, mode;
        int32_t timed;      /* its place in what the host sends for every step; -1: none */
        int32_t coordinate; /* of the joint; -1: none */
        double sign;        /* of the function and its gradient: 1 or -1 */
        double k_s, c_s;    /* stiffness and damping; 0, 0: rigid */
        double rest;        /* what is subtracted from the function: a spring's length or angle */
    } crn_gpu_row;

    /* A joint, or a spring between two bodies. Worlds with shapes only. */
    typedef struct crn_gpu_joint
    {
        int32_t body[2];                   /* -1: the world */
        int32_t equations, rows, watched;  /* equations first, then bounded rows, then angles that nothing acts on */
        double point[2][3], axis[2][3][3]; /* in the frames of the bodies */
        double length;                     /* m: of its larger body that can move */
        crn_gpu_row row[CRN_GPU_ROWS];
        double angle[CRN_GPU_ROWS]; /* rad or m: of rows with a coordinate, at the start */
    } crn_gpu_joint;

    /* Of a row in one step: what is added to its function and to its rate, and its bounds as forces. */
    typedef struct crn_gpu_timed
    {
        double offset, shift, lo, hi;
    } crn_gpu_timed;

    /* Of a row after a batch. */
    typedef struct crn_gpu_joint_row
    {
        double impulse; /* N s or N m s: of the last step */
        double angle;   /* rad or m, with whole turns */
        /* J, over the batch: of the impulse on bodies that move freely; the part of a row's spring; and what that part does on driven bodies and moving targets */
        double work, elastic, given;
    } crn_gpu_joint_row;

    /* A force on a body, at a point of it. */
    typedef struct crn_gpu_force
    {
        int32_t body;
        int32_t is_own; /* its components are those of the body's frame */
        double point[3];
    } crn_gpu_force;

    /* A force in one step: N and N m; and the time, in s, for its programs. */
    typedef struct crn_gpu_load
    {
        double force[3], torque[3], time;
    } crn_gpu_load;

    /* Programs of forces that depend on the state work on a stack of at most CRN_GPU_STACK values. Each instruction pushes one, or replaces its operands by
     * its result; the one value that is left is the program's. The operations are those of base/expression_code.h, with the same numbers. */
    typedef enum crn_gpu_operation
    {
        CRN_GPU_PUSH_VALUE,
        CRN_GPU_PUSH_VARIABLE,
        CRN_GPU_NEGATE,
        CRN_GPU_ADD,
        CRN_GPU_SUBTRACT,
        CRN_GPU_MULTIPLY,
        CRN_GPU_DIVIDE,
        CRN_GPU_POWER,
        CRN_GPU_SIN,
        CRN_GPU_COS,
        CRN_GPU_TAN,
        CRN_GPU_ASIN,
        CRN_GPU_ACOS,
        CRN_GPU_ATAN,
        CRN_GPU_ATAN2,
        CRN_GPU_SINH,
        CRN_GPU_COSH,
        CRN_GPU_TANH,
        CRN_GPU_EXP,
        CRN_GPU_LOG,
        CRN_GPU_SQRT,
        CRN_GPU_ABS,
        CRN_GPU_FLOOR,
        CRN_GPU_CEIL,
        CRN_GPU_MIN,
        CRN_GPU_MAX,
        CRN_GPU_UNIT_STEP,
        CRN_GPU_IF,
        CRN_GPU_OPERATIONS
    } crn_gpu_operation;

    typedef struct crn_gpu_instruction
    {
        int32_t operation;
        int32_t variable; /* -1: the time */
        double value;
    } crn_gpu_instruction;

    /* A number of a body that can move, at the start of the step. field: 0 to 2 its place, 3 to 5 its velocity, both in the world; 6 to 8 its angular velocity
     * in its own frame. */
    typedef struct crn_gpu_variable
    {
        int32_t body, field;
    } crn_gpu_variable;

    /* A point of a body is pulled to a place by a spring without length, which also slows its turning (formulate/drag_spring.c). */
    typedef struct crn_gpu_pull
    {
        int32_t body; /* -1: none */
        double point[3], target[3], stiffness, damping;
    } crn_gpu_pull;

    /* A world that is one domain of several: bodies that this rank owns, and ghosts, which are copies of bodies that its neighbours own. Bodies
     * of the description are in ascending order of their numbers among all. */
    typedef struct crn_gpu_rank
    {
        int32_t rank, ranks;
        const int64_t *global; /* per body: its number among all, ascending */
        const int32_t *owner;  /* per body: the rank that owns it; fixed and driven bodies: -1, all ranks have them */
        const int64_t *
            global_shape; /* per shape: its number among all, ascending among those that are not walls, and among walls */
        const int64_t *global_joint; /* per joint: its number among all, ascending within a colour */
        /* Ranks with which bodies are exchanged, ascending; what is sent to and received from each: bodies, in ascending order of their numbers on
         * both sides, so that the k-th sent there is the k-th received here. */
        int32_t neighbours;
        const int32_t *neighbour;
        const int32_t *send_first, *send;       /* neighbours + 1; bodies that this rank owns */
        const int32_t *receive_first, *receive; /* likewise; ghosts */
        /* Equal on all ranks: from which the levels of cells are laid. */
        double smallest, largest; /* m: radii of all balls that hold a shape (or spheres) */
        double low[3], high[3];   /* m: a box that holds all bodies at the start */
        int64_t total;            /* bodies of all ranks together */
        int64_t total_shapes;
        bool check; /* compare ghosts with their owners after every step */
        void *context;
        /* Start to exchange blocks of bytes with every neighbour; finish: everything received is there. One at a time. Both sides know the sizes, and where
         * they are 0 there is no message. */
        void (*start)(void *context, void *const *send, const size_t *send_bytes, void *const *receive,
                      const size_t *receive_bytes);
        bool (*finish)(void *context);
        /* Elementwise over all ranks. */
        void (*reduce_max)(void *context, double *values, int count);
        void (*reduce_sum)(void *context, int64_t *values, int count); /* wraps around */
        /* Not collective, and NULL: yes. Whether the ghosts are enough if collisions within the step may send body i at sent[i] m/s besides. If some rank says
         * no, the step does not happen (lacks_ghosts), and the world has to be opened anew with more of them. */
        bool (*suffices)(void *context, const double *sent);
        /* The bytes of all ranks in their order, in memory of the callee's that lasts until the next call. */
        const void *(*gather)(void *context, const void *mine, size_t bytes, size_t *all_bytes);
    } crn_gpu_rank;

    /* A step that sweeps have left above the tolerance, for somebody who solves it by other means: bodies with the velocities that the impulses at hand
     * give them, and contacts with
     *
     *     u = v_a + w_a x arm_a - v_b - w_b x arm_b + bias n ,    law(u, impulse) .
     *
     * Joints, moments of rolling friction and polygons are not in it: steps that have them are not left to anybody. */
    typedef struct crn_gpu_left_body
    {
        double v[3], w[3];   /* m/s and rad/s, in the world frame */
        double inverse_mass; /* 1/kg; 0: impulses do not change how it moves */
        double inertia[9];   /* kg m^2, in the world frame; all 0: it does not turn */
    } crn_gpu_left_body;

    typedef struct crn_gpu_left_contact
    {
        int32_t a, b;
        double n[3], bias, friction; /* from b to a; m/s; 1 */
        double arm_a[3], arm_b[3];   /* m: from the centres of the bodies */
        double impulse[3];           /* N s on a, in the world frame: in and out */
    } crn_gpu_left_contact;

    typedef struct crn_gpu_left
    {
        int32_t body_count, contact_count;
        crn_gpu_law law;
        double tolerance; /* of the residual relative to the scale of the step */
        const crn_gpu_left_body *body;
        crn_gpu_left_contact *contact;
    } crn_gpu_left;

    typedef struct crn_gpu_description
    {
        int32_t body_count, plane_count, material_count, class_count, driven_count;
        const crn_gpu_body *body;
        const crn_gpu_plane *plane;
        /* A world with shapes: then there are no planes. The last wall_count shapes are half-spaces and hollows, all others come before. */
        int32_t shape_count, wall_count, triangle_count, vertex_count;
        const crn_gpu_shape *shape;
        const crn_gpu_triangle *triangle;
        const double *vertex; /* x, y, z in the frame of the body */
        const int32_t *
            ring_begin; /* vertex_count + 1: the neighbours of vertex v are ring[ring_begin[v]] to ring[ring_begin[v + 1] - 1] */
        const int32_t *ring;
        int32_t hull_count, hull_corner_count, hull_face_count;
        const crn_gpu_hull *hull;
        const double *hull_corner, *hull_normal; /* x, y, z in the frame of the shape; unit, of faces */
        const int32_t *hull_face_begin, *hull_face_corner, *hull_at_begin, *hull_at;
        bool is_implicit; /* the gyroscopic moment is taken at the end of the step, as the scheme `stiff` does */
        const uint8_t *pair_class;      /* material_count x material_count: class of a pair of materials */
        const double *friction;         /* per class */
        const double *restitution;      /* per class */
        const crn_gpu_surface *surface; /* per class; NULL: nothing rolls or pulls */
        crn_gpu_law law;
        /* 0: friction is in the disc of radius mu r_n. Otherwise, under CRN_GPU_CONE in a world with shapes, in a regular polygon with so many corners,
         * the first one at an angle from the first tangent, at a multiple of mu r_n. */
        int32_t corners;
        double corner_angle, corner_reach;
        int32_t joint_count, joint_colours, timed_count, apart_count;
        const crn_gpu_joint *joint; /* by colour: no two of a colour share a body that can move */
        bool closes_loops;          /* some equations of loops depend on others: loops are closed after every step */
        const int *joint_first;     /* per colour: its first joint; joint_colours + 1 */
        const uint64_t
            *apart; /* pairs of bodies that must not touch, sorted: 2^32 times the lower number, plus the higher */
        int32_t force_count;
        const crn_gpu_force *force; /* by body */
        /* Forces that depend on the state: six programs per force, for its force and its torque along the axes. Program i is instruction[program_first[i]] to
         * instruction[program_first[i + 1] - 1]; where it has none, the value is that of the load. */
        int32_t instruction_count, variable_count; /* 0, 0: no force depends on the state */
        const int32_t *program_first;              /* 6 force_count + 1 */
        const crn_gpu_instruction *instruction;
        const crn_gpu_variable *variable; /* by body */
        int32_t sweeps;                   /* per step */
        double tolerance;    /* relative residual that every step must reach, with more sweeps if it has to; 0: none */
        int32_t most_sweeps; /* per step, where there is a tolerance */
        /* Called between the sweeps and the end of a step that they have left above the tolerance. true: it has written impulses, which are taken if their
         * certificate is the better one. NULL: such a step ends as it is. */
        bool (*finish)(void *user, const crn_gpu_left *left);
        void *finish_user;
        int32_t certify_every; /* steps between certificates; the last step of a batch always has one */
        double restitution_threshold, push_out_speed;
        double step;       /* s: the settings' step, at whose rate overlaps are pushed out */
        double push_share; /* of an overlap, per step; negative: by the number of contacts */
        bool push_out;     /* overlaps are pushed out at all */
        bool is_split; /* ranks share the bodies of their borders (ranks/split.hpp): results depend on their number */
        uint32_t shuffle; /* not 0: the twin does independent work in another order. Results must not depend on it. */
        /* On the processor: threads that may share the loops of a step, and what lets them do work(data, part) for every part (base/parallel_ranges.h);
         * 0 or NULL: the caller does all. Results do not depend on it. */
        int32_t threads;
        void (*share)(int threads, int parts, void (*work)(void *data, int part), void *data);
        const crn_gpu_rank *rank; /* NULL: this world is alone */
        /* What read_kept gave for bodies that this rank owns, to go on from with the same bits: records back to back, that of body i from
         * kept_first[i] to kept_first[i + 1]. NULL: nothing is kept. */
        const int64_t *kept_first;
        const void *kept;
        /* Of src/domain alone: the processes that share the world, NULL: none, and what takes their steps. */
        struct cairn_ranks *ranks;
        const struct crn_gpu_table *pipeline;
        double box[3];          /* m: everything repeats at multiples of it; 0: not along this axis */
        double low[3], high[3]; /* m: a box that holds the bodies that can move, where the scene begins */
        /* Likewise: contacts are listed in the order of the model's shapes. */
        const int32_t *wall_after;     /* per plane, or per wall: how many of the other shapes come before it */
        const int32_t *triangle_first; /* per triangle: the first shape of its mesh */
        uint64_t feature_mask;         /* what the identity of a contact holds of its feature */
        /* Likewise, in the place of kept_first and `kept`: reads `count` numbers of the former from one on, NULL: nothing is kept; and some bytes of the latter; false: they cannot
         * be read. */
        bool (*read_begins)(void *keeper, int32_t first, int32_t count, int64_t *out);
        bool (*read_kept)(void *keeper, size_t at, void *bytes, size_t size);
        /* Likewise, where `body` is NULL: writes `count` bodies from a number on; false: they cannot be read. */
        bool (*read_bodies)(void *keeper, int32_t first, int32_t count, crn_gpu_body *out);
        int32_t made; /* likewise: so many of the last bodies ranks make by themselves */
        int32_t
            made_shapes; /* of these, one each, in a scene that has shapes: numbered behind the others, before walls */
        const void *recipe;
        size_t recipe_size;
        bool (*make)(void *recipe, int64_t first, int64_t count, crn_gpu_body *out,
                     crn_gpu_shape *shape); /* of this process */
        void *keeper;
    } crn_gpu_description;

    /* What a batch of steps did. Residuals are those of the worst certified step. */
    typedef struct crn_gpu_report
    {
        int32_t steps, certified;
        int32_t contacts, active, colours, leftover,
            rounds;          /* of the last step; active: with an impulse; leftover: visited one by one */
        int32_t here;        /* contacts that read_contacts lists on this rank: those whose first body it owns */
        int64_t sweeps;      /* of all steps */
        int32_t most_sweeps; /* of a step */
        int32_t left;        /* steps that were left to `finish` of the description */
        int32_t held; /* overlaps that were not pushed out, since with them no step meets the tolerance; of all steps */
        bool lacks_ghosts;                    /* there was no step: see crn_gpu_rank.suffices */
        int32_t grown;                        /* times that memory for contacts had to grow */
        int32_t lost;                         /* 1 + a body that is at no place any more, after a failure; 0: none */
        int32_t faulty;                       /* 1 + a force that is not a finite number, after a failure; 0: none */
        int32_t worst_step;                   /* of the batch, from 1; 0: none */
        double worst, mean;                   /* m/s: residuals of the contact laws */
        double approach;                      /* m/s: the largest -u_n that is left */
        double scale;                         /* m/s: velocity scale of that step */
        double penetration, mean_penetration; /* m: at the end of the last step, of its contacts; mean of active ones */
        double mean_relative_penetration;     /* the same over the radius of the smaller sphere */
        double work_normal, work_friction;    /* J: of all contacts on the bodies, over the certified steps */
        double work_gyroscopic;               /* J: likewise */
        double lifted; /* J: what closing loops of joints has added to the potential of gravity */
        /* on one of several ranks: sent by this one in the batch; that all took part in */
        int64_t messages, bytes, reductions;
        int32_t border; /* ghosts that this rank has contacts or joints with, in the last step */
    } crn_gpu_report;

    /* A contact of the last step. */
    typedef struct crn_gpu_contact
    {
        int32_t a, b;                      /* bodies; b < 0: plane -1 - b */
        double normal[3], gap;             /* from b to a; m, at the start of the step */
        double impulse[3];                 /* N s on a */
        int32_t colour;                    /* 64: visited one by one */
        int32_t shape_a, shape_b, feature; /* in a world with shapes, where b is not negative */
        double arm[3];    /* m: likewise, from the centre of a to the point on a, at the start of the step */
        double moment[3]; /* N m s: likewise, of rolling and spinning friction on a */
    } crn_gpu_contact;

    typedef struct crn_gpu_world crn_gpu_world;

    /* Functions that can fail return false after writing a sentence of CRN_GPU_SENTENCE bytes at most. */
    typedef struct crn_gpu_table
    {
        int32_t version;
        const char *name; /* "CUDA", "twin" or "processor" */
        bool (*device)(char *description, size_t *free_bytes, char *sentence);
        size_t (*estimate)(const crn_gpu_description *description);                     /* bytes that the world takes */
        crn_gpu_world *(*open)(const crn_gpu_description *description, char *sentence); /* NULL after a sentence */
        void (*close)(crn_gpu_world *world);
        /* Take `steps` steps of length h. drive: driven_count per step, step by step. */
        bool (*step)(crn_gpu_world *world, double h, int32_t steps, const double gravity[3], const crn_gpu_drive *drive,
                     const crn_gpu_timed *timed, crn_gpu_report *report, char *sentence);
        /* What acts in the next `steps` steps: force_count loads per step, step by step, and a pull. */
        bool (*load)(crn_gpu_world *world, const crn_gpu_load *load, int32_t steps, const crn_gpu_pull *pull,
                     char *sentence);
        /* J, over the last batch: the work of every force, and behind them that of the pull. */
        bool (*read_forces)(crn_gpu_world *world, double *work, char *sentence);
        /* CRN_GPU_ROWS per joint, in the order of the description. */
        bool (*read_joints)(crn_gpu_world *world, crn_gpu_joint_row *row, char *sentence);
        /* In the order of the description; only x, q, v and w are written. */
        bool (*read_bodies)(crn_gpu_world *world, crn_gpu_body *body, char *sentence);
        /* The contacts of the last step, sorted by the order of the search; at most `count`. */
        bool (*read_contacts)(crn_gpu_world *world, crn_gpu_contact *contact, int32_t count, char *sentence);
        /* What the world keeps about its bodies from step to step: their contacts with impulses and colours. first: body_count + 1. The bytes are the
         * world's and last until the next call. Partners are named by their numbers among all, so that a record does not depend on the rank. */
        bool (*read_kept)(crn_gpu_world *world, int64_t *first, const void **bytes, char *sentence);
        /* For tests of the certificate: from now on, add to the impulse of this contact after the sweeps of each step; -1: to none. */
        void (*spoil)(crn_gpu_world *world, int32_t contact, const double added[3]);
    } crn_gpu_table;

    /* The one symbol that the library exports. NULL when it does not know this version. */
    typedef const crn_gpu_table *crn_gpu_table_fn(int32_t version);

#ifdef __cplusplus
}
#endif
#endif
