/* Visits, 1 contact at a time. */
#define LANES 1
#include "solve/compact/visit.h"

double crn_compact_visits_1(const crn_compact_segment *segment, crn_compact_body *body, int first, int end,
                            bool measure, crn_compact_pace pace)
{
    return visit_segment(segment, body, first, end, measure, pace);
}
