#include "domain/scene.h"

#include "base/union_find.h"
#include "domain/described.h"
#include "domain/made.h"
#include "gpu/bounds.h"

#include <math.h>
#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------------------------- sizes */

static bool is_wall(const crn_gpu_shape *shape)
{
    return shape->kind == CRN_GPU_HOLLOW || shape->kind == CRN_GPU_HALF_SPACE;
}

static double length3(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* m: radius of the ball that holds a triangle, about the middle of its bounds. */
static double triangle_bound(const crn_gpu_description *d, const crn_gpu_triangle *t)
{
    double middle[3], bound = 0;
    for (int k = 0; k < 3; ++k)
    {
        double a = d->vertex[3 * t->v[0] + k], b = d->vertex[3 * t->v[1] + k], c = d->vertex[3 * t->v[2] + k];
        middle[k] = 0.5 * (fmin(a, fmin(b, c)) + fmax(a, fmax(b, c)));
    }
    for (int corner = 0; corner < 3; ++corner)
    {
        double arm[3];
        for (int k = 0; k < 3; ++k)
            arm[k] = d->vertex[3 * t->v[corner] + k] - middle[k];
        bound = fmax(bound, length3(arm));
    }
    return bound;
}

/* m: radius of the ball about its middle that holds a shape which is not a wall. */
static double bound_of(const crn_gpu_description *d, const crn_gpu_shape *shape)
{
    return shape->kind == CRN_GPU_TRIANGLE ? triangle_bound(d, &d->triangle[shape->triangle])
                                           : crn_gpu_bound(d->hull, shape);
}

static bool moves(const crn_gpu_body *body)
{
    return body->inverse_mass > 0;
}

enum
{
    MADE = 256 /* shapes at a time */
};

/* Somebody who looks at the bounds of shapes that are made, m. */
typedef void see_bound(crn_domain_scene *scene, double bound);

static bool see_made(const crn_gpu_description *d, crn_domain_scene *scene, see_bound *see)
{
    crn_gpu_body body[MADE];
    crn_gpu_shape shape[MADE];
    bool good = true;
    for (int first = 0; first < d->made_shapes && good; first += MADE)
    {
        int count = d->made_shapes - first < MADE ? d->made_shapes - first : MADE;
        good = d->make((void *)(uintptr_t)d->recipe, first, count, body, shape);
        for (int i = 0; i < count && good; ++i)
            see(scene, bound_of(d, &shape[i]));
    }
    return good;
}

static void see_size(crn_domain_scene *scene, double bound)
{
    scene->smallest = fmin(scene->smallest, bound);
    scene->largest = fmax(scene->largest, bound);
}

/* Sizes, and what the audit is to find. */
static void measure(crn_described *from, crn_domain_scene *scene)
{
    const crn_gpu_description *d = from->d;
    scene->smallest = INFINITY;
    for (int i = 0; i < d->body_count; ++i)
    {
        const crn_gpu_body *body = crn_described_body(from, i);
        if (!scene->has_shapes)
            see_size(scene, body->radius);
        if (!moves(body))
            continue;
        ++scene->moving;
        scene->numbers += crn_audit_number(i);
        scene->mass += 1 / body->inverse_mass;
    }
    for (int i = 0; i < d->shape_count - d->wall_count; ++i)
        see_size(scene, bound_of(d, &d->shape[i]));
    if (!see_made(d, scene, see_size))
        from->status = CAIRN_NO_MEMORY;
    memcpy(scene->low, d->low, sizeof scene->low);
    memcpy(scene->high, d->high, sizeof scene->high);
}

/* ---------------------------------------------------------------------------------------------------------------- audit */

uint64_t crn_audit_number(int64_t global)
{
    uint64_t z = (uint64_t)global + UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

int64_t crn_audit_mass(const crn_domain_scene *scene, const crn_gpu_body *body)
{
    return llround(ldexp(1 / body->inverse_mass / scene->mass, 60));
}

/* --------------------------------------------------------------------------------------------------------------- bodies */

static void describe_body(const crn_gpu_description *d, int i, const crn_gpu_body *state, crn_domain_body *out)
{
    *out = (crn_domain_body){.global = i, .lead = i, .work = 1, .extent = state->radius, .state = *state};
    if (d->shape_count + d->made_shapes > 0)
        out->extent = 0;
}

/* Bodies that move, or those that do not, with their shapes: those with numbers from `first` to `end` - 1. */
static cairn_status choose(crn_described *from, bool moving, int first, int end, crn_bodies *out)
{
    const crn_gpu_description *d = from->d;
    crn_bodies_clear(out);
    crn_domain_body body;
    size_t shapes = 0;
    for (int i = first; i < end; ++i)
        if (moves(crn_described_body(from, i)) == moving)
        {
            describe_body(d, i, crn_described_body(from, i), &body);
            CRN_TRY(crn_bodies_add(out, &body, NULL));
        }
    for (int pass = 0; pass < 2; ++pass) /* count, then place */
    {
        for (int i = 0; i < d->shape_count; ++i)
        {
            const crn_gpu_shape *shape = &d->shape[i];
            bool is_one = shape->body >= first && shape->body < end && moves(&d->body[shape->body]) == moving;
            size_t at = is_one ? crn_bodies_find(out, shape->body) : SIZE_MAX;
            if (at == SIZE_MAX)
                continue;
            crn_domain_body *owner = &out->body[at];
            if (pass > 0)
                out->shape[owner->first_shape + (size_t)owner->shapes] =
                    (crn_domain_shape){crn_given_shape(d, i), *shape};
            if (!is_wall(shape) && shape->kind != CRN_GPU_TRIANGLE)
                owner->extent = fmax(owner->extent, length3(shape->x) + bound_of(d, shape));
            ++owner->shapes;
            shapes += pass == 0;
        }
        if (pass > 0)
            break;
        CRN_TRY(crn_reserve_all(&out->memory, CRN_ARRAY(out->shape, shapes + 1)));
        for (size_t i = 0; i < out->count; ++i)
        {
            out->body[i].first_shape = out->shapes;
            out->shapes += (size_t)out->body[i].shapes;
            out->body[i].shapes = 0;
        }
    }
    return CAIRN_OK;
}

cairn_status crn_scene_leads(const crn_gpu_description *d, int **lead)
{
    size_t capacity = 0;
    *lead = NULL;
    if (d->joint_count == 0)
        return CAIRN_OK;
    CRN_TRY(crn_reserve(lead, &capacity, (size_t)d->body_count + 1, sizeof **lead));
    for (int i = 0; i < d->body_count; ++i)
        (*lead)[i] = i;
    for (int j = 0; j < d->joint_count; ++j)
    {
        int a = d->joint[j].body[0], b = d->joint[j].body[1];
        if (a >= 0 && b >= 0 && moves(&d->body[a]) && moves(&d->body[b]))
            crn_union_join(*lead, a, b);
    }
    for (int i = 0; i < d->body_count; ++i)
        (*lead)[i] = crn_union_root(*lead, i);
    return CAIRN_OK;
}

/* Records of the bodies from number `first` on; begin: where they begin, and the last of them ends. */
static cairn_status take_records(const crn_gpu_description *d, int first, const int64_t *begin, int64_t end,
                                 crn_bodies *out)
{
    size_t size = (size_t)(end - begin[0]);
    CRN_TRY(crn_reserve_all(&out->records, CRN_ARRAY(out->kept, size + 1)));
    if (!d->read_kept(d->keeper, (size_t)begin[0], out->kept, size))
        return CAIRN_IO;
    out->kept_bytes = size;
    for (size_t i = 0; i < out->count; ++i)
    {
        const int64_t *record = &begin[out->body[i].global - first];
        out->body[i].first_kept = (size_t)(record[0] - begin[0]);
        out->body[i].kept_bytes = (size_t)(record[1] - record[0]);
    }
    return CAIRN_OK;
}

/* What earlier worlds kept about them. */
static cairn_status take_kept(const crn_gpu_description *d, int first, int end, crn_bodies *out)
{
    if (!d->read_begins)
        return CAIRN_OK;
    int64_t *begin = malloc(((size_t)(end - first) + 1) * sizeof *begin);
    cairn_status status = begin ? CAIRN_OK : CAIRN_NO_MEMORY;
    if (begin && !d->read_begins(d->keeper, first, end - first + 1, begin))
        status = CAIRN_IO;
    status = status ? status : take_records(d, first, begin, begin[end - first], out);
    free(begin);
    return status;
}

cairn_status crn_scene_bodies(const crn_gpu_description *d, const int *lead, int first, int end, crn_bodies *out)
{
    crn_described from = crn_described_open(d);
    cairn_status status = choose(&from, true, first, end, out), read = crn_described_close(&from);
    CRN_TRY(status ? status : read);
    for (size_t i = 0; i < out->count && lead; ++i)
        out->body[i].lead = lead[out->body[i].global];
    return take_kept(d, first, end, out);
}

static void add_bound(crn_domain_scene *scene, double bound)
{
    scene->extent += bound;
}

/* Their mean extent, and their masses as the audit sees them. */
static void weigh(crn_described *from, crn_domain_scene *scene)
{
    const crn_gpu_description *d = from->d;
    int64_t balls = d->made_shapes;
    for (int i = 0; i < d->body_count; ++i)
    {
        const crn_gpu_body *body = crn_described_body(from, i);
        if (!moves(body))
            continue;
        scene->mass_parts += crn_audit_mass(scene, body);
        add_bound(scene, body->radius);
    }
    for (int i = 0; i < d->shape_count - d->wall_count; ++i)
        if (moves(&d->body[d->shape[i].body]))
        {
            add_bound(scene, bound_of(d, &d->shape[i]));
            ++balls;
        }
    if (!see_made(d, scene, add_bound))
        from->status = CAIRN_NO_MEMORY;
    balls = scene->has_shapes ? balls : scene->moving;
    scene->extent = balls > 0 ? scene->extent / (double)balls : 1.0;
}

/* ----------------------------------------------------------------------------------------------------------------- pack */

enum
{
    ALIGNED = 16,
    SHARED_ARRAYS = 23
};

/* An array of the description that all ranks have. */
typedef struct shared_array
{
    const void **place;
    size_t size; /* bytes */
} shared_array;

static shared_array share(const void *place, size_t count, size_t size)
{
    return (shared_array){(const void **)place, count * size};
}

/* How many there are in lists that begin at these places. The receiver reads sizes from what came: its places are still those of the sender's memory. */
static size_t in_lists(const int32_t *begin, size_t lists, bool is_sender)
{
    return is_sender && lists > 0 ? (size_t)begin[lists] : 0;
}

static void list_arrays(crn_gpu_description *d, bool is_sender, shared_array out[SHARED_ARRAYS])
{
    size_t corners = (size_t)d->hull_corner_count, faces = (size_t)d->hull_face_count;
    size_t materials = (size_t)d->material_count, classes = (size_t)d->class_count, vertices = (size_t)d->vertex_count;
    const shared_array array[SHARED_ARRAYS] = {
        share(&d->plane, (size_t)d->plane_count, sizeof *d->plane),
        share(&d->triangle, (size_t)d->triangle_count, sizeof *d->triangle),
        share(&d->vertex, 3 * vertices, sizeof *d->vertex),
        share(&d->ring_begin, vertices + 1, sizeof *d->ring_begin),
        share(&d->ring, in_lists(d->ring_begin, vertices, is_sender), sizeof *d->ring),
        share(&d->hull, (size_t)d->hull_count, sizeof *d->hull),
        share(&d->hull_corner, 3 * corners, sizeof *d->hull_corner),
        share(&d->hull_normal, 3 * faces, sizeof *d->hull_normal),
        share(&d->hull_face_begin, faces + 1, sizeof *d->hull_face_begin),
        share(&d->hull_face_corner, in_lists(d->hull_face_begin, faces, is_sender), sizeof *d->hull_face_corner),
        share(&d->hull_at_begin, corners + 1, sizeof *d->hull_at_begin),
        share(&d->hull_at, in_lists(d->hull_at_begin, corners, is_sender), sizeof *d->hull_at),
        share(&d->pair_class, materials * materials, sizeof *d->pair_class),
        share(&d->friction, classes, sizeof *d->friction),
        share(&d->restitution, classes, sizeof *d->restitution),
        share(&d->surface, classes, sizeof *d->surface),
        share(&d->joint, (size_t)d->joint_count, sizeof *d->joint),
        share(&d->joint_first, (size_t)d->joint_colours + 1, sizeof *d->joint_first),
        share(&d->apart, (size_t)d->apart_count, sizeof *d->apart),
        share(&d->force, (size_t)d->force_count, sizeof *d->force),
        share(&d->wall_after, (size_t)(d->plane_count + d->wall_count), sizeof *d->wall_after),
        share(&d->triangle_first, (size_t)d->triangle_count, sizeof *d->triangle_first),
        share(&d->recipe, d->recipe_size, 1),
    };
    memcpy(out, array, sizeof array);
}

/* A block of bytes with its size, which begins at a multiple of ALIGNED. An array that is not there has no bytes. */
static void put_block(crn_bytes *out, const void *data, size_t size)
{
    static const unsigned char NOTHING[ALIGNED] = {0};
    const uint64_t head[2] = {data ? size : 0, data != NULL};
    crn_bytes_put(out, head, sizeof head);
    crn_bytes_put(out, data, (size_t)head[0]);
    crn_bytes_put(out, NOTHING, (ALIGNED - out->size % ALIGNED) % ALIGNED);
}

static const void *take_block(crn_reading *from)
{
    uint64_t head[2];
    crn_take_to(from, head, sizeof head);
    const void *taken = crn_take(from, (size_t)head[0]);
    (void)crn_take(from, (size_t)(ALIGNED - head[0] % ALIGNED) % ALIGNED);
    return head[1] ? taken : NULL;
}

static void put_fixed(crn_described *from, crn_bytes *out)
{
    crn_bodies chosen = {0};
    out->failed = out->failed || choose(from, false, 0, from->d->body_count - from->d->made, &chosen) != CAIRN_OK;
    for (size_t i = 0; i < chosen.count; ++i)
        crn_bodies_pack(&chosen, i, false, out);
    crn_bodies_free(&chosen);
}

void crn_scene_pack(const crn_gpu_description *description, crn_bytes *out)
{
    crn_domain_scene scene = {.description = *description,
                              .has_shapes = description->shape_count + description->made_shapes > 0,
                              .total = description->body_count,
                              .total_shapes = (int64_t)description->shape_count + description->made_shapes};
    shared_array array[SHARED_ARRAYS];
    crn_described from = crn_described_open(description);
    measure(&from, &scene);
    weigh(&from, &scene);
    list_arrays(&scene.description, true, array);
    put_block(out, &scene, sizeof scene);
    for (int i = 0; i < SHARED_ARRAYS; ++i)
        put_block(out, *array[i].place, array[i].size);
    put_fixed(&from, out);
    out->failed = crn_described_close(&from) || out->failed;
}

cairn_status crn_scene_unpack(crn_domain_scene *scene, const void *bytes, size_t size)
{
    unsigned char *copy = malloc(size);
    if (!copy)
        return CAIRN_NO_MEMORY;
    memcpy(copy, bytes, size);
    crn_reading from = {copy, copy + size};
    memcpy(scene, take_block(&from), sizeof *scene);
    shared_array array[SHARED_ARRAYS];
    list_arrays(&scene->description, false, array);
    for (int i = 0; i < SHARED_ARRAYS; ++i)
        *array[i].place = take_block(&from);
    scene->bytes = copy;
    scene->joint = (crn_gpu_joint *)scene->description.joint; /* in `copy` */
    scene->recipe = (void *)scene->description.recipe;
    scene->fixed = (crn_bodies){0};
    return crn_bodies_unpack(&scene->fixed, &from);
}

void crn_scene_free(crn_domain_scene *scene)
{
    crn_bodies_free(&scene->fixed);
    free(scene->bytes);
    *scene = (crn_domain_scene){0};
}
