/* Random problems in the compact view: jittered lattices of grains between prescribed walls, and the same problem in the general
 * form, written down from the equations at the head of solve/compact/compact.h. */
#ifndef TESTS_SUPPORT_COMPACT_PROBLEM_H
#define TESTS_SUPPORT_COMPACT_PROBLEM_H

#include "solve/compact/compact.h"
#include "support/problems/random_problem.h"

typedef struct test_compact_recipe
{
    int count[3]; /* grains along each axis */
    cairn_law_kind law;
    int directions;  /* of pyramids */
    bool is_planar;  /* count[2] = 1 */
    bool is_general; /* about half of the grains have an inertia that is not isotropic, and contacts off their axes */
    bool is_uneven;  /* a third of the grains have an m^-1 that is a matrix, some of them nearly that of a rail */
    bool is_aligned; /* no jitter and no spin: all normals along axes */
    bool is_placed;  /* heights and places across are given */
    double mu;
} test_compact_recipe;

/* Body 0 is the prescribed box around the grains; it moves slowly. */
typedef struct test_compact
{
    crn_compact_problem problem;
    crn_compact_polygon polygon; /* of its law, if that has one */
    cairn_law law;
    crn_compact_body *body;
    double (*inverse_inertia)[9];
    bool *is_round;
    int *uneven;
    double (*uneven_mass)[9];
    crn_compact_contact *contact;
    double *height, *across;
    double (*impulse)[3]; /* contact_count: random ones, not all of them within their cones */
} test_compact;

test_compact *test_compact_create(const test_compact_recipe *recipe, uint64_t seed);
void test_compact_destroy(test_compact *compact);

/* The general problem of the same step; block i is body i + 1. Small ones only: it is dense on the way. */
cairn_problem *test_compact_general(const test_compact *compact);

/* Impulses and velocities of the compact view in the coordinates of that problem: r (dim per contact) and v. */
void test_compact_coordinates(const test_compact *compact, const cairn_problem *general, const double (*impulse)[3],
                              const crn_compact_body *body, double *r, double *v);

#endif
