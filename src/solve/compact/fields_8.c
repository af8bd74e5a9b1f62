/* The fields of contacts, 8 at a time. */
#define LANES 8
#include "solve/compact/fields.h"

void crn_compact_fields_8(const crn_compact *compact, const double (*impulse)[3], const crn_compact_segment *segment)
{
    fill_segment(compact, impulse, segment);
}
