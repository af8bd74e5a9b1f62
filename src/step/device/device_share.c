/* What a rank does for the certificate of a step, where there is more than single spheres, half-spaces and gravity. The piece is what process 0 would make of it (device_audit.c), with this
 * rank's bodies, ghosts and contacts. Overlaps are in device_share_overlaps.c.
 */
#include "step/device/device_share.h"
#include "audit/share.h"
#include "formulate/surface/cohesion.h"
#include "math/vec.h"
#include "model/periodic.h"
#include "model/shape/shape_class.h"
#include "step/device/device.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------------------- bodies */

static void read_body(crn_sharing *s, int b)
{
    const crn_domain *domain = s->domain;
    const crn_gpu_body *of = &domain->local.body[b], *last = &domain->read[b];
    const crn_domain_motion *first = &domain->start[b];
    const crn_share_drive *drive = of->driven >= 0 ? &s->drive[of->driven] : NULL;
    bool moves = of->inverse_mass > 0;
    for (int end = 0; end < 2; ++end)
    {
        const double *x = drive ? drive->x[end] : end && moves ? last->x : first->x;
        const double *q = drive ? drive->q[end] : end && moves ? last->q : first->q;
        double *v = s->velocity[end][b];
        memcpy(s->pose[end][b].x, x, sizeof(double[3]));
        crn_quaternion_to_matrix(q, s->pose[end][b].R);
        memset(v, 0, sizeof(double[6]));
        if (drive)
            memcpy(v, drive->v[end], sizeof(double[6]));
        if (!moves)
            continue;
        memcpy(v, end ? last->v : first->v, sizeof(double[3]));
        crn_unrotate3(s->pose[end][b].R, end ? last->w : first->w, v + 3);
    }
}

/* A half-space of a scene of single spheres. */
static void read_plane(crn_sharing *s, int i)
{
    const crn_gpu_plane *plane = &s->domain->local.description.plane[i];
    int b = s->domain->local.description.body_count + i;
    for (int end = 0; end < 2; ++end)
    {
        s->pose[end][b] = (crn_pose){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        crn_scale3(s->offset[2 * i + end], plane->n, s->pose[end][b].x);
        memset(s->velocity[end][b], 0, sizeof s->velocity[end][b]);
        if (plane->driven >= 0)
            memcpy(s->velocity[end][b], s->drive[plane->driven].v[end], sizeof s->velocity[end][b]);
    }
}

/* What forces and gyroscopic moments do. */
static void find_outer(crn_sharing *s)
{
    const crn_local *local = &s->domain->local;
    const crn_gpu_description *d = &local->description;
    for (int b = 0; b < d->body_count && d->shape_count > 0; ++b)
        if (s->replica.mass[b] > 0 && !s->replica.body[b].point)
            crn_device_turn_impulse(d->is_implicit, local->body[b].inertia, s->velocity[0][b] + 3, s->ask.step.h,
                                    s->outer[b] + 3);
    for (int i = 0; i < d->force_count; ++i)
    {
        int b = local->force[i].body;
        crn_device_force_impulse(&local->force[i], &s->load[local->force_of[i]], s->pose[0][b].R,
                                 s->replica.body[b].point, s->ask.step.h, s->outer[b]);
    }
}

/* -------------------------------------------------------------------------------------------------------------- contacts */

static double size_of(const crn_sharing *s, int body)
{
    return s->replica.mass[body] > 0 ? s->replica.bound[body] : INFINITY;
}

/* NULL: a sphere or half-space of a scene of these. */
static const crn_gpu_shape *side_of(const crn_sharing *s, const crn_gpu_contact *from, int side)
{
    const crn_gpu_description *d = &s->domain->local.description;
    return d->shape_count > 0 ? &d->shape[side ? from->shape_b : from->shape_a] : NULL;
}

static int material_of(const crn_sharing *s, const crn_gpu_contact *from, int side)
{
    const crn_gpu_description *d = &s->domain->local.description;
    const crn_gpu_shape *shape = side_of(s, from, side);
    int32_t body = side ? from->b : from->a;
    return shape ? shape->material : body < 0 ? d->plane[-1 - body].material : d->body[body].material;
}

static bool is_turned(const crn_gpu_shape *shape)
{
    return shape && (shape->kind == CRN_GPU_CYLINDER || shape->kind == CRN_GPU_CONE_SHAPE);
}

static void read_laws(const crn_sharing *s, const crn_gpu_contact *from, crn_piece_contact *to)
{
    const crn_gpu_description *d = &s->domain->local.description;
    const crn_gpu_shape *a = side_of(s, from, 0), *b = side_of(s, from, 1);
    int class =
        d->pair_class[(size_t)material_of(s, from, 0) * (size_t)d->material_count + (size_t)material_of(s, from, 1)];
    to->friction = d->friction[class];
    to->restitution = d->restitution[class];
    to->rim = is_turned(a) || is_turned(b);
    if (!d->surface)
        return;
    to->rolling = d->surface[class].rolling;
    to->spinning = d->surface[class].spinning;
    to->cohesion = d->surface[class].cohesion;
    to->range = d->surface[class].range;
    if (to->range == 0)
        to->range = CRN_COHESION_RANGE * fmin(size_of(s, from->a), size_of(s, from->b));
}

/* The point on b belongs to another image of it where that is touched. */
static void find_image(const crn_sharing *s, const crn_gpu_contact *from, double point[3])
{
    const crn_gpu_shape *shape = side_of(s, from, 1);
    if (!crn_is_periodic(&s->replica.model) || (shape ? shape->kind == CRN_GPU_HALF_SPACE : from->b < 0))
        return;
    const double *x = s->pose[0][from->b].x;
    double arm[3];
    crn_sub3(point, x, arm);
    crn_box_shorten(&s->replica.model, 0, arm);
    crn_add3(x, arm, point);
}

static void read_contact(crn_sharing *s, const crn_gpu_contact *from)
{
    const crn_gpu_description *d = &s->domain->local.description;
    crn_piece_contact *to = &s->contact[s->piece.contact_count++];
    double radius = d->shape_count > 0 ? 0.0 : d->body[from->a].radius;
    *to = (crn_piece_contact){.body_a = from->a,
                              .body_b = from->b < 0 ? d->body_count - 1 - from->b : from->b,
                              .gap = from->gap,
                              .gap_before = from->gap,
                              .last = true};
    crn_add3(s->pose[0][from->a].x, from->arm, to->point_a);
    crn_madd3(to->point_a, -radius, from->normal, to->point_a);
    crn_madd3(to->point_a, -from->gap, from->normal, to->point_b);
    find_image(s, from, to->point_b);
    memcpy(to->point_before[0], to->point_a, sizeof to->point_a);
    memcpy(to->point_before[1], to->point_b, sizeof to->point_b);
    memcpy(to->normal, from->normal, sizeof to->normal);
    memcpy(to->normal_before, from->normal, sizeof to->normal);
    memcpy(to->impulse, from->impulse, sizeof to->impulse);
    memcpy(to->moment, from->moment, sizeof to->moment);
    read_laws(s, from, to);
}

static bool read_contacts(crn_sharing *s)
{
    crn_domain *domain = s->domain;
    int32_t count = domain->report.here;
    if (crn_reserve_all(&domain->memory, CRN_ARRAY(domain->contact, count)) ||
        crn_reserve_all(&s->looking, CRN_ARRAY(s->contact, count)))
        return crn_domain_fail(domain, "memory ran out");
    if (count > 0 && !domain->inner->read_contacts(domain->world, domain->contact, count, domain->sentence))
        return false;
    for (int32_t i = 0; i < count; ++i)
        if (crn_norm3(domain->contact[i].impulse) != 0 || s->ask.coheres)
            read_contact(s, &domain->contact[i]);
    s->piece.contacts = s->contact;
    s->out->contacts = count;
    return true;
}

/* ----------------------------------------------------------------------------------------------------------------- piece */

static void read_piece(crn_sharing *s)
{
    s->piece = crn_glance_piece(&s->ask.step);
    s->piece.pose = s->pose[0];
    s->piece.before = s->velocity[0];
    s->piece.after = s->velocity[1];
    s->piece.outer = s->outer;
    s->piece.place[0] = (crn_piece_place){.pose = s->pose[0], s->velocity[0], s->velocity[0]};
    s->piece.place_count = 1;
}

static bool reserve(crn_sharing *s)
{
    size_t count = (size_t)s->bodies + 1;
    return !crn_reserve_all(&s->memory, CRN_ARRAY(s->border, count), CRN_ARRAY(s->pose[0], count),
                            CRN_ARRAY(s->pose[1], count), CRN_ARRAY(s->velocity[0], count),
                            CRN_ARRAY(s->velocity[1], count), CRN_ARRAY(s->margin, count),
                            CRN_ARRAY(s->travel, count)) &&
           !crn_reserve_all(&s->looking, CRN_ARRAY(s->outer, count),
                            CRN_ARRAY(s->inner, s->ask.linked > 0 ? count : 0));
}

bool crn_share_audit(crn_sharing *s)
{
    s->audit = crn_audit_create(&s->replica.model, &s->replica.bodies);
    if (s->audit)
        crn_audit_share(s->audit);
    return s->audit;
}

/* What springs do to bodies that are here, and that others act on these and on those that joints hold. */
static void read_links(crn_sharing *s)
{
    for (int64_t i = 0; i < s->ask.linked; ++i)
    {
        int b = crn_local_place(&s->domain->local, s->linked[i].body);
        if (b < 0)
            continue;
        memcpy(s->inner[b], s->linked[i].springs, sizeof s->inner[b]);
        if (s->border[b] == CRN_BORDER_NONE)
            s->border[b] = CRN_BORDER_OWN;
    }
    s->piece.inner = s->ask.linked > 0 ? s->inner : NULL;
}

/* All that may fail for want of memory, before ranks wait for each other. */
static bool prepare(crn_sharing *s)
{
    const crn_gpu_description *d = &s->domain->local.description;
    cairn_status status = crn_replica_make(&s->replica, s->domain);
    s->is_whole = status == CAIRN_OK;
    s->bodies = d->body_count + d->plane_count;
    if (status == CAIRN_NO_MEMORY || !reserve(s) || !crn_share_audit(s))
        return crn_domain_fail(s->domain, "memory ran out");
    crn_glance_borders(s->domain, s->border);
    for (int b = 0; b < d->body_count; ++b)
        read_body(s, b);
    for (int i = 0; i < d->plane_count; ++i)
        read_plane(s, i);
    find_outer(s);
    read_piece(s);
    read_links(s);
    return read_contacts(s);
}

/* What joints do to own bodies. */
static void add_joints(crn_sharing *s)
{
    for (int64_t i = 0; i < s->ask.linked; ++i)
    {
        int b = crn_local_place(&s->domain->local, s->linked[i].body);
        if (b < 0)
            continue;
        crn_audit_share_hold(s->audit, b);
        double *given = crn_audit_given(s->audit, b);
        for (int k = 0; k < 6 && s->border[b] != CRN_BORDER_COPY; ++k)
            given[k] += s->linked[i].joints[k];
    }
}

static void read_push(void *data, int body, double out[6])
{
    const crn_sharing *s = data;
    memcpy(out, crn_audit_given(s->audit, body), sizeof(double[6]));
}

static void add_push(void *data, int body, const double given[6])
{
    const crn_sharing *s = data;
    double *sum = crn_audit_given(s->audit, body);
    for (int k = 0; k < 6; ++k)
        sum[k] += given[k];
}

/* Contacts, bodies and groups. */
static bool look(crn_sharing *s)
{
    const crn_pushes pushes = {s, read_push, add_push};
    crn_share_doubts doubts = {.clear = 1};
    bool is_finite = false;
    bool good = crn_audit_share_look(s->audit, &s->piece, &is_finite) == CAIRN_OK;
    is_finite = is_finite && good;
    good = crn_glance_exchange(s->domain, s->border, is_finite ? &pushes : NULL) && good;
    if (good && is_finite)
        add_joints(s);
    if (good && is_finite)
        crn_audit_share_judge(s->audit, &s->piece, s->border, &doubts);
    s->out->doubts += doubts.clear;
    s->out->mean = doubts.mean;
    s->out->last = doubts.last;
    crn_audit_destroy(s->audit);
    crn_arena_release(&s->looking);
    s->audit = NULL;
    return crn_domain_agree(s->domain, good || crn_domain_fail(s->domain, "memory ran out"));
}

/* ------------------------------------------------------------------------------------------------------------------- all */

static bool read_question(crn_sharing *s, const void *question, size_t size)
{
    const unsigned char *tail = (const unsigned char *)question + sizeof s->ask;
    memcpy(&s->ask, question, sizeof s->ask);
    size_t drives = (size_t)s->ask.drives, loads = (size_t)s->ask.loads;
    size_t planes = 2 * (size_t)s->domain->local.description.plane_count;
    size_t linked = (size_t)s->ask.linked;
    size_t all =
        drives * sizeof *s->drive + loads * sizeof *s->load + planes * sizeof *s->offset + linked * sizeof *s->linked;
    assert(size == sizeof s->ask + all);
    (void)size;
    unsigned char *copy = NULL; /* where numbers may lie */
    if (crn_reserve_all(&s->memory, CRN_ARRAY(copy, all)))
        return crn_domain_fail(s->domain, "memory ran out");
    memcpy(copy, tail, all);
    s->drive = (const crn_share_drive *)copy;
    s->load = (const crn_gpu_load *)(copy + drives * sizeof *s->drive);
    s->offset = (const double *)(s->load + loads);
    s->linked = (const crn_linked_push *)(s->offset + planes);
    return true;
}

bool crn_share_task(crn_domain *domain, const void *question, size_t size, void *answer)
{
    crn_sharing s = {.domain = domain, .out = answer};
    assert(domain->start);
    *s.out = (crn_glance_answer){0};
    bool good = read_question(&s, question, size) && prepare(&s);
    good = crn_domain_agree(domain, good) && look(&s) && crn_share_overlaps(&s);
    crn_audit_destroy(s.audit);
    crn_replica_free(&s.replica);
    crn_arena_release(&s.looking);
    crn_arena_release(&s.memory);
    if (good)
        crn_glance_add_up(domain, s.out);
    crn_domain_drop_start(domain);
    return good;
}
