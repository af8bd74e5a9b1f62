#include "domain/crew.h"

#include "domain/alone.h"
#include "domain/domain.h"
#include "domain/listing.h"

#include <assert.h>
#include <stdio.h>
#include <sys/resource.h>

typedef enum order_kind
{
    OPEN,
    STEP,
    READ_BODIES,
    READ_SOME,
    READ_ORIGIN,
    DROP_ORIGIN,
    READ_JOINTS,
    READ_FORCES,
    READ_CONTACTS,
    NEXT_CONTACTS,
    SIZE_KEPT,
    READ_KEPT,
    COUNT,
    ASK,
    CLOSE,
    DISMISS
} order_kind;

enum
{
    PART = CRN_CREW_PART,
    HANDED = PART / 4,   /* bodies that are handed out at a time, with their records */
    PART_BYTES = 4 << 20 /* of their records that process 0 is told at a time, unless one is longer */
};

/* What process 0 tells all ranks; what an order needs besides follows it. */
typedef struct order
{
    _Alignas(16) int64_t what; /* what follows an order begins at a multiple of 16 (scene.c) */
    int32_t steps;
    bool keeps_start, keeps_origin;
    bool is_anew; /* records are collected before they are told */
    double h, gravity[3];
    crn_gpu_pull pull;
    int64_t first, count; /* of what is read in parts */
} order;

/* The crew on one rank. */
typedef struct crew
{
    cairn_ranks alone, *ranks;
    const crn_gpu_table *pipeline;
    crn_domain domain;
    crn_listing listing;
    crn_crew_task *task;
    crn_maker *make; /* NULL: nothing is made */
    _Alignas(16) unsigned char answer[CRN_CREW_ANSWER];
    const crn_gpu_description *start; /* process 0, while the world is opened: what it is made from */
    crn_gpu_report report;            /* of the last batch */
    crn_bytes orders, kept;
    crn_bytes loads;                /* process 0: of the next batch */
    crn_gpu_pull pull;              /* process 0 */
    bool keeps_start, keeps_origin; /* process 0: in the next batch */
} crew;

/* ---------------------------------------------------------------------------------------------------------------- obey */

void crn_crew_put_motion(const crn_gpu_body *body, double number[CRN_CREW_NUMBERS])
{
    memcpy(number, body->x, sizeof body->x);
    memcpy(number + 3, body->q, sizeof body->q);
    memcpy(number + 7, body->v, sizeof body->v);
    memcpy(number + 10, body->w, sizeof body->w);
}

void crn_crew_take_motion(const double number[CRN_CREW_NUMBERS], crn_gpu_body *body)
{
    memcpy(body->x, number, sizeof body->x);
    memcpy(body->q, number + 3, sizeof body->q);
    memcpy(body->v, number + 7, sizeof body->v);
    memcpy(body->w, number + 10, sizeof body->w);
}

static void send_body(crn_domain *domain, const crn_domain_body *body)
{
    const crn_gpu_body *state = &body->state;
    crn_crew_motion m = {.body = body->global, .radius = state->radius};
    crn_crew_put_motion(state, m.number);
    for (int k = 0; k < 3; ++k)
        m.change[k] = state->v[k] - body->before[k];
    crn_bytes_put(&domain->post.to[0], &m, sizeof m);
}

/* Those with numbers from o->first on, o->count at most. */
static void send_bodies(crew *self, const order *o)
{
    crn_domain *domain = &self->domain;
    size_t end = crn_bodies_from(&domain->own, o->first + o->count);
    for (size_t i = crn_bodies_from(&domain->own, o->first); i < end; ++i)
        send_body(domain, &domain->own.body[i]);
}

/* Those with the numbers that follow the order. */
static void send_some(crew *self, crn_reading *from)
{
    crn_domain *domain = &self->domain;
    while (from->at < from->end)
    {
        int64_t number;
        crn_take_to(from, &number, sizeof number);
        size_t own = crn_bodies_find(&domain->own, number);
        if (own != SIZE_MAX)
            send_body(domain, &domain->own.body[own]);
    }
}

/* The same before the batch. */
static void send_origin(crew *self, const order *o)
{
    crn_domain *domain = &self->domain;
    size_t end = crn_domain_origin_from(domain, o->first + o->count);
    for (size_t i = crn_domain_origin_from(domain, o->first); i < end; ++i)
    {
        crn_crew_motion m = {.body = domain->origin[i].global};
        memcpy(m.number, &domain->origin[i].motion, sizeof m.number);
        crn_bytes_put(&domain->post.to[0], &m, sizeof m);
    }
}

static bool send_contacts(crew *self)
{
    crn_domain *domain = &self->domain;
    if (!crn_listing_read(&self->listing, domain))
        return false;
    crn_bytes_put(&domain->post.to[0], domain->contact, self->listing.count * sizeof *domain->contact);
    return true;
}

/* How long the records are that the pipeline keeps of bodies, and then the records. */
static bool send_kept_sizes(crew *self, const order *o)
{
    crn_domain *domain = &self->domain;
    if (o->is_anew && !crn_domain_take_kept(domain))
        return false;
    size_t end = crn_bodies_from(&domain->own, o->first + o->count);
    for (size_t i = crn_bodies_from(&domain->own, o->first); i < end; ++i)
    {
        const crn_domain_body *body = &domain->own.body[i];
        crn_bytes_put(&domain->post.to[0], &(int64_t[2]){body->global, (int64_t)body->kept_bytes}, 2 * sizeof(int64_t));
    }
    return true;
}

static void send_kept(crew *self, const order *o)
{
    crn_domain *domain = &self->domain;
    size_t end = crn_bodies_from(&domain->own, o->first + o->count);
    for (size_t i = crn_bodies_from(&domain->own, o->first); i < end; ++i)
    {
        const crn_domain_body *body = &domain->own.body[i];
        crn_bytes_put(&domain->post.to[0], &body->global, sizeof body->global);
        crn_bytes_put(&domain->post.to[0], domain->own.kept + body->first_kept, body->kept_bytes);
    }
}

/* Send what was written to process 0, if all ranks could write it. */
static bool send(crew *self, bool good)
{
    cairn_status status = crn_post_send(&self->domain.post, self->ranks);
    if (status)
        crn_domain_fail(&self->domain, "memory ran out");
    return crn_domain_agree(&self->domain, good && !status);
}

/* A part of all contacts, in their order; o->first: 0: the first part. */
static bool send_next(crew *self, const order *o)
{
    crn_domain *domain = &self->domain;
    if (o->first == 0 && !crn_domain_agree(domain, crn_listing_begin(&self->listing, domain)))
        return false;
    crn_listing_send(&self->listing, domain, (size_t)o->count / (size_t)self->ranks->count);
    return send(self, true);
}

static bool take_steps(crew *self, const order *o, crn_reading *from)
{
    const crn_gpu_description *d = &self->domain.scene.description;
    const crn_gpu_drive *drive = crn_take(from, (size_t)o->steps * (size_t)d->driven_count * sizeof *drive);
    const crn_gpu_timed *timed = crn_take(from, (size_t)o->steps * (size_t)d->timed_count * sizeof *timed);
    const crn_gpu_load *load = crn_take(from, (size_t)o->steps * (size_t)d->force_count * sizeof *load);
    const crn_domain_acts acts = {.drive = drive, .timed = timed, .load = load, .pull = o->pull};
    self->domain.keeps_start = o->keeps_start;
    self->domain.keeps_origin = o->keeps_origin;
    return crn_domain_step(&self->domain, o->h, o->steps, o->gravity, &acts, &self->report);
}

static int64_t most_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
    return usage.ru_maxrss;
#else
    return 1024 * (int64_t)usage.ru_maxrss;
#endif
}

static void send_tally(crew *self)
{
    const crn_domain *domain = &self->domain;
    const crn_traffic *t = &domain->local.traffic;
    cairn_ranks_tally tally = {.ranks = self->ranks->count,
                               .steps = domain->steps,
                               .rebuilds = domain->rebuilds,
                               .cuts = domain->cuts,
                               .moved = domain->moved,
                               .ghosts = (int64_t)domain->ghosts.bodies.count,
                               .neighbours = domain->local.rank.neighbours,
                               .border = domain->report.border,
                               .messages = t->messages,
                               .bytes = t->bytes,
                               .reductions = t->reductions + t->gathers,
                               .balance = domain->balance,
                               .most_uneven = domain->most_uneven,
                               .uneven_steps = domain->uneven_steps,
                               .memory = most_memory()};
    crn_bytes_put(&self->domain.post.to[0], &tally, sizeof tally);
}

/* Write some bodies to ranks, as many to each; a mechanism goes to one of them as a whole. */
static bool write_bodies(crew *self, const int *lead, int first, crn_bodies *part)
{
    const crn_gpu_description *d = self->start;
    crn_domain *domain = &self->domain;
    int given = crn_given_bodies(d), end = given - first < HANDED ? given : first + HANDED;
    cairn_status status = crn_scene_bodies(d, lead, first, end, part);
    if (status)
        return crn_domain_fail(domain, status == CAIRN_IO ? "what the state has of the last step cannot be read"
                                                          : "memory ran out");
    for (size_t i = 0; i < part->count; ++i)
        crn_bodies_pack(part, i, true, &domain->post.to[part->body[i].lead * self->ranks->count / d->body_count]);
    return true;
}

/* Process 0 hands the bodies of the description out, a part at a time, so that it has no list of all of them. */
static bool hand_out(crew *self)
{
    crn_domain *domain = &self->domain;
    crn_bodies part = {0};
    int *lead = NULL;
    bool good = !self->start || !crn_scene_leads(self->start, &lead);
    if (!good)
        crn_domain_fail(domain, "memory ran out");
    bool is_agreed = crn_domain_agree(domain, good);
    for (int64_t first = 0; first < crn_given_bodies(&domain->scene.description) && is_agreed; first += HANDED)
    {
        good = !self->start || write_bodies(self, lead, (int)first, &part);
        cairn_status status = crn_post_send_off(&domain->post, self->ranks);
        crn_reading from = crn_post_from(&domain->post, 0);
        status = status ? status : crn_bodies_unpack(&domain->own, &from);
        crn_post_release(&domain->post); /* each part goes to other ranks: letters to all of them would be left */
        if (status)
            crn_domain_fail(domain, "memory ran out");
        is_agreed = crn_domain_agree(domain, good && !status);
    }
    if (is_agreed && domain->scene.recipe)
        is_agreed = crn_domain_agree(domain, crn_domain_make_bodies(domain, self->make));
    crn_bodies_sort(&domain->own);
    crn_bodies_free(&part);
    free(lead);
    return is_agreed;
}

/* Do one order together with all other ranks. */
static bool obey(crew *self, const order *o, crn_reading *from)
{
    switch ((order_kind)o->what)
    {
    case OPEN:
        return crn_domain_open(&self->domain, self->ranks, self->pipeline, from->at, (size_t)(from->end - from->at)) &&
               hand_out(self) && crn_domain_rebuild(&self->domain, self->domain.scene.description.step, 0.0);
    case STEP:
        return take_steps(self, o, from);
    case READ_BODIES:
        send_bodies(self, o);
        return send(self, true);
    case READ_SOME:
        send_some(self, from);
        return send(self, true);
    case READ_ORIGIN:
        send_origin(self, o);
        return send(self, true);
    case DROP_ORIGIN:
        crn_domain_drop_origin(&self->domain);
        return true;
    case READ_JOINTS:
        crn_domain_share_rows(&self->domain);
        return true;
    case READ_FORCES:
        crn_domain_share_works(&self->domain);
        return true;
    case READ_CONTACTS:
        return send(self, send_contacts(self));
    case NEXT_CONTACTS:
        return send_next(self, o);
    case SIZE_KEPT:
        return send(self, send_kept_sizes(self, o));
    case READ_KEPT:
        send_kept(self, o);
        return send(self, true);
    case COUNT:
        send_tally(self);
        return send(self, true);
    case ASK:
        return self->task(&self->domain, from->at, (size_t)(from->end - from->at), self->answer);
    case CLOSE:
    case DISMISS:
        break;
    }
    crn_domain_close(&self->domain);
    crn_listing_free(&self->listing);
    return true;
}

cairn_status crn_crew_serve(cairn_ranks *ranks, const crn_gpu_table *pipeline, const crn_crew_calls *calls)
{
    crew self = {.ranks = ranks, .pipeline = pipeline, .task = calls->task, .make = calls->make};
    crn_bytes copy = {0};
    order o = {.what = OPEN};
    while (o.what != DISMISS)
    {
        size_t size;
        const void *bytes = ranks->gather(ranks->context, NULL, 0, &size);
        copy.size = 0;
        crn_bytes_put(&copy, bytes, size); /* the memory of `bytes` is used again while it is obeyed */
        if (copy.failed)
            break;
        crn_reading from = {copy.data, copy.data + copy.size};
        crn_take_to(&from, &o, sizeof o);
        (void)obey(&self, &o, &from);
    }
    cairn_status status = copy.failed ? CAIRN_NO_MEMORY : CAIRN_OK;
    crn_bytes_free(&copy);
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- process 0 */

/* Give the order that self->orders holds, and obey it. */
static bool command(crew *self, char *sentence)
{
    size_t size;
    order o;
    if (self->orders.failed)
    {
        self->orders.failed = false;
        snprintf(sentence, CRN_GPU_SENTENCE, "memory ran out");
        return false;
    }
    (void)self->ranks->gather(self->ranks->context, self->orders.data, self->orders.size, &size);
    crn_reading from = {self->orders.data, self->orders.data + self->orders.size};
    crn_take_to(&from, &o, sizeof o);
    bool good = obey(self, &o, &from);
    if (!good)
        snprintf(sentence, CRN_GPU_SENTENCE, "%s", self->domain.sentence);
    return good;
}

static void write_order(crew *self, order_kind what)
{
    self->orders.size = 0;
    crn_bytes_put(&self->orders, &(order){.what = what}, sizeof(order));
}

static bool ask(crew *self, order_kind what, char *sentence)
{
    write_order(self, what);
    return command(self, sentence);
}

static void close_crew(crn_gpu_world *world)
{
    crew *self = (crew *)world;
    char sentence[CRN_GPU_SENTENCE];
    (void)ask(self, CLOSE, sentence);
    self->ranks->is_shared = false;
    crn_bytes_free(&self->orders);
    crn_bytes_free(&self->kept);
    crn_bytes_free(&self->loads);
    free(self);
}

static crn_gpu_world *open_crew(const crn_gpu_description *description, char *sentence)
{
    crew *self = calloc(1, sizeof *self);
    snprintf(sentence, CRN_GPU_SENTENCE, "memory ran out");
    if (!self)
        return NULL;
    self->alone = crn_ranks_alone();
    self->ranks = description->ranks && description->ranks->count > 1 ? description->ranks : &self->alone;
    self->pipeline = description->pipeline;
    self->make = description->make;
    self->pull.body = -1;
    write_order(self, OPEN);
    crn_scene_pack(description, &self->orders);
    bool ready = !self->orders.failed;
    self->start = description;
    if (self->ranks->is_shared)
    {
        snprintf(sentence, CRN_GPU_SENTENCE, "the processes share another simulation already");
        ready = false;
    }
    if (ready)
    {
        self->ranks->is_shared = true;
        sentence[0] = '\0';
    }
    bool is_open = ready && command(self, sentence);
    self->start = NULL;
    if (is_open)
        return (crn_gpu_world *)self;
    if (ready)
        close_crew((crn_gpu_world *)self);
    else
    {
        crn_domain_close(&self->domain);
        crn_bytes_free(&self->orders);
        free(self);
    }
    return NULL;
}

static bool load_crew(crn_gpu_world *world, const crn_gpu_load *load, int32_t steps, const crn_gpu_pull *pull,
                      char *sentence)
{
    crew *self = (crew *)world;
    self->loads.size = 0;
    self->pull = *pull;
    crn_bytes_put(&self->loads, load,
                  (size_t)steps * (size_t)self->domain.scene.description.force_count * sizeof *load);
    if (self->loads.failed)
        snprintf(sentence, CRN_GPU_SENTENCE, "memory ran out");
    bool good = !self->loads.failed;
    self->loads.failed = false;
    return good;
}

static bool step_crew(crn_gpu_world *world, double h, int32_t steps, const double gravity[3],
                      const crn_gpu_drive *drive, const crn_gpu_timed *timed, crn_gpu_report *report, char *sentence)
{
    crew *self = (crew *)world;
    const crn_gpu_description *d = &self->domain.scene.description;
    order o = {.what = STEP,
               .steps = steps,
               .keeps_start = self->keeps_start,
               .keeps_origin = self->keeps_origin,
               .h = h,
               .pull = self->pull};
    self->keeps_start = self->keeps_origin = false;
    memcpy(o.gravity, gravity, sizeof o.gravity);
    self->orders.size = 0;
    crn_bytes_put(&self->orders, &o, sizeof o);
    crn_bytes_put(&self->orders, drive, (size_t)steps * (size_t)d->driven_count * sizeof *drive);
    crn_bytes_put(&self->orders, timed, (size_t)steps * (size_t)d->timed_count * sizeof *timed);
    crn_bytes_put(&self->orders, self->loads.data, self->loads.size);
    bool good = command(self, sentence);
    *report = self->report;
    return good;
}

static bool read_joints(crn_gpu_world *world, crn_gpu_joint_row *row, char *sentence)
{
    crew *self = (crew *)world;
    if (!ask(self, READ_JOINTS, sentence))
        return false;
    size_t joints = (size_t)self->domain.scene.description.joint_count;
    if (joints > 0)
        memcpy(row, self->domain.row, joints * CRN_GPU_ROWS * sizeof *row);
    return true;
}

static bool read_forces(crn_gpu_world *world, double *work, char *sentence)
{
    crew *self = (crew *)world;
    if (!ask(self, READ_FORCES, sentence))
        return false;
    memcpy(work, self->domain.force_work, ((size_t)self->domain.scene.description.force_count + 1) * sizeof *work);
    return true;
}

/* All letters that came: they lie one after the other. */
static crn_reading all_letters(const crew *self)
{
    crn_reading first = crn_post_from(&self->domain.post, 0);
    crn_reading last = crn_post_from(&self->domain.post, self->ranks->count - 1);
    return (crn_reading){first.at, last.end};
}

/* Ask for what belongs to bodies from `first` on, in parts. */
static bool ask_part(crew *self, order_kind what, int64_t first, int64_t count, char *sentence)
{
    self->orders.size = 0;
    crn_bytes_put(&self->orders, &(order){.what = what, .first = first, .count = count}, sizeof(order));
    return command(self, sentence);
}

static void take_motions(const crew *self, crn_take_motion *take, void *data)
{
    crn_reading from = all_letters(self);
    while (from.at < from.end)
    {
        crn_crew_motion m;
        crn_take_to(&from, &m, sizeof m);
        take(data, &m);
    }
}

static bool read_parts(crew *self, order_kind what, int64_t first, int64_t count, crn_take_motion *take, void *data,
                       char *sentence)
{
    for (int64_t end = first + count; first < end; first += PART)
    {
        if (!ask_part(self, what, first, end - first < PART ? end - first : PART, sentence))
            return false;
        take_motions(self, take, data);
    }
    return true;
}

bool crn_crew_read_some(crn_gpu_world *world, const int64_t *number, size_t count, crn_take_motion *take, void *data,
                        char *sentence)
{
    crew *self = (crew *)world;
    write_order(self, READ_SOME);
    crn_bytes_put(&self->orders, number, count * sizeof *number);
    if (!command(self, sentence))
        return false;
    take_motions(self, take, data);
    return true;
}

bool crn_crew_read_motions(crn_gpu_world *world, int64_t first, int64_t count, crn_take_motion *take, void *data,
                           char *sentence)
{
    return read_parts((crew *)world, READ_BODIES, first, count, take, data, sentence);
}

void crn_crew_keep_origin(crn_gpu_world *world)
{
    ((crew *)world)->keeps_origin = true;
}

bool crn_crew_read_origin(crn_gpu_world *world, int64_t first, int64_t count, crn_take_motion *take, void *data,
                          char *sentence)
{
    return read_parts((crew *)world, READ_ORIGIN, first, count, take, data, sentence);
}

bool crn_crew_drop_origin(crn_gpu_world *world, char *sentence)
{
    return ask((crew *)world, DROP_ORIGIN, sentence);
}

static void take_motion(void *data, const crn_crew_motion *motion)
{
    crn_crew_take_motion(motion->number, (crn_gpu_body *)data + motion->body);
}

static bool read_bodies(crn_gpu_world *world, crn_gpu_body *body, char *sentence)
{
    return crn_crew_read_motions(world, 0, ((crew *)world)->domain.scene.total, take_motion, body, sentence);
}

static bool read_contacts(crn_gpu_world *world, crn_gpu_contact *contact, int32_t count, char *sentence)
{
    crew *self = (crew *)world;
    if (!ask(self, READ_CONTACTS, sentence))
        return false;
    crn_reading from = all_letters(self);
    if (from.end - from.at != (ptrdiff_t)((size_t)count * sizeof *contact))
    {
        snprintf(sentence, CRN_GPU_SENTENCE, "the ranks list %td contacts instead of %d",
                 (from.end - from.at) / (ptrdiff_t)sizeof *contact, count);
        return false;
    }
    crn_take_to(&from, contact, (size_t)count * sizeof *contact);
    return true;
}

bool crn_crew_next_contacts(crn_gpu_world *world, bool is_first, int32_t most, crn_gpu_contact *contact, int32_t *count,
                            char *sentence)
{
    crew *self = (crew *)world;
    assert(most >= self->ranks->count);
    self->orders.size = 0;
    crn_bytes_put(&self->orders, &(order){.what = NEXT_CONTACTS, .first = !is_first, .count = most}, sizeof(order));
    if (!command(self, sentence))
        return false;
    crn_reading from = all_letters(self);
    size_t size = (size_t)(from.end - from.at);
    assert(size <= (size_t)most * sizeof *contact);
    crn_take_to(&from, contact, size);
    *count = (int32_t)(size / sizeof *contact);
    return true;
}

bool crn_crew_kept_sizes(crn_gpu_world *world, int64_t begin, int64_t count, bool is_anew, int64_t *size,
                         char *sentence)
{
    crew *self = (crew *)world;
    assert(count <= PART);
    memset(size, 0, (size_t)count * sizeof *size); /* of those that cannot move */
    self->orders.size = 0;
    crn_bytes_put(&self->orders, &(order){.what = SIZE_KEPT, .first = begin, .count = count, .is_anew = is_anew},
                  sizeof(order));
    if (!command(self, sentence))
        return false;
    crn_reading from = all_letters(self);
    while (from.at < from.end)
    {
        int64_t head[2];
        crn_take_to(&from, head, sizeof head);
        size[head[0] - begin] = head[1];
    }
    return true;
}

/* How many bodies have records that fit in a part; at least one. */
static int64_t bodies_in_part(const int64_t *size, int64_t count)
{
    int64_t bodies = 1, bytes = size[0];
    while (bodies < count && bytes + size[bodies] <= PART_BYTES)
        bytes += size[bodies++];
    return bodies;
}

/* Where the record of a body goes: bodies come rank by rank, in ascending order. */
static int64_t place_of(const int64_t *size, int64_t bodies)
{
    int64_t at = 0;
    for (int64_t i = 0; i < bodies; ++i)
        at += size[i];
    return at;
}

bool crn_crew_read_kept(crn_gpu_world *world, int64_t begin, const int64_t *size, int64_t *count, const void **bytes,
                        char *sentence)
{
    crew *self = (crew *)world;
    *count = bodies_in_part(size, *count);
    if (crn_reserve(&self->kept.data, &self->kept.capacity, (size_t)place_of(size, *count) + 1, 1))
    {
        snprintf(sentence, CRN_GPU_SENTENCE, "memory ran out");
        return false;
    }
    if (!ask_part(self, READ_KEPT, begin, *count, sentence))
        return false;
    crn_reading from = all_letters(self);
    int64_t last = 0, at = 0;
    while (from.at < from.end)
    {
        int64_t body;
        crn_take_to(&from, &body, sizeof body);
        body -= begin;
        at = body >= last ? at + place_of(size + last, body - last) : place_of(size, body);
        last = body;
        crn_take_to(&from, self->kept.data + at, (size_t)size[body]);
    }
    *bytes = self->kept.data;
    return true;
}

bool crn_crew_ask(crn_gpu_world *world, crn_crew_task *task, const void *question, size_t size, void *answer,
                  size_t answer_size, char *sentence)
{
    crew *self = (crew *)world;
    assert(answer_size <= sizeof self->answer);
    self->task = task;
    write_order(self, ASK);
    crn_bytes_put(&self->orders, question, size);
    bool good = command(self, sentence);
    memcpy(answer, self->answer, answer_size);
    return good;
}

void crn_crew_keep_start(crn_gpu_world *world)
{
    ((crew *)world)->keeps_start = true;
}

static bool describe_device(char *description, size_t *free_bytes, char *sentence)
{
    (void)sentence;
    snprintf(description, CRN_GPU_SENTENCE, "the ranks");
    *free_bytes = SIZE_MAX; /* each rank says itself that its memory ran out */
    return true;
}

static size_t estimate(const crn_gpu_description *description)
{
    (void)description;
    return 0;
}

static void spoil(crn_gpu_world *world, int32_t contact, const double added[3])
{
    (void)world, (void)contact, (void)added; /* it is for tests of the pipeline itself */
}

const crn_gpu_table *crn_crew_table(void)
{
    static const crn_gpu_table TABLE = {.version = CRN_GPU_VERSION,
                                        .name = "ranks",
                                        .device = describe_device,
                                        .estimate = estimate,
                                        .open = open_crew,
                                        .close = close_crew,
                                        .step = step_crew,
                                        .load = load_crew,
                                        .read_forces = read_forces,
                                        .read_joints = read_joints,
                                        .read_bodies = read_bodies,
                                        .read_contacts = read_contacts,
                                        .spoil = spoil};
    return &TABLE;
}

void crn_crew_dismiss(cairn_ranks *ranks)
{
    size_t size;
    const order o = {.what = DISMISS};
    if (ranks->count > 1 && ranks->rank == 0)
        (void)ranks->gather(ranks->context, &o, sizeof o, &size);
}

/* --------------------------------------------------------------------------------------------------------------- count */

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

cairn_ranks_tally crn_crew_count(crn_gpu_world *world)
{
    crew *self = (crew *)world;
    char sentence[CRN_GPU_SENTENCE];
    cairn_ranks_tally all = {.ranks = self->ranks->count};
    if (!ask(self, COUNT, sentence))
        return all;
    crn_reading from = all_letters(self);
    for (int rank = 0; from.at < from.end; ++rank)
    {
        cairn_ranks_tally one;
        crn_take_to(&from, &one, sizeof one);
        all.steps = one.steps;
        all.rebuilds = one.rebuilds;
        all.cuts = one.cuts;
        all.balance = one.balance;
        all.most_uneven = one.most_uneven;
        all.uneven_steps = one.uneven_steps;
        all.reductions = one.reductions;
        all.moved += one.moved;
        all.ghosts += one.ghosts;
        all.border += one.border;
        all.neighbours += one.neighbours;
        all.messages += one.messages;
        all.bytes += one.bytes;
        all.most_messages = larger(all.most_messages, one.messages);
        all.most_bytes = larger(all.most_bytes, one.bytes);
        if (rank > 0)
            all.most_memory = larger(all.most_memory, one.memory);
        else
            all.memory = one.memory;
    }
    return all;
}
