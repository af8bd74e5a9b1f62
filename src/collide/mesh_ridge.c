/* Two ridges that cross: n across both, out of both cones. Those nearly along each other touch at their ends, as vertices. */
#include "collide/mesh.h"

#include "math/vec.h"

static const double ALONG = 1e-6; /* sine below which two ridges are parallel */
static const double TILT = 0.02;  /* sine by which n may lie beside a cone: two faces about to land on each other */

static bool in_cone(double inward[2][3], double sign, const double n[3])
{
    return sign * crn_dot3(n, inward[0]) <= TILT && sign * crn_dot3(n, inward[1]) <= TILT;
}

/* Whether n, rather than -n, may lie in the cone: the sum of its two outermost directions tells. */
static bool looks_out(const crn_shell *shell, const crn_ridge *ridge, const double n[3])
{
    const double *normals = shell->mesh->normals;
    double sum = crn_dot3(n, normals + 3 * ridge->t[0]);
    return sum + (ridge->t[1] < 0 ? 0.0 : crn_dot3(n, normals + 3 * ridge->t[1])) > 0.0;
}

/* Places of the nearest points of two lines that cross at the direction c = u x w. */
static bool places(const double u[3], const double w[3], const double c[3], const double arm[3], double slop, double *s,
                   double *t)
{
    double p[3], q[3], square = crn_dot3(c, c);
    crn_cross3(arm, w, p);
    crn_cross3(arm, u, q);
    *s = crn_dot3(p, c) / square;
    *t = crn_dot3(q, c) / square;
    double e = slop / crn_norm3(u), f = slop / crn_norm3(w);
    return *s >= -e && *s <= 1.0 + e && *t >= -f && *t <= 1.0 + f;
}

/* Whether two ridges with a negative gap are inside each other's solids, and not those of the far sides of bodies apart. */
static bool is_crossed(const crn_pass *pass, const double x[3], const double y[3], double t, const double w[3],
                       double depth)
{
    double at[3], arm[3], back[3];
    if (!crn_shell_holds(&pass->target, pass->to, x, 1.001 * depth, pass->slop))
    {
        return false;
    }
    if (!pass->source.mesh)
    {
        return true;
    }
    crn_madd3(y, t, w, at);
    crn_sub3(at, pass->t, arm);
    crn_unrotate3(pass->R, arm, back);
    return crn_shell_holds(&pass->source, pass->from, back, 1.001 * depth, pass->slop);
}

typedef struct own_ridge
{
    int r;
    double x[3], u[3];
    double inward[2][3]; /* in the target's frame */
} own_ridge;

static void touch_two(const crn_pass *pass, const own_ridge *own, int other)
{
    const crn_shell *target = &pass->target;
    const crn_ridge ridge = crn_ridge_at(target, other);
    const double *y = target->vertices + 3 * ridge.v[0];
    double w[3], c[3], arm[3], n[3], inward[2][3], s, t;
    crn_sub3(target->vertices + 3 * ridge.v[1], y, w);
    crn_cross3(own->u, w, c);
    double sine = crn_norm3(c), size = crn_norm3(own->u) * crn_norm3(w);
    crn_sub3(y, own->x, arm);
    if (!(sine > ALONG * size) || !places(own->u, w, c, arm, pass->slop, &s, &t))
    {
        return;
    }
    crn_ridge_inward(target, other, inward);
    crn_scale3(1.0 / sine, c, n);
    if (!looks_out(target, &ridge, n))
    {
        crn_scale3(-1.0, n, n);
    }
    if (!in_cone(inward, 1.0, n) || (own->r >= 0 && !in_cone((double(*)[3])own->inward, -1.0, n)))
    {
        return;
    }
    double gap = -crn_dot3(n, arm), x[3], reach = pass->limit + pass->radius;
    crn_madd3(own->x, s, own->u, x);
    if (gap <= reach && gap >= -reach && (gap >= -pass->slop || is_crossed(pass, x, y, t, w, -gap)))
    {
        crn_pass_add(pass, CRN_RIDGE_RIDGE, own->r, other, gap, n, x);
    }
}

void crn_touch_ridge(const crn_pass *pass, int r, const double x0[3], const double x1[3])
{
    own_ridge own = {.r = r, .x = {x0[0], x0[1], x0[2]}};
    double reach = pass->limit + pass->radius;
    crn_bounds box;
    crn_sub3(x1, x0, own.u);
    for (int k = 0; k < 3; ++k)
    {
        box.lower[k] = fmin(x0[k], x1[k]) - reach;
        box.upper[k] = fmax(x0[k], x1[k]) + reach;
    }
    if (r >= 0)
    {
        double inward[2][3];
        crn_ridge_inward(&pass->source, r, inward);
        crn_rotate3(pass->R, inward[0], own.inward[0]);
        crn_rotate3(pass->R, inward[1], own.inward[1]);
    }
    crn_near_ridges(&pass->target, &box, pass->work, &pass->work->ridges);
    for (int i = 0; i < pass->work->ridges.count; ++i)
    {
        touch_two(pass, &own, pass->work->ridges.item[i]);
    }
}
