/* Rolling and spinning friction in the visit of a group of contacts: a part of visit.h, for every width.
 *
 * With w = w_a - w_b and W its change by a moment, J_a^-1 + J_b^-1,
 *
 *     rolling     m_t' = P(m_t - rho w_t) ,    P the projection on the disc of radius rolling r_n
 *     spinning    m_n' = m_n - rho w_n ,       between -spinning r_n and spinning r_n
 *
 * with a number rho <= 1 / lambda_max(W), for the reason given in visit.h. This is turn_after.
 *
 * In a round contact a moment also makes the bodies slip, by kappa = radius_a/J_a - radius_b/J_b, and friction turns them alike: a ball
 * on a plane that neither slips nor rolls would take some dozen visits to stop. There both are solved at once. The normal impulse does
 * not depend on them. If friction would stick, it answers w_t by kappa rho_t (n x u_t), and what is left is the mobility
 * W - kappa^2 rho_t of a body that rolls: the moment that stops this is tried first, and friction follows. This is turn_with_friction.
 * At a fixed point u_t = 0 where friction sticks, so that it is a fixed point of the law in both cases.
 */

/* w = w_a - w_b */
INLINE void relative_spin(const visit *v, bool is_wall, int turns, lanes w[3])
{
    for (int k = 0; k < 3; ++k)
        w[k] = v->a[4 + k] - (is_wall ? FIELD(turns + CRN_TURN_SPIN + k) : v->b[4 + k]);
}

/* The moment becomes `to`, projected on its bounds under the normal impulse r_n; dm: by how much it changes. */
INLINE void set_moment(const visit *v, int turns, lanes r_n, const lanes to[3], lanes dm[3])
{
    lanes along = lanes_dot(to, v->n), across[3], m_n = within(along, FIELD(turns + CRN_TURN_REACH + 1) * r_n);
    for (int k = 0; k < 3; ++k)
        across[k] = to[k] - along * v->n[k];
    project_on_disc(FIELD(turns + CRN_TURN_REACH) * r_n, across);
    for (int k = 0; k < 3; ++k)
    {
        lanes m = across[k] + m_n * v->n[k];
        dm[k] = m - FIELD(turns + CRN_TURN_MOMENT + k);
        lanes_store(v->at + (turns + CRN_TURN_MOMENT + k) * LANES, m);
    }
}

/* A change of the moment turns round bodies. */
INLINE void turn_round(visit *v, bool is_wall, const lanes dm[3])
{
    for (int k = 0; k < 3; ++k)
    {
        v->a[4 + k] += v->a[7] * dm[k];
        if (!is_wall)
            v->b[4 + k] -= v->b[7] * dm[k];
    }
}

/* Before the law of friction, in a round contact. Changes u as the moment does. */
INLINE void turn_with_friction(visit *v, bool is_wall, int turns, const crn_compact_polygon *polygon)
{
    lanes rho = FIELD(CRN_AT_STEP), one = FIELD(turns + CRN_TURN_STEP), stuck = FIELD(turns + CRN_TURN_STUCK);
    lanes r_n = lanes_positive(v->r_n - v->u_n * FIELD(CRN_AT_KN)), radius = FIELD(CRN_AT_MU) * r_n;
    lanes kappa = FIELD(is_wall ? CRN_AT_RADIUS : CRN_AT_RADII) * v->a[7], along = lanes_dot(v->u, v->n);
    lanes w[3], slip[3], next[3], back[3], to[3], dm[3];
    if (!is_wall)
        kappa -= FIELD(CRN_AT_RADII + 1) * v->b[7];
    relative_spin(v, is_wall, turns, w);
    for (int k = 0; k < 3; ++k)
    {
        slip[k] = v->u[k] - along * v->n[k];
        next[k] = v->r_t[k] - rho * slip[k];
    }
    lanes_cross(v->n, slip, back);
    measured reach = measure_friction(v, polygon, radius, next);
    lanes w_n = lanes_dot(w, v->n);
    for (int k = 0; k < 3; ++k)
    {
        lanes w_t = w[k] - w_n * v->n[k], step = stuck * (w_t + kappa * rho * back[k]);
        step = lanes_choose(reach.far, reach.most, one * w_t, step);
        to[k] = FIELD(turns + CRN_TURN_MOMENT + k) - (step + one * w_n * v->n[k]);
    }
    set_moment(v, turns, r_n, to, dm);
    turn_round(v, is_wall, dm);
    lanes_cross(dm, v->n, back);
    for (int k = 0; k < 3; ++k)
        v->u[k] -= kappa * back[k];
}

/* J^-1 at `field` turns a body by sign dm. */
INLINE void turn_general(const visit *v, lanes body[8], double sign, int field, const lanes dm[3])
{
    lanes turn[3];
    transform(v, field, dm, turn);
    for (int k = 0; k < 3; ++k)
        body[4 + k] += sign * turn[k];
}

/* After the law of friction. */
INLINE void turn_after(visit *v, bool is_round, bool is_wall, int turns)
{
    lanes step = FIELD(turns + CRN_TURN_STEP), w[3], to[3], dm[3];
    relative_spin(v, is_wall, turns, w);
    for (int k = 0; k < 3; ++k)
        to[k] = FIELD(turns + CRN_TURN_MOMENT + k) - step * w[k];
    set_moment(v, turns, v->r_n, to, dm);
    if (is_round)
    {
        turn_round(v, is_wall, dm);
        return;
    }
    turn_general(v, v->a, 1.0, turns + CRN_TURN_J_A, dm);
    if (!is_wall)
        turn_general(v, v->b, -1.0, turns + CRN_TURN_J_B, dm);
}
