/* Masses of shapes against sums over slices, parallel axes, and densities that only weigh. */
#include "support/check.h"
#include "support/worlds.h"

#include "model/model.h"

#include <string.h>

static cairn_body add_loose(world *w, const char *name, double mass)
{
    cairn_body_options o = cairn_body_default();
    o.name = name;
    o.mass = mass;
    cairn_body body = {0};
    assert_int_equal(cairn_model_add_body(w->model, &o, &body), CAIRN_OK);
    return body;
}

static void add_shape(world *w, cairn_body body, cairn_shape_options o)
{
    cairn_shape shape;
    assert_int_equal(cairn_model_add_shape(w->model, body, &o, &shape), CAIRN_OK);
}

/* Radius of the slice at z. */
typedef double profile(double z);

static const double R = 0.4, HALF = 0.7; /* m; of a cone HALF is half its height */

static double cylinder(double z)
{
    return fabs(z) <= HALF ? R : 0;
}

static double capsule(double z)
{
    double beyond = fmax(0, fabs(z) - HALF);
    return beyond < R ? sqrt(R * R - beyond * beyond) : 0;
}

static double cone(double z)
{
    double up = z + 0.5 * HALF; /* over its base */
    return up >= 0 && up <= 2 * HALF ? R * (1 - up / (2 * HALF)) : 0;
}

/* Volume, and moments of inertia of unit density across and about z, by the midpoint rule. */
static void sum_slices(profile *radius, double out[3])
{
    const int count = 400000;
    memset(out, 0, sizeof(double[3]));
    for (int i = 0; i < count; ++i)
    {
        double dz = 3.0 / count, z = -1.5 + (i + 0.5) * dz, r = radius(z), area = M_PI * r * r;
        out[0] += area * dz;
        out[1] += area * (r * r / 4 + z * z) * dz;
        out[2] += area * r * r / 2 * dz;
    }
}

static void round_solids_are_sums_of_slices(void **state)
{
    (void)state;
    static const cairn_shape_kind KINDS[] = {CAIRN_CYLINDER, CAIRN_CAPSULE, CAIRN_CONE};
    profile *const profiles[] = {cylinder, capsule, cone};
    world w = world_new(3);
    for (int i = 0; i < 3; ++i)
    {
        double mass, I[9], sums[3];
        cairn_shape_options o = cairn_shape_default(KINDS[i]);
        o.radius = R;
        o.length = KINDS[i] == CAIRN_CAPSULE ? 2 * HALF : 0;
        o.height = KINDS[i] == CAIRN_CAPSULE ? 0 : 2 * HALF;
        o.density = 3;
        add_shape(&w, add_loose(&w, (const char *[]){"cylinder", "capsule", "cone"}[i], 0), o);
        assert_int_equal(crn_model_mass(w.model, i, &mass, I), CAIRN_OK);
        sum_slices(profiles[i], sums);
        assert_near(mass, 3 * sums[0], 1e-5);
        assert_near(I[0], 3 * sums[1], 1e-5);
        assert_near(I[4], 3 * sums[1], 1e-5);
        assert_near(I[8], 3 * sums[2], 1e-5);
    }
    world_free(&w);
}

/* Two equal spheres at +-c: I = 2 (0.4 m r^2 + m (c.c - c c')). */
static void axes_are_parallel(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_body body = add_loose(&w, "pair", 0);
    const double c[3] = {0.3, -0.4, 0.5};
    double mass, I[9], m = 2 * 4.0 / 3 * M_PI * 0.001;
    for (int sign = -1; sign <= 1; sign += 2)
    {
        cairn_shape_options o = cairn_shape_default(CAIRN_SPHERE);
        o.radius = 0.1;
        o.density = 2;
        for (int k = 0; k < 3; ++k)
            o.position[k] = sign * c[k];
        add_shape(&w, body, o);
    }
    assert_int_equal(crn_model_mass(w.model, 0, &mass, I), CAIRN_OK);
    for (int k = 0; k < 9; ++k)
    {
        double expected = (k % 4 == 0 ? 0.4 * m * 0.01 + m * 0.5 : 0) - m * c[k / 3] * c[k % 3];
        assert_near(I[k], 2 * expected, 1e-15);
    }
    world_free(&w);
}

/* With a mass given, densities tell how it is shared: 8 kg at 1 m and 4 kg at -2 m. */
static void densities_share_a_given_mass(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_body body = add_loose(&w, "two", 12);
    double mass, I[9];
    for (int i = 0; i < 2; ++i)
    {
        cairn_shape_options o = cairn_shape_default(CAIRN_SPHERE);
        o.radius = 0.5;
        o.density = i ? 1 : 2;
        o.position[0] = i ? -2 : 1;
        add_shape(&w, body, o);
    }
    assert_int_equal(crn_model_mass(w.model, 0, &mass, I), CAIRN_OK);
    assert_near(mass, 12, 0);
    assert_near(I[0], 0.4 * 12 * 0.25, 1e-13);
    assert_near(I[8], 0.4 * 12 * 0.25 + 8 * 1 + 4 * 4, 1e-13);
    world_free(&w);
}

/* A triangle off the origin, balanced by a disc on the other side: m (a^2 + b^2 + c^2)/36, m r^2/2, and parallel axes. */
static void polygons_have_their_centroid(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_body body = add_loose(&w, "mobile", 0);
    double mass, I[9], triangle[6] = {0.5, 0.25, 3.5, 0.25, 0.5, 3.25};
    cairn_shape_options o = cairn_shape_default(CAIRN_POLYGON), disc = cairn_shape_default(CAIRN_CIRCLE);
    o.vertices = triangle;
    o.vertex_count = 3;
    o.density = 2;
    add_shape(&w, body, o);
    disc.radius = 0.5;
    disc.density = 9 / (M_PI * 0.25);
    disc.position[0] = -1.5;
    disc.position[1] = -1.25;
    add_shape(&w, body, disc);
    assert_int_equal(crn_model_mass(w.model, 0, &mass, I), CAIRN_OK);
    assert_near(mass, 18, 1e-12);
    assert_near(I[8], 9 * (9 + 9 + 18) / 36.0 + 9 * 0.125 + 18 * (1.5 * 1.5 + 1.25 * 1.25), 1e-12);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_solids_are_sums_of_slices),
        cmocka_unit_test(axes_are_parallel),
        cmocka_unit_test(densities_share_a_given_mass),
        cmocka_unit_test(polygons_have_their_centroid),
    };
    return cmocka_run_group_tests_name("masses", tests, NULL, NULL);
}
