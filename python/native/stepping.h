/* Loops over steps and bodies, for which a call from Python per step or body would be too slow. */
#ifndef CAIRN_PYTHON_STEPPING_H
#define CAIRN_PYTHON_STEPPING_H

#include "cairn/cairn.h"

/* Steps to take in one call. */
typedef struct cairn_python_steps
{
    int64_t wanted;
    /* Set by the call: how many were taken. */
    int64_t done;
    /* s of wall time after which the call returns, so that Python can handle signals. */
    double seconds;
    /* Records every step; NULL: none. */
    cairn_recorder *recorder;
    /* Its watch wants to see every step. */
    int samples;
    /* A callback sets *stop to end the loop after the present step. */
    const int *stop;
} cairn_python_steps;

/* Take steps until all are done, one fails, time is up, or *stop is set. */
cairn_status cairn_python_step(cairn_simulation *simulation, cairn_python_steps *steps);

/* Take so many steps of each simulation, one simulation after another. A simulation whose step fails takes no more; status[i] has
 * the reason. Returns the number of those that failed. Several threads may call this with different simulations. */
int cairn_python_step_many(cairn_simulation *const *simulations, int count, int64_t steps, const int *stop,
                           cairn_status *status);

/* Functions over all simulations of a batch. They return `count`, or the index of the first for which the library failed, or which has
 * another number of bodies. */

/* Read quantities[i] of simulation i: as many numbers as the first quantity has, one simulation after another. */
int cairn_python_read(cairn_simulation *const *simulations, int count, const cairn_quantity *quantities, double *values);

/* Copy the positions (3 numbers per body) or velocities (6 per body). */
int cairn_python_positions(cairn_simulation *const *simulations, int count, int bodies, double *values);
int cairn_python_velocities(cairn_simulation *const *simulations, int count, int bodies, double *values);

/* Set the target of a drive of each model to a number, exactly. */
int cairn_python_set_targets(cairn_model *const *models, int count, const cairn_joint *joints, const char *coordinate,
                             const double *values);

/* The states of all bodies, in the order of the model. */
void cairn_python_states(const cairn_simulation *simulation, cairn_body_state *states);

#endif
