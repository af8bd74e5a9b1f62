/* The fields of contacts, 1 at a time. */
#define LANES 1
#include "solve/compact/fields.h"

void crn_compact_fields_1(const crn_compact *compact, const double (*impulse)[3], const crn_compact_segment *segment)
{
    fill_segment(compact, impulse, segment);
}
