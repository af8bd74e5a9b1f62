/* How a simulation begins whose motions stay with the ranks from the start on (device_away.c).
 *
 * Process 0 adds up the energies of the initial state, lets go of it, and hands the bodies out as the model has them. What overlaps, the ranks find. Process 0 looks for contacts
 * itself only if an overlap is so deep that it is told body by body: then the run is refused as a rule.
 */
#include "model/periodic.h"
#include "step/account/account.h"
#include "step/assembly/fit.h"
#include "step/device/device_glance.h"
#include "step/events/events.h"
#include "step/simulation.h"

#include <math.h>
#include <string.h>

/* Overlaps that nobody is told of (initial.c, audit/overlap.c): m, and a part of the smallest body's size. */
static const double SLIGHT = 1e-6, SMALL_PART = 1e-3;

/* Whether what is read of bodies that have not moved is to the bit what the model says. */
static bool are_upright(const cairn_simulation *s)
{
    static const double UPRIGHT[4] = {1, 0, 0, 0};
    bool are = true;
    for (int k = 0; k < s->layout->body_block_count && are; ++k)
        are = !memcmp(s->model->bodies[s->layout->block_body[k]].traits->initial.orientation, UPRIGHT, sizeof UPRIGHT);
    return are;
}

bool crn_device_begins_away(const cairn_simulation *s)
{
    const cairn_settings *o = &s->settings;
    bool stays = o->initial == CAIRN_INITIAL_REFUSE || o->initial == CAIRN_INITIAL_KEEP;
    return crn_device_is_shared(s) && s->model->dimension == 3 && stays && !crn_wants_assembly(s) &&
           !crn_is_second_order(o->integrator) && !crn_is_periodic(s->model) && crn_device_may_leave_motions(s) &&
           !crn_trial_is_kept(s) && (crn_device_is_plain(s) || s->grains.count > 0) && are_upright(s);
}

/* -------------------------------------------------------------------------------------------------------------- overlaps */

/* Where half-spaces are. */
static void note_planes(const cairn_simulation *s, double (*point)[3])
{
    for (int i = 0; i < s->device->planes; ++i)
    {
        const crn_shape *shape = &s->model->shapes[s->device->plane_shape[i]];
        const crn_pose pose = crn_pose_of(s, shape->body);
        crn_rotate3(pose.R, crn_frame_of(shape)->position, point[i]);
        crn_add3(point[i], pose.x, point[i]);
    }
}

static cairn_status ask(cairn_simulation *s, double *overlap)
{
    char sentence[CRN_GPU_SENTENCE] = "";
    crn_start_question *ask;
    size_t size = sizeof *ask + (size_t)s->device->planes * sizeof(double[3]);
    if (crn_reserve_all(&s->device->memory, CRN_ARRAY(s->device->audit.ask, size)))
        return crn_device_fail(s, CAIRN_NO_MEMORY, "memory ran out");
    ask = (crn_start_question *)s->device->audit.ask;
    *ask = (crn_start_question){.task = CRN_DEVICE_START};
    memcpy(ask->gravity, s->state.gravity, sizeof ask->gravity);
    note_planes(s, (double(*)[3])(ask + 1));
    bool good = crn_crew_ask(s->device->world, crn_device_task, ask, size, overlap, sizeof *overlap, sentence);
    return good ? CAIRN_OK : crn_device_fail(s, CAIRN_IO, "%s", sentence);
}

static double smallest_of(const cairn_simulation *s)
{
    const cairn_model *model = s->model;
    double smallest = INFINITY;
    for (size_t i = 0; i < model->shape_count; ++i)
        if (!crn_is_half(model->shapes[i].kind) && model->shapes[i].bound > 0)
            smallest = fmin(smallest, model->shapes[i].bound);
    return s->grains.count > 0 ? fmin(smallest, s->grains.recipe->least) : smallest;
}

cairn_status crn_device_judge_start(cairn_simulation *s, bool *is_slight)
{
    double overlap = 0;
    *is_slight = true;
    CRN_TRY(s->device->is_ordered ? CAIRN_OK : crn_motions_fetch(s));
    CRN_TRY(ask(s, &overlap));
    *is_slight = overlap <= fmin(SLIGHT, SMALL_PART * smallest_of(s));
    s->state.report.penetration = overlap;
    return CAIRN_OK;
}
