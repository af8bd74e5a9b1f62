/* What the account needs of motions that ranks alone have: energies, added up in the order of the bodies while motions come in, and whether all numbers are finite. */
#include "math/vec.h"
#include "model/names.h"
#include "step/account/account.h"
#include "step/events/events.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

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
    crn_device_unpack(s, body, motion->number, q, v);
    add(s->state.gravity, block, mass, crn_twice_kinetic(layout, block, v), q, to);
    add_gain(s->state.gravity, mass, h, motion->change, to);
}

/* J, as crn_twice_kinetic. */
static double twice_kinetic_of(const crn_recipe_grain *grain, const double v[6])
{
    double L[3];
    crn_rotate3(grain->inertia, v + 3, L);
    return grain->mass * crn_dot(3, v, v) + crn_dot3(v + 3, L);
}

/* Grains come after all bodies of the layout, none of which moves by itself. */
static void add_grain(const cairn_simulation *s, const crn_crew_motion *motion, double h, crn_recipe_reader *reader,
                      crn_device_sums *to)
{
    crn_recipe_grain grain;
    double q[7], v[6];
    crn_recipe_next(reader, &grain);
    crn_device_unpack(s, s->grains.first + to->bodies, motion->number, q, v);
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
        if (!crn_device_slide(s, first, count))
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
    double q[7] = {0}, v[6];
    while (sums.bodies < r->count)
    {
        crn_recipe_grain grain;
        crn_recipe_next(&reader, &grain);
        memcpy(q, grain.x, sizeof grain.x);
        memcpy(q + 3, grain.q, sizeof grain.q);
        memcpy(v, reader.part->velocity, sizeof reader.part->velocity);
        memcpy(v + 3, reader.part->angular_velocity, sizeof reader.part->angular_velocity);
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
