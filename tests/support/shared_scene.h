/* A scene of tests/data/ranks that ranks share, as threads: rank 0 loads it and works with its simulation, the others take part. */
#ifndef CAIRN_TESTS_SUPPORT_SHARED_SCENE_H
#define CAIRN_TESTS_SUPPORT_SHARED_SCENE_H

#include "cairn/cairn.h"
#include "cairn/ranks.h"

typedef struct shared_scene
{
    const char *name;
    void (*adapt)(cairn_settings *settings, void *data); /* NULL: the settings are the scene's */
    void (*work)(cairn_context *context, cairn_simulation *simulation, void *data);
    cairn_status (*serve)(cairn_context *context, cairn_ranks *ranks); /* of the other ranks; NULL: cairn_ranks_serve */
    void *data;
    int failures; /* of the scene and its simulation; what they are is printed */
} shared_scene;

/* The process ends by a signal if it takes longer than `seconds`. Returns the failures. */
int shared_scene_run(shared_scene *scene, int ranks, int seconds);

#endif
