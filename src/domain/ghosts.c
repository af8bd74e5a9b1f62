#include "domain/ghosts.h"

#include "domain/fold.h"

/* --------------------------------------------------------------------------------------------------------------- links */

static cairn_status add_link(crn_links *links, int32_t rank, int64_t number)
{
    CRN_TRY(crn_reserve(&links->link, &links->capacity, links->count + 1, sizeof *links->link));
    links->link[links->count++] = (crn_link){number, rank};
    return CAIRN_OK;
}

static int by_rank(const void *a, const void *b)
{
    const crn_link *x = a, *y = b;
    return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank)
                              : (x->number > y->number) - (x->number < y->number);
}

static void sort_links(crn_links *links)
{
    size_t kept = 0;
    if (links->count > 0)
        qsort(links->link, links->count, sizeof *links->link, by_rank);
    for (size_t i = 0; i < links->count; ++i)
        if (i == 0 || by_rank(&links->link[i], &links->link[kept - 1]) != 0)
            links->link[kept++] = links->link[i];
    links->count = kept;
}

/* ----------------------------------------------------------------------------------------------------------------- ask */

/* Write a body to all ranks that may have one that it could touch, if that has no larger reach. */
static void ask(const crn_bodies *own, size_t i, const crn_curve *curve, const uint64_t *cut, double skin,
                crn_post *post, bool *marked, int *list)
{
    const crn_domain_body *body = &own->body[i];
    double x[3], low[3], high[3], range = 2 * body->reach + skin;
    int length = 0;
    for (int image = 0; image < CRN_FOLD_IMAGES; ++image)
    {
        if (!crn_fold_image(curve->box, image, body->anchor, range, x))
            continue;
        for (int k = 0; k < 3; ++k)
        {
            low[k] = x[k] - range;
            high[k] = x[k] + range;
        }
        length = crn_curve_near(curve, cut, post->count, low, high, marked, list, length);
    }
    for (int k = 0; k < length; ++k)
    {
        marked[list[k]] = false;
        if (list[k] != body->owner)
            crn_bodies_pack(own, i, false, &post->to[list[k]]);
    }
}

static bool strays(const crn_domain_body *body, const crn_curve *curve, const uint64_t *cut, int ranks)
{
    return crn_curve_rank(cut, ranks, crn_curve_key(curve, body->anchor)) != body->owner;
}

static cairn_status ask_all(crn_ghosts *ghosts, cairn_ranks *ranks, crn_post *post, const crn_curve *curve,
                            const uint64_t *cut, const crn_bodies *own, double skin)
{
    bool *marked = calloc((size_t)ranks->count, sizeof *marked);
    int *list = calloc((size_t)ranks->count, sizeof *list);
    cairn_status status = marked && list ? CAIRN_OK : CAIRN_NO_MEMORY;
    ghosts->strays.size = 0;
    for (size_t i = 0; i < own->count && !status; ++i)
        if (strays(&own->body[i], curve, cut, ranks->count))
            crn_bodies_pack(own, i, false, &ghosts->strays);
        else
            ask(own, i, curve, cut, skin, post, marked, list);
    free(marked);
    free(list);
    status = status ? status : ghosts->strays.failed ? CAIRN_NO_MEMORY : CAIRN_OK;
    ghosts->strays.failed = false;
    cairn_status sent = crn_post_send(post, ranks);
    return status ? status : sent;
}

/* -------------------------------------------------------------------------------------------------------------- answer */

/* A body that asks, and the own bodies that it may touch. */
typedef struct question
{
    crn_ghosts *ghosts;
    const crn_bodies *own;
    const crn_domain_body *asking;
    double skin;
    bool strays, accepted;
    cairn_status status;
} question;

static void answer_with(void *data, size_t i)
{
    question *q = data;
    const crn_domain_body *a = q->asking, *b = &q->own->body[i];
    double e[3], far = a->reach + b->reach + q->skin;
    for (int k = 0; k < 3; ++k)
        e[k] = crn_fold(a->anchor[k] - b->anchor[k], q->ghosts->near.box[k]);
    if ((!q->strays && b->reach > a->reach) || sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) > far)
        return;
    q->accepted = true;
    q->status = q->status ? q->status : add_link(&q->ghosts->sent, a->owner, b->global);
}

/* Accept the bodies that came, if own ones may touch them. */
static cairn_status answer_all(crn_ghosts *ghosts, const crn_bodies *own, int rank, double skin, bool are_strays)
{
    double largest = 0;
    for (size_t i = 0; i < own->count && are_strays; ++i)
        largest = fmax(largest, own->body[i].reach);
    for (size_t i = 0; i < ghosts->asking.count; ++i)
    {
        const crn_domain_body *body = &ghosts->asking.body[i];
        question q = {.ghosts = ghosts, .own = own, .asking = body, .skin = skin, .strays = are_strays};
        double range = body->reach + fmax(body->reach, largest) + skin;
        if (body->owner == rank)
            continue;
        crn_near_visit(&ghosts->near, body->anchor, range, answer_with, &q);
        CRN_TRY(q.status);
        if (!q.accepted)
            continue;
        CRN_TRY(add_link(&ghosts->here, body->owner, body->global));
        CRN_TRY(crn_bodies_add(&ghosts->bodies, body, ghosts->asking.shape + body->first_shape));
    }
    crn_bodies_clear(&ghosts->asking);
    return CAIRN_OK;
}

static cairn_status answer_letters(crn_ghosts *ghosts, const crn_post *post, const crn_bodies *own, int rank,
                                   double skin)
{
    for (int r = 0; r < post->count; ++r)
    {
        crn_reading from = crn_post_from(post, r);
        CRN_TRY(crn_bodies_unpack(&ghosts->asking, &from));
    }
    return answer_all(ghosts, own, rank, skin, false);
}

static cairn_status answer_strays(crn_ghosts *ghosts, cairn_ranks *ranks, const crn_bodies *own, double skin)
{
    size_t size;
    const unsigned char *all = ranks->gather(ranks->context, ghosts->strays.data, ghosts->strays.size, &size);
    crn_reading from = {all, all + size};
    CRN_TRY(crn_bodies_unpack(&ghosts->asking, &from));
    return answer_all(ghosts, own, ranks->rank, skin, true);
}

/* --------------------------------------------------------------------------------------------------------------- reply */

/* To the owners: the numbers of those that were accepted, and the own bodies that they may touch. */
static cairn_status reply(crn_ghosts *ghosts, cairn_ranks *ranks, crn_post *post, const crn_bodies *own)
{
    sort_links(&ghosts->here);
    sort_links(&ghosts->sent);
    size_t at = 0, next = 0;
    for (int r = 0; r < ranks->count; ++r)
    {
        size_t first = at;
        while (at < ghosts->here.count && ghosts->here.link[at].rank == r)
            ++at;
        int64_t count = (int64_t)(at - first);
        if (count == 0)
            continue;
        crn_bytes_put(&post->to[r], &count, sizeof count);
        for (size_t i = first; i < at; ++i)
            crn_bytes_put(&post->to[r], &ghosts->here.link[i].number, sizeof ghosts->here.link[i].number);
        for (; next < ghosts->sent.count && ghosts->sent.link[next].rank == r; ++next)
            crn_bodies_pack(own, crn_bodies_find(own, ghosts->sent.link[next].number), false, &post->to[r]);
    }
    return crn_post_send(post, ranks);
}

static cairn_status take_replies(crn_ghosts *ghosts, const crn_post *post)
{
    for (int r = 0; r < post->count; ++r)
    {
        crn_reading from = crn_post_from(post, r);
        int64_t count = 0, number;
        if (from.at == from.end)
            continue;
        crn_take_to(&from, &count, sizeof count);
        for (int64_t i = 0; i < count; ++i)
        {
            crn_take_to(&from, &number, sizeof number);
            CRN_TRY(add_link(&ghosts->sent, r, number));
        }
        size_t before = ghosts->bodies.count;
        CRN_TRY(crn_bodies_unpack(&ghosts->bodies, &from));
        for (size_t i = before; i < ghosts->bodies.count; ++i)
            CRN_TRY(add_link(&ghosts->here, r, ghosts->bodies.body[i].global));
    }
    return CAIRN_OK;
}

cairn_status crn_ghosts_choose(crn_ghosts *ghosts, cairn_ranks *ranks, crn_post *post, const crn_curve *curve,
                               const uint64_t *cut, const crn_bodies *own, double skin)
{
    ghosts->sent.count = ghosts->here.count = 0;
    crn_bodies_clear(&ghosts->bodies);
    crn_bodies_clear(&ghosts->asking);
    cairn_status status = crn_near_build(&ghosts->near, own, curve->box, skin);
    cairn_status asked = ask_all(ghosts, ranks, post, curve, cut, own, skin);
    status = status ? status : asked;
    status = status ? status : answer_letters(ghosts, post, own, ranks->rank, skin);
    cairn_status answered = answer_strays(ghosts, ranks, own, skin);
    status = status ? status : answered;
    cairn_status replied = reply(ghosts, ranks, post, own);
    status = status ? status : replied;
    status = status ? status : take_replies(ghosts, post);
    sort_links(&ghosts->sent);
    sort_links(&ghosts->here);
    crn_bodies_sort(&ghosts->bodies);
    return status;
}

void crn_ghosts_free(crn_ghosts *ghosts)
{
    crn_bodies_free(&ghosts->bodies);
    crn_bodies_free(&ghosts->asking);
    crn_near_free(&ghosts->near);
    crn_bytes_free(&ghosts->strays);
    free(ghosts->sent.link);
    free(ghosts->here.link);
    *ghosts = (crn_ghosts){0};
}
