/* Several one-step problems as one that falls apart into them again, its blocks, joints and contacts in random order. */
#ifndef TESTS_SUPPORT_JOINED_PROBLEM_H
#define TESTS_SUPPORT_JOINED_PROBLEM_H

#include "support/problems/random_problem.h"

/* Where things of the parts went: those of part k start at first_...[k]. */
typedef struct test_join
{
    cairn_problem *problem;
    int part_count;
    int *first_block, *first_joint, *first_contact; /* part_count + 1 */
    int *block, *joint, *contact;                   /* of the parts, one after the other: the place in the problem */
} test_join;

/* The parts have one dimension and law. Contacts without compliance stand before those of patches. Identities count the
 * contacts of the parts from 1. Released by test_join_release; the parts stay the caller's. */
test_join test_problem_join(cairn_problem *const *part, int count, uint64_t seed);
void test_join_release(test_join *join);

/* Two to eight random problems, with and without joints, springs, compliance and contacts, joined. */
test_join test_join_random(int trial, int dim, cairn_law law, double mu);
/* Copies of one problem. */
test_join test_join_copies(cairn_problem *one, int count);

/* A body of three unknowns on the ground, with friction 0.3, sliding at a speed while it falls at 1 m/s: one contact. */
cairn_problem *test_problem_single(cairn_law law, double slide);

#endif
