#include "math/ridders.h"

#include <math.h>

double crn_ridders_step(int i)
{
    static const double WIDEST = 1e-3;
    return ldexp(WIDEST, -i);
}

double crn_ridders(const double first[CRN_RIDDERS])
{
    double row[CRN_RIDDERS] = {0}, best = first[0], error = INFINITY;
    for (int i = 0; i < CRN_RIDDERS; ++i)
    {
        double corner = i > 0 ? row[i - 1] : first[0];
        double above = row[0], factor = 4; /* of the previous row: the entry left of the current one */
        row[0] = first[i];
        for (int j = 1; j <= i; ++j, factor *= 4)
        {
            double made = (factor * row[j - 1] - above) / (factor - 1);
            double apart = fmax(fabs(made - row[j - 1]), fabs(made - above));
            best = apart <= error ? made : best;
            error = fmin(error, apart);
            above = row[j];
            row[j] = made;
        }
        if (i > 0 && fabs(row[i] - corner) >= 2 * error)
            break; /* from here on rounding dominates, and agreement is accidental */
    }
    return best;
}
