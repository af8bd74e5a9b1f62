/* What the driver (drive.c) asks of an engine. Each engine_*.c or engine_*.cpp implements these functions, and each is linked with
 * the driver into a program of its own, so that processes share nothing and their memory can be compared. */
#ifndef BENCH_PEERS_ENGINE_H
#define BENCH_PEERS_ENGINE_H

#include "scene.h"

#include <stddef.h>

CAIRN_BEGIN_DECLS

typedef struct peer_world peer_world;

/* Name, version and precision of the engine, in a few words. */
void peer_describe(char *text, size_t size);

/* Print the names of the settings that peer_create accepts, one per line. */
void peer_list_settings(void);

/* Build the scene. Settings are "name=value" texts; what is not set has the engine's default. NULL, with a sentence in `error`,
* when a setting is unknown or the engine refuses the scene. */
peer_world *peer_create(const peer_scene *scene, char *const *settings, int setting_count, char *error, size_t size);

/* Take one step: collision detection, solution and motion. False, with a sentence in `error`, when the engine gave up. */
bool peer_step(peer_world *world, char *error, size_t size);

/* Read the states of all bodies. */
void peer_read(const peer_world *world, peer_state *states);

void peer_destroy(peer_world *world);

/* Services of the driver: the number after "name=" when the setting has this name; false otherwise. */
bool peer_setting_number(const char *setting, const char *name, double *value);

CAIRN_END_DECLS

#endif
