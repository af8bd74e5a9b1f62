#include "step/device/device_glance.h"

#include "audit/glance.h"
#include "base/exact_sum.h"
#include "math/vec.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

/* What a rank's audit is made of: its bodies in the order of the description, and behind them one that stands for all half-spaces. */
typedef struct looking
{
    crn_domain *domain;
    crn_glance_question ask;
    crn_glance_answer *out;
    crn_arena memory;
    cairn_model model;
    crn_audit *audit;
    int bodies;
    double *mass, *bound, *inertia; /* kg, m, kg m^2 */
    int *inertia_start;
    uint8_t *border; /* crn_border */
    crn_pose *pose;
    double (*before)[6], (*after)[6]; /* m/s, rad/s: both in the world's frame */
    crn_contact *contact;
    double (*impulse)[3]; /* N s; and one more, which is read along with the last */
    crn_acted acted;
    crn_piece piece;
    crn_glance glance;
} looking;

/* On its way to the owner of a body. */
typedef struct push
{
    int64_t body;
    double force[3], torque[3]; /* N s, N m s about the centre */
} push;

/* ---------------------------------------------------------------------------------------------------------------- bodies */

static bool reserve(looking *l)
{
    crn_domain *domain = l->domain;
    size_t count = (size_t)l->bodies + 1, contacts = (size_t)domain->report.here;
    if (crn_reserve_all(&domain->memory, CRN_ARRAY(domain->contact, contacts)) ||
        crn_reserve_all(&l->memory, CRN_ARRAY(l->model.bodies, count), CRN_ARRAY(l->mass, count),
                        CRN_ARRAY(l->bound, count), CRN_ARRAY(l->inertia, count),
                        CRN_ARRAY(l->inertia_start, count + 1), CRN_ARRAY(l->border, count), CRN_ARRAY(l->pose, count),
                        CRN_ARRAY(l->before, count), CRN_ARRAY(l->after, count), CRN_ARRAY(l->contact, contacts),
                        CRN_ARRAY(l->impulse, contacts + 1)))
        return crn_domain_fail(domain, "memory ran out");
    l->model.body_count = count;
    l->model.dimension = 3;
    return true;
}

/* rad/s, in the world: the angular velocity at the end as the audit sees it, which turns it with the body and looks at it where the body was at the start. */
static void spin_of(const crn_domain *domain, int body, double out[3])
{
    double from[9], to[9];
    crn_quaternion_to_matrix(domain->start[body].q, from);
    crn_quaternion_to_matrix(domain->read[body].q, to);
    crn_unrotate3(to, domain->read[body].w, out);
    crn_rotate3(from, out, out);
}

static void read_body(looking *l, int body)
{
    const crn_domain *domain = l->domain;
    const crn_gpu_body *of = &domain->local.body[body];
    const crn_domain_motion *start = &domain->start[body];
    bool moves = of->inverse_mass > 0, turns = of->inverse_inertia > 0;
    l->model.bodies[body].kind = moves ? CAIRN_DYNAMIC : CAIRN_FIXED;
    l->model.bodies[body].point = !turns;
    l->mass[body] = moves ? 1 / of->inverse_mass : 0.0;
    l->inertia[body] = turns ? 1 / of->inverse_inertia : 0.0;
    l->bound[body] = of->radius;
    l->pose[body] = (crn_pose){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    memcpy(l->pose[body].x, start->x, sizeof start->x);
    memcpy(l->before[body], start->v, sizeof start->v);
    memcpy(l->before[body] + 3, start->w, sizeof start->w);
    memcpy(l->after[body], domain->read[body].v, sizeof start->v);
    spin_of(domain, body, l->after[body] + 3);
}

static void read_bodies(looking *l)
{
    const crn_domain *domain = l->domain;
    for (int b = 0; b < l->bodies; ++b)
    {
        read_body(l, b);
        bool is_copy = l->mass[b] > 0 && domain->local.owner[b] != domain->ranks->rank;
        l->border[b] = is_copy ? CRN_BORDER_COPY : CRN_BORDER_NONE;
    }
    for (int32_t i = 0; i < domain->local.send_first[domain->local.rank.neighbours]; ++i)
        l->border[domain->local.send[i]] = CRN_BORDER_OWN;
    l->model.bodies[l->bodies].kind = CAIRN_FIXED;
    l->pose[l->bodies] = (crn_pose){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int b = 0; b <= l->bodies; ++b)
        l->inertia_start[b + 1] = b + 1;
}

/* ------------------------------------------------------------------------------------------------------------------ contacts */

static int material_of(const crn_domain *domain, int32_t body)
{
    return body < 0 ? domain->local.description.plane[-1 - body].material : domain->local.body[body].material;
}

static void read_contact(looking *l, const crn_gpu_contact *from)
{
    const crn_gpu_description *d = &l->domain->local.description;
    crn_contact *to = &l->contact[l->acted.count];
    int pair = material_of(l->domain, from->a) * d->material_count + material_of(l->domain, from->b);
    *to = (crn_contact){.body_a = from->a,
                        .body_b = from->b < 0 ? l->bodies : from->b,
                        .gap = from->gap,
                        .friction = d->friction[d->pair_class[pair]],
                        .restitution = d->restitution[d->pair_class[pair]]};
    memcpy(to->normal, from->normal, sizeof to->normal);
    crn_madd3(l->pose[from->a].x, -l->bound[from->a], to->normal, to->point_a);
    crn_madd3(to->point_a, -to->gap, to->normal, to->point_b);
    memcpy(l->impulse[l->acted.count++], from->impulse, sizeof from->impulse);
}

/* Those that act. */
static bool read_contacts(looking *l)
{
    crn_domain *domain = l->domain;
    int32_t count = domain->report.here;
    if (count > 0 && !domain->inner->read_contacts(domain->world, domain->contact, count, domain->sentence))
        return false;
    for (int32_t i = 0; i < count; ++i)
        if (crn_norm3(domain->contact[i].impulse) != 0)
            read_contact(l, &domain->contact[i]);
    l->acted.contacts = l->contact;
    l->acted.impulse = (const double(*)[3])l->impulse;
    l->out->contacts = count;
    return true;
}

static void read_piece(looking *l)
{
    const crn_glance_question *ask = &l->ask;
    l->piece = (crn_piece){.h = ask->h,
                           .drift_time = ask->drift_time,
                           .left = ask->left,
                           .tolerance = ask->tolerance,
                           .speed = ask->speed,
                           .threshold = ask->threshold,
                           .crowded = ask->crowded != 0,
                           .cone = ask->cone,
                           .lifts = ask->lifts != 0,
                           .pose = l->pose,
                           .before = l->before,
                           .after = l->after,
                           .place = {{.pose = l->pose}},
                           .place_count = 1};
    crn_scale3(ask->h, ask->gravity, l->piece.fall);
}

/* All that may fail for want of memory, before ranks wait for each other. */
static bool prepare(looking *l)
{
    l->bodies = l->domain->local.description.body_count;
    if (!reserve(l))
        return false;
    read_bodies(l);
    if (!read_contacts(l))
        return false;
    read_piece(l);
    const crn_audit_bodies bodies = {
        .mass = l->mass, .inertia = {.start = l->inertia_start, .value = l->inertia}, .bound = l->bound, .threads = 1};
    l->audit = crn_audit_create(&l->model, &bodies);
    if (!l->audit || crn_glance_open(&l->glance, l->audit, &l->piece, &l->acted))
        return crn_domain_fail(l->domain, "memory ran out");
    l->glance.border = l->border;
    return true;
}

/* ------------------------------------------------------------------------------------------------------------------ judgement */

static void tell_owners(looking *l)
{
    const crn_local *local = &l->domain->local;
    for (int b = 0; b < l->bodies; ++b)
    {
        const crn_pushed *pushed = &l->audit->pushed[b];
        if (l->border[b] != CRN_BORDER_COPY || (crn_norm3(pushed->force) == 0 && crn_norm3(pushed->torque) == 0))
            continue;
        push p = {.body = local->global[b]};
        memcpy(p.force, pushed->force, sizeof p.force);
        memcpy(p.torque, pushed->torque, sizeof p.torque);
        crn_bytes_put(&l->domain->post.to[local->owner[b]], &p, sizeof p);
    }
}

static void hear(looking *l, int rank)
{
    crn_reading from = crn_post_from(&l->domain->post, rank);
    while (from.at < from.end)
    {
        push p;
        crn_take_to(&from, &p, sizeof p);
        crn_pushed *pushed = &l->audit->pushed[crn_local_place(&l->domain->local, p.body)];
        crn_add3(pushed->force, p.force, pushed->force);
        crn_add3(pushed->torque, p.torque, pushed->torque);
    }
}

/* Whether contacts and bodies are right, where the others are as well. */
static bool look(looking *l, bool *right)
{
    crn_domain *domain = l->domain;
    bool good = crn_glance_look(&l->glance, right) == CAIRN_OK;
    if (*right)
        tell_owners(l);
    good = crn_post_send(&domain->post, domain->ranks) == CAIRN_OK && good;
    for (int rank = 0; rank < domain->ranks->count && good && *right; ++rank)
        hear(l, rank);
    good = good && (!*right || crn_glance_judge(&l->glance, right) == CAIRN_OK);
    return crn_domain_agree(domain, good || crn_domain_fail(domain, "memory ran out"));
}

static bool look_for_overlaps(looking *l, bool *right)
{
    const crn_audit_motion motion = {.h = l->ask.h, .left = l->ask.left, .tolerance = l->ask.tolerance};
    bool good = crn_domain_overlaps_well(l->domain, &motion, right) == CAIRN_OK;
    return crn_domain_agree(l->domain, good || crn_domain_fail(l->domain, "memory ran out"));
}

static double kinetic_of(const crn_gpu_body *body, const crn_gpu_body *now)
{
    double spin = body->inverse_inertia > 0 ? crn_dot3(now->w, now->w) / body->inverse_inertia : 0.0;
    return 0.5 * (crn_dot3(now->v, now->v) / body->inverse_mass + spin);
}

static void add_up(looking *l)
{
    const crn_domain *domain = l->domain;
    crn_exact_sum sum = {{0}};
    for (size_t i = 0; i < domain->own.count; ++i)
    {
        int place = domain->local.own_place[i];
        crn_exact_add(&sum, kinetic_of(&domain->local.body[place], &domain->read[place]));
    }
    crn_exact_carry(&sum);
    domain->ranks->reduce_sum(domain->ranks->context, sum.digit, CRN_EXACT_DIGITS);
    domain->ranks->reduce_sum(domain->ranks->context, &l->out->contacts, 1);
    domain->ranks->reduce_sum(domain->ranks->context, &l->out->doubts, 1);
    l->out->kinetic = crn_exact_value(sum);
}

static void release(looking *l)
{
    crn_audit_destroy(l->audit);
    crn_arena_release(&l->memory);
    l->audit = NULL;
}

bool crn_glance_task(crn_domain *domain, const void *question, size_t size, void *answer)
{
    looking l = {.domain = domain, .out = answer};
    bool contacts = false, overlaps = false;
    assert(size == sizeof l.ask && domain->start);
    memcpy(&l.ask, question, size);
    *l.out = (crn_glance_answer){0};
    bool good = crn_domain_agree(domain, prepare(&l)) && look(&l, &contacts);
    release(&l); /* before another search needs memory */
    good = good && look_for_overlaps(&l, &overlaps);
    l.out->doubts = !contacts + !overlaps;
    if (good)
        add_up(&l);
    crn_domain_drop_start(domain);
    return good;
}
