/* Checkpoints that are damaged, forged, cut off or of another scene, where process 0 has a recipe of the grains in place of the grains: they are refused with the sentence that is told where it has
 * all of them, and no grain is made for that. Forged ones have the right checksums. */
#include "cairn/cairn.h"
#include "cairn/ranks.h"

#include "base/hash.h"
#include "model/model.h"
#include "run/run_checkpoint.h"
#include "step/keep/walk.h"
#include "support/check.h"
#include "support/led_ranks.h"
#include "support/touching.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SIDE = 14,
    LAYERS = 6,
    GRAINS = SIDE * SIDE * LAYERS,
    CHOSEN = 1100, /* a grain whose words are forged, and its number among the device's bodies */
    NUMBERS = 13,  /* of a motion, as ranks have it: place, orientation, velocities */
    TEXT = 512
};

static const char PATH[] = "refused.h5", FILE_PATH[] = "refused.h5.checkpoint";

/* Places in a checkpoint, in bytes: of the state, of the chosen grain's coordinates and velocity in it, and of what ranks have of its motion. */
typedef struct places
{
    size_t state, place, rate, motion;
} places;

typedef struct refused_run
{
    cairn_context *context;
    unsigned char *bytes;
    size_t size;
    places at;
    bool is_made;
    char told[TEXT]; /* what was said last; "": nothing */
    int failures;
} refused_run;

static void expect(refused_run *run, bool good, const char *what)
{
    if (!good)
        print_error("%s: %s\n", what, run->told);
    run->failures += !good;
}

static bool is_good(refused_run *run, cairn_status status)
{
    if (status)
        (void)strncpy(run->told, cairn_context_last_message(run->context), TEXT - 1);
    return status == CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- forgeries */

static void put_number(refused_run *run, size_t at, double value)
{
    memcpy(run->bytes + at, &value, sizeof value);
}

static void lose_place(refused_run *run)
{
    put_number(run, run->at.place, NAN);
}

static void lose_orientation(refused_run *run)
{
    memset(run->bytes + run->at.place + 3 * sizeof(double), 0, 4 * sizeof(double));
}

static void lose_velocity(refused_run *run)
{
    put_number(run, run->at.rate, INFINITY);
}

static void move_motion(refused_run *run)
{
    double x;
    memcpy(&x, run->bytes + run->at.motion, sizeof x);
    put_number(run, run->at.motion, x + 1e-4);
}

/* The records of bodies begin at ascending places, which follow the motions of all. */
static void mix_records(refused_run *run)
{
    size_t begins = run->at.motion + (GRAINS - CHOSEN) * NUMBERS * sizeof(double);
    const int64_t wrong = -8;
    memcpy(run->bytes + begins + (CHOSEN + 1) * sizeof wrong, &wrong, sizeof wrong);
}

static void cut_count(refused_run *run)
{
    const size_t behind = 2 * sizeof(uint64_t), before = run->at.motion - CHOSEN * NUMBERS * sizeof(double);
    const uint64_t few = 100; /* words */
    memcpy(run->bytes + before - behind - sizeof few, &few, sizeof few);
}

static void move_both(refused_run *run)
{
    double x;
    memcpy(&x, run->bytes + run->at.place, sizeof x);
    put_number(run, run->at.place, x + 1e-9);
    put_number(run, run->at.motion, x + 1e-9);
}

/* Somebody pulls at a body, without any force. Ten numbers and flags of the pull come before all coordinates. */
static void pull(refused_run *run, uint64_t body)
{
    size_t at = run->at.place - (7 * CHOSEN + 10) * sizeof body;
    const uint64_t words[2] = {1, body};
    memcpy(run->bytes + at, words, sizeof words);
}

static void pull_at_grain(refused_run *run)
{
    pull(run, GRAINS);
}

static void pull_at_nothing(refused_run *run)
{
    pull(run, GRAINS + 1);
}

static void pull_at_floor(refused_run *run)
{
    pull(run, 0);
}

static void leave(refused_run *run)
{
    (void)run;
}

/* Right checksums of the state and of the file. */
static void seal(refused_run *run)
{
    size_t begin = run->at.state + CRN_STATE_HEADER;
    uint64_t sum = crn_hash(run->bytes + begin, run->size - begin);
    memcpy(run->bytes + begin - 2 * sizeof sum, &sum, sizeof sum);
    crn_checkpoint_header head;
    memcpy(&head, run->bytes, sizeof head);
    head.checksum = crn_hash_more(crn_checkpoint_begin_hash(&head), run->bytes + sizeof head, run->size - sizeof head);
    memcpy(run->bytes, &head, sizeof head);
}

static void spoil(refused_run *run)
{
    run->bytes[run->at.motion] ^= 1;
}

static void cut_off(refused_run *run)
{
    run->size -= 8;
}

/* told: part of the sentence; NULL: the run goes on, with the grains on process 0, since ranks have lost what they went on from, or somebody pulls at one. */
typedef struct forgery
{
    void (*forge)(refused_run *run);
    bool is_sealed;
    int layers; /* of the scene that resumes */
    const char *told;
} forgery;

static const forgery FORGERIES[] = {
    {lose_place, true, LAYERS, "restore: the state makes no sense at the positions"},
    {lose_orientation, true, LAYERS, "restore: the state makes no sense at an orientation"},
    {lose_velocity, true, LAYERS, "restore: the state makes no sense at the velocities"},
    {move_motion, true, LAYERS, "what the state has of the motion of body 1101, counted from 1, is damaged"},
    {mix_records, true, LAYERS, "what the state has of the last step is damaged"},
    {cut_count, true, LAYERS, "restore: the state makes no sense at its end: there is more"},
    {leave, true, LAYERS + 1, "restore: the state belongs to another model"},
    {spoil, false, LAYERS, "is of no use: it is damaged"},
    {cut_off, false, LAYERS, "is of no use: it is cut off"},
    {pull_at_nothing, true, LAYERS, "restore: the state makes no sense at the pull"},
    {pull_at_floor, true, LAYERS, "restore: the state makes no sense at the pull"},
    {pull_at_grain, true, LAYERS, NULL},
    {move_both, true, LAYERS, NULL},
    {leave, true, LAYERS, ""},
};

/* ----------------------------------------------------------------------------------------------------------------- write */

/* Where some bytes are for the first time from a place on; the size of all of them if they are nowhere. */
static size_t find(const refused_run *run, size_t from, const void *bytes, size_t size)
{
    while (from + size <= run->size && memcmp(run->bytes + from, bytes, size) != 0)
        ++from;
    if (from + size > run->size)
        ++((refused_run *)(uintptr_t)run)->failures;
    return from + size <= run->size ? from : run->size;
}

static void find_places(refused_run *run, const cairn_body_state *chosen)
{
    const size_t three = 3 * sizeof(double);
    run->at.state = find(run, 0, "cairnsta", 8);
    run->at.place = find(run, run->at.state, chosen->position, three);
    run->at.rate = find(run, run->at.place, chosen->velocity, three);
    run->at.motion = find(run, run->at.rate, chosen->position, three);
}

static void read_all(refused_run *run)
{
    FILE *file = fopen(FILE_PATH, "rb");
    run->size = 0;
    run->bytes = malloc(1 << 24);
    run->size = file && run->bytes ? fread(run->bytes, 1, 1 << 24, file) : 0;
    if (file)
        fclose(file);
}

static void write_all(refused_run *run)
{
    FILE *file = fopen(FILE_PATH, "wb");
    bool good = file && fwrite(run->bytes, 1, run->size, file) == run->size;
    good = file && fclose(file) == 0 && good;
    expect(run, good, "a forged file is written");
}

static cairn_settings settings_of(void)
{
    cairn_settings settings = touching_settings();
    settings.reproducible = true;
    return settings;
}

static void write_checkpoint(refused_run *run)
{
    cairn_model *model = NULL;
    cairn_simulation *simulation = NULL;
    cairn_recorder *recorder = NULL;
    const cairn_settings settings = settings_of();
    if (is_good(run, cairn_model_create(run->context, 3, &model)) &&
        is_good(run, touching_build(model, SIDE, LAYERS)) &&
        is_good(run, cairn_simulation_create(run->context, model, &settings, &simulation)) &&
        is_good(run, cairn_simulation_steps(simulation, 5)) &&
        is_good(run, cairn_recorder_create(run->context, PATH, simulation, NULL, &recorder)))
    {
        is_good(run, cairn_recorder_checkpoint(recorder, simulation, NULL, 0));
        const cairn_body_state chosen = cairn_simulation_body(simulation, cairn_model_body(model, 1 + CHOSEN));
        is_good(run, cairn_recorder_close(recorder, "done"));
        read_all(run);
        find_places(run, &chosen);
    }
    expect(run, run->told[0] == '\0' && model->unmade.count > 0, "a checkpoint is written without a grain");
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
}

/* ---------------------------------------------------------------------------------------------------------------- resume */

static void go_on(refused_run *run, const cairn_model *model, const forgery *of)
{
    cairn_simulation *simulation = NULL;
    cairn_checkpoint *checkpoint = NULL;
    const cairn_settings settings = settings_of();
    run->told[0] = '\0';
    if (is_good(run, cairn_simulation_create(run->context, model, &settings, &simulation)) &&
        is_good(run, cairn_checkpoint_open(run->context, PATH, &checkpoint)) &&
        is_good(run, cairn_simulation_restore(simulation, cairn_checkpoint_state(checkpoint))))
        is_good(run, cairn_simulation_steps(simulation, 2));
    bool is_refused = of->told && of->told[0] != '\0', is_lost = !of->told;
    expect(run, is_refused ? strstr(run->told, of->told) != NULL : run->told[0] == '\0', "the sentence");
    expect(run, (model->unmade.count == 0) == (run->is_made || is_lost), "no grain is made to refuse a checkpoint");
    expect(run, simulation && isfinite(cairn_simulation_energy(simulation).total), "energies are numbers");
    cairn_checkpoint_close(checkpoint);
    cairn_simulation_destroy(simulation);
}

static void try_one(refused_run *run, const forgery *of)
{
    cairn_model *model = NULL;
    if (is_good(run, cairn_model_create(run->context, 3, &model)) &&
        is_good(run, touching_build(model, SIDE, of->layers)))
    {
        if (run->is_made)
            expect(run, cairn_model_body_mass(model, cairn_model_body(model, 1)) > 0, "grains weigh something");
        go_on(run, model, of);
    }
    cairn_model_destroy(model);
}

static void try_all(refused_run *good)
{
    for (size_t i = 0; i < sizeof FORGERIES / sizeof FORGERIES[0] && good->failures == 0; ++i)
    {
        refused_run run = *good;
        char told[TEXT];
        run.bytes = malloc(run.size);
        memcpy(run.bytes, good->bytes, run.size);
        FORGERIES[i].forge(&run);
        if (FORGERIES[i].is_sealed)
            seal(&run);
        write_all(&run);
        try_one(&run, &FORGERIES[i]);
        memcpy(told, run.told, sizeof told);
        run.is_made = true;
        try_one(&run, &FORGERIES[i]);
        expect(&run, !strcmp(told, run.told), "the same sentence where the grains are made");
        good->failures = run.failures;
        free(run.bytes);
    }
}

static void lead(cairn_context *context, cairn_ranks *ranks, void *data)
{
    refused_run *run = data;
    run->context = context;
    if (is_good(run, cairn_context_join(context, ranks)))
        write_checkpoint(run);
    if (run->failures == 0)
        try_all(run);
    free(run->bytes);
}

static void test_forged_checkpoints(void **unused)
{
    (void)unused;
    for (int ranks = 1; ranks <= 3; ranks += 2)
    {
        refused_run run = {.size = 0};
        assert_int_equal(led_ranks_run(&(led_ranks){.lead = lead, .data = &run}, ranks, 300), 0);
        assert_int_equal(run.failures, 0);
    }
}

int main(void)
{
    setenv("CAIRN_PROCESSOR_LIBRARY", CAIRN_BUILD_DIR "/libcairn_processor.so", 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forged_checkpoints)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
