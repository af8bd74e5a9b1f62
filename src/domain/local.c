#include "domain/local.h"

#include "base/parallel_ranges.h"

#include <assert.h>

/* ------------------------------------------------------------------------------------------------------------ functions */

static void start(void *context, void *const *send, const size_t *send_bytes, void *const *receive,
                  const size_t *receive_bytes)
{
    crn_local *local = context;
    for (int i = 0; i < local->rank.neighbours; ++i)
    {
        local->traffic.messages += send_bytes[i] > 0;
        local->traffic.bytes += (int64_t)send_bytes[i];
    }
    local->ranks->start(local->ranks->context, local->rank.neighbours, local->neighbour, send, send_bytes, receive,
                        receive_bytes);
}

static bool finish(void *context)
{
    const crn_local *local = context;
    local->ranks->finish(local->ranks->context);
    return true;
}

static void reduce_max(void *context, double *values, int count)
{
    crn_local *local = context;
    ++local->traffic.reductions;
    local->ranks->reduce_max(local->ranks->context, values, count);
}

static void reduce_sum(void *context, int64_t *values, int count)
{
    crn_local *local = context;
    ++local->traffic.reductions;
    local->ranks->reduce_sum(local->ranks->context, values, count);
}

static bool suffices(void *context, const double *sent)
{
    const crn_local *local = context;
    return local->suffices(local->data, sent);
}

static const void *gather(void *context, const void *mine, size_t bytes, size_t *all_bytes)
{
    crn_local *local = context;
    ++local->traffic.gathers;
    return local->ranks->gather(local->ranks->context, mine, bytes, all_bytes);
}

/* --------------------------------------------------------------------------------------------------------------- bodies */

/* A place in a list of bodies that are merged with others. */
typedef struct merged
{
    const crn_bodies *from;
    size_t at;
    int32_t *place; /* NULL: not wanted */
} merged;

static int64_t next_number(const merged *list)
{
    return list->at < list->from->count ? list->from->body[list->at].global : INT64_MAX;
}

static void put_kept(crn_local *local, const crn_bodies *from, const crn_domain_body *body, bool is_own, int32_t place)
{
    size_t size = is_own ? body->kept_bytes : 0;
    if (size > 0)
        memcpy(local->kept + local->kept_first[place], from->kept + body->first_kept, size);
    local->kept_first[place + 1] = local->kept_first[place] + (int64_t)size;
}

static void put_shapes(crn_local *local, const crn_bodies *from, const crn_domain_body *body, int32_t place)
{
    for (int i = 0; i < body->shapes; ++i)
    {
        crn_domain_shape *out = &local->sorted[local->description.shape_count++];
        *out = from->shape[body->first_shape + (size_t)i];
        out->shape.body = place;
    }
}

static void merge_bodies(crn_local *local, merged list[3])
{
    int32_t count = 0;
    local->kept_first[0] = 0;
    local->description.shape_count = 0;
    for (;; ++count)
    {
        int least = 0;
        for (int k = 1; k < 3; ++k)
            least = next_number(&list[k]) < next_number(&list[least]) ? k : least;
        if (next_number(&list[least]) == INT64_MAX)
            break;
        merged *from = &list[least];
        const crn_domain_body *body = &from->from->body[from->at];
        if (from->place)
            from->place[from->at] = count;
        ++from->at;
        local->body[count] = body->state;
        local->global[count] = body->global;
        local->owner[count] = least == 0 ? -1 : body->owner;
        put_kept(local, from->from, body, least == 1, count);
        put_shapes(local, from->from, body, count);
    }
    local->description.body_count = count;
}

/* --------------------------------------------------------------------------------------------------------------- shapes */

static bool is_wall(const crn_domain_shape *shape)
{
    return shape->shape.kind == CRN_GPU_HOLLOW || shape->shape.kind == CRN_GPU_HALF_SPACE;
}

static int walls_last(const void *a, const void *b)
{
    const crn_domain_shape *x = a, *y = b;
    return is_wall(x) != is_wall(y) ? (is_wall(x) ? 1 : -1) : (x->global > y->global) - (x->global < y->global);
}

static void order_shapes(crn_local *local)
{
    int count = local->description.shape_count, walls = 0;
    if (count > 0)
        qsort(local->sorted, (size_t)count, sizeof *local->sorted, walls_last);
    for (int i = 0; i < count; ++i)
    {
        local->shape[i] = local->sorted[i].shape;
        local->global_shape[i] = local->sorted[i].global;
        walls += is_wall(&local->sorted[i]);
    }
    local->description.wall_count = walls;
}

/* --------------------------------------------------------------------------------------------------------------- joints */

int32_t crn_local_place(const crn_local *local, int64_t number)
{
    int32_t low = 0, high = local->description.body_count;
    while (low < high)
    {
        int32_t middle = low + (high - low) / 2;
        if (local->global[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < local->description.body_count && local->global[low] == number ? low : -1;
}

/* Whether this rank owns a body of the joint; its bodies are then written as the description numbers them. */
static bool take_joint(const crn_local *local, crn_gpu_joint *joint)
{
    bool is_own = false;
    for (int side = 0; side < 2; ++side)
        if (joint->body[side] >= 0)
        {
            int32_t place = crn_local_place(local, joint->body[side]);
            is_own = is_own || (place >= 0 && local->owner[place] == local->rank.rank);
            joint->body[side] = place;
        }
    return is_own;
}

static void choose_joints(crn_local *local, const crn_domain_scene *scene)
{
    const crn_gpu_description *all = &scene->description;
    int count = 0;
    for (int colour = 0; colour < all->joint_colours; ++colour)
    {
        local->joint_first[colour] = count;
        for (int j = all->joint_first[colour]; j < all->joint_first[colour + 1]; ++j)
        {
            crn_gpu_joint joint = scene->joint[j];
            if (!take_joint(local, &joint))
                continue;
            local->global_joint[count] = j;
            local->joint[count++] = joint;
        }
    }
    local->joint_first[all->joint_colours] = count;
    local->description.joint_count = count;
}

static void choose_aparts(crn_local *local, const crn_domain_scene *scene)
{
    int count = 0;
    for (int i = 0; i < scene->description.apart_count; ++i)
    {
        uint64_t pair = scene->description.apart[i];
        int32_t a = crn_local_place(local, (int64_t)(pair >> 32)),
                b = crn_local_place(local, (int64_t)(pair & UINT32_MAX));
        if (a >= 0 && b >= 0)
            local->apart[count++] = (uint64_t)a << 32 | (uint32_t)b;
    }
    local->description.apart_count = count;
}

/* By body, as those of the scene are. */
static void choose_forces(crn_local *local, const crn_domain_scene *scene)
{
    int count = 0;
    for (int f = 0; f < scene->description.force_count; ++f)
    {
        int32_t body = crn_local_place(local, scene->description.force[f].body);
        if (body < 0)
            continue;
        local->force[count] = scene->description.force[f];
        local->force[count].body = body;
        local->force_of[count++] = f;
    }
    local->description.force_count = count;
}

/* ----------------------------------------------------------------------------------------------------------- neighbours */

/* Ranks that links lead to, and the places of their bodies. */
static void list_links(const crn_local *local, const crn_links *links, int32_t *first, int32_t *body)
{
    size_t at = 0;
    for (int i = 0; i < local->rank.neighbours; ++i)
    {
        first[i] = (int32_t)at;
        for (; at < links->count && links->link[at].rank == local->neighbour[i]; ++at)
            body[at] = crn_local_place(local, links->link[at].number);
    }
    first[local->rank.neighbours] = (int32_t)at;
    assert(at == links->count);
}

/* Whoever has a ghost of this rank's has sent one here. */
static void list_neighbours(crn_local *local, const crn_ghosts *ghosts)
{
    local->rank.neighbours = 0;
    for (size_t i = 0; i < ghosts->here.count; ++i)
        if (i == 0 || ghosts->here.link[i].rank != ghosts->here.link[i - 1].rank)
            local->neighbour[local->rank.neighbours++] = ghosts->here.link[i].rank;
    list_links(local, &ghosts->sent, local->send_first, local->send);
    list_links(local, &ghosts->here, local->receive_first, local->receive);
}

/* --------------------------------------------------------------------------------------------------------------- all */

static cairn_status make_room(crn_local *l, const cairn_ranks *ranks, const crn_domain_scene *scene,
                              const crn_bodies *own, const crn_ghosts *ghosts)
{
    size_t bodies = scene->fixed.count + own->count + ghosts->bodies.count, ranked = (size_t)ranks->count + 1;
    size_t shapes = scene->fixed.shapes + own->shapes + ghosts->bodies.shapes + 1;
    size_t joints = (size_t)scene->description.joint_count + 1, forces = (size_t)scene->description.force_count + 1;
    CRN_TRY(crn_reserve_all(&l->records, CRN_ARRAY(l->kept, own->kept_bytes + 1)));
    return crn_reserve_all(
        &l->memory, CRN_ARRAY(l->body, bodies + 1), CRN_ARRAY(l->owner, bodies + 1),
        CRN_ARRAY(l->own_place, own->count + 1), CRN_ARRAY(l->ghost_place, ghosts->bodies.count + 1),
        CRN_ARRAY(l->global, bodies + 1), CRN_ARRAY(l->kept_first, bodies + 2), CRN_ARRAY(l->sorted, shapes),
        CRN_ARRAY(l->shape, shapes), CRN_ARRAY(l->global_shape, shapes), CRN_ARRAY(l->joint, joints),
        CRN_ARRAY(l->global_joint, joints), CRN_ARRAY(l->joint_first, (size_t)scene->description.joint_colours + 1),
        CRN_ARRAY(l->apart, (size_t)scene->description.apart_count + 1), CRN_ARRAY(l->force, forces),
        CRN_ARRAY(l->force_of, forces), CRN_ARRAY(l->load, forces), CRN_ARRAY(l->neighbour, ranked),
        CRN_ARRAY(l->send_first, ranked), CRN_ARRAY(l->receive_first, ranked),
        CRN_ARRAY(l->send, ghosts->sent.count + 1), CRN_ARRAY(l->receive, ghosts->here.count + 1));
}

static void fill_rank(crn_local *local, const crn_domain_scene *scene)
{
    crn_gpu_rank *rank = &local->rank;
    rank->global = local->global;
    rank->owner = local->owner;
    rank->global_shape = local->global_shape;
    rank->global_joint = local->global_joint;
    rank->neighbour = local->neighbour;
    rank->send_first = local->send_first;
    rank->send = local->send;
    rank->receive_first = local->receive_first;
    rank->receive = local->receive;
    rank->smallest = scene->smallest;
    rank->largest = scene->largest;
    memcpy(rank->low, scene->low, sizeof rank->low);
    memcpy(rank->high, scene->high, sizeof rank->high);
    rank->total = scene->total;
    rank->total_shapes = scene->total_shapes;
}

cairn_status crn_local_describe(crn_local *local, cairn_ranks *ranks, const crn_domain_scene *scene,
                                const crn_bodies *own, const crn_ghosts *ghosts)
{
    CRN_TRY(make_room(local, ranks, scene, own, ghosts));
    local->ranks = ranks;
    local->description = scene->description;
    local->rank = (crn_gpu_rank){.rank = ranks->rank,
                                 .ranks = ranks->count,
                                 .context = local,
                                 .start = start,
                                 .finish = finish,
                                 .reduce_max = reduce_max,
                                 .reduce_sum = reduce_sum,
                                 .suffices = suffices,
                                 .gather = gather};
    merged list[3] = {{&scene->fixed, 0, NULL}, {own, 0, local->own_place}, {&ghosts->bodies, 0, local->ghost_place}};
    merge_bodies(local, list);
    order_shapes(local);
    choose_joints(local, scene);
    choose_aparts(local, scene);
    choose_forces(local, scene);
    list_neighbours(local, ghosts);
    fill_rank(local, scene);
    crn_gpu_description *d = &local->description;
    d->body = local->body;
    d->shape = local->shape;
    d->joint = local->joint;
    d->joint_first = local->joint_first;
    d->apart = local->apart;
    d->force = local->force;
    d->rank = &local->rank;
    d->share = crn_share_parts;
    d->kept_first = own->kept_bytes > 0 ? local->kept_first : NULL;
    d->kept = local->kept;
    return CAIRN_OK;
}

void crn_local_drop_kept(crn_local *local)
{
    crn_arena_release(&local->records);
    local->kept = NULL;
    local->description.kept = NULL;
    local->description.kept_first = NULL;
}

void crn_local_free(crn_local *local)
{
    crn_arena_release(&local->memory);
    crn_arena_release(&local->records);
    *local = (crn_local){0};
}
