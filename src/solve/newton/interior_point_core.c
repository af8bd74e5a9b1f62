/* What interior points, Newton's method and smoothing share: their workspace, its head and its tail. */
#include "solve/newton/interior_point.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void *crn_ip_create(size_t size)
{
    assert(size >= sizeof(crn_ip_core));
    crn_ip_core *core = calloc(1, size);
    if (!core)
        return NULL;
    bool opened = crn_ip_system_open(&core->system);
    core->certifier = crn_certifier_create();
    if (!opened || !core->certifier)
    {
        crn_ip_destroy(core);
        return NULL;
    }
    return core;
}

void crn_ip_destroy(void *workspace)
{
    crn_ip_core *core = workspace;
    if (!core)
        return;
    crn_arena_release(&core->state.memory);
    crn_ip_system_close(&core->system);
    crn_certifier_destroy(core->certifier);
    crn_arena_release(&core->memory);
    free(core);
}

cairn_status crn_ip_begin(crn_ip_core *core, const cairn_problem *problem, const crn_method_options *options)
{
    crn_ip_state *state = &core->state;
    CRN_TRY(crn_ip_state_update(state, problem));
    CRN_TRY(crn_ip_vector_reserve(&core->memory, &core->step, problem, &state->layout));
    CRN_TRY(crn_ip_vector_reserve(&core->memory, &core->best, problem, &state->layout));
    CRN_TRY(crn_reserve_all(&core->memory, CRN_ARRAY(core->blocks, state->layout.cones + 1)));
    CRN_TRY(crn_certifier_prepare(core->certifier, problem, NULL));
    CRN_TRY(crn_ip_system_prepare(&core->system, problem, &state->layout, core->blocks));
    state->scale = fmax(crn_certifier_scale(core->certifier), DBL_MIN);
    state->exact = crn_ip_is_exact(problem);
    state->deadline = options->deadline;
    crn_saddle_limit(core->system.saddle, options->deadline, options->work);
    memset(state->shift, 0, (size_t)problem->contact_count * sizeof(double));
    core->least = INFINITY;
    return CAIRN_OK;
}

cairn_status crn_ip_predict(void *workspace, const cairn_problem *problem, double *work)
{
    crn_ip_core *core = workspace;
    CRN_TRY(crn_ip_state_update(&core->state, problem));
    CRN_TRY(crn_reserve_all(&core->memory, CRN_ARRAY(core->blocks, core->state.layout.cones + 1)));
    CRN_TRY(crn_ip_system_prepare(&core->system, problem, &core->state.layout, core->blocks));
    return crn_saddle_predict(core->system.saddle, &core->system.condensed, work);
}

bool crn_ip_keep(crn_ip_core *core, double error)
{
    if (!(error < core->least))
        return false;
    core->least = error;
    crn_ip_copy(&core->state, &core->state.now, &core->best);
    return true;
}

/* A Newton step with T = 0 and Theta = I changes no impulse. */
cairn_status crn_ip_follow_impulses(crn_ip_core *core)
{
    crn_ip_state *state = &core->state;
    crn_ip_judge(state);
    for (int j = 0; j < state->layout.cones; ++j)
    {
        crn_ip_blocks *block = &core->blocks[j];
        block->size = state->layout.first[j + 1] - state->layout.first[j];
        memset(block->T, 0, sizeof block->T);
        memset(block->Theta, 0, sizeof block->Theta);
        block->Theta[0] = block->Theta[4] = block->Theta[8] = 1.0;
    }
    memset(state->right.x, 0, (size_t)state->layout.rows * sizeof(double));
    CRN_TRY(crn_ip_system_factorise(&core->system, false, false));
    crn_ip_system_solve(&core->system, &state->right, &core->step);
    crn_ip_move(state, 1.0, &core->step);
    return CAIRN_OK;
}

cairn_status crn_ip_finish(const crn_ip_core *core, cairn_status status, cairn_solution *solution, bool *cut)
{
    const crn_ip_state *state = &core->state;
    assert(solution->n == state->problem->n);
    assert(solution->joint_rows == state->problem->joint_rows);
    *cut = crn_saddle_gave_up(core->system.saddle);
    if (status || !isfinite(core->least))
        return status;
    memcpy(solution->v, core->best.v, (size_t)solution->n * sizeof(double));
    memcpy(solution->c, core->best.c, (size_t)solution->joint_rows * sizeof(double));
    crn_ip_impulses(&state->layout, state->problem, core->best.x, solution->r);
    return CAIRN_OK;
}
