/* One step of a point mass on a spring and damper whose other end is driven, against the closed form of each scheme. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>

static const double H = 0.01, MASS = 1.5, STRETCH = 0.1, ANCHOR = 0.4, SPEED = -0.7;

/* A point mass at 1 + STRETCH on a spring of length 1 to an anchor that moves at the velocity `driven`. */
static world start(cairn_integrator integrator, double k, double d, double driven, cairn_body *mass)
{
    world w = world_new(2);
    char motion[32];
    snprintf(motion, sizeof motion, "%.17g*t", driven);
    assert_int_equal(cairn_model_set_gravity(w.model, (double[3]){0, 0, 0}), CAIRN_OK);
    cairn_body_options anchor = cairn_body_default(), o = cairn_body_default();
    anchor.name = "anchor";
    anchor.kind = CAIRN_DRIVEN;
    anchor.motion_position[0] = motion;
    o.name = "mass";
    o.point = true;
    o.mass = MASS;
    o.position[0] = 1 + STRETCH;
    o.velocity[0] = SPEED;
    cairn_spring_options spring = cairn_spring_default(CAIRN_SPRING_LINEAR);
    assert_int_equal(cairn_model_add_body(w.model, &anchor, &spring.a.body), CAIRN_OK);
    assert_int_equal(cairn_model_add_body(w.model, &o, mass), CAIRN_OK);
    spring.name = "spring";
    spring.b.body = *mass;
    spring.stiffness = k;
    spring.damping = d;
    spring.rest = 1;
    cairn_spring out;
    assert_int_equal(cairn_model_add_spring(w.model, &spring, &out), CAIRN_OK);
    cairn_settings settings = cairn_settings_default();
    settings.step = H;
    settings.integrator = integrator;
    settings.jacobian = CAIRN_JACOBIAN_LINEAR;
    world_start(&w, &settings);
    return w;
}

/* The velocity u+ of the stretch: explicit, implicit, or by the trapezoidal rule. */
static double expected(cairn_integrator integrator, double k, double d, double u)
{
    switch (integrator)
    {
    case CAIRN_INTEGRATOR_EULER:
        return u - H / MASS * (k * STRETCH + d * u);
    case CAIRN_INTEGRATOR_STIFF:
        return (MASS * u - H * k * STRETCH) / (MASS + H * H * k + H * d);
    default:
        return ((MASS - 0.5 * H * d - 0.25 * H * H * k) * u - H * k * STRETCH) /
               (MASS + 0.5 * H * d + 0.25 * H * H * k);
    }
}

static void steps_have_their_closed_form(void **state)
{
    (void)state;
    static const double SIZES[][2] = {{50, 0}, {0, 3}, {50, 3}, {1e9, 0}, {1e9, 2e7}, {1e12, 1e11}};
    for (int i = CAIRN_INTEGRATOR_EULER; i < CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        for (int n = 0; n < 12; ++n)
        {
            double k = SIZES[n / 2][0], d = SIZES[n / 2][1], driven = n % 2 ? ANCHOR : 0;
            bool stiff = k > 1e6;
            if (stiff && i != CAIRN_INTEGRATOR_STIFF)
                continue;
            cairn_body mass;
            world w = start((cairn_integrator)i, k, d, driven, &mass);
            world_step(&w);
            double u = expected((cairn_integrator)i, k, d, SPEED - driven);
            assert_near(cairn_simulation_body(w.simulation, mass).velocity[0], driven + u, 1e-11);
            world_free(&w);
        }
    }
}

/* The implicit damper gives -h d u+, at the mean velocity of the step. */
static void dampers_work_as_much_as_they_give(void **state)
{
    (void)state;
    static const double SIZES[][2] = {{50, 3}, {1e9, 2e7}, {1e11, 1e11}};
    for (int n = 0; n < 3; ++n)
    {
        double k = SIZES[n][0], d = SIZES[n][1], u = expected(CAIRN_INTEGRATOR_STIFF, k, d, SPEED);
        cairn_body mass;
        world w = start(CAIRN_INTEGRATOR_STIFF, k, d, 0, &mass);
        world_step(&w);
        const cairn_energy *energy = &cairn_simulation_report(w.simulation)->energy;
        double mean = 0.5 * (SPEED + u), damping = -H * d * u * mean, elastic = -H * k * (STRETCH + H * u) * mean;
        assert_near(energy->work_dampers, damping, 1e-9 * fabs(damping));
        assert_near(energy->work_springs, elastic, 1e-9 * fabs(damping) + 1e-9 * fabs(elastic));
        world_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_have_their_closed_form),
        cmocka_unit_test(dampers_work_as_much_as_they_give),
    };
    return cmocka_run_group_tests_name("steps of springs", tests, NULL, NULL);
}
