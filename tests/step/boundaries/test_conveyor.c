/* Conveyors: a block is carried along at mu g until it has the belt's velocity, a ball keeps 2/7 of it, a body with a moving surface
 * drives itself, and a heap is judged by the general certificate. */
#include "support/check.h"
#include "support/heap.h"

#include <cairn/save.h>

#include <stdio.h>
#include <string.h>

static const double G = 9.81;

/* The belt is a fixed body that lies turned, with gravity against its normal. */
static const char BELT[] =
    "dimension: 3\n"
    "parameters: {mu: 0.3, vx: 1, vy: 0, ux: 0, uy: 0}\n"
    "materials: [{name: rubber, friction: mu}]\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  - {name: belt, kind: fixed, material: rubber, orientation: {axis: [0, 0, 1], angle: 0.5},\n"
    "     shapes: [{type: half-space, surface_velocity: [vx, vy, 0.7]}]}\n"
    "  - {name: thing, mass: 2, position: [0, 0, 0.05], velocity: [ux, uy, 0], material: rubber,\n"
    "     shapes: [{type: SHAPE}]}\n";

static world start(const char *shape, const double belt[2], const double mu, const double u[2], double h,
                   cairn_integrator integrator)
{
    char text[2048], value[5][32];
    const char *name[5] = {"mu", "vx", "vy", "ux", "uy"}, *at = strstr(BELT, "SHAPE");
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - BELT), BELT, shape, at + strlen("SHAPE"));
    const double number[5] = {mu, belt[0], belt[1], u[0], u[1]};
    cairn_parameter parameters[5];
    for (int i = 0; i < 5; ++i)
    {
        snprintf(value[i], sizeof value[i], "%.17g", number[i]);
        parameters[i] = (cairn_parameter){name[i], value[i]};
    }
    cairn_settings settings;
    world w = world_parse(text, &settings, parameters, 5);
    settings.step = h;
    settings.integrator = integrator;
    settings.solver.tolerance = 1e-11;
    world_start(&w, &settings);
    return w;
}

/* The velocity of the belt in the world: the body is turned by 0.5 about z. */
static void turned(const double belt[2], double out[2])
{
    out[0] = cos(0.5) * belt[0] - sin(0.5) * belt[1];
    out[1] = sin(0.5) * belt[0] + cos(0.5) * belt[1];
}

static void check_account(const world *w, double kinetic)
{
    cairn_energy e = cairn_simulation_energy(w->simulation);
    assert_near(e.balance_error, 0, 1e-9);
    assert_near(e.work_friction, kinetic, 1e-7 * fabs(kinetic) + 1e-9);
    assert_int_equal(cairn_simulation_report(w->simulation)->physics.violations, 0);
}

/* Friction mu g is along belt - u, which shrinks without turning: u(t) = belt + (u0 - belt) max(0, 1 - mu g t/|u0 - belt|). */
static void carries_a_block(void **state)
{
    (void)state;
    for (int i = 0; i < 12; ++i)
    {
        double mu = 0.1 + 0.07 * i, h = i % 2 ? 0.01 : 0.0037, way = 0.9 * i, belt[2], v[2];
        double u[2] = {i % 3 ? 0.2 * i : 0, i % 3 ? 0.5 - 0.1 * i : 0};
        belt[0] = (0.5 + 0.1 * i) * cos(way);
        belt[1] = (0.5 + 0.1 * i) * sin(way);
        turned(belt, v);
        world w = start("box, size: [0.4, 0.3, 0.1]", belt, mu, u, h,
                        i % 4 ? CAIRN_INTEGRATOR_STIFF : CAIRN_INTEGRATOR_EULER);
        double off[2] = {u[0] - v[0], u[1] - v[1]}, speed = hypot(off[0], off[1]), stops = speed / (mu * G);
        for (int k = 1; k * h < stops + 0.1; ++k)
        {
            world_step(&w);
            cairn_body_state at = world_body(&w, "thing");
            double share = fmax(0, 1 - mu * G * k * h / speed);
            assert_near(at.velocity[0], v[0] + share * off[0], 1e-8);
            assert_near(at.velocity[1], v[1] + share * off[1], 1e-8);
            check_account(&w, 0.5 * 2 * (pow(at.velocity[0], 2) + pow(at.velocity[1], 2) - u[0] * u[0] - u[1] * u[1]));
        }
        world_free(&w);
    }
}

/* A ball from rest: its lowest point has the belt's velocity when its own is 2/7 of it, and then it rolls. */
static void spins_a_ball_up(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        double belt[2] = {1.4 * cos(i), 1.4 * sin(i)}, none[2] = {0}, v[2], h = i % 2 ? 0.004 : 0.0011;
        turned(belt, v);
        world w = start("sphere, radius: 0.05", belt, 0.25, none, h, CAIRN_INTEGRATOR_STIFF);
        world_run(&w, (int)(0.4 / h));
        cairn_body_state at = world_body(&w, "thing");
        for (int k = 0; k < 2; ++k)
            assert_near(at.velocity[k], 2.0 / 7.0 * v[k], 1e-9);
        assert_near(at.angular_velocity[2], 0, 1e-9);
        assert_int_equal(cairn_simulation_report(w.simulation)->physics.violations, 0);
        world_free(&w);
    }
}

/* In the plane: a sledge whose underside moves backwards on the ground, and a cart on ice whose belt carries a block. The cart and its
 * block keep their common momentum, and part at the belt's speed. */
static const char DRIVEN[] = "dimension: 2\n"
                             "parameters: {mu: 0.4, speed: -1.2}\n"
                             "materials: [{name: rough, friction: mu}, {name: ice, friction: 0}]\n"
                             "gravity: [0, -9.81]\n"
                             "bodies:\n"
                             "  - {name: ground, kind: fixed, material: rough, shapes: [{type: half-plane}]}\n"
                             "  - {name: ice, kind: fixed, material: ice,\n"
                             "     shapes: [{type: rectangle, size: [8, 1], position: [20, 0.5]}]}\n"
                             "  - {name: sledge, mass: 3, position: [0, 0.1], material: rough,\n"
                             "     shapes: [{type: rectangle, size: [1, 0.2], surface_velocity: [speed, 0]}]}\n"
                             "  - {name: cart, mass: 5, position: [20, 1.1], material: rough,\n"
                             "     shapes: [{type: rectangle, size: [3, 0.2], surface_velocity: [speed, 0]}]}\n"
                             "  - {name: block, mass: 2, position: [20, 1.25], material: rough,\n"
                             "     shapes: [{type: rectangle, size: [0.2, 0.1]}]}\n"
                             "pairs: [{materials: [rough, ice], friction: 0}]\n";

static void drives_itself(void **state)
{
    (void)state;
    const cairn_integrator integrators[] = {CAIRN_INTEGRATOR_STIFF, CAIRN_INTEGRATOR_STIFF2, CAIRN_INTEGRATOR_EULER,
                                            CAIRN_INTEGRATOR_TRAPEZOID};
    for (int i = 0; i < 4; ++i)
    {
        cairn_settings settings;
        world w = world_parse(DRIVEN, &settings, NULL, 0);
        double h = 0.002 + 0.0017 * i, mu = 0.4, speed = -1.2;
        settings.step = h;
        settings.integrator = integrators[i];
        settings.solver.tolerance = 1e-11;
        world_start(&w, &settings);
        for (int k = 1; k * h < 0.6; ++k)
        {
            world_step(&w);
            assert_near(world_body(&w, "sledge").velocity[0], fmin(mu * G * k * h, -speed), 1e-8);
            double cart = world_body(&w, "cart").velocity[0], block = world_body(&w, "block").velocity[0];
            assert_near(5 * cart + 2 * block, 0, 1e-8);
            /* the block gains mu g, the cart loses 2/5 of it, until their difference is the belt's speed */
            assert_near(block - cart, fmax(-1.4 * mu * G * k * h, speed), 1e-8);
            assert_near(cairn_simulation_energy(w.simulation).balance_error, 0, 1e-9);
            assert_int_equal(cairn_simulation_report(w.simulation)->physics.violations, 0);
        }
        world_free(&w);
    }
}

/* A heap on a wide cart with a belt, on a floor that is one too: the general certificate, which knows nothing of compact steps, finds
 * the same residuals. */
static void is_certified_in_heaps(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        world w = heap_world(&(heap_options){.dimension = i % 2 ? 2 : 3,
                                             .mix = i < 2 ? HEAP_ROUND : HEAP_MIXED,
                                             .count = IS_SANITIZED ? 80 : 120,
                                             .friction = 0.4,
                                             .seed = (uint64_t)i + 1});
        int planar = i % 2, swept = 0;
        cairn_shape_options belt = cairn_shape_default(planar ? CAIRN_HALF_PLANE : CAIRN_HALF_SPACE);
        belt.surface_velocity[0] = 0.5;
        belt.position[planar ? 1 : 2] = 1e-4;
        cairn_shape made;
        assert_int_equal(cairn_model_add_shape(w.model, cairn_model_body(w.model, 0), &belt, &made), CAIRN_OK);
        for (int grain = 0; grain < 20; ++grain) /* some grains have moving surfaces themselves */
        {
            cairn_shape_options patch = cairn_shape_default(planar ? CAIRN_CIRCLE : CAIRN_SPHERE);
            patch.radius = HEAP_RADIUS;
            memcpy(patch.surface_velocity, (double[3]){0.1, -0.2, planar ? 0 : 0.1}, sizeof patch.surface_velocity);
            cairn_body body = cairn_model_body(w.model, cairn_model_body_count(w.model) - 1 - 3 * grain);
            assert_int_equal(cairn_model_add_shape(w.model, body, &patch, &made), CAIRN_OK);
        }
        cairn_settings settings = cairn_settings_default();
        settings.step = 0.005;
        world_start(&w, &settings);
        for (int k = 0; k < (IS_SANITIZED ? 60 : 120); ++k)
        {
            heap_run(&w, 1);
            const cairn_step_report *report = cairn_simulation_report(w.simulation);
            assert_int_equal(report->physics.violations, 0);
            assert_near(cairn_simulation_energy(w.simulation).balance_error, 0, 1e-9);
            if (!heap_swept(&w) || k % 3)
                continue;
            cairn_certificate general;
            const cairn_problem *problem = cairn_simulation_problem(w.simulation);
            assert_int_equal(cairn_certify(problem, cairn_simulation_solution(w.simulation), &general), CAIRN_OK);
            assert_near(report->solver.certificate.natural_map, general.natural_map,
                        1e-9 * general.natural_map + 1e-14 * general.scale);
            ++swept;
        }
        assert_true(swept > 5);
        world_free(&w);
    }
}

/* What is saved can be read again, and bad numbers are refused with the body's name. */
static void is_saved_and_checked(void **state)
{
    (void)state;
    cairn_settings settings;
    world w = world_parse(DRIVEN, &settings, NULL, 0);
    char *text;
    assert_int_equal(cairn_model_text(cairn_scene_model(w.scene), NULL, &text), CAIRN_OK);
    assert_non_null(strstr(text, "surface_velocity: [-1.2, 0]"));
    world again = world_parse(text, &settings, NULL, 0);
    cairn_shape_info info =
        cairn_model_shape_info(cairn_scene_model(again.scene), cairn_model_shape(cairn_scene_model(again.scene), 2));
    assert_true(info.surface_velocity[0] == -1.2 && info.surface_velocity[1] == 0);
    cairn_text_destroy(text);
    world_free(&w);
    world_free(&again);
    w = world_new(2);
    cairn_shape_options shape = cairn_shape_default(CAIRN_HALF_PLANE);
    cairn_shape made;
    shape.surface_velocity[1] = NAN;
    cairn_body ground = add_ground(w.model, (cairn_material){0});
    assert_int_equal(cairn_model_add_shape(w.model, ground, &shape, &made), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(w.context), "body 'ground': half-plane: surface_velocity"));
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(carries_a_block), cmocka_unit_test(spins_a_ball_up),
                                       cmocka_unit_test(drives_itself), cmocka_unit_test(is_certified_in_heaps),
                                       cmocka_unit_test(is_saved_and_checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
