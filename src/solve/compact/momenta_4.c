/* Momenta of bodies, a vector at a time. */
#define LANES 4
#include "solve/compact/momenta.h"

void crn_compact_momenta_4(const crn_compact_problem *problem, const double (*impulse)[3], const int contacts[2],
                           crn_compact_body *body, int first, int end)
{
    add_momenta(problem, impulse, contacts, body, first, end);
}
