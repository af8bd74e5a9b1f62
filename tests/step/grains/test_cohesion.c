/* Cohesion: grains that hang up to exactly their pull, stick to walls by the friction of it, are drawn apart, and hang in columns by
 * sweeps; the energy of tearing off against the work of the pull; pairs of materials; bad input. */
#include "support/check.h"
#include "support/worlds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double G = 9.81;

static cairn_material add_sticky(cairn_model *model, const char *name, double friction, double cohesion, double range)
{
    cairn_material_options o = cairn_material_default();
    cairn_material out = {0};
    o.name = name;
    o.friction = friction;
    o.cohesion = cohesion;
    o.cohesion_range = range;
    assert_int_equal(cairn_model_add_material(model, &o, &out), CAIRN_OK);
    return out;
}

typedef struct trial
{
    int dimension;
    double mass, radius, h, mu, range;
    double cohesion[2]; /* of grain and ceiling: F is their geometric mean */
    double gravity[3];  /* the floor of `add_ground` is the ceiling where this points away from it */
    cairn_integrator integrator;
    cairn_law_kind law;
} trial;

static world start_trial(const trial *t)
{
    world w = world_new(t->dimension);
    cairn_material grain = add_sticky(w.model, "grain", t->mu, t->cohesion[0], t->range);
    double place[3] = {0};
    add_ground(w.model, add_sticky(w.model, "ceiling", t->mu, t->cohesion[1], 0));
    place[t->dimension - 1] = t->radius;
    add_ball(w.model, "grain", t->mass, t->radius, place, grain);
    assert_int_equal(cairn_model_set_gravity(w.model, t->gravity), CAIRN_OK);
    cairn_settings settings = cairn_settings_default();
    settings.integrator = t->integrator;
    settings.step = t->h;
    settings.law.kind = t->law;
    settings.solver.tolerance = 1e-8; /* relative to what is left of weight and pull */
    world_start(&w, &settings);
    return w;
}

static void check_account(const world *w)
{
    cairn_energy e = cairn_simulation_energy(w->simulation);
    assert_near(e.balance_error, 0, 1e-9);
    assert_true(e.work_friction <= 1e-12);
    assert_int_equal(cairn_simulation_report(w->simulation)->physics.violations, 0);
}

static trial nth_trial(int i)
{
    trial t = {.dimension = i % 3 == 0 ? 2 : 3, .mass = 0.3 + 0.1 * i, .radius = 0.02, .mu = 0.4};
    t.h = i % 2 ? 0.01 : 0.0017;
    t.integrator = i % 4 == 1 ? CAIRN_INTEGRATOR_EULER : CAIRN_INTEGRATOR_STIFF;
    t.law = i % 5 == 4 ? CAIRN_LAW_FRICTIONLESS : i % 5 == 3 ? CAIRN_LAW_CONVEX_CONE : CAIRN_LAW_CONE;
    return t;
}

/* A grain hangs below a ceiling as long as its weight is at most the pull, and falls above, with g - F/m at first. */
static void test_hangs(void **state)
{
    (void)state;
    for (int i = 0; i < 24; ++i)
    {
        trial t = nth_trial(i % 12);
        bool hangs = i < 12;
        double F = t.mass * G * (hangs ? 1 + 1e-6 : 1 - 1e-6), ratio = 1 + 0.3 * (i % 4);
        t.cohesion[0] = F * ratio;
        t.cohesion[1] = F / ratio;
        t.gravity[t.dimension - 1] = G;
        world w = start_trial(&t);
        for (int step = 0; step < 60; ++step)
        {
            world_step(&w);
            check_account(&w);
            cairn_contact c = cairn_simulation_contact(w.simulation, 0);
            assert_near(c.impulse[0], -t.h * fmin(F, t.mass * G), 1e-9 * t.mass);
        }
        cairn_body_state at = world_body(&w, "grain");
        double falls = 1e-6 * G * 60 * t.h;
        assert_near(at.velocity[t.dimension - 1], hangs ? 0 : falls, 1e-10);
        assert_near(at.position[t.dimension - 1], t.radius, hangs ? 1e-10 : falls * 60 * t.h);
        world_free(&w);
    }
}

/* A grain that is torn off by its weight loses F times the range on the way: v^2/2 = g d - F range/m, in the limit of small steps. */
static void test_tears_off(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension)
    {
        double error[3];
        for (int i = 0; i < 3; ++i)
        {
            trial t = nth_trial(4);
            t.dimension = dimension;
            t.h = 0.002 / (1 << i);
            t.law = CAIRN_LAW_CONE;
            t.range = 0.013;
            double F = 0.7 * t.mass * G, d;
            t.cohesion[0] = t.cohesion[1] = F;
            t.gravity[dimension - 1] = G;
            world w = start_trial(&t);
            do
            {
                world_step(&w);
                check_account(&w);
                d = world_body(&w, "grain").position[dimension - 1] - t.radius;
            } while (d < 0.05);
            double v = world_body(&w, "grain").velocity[dimension - 1];
            error[i] = fabs(v * v / 2 - (G * d - F * t.range / t.mass));
            assert_true(error[i] < 60 * t.h * G * v);
            cairn_energy e = cairn_simulation_energy(w.simulation);
            assert_near(e.work_contact_normal, -F * t.range, 2 * t.h * F);
            world_free(&w);
        }
        assert_true(error[2] < 0.02 * 0.05 * G);
    }
}

/* A grain without spin sticks to a wall where its weight is at most mu F, and otherwise slides down with g - mu F/m. */
static void test_sticks_to_wall(void **state)
{
    (void)state;
    for (int i = 0; i < 12; ++i)
    {
        bool sticks = i % 2;
        double mass = 0.2, mu = 0.35 + 0.1 * (i % 3), F = mass * G / mu * (sticks ? 1.001 : 0.8),
               h = i < 6 ? 0.01 : 0.003;
        world w = world_new(2);
        cairn_material grain = add_sticky(w.model, "grain", mu, F, 0), wall = add_sticky(w.model, "wall", mu, F, 0);
        add_ground(w.model, wall);
        add_point(w.model, "grain", mass, 0, 0, grain);
        assert_int_equal(cairn_model_set_gravity(w.model, (double[3]){G, 0, 0}), CAIRN_OK);
        cairn_settings settings = cairn_settings_default();
        settings.step = h;
        settings.integrator = CAIRN_INTEGRATOR_STIFF;
        settings.solver.tolerance = 1e-11;
        world_start(&w, &settings);
        world_run(&w, 50);
        check_account(&w);
        assert_near(world_body(&w, "grain").velocity[0], sticks ? 0 : (G - mu * F / mass) * 50 * h, 1e-8);
        world_free(&w);
    }
}

/* Two grains in space that forces draw apart, in any direction: they stay together up to F, and their momentum is that of the forces. */
static void test_drawn_apart(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 12; ++i)
    {
        bool holds = i % 2;
        double F = 2.0, way[3], size = 0, at[3];
        world w = world_new(3);
        cairn_material grain = add_sticky(w.model, "grain", 0.5, 0, 0);
        cairn_pair_options pair = cairn_pair_default();
        pair.cohesion = F;
        assert_int_equal(cairn_model_add_pair(w.model, grain, grain, &pair), CAIRN_OK);
        for (int k = 0; k < 3; ++k)
        {
            way[k] = random_in(&seed, -1, 1);
            size += way[k] * way[k];
        }
        for (int side = 0; side < 2; ++side)
        {
            char name[24];
            snprintf(name, sizeof name, "grain %d", side);
            for (int k = 0; k < 3; ++k)
                at[k] = (side ? 0.1 : -0.1) * way[k] / sqrt(size);
            cairn_body body = add_ball(w.model, name, 1.0 + side, 0.1, at, grain);
            cairn_force_options force = cairn_force_default();
            cairn_force made;
            force.name = name;
            force.body = body;
            double pull = (side ? 1 : -1) * F * (holds ? 0.999 : 1.01);
            char text[3][32];
            for (int k = 0; k < 3; ++k)
            {
                snprintf(text[k], sizeof text[k], "%.17g", pull * way[k] / sqrt(size));
                force.force[k] = text[k];
            }
            assert_int_equal(cairn_model_add_force(w.model, &force, &made), CAIRN_OK);
        }
        assert_int_equal(cairn_model_set_gravity(w.model, (double[3]){0}), CAIRN_OK);
        cairn_settings settings = cairn_settings_default();
        settings.step = i < 6 ? 0.01 : 0.004;
        settings.integrator = i % 3 ? CAIRN_INTEGRATOR_STIFF : CAIRN_INTEGRATOR_EULER;
        world_start(&w, &settings);
        world_run(&w, 5);
        check_account(&w);
        cairn_body_state a = world_body(&w, "grain 0"), b = world_body(&w, "grain 1");
        double apart = 0;
        for (int k = 0; k < 3; ++k)
        {
            assert_near(a.velocity[k] + 2 * b.velocity[k], 0, 1e-12);
            apart += (b.velocity[k] - a.velocity[k]) * way[k] / sqrt(size);
        }
        assert_near(apart, holds ? 0 : 0.01 * F * 1.5 * 5 * settings.step, 1e-9);
        world_free(&w);
    }
}

enum
{
    COLUMNS = 50,
    LAYERS = 5
};

/* Columns of grains hang from a ceiling: the top contact carries all. Enough of them for sweeps instead of the general problem. */
static void test_columns(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        bool holds = i % 2;
        double mass = 0.01, radius = 0.01, F = LAYERS * mass * G * (holds ? 1.01 : 0.97);
        world w = world_new(3);
        cairn_material grain = add_sticky(w.model, "grain", 0.5, F, 0),
                       ceiling = add_sticky(w.model, "ceiling", 0.5, F, 0);
        add_ground(w.model, ceiling);
        for (int k = 0; k < COLUMNS * LAYERS; ++k)
        {
            char name[24];
            snprintf(name, sizeof name, "grain %d", k);
            int column = k / LAYERS;
            const double at[3] = {0.05 * (column % 10), 0.05 * (column / 10), radius * (1 + 2 * (k % LAYERS))};
            add_ball(w.model, name, mass, radius, at, grain);
        }
        assert_int_equal(cairn_model_set_gravity(w.model, (double[3]){0, 0, G}), CAIRN_OK);
        cairn_settings settings = cairn_settings_default();
        settings.step = i < 2 ? 0.005 : 0.002;
        settings.law.kind = CAIRN_LAW_CONE;
        settings.integrator = CAIRN_INTEGRATOR_STIFF;
        world_start(&w, &settings);
        bool swept = false;
        for (int step = 0; step < 20; ++step)
        {
            assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
            const cairn_step_report *report = cairn_simulation_report(w.simulation);
            swept = swept || strcmp(report->solver.method, "sweeps") == 0 || strcmp(report->solver.method, "rest") == 0;
            assert_int_equal(report->physics.violations, 0);
            assert_near(cairn_simulation_energy(w.simulation).balance_error, 0, 1e-12);
        }
        assert_true(swept);
        double speed = world_body(&w, "grain 4").velocity[2], t = 20 * settings.step;
        /* the column comes down as one with g - F/(5 m), until its top is out of range, and then freely */
        if (holds)
            assert_near(speed, 0, 1e-6 * G);
        else
            assert_true(speed > 0.9 * 0.03 * G * t && speed < G * t);
        for (int j = 0; holds && j < cairn_simulation_contact_count(w.simulation); ++j)
        {
            cairn_contact c = cairn_simulation_contact(w.simulation, j);
            int layer = (int)lround(c.point[2] / (2 * radius));
            assert_near(c.impulse[0], -(LAYERS - layer) * mass * G * settings.step, 1e-3 * mass * G * settings.step);
        }
        world_free(&w);
    }
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
        *(i < 3 ? &o.cohesion : &o.cohesion_range) = WRONG[i % 3];
        assert_int_equal(cairn_model_add_material(w.model, &o, &out), CAIRN_INVALID);
        assert_non_null(strstr(cairn_context_last_message(w.context), i < 3 ? "cohesion: must be a force" : "range"));
    }
    cairn_material dry = add_material(w.model, "dry", 0.5, 0);
    cairn_pair_options pair = cairn_pair_default();
    pair.cohesion = -1;
    assert_int_equal(cairn_model_add_pair(w.model, dry, dry, &pair), CAIRN_INVALID);
    pair.cohesion = 1;
    assert_int_equal(cairn_model_add_pair(w.model, dry, dry, &pair), CAIRN_OK);
    assert_int_equal(cairn_model_add_pair(w.model, dry, dry, &pair), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(w.context), "twice"));
    add_ground(w.model, dry);
    cairn_settings settings = cairn_settings_default();
    cairn_simulation *s = NULL;
    settings.integrator = CAIRN_INTEGRATOR_STIFF2;
    assert_int_equal(cairn_simulation_create(w.context, w.model, &settings, &s), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(w.context), "cohesion"));
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hangs),       cmocka_unit_test(test_tears_off), cmocka_unit_test(test_sticks_to_wall),
        cmocka_unit_test(test_drawn_apart), cmocka_unit_test(test_columns),   cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests_name("cohesion", tests, NULL, NULL);
}
