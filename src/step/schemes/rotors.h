/* Rotors: inertias of coordinates of joints. See rotors.c. All of this does nothing in models that have none. */
#ifndef CRN_STEP_SCHEMES_ROTORS_H
#define CRN_STEP_SCHEMES_ROTORS_H

#include "step/stage.h"

/* Find the rates u of rotors at the base of a one-step problem: those of the state; those with which the last step of a first-order
 * scheme ended, if it had the length h; and, from those of the state, those after stage 0 with `weight` times its impulses. */
void crn_rotors_at_state(cairn_simulation *simulation);
void crn_rotors_before(cairn_simulation *simulation, double h);
void crn_rotors_after_stage(cairn_simulation *simulation, double weight);

/* J: kinetic energy of all rotors in the poses of the state, at the velocities v. */
double crn_rotor_kinetic(cairn_simulation *simulation, const double *v);
/* Book the work of row `row` of a joint, with the impulse c, if the row is a rotor. mean_rate has the weight of the stage. */
bool crn_book_rotor(cairn_simulation *simulation, const crn_stage *stage, int joint, int row, double c,
                    double mean_rate);

#endif
