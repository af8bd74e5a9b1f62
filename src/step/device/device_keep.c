/* What a device goes on from, in saved states: the motions of its bodies to the bit, and its own records of them (read_kept of gpu/interface.h).
 *
 * The state of the simulation has angular velocities in the frames of the bodies, the device in that of the world; turning them back and forth
 * would change the last bit. All of it is kept in words of 8 bytes:
 *
 *     hash of the state's q and v   bodies   13 numbers per body   where its record begins, bodies + 1   records
 */
#include "base/hash.h"
#include "domain/crew.h"
#include "step/keep/shelf.h"
#include "step/simulation.h"

#include <assert.h>
#include <string.h>

enum
{
    HASH,
    BODIES,
    MOTIONS,
    NUMBERS = CRN_CREW_NUMBERS, /* per body: x, q, v, w */
    PART = 1 << 10              /* bodies that are looked at together */
};

static const char DAMAGED[] = "what the state has of the last step is damaged",
                  UNREAD[] = "what the state has of the last step cannot be read";

bool crn_device_is_shared(const cairn_simulation *s)
{
    return s->settings.device == CAIRN_DEVICE_RANKS;
}

bool crn_device_keeps(const cairn_simulation *s)
{
    return s->settings.device != CAIRN_DEVICE_CPU;
}

static uint64_t hash_of(const cairn_simulation *s)
{
    if (crn_motions_are_shelved(s))
        return s->state.shelf->motion_hash;
    size_t nq = (size_t)s->layout->q_start[s->layout->block_count];
    size_t nv = (size_t)s->layout->block_start[s->layout->block_count];
    uint64_t hash = crn_hash(s->state.q, nq * sizeof(double));
    return crn_hash_more(hash, s->state.v, nv * sizeof(double));
}

bool crn_device_has_kept(const cairn_simulation *s)
{
    return crn_device_keeps(s) && s->device && crn_device_is_known(s);
}

static bool write_motions(crn_device *device, crn_stream *stream, char *sentence)
{
    for (int64_t first = 0, bodies = device->bodies; first < bodies; first += CRN_CREW_PART)
    {
        int64_t count = bodies - first < CRN_CREW_PART ? bodies - first : CRN_CREW_PART;
        if (!crn_device_list_motions(device, first, count, device->motion, sentence))
            return false;
        crn_stream_put(stream, device->motion, (size_t)count * NUMBERS * sizeof *device->motion);
    }
    return true;
}

static void fill_word(size_t bytes, crn_stream *stream)
{
    static const unsigned char NOTHING[8] = {0};
    crn_stream_put(stream, NOTHING, (size_t)(-(uint64_t)bytes % 8));
}

static void write_head(cairn_simulation *s, size_t bytes, crn_stream *stream)
{
    size_t bodies = (size_t)s->device->bodies, words = MOTIONS + (NUMBERS + 1) * bodies + 1 + (bytes + 7) / 8;
    uint64_t head[MOTIONS] = {[HASH] = crn_motions_are_here(s) ? hash_of(s) : s->device->written, [BODIES] = bodies};
    crn_stream_count(stream, &words, 8, "what the device keeps");
    crn_stream_put(stream, head, sizeof head);
}

/* Of a device that this process has alone. */
static bool write_alone(cairn_simulation *s, crn_stream *stream, char *sentence)
{
    crn_device *device = s->device;
    size_t bodies = (size_t)device->bodies;
    const void *bytes = NULL;
    if (!device->gpu->read_kept(device->world, device->kept_first, &bytes, sentence))
        return false;
    size_t size = (size_t)device->kept_first[bodies];
    write_head(s, size, stream);
    if (!write_motions(device, stream, sentence))
        return false;
    crn_stream_put(stream, device->kept_first, (bodies + 1) * sizeof *device->kept_first);
    crn_stream_put(stream, bytes, size);
    fill_word(size, stream);
    return true;
}

/* What ranks tell of some bodies. `before`: bytes of the records before theirs. */
typedef bool tell_part(crn_device *device, int64_t begin, int64_t count, int64_t before, crn_stream *stream,
                       char *sentence);

static bool tell_nothing(crn_device *device, int64_t begin, int64_t count, int64_t before, crn_stream *stream,
                         char *sentence)
{
    (void)device, (void)begin, (void)count, (void)before, (void)stream, (void)sentence;
    return true;
}

static bool tell_begins(crn_device *device, int64_t begin, int64_t count, int64_t before, crn_stream *stream,
                        char *sentence)
{
    (void)begin, (void)sentence;
    for (int64_t i = 0; i < count; ++i)
    {
        crn_stream_put(stream, &before, sizeof before);
        before += device->kept_size[i];
    }
    return true;
}

static bool tell_records(crn_device *device, int64_t begin, int64_t count, int64_t before, crn_stream *stream,
                         char *sentence)
{
    (void)before;
    for (int64_t done = 0; done < count && stream->status == CAIRN_OK;)
    {
        int64_t more = count - done;
        size_t size = 0;
        const void *bytes = NULL;
        if (!crn_crew_read_kept(device->world, begin + done, device->kept_size + done, &more, &bytes, sentence))
            return false;
        for (int64_t i = 0; i < more; ++i)
            size += (size_t)device->kept_size[done + i];
        crn_stream_put(stream, bytes, size);
        done += more;
    }
    return true;
}

/* Go through all bodies, part by part. *bytes: of all records. */
static bool tell_all(crn_device *device, tell_part *tell, crn_stream *stream, int64_t *bytes, char *sentence)
{
    *bytes = 0;
    for (int64_t begin = 0, bodies = device->bodies; begin < bodies; begin += CRN_CREW_PART)
    {
        int64_t count = bodies - begin < CRN_CREW_PART ? bodies - begin : CRN_CREW_PART;
        bool is_anew = tell == tell_nothing && begin == 0;
        if (!crn_crew_kept_sizes(device->world, begin, count, is_anew, device->kept_size, sentence) ||
            !tell(device, begin, count, *bytes, stream, sentence))
            return false;
        for (int64_t i = 0; i < count; ++i)
            *bytes += device->kept_size[i];
    }
    return true;
}

/* Process 0 never has more than a part: ranks say three times how long the records are. */
static bool write_shared(cairn_simulation *s, crn_stream *stream, char *sentence)
{
    crn_device *device = s->device;
    int64_t bytes;
    if (!tell_all(device, tell_nothing, stream, &bytes, sentence))
        return false;
    write_head(s, (size_t)bytes, stream);
    if (!write_motions(device, stream, sentence) || !tell_all(device, tell_begins, stream, &bytes, sentence))
        return false;
    crn_stream_put(stream, &bytes, sizeof bytes);
    if (!tell_all(device, tell_records, stream, &bytes, sentence))
        return false;
    fill_word((size_t)bytes, stream);
    return true;
}

void crn_device_write_kept(cairn_simulation *s, crn_stream *stream)
{
    char sentence[CRN_GPU_SENTENCE] = "";
    crn_device *device = s->device;
    bool is_shared = crn_device_is_shared(s);
    size_t sizes = is_shared ? CRN_CREW_PART : 1, firsts = is_shared ? 1 : (size_t)device->bodies + 1;
    if (stream->status == CAIRN_OK)
        stream->status =
            crn_reserve_all(&device->memory, CRN_ARRAY(device->kept_first, firsts), CRN_ARRAY(device->kept_size, sizes),
                            CRN_ARRAY(device->motion, (size_t)CRN_CREW_PART * NUMBERS));
    if (stream->status == CAIRN_OK && !(is_shared ? write_shared : write_alone)(s, stream, sentence))
        stream->status = crn_device_fail(s, CAIRN_IO, "%s", sentence);
}

/* ---------------------------------------------------------------------------------------------------------------- take */

/* The words of a state, in memory or in its file. */
static size_t count_words(const crn_state *state)
{
    return state->shelf ? state->shelf->kept_words : state->device_kept_count;
}

static bool read_bytes(const crn_state *state, size_t at, void *out, size_t size)
{
    assert(at + size <= 8 * count_words(state));
    if (state->shelf)
        return crn_window_read(&state->shelf->file, state->shelf->kept_at + at, out, size);
    memcpy(out, (const unsigned char *)state->device_kept + at, size);
    return true;
}

static size_t words_before_records(size_t bodies)
{
    return MOTIONS + (NUMBERS + 1) * bodies + 1;
}

static bool read_record(void *keeper, size_t at, void *bytes, size_t size)
{
    const cairn_simulation *s = keeper;
    return read_bytes(&s->state, 8 * words_before_records((size_t)s->device->bodies) + at, bytes, size);
}

/* Where the records of bodies begin, from one on; false: they cannot be read. */
static bool read_begins(void *keeper, int32_t first, int32_t count, int64_t *out)
{
    const cairn_simulation *s = keeper;
    size_t before = MOTIONS + NUMBERS * (size_t)s->device->bodies + (size_t)first;
    return read_bytes(&s->state, 8 * before, out, (size_t)count * sizeof *out);
}

/* Whether the records begin and end within the words, one after the other. */
static cairn_status check_begins(cairn_simulation *s)
{
    int32_t bodies = s->device->bodies;
    uint64_t most = 8 * (count_words(&s->state) - words_before_records((size_t)bodies));
    int64_t begin[PART], last = 0;
    bool is_whole = true;
    for (int32_t first = 0; first <= bodies && is_whole; first += PART)
    {
        int32_t left = bodies + 1 - first, count = left < PART ? left : PART;
        if (!read_begins(s, first, count, begin))
            return crn_device_fail(s, CAIRN_IO, "%s", UNREAD);
        is_whole = first > 0 || begin[0] == 0;
        for (int32_t i = 0; i < count && is_whole; ++i)
        {
            is_whole = begin[i] >= last && (uint64_t)begin[i] <= most;
            last = begin[i];
        }
    }
    return is_whole ? CAIRN_OK : crn_device_fail(s, CAIRN_INVALID, "%s", DAMAGED);
}

/* Whether two vectors are the same but for rounding. */
static bool is_near(const double *a, const double *b, int count)
{
    const double MOST = 1e-12;
    double apart = 0, size = 0;
    for (int k = 0; k < count; ++k)
    {
        apart += (a[k] - b[k]) * (a[k] - b[k]);
        size += b[k] * b[k];
    }
    return apart <= MOST * MOST * size;
}

/* Whether a motion that was kept is the one of the state, which was checked. A driven body has the pose of the time when it was sent: all ranks have it, and a step
 * moves it first. */
static bool is_motion_of(const crn_gpu_body *described, const double motion[NUMBERS])
{
    crn_gpu_body kept;
    crn_crew_take_motion(motion, &kept);
    if (described->driven >= 0)
        return true;
    return is_near(kept.x, described->x, 3) && is_near(kept.q, described->q, 4) && is_near(kept.v, described->v, 3) &&
           is_near(kept.w, described->w, 3);
}

/* Whether a state has something for so many bodies whose motions have a hash; *is_read: whether it could be read. */
static bool is_for_these(const crn_state *state, size_t bodies, uint64_t hash, bool *is_read)
{
    uint64_t head[MOTIONS] = {0};
    *is_read = true;
    if (count_words(state) < MOTIONS)
        return false;
    *is_read = read_bytes(state, 0, head, sizeof head);
    return *is_read && head[BODIES] == bodies && head[HASH] == hash;
}

bool crn_device_goes_on_from(const cairn_simulation *s, const crn_state *fresh)
{
    bool is_read;
    return !fresh->pulled && is_for_these(fresh, (size_t)s->device->bodies, fresh->shelf->motion_hash, &is_read);
}

static bool read_motion(const cairn_simulation *s, size_t number, double motion[NUMBERS])
{
    return read_bytes(&s->state, 8 * (MOTIONS + NUMBERS * number), motion, NUMBERS * sizeof *motion);
}

bool crn_device_overlay_kept(const cairn_simulation *s, int first, int count, crn_gpu_body *out)
{
    bool is_read = true;
    for (int i = 0; s->device->has_kept && i < count && is_read; ++i)
    {
        double motion[NUMBERS];
        is_read = read_motion(s, (size_t)first + (size_t)i, motion);
        if (is_read)
            crn_crew_take_motion(motion, &out[i]);
    }
    return is_read;
}

/* A part of the bodies; those that are described a part at a time get their motions then. */
static cairn_status take_part(cairn_simulation *s, int first, int count, crn_gpu_body *described)
{
    for (int i = 0; i < count; ++i)
    {
        double motion[NUMBERS];
        if (!read_motion(s, (size_t)(first + i), motion))
            return crn_device_fail(s, CAIRN_IO, "%s", UNREAD);
        if (!is_motion_of(&described[i], motion))
            return crn_device_fail(s, CAIRN_INVALID,
                                   "what the state has of the motion of body %d, counted from 1, is damaged",
                                   first + i + 1);
        crn_crew_take_motion(motion, &described[i]);
    }
    return CAIRN_OK;
}

static cairn_status take_motions(cairn_simulation *s, crn_device *device)
{
    crn_gpu_body *part = device->body;
    if (!part && crn_reserve_all(&device->sending, CRN_ARRAY(part, PART)))
        return crn_device_fail(s, CAIRN_NO_MEMORY, "memory ran out");
    for (int first = 0; first < device->bodies; first += PART)
    {
        int left = device->bodies - first, count = left < PART ? left : PART;
        if (!device->body && !crn_device_describe_bodies(s, first, count, part))
            return crn_device_fail(s, CAIRN_IO, "%s", UNREAD);
        CRN_TRY(take_part(s, first, count, device->body ? device->body + first : part));
    }
    return CAIRN_OK;
}

cairn_status crn_device_take_kept(cairn_simulation *s, crn_device *device, crn_gpu_description *description)
{
    const crn_state *state = &s->state;
    size_t bodies = (size_t)device->bodies;
    bool is_read;
    device->has_kept = false;
    if (count_words(state) == 0)
        return CAIRN_OK;
    if (!is_for_these(state, bodies, hash_of(s), &is_read))
        return is_read ? CAIRN_OK : crn_device_fail(s, CAIRN_IO, "%s", UNREAD);
    if (count_words(state) < words_before_records(bodies))
        return crn_device_fail(s, CAIRN_INVALID, "%s", DAMAGED);
    CRN_TRY(check_begins(s));
    CRN_TRY(take_motions(s, device));
    device->has_kept = true;
    description->read_begins = read_begins;
    description->read_kept = read_record;
    if (crn_device_is_shared(s))
        return CAIRN_OK;
    description->kept_first = (const int64_t *)state->device_kept + MOTIONS + NUMBERS * bodies;
    description->kept = state->device_kept + words_before_records(bodies);
    return CAIRN_OK;
}
