/* Any bytes as a checkpoint of one small run: no crash, no hang, a refusal always says something. What is taken is resumed: the
 * simulation goes on, the run file is cut and written, and can be read afterwards, or the resumption is refused.
 *
 * The input is laid over a true checkpoint at a place that its first bytes choose, and the checksums, that of the checkpoint and that
 * of the state in it, are made to fit. Otherwise no input would get past them. */
#include "base/hash.h"
#include "cairn/cairn.h"
#include "run/run_checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    STATE_CHECKSUM = 56, /* place of the checksum in the header of a state */
    STATE_FIELDS = 72    /* place of its first field */
};

static const char SCENE[] =
    "dimension: 2\n"
    "bodies:\n"
    "  - {name: ground, kind: fixed, shapes: [{type: half-plane, normal: [0, 1]}]}\n"
    "  - {name: low, position: [0, 0.5], velocity: [1, 0], shapes: [{type: rectangle, size: [1, 1], density: 1}]}\n"
    "  - {name: high, position: [0.1, 2], shapes: [{type: circle, radius: 0.5, density: 1}]}\n"
    "simulation: {step: 0.01}\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        __builtin_trap();
}

/* These live as long as the program: the folder of its files, a true run file and its checkpoint. */
static char folder[64], run_path[100], checkpoint_path[120];
static unsigned char *run, *truth;
static size_t run_size, truth_size;
static cairn_context *context;
static cairn_scene *scene;

static unsigned char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    must(file && fseek(file, 0, SEEK_END) == 0);
    *size = (size_t)ftell(file);
    unsigned char *bytes = malloc(*size + 1);
    rewind(file);
    must(bytes && fread(bytes, 1, *size, file) == *size);
    fclose(file);
    return bytes;
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    must(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

static cairn_simulation *simulate(void)
{
    cairn_simulation *simulation;
    cairn_settings settings = cairn_scene_settings(scene);
    must(cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation) == CAIRN_OK);
    return simulation;
}

static void record(cairn_recorder *recorder, cairn_simulation *simulation, int steps)
{
    for (int i = 0; i < steps; ++i)
        must(cairn_simulation_step(simulation) == CAIRN_OK && cairn_recorder_write(recorder) == CAIRN_OK);
}

static void remove_files(void)
{
    unlink(run_path);
    unlink(checkpoint_path);
    rmdir(folder);
}

static void prepare(void)
{
    snprintf(folder, sizeof folder, "%s/fuzz-checkpoint-XXXXXX", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    must(mkdtemp(folder));
    snprintf(run_path, sizeof run_path, "%s/run.h5", folder);
    snprintf(checkpoint_path, sizeof checkpoint_path, "%s.checkpoint", run_path);
    atexit(remove_files);
    context = cairn_context_create();
    must(cairn_scene_parse(context, "fuzz", SCENE, strlen(SCENE), NULL, 0, &scene) == CAIRN_OK);
    cairn_simulation *simulation = simulate();
    cairn_recorder *recorder;
    must(cairn_recorder_create(context, run_path, simulation, NULL, &recorder) == CAIRN_OK);
    record(recorder, simulation, 5);
    must(cairn_recorder_checkpoint(recorder, simulation, "note", 4) == CAIRN_OK);
    record(recorder, simulation, 5);
    must(cairn_recorder_close(recorder, "done") == CAIRN_OK);
    cairn_simulation_destroy(simulation);
    run = read_file(run_path, &run_size);
    truth = read_file(checkpoint_path, &truth_size);
}

/* The true checkpoint with the input over a part of it; the end is cut where the input says so. */
static unsigned char *forge(const uint8_t *data, size_t size, size_t *length)
{
    unsigned char *bytes = malloc(truth_size);
    crn_checkpoint_header head;
    must(bytes);
    memcpy(bytes, truth, truth_size);
    memcpy(&head, truth, sizeof head);
    size_t start = ((size_t)data[0] | (size_t)data[1] << 8) % truth_size, state = truth_size - (size_t)head.state_size;
    for (size_t i = 3; i < size && start + i - 3 < truth_size; ++i)
        bytes[start + i - 3] = data[i];
    *length = data[2] == 0 && start > sizeof head ? start : truth_size;
    if (*length > state + STATE_FIELDS)
    {
        uint64_t fields = *length - state - STATE_FIELDS;
        uint64_t checksum = crn_hash(bytes + state + STATE_FIELDS, (size_t)fields);
        memcpy(bytes + state + STATE_CHECKSUM - 8, &fields, sizeof fields);
        memcpy(bytes + state + STATE_CHECKSUM, &checksum, sizeof checksum);
    }
    memcpy(&head, bytes, sizeof head);
    head.size = *length - sizeof head;
    head.state_size = *length > state && data[2] == 0 ? *length - state : head.state_size;
    memcpy(bytes, &head, sizeof head);
    head.checksum = crn_hash_more(crn_checkpoint_begin_hash(&head), bytes + sizeof head, *length - sizeof head);
    memcpy(bytes, &head, sizeof head);
    return bytes;
}

/* Go on from a checkpoint that was taken. Its state may be anything that a state can be, so steps may fail. */
static void go_on(const cairn_checkpoint *checkpoint)
{
    cairn_simulation *simulation = simulate();
    cairn_recorder *recorder;
    cairn_status status = cairn_recorder_resume(context, run_path, checkpoint, simulation, NULL, &recorder);
    must((status == CAIRN_OK) == (recorder != NULL));
    must((status == CAIRN_OK) == (cairn_context_message_count(context) == 0));
    for (int i = 0; i < 2 && recorder && cairn_simulation_step(simulation) == CAIRN_OK; ++i)
        cairn_recorder_write(recorder);
    if (recorder)
        cairn_recorder_close(recorder, "done");
    cairn_simulation_destroy(simulation);
    cairn_context_clear(context);
    cairn_run *again;
    if (cairn_run_open(context, run_path, &again) == CAIRN_OK)
        cairn_run_close(again);
}

static void try_bytes(const void *bytes, size_t size)
{
    cairn_checkpoint *checkpoint;
    write_file(run_path, run, run_size);
    write_file(checkpoint_path, bytes, size);
    cairn_status status = cairn_checkpoint_open(context, run_path, &checkpoint);
    must((status == CAIRN_OK) == (checkpoint != NULL));
    must((status == CAIRN_OK) == (cairn_context_message_count(context) == 0));
    if (checkpoint)
        go_on(checkpoint);
    cairn_checkpoint_close(checkpoint);
    cairn_context_clear(context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!context)
        prepare();
    try_bytes(data, size);
    if (size > 3)
    {
        size_t length;
        unsigned char *bytes = forge(data, size, &length);
        try_bytes(bytes, length);
        free(bytes);
    }
    return 0;
}
