#include "support/triangles.h"

#include "math/vec.h"

#include <math.h>
#include <string.h>

static double clamp01(double x)
{
    return fmin(1.0, fmax(0.0, x));
}

static double apart(const double x[3], const double y[3])
{
    double d[3];
    crn_sub3(x, y, d);
    return crn_norm3(d);
}

double point_to_segment(const double x[3], const double p[3], const double q[3])
{
    double u[3], arm[3], y[3];
    crn_sub3(q, p, u);
    crn_sub3(x, p, arm);
    crn_madd3(p, clamp01(crn_dot3(arm, u) / crn_dot3(u, u)), u, y);
    return apart(x, y);
}

double segment_to_segment(const double p[3], const double q[3], const double r[3], const double s[3])
{
    double least = fmin(fmin(point_to_segment(p, r, s), point_to_segment(q, r, s)),
                        fmin(point_to_segment(r, p, q), point_to_segment(s, p, q)));
    double u[3], w[3], arm[3];
    crn_sub3(q, p, u);
    crn_sub3(s, r, w);
    crn_sub3(r, p, arm);
    double uu = crn_dot3(u, u), uw = crn_dot3(u, w), ww = crn_dot3(w, w), det = uu * ww - uw * uw;
    if (det > 1e-14 * uu * ww)
    {
        double a = (ww * crn_dot3(arm, u) - uw * crn_dot3(arm, w)) / det;
        double b = (uw * crn_dot3(arm, u) - uu * crn_dot3(arm, w)) / det;
        if (a >= 0 && a <= 1 && b >= 0 && b <= 1)
        {
            double x[3], y[3];
            crn_madd3(p, a, u, x);
            crn_madd3(r, b, w, y);
            least = fmin(least, apart(x, y));
        }
    }
    return least;
}

/* Shares of the corners of the foot of x. */
static void shares(const double x[3], const double t[3][3], double c[3])
{
    double u[3], w[3], n[3], arm[3], cross[3];
    crn_sub3(t[1], t[0], u);
    crn_sub3(t[2], t[0], w);
    crn_cross3(u, w, n);
    crn_sub3(x, t[0], arm);
    crn_cross3(arm, w, cross);
    c[1] = crn_dot3(cross, n) / crn_dot3(n, n);
    crn_cross3(u, arm, cross);
    c[2] = crn_dot3(cross, n) / crn_dot3(n, n);
    c[0] = 1 - c[1] - c[2];
}

double point_to_triangle(const double x[3], const double t[3][3])
{
    double c[3], foot[3] = {0, 0, 0};
    shares(x, t, c);
    if (c[0] >= 0 && c[1] >= 0 && c[2] >= 0)
    {
        for (int k = 0; k < 3; ++k)
            crn_madd3(foot, c[k], t[k], foot);
        return apart(x, foot);
    }
    return fmin(point_to_segment(x, t[0], t[1]),
                fmin(point_to_segment(x, t[1], t[2]), point_to_segment(x, t[2], t[0])));
}

static double height_over(const double x[3], const double t[3][3])
{
    double u[3], w[3], n[3], arm[3];
    crn_sub3(t[1], t[0], u);
    crn_sub3(t[2], t[0], w);
    crn_cross3(u, w, n);
    crn_sub3(x, t[0], arm);
    return crn_dot3(n, arm);
}

double segment_to_triangle(const double p[3], const double q[3], const double t[3][3])
{
    double low = height_over(p, t), high = height_over(q, t);
    if ((low > 0) != (high > 0))
    {
        double u[3], x[3], c[3];
        crn_sub3(q, p, u);
        crn_madd3(p, low / (low - high), u, x);
        shares(x, t, c);
        if (c[0] >= 0 && c[1] >= 0 && c[2] >= 0)
            return 0;
    }
    double least = fmin(point_to_triangle(p, t), point_to_triangle(q, t));
    for (int k = 0; k < 3; ++k)
        least = fmin(least, segment_to_segment(p, q, t[k], t[(k + 1) % 3]));
    return least;
}

void triangle_in_pose(const test_mesh *mesh, int t, const crn_pose *pose, double out[3][3])
{
    for (int k = 0; k < 3; ++k)
    {
        crn_rotate3(pose->R, mesh->vertices + 3 * mesh->triangles[3 * t + k], out[k]);
        crn_add3(out[k], pose->x, out[k]);
    }
}

double mesh_to_mesh(const test_mesh *a, const crn_pose *pose_a, const test_mesh *b, const crn_pose *pose_b)
{
    double least = INFINITY;
    for (int i = 0; i < a->triangle_count; ++i)
    {
        double p[3][3], q[3][3];
        triangle_in_pose(a, i, pose_a, p);
        for (int j = 0; j < b->triangle_count; ++j)
        {
            triangle_in_pose(b, j, pose_b, q);
            for (int k = 0; k < 3; ++k)
            {
                least = fmin(least, segment_to_triangle(p[k], p[(k + 1) % 3], (const double(*)[3])q));
                least = fmin(least, segment_to_triangle(q[k], q[(k + 1) % 3], (const double(*)[3])p));
            }
        }
    }
    return least;
}

/* A. van Oosterom, J. Strackee, The solid angle of a plane triangle, 1983. */
static double half_solid_angle(double t[3][3], const double x[3])
{
    double r[3][3], length[3], cross[3];
    for (int k = 0; k < 3; ++k)
    {
        crn_sub3(t[k], x, r[k]);
        length[k] = crn_norm3(r[k]);
    }
    crn_cross3(r[1], r[2], cross);
    double below = length[0] * length[1] * length[2] + crn_dot3(r[0], r[1]) * length[2] +
                   crn_dot3(r[1], r[2]) * length[0] + crn_dot3(r[2], r[0]) * length[1];
    return atan2(crn_dot3(r[0], cross), below);
}

bool is_inside(const test_mesh *mesh, const crn_pose *pose, const double x[3])
{
    double sum = 0;
    for (int t = 0; t < mesh->triangle_count; ++t)
    {
        double corners[3][3];
        triangle_in_pose(mesh, t, pose, corners);
        sum += half_solid_angle(corners, x);
    }
    return fabs(sum) > 3.14159265;
}
