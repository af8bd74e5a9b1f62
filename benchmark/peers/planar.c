#include "planar.h"

#include <math.h>

peer_planar peer_to_planar(const peer_state *state)
{
    return (peer_planar){.position = {state->position[0], state->position[2]},
                         .angle = -2 * atan2(state->orientation[2], state->orientation[0]),
                         .velocity = {state->velocity[0], state->velocity[2]},
                         .spin = -state->spin[1]};
}

peer_state peer_from_planar(const peer_planar *state)
{
    return (peer_state){.position = {state->position[0], 0, state->position[1]},
                        .orientation = {cos(0.5 * state->angle), 0, -sin(0.5 * state->angle), 0},
                        .velocity = {state->velocity[0], 0, state->velocity[1]},
                        .spin = {0, -state->spin, 0}};
}
