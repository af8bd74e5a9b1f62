/* Any bytes as a robot: no crash, no hang, a refusal always says something, and what is taken is a scene of which a simulation can be asked
 * for. */
#include "cairn/export.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        __builtin_trap();
}

/* What was read can be written, or a sentence says why not. */
static void export_both(cairn_context *context, const cairn_model *model)
{
    for (int format = 0; format < 2; ++format)
    {
        char *text;
        cairn_context_clear(context);
        cairn_status status =
            format ? cairn_model_mjcf(model, NULL, &text, NULL) : cairn_model_urdf(model, NULL, &text, NULL);
        must((status == CAIRN_OK) == (text != NULL));
        must(status == CAIRN_OK || cairn_context_last_message(context)[0] != '\0');
        cairn_text_destroy(text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_context *context = cairn_context_create();
    cairn_import_notes *notes;
    cairn_scene *scene;
    if (!context)
        return 0;
    cairn_status status = cairn_import_parse(context, "fuzz", (const char *)data, size, NULL, &notes, &scene);
    must((status == CAIRN_OK) == (scene != NULL) && (notes != NULL) == (scene != NULL));
    must(status == CAIRN_OK || cairn_context_last_message(context)[0] != '\0');
    for (int i = 0; i < cairn_import_note_count(notes); ++i)
        must(cairn_import_note(notes, i).text[0] != '\0' && !strcmp(cairn_import_note(notes, i).file, "fuzz"));
    if (scene)
    {
        cairn_settings settings = cairn_scene_settings(scene);
        cairn_simulation *simulation;
        status = cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation);
        must((status == CAIRN_OK) == (simulation != NULL));
        cairn_simulation_destroy(simulation);
        export_both(context, cairn_scene_model(scene));
    }
    cairn_import_notes_destroy(notes);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
    return 0;
}
