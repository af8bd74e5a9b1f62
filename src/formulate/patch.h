/* Compliant contact patches: their deformations, which are state, and their rows in the one-step problem.
 *
 * A patch belongs to a contact by identity. It is created with deformation 0 when the contact comes into reach, and its frame
 * is carried from step to step. When the contact goes out of reach, the patch relaxes and is dropped once its deformation is
 * negligible. Steps only read the state; crn_patches_advance computes the next one when a step is accepted.
 */
#ifndef CRN_FORMULATE_PATCH_H
#define CRN_FORMULATE_PATCH_H

#include "formulate/assemble.h"
#include "formulate/patch_block.h"

typedef struct crn_patch
{
    uint64_t identity; /* that of the contact */
    int block;
    size_t delta;      /* offset of its deformations */
    double tangent[3]; /* world: along the first row of elements; perpendicular to the normal until the next step */
} crn_patch;

/* All patches at one time, ascending by identity. */
typedef struct crn_patch_list
{
    crn_patch *patch;
    int count;
    double *delta; /* m, per patch: `dimension` numbers per element */
    size_t used, patch_capacity, delta_capacity;
} crn_patch_list;

struct crn_patches
{
    const cairn_model *model;
    crn_patch_block *blocks; /* one per pair of materials that have touched */
    size_t block_count, block_capacity;
    crn_patch_list now, next;
    double *scratch; /* three patches */
    size_t scratch_capacity;
    int turns;          /* 0 or 1, toggled by each advance */
    double energy;      /* J, elastic */
    double penetration; /* m: largest overlap of the deformed surfaces at the end of the last step */
};

void crn_patches_destroy(crn_patches *patches);

/* Returns CAIRN_INVALID with a message if the influence matrix of a material in use is not positive definite. */
cairn_status crn_patches_create(const cairn_model *model, crn_patches *patches);

/* The matrices of one pair of materials. See crn_materials_patch for `finer`. */
cairn_status crn_patches_add_block(crn_patches *patches, int material_a, int material_b, int finer);

/* Prepare the matrices for the patches of these contacts and a step h. They are cached. */
cairn_status crn_patches_prepare(crn_patches *patches, const crn_contact *contacts, int count, double h);

/* Add the rows and compliance of all compliant contacts of a step. */
cairn_status crn_add_patch_rows(crn_assembly *assembly, const crn_input *in);

/* Works of a step in J, all counted as work on the bodies and the elastic energy together. */
typedef struct crn_patch_work
{
    double normal, friction; /* work of the contact forces on the deformations */
    double damping;          /* -C delta' delta' h */
    double integration;      /* -1/2 (delta+ - delta)'K(delta+ - delta): implicit Euler's loss */
} crn_patch_work;

/* Advance the deformations over a step h with impulses r, and compute the works. The contacts of the assembly receive
 * their deformations. If memory runs out, nothing changes. */
cairn_status crn_patches_advance(crn_patches *patches, crn_assembly *assembly, const double *r, double h,
                                 crn_patch_work *work);

/* Restore the deformations before the last advance. This works once per advance. The caller must restore the energy. */
void crn_patches_turn_back(crn_patches *patches);

#endif
