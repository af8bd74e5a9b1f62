/* Accuracy of a frame, from poses and velocities alone: the same code for every engine.
 *
 * A contact is a pair of bodies, or of a body and a plane, whose gap is below TOUCHING of the scene's size; its penetration is
 * max(0, -gap). So contacts that an engine holds exactly count with 0, and pairs that are merely close do not count. */
#ifndef BENCH_PEERS_JUDGE_H
#define BENCH_PEERS_JUDGE_H

#include "scene.h"

#include "cairn/cairn.h"

/* Share of the scene's size. */
static const double PEER_TOUCHING = 1e-3;

typedef struct peer_judge
{
    const peer_scene *scene;
    cairn_context *context;
    cairn_model *model;
    cairn_query *query;
    /* One per body and one for the ground: poses for the query. */
    cairn_body_state *poses;
    /* Bodies by their least x, and their bounding radii. */
    int *order;
    double *reach;
} peer_judge;

typedef struct peer_accuracy
{
    int contacts;
    /* Penetration over the scene's size: mean over contacts, and the largest. */
    double mean, worst;
    /* Largest distance of a hinge's points over the size, or angle (rad) between its axes. */
    double joint;
    /* J: kinetic and potential. */
    double energy;
} peer_accuracy;

/* False, with a sentence on standard error, when memory runs out or the scene cannot be built. */
bool peer_judge_create(const peer_scene *scene, peer_judge *out);
void peer_judge_destroy(peer_judge *judge);

/* Measure one frame: a state per body. */
peer_accuracy peer_judge_frame(peer_judge *judge, const peer_state *states);

/* Largest displacement of a body between two frames, over the scene's size. */
double peer_drift(const peer_scene *scene, const peer_state *before, const peer_state *after);

/* J: weight times the height of the scene at its start, to which changes of energy are compared. */
double peer_energy_scale(const peer_scene *scene);

#endif
