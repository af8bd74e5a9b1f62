/* Users' systems under every integrator: joints, gaps, friction, restitution and forces with their derivatives, against
 * closed forms and fine integration; what the report says against what the callbacks say. */
#include "support/check.h"
#include "support/worlds.h"

#include <string.h>

static const double G = 9.81;

static cairn_settings settings_for(cairn_integrator integrator, double h, cairn_stabilisation stabilisation)
{
    cairn_settings s = cairn_settings_default();
    s.integrator = integrator;
    s.step = h;
    s.stabilisation = stabilisation;
    s.restitution_threshold = 1e-3;
    return s;
}

static double least_order(int integrator, bool nonlinear)
{
    bool second = integrator >= CAIRN_INTEGRATOR_TRAPEZOID2 || (integrator == CAIRN_INTEGRATOR_TRAPEZOID && !nonlinear);
    return second ? 1.8 : 0.8;
}

static void unit_mass(void *data, const double *q, double *M)
{
    (void)data;
    (void)q;
    M[0] = M[3] = 1;
}

static void weight(void *data, double t, const double *q, const double *v, double *k)
{
    (void)data;
    (void)t;
    (void)q;
    (void)v;
    k[1] = -G;
}

static cairn_system_options planar(const double *q, const double *v)
{
    return (cairn_system_options){.struct_size = sizeof(cairn_system_options),
                                  .name = "system",
                                  .n = 2,
                                  .q = q,
                                  .v = v,
                                  .mass = unit_mass,
                                  .force = weight};
}

static world start(const cairn_system_options *o, const cairn_settings *settings, cairn_system *system)
{
    world w = world_new(2);
    assert_int_equal(cairn_model_add_system(w.model, o, system), CAIRN_OK);
    world_start(&w, settings);
    return w;
}

/* ------------------------------------------------------------------------------------------ a pendulum: one joint */

static void circle(void *data, const double *q, double *theta, double *gradient)
{
    (void)data;
    theta[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1);
    gradient[0] = q[0];
    gradient[1] = q[1];
}

static double height(void *data, const double *q)
{
    (void)data;
    return G * q[1];
}

static double true_angle(double end)
{
    double y = 1, v = 0, h = end / 20000;
    for (int i = 0; i < 20000; ++i)
    {
        double a = -G * sin(y), b = -G * sin(y + h / 2 * v), c = -G * sin(y + h / 2 * v + h * h / 4 * a),
               d = -G * sin(y + h * v + h * h / 2 * b);
        y += h * v + h * h / 6 * (a + b + c);
        v += h / 6 * (a + 2 * b + 2 * c + d);
    }
    return y;
}

static double pendulum(cairn_integrator integrator, double h, cairn_stabilisation stabilisation, double truth)
{
    double q[2] = {sin(1), -cos(1)};
    cairn_system_options o = planar(q, NULL);
    o.joint_count = 1;
    o.joints = circle;
    o.potential = height;
    cairn_settings settings = settings_for(integrator, h, stabilisation);
    cairn_system system;
    world w = start(&o, &settings, &system);
    const double *sq, *sv;
    double drift = 0;
    for (int n = 0; n < (int)lround(2 / h); ++n)
    {
        world_step(&w);
        cairn_simulation_system(w.simulation, system, &sq, &sv);
        double theta = fabs(0.5 * (sq[0] * sq[0] + sq[1] * sq[1] - 1));
        assert_near(cairn_simulation_report(w.simulation)->joint_error, theta, 1e-14);
        drift = fmax(drift, theta);
    }
    assert_near(cairn_simulation_energy(w.simulation).balance_error, 0, 1e-10);
    assert_true(stabilisation != CAIRN_STABILISE_PROJECT || drift < 1e-9);
    assert_true(stabilisation != CAIRN_STABILISE_GAP || drift < 60 * h * h);
    assert_true(stabilisation != CAIRN_STABILISE_NONE || drift > 0);
    double error = fabs(atan2(sq[0], -sq[1]) - truth);
    world_free(&w);
    return error;
}

static void pendulum_has_its_order(void **state)
{
    (void)state;
    double truth = true_angle(2);
    for (int i = CAIRN_INTEGRATOR_EULER; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        for (int s = CAIRN_STABILISE_NONE; s <= CAIRN_STABILISE_PROJECT; ++s)
        {
            double coarse = pendulum((cairn_integrator)i, 1.0 / 256, (cairn_stabilisation)s, truth);
            double fine = pendulum((cairn_integrator)i, 1.0 / 512, (cairn_stabilisation)s, truth);
            print_message("pendulum %-10s %-8s error %.2e, order %.2f\n", cairn_integrator_name((cairn_integrator)i),
                          cairn_stabilisation_name((cairn_stabilisation)s), fine, log2(coarse / fine));
            assert_true(log2(coarse / fine) > least_order(i, true));
            assert_true(fine < (least_order(i, true) > 1 ? 1e-3 : 0.2));
        }
    }
}

/* A joint that is off by a little, nothing else acting: with stabilisation `gap` one step takes it out, up to its square; half of
 * it where the law holds at the end of a step and the positions move by the mean velocity (scheme I). */
static void drift_is_taken_out_in_a_step(void **state)
{
    (void)state;
    for (int i = CAIRN_INTEGRATOR_EULER; i <= CAIRN_INTEGRATOR_TRAPEZOID2; ++i)
    {
        static const double NONE[3] = {0, 0, 0};
        world w = world_new(2);
        assert_int_equal(cairn_model_set_gravity(w.model, NONE), CAIRN_OK);
        cairn_material none = {0};
        cairn_body bob = add_point(w.model, "bob", 1, 0.6, -0.8, none);
        cairn_joint_options rod = cairn_joint_default(CAIRN_JOINT_DISTANCE);
        rod.name = "rod";
        rod.b.body = bob;
        cairn_joint out;
        assert_int_equal(cairn_model_add_joint(w.model, &rod, &out), CAIRN_OK);
        cairn_settings settings = settings_for((cairn_integrator)i, 0.01, CAIRN_STABILISE_GAP);
        world_start(&w, &settings);
        cairn_body_state s = cairn_simulation_body(w.simulation, bob);
        s.position[0] *= 1 + 1e-4;
        s.position[1] *= 1 + 1e-4;
        assert_int_equal(cairn_simulation_set_body(w.simulation, bob, &s), CAIRN_OK);
        world_step(&w);
        double left = i == CAIRN_INTEGRATOR_TRAPEZOID ? 0.5e-4 : 0;
        assert_near(cairn_simulation_report(w.simulation)->joint_error, left, 1e-7);
        world_free(&w);
    }
}

/* --------------------------------------------------------------------------------------------- a gap: falls and bounces */

static void ground(void *data, const double *q, double *phi, double *gradient, double *tangents)
{
    (void)data;
    phi[0] = q[1];
    gradient[1] = 1;
    if (tangents)
        tangents[0] = -1;
}

/* From 0.5 m up: after the bounce at t1 the height is e v1 (t - t1) - g/2 (t - t1)^2. */
static double bounce(cairn_integrator integrator, cairn_impact impact, double e, double h)
{
    double q[2] = {0, 0.5}, v[2] = {0.7, 0};
    cairn_system_options o = planar(q, v);
    o.gap_count = 1;
    o.gaps = ground;
    o.restitution = e;
    cairn_settings settings = settings_for(integrator, h, CAIRN_STABILISE_GAP);
    settings.impact = impact;
    cairn_system system;
    world w = start(&o, &settings, &system);
    world_run(&w, (int)lround(0.5 / h));
    const double *sq, *sv;
    cairn_simulation_system(w.simulation, system, &sq, &sv);
    double t1 = sqrt(2 * 0.5 / G), left = 0.5 - t1, up = e * G * t1;
    double error = fmax(fabs(sq[1] - (up * left - 0.5 * G * left * left) * (e > 0)), fabs(sq[0] - 0.35));
    error = fmax(error, e > 0 ? fabs(sv[1] - (up - G * left)) : fabs(sv[1]));
    world_free(&w);
    return error;
}

static void gaps_bounce_as_told(void **state)
{
    (void)state;
    for (int i = CAIRN_INTEGRATOR_EULER; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        for (int k = 0; k < 6; ++k)
        {
            static const double E[3] = {0, 0.6, 1};
            cairn_impact impact = k < 3 ? CAIRN_IMPACT_POISSON : CAIRN_IMPACT_NEWTON;
            bool second = i >= CAIRN_INTEGRATOR_TRAPEZOID;
            double h = 0.5 / (second ? 67 : 4099); /* the impact falls between steps */
            double error = bounce((cairn_integrator)i, second ? impact : CAIRN_IMPACT_NEWTON, E[k % 3], h);
            assert_true(error < (second ? 1e-8 : 10 * h * G));
        }
    }
}

/* The fall ends with the 24th step, or a hair before or after it: the bounce is the same. */
static void gaps_bounce_at_the_end_of_a_step(void **state)
{
    (void)state;
    for (int i = CAIRN_INTEGRATOR_TRAPEZOID; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        for (int k = 0; k < 9; ++k)
        {
            static const double E[3] = {0, 0.6, 1}, HAIR[3] = {0, 1e-12, -1e-12};
            double h = 1.0 / 64, t1 = (24 + HAIR[k / 3]) * h, q[2] = {0, 0.5 * G * t1 * t1}, e = E[k % 3];
            cairn_system_options o = planar(q, NULL);
            o.gap_count = 1;
            o.gaps = ground;
            o.restitution = e;
            cairn_settings settings = settings_for((cairn_integrator)i, h, CAIRN_STABILISE_GAP);
            cairn_system system;
            world w = start(&o, &settings, &system);
            world_run(&w, 27);
            const double *sq, *sv;
            cairn_simulation_system(w.simulation, system, &sq, &sv);
            double left = 27 * h - t1;
            assert_near(sv[1], e > 0 ? e * G * t1 - G * left : 0, 1e-7);
            assert_near(sq[1], e > 0 ? e * G * t1 * left - 0.5 * G * left * left : 0, 1e-7);
            world_free(&w);
        }
    }
}

/* Sliding on a slope of 0.4 rad with friction 0.2: the acceleration along it is g (sin - mu cos), exactly, in every scheme. */
static void slope(void *data, const double *q, double *phi, double *gradient, double *tangents)
{
    (void)data;
    phi[0] = -sin(0.4) * q[0] + cos(0.4) * q[1];
    gradient[0] = -sin(0.4);
    gradient[1] = cos(0.4);
    tangents[0] = -cos(0.4);
    tangents[1] = -sin(0.4);
}

static void gaps_slide_as_told(void **state)
{
    (void)state;
    for (int i = CAIRN_INTEGRATOR_EULER; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        double q[2] = {0, 0};
        cairn_system_options o = planar(q, NULL);
        o.gap_count = 1;
        o.tangent_count = 1;
        o.gaps = slope;
        o.friction = 0.2;
        cairn_settings settings = settings_for((cairn_integrator)i, 0.01, CAIRN_STABILISE_GAP);
        cairn_system system;
        world w = start(&o, &settings, &system);
        world_run(&w, 100);
        const double *sq, *sv;
        cairn_simulation_system(w.simulation, system, &sq, &sv);
        double a = G * (sin(0.4) - 0.2 * cos(0.4));
        assert_near(sv[0], -a * cos(0.4), 1e-9);
        assert_near(sv[1], -a * sin(0.4), 1e-9);
        assert_near(cairn_simulation_energy(w.simulation).balance_error, 0, 1e-10);
        world_free(&w);
    }
}

/* Inside a bowl: the point slides down it; where nothing corrects the drift, the report tells how deep it is. */
static void bowl(void *data, const double *q, double *phi, double *gradient, double *tangents)
{
    (void)data;
    (void)tangents;
    double r = hypot(q[0], q[1]);
    phi[0] = 1 - r;
    gradient[0] = -q[0] / r;
    gradient[1] = -q[1] / r;
}

static double slide_in_bowl(cairn_integrator integrator, cairn_stabilisation stabilisation, double h, double truth,
                            double *depth_at_end)
{
    double q[2] = {sin(1), -cos(1)};
    cairn_system_options o = planar(q, NULL);
    o.gap_count = 1;
    o.gaps = bowl;
    cairn_settings settings = settings_for(integrator, h, stabilisation);
    cairn_system system;
    world w = start(&o, &settings, &system);
    const double *sq, *sv;
    double deepest = 0;
    *depth_at_end = 0;
    for (int n = 0; n < (int)lround(1 / h); ++n)
    {
        world_step(&w);
        cairn_simulation_system(w.simulation, system, &sq, &sv);
        double depth = fmax(0, hypot(sq[0], sq[1]) - 1);
        assert_near(cairn_simulation_report(w.simulation)->penetration, depth, 1e-14);
        deepest = fmax(deepest, depth);
        *depth_at_end = depth;
    }
    assert_true(stabilisation != CAIRN_STABILISE_NONE || integrator > CAIRN_INTEGRATOR_STIFF || deepest > 0);
    assert_true(stabilisation == CAIRN_STABILISE_NONE || deepest < 60 * h * h);
    double error = fabs(atan2(sq[0], -sq[1]) - truth);
    world_free(&w);
    return error;
}

static void bowl_has_its_order(void **state)
{
    (void)state;
    double truth = true_angle(1);
    for (int i = CAIRN_INTEGRATOR_EULER; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        double depth[3];
        for (int s = CAIRN_STABILISE_NONE; s <= CAIRN_STABILISE_PROJECT; ++s)
        {
            double coarse = slide_in_bowl((cairn_integrator)i, (cairn_stabilisation)s, 1.0 / 256, truth, &depth[s]);
            double fine = slide_in_bowl((cairn_integrator)i, (cairn_stabilisation)s, 1.0 / 512, truth, &depth[s]);
            print_message("bowl %-10s %-8s error %.2e, order %.2f, %.1e deep\n",
                          cairn_integrator_name((cairn_integrator)i), cairn_stabilisation_name((cairn_stabilisation)s),
                          fine, log2(coarse / fine), depth[s]);
            assert_true(log2(coarse / fine) > least_order(i, true));
        }
        /* what nothing corrects adds up */
        assert_true(i > CAIRN_INTEGRATOR_STIFF || depth[CAIRN_STABILISE_NONE] > 20 * depth[CAIRN_STABILISE_GAP]);
    }
}

/* ------------------------------------------------------------------------------------ forces with their derivatives */

/* q'' = -K q - C q' + cos(5 t) (1, 2), K and C full matrices. */
static const double KM[4] = {40, 12, 12, 25}, CM[4] = {3, 1, 1, 2};

static void oscillator(void *data, double t, const double *q, const double *v, double *k)
{
    (void)data;
    for (int i = 0; i < 2; ++i)
    {
        k[i] = cos(5 * t) * (1 + i);
        for (int j = 0; j < 2; ++j)
            k[i] -= KM[2 * i + j] * q[j] + CM[2 * i + j] * v[j];
    }
}

static void oscillator_q(void *data, double t, const double *q, const double *v, double *k_q)
{
    (void)data;
    (void)t;
    (void)q;
    (void)v;
    for (int i = 0; i < 4; ++i)
        k_q[i] = -KM[i];
}

static void oscillator_v(void *data, double t, const double *q, const double *v, double *k_v)
{
    (void)data;
    (void)t;
    (void)q;
    (void)v;
    for (int i = 0; i < 4; ++i)
        k_v[i] = -CM[i];
}

static void true_oscillation(double end, double y[4])
{
    static const double AT[4] = {0, 0.5, 0.5, 1}, WEIGHT[4] = {1, 2, 2, 1};
    double h = end / 10000;
    for (int n = 0; n < 10000; ++n)
    {
        double k[4] = {0}, sum[4] = {0};
        for (int s = 0; s < 4; ++s)
        {
            double z[4];
            for (int j = 0; j < 4; ++j)
                z[j] = y[j] + h * AT[s] * k[j];
            oscillator(NULL, (n + AT[s]) * h, z, z + 2, k + 2);
            k[0] = z[2];
            k[1] = z[3];
            for (int j = 0; j < 4; ++j)
                sum[j] += h / 6 * WEIGHT[s] * k[j];
        }
        for (int j = 0; j < 4; ++j)
            y[j] += sum[j];
    }
}

static double oscillation(cairn_integrator integrator, double h, int derivatives, const double truth[4])
{
    double q[2] = {0.5, -0.3}, v[2] = {0.2, 1};
    cairn_system_options o = planar(q, v);
    o.force = oscillator;
    o.force_q = derivatives & 1 ? oscillator_q : NULL;
    o.force_v = derivatives & 2 ? oscillator_v : NULL;
    cairn_settings settings = settings_for(integrator, h, CAIRN_STABILISE_NONE);
    cairn_system system;
    world w = start(&o, &settings, &system);
    world_run(&w, (int)lround(1 / h));
    const double *sq, *sv;
    cairn_simulation_system(w.simulation, system, &sq, &sv);
    double error = hypot(hypot(sq[0] - truth[0], sq[1] - truth[1]), hypot(sv[0] - truth[2], sv[1] - truth[3]));
    world_free(&w);
    return error;
}

static void forces_have_their_order(void **state)
{
    (void)state;
    double truth[4] = {0.5, -0.3, 0.2, 1};
    true_oscillation(1, truth);
    for (int i = CAIRN_INTEGRATOR_EULER; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        for (int derivatives = 0; derivatives < 4; ++derivatives)
        {
            /* the trapezoidal schemes need the derivative by the velocity for their order */
            bool lacks = !(derivatives & 2) && i < CAIRN_INTEGRATOR_STIFF2;
            double coarse = oscillation((cairn_integrator)i, 1.0 / 256, derivatives, truth);
            double fine = oscillation((cairn_integrator)i, 1.0 / 512, derivatives, truth);
            print_message("forces %-10s %d: error %.2e, order %.2f\n", cairn_integrator_name((cairn_integrator)i),
                          derivatives, fine, log2(coarse / fine));
            assert_true(log2(coarse / fine) > (lacks ? 0.8 : least_order(i, false)));
            assert_true(fine < (lacks || least_order(i, false) < 1 ? 4e-2 : 2e-4));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum_has_its_order),  cmocka_unit_test(drift_is_taken_out_in_a_step),
        cmocka_unit_test(gaps_bounce_as_told),     cmocka_unit_test(gaps_bounce_at_the_end_of_a_step),
        cmocka_unit_test(gaps_slide_as_told),      cmocka_unit_test(bowl_has_its_order),
        cmocka_unit_test(forces_have_their_order),
    };
    return cmocka_run_group_tests_name("orders of users' systems", tests, NULL, NULL);
}
