/* `stiff`: the linearly implicit scheme of Anitescu & Potra 2002, eq. (12)-(18) with (32) and (33).
 *
 *     A v+ = M v + h k^ + G' c + H' r,   A = M + h K_c + h^2 sum gamma g g' + h sum delta g g',   q+ = q + h v+
 *
 * Springs and dampers are taken at the new velocity, through their linearised coordinate phi + h g'v+. The gyroscopic
 * moment is K_c(v) v+ with K_c antisymmetric. All other forces (k^: gravity, external forces, -gamma phi g) are taken
 * at the old state, and so are the arms of joints, except where a step cannot follow what joints under tension do (formulate/mechanism/taut.c). A is positive definite for every h, so Theorem 2.2 guarantees a solution for every h, and Theorem
 * 2.4 bounds its energy.
 */
#include "step/schemes/scheme.h"
#include "step/simulation.h"

#include <math.h>

static cairn_status formulate(crn_assembly *assembly, const crn_input *in)
{
    double correct = in->settings->stabilisation == CAIRN_STABILISE_GAP ? 1.0 / fmax(in->h, in->settings->step) : 0.0;
    CRN_TRY(crn_begin(assembly, in));
    crn_add_gravity(assembly, in);
    crn_add_systems(assembly, in, CRN_IMPLICIT);
    if (crn_add_gyroscopic(assembly, in, CRN_IMPLICIT) || crn_add_forces(assembly, in, CRN_IMPLICIT) ||
        crn_add_springs(assembly, in, CRN_IMPLICIT) || crn_add_joint_rows(assembly, in, correct) ||
        crn_add_taut_joints(assembly, in) || crn_add_contact_rows(assembly, in))
        return CAIRN_NO_MEMORY;
    crn_finish(assembly, in, in->settings->law);
    return CAIRN_OK;
}

cairn_status crn_advance_stiff(cairn_simulation *s, double h, cairn_solver_report *report)
{
    return crn_solve_at_state(s, h, formulate, CRN_IMPLICIT, report);
}

const crn_scheme crn_scheme_stiff = {.name = "stiff", .order = 1, .jump_growth = 1.0, .advance = crn_advance_stiff};
