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
    double given[6];
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

void crn_glance_borders(const crn_domain *domain, uint8_t *border)
{
    const crn_local *local = &domain->local;
    for (int b = 0; b < local->description.body_count; ++b)
    {
        bool is_copy = local->body[b].inverse_mass > 0 && local->owner[b] != domain->ranks->rank;
        border[b] = is_copy ? CRN_BORDER_COPY : CRN_BORDER_NONE;
    }
    for (int32_t i = 0; i < local->send_first[local->rank.neighbours]; ++i)
        border[local->send[i]] = CRN_BORDER_OWN;
}

static void read_bodies(looking *l)
{
    const crn_domain *domain = l->domain;
    for (int b = 0; b < l->bodies; ++b)
        read_body(l, b);
    crn_glance_borders(domain, l->border);
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

crn_piece crn_glance_piece(const crn_glance_question *ask)
{
    crn_piece piece = {.h = ask->h,
                       .drift_time = ask->drift_time,
                       .left = ask->left,
                       .tolerance = ask->tolerance,
                       .speed = ask->speed,
                       .threshold = ask->threshold,
                       .crowded = ask->crowded != 0,
                       .cone = ask->cone,
                       .lifts = ask->lifts != 0};
    crn_scale3(ask->h, ask->gravity, piece.fall);
    return piece;
}

static void read_piece(looking *l)
{
    l->piece = crn_glance_piece(&l->ask);
    l->piece.pose = l->pose;
    l->piece.before = l->before;
    l->piece.after = l->after;
    l->piece.place[0] = (crn_piece_place){.pose = l->pose};
    l->piece.place_count = 1;
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

static void tell_owners(crn_domain *domain, const uint8_t *border, const crn_pushes *pushes)
{
    static const double NONE[6] = {0};
    const crn_local *local = &domain->local;
    for (int b = 0; b < local->description.body_count; ++b)
    {
        push p = {.body = local->global[b]};
        if (border[b] != CRN_BORDER_COPY)
            continue;
        pushes->read(pushes->data, b, p.given);
        if (memcmp(p.given, NONE, sizeof NONE) != 0)
            crn_bytes_put(&domain->post.to[local->owner[b]], &p, sizeof p);
    }
}

bool crn_glance_exchange(crn_domain *domain, const uint8_t *border, const crn_pushes *pushes)
{
    if (pushes)
        tell_owners(domain, border, pushes);
    bool good = crn_post_send(&domain->post, domain->ranks) == CAIRN_OK;
    for (int rank = 0; rank < domain->ranks->count && good && pushes; ++rank)
    {
        crn_reading from = crn_post_from(&domain->post, rank);
        while (from.at < from.end)
        {
            push p;
            crn_take_to(&from, &p, sizeof p);
            pushes->add(pushes->data, crn_local_place(&domain->local, p.body), p.given);
        }
    }
    return good;
}

static void read_push(void *data, int body, double out[6])
{
    const looking *l = data;
    memcpy(out, l->audit->pushed[body].force, sizeof(double[3]));
    memcpy(out + 3, l->audit->pushed[body].torque, sizeof(double[3]));
}

static void add_push(void *data, int body, const double given[6])
{
    looking *l = data;
    crn_pushed *pushed = &l->audit->pushed[body];
    crn_add3(pushed->force, given, pushed->force);
    crn_add3(pushed->torque, given + 3, pushed->torque);
}

/* Whether contacts and bodies are right, where the others are as well. */
static bool look(looking *l, bool *right)
{
    crn_domain *domain = l->domain;
    const crn_pushes pushes = {l, read_push, add_push};
    bool good = crn_glance_look(&l->glance, right) == CAIRN_OK;
    good = crn_glance_exchange(domain, l->border, *right ? &pushes : NULL) && good;
    good = good && (!*right || crn_glance_judge(&l->glance, right) == CAIRN_OK);
    return crn_domain_agree(domain, good || crn_domain_fail(domain, "memory ran out"));
}

static bool look_for_overlaps(looking *l, bool *right)
{
    const crn_audit_motion motion = {.h = l->ask.h, .left = l->ask.left, .tolerance = l->ask.tolerance};
    bool good = crn_domain_overlaps_well(l->domain, &motion, right) == CAIRN_OK;
    return crn_domain_agree(l->domain, good || crn_domain_fail(l->domain, "memory ran out"));
}

/* J, twice: of turning, at the angular velocity that the audit sees (spin_of) about the axes of the body. */
static double turning_of(const crn_gpu_body *body, const crn_gpu_body *now)
{
    double R[9], w[3], L[3];
    crn_quaternion_to_matrix(now->q, R);
    crn_unrotate3(R, now->w, w);
    crn_rotate3(body->inertia, w, L);
    return crn_dot3(w, L);
}

static double kinetic_of(const crn_domain *domain, int place)
{
    const crn_gpu_body *body = &domain->local.body[place], *now = &domain->read[place];
    double spin = domain->scene.has_shapes    ? turning_of(body, now)
                  : body->inverse_inertia > 0 ? crn_dot3(now->w, now->w) / body->inverse_inertia
                                              : 0.0;
    return 0.5 * (crn_dot3(now->v, now->v) / body->inverse_mass + spin);
}

void crn_glance_add_up(crn_domain *domain, crn_glance_answer *out)
{
    crn_exact_sum sum = {{0}};
    for (size_t i = 0; i < domain->own.count; ++i)
        crn_exact_add(&sum, kinetic_of(domain, domain->local.own_place[i]));
    crn_exact_carry(&sum);
    domain->ranks->reduce_sum(domain->ranks->context, sum.digit, CRN_EXACT_DIGITS);
    int64_t counts[4] = {out->doubts, out->mean, out->last, out->contacts};
    domain->ranks->reduce_sum(domain->ranks->context, counts, 4);
    out->doubts = counts[0];
    out->mean = counts[1];
    out->last = counts[2];
    out->contacts = counts[3];
    out->kinetic = crn_exact_value(sum);
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
        crn_glance_add_up(domain, l.out);
    crn_domain_drop_start(domain);
    return good;
}
