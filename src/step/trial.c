/* The arrays of a first-order step: positions and velocities after it, then those before it, and their means.
 *
 * Where ranks take the steps, process 0 takes none. It needs the arrays while an initial state is projected, and if a state was restored that says where its last step
 * began. Otherwise they would be 152 bytes per body that nobody reads.
 */
#include "step/account/account.h"
#include "step/simulation.h"

/* A first-order step has one part, which begins at the velocities that are saved. Its displacement has been used before the mean velocity
 * is known. What is saved is the state's own until that takes over the new positions and velocities, and takes their place then. */
static void share(cairn_simulation *s, size_t nq, size_t nv)
{
    s->trial.displacement = s->trial.mean = s->trial.q_new + nq;
    s->saved.v = s->trial.v_old = s->trial.v_new = s->trial.mean + nv;
    s->trial.room = nq + 2 * nv;
    s->saved.q = s->trial.q_new;
}

cairn_status crn_trial_open(cairn_simulation *s)
{
    size_t nq = (size_t)s->layout->q_start[s->layout->block_count];
    size_t nv = (size_t)s->layout->block_start[s->layout->block_count];
    if (crn_is_second_order(s->settings.integrator) || s->trial.q_new)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&s->trial.memory, CRN_ARRAY(s->trial.q_new, nq + 2 * nv)));
    share(s, nq, nv);
    return CAIRN_OK;
}

bool crn_trial_is_kept(const cairn_simulation *s)
{
    return !crn_device_is_shared(s) || s->saved.is_there ||
           s->layout->body_block_count + s->grains.count <= CRN_FEW_BODIES || s->model->system_count > 0;
}

void crn_trial_release(cairn_simulation *s)
{
    if (crn_is_second_order(s->settings.integrator) || crn_trial_is_kept(s))
        return;
    crn_arena_release(&s->trial.memory);
    s->trial.q_new = s->trial.v_new = s->trial.v_old = s->trial.mean = s->trial.displacement = NULL;
    s->saved.q = s->saved.v = NULL;
    s->trial.room = 0;
}
