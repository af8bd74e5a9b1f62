/* One piece of a step as plain data: a smooth part, or an impact (h = 0). This is all that the audit sees of a simulation.
 *
 * Bodies are model indices. Velocities and impulses of a body are six numbers, linear in the world frame and angular in the
 * body's. In the plane the angular part is the third of its three.
 */
#ifndef CRN_AUDIT_PIECE_H
#define CRN_AUDIT_PIECE_H

#include "collide/collide.h"

#include <math.h>

/* Contacts of one place and their impulses, as the step has them. */
typedef struct crn_acted
{
    const crn_contact *contacts; /* both bodies are the model's */
    const double (*impulse)[3];  /* N s, world: on body a; b gets the opposite */
    int count;
} crn_acted;

/* One contact that carried an impulse in the piece. A contact that acts at several places within it (the stages of a scheme) is
 * listed once for each. */
typedef struct crn_piece_contact
{
    int body_a, body_b;
    int place; /* of the piece, where it was evaluated */
    uint64_t identity;
    double point_a[3], point_b[3], normal[3]; /* world; the normal points from b to a */
    double normal_before[3];                  /* at the start of the piece; where not known, the same as normal */
    double point_before[2][3];                /* world: likewise, of a and of b */
    double impulse[3];                        /* N s, world: on a; b gets the opposite */
    double gap, gap_before;                   /* m */
    double drift[3];                          /* m/s, world: of the surfaces, beyond their bodies (collide/drift.h) */
    double friction, restitution;
    double moment[3];         /* N m s, world: of rolling and spinning friction, on a */
    double rolling, spinning; /* m: their bounds per normal impulse */
    double cohesion, range;   /* N, m: it may pull up to this force where its gap is at most the range */
    bool
        soft; /* a regularised contact or a patch element: its bodies may approach and slide while the surfaces stick */
    bool fresh; /* it was out of reach at the start of the piece */
    bool last;  /* no place within the piece comes after this one */
} crn_piece_contact;

enum
{
    CRN_PIECE_PLACES = 2,
    CRN_PIECE_JOINT_ROWS = 24
};

/* Where impulses act: poses of all bodies, and velocities of the driven ones at the start and the end of the piece. */
typedef struct crn_piece_place
{
    const crn_pose *pose;
    double (*drive_before)[6], (*drive_after)[6];
    double (*joint_impulse)[CRN_PIECE_JOINT_ROWS]; /* N s per row, per joint of the model; NULL: none acted */
} crn_piece_place;

/* Works of contacts and joints in the piece, as the energy account has them. */
typedef struct crn_piece_book
{
    double normal, friction, joints; /* J */
    double sum;                      /* J: magnitude of the sums that these are differences of */
    bool complete;                   /* false: compliant rows or users' systems did a part of the work */
} crn_piece_book;

typedef struct crn_piece
{
    double t, h;       /* s: its start and length */
    double drift_time; /* s: over which overlaps and drift of joints are pushed out; infinite: they are not */
    double still; /* m/s: what the impulses of islands that are held at rest leave unbalanced, by the certificate */
    double left;  /* m/s: what the solve left of the contact laws, by its certificate, where it did not aim at ... */
    double tolerance; /* of the solver, relative to speeds, ... */
    double speed;     /* m/s: ... no less than this, what gravity gives in a whole step */
    double threshold; /* m/s: slower impacts are inelastic */
    double
        held; /* s: limits that act are held at their rate for this time, in which they may drift; 0: at their place */
    double
        interpolated; /* m/s: accuracy of the velocities at its end where they are interpolated, not given by impulses */
    bool crowded;     /* impacts in it are not resolved one by one, or contacts are wedged: none need bounce */
    double cone;      /* friction may be this many times mu r_n: 1, or more where the law is no cone; infinite: any */
    bool lifts;       /* the law of friction lifts what slides, by mu |u_t| */
    const crn_pose *pose; /* at its start */
    const double
        *coordinate; /* CRN_JOINT_COORDINATES per joint: near those of the piece, to count angles; NULL: none */
    double (*before)[6], (*after)[6]; /* velocities, by row */
    const int *row;     /* per body: its row of these, -1: it has none and does not move; NULL: its index */
    double fall[3];     /* m/s: what gravity gives every body in the piece; 0 in an impact */
    const bool *absent; /* per body: it is not there, and gravity gives it nothing; NULL: all are there */
    double (*outer)[6]; /* per body: impulse of other forces and the gyroscopic moment; NULL: there is none */
    double (*inner)[6]; /* per body: impulse of springs and dampers; NULL: there are none */
    crn_piece_place place[CRN_PIECE_PLACES];
    int place_count;
    crn_piece_contact *contacts; /* place after place */
    int contact_count;
    crn_piece_book book;
} crn_piece;

/* m/s: what gravity gives a body in the piece. */
static inline const double *crn_fall_of(const crn_piece *piece, int body)
{
    static const double NONE[3] = {0};
    return piece->absent && piece->absent[body] ? NONE : piece->fall;
}

/* N s: the pull of a contact. All of it acts where its gap at the start is within its range, and none of it elsewhere and in impacts. */
static inline double crn_piece_pull(const crn_piece *piece, const crn_piece_contact *c)
{
    return c->cohesion > 0 && c->gap_before <= c->range ? piece->h * c->cohesion : 0.0;
}

/* m: the overlap of a contact that stabilisation pushes out: the one at the start, or where the contact acts if it came into reach
 * on the way, in place of one that had drifted. */
static inline double crn_piece_depth(const crn_piece_contact *c)
{
    return fmax(0, -(c->fresh ? c->gap : c->gap_before));
}

/* The velocities of a body; `row` as in crn_piece. */
static inline const double *crn_velocity_of(double (*v)[6], const int *row, int body)
{
    static const double STILL[6] = {0};
    int i = row ? row[body] : body;
    return i < 0 ? STILL : v[i];
}

#endif
