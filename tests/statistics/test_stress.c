/* Stress, fabric and forces: a stack by hand, in any direction; a heap, whose slabs carry exactly the weight above them; and the symmetry
 * of the whole tensor at rest. */
#include "support/check.h"
#include "support/grains.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846, G = 9.81;

static cairn_settings precise(double step)
{
    cairn_settings settings = cairn_settings_default();
    settings.step = step;
    settings.accuracy = CAIRN_ACCURACY_EXACT;
    return settings;
}

static cairn_body add_wall(world *w, const char *name, const double at[3], const double normal[3],
                           cairn_material material)
{
    cairn_body_options options = cairn_body_default();
    options.name = name;
    options.kind = CAIRN_FIXED;
    memcpy(options.position, at, sizeof options.position);
    cairn_shape_options wall =
        cairn_shape_default(cairn_model_dimension(w->model) == 3 ? CAIRN_HALF_SPACE : CAIRN_HALF_PLANE);
    memcpy(wall.normal, normal, sizeof wall.normal);
    wall.material = material;
    cairn_body body;
    cairn_shape shape;
    assert_int_equal(cairn_model_add_body(w->model, &options, &body), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(w->model, body, &wall, &shape), CAIRN_OK);
    return body;
}

/* ----------------------------------------------------------------------------------------------------------- a stack */

/* Three grains on a floor whose normal is `up`: the lines from centre to contact are r long and carry 3, 2, 2, 1 and 1 weights. */
static void check_stack(int dimension, double angle, double step)
{
    turned t = turn_by(dimension, angle);
    const double r = 0.3, axis[3] = {0, dimension == 2, dimension == 3};
    double up[3], g[3], x[3], m = dimension == 2 ? PI * r * r : 4 * PI / 3 * r * r * r;
    turn_vector(&t, axis, up);
    world w = world_new(dimension);
    add_wall(&w, "floor", (double[3]){0}, up, (cairn_material){0});
    for (int i = 0; i < 3; ++i)
        g[i] = -G * up[i];
    cairn_model_set_gravity(w.model, g);
    for (int k = 0; k < 3; ++k)
    {
        for (int i = 0; i < 3; ++i)
            x[i] = (2 * k + 1) * r * up[i];
        add_grain(&w, x, r);
    }
    /* a slab from 1.5 r to 3.5 r: in it, r/2 with 2 weights below the contact at 2 r, and r and r/2 with 2 and 1 above it */
    double middle[3] = {2.5 * r * up[0], 2.5 * r * up[1], 2.5 * r * up[2]};
    cairn_region slab = box_region(&t, middle, dimension == 3 ? 2 : 3, dimension == 3 ? 3 : 2 * r, 2 * r);
    double area = dimension == 3 ? 6 : 3;
    add_region(&w, "slab", &slab);
    cairn_settings settings = precise(step);
    world_start(&w, &settings);
    world_run(&w, 3);
    double virial[9], fabric[9], stress[9];
    assert_int_equal(read_numbers(&w, "grains.virial", virial), dimension * dimension);
    read_numbers(&w, "grains.fabric", fabric);
    read_numbers(&w, "slab.stress", stress);
    double whole = m * G * r * (3 + 2 + 2 + 1 + 1), part = m * G * r * (0.5 * 2 + 1 * 2 + 0.5 * 1);
    for (int i = 0; i < dimension; ++i)
        for (int j = 0; j < dimension; ++j)
        {
            int k = dimension * i + j;
            assert_near(virial[k], whole * up[i] * up[j], 1e-9 * whole);
            assert_near(fabric[k], up[i] * up[j], 1e-9);
            assert_near(stress[k], part / (area * 2 * r) * up[i] * up[j], 1e-9 * whole);
        }
    assert_near(read_number(&w, "slab.pressure"), part / (area * 2 * r) / dimension, 1e-9 * whole);
    assert_near(read_number(&w, "grains.mean_force"), 2 * m * G, 1e-9 * m * G);
    assert_near(read_number(&w, "grains.largest_force"), 3 * m * G, 1e-9 * m * G);
    assert_near(read_number(&w, "grains.contacts"), 3, 0);
    assert_near(read_number(&w, "slab.contacts"), 1, 0); /* the one at 2 r; that at 4 r is above it */
    world_free(&w);
}

static void test_stack(void **state)
{
    (void)state;
    const double angles[] = {0, 0.4, 2.1}, steps[] = {0.01, 0.0007};
    for (int dimension = 2; dimension <= 3; ++dimension)
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 2; ++k)
                check_stack(dimension, angles[i], steps[k]);
}

/* A ball that slides along x with friction 0.5 is pushed by f = m g (-0.5, 0, 1) at -r z from its centre: the force along x acts
 * through faces across z, and none along z through faces across x. */
static void test_slide(void **state)
{
    (void)state;
    static const char TEXT[] = "dimension: 3\nmaterials: [{name: m, friction: 0.5}]\n"
                               "bodies: [{name: floor, kind: fixed, material: m, shapes: [{type: half-space}]}, "
                               "{name: ball, position: [0, 0, 0.1], velocity: [3, 0, 0], mass: 2, material: m, shapes: "
                               "[{type: sphere, radius: "
                               "0.1}]}]\n"
                               "simulation: {step: 1e-5}\n";
    cairn_settings settings;
    world w = world_parse(TEXT, &settings, NULL, 0);
    world_start(&w, &settings);
    world_run(&w, 3);
    double virial[9], scale = 2 * G * 0.1;
    const double truth[9] = {0, 0, -0.5, 0, 0, 0, 0, 0, 1};
    assert_int_equal(read_numbers(&w, "grains.virial", virial), 9);
    for (int k = 0; k < 9; ++k)
        assert_near(virial[k], truth[k] * scale, 1e-3 * scale); /* in a step it slides 3e-4 radii */
    world_free(&w);
}

/* The forces of the stack are 1, 2 and 3 times a weight, 1/2, 1 and 3/2 times their mean. */
static void test_histogram(void **state)
{
    (void)state;
    world w = world_new(3);
    add_wall(&w, "floor", (double[3]){0}, (double[3]){0, 0, 1}, (cairn_material){0});
    for (int k = 0; k < 3; ++k)
        add_grain(&w, (double[3]){0, 0, 2 * k + 1}, 1);
    cairn_statistic made;
    cairn_statistic_options options = cairn_statistic_default();
    options.name = "few";
    options.bins = 5;
    options.top = 1.4; /* bins of 0.28 of the mean: the largest force is beyond */
    assert_int_equal(cairn_model_add_statistic(w.model, &options, &made), CAIRN_OK);
    cairn_settings settings = precise(0.01);
    world_start(&w, &settings);
    world_step(&w);
    double share[CAIRN_QUANTITY_MOST];
    assert_int_equal(read_numbers(&w, "few.force_histogram", share), 5);
    const double expected[5] = {0, 1.0 / 3, 0, 1.0 / 3, 0};
    for (int k = 0; k < 5; ++k)
        assert_near(share[k], expected[k], 1e-12);
    world_free(&w);
}

/* ------------------------------------------------------------------------------------------------------------ a heap */

enum
{
    GRAINS = IS_SANITIZED ? 24 : 60
};

/* Grains of three sizes in a box without friction at its walls. */
static world pour(double friction)
{
    world w = world_new(3);
    cairn_material smooth = add_material(w.model, "smooth", 0, 0), rough = add_material(w.model, "rough", friction, 0);
    const double normals[5][3] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    for (int k = 0; k < 5; ++k)
    {
        char name[40];
        snprintf(name, sizeof name, "wall%d", k);
        double at[3] = {-2 * normals[k][0], -2 * normals[k][1], 0};
        add_wall(&w, name, at, normals[k], smooth);
    }
    uint64_t seed = 3;
    for (int i = 0; i < GRAINS; ++i)
    {
        char name[40];
        double r = 0.36 + 0.05 * (i % 3);
        double x[3] = {-1.4 + 0.95 * (i % 4) + random_in(&seed, -0.02, 0.02), -1.4 + 0.95 * (i / 4 % 4), 0.5 + i / 16};
        x[1] += random_in(&seed, -0.02, 0.02);
        snprintf(name, sizeof name, "g%d", i);
        add_ball(w.model, name, 4 * PI / 3 * r * r * r, r, x, rough);
    }
    return w;
}

/* N: what the grains whose centres are above z press down with: m (g + a), from their motion over the last step. */
static double load_above(const world *w, double z)
{
    double sum = 0;
    for (int i = 0; i < GRAINS; ++i)
    {
        char name[40];
        double a[CAIRN_QUANTITY_MOST], r = 0.36 + 0.05 * (i % 3);
        snprintf(name, sizeof name, "g%d.acceleration", i);
        read_numbers(w, name, a);
        name[strchr(name, '.') - name] = '\0';
        if (world_body(w, name).position[2] > z)
            sum += 4 * PI / 3 * r * r * r * (G + a[2]);
    }
    return sum;
}

/* The mean over the slab's planes of the load above them, per area: by the midpoint rule in pieces between the centres' heights. */
static double weight_of_slab(const world *w, double low, double high)
{
    enum
    {
        PIECES = IS_SANITIZED ? 400 : 2000
    };
    double sum = 0;
    for (int i = 0; i < PIECES; ++i)
        sum += load_above(w, low + (i + 0.5) / PIECES * (high - low)) / PIECES;
    return sum / 16;
}

/* N m s: the sum of the spins of all grains, world. */
static void add_spins(const world *w, double out[3])
{
    memset(out, 0, 3 * sizeof *out);
    for (int i = 0; i < GRAINS; ++i)
    {
        char name[40];
        snprintf(name, sizeof name, "g%d", i);
        cairn_body_state s = world_body(w, name);
        double r = 0.36 + 0.05 * (i % 3), inertia = 0.4 * 4 * PI / 3 * r * r * r * r * r;
        double a = s.orientation[0], *q = s.orientation + 1, *v = s.angular_velocity, spin[3];
        double t[3] = {2 * (q[1] * v[2] - q[2] * v[1]), 2 * (q[2] * v[0] - q[0] * v[2]),
                       2 * (q[0] * v[1] - q[1] * v[0])};
        for (int k = 0; k < 3; ++k)
            spin[k] = v[k] + a * t[k] + q[(k + 1) % 3] * t[(k + 2) % 3] - q[(k + 2) % 3] * t[(k + 1) % 3];
        for (int k = 0; k < 3; ++k)
            out[k] += inertia * spin[k];
    }
}

static double fastest_grain(const world *w)
{
    double most = 0;
    for (int i = 0; i < GRAINS; ++i)
    {
        char name[40];
        snprintf(name, sizeof name, "g%d", i);
        cairn_body_state s = world_body(w, name);
        most = fmax(
            most, sqrt(s.velocity[0] * s.velocity[0] + s.velocity[1] * s.velocity[1] + s.velocity[2] * s.velocity[2]));
    }
    return most;
}

/* What is left of the symmetry is the torque that turns the grains: V_xy - V_yx = dL_z/dt, and so on. Forces along branches have none. */
static void check_symmetry(world *w, double step, double friction)
{
    double before[3], after[3], virial[9], size = 0;
    add_spins(w, before);
    world_step(w);
    add_spins(w, after);
    read_numbers(w, "grains.virial", virial);
    for (int k = 0; k < 9; k += 4)
        size += virial[k];
    double fastest = fastest_grain(w);
    for (int k = 0; k < 3; ++k)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double torque = friction > 0 ? (after[k] - before[k]) / step : 0;
        /* forces act where the contacts are found, and positions move by h v after that: branches of 0.36 m or more */
        assert_near(virial[3 * i + j] - virial[3 * j + i], torque, (2 * step * fastest / 0.36 + 1e-9) * size);
    }
}

static void check_heap(double friction, double step)
{
    world w = pour(friction);
    turned still = turn_by(3, 0);
    const double slabs[3][2] = {{0, 1}, {0.63, 1.4}, {0.2, 3}};
    for (int k = 0; k < 3; ++k)
    {
        char name[40];
        snprintf(name, sizeof name, "slab%d", k);
        cairn_region slab =
            box_region(&still, (double[3]){0, 0, 0.5 * (slabs[k][0] + slabs[k][1])}, 4, 4, slabs[k][1] - slabs[k][0]);
        add_region(&w, name, &slab);
    }
    cairn_settings settings = precise(step);
    world_start(&w, &settings);
    world_run(&w, (int)((IS_SANITIZED ? 0.8 : 2) / step));
    for (int k = 0; k < 3; ++k)
    {
        char name[40];
        snprintf(name, sizeof name, "slab%d.stress.zz", k);
        double expected = weight_of_slab(&w, slabs[k][0], slabs[k][1]);
        assert_true(expected > (IS_SANITIZED ? 0.1 : 1)); /* Pa: there is something in it */
        assert_near(read_number(&w, name), expected, 5e-3 * expected);
    }
    check_symmetry(&w, step, friction);
    world_free(&w);
}

static void test_heap(void **state)
{
    (void)state;
    check_heap(0, 0.005);
    check_heap(0.5, 0.008);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stack), cmocka_unit_test(test_slide),
                                       cmocka_unit_test(test_histogram), cmocka_unit_test(test_heap)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
