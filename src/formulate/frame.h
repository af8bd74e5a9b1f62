/* Where every body is at one time, and how the driven ones move over a step.
 *
 * Gradients (crn_gradient, model/joints/joint_class.h) have six numbers per body, whatever the body's own unknowns are;
 * `crn_pack` selects those.
 */
#ifndef CRN_FORMULATE_FRAME_H
#define CRN_FORMULATE_FRAME_H

#include "collide/collide.h"
#include "formulate/layout.h"
#include "model/joints/joint_class.h"

typedef struct crn_frame
{
    crn_arena memory; /* owns the arrays */
    /* h: s over which motions of driven bodies and targets are averaged; 0: derivatives, on side `side` of t */
    double t, h;
    int side;       /* 1 or -1; 0: rates are not wanted, and 0 */
    crn_pose *pose; /* per body; NULL: given back */
    /* per body, in models with springs, driven bodies or expressions of the state; NULL in others */
    double (*quaternion)[4]; /* in space */
    double *angle;           /* in the plane */
    double (*drive)
        [6]; /* per body: mean velocity of driven bodies over the step (linear world, angular body), 0 for others; NULL:
                           the model drives none. Read by crn_frame_drive. */
    const crn_layout *layout;
    const double *v; /* velocity at the place of the frame, for expressions that name rates */
    /* CRN_JOINT_COORDINATES per joint: their last values, from which angles are counted on; NULL: none */
    const double *coordinate;
    bool any_driven;
} crn_frame;

/* The drive velocity of a body, in a frame that has its arrays. */
static inline const double *crn_frame_drive(const crn_frame *frame, int body)
{
    static const double STILL[6] = {0};
    return frame->drive ? frame->drive[body] : STILL;
}

cairn_status crn_frame_create(const crn_layout *layout, crn_frame *frame);
void crn_frame_destroy(crn_frame *frame);

/* Give back the arrays: until the frame has them again it knows the time alone. They are to be updated then. */
void crn_frame_give_back(crn_frame *frame);
cairn_status crn_frame_take_back(crn_frame *frame);
/* What such a frame would say about a driven body. */
void crn_frame_find_drive(const crn_frame *frame, int body, double drive[6]);

/* Compute the poses (if it has them) at time t from q, and the drive velocities from pose(t) to pose(t + h), which are 0 if h is 0. */
void crn_frame_update(crn_frame *frame, const crn_layout *layout, const double *q, double t, double h);
/* The same for fixed and driven bodies alone, in a frame whose dynamic bodies are where q has them. */
void crn_frame_prescribe(crn_frame *frame, const crn_layout *layout, double t, double h);

/* Compute the drive velocities at the frame's own time as derivatives: just after it, and just before it. */
void crn_frame_drive_now(crn_frame *frame, const crn_layout *layout);
void crn_frame_drive_before(crn_frame *frame, const crn_layout *layout);

/* World position of an attachment. */
void crn_frame_point(const crn_frame *frame, const crn_attachment *attachment, double out[3]);

/* Set side `side` of a gradient to that of  sign * direction . (velocity of the body's point at `at`, world frame). */
void crn_gradient_point(const crn_frame *frame, crn_gradient *gradient, int side, int body, const double at[3],
                        const double direction[3], double sign);

/* Select the entries of g that belong to a body's unknowns, in order. Returns their number. */
int crn_pack(const cairn_model *model, int body, const double g[6], double *row);

/* gradient . v over dynamic bodies, and over driven ones. */
double crn_gradient_rate(const crn_layout *layout, const crn_gradient *gradient, const double *v);
double crn_gradient_drive(const crn_frame *frame, const crn_gradient *gradient);
/* The same of a contact along a direction, with the drift of its surfaces. */
double crn_contact_drive(const crn_frame *frame, const crn_contact *contact, const double direction[3],
                         const crn_gradient *gradient);
/* The same of row i of a joint, or of a coupling with all its bodies. */
double crn_row_rate(const crn_layout *layout, const crn_joint_rows *rows, int i, const double *v);
double crn_row_drive(const crn_frame *frame, const crn_joint_rows *rows, int i);

#endif
