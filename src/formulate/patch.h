/* Compliant contact patches: their deformations, which are state, and their rows in the one-step problem.
 *
 * A patch belongs to a contact by identity. It is born with deformation 0 when the contact comes into reach, lives in a frame
 * that is carried from step to step, and when the contact is out of reach it relaxes until nothing is left to forget. Steps
 * read the state; crn_patches_advance makes the next one when a step is accepted.
 */
#ifndef CRN_FORMULATE_PATCH_H
#define CRN_FORMULATE_PATCH_H

#include "formulate/assemble.h"
#include "formulate/patch_block.h"

typedef struct crn_patch
{
    uint64_t identity; /* of the contact */
    int block;
    size_t delta;      /* place of its deformations */
    double tangent[3]; /* world: along the first row of elements; across the normal up to the next step */
} crn_patch;

/* All patches at one time, ascending by identity. */
typedef struct crn_patch_list
{
    crn_patch *patch;
    int count;
    double *delta; /* m, a patch: dimension numbers an element */
    size_t used, patch_capacity, delta_capacity;
} crn_patch_list;

struct crn_patches
{
    const cairn_model *model;
    crn_patch_block *blocks; /* of the pairs of materials that have touched */
    size_t block_count, block_capacity;
    crn_patch_list now, next;
    double *scratch; /* three patches */
    size_t scratch_capacity;
    int turns;          /* 0 or 1, the other after each advance */
    double energy;      /* J, elastic */
    double penetration; /* m: the most that deformed surfaces overlap at the end of the last step */
};

void crn_patches_destroy(crn_patches *patches);

/* CAIRN_INVALID with a message when the influence matrix of a material in use is not positive definite. */
cairn_status crn_patches_create(const cairn_model *model, crn_patches *patches);

/* The matrices of one pair of materials; `finer` as crn_materials_patch says. */
cairn_status crn_patches_add_block(crn_patches *patches, int material_a, int material_b, int finer);

/* The matrices for the patches of these contacts and a step h; they are kept. */
cairn_status crn_patches_prepare(crn_patches *patches, const crn_contact *contacts, int count, double h);

/* Rows and compliance of all compliant contacts of a step. */
cairn_status crn_add_patch_rows(crn_assembly *assembly, const crn_input *in);

/* J that a step did, all counted as work on the bodies and the elastic energy together. */
typedef struct crn_patch_work
{
    double normal, friction; /* what the contact forces gave to the deformations */
    double damping;          /* -C delta' delta' h */
    double integration;      /* -1/2 (delta+ - delta)'K(delta+ - delta): implicit Euler's loss */
} crn_patch_work;

/* Deformations at the end of a step h with impulses r, and what that did; the assembly's contacts learn theirs. Nothing
 * changes when memory runs out. */
cairn_status crn_patches_advance(crn_patches *patches, crn_assembly *assembly, const double *r, double h,
                                 crn_patch_work *work);

/* The deformations before the last advance again; once after it. The energy is the caller's to put back. */
void crn_patches_turn_back(crn_patches *patches);

#endif
