/* Momenta of bodies, number by number. */
#define LANES 1
#include "solve/compact/momenta.h"

void crn_compact_momenta_1(const crn_compact_problem *problem, const double (*impulse)[3], const int contacts[2],
                           crn_compact_body *body, int first, int end)
{
    add_momenta(problem, impulse, contacts, body, first, end);
}
