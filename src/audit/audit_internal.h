/* Data and functions that the files of the audit share. */
#ifndef CRN_AUDIT_AUDIT_INTERNAL_H
#define CRN_AUDIT_AUDIT_INTERNAL_H

#include "audit/audit.h"
#include "base/memory.h"
#include "model/joints/joint_class.h"

/* Velocities of a body at one place of a piece, in the world frame: before, after, and free, that is, without the impulses of
 * contacts and joints. */
typedef struct crn_twists
{
    double v[3][3], w[3][3];
    double force[3], torque[3]; /* N s, N m s: of contacts and joints at this place, torque about the origin */
    double turn;                /* rad: by how much it turns over the piece; 0: the place is its start */
    double speed;               /* m/s: bound on the speed of its points */
} crn_twists;

enum
{
    CRN_BEFORE = 0,
    CRN_AFTER,
    CRN_FREE
};

/* A body over the whole piece. */
typedef struct crn_account
{
    double given[6]; /* impulses of contacts and joints */
    double load[2];  /* sums of their magnitudes: N s, N m s */
    double free[6];  /* velocity without the impulses of contacts and joints */
    int group;       /* of bodies that contacts and joints hold together; parent in the forest while that is built */
    int touching;    /* contacts that carry an impulse at the current place */
    bool jointed, bound; /* held by a joint; by something that does not move under forces */
    bool linked;         /* contacts or joints act on it */
} crn_account;

/* A group of bodies, at the index of its root. */
typedef struct crn_group
{
    double mean, last; /* J: work of contacts and joints at the mean velocity, and acting after all other impulses */
    double explained;  /* J: that stabilisation and turning may add */
    double load;       /* J s/m: sum of the magnitudes of impulses */
    double loose;      /* kg m/s: likewise of what the solver may leave of impulses that should be zero */
    double speed;      /* m/s: largest sum of the speeds of two points that touch */
    double
        parting; /* m/s kg^1/2: rates before an impact at which joints part that the scheme has left, times root masses */
    double momentum[3]; /* N s: change that no outer force explains */
    double moment[3];   /* N m s: likewise, about the origin of the world; impacts only */
    double mass, size;  /* kg; m */
    double apart;       /* N m s: moment of impulses on pairs of points that do not quite meet */
    double sum[2];      /* N s, N m s: magnitudes of the terms that cancel in momentum and moment */
    int body[2];        /* index plus 1 of the two bodies to name in a message */
    double worst;
    bool bound;  /* to a body that does not move under forces, or to the world */
    bool shared; /* others have contacts of it (share.h) */
} crn_group;

/* What was measured at a contact. */
typedef struct crn_measured
{
    double normal[3]; /* normal velocities: before, after, free */
    double slip[2];   /* tangential impulse . velocity, before and after, J */
    double r_n, r_t;  /* N s: what presses, without the pull of cohesion; friction */
    double speed;     /* m/s: relative, the largest of the three */
    double slide;     /* m/s: |u_t| after */
    double turning;   /* m/s: by how much turning within the piece changes velocities */
    double
        swinging; /* m/s: likewise the swing of its points around the bodies (math/pose.h), up to terms that cancel */
    double approach; /* m/s: normal velocity before; at a rim, at its place at the start of the piece */
} crn_measured;

/* A body in a glance at a piece: its place, and its velocities before and after, in the world. Read as 16 numbers. */
typedef struct crn_glimpse
{
    double x[3], v[2][3], w[2][3];
    double easy; /* kg^-1: inverse mass; 0: it does not move under forces */
} crn_glimpse;

/* The impulses of contacts on a body, read as two rows of four numbers. */
typedef struct crn_pushed
{
    double force[3], no_force;   /* N s; unused */
    double torque[3], no_torque; /* N m s: about the origin; unused */
} crn_pushed;

/* A body in its group, where a glance needs groups. */
typedef struct crn_share
{
    double gain, last; /* J: of the contacts and joints that count for this body; at the root: for the group */
    double load;       /* N s */
    double fastest;    /* m/s */
    int group;         /* a parent in the forest, at last the root */
} crn_share;

/* A contact at the start of a step. */
typedef struct crn_start
{
    uint64_t identity; /* ascending */
    int shape_a, shape_b;
    double gap;
    double normal[3];
} crn_start;

struct crn_audit
{
    crn_arena memory; /* of the arrays */
    crn_scratch own;  /* where the caller has given none */
    const cairn_model *model;
    crn_audit_bodies bodies;
    int count;
    double (
        *inverse)[9]; /* per body: inverse inertia; zero where the body does not turn; NULL: all are numbers so far */
    crn_twists *twists;
    crn_account *account;
    crn_group *group;
    crn_measured *measured;
    double least_bound; /* m: of the bodies that move */
    double *round;      /* per body: inverse inertia where that is a number; 0 elsewhere */
    /* during a glance, in the scratch */
    crn_glimpse *look;
    crn_pushed *pushed;      /* per part and body */
    crn_share *share;        /* per body */
    int *joint_root;         /* per body: the least of those that joints hold together; NULL: not yet known */
    crn_start *start;        /* own copies, unless the contacts were lent */
    const crn_contact *lent; /* NULL: they were not */
    uint64_t *later;         /* identities, ascending, of the lent ones that were not there at the start */
    int start_count, later_count;
    double work[3];   /* J: of the piece, on moving bodies: normal, friction, joints */
    double work_size; /* J: sum of the magnitudes that these are sums of */
    double
        work_parts; /* J: the same with the speeds of both bodies in the place of the relative one, which is their rounded difference */
    bool shares; /* it judges a part of what several share (share.h): findings are counted, and not noted */
    double sure; /* the part of every allowance that it grants: 1, or less where it shares */

    /* of the current step, whose counts are added to the totals when it ends */
    crn_audit_record record;
};

/* Judge a size against its allowance; NaN counts as larger than any. */
void crn_audit_note(crn_audit *audit, const cairn_violation *violation);
static inline void crn_audit_judge(crn_audit *audit, cairn_violation violation)
{
    if (!(violation.size <= audit->sure * violation.allowance))
        crn_audit_note(audit, &violation);
}

enum
{
    CRN_GLANCE_PARTS = 16, /* at most, of a loop: each has impulses of its own on all bodies */
    CRN_AUDIT_MANY = 4000  /* contacts and bodies: more are shared among threads */
};

/* Into how many parts a loop over contacts is divided. */
static inline int crn_audit_parts(const crn_audit *audit, int contacts)
{
    int threads = audit->bodies.threads > CRN_GLANCE_PARTS ? CRN_GLANCE_PARTS : audit->bodies.threads;
    return threads > 1 && contacts > CRN_AUDIT_MANY && audit->count > CRN_AUDIT_MANY ? threads : 1;
}

static inline bool crn_audit_moves(const crn_audit *audit, int body)
{
    return body >= 0 && audit->bodies.mass[body] > 0;
}

/* Reserve the arrays of a full examination. */
cairn_status crn_audit_reserve(crn_audit *audit);
/* Add the current step to the totals, in findings.c. */
void crn_audit_add_up(crn_audit *audit);
/* Whether all velocities are finite and not absurdly large; notes the first that is not. */
bool crn_audit_is_finite(crn_audit *audit, double (*v)[6], const int *row, double t);

/* Groups, in groups.c. */
void crn_groups_join(crn_audit *audit, int a, int b);
int crn_groups_find(crn_audit *audit, int body);
/* Resolve every body's root, and clear the groups. */
void crn_groups_end(crn_audit *audit);
/* The group that a contact or joint of two bodies belongs to; NULL: neither moves. */
crn_group *crn_group_of(crn_audit *audit, int a, int b);

/* Velocity of a's point at x_a relative to b's at x_b; body < 0: the world. which: CRN_BEFORE ... */
void crn_relative_velocity(const crn_audit *audit, const crn_pose *pose, int a, const double x_a[3], int b,
                           const double x_b[3], int which, double u[3]);
/* An impulse on a at x_a and its opposite on b at x_b; likewise of a moment. */
void crn_audit_push(crn_audit *audit, const crn_pose *pose, int a, const double x_a[3], int b, const double x_b[3],
                    const double impulse[3]);
void crn_audit_turn(crn_audit *audit, int a, int b, const double moment[3]);
/* Power times seconds of a contact's moment at the velocities before, after and free, J. */
void crn_turning_rates(const crn_audit *audit, const crn_piece_contact *c, double rate[3]);

/* Unlike fmax this is one instruction; b, if it is not a number, wins. */
static inline double crn_larger_of(double a, double b)
{
    return a > b ? a : b;
}

static inline double crn_smaller_of(double a, double b)
{
    return a < b ? a : b;
}

/* Impulse of gravity, outer forces and the gyroscopic moment on a body; and of springs and dampers. */
static inline void crn_piece_outer(const crn_audit *audit, const crn_piece *piece, int body, double out[6])
{
    const double *fall = crn_fall_of(piece, body);
    for (int k = 0; k < 6; ++k)
        out[k] = (k < 3 ? audit->bodies.mass[body] * fall[k] : 0.0) + (piece->outer ? piece->outer[body][k] : 0.0);
}

static inline const double *crn_piece_inner(const crn_piece *piece, int body)
{
    static const double NONE[6] = {0};
    return piece->inner ? piece->inner[body] : NONE;
}

/* kg^-1: inverse masses of both bodies, a lower bound of the contact's mobility. */
static inline double crn_mobility(const crn_audit *audit, const crn_piece_contact *c)
{
    double a = audit->bodies.mass[c->body_a], b = audit->bodies.mass[c->body_b];
    return (a > 0 ? 1 / a : 0.0) + (b > 0 ? 1 / b : 0.0);
}

/* m/s: the accuracy of velocities of a given size. It covers rounding, the solver's tolerance, and a millionth of the speed below
 * which impacts are inelastic. */
static inline double crn_audit_slack(const crn_piece *piece, double speed)
{
    double negligible = piece->threshold < 0.01 ? piece->threshold : 0.01;
    return (1e-10 + 20 * piece->tolerance) * (speed + piece->speed) + 1e-6 * negligible + 1e-12 + 2 * piece->still;
}
double crn_audit_ratio(const cairn_violation *violation);
/* Overlaps at the end of a step, in overlap.c. */
void crn_judge_start(crn_audit *audit, double t, const crn_contact *contacts, int count);
void crn_judge_overlaps(crn_audit *audit, const crn_audit_motion *motion, const crn_contact *contacts, int count);

/* One place of a piece: joints.c and measure.c measure, and give impulses to the bodies. */
void crn_measure_joints(crn_audit *audit, const crn_piece *piece, int place);
void crn_measure_contacts(crn_audit *audit, const crn_piece *piece, int place);
void crn_judge_contacts(crn_audit *audit, const crn_piece *piece);
/* joints.c: what the impulses of a joint's rows do at poses. */
void crn_audit_find_action(const crn_audit *audit, const crn_joint *joint, const crn_pose *pose, const double *c,
                           crn_joint_place *place, crn_joint_action *out);
crn_joint_action crn_audit_act(const crn_audit *audit, const crn_joint *joint, const crn_pose *pose, const double *c,
                               crn_joint_place *place);
/* joints.c: limits only pull, and act only where they are reached. */
void crn_judge_joints(crn_audit *audit, const crn_piece *piece);
/* N s or N m s: what the friction of a joint's row exceeds its bound by; 0 for other rows. In joint_friction.c. */
double crn_friction_excess(const cairn_model *model, const crn_piece *piece, int joint, int row);
/* A coordinate of a joint, or of a coupling with all its parts, from what a unit impulse along it does, in limits.c. */
typedef struct crn_along
{
    double rate[3];  /* at the velocities CRN_BEFORE to CRN_FREE */
    double size;     /* sum of the magnitudes that these are sums of */
    double mobility; /* rate per impulse, at most */
} crn_along;
crn_along crn_measure_along(const crn_audit *audit, const crn_piece_place *place, const crn_joint *joint,
                            int coordinate, double sign);
/* The impulses of a joint's rotors are their losses of momentum, in rotors.c. */
void crn_judge_rotors(crn_audit *audit, const crn_piece *piece, int joint, double slack);
/* Judge it. */
void crn_judge_joint_friction(crn_audit *audit, const crn_piece *piece, int joint, int row, double slack);
/* audit.c: the part of crn_audit_piece that measures; false: some velocity is not finite, which is noted. */
cairn_status crn_audit_measure(crn_audit *audit, const crn_piece *piece, bool *is_finite);
/* bodies.c: the change of a body's momentum that the recorded impulses do not explain; J: what the energy of a group may grow by. */
void crn_audit_residual(const crn_audit *audit, const crn_piece *piece, int body, double out[6]);
double crn_energy_allowance(const crn_piece *piece, const crn_group *group);
/* bodies.c: momentum, and jumps of velocities. */
void crn_judge_bodies(crn_audit *audit, const crn_piece *piece);
void crn_judge_groups(crn_audit *audit, const crn_piece *piece);

#endif
