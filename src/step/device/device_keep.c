/* What a device goes on from, in saved states: the motions of its bodies to the bit, and its own records of them (read_kept of gpu/interface.h).
 *
 * The state of the simulation has angular velocities in the frames of the bodies, the device in that of the world; turning them back and forth
 * would change the last bit. All of it is kept in words of 8 bytes:
 *
 *     hash of the state's q and v   bodies   13 numbers per body   where its record begins, bodies + 1   records
 */
#include "base/hash.h"
#include "step/simulation.h"

#include <string.h>

enum
{
    HASH,
    BODIES,
    MOTIONS,
    NUMBERS = 13 /* per body: x, q, v, w */
};

bool crn_device_keeps(const cairn_simulation *s)
{
    return s->settings.device == CAIRN_DEVICE_RANKS;
}

static uint64_t hash_of(const cairn_simulation *s)
{
    size_t nq = (size_t)s->layout->q_start[s->layout->block_count];
    size_t nv = (size_t)s->layout->block_start[s->layout->block_count];
    uint64_t hash = crn_hash(s->state.q, nq * sizeof(double));
    return crn_hash_more(hash, s->state.v, nv * sizeof(double));
}

/* The four parts of a body's motion, one after the other. */
static void copy_motion(crn_gpu_body *body, uint64_t *words, bool is_read)
{
    double *const part[] = {body->x, body->q, body->v, body->w};
    const size_t size[] = {sizeof body->x, sizeof body->q, sizeof body->v, sizeof body->w};
    unsigned char *at = (unsigned char *)words;
    for (int i = 0; i < 4; at += size[i++])
        if (is_read)
            memcpy(part[i], at, size[i]);
        else
            memcpy(at, part[i], size[i]);
}

static uint64_t *firsts_of(const crn_state *state, size_t bodies)
{
    return state->device_kept + MOTIONS + NUMBERS * bodies;
}

/* Room for the motions of all bodies, and for records of so many bytes. */
static cairn_status make_room(crn_state *state, size_t bodies, size_t bytes)
{
    size_t count = MOTIONS + (NUMBERS + 1) * bodies + 1 + (bytes + 7) / 8;
    CRN_TRY(crn_reserve(&state->device_kept, &state->device_kept_capacity, count, sizeof *state->device_kept));
    state->device_kept_count = count;
    return CAIRN_OK;
}

cairn_status crn_device_keep(cairn_simulation *s)
{
    crn_device *device = s->device;
    crn_state *state = &s->state;
    if (!crn_device_keeps(s))
        return CAIRN_OK;
    if (!device || !crn_device_is_known(s) || !device->gpu->read_kept)
        return CAIRN_OK; /* the state itself may have it */
    size_t bodies = (size_t)device->bodies;
    char sentence[CRN_GPU_SENTENCE] = "";
    const void *bytes = NULL;
    CRN_TRY(make_room(state, bodies, 0));
    int64_t *first = (int64_t *)firsts_of(state, bodies);
    if (!device->gpu->read_kept(device->world, first, &bytes, sentence))
        return crn_device_fail(s, CAIRN_IO, "%s", sentence);
    size_t size = (size_t)first[bodies];
    CRN_TRY(make_room(state, bodies, size));
    state->device_kept[HASH] = hash_of(s);
    state->device_kept[BODIES] = bodies;
    for (size_t i = 0; i < bodies; ++i)
        copy_motion(&device->body[i], state->device_kept + MOTIONS + NUMBERS * i, false);
    if (size > 0)
    {
        state->device_kept[state->device_kept_count - 1] = 0; /* its last bytes may belong to nothing */
        memcpy(firsts_of(state, bodies) + bodies + 1, bytes, size);
    }
    return CAIRN_OK;
}

/* Whether the records begin and end within the words. */
static bool is_whole(const crn_state *state, size_t bodies)
{
    const uint64_t *first = firsts_of(state, bodies);
    size_t before = MOTIONS + (NUMBERS + 1) * bodies + 1;
    for (size_t i = 0; i < bodies; ++i)
        if (first[i] > first[i + 1])
            return false;
    return first[0] == 0 && first[bodies] <= 8 * (state->device_kept_count - before);
}

bool crn_device_take_kept(const cairn_simulation *s, crn_device *device, crn_gpu_description *description)
{
    const crn_state *state = &s->state;
    size_t bodies = (size_t)device->bodies;
    if (!crn_device_keeps(s) || state->device_kept_count < MOTIONS + (NUMBERS + 1) * bodies + 1 ||
        state->device_kept[BODIES] != bodies || state->device_kept[HASH] != hash_of(s) || !is_whole(state, bodies))
        return false;
    for (size_t i = 0; i < bodies; ++i)
        copy_motion(&device->body[i], state->device_kept + MOTIONS + NUMBERS * i, true);
    description->kept_first = (const int64_t *)firsts_of(state, bodies);
    description->kept = firsts_of(state, bodies) + bodies + 1;
    return true;
}
