/* Deformation of an elastic half-space under forces on the elements of a contact patch. */
#ifndef CRN_FORMULATE_INFLUENCE_H
#define CRN_FORMULATE_INFLUENCE_H

#include "cairn/model.h"

/* The grid of a patch's elements, and the elastic properties of a half-space. */
typedef struct crn_influence
{
    int dimension;  /* 2: a row of elements along t; 3: elements x elements along t and o */
    int elements;   /* n_s */
    double spacing; /* m, rho_0 */
    double compliance, poisson;
    cairn_patch_kernel kernel;
} crn_influence;

/* Number of elements of a patch: n_s in the plane, n_s^2 in space. */
int crn_patch_elements(int dimension, int elements);

/* Centre of an element in the patch's frame: m along t and o. */
void crn_element_offset(int dimension, int elements, double spacing, int element, double offset[2]);

/* Add to Xi the influence matrix of one side, (dimension * elements)^2 values, row-major; the rows of an element are n,
 * t (and o). sign is +1 for the half-space of body a, on which the contact force acts, and -1 for that of body b. */
void crn_influence_add(const crn_influence *side, double sign, double *Xi);

#endif
