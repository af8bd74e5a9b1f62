/* Ranks that look at a step themselves find what process 0 finds in it: the same run is examined by process 0 alone, which somebody who watches pieces makes it do. Steps are right, or
 * are made wrong behind the library's back, in the pipeline that all ranks use: impulses, velocities and places that are not those of the step, or bodies that bounce too well. What is
 * made wrong depends on the numbers alone, so that any number of ranks sees the same. */
#include "cairn/cairn.h"
#include "cairn/ranks.h"

#include "base/hash.h"
#include "math/vec.h"
#include "step/simulation.h"
#include "support/check.h"
#include "support/shared_scene.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum
{
    STEPS = 60,
    BATCH = 5,
    WATCHDOG = 300 /* s */
};

typedef enum forgery
{
    NOTHING,
    IMPULSES,   /* of some contacts: larger */
    NO_IMPULSE, /* of some: none */
    SPEEDS,     /* of some bodies at the end */
    SPINS,      /* likewise */
    MOMENTS,    /* of some contacts, of rolling friction: larger */
    TURNED,     /* some bodies, by a right angle */
    CLOSER,     /* all bodies */
    LOWER,      /* some bodies */
    THROUGH,    /* all bodies are on the other side of the middle of the bin, and of each other */
    BOUNCES,    /* contacts give energy; in all steps, while the others are done to the last one */
    FORGERIES
} forgery;

/* ------------------------------------------------------------------------------------------------------------ the pipeline */

static const crn_gpu_table *honest;
static crn_gpu_table forged;
static atomic_int forging;                                 /* a forgery */
static _Thread_local const crn_gpu_description *described; /* of this rank's world */

static crn_gpu_world *open_world(const crn_gpu_description *description, char *sentence)
{
    static const double TOO_WELL[] = {1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2};
    crn_gpu_description lie = *description;
    described = description;
    assert_true((size_t)description->class_count <= sizeof TOO_WELL / sizeof TOO_WELL[0]);
    lie.restitution = TOO_WELL;
    return honest->open(forging == BOUNCES ? &lie : description, sentence);
}

static bool is_chosen(const double *number, size_t count, unsigned among)
{
    return crn_hash(number, count * sizeof *number) % among == 0;
}

static bool read_contacts(crn_gpu_world *world, crn_gpu_contact *contact, int32_t count, char *sentence)
{
    double times = forging == IMPULSES ? 1.01 : forging == NO_IMPULSE ? 0.0 : 1.0;
    if (!honest->read_contacts(world, contact, count, sentence))
        return false;
    for (int32_t i = 0; i < count; ++i)
        for (int k = 0; k < 3 && is_chosen(&contact[i].gap, 1, 30); ++k)
        {
            contact[i].impulse[k] *= times;
            contact[i].moment[k] *= forging == MOMENTS ? 1.05 : 1.0;
        }
    return true;
}

static void forge_body(crn_gpu_body *body)
{
    bool is_picked = is_chosen(body->x, 3, 20);
    double *q = body->q;
    for (int k = 0; k < 3; ++k)
    {
        body->v[k] *= forging == SPEEDS && is_picked ? 1.001 : 1.0;
        body->w[k] *= forging == SPINS && is_picked ? 1.01 : 1.0;
        body->x[k] *= forging == CLOSER ? 0.9 : forging == THROUGH && k < 2 ? -1.0 : 1.0;
    }
    if (forging == TURNED && is_picked)
        crn_quaternion_multiply((double[4]){q[0], q[1], q[2], q[3]}, (double[4]){sqrt(0.5), 0, sqrt(0.5), 0}, q);
    body->x[2] -= forging == LOWER && is_picked ? 0.02 : 0.0;
}

static bool read_bodies(crn_gpu_world *world, crn_gpu_body *body, char *sentence)
{
    if (!honest->read_bodies(world, body, sentence))
        return false;
    for (int i = 0; i < described->body_count; ++i)
        if (described->body[i].inverse_mass > 0)
            forge_body(&body[i]);
    return true;
}

static cairn_status serve(cairn_context *context, cairn_ranks *ranks)
{
    (void)context;
    return crn_crew_serve(ranks, &forged, &(crn_crew_calls){crn_device_task, NULL});
}

/* ---------------------------------------------------------------------------------------------------------------------- runs */

typedef struct glanced_run
{
    bool is_watched; /* so that process 0 examines everything */
    forgery how;
    cairn_audit_totals totals;
    cairn_violation listed[CRN_AUDIT_LISTED]; /* in the last step */
    int count, found;
    int64_t glanced, examined; /* steps */
    int failures;
} glanced_run;

static void watch(void *data, crn_piece *piece)
{
    (void)data, (void)piece;
}

static void adapt(cairn_settings *settings, void *data)
{
    (void)data;
    settings->audit = true;
    settings->audit_every = 1;
    settings->reproducible = true;
}

static void advance(glanced_run *run, cairn_context *context, cairn_simulation *simulation, int count)
{
    if (cairn_simulation_steps(simulation, count) == CAIRN_OK)
        return;
    print_error("%s\n", cairn_context_last_message(context));
    ++run->failures;
}

static void work(cairn_context *context, cairn_simulation *simulation, void *data)
{
    glanced_run *run = data;
    crn_device *device = simulation->device;
    run->failures += crn_motions_fetch(simulation) != CAIRN_OK;
    device->pipeline = &forged;
    crn_device_forget(device); /* the world is made anew, with that pipeline */
    if (run->is_watched)
        simulation->ledger.watch = watch;
    forging = run->how == BOUNCES ? BOUNCES : NOTHING;
    for (int done = 0; done < STEPS && run->failures == 0; done += BATCH)
        advance(run, context, simulation, BATCH);
    forging = run->how;
    advance(run, context, simulation, 1);
    run->glanced = device->audit.glanced;
    run->examined = device->audit.examined;
    run->totals = cairn_simulation_audit(simulation);
    run->found = crn_audit_found(simulation->ledger.audit);
    run->count = crn_audit_listed(simulation->ledger.audit);
    for (int i = 0; i < run->count; ++i)
        run->listed[i] = crn_audit_violation(simulation->ledger.audit, i);
    forging = NOTHING;
}

static glanced_run run_on(int ranks, const char *name, forgery how, bool is_watched)
{
    glanced_run run = {.is_watched = is_watched, .how = how};
    shared_scene scene = {.name = name, .adapt = adapt, .work = work, .serve = serve, .data = &run};
    assert_int_equal(shared_scene_run(&scene, ranks, WATCHDOG), 0);
    assert_int_equal(run.failures, 0);
    return run;
}

static bool are_equal(double a, double b)
{
    return !memcmp(&a, &b, sizeof a);
}

static void check_violation(const cairn_violation *a, const cairn_violation *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_true(a->contact == b->contact);
    assert_true(are_equal(a->time, b->time) && are_equal(a->size, b->size) && are_equal(a->allowance, b->allowance));
}

/* To the bit. */
static void check_same(const glanced_run *a, const glanced_run *b)
{
    assert_int_equal(a->found, b->found);
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; ++i)
        check_violation(&a->listed[i], &b->listed[i]);
    for (int k = 0; k < CAIRN_VIOLATION_KINDS; ++k)
    {
        assert_true(a->totals.count[k] == b->totals.count[k]);
        check_violation(&a->totals.worst[k], &b->totals.worst[k]);
    }
}

/* What has to be found: the least. */
static const cairn_violation_kind FOUND[FORGERIES] = {
    [IMPULSES] = CAIRN_VIOLATION_JUMP,       [NO_IMPULSE] = CAIRN_VIOLATION_JUMP,
    [SPEEDS] = CAIRN_VIOLATION_JUMP,         [SPINS] = CAIRN_VIOLATION_JUMP,
    [MOMENTS] = CAIRN_VIOLATION_JUMP,        [TURNED] = CAIRN_VIOLATION_JUMP,
    [CLOSER] = CAIRN_VIOLATION_PENETRATION,  [LOWER] = CAIRN_VIOLATION_PENETRATION,
    [THROUGH] = CAIRN_VIOLATION_PENETRATION, [BOUNCES] = CAIRN_VIOLATION_ENERGY};

/* Returns how many steps any number of ranks was sure of. */
static int64_t check_scene(const char *name, forgery how, const int *ranks)
{
    glanced_run whole = run_on(2, name, how, true);
    assert_true(whole.glanced == 0 && whole.examined == 0);
    assert_true((whole.found > 0) == (how != NOTHING));
    assert_true(how == NOTHING || whole.totals.count[FOUND[how]] > 0);
    int64_t glanced = INT64_MAX;
    for (; *ranks > 0; ++ranks)
    {
        glanced_run shared = run_on(*ranks, name, how, false);
        check_same(&whole, &shared);
        assert_true(shared.glanced + shared.examined == STEPS / BATCH + 1);
        glanced = shared.glanced < glanced ? shared.glanced : glanced;
    }
    return glanced;
}

/* ---------------------------------------------------------------------------------------------------------------------- tests */

static const int RANKS[] = {1, 2, 3, 4, 8, 0}, SOME[] = {3, 8, 0}, FEW[] = {3, 0};

/* Of scenes with more than spheres, with CAIRN_LONG all numbers of ranks. */
static const int *ranks_of(bool is_plain)
{
    return !TAKES_ALL ? FEW : is_plain || getenv("CAIRN_LONG") ? RANKS : SOME;
}

static void test_right_steps(void **unused)
{
    (void)unused;
    const size_t PLAIN = 4; /* of these */
    static const char *const NAMES[] = {"grains",  "giant", "avalanche", "break",    "mixed",  "drum",    "convex",
                                        "terrain", "laws",  "crystal",   "periodic", "chains", "springs", "islands"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; ++i)
        assert_true(check_scene(NAMES[i], NOTHING, ranks_of(i < PLAIN)) >= STEPS / BATCH); /* all, or all but one */
}

static void test_wrong_steps(void **unused)
{
    (void)unused;
    for (forgery how = NOTHING + 1; how < FORGERIES; ++how)
        if (how != MOMENTS && how != TURNED) /* spheres have no moments, and no sides */
            check_scene("grains", how, ranks_of(true));
}

/* Those that scenes with shapes have besides, and those that say most about each of them. */
static void test_wrong_shapes(void **unused)
{
    (void)unused;
    static const struct
    {
        const char *name;
        forgery how;
    } CASES[] = {{"mixed", IMPULSES}, {"mixed", NO_IMPULSE}, {"mixed", SPEEDS},   {"mixed", CLOSER},
                 {"mixed", THROUGH},  {"mixed", BOUNCES},    {"drum", SPINS},     {"drum", LOWER},
                 {"convex", SPINS},   {"convex", TURNED},    {"convex", CLOSER},  {"terrain", LOWER},
                 {"terrain", CLOSER}, {"laws", MOMENTS},     {"laws", IMPULSES},  {"crystal", SPINS},
                 {"crystal", CLOSER}, {"periodic", SPEEDS},  {"periodic", LOWER}, {"chains", IMPULSES},
                 {"chains", SPEEDS},  {"springs", SPINS},    {"springs", CLOSER}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i)
        check_scene(CASES[i].name, CASES[i].how, ranks_of(false));
}

int main(void)
{
    setenv("CAIRN_PROCESSOR_LIBRARY", CAIRN_BUILD_DIR "/libcairn_processor.so", 0);
    cairn_context *context = cairn_context_create();
    honest = crn_device_library(context, CAIRN_DEVICE_RANKS);
    assert_non_null(honest);
    forged = *honest;
    forged.open = open_world;
    forged.read_contacts = read_contacts;
    forged.read_bodies = read_bodies;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_right_steps), cmocka_unit_test(test_wrong_steps),
                                       cmocka_unit_test(test_wrong_shapes)};
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    cairn_context_destroy(context);
    return failures;
}
