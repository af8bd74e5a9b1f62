/* Rolling and spinning friction: against closed forms of balls and discs that roll and spin to rest, slopes, a ball that rolls
 * across a slope, energy, saved states, and bad input. */
#include "support/check.h"
#include "support/worlds.h"

#include <cairn/state.h>

#include <string.h>

static const double G = 9.81;

static cairn_material add_rolling(cairn_model *model, double friction, double rolling, double spinning)
{
    cairn_material_options o = cairn_material_default();
    cairn_material out = {0};
    o.name = "ball";
    o.friction = friction;
    o.rolling_friction = rolling;
    o.spinning_friction = spinning;
    assert_int_equal(cairn_model_add_material(model, &o, &out), CAIRN_OK);
    return out;
}

typedef struct trial
{
    int dimension;
    double mu, rolling, spinning, radius, h;
    double gravity[3];
    double velocity[3], spin[3];
    cairn_integrator integrator;
    cairn_law_kind law;
} trial;

/* A ball (disc) on a ground, half of whose rolling friction each of the two has. */
static world start_trial(const trial *t)
{
    world w = world_new(t->dimension);
    cairn_material_options o = cairn_material_default();
    cairn_material ground = {0}, ball = add_rolling(w.model, t->mu, 0.5 * t->rolling, 0.5 * t->spinning);
    o.name = "ground";
    o.friction = t->mu;
    o.rolling_friction = 0.5 * t->rolling;
    o.spinning_friction = 0.5 * t->spinning;
    assert_int_equal(cairn_model_add_material(w.model, &o, &ground), CAIRN_OK);
    add_ground(w.model, ground);
    double place[3] = {0};
    place[t->dimension - 1] = t->radius;
    cairn_body body = add_ball(w.model, "ball", 1.5, t->radius, place, ball);
    assert_int_equal(cairn_model_set_gravity(w.model, t->gravity), CAIRN_OK);
    cairn_settings settings = cairn_settings_default();
    settings.integrator = t->integrator;
    settings.step = t->h;
    settings.law = (cairn_law){t->law, t->law == CAIRN_LAW_PYRAMID ? 8 : 0};
    settings.solver.tolerance = 1e-11;
    world_start(&w, &settings);
    cairn_body_state at = cairn_simulation_body(w.simulation, body);
    memcpy(at.velocity, t->velocity, sizeof at.velocity);
    memcpy(at.angular_velocity, t->spin, sizeof at.angular_velocity);
    assert_int_equal(cairn_simulation_set_body(w.simulation, body, &at), CAIRN_OK);
    return w;
}

static void check_account(const world *w)
{
    cairn_energy e = cairn_simulation_energy(w->simulation);
    assert_near(e.balance_error, 0, 1e-9);
    assert_true(e.work_friction <= 1e-12);
    assert_int_equal(cairn_simulation_report(w->simulation)->physics.violations, 0);
}

/* Two fifths of m R^2 in space, one half in the plane. */
static double inertia_share(int dimension)
{
    return dimension == 3 ? 0.4 : 0.5;
}

/* A ball that rolls in the direction `way` is slowed down by rho g/(R (1 + share)), stops and stays. */
static void test_rolls_to_rest(void **state)
{
    (void)state;
    for (int i = 0; i < 12; ++i)
    {
        trial t = {
            .dimension = i % 3 == 0 ? 2 : 3, .mu = 0.6, .rolling = 0.004, .radius = 0.1, .h = i % 2 ? 0.01 : 0.003};
        double speed = 0.4, way = t.dimension == 2 ? (i % 2 ? 0 : M_PI) : 0.53 * i, share = inertia_share(t.dimension);
        t.integrator = i % 4 == 1 ? CAIRN_INTEGRATOR_EULER : CAIRN_INTEGRATOR_STIFF;
        t.law = i % 5 == 4 ? CAIRN_LAW_PYRAMID : CAIRN_LAW_CONE;
        t.gravity[t.dimension - 1] = -G;
        t.velocity[0] = speed * cos(way);
        t.velocity[1] = t.dimension == 3 ? speed * sin(way) : 0.0;
        if (t.dimension == 3)
            memcpy(t.spin, (double[3]){-t.velocity[1] / t.radius, t.velocity[0] / t.radius, 0}, sizeof t.spin);
        else
            t.spin[2] = -t.velocity[0] / t.radius;
        world w = start_trial(&t);
        double slows = t.rolling * G / (t.radius * (1 + share)), stop = speed / slows;
        for (int step = 1; step * t.h < stop + 0.5; ++step)
        {
            world_step(&w);
            check_account(&w);
            cairn_body_state at = world_body(&w, "ball");
            double along = at.velocity[0] * cos(way) + at.velocity[1] * sin(way) * (t.dimension == 3);
            double left = fmax(0, speed - slows * step * t.h); /* exact at the ends of steps: the moment is constant */
            assert_near(along, left, 1e-7);
            cairn_contact c = cairn_simulation_contact(w.simulation, 0);
            double moment = t.dimension == 3 ? hypot(c.moment[1], c.moment[2]) : fabs(c.moment[2]);
            assert_true(moment <= t.rolling * c.impulse[0] * (1 + 1e-9));
            if (step * t.h < stop - t.h)
                assert_near(moment, t.rolling * c.impulse[0], 1e-8 * c.impulse[0]);
        }
        cairn_body_state end = world_body(&w, "ball");
        double path = end.position[0] * cos(way) + end.position[1] * sin(way) * (t.dimension == 3);
        assert_near(path, 0.5 * speed * stop, speed * t.h); /* first order */
        world_free(&w);
    }
}

/* On a slope a ball stays below the angle atan(rho/R) and rolls above it, in any direction, with g (sin - rho/R cos)/(1 + share). */
static void test_slope(void **state)
{
    (void)state;
    for (int i = 0; i < 16; ++i)
    {
        trial t = {
            .dimension = i % 4 == 0 ? 2 : 3, .mu = 0.8, .rolling = 0.02, .radius = 0.1, .h = i % 2 ? 0.01 : 0.004};
        bool stays = i < 8;
        double share = inertia_share(t.dimension), angle = atan(t.rolling / t.radius) * (stays ? 0.98 : 1.04);
        double way = t.dimension == 3 ? 0.41 * i : 0;
        t.integrator = CAIRN_INTEGRATOR_STIFF;
        t.law = CAIRN_LAW_CONE;
        t.gravity[0] = G * sin(angle) * cos(way);
        t.gravity[1] = t.dimension == 3 ? G * sin(angle) * sin(way) : -G * cos(angle);
        t.gravity[2] = t.dimension == 3 ? -G * cos(angle) : 0;
        world w = start_trial(&t);
        world_run(&w, 100);
        check_account(&w);
        cairn_body_state at = world_body(&w, "ball");
        double along = at.velocity[0] * cos(way) + at.velocity[1] * sin(way) * (t.dimension == 3);
        double across = t.dimension == 3 ? at.velocity[1] * cos(way) - at.velocity[0] * sin(way) : 0.0;
        double rate = G * (sin(angle) - t.rolling / t.radius * cos(angle)) / (1 + share);
        assert_near(along, stays ? 0 : rate * 100 * t.h, stays ? 1e-9 : 1e-6);
        assert_near(across, 0, 1e-7);
        world_free(&w);
    }
}

/* A ball that spins about the normal is slowed down by rho m g/I and stops; rolling friction has no part in it. */
static void test_spins_to_rest(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        trial t = {.dimension = 3, .mu = 0.5, .rolling = i % 2 ? 0.003 : 0, .spinning = 0.002, .radius = 0.1};
        t.h = i < 2 ? 0.01 : 0.003;
        t.integrator = CAIRN_INTEGRATOR_STIFF;
        t.law = CAIRN_LAW_CONE;
        t.gravity[2] = -G;
        t.spin[2] = i % 2 ? -6 : 6;
        world w = start_trial(&t);
        double slows = t.spinning * G / (0.4 * t.radius * t.radius), stop = 6 / slows;
        for (int step = 1; step * t.h < stop + 0.2; ++step)
        {
            world_step(&w);
            check_account(&w);
            double left = fmax(0, 6 - slows * step * t.h);
            assert_near(fabs(world_body(&w, "ball").angular_velocity[2]), left, 1e-7);
        }
        world_free(&w);
    }
}

/* A ball that slides at first: friction mu m g and the moment of rolling act together until it rolls. */
static void test_slides_and_rolls(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        trial t = {.dimension = i % 2 ? 2 : 3, .mu = 0.2, .rolling = 0.003, .radius = 0.1, .h = i < 2 ? 0.004 : 0.001};
        double share = inertia_share(t.dimension), R = t.radius, v = 1.0, way = t.dimension == 3 ? 2.2 : 0;
        t.integrator = CAIRN_INTEGRATOR_STIFF;
        t.law = CAIRN_LAW_CONE;
        t.gravity[t.dimension - 1] = -G;
        t.velocity[0] = v * cos(way);
        t.velocity[1] = t.dimension == 3 ? v * sin(way) : 0.0;
        world w = start_trial(&t);
        /* v' = -mu g, R w' = (mu R - rho) g/(share R); it rolls from v = R w on, and is slowed down as in the first test */
        double gain = (t.mu * R - t.rolling) * G / (share * R), rolls = v / (t.mu * G + gain);
        double then = v - t.mu * G * rolls, slows = t.rolling * G / (R * (1 + share));
        for (int step = 1; step * t.h < rolls + 1.0; ++step)
        {
            world_step(&w);
            check_account(&w);
            double time = step * t.h, expected = time < rolls ? v - t.mu * G * time : then - slows * (time - rolls);
            cairn_body_state at = world_body(&w, "ball");
            double along = at.velocity[0] * cos(way) + at.velocity[1] * sin(way) * (t.dimension == 3);
            assert_near(along, expected, fabs(time - rolls) < 2 * t.h ? 2 * t.mu * G * t.h : 0.5 * t.h * t.mu * G);
        }
        world_free(&w);
    }
}

/* A ball rolls across a slope that is too steep to hold it and curves down: the equation of the disc,
 * (1 + share) v' = g sin e - rho/R g cos v/|v|, integrated here by Runge and Kutta's method; the error falls with h. */
static void test_curves_down(void **state)
{
    (void)state;
    double error[3];
    for (int i = 0; i < 3; ++i)
    {
        trial t = {.dimension = 3, .mu = 0.8, .rolling = 0.01, .radius = 0.1, .h = 0.01 / (1 << i)};
        const double down = G * sin(0.15), press = G * cos(0.15) * t.rolling / t.radius;
        t.integrator = CAIRN_INTEGRATOR_STIFF;
        t.law = CAIRN_LAW_CONE;
        memcpy(t.gravity, (double[3]){down, 0, -G * cos(0.15)}, sizeof t.gravity);
        t.velocity[1] = 0.8;
        t.spin[0] = -0.8 / t.radius;
        world w = start_trial(&t);
        world_run(&w, (int)(1.0 / t.h + 0.5));
        check_account(&w);
        double v[2] = {0, 0.8};
        const int fine = 20000;
        for (int step = 0; step < fine; ++step)
        {
            double dt = 1.0 / fine, k[2], mid[2];
            for (int part = 0; part < 2; ++part)
            {
                const double *at = part ? mid : v;
                double size = hypot(at[0], at[1]);
                k[0] = (down - press * at[0] / size) / 1.4;
                k[1] = -press * at[1] / size / 1.4;
                for (int c = 0; c < 2; ++c)
                    mid[c] = v[c] + 0.5 * dt * k[c];
            }
            v[0] += dt * k[0];
            v[1] += dt * k[1];
        }
        cairn_body_state end = world_body(&w, "ball");
        error[i] = hypot(end.velocity[0] - v[0], end.velocity[1] - v[1]);
        world_free(&w);
    }
    assert_true(error[0] < 0.01 && error[1] < 0.6 * error[0] && error[2] < 0.6 * error[1]);
}

/* A box does not tip, a ball between two plates is held by both, and a restored state goes on to the same bits. */
static void test_restored(void **state)
{
    (void)state;
    trial t = {.dimension = 3, .mu = 0.5, .rolling = 0.004, .spinning = 0.001, .radius = 0.1, .h = 0.005};
    t.integrator = CAIRN_INTEGRATOR_STIFF;
    t.law = CAIRN_LAW_CONE;
    memcpy(t.gravity, (double[3]){1.0, 0.5, -G}, sizeof t.gravity);
    memcpy(t.velocity, (double[3]){0, 0.5, 0}, sizeof t.velocity);
    memcpy(t.spin, (double[3]){1, 2, 3}, sizeof t.spin);
    world w = start_trial(&t), other = start_trial(&t);
    world_run(&w, 40);
    cairn_state *saved = NULL;
    assert_int_equal(cairn_simulation_save(w.simulation, &saved), CAIRN_OK);
    assert_int_equal(cairn_simulation_restore(other.simulation, saved), CAIRN_OK);
    world_run(&w, 40);
    world_run(&other, 40);
    cairn_body_state a = world_body(&w, "ball"), b = world_body(&other, "ball");
    assert_memory_equal(a.velocity, b.velocity, sizeof a.velocity);
    assert_memory_equal(a.angular_velocity, b.angular_velocity, sizeof a.angular_velocity);
    cairn_state_destroy(saved);
    world_free(&w);
    world_free(&other);
}

static void test_bad_input(void **state)
{
    (void)state;
    static const double WRONG[] = {-1e-3, NAN, INFINITY};
    world w = world_new(3);
    for (int i = 0; i < 6; ++i)
    {
        cairn_material_options o = cairn_material_default();
        cairn_material out;
        o.name = "bad";
        *(i < 3 ? &o.rolling_friction : &o.spinning_friction) = WRONG[i % 3];
        assert_int_equal(cairn_model_add_material(w.model, &o, &out), CAIRN_INVALID);
        assert_non_null(strstr(cairn_context_last_message(w.context), i < 3 ? "rolling" : "spinning"));
    }
    add_ground(w.model, add_rolling(w.model, 0.5, 1e-3, 0));
    cairn_settings settings = cairn_settings_default();
    cairn_simulation *s = NULL;
    settings.integrator = CAIRN_INTEGRATOR_TRAPEZOID;
    assert_int_equal(cairn_simulation_create(w.context, w.model, &settings, &s), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(w.context), "rolling"));
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rolls_to_rest), cmocka_unit_test(test_slope),
        cmocka_unit_test(test_spins_to_rest), cmocka_unit_test(test_slides_and_rolls),
        cmocka_unit_test(test_curves_down),   cmocka_unit_test(test_restored),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests_name("rolling", tests, NULL, NULL);
}
