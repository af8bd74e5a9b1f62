/* Lift-off.
 *
 * The convex law (Anitescu 2006) asks for u in K*: u_n + gap/h >= mu |u_t|, with equality where the impulse is on the border of
 * its cone. So a contact that slides under load ends its step with the gap
 *
 *     gap + h u_n = h mu |u_t|
 *
 * where the exact law ends it with 0. The left side is measured, but at most the right side, so that a
 * contact that bounces counts no more than one that slides.
 */
#include "cli/study/lift_off.h"

#include <math.h>

double cli_lift_off(const cairn_simulation *simulation, double h)
{
    cairn_integrator integrator = cairn_simulation_settings(simulation)->integrator;
    bool on_device = cairn_simulation_settings(simulation)->device != CAIRN_DEVICE_CPU; /* there, contacts stay */
    if (cairn_integrator_order(integrator) != 1 || on_device)
        return NAN;
    double largest = 0;
    for (int j = 0; j < cairn_simulation_contact_count(simulation); ++j)
    {
        cairn_contact c = cairn_simulation_contact(simulation, j);
        double opened = c.gap + h * c.velocity[0];
        if (c.impulse[0] > 0 && opened > largest)
            largest = fmax(largest, fmin(opened, h * c.friction * hypot(c.velocity[1], c.velocity[2])));
    }
    return largest;
}
