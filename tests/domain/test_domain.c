/* Domains with a pipeline that knows where everybody is: bodies fly straight on, so that a test can say at any time which bodies are near each other. Every
 * rank must have the bodies that its own could touch, each body must have one owner, and what is kept about it must go with it. */
#include "domain/crew.h"

#include "base/random.h"
#include "domain/bodies.h"
#include "support/check.h"
#include "support/thread_ranks.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST = 700,
    STEPS = IS_SANITIZED ? 25 : 60
};

static const double H = 0.01;

/* A flight, and what went wrong in it. */
typedef struct flight
{
    int count, joints;
    crn_gpu_body body[MOST];
    crn_gpu_joint joint[MOST];
    int joint_first[3];
    double end[MOST][3];
    atomic_int lost, doubled, unseen, torn, parted;
    int64_t rebuilds, moved;
    double balance;
} flight;

/* ------------------------------------------------------------------------------------------------------------- pipeline */

/* What the stand-in for the pipeline keeps about a body: a record whose size and bytes follow from its number and the steps taken. */
typedef struct record
{
    int64_t global, steps;
} record;

struct crn_gpu_world
{
    crn_gpu_description d;
    crn_gpu_rank rank;
    flight *flight;
    crn_gpu_body *body;
    int64_t steps;
    record *kept;
    double *out, *in;
};

static flight *current; /* threads of a test have the same one */

static size_t records_of(int64_t global)
{
    return (size_t)(global % 4);
}

static bool owns(const crn_gpu_world *w, int i)
{
    return w->rank.owner[i] == w->rank.rank;
}

/* The records of own bodies are theirs, and all of the same age. */
static void check_kept(crn_gpu_world *w)
{
    for (int i = 0; w->d.kept_first && i < w->d.body_count; ++i)
    {
        const char *at = (const char *)w->d.kept + w->d.kept_first[i];
        size_t size = (size_t)(w->d.kept_first[i + 1] - w->d.kept_first[i]);
        size_t expected = owns(w, i) ? records_of(w->rank.global[i]) * sizeof(record) : 0;
        bool good = size == expected;
        for (size_t k = 0; k < size / sizeof(record) && good; ++k)
        {
            record r;
            memcpy(&r, at + k * sizeof r, sizeof r);
            w->steps = w->steps > 0 ? w->steps : r.steps;
            good = r.global == w->rank.global[i] && r.steps == w->steps;
        }
        w->flight->torn += !good;
    }
}

/* Both bodies of a joint are on the rank that has it. */
static void check_joints(const crn_gpu_world *w)
{
    int here = 0;
    for (int j = 0; j < w->d.joint_count; ++j)
    {
        const crn_gpu_joint *joint = &w->d.joint[j];
        const crn_gpu_joint *of = &w->flight->joint[w->rank.global_joint[j]];
        for (int side = 0; side < 2; ++side)
            w->flight->parted += joint->body[side] < 0 || !owns(w, joint->body[side]) ||
                                 w->rank.global[joint->body[side]] != of->body[side];
        ++here;
    }
    int64_t all = here;
    w->rank.reduce_sum(w->rank.context, &all, 1);
    w->flight->parted += all != w->flight->joints;
}

static crn_gpu_world *open_world(const crn_gpu_description *d, char *sentence)
{
    (void)sentence;
    crn_gpu_world *w = calloc(1, sizeof *w);
    *w = (crn_gpu_world){.d = *d, .rank = *d->rank, .flight = current};
    w->body = calloc((size_t)d->body_count + 1, sizeof *w->body);
    memcpy(w->body, d->body, (size_t)d->body_count * sizeof *w->body);
    w->out = calloc((size_t)(6 * w->rank.send_first[w->rank.neighbours]) + 1, sizeof *w->out);
    w->in = calloc((size_t)(6 * w->rank.receive_first[w->rank.neighbours]) + 1, sizeof *w->in);
    check_kept(w);
    check_joints(w);
    return w;
}

static void close_world(crn_gpu_world *w)
{
    free(w->body);
    free(w->kept);
    free(w->out);
    free(w->in);
    free(w);
}

/* All bodies of all ranks as they are now, from their owners. */
typedef struct place
{
    int64_t global;
    double x[3], reach;
} place;

static place place_of(const crn_gpu_world *w, int i)
{
    crn_domain_body body = {.extent = w->body[i].radius, .state = w->body[i]};
    place p = {.global = w->rank.global[i], .reach = crn_body_reach(&body, H, 0, 0)};
    memcpy(p.x, w->body[i].x, sizeof p.x);
    return p;
}

/* Whether the bodies within reach of own ones are there; how often each body is owned. */
static void check_seen(crn_gpu_world *w)
{
    place mine[MOST];
    int count = 0, owners[MOST] = {0};
    for (int i = 0; i < w->d.body_count; ++i)
        if (owns(w, i))
            mine[count++] = place_of(w, i);
    size_t size;
    const place *all = w->rank.gather(w->rank.context, mine, (size_t)count * sizeof *mine, &size);
    size_t total = size / sizeof *all;
    bool *here = calloc(MOST, sizeof *here);
    for (int i = 0; i < w->d.body_count; ++i)
        here[w->rank.global[i]] = true;
    for (size_t k = 0; k < total; ++k)
    {
        ++owners[all[k].global];
        for (int i = 0; i < count && !here[all[k].global]; ++i)
        {
            double e[3] = {mine[i].x[0] - all[k].x[0], mine[i].x[1] - all[k].x[1], mine[i].x[2] - all[k].x[2]};
            if (sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) <= mine[i].reach + all[k].reach)
                ++w->flight->unseen;
        }
    }
    for (int i = 0; i < w->flight->count && w->rank.rank == 0; ++i)
    {
        bool is_fixed = w->flight->body[i].inverse_mass == 0;
        w->flight->lost += !is_fixed && owners[i] == 0;
        w->flight->doubled += owners[i] > 1 || (is_fixed && owners[i] > 0);
    }
    free(here);
}

/* Ghosts get what their owners have. */
static void exchange(crn_gpu_world *w)
{
    const crn_gpu_rank *r = &w->rank;
    void *out[64], *in[64];
    size_t out_bytes[64], in_bytes[64];
    for (int i = 0; i < r->send_first[r->neighbours]; ++i)
    {
        memcpy(w->out + 6 * i, w->body[r->send[i]].x, 3 * sizeof(double));
        memcpy(w->out + 6 * i + 3, w->body[r->send[i]].v, 3 * sizeof(double));
        w->flight->doubled += !owns(w, r->send[i]);
    }
    for (int n = 0; n < r->neighbours; ++n)
    {
        out[n] = w->out + 6 * r->send_first[n];
        in[n] = w->in + 6 * r->receive_first[n];
        out_bytes[n] = 6 * sizeof(double) * (size_t)(r->send_first[n + 1] - r->send_first[n]);
        in_bytes[n] = 6 * sizeof(double) * (size_t)(r->receive_first[n + 1] - r->receive_first[n]);
    }
    r->start(r->context, out, out_bytes, in, in_bytes);
    r->finish(r->context);
    for (int i = 0; i < r->receive_first[r->neighbours]; ++i)
    {
        memcpy(w->body[r->receive[i]].x, w->in + 6 * i, 3 * sizeof(double));
        memcpy(w->body[r->receive[i]].v, w->in + 6 * i + 3, 3 * sizeof(double));
    }
}

static bool step_world(crn_gpu_world *w, double h, int32_t steps, const double gravity[3], const crn_gpu_drive *drive,
                       const crn_gpu_timed *timed, crn_gpu_report *report, char *sentence)
{
    (void)gravity, (void)drive, (void)timed, (void)sentence;
    w->flight->lost += steps != 1;
    check_seen(w);
    for (int i = 0; i < w->d.body_count; ++i)
        for (int k = 0; k < 3 && owns(w, i); ++k)
            w->body[i].x[k] += h * w->body[i].v[k];
    exchange(w);
    ++w->steps;
    *report = (crn_gpu_report){.steps = 1};
    return true;
}

static bool read_bodies(crn_gpu_world *w, crn_gpu_body *body, char *sentence)
{
    (void)sentence;
    memcpy(body, w->body, (size_t)w->d.body_count * sizeof *body);
    return true;
}

static bool read_joints(crn_gpu_world *w, crn_gpu_joint_row *row, char *sentence)
{
    (void)sentence;
    for (int j = 0; j < w->d.joint_count; ++j) /* an angle that goes on from where it was when the world was opened */
        row[j * CRN_GPU_ROWS] =
            (crn_gpu_joint_row){.angle = (double)w->rank.global_joint[j] + (double)w->steps, .work = 1};
    return true;
}

static bool read_kept(crn_gpu_world *w, int64_t *first, const void **bytes, char *sentence)
{
    (void)sentence;
    w->kept = realloc(w->kept, ((size_t)w->d.body_count * 4 + 1) * sizeof *w->kept);
    size_t count = 0;
    for (int i = 0; i < w->d.body_count; ++i)
    {
        first[i] = (int64_t)(count * sizeof(record));
        for (size_t k = 0; k < (owns(w, i) ? records_of(w->rank.global[i]) : 0); ++k)
            w->kept[count++] = (record){w->rank.global[i], w->steps};
    }
    first[w->d.body_count] = (int64_t)(count * sizeof(record));
    *bytes = w->kept;
    return true;
}

static const crn_gpu_table PIPELINE = {.version = CRN_GPU_VERSION,
                                       .open = open_world,
                                       .close = close_world,
                                       .step = step_world,
                                       .read_joints = read_joints,
                                       .read_bodies = read_bodies,
                                       .read_kept = read_kept};

/* ---------------------------------------------------------------------------------------------------------------- flights */

/* Balls of many sizes that fly about, some of them fixed, some held together in pairs. */
static void make_flight(flight *f, int count, uint64_t seed, bool has_giant, int joints)
{
    crn_random random = crn_random_start(seed, 0);
    memset(f, 0, sizeof *f);
    f->count = count;
    f->joints = joints;
    for (int i = 0; i < count; ++i)
    {
        crn_gpu_body *b = &f->body[i];
        b->q[0] = 1;
        b->driven = -1;
        b->radius = 0.02 + 0.1 * pow(crn_random_unit(&random), 6);
        b->inverse_mass = i % 17 == 3 ? 0 : 0.1 + crn_random_unit(&random);
        for (int k = 0; k < 3; ++k)
        {
            b->x[k] = 2 * crn_random_unit(&random);
            b->v[k] = i % 17 == 3 ? 0 : 2 * crn_random_unit(&random) - 1;
        }
    }
    if (has_giant)
        f->body[count / 2] = (crn_gpu_body){
            .x = {1, 1, 1}, .q = {1}, .v = {0.3, 0, 0}, .inverse_mass = 0.01, .radius = 0.7, .driven = -1};
    for (int j = 0; j < joints; ++j) /* chains of three, of bodies that move apart */
        for (int side = 0; side < 2; ++side)
        {
            int body = 5 * (j / 2) + j % 2 + side;
            f->joint[j].body[side] = body;
            f->body[body].inverse_mass = 1;
        }
    f->joint_first[1] = f->joint_first[2] = joints;
}

static void fly(cairn_ranks *ranks, void *data)
{
    flight *f = data;
    char sentence[CRN_GPU_SENTENCE] = "";
    const double gravity[3] = {0};
    if (ranks->rank > 0)
    {
        crn_crew_serve(ranks, &PIPELINE, &(crn_crew_calls){NULL, NULL});
        return;
    }
    static const uint8_t CLASS = 0;
    static const double NONE = 0;
    crn_gpu_description d = {.body_count = f->count,
                             .body = f->body,
                             .material_count = 1,
                             .class_count = 1,
                             .pair_class = &CLASS,
                             .friction = &NONE,
                             .restitution = &NONE,
                             .joint_count = f->joints,
                             .joint_colours = f->joints > 0 ? 2 : 0,
                             .joint = f->joint,
                             .joint_first = f->joint_first,
                             .step = H,
                             .ranks = ranks,
                             .pipeline = &PIPELINE,
                             .high = {2, 2, 2}};
    const crn_gpu_table *table = crn_crew_table();
    crn_gpu_world *world = table->open(&d, sentence);
    crn_gpu_report report;
    crn_gpu_body *end = calloc(MOST, sizeof *end);
    crn_gpu_joint_row *row = calloc(MOST * CRN_GPU_ROWS, sizeof *row);
    memcpy(end, f->body, sizeof f->body);
    for (int batch = 0; batch < 5 && world; ++batch)
    {
        f->lost += !table->step(world, H, STEPS / 5, gravity, NULL, NULL, &report, sentence);
        f->lost += report.steps != STEPS / 5;
        table->read_joints(world, row, sentence);
        for (int j = 0; j < f->joints; ++j)
            f->torn += row[j * CRN_GPU_ROWS].work != STEPS / 5;
    }
    int64_t *sizes = calloc(MOST + 1, sizeof *sizes);
    f->torn += !world || !crn_crew_kept_sizes(world, 0, f->count, true, sizes, sentence);
    for (int64_t begin = 0, count; begin < f->count && world; begin += count)
    {
        const void *kept = NULL;
        size_t at = 0;
        count = f->count - begin;
        f->torn += !crn_crew_read_kept(world, begin, sizes + begin, &count, &kept, sentence);
        for (int64_t i = begin; i < begin + count; ++i)
        {
            size_t expected = f->body[i].inverse_mass > 0 ? records_of((int)i) * sizeof(record) : 0;
            f->torn += (size_t)sizes[i] != expected ||
                       (expected > 0 && ((const record *)kept)[at / sizeof(record)].global != i);
            at += expected;
        }
    }
    f->lost += !world || !table->read_bodies(world, end, sentence);
    for (int i = 0; i < f->count; ++i)
        memcpy(f->end[i], end[i].x, sizeof f->end[i]);
    if (world)
    {
        cairn_ranks_tally tally = crn_crew_count(world);
        f->rebuilds = tally.rebuilds;
        f->moved = tally.moved;
        f->balance = tally.balance;
        table->close(world);
    }
    if (sentence[0])
        print_error("%s\n", sentence);
    crn_crew_dismiss(ranks);
    free(end);
    free(row);
    free(sizes);
}

static void check_flight(flight *f, int ranks)
{
    current = f;
    thread_ranks_run(ranks, 200, fly, f);
    assert_int_equal(f->lost, 0);
    assert_int_equal(f->doubled, 0);
    assert_int_equal(f->unseen, 0);
    assert_int_equal(f->torn, 0);
    assert_int_equal(f->parted, 0);
    for (int i = 0; i < f->count; ++i)
        for (int k = 0; k < 3; ++k)
        {
            double x = f->body[i].x[k];
            for (int step = 0; step < STEPS && f->body[i].inverse_mass > 0; ++step)
                x += H * f->body[i].v[k];
            assert_true(f->end[i][k] == x);
        }
}

static void test_flights(void **unused)
{
    (void)unused;
    flight *f = calloc(1, sizeof *f);
    static const int RANKS[] = {1, 2, 3, 5, 8};
    for (size_t i = 0; i < sizeof RANKS / sizeof RANKS[0]; ++i)
        for (uint64_t seed = 1; seed <= 4; ++seed)
        {
            make_flight(f, 300, seed, seed % 2 == 0, seed > 2 ? 40 : 0);
            check_flight(f, RANKS[i]);
            assert_true(f->rebuilds > 2);
            assert_true(RANKS[i] == 1 || f->moved > 100); /* at the start, and on the way */
        }
    free(f);
}

/* More ranks than bodies; a single one; none that moves. */
static void test_few(void **unused)
{
    (void)unused;
    flight *f = calloc(1, sizeof *f);
    make_flight(f, 3, 7, false, 0);
    check_flight(f, 8);
    make_flight(f, 1, 7, false, 0);
    check_flight(f, 3);
    make_flight(f, 1, 7, false, 0);
    f->body[0].inverse_mass = 0;
    check_flight(f, 2);
    free(f);
}

/* All bodies gather in one corner: the cuts follow them. */
static void test_balance(void **unused)
{
    (void)unused;
    flight *f = calloc(1, sizeof *f);
    make_flight(f, MOST, 3, false, 0);
    for (int i = 0; i < f->count; ++i)
    {
        f->body[i].radius = 0.01;
        for (int k = 0; k < 3 && f->body[i].inverse_mass > 0; ++k)
            f->body[i].v[k] = (0.2 - 0.8 * f->body[i].x[k]) / (STEPS * H);
    }
    check_flight(f, 4);
    assert_true(f->balance >= 1 && f->balance <= 1.1);
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_flights), cmocka_unit_test(test_few),
                                       cmocka_unit_test(test_balance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
