/* Bodies to their owners, ghosts to those who need them, and the pipeline's world anew. */
#include "domain/domain.h"
#include "domain/fold.h"

#include <stdio.h>

/* Of the mean work: what the busiest rank may have in a rebuild before the curve is cut anew. */
static const double UNEVEN = 1.03;
/* Of the sum of two bodies' radii: their distance, if they are taken for touching before the first step. */
static const double CLOSE = 1.02;

enum
{
    BODY_WORK = 2,
    CONTACT_WORK = 2
};

/* -------------------------------------------------------------------------------------------------------------- kept */

bool crn_domain_take_kept(crn_domain *domain)
{
    const crn_gpu_description *d = &domain->local.description;
    const void *bytes = NULL;
    if (!domain->world || !domain->inner->read_kept)
        return true;
    if (crn_reserve_all(&domain->memory, CRN_ARRAY(domain->kept_first, (size_t)d->body_count + 1)))
        return crn_domain_fail(domain, "memory ran out");
    if (!domain->inner->read_kept(domain->world, domain->kept_first, &bytes, domain->sentence))
        return false;
    size_t size = (size_t)domain->kept_first[d->body_count];
    if (crn_reserve_all(&domain->own.records, CRN_ARRAY(domain->own.kept, size + 1)))
        return crn_domain_fail(domain, "memory ran out");
    if (size > 0)
        memcpy(domain->own.kept, bytes, size);
    domain->own.kept_bytes = size;
    for (size_t i = 0; i < domain->own.count; ++i)
    {
        const int64_t *first = &domain->kept_first[domain->local.own_place[i]];
        domain->own.body[i].first_kept = (size_t)first[0];
        domain->own.body[i].kept_bytes = (size_t)(first[1] - first[0]);
    }
    return true;
}

/* A joint's rows on their way to all ranks. */
typedef struct joint_rows
{
    int64_t joint;
    crn_gpu_joint_row row[CRN_GPU_ROWS];
} joint_rows;

void crn_domain_share_rows(crn_domain *domain)
{
    crn_bytes mine = {0};
    int joints = domain->world ? domain->local.description.joint_count : 0;
    if (domain->scene.description.joint_count == 0)
        return;
    for (int i = 0; i < joints; ++i)
    {
        joint_rows rows = {.joint = domain->local.global_joint[i]};
        memcpy(rows.row, domain->row + rows.joint * CRN_GPU_ROWS, sizeof rows.row);
        crn_bytes_put(&mine, &rows, sizeof rows);
    }
    size_t size;
    const unsigned char *all = domain->ranks->gather(domain->ranks->context, mine.data, mine.size, &size);
    crn_reading from = {all, all + size};
    while (from.at < from.end)
    {
        joint_rows rows;
        crn_take_to(&from, &rows, sizeof rows);
        memcpy(domain->row + rows.joint * CRN_GPU_ROWS, rows.row, sizeof rows.row);
        for (int k = 0; k < CRN_GPU_ROWS; ++k)
            domain->scene.joint[rows.joint].angle[k] = rows.row[k].angle;
    }
    crn_bytes_free(&mine);
}

/* --------------------------------------------------------------------------------------------------------------- work */

/* A body, and how many others are so close that they may touch it. */
typedef struct crowd
{
    const crn_bodies *own;
    const double *box;
    crn_domain_body *body;
} crowd;

static void count_close(void *data, size_t i)
{
    crowd *c = data;
    const crn_domain_body *other = &c->own->body[i];
    double e[3];
    for (int k = 0; k < 3; ++k)
        e[k] = crn_fold(c->body->state.x[k] - other->state.x[k], c->box[k]);
    double far = CLOSE * (c->body->extent + other->extent);
    c->body->work += other != c->body && e[0] * e[0] + e[1] * e[1] + e[2] * e[2] <= far * far;
}

/* Before the first step there are no contacts to count: as many as bodies are close. A body looks no further than to others of its size. */
static bool guess_work(crn_domain *domain)
{
    for (size_t i = 0; i < domain->own.count; ++i)
    {
        memcpy(domain->own.body[i].anchor, domain->own.body[i].state.x, sizeof domain->own.body[i].anchor);
        domain->own.body[i].reach = domain->own.body[i].extent;
    }
    if (crn_near_build(&domain->ghosts.near, &domain->own, domain->curve.box, 0.0))
        return crn_domain_fail(domain, "memory ran out");
    for (size_t i = 0; i < domain->own.count; ++i)
    {
        crowd c = {&domain->own, domain->curve.box, &domain->own.body[i]};
        c.body->work = BODY_WORK;
        crn_near_visit(&domain->ghosts.near, c.body->state.x, 2 * CLOSE * c.body->extent, count_close, &c);
    }
    return true;
}

/* What each own body has to do, in halves of a visit: a body that can move counts one, and so does each of its contacts. A step that did not happen changes
 * nothing. */
static bool measure_work(crn_domain *domain)
{
    int32_t count = domain->report.here;
    if (!domain->world)
        return guess_work(domain);
    if (domain->report.lacks_ghosts)
        return true;
    for (size_t i = 0; i < domain->own.count; ++i)
        domain->own.body[i].work = BODY_WORK;
    if (count == 0)
        return true;
    if (crn_reserve_all(&domain->memory, CRN_ARRAY(domain->contact, (size_t)count)))
        return crn_domain_fail(domain, "memory ran out");
    if (!domain->inner->read_contacts(domain->world, domain->contact, count, domain->sentence))
        return false;
    for (int32_t j = 0; j < count; ++j)
    {
        size_t own = crn_bodies_find(&domain->own, domain->local.global[domain->contact[j].a]);
        if (own != SIZE_MAX)
            domain->own.body[own].work += CONTACT_WORK;
    }
    return true;
}

/* A mechanism lies where its lead is. */
static uint64_t key_of(const crn_domain *domain, const crn_domain_body *body)
{
    const crn_domain_body *lead = &domain->own.body[crn_bodies_find(&domain->own, body->lead)];
    return crn_curve_key(&domain->curve, lead->state.x);
}

/* Largest work of a rank over the mean, once bodies are where the cuts say. */
static double balance_of(crn_domain *domain)
{
    int ranks = domain->ranks->count;
    int64_t *work = domain->below, all = 0, most = 0;
    memset(work, 0, (size_t)ranks * sizeof *work);
    for (size_t i = 0; i < domain->own.count; ++i)
        work[crn_curve_rank(domain->cut, ranks, domain->weight[i].key)] += domain->weight[i].work;
    domain->ranks->reduce_sum(domain->ranks->context, work, ranks);
    for (int r = 0; r < ranks; ++r)
    {
        all += work[r];
        most = work[r] > most ? work[r] : most;
    }
    return all > 0 ? (double)most * ranks / (double)all : 1.0;
}

/* If bodies have left the curve, it is laid anew, with room for some of the way that they go on. */
static void lay_curve(crn_domain *domain)
{
    const crn_curve *curve = &domain->curve;
    double edge[6], low[3], high[3]; /* edge: -low, high */
    bool is_inside = true;
    for (int k = 0; k < 6; ++k)
        edge[k] = -INFINITY;
    for (size_t i = 0; i < domain->own.count; ++i)
        for (int k = 0; k < 3; ++k)
        {
            double x = crn_fold(domain->own.body[i].state.x[k], curve->box[k]);
            edge[k] = fmax(edge[k], -x);
            edge[3 + k] = fmax(edge[3 + k], x);
        }
    domain->ranks->reduce_max(domain->ranks->context, edge, 6);
    for (int k = 0; k < 3; ++k)
    {
        double room = 0.25 * (edge[3 + k] + edge[k]);
        low[k] = -edge[k] - room;
        high[k] = edge[3 + k] + room;
        is_inside = is_inside && -edge[k] >= curve->low[k] && edge[3 + k] <= curve->low[k] + curve->side;
    }
    if (is_inside || !isfinite(edge[0]))
        return;
    domain->curve = crn_curve_in(domain->scene.description.box, low, high, 2 * domain->scene.extent);
    domain->is_cut = false;
}

/* Cut the curve, if the work would be uneven otherwise. */
static bool cut(crn_domain *domain)
{
    size_t count = domain->own.count;
    bool good = crn_reserve_all(&domain->memory, CRN_ARRAY(domain->weight, count + 1),
                                CRN_ARRAY(domain->sum, count + 1)) == CAIRN_OK;
    if (!good)
        crn_domain_fail(domain, "memory ran out");
    if (!crn_domain_agree(domain, good))
        return false;
    lay_curve(domain);
    for (size_t i = 0; i < count; ++i)
        domain->weight[i] = (crn_weight){key_of(domain, &domain->own.body[i]), domain->own.body[i].work};
    domain->balance = domain->is_cut ? balance_of(domain) : INFINITY;
    if (domain->balance <= UNEVEN)
        return true;
    crn_curve_cut(domain->ranks, &domain->curve, domain->weight, count, domain->sum, domain->below, domain->cut);
    domain->balance = balance_of(domain);
    domain->is_cut = true;
    ++domain->cuts;
    return true;
}

/* ------------------------------------------------------------------------------------------------------------ migration */

static int rank_of(const crn_domain *domain, size_t body)
{
    return crn_curve_rank(domain->cut, domain->ranks->count, key_of(domain, &domain->own.body[body]));
}

/* Write those that leave to their ranks, and keep those that stay, which do not pass through a message. */
static cairn_status part(crn_domain *domain)
{
    crn_bodies staying = {0};
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < domain->own.count; ++i)
    {
        int rank = rank_of(domain, i);
        if (rank != domain->ranks->rank)
            crn_bodies_pack(&domain->own, i, true, &domain->post.to[rank]);
        else if (!status)
            status = crn_bodies_copy(&domain->own, i, &staying);
    }
    crn_bodies_free(&domain->own); /* at the start nearly all of them leave: they are never here more than twice */
    domain->own = staying;
    return status;
}

static bool migrate(crn_domain *domain)
{
    cairn_status status = part(domain), sent = crn_post_send_off(&domain->post, domain->ranks);
    status = status ? status : sent;
    for (int r = 0; r < domain->ranks->count && !status; ++r)
    {
        crn_reading from = crn_post_from(&domain->post, r);
        status = crn_bodies_unpack(&domain->own, &from);
    }
    crn_bodies_sort(&domain->own);
    for (size_t i = 0; i < domain->own.count; ++i)
    {
        domain->moved += domain->own.body[i].owner != domain->ranks->rank;
        domain->own.body[i].owner = domain->ranks->rank;
    }
    if (status)
        crn_domain_fail(domain, "memory ran out");
    return crn_domain_agree(domain, !status);
}

/* --------------------------------------------------------------------------------------------------------------- ghosts */

/* m: so thick that some ten steps pass between rebuilds, but no thicker than two grains. */
static double skin_of(crn_domain *domain, double h)
{
    double fastest = 0, extent = domain->scene.extent;
    for (size_t i = 0; i < domain->own.count; ++i)
    {
        const double *v = domain->own.body[i].state.v;
        fastest = fmax(fastest, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    domain->ranks->reduce_max(domain->ranks->context, &fastest, 1);
    return fmin(fmax(0.5 * extent, 20 * h * fastest), 4 * extent);
}

static bool choose_ghosts(crn_domain *domain, double h, double g)
{
    domain->skin = skin_of(domain, h);
    for (size_t i = 0; i < domain->own.count; ++i)
    {
        crn_domain_body *body = &domain->own.body[i];
        memcpy(body->anchor, body->state.x, sizeof body->anchor);
        body->reach = crn_body_reach(body, h, g, body->sent);
    }
    cairn_status status = crn_ghosts_choose(&domain->ghosts, domain->ranks, &domain->post, &domain->curve, domain->cut,
                                            &domain->own, domain->skin);
    if (status)
        crn_domain_fail(domain, "memory ran out");
    return crn_domain_agree(domain, !status);
}

/* ------------------------------------------------------------------------------------------------------------- the world */

static bool make_world(crn_domain *domain)
{
    if (domain->world)
        domain->inner->close(domain->world);
    domain->world = NULL;
    if (crn_local_describe(&domain->local, domain->ranks, &domain->scene, &domain->own, &domain->ghosts) ||
        crn_reserve_all(&domain->memory, CRN_ARRAY(domain->read, (size_t)domain->local.description.body_count + 1),
                        CRN_ARRAY(domain->read_row, (size_t)domain->local.description.joint_count * CRN_GPU_ROWS + 1)))
        return crn_domain_fail(domain, "memory ran out");
    return true;
}

/* Opening is collective: it comes after all ranks have agreed that they can. */
static bool open_world(crn_domain *domain)
{
    domain->local.suffices = crn_domain_suffices;
    domain->local.data = domain;
    if (!crn_domain_agree(domain, make_world(domain)))
        return false;
    domain->world = domain->inner->open(&domain->local.description, domain->sentence);
    if (!crn_domain_agree(domain, domain->world != NULL))
        return false;
    crn_bodies_drop_kept(&domain->own); /* the world has them now */
    crn_local_drop_kept(&domain->local);
    return true;
}

bool crn_domain_rebuild(crn_domain *domain, double h, double g)
{
    bool good = crn_domain_take_kept(domain) && measure_work(domain);
    crn_domain_share_rows(domain);
    crn_domain_share_works(domain);
    if (!crn_domain_agree(domain, good))
        return false;
    ++domain->rebuilds;
    bool is_done = cut(domain) && migrate(domain) && choose_ghosts(domain, h, g) && open_world(domain);
    crn_post_release(&domain->post); /* letters were larger than those of a step */
    return is_done;
}
