/* The fields of contacts, 4 at a time. */
#define LANES 4
#include "solve/compact/fields.h"

void crn_compact_fields_4(const crn_compact *compact, const double (*impulse)[3], const crn_compact_segment *segment)
{
    fill_segment(compact, impulse, segment);
}
