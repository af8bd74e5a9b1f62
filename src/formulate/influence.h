/* How forces on the elements of a contact patch deform an elastic half-space. */
#ifndef CRN_FORMULATE_INFLUENCE_H
#define CRN_FORMULATE_INFLUENCE_H

#include "cairn/model.h"

/* Where the elements of a patch lie, and what a half-space answers. */
typedef struct crn_influence
{
    int dimension;  /* 2: a row of elements along t; 3: elements x elements along t and o */
    int elements;   /* n_s */
    double spacing; /* m, rho_0 */
    double compliance, poisson;
    cairn_patch_kernel kernel;
} crn_influence;

/* Elements of a patch: n_s in the plane, n_s^2 in space. */
int crn_patch_elements(int dimension, int elements);

/* Centre of an element in the patch's frame: m along t and o. */
void crn_element_offset(int dimension, int elements, double spacing, int element, double offset[2]);

/* Xi += the influence matrix of one side, (dimension * elements)^2 values, row-major; an element's rows are n, t (and o).
 * sign: +1 for the half-space of body a, which the contact force pushes, -1 for that of body b. */
void crn_influence_add(const crn_influence *side, double sign, double *Xi);

#endif
