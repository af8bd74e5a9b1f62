/* `euler`: the time-stepping scheme of Anitescu & Potra 2002, eq. (7). All forces are taken at the old state.
 *
 *     M v+ = M v + h k(t, q, v) + G' c + H' r,    G v+ = b,    contacts at the new velocity,    q+ = q + h v+
 *
 * With stiff springs and dampers it is stable only for small h: |1 - h gamma (1/m1 + 1/m2)| <= 1 for a damper gamma.
 */
#include "step/schemes/scheme.h"
#include "step/simulation.h"

static cairn_status formulate(crn_assembly *assembly, const crn_input *in)
{
    double correct = in->settings->stabilisation == CAIRN_STABILISE_GAP ? 1.0 / in->h : 0.0;
    CRN_TRY(crn_begin(assembly, in));
    crn_add_gravity(assembly, in);
    crn_add_systems(assembly, in, CRN_EXPLICIT);
    if (crn_add_gyroscopic(assembly, in, CRN_EXPLICIT) || crn_add_forces(assembly, in, CRN_EXPLICIT) ||
        crn_add_springs(assembly, in, CRN_EXPLICIT) || crn_add_joint_rows(assembly, in, correct) ||
        crn_add_contact_rows(assembly, in))
        return CAIRN_NO_MEMORY;
    crn_finish(assembly, in, in->settings->law);
    return CAIRN_OK;
}

static cairn_status advance(cairn_simulation *s, double h, cairn_solver_report *report)
{
    return crn_solve_at_state(s, h, formulate, CRN_EXPLICIT, report);
}

const crn_scheme crn_scheme_euler = {.name = "euler", .order = 1, .jump_growth = 1.0, .advance = advance};
