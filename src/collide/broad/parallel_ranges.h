/* Moved to base/parallel_ranges.h. */
#include "base/parallel_ranges.h"
