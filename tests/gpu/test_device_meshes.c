/* Triangles on the device, through its twin for the processor (or, with CAIRN_GPU_LIBRARY, on a device): flat regions of them are planes, and height
 * fields are slopes, in closed form. */
#include "support/check.h"
#include "support/device.h"
#include "support/worlds.h"

#include "math/vec.h"
#include "support/meshes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static cairn_body add_fixed(world *w, const cairn_shape_options *shape)
{
    cairn_body_options options = cairn_body_default();
    options.name = "land";
    options.kind = CAIRN_FIXED;
    cairn_body body;
    assert_int_equal(cairn_model_add_body(w->model, &options, &body), CAIRN_OK);
    add_shape(w->model, body, shape);
    return body;
}

static void push(world *w, const char *name, double x, double y, double spin_radius)
{
    cairn_body_state state = world_body(w, name);
    state.velocity[0] = x;
    state.velocity[1] = y;
    if (spin_radius > 0)
    {
        state.angular_velocity[0] = -y / spin_radius;
        state.angular_velocity[1] = x / spin_radius;
    }
    assert_int_equal(cairn_simulation_set_body(w->simulation, cairn_model_find_body(world_model(w), name), &state),
                     CAIRN_OK);
}

/* A ball rolls over a flat square of triangles, across edges, along them and through corners, as over a plane. */
static void roll_over(double x, double y, double vx, double vy, double h)
{
    const double r = 0.05;
    test_mesh mesh;
    world w = world_new(3);
    cairn_material material = add_material(w.model, "wood", 0.5, 0);
    test_mesh_sheet(&mesh, 8);
    cairn_shape_options sheet = test_mesh_options(&mesh);
    sheet.material = material;
    add_fixed(&w, &sheet);
    add_ball(w.model, "ball", 1, r, (double[3]){x, y, r}, material);
    cairn_settings settings = on_device(h, 0);
    settings.sweeps = 10;
    world_start(&w, &settings);
    push(&w, "ball", vx, vy, r);
    for (int k = 1; k <= 100; ++k)
    {
        device_take(&w, 1);
        cairn_body_state ball = world_body(&w, "ball");
        double t = cairn_simulation_time(w.simulation);
        assert_near(ball.position[0], x + vx * t, 1e-5);
        assert_near(ball.position[1], y + vy * t, 1e-5);
        assert_near(ball.position[2], r, 1e-6 * r);
        assert_near(ball.velocity[2], 0, 1e-6);
    }
    world_free(&w);
}

static void balls_over_triangles(void **state)
{
    (void)state;
    roll_over(-0.8, -0.61, 1.4, 1.1, 0.01);
    roll_over(-0.75, 0, 1.5, 0, 0.01);         /* along edges, through corners */
    roll_over(-0.75, -0.75, 1.25, 1.25, 0.01); /* along the diagonals */
    roll_over(0.9, 0.13, -3, -0.2, 0.005);
}

/* A box slides over the same square, and stops after v^2 / (2 mu g). */
static void box_over_triangles(void **state)
{
    (void)state;
    const double mu = 0.3, g = 9.81, v = 1.5, h = 0.005;
    test_mesh mesh;
    world w = world_new(3);
    cairn_material material = add_material(w.model, "wood", mu, 0);
    test_mesh_sheet(&mesh, 9);
    cairn_shape_options sheet = test_mesh_options(&mesh);
    sheet.material = material;
    add_fixed(&w, &sheet);
    add_box(w.model, "brick", 1, (double[3]){0.3, 0.2, 0.1}, (double[3]){-0.5, 0.07, 0.05}, material);
    cairn_settings settings = on_device(h, 0);
    settings.sweeps = 60;
    world_start(&w, &settings);
    push(&w, "brick", v, 0, 0);
    device_take(&w, 40);
    double t = 40 * h;
    assert_near(world_body(&w, "brick").velocity[0], v - mu * g * t, 1e-3);
    device_take(&w, 160);
    cairn_body_state brick = world_body(&w, "brick");
    assert_near(brick.position[0], -0.5 + v * v / (2 * mu * g), 0.01);
    assert_near(brick.position[1], 0.07, 1e-3);
    assert_near(brick.position[2], 0.05, 1e-4);
    assert_near(brick.velocity[0], 0, 1e-4);
    world_free(&w);
}

/* A height field that rises at tan a is a slope: a ball rolls down with 5/7 g sin a, a box with mu > tan a stays, and a clump stands on three balls. */
static void on_height_field(void **state)
{
    (void)state;
    const double rise = 0.3, g = 9.81, r = 0.06, h = 0.005;
    double heights[21 * 21];
    for (int i = 0; i < 21 * 21; ++i)
        heights[i] = rise * 0.2 * (i % 21 - 10);
    world w = world_new(3);
    cairn_material material = add_material(w.model, "wood", 0.5, 0);
    cairn_shape_options field = shape_of(CAIRN_HEIGHT_FIELD, material);
    field.heights = heights;
    field.columns = field.rows = 21;
    field.spacing = 0.2;
    add_fixed(&w, &field);
    double angle = atan(rise), up = r / cos(angle), flat[3] = {0, -angle, 0};
    add_ball(w.model, "ball", 1, r, (double[3]){1, 0.37, rise + up}, material);
    cairn_body_options options = cairn_body_default();
    options.name = "brick";
    options.mass = 1;
    options.inertia[0] = options.inertia[1] = options.inertia[2] = 0.01;
    memcpy(options.position, (double[3]){0.5, -0.8, 0.5 * rise + 0.1 / cos(angle)}, sizeof options.position);
    crn_quaternion_exp(flat, options.orientation);
    cairn_body brick;
    assert_int_equal(cairn_model_add_body(w.model, &options, &brick), CAIRN_OK);
    cairn_shape_options box = shape_of(CAIRN_BOX, material);
    memcpy(box.size, (double[3]){0.5, 0.3, 0.2}, sizeof box.size);
    add_shape(w.model, brick, &box);
    add_clump(w.model, "clump", (double[3]){0, 1, 0.1 / cos(angle)}, flat, material);
    cairn_settings settings = on_device(h, 0);
    settings.sweeps = 80;
    world_start(&w, &settings);
    device_take(&w, 100);
    double t = 100 * h, a = 5.0 / 7 * g * sin(angle);
    cairn_body_state ball = world_body(&w, "ball");
    assert_near(ball.position[0], 1 - 0.5 * a * t * (t + h) * cos(angle), 1e-4);
    assert_near(ball.position[2], rise * ball.position[0] + up, 1e-6);
    assert_near(world_body(&w, "brick").position[0], 0.5, 1e-4);
    assert_near(world_body(&w, "clump").position[0], 0, 1e-4);
    world_free(&w);
}

int main(void)
{
    if (!device_is_there())
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_over_triangles),
        cmocka_unit_test(box_over_triangles),
        cmocka_unit_test(on_height_field),
    };
    return cmocka_run_group_tests(tests, device_choose, NULL);
}
