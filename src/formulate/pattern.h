/* The block pattern of A: diagonal blocks, and the two blocks of each spring between two dynamic bodies. */
#ifndef CRN_FORMULATE_PATTERN_H
#define CRN_FORMULATE_PATTERN_H

#include "formulate/layout.h"

/* Fill row_start, column, value_start, diagonal and coupling of a layout whose blocks are numbered. O(springs log). */
cairn_status crn_pattern_build(crn_layout *layout);

#endif
