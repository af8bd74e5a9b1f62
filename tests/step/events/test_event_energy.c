/* The energy account across events: a ball that bounces on a floor while a spring, a damper, a force and gravity act on it,
 * and impacts with friction. Each work against what the motion itself tells. */
#include "support/check.h"
#include "support/worlds.h"

#include <string.h>

static const double G = 9.81, MASS = 1.4, E = 0.7, STIFFNESS = 4, DAMPING = 0.9, PUSH = 2.5;

static cairn_settings settings_for(cairn_integrator integrator, double h)
{
    cairn_settings s = cairn_settings_default();
    s.integrator = integrator;
    s.step = h;
    s.restitution_threshold = 1e-3;
    return s;
}

/* A point under a spring with a damper from (0, 2), pushed along x, bouncing on a floor without friction. */
static world bouncing(const cairn_settings *settings, cairn_body *ball)
{
    world w = world_new(2);
    cairn_material smooth = add_material(w.model, "smooth", 0, E);
    add_ground(w.model, smooth);
    *ball = add_point(w.model, "ball", MASS, 0, 0.6, smooth);
    cairn_spring_options o = cairn_spring_default(CAIRN_SPRING_LINEAR);
    o.name = "spring";
    o.a.point[1] = 2;
    o.b.body = *ball;
    o.stiffness = STIFFNESS;
    o.damping = DAMPING;
    o.rest = 0;
    cairn_spring spring;
    assert_int_equal(cairn_model_add_spring(w.model, &o, &spring), CAIRN_OK);
    cairn_force_options f = cairn_force_default();
    f.name = "push";
    f.body = *ball;
    f.force[0] = "2.5";
    cairn_force force;
    assert_int_equal(cairn_model_add_force(w.model, &f, &force), CAIRN_OK);
    world_start(&w, settings);
    return w;
}

static double elastic(const cairn_body_state *s)
{
    return 0.5 * STIFFNESS * (pow(s->position[0], 2) + pow(s->position[1] - 2, 2));
}

static double kinetic(const cairn_body_state *s)
{
    return 0.5 * MASS * (pow(s->velocity[0], 2) + pow(s->velocity[1], 2));
}

/* What a run says it did, and what it should have done by its own motion. */
typedef struct books
{
    cairn_energy energy;
    double normal;       /* J, by the speeds of the impacts */
    double impulse;      /* N s, the same */
    double told;         /* N s, as events tell it */
    double damper, push; /* J, by the motion */
    cairn_body_state first, last;
    double spring_work, force_work;
    int impacts;
} books;

static void watch_events(const world *w, books *out)
{
    for (int k = 0; k < cairn_simulation_event_count(w->simulation); ++k)
    {
        cairn_event event = cairn_simulation_event(w->simulation, k);
        if (event.kind == CAIRN_EVENT_COLLISION)
        {
            out->normal -= 0.5 * MASS * (1 - E * E) * event.speed * event.speed;
            out->impulse -= MASS * (1 + E) * event.speed;
            out->told += event.impulse;
            out->impacts += 1;
            assert_false(event.energy_grew);
        }
    }
}

static books run(cairn_integrator integrator, cairn_impact impact, double h)
{
    books out = {0};
    cairn_body ball;
    cairn_settings settings = settings_for(integrator, h);
    settings.impact = impact;
    world w = bouncing(&settings, &ball);
    out.first = out.last = cairn_simulation_body(w.simulation, ball);
    for (int n = 0; n < (int)lround(1.2 / h); ++n)
    {
        cairn_body_state before = out.last;
        world_step(&w);
        out.last = cairn_simulation_body(w.simulation, ball);
        watch_events(&w, &out);
        for (int k = 0; k < 2; ++k)
        {
            /* exact where the velocity is linear in the step; a bounce makes an error of the size of h */
            double a = before.velocity[k], b = out.last.velocity[k];
            out.damper -= DAMPING * h * (a * a + a * b + b * b) / 3;
        }
        const cairn_energy *e = &cairn_simulation_report(w.simulation)->energy;
        assert_near(e->balance_error, 0, 1e-11);
        assert_near(e->kinetic, kinetic(&out.last), 1e-11);
        assert_near(e->elastic, elastic(&out.last), 1e-11);
        assert_near(e->potential, MASS * G * out.last.position[1], 1e-11);
    }
    out.energy = cairn_simulation_energy(w.simulation);
    out.push = PUSH * (out.last.position[0] - out.first.position[0]);
    out.spring_work = cairn_simulation_spring_work(w.simulation, nth_spring(w.simulation, 0));
    out.force_work = cairn_simulation_force_work(w.simulation, nth_force(w.simulation, 0));
    world_free(&w);
    return out;
}

static void works_of_a_bouncing_ball(void **state)
{
    (void)state;
    for (int i = CAIRN_INTEGRATOR_TRAPEZOID; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        for (int impact = CAIRN_IMPACT_POISSON; impact <= CAIRN_IMPACT_NEWTON; ++impact)
        {
            double h = 0.02;
            books b = run((cairn_integrator)i, (cairn_impact)impact, h);
            const cairn_energy *e = &b.energy;
            double fallen = -MASS * G * (b.last.position[1] - b.first.position[1]);
            double relaxed = elastic(&b.first) - elastic(&b.last);
            print_message("%-10s %s: %d impacts; contact %.4f (%.4f), gravity %.4f (%.4f), spring %.4f (%.4f), damper "
                          "%.4f (%.4f), push %.4f (%.4f), integration %.1e\n",
                          cairn_integrator_name((cairn_integrator)i), cairn_impact_name((cairn_impact)impact),
                          b.impacts, e->work_contact_normal, b.normal, e->work_gravity, fallen, e->work_springs,
                          relaxed, e->work_dampers, b.damper, e->work_forces, b.push, e->integration);
            assert_true(b.impacts >= 2);
            assert_near(e->work_contact_normal, b.normal, 1e-9);
            assert_near(b.told, b.impulse, 1e-9);
            assert_near(e->work_friction, 0, 1e-12);
            /* second order: some parts in a thousand at this step */
            assert_near(e->work_gravity, fallen, 5e-3);
            assert_near(e->work_springs, relaxed, 2e-2);
            assert_near(e->work_dampers, b.damper, 2e-2 * fabs(b.damper) + 5 * h * DAMPING);
            assert_near(e->work_forces, b.push, 2e-3);
            assert_near(b.force_work, e->work_forces, 1e-12);
            assert_near(b.spring_work, e->work_springs + e->work_dampers, 1e-12);
            assert_near(e->integration, 0, 2e-2);
            double change = kinetic(&b.last) - kinetic(&b.first);
            double all = e->work_contact_normal + e->work_gravity + e->work_springs + e->work_dampers + e->work_forces;
            /* what interpolation along the curve adds is booked as integration */
            assert_near(all, change, i == CAIRN_INTEGRATOR_STIFF2 ? 1e-10 : 2e-2);
        }
    }
}

/* The works converge to what the finest step says, at second order. */
static void works_converge(void **state)
{
    (void)state;
    for (int i = CAIRN_INTEGRATOR_TRAPEZOID; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        books truth = run(CAIRN_INTEGRATOR_STIFF2, CAIRN_IMPACT_POISSON, 1.2 / 8192);
        double error[2][4];
        for (int k = 0; k < 2; ++k)
        {
            books b = run((cairn_integrator)i, CAIRN_IMPACT_POISSON, 1.2 / (96 << k));
            error[k][0] = fabs(b.energy.work_dampers - truth.energy.work_dampers);
            error[k][1] = fabs(b.energy.work_forces - truth.energy.work_forces);
            error[k][2] = fabs(b.energy.work_springs - truth.energy.work_springs);
            error[k][3] = fabs(b.energy.work_contact_normal - truth.energy.work_contact_normal);
        }
        print_message("%-10s off by dampers %.1e %.1e, forces %.1e %.1e, springs %.1e %.1e, contact %.1e %.1e\n",
                      cairn_integrator_name((cairn_integrator)i), error[0][0], error[1][0], error[0][1], error[1][1],
                      error[0][2], error[1][2], error[0][3], error[1][3]);
        for (int k = 0; k < 4; ++k)
        {
            assert_true(error[1][k] < 5e-3);
            assert_true(error[1][k] < 1e-5 || error[1][k] < 0.4 * error[0][k]);
        }
    }
}

/* ------------------------------------------------------------------------------------------------ impacts with friction */

/* A spinning disc (or ball) flies without weight on a rough floor. The contact point is below the centre, so that normal and
 * friction act apart: each takes its own part of the kinetic energy. */
static void works_of_a_rough_impact(void **state)
{
    (void)state;
    static const double NONE[3] = {0, 0, 0};
    for (int i = CAIRN_INTEGRATOR_TRAPEZOID; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        for (int k = 0; k < 8; ++k)
        {
            int dimension = 2 + k % 2;
            double e = k & 2 ? 0.6 : 0, mu = k & 4 ? 0.15 : 2, v_n = 1.7, v_t = 1.1, spin = 3, r = 0.25;
            world w = world_new(dimension);
            assert_int_equal(cairn_model_set_gravity(w.model, NONE), CAIRN_OK);
            cairn_material rough = add_material(w.model, "rough", mu, e);
            add_ground(w.model, rough);
            double position[3] = {0, 0, 0};
            position[dimension - 1] = r + 0.123;
            cairn_body ball = add_ball(w.model, "ball", 2, r, position, rough);
            cairn_settings settings = settings_for((cairn_integrator)i, 0.03);
            world_start(&w, &settings);
            cairn_body_state s = cairn_simulation_body(w.simulation, ball), after;
            s.velocity[0] = v_t;
            s.velocity[dimension - 1] = -v_n;
            s.angular_velocity[dimension == 2 ? 2 : 1] = spin;
            assert_int_equal(cairn_simulation_set_body(w.simulation, ball, &s), CAIRN_OK);
            world_run(&w, 5);
            after = cairn_simulation_body(w.simulation, ball);
            cairn_energy energy = cairn_simulation_energy(w.simulation);
            double inertia = (dimension == 2 ? 0.5 : 0.4) * 2 * r * r;
            /* the point at the floor: v_t + r spin in the plane, where spin is about z; v_t - r spin about y in space */
            double sign = dimension == 2 ? 1 : -1, u = v_t + sign * r * spin, mass = 1 / (0.5 + r * r / inertia);
            double stop = -mass * u, most = mu * 2 * v_n * (k & 4 ? 1 : 1);
            double friction = fabs(stop) <= most ? stop : copysign(most, stop);
            assert_near(after.velocity[dimension - 1], e * v_n, 1e-9);
            assert_near(after.velocity[0], v_t + friction / 2, 1e-9);
            assert_near(energy.work_contact_normal, -0.5 * 2 * (1 - e * e) * v_n * v_n, 1e-9);
            double turned = after.angular_velocity[dimension == 2 ? 2 : 1];
            double lost =
                0.5 * 2 * (pow(after.velocity[0], 2) - v_t * v_t) + 0.5 * inertia * (turned * turned - spin * spin);
            assert_near(energy.work_friction, lost, 1e-9);
            assert_true(lost < 0);
            world_free(&w);
        }
    }
}

/* An elastic body that comes in slower than the threshold stays; a faster one bounces. */
static void slow_impacts_do_not_bounce(void **state)
{
    (void)state;
    static const double NONE[3] = {0, 0, 0};
    for (int i = CAIRN_INTEGRATOR_EULER; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        for (int k = 0; k < 4; ++k)
        {
            double speed = k % 2 ? 0.2 : 0.05;
            world w = world_new(2);
            assert_int_equal(cairn_model_set_gravity(w.model, NONE), CAIRN_OK);
            cairn_material elastic_material = add_material(w.model, "elastic", 0, 1);
            add_ground(w.model, elastic_material);
            cairn_body ball = add_point(w.model, "ball", 1, 0, 0.00133, elastic_material);
            cairn_settings settings = settings_for((cairn_integrator)i, 0.01);
            settings.restitution_threshold = 0.1;
            settings.impact = k < 2 || i <= CAIRN_INTEGRATOR_STIFF ? CAIRN_IMPACT_NEWTON : CAIRN_IMPACT_POISSON;
            world_start(&w, &settings);
            cairn_body_state s = cairn_simulation_body(w.simulation, ball);
            s.velocity[1] = -speed;
            assert_int_equal(cairn_simulation_set_body(w.simulation, ball, &s), CAIRN_OK);
            world_run(&w, 6);
            s = cairn_simulation_body(w.simulation, ball);
            assert_near(s.velocity[1], speed > 0.1 ? speed : 0, 1e-9);
            assert_true(speed > 0.1 || fabs(s.position[1]) < 1e-8);
            world_free(&w);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(works_of_a_bouncing_ball),
        cmocka_unit_test(works_converge),
        cmocka_unit_test(works_of_a_rough_impact),
        cmocka_unit_test(slow_impacts_do_not_bounce),
    };
    return cmocka_run_group_tests_name("energy at events", tests, NULL, NULL);
}
