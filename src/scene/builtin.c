/* The built-in scenes and the schema. */
#include "scene/builtin.h"

#include <string.h>

int cairn_builtin_count(void)
{
    return crn_builtin_scene_count;
}

cairn_builtin cairn_builtin_scene(int index)
{
    if (index < 0 || index >= crn_builtin_scene_count)
        return (cairn_builtin){.name = "", .title = "", .text = ""};
    return crn_builtin_scenes[index];
}

const cairn_builtin *cairn_builtin_find(const char *name)
{
    for (int i = 0; name && i < crn_builtin_scene_count; ++i)
        if (strcmp(crn_builtin_scenes[i].name, name) == 0)
            return &crn_builtin_scenes[i];
    return NULL;
}

const char *cairn_scene_schema(void)
{
    return (const char *)crn_schema_bytes;
}
