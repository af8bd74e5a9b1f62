/* Islands solved one by one or by several threads, each as a problem of its own, and put together.
 *
 * The tolerance is relative to the scale S of the whole problem, the largest of the islands' scales s_k (docs/certificate.md),
 * so an island has to reach tolerance * S / s_k by its own measure: the whole then meets the tolerance, and no island works
 * for more. The certificate that is told is that of the whole, computed from the merged solution.
 *
 * Threads take the islands from a common list, the largest first. Which thread takes which has no influence on the result:
 * a workspace carries nothing from one problem to the next but memory and orderings that are redone when the pattern
 * changes. The largest island has a workspace of its own, so that its ordering lives on from step to step.
 */
#ifndef CRN_SOLVE_CREW_H
#define CRN_SOLVE_CREW_H

#include "solve/auto.h"
#include "solve/island_split.h"

/* What came of one group. */
typedef struct crn_island_result
{
    cairn_status status;
    cairn_solver_report report;
} crn_island_result;

typedef struct crn_crew
{
    crn_islands islands;
    crn_island_split split;
    crn_island_result *result; /* one a group */
    double *share;             /* of the time left when its turn has come, one in the order of groups */
    crn_certifier *certifier;  /* of the whole */
    cairn_solution solution;   /* of the whole */
    crn_chooser *foreman;      /* the workspace for the largest; the caller's */
    crn_chooser **worker;      /* one a thread, made when first needed */
    int worker_count;
    size_t capacity[6];
} crn_crew;

bool crn_crew_open(crn_crew *crew, crn_chooser *foreman);
void crn_crew_close(crn_crew *crew);

/* Whether the problem falls apart; crew->islands says how. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_crew_survey(crn_crew *crew, const cairn_problem *problem, bool *apart);

/* Solve what the survey found apart; messages are not left. The solution's arrays belong to the crew. A status is that of the
 * first island that has one. */
cairn_status crn_crew_solve(crn_crew *crew, const cairn_problem *problem, const cairn_solver_options *options,
                            cairn_solution *solution, cairn_solver_report *report);

#endif
