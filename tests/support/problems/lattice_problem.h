/* Discs in a hexagonal lattice, some of them missing, on a floor and between two walls, given by W = H M^-1 H' alone: what a
 * local FCLIB file of a granular flow holds. A contact is coupled with those of its two discs, so W has about nine blocks per
 * row whatever its size. */
#ifndef TESTS_SUPPORT_PROBLEMS_LATTICE_PROBLEM_H
#define TESTS_SUPPORT_PROBLEMS_LATTICE_PROBLEM_H

#include "cairn/problem.h"

/* W in sparse blocks; the arrays are malloc'ed. Discs fall for 5 ms, and move at random at some cm/s. */
cairn_problem lattice_problem(int wide, int high, double mu, unsigned seed);

/* The same problem with W in one dense patch; shares all other arrays. */
cairn_problem lattice_dense(const cairn_problem *sparse);

void lattice_free(cairn_problem *sparse);
void lattice_dense_free(cairn_problem *dense);

#endif
