/* Rolling friction in a step: solve again while the axes of rolling rows have to turn (formulate/rolling.h). */
#include "formulate/rolling.h"
#include "step/simulation.h"

#include <string.h>

/* Solves with other axes, at most; in large problems, where some contact always turns, the axes of the next step go on from these. */
enum
{
    MANY = 12, /* contacts */
    TURNS_OF_FEW = 8,
    TURNS_OF_MANY = 2
};

void crn_stage_moment(const cairn_simulation *s, const crn_stage *stage, int j, double moment[3])
{
    static const double NONE[3] = {0};
    if (!stage->assembly.rowless)
        crn_contact_moment(&stage->assembly, j, stage->solution.r, moment);
    else
        memcpy(moment, s->compact.problem.rolling ? s->compact.rolling[j].moment : NONE, sizeof NONE);
}

cairn_status crn_turn_rolling(cairn_simulation *s, crn_stage *stage, cairn_solver_report *report)
{
    cairn_status status = CAIRN_OK;
    int most = crn_contacts_of(&stage->assembly) > MANY ? TURNS_OF_MANY : TURNS_OF_FEW;
    for (int turn = 0; s->model->rolls && turn < most && !status; ++turn)
    {
        double slow = 10 * s->settings.solver.tolerance * s->state.velocity_scale;
        if (crn_align_rolling(&stage->assembly, stage->solution.r, stage->solution.v, slow) == 0)
            break;
        status = crn_stage_solve(s, stage, report);
    }
    return status;
}
