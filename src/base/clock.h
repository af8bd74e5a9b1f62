/* Time that passes, for limits on it: nothing else in the library may depend on a clock. */
#ifndef CRN_BASE_CLOCK_H
#define CRN_BASE_CLOCK_H

#include <stdbool.h>

/* s since some moment of the past; never goes back. */
double crn_clock(void);

/* The moment in `limit` seconds; 0, which stands for none, when there is no limit (0). */
double crn_deadline(double limit);

/* Whether it has passed; without a deadline the clock is not even read. */
bool crn_is_late(double deadline);

/* Seconds up to it, at least a nanosecond, so that the rest of a limit is never taken for none; 0 when there is no deadline. */
double crn_time_left(double deadline);

#endif
