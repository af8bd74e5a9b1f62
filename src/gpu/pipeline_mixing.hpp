/* Rounds of damped sweeps in the pipeline (mixing.hpp). */
#pragma once

#include "pipeline.hpp"

namespace crn
{

/* What is mixed are the impulses of contacts. Where there are joints or moments they are not all, and ranks have only a part of them. */
inline bool Pipeline::can_mix() const
{
    return tolerance > 0 && !team && world.joints.count == 0 && !world.shapes.ordered_extra;
}

/* The velocities of the mixture are those of the certificate. */
inline void Pipeline::mix(const Rounds &rounds)
{
    Products found = {};
    machine.reduce(world.capacity, MultiplyRounds{world, rounds.count(), rounds.newest()}, AddProducts{}, products);
    machine.copy_out(&found, products, sizeof found);
    machine.launch(world.capacity, Mix{world, rounds.count(), rounds.newest(), rounds.solve(found)});
    enqueue_judgement();
}

inline void Pipeline::enqueue_mixed_round(int more, Rounds &rounds)
{
    if (rounds.count() > 1)
        mix(rounds);
    machine.launch(world.n, Refresh{world});
    machine.launch(world.capacity, NoteStart{world, rounds.next()});
    enqueue_sweeps(more, true);
    machine.launch(world.capacity, NoteEnd{world, rounds.next()});
    rounds.add();
    enqueue_judgement();
}

} // namespace crn
