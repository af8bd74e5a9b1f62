/* Rows of a bushing: its stiffness and damping matrices in a basis in which both are diagonal. */
#ifndef CRN_MODEL_JOINTS_BUSHING_H
#define CRN_MODEL_JOINTS_BUSHING_H

#include "model/model.h"

enum
{
    CRN_BUSHING_SIZE = 6
};

typedef struct crn_bushing
{
    double B[CRN_BUSHING_SIZE][CRN_BUSHING_SIZE]; /* row i of the joint is y_i = B_i . u, */
    double k[CRN_BUSHING_SIZE];                   /* with a stiffness, N/m where u is in m, */
    double c[CRN_BUSHING_SIZE];                   /* and a damping */
    double rest[3];                               /* m: where b's point is at the start, along the joint's axes */
    double given[2][CRN_BUSHING_SIZE * CRN_BUSHING_SIZE]; /* K and C, row by row, for scene files */
} crn_bushing;

/* Take the matrices of the options: fill in joint->bushing but for `rest`, the number of rows, and the largest stiffness. */
cairn_status crn_bushing_set(const cairn_model *model, const cairn_joint_options *options, crn_joint *joint);

#endif
