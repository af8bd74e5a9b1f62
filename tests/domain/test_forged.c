/* States whose records of the ranks are forged: the checksum is right, the rest is not. They are refused with a sentence, or the run goes on with numbers; nothing
 * crashes and nothing hangs. */
#include "cairn/cairn.h"

#include "base/hash.h"
#include "base/random.h"
#include "step/keep/walk.h"
#include "support/check.h"
#include "support/shared_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    STEPS = 60,
    MORE = 3,
    FORGERIES = 40, /* per number of ranks and mode */
    MOST_RANKS = 3,
    WATCHDOG = 300, /* s */
    SMALL = 1024,
    PART = 3 /* the last of so many parts of the state: there are the records, behind motions and places */
};

typedef struct forged_run
{
    bool reproducible;
    int seed;
    int refused, gone_on, failures;
} forged_run;

/* Another value of a word. Small whole numbers, such as those of bodies, shapes and colours, become others as small in every second forgery. */
static uint64_t change(uint64_t value, bool is_kind, crn_random *random)
{
    static const uint64_t MASKS[] = {1, UINT64_C(1) << 31, UINT64_C(0xff) << 32, UINT64_C(1) << 63, UINT64_MAX};
    double unit = crn_random_unit(random);
    if (is_kind && value < SMALL)
        return (uint64_t)(unit * (double)(2 * value + 4));
    return value ^ MASKS[(size_t)(unit * 5) % 5];
}

/* A state of these bytes with the checksum that they should have. Frees them. */
static cairn_state *seal(forged_run *run, unsigned char *copy, size_t size)
{
    cairn_state *out = NULL;
    uint64_t checksum = crn_hash(copy + CRN_STATE_HEADER, size - CRN_STATE_HEADER);
    memcpy(copy + CRN_STATE_HEADER - 2 * sizeof checksum, &checksum, sizeof checksum);
    run->failures += cairn_state_from_bytes(NULL, copy, size, &out) != CAIRN_OK;
    free(copy);
    return out;
}

static unsigned char *copy_of(const cairn_state *good, size_t *size)
{
    const unsigned char *bytes = cairn_state_bytes(good, size);
    unsigned char *copy = malloc(*size);
    memcpy(copy, bytes, *size);
    return copy;
}

/* Change some words of the state's end. */
static cairn_state *forge(forged_run *run, const cairn_state *good, int forgery, crn_random *random)
{
    size_t size;
    unsigned char *copy = copy_of(good, &size);
    size_t words = size / 8, tail = words / PART;
    for (int k = 0; k < 1 + forgery / 2 % 4; ++k)
    {
        size_t word = words - 1 - (size_t)(crn_random_unit(random) * (double)tail);
        uint64_t value;
        memcpy(&value, copy + 8 * word, sizeof value);
        value = change(value, forgery % 2 == 0, random);
        memcpy(copy + 8 * word, &value, sizeof value);
    }
    return seal(run, copy, size);
}

static void try_forged(forged_run *run, cairn_context *context, cairn_simulation *simulation, const cairn_state *forged)
{
    cairn_status status = cairn_simulation_restore(simulation, forged);
    status = status ? status : cairn_simulation_steps(simulation, MORE);
    if (status && cairn_context_last_message(context)[0] == '\0')
        ++run->failures;
    run->refused += status != CAIRN_OK;
    run->gone_on += status == CAIRN_OK;
    if (status == CAIRN_OK && !isfinite(cairn_simulation_energy(simulation).total))
        ++run->failures;
}

static void work(cairn_context *context, cairn_simulation *simulation, void *data)
{
    forged_run *run = data;
    cairn_state *good = NULL;
    bool ready = !cairn_simulation_steps(simulation, STEPS) && !cairn_simulation_save(simulation, &good);
    run->failures += !ready;
    for (int i = 0; i < FORGERIES && ready; ++i)
    {
        crn_random random = crn_random_start((uint64_t)(run->seed + i), 0);
        cairn_state *forged = forge(run, good, i, &random);
        if (forged)
            try_forged(run, context, simulation, forged);
        cairn_state_destroy(forged);
    }
    /* The one that was not forged is still good. */
    if (ready)
        run->failures += cairn_simulation_restore(simulation, good) || cairn_simulation_steps(simulation, MORE);
    cairn_state_destroy(good);
}

static void adapt(cairn_settings *settings, void *data)
{
    settings->reproducible = ((const forged_run *)data)->reproducible;
}

/* On 1, 2 and 3 ranks, in both modes. */
static void check_scene(const char *name)
{
    int refused = 0;
    for (int i = 0; i < 2 * MOST_RANKS; ++i)
    {
        forged_run run = {.seed = i * FORGERIES, .reproducible = i % 2 == 0};
        shared_scene scene = {.name = name, .adapt = adapt, .work = work, .data = &run};
        assert_int_equal(shared_scene_run(&scene, 1 + i / 2, WATCHDOG), 0);
        assert_int_equal(run.failures, 0);
        assert_int_equal(run.refused + run.gone_on, FORGERIES);
        refused += run.refused;
    }
    assert_true(refused > 0);
}

static void test_spheres(void **unused)
{
    (void)unused;
    check_scene("grains");
}

static void test_shapes(void **unused)
{
    (void)unused;
    check_scene("mixed");
}

static void test_convex(void **unused)
{
    (void)unused;
    check_scene("convex");
}

static void test_periodic(void **unused)
{
    (void)unused;
    check_scene("crystal");
}

static void test_joints(void **unused)
{
    (void)unused;
    check_scene("chains");
}

/* ------------------------------------------------------------------------------------------------------ what must be refused */

/* Words of a record (gpu/ranks/kept.hpp), and of a contact and a joint in it. */
enum
{
    STEP,
    STEPS_TAKEN,
    SPEED,
    TURN = SPEED + 3,
    CONTACTS = TURN + 3,
    JOINTS,
    PLACE,
    BODY_WORDS,
    FINDER = 0,
    OTHER,
    FINDER_SHAPE,
    OTHER_SHAPE,
    CONTACT_WORDS = 13,
    JOINT_WORDS = 33
};

typedef enum damage
{
    LAST_STEP_IS_NO_NUMBER,
    STEPS_ARE_NEGATIVE,
    SPEED_IS_ANOTHER,
    TURN_IS_ANOTHER,
    CONTACTS_ARE_SWAPPED,
    SHAPE_IS_OF_ANOTHER,
    OTHER_SHAPE_IS_OF_ANOTHER,
    JOINT_IS_OF_OTHERS,
    DAMAGES
} damage;

typedef struct refusal_run
{
    forged_run common;
    int tried[DAMAGES], refused[DAMAGES];
} refusal_run;

/* Change a record, if it has what is to be changed; two contacts if there are as many. */
static bool harm(uint64_t *record, damage what)
{
    uint64_t *contact = record + BODY_WORDS, *joint = contact + record[CONTACTS] * CONTACT_WORDS,
             swapped[CONTACT_WORDS];
    bool has_contact = record[CONTACTS] > 0;
    switch (what)
    {
    case LAST_STEP_IS_NO_NUMBER:
        record[STEP] = UINT64_MAX;
        return true;
    case STEPS_ARE_NEGATIVE:
        record[STEPS_TAKEN] = UINT64_MAX;
        return true;
    case SPEED_IS_ANOTHER:
    case TURN_IS_ANOTHER:
        memcpy(&record[what == SPEED_IS_ANOTHER ? SPEED : TURN], &(double){1e9}, sizeof(double));
        return true;
    case CONTACTS_ARE_SWAPPED:
        if (record[CONTACTS] < 2)
            return false;
        memcpy(swapped, contact, sizeof swapped);
        memcpy(contact, contact + CONTACT_WORDS, sizeof swapped);
        memcpy(contact + CONTACT_WORDS, swapped, sizeof swapped);
        return true;
    case SHAPE_IS_OF_ANOTHER:
    case OTHER_SHAPE_IS_OF_ANOTHER: /* only one record has a contact with the floor, which is the first body; 20 is a grain's */
        if (!has_contact || (contact[FINDER] != 0 && contact[OTHER] != 0))
            return false;
        contact[what == SHAPE_IS_OF_ANOTHER ? FINDER_SHAPE : OTHER_SHAPE] = contact[FINDER_SHAPE] == 20 ? 21 : 20;
        return true;
    case JOINT_IS_OF_OTHERS:
        joint[0] = joint[0] > 0 ? 0 : 3;
        return record[JOINTS] > 0;
    case DAMAGES:
        break;
    }
    return false;
}

/* Where the records begin: behind the number of bodies, 13 numbers of each, and where each record begins, the last of which is the end of the state. NULL: nowhere. */
static uint64_t *find_records(uint64_t *word, size_t words, size_t bodies, const uint64_t **first)
{
    for (size_t i = words; i-- > 0;)
    {
        size_t begin = i + 1 + 13 * bodies, records = begin + bodies + 1;
        if (word[i] == bodies && records < words && word[begin] == 0 && word[begin + bodies] == 8 * (words - records))
        {
            *first = &word[begin];
            return &word[records];
        }
    }
    return NULL;
}

static void try_damage(refusal_run *run, cairn_context *context, cairn_simulation *simulation, const cairn_state *good,
                       damage what, size_t body)
{
    size_t size, bodies = (size_t)cairn_model_body_count(cairn_simulation_model(simulation));
    const uint64_t *first = NULL;
    unsigned char *copy = copy_of(good, &size);
    uint64_t *word = malloc(size);
    size_t words = (size - CRN_STATE_HEADER) / 8;
    memcpy(word, copy + CRN_STATE_HEADER, 8 * words);
    uint64_t *record = find_records(word, words, bodies, &first);
    run->common.failures += !record;
    bool is_harmed = record && first[body + 1] > first[body] && harm(record + first[body] / 8, what);
    memcpy(copy + CRN_STATE_HEADER, word, 8 * words);
    free(word);
    cairn_state *forged = seal(&run->common, copy, size);
    int before = run->common.refused;
    if (is_harmed && forged)
        try_forged(&run->common, context, simulation, forged);
    run->tried[what] += is_harmed;
    run->refused[what] += run->common.refused - before;
    cairn_state_destroy(forged);
}

static void harm_all(cairn_context *context, cairn_simulation *simulation, void *data)
{
    refusal_run *run = data;
    cairn_state *good = NULL;
    bool ready = !cairn_simulation_steps(simulation, STEPS) && !cairn_simulation_save(simulation, &good);
    size_t bodies = (size_t)cairn_model_body_count(cairn_simulation_model(simulation));
    run->common.failures += !ready;
    for (int what = 0; what < DAMAGES && ready; ++what)
        for (size_t body = 0; body < bodies && run->tried[what] < 4; ++body)
            try_damage(run, context, simulation, good, (damage)what, body);
    cairn_state_destroy(good);
}

/* All ranks refuse them together, whoever has the record. */
static void check_refusals(const char *name, bool has_joints)
{
    for (int ranks = 1; ranks <= MOST_RANKS; ++ranks)
    {
        refusal_run run = {.common = {.reproducible = true}};
        shared_scene scene = {.name = name, .adapt = adapt, .work = harm_all, .data = &run};
        assert_int_equal(shared_scene_run(&scene, ranks, WATCHDOG), 0);
        assert_int_equal(run.common.failures, 0);
        for (int what = 0; what < DAMAGES; ++what)
        {
            if (run.refused[what] != run.tried[what])
                print_error("%s on %d ranks: damage %d\n", name, ranks, what);
            assert_int_equal(run.refused[what], run.tried[what]);
            assert_true(run.tried[what] > 0 || (what == JOINT_IS_OF_OTHERS && !has_joints));
        }
    }
}

static void test_refusals(void **unused)
{
    (void)unused;
    check_refusals("mixed", false);
    check_refusals("chains", true);
    check_refusals("convex", false);
}

int main(void)
{
    setenv("CAIRN_PROCESSOR_LIBRARY", CAIRN_BUILD_DIR "/libcairn_processor.so", 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_spheres), cmocka_unit_test(test_shapes),
                                       cmocka_unit_test(test_convex),  cmocka_unit_test(test_periodic),
                                       cmocka_unit_test(test_joints),  cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
