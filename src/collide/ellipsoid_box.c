/* An ellipsoid against a box. The candidates for the normal are those of the faces, the directions away from the corners,
 * and across each edge the direction away from it in the ellipsoid's shadow (ellipsoid.c).
 */
#include "collide/box.h"
#include "collide/ellipsoid.h"
#include "math/ellipsoid.h"
#include "math/vec.h"

#include <assert.h>
#include <string.h>

/* The best direction so far. */
typedef struct best
{
    double n[3];
    double s;
} best;

static void offer_box(best *b, const crn_placed *ellipsoid, const crn_placed *box, const double n[3])
{
    double local[3];
    crn_unrotate3(box->R, n, local);
    double s = crn_ellipsoid_height(ellipsoid, n, box->centre);
    for (int k = 0; k < 3; ++k)
    {
        s -= box->half[k] * fabs(local[k]);
    }
    if (s > b->s)
    {
        memcpy(b->n, n, sizeof b->n);
        b->s = s;
    }
}

/* The shadow of an ellipsoid along one axis of a box: two orthogonal unit directions across it, and the semi-axes. */
typedef struct shadow
{
    double axis[2][3];
    double semi_axes[2];
} shadow;

/* rho(p t1 + q t2) = |p c1 + q c2| with c_i = diag(e) R' t_i. One Jacobi rotation of the pair makes c1 and c2 orthogonal;
 * it is exact to the last bits for needles and coins too. */
static shadow cast(const crn_placed *ellipsoid, const crn_placed *box, int along)
{
    shadow s;
    double t[2][3], c[2][3];
    for (int i = 0; i < 2; ++i)
    {
        crn_box_axis_of(box, (along + 1 + i) % 3, t[i]);
        crn_unrotate3(ellipsoid->R, t[i], c[i]);
        for (int k = 0; k < 3; ++k)
        {
            c[i][k] *= ellipsoid->half[k];
        }
    }
    double angle = 0.5 * atan2(2.0 * crn_dot3(c[0], c[1]), crn_dot3(c[0], c[0]) - crn_dot3(c[1], c[1]));
    double turn[2][2] = {{cos(angle), sin(angle)}, {-sin(angle), cos(angle)}};
    for (int i = 0; i < 2; ++i)
    {
        double image[3];
        crn_scale3(turn[i][0], t[0], s.axis[i]);
        crn_madd3(s.axis[i], turn[i][1], t[1], s.axis[i]);
        crn_scale3(turn[i][0], c[0], image);
        crn_madd3(image, turn[i][1], c[1], image);
        s.semi_axes[i] = crn_norm3(image);
    }
    return s;
}

/* The four edges along one axis. */
static void offer_edges(best *found, const crn_placed *ellipsoid, const crn_placed *box, int along)
{
    shadow s = cast(ellipsoid, box, along);
    for (int corner = 0; corner < 8; ++corner)
    {
        double x[3], arm[3], m[2], n[3];
        if (corner >> along & 1)
        {
            continue;
        }
        crn_box_corner(box, corner, x);
        crn_sub3(ellipsoid->centre, x, arm);
        crn_ellipsoid_normal(2, s.semi_axes, (double[2]){crn_dot3(arm, s.axis[0]), crn_dot3(arm, s.axis[1])}, m);
        crn_scale3(m[0], s.axis[0], n);
        crn_madd3(n, m[1], s.axis[1], n);
        offer_box(found, ellipsoid, box, n);
    }
}

void crn_touch_ellipsoid_box(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(b->kind == CAIRN_BOX);
    best found = {.s = -INFINITY};
    for (int face = 0; face < 6; ++face)
    {
        double n[3];
        crn_box_axis_of(b, face / 2, n);
        crn_scale3(face % 2 ? -1.0 : 1.0, n, n);
        offer_box(&found, a, b, n);
    }
    for (int along = 0; along < 3; ++along)
    {
        offer_edges(&found, a, b, along);
    }
    for (int corner = 0; corner < 8; ++corner)
    {
        double x[3], n[3];
        crn_box_corner(b, corner, x);
        crn_ellipsoid_away_from(a, 3, x, n);
        offer_box(&found, a, b, n);
    }
    crn_ellipsoid_add(a, found.n, found.s, out);
}
