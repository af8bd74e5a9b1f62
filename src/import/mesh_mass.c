/* The mass of a mesh of density 1, by the rules of MJCF (`inertia` of a mesh). A triangle and an apex make a tetrahedron, with a sign.
 *
 *     exact     the sum of all; the surface must be closed and turned outwards
 *     legacy    the default of MuJoCo: the centre c is that of the absolute tetrahedra about the centre of the surface; the mass is the sum of
 *               the absolute tetrahedra about c, and the inertia theirs about c. Where the mesh is convex, this is exact, and otherwise more
 *     convex    that of the convex hull
 *     shell     that of the surface: a triangle of area A with corners p_i has the second moments A/12 (sum p_i p_i' + s s'), s = sum p_i
 */
#include "import/robot.h"

#include "model/shape/hull.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct triangles
{
    const double *vertices;
    const int *corners;
    int vertex_count, count;
} triangles;

static const double *corner(const triangles *t, int i, int k)
{
    return t->vertices + 3 * (ptrdiff_t)t->corners[3 * (ptrdiff_t)i + k];
}

static double area_of(const triangles *t, int i)
{
    double u[3], v[3], n[3];
    crn_sub3(corner(t, i, 1), corner(t, i, 0), u);
    crn_sub3(corner(t, i, 2), corner(t, i, 0), v);
    crn_cross3(u, v, n);
    return 0.5 * crn_norm3(n);
}

/* Area and centre of the surface. */
static double surface_of(const triangles *t, double centre[3])
{
    double area = 0, sum[3] = {0};
    for (int i = 0; i < t->count; ++i)
    {
        double A = area_of(t, i);
        area += A;
        for (int k = 0; k < 3; ++k)
            crn_madd3(sum, A / 3, corner(t, i, k), sum);
    }
    crn_scale3(area > 0 ? 1 / area : 0, sum, centre);
    return area;
}

/* Moments about the apex, those of each tetrahedron with its sign, or without. */
static crn_moments about(const triangles *t, const double apex[3], bool absolute)
{
    crn_moments sum = {0};
    for (int i = 0; i < t->count; ++i)
    {
        crn_moments one = {0};
        crn_moments_add(&one, apex, corner(t, i, 0), corner(t, i, 1), corner(t, i, 2));
        double sign = absolute && one.volume < 0 ? -1 : 1;
        sum.volume += sign * one.volume;
        crn_madd3(sum.first, sign, one.first, sum.first);
        for (int k = 0; k < 6; ++k)
            sum.second[k] += sign * one.second[k];
    }
    return sum;
}

/* The inertia trace(S) 1 - S of second moments S. */
static void take_second(const double S[6], crn_link_mass *out)
{
    static const int PLACE[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
    for (int i = 0; i < 9; ++i)
        out->inertia[i] = (i % 4 == 0 ? S[0] + S[1] + S[2] : 0) - S[PLACE[i]];
}

static void legacy_mass(const triangles *t, crn_link_mass *out)
{
    double centre[3], c[3];
    surface_of(t, centre);
    crn_moments m = about(t, centre, true);
    if (!(m.volume > 0))
        return;
    crn_madd3(centre, 1 / m.volume, m.first, c);
    m = about(t, c, true);
    *out = (crn_link_mass){.mass = m.volume, .centre = {c[0], c[1], c[2]}};
    take_second(m.second, out);
}

static void exact_mass(const triangles *t, crn_link_mass *out)
{
    double mean[3];
    crn_mean_of(t->vertices, t->vertex_count, mean);
    crn_moments m = about(t, mean, false);
    crn_moments_shift(&m, mean);
    if (fabs(m.volume) > 0)
        crn_moments_mass(&m, m.volume < 0 ? -1.0 : 1.0, out);
}

static void convex_mass(const triangles *t, crn_link_mass *out)
{
    crn_hull *hull = NULL;
    if (!crn_points_span(t->vertices, t->vertex_count) || crn_hull_create(t->vertices, t->vertex_count, &hull))
        return;
    crn_moments m = crn_hull_moments(hull);
    crn_hull_destroy(hull);
    crn_moments_mass(&m, 1, out);
}

static void shell_mass(const triangles *t, crn_link_mass *out)
{
    double c[3], area = surface_of(t, c), S[6] = {0};
    for (int i = 0; i < t->count; ++i)
    {
        double p[4][3] = {{0}}, A = area_of(t, i) / 12;
        for (int k = 0; k < 3; ++k)
        {
            crn_sub3(corner(t, i, k), c, p[k]);
            crn_add3(p[3], p[k], p[3]);
        }
        for (int k = 0; k < 6; ++k)
        {
            int a = k < 3 ? k : k == 5 ? 1 : 0, b = k < 3 ? k : k == 3 ? 1 : 2;
            for (int l = 0; l < 4; ++l)
                S[k] += A * p[l][a] * p[l][b];
        }
    }
    *out = (crn_link_mass){.mass = area, .centre = {c[0], c[1], c[2]}};
    take_second(S, out);
}

void crn_mesh_mass(crn_mesh_way way, const double *vertices, int vertex_count, const int *corners, int count,
                   crn_link_mass *out)
{
    static void (*const WAYS[])(const triangles *, crn_link_mass *) = {[CRN_MESH_EXACT] = exact_mass,
                                                                       [CRN_MESH_LEGACY] = legacy_mass,
                                                                       [CRN_MESH_CONVEX] = convex_mass,
                                                                       [CRN_MESH_SHELL] = shell_mass};
    triangles t = {vertices, corners, vertex_count, count};
    assert(vertex_count >= 0 && count >= 0);
    WAYS[way](&t, out);
}
