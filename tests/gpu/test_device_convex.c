/* Ellipsoids, cylinders, cones and hulls on the device, through its twin for the processor (or, with CAIRN_GPU_LIBRARY, on a device), against closed forms
 * and the processor's own steps. */
#include "support/check.h"
#include "support/device.h"
#include "support/meshes.h"

#include "math/vec.h"

#include <stdio.h>
#include <string.h>

static cairn_body add_body(world *w, const char *name, const double x[3], const double turn[3],
                           const cairn_shape_options *shape)
{
    cairn_body_options options = cairn_body_default();
    cairn_body body;
    options.name = name;
    memcpy(options.position, x, sizeof options.position);
    crn_quaternion_exp(turn, options.orientation);
    assert_int_equal(cairn_model_add_body(w->model, &options, &body), CAIRN_OK);
    add_shape(w->model, body, shape);
    return body;
}

static cairn_shape_options turned_shape(cairn_shape_kind kind, double radius, double height, cairn_material material)
{
    cairn_shape_options shape = shape_of(kind, material);
    shape.radius = radius;
    shape.height = height;
    shape.density = 500;
    return shape;
}

static world new_world(double angle, double mu, cairn_material *material)
{
    const double g = 9.81;
    world w = world_new(3);
    *material = add_material(w.model, "wood", mu, 0);
    cairn_model_set_gravity(w.model, (double[3]){g * sin(angle), 0, -g * cos(angle)});
    return w;
}

/* ------------------------------------------------------------------------------------------------------- closed forms */

/* A cylinder or cone stands on a slope on its flat end, on a half-space or on triangles: it sticks where mu > tan a, and slides with g (sin a - mu cos a)
 * where mu < tan a. It is held at three points or more, and does not tip. */
static void stand(cairn_shape_kind kind, bool is_mesh, double mu)
{
    const double g = 9.81, angle = 0.2, h = 0.004, height = 0.12, level = kind == CAIRN_CONE ? 0.25 : 0.5;
    cairn_material material;
    world w = new_world(angle, mu, &material);
    test_mesh mesh;
    test_mesh_sheet(&mesh, 6);
    cairn_shape_options shape = turned_shape(kind, 0.1, height, material), sheet = test_mesh_options(&mesh);
    cairn_body_options land = cairn_body_default();
    cairn_body body;
    land.name = "land";
    land.kind = CAIRN_FIXED;
    sheet.material = material;
    if (is_mesh)
    {
        assert_int_equal(cairn_model_add_body(w.model, &land, &body), CAIRN_OK);
        add_shape(w.model, body, &sheet);
    }
    else
        add_ground(w.model, material);
    add_body(&w, "pot", (double[3]){0.5, 0.5, level * height}, (double[3]){0, 0, 0.3}, &shape);
    cairn_settings settings = on_device(h, 100);
    world_start(&w, &settings);
    device_take(&w, 60);
    double t = 60 * h, a = mu > tan(angle) ? 0.0 : g * (sin(angle) - mu * cos(angle));
    cairn_body_state pot = world_body(&w, "pot");
    assert_near(pot.position[0] - 0.5, 0.5 * a * t * (t + h), 2e-4 * g * t * t);
    assert_near(pot.position[2], level * height, 1e-5);
    assert_near(fabs(pot.orientation[1]) + fabs(pot.orientation[2]), 0, 1e-4);
    assert_true(cairn_simulation_contact_count(w.simulation) >= 3);
    assert_int_equal(cairn_simulation_report(w.simulation)->physics.violations, 0);
    world_free(&w);
}

static void flat_ends_stand(void **state)
{
    (void)state;
    for (int is_mesh = 0; is_mesh < 2; ++is_mesh)
    {
        stand(CAIRN_CYLINDER, is_mesh, 0.5);
        stand(CAIRN_CYLINDER, is_mesh, 0.1);
        stand(CAIRN_CONE, is_mesh, 0.5);
    }
}

/* A homogeneous cylinder rolls down a slope with 2/3 g sin a. */
static void cylinder_rolls(void **state)
{
    (void)state;
    const double g = 9.81, angle = 0.2, r = 0.05, h = 0.004;
    cairn_material material;
    world w = new_world(angle, 0.6, &material);
    cairn_shape_options shape = turned_shape(CAIRN_CYLINDER, r, 0.3, material);
    add_ground(w.model, material);
    add_body(&w, "drum", (double[3]){0, 0, r}, (double[3]){acos(0.0), 0, 0}, &shape);
    cairn_settings settings = on_device(h, 60);
    world_start(&w, &settings);
    device_take(&w, 80);
    double a = 2.0 / 3 * g * sin(angle), t = 80 * h;
    cairn_body_state drum = world_body(&w, "drum");
    assert_near(drum.velocity[0], a * t, 5e-4 * a * t);
    assert_near(fabs(drum.angular_velocity[2]), a * t / r, 5e-4 * a * t / r);
    assert_near(drum.position[1], 0, 1e-5);
    assert_int_equal(cairn_simulation_contact_count(w.simulation), 2);
    world_free(&w);
}

/* Cubes as hulls, stacked: they stay where they are, at the height of boxes. */
static void stack_of_hulls(void **state)
{
    (void)state;
    const double a = 0.1, h = 0.005;
    double corners[24];
    char name[32];
    cairn_material material;
    world w = new_world(0, 0.5, &material);
    cairn_shape_options shape = shape_of(CAIRN_HULL, material);
    for (int i = 0; i < 24; ++i)
        corners[i] = (i / 3 >> i % 3 & 1 ? 0.5 : -0.5) * a;
    shape.vertices = corners;
    shape.vertex_count = 8;
    shape.density = 700;
    add_ground(w.model, material);
    for (int i = 0; i < 5; ++i)
    {
        snprintf(name, sizeof name, "cube%d", i);
        add_body(&w, name, (double[3]){0.01 * (i % 2), 0, a * (i + 0.5)}, (double[3]){0, 0, 0.2 * i}, &shape);
    }
    cairn_settings settings = on_device(h, 200);
    world_start(&w, &settings);
    device_take(&w, 200);
    for (int i = 0; i < 5; ++i)
    {
        snprintf(name, sizeof name, "cube%d", i);
        cairn_body_state cube = world_body(&w, name);
        assert_near(cube.position[0], 0.01 * (i % 2), 1e-4);
        assert_near(cube.position[2], a * (i + 0.5), 1e-4);
        assert_true(fabs(cube.orientation[0]) > cos(0.1 * i) - 1e-4);
    }
    assert_int_equal(cairn_simulation_report(w.simulation)->physics.violations, 0);
    world_free(&w);
}

/* -------------------------------------------------------------------------------------------------- as on the processor */

/* An ellipsoid rocks on a floor as on the processor, and keeps its energy apart from what friction takes. */
static void ellipsoid_rocks(void **state)
{
    (void)state;
    world w[2];
    for (int i = 0; i < 2; ++i)
    {
        cairn_material material;
        w[i] = new_world(0, 0.8, &material);
        cairn_shape_options shape = shape_of(CAIRN_ELLIPSOID, material);
        memcpy(shape.radii, (double[3]){0.3, 0.2, 0.15}, sizeof shape.radii);
        shape.density = 500;
        add_ground(w[i].model, material);
        add_body(&w[i], "egg", (double[3]){0, 0, 0.22}, (double[3]){0.3, 0.5, 0.2}, &shape);
        cairn_settings settings = on_device(0.0005, 60);
        settings.stabilisation = CAIRN_STABILISE_NONE; /* the device pushes overlaps out more slowly */
        settings.device = i ? CAIRN_DEVICE_CPU : CAIRN_DEVICE_GPU;
        world_start(&w[i], &settings);
        device_take(&w[i], 1600);
    }
    cairn_body_state a = world_body(&w[0], "egg"), b = world_body(&w[1], "egg");
    for (int k = 0; k < 3; ++k)
        assert_near(a.position[k], b.position[k], 5e-4);
    for (int k = 0; k < 4; ++k)
        assert_near(a.orientation[k], b.orientation[k], 2e-3);
    assert_true(crn_norm3(b.angular_velocity) > 0.1); /* it still rocks */
    world_free(&w[0]);
    world_free(&w[1]);
}

static void draw_grain(int i, cairn_material material, double points[36], cairn_shape_options *out)
{
    const cairn_shape_kind kind[4] = {CAIRN_HULL, CAIRN_CYLINDER, CAIRN_ELLIPSOID, CAIRN_CONE};
    uint64_t seed = 17 + (uint64_t)i;
    *out = shape_of(kind[i % 4], material);
    out->density = 1000;
    if (out->kind == CAIRN_CYLINDER || out->kind == CAIRN_CONE)
    {
        out->radius = 0.05;
        out->height = 0.1;
    }
    for (int k = 0; k < 3 && out->kind == CAIRN_ELLIPSOID; ++k)
        out->radii[k] = 0.04 + 0.015 * k;
    if (out->kind != CAIRN_HULL)
        return;
    for (int p = 0; p < 12; ++p) /* on a sphere, so that all are corners */
    {
        double *x = points + 3 * p;
        for (int k = 0; k < 3; ++k)
            x[k] = random_in(&seed, -1, 1);
        crn_scale3(0.06 / crn_norm3(x), x, x);
    }
    out->vertices = points;
    out->vertex_count = 12;
    out->recentre = true;
}

static void add_bin(world *w, cairn_material material, double wide)
{
    cairn_body_options options = cairn_body_default();
    cairn_body bin;
    options.name = "bin";
    options.kind = CAIRN_FIXED;
    assert_int_equal(cairn_model_add_body(w->model, &options, &bin), CAIRN_OK);
    for (int i = 0; i < 5; ++i)
    {
        cairn_shape_options wall = shape_of(CAIRN_HALF_SPACE, material);
        wall.normal[i == 4 ? 2 : i / 2] = i % 2 ? -1 : 1;
        if (i < 4)
            wall.position[i / 2] = i % 2 ? wide : -wide;
        add_shape(w->model, bin, &wall);
    }
}

static double mean_height(const world *w, int count)
{
    char name[32];
    double sum = 0;
    for (int i = 0; i < count; ++i)
    {
        snprintf(name, sizeof name, "grain%d", i);
        sum += world_body(w, name).position[2];
    }
    return sum / count;
}

/* Hulls, cylinders, ellipsoids and cones fall into a bin and come to rest there: at the height that the processor finds, and every audited step is right. */
static void pile_comes_to_rest(void **state)
{
    (void)state;
    int count = IS_SANITIZED ? 12 : 48, steps = IS_SANITIZED ? 100 : 400;
    double height[2], points[36];
    char name[32];
    for (int d = 0; d < 2; ++d)
    {
        cairn_material material;
        world w = new_world(0, 0.4, &material);
        add_bin(&w, material, 0.3);
        for (int i = 0; i < count; ++i)
        {
            cairn_shape_options shape;
            const double x[3] = {0.15 * (i % 4) - 0.22, 0.15 * (i / 4 % 4) - 0.22, 0.1 + 0.16 * (i / 16)};
            draw_grain(i, material, points, &shape);
            snprintf(name, sizeof name, "grain%d", i);
            add_body(&w, name, x, (double[3]){0.3 * i, 0.7 * i, 0.1 * i}, &shape);
        }
        cairn_settings settings = on_device(0.004, 60);
        settings.integrator = CAIRN_INTEGRATOR_STIFF;
        settings.audit_every = 1;
        settings.device = d ? CAIRN_DEVICE_CPU : CAIRN_DEVICE_GPU;
        world_start(&w, &settings);
        int found = 0;
        for (int k = 0; k < steps; k += 5)
        {
            device_take(&w, 5);
            found += cairn_simulation_report(w.simulation)->physics.violations;
        }
        height[d] = mean_height(&w, count);
        assert_int_equal(found, 0);
        assert_true(IS_SANITIZED || cairn_simulation_energy(w.simulation).kinetic < 1e-3);
        world_free(&w);
    }
    assert_near(height[0], height[1], 0.06 * height[1]);
}

/* --------------------------------------------------------------------------------------------------------- refusals */

static void too_many_corners(void **state)
{
    (void)state;
    static double points[3 * 400];
    uint64_t seed = 3;
    cairn_material material;
    world w = new_world(0, 0.4, &material);
    cairn_shape_options shape = shape_of(CAIRN_HULL, material);
    for (int i = 0; i < 400; ++i)
    {
        for (int k = 0; k < 3; ++k)
            points[3 * i + k] = random_in(&seed, -1, 1);
        crn_scale3(1 / crn_norm3(points + 3 * i), points + 3 * i, points + 3 * i);
    }
    shape.vertices = points;
    shape.vertex_count = 400;
    shape.density = 1;
    shape.recentre = true;
    add_body(&w, "pebble", (double[3]){0, 0, 2}, (double[3]){0, 0, 0}, &shape);
    cairn_settings settings = on_device(0.01, 0);
    assert_int_equal(cairn_simulation_create(w.context, w.model, &settings, &w.simulation), CAIRN_UNSUPPORTED);
    assert_non_null(strstr(cairn_context_message(w.context, 0).text,
                           "body 'pebble' has a hull with 400 corners, but the device takes 256 at most"));
    world_free(&w);
}

int main(void)
{
    if (!device_is_there())
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_ends_stand), cmocka_unit_test(cylinder_rolls),     cmocka_unit_test(stack_of_hulls),
        cmocka_unit_test(ellipsoid_rocks), cmocka_unit_test(pile_comes_to_rest), cmocka_unit_test(too_many_corners),
    };
    return cmocka_run_group_tests(tests, device_choose, NULL);
}
