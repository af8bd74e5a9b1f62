/* MJCF: what the compiler's options do to the masses of bodies: lower bounds, inertias that no body can have, the total. */
#include "import/mjcf/mjcf.h"
#include "math/symmetric.h"

#include <math.h>
#include <string.h>

/* I = sum_k max(I_k, least) e_k e_k' with the principal inertias; with `balance`, where one is then larger than the sum of the others, which
 * no body has, all become their mean. */
static void bound_inertia(const crn_mjcf *m, double inertia[9])
{
    double axes[9], value[3], work[3];
    memcpy(axes, inertia, sizeof axes);
    if (!crn_symmetric_eigen(3, axes, value, work))
        return;
    for (int k = 0; k < 3; ++k)
        value[k] = fmax(value[k], m->least_inertia);
    if (m->balance && value[0] + value[1] < value[2])
        value[0] = value[1] = value[2] = (value[0] + value[1] + value[2]) / 3;
    memset(inertia, 0, 9 * sizeof *inertia);
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 9; ++i)
            inertia[i] += value[k] * axes[3 * k + i / 3] * axes[3 * k + i % 3];
}

/* The mass of a link becomes one that is given. */
static void set_mass(crn_link *link, const crn_link_mass *mass)
{
    link->has_mass = true;
    link->mass = *mass;
}

void crn_mjcf_adjust_masses(crn_mjcf *m)
{
    double total = 0;
    for (int i = 1; i < m->robot->link_count; ++i)
    {
        crn_link *link = &m->robot->links[i];
        crn_link_mass own = crn_link_own_mass(link);
        own.mass = fmax(own.mass, m->least_mass);
        if (m->least_inertia > 0 || m->balance)
            bound_inertia(m, own.inertia);
        if (m->least_mass > 0 || m->least_inertia > 0 || m->balance)
            set_mass(link, &own);
        total += own.mass;
    }
    for (int i = 1; i < m->robot->link_count && m->total_mass > 0 && total > 0; ++i)
    {
        crn_link *link = &m->robot->links[i];
        crn_link_mass own = crn_link_own_mass(link);
        own.mass *= m->total_mass / total;
        for (int k = 0; k < 9; ++k)
            own.inertia[k] *= m->total_mass / total;
        set_mass(link, &own);
    }
}
