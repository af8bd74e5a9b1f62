/* Any bytes as a scene: no crash, no hang, and a refusal always says something. */
#include "cairn/scene.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = NULL;
    if (context == NULL)
        return 0;
    cairn_status status = cairn_scene_parse(context, "fuzz", (const char *)data, size, NULL, 0, &scene);
    bool silent = cairn_context_message_count(context) == 0;
    if ((status == CAIRN_OK) != (scene != NULL) || (status == CAIRN_OK) != silent)
        __builtin_trap();
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
    return 0;
}
