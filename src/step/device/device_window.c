/* Motions that ranks alone have, through windows: of stretches of bodies, which slide along, and of the bodies of some contacts. What is read of a body is to the bit what the state would have. */
#include "base/hash.h"
#include "math/vec.h"
#include "step/keep/shelf.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_STRIDE = CRN_CREW_PART /
                  16 /* bodies from one that is read to the next, up to which those between are worth reading along */
};

static void look(void *data, const crn_crew_motion *motion)
{
    crn_device_view *view = data;
    view->motion[motion->body - view->first] = *motion;
}

bool crn_device_slide(const cairn_simulation *s, int first, int count)
{
    char sentence[CRN_GPU_SENTENCE] = "";
    crn_device_view *view = &s->device->view;
    view->count = 0;
    if (crn_reserve_all(&s->device->memory, CRN_ARRAY(view->motion, CRN_CREW_PART)))
        return !crn_device_fail(s, CAIRN_NO_MEMORY, "memory ran out");
    view->first = first;
    for (int i = 0; i < count; ++i)
        view->motion[i].body = -1;
    if (!crn_crew_read_motions(s->device->world, first, count, look, view, sentence))
        return !crn_device_fail(s, CAIRN_IO, "%s", sentence);
    view->count = count;
    return true;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b; /* of a motion, too: its first member */
    return (x > y) - (x < y);
}

static void take_some(void *data, const crn_crew_motion *motion)
{
    crn_device_view *view = data;
    view->some[view->some_count++] = *motion;
}

cairn_status crn_device_view_contacts(cairn_simulation *s, const crn_gpu_contact *contact, int count)
{
    char sentence[CRN_GPU_SENTENCE] = "";
    crn_device_view *view = &s->device->view;
    size_t asked = 0, kept = 0;
    view->some_count = 0;
    if (crn_motions_are_here(s))
        return CAIRN_OK;
    if (crn_reserve_all(&s->device->memory, CRN_ARRAY(view->asked, 2 * (size_t)count),
                        CRN_ARRAY(view->some, 2 * (size_t)count)))
        return crn_device_fail(s, CAIRN_NO_MEMORY, "memory ran out");
    for (int i = 0; i < count; ++i)
    {
        view->asked[asked++] = contact[i].a;
        if (contact[i].b >= 0)
            view->asked[asked++] = contact[i].b;
    }
    qsort(view->asked, asked, sizeof *view->asked, by_number);
    for (size_t i = 0; i < asked; ++i)
        if (i == 0 || view->asked[i] != view->asked[kept - 1])
            view->asked[kept++] = view->asked[i];
    if (!crn_crew_read_some(s->device->world, view->asked, kept, take_some, view, sentence))
        return crn_device_fail(s, CAIRN_IO, "%s", sentence);
    qsort(view->some, (size_t)view->some_count, sizeof *view->some, by_number);
    return CAIRN_OK;
}

const crn_crew_motion *crn_device_seen(const crn_device *device, int number)
{
    const crn_device_view *view = &device->view;
    const crn_crew_motion wanted = {.body = number};
    return view->some_count > 0 ? bsearch(&wanted, view->some, (size_t)view->some_count, sizeof *view->some, by_number)
                                : NULL;
}

static bool is_grain(const cairn_simulation *s, int body)
{
    return s->grains.count > 0 && body >= s->grains.first;
}

void crn_device_unpack(const cairn_simulation *s, int body, const double number[CRN_CREW_NUMBERS], double q[7],
                       double v[6])
{
    crn_gpu_body at;
    crn_crew_take_motion(number, &at);
    const cairn_body_state state = crn_device_state_of(&at);
    if (is_grain(s, body))
        crn_layout_put_free(&state, q, v);
    else
        crn_layout_put_body(s->layout, body, &state, q, v);
}

/* Whether more bodies will be read after this one: it comes right behind the window, or as far behind the one before as that did. */
static bool goes_on(crn_device_view *view, int number)
{
    int stride = number - view->last;
    bool is_next = number == 0 || (view->count > 0 && number == view->first + view->count);
    bool is_regular = stride > 0 && stride <= MOST_STRIDE && stride == view->stride;
    view->stride = stride;
    view->last = number;
    return is_next || is_regular;
}

void crn_device_read_body(const cairn_simulation *s, int body, cairn_body_state *out)
{
    crn_device *device = s->device;
    crn_device_view *view = &device->view;
    *out = (cairn_body_state){.position = {NAN, NAN, NAN}, .orientation = {1, 0, 0, 0}};
    if (crn_motions_are_shelved(s))
    {
        (void)crn_device_read_shelved(s, body, out);
        return;
    }
    int number = crn_device_number_of(s, device, body), left = device->bodies - number;
    bool follows = goes_on(view, number);
    bool is_seen = number >= view->first && number < view->first + view->count;
    double q[7] = {0}, v[6] = {0};
    const crn_crew_motion *seen = crn_device_seen(device, number);
    if (!seen && !is_seen && !crn_device_slide(s, number, !follows ? 1 : left < CRN_CREW_PART ? left : CRN_CREW_PART))
        return;
    seen = seen ? seen : &view->motion[number - view->first];
    assert(seen->body == number);
    crn_device_unpack(s, body, seen->number, q, v);
    if (is_grain(s, body))
        crn_layout_take_free(q, v, out);
    else
        crn_layout_take_body(s->layout, body, q, v, out);
}

/* Put a number of coordinates into a stream. */
static void put(crn_device *device, double *number, int count, crn_stream *stream)
{
    device->written = crn_hash_more(device->written, number, (size_t)count * sizeof *number);
    crn_stream_numbers(stream, number, (size_t)count);
}

static void put_body(const cairn_simulation *s, const crn_crew_motion *motion, bool is_velocity, crn_stream *stream)
{
    int body = crn_device_body_of(s, s->device, (int)motion->body);
    int dofs = is_grain(s, body) ? 6 : crn_body_dofs(s->model, body);
    double q[7] = {0}, v[6] = {0};
    crn_device_unpack(s, body, motion->number, q, v);
    put(s->device, is_velocity ? v : q, is_velocity || dofs == 3 ? dofs : 7, stream);
}

/* Numbers of bodies ascend with their blocks. */
static void put_all(cairn_simulation *s, bool is_velocity, crn_stream *stream)
{
    const crn_device *device = s->device;
    for (int first = 0; first < device->bodies && stream->status == CAIRN_OK; first += CRN_CREW_PART)
    {
        int left = device->bodies - first, count = left < CRN_CREW_PART ? left : CRN_CREW_PART;
        if (!crn_device_slide(s, first, count))
            stream->status = CAIRN_IO;
        for (int i = 0; i < device->view.count; ++i)
            if (device->view.motion[i].body >= 0)
                put_body(s, &device->view.motion[i], is_velocity, stream);
    }
}

void crn_device_write_coordinates(cairn_simulation *s, crn_stream *stream)
{
    s->device->written = crn_hash(NULL, 0);
    if (crn_motions_are_shelved(s))
    {
        crn_shelf_pass_motions(s->state.shelf, s->layout, s->grains.count, stream);
        return;
    }
    put_all(s, false, stream);
    put_all(s, true, stream);
}
