/* The function F of Newton's method on contacts in space (gauss_seidel_newton_rows.c), four contacts at a time:
 *
 *     F = r - P_K(r - rho' (u + alpha (r - r_k) + e_0 g)),     g = mu |u_t| for the exact law, 0 for the convex ones.
 */
#include "solve/sweep/gauss_seidel_newton_fours.h"

#include "math/lanes_cone.h"

#include <assert.h>

/* F of four contacts. Returns |F|^2 / rho'^2. */
INLINE lanes find_four(crn_gs_newton *newton, const newton_four *four)
{
    const lanes zero = {0.0};
    double weight = newton->weight;
    lanes mu = four_friction(newton, four), mass = four_numbers(four, newton->rho);
    lanes alpha = zero, rho = mass;
    if (weight > 0.0)
    {
        alpha = weight / mass;
        rho = mass / (1.0 + weight);
    }
    lanes r[4], u[4], centre[4], moved[3], nearest[3], F[3];
    four_vectors(four, newton->r, r);
    four_vectors(four, newton->u, u);
    four_vectors(four, newton->centre, centre);
    UNROLL
    for (int k = 0; k < 3; ++k)
        u[k] = u[k] + alpha * (r[k] - centre[k]);
    lanes raise = newton->law == CRN_LOCAL_COULOMB ? mu * four_slip(u) : zero;
    UNROLL
    for (int k = 0; k < 3; ++k)
        moved[k] = r[k] - rho * (u[k] + (k == 0 ? raise : zero));
    lanes_cone_project(mu, moved, nearest);
    UNROLL
    for (int k = 0; k < 3; ++k)
        F[k] = r[k] - nearest[k];
    four_store(four, u, newton->slip);
    four_store(four, moved, newton->moved);
    four_store(four, F, newton->F);
    lane_bits active = nearest[0] > zero;
    UNROLL
    for (int l = 0; l < LANES; ++l)
        newton->active[four->item[l]] = active[l] != 0;
    return (F[0] * F[0] + F[1] * F[1] + F[2] * F[2]) / (rho * rho);
}

INLINE double find_all(crn_gs_newton *newton)
{
    double worst = 0.0;
    for (int i = 0; i < newton->contacts; i += LANES)
    {
        newton_four four = four_from(newton, i);
        lanes square = find_four(newton, &four);
        UNROLL
        for (int l = 0; l < LANES; ++l)
            worst = square[l] <= worst ? worst : square[l];
    }
    return sqrt(worst);
}

static double plain_find(crn_gs_newton *newton)
{
    return find_all(newton);
}

WIDE static double wide_find(crn_gs_newton *newton)
{
    return find_all(newton);
}

double crn_gs_newton_residuals_by_four(crn_gs_newton *newton)
{
    assert(newton->dim == 3 && !newton->problem->bound && newton->law != CRN_LOCAL_LAGGED);
    return HAS_WIDE ? wide_find(newton) : plain_find(newton);
}
