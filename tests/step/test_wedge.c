/* Overlaps in a wedge. A ball lies between two planes that lean by less than the friction angle and overlaps both by a micrometre.
 * Both gaps open only as it slides up, and the squeeze that friction allows stands in the way of that without bound: the step that
 * is to push it out has no solution. It is taken without the push: the ball stays where it is, and the planes carry its weight.
 * Where nothing holds it, without friction, the overlap is gone after a step. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>

static const double LEAN = 0.1, RADIUS = 0.1, OVERLAP = 1e-6, MASS = 2;

/* The planes rise at a speed, and the ball with them. */
static world wedge(int dimension, double friction, double lift, const cairn_settings *settings)
{
    char motion[32];
    snprintf(motion, sizeof motion, "%.17g*t", lift);
    world w = world_new(dimension);
    cairn_material rough = add_material(w.model, "rough", friction, 0);
    for (int side = -1; side <= 1; side += 2)
    {
        cairn_body_options body = cairn_body_default();
        cairn_shape_options plane = cairn_shape_default(dimension == 2 ? CAIRN_HALF_PLANE : CAIRN_HALF_SPACE);
        cairn_body wall;
        cairn_shape shape;
        body.name = side < 0 ? "left" : "right";
        body.kind = lift > 0 ? CAIRN_DRIVEN : CAIRN_FIXED;
        body.motion_position[dimension - 1] = lift > 0 ? motion : NULL;
        plane.normal[0] = -side * cos(LEAN), plane.normal[1] = 0, plane.normal[dimension - 1] = sin(LEAN);
        plane.material = rough;
        assert_int_equal(cairn_model_add_body(w.model, &body, &wall), CAIRN_OK);
        assert_int_equal(cairn_model_add_shape(w.model, wall, &plane, &shape), CAIRN_OK);
    }
    double position[3] = {0};
    position[dimension - 1] = (RADIUS - OVERLAP) / sin(LEAN);
    cairn_body ball = add_ball(w.model, "ball", MASS, RADIUS, position, rough);
    world_start(&w, settings);
    cairn_body_state s = cairn_simulation_body(w.simulation, ball);
    s.velocity[dimension - 1] = lift;
    assert_int_equal(cairn_simulation_set_body(w.simulation, ball, &s), CAIRN_OK);
    return w;
}

/* N: of all contacts on the ball, upwards. */
static double carried(const world *w, int up, double h)
{
    double sum = 0;
    for (int i = 0; i < cairn_simulation_contact_count(w->simulation); ++i)
    {
        cairn_contact c = cairn_simulation_contact(w->simulation, i);
        double force = c.impulse[0] * c.normal[up] + c.impulse[1] * c.tangent[0][up] + c.impulse[2] * c.tangent[1][up];
        sum += (c.a.id == cairn_model_find_body(world_model(w), "ball").id ? force : -force) / h;
    }
    return sum;
}

static void held(int dimension, cairn_law law, cairn_solver_kind solver, double lift)
{
    cairn_settings settings = cairn_settings_default();
    settings.initial = CAIRN_INITIAL_KEEP;
    settings.law = law;
    settings.solver.kind = solver;
    world w = wedge(dimension, 0.5, lift, &settings);
    double before = world_body(&w, "ball").position[dimension - 1];
    int iterations = 0;
    for (int i = 0; i < 50; ++i)
    {
        world_step(&w);
        iterations = cairn_simulation_report(w.simulation)->solver.iterations;
        assert_near(carried(&w, dimension - 1, settings.step), MASS * 9.81, 1e-6);
    }
    double risen = lift * cairn_simulation_time(w.simulation);
    assert_near(world_body(&w, "ball").position[dimension - 1], before + risen, 1e-10);
    assert_true(cairn_simulation_report(w.simulation)->penetration < OVERLAP * 1.001);
    assert_int_equal(cairn_simulation_report(w.simulation)->held_overlaps, 2);
    print_message("dimension %d: %d iterations in the last step\n", dimension, iterations);
    assert_true(iterations < 100); /* that it cannot be pushed out is remembered */
    world_free(&w);
}

static void a_wedge_holds_its_overlap(void **state)
{
    (void)state;
    held(2, (cairn_law){CAIRN_LAW_PYRAMID, 4}, CAIRN_SOLVER_LEMKE, 0);
    held(2, (cairn_law){CAIRN_LAW_PYRAMID, 4}, CAIRN_SOLVER_LEMKE, 0.3);
    held(2, (cairn_law){CAIRN_LAW_CONE, 0}, CAIRN_SOLVER_AUTO, 0);
    held(2, (cairn_law){CAIRN_LAW_CONE, 0}, CAIRN_SOLVER_AUTO, 0.3);
    held(3, (cairn_law){CAIRN_LAW_CONE, 0}, CAIRN_SOLVER_AUTO, 0);
    held(3, (cairn_law){CAIRN_LAW_CONE, 0}, CAIRN_SOLVER_AUTO, 0.3);
    held(3, (cairn_law){CAIRN_LAW_PYRAMID, 4}, CAIRN_SOLVER_AUTO, 0);
    held(3, (cairn_law){CAIRN_LAW_PYRAMID, 4}, CAIRN_SOLVER_AUTO, 0.3);
}

static void without_friction_it_is_pushed_out(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension)
    {
        cairn_settings settings = cairn_settings_default();
        settings.initial = CAIRN_INITIAL_KEEP;
        world w = wedge(dimension, 0, 0, &settings);
        world_step(&w);
        assert_true(cairn_simulation_report(w.simulation)->penetration < 1e-12);
        assert_int_equal(cairn_simulation_report(w.simulation)->held_overlaps, 0);
        world_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wedge_holds_its_overlap),
        cmocka_unit_test(without_friction_it_is_pushed_out),
    };
    return cmocka_run_group_tests_name("wedge", tests, NULL, NULL);
}
