/* A run that ranks share resumes from its checkpoint, which has more contacts than process 0 takes at a time. They stay in the file until a step is taken, and so do the records
 * of the ranks; nobody can tell. */
#include "cairn/cairn.h"
#include "cairn/ranks.h"

#include "model/model.h"
#include "support/check.h"
#include "support/led_ranks.h"
#include "support/touching.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    SIDE = 24,
    LAYERS = 12,
    BODIES = 1 + SIDE * SIDE * LAYERS,
    MANY = 16384, /* contacts: more are not listed */
    MORE = 3
};

typedef struct resumed_run
{
    cairn_context *context;
    cairn_model *model;
    cairn_settings settings;
    cairn_state *before; /* as it was when the checkpoint was written */
    cairn_contact *contact;
    int contacts;
    cairn_body_state *after; /* where bodies are MORE steps later */
    int failures;
} resumed_run;

static bool is_good(resumed_run *run, cairn_status status)
{
    if (status)
        print_error("%s\n", cairn_context_last_message(run->context));
    run->failures += status != CAIRN_OK;
    return status == CAIRN_OK;
}

static void expect(resumed_run *run, bool good, const char *what)
{
    if (!good)
        print_error("%s\n", what);
    run->failures += !good;
}

static void write_checkpoint(resumed_run *run, cairn_simulation *simulation)
{
    cairn_recorder_options options = cairn_recorder_default();
    cairn_recorder *recorder = NULL;
    if (is_good(run, cairn_recorder_create(run->context, "resumed.h5", simulation, &options, &recorder)))
    {
        is_good(run, cairn_recorder_checkpoint(recorder, simulation, NULL, 0));
        is_good(run, cairn_recorder_close(recorder, "done"));
    }
}

static void list_contacts(resumed_run *run, const cairn_simulation *simulation)
{
    run->contacts = cairn_simulation_contact_count(simulation);
    run->contact = calloc((size_t)run->contacts + 1, sizeof *run->contact);
    for (int i = 0; i < run->contacts; ++i)
        run->contact[i] = cairn_simulation_contact(simulation, i);
}

static void read_bodies(const cairn_simulation *simulation, cairn_body_state *body)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    for (int i = 0; i < BODIES; ++i)
        body[i] = cairn_simulation_body(simulation, cairn_model_body(model, i));
}

/* The run that is not interrupted. */
static void run_through(resumed_run *run)
{
    cairn_simulation *simulation = NULL;
    run->after = calloc(BODIES, sizeof *run->after);
    if (is_good(run, cairn_simulation_create(run->context, run->model, &run->settings, &simulation)) &&
        is_good(run, cairn_simulation_steps(simulation, 2)) &&
        is_good(run, cairn_simulation_save(simulation, &run->before)))
    {
        list_contacts(run, simulation);
        write_checkpoint(run, simulation);
        is_good(run, cairn_simulation_steps(simulation, MORE));
        read_bodies(simulation, run->after);
    }
    cairn_simulation_destroy(simulation);
}

/* has_bytes: somebody has asked for the bytes of the state, which are in memory then, too. */
static cairn_simulation *resume(resumed_run *run, bool has_bytes)
{
    cairn_simulation *simulation = NULL;
    cairn_checkpoint *checkpoint = NULL;
    size_t size;
    if (is_good(run, cairn_checkpoint_open(run->context, "resumed.h5", &checkpoint)) &&
        is_good(run, cairn_simulation_create(run->context, run->model, &run->settings, &simulation)))
    {
        expect(run, !has_bytes || cairn_state_bytes(cairn_checkpoint_state(checkpoint), &size), "bytes of a state");
        is_good(run, cairn_simulation_restore(simulation, cairn_checkpoint_state(checkpoint)));
    }
    cairn_checkpoint_close(checkpoint);
    return simulation;
}

/* In the order of the file, and then some of them again. */
static void compare_contacts(resumed_run *run, const cairn_simulation *simulation)
{
    expect(run, run->contacts > MANY && cairn_simulation_contact_count(simulation) == run->contacts,
           "number of contacts");
    for (int k = 0; k < run->contacts + 20; ++k)
    {
        int i = k < run->contacts ? k : (k * 7919) % run->contacts;
        cairn_contact contact = cairn_simulation_contact(simulation, i);
        if (memcmp(&contact, &run->contact[i], sizeof contact))
        {
            expect(run, false, "a contact");
            break;
        }
    }
}

static void compare_states(resumed_run *run, cairn_simulation *simulation)
{
    cairn_state *state = NULL;
    size_t size[2];
    if (is_good(run, cairn_simulation_save(simulation, &state)))
    {
        const void *a = cairn_state_bytes(run->before, &size[0]), *b = cairn_state_bytes(state, &size[1]);
        expect(run, size[0] == size[1] && !memcmp(a, b, size[0]), "the state that is saved at once");
    }
    cairn_state_destroy(state);
}

static void compare_motions(resumed_run *run, const cairn_simulation *simulation)
{
    cairn_body_state *body = calloc(BODIES, sizeof *body);
    read_bodies(simulation, body);
    expect(run, !memcmp(body, run->after, BODIES * sizeof *body), "motions after more steps");
    free(body);
}

static void go_on(resumed_run *run)
{
    cairn_simulation *simulation = resume(run, false);
    cairn_state *state = NULL;
    compare_contacts(run, simulation);
    compare_states(run, simulation);
    write_checkpoint(run, simulation); /* in the place of the one that it resumes from */
    is_good(run, cairn_simulation_steps(simulation, MORE));
    compare_motions(run, simulation);
    expect(run, run->model->unmade.count == BODIES - 1, "no grain is made for a run that resumes");
    /* A state in memory does the same. */
    is_good(run, cairn_simulation_restore(simulation, run->before));
    compare_contacts(run, simulation);
    is_good(run, cairn_simulation_steps(simulation, MORE));
    compare_motions(run, simulation);
    cairn_state_destroy(state);
    cairn_simulation_destroy(simulation);
    simulation = resume(run, true); /* from the one that was written at once */
    compare_contacts(run, simulation);
    is_good(run, cairn_simulation_steps(simulation, MORE));
    compare_motions(run, simulation);
    cairn_simulation_destroy(simulation);
}

/* Somebody has cut the file meanwhile. */
static void lose(resumed_run *run)
{
    cairn_simulation *simulation = resume(run, false);
    const double *velocity;
    int stride;
    expect(run, truncate("resumed.h5.checkpoint", 4096) == 0, "the file is cut");
    const cairn_body_state last = cairn_simulation_body(simulation, cairn_model_body(run->model, BODIES - 1));
    expect(run, isnan(last.position[0]), "a body that cannot be read is nowhere");
    expect(run, cairn_simulation_velocities(simulation, &velocity, &stride) == CAIRN_IO, "nor are all of them");
    expect(run,
           cairn_simulation_steps(simulation, 1) == CAIRN_IO &&
               strstr(cairn_context_last_message(run->context), "cannot be read"),
           cairn_context_last_message(run->context));
    cairn_simulation_destroy(simulation);
}

static void lead(cairn_context *context, cairn_ranks *ranks, void *data)
{
    resumed_run *run = data;
    run->context = context;
    run->settings = touching_settings();
    run->settings.reproducible = true;
    if (is_good(run, cairn_context_join(run->context, ranks)) &&
        is_good(run, cairn_model_create(run->context, 3, &run->model)) &&
        is_good(run, touching_build(run->model, SIDE, LAYERS)))
    {
        run_through(run);
        go_on(run);
        lose(run);
    }
    cairn_state_destroy(run->before);
    free(run->contact);
    free(run->after);
    cairn_model_destroy(run->model);
}

static void test_resumed(void **unused)
{
    (void)unused;
    for (int ranks = TAKES_ALL ? 1 : 3; ranks <= 3; ranks += 2)
    {
        resumed_run run = {.contacts = 0};
        assert_int_equal(led_ranks_run(&(led_ranks){.lead = lead, .data = &run}, ranks, 300), 0);
        assert_int_equal(run.failures, 0);
    }
}

int main(void)
{
    setenv("CAIRN_PROCESSOR_LIBRARY", CAIRN_BUILD_DIR "/libcairn_processor.so", 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_resumed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
