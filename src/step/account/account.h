/* Energies of the state, and the work that every impulse of a step does: energy.c, rowless_work.c and regularised.c. */
#ifndef CRN_STEP_ACCOUNT_ACCOUNT_H
#define CRN_STEP_ACCOUNT_ACCOUNT_H

#include "step/stage.h"
#include "step/state.h"

/* Bodies: the kinetic energy of no more is computed in the arrays of a step (step/trial.c). */
enum
{
    CRN_FEW_BODIES = 8
};

/* Compute the energies of the state. The frame must be that of q. */
double crn_kinetic(cairn_simulation *simulation);
crn_potentials crn_potentials_at(const cairn_simulation *simulation, const crn_frame *frame, const double *q);
/* Book the work of every impulse of the step just solved (v_old, v and mean are set, positions not yet moved). */
cairn_status crn_book_work(cairn_simulation *simulation, double h);
/* The same for the contacts of a stage without rows, which are all rigid, in rowless_work.c. */
cairn_status crn_book_rowless(cairn_simulation *simulation, const crn_stage *stage);
/* The works of the pulls of contacts with cohesion, in cohesion_work.c. */
void crn_book_pulls(cairn_simulation *simulation, const crn_stage *stage);
/* Book how moving the positions, before and after the projection, changed the potentials. */
void crn_book_motion(cairn_simulation *simulation, crn_potentials moved, crn_potentials projected);
void crn_close_balance(cairn_simulation *simulation);
/* The same with the kinetic energy given, in J, and that of the rotors, which is part of it. */
void crn_close_balance_with(cairn_simulation *simulation, double kinetic, double rotors);
/* J: twice the kinetic energy of the body of a block, whose velocities are v. */
double crn_twice_kinetic(const crn_layout *layout, int block, const double *v);
/* Compute the energies of a state that was set rather than stepped to; poses and contacts must be located. Returns the
 * change of the total. */
double crn_recount(cairn_simulation *simulation);
/* Count the bodies that passed the planes of statistics since they were at q, at time t, `steps` steps before, in flow.c. */
void crn_book_flow(cairn_simulation *simulation, const double *q, double t, int steps);

/* Regularised contacts and joints, in regularised.c: whether the settings allow them, their elastic energies, and their
 * works. The last functions return false if the row is rigid. r and c are impulses times the stage's weight. */
cairn_status crn_check_regularised(const cairn_simulation *simulation);
double crn_contact_elastic(const cairn_simulation *simulation);
double crn_joint_elastic(const cairn_simulation *simulation, const crn_frame *frame);
bool crn_book_soft_contact(cairn_simulation *simulation, const crn_stage *stage, int j, double r, double mean_rate);
/* The tangential spring of a soft contact, in anchors.c: book the work of its friction, which the rows give to the bodies; and
 * advance all springs at the end of a step, before the positions move. */
bool crn_book_soft_friction(cairn_simulation *simulation, const crn_stage *stage, int j, double rows_work);
cairn_status crn_accept_anchors(cairn_simulation *simulation, double h);
bool crn_book_soft_joint(cairn_simulation *simulation, const crn_stage *stage, int joint, int row, double c,
                         double mean_rate);
/* The same for the k-th bounded row of the stage. */
bool crn_book_soft_bounded(cairn_simulation *simulation, const crn_stage *stage, int k, double z, double mean_rate);
void crn_book_contact_elastic(cairn_simulation *simulation);

/* Forces that are chosen when they are read, in forces.c: whether the settings allow it, whether those of the step that ends wait, and
 * their choice, if they do. */
bool crn_forces_may_wait(const cairn_simulation *simulation);
void crn_forces_end_step(cairn_simulation *simulation);
void crn_forces_settle(const cairn_simulation *simulation);

#endif
