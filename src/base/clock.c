#include "base/clock.h"

#include <assert.h>
#include <time.h>

static const double LEAST = 1e-9;

double crn_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double crn_deadline(double limit)
{
    assert(limit >= 0.0);
    return limit > 0.0 ? crn_clock() + limit : 0.0;
}

bool crn_is_late(double deadline)
{
    assert(deadline >= 0.0);
    return deadline > 0.0 && crn_clock() >= deadline;
}

double crn_time_left(double deadline)
{
    assert(deadline >= 0.0);
    double left = deadline > 0.0 ? deadline - crn_clock() : 0.0;
    return deadline > 0.0 && !(left > LEAST) ? LEAST : left;
}
