/* Visits, 4 contacts at a time. */
#define LANES 4
#include "solve/compact/visit.h"

double crn_compact_visits_4(const crn_compact_segment *segment, crn_compact_body *body, int first, int end,
                            bool measure, crn_compact_pace pace)
{
    return visit_segment(segment, body, first, end, measure, pace);
}
