/* Who is to blame when a step has no solution: the bodies of the first island that has none. */
#include "step/simulation.h"

#include <stdio.h>

enum
{
    MOST_NAMES = 4
};

static const char *block_name(const cairn_simulation *s, int block)
{
    const crn_layout *layout = s->layout;
    return block < layout->body_block_count ? s->model->bodies[layout->block_body[block]].name
                                            : s->model->systems[block - layout->body_block_count].name;
}

static void name_blocks(const cairn_simulation *s, const cairn_island *island, char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < island->block_count && i < MOST_NAMES && used < size; ++i)
    {
        used +=
            (size_t)snprintf(text + used, size - used, "%s'%.60s'", i > 0 ? ", " : "", block_name(s, island->block[i]));
    }
    if (island->block_count > MOST_NAMES && used < size)
        snprintf(text + used, size - used, " and %d more", island->block_count - MOST_NAMES);
}

cairn_status crn_report_unsolved(cairn_simulation *s, const crn_stage *stage)
{
    int contacts = stage->assembly.problem.contact_count;
    for (int k = 0; k < cairn_solver_island_count(stage->solver); ++k)
    {
        cairn_island island = cairn_solver_island(stage->solver, k);
        if (island.outcome == CAIRN_FAILED && island.block_count > 0)
        {
            char names[512];
            name_blocks(s, &island, names, sizeof names);
            return crn_fail(s->context, CAIRN_UNSOLVED,
                            "step at t = %g: no solver found a solution for %s (joints: %d, contacts: %d of %d)",
                            s->state.t, names, island.joint_count, island.contact_count, contacts);
        }
    }
    return crn_fail(s->context, CAIRN_UNSOLVED, "step at t = %g: no solver found a solution (%d contacts)", s->state.t,
                    contacts);
}
