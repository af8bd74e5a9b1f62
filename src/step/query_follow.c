/* A spatial query that follows the current poses of a simulation's bodies. */
#include "cairn/query.h"
#include "collide/query/query.h"
#include "step/simulation.h"

#include "math/vec.h"

#include <string.h>

cairn_status cairn_query_follow(cairn_query *query, const cairn_simulation *s)
{
    if (!query || !s)
        return CAIRN_INVALID;
    if (crn_query_check(query))
        return CAIRN_INVALID;
    if (s->model != query->model)
        return crn_fail(query->context, CAIRN_INVALID, "query: the simulation has another model");
    if (!crn_is_current(s))
        return crn_fail(query->context, CAIRN_INVALID,
                        "query: the simulation has not followed the latest change of its model");
    for (int i = 0; i < (int)s->model->body_count; ++i)
    {
        cairn_body_state state = cairn_simulation_body(s, cairn_model_body(s->model, i));
        memcpy(query->poses[i].x, state.position, sizeof state.position);
        crn_quaternion_to_matrix(state.orientation, query->poses[i].R);
    }
    return crn_query_update(query);
}
