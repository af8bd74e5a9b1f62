/* Chains that hang: joints under tension whose links turn faster by themselves than a step can follow (formulate/taut.c). */
#include "support/check.h"
#include "support/worlds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LINK = 0.1, MASS = 0.2, GRAVITY = 9.81, PI = 3.14159265358979323846;

/* A chain that hangs along -y in the plane or -z in space, its links turned by small angles about an axis across; link i begins at
 * joint i. Positions follow from the angles, so the joints hold. */
typedef struct hanging
{
    int dimension, links;
    double yaw; /* of the plane in which it swings, in space */
} hanging;

static void place(const hanging *chain, double x, double down, double out[3])
{
    double space[3] = {x * cos(chain->yaw), x * sin(chain->yaw), -down}, plane[3] = {x, -down, 0.0};
    memcpy(out, chain->dimension == 2 ? plane : space, sizeof space);
}

static void add_link(world *w, const hanging *chain, int index, double x, double down, double angle)
{
    char name[24];
    cairn_body_options options = cairn_body_default();
    cairn_joint_options joint = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    cairn_body body, last = index > 0 ? cairn_model_body(w->model, index - 1) : (cairn_body){0};
    cairn_joint unused;
    double at[3], axis[3] = {-sin(chain->yaw), cos(chain->yaw), 0.0};
    snprintf(name, sizeof name, "link %d", index);
    options.name = joint.name = name;
    options.mass = MASS;
    for (int k = 0; k < 3; ++k)
        options.inertia[k] = MASS * LINK * LINK / 12.0;
    place(chain, x + 0.5 * LINK * sin(angle), down + 0.5 * LINK * cos(angle), options.position);
    assert_int_equal(cairn_model_add_body(w->model, &options, &body), CAIRN_OK);
    place(chain, x, down, at);
    joint.a = cairn_model_attach(w->model, last, at);
    joint.b = cairn_model_attach(w->model, body, at);
    memcpy(joint.axis, axis, sizeof axis);
    assert_int_equal(cairn_model_add_joint(w->model, &joint, &unused), CAIRN_OK);
}

/* The shape of the lowest mode of a chain: J0(2.4048 sqrt(s / L)) at the distance s from the free end. */
static double mode(double s, double length)
{
    return j0(2.404825557695773 * sqrt(s / length));
}

static world hang(const hanging *chain, double amplitude, double step)
{
    world w = world_new(chain->dimension);
    double x = 0.0, down = 0.0, length = chain->links * LINK;
    for (int i = 0; i < chain->links; ++i)
    {
        double top = length - i * LINK, rise = mode(fmax(top - LINK, 0.0), length) - mode(top, length);
        double angle = asin(amplitude * rise / LINK);
        add_link(&w, chain, i, x, down, angle);
        x += LINK * sin(angle);
        down += LINK * cos(angle);
    }
    cairn_settings settings = cairn_settings_default();
    settings.step = step;
    world_start(&w, &settings);
    return w;
}

static double tip(const world *w, const hanging *chain)
{
    cairn_body_state last = cairn_simulation_body(w->simulation, cairn_model_body(w->model, chain->links - 1));
    return chain->dimension == 2 ? last.position[0]
                                 : last.position[0] * cos(chain->yaw) + last.position[1] * sin(chain->yaw);
}

/* The lowest mode of a chain swings at 1.2024 sqrt(g / L), whatever its links do by themselves: the time at which its end passes the
 * vertical, in steps that the links need not follow. */
static void chains_swing_at_their_frequency(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k)
    {
        hanging chain = {.dimension = k < 2 ? 2 : 3, .links = 60, .yaw = 0.4};
        double step = k % 2 ? 0.01 : 0.02, omega = 1.2024127788478865 * sqrt(GRAVITY / (chain.links * LINK));
        assert_true(step * step * chain.links * MASS * GRAVITY * LINK > 5 * MASS * LINK * LINK / 12.0);
        world w = hang(&chain, 0.05, step);
        double before = tip(&w, &chain), now = before, t = 0.0;
        while (now > 0.0 && t < 3.0)
        {
            world_step(&w);
            before = now;
            now = tip(&w, &chain);
            t = cairn_simulation_report(w.simulation)->time;
        }
        double crossed = t - step * now / (now - before);
        print_message("h %g: passes the vertical at %.5f s, closed form %.5f s\n", step, crossed, 0.5 * PI / omega);
        assert_near(crossed, 0.5 * PI / omega, 0.02 * PI / omega);
        world_free(&w);
    }
}

/* What is taken at the end of the step takes energy away, slowly; joints hold, the account closes, and the audit finds nothing. */
static void long_chains_hold_together(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k)
    {
        hanging chain = {.dimension = k ? 3 : 2, .links = 400, .yaw = 1.1};
        world w = hang(&chain, 2.0, 0.01);
        const cairn_step_report *report = cairn_simulation_report(w.simulation);
        double start = report->energy.total, weight = chain.links * MASS * GRAVITY * chain.links * LINK;
        for (int i = 0; i < 150; ++i)
        {
            world_step(&w);
            report = cairn_simulation_report(w.simulation);
            assert_true(report->energy.total <= start + 1e-6 * weight);
            assert_true(report->joint_error <= 1e-5);
            assert_int_equal(report->physics.violations, 0);
        }
        print_message("energy over weight times length: %.2e\n", (report->energy.total - start) / weight);
        assert_true(report->energy.total >= start - 1e-3 * weight);
        assert_true(fabs(report->energy.balance_error) <= 1e-9 * weight);
        world_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_swing_at_their_frequency),
        cmocka_unit_test(long_chains_hold_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
