/* Opening and closing a state: the arrays whose sizes depend on the model. Lists of contacts grow on demand. */
#include "step/state.h"
#include "step/keep/shelf.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void crn_state_close(crn_state *state)
{
    crn_patches_destroy(&state->patches);
    crn_anchors_free(&state->anchors);
    crn_sides_free(&state->sides);
    for (int k = 0; k < CRN_WARMS; ++k)
        crn_warm_release(&state->warm[k]);
    crn_warm_release(&state->lag);
    double *arrays[] = {state->q,           state->v,          state->spring_angle, state->coordinate,
                        state->spring_work, state->joint_work, state->force_work,   state->element_work};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
        free(arrays[i]);
    free(state->passed);
    free(state->wedged.identity);
    free(state->choice.identity);
    free(state->choice.row);
    free(state->pressed);
    free(state->modes);
    free(state->events);
    free(state->contacts);
    free(state->touches);
    free(state->absent);
    free(state->flow);
    free(state->device_kept);
    crn_shelf_close(state->shelf);
    memset(state, 0, sizeof *state);
}

cairn_status crn_state_open(crn_state *state, const crn_layout *layout, bool has_motions)
{
    const cairn_model *model = layout->model;
    size_t works = model->has_elements ? model->joint_count * CRN_ELEMENT_WORKS : 0;
    struct
    {
        double **array;
        size_t size;
    } all[] = {
        {&state->q, (size_t)layout->q_start[layout->block_count]},
        {&state->v, (size_t)layout->block_start[layout->block_count]},
        {&state->spring_angle, model->spring_count},
        {&state->coordinate, model->joint_count * CRN_JOINT_COORDINATES},
        {&state->spring_work, model->spring_count},
        {&state->joint_work, model->joint_count},
        {&state->force_work, model->force_count},
        {&state->element_work, works},
    };
    memset(state, 0, sizeof *state);
    state->element_works = works;
    state->patches.model = model;
    state->passed = calloc(model->statistic_count + 1, sizeof *state->passed);
    bool complete = state->passed;
    for (size_t i = has_motions ? 0 : 2; i < sizeof all / sizeof all[0]; ++i)
    {
        assert(all[i].size < SIZE_MAX / sizeof(double));
        *all[i].array = calloc(all[i].size + 1, sizeof(double));
        complete = complete && *all[i].array;
    }
    if (model->flows)
    {
        state->absent = calloc(model->body_count + 1, sizeof *state->absent);
        state->flow = calloc(model->population_count, sizeof *state->flow);
        complete = complete && state->absent && state->flow;
    }
    if (!complete)
        crn_state_close(state);
    return complete ? CAIRN_OK : CAIRN_NO_MEMORY;
}
