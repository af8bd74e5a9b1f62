/* Any bytes as a saved state of one small simulation: no crash, no hang, a refusal always says something and changes nothing, and
 * the true state can be restored after every input.
 *
 * The input is laid over the fields of a true state, and the checksum in the header is made to fit. Otherwise no input would get
 * past it, and the checks behind it would never run. The first bytes choose where the input lies. */
#include "base/hash.h"
#include "cairn/scene.h"
#include "cairn/state.h"

#include <stdlib.h>
#include <string.h>

enum
{
    CHECKSUM = 56, /* place of the checksum in the header */
    FIELDS = 72    /* place of the first field */
};

static const char SCENE[] =
    "dimension: 2\n"
    "materials: [{name: soft, friction: 0.4}]\n"
    "bodies:\n"
    "  - {name: ground, kind: fixed, material: soft, shapes: [{type: half-plane, normal: [0, 1]}]}\n"
    "  - {name: low, position: [0, 0.5], velocity: [1, 0], material: soft, shapes: [{type: rectangle, size: [1, 1], "
    "density: 1}]}\n"
    "  - {name: high, position: [0.1, 2], material: soft, shapes: [{type: circle, radius: 0.5, density: 1}]}\n"
    "springs: [{name: coil, type: linear, bodies: [low, high], stiffness: 10, damping: 1}]\n"
    "simulation: {step: 0.01, integrator: stiff2}\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        __builtin_trap();
}

/* These live as long as the program. */
static cairn_context *context;
static cairn_scene *scene;
static cairn_simulation *simulation;
static cairn_state *truth;

static void prepare(void)
{
    context = cairn_context_create();
    must(cairn_scene_parse(context, "fuzz", SCENE, strlen(SCENE), NULL, 0, &scene) == CAIRN_OK);
    cairn_settings settings = cairn_scene_settings(scene);
    must(cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation) == CAIRN_OK);
    for (int i = 0; i < 20; ++i)
        must(cairn_simulation_step(simulation) == CAIRN_OK);
    must(cairn_simulation_save(simulation, &truth) == CAIRN_OK);
}

/* The true state with the input over a part of its fields; the end is cut where the input says so. */
static unsigned char *forge(const uint8_t *data, size_t size, size_t *length)
{
    const void *from = cairn_state_bytes(truth, length);
    unsigned char *bytes = malloc(*length);
    must(bytes);
    memcpy(bytes, from, *length);
    size_t room = *length - FIELDS, start = FIELDS + ((size_t)data[0] | (size_t)data[1] << 8) % room;
    for (size_t i = 3; i < size && start + i - 3 < *length; ++i)
        bytes[start + i - 3] = data[i];
    if (data[2] == 0)
        *length = start;
    uint64_t fields = *length - FIELDS, checksum = crn_hash(bytes + FIELDS, *length - FIELDS);
    memcpy(bytes + CHECKSUM - 8, &fields, sizeof fields);
    memcpy(bytes + CHECKSUM, &checksum, sizeof checksum);
    return bytes;
}

static void try_forged(const uint8_t *data, size_t size)
{
    size_t length;
    unsigned char *bytes = forge(data, size, &length);
    cairn_state *read;
    must(cairn_state_from_bytes(context, bytes, length, &read) == CAIRN_OK);
    double before = cairn_simulation_time(simulation);
    cairn_status status = cairn_simulation_restore(simulation, read);
    must(status == CAIRN_OK || cairn_simulation_time(simulation) == before);
    must((status == CAIRN_OK) == (cairn_context_message_count(context) == 0));
    cairn_state_destroy(read);
    free(bytes);
    cairn_context_clear(context);
    must(cairn_simulation_restore(simulation, truth) == CAIRN_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!context)
        prepare();
    cairn_state *read;
    cairn_status status = cairn_state_from_bytes(context, data, size, &read);
    must((status == CAIRN_OK) == (read != NULL));
    must((status == CAIRN_OK) == (cairn_context_message_count(context) == 0));
    cairn_state_destroy(read);
    cairn_context_clear(context);
    if (size > 3)
        try_forged(data, size);
    return 0;
}
