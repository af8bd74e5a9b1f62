/* Wall-clock time, for time limits only: nothing else in the library may depend on a clock. */
#ifndef CRN_BASE_CLOCK_H
#define CRN_BASE_CLOCK_H

#include <stdbool.h>

/* Seconds since some moment in the past; never decreases. */
double crn_clock(void);

/* The time `limit` seconds from now; 0 (no deadline) when the limit is 0 (none). */
double crn_deadline(double limit);

/* True when the deadline has passed. Without a deadline the clock is not read. */
bool crn_is_late(double deadline);

/* Seconds until the deadline, at least a nanosecond, because 0 means that there is no deadline. */
double crn_time_left(double deadline);

#endif
