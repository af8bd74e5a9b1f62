/* Interaction with a running simulation: gravity, friction and a drag spring. The model is not changed.
 *
 * The energy account continues. A change of gravity shifts the reference total by the jump of the potential. The work of the
 * drag spring counts as work of external forces.
 */
#include "math/vec.h"
#include "model/names.h"
#include "step/account/account.h"
#include "step/simulation.h"

#include <math.h>
#include <string.h>

cairn_status cairn_simulation_set_gravity(cairn_simulation *s, const double gravity[3])
{
    if (!s || !gravity)
        return crn_fail(s ? s->context : NULL, CAIRN_INVALID, "set gravity: the simulation or the numbers are NULL");
    double g[3] = {gravity[0], gravity[1], s->model->dimension == 3 ? gravity[2] : 0.0};
    if (!crn_all_finite(g, 3))
        return crn_fail(s->context, CAIRN_INVALID, "set gravity: must be finite numbers");
    CRN_TRY(crn_simulation_enter(s));
    CRN_TRY(crn_motions_fetch(s));
    double before = s->state.potentials.gravity;
    memcpy(s->state.gravity, g, sizeof g);
    s->state.mode_count = 0;
    s->state.potentials.gravity = crn_potentials_at(s, &s->located.frame, s->state.q).gravity;
    double jump = s->state.potentials.gravity - before;
    s->state.total_at_start += jump;
    s->state.energy.potential += jump;
    s->state.energy.total += jump;
    return crn_locate(s, s->settings.step);
}

cairn_status cairn_simulation_set_friction(cairn_simulation *s, double friction)
{
    if (!s)
        return crn_fail(NULL, CAIRN_INVALID, "set friction: the simulation is NULL");
    if (!isnan(friction) && !(isfinite(friction) && friction >= 0))
        return crn_fail(s->context, CAIRN_INVALID, "set friction: must be a number of 0 or more, found %g", friction);
    CRN_TRY(crn_simulation_enter(s));
    CRN_TRY(crn_motions_fetch(s));
    s->state.friction = friction;
    s->state.mode_count = 0;
    return crn_locate(s, s->settings.step);
}

cairn_status cairn_simulation_pull(cairn_simulation *s, cairn_body body, const double point[3], const double target[3],
                                   double stiffness, double damping)
{
    if (!s || !point || !target)
        return crn_fail(s ? s->context : NULL, CAIRN_INVALID, "pull: the simulation or a point is NULL");
    CRN_TRY(crn_simulation_enter(s));
    CRN_TRY(crn_motions_fetch(s));
    int index = crn_body_index(s->model, body);
    if (index < 0 && body.id != 0)
        return crn_fail_handle(s->model, "pull", body.id, body.model);
    if (index < 0 || s->layout->body_block[index] < 0 || crn_is_absent(s->layout, index))
    {
        return crn_fail(s->context, CAIRN_INVALID, "pull: '%s' does not move under forces",
                        crn_body_name(s->model, index));
    }
    bool finite = crn_all_finite(point, 3) && crn_all_finite(target, 3);
    if (!finite || !isfinite(stiffness) || !isfinite(damping) || stiffness < 0 || damping < 0)
    {
        return crn_fail(s->context, CAIRN_INVALID,
                        "pull: '%s': points must be finite, stiffness and damping numbers of 0 or more",
                        crn_body_name(s->model, index));
    }
    s->state.pull = (crn_drag_spring){.body = index, .stiffness = stiffness, .damping = damping};
    memcpy(s->state.pull.point, point, sizeof s->state.pull.point);
    memcpy(s->state.pull.target, target, sizeof s->state.pull.target);
    if (s->model->dimension == 2)
        s->state.pull.point[2] = s->state.pull.target[2] = 0.0;
    s->state.pulled = true;
    s->state.mode_count = 0;
    return CAIRN_OK;
}

void cairn_simulation_let_go(cairn_simulation *s)
{
    s->state.pulled = false;
    s->state.mode_count = 0;
}
