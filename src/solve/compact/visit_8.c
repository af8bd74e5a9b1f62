/* Visits, 8 contacts at a time. */
#define LANES 8
#include "solve/compact/visit.h"

double crn_compact_visits_8(const crn_compact_segment *segment, crn_compact_body *body, int first, int end,
                            bool measure, crn_compact_pace pace)
{
    return visit_segment(segment, body, first, end, measure, pace);
}
