/* The compact view (solve/compact/compact.h) of a problem that is given by its matrices.
 *
 * Sweeps over the compact view take a tenth of the time of sweeps over blocks. A problem has one where A is block-diagonal, its blocks are
 * those of rigid bodies, and the rows of all contacts are those of rigid contacts under Coulomb's law, the convex one or none. Entry e of contact j, on
 * body i, is then
 *
 *     H_e = (L_e, Omega_e) ,    L_e = +-(n, t_1, t_2)' ,    Omega_e = -L_e [arm]x R_i ,
 *
 * R_i the rotation from the frame of the body's angular velocity to that of the world. So M_e = L_e' Omega_e = -[arm]x R_i has all that the matrices do not say
 * openly, the arms and R_i (rigid_turns.h). In the plane angular velocities are numbers, and there is nothing to be found but the arms.
 *
 * The body of a contact's first entry is body a. Where that is the second body of the contact, L = -(n, t_1, t_2)', and the normal is -n: from b to a again.
 */
#ifndef CRN_SOLVE_SWEEP_RIGID_VIEW_H
#define CRN_SOLVE_SWEEP_RIGID_VIEW_H

#include "base/memory.h"
#include "cairn/problem.h"
#include "linalg/inverses.h"
#include "solve/compact/compact.h"
#include "solve/sweep/rigid_turns.h"

typedef struct crn_rigid_view
{
    bool all_round;              /* every contact is like that of spheres */
    crn_compact_problem problem; /* its last body does not move: what contacts with a single entry touch */
    crn_compact_body *body;
    double (*inverse_inertia)[9];
    bool *is_round;
    crn_compact_contact *contact;
    double (*drift)[3];
    double *height;
    double (*impulse)[3]; /* world vectors on body a */
    crn_compact_body *after;
    double (*velocity)[6];
    crn_rigid_turns turns;
    crn_arena memory;
} crn_rigid_view;

void crn_rigid_view_release(crn_rigid_view *view);

/* Make the view of a problem. inverses: of the blocks of A. free: the velocities without contacts. *applies: there is one. CAIRN_NO_MEMORY is the only
 * failure. */
cairn_status crn_rigid_view_make(crn_rigid_view *view, const cairn_problem *problem, const crn_inverses *inverses,
                                 const double *free, bool *applies);

/* Impulses in the frames of contacts (dim each) become those of the view, and back. */
void crn_rigid_view_take(crn_rigid_view *view, const cairn_problem *problem, const double *r);
void crn_rigid_view_give(const crn_rigid_view *view, const cairn_problem *problem, double *r);

#endif
