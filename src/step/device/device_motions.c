/* How bodies move, from the device to the state.
 *
 * A device has all bodies in one list, which it fills. Ranks send theirs a part at a time, so process 0 needs no list: what described the bodies when they were
 * handed out is let go, but for the few that do not move by themselves. How bodies moved before a batch is kept only until those after it have come and are found to be numbers.
 */
#include "math/vec.h"
#include "step/simulation.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------------------ before */

static cairn_status make_room(cairn_simulation *s)
{
    crn_device_before *before = &s->device->before;
    size_t nq = (size_t)s->layout->q_start[s->layout->block_count];
    size_t nv = (size_t)s->layout->block_start[s->layout->block_count];
    if (s->trial.q_new)
    {
        before->q = s->trial.q_new;
        before->v = s->trial.v_old;
    }
    else if (crn_reserve_all(&before->memory, CRN_ARRAY(before->q, nq), CRN_ARRAY(before->v, nv)))
        return crn_device_fail(s, CAIRN_NO_MEMORY, "memory ran out");
    return CAIRN_OK;
}

cairn_status crn_device_note_origin(cairn_simulation *s)
{
    char sentence[CRN_GPU_SENTENCE] = "";
    if (s->device->before.q)
        return CAIRN_OK;
    CRN_TRY(crn_motions_fetch(s));
    CRN_TRY(make_room(s));
    bool good = crn_device_read_origin(s, s->device->before.q, s->device->before.v, sentence);
    return good ? CAIRN_OK : crn_device_fail(s, CAIRN_IO, "%s", sentence);
}

cairn_status crn_device_note_motions(cairn_simulation *s)
{
    crn_device_before *before = &s->device->before;
    CRN_TRY(make_room(s));
    crn_copy_q(s->layout, s->state.q, before->q);
    crn_copy_v(s->layout, s->state.v, before->v);
    return CAIRN_OK;
}

void crn_device_recall_motions(cairn_simulation *s)
{
    crn_copy_q(s->layout, s->device->before.q, s->state.q);
    crn_copy_v(s->layout, s->device->before.v, s->state.v);
}

void crn_device_drop_motions(cairn_simulation *s)
{
    crn_device_before *before = &s->device->before;
    crn_arena_release(&before->memory);
    before->q = before->v = NULL;
    crn_trial_release(s);
}

/* ------------------------------------------------------------------------------------------------------------- after */

cairn_body_state crn_device_state_of(const crn_gpu_body *from)
{
    cairn_body_state state = {0};
    crn_pose pose;
    memcpy(state.position, from->x, sizeof from->x);
    memcpy(state.orientation, from->q, sizeof from->q);
    memcpy(state.velocity, from->v, sizeof from->v);
    crn_quaternion_to_matrix(from->q, pose.R);
    crn_unrotate3(pose.R, from->w, state.angular_velocity);
    for (int k = 0; k < 3; ++k)
        state.angular_velocity[k] += 0.0; /* turns -0, of a body that was turned, into 0 */
    return state;
}

void crn_device_write_motion(const cairn_simulation *s, int number, const crn_gpu_body *from, double *q, double *v)
{
    int body = crn_device_body_of(s, s->device, number);
    if (s->layout->body_block[body] < 0)
        return;
    const cairn_body_state state = crn_device_state_of(from);
    crn_layout_write_body(s->layout, body, &state, q, v);
}

static void write_motion(cairn_simulation *s, int number, const crn_gpu_body *from)
{
    crn_device_write_motion(s, number, from, s->state.q, s->state.v);
}

static void take_motion(void *data, const crn_crew_motion *motion)
{
    crn_gpu_body body;
    crn_crew_take_motion(motion->number, &body);
    write_motion(data, (int)motion->body, &body);
}

cairn_status crn_device_read_motions(cairn_simulation *s)
{
    char sentence[CRN_GPU_SENTENCE] = "";
    crn_device *device = s->device;
    bool good = crn_device_is_shared(s)
                    ? crn_crew_read_motions(device->world, 0, device->bodies, take_motion, s, sentence)
                    : device->gpu->read_bodies(device->world, device->body, sentence);
    if (!good)
        return crn_device_fail(s, CAIRN_IO, "%s", sentence);
    for (int i = 0; !crn_device_is_shared(s) && i < device->bodies; ++i)
        write_motion(s, i, &device->body[i]);
    return CAIRN_OK;
}

static bool is_still(const cairn_simulation *s, const crn_device *device, int number)
{
    int body = crn_device_body_of(s, device, number);
    return (s->grains.count == 0 || body < s->grains.first) && s->layout->body_block[body] < 0;
}

static bool note_still(cairn_simulation *s, crn_device *device, int number)
{
    crn_device_still *still = &device->still[device->stills++];
    crn_gpu_body body;
    if (!device->body && !crn_device_describe_bodies(s, number, 1, &body))
        return false;
    still->number = number;
    crn_crew_put_motion(device->body ? &device->body[number] : &body, still->motion);
    return true;
}

static cairn_status note_stills(cairn_simulation *s, crn_device *device)
{
    int count = 0;
    bool is_read = true;
    for (int i = 0; i < device->bodies; ++i)
        count += is_still(s, device, i);
    if (crn_reserve_all(&device->memory, CRN_ARRAY(device->still, count)))
        return crn_device_fail(s, CAIRN_NO_MEMORY, "memory ran out");
    device->stills = 0;
    for (int i = 0; i < device->bodies && is_read; ++i)
        is_read = !is_still(s, device, i) || note_still(s, device, i);
    return is_read ? CAIRN_OK : crn_device_fail(s, CAIRN_IO, "what the state has of the last step cannot be read");
}

cairn_status crn_device_hand_over(cairn_simulation *s, crn_device *device)
{
    device->is_ordered = true;
    for (int i = 1; i < device->bodies && device->is_ordered; ++i)
        device->is_ordered = crn_device_body_of(s, device, i - 1) < crn_device_body_of(s, device, i);
    CRN_TRY(note_stills(s, device));
    crn_arena_release(&device->sending);
    device->body = NULL;
    device->plane = NULL;
    device->has_kept = false;
    return CAIRN_OK;
}

/* ---------------------------------------------------------------------------------------------------------------- list */

typedef struct listed
{
    int64_t first;
    double *motion;
} listed;

static void list_motion(void *data, const crn_crew_motion *motion)
{
    const listed *list = data;
    memcpy(list->motion + (motion->body - list->first) * CRN_CREW_NUMBERS, motion->number, sizeof motion->number);
}

bool crn_device_list_motions(const crn_device *device, int64_t first, int64_t count, double *motion, char *sentence)
{
    listed list = {first, motion};
    for (int64_t i = 0; device->body && i < count; ++i)
        crn_crew_put_motion(&device->body[first + i], motion + i * CRN_CREW_NUMBERS);
    if (device->body) /* a device alone: they were read with the state */
        return true;
    for (int i = 0; i < device->stills; ++i)
    {
        const crn_device_still *still = &device->still[i];
        if (still->number >= first && still->number < first + count)
            memcpy(motion + (still->number - first) * CRN_CREW_NUMBERS, still->motion, sizeof still->motion);
    }
    return crn_crew_read_motions(device->world, first, count, list_motion, &list, sentence);
}
