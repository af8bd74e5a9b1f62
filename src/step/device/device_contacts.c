/* The contacts of the last step on the device, as the simulation lists them: by identity, with impulses in their frames. */
#include "base/parallel_ranges.h"
#include "collide/identity.h"
#include "domain/crew.h"
#include "domain/listing.h"
#include "math/vec.h"
#include "model/handles.h"
#include "model/periodic.h"
#include "model/shape/shape_class.h"
#include "step/keep/shelf.h"
#include "step/simulation.h"

#include <stdlib.h>
#include <string.h>

enum
{
    WINDOW = CRN_SHELVED /* contacts that process 0 takes at a time, at least: more where there are more ranks */
};

static const char UNREAD[] = "the contacts of the state cannot be read";

uint64_t crn_device_feature_mask(const cairn_simulation *s)
{
    return (UINT64_C(1) << (64 - 2 * s->identity_bits)) - 1;
}

/* Whether the contacts are those of a restored state, in its file. */
static bool is_shelved(const cairn_simulation *s)
{
    return s->state.shelf && s->state.shelf->contacts > 0;
}

int crn_device_contact_count(const cairn_simulation *s)
{
    return is_shelved(s) ? (int)s->state.shelf->contacts : s->device->report.contacts;
}

/* How a body moves, in the world frame. */
typedef struct motion
{
    double x[3], v[3], spin[3];
} motion;

static motion motion_of(const cairn_simulation *s, int body)
{
    cairn_body_state state = cairn_simulation_body(s, crn_body_handle(s->model, body));
    motion out;
    memcpy(out.x, state.position, sizeof out.x);
    memcpy(out.v, state.velocity, sizeof out.v);
    crn_rotate3(crn_pose_of(s, body).R, state.angular_velocity, out.spin);
    return out;
}

static void point_velocity(const cairn_simulation *s, const motion *body, const double point[3], double out[3])
{
    double arm[3];
    crn_sub3(point, body->x, arm);
    crn_box_shorten(s->model, 0, arm); /* from the image that is touched */
    crn_cross3(body->spin, arm, out);
    crn_add3(out, body->v, out);
}

/* A shape of a contact: of a grain that is not made there is none. */
typedef struct met_shape
{
    int shape, body, material, serial;
    bool is_half;
    double radius; /* m: of a sphere */
} met_shape;

/* The two shapes of a contact, in the order of the processor where it can be had. */
typedef struct sides
{
    met_shape a, b;
    double sign; /* -1: they are swapped */
} sides;

static met_shape shape_met(const cairn_simulation *s, int index)
{
    const crn_shape *shape = &s->model->shapes[index];
    return (met_shape){index, shape->body, shape->material, shape->serial, crn_is_half(shape->kind), shape->radius};
}

static met_shape grain_met(const cairn_simulation *s, int grain)
{
    return (met_shape){.shape = (int)s->model->shape_count + grain,
                       .body = s->grains.first + grain,
                       .material = crn_recipe_part_of(s->grains.recipe, grain)->material,
                       .serial = s->model->serials + grain};
}

static met_shape sphere_met(const cairn_simulation *s, int number)
{
    int grain = number - (s->device->bodies - s->grains.count);
    if (grain < 0)
        return shape_met(s, s->device->sphere_shape[number]);
    const crn_crew_motion *seen = crn_device_seen(s->device, number);
    met_shape out = grain_met(s, grain);
    out.radius = seen ? seen->radius : NAN;
    return out;
}

/* The place of a shape in the list, by its number among all; -1: a grain that is not made has it. */
static int listed_at(const crn_device *device, int number)
{
    int grain = number - (device->shapes - device->walls);
    return grain < 0 ? number : grain >= device->made_shapes ? number - device->made_shapes : -1;
}

static met_shape numbered_met(const cairn_simulation *s, int number)
{
    const crn_device *device = s->device;
    int at = listed_at(device, number);
    return at < 0 ? grain_met(s, number - (device->shapes - device->walls)) : shape_met(s, device->shape_of[at]);
}

static sides sides_of(const cairn_simulation *s, const crn_gpu_contact *from)
{
    const crn_device *device = s->device;
    bool has_shapes = !device->is_plain;
    const met_shape a = has_shapes ? numbered_met(s, from->shape_a) : sphere_met(s, from->a);
    const met_shape b = has_shapes    ? numbered_met(s, from->shape_b)
                        : from->b < 0 ? shape_met(s, device->plane_shape[-1 - from->b])
                                      : sphere_met(s, from->b);
    bool is_swapped = from->b >= 0 && a.shape > b.shape; /* of two shapes, the first is a */
    return is_swapped ? (sides){b, a, -1.0} : (sides){a, b, 1.0};
}

/* The contact's point where the bodies are now: midway between the surfaces. first: how the device's a moves. */
static void place(const cairn_simulation *s, const crn_gpu_contact *from, const sides *of, const motion *first,
                  cairn_contact *out)
{
    double arm = !s->device->is_plain ? 0.0 : of->sign * (of->sign > 0 ? of->a.radius : of->b.radius);
    crn_madd3(first->x, -arm - 0.5 * of->sign * out->gap, out->normal, out->point);
    for (int k = 0; k < 3; ++k)
        out->point[k] += from->arm[k];
}

/* In a periodic box: where the image of b is that touches a, which the point is moved to. */
static void find_image(const cairn_simulation *s, const sides *of, cairn_contact *out)
{
    double arm[3], by[3];
    int cell[3];
    if (!crn_is_periodic(s->model) || of->a.is_half || of->b.is_half)
        return;
    crn_sub3(out->point, crn_pose_of(s, of->a.body).x, arm);
    crn_box_cell(s->model, 0, arm, cell);
    crn_box_displacement(s->model, 0, cell, by);
    crn_sub3(out->point, by, out->point);
    crn_sub3(out->point, crn_pose_of(s, of->b.body).x, arm);
    crn_box_cell(s->model, 0, arm, cell);
    crn_box_displacement(s->model, 0, cell, out->image);
}

static uint64_t identity_of(const cairn_simulation *s, const crn_gpu_contact *from, const sides *of)
{
    const crn_device *device = s->device;
    int a = of->a.serial, b = of->b.serial;
    int triangle[2] = {-1, -1};
    for (int side = 0; side < 2 && !device->is_plain; ++side)
    {
        int at = listed_at(device, side ? from->shape_b : from->shape_a);
        triangle[side] = at >= 0 && device->shape[at].kind == CRN_GPU_TRIANGLE ? device->shape[at].triangle : -1;
    }
    uint64_t feature = crn_contact_feature(from, triangle[0], triangle[1]) & crn_device_feature_mask(s);
    return crn_identity_pack(s->identity_bits, a < b ? a : b, a < b ? b : a, feature);
}

static cairn_contact contact_of(const cairn_simulation *s, const crn_gpu_contact *from)
{
    const crn_device *device = s->device;
    const sides of = sides_of(s, from);
    const met_shape *a = &of.a, *b = &of.b;
    cairn_contact out = {.a = crn_body_handle(s->model, a->body),
                         .b = crn_body_handle(s->model, b->body),
                         .identity = identity_of(s, from, &of),
                         .gap = from->gap,
                         .patch = -1,
                         .element = -1};
    crn_contact frame = {.body_a = a->body, .body_b = b->body};
    const motion of_a = motion_of(s, a->body), of_b = motion_of(s, b->body);
    double p[3], u[3], v[3];
    int kind = device->pair_class[(size_t)a->material * s->model->material_count + (size_t)b->material];
    out.friction = device->class_friction[kind];
    for (int k = 0; k < 3; ++k)
    {
        out.normal[k] = frame.normal[k] = of.sign * from->normal[k];
        p[k] = of.sign * from->impulse[k];
    }
    crn_contact_tangents(&frame, 3, out.tangent);
    place(s, from, &of, of.sign > 0 ? &of_a : &of_b, &out);
    find_image(s, &of, &out);
    point_velocity(s, &of_a, out.point, u);
    point_velocity(s, &of_b, out.point, v);
    crn_sub3(u, v, u);
    for (int k = 0; k < 3; ++k)
    {
        const double *axis = k == 0 ? out.normal : out.tangent[k - 1];
        out.impulse[k] = crn_dot3(p, axis);
        out.velocity[k] = crn_dot3(u, axis);
    }
    return out;
}

/* Move a point of another image of a body to the body itself. */
static void to_own_image(const cairn_simulation *s, const crn_pose *pose, double point[3])
{
    double arm[3];
    crn_sub3(point, pose->x, arm);
    crn_box_shorten(s->model, 0, arm);
    crn_add3(pose->x, arm, point);
}

crn_contact crn_device_contact_at(const cairn_simulation *s, const crn_gpu_contact *from, const crn_pose *pose,
                                  double impulse[3])
{
    const crn_device *device = s->device;
    const sides of = sides_of(s, from);
    const met_shape *a = &of.a, *b = &of.b, *first = of.sign > 0 ? a : b, *second = of.sign > 0 ? b : a;
    int kind = device->pair_class[(size_t)a->material * s->model->material_count + (size_t)b->material];
    crn_contact out = {.identity = identity_of(s, from, &of),
                       .body_a = a->body,
                       .body_b = b->body,
                       .shape_a = a->shape,
                       .shape_b = b->shape,
                       .gap = from->gap,
                       .friction = device->class_friction[kind],
                       .restitution = device->class_restitution[kind]};
    double *on_first = of.sign > 0 ? out.point_a : out.point_b, *on_second = of.sign > 0 ? out.point_b : out.point_a;
    double radius = !device->is_plain ? 0.0 : first->radius;
    for (int k = 0; k < 3; ++k)
    {
        out.normal[k] = of.sign * from->normal[k];
        impulse[k] = of.sign * from->impulse[k];
        on_first[k] = pose[first->body].x[k] + from->arm[k] - radius * from->normal[k];
        on_second[k] = on_first[k] - from->gap * from->normal[k];
    }
    if (crn_is_periodic(s->model) && !second->is_half)
        to_own_image(s, &pose[second->body], on_second);
    return out;
}

/* Contacts of the device, listed in the order of their identities by threads that share them. */
typedef struct listing
{
    const cairn_simulation *s;
    const crn_gpu_contact *from;
    crn_keyed *order; /* identities, and places in `from` */
    cairn_contact *to;
    int count, parts;
} listing;

static void note_identities(void *data, int part)
{
    const listing *l = data;
    size_t end = crn_part((size_t)l->count, l->parts, part + 1);
    for (size_t i = crn_part((size_t)l->count, l->parts, part); i < end; ++i)
    {
        const sides of = sides_of(l->s, &l->from[i]);
        l->order[i] = (crn_keyed){.key = identity_of(l->s, &l->from[i], &of), .a = (int)i};
    }
}

static void write_contacts(void *data, int part)
{
    const listing *l = data;
    size_t end = crn_part((size_t)l->count, l->parts, part + 1);
    for (size_t i = crn_part((size_t)l->count, l->parts, part); i < end; ++i)
        l->to[i] = contact_of(l->s, &l->from[l->order[i].a]);
}

/* Write those at device->contact in the order of their identities. */
static cairn_status write_in_order(cairn_simulation *s, int count, cairn_contact *to)
{
    const int shared = 4096; /* contacts, from which on threads share them */
    crn_device *device = s->device;
    int parts = count < shared ? 1 : s->settings.solver.threads;
    if (crn_reserve_all(&device->memory, CRN_ARRAY(device->order, 2 * (size_t)count)))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "contacts at t = %g: memory ran out", s->state.t);
    listing l = {.s = s, .from = device->contact, .order = device->order, .to = to, .count = count, .parts = parts};
    crn_in_parts(parts, note_identities, &l);
    crn_sort(l.order, (size_t)count, l.order + count);
    crn_in_parts(parts, write_contacts, &l);
    return CAIRN_OK;
}

cairn_status crn_device_list_contacts(cairn_simulation *s)
{
    crn_state *state = &s->state;
    crn_device *device = s->device;
    char sentence[CRN_GPU_SENTENCE] = "";
    int count = crn_device_contact_count(s);
    if (state->contacts_listed)
        return CAIRN_OK;
    if (device->ahead.is_running)
        return crn_fail(s->context, CAIRN_INVALID,
                        "contacts at t = %g: steps are under way; ask for contacts before they are begun", state->t);
    CRN_TRY(count > 0 ? crn_motions_fetch(s) : CAIRN_OK);
    if (crn_reserve_all(&device->memory, CRN_ARRAY(device->contact, is_shelved(s) ? 0 : (size_t)count)) ||
        crn_reserve(&state->contacts, &state->contact_capacity, (size_t)count + 1, sizeof *state->contacts))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "contacts at t = %g: memory ran out", state->t);
    device->window_first = device->window_count = 0;
    if (is_shelved(s) && !crn_shelf_contacts(state->shelf, s->model, 0, (size_t)count, state->contacts))
        return crn_device_fail(s, CAIRN_IO, "%s", UNREAD);
    if (!is_shelved(s) && count > 0 && !device->gpu->read_contacts(device->world, device->contact, count, sentence))
        return crn_device_fail(s, CAIRN_IO, "%s", sentence);
    if (!is_shelved(s))
        CRN_TRY(write_in_order(s, count, state->contacts));
    state->contact_count = (size_t)count;
    state->contacts_listed = true;
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- windows */

/* Those of a restored state, from a place on. */
static cairn_status slide_shelf(cairn_simulation *s, int first)
{
    crn_device *device = s->device;
    int left = crn_device_contact_count(s) - first, count = left < WINDOW ? left : WINDOW;
    if (crn_reserve_all(&device->memory, CRN_ARRAY(device->window, (size_t)WINDOW)))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "contacts at t = %g: memory ran out", s->state.t);
    device->window_first = device->window_count = 0;
    if (!crn_shelf_contacts(s->state.shelf, s->model, (size_t)first, (size_t)count, device->window))
        return crn_device_fail(s, CAIRN_IO, "%s", UNREAD);
    device->window_first = first;
    device->window_count = count;
    return CAIRN_OK;
}

cairn_status crn_device_next_contacts(cairn_simulation *s, bool is_first, int *count)
{
    crn_device *device = s->device;
    const cairn_ranks *ranks = crn_device_ranks(s->context);
    char sentence[CRN_GPU_SENTENCE] = "";
    int most = ranks && ranks->count > WINDOW ? ranks->count : WINDOW;
    *count = 0;
    if (crn_reserve_all(&device->memory, CRN_ARRAY(device->contact, (size_t)most)))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "contacts at t = %g: memory ran out", s->state.t);
    if (!crn_crew_next_contacts(device->world, is_first, most, device->contact, count, sentence))
        return crn_device_fail(s, CAIRN_IO, "%s", sentence);
    return *count > 0 ? CAIRN_OK : crn_device_fail(s, CAIRN_IO, "the ranks list too few contacts");
}

/* Take the next contacts that the ranks list: those from window_first + window_count on, or the first of all. */
static cairn_status slide(cairn_simulation *s, bool is_first)
{
    crn_device *device = s->device;
    int count;
    CRN_TRY(crn_device_next_contacts(s, is_first, &count));
    CRN_TRY(crn_device_view_contacts(s, device->contact, count));
    if (crn_reserve_all(&device->memory, CRN_ARRAY(device->window, (size_t)count)))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "contacts at t = %g: memory ran out", s->state.t);
    CRN_TRY(write_in_order(s, count, device->window));
    device->window_first = is_first ? 0 : device->window_first + device->window_count;
    device->window_count = count;
    return CAIRN_OK;
}

bool crn_device_lists_parts(const cairn_simulation *s)
{
    return s->device && s->settings.device == CAIRN_DEVICE_RANKS && !s->state.contacts_listed &&
           crn_device_contact_count(s) > (s->grains.count > 0 ? 0 : WINDOW);
}

cairn_status crn_device_read_contact(cairn_simulation *s, int index, cairn_contact *out)
{
    crn_device *device = s->device;
    if (!crn_device_lists_parts(s))
        CRN_TRY(crn_device_list_contacts(s));
    if (s->state.contacts_listed)
    {
        *out = s->state.contacts[index];
        return CAIRN_OK;
    }
    if (index < device->window_first)
        device->window_first = device->window_count = 0;
    while (index >= device->window_first + device->window_count)
        CRN_TRY(is_shelved(s) ? slide_shelf(s, index) : slide(s, device->window_count == 0));
    *out = device->window[index - device->window_first];
    return CAIRN_OK;
}
