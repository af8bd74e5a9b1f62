#include "base/number_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

crn_number_chars crn_number_text(double value)
{
    crn_number_chars out;
    int digits = 15; /* a decimal number of 15 digits survives; %g drops its zeros */
    do
        snprintf(out.text, sizeof out.text, "%.*g", digits, value);
    while (strtod(out.text, NULL) != value && ++digits <= 17);
    char *exponent = strchr(out.text, 'e');
    if (!exponent)
        return out;
    char *first = exponent + (exponent[1] == '-' ? 2 : 1); /* the + goes, too */
    size_t skipped = strspn(exponent + 1, "+-") + strspn(exponent + 2, "0");
    memmove(first, exponent + 1 + skipped, strlen(exponent + 1 + skipped) + 1);
    return out;
}
