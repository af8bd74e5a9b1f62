/* Motions that ranks alone have.
 *
 * Where ranks take the steps, process 0 needs how all bodies move for sums alone: energies, and whether all numbers are finite. It adds them up in the order of the bodies while motions
 * come in, CRN_CREW_PART bodies at a time, and keeps none: state.q and state.v are NULL. Ranks keep how bodies moved before the batch until the sums are found to be of use.
 *
 * Who reads one body after the other sees them through a window. Who needs all at once, or changes something, has them fetched; they stay until the next batch. What is fetched is to
 * the bit what would have been kept. Motions leave where nothing else of process 0 reads them within a step, which is where bodies are many: without joints, springs, applied forces and
 * planes that count bodies.
 */
#include "base/hash.h"
#include "math/vec.h"
#include "model/names.h"
#include "step/account/account.h"
#include "step/events/events.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

cairn_status crn_motions_fetch(const cairn_simulation *given)
{
    cairn_simulation *s = (cairn_simulation *)(uintptr_t)given; /* what it means stays as it is */
    char sentence[CRN_GPU_SENTENCE] = "the motions of the bodies are lost";
    CRN_TRY(crn_grains_make(s));
    if (crn_motions_are_here(s))
        return CAIRN_OK;
    CRN_TRY(make_room(s));
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

/* ------------------------------------------------------------------------------------------------------------- window */

static void look(void *data, const crn_crew_motion *motion)
{
    crn_device_view *view = data;
    view->motion[motion->body - view->first] = *motion;
}

/* Have the motions of bodies from a number on; of those that ranks do not move, body is -1. */
static bool slide(const cairn_simulation *s, int first, int count)
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

/* Coordinates and velocities of a block, as they are in the state. */
static void unpack(const cairn_simulation *s, int body, const double number[CRN_CREW_NUMBERS], double q[7], double v[6])
{
    crn_gpu_body at;
    crn_crew_take_motion(number, &at);
    const cairn_body_state state = crn_device_state_of(&at);
    if (is_grain(s, body))
        crn_layout_put_free(&state, q, v);
    else
        crn_layout_put_body(s->layout, body, &state, q, v);
}

void crn_device_read_body(const cairn_simulation *s, int body, cairn_body_state *out)
{
    const crn_device *device = s->device;
    const crn_device_view *view = &device->view;
    int number = crn_device_number_of(s, device, body), left = device->bodies - number;
    bool follows = number == 0 || (view->count > 0 && number == view->first + view->count);
    bool is_seen = number >= view->first && number < view->first + view->count;
    double q[7] = {0}, v[6] = {0};
    const crn_crew_motion *seen = crn_device_seen(device, number);
    *out = (cairn_body_state){.position = {NAN, NAN, NAN}, .orientation = {1, 0, 0, 0}};
    if (!seen && !is_seen && !slide(s, number, !follows ? 1 : left < CRN_CREW_PART ? left : CRN_CREW_PART))
        return;
    seen = seen ? seen : &view->motion[number - view->first];
    assert(seen->body == number);
    unpack(s, body, seen->number, q, v);
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
    unpack(s, body, motion->number, q, v);
    put(s->device, is_velocity ? v : q, is_velocity || dofs == 3 ? dofs : 7, stream);
}

/* Numbers of bodies ascend with their blocks. */
static void put_all(cairn_simulation *s, bool is_velocity, crn_stream *stream)
{
    const crn_device *device = s->device;
    for (int first = 0; first < device->bodies && stream->status == CAIRN_OK; first += CRN_CREW_PART)
    {
        int left = device->bodies - first, count = left < CRN_CREW_PART ? left : CRN_CREW_PART;
        if (!slide(s, first, count))
            stream->status = CAIRN_IO;
        for (int i = 0; i < device->view.count; ++i)
            if (device->view.motion[i].body >= 0)
                put_body(s, &device->view.motion[i], is_velocity, stream);
    }
}

void crn_device_write_coordinates(cairn_simulation *s, crn_stream *stream)
{
    s->device->written = crn_hash(NULL, 0);
    put_all(s, false, stream);
    put_all(s, true, stream);
}

/* --------------------------------------------------------------------------------------------------------------- sums */

/* Add one body, in a block by its number; blocks come in their order, which the sums of energy.c have too. */
static void add(const double gravity[3], int block, double mass, double twice_kinetic, const double q[7],
                crn_device_sums *to)
{
    to->part[block % 4] += twice_kinetic;
    to->gravity -= mass * crn_dot3(gravity, q);
    to->is_finite = to->is_finite && crn_all_finite(q, 7);
    ++to->bodies;
}

static void add_gain(const double gravity[3], double mass, double h, const double change[3], crn_device_sums *to)
{
    for (int i = 0; i < 3; ++i)
        to->gain -= 0.5 * h * mass * gravity[i] * change[i];
}

static void add_body(const cairn_simulation *s, const crn_crew_motion *motion, double h, crn_device_sums *to)
{
    const crn_layout *layout = s->layout;
    int body = crn_device_body_of(s, s->device, (int)motion->body), block = layout->body_block[body];
    double q[7] = {0}, v[6] = {0}, mass = layout->mass[body];
    assert(block >= 0);
    unpack(s, body, motion->number, q, v);
    add(s->state.gravity, block, mass, crn_twice_kinetic(layout, block, v), q, to);
    add_gain(s->state.gravity, mass, h, motion->change, to);
}

/* J, as crn_twice_kinetic. */
static double twice_kinetic_of(const crn_recipe_grain *grain, const double v[6])
{
    const double I[9] = {[0] = grain->inertia, [4] = grain->inertia, [8] = grain->inertia};
    double L[3];
    crn_rotate3(I, v + 3, L);
    return grain->mass * crn_dot(3, v, v) + crn_dot3(v + 3, L);
}

/* Grains come after all bodies of the layout, none of which moves by itself. */
static void add_grain(const cairn_simulation *s, const crn_crew_motion *motion, double h, crn_recipe_reader *reader,
                      crn_device_sums *to)
{
    crn_recipe_grain grain;
    double q[7], v[6];
    crn_recipe_next(reader, &grain);
    unpack(s, s->grains.first + to->bodies, motion->number, q, v);
    add(s->state.gravity, to->bodies, grain.mass, twice_kinetic_of(&grain, v), q, to);
    add_gain(s->state.gravity, grain.mass, h, motion->change, to);
}

/* Those that the window has. */
static void add_view(const cairn_simulation *s, double h, crn_device_sums *to)
{
    const crn_device_view *view = &s->device->view;
    bool has_grains = s->grains.count > 0 && to->bodies < s->grains.count;
    crn_recipe_reader reader;
    if (has_grains)
        reader = crn_recipe_read(s->grains.recipe, to->bodies);
    for (int i = 0; i < view->count; ++i)
        if (view->motion[i].body >= 0 && has_grains)
            add_grain(s, &view->motion[i], h, &reader, to);
        else if (view->motion[i].body >= 0)
            add_body(s, &view->motion[i], h, to);
}

static double kinetic_of(const crn_device_sums *sums)
{
    return 0.5 * ((sums->part[0] + sums->part[1]) + (sums->part[2] + sums->part[3]));
}

cairn_status crn_device_add_motions(cairn_simulation *s, double h, crn_device_sums *out)
{
    const crn_device *device = s->device;
    int moving = s->layout->body_block_count + s->grains.count;
    *out = (crn_device_sums){.is_finite = true};
    for (int first = 0; first < device->bodies; first += CRN_CREW_PART)
    {
        int left = device->bodies - first, count = left < CRN_CREW_PART ? left : CRN_CREW_PART;
        if (!slide(s, first, count))
            return CAIRN_IO;
        add_view(s, h, out);
    }
    if (out->bodies != moving)
        return crn_device_fail(s, CAIRN_IO, "the ranks move %d bodies instead of %d", out->bodies, moving);
    out->kinetic = kinetic_of(out);
    return CAIRN_OK;
}

void crn_device_add_start(const cairn_simulation *s, double *kinetic, double *gravity)
{
    const crn_recipe *r = s->grains.recipe;
    crn_recipe_reader reader = crn_recipe_read(r, 0);
    crn_device_sums sums = {.is_finite = true};
    double q[7] = {0, 0, 0, 1}, v[6];
    memcpy(v, r->velocity, sizeof r->velocity);
    memcpy(v + 3, r->angular_velocity, sizeof r->angular_velocity);
    while (sums.bodies < r->count)
    {
        crn_recipe_grain grain;
        crn_recipe_next(&reader, &grain);
        memcpy(q, grain.x, sizeof grain.x);
        add(s->state.gravity, sums.bodies, grain.mass, twice_kinetic_of(&grain, v), q, &sums);
    }
    *kinetic = kinetic_of(&sums);
    *gravity = sums.gravity;
}

/* Whoever left the range of numbers is found where all motions are. */
cairn_status crn_device_check_sums(cairn_simulation *s, const crn_device_sums *sums)
{
    if (sums->is_finite && isfinite(s->state.energy.total) && isfinite(s->state.energy.balance_error))
        return CAIRN_OK;
    CRN_TRY(crn_motions_fetch(s));
    return crn_check_range(s);
}
