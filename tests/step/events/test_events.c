/* Events of the second-order schemes: the examples of Potra et al. 2006 against independent numbers, and closed forms. */
#include "support/check.h"
#include "support/worlds.h"

#include <string.h>

static cairn_settings settings_for(cairn_integrator integrator, double h)
{
    cairn_settings s = cairn_settings_default();
    s.integrator = integrator;
    s.step = h;
    s.stabilisation = CAIRN_STABILISE_NONE;
    s.law = (cairn_law){CAIRN_LAW_PYRAMID, 4};
    s.restitution_threshold = 0;
    return s;
}

/* ------------------------------------------------------------- Potra et al. 2006, section 10.1: double pendulum and a wall */

static const double TRUTH[4] = {0.021946257563808046315, -0.99975915188556443926, 0.023851309509372674521,
                                -1.9997573372724602952};

static world pendulum_and_wall(const cairn_settings *settings)
{
    world w = world_new(2);
    cairn_material hard = add_material(w.model, "hard", 0, 0.1);
    cairn_body_options wall = cairn_body_default();
    wall.name = "wall";
    wall.kind = CAIRN_FIXED;
    cairn_body fixed;
    assert_int_equal(cairn_model_add_body(w.model, &wall, &fixed), CAIRN_OK);
    cairn_shape_options plane = cairn_shape_default(CAIRN_HALF_PLANE);
    plane.normal[0] = 1;
    plane.normal[1] = 0;
    plane.material = hard;
    cairn_shape shape;
    assert_int_equal(cairn_model_add_shape(w.model, fixed, &plane, &shape), CAIRN_OK);
    double a = M_PI / 3, b = M_PI / 5;
    cairn_body upper = add_point(w.model, "upper", 1, sin(a), -cos(a), hard);
    cairn_body lower = add_point(w.model, "lower", 1, sin(a) + sin(b), -cos(a) - cos(b), hard);
    cairn_joint out;
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_DISTANCE);
    o.name = "first";
    o.b.body = upper;
    assert_int_equal(cairn_model_add_joint(w.model, &o, &out), CAIRN_OK);
    o.name = "second";
    o.a.body = upper;
    o.b.body = lower;
    assert_int_equal(cairn_model_add_joint(w.model, &o, &out), CAIRN_OK);
    world_start(&w, settings);
    return w;
}

typedef struct pendulum_end
{
    double error, theta1, theta2;
    double impact[8];
    int impacts;
    int problems;
} pendulum_end;

static pendulum_end run_pendulum(cairn_integrator integrator, int power, const double *truth)
{
    double h = ldexp(1, -power);
    cairn_settings settings = settings_for(integrator, h);
    world w = pendulum_and_wall(&settings);
    pendulum_end end = {0};
    for (int i = 0; i < (int)lround(2.5 / h); ++i)
    {
        world_step(&w);
        end.problems += cairn_simulation_report(w.simulation)->problems;
        for (int k = 0; k < cairn_simulation_event_count(w.simulation) && end.impacts < 8; ++k)
        {
            cairn_event event = cairn_simulation_event(w.simulation, k);
            if (event.kind == CAIRN_EVENT_COLLISION)
                end.impact[end.impacts++] = event.time;
        }
    }
    double *a = world_body(&w, "upper").position, *b = world_body(&w, "lower").position;
    double q[4] = {a[0], a[1], b[0], b[1]}, sum = 0;
    for (int k = 0; k < 4; ++k)
        sum += (q[k] - truth[k]) * (q[k] - truth[k]);
    end.error = sqrt(sum);
    end.theta1 = q[0] * q[0] + q[1] * q[1] - 1;
    end.theta2 = (q[0] - q[2]) * (q[0] - q[2]) + (q[1] - q[3]) * (q[1] - q[3]) - 1;
    world_free(&w);
    return end;
}

/* Impacts of the true solution, and what a second implementation of schemes I and II gives. */
static const double IMPACTS[5] = {0.5452299438269635554, 0.70757178602911608697, 1.2840716743875960755,
                                  2.0966699980413775902, 2.130553544347985249};
static const double SCHEME_2_ERROR[7] = {0.0023740246105360533, 0.0006103633171591277, 0.000156790685402548,
                                         3.91152271950076e-05,  9.78569366028776e-06,  2.514241856681602e-06,
                                         6.110195852739195e-07};
static const double PAPER_ERROR[7] = {2.38e-3, 6.14e-4, 1.54e-4, 3.95e-5, 1.01e-5, 2.42e-6, 6.15e-7};
static const double PAPER_THETA1[7] = {1.27e-3, 3.14e-4, 7.82e-5, 1.95e-5, 4.88e-6, 1.22e-6, 3.05e-7};
static const double PAPER_THETA2[7] = {3.18e-3, 8.29e-4, 2.14e-4, 5.48e-5, 1.37e-5, 3.44e-6, 8.60e-7};

static void table_10_1(void **state)
{
    (void)state;
    double last = 0;
    for (int p = 5; p <= 11; ++p)
    {
        pendulum_end two = run_pendulum(CAIRN_INTEGRATOR_TRAPEZOID2, p, TRUTH);
        pendulum_end ours = run_pendulum(CAIRN_INTEGRATOR_STIFF2, p, TRUTH);
        print_message(
            "2^-%-2d paper %.2e  scheme II %.4e theta %.3e %.3e  stiff2 %.4e ratio %.2f theta %.1e problems %d, "
            "%d\n",
            p, PAPER_ERROR[p - 5], two.error, two.theta1, two.theta2, ours.error, last / ours.error, ours.theta1,
            two.problems, ours.problems);
        /* the second implementation to its digits; the paper's table as closely as it is printed */
        assert_near(two.error / SCHEME_2_ERROR[p - 5], 1, 2e-3);
        assert_near(two.error / PAPER_ERROR[p - 5], 1, 0.1);
        assert_near(two.theta1 / PAPER_THETA1[p - 5], 1, 0.02);
        assert_near(two.theta2 / PAPER_THETA2[p - 5], 1, 0.02);
        assert_int_equal(ours.impacts, 5);
        assert_true(ours.error < two.error);
        assert_true(p < 7 || (last / ours.error > 3.6 && last / ours.error < 4.4));
        for (int k = 0; k < 5; ++k)
            assert_near(ours.impact[k], IMPACTS[k], 4 * ldexp(1, -2 * p));
        last = ours.error;
    }
    /* scheme I is of first order here */
    pendulum_end a = run_pendulum(CAIRN_INTEGRATOR_TRAPEZOID, 8, TRUTH);
    pendulum_end b = run_pendulum(CAIRN_INTEGRATOR_TRAPEZOID, 9, TRUTH);
    assert_near(a.error, 0.016792736337640553, 1e-5);
    assert_near(a.error / b.error, 2, 0.1);
}

/* Extrapolated from stiff2's two finest runs, the positions are those of the independent reference to 1e-8. */
static void fine_run_agrees_with_the_reference(void **state)
{
    (void)state;
    pendulum_end fine = run_pendulum(CAIRN_INTEGRATOR_STIFF2, 13, TRUTH);
    assert_true(fine.error < 0.31 * ldexp(1, -26) * 1.05);
}

/* ------------------------------------------------------------------- Potra et al. 2006, section 10.2: a block that sticks */

static world block_world(const cairn_settings *settings)
{
    world w = world_new(2);
    cairn_material rough = add_material(w.model, "rough", 0.8, 0);
    add_ground(w.model, rough);
    cairn_body a = add_point(w.model, "block", 1, 3, 0, rough);
    cairn_force_options f = cairn_force_default();
    f.name = "push";
    f.body = a;
    f.force[0] = "8*cos(t)";
    cairn_force out;
    assert_int_equal(cairn_model_add_force(w.model, &f, &out), CAIRN_OK);
    world_start(&w, settings);
    return w;
}

static double block_error(cairn_integrator integrator, int power, bool events)
{
    cairn_settings settings = settings_for(integrator, ldexp(1, -power));
    settings.events = events;
    world w = block_world(&settings);
    world_run(&w, (int)lround(2 / settings.step));
    double x = world_body(&w, "block").position[0];
    world_free(&w);
    return fabs(x - 3.0043485697268652269);
}

static const double TABLE_10_2[6] = {5.197e-5, 1.025e-5, 2.555e-6, 6.551e-7, 1.549e-7, 3.959e-8};
static const double TABLE_10_3[6] = {8.023e-5, 2.310e-5, 5.619e-6, 1.395e-6, 3.652e-7, 8.246e-8};

static void tables_10_2_and_10_3(void **state)
{
    (void)state;
    double e[3][2][6];
    for (int p = 5; p <= 10; ++p)
    {
        for (int i = 0; i < 3; ++i)
        {
            for (int events = 0; events < 2; ++events)
            {
                cairn_integrator integrator = (cairn_integrator)(CAIRN_INTEGRATOR_TRAPEZOID + i);
                e[i][events][p - 5] = block_error(integrator, p, events);
            }
        }
        print_message(
            "2^-%-2d I %.3e (paper %.3e) detected %.3e  II %.3e (paper %.3e) detected %.3e  stiff2 %.3e detected "
            "%.3e\n",
            p, e[0][0][p - 5], TABLE_10_2[p - 5], e[0][1][p - 5], e[1][0][p - 5], TABLE_10_3[p - 5], e[1][1][p - 5],
            e[2][0][p - 5], e[2][1][p - 5]);
        /* printed digits, without detection; the last entry of table 10.2 could not be found by others either */
        assert_true(p == 10 || fabs(e[0][0][p - 5] / TABLE_10_2[p - 5] - 1) < 1e-3);
        assert_near(e[1][0][p - 5] / TABLE_10_3[p - 5], 1, 1e-3);
    }
    for (int i = 0; i < 3; ++i)
    {
        for (int events = 0; events < 2; ++events)
        {
            double order = log2(e[i][events][0] / e[i][events][5]) / 5;
            print_message("scheme %d, detection %d: order %.2f\n", i, events, order);
            assert_true(order > 1.8);
        }
    }
}

/* Every transition of the ten seconds, against the analytic times. */
static void block_transitions(void **state)
{
    (void)state;
    static const double TIMES[7] = {0.33860818467198061736, 2.9463467912238629566, 3.532834608886999449,
                                    6.087939444813656195,   6.6744272624767926874, 9.2295320984034494335,
                                    9.8160199160665859259};
    for (int i = 0; i < 2; ++i)
    {
        cairn_integrator integrator = i ? CAIRN_INTEGRATOR_STIFF2 : CAIRN_INTEGRATOR_TRAPEZOID;
        cairn_settings settings = settings_for(integrator, 0.01);
        world w = block_world(&settings);
        double worst = 0, rest = 0;
        int found = 0;
        for (int k = 0; k < 1000; ++k)
        {
            world_step(&w);
            for (int n = 0; n < cairn_simulation_event_count(w.simulation); ++n)
            {
                cairn_event event = cairn_simulation_event(w.simulation, n);
                assert_true(found < 7);
                assert_int_equal(event.kind, found % 2 == 0 ? CAIRN_EVENT_STICK : CAIRN_EVENT_SLIP);
                worst = fmax(worst, fabs(event.time - TIMES[found++]));
            }
            double t = cairn_simulation_time(w.simulation);
            if (t > 0.4 && t < 2.9)
                rest = fmax(rest, fabs(world_body(&w, "block").velocity[0]));
        }
        assert_int_equal(found, 7);
        double x = world_body(&w, "block").position[0];
        print_message("%s: times within %.2e, x(10) off by %.2e, |v| in stiction %.1e\n",
                      cairn_integrator_name(integrator), worst, x - 2.9913028331150315194, rest);
        /* scheme I averages the force over the step, which puts the start of slip off by up to half of it */
        assert_true(worst < (i ? 2e-5 : 5e-3) && rest < 1e-12);
        assert_near(x, 2.9913028331150315194, i ? 5e-6 : 2e-5);
        world_free(&w);
    }
}

/* --------------------------------------------------------------- an oscillator with Coulomb friction: it turns */

/* x'' = -w^2 x -+ mu g: half waves around -+ mu g/w^2, each shorter by 4 mu g/w^2. */
static double oscillator_error(cairn_integrator integrator, double h, bool events)
{
    double k = 25, mu = 0.1, g = 9.81, start = 1, shift = mu * g / k;
    world w = world_new(2);
    cairn_material rough = add_material(w.model, "rough", mu, 0);
    add_ground(w.model, rough);
    cairn_body a = add_point(w.model, "mass", 1, 3 + start, 0, rough);
    cairn_spring_options o = cairn_spring_default(CAIRN_SPRING_LINEAR);
    o.name = "spring";
    o.b.body = a;
    o.stiffness = k;
    o.rest = 3;
    cairn_spring out;
    assert_int_equal(cairn_model_add_spring(w.model, &o, &out), CAIRN_OK);
    cairn_settings settings = settings_for(integrator, h);
    settings.events = events;
    world_start(&w, &settings);
    double T = 1.5, x = world_body(&w, "mass").position[0];
    world_run(&w, (int)lround(T / h));
    x = world_body(&w, "mass").position[0] - 3;
    double half = M_PI / 5;
    int n = (int)(T / half); /* turns done */
    double amplitude = start - 2 * n * shift - shift, sign = n % 2 == 0 ? 1 : -1;
    double truth = sign * (amplitude * cos(5 * (T - n * half)) + shift);
    world_free(&w);
    return fabs(x - truth);
}

static void coulomb_oscillator(void **state)
{
    (void)state;
    for (int i = CAIRN_INTEGRATOR_EULER; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        double a = oscillator_error((cairn_integrator)i, 1.0 / 256, true);
        double b = oscillator_error((cairn_integrator)i, 1.0 / 512, true);
        double c = oscillator_error((cairn_integrator)i, 1.0 / 1024, true);
        print_message("oscillator %-10s %.3e %.3e %.3e orders %.2f %.2f\n", cairn_integrator_name((cairn_integrator)i),
                      a, b, c, log2(a / b), log2(b / c));
        double order = 0.5 * log2(a / c);
        assert_true(order > (i >= CAIRN_INTEGRATOR_TRAPEZOID ? 1.75 : 0.75));
    }
}

/* ------------------------------------------------------------------------------------------------ a bouncing ball */

/* Ten impacts of a ball of e = 0.8 dropped from 1 m: t_1 = sqrt(2/g), then flights 2 e^k sqrt(2/g). */
static void ten_bounces(void **state)
{
    (void)state;
    for (int i = CAIRN_INTEGRATOR_TRAPEZOID; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        cairn_settings settings = settings_for((cairn_integrator)i, 0.01);
        world w = world_new(3);
        cairn_material rubber = add_material(w.model, "rubber", 0, 0.8);
        add_ground(w.model, rubber);
        const double position[3] = {0, 0, 1.1};
        add_ball(w.model, "ball", 1, 0.1, position, rubber);
        world_start(&w, &settings);
        double fall = sqrt(2 / 9.81), next = fall, flight = 2 * 0.8 * fall, worst = 0;
        int impacts = 0;
        while (impacts < 10)
        {
            world_step(&w);
            for (int k = 0; k < cairn_simulation_event_count(w.simulation); ++k)
            {
                cairn_event event = cairn_simulation_event(w.simulation, k);
                assert_int_equal(event.kind, CAIRN_EVENT_COLLISION);
                worst = fmax(worst, fabs(event.time - next));
                next += flight;
                flight *= 0.8;
                ++impacts;
            }
        }
        /* free flight under gravity is a parabola, which second-order schemes follow exactly */
        print_message("%s: ten impacts within %.1e s\n", cairn_integrator_name((cairn_integrator)i), worst);
        assert_true(worst < 1e-8);
        world_free(&w);
    }
}

/* Zeno: all bounces are over at t = sqrt(2h/g) (1 + e)/(1 - e); the run goes on, and the ball lies still. */
static void bounces_without_end(void **state)
{
    (void)state;
    for (int threshold = 0; threshold < 2; ++threshold)
    {
        cairn_settings settings = settings_for(CAIRN_INTEGRATOR_STIFF2, 0.01);
        settings.restitution_threshold = threshold ? 1e-3 : 0;
        world w = world_new(3);
        cairn_material rubber = add_material(w.model, "rubber", 0.3, 0.5);
        add_ground(w.model, rubber);
        const double position[3] = {0, 0, 0.6};
        add_ball(w.model, "ball", 1, 0.1, position, rubber);
        world_start(&w, &settings);
        int storms = 0, collisions = 0;
        for (int i = 0; i < 200; ++i)
        {
            world_step(&w);
            for (int k = 0; k < cairn_simulation_event_count(w.simulation); ++k)
            {
                cairn_event_kind kind = cairn_simulation_event(w.simulation, k).kind;
                storms += kind == CAIRN_EVENT_STORM;
                collisions += kind == CAIRN_EVENT_COLLISION;
            }
        }
        cairn_body_state ball = world_body(&w, "ball");
        print_message("threshold %g: %d collisions, %d storms; height %.3e, speed %.1e\n",
                      settings.restitution_threshold, collisions, storms, ball.position[2] - 0.1, ball.velocity[2]);
        assert_near(ball.position[2], 0.1, 1e-6);
        assert_near(ball.velocity[2], 0, 1e-6);
        assert_true(collisions > 5 && collisions < 200);
        assert_int_equal(storms, 0); /* jumps below the contact tolerance end by themselves */
        world_free(&w);
    }
}

/* With a tolerance that no jump falls below, only the floor on the time between events ends them; the run goes on. */
static void a_storm_is_told_and_passes(void **state)
{
    (void)state;
    cairn_settings settings = settings_for(CAIRN_INTEGRATOR_STIFF2, 0.01);
    settings.contact_tolerance = 1e-16;
    settings.event_floor = 1e-3;
    world w = world_new(2);
    cairn_material rubber = add_material(w.model, "rubber", 0, 0.7);
    add_ground(w.model, rubber);
    const double position[3] = {0, 0.15, 0};
    add_ball(w.model, "ball", 1, 0.1, position, rubber);
    world_start(&w, &settings);
    int storms = 0;
    for (int i = 0; i < 200; ++i)
    {
        world_step(&w);
        for (int k = 0; k < cairn_simulation_event_count(w.simulation); ++k)
            storms += cairn_simulation_event(w.simulation, k).kind == CAIRN_EVENT_STORM;
    }
    cairn_body_state ball = world_body(&w, "ball");
    assert_true(storms >= 1);
    assert_near(ball.position[1], 0.1, 1e-6);
    assert_near(ball.velocity[1], 0, 1e-6);
    world_free(&w);
}

/* The sphere again, thrown across both tangents, under the exact cone: the switch lies where it must. */
static void exact_cone_with_events(void **state)
{
    (void)state;
    double mu = 0.2, v0 = 2;
    world w = world_new(3);
    cairn_material felt = add_material(w.model, "felt", mu, 0);
    add_ground(w.model, felt);
    const double position[3] = {0, 0, 0.5};
    cairn_body ball = add_ball(w.model, "ball", 1, 0.5, position, felt);
    cairn_settings settings = settings_for(CAIRN_INTEGRATOR_STIFF2, 0.01);
    settings.law = (cairn_law){CAIRN_LAW_CONE, 0};
    settings.solver.tolerance = 1e-12;
    world_start(&w, &settings);
    cairn_body_state s = cairn_simulation_body(w.simulation, ball);
    s.velocity[0] = v0 * cos(0.4);
    s.velocity[1] = v0 * sin(0.4);
    assert_int_equal(cairn_simulation_set_body(w.simulation, ball, &s), CAIRN_OK);
    double switched = 0;
    for (int i = 0; i < 50; ++i)
    {
        assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
        for (int k = 0; k < cairn_simulation_event_count(w.simulation); ++k)
            switched = cairn_simulation_event(w.simulation, k).time;
    }
    s = cairn_simulation_body(w.simulation, ball);
    assert_near(switched, 2 * v0 / (7 * mu * 9.81), 1e-8);
    assert_near(hypot(s.velocity[0], s.velocity[1]), 5.0 / 7 * v0, 1e-8);
    assert_near(s.velocity[1] / s.velocity[0], tan(0.4), 1e-8);
    world_free(&w);
}

/* ---------------------------------------------------------------------- a step that fails after an event */

static void failing_force(void *data, double t, const cairn_body_state *state, double force[3], double torque[3])
{
    (void)t;
    (void)torque;
    double fails_above = *(const double *)data;
    force[0] = state->velocity[1] > fails_above ? NAN : 0; /* after the bounce */
}

/* The ball bounces, then a force is not a number: the step fails as a whole, and the state is that before it. */
static void failed_step_leaves_the_state(void **state)
{
    (void)state;
    cairn_settings settings = settings_for(CAIRN_INTEGRATOR_STIFF2, 0.5);
    world w = world_new(2);
    cairn_material rubber = add_material(w.model, "rubber", 0, 0.5);
    add_ground(w.model, rubber);
    const double position[3] = {0, 0.6, 0};
    cairn_body ball = add_ball(w.model, "ball", 1, 0.1, position, rubber);
    double limit = 0.5;
    cairn_force_options f = cairn_force_default();
    f.name = "trap";
    f.body = ball;
    f.function = failing_force;
    f.data = &limit;
    cairn_force out;
    assert_int_equal(cairn_model_add_force(w.model, &f, &out), CAIRN_OK);
    world_start(&w, &settings);
    cairn_energy before = cairn_simulation_energy(w.simulation);
    assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_NUMERIC);
    cairn_body_state s = cairn_simulation_body(w.simulation, ball);
    assert_near(cairn_simulation_time(w.simulation), 0, 0);
    assert_near(s.position[1], 0.6, 0);
    assert_near(s.velocity[1], 0, 0);
    cairn_energy after = cairn_simulation_energy(w.simulation);
    assert_memory_equal(&before, &after, sizeof before);
    limit = 1e9; /* the trap is gone: it can go on */
    world_step(&w);
    assert_near(cairn_simulation_time(w.simulation), 0.5, 0);
    world_free(&w);
}

/* -------------------------------------------------------------------- energy in an impact with friction */

/* A tilted rod thrown on a rough floor: Poisson's law may leave more kinetic energy than there was, and says so; Newton's
 * and Poisson's agree for a single contact without friction. */
static void impacts_that_would_make_energy_are_held_back_and_told(void **state)
{
    (void)state;
    uint64_t seed = 5;
    int grown = 0, impacts = 0;
    for (int i = 0; i < 400; ++i)
    {
        world w = world_new(2);
        cairn_material rough = add_material(w.model, "rough", i % 2 ? random_in(&seed, 0.2, 1.5) : 0, 1);
        add_ground(w.model, rough);
        cairn_body_options o = cairn_body_default();
        o.name = "rod";
        o.mass = 1;
        o.inertia[2] = random_in(&seed, 0.01, 0.1);
        o.angle = random_in(&seed, 0.2, 1.3);
        o.position[1] = 0.5 * sin(o.angle) + 1e-3;
        o.velocity[0] = random_in(&seed, -4, 4);
        o.velocity[1] = random_in(&seed, -3, -1);
        o.angular_velocity[2] = random_in(&seed, -2, 2);
        cairn_body body;
        assert_int_equal(cairn_model_add_body(w.model, &o, &body), CAIRN_OK);
        cairn_shape_options bar = cairn_shape_default(CAIRN_SEGMENT);
        double ends[4] = {-0.5, 0, 0.5, 0};
        bar.vertices = ends;
        bar.vertex_count = 2;
        bar.material = rough;
        cairn_shape shape;
        assert_int_equal(cairn_model_add_shape(w.model, body, &bar, &shape), CAIRN_OK);
        cairn_settings settings = settings_for(CAIRN_INTEGRATOR_STIFF2, 2e-3);
        settings.impact = i % 4 < 2 ? CAIRN_IMPACT_POISSON : CAIRN_IMPACT_NEWTON;
        world_start(&w, &settings);
        double before = cairn_simulation_energy(w.simulation).total;
        world_step(&w);
        double after = cairn_simulation_energy(w.simulation).total;
        bool told = false, any = false;
        for (int k = 0; k < cairn_simulation_event_count(w.simulation); ++k)
        {
            cairn_event event = cairn_simulation_event(w.simulation, k);
            any = any || event.kind == CAIRN_EVENT_COLLISION;
            told = told || event.energy_grew;
        }
        impacts += any;
        grown += told;
        assert_true(after < before + 1e-9 && (!told || after > before - 1e-6)); /* held back no more than it must be */
        assert_true(i % 2 || fabs(after - before) < 1e-6); /* e = 1 without friction: elastic in both laws */
        world_free(&w);
    }
    print_message("restitution was held back in %d of %d impacts, and told each time\n", grown, impacts);
    assert_true(impacts > 300 && grown > 0);
}

/* -------------------------------------------------------------- Potra et al. 2006, section 10.3: two carts and a stopper */

typedef struct carts
{
    double gamma, delta, start, speed, until;
    double x1, x2, v1, v2; /* the true solution at the end, infinitely many impacts and all */
    double tolerance;      /* of positions at h = 0.01 */
} carts;

static const carts CARTS[] = {
    {100, 100, 0.1, -2, 4, 0.19825723294191974, 5.178661133750546, 0.0, 0.0, 1e-4},
    {100, 1000, 0.1, -2, 4, 0.2156962454113581, 5.213458176643117, 0.07862489890543782, 0.07940772961193074, 1e-3},
    {100, 1e+06, 0.1, -2, 4, 0.2210024580782555, 5.22100020615418, 0.08787901646907534, 0.08788006658978226, 1e-2},
    {100, 10, 0.2, -3, 2, 0.20452314838214367, 4.902185153129988, 0.0, 0.0, 1e-5},
    {10000, 10, 0.2, -3, 2, 0.19995691593829207, 4.91894992486506, 0.0, 0.0, 1e-4},
    {1e+06, 10, 0.2, -3, 2, 0.20000046204911962, 4.920239402572232, 0.0, 0.0, 3e-5},
};

static world carts_world(const carts *c, const cairn_settings *settings)
{
    world w = world_new(2);
    cairn_material wheel = add_material(w.model, "wheel", 0.05, 0), floor = add_material(w.model, "floor", 0.05, 0);
    cairn_material rubber = add_material(w.model, "rubber", 0, 0);
    assert_int_equal(cairn_model_set_pair(w.model, wheel, rubber, 0, 0.3), CAIRN_OK);
    add_ground(w.model, floor);
    cairn_body_options stopper = cairn_body_default();
    stopper.name = "stopper";
    stopper.kind = CAIRN_FIXED;
    cairn_body fixed;
    assert_int_equal(cairn_model_add_body(w.model, &stopper, &fixed), CAIRN_OK);
    cairn_shape_options plane = cairn_shape_default(CAIRN_HALF_PLANE);
    plane.normal[0] = 1;
    plane.normal[1] = 0;
    plane.material = rubber;
    cairn_shape shape;
    assert_int_equal(cairn_model_add_shape(w.model, fixed, &plane, &shape), CAIRN_OK);
    cairn_body left = add_point(w.model, "left", 1, c->start, 0, wheel);
    cairn_body right = add_point(w.model, "right", 1, c->start + 5, 0, wheel);
    cairn_attachment wall = {{0}, {-1, 0, 0}}, a = {left, {0}}, b = {right, {0}};
    cairn_spring_options o = cairn_spring_default(CAIRN_SPRING_LINEAR);
    o.name = "spring";
    o.a = wall;
    o.b = a;
    o.stiffness = c->gamma;
    o.rest = 1.2; /* at rest when the cart is at 0.2 */
    cairn_spring out;
    assert_int_equal(cairn_model_add_spring(w.model, &o, &out), CAIRN_OK);
    add_spring(w.model, "damper", a, b, 0, c->delta);
    world_start(&w, settings);
    cairn_body both[2] = {left, right};
    for (int i = 0; i < 2; ++i)
    {
        cairn_body_state s = cairn_simulation_body(w.simulation, both[i]);
        s.velocity[0] = c->speed;
        assert_int_equal(cairn_simulation_set_body(w.simulation, both[i], &s), CAIRN_OK);
    }
    return w;
}

static void two_carts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof CARTS / sizeof CARTS[0]; ++i)
    {
        const carts *c = &CARTS[i];
        double error[3];
        for (int k = 0; k < 3; ++k)
        {
            cairn_settings settings = settings_for(CAIRN_INTEGRATOR_STIFF2, 0.01 / (1 << k));
            settings.restitution_threshold = 1e-6;
            world w = carts_world(c, &settings);
            double start = cairn_simulation_energy(w.simulation).total, most = 0, near = 1e9, far = 0;
            int steps = (int)lround(c->until / settings.step), events = 0;
            for (int n = 0; n < steps; ++n)
            {
                world_step(&w);
                events += cairn_simulation_event_count(w.simulation);
                double distance = world_body(&w, "right").position[0] - world_body(&w, "left").position[0];
                near = fmin(near, distance);
                far = fmax(far, distance);
                most = fmax(most, cairn_simulation_energy(w.simulation).total);
            }
            cairn_body_state a = world_body(&w, "left"), b = world_body(&w, "right");
            error[k] = fmax(fabs(a.position[0] - c->x1), fabs(b.position[0] - c->x2));
            print_message(
                "gamma %-6g delta %-6g h %-6g: error %.2e, v1 - v2 %.1e, distance varies %.1e, E %.3f of %.3f, "
                "%d events\n",
                c->gamma, c->delta, settings.step, error[k], a.velocity[0] - b.velocity[0], far - near, most, start,
                events);
            assert_true(most <= start * (1 + 1e-6)); /* bounded: nothing puts energy in */
            assert_true(c->delta < 1e6 || fabs(a.velocity[0] - b.velocity[0]) < 1e-3); /* no ringing */
            world_free(&w);
        }
        assert_true(error[0] < c->tolerance);
    }
}

/* With step control the bounces of 7e-7 s between the stiffly damped carts are resolved, and the truth is met. */
static void step_control_resolves_the_bounces(void **state)
{
    (void)state;
    const carts *c = &CARTS[2];
    assert_near(c->delta, 1e6, 0);
    cairn_settings settings = settings_for(CAIRN_INTEGRATOR_STIFF2, 0.01);
    settings.restitution_threshold = 1e-6;
    settings.error_tolerance = 1e-9;
    world w = carts_world(c, &settings);
    world_run(&w, 400);
    assert_near(world_body(&w, "left").position[0], c->x1, 5e-6);
    assert_near(world_body(&w, "right").position[0], c->x2, 5e-6);
    assert_near(world_body(&w, "left").velocity[0], c->v1, 5e-5);
    world_free(&w);
}

/* ------------------------------------------------------------------------- a sphere that slides, then rolls */

/* Thrown flat at v0 it slides until t = 2 v0 / (7 mu g), and rolls on at 5/7 v0. */
static double sphere_error(cairn_integrator integrator, double h, double *switched)
{
    double mu = 0.2, v0 = 2;
    world w = world_new(3);
    cairn_material felt = add_material(w.model, "felt", mu, 0);
    add_ground(w.model, felt);
    const double position[3] = {0, 0, 0.5};
    cairn_body ball = add_ball(w.model, "ball", 1, 0.5, position, felt);
    cairn_settings settings = settings_for(integrator, h);
    world_start(&w, &settings);
    cairn_body_state s = cairn_simulation_body(w.simulation, ball);
    s.velocity[0] = v0;
    assert_int_equal(cairn_simulation_set_body(w.simulation, ball, &s), CAIRN_OK);
    *switched = 0;
    for (int i = 0; i < (int)lround(0.5 / h); ++i)
    {
        world_step(&w);
        for (int k = 0; k < cairn_simulation_event_count(w.simulation); ++k)
            *switched = cairn_simulation_event(w.simulation, k).time;
    }
    s = cairn_simulation_body(w.simulation, ball);
    double t = 2 * v0 / (7 * mu * 9.81);
    double x = v0 * t - mu * 9.81 * t * t / 2 + 5.0 / 7 * v0 * (0.5 - t);
    double error = fabs(s.position[0] - x) + fabs(s.velocity[0] - 5.0 / 7 * v0);
    world_free(&w);
    return error;
}

static void sphere_slides_then_rolls(void **state)
{
    (void)state;
    double truth = 2 * 2 / (7 * 0.2 * 9.81);
    for (int i = CAIRN_INTEGRATOR_EULER; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        double time, e = sphere_error((cairn_integrator)i, 0.01, &time);
        print_message("sphere %-10s error %.2e, switch at %.9f (truth %.9f)\n",
                      cairn_integrator_name((cairn_integrator)i), e, time, truth);
        if (i == CAIRN_INTEGRATOR_STIFF2 || i == CAIRN_INTEGRATOR_TRAPEZOID)
        {
            assert_true(e < 1e-8); /* piecewise parabolic: exact once the switch is */
            assert_near(time, truth, 1e-9);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_10_1),
        cmocka_unit_test(fine_run_agrees_with_the_reference),
        cmocka_unit_test(tables_10_2_and_10_3),
        cmocka_unit_test(block_transitions),
        cmocka_unit_test(coulomb_oscillator),
        cmocka_unit_test(ten_bounces),
        cmocka_unit_test(bounces_without_end),
        cmocka_unit_test(a_storm_is_told_and_passes),
        cmocka_unit_test(exact_cone_with_events),
        cmocka_unit_test(failed_step_leaves_the_state),
        cmocka_unit_test(impacts_that_would_make_energy_are_held_back_and_told),
        cmocka_unit_test(two_carts),
        cmocka_unit_test(step_control_resolves_the_bounces),
        cmocka_unit_test(sphere_slides_then_rolls),
    };
    return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
