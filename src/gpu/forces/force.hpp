/* Forces that are known before a step, and the pull of somebody's hand.
 *
 * A force has a constant value within a step, in the world or in its body's frame, and acts at a point of its body. The host sends the
 * values of all forces for every step of a batch, but for those that depend on the state (program.hpp). Their impulses join those of gravity before the sweeps. A pull is a spring without length from a point of a
 * body to a place, evaluated as if only it and gravity acted on the body (formulate/drag_spring.c). */
#pragma once

#include "../interface.h"
#include "../shapes/frame.hpp"

namespace crn
{

struct Forces
{
    int count;
    crn_gpu_force *force; /* by body */
    int *first;           /* per body of the description: its first force; and where the last one's end */
    crn_gpu_load *load;   /* count per step of the batch */
    crn_gpu_pull *pull;
    D3 *impulse;          /* per body of the description, two: N s and N m s in this step; NULL: nothing acts */
    double *work;         /* J, over the batch: per force, then of the pull */

    /* of forces that depend on the state (program.hpp) */
    int *program_first;               /* six per force, and where the last one ends; NULL: there are none */
    crn_gpu_instruction *instruction;
    crn_gpu_variable *variable;       /* by body */
    int *variable_first;              /* per body of the description, as `first` */
    double *value;                    /* per variable, in this step */
};

} // namespace crn
