/* Rolling friction where heaps are swept: balls that roll and spin to rest at the closed-form distance, many at once; the general
 * certificate, the audit and the account of heaps; bits by threads and after a restored state; piles that stand steeper. */
#include "support/check.h"
#include "support/worlds.h"

#include <cairn/state.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double G = 9.81;

static cairn_material add_rough(cairn_model *model, const char *name, double friction, double rolling, double spinning)
{
    cairn_material_options o = cairn_material_default();
    cairn_material out = {0};
    o.name = name;
    o.friction = friction;
    o.rolling_friction = rolling;
    o.spinning_friction = spinning;
    assert_int_equal(cairn_model_add_material(model, &o, &out), CAIRN_OK);
    return out;
}

static bool is_swept(const world *w)
{
    const char *method = cairn_simulation_report(w->simulation)->solver.method;
    return strcmp(method, "sweeps") == 0 || strcmp(method, "rest") == 0;
}

static void check_account(const world *w, double scale)
{
    cairn_energy e = cairn_simulation_energy(w->simulation);
    assert_near(e.balance_error, 0, 1e-10 * scale);
    assert_true(e.work_friction <= 1e-12 * scale);
    assert_int_equal(cairn_simulation_report(w->simulation)->physics.violations, 0);
}

enum
{
    BALLS = 196
};

/* Balls roll on a plane (discs on a line), each in its own direction, and spin about the normal. Rolling slows them down by
 * rho g/(R (1 + share)) and spinning by rho_s m g/I, until they rest. */
static void test_rolls_to_rest(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        int dim = i % 2 ? 2 : 3;
        double R = 0.05, rolling = 0.003, spinning = dim == 3 ? 0.001 : 0, h = i < 2 ? 0.004 : 0.0015;
        double share = dim == 3 ? 0.4 : 0.5, speed = 0.2, spin = dim == 3 ? 4 : 0;
        world w = world_new(dim);
        add_ground(w.model, add_rough(w.model, "ground", 0.6, 0.5 * rolling, 0.5 * spinning));
        cairn_material grain = add_rough(w.model, "grain", 0.6, 0.5 * rolling, 0.5 * spinning);
        cairn_body body[BALLS];
        for (int k = 0; k < BALLS; ++k)
        {
            char name[24];
            snprintf(name, sizeof name, "ball %d", k);
            double at[3] = {k % 14, k / 14, R};
            if (dim == 2)
                memcpy(at, (double[3]){k, R, 0}, sizeof at);
            body[k] = add_ball(w.model, name, 0.2 + 0.01 * k, R, at, grain);
        }
        assert_int_equal(cairn_model_set_gravity(w.model, (double[3]){0, dim == 2 ? -G : 0, dim == 3 ? -G : 0}),
                         CAIRN_OK);
        cairn_settings settings = cairn_settings_default();
        settings.step = h;
        settings.integrator = CAIRN_INTEGRATOR_STIFF;
        settings.law.kind = i < 3 ? CAIRN_LAW_CONE : CAIRN_LAW_CONVEX_CONE;
        world_start(&w, &settings);
        for (int k = 0; k < BALLS; ++k)
        {
            double way = dim == 3 ? 0.37 * k : M_PI * (k % 2), v = speed * (1 + 0.002 * k);
            cairn_body_state at = cairn_simulation_body(w.simulation, body[k]);
            at.velocity[0] = v * cos(way);
            at.velocity[1] = dim == 3 ? v * sin(way) : 0;
            double turn[3] = {-at.velocity[1] / R, at.velocity[0] / R, k % 2 ? spin : -spin};
            if (dim == 2)
                memcpy(turn, (double[3]){0, 0, -at.velocity[0] / R}, sizeof turn);
            memcpy(at.angular_velocity, turn, sizeof turn);
            assert_int_equal(cairn_simulation_set_body(w.simulation, body[k], &at), CAIRN_OK);
        }
        double slows = rolling * G / (R * (1 + share)), last = speed * (1 + 0.002 * BALLS) / slows;
        for (int step = 1; step * h < last + 0.1; ++step)
        {
            assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
            assert_true(is_swept(&w));
            check_account(&w, 1);
            for (int k = 0; k < BALLS; k += 13)
            {
                double way = dim == 3 ? 0.37 * k : M_PI * (k % 2), v = speed * (1 + 0.002 * k);
                cairn_body_state at = cairn_simulation_body(w.simulation, body[k]);
                double along = at.velocity[0] * cos(way) + (dim == 3 ? at.velocity[1] * sin(way) : 0);
                assert_near(along, fmax(0, v - slows * step * h), 1e-5);
                if (step * h > v / slows + h)
                {
                    double start = dim == 3 ? k % 14 * cos(way) + k / 14 * sin(way) : k * cos(way);
                    double path = at.position[0] * cos(way) + (dim == 3 ? at.position[1] * sin(way) : 0) - start;
                    assert_near(path, 0.5 * v * v / slows, v * h); /* first order */
                }
            }
        }
        for (int k = 0; k < BALLS; ++k)
        {
            cairn_body_state at = cairn_simulation_body(w.simulation, body[k]);
            for (int c = 0; c < 3; ++c)
                assert_near(at.angular_velocity[c], 0, 1e-4);
        }
        world_free(&w);
    }
}

/* A plate that turns about its axis. */
static void add_turntable(cairn_model *model, int k, double x, cairn_material material)
{
    char name[24];
    snprintf(name, sizeof name, "plate %d", k);
    cairn_body_options o = cairn_body_default();
    o.name = name;
    o.kind = CAIRN_DRIVEN;
    memcpy(o.position, (double[3]){x, 0, -0.05}, sizeof o.position);
    o.motion_angle = "3*t";
    memcpy(o.motion_axis, (double[3]){0, 0, 1}, sizeof o.motion_axis);
    cairn_shape_options s = cairn_shape_default(CAIRN_CYLINDER);
    s.radius = 0.2;
    s.height = 0.1;
    s.material = material;
    cairn_body body;
    cairn_shape shape;
    assert_int_equal(cairn_model_add_body(model, &o, &body), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(model, body, &s, &shape), CAIRN_OK);
}

/* Balls on turntables are spun up by rho_s m g/I until they turn as these do: one at a time as a general problem, many by sweeps. */
static void test_turntables(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        int count = i ? BALLS : 1;
        double R = 0.05, spinning = 0.002, h = 0.004;
        world w = world_new(3);
        cairn_material grain = add_rough(w.model, "grain", 0.5, 0.001, 0.5 * spinning);
        for (int k = 0; k < count; ++k)
        {
            char name[24];
            snprintf(name, sizeof name, "ball %d", k);
            add_turntable(w.model, k, 0.5 * k, grain);
            add_ball(w.model, name, 0.3, R, (double[3]){0.5 * k, 0, R}, grain);
        }
        assert_int_equal(cairn_model_set_gravity(w.model, (double[3]){0, 0, -G}), CAIRN_OK);
        cairn_settings settings = cairn_settings_default();
        settings.step = h;
        settings.integrator = CAIRN_INTEGRATOR_STIFF;
        settings.law.kind = CAIRN_LAW_CONE;
        world_start(&w, &settings);
        for (int step = 1; step <= 150; ++step)
        {
            assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
            assert_true(is_swept(&w) == (count > 1));
            assert_near(cairn_simulation_energy(w.simulation).balance_error, 0, 1e-10);
            assert_int_equal(cairn_simulation_report(w.simulation)->physics.violations, 0);
            double spin = fmin(3, spinning * G / (0.4 * R * R) * step * h);
            assert_near(world_body(&w, "ball 0").angular_velocity[2], spin, 1e-4);
        }
        world_free(&w);
    }
}

typedef struct pile
{
    int dim, across, high;
    double radius, rolling, friction;
    int threads;
} pile;

/* A column of grains in a loose lattice that is let go. */
static world start_pile(const pile *p, double h)
{
    world w = world_new(p->dim);
    uint64_t seed = 7;
    cairn_material grain = add_rough(w.model, "grain", p->friction, p->rolling, p->dim == 3 ? 0.3 * p->rolling : 0);
    add_ground(w.model, grain);
    int layer = p->dim == 3 ? p->across * p->across : p->across;
    for (int k = 0; k < layer * p->high; ++k)
    {
        char name[24];
        snprintf(name, sizeof name, "grain %d", k);
        double pitch = 2.15 * p->radius, R = p->radius * random_in(&seed, 0.85, 1);
        double at[3] = {pitch * (k % p->across), pitch * (k / layer) + p->radius, 0};
        if (p->dim == 3)
        {
            at[1] = pitch * (k / p->across % p->across);
            at[2] = pitch * (k / layer) + p->radius;
        }
        for (int c = 0; c < p->dim - 1; ++c)
            at[c] += random_in(&seed, -0.05, 0.05) * p->radius;
        add_ball(w.model, name, 1000 * R * R * R, R, at, grain);
    }
    assert_int_equal(cairn_model_set_gravity(w.model, (double[3]){0, p->dim == 2 ? -G : 0, p->dim == 3 ? -G : 0}),
                     CAIRN_OK);
    cairn_settings settings = cairn_settings_default();
    settings.step = h;
    settings.integrator = CAIRN_INTEGRATOR_STIFF;
    settings.law.kind = CAIRN_LAW_CONE;
    settings.solver.threads = p->threads;
    world_start(&w, &settings);
    return w;
}

/* The general certificate knows nothing of the compact view. Its square is turned to the moments; while they are not exact, the
 * distances of square and disc differ. */
static void test_certified(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; ++dim)
    {
        const pile p = {.dim = dim,
                        .across = dim == 3 ? 6 : 12,
                        .high = dim == 3 ? 7 : 16,
                        .radius = 0.02,
                        .rolling = 0.002,
                        .friction = 0.5};
        world w = start_pile(&p, 0.004);
        int swept = 0;
        for (int step = 0; step < 90; ++step)
        {
            assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
            check_account(&w, 10);
            if (!is_swept(&w) || step % 3)
                continue;
            const cairn_certificate own = cairn_simulation_report(w.simulation)->solver.certificate;
            const cairn_problem *problem = cairn_simulation_problem(w.simulation);
            cairn_certificate general;
            assert_non_null(problem);
            assert_true(problem->contact_count > cairn_simulation_contact_count(w.simulation));
            assert_int_equal(cairn_certify(problem, cairn_simulation_solution(w.simulation), &general), CAIRN_OK);
            assert_true(general.natural_map <= 3 * own.natural_map + 1e-12 * own.scale);
            assert_true(general.dynamics <= own.dynamics + 1e-11 * general.scale);
            ++swept;
        }
        assert_true(swept > 15);
        world_free(&w);
    }
}

static void compare(const world *a, const world *b)
{
    int count = cairn_model_body_count(world_model(a));
    for (int k = 0; k < count; ++k)
    {
        cairn_body_state x = cairn_simulation_body(a->simulation, cairn_model_body(world_model(a), k));
        cairn_body_state y = cairn_simulation_body(b->simulation, cairn_model_body(world_model(b), k));
        assert_memory_equal(&x, &y, sizeof x);
    }
}

/* The same bits on two threads, and from a state that was saved on the way. */
static void test_same_bits(void **state)
{
    (void)state;
    const pile one = {
        .dim = 3, .across = 13, .high = 13, .radius = 0.02, .rolling = 0.002, .friction = 0.5, .threads = 1};
    pile two = one;
    two.threads = 2;
    world a = start_pile(&one, 0.004), b = start_pile(&two, 0.004), c = start_pile(&one, 0.004);
    cairn_state *saved = NULL;
    for (int step = 0; step < 30; ++step)
    {
        assert_int_equal(cairn_simulation_step(a.simulation), CAIRN_OK);
        assert_int_equal(cairn_simulation_step(b.simulation), CAIRN_OK);
        if (step == 20)
        {
            assert_int_equal(cairn_simulation_save(a.simulation, &saved), CAIRN_OK);
            assert_int_equal(cairn_simulation_restore(c.simulation, saved), CAIRN_OK);
        }
        if (step > 20)
            assert_int_equal(cairn_simulation_step(c.simulation), CAIRN_OK);
    }
    assert_true(is_swept(&a));
    compare(&a, &b);
    compare(&a, &c);
    cairn_state_destroy(saved);
    world_free(&a);
    world_free(&b);
    world_free(&c);
}

/* m: the mean height of the grains after the column has come down. */
static double height_of(double rolling, double friction)
{
    const pile p = {.dim = 2, .across = 12, .high = 20, .radius = 0.02, .rolling = rolling, .friction = friction};
    world w = start_pile(&p, 0.004);
    double sum = 0;
    int count = 0;
    for (int step = 0; step < 500; ++step)
        assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
    for (int k = 0; k < cairn_model_body_count(world_model(&w)); ++k)
    {
        cairn_body body = cairn_model_body(world_model(&w), k);
        if (cairn_model_body_kind(world_model(&w), body) != CAIRN_DYNAMIC)
            continue;
        sum += cairn_simulation_body(w.simulation, body).position[1];
        ++count;
    }
    world_free(&w);
    return sum / count;
}

/* Columns come down to a flatter heap the less grains resist rolling; those that resist by a tenth of their radius remain standing. */
static void test_steeper(void **state)
{
    (void)state;
    double smooth = height_of(0, 0.5), some = height_of(0.0005, 0.5), rough = height_of(0.002, 0.5);
    assert_true(some > 1.15 * smooth);
    assert_true(rough > 2 * some);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rolls_to_rest), cmocka_unit_test(test_turntables), cmocka_unit_test(test_certified),
        cmocka_unit_test(test_same_bits),     cmocka_unit_test(test_steeper),
    };
    return cmocka_run_group_tests_name("rolling heaps", tests, NULL, NULL);
}
