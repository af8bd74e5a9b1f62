/* Scenes of meshes: a pawl that slides over a disk and falls into its hole, a nut on a screw, a peg in a hole and a rover on
 * hills. What is known of each without simulating it is asked for; and none gains energy or penetrates. */
#include "support/check.h"
#include "support/sober.h"
#include "support/worlds.h"

#include <stdlib.h>

/* ------------------------------------------------------------------------------------------------------------ pawl */

/* Without friction the pawl does not feel how the faces it slides on are cut into triangles: its height stays, and its way is
 * that of the same mass on the same spring and damper alone, v+ = (m v - h k x)/(m + h c + h^2 k). */
static void the_pawl_slides_evenly(void **state)
{
    (void)state;
    cairn_settings settings;
    world w = world_load("pawl", &settings, NULL, 0);
    world_start(&w, &settings);
    const cairn_model *model = world_model(&w);
    double m = cairn_model_body_mass(model, cairn_model_find_body(model, "pawl")), h = settings.step;
    double x = world_body(&w, "pawl").position[0], v = 0;
    for (int i = 0; i < 500; ++i)
    {
        world_step(&w);
        v = (m * v - h * 200 * x) / (m + h * 40 + h * h * 200);
        x += h * v;
        cairn_body_state pawl = world_body(&w, "pawl");
        assert_near(pawl.position[0], x, 1e-11);
        assert_near(pawl.position[1], 0, 1e-11);
        assert_near(pawl.position[2], 0.01, 1e-12);
    }
    world_free(&w);
}

static void the_pawl_falls_in(void **state)
{
    (void)state;
    cairn_settings settings;
    world w = world_load("pawl", &settings, NULL, 0);
    settings.accuracy = CAIRN_ACCURACY_EXACT; /* to the tolerance, also where contacts nearly contradict each other */
    world_start(&w, &settings);
    sober seen = sober_start(&w);
    for (int i = 0; i < 1000; ++i)
    {
        world_step(&w);
        sober_watch(&w, 0, &seen);
    }
    assert_true(world_body(&w, "pawl").position[2] < -0.01 - 0.01);
    sober_check("pawl", &seen, 0.23);
    world_free(&w);
}

/* A tenth of the contacts makes the same motion. */
static void reduction_keeps_the_motion(void **state)
{
    (void)state;
    world w[2];
    long sum[2] = {0};
    double apart = 0;
    for (int k = 0; k < 2; ++k)
    {
        cairn_settings settings;
        w[k] = world_load("pawl", &settings, NULL, 0);
        settings.reduction = k == 0;
        settings.accuracy = CAIRN_ACCURACY_EXACT;
        world_start(&w[k], &settings);
    }
    for (int i = 0; i < 1000; ++i)
    {
        cairn_body_state pawl[2];
        for (int k = 0; k < 2; ++k)
        {
            world_step(&w[k]);
            sum[k] += cairn_simulation_contact_count(w[k].simulation);
            pawl[k] = world_body(&w[k], "pawl");
        }
        for (int k = 0; k < 3; ++k)
            apart = fmax(apart, fabs(pawl[0].position[k] - pawl[1].position[k]));
    }
    print_message("pawl: %ld contacts, %ld without reduction; apart by %.1e m\n", sum[0], sum[1], apart);
    assert_true(sum[1] >= 10 * sum[0]);
    assert_true(apart < 1e-8);
    world_free(&w[0]);
    world_free(&w[1]);
}

/* ----------------------------------------------------------------------------------------------------------- screw */

/* Second moment about z over the volume of a closed mesh, by the tetrahedra from the origin to its triangles. */
static double square_radius(const world *w, const char *name)
{
    const cairn_model *model = world_model(w);
    double volume = 0, moment = 0;
    for (int i = 0; i < cairn_model_shape_count(model); ++i)
    {
        cairn_shape_info s = cairn_model_shape_info(model, cairn_model_shape(model, i));
        for (int t = 0; t < s.face_count && s.body.id == cairn_model_find_body(model, name).id; ++t)
        {
            const double *a = s.vertices + 3 * s.face_vertices[3 * t], *b = s.vertices + 3 * s.face_vertices[3 * t + 1];
            const double *c = s.vertices + 3 * s.face_vertices[3 * t + 2];
            double v = (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
                        a[2] * (b[0] * c[1] - b[1] * c[0])) /
                       6;
            volume += v;
            for (int k = 0; k < 2; ++k)
            {
                double sum = a[k] + b[k] + c[k];
                moment += v / 20 * (a[k] * a[k] + b[k] * b[k] + c[k] * c[k] + sum * sum);
            }
        }
    }
    return moment / volume;
}

/* A nut on a screw of lead p is a body with one freedom: its way is p/(2 pi) times its turn, but for the play (0.8 mm across the
 * flanks, some 3 mm along the axis), and a = g/(1 + (I/m) (2 pi/p)^2), less what the flat pieces of the thread cost. */
static void the_nut_runs_down(void **state)
{
    (void)state;
    const double lead = 0.48, turn = 2 * 3.14159265358979323846 / lead;
    int steps = getenv("CAIRN_LONG") ? 250 : 60;
    cairn_settings settings;
    world w = world_load("screw", &settings, NULL, 0);
    world_start(&w, &settings);
    double a = 9.81 / (1 + square_radius(&w, "nut") * turn * turn), turned = 0, play = 0;
    sober seen = sober_start(&w);
    for (int i = 0; i < steps; ++i)
    {
        world_step(&w);
        sober_watch(&w, 0, &seen);
        cairn_body_state nut = world_body(&w, "nut");
        turned += settings.step * nut.angular_velocity[2];
        play = fmax(play, fabs(nut.position[2] - 0.3 - turned / turn));
        assert_near(hypot(nut.position[0], nut.position[1]), 0, 0.001);
    }
    double t = steps * settings.step, v = -world_body(&w, "nut").velocity[2];
    print_message("screw: %.4g m/s after %.3g s, %.4g without play and losses; way and turn apart by %.2g m\n", v, t,
                  a * t, play);
    assert_true(play < 0.003);
    assert_near(v, a * t, (getenv("CAIRN_LONG") ? 0.05 : 0.3) * a * t);
    sober_check("screw", &seen, 0.16);
    world_free(&w);
}

/* ------------------------------------------------------------------------------------------------- peg and rover */

/* The hole of triangles and the hole of hulls are the same hole. */
static void a_hole_of_triangles(void **state)
{
    (void)state;
    const char *friction[2] = {"0.1", "0.3"};
    for (int k = 0; k < 2; ++k)
    {
        cairn_settings settings;
        const cairn_parameter parameter = {"mu", friction[k]};
        world mesh = world_load("round-peg-mesh", &settings, &parameter, 1);
        world_start(&mesh, &settings);
        sober seen = sober_start(&mesh);
        for (int i = 0; i < 1000; ++i)
        {
            world_step(&mesh);
            sober_watch(&mesh, 0, &seen);
        }
        double height = world_body(&mesh, "peg").position[2];
        world_free(&mesh);
        world hulls = world_load("round-peg", &settings, &parameter, 1);
        world_start(&hulls, &settings);
        world_run(&hulls, 1000);
        assert_near(height, world_body(&hulls, "peg").position[2], 1e-6);
        world_free(&hulls);
        sober_check("round peg in a mesh", &seen, 0.1);
    }
}

/* On level ground the rover comes to the speed at which each motor's torque is its own drag's: 25/4 rad/s on wheels of 0.2 m. */
static void the_rover_on_level_ground(void **state)
{
    (void)state;
    cairn_settings settings;
    const cairn_parameter level = {"hills", "0"};
    world w = world_load("rover", &settings, &level, 1);
    world_start(&w, &settings);
    for (int i = 0; i < 1500; ++i)
    {
        world_step(&w);
        cairn_body_state wheel = world_body(&w, "wheel-front-left");
        assert_near(wheel.position[2], 0.2, 1e-6);
    }
    assert_near(world_body(&w, "frame").velocity[0], 1.25, 1e-3);
    world_free(&w);
}

static void the_rover_on_hills(void **state)
{
    (void)state;
    cairn_settings settings;
    world w = world_load("rover", &settings, NULL, 0);
    world_start(&w, &settings);
    double start = cairn_simulation_energy(w.simulation).total, deepest = 0, highest = 0;
    for (int i = 0; i < 1500; ++i)
    {
        world_step(&w);
        const cairn_step_report *report = cairn_simulation_report(w.simulation);
        const cairn_energy *e = &report->energy;
        deepest = fmax(deepest, report->penetration);
        highest = fmax(highest, world_body(&w, "frame").position[2]);
        assert_true(e->total - start < e->work_forces + e->work_dampers + 1e-3);
    }
    print_message("rover: at x = %.3f m, penetration %.1e m, frame up to %.3f m\n", world_body(&w, "frame").position[0],
                  deepest, highest);
    assert_true(world_body(&w, "frame").position[0] > 5);
    assert_true(highest > 0.35);
    assert_true(deepest < 1e-4 * 1.1);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pawl_slides_evenly),     cmocka_unit_test(the_pawl_falls_in),
        cmocka_unit_test(reduction_keeps_the_motion), cmocka_unit_test(the_nut_runs_down),
        cmocka_unit_test(a_hole_of_triangles),        cmocka_unit_test(the_rover_on_level_ground),
        cmocka_unit_test(the_rover_on_hills),
    };
    return cmocka_run_group_tests_name("mesh scenes", tests, NULL, NULL);
}
