/* What to do when plain pivoting misses the tolerance. */
#include "solve/attempt.h"

cairn_status crn_attempt_fallbacks(crn_attempt *attempt)
{
    (void)attempt;
    return CAIRN_OK;
}
