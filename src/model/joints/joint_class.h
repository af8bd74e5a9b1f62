/* Kinds of joints as a table: one file and one line in joint_table.c per kind.
 *
 * A joint connects body a to body b (a body, or the world). On each of them it has a point, x_a and x_b, and three axes, a_0 a_1
 * a_2 and b_0 b_1 b_2. At the start the axes of both sides coincide, unless the class says otherwise. Axis 0 is the joint's axis,
 * about which things turn; in the plane it is the normal of the plane. What a joint does is of two sorts:
 *
 *     equations       Theta(q) = 0, rigid or with a spring and a damper in their place (formulate/compliance.c)
 *     bounded rows    an impulse z within bounds, lo <= z <= hi, whose rate s is 0 unless z is at a bound (cairn_bound)
 *
 * Impulses of a joint are listed in this order, the equations first. A bounded row is one of
 *
 *     limit       theta is a gap that must not become negative, 0 <= z: a rope, the end of a range
 *     motor       drives the rate to `speed`, with a force of at most lo .. hi
 *     friction    a motor of speed 0
 *
 * What is left free is described by coordinates: angles and positions of b against a, in the order of the class.
 *
 * Most classes only list their equations and coordinates (crn_joint_function); joint_functions.c evaluates them, and joint_act.c
 * says, written down a second time, which forces they exert: the audit compares momentum and energy by the second, so that a
 * wrong gradient in the first is found. A class that needs more has an `evaluate` and an `act` of its own.
 */
#ifndef CRN_MODEL_JOINTS_JOINT_CLASS_H
#define CRN_MODEL_JOINTS_JOINT_CLASS_H

#include "math/pose.h"
#include "math/vec.h"
#include "model/model.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum
{
    CRN_JOINT_ROWS = 24,        /* the most rows of a joint, equations and bounded rows together */
    CRN_JOINT_CLASSES = 31,     /* the most classes: scene fields list them as the bits of an int */
    CRN_JOINT_OWN_NUMBERS = 24, /* the most numbers of all classes together: scene fields have a place for each */
    CRN_JOINT_BODIES = 64,      /* the most bodies of a coupling */
};

/* d(phi)/d(velocity) of a scalar function phi of at most two bodies: six numbers per body, the linear part in the world
 * frame and the angular part in the body's. */
typedef struct crn_gradient
{
    int body[2]; /* model indices, -1: the world */
    double g[2][6];
} crn_gradient;

/* The part of a gradient that belongs to one body. */
typedef struct crn_gradient_side
{
    int body;
    double g[6];
} crn_gradient_side;

/* Where a joint is: the poses of its two bodies and its two points, in the world. */
typedef struct crn_joint_place
{
    const crn_pose *pose[2]; /* NULL: the world */
    double x[2][3];
    const double *
        last; /* per coordinate: its value shortly before, from which angles are counted on; NULL: within half a turn */
} crn_joint_place;

/* A scalar function of the two poses. */
typedef enum crn_joint_function_kind
{
    CRN_FUNCTION_NONE,
    /* for equations, whose positive impulses push a that way */
    CRN_MEET,     /* e_k . (x_a - x_b), e_k an axis of the world */
    CRN_ALONG,    /* a_k . (x_a - x_b) */
    CRN_ACROSS,   /* a_k . b_l */
    CRN_NO_TWIST, /* a_1 . b_2 - a_2 . b_1 */
    /* for coordinates, which grow where b moves that way */
    CRN_TURN,    /* rad: the turn of b against a about axis 0, after any swing of that axis */
    CRN_SWING,   /* rad: the angle from a_0 to b_0 */
    CRN_POINT_A, /* rad: the angle about a_0 by which b_1 has turned from a_1 */
    CRN_POINT_B, /* rad: the angle about b_1 by which b_0 has turned from a_0 */
    CRN_OUTER,   /* rad, with n = b_2 x a_0: the angle about a_0 from a_1 to n, */
    CRN_MIDDLE,  /* rad: the angle about n from a_2, turned by that, to b_2, within a quarter turn, */
    CRN_INNER,   /* rad: the angle about b_2 from n to b_1, times the joint's `third` */
    CRN_BEARING, /* rad: the angle about a_0 from a_1 to x_b - x_a */
    CRN_SLIDE,   /* m: a_k . (x_b - x_a) */
    CRN_LENGTH,  /* m: |x_b - x_a| */
} crn_joint_function_kind;

typedef struct crn_joint_function
{
    const char *name; /* of coordinates */
    crn_joint_function_kind kind;
    int k, l;
} crn_joint_function;

/* A bounded row beyond its theta and gradient. */
typedef struct crn_joint_bound
{
    bool is_limit;      /* theta is a gap, and counts; false: only rates count */
    double speed;       /* m/s or rad/s: the rate that a motor drives at; 0 for limits and friction */
    double restitution; /* of a limit */
    bool is_drive;      /* theta counts, as that of an equation */
    double lo, hi;      /* N or N m: bounds of the force; may be infinite */
    double power;       /* W: force times rate is at most this; 0: it is not bounded */
    bool is_force; /* a drive that gives `force`, less k and c times what its coordinate and that one's rate grow by */
    double force, k, c; /* where k and c are 0, lo = hi is the force */
} crn_joint_bound;

typedef struct crn_joint_rows
{
    int equations, bounded;
    int not_finite;               /* 1 + the row of a target that is not a finite number; 0: all are */
    bool values_only;             /* gradients are not wanted; a class may compute them all the same */
    double theta[CRN_JOINT_ROWS]; /* m or rad; of a motor or friction 0 */
    double rate[CRN_JOINT_ROWS];  /* its rate of change while the bodies stand still */
    crn_gradient gradient[CRN_JOINT_ROWS];
    crn_joint_bound bound[CRN_JOINT_ROWS]; /* of bounded rows, at the index of the row */
    /* Rows of a coupling: the gradient of its value, by ascending bodies. Row i has sign[i] times it, and gradient[i] is the part of
     * the first two bodies. */
    int sides; /* 0: a joint of two bodies */
    crn_gradient_side side[CRN_JOINT_BODIES];
    double sign[CRN_JOINT_ROWS];
} crn_joint_rows;

/* What a joint's impulses do, for the audit. */
typedef struct crn_joint_action
{
    double x[2][3];                         /* where they act on a and on b, world; the joint's points unless changed */
    double impulse[2][3], moment[2][3];     /* N s, N m s: on a and on b */
    double motor[2][3], motor_moment[2][3]; /* the part of these that motors give, which may add energy */
    double strain;                          /* N s or N m s: the sum of the sizes of parts that may cancel */
    double off;                             /* m: how far its points are from where they should be */
    double skew;                            /* rad: likewise its axes */
    bool ends;                              /* an end of a range acts */
    bool has_limit;                         /* one bounded row pushes along a line: */
    double limit[3];                        /* unit: what it does to a, */
    double limit_gap;                       /* m, */
    double limit_impulse;                   /* N s, never negative */
} crn_joint_action;

/* Fields of cairn_joint_options that a class uses beside those that all joints have. */
enum
{
    CRN_JOINT_AXIS = 1,           /* `axis`, in space; required there */
    CRN_JOINT_AXIS_PLANE = 2,     /* `axis`, in the plane: a_1; required there */
    CRN_JOINT_SECOND_AXIS = 4,    /* `second_axis`, in space: a_1; required there */
    CRN_JOINT_LENGTH = 8,         /* `length` */
    CRN_JOINT_APART = 16,         /* its points do not coincide: `points`, not `at` */
    CRN_JOINT_OVER = 32,          /* `over`: two points of the world */
    CRN_JOINT_THIRD_AXIS = 512,   /* `axis_b`, in space: +-b_2, in b's frame; default a_2 */
    CRN_JOINT_BENT = 128,         /* `second_axis`, in space: b_0 at the start; default a_0 */
    CRN_JOINT_MATRICES = 256,     /* `stiffness_matrix`, required, and `damping_matrix` */
    CRN_JOINT_AXIS_OPTIONAL = 64, /* `axis` need not be given */
};

/* A number that one class has and others may not, by name. */
typedef struct crn_joint_number
{
    const char *name;
    double standard; /* the value when none is given */
    bool positive;   /* must be greater than 0 */
    bool not_zero;
    bool required;
} crn_joint_number;

enum
{
    CRN_PLANE, /* index of what a class is in the plane */
    CRN_SPACE
};

struct crn_joint_class
{
    const char *name;                                        /* as scene files call it */
    int equations[2];                                        /* in the plane and in space */
    int angular[2];                                          /* so many of these, the last, hold angles */
    crn_joint_function equation[2][CRN_JOINT_ROWS];          /* of a class without `evaluate` */
    crn_joint_function coordinate[2][CRN_JOINT_COORDINATES]; /* up to the first without a name */
    int mixed; /* the equation to which joint->mix times the coordinates is added, in a class whose `prepare` sets them */
    int bounded[2];                  /* bounded rows; `prepare` may leave some out */
    const char *const *bounded_name; /* of each bounded row, for messages: "limit" */
    unsigned fields;                 /* CRN_JOINT_AXIS | ... */
    bool is_pin;                     /* its points coincide: it is drawn as a pin, and otherwise as a line */
    const crn_joint_number *numbers;
    int number_count;
    /* Check the options and fill what evaluate and act need; NULL: there is nothing. Attachments and axes are set. */
    cairn_status (*prepare)(const cairn_model *model, const cairn_joint_options *options, crn_joint *joint);
    /* Rows at a place; the counts of `rows` are set. NULL: those listed above. */
    void (*evaluate)(const crn_joint *joint, int dimension, const crn_joint_place *place, crn_joint_rows *rows);
    /* What impulses c, one per row, do there; *action is zero but for the points. NULL: as the equations listed above say. */
    void (*act)(const crn_joint *joint, int dimension, const crn_joint_place *place, const double *c,
                crn_joint_action *action);
};

extern const crn_joint_class crn_distance_joint, crn_revolute_joint, crn_rope_joint, crn_ball_joint, crn_weld_joint,
    crn_prismatic_joint, crn_cylindrical_joint, crn_universal_joint, crn_planar_joint, crn_slot_joint,
    crn_point_on_plane_joint, crn_constant_velocity_joint, crn_screw_joint, crn_rolling_joint, crn_rack_joint,
    crn_gear_joint, crn_pulley_joint, crn_bushing_joint, crn_gimbal_joint, crn_double_hinge_joint;

/* The classes of a context: the built-in ones in the order of cairn_joint_kind, then the registered ones. NULL past the
 * last. A NULL context has the built-in classes only. */
const crn_joint_class *crn_joint_class_at(const cairn_context *context, int kind);
/* Add a class to a context; it must outlive the context and all models made with it. False when memory ran out, or
 * the context would know more classes or numbers than there is room for. */
bool crn_joint_class_register(cairn_context *context, const crn_joint_class *added);

/* Add a joint whose class is known: what cairn_model_add_joint does once it has found the class. options->kind is the place of
 * the class in the table. */
cairn_status crn_model_add_joint_of(cairn_model *model, const crn_joint_class *type, const cairn_joint_options *options,
                                    cairn_joint *out);

/* ------------------------------------------------------------------------------------- what a joint is and does */

/* Set the axes of a joint, in the frames of its bodies, from the options and the initial poses. */
cairn_status crn_joint_set_axes(const cairn_model *model, const cairn_joint_options *options, crn_joint *joint);
/* Number of coordinates of a joint of this class. */
int crn_joint_class_coordinates(const crn_joint_class *type, int dimension);
/* The coordinate of a name, -1: none; and the names of all for a message: "'position', 'angle'", or "none". */
int crn_joint_find_coordinate(const cairn_model *model, const crn_joint *joint, const char *name);
const char *crn_joint_list_coordinates(const cairn_model *model, const crn_joint *joint, char *text, size_t size);
/* Value and gradient of coordinate i of a joint of two bodies; gradient may be NULL. */
double crn_joint_coordinate(const crn_joint *joint, int dimension, const crn_joint_place *place, int i,
                            crn_gradient *gradient);
/* Rows of a class without `evaluate`, and what their impulses do. */
void crn_joint_evaluate_functions(const crn_joint *joint, int dimension, const crn_joint_place *place,
                                  crn_joint_rows *rows);
void crn_joint_act_functions(const crn_joint *joint, int dimension, const crn_joint_place *place, const double *c,
                             crn_joint_action *action);
/* What the impulse z along coordinate i does: add it to the impulses and moments of *action. */
void crn_joint_act_coordinate(const crn_joint *joint, int dimension, const crn_joint_place *place, int i, double z,
                              crn_joint_action *action);

/* ------------------------------------------------------------------------------------------- tools for classes */

/* Where a joint is at the start; `pose` is room for what `place` refers to. */
void crn_joint_at_start(const cairn_model *model, const crn_joint *joint, crn_pose pose[2], crn_joint_place *place);
/* CAIRN_INVALID when a body that the joint turns is a point mass. */
cairn_status crn_joint_check_turns(const cairn_model *model, const crn_joint *joint);
/* Add factor times a coordinate to the mixed equation, which holds with the values of the start. */
void crn_joint_mix(const cairn_model *model, crn_joint *joint, int coordinate, double factor);

/* The length of a joint: as given, or the distance of its points at the start where it is NAN. */
cairn_status crn_joint_set_length(const cairn_model *model, double length, crn_joint *joint);

/* Side `side` of a gradient becomes that of  sign * direction . (velocity of the body's point at `at`, world frame). */
void crn_gradient_of_point(const crn_pose *pose, crn_gradient *gradient, int side, int body, const double at[3],
                           const double direction[3], double sign);
/* The gradient of the first two sides of a coupling. */
crn_gradient crn_gradient_of_sides(const crn_gradient_side *side, int count);
/* Unit vector from a to b, and their distance; where the points meet, any direction. */
double crn_joint_line(const crn_joint_place *place, double unit[3]);

/* Where an attachment is, with the poses of all bodies. */
static inline void crn_attachment_at(const crn_attachment *attachment, const crn_pose *pose, double out[3])
{
    assert(attachment->body >= -1);
    memcpy(out, attachment->point, sizeof(double[3]));
    if (attachment->body < 0)
        return;
    crn_rotate3(pose[attachment->body].R, attachment->point, out);
    crn_add3(out, pose[attachment->body].x, out);
}

/* Where two of them are. `last` as in crn_joint_place. */
static inline crn_joint_place crn_place_between(const crn_attachment *a, const crn_attachment *b, const crn_pose *pose,
                                                const double *last)
{
    crn_joint_place place;
    place.pose[0] = a->body < 0 ? NULL : &pose[a->body];
    place.pose[1] = b->body < 0 ? NULL : &pose[b->body];
    place.last = last;
    crn_attachment_at(a, pose, place.x[0]);
    crn_attachment_at(b, pose, place.x[1]);
    return place;
}

/* A direction of one of the joint's bodies in the world. */
static inline void crn_joint_direction(const crn_joint_place *place, int side, const double local[3], double out[3])
{
    assert(side == 0 || side == 1);
    memcpy(out, local, sizeof(double[3]));
    if (place->pose[side])
        crn_rotate3(place->pose[side]->R, local, out);
}

/* theta, or 0 where it is rounding of world coordinates of this size: theta is a difference of them, and a value no larger than that is no
 * error. Treated as an error, it would ask redundant joints at rest for contradictory velocities of 1e-15. */
static inline double crn_joint_clean(double theta, double size)
{
    const double rounding = 64 * DBL_EPSILON;
    assert(!(size < 0.0));
    return fabs(theta) <= rounding * size ? 0.0 : theta;
}

/* The angle nearest to `last` among those that differ by whole turns. */
static inline double crn_joint_unwound(double angle, double last)
{
    const double whole = 6.283185307179586476925;
    if (fabs(last - angle) < 3.0)
        return angle;
    return angle + whole * nearbyint((last - angle) / whole);
}

#endif
