/* Planar scenes: bodies in the plane y = 0 that turn about the y axis alone. Engines for the plane see x and z as their x and y. A
 * rotation by `angle` takes x towards z, so it is one by -angle about y. */
#ifndef BENCH_PEERS_PLANAR_H
#define BENCH_PEERS_PLANAR_H

#include "scene.h"

CAIRN_BEGIN_DECLS

typedef struct peer_planar
{
    double position[2];
    double angle;
    double velocity[2];
    double spin;
} peer_planar;

peer_planar peer_to_planar(const peer_state *state);
peer_state peer_from_planar(const peer_planar *state);

CAIRN_END_DECLS

#endif
