#include "domain/bodies.h"

#include <math.h>

void crn_bodies_free(crn_bodies *bodies)
{
    crn_arena_release(&bodies->memory);
    crn_arena_release(&bodies->records);
    *bodies = (crn_bodies){0};
}

void crn_bodies_drop_kept(crn_bodies *bodies)
{
    crn_arena_release(&bodies->records);
    bodies->kept = NULL;
    bodies->kept_bytes = 0;
    for (size_t i = 0; i < bodies->count; ++i)
        bodies->body[i].first_kept = bodies->body[i].kept_bytes = 0;
}

void crn_bodies_clear(crn_bodies *bodies)
{
    bodies->count = bodies->shapes = bodies->kept_bytes = 0;
}

static cairn_status make_room(crn_bodies *bodies, size_t shapes, size_t kept)
{
    CRN_TRY(crn_reserve_all(&bodies->memory, CRN_ARRAY(bodies->body, bodies->count + 1),
                            CRN_ARRAY(bodies->shape, bodies->shapes + shapes + 1)));
    return crn_reserve_all(&bodies->records, CRN_ARRAY(bodies->kept, bodies->kept_bytes + kept + 1));
}

cairn_status crn_bodies_add(crn_bodies *bodies, const crn_domain_body *body, const crn_domain_shape *shape)
{
    size_t shapes = (size_t)body->shapes;
    CRN_TRY(make_room(bodies, shapes, 0));
    crn_domain_body *added = &bodies->body[bodies->count++];
    *added = *body;
    added->first_shape = bodies->shapes;
    added->first_kept = bodies->kept_bytes;
    added->kept_bytes = 0;
    if (shapes > 0)
        memcpy(bodies->shape + bodies->shapes, shape, shapes * sizeof *shape);
    bodies->shapes += shapes;
    return CAIRN_OK;
}

cairn_status crn_bodies_copy(const crn_bodies *from, size_t i, crn_bodies *to)
{
    const crn_domain_body *body = &from->body[i];
    size_t kept = body->kept_bytes;
    CRN_TRY(make_room(to, (size_t)body->shapes, kept));
    CRN_TRY(crn_bodies_add(to, body, from->shape + body->first_shape));
    crn_domain_body *added = &to->body[to->count - 1];
    added->kept_bytes = kept;
    if (kept > 0)
        memcpy(to->kept + to->kept_bytes, from->kept + body->first_kept, kept);
    to->kept_bytes += kept;
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- travel */

void crn_bodies_pack(const crn_bodies *bodies, size_t i, bool with_kept, crn_bytes *out)
{
    crn_domain_body body = bodies->body[i];
    const unsigned char *kept = bodies->kept + body.first_kept;
    if (!with_kept)
        body.kept_bytes = 0;
    crn_bytes_put(out, &body, sizeof body);
    crn_bytes_put(out, bodies->shape + body.first_shape, (size_t)body.shapes * sizeof *bodies->shape);
    crn_bytes_put(out, kept, body.kept_bytes);
}

cairn_status crn_bodies_unpack(crn_bodies *bodies, crn_reading *from)
{
    while (from->at < from->end)
    {
        crn_domain_body body;
        crn_take_to(from, &body, sizeof body);
        size_t shapes = (size_t)body.shapes;
        CRN_TRY(make_room(bodies, shapes, body.kept_bytes));
        body.first_shape = bodies->shapes;
        body.first_kept = bodies->kept_bytes;
        crn_take_to(from, bodies->shape + bodies->shapes, shapes * sizeof *bodies->shape);
        crn_take_to(from, bodies->kept + bodies->kept_bytes, body.kept_bytes);
        bodies->body[bodies->count++] = body;
        bodies->shapes += shapes;
        bodies->kept_bytes += body.kept_bytes;
    }
    return CAIRN_OK;
}

/* -------------------------------------------------------------------------------------------------------------- order */

static int by_number(const void *a, const void *b)
{
    int64_t x = ((const crn_domain_body *)a)->global, y = ((const crn_domain_body *)b)->global;
    return (x > y) - (x < y);
}

void crn_bodies_sort(crn_bodies *bodies)
{
    size_t kept = 0;
    if (bodies->count > 0)
        qsort(bodies->body, bodies->count, sizeof *bodies->body, by_number);
    for (size_t i = 0; i < bodies->count; ++i)
        if (i == 0 || bodies->body[i].global != bodies->body[kept - 1].global)
            bodies->body[kept++] = bodies->body[i];
    bodies->count = kept;
}

size_t crn_bodies_from(const crn_bodies *bodies, int64_t global)
{
    size_t low = 0, high = bodies->count;
    while (low < high)
    {
        size_t middle = (low + high) / 2;
        if (bodies->body[middle].global < global)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t crn_bodies_find(const crn_bodies *bodies, int64_t global)
{
    size_t place = crn_bodies_from(bodies, global);
    return place < bodies->count && bodies->body[place].global == global ? place : SIZE_MAX;
}

double crn_body_reach(const crn_domain_body *body, double h, double g, double sent)
{
    const double *v = body->state.v, *w = body->state.w;
    double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), spin = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    return (body->extent * 1.01 + 1.5 * h * (speed + fmin(spin, 4 / (3 * h)) * body->extent) + 2 * g * h * h +
            h * sent) *
           (1 + 1e-6);
}
