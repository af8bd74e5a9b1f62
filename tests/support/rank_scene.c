#include "support/rank_scene.h"

#include "base/parallel_ranges.h"
#include "support/thread_ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    PATIENCE = 300, /* s; a run that takes longer hangs */
    BODIES = RANK_SCENE_BODIES,
    SHAPES = RANK_SCENE_SHAPES,
    JOINTS = RANK_SCENE_JOINTS,
    MOST = 16 /* ranks */
};

typedef struct record
{
    void *bytes;
    size_t size;
} record;

/* What all threads see. Each writes what belongs to its own bodies, between two meetings. */
typedef struct shared
{
    const crn_gpu_table *gpu;
    rank_scene scene;
    const rank_plan *plan;
    int steps;
    record kept[BODIES];
    rank_end *end;
    double smallest, largest;
} shared;

/* One rank's part. */
typedef struct part
{
    int owner[BODIES], local[BODIES], number[BODIES]; /* local: in this part, -1: not there; number: among all */
    int bodies;
    crn_gpu_body body[BODIES];
    int64_t global[BODIES], global_shape[SHAPES], global_joint[JOINTS], kept_first[BODIES + 1];
    int32_t own[BODIES];
    crn_gpu_shape shape[SHAPES];
    crn_gpu_joint joint[JOINTS];
    int joint_first[8];
    uint64_t apart[JOINTS];
    int32_t neighbour[MOST], send_first[MOST + 1], receive_first[MOST + 1], send[MOST * BODIES], receive[BODIES];
    char *kept;
    cairn_ranks *ranks;
    int neighbours;
} part;

static bool moves(const rank_scene *s, int i)
{
    return s->body[i].inverse_mass > 0;
}

static uint32_t chance(uint32_t a, uint32_t b)
{
    uint32_t x = a * 0x9e3779b1u ^ (b + 0x7f4a7c15u) * 0x85ebca6bu;
    x = (x ^ x >> 15) * 0x2c1b3c6du;
    return x ^ x >> 12;
}

static void divide(const shared *all, int segment, part *p)
{
    const rank_scene *s = &all->scene;
    const rank_plan *plan = all->plan;
    double low = INFINITY, high = -INFINITY;
    int used = plan->division == RANK_ONE_EMPTY && plan->ranks > 1 ? plan->ranks - 1 : plan->ranks;
    for (int i = 0; i < s->bodies; ++i)
    {
        low = fmin(low, s->body[i].x[0]);
        high = fmax(high, s->body[i].x[0]);
    }
    for (int i = 0; i < s->bodies; ++i)
    {
        int slab = (int)(used * (s->body[i].x[0] - low) / (high - low + 1e-9));
        p->owner[i] = !moves(s, i) ? -1
                      : plan->division == RANK_BY_PLACE
                          ? slab
                          : (int)(chance((uint32_t)i, plan->seed + 977u * (uint32_t)segment) % (uint32_t)used);
    }
}

static double bound_of(const rank_scene *s, int body)
{
    double bound = s->shapes == 0 ? s->body[body].radius : 0.0;
    for (int i = 0; i < s->shapes - s->walls; ++i)
        if (s->shape[i].body == body)
        {
            const crn_gpu_shape *shape = &s->shape[i];
            double size = shape->kind == CRN_GPU_BOX
                              ? sqrt(shape->half[0] * shape->half[0] + shape->half[1] * shape->half[1] +
                                     shape->half[2] * shape->half[2])
                              : shape->radius + (shape->kind == CRN_GPU_CAPSULE ? shape->half[2] : 0.0);
            bound = fmax(
                bound, size + sqrt(shape->x[0] * shape->x[0] + shape->x[1] * shape->x[1] + shape->x[2] * shape->x[2]));
        }
    return bound;
}

static double length(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* Whether two bodies may touch before the worlds are opened again, with much to spare. */
static bool may_meet(const shared *all, int i, int j, const double *bound)
{
    const crn_gpu_body *a = &all->scene.body[i], *b = &all->scene.body[j];
    double e[3] = {a->x[0] - b->x[0], a->x[1] - b->x[1], a->x[2] - b->x[2]};
    double speed = length(a->v) + length(b->v) + bound[i] * length(a->w) + bound[j] * length(b->w) + 2;
    return all->plan->reopen == 0 ||
           length(e) < 1.05 * (bound[i] + bound[j]) + 3 * speed * all->scene.step * (all->plan->reopen + 2);
}

/* needed[j * ranks + r]: rank r must have body j. */
static void find_needed(const shared *all, const part *p, bool *needed)
{
    const rank_scene *s = &all->scene;
    int ranks = all->plan->ranks;
    double bound[BODIES];
    memset(needed, 0, (size_t)(BODIES * MOST) * sizeof *needed);
    for (int i = 0; i < s->bodies; ++i)
        bound[i] = bound_of(s, i);
    for (int i = 0; i < s->bodies; ++i)
        for (int j = 0; j < s->bodies; ++j)
            if (p->owner[j] >= 0 && p->owner[i] >= 0 && may_meet(all, i, j, bound))
                needed[j * ranks + p->owner[i]] = true;
    for (int i = 0; i < s->bodies; ++i)
        for (int r = 0; r < ranks; ++r)
            if (p->owner[i] < 0 || p->owner[i] == r)
                needed[i * ranks + r] = true;
    for (int j = 0; j < s->joints; ++j)
    {
        int a = s->joint[j].body[0], b = s->joint[j].body[1];
        if (a < 0 || b < 0 || p->owner[a] < 0 || p->owner[b] < 0)
            continue;
        needed[a * ranks + p->owner[b]] = needed[b * ranks + p->owner[a]] = true;
    }
}

static void add_bodies(const shared *all, int rank, const bool *needed, part *p)
{
    const rank_scene *s = &all->scene;
    size_t size = 0;
    p->bodies = 0;
    free(p->kept);
    p->kept = NULL;
    for (int i = 0; i < s->bodies; ++i)
    {
        p->local[i] = -1;
        if (!needed[i * all->plan->ranks + rank])
            continue;
        int at = p->local[i] = p->bodies++;
        p->number[at] = i;
        p->body[at] = s->body[i];
        p->global[at] = 10 * (int64_t)i + 7; /* nobody may take them for indices */
        p->own[at] = p->owner[i];
        p->kept_first[at] = (int64_t)size;
        if (p->owner[i] == rank && all->kept[i].size > 0)
        {
            p->kept = realloc(p->kept, size + all->kept[i].size);
            memcpy(p->kept + size, all->kept[i].bytes, all->kept[i].size);
            size += all->kept[i].size;
        }
    }
    p->kept_first[p->bodies] = (int64_t)size;
}

static int add_shapes(const rank_scene *s, part *p, int *walls)
{
    int count = 0;
    *walls = 0;
    for (int i = 0; i < s->shapes; ++i)
        if (p->local[s->shape[i].body] >= 0)
        {
            p->shape[count] = s->shape[i];
            p->shape[count].body = p->local[s->shape[i].body];
            p->global_shape[count++] = 3 * (int64_t)i + 5;
            *walls += i >= s->shapes - s->walls;
        }
    return count;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int add_joints(const rank_scene *s, int rank, part *p)
{
    int count = 0;
    for (int colour = 0; colour < s->joint_colours; ++colour)
    {
        p->joint_first[colour] = count;
        for (int j = s->joint_first[colour]; j < s->joint_first[colour + 1]; ++j)
        {
            int a = s->joint[j].body[0], b = s->joint[j].body[1];
            if ((a < 0 || p->owner[a] != rank) && (b < 0 || p->owner[b] != rank))
                continue;
            crn_gpu_joint *joint = &p->joint[count];
            *joint = s->joint[j];
            joint->body[0] = a < 0 ? -1 : p->local[a];
            joint->body[1] = b < 0 ? -1 : p->local[b];
            uint64_t low = (uint64_t)(uint32_t)joint->body[0], high = (uint64_t)(uint32_t)joint->body[1];
            p->apart[count] = low < high ? low << 32 | high : high << 32 | low;
            p->global_joint[count++] = j;
        }
    }
    p->joint_first[s->joint_colours] = count;
    qsort(p->apart, (size_t)count, sizeof *p->apart, by_number);
    return count;
}

/* ------------------------------------------------------------------------------------------------ the world's interface */

static void start(void *context, void *const *send, const size_t *send_bytes, void *const *receive,
                  const size_t *receive_bytes)
{
    part *p = context;
    p->ranks->start(p->ranks->context, p->neighbours, p->neighbour, send, send_bytes, receive, receive_bytes);
}

static bool finish(void *context)
{
    cairn_ranks *ranks = ((part *)context)->ranks;
    ranks->finish(ranks->context);
    return true;
}

static void reduce_max(void *context, double *values, int count)
{
    cairn_ranks *ranks = ((part *)context)->ranks;
    ranks->reduce_max(ranks->context, values, count);
}

static void reduce_sum(void *context, int64_t *values, int count)
{
    cairn_ranks *ranks = ((part *)context)->ranks;
    ranks->reduce_sum(ranks->context, values, count);
}

static const void *gather(void *context, const void *mine, size_t bytes, size_t *all_bytes)
{
    cairn_ranks *ranks = ((part *)context)->ranks;
    return ranks->gather(ranks->context, mine, bytes, all_bytes);
}

/* Nobody goes on before all are here. */
static void meet(cairn_ranks *ranks)
{
    double nothing = 0;
    ranks->reduce_max(ranks->context, &nothing, 1);
}

static void add_neighbours(const shared *all, const bool *needed, part *p, crn_gpu_rank *rank)
{
    int me = p->ranks->rank, ranks = all->plan->ranks, count = 0, sent = 0, received = 0;
    p->send_first[0] = p->receive_first[0] = 0;
    for (int r = 0; r < ranks; ++r)
    {
        int before = sent + received;
        for (int i = 0; i < all->scene.bodies && r != me; ++i)
        {
            if (p->owner[i] == me && needed[i * ranks + r])
                p->send[sent++] = p->local[i];
            if (p->owner[i] == r && needed[i * ranks + me])
                p->receive[received++] = p->local[i];
        }
        if (sent + received == before)
            continue;
        p->neighbour[count++] = r;
        p->send_first[count] = sent;
        p->receive_first[count] = received;
    }
    rank->send_first = p->send_first;
    rank->send = p->send;
    rank->receive_first = p->receive_first;
    rank->receive = p->receive;
    rank->neighbour = p->neighbour;
    rank->neighbours = p->neighbours = count;
}

static crn_gpu_world *open_part(const shared *all, int segment, part *p, char *sentence)
{
    const rank_scene *s = &all->scene;
    static const uint8_t one_class = 0;
    bool *needed = malloc(BODIES * MOST * sizeof *needed);
    divide(all, segment, p);
    find_needed(all, p, needed);
    add_bodies(all, p->ranks->rank, needed, p);
    int walls, shapes = add_shapes(s, p, &walls), joints = add_joints(s, p->ranks->rank, p);
    bool rolls = s->surface.rolling > 0 || s->surface.spinning > 0 || s->surface.cohesion > 0;
    crn_gpu_rank rank = {.global = p->global,
                         .owner = p->own,
                         .global_shape = p->global_shape,
                         .global_joint = p->global_joint,
                         .smallest = all->smallest,
                         .largest = all->largest,
                         .total = s->bodies,
                         .total_shapes = s->shapes,
                         .check = true,
                         .rank = p->ranks->rank,
                         .ranks = all->plan->ranks,
                         .context = p,
                         .start = start,
                         .finish = finish,
                         .reduce_max = reduce_max,
                         .reduce_sum = reduce_sum,
                         .gather = gather};
    crn_gpu_description d = {.body_count = p->bodies,
                             .plane_count = s->planes,
                             .material_count = 1,
                             .class_count = 1,
                             .driven_count = s->turn != 0,
                             .body = p->body,
                             .plane = s->plane,
                             .shape_count = shapes,
                             .wall_count = walls,
                             .shape = p->shape,
                             .is_implicit = true,
                             .pair_class = &one_class,
                             .friction = &s->friction,
                             .restitution = &s->restitution,
                             .surface = rolls ? &s->surface : NULL,
                             .law = s->law,
                             .joint_count = joints,
                             .joint_colours = s->joint_colours,
                             .joint = p->joint,
                             .joint_first = p->joint_first,
                             .apart_count = joints,
                             .apart = p->apart,
                             .sweeps = s->sweeps,
                             .tolerance = s->tolerance,
                             .most_sweeps = s->most_sweeps,
                             .certify_every = 1,
                             .restitution_threshold = 0.01,
                             .push_out_speed = 1,
                             .step = s->step,
                             .push_share = -1,
                             .push_out = true,
                             .is_split = all->plan->is_split,
                             .threads = all->plan->threads,
                             .share = crn_share_parts,
                             .shuffle = all->plan->threads > 0 ? 4711 : 0,
                             .rank = all->plan->is_alone ? NULL : &rank,
                             .kept_first = segment > 0 ? p->kept_first : NULL,
                             .kept = p->kept};
    add_neighbours(all, needed, p, &rank);
    free(needed);
    return all->gpu->open(&d, sentence);
}

static bool take_step(shared *all, int rank, crn_gpu_world *world, int step, char *sentence)
{
    const rank_scene *s = &all->scene;
    crn_gpu_report report, *total = &all->end->report;
    double angle = s->turn * s->step * step;
    crn_gpu_drive drive = {.q = {cos(angle / 2), 0, sin(angle / 2), 0}, .w = {0, s->turn, 0}};
    if (!all->gpu->step(world, s->step, 1, s->gravity, &drive, NULL, &report, sentence))
        return false;
    if (rank > 0)
        return true;
    int64_t messages = total->messages + report.messages, bytes = total->bytes + report.bytes;
    *total = report;
    total->messages = messages;
    total->bytes = bytes;
    if (report.leftover > all->end->most_leftover)
        all->end->most_leftover = report.leftover;
    return true;
}

/* What the next division starts from. */
static bool read_part(shared *all, int rank, crn_gpu_world *world, part *p, char *sentence)
{
    static const size_t row_bytes = CRN_GPU_ROWS * sizeof(crn_gpu_joint_row);
    int joints = p->joint_first[all->scene.joint_colours];
    crn_gpu_joint_row *row = malloc((size_t)(joints + 1) * row_bytes);
    const void *kept = NULL;
    bool is_good = all->gpu->read_bodies(world, p->body, sentence) &&
                   all->gpu->read_kept(world, p->kept_first, &kept, sentence) &&
                   (joints == 0 || all->gpu->read_joints(world, row, sentence));
    for (int i = 0; is_good && i < p->bodies; ++i)
    {
        int number = p->number[i];
        record *to = &all->kept[number];
        if (p->own[i] != rank)
            continue;
        all->scene.body[number] = p->body[i];
        to->size = (size_t)(p->kept_first[i + 1] - p->kept_first[i]);
        to->bytes = realloc(to->bytes, to->size + 1);
        memcpy(to->bytes, (const char *)kept + p->kept_first[i], to->size);
    }
    for (int j = 0; is_good && j < joints; ++j)
    {
        int first = p->joint[j].body[0], second = p->joint[j].body[1];
        if (p->own[first >= 0 && p->own[first] >= 0 ? first : second] == rank)
            for (int k = 0; k < CRN_GPU_ROWS; ++k)
                all->scene.joint[p->global_joint[j]].angle[k] = row[j * CRN_GPU_ROWS + k].angle;
    }
    free(row);
    return is_good;
}

static void work(cairn_ranks *ranks, void *data)
{
    shared *all = data;
    part *p = calloc(1, sizeof *p);
    p->ranks = ranks;
    char sentence[CRN_GPU_SENTENCE] = "";
    int length = all->plan->reopen > 0 ? all->plan->reopen : all->steps;
    bool is_good = true;
    for (int segment = 0; is_good && segment * length < all->steps; ++segment)
    {
        crn_gpu_world *world = open_part(all, segment, p, sentence);
        meet(ranks);
        is_good = world != NULL;
        for (int k = segment * length; is_good && k < (segment + 1) * length && k < all->steps; ++k)
            is_good = take_step(all, ranks->rank, world, k, sentence);
        is_good = is_good && read_part(all, ranks->rank, world, p, sentence);
        if (world)
            all->gpu->close(world);
        meet(ranks);
    }
    if (!is_good && ranks->rank == 0)
        strcpy(all->end->sentence, sentence);
    free(p->kept);
    free(p);
}

static void measure_sizes(shared *all)
{
    const rank_scene *s = &all->scene;
    all->smallest = INFINITY;
    for (int i = 0; i < (s->shapes > 0 ? s->shapes - s->walls : s->bodies); ++i)
    {
        const crn_gpu_shape *shape = &s->shape[i];
        double size = s->shapes == 0 ? s->body[i].radius
                      : shape->kind == CRN_GPU_BOX
                          ? length(shape->half)
                          : shape->radius + (shape->kind == CRN_GPU_CAPSULE ? shape->half[2] : 0);
        all->smallest = fmin(all->smallest, size);
        all->largest = fmax(all->largest, size);
    }
}

void rank_scene_run(const crn_gpu_table *gpu, const rank_scene *scene, const rank_plan *plan, int steps, rank_end *end)
{
    shared *all = calloc(1, sizeof *all);
    *end = (rank_end){0};
    *all = (shared){.gpu = gpu, .scene = *scene, .plan = plan, .steps = steps, .end = end};
    measure_sizes(all);
    end->is_whole = thread_ranks_run(plan->ranks, PATIENCE, work, all);
    memcpy(end->body, all->scene.body, sizeof end->body);
    for (int i = 0; i < BODIES; ++i)
        free(all->kept[i].bytes);
    free(all);
}
