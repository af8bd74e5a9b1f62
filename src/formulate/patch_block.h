/* The viscoelastic response of a contact patch: matrices that depend only on the two materials and the step size. */
#ifndef CRN_FORMULATE_PATCH_BLOCK_H
#define CRN_FORMULATE_PATCH_BLOCK_H

#include "base/context.h"
#include "model/model.h"

typedef struct crn_patch_block
{
    int material_a, material_b;
    int elements; /* of the patch: n_s or n_s^2 */
    int across;   /* n_s */
    double spacing;
    double damping, retardation;
    int rows;        /* dimension * elements */
    double *basis;   /* Q', rows x rows: eigenvectors of Xi in rows */
    double *value;   /* rows: eigenvalues of Xi, m/N */
    double *K;       /* N/m */
    double h;        /* s, step size of the two below; 0: not computed */
    double *R;       /* E^-1/h, m/(N s^2): compliance of the one-step problem, whose unknown is an impulse */
    double *relax;   /* E^-1 K, 1/s: decay rate of an unloaded deformation */
    double *scratch; /* rows */
} crn_patch_block;

/* Compute Xi, its eigenvectors and K for a contact of two materials, the first being that of body a. Returns
 * CAIRN_INVALID if Xi is not positive definite. */
cairn_status crn_patch_block_create(const cairn_model *model, int material_a, int material_b, int finer,
                                    crn_patch_block *block);
void crn_patch_block_destroy(crn_patch_block *block);

/* Compute R and relax for a step h, unless they are up to date. */
void crn_patch_block_prepare(crn_patch_block *block, double h);

#endif
