/* The lengths that turn velocities and joint rows into metres per second; 1 where the problem gives none. */
#ifndef CRN_SOLVE_AUTO_LENGTHS_H
#define CRN_SOLVE_AUTO_LENGTHS_H

#include "cairn/problem.h"

static inline double crn_length(const cairn_problem *problem, int i)
{
    return problem->length ? problem->length[i] : 1.0;
}

static inline double crn_joint_length(const cairn_problem *problem, int row)
{
    return problem->joint_length ? problem->joint_length[row] : 1.0;
}

#endif
