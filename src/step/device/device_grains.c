#include "step/device/device_grains.h"
#include "base/swap.h"

#include "model/shape/shape_class.h"
#include "step/simulation.h"

#include <string.h>

static void made(void *data);

void crn_grains_open(cairn_simulation *s)
{
    const cairn_model *model = s->model;
    s->grains = (crn_grains){.count = model->unmade.count, .first = (int)model->body_count};
    if (s->grains.count == 0)
        return;
    s->grains.recipe = model->unmade.recipe;
    s->grains.follower = (crn_follower){.made = made, .data = s};
    crn_follow(model, &s->grains.follower);
}

void crn_grains_close(cairn_simulation *s)
{
    if (s->grains.count > 0)
        crn_unfollow(s->model, &s->grains.follower);
    s->grains = (crn_grains){0};
}

bool crn_grains_are_plain(const cairn_simulation *s)
{
    const crn_recipe_part *part = crn_recipe_first(s->grains.recipe);
    const crn_body_traits *traits = s->model->body_count > 0 ? s->model->bodies[0].traits : NULL;
    uint64_t groups = traits ? traits->groups : part->groups,
             others = traits ? traits->collides_with : part->collides_with;
    bool meet = groups & others;
    for (int i = 0; i < s->grains.recipe->parts && meet; ++i, part = crn_recipe_after(part))
        meet = crn_recipe_has_balls(part) && part->groups == groups && part->collides_with == others;
    return meet;
}

bool crn_grains_may_stay(const cairn_simulation *s)
{
    return s->layout->block_count == 0 && s->model->statistic_count == 0 && crn_device_begins_away(s);
}

/* ---------------------------------------------------------------------------------------------------------------- make */

/* Spheres of grains follow those of the other bodies. */
static cairn_status list_spheres(cairn_simulation *s)
{
    crn_device *device = s->device;
    int first = device ? device->bodies - s->grains.count : 0;
    if (!device)
        return CAIRN_OK;
    if (!device->is_plain)
        return crn_device_list_grains(s, device);
    CRN_TRY(crn_reserve_all(&device->memory, CRN_ARRAY(device->sphere_shape, device->bodies)));
    for (int i = 0; i < s->grains.count; ++i)
        device->sphere_shape[first + i] = s->model->bodies[s->grains.first + i].shape_begin;
    return CAIRN_OK;
}

/* What does not depend on the layout goes on. */
static void hand_over(cairn_simulation *old, cairn_simulation *s)
{
    CRN_SWAP(crn_state, old->state, s->state);
    CRN_SWAP(crn_hooks, old->hooks, s->hooks);
    CRN_SWAP(crn_device *, old->device, s->device);
    CRN_SWAP(struct cairn_assembly *, old->assembly, s->assembly);
    CRN_SWAP(int, old->begun, s->begun);
    s->revision = old->revision;
    s->ledger.is_asked = old->ledger.is_asked;
    s->ledger.booked = old->ledger.booked;
    s->ledger.watch = old->ledger.watch;
    s->ledger.watch_data = old->ledger.watch_data;
    if (s->ledger.audit)
        crn_audit_carry_on(old->ledger.audit, s->ledger.audit);
    crn_frame_prescribe(&s->located.frame, s->layout, old->located.frame.t, old->located.frame.h);
}

static cairn_status lay_out(cairn_simulation *s)
{
    cairn_simulation *fresh = NULL;
    CRN_TRY(crn_simulation_open(s->context, s->model, &s->settings, &fresh));
    crn_device_let_motions_go(fresh);
    cairn_status status = list_spheres(s);
    if (!status)
    {
        crn_grains_close(s);
        hand_over(s, fresh);
        CRN_SWAP(cairn_simulation, *s, *fresh);
        crn_simulation_bind(s);
    }
    cairn_simulation_destroy(fresh);
    return status;
}

/* If there is no memory, the simulation has no motions to give to anybody who asks. */
static void made(void *data)
{
    cairn_simulation *s = data;
    (void)lay_out(s);
}

cairn_status crn_grains_make(cairn_simulation *s)
{
    if (s->grains.count == 0)
        return CAIRN_OK;
    cairn_status status = s->model->unmade.count > 0 ? crn_make_grains(s->model) : lay_out(s);
    if (status || s->grains.count > 0)
        return crn_fail(s->context, CAIRN_NO_MEMORY, "simulation: memory ran out for %d bodies", s->grains.count);
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- describe */

/* As describe.c tells of single spheres. */
static crn_gpu_body plain_body(const crn_recipe_part *p, const crn_recipe_grain *grain)
{
    return (crn_gpu_body){.q = {1}, .radius = grain->radius, .material = p->material, .driven = -1};
}

/* As describe_shapes.c tells of bodies and shapes. */
static crn_gpu_body shaped_body(const crn_recipe_part *p, const crn_recipe_grain *grain)
{
    crn_gpu_body body = {.driven = -1, .groups = p->groups, .collides_with = p->collides_with};
    memcpy(body.q, grain->q, sizeof body.q);
    memcpy(body.inertia, grain->inertia, sizeof body.inertia);
    return body;
}

static crn_gpu_shape shape_of(const crn_recipe_part *p, const crn_recipe_grain *grain)
{
    static const int KINDS[] = {[CAIRN_CAPSULE] = CRN_GPU_CAPSULE,
                                [CAIRN_BOX] = CRN_GPU_BOX,
                                [CAIRN_ELLIPSOID] = CRN_GPU_ELLIPSOID,
                                [CAIRN_CYLINDER] = CRN_GPU_CYLINDER,
                                [CAIRN_CONE] = CRN_GPU_CONE_SHAPE};
    const crn_recipe_solid *solid = &p->solid;
    crn_gpu_shape shape = {
        .kind = CRN_GPU_SPHERE, .material = p->material, .triangle = -1, .radius = grain->radius, .q = {1}};
    if (crn_recipe_has_balls(p))
        return shape;
    shape.kind = KINDS[solid->kind];
    shape.radius = solid->radius;
    memcpy(shape.x, solid->position, sizeof shape.x);
    memcpy(shape.q, solid->orientation, sizeof shape.q);
    memcpy(shape.half, solid->half, sizeof shape.half);
    return shape;
}

void crn_grains_describe(crn_recipe_reader *reader, int count, crn_gpu_body *out, crn_gpu_shape *shape)
{
    for (int i = 0; i < count; ++i)
    {
        crn_recipe_grain grain;
        crn_recipe_next(reader, &grain);
        const crn_recipe_part *p = reader->part;
        out[i] = shape ? shaped_body(p, &grain) : plain_body(p, &grain);
        out[i].inverse_mass = 1.0 / grain.mass;
        out[i].inverse_inertia = 1.0 / grain.inertia[8];
        memcpy(out[i].x, grain.x, sizeof out[i].x);
        memcpy(out[i].v, p->velocity, sizeof out[i].v);
        memcpy(out[i].w, p->angular_velocity, sizeof out[i].w); /* those that are turned have none */
        if (shape)
            shape[i] = shape_of(p, &grain);
    }
}

bool crn_grains_of_rank(void *recipe, int64_t first, int64_t count, crn_gpu_body *out, crn_gpu_shape *shape)
{
    crn_recipe_bind(recipe);
    crn_recipe_reader reader = crn_recipe_read(recipe, (int)first);
    crn_grains_describe(&reader, (int)count, out, shape);
    return true;
}

void crn_grains_weigh(const cairn_simulation *s, int first, int count, double *mass, double *radius)
{
    crn_recipe_reader reader = crn_recipe_read(s->grains.recipe, first - s->grains.first);
    for (int i = 0; i < count; ++i)
    {
        crn_recipe_grain grain;
        crn_recipe_next(&reader, &grain);
        mass[i] = grain.mass;
        radius[i] = crn_recipe_has_balls(reader.part) ? grain.radius : reader.part->solid.bound;
    }
}
