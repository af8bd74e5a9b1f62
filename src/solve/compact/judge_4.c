/* The certificate, 4 contacts at a time. */
#define LANES 4
#include "solve/compact/residual.h"

void crn_compact_judges_4(const crn_compact_problem *problem, const double (*impulse)[3], const crn_compact_body *body,
                          int first, int end, double *residual, crn_compact_certificate *certificate)
{
    judge_groups(problem, impulse, body, first, end, residual, certificate);
}
