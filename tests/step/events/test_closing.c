/* Drift of closed contacts under scheme I, which moves by the mean of the old and the new velocity and corrects with the new one.
 *
 * A closed gap g < G h^2, to which a weight presses, and whose rate is 0 becomes g/2 in the first step, which ends at the rate -g/h, and 0 in the second, which ends at rest: -(g/2 - h/2 g/h)/h = 0.
 * Corrected by the gap at the start instead, g_k+1 = g_k/2 - g_k-1/2 would run through 1, 1/2, -1/4, -3/8: the bodies overlap.
 */
#include "support/check.h"
#include "support/worlds.h"

static cairn_settings scheme_1(double step)
{
    cairn_settings settings = cairn_settings_default();
    settings.integrator = CAIRN_INTEGRATOR_TRAPEZOID;
    settings.step = step;
    return settings;
}

/* A ball that stands above a floor by a gap that counts as closed. */
static void a_gap_closes_in_two_steps(void **state)
{
    (void)state;
    const double radius = 0.1, gap = 1e-6, share[] = {1, 0.5, 0, 0, 0};
    for (double h = 1e-3; h < 0.05; h *= 3)
    {
        cairn_settings settings = scheme_1(h);
        settings.contact_tolerance = 1e-5;
        world w = world_new(3);
        cairn_material material = add_material(w.model, "any", 0.3, 0);
        add_ground(w.model, material);
        add_ball(w.model, "ball", 2, radius, (const double[3]){0, 0, radius + gap}, material);
        world_start(&w, &settings);
        for (int k = 0; k < 5; ++k)
        {
            double found = world_body(&w, "ball").position[2] - radius;
            assert_true(fabs(found - share[k] * gap) <= 1e-12);
            world_step(&w);
        }
        assert_true(fabs(world_body(&w, "ball").velocity[2]) <= 1e-9);
        world_free(&w);
    }
}

/* A rod falls on one end, slides, falls flat and comes to rest, in steps of any length: what is left of its turning drifts, and may not
 * overlap. */
static void a_rod_that_falls_flat_does_not_overlap(void **state)
{
    (void)state;
    static const char ROD[] =
        "dimension: 2\n"
        "materials: [{name: any, friction: mu}]\n"
        "parameters: {mu: 0}\n"
        "bodies:\n"
        "  - {name: table, kind: fixed, material: any, shapes: [{type: segment, vertices: [[-3, 0], [3, 0]]}]}\n"
        "  - {name: rod, material: any, mass: 1, inertia: 0.1, position: [0, 0.7], angle: 1.2,\n"
        "     shapes: [{type: segment, length: 1}]}\n";
    double worst = 0;
    for (int i = 0; i < 24; ++i)
    {
        const cairn_parameter friction = {"mu", i % 2 ? "0.4" : "0"};
        cairn_settings settings;
        world w = world_parse(ROD, &settings, &friction, 1);
        settings = scheme_1(0.005 * pow(1.11, i));
        world_start(&w, &settings);
        for (int k = 0; k < 2 / settings.step; ++k)
        {
            world_step(&w);
            worst = fmax(worst, cairn_simulation_report(w.simulation)->penetration);
        }
        const cairn_body_state end = world_body(&w, "rod");
        assert_true(fabs(end.position[1]) <= 1e-9 && fabs(end.angular_velocity[2]) <= 1e-9);
        world_free(&w);
    }
    print_message("    overlaps of up to %.1e m\n", worst);
    assert_true(worst <= 1e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_gap_closes_in_two_steps),
                                       cmocka_unit_test(a_rod_that_falls_flat_does_not_overlap)};
    return cmocka_run_group_tests_name("closing", tests, NULL, NULL);
}
