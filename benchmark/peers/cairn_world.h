/* A scene as a model of Cairn: for its driver, and for the program that measures penetrations. */
#ifndef BENCH_PEERS_CAIRN_WORLD_H
#define BENCH_PEERS_CAIRN_WORLD_H

#include "scene.h"

#include "cairn/cairn.h"

/* Add the bodies of a scene to a new model: body i of the scene is body i of the model, and a fixed body with all planes follows
 * them. NULL, with messages in the context, on failure. */
cairn_model *peer_cairn_model(cairn_context *context, const peer_scene *scene);

/* The same for a planar scene: a planar model. */
cairn_model *peer_cairn_plane_model(cairn_context *context, const peer_scene *scene);

/* The scene's friction for all contacts. The default material has 0.5; another value is set for the pair of it with itself. */
cairn_status peer_cairn_set_friction(cairn_model *model, const peer_scene *scene);

/* A state in Cairn's form: its angular velocities are in the body's frame. */
cairn_body_state peer_to_cairn(const peer_state *state);
peer_state peer_from_cairn(const cairn_body_state *state);

#endif
