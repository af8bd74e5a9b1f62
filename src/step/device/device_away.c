/* Motions that ranks alone have.
 *
 * Where ranks take the steps, process 0 needs how all bodies move for sums alone: energies, and whether all numbers are finite. It adds them up in the order of the bodies while motions
 * come in, CRN_CREW_PART bodies at a time, and keeps none: state.q and state.v are NULL. Ranks keep how bodies moved before the batch until the sums are found to be of use.
 *
 * Who reads one body after the other sees them through a window. Who needs all at once, or changes something, has them fetched; they stay until the next batch. What is fetched is to
 * the bit what would have been kept. Motions leave where nothing else of process 0 reads them within a step, which is where bodies are many: without joints, springs, applied forces and
 * planes that count bodies.
 */
#include "step/simulation.h"

#include <stdlib.h>

static bool has_planes(const cairn_model *model)
{
    for (size_t i = 0; i < model->statistic_count; ++i)
        if (model->statistics[i].has_plane)
            return true;
    return false;
}

bool crn_device_may_leave_motions(const cairn_simulation *s)
{
    const cairn_model *model = s->model;
    bool is_read = model->joint_count > 0 || model->spring_count > 0 || model->force_count > 0 ||
                   model->system_count > 0 || model->has_references || model->flows || s->state.pulled ||
                   has_planes(model);
    return crn_device_is_shared(s) && !is_read;
}

bool crn_device_leaves_motions(const cairn_simulation *s)
{
    return crn_device_may_leave_motions(s) && s->device->is_ordered && !crn_trial_is_kept(s);
}

bool crn_motions_are_here(const cairn_simulation *s)
{
    return s->state.q != NULL;
}

static size_t numbers_of_q(const cairn_simulation *s)
{
    return (size_t)s->layout->q_start[s->layout->block_count];
}

static size_t numbers_of_v(const cairn_simulation *s)
{
    return (size_t)s->layout->block_start[s->layout->block_count];
}

void crn_device_let_motions_go(cairn_simulation *s)
{
    crn_located_release(s);
    free(s->state.q);
    free(s->state.v);
    s->state.q = s->state.v = NULL;
    s->bulk.fresh = false;
    if (s->device)
        s->device->view.count = s->device->view.some_count = 0;
    crn_simulation_bind(s);
}

/* -------------------------------------------------------------------------------------------------------------- fetch */

typedef struct filling
{
    const cairn_simulation *s;
    double *q, *v;
} filling;

static void fill(void *data, const crn_crew_motion *motion)
{
    const filling *to = data;
    crn_gpu_body body;
    crn_crew_take_motion(motion->number, &body);
    crn_device_write_motion(to->s, (int)motion->body, &body, to->q, to->v);
}

bool crn_device_read_origin(const cairn_simulation *s, double *q, double *v, char *sentence)
{
    filling to = {s, q, v};
    return crn_crew_read_origin(s->device->world, 0, s->device->bodies, fill, &to, sentence);
}

/* Room for all motions. */
static cairn_status make_room(cairn_simulation *s)
{
    double *q = calloc(numbers_of_q(s) + 1, sizeof *q), *v = calloc(numbers_of_v(s) + 1, sizeof *v);
    if (!q || !v)
    {
        free(q);
        free(v);
        return crn_device_fail(s, CAIRN_NO_MEMORY, "memory ran out");
    }
    s->state.q = q;
    s->state.v = v;
    crn_simulation_bind(s);
    return CAIRN_OK;
}

static cairn_status take_shelved(cairn_simulation *s)
{
    if (crn_device_take_shelved(s))
        return CAIRN_OK;
    crn_device_let_motions_go(s);
    return crn_device_fail(s, CAIRN_IO, "what the state has of the last step cannot be read");
}

cairn_status crn_motions_fetch(const cairn_simulation *given)
{
    cairn_simulation *s = (cairn_simulation *)(uintptr_t)given; /* what it means stays as it is */
    char sentence[CRN_GPU_SENTENCE] = "the motions of the bodies are lost";
    CRN_TRY(crn_grains_make(s));
    if (crn_motions_are_here(s))
        return CAIRN_OK;
    bool are_shelved = crn_motions_are_shelved(s);
    CRN_TRY(make_room(s));
    if (are_shelved)
        return take_shelved(s);
    filling to = {s, s->state.q, s->state.v};
    if (!s->device->world || !crn_crew_read_motions(s->device->world, 0, s->device->bodies, fill, &to, sentence))
    {
        crn_device_let_motions_go(s);
        return crn_device_fail(s, CAIRN_IO, "%s", sentence);
    }
    crn_device_remember(s);
    return CAIRN_OK;
}

cairn_status crn_device_recall_origin(cairn_simulation *s)
{
    char sentence[CRN_GPU_SENTENCE] = "";
    CRN_TRY(crn_grains_make(s));
    cairn_status status = crn_motions_are_here(s) ? CAIRN_OK : make_room(s);
    if (!status && !crn_device_read_origin(s, s->state.q, s->state.v, sentence))
    {
        crn_device_let_motions_go(s);
        status = crn_device_fail(s, CAIRN_IO, "%s", sentence);
    }
    crn_device_forget(s->device);
    return status;
}

cairn_status crn_device_drop_origin(const cairn_simulation *s)
{
    char sentence[CRN_GPU_SENTENCE] = "";
    bool is_there = s->device->has_origin && s->device->world;
    s->device->has_origin = false;
    return is_there && !crn_crew_drop_origin(s->device->world, sentence) ? crn_device_fail(s, CAIRN_IO, "%s", sentence)
                                                                         : CAIRN_OK;
}
