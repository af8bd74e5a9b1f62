/* Ropes: slack flight, the inelastic catch, static pulls, elastic ropes and energy against closed forms; the same motion as that
 * of a gap of a user's system; what the audit says of ropes that push or act while slack; and what is refused. */
#include "step/simulation.h"
#include "support/check.h"
#include "support/worlds.h"

#include <string.h>

static const double GRAVITY = 9.81;

static cairn_settings settings_for(cairn_integrator integrator, double h, cairn_stabilisation stabilisation)
{
    cairn_settings s = cairn_settings_default();
    s.integrator = integrator;
    s.step = h;
    s.stabilisation = stabilisation;
    return s;
}

static world weightless(int dimension)
{
    static const double NONE[3] = {0, 0, 0};
    world w = world_new(dimension);
    assert_int_equal(cairn_model_set_gravity(w.model, NONE), CAIRN_OK);
    return w;
}

static cairn_body add_mass(cairn_model *model, const char *name, double mass, const double x[3], const double v[3])
{
    cairn_body_options o = cairn_body_default();
    cairn_body out;
    o.name = name;
    o.point = true;
    o.mass = mass;
    memcpy(o.position, x, sizeof o.position);
    memcpy(o.velocity, v, sizeof o.velocity);
    assert_int_equal(cairn_model_add_body(model, &o, &out), CAIRN_OK);
    return out;
}

/* From a point of the world (or of body a) to the origin of body b. */
static void add_rope(cairn_model *model, const char *name, cairn_attachment a, cairn_body b, double length,
                     double stiffness, double damping)
{
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_ROPE);
    cairn_joint made;
    o.name = name;
    o.a = a;
    o.b.body = b;
    o.length = length;
    o.stiffness = stiffness;
    o.damping = damping;
    assert_int_equal(cairn_model_add_joint(model, &o, &made), CAIRN_OK);
}

static double distance_from_origin(const world *w, const char *body)
{
    cairn_body_state s = world_body(w, body);
    return sqrt(s.position[0] * s.position[0] + s.position[1] * s.position[1] + s.position[2] * s.position[2]);
}

/* N s of the first row of a joint in the last step. */
static double pull_of(const world *w, int joint)
{
    double impulse[6];
    assert_int_equal(cairn_simulation_joint_impulse(w->simulation, nth_joint(w->simulation, joint), impulse), 1);
    for (int k = 1; k < 6; ++k)
        assert_true(impulse[k] == 0);
    return impulse[0];
}

static const cairn_attachment ORIGIN = {{0}, {0, 0, 0}};

/* A rope that is not reached does not disturb a throw: the parabola of the scheme, x_n = x_0 + n h v - n (n+1)/2 h^2 g. */
static void slack_ropes_do_nothing(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension)
    {
        const double x[3] = {0.1, 0.2, 0}, v[3] = {1, 2, dimension == 3 ? 0.5 : 0}, h = 1e-3;
        world w = world_new(dimension);
        add_rope(w.model, "rope", ORIGIN, add_mass(w.model, "ball", 2, x, v), 30, 0, 0);
        cairn_settings s = settings_for(CAIRN_INTEGRATOR_STIFF, h, CAIRN_STABILISE_GAP);
        world_start(&w, &s);
        int steps = 400;
        for (int i = 0; i < steps; ++i)
        {
            world_step(&w);
            assert_true(pull_of(&w, 0) == 0);
        }
        cairn_body_state at = world_body(&w, "ball");
        for (int k = 0; k < dimension; ++k)
        {
            double g = k == dimension - 1 ? GRAVITY : 0;
            assert_near(at.position[k], x[k] + steps * h * v[k] - 0.5 * steps * (steps + 1) * h * h * g, 1e-11);
            assert_near(at.velocity[k], v[k] - steps * h * g, 1e-11);
        }
        assert_near(cairn_simulation_joint_work(w.simulation, nth_joint(w.simulation, 0)), 0, 0);
        world_free(&w);
    }
}

/* Without gravity the ball flies straight until the rope is taut; there the velocity along the rope is lost, its kinetic
 * energy with it, and the ball goes on along the circle at the speed across. */
static void catches_lose_the_radial_velocity(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension)
    {
        const double m = 2, length = 1.5, h = 1e-4;
        const double x[3] = {0.3, -0.2, dimension == 3 ? 0.4 : 0}, v[3] = {2, 1, dimension == 3 ? -0.7 : 0};
        double xx = 0, xv = 0, vv = 0, radial = 0;
        for (int k = 0; k < 3; ++k)
        {
            xx += x[k] * x[k];
            xv += x[k] * v[k];
            vv += v[k] * v[k];
        }
        double t = (-xv + sqrt(xv * xv + vv * (length * length - xx))) / vv; /* |x + t v| = length */
        for (int k = 0; k < 3; ++k)
            radial += (x[k] + t * v[k]) * v[k] / length;
        double across = sqrt(vv - radial * radial);
        world w = weightless(dimension);
        add_rope(w.model, "rope", ORIGIN, add_mass(w.model, "ball", m, x, v), length, 0, 0);
        cairn_settings s = settings_for(CAIRN_INTEGRATOR_STIFF, h, CAIRN_STABILISE_GAP);
        world_start(&w, &s);
        double most = 0, caught = 0;
        int before = (int)(t / h) - 2, after = 6;
        world_run(&w, before);
        assert_near(cairn_simulation_energy(w.simulation).kinetic, 0.5 * m * vv, 1e-12);
        for (int i = 0; i < after; ++i)
        {
            world_step(&w);
            caught += pull_of(&w, 0);
            most = fmax(most, distance_from_origin(&w, "ball"));
        }
        assert_near(caught, m * radial, 1e-2 * m * radial); /* with the pull along the arc, O(h) */
        cairn_energy e = cairn_simulation_energy(w.simulation);
        assert_near(sqrt(2 * e.kinetic / m), across, 1e-3);
        assert_near(e.work_joints, -0.5 * m * radial * radial, 2e-3 * m * radial * radial);
        assert_near(cairn_simulation_joint_work(w.simulation, nth_joint(w.simulation, 0)), e.work_joints, 0);
        assert_true(fabs(e.balance_error) < 1e-13 * m * vv * after);
        assert_true(most < length + h);
        assert_int_equal(cairn_simulation_contact_count(w.simulation), 0);
        assert_int_equal(cairn_simulation_report(w.simulation)->contacts, 0);
        assert_int_equal(cairn_simulation_report(w.simulation)->physics.violations, 0);
        world_free(&w);
    }
}

/* A mass that hangs on a rope below another one: the ropes carry one weight and two. */
static void static_pulls_are_weights(void **state)
{
    (void)state;
    const cairn_integrator schemes[] = {CAIRN_INTEGRATOR_EULER, CAIRN_INTEGRATOR_STIFF};
    const cairn_stabilisation ways[] = {CAIRN_STABILISE_NONE, CAIRN_STABILISE_GAP, CAIRN_STABILISE_PROJECT};
    for (int i = 0; i < 12; ++i)
    {
        int dimension = 2 + i % 2;
        const double h = 1e-2, still[3] = {0}, upper[3] = {0, dimension == 2 ? -1 : 0, dimension == 3 ? -1 : 0},
                     lower[3] = {0, 3 * upper[1], 3 * upper[2]};
        world w = world_new(dimension);
        cairn_body a = add_mass(w.model, "a", 2, upper, still), b = add_mass(w.model, "b", 3, lower, still);
        add_rope(w.model, "first", ORIGIN, a, 1, 0, 0);
        add_rope(w.model, "second", (cairn_attachment){a, {0}}, b, NAN, 0, 0);
        cairn_settings s = settings_for(schemes[i / 2 % 2], h, ways[i / 4]);
        world_start(&w, &s);
        world_run(&w, 100);
        assert_near(pull_of(&w, 0), 5 * GRAVITY * h, 1e-12);
        assert_near(pull_of(&w, 1), 3 * GRAVITY * h, 1e-12);
        assert_near(distance_from_origin(&w, "b"), 3, 1e-12);
        world_free(&w);
    }
}

/* Swinging on a rope at full length, pull and all, is the motion of a pendulum: energy to O(h), and the pull at the lowest point
 * after a fall from the horizontal is 3 m g. */
static void swings_pull_three_weights(void **state)
{
    (void)state;
    const double h = 1e-4, x[3] = {1, 0, 0}, still[3] = {0};
    world w = world_new(2);
    add_rope(w.model, "rope", ORIGIN, add_mass(w.model, "ball", 2, x, still), 1, 0, 0);
    cairn_settings s = settings_for(CAIRN_INTEGRATOR_STIFF, h, CAIRN_STABILISE_GAP);
    world_start(&w, &s);
    for (int i = 0; i < 20000 && world_body(&w, "ball").position[0] > 0; ++i)
        world_step(&w);
    assert_near(pull_of(&w, 0) / h, 3 * 2 * GRAVITY, 1e-2);
    assert_near(world_body(&w, "ball").velocity[0], -sqrt(2 * GRAVITY), 1e-3);
    world_free(&w);
}

/* ----------------------------------------------------------------------------------------- beside a user's gap */

static void mass_2(void *data, const double *q, double *M)
{
    (void)data;
    (void)q;
    M[0] = M[3] = 2;
}

static void weight_2(void *data, double t, const double *q, const double *v, double *k)
{
    (void)data;
    (void)t;
    (void)q;
    (void)v;
    k[0] = 0;
    k[1] = -2 * GRAVITY;
}

static void gap_of_circle(void *data, const double *q, double *phi, double *gradient, double *tangents)
{
    (void)data;
    (void)tangents;
    double r = hypot(q[0], q[1]);
    phi[0] = 1 - r;
    gradient[0] = -q[0] / r;
    gradient[1] = -q[1] / r;
}

/* A point that may not leave a disc, as a gap without friction: the same motion, step by step, slack and taut. */
static void ropes_move_like_frictionless_gaps(void **state)
{
    (void)state;
    const double x[3] = {0.5, 0.1, 0}, v[3] = {0.3, 1, 0};
    for (int way = 0; way < 2; ++way)
    {
        world rope = world_new(2), gap = world_new(2);
        cairn_system_options o = cairn_system_default();
        o.name = "point";
        o.n = 2;
        o.q = x;
        o.v = v;
        o.gap_count = 1;
        o.mass = mass_2;
        o.force = weight_2;
        o.gaps = gap_of_circle;
        cairn_system system;
        assert_int_equal(cairn_model_add_system(gap.model, &o, &system), CAIRN_OK);
        add_rope(rope.model, "rope", ORIGIN, add_mass(rope.model, "ball", 2, x, v), 1, 0, 0);
        cairn_settings s = settings_for(CAIRN_INTEGRATOR_STIFF, 1e-3, way ? CAIRN_STABILISE_GAP : CAIRN_STABILISE_NONE);
        world_start(&rope, &s);
        world_start(&gap, &s);
        int taut = 0;
        for (int i = 0; i < 3000; ++i)
        {
            const double *q, *u;
            world_step(&rope);
            world_step(&gap);
            cairn_simulation_system(gap.simulation, system, &q, &u);
            cairn_body_state at = world_body(&rope, "ball");
            for (int k = 0; k < 2; ++k)
            {
                assert_near(at.position[k], q[k], 1e-10);
                assert_near(at.velocity[k], u[k], 1e-9);
            }
            taut += pull_of(&rope, 0) > 0;
        }
        assert_true(taut > 500 && taut < 2900);
        world_free(&rope);
        world_free(&gap);
    }
}

/* ------------------------------------------------------------------------------------------------------- energy */

/* A body of any turn and velocity. */
static cairn_body add_random(cairn_model *model, const char *name, uint64_t *seed)
{
    cairn_body_options o = cairn_body_default();
    cairn_body out;
    bool planar = cairn_model_dimension(model) == 2;
    o.name = name;
    o.mass = random_in(seed, 0.5, 3);
    for (int k = 0; k < 3; ++k)
    {
        bool there = !(planar && k == 2);
        o.position[k] = there ? random_in(seed, -1, 1) : 0;
        o.velocity[k] = there ? random_in(seed, -2, 2) : 0;
        o.angular_velocity[k] = !planar || k == 2 ? random_in(seed, -2, 2) : 0;
        o.inertia[k] = !planar || k == 2 ? 0.2 * o.mass : 0; /* a ball: gyroscopic moments do no work on it */
    }
    assert_int_equal(cairn_model_add_body(model, &o, &out), CAIRN_OK);
    return out;
}

static void add_random_rope(cairn_model *model, const char *name, cairn_body a, cairn_body b, uint64_t *seed)
{
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_ROPE);
    cairn_joint made;
    o.name = name;
    o.a.body = a;
    o.b.body = b;
    o.length = random_in(seed, 3, 4); /* slack at the start: points are at most 2 sqrt(3) + 2 * 0.3 sqrt(3) apart */
    for (int k = 0; k < cairn_model_dimension(model); ++k)
    {
        o.a.point[k] = random_in(seed, -0.2, 0.2);
        o.b.point[k] = random_in(seed, -0.2, 0.2);
    }
    assert_int_equal(cairn_model_add_joint(model, &o, &made), CAIRN_OK);
}

/* Three bodies on ropes to each other and to the world, without gravity: no step adds energy, and ropes between bodies alone
 * keep the momentum. Every step's account closes to rounding. */
static void ropes_never_add_energy(void **state)
{
    (void)state;
    int caught = 0;
    for (uint64_t round = 0; round < 40; ++round)
    {
        uint64_t seed = 100 + round;
        bool tied = round % 4 < 2; /* to the world */
        world w = weightless(2 + (int)(round % 2));
        cairn_body body[3] = {add_random(w.model, "a", &seed), add_random(w.model, "b", &seed),
                              add_random(w.model, "c", &seed)};
        add_random_rope(w.model, "ab", body[0], body[1], &seed);
        add_random_rope(w.model, "bc", body[1], body[2], &seed);
        add_random_rope(w.model, "ca", body[2], body[0], &seed);
        if (tied)
            add_random_rope(w.model, "tie", (cairn_body){0}, body[0], &seed);
        cairn_settings s = settings_for(CAIRN_INTEGRATOR_STIFF, 2e-3, CAIRN_STABILISE_NONE);
        s.initial = CAIRN_INITIAL_KEEP;
        world_start(&w, &s);
        double energy = cairn_simulation_energy(w.simulation).kinetic, start = energy, momentum[3] = {0};
        for (int b = 0; b < 3; ++b)
            for (int k = 0; k < 3; ++k)
                momentum[k] +=
                    cairn_model_body_mass(w.model, body[b]) * cairn_simulation_body(w.simulation, body[b]).velocity[k];
        for (int i = 0; i < 1500; ++i)
        {
            world_step(&w);
            double now = cairn_simulation_energy(w.simulation).kinetic;
            assert_true(now <= energy + 1e-12 * start);
            assert_near(cairn_simulation_energy(w.simulation).balance_error, 0, 1e-11 * start);
            caught += now < energy - 1e-3 * start;
            energy = now;
        }
        for (int k = 0; k < 3 && !tied; ++k)
        {
            double sum = 0;
            for (int b = 0; b < 3; ++b)
                sum +=
                    cairn_model_body_mass(w.model, body[b]) * cairn_simulation_body(w.simulation, body[b]).velocity[k];
            assert_near(sum, momentum[k], 1e-11);
        }
        assert_int_equal(cairn_simulation_report(w.simulation)->physics.violations, 0);
        world_free(&w);
    }
    assert_true(caught > 40);
}

/* A rope with a stiffness is a spring that only pulls: at rest it is longer by m g/k and stores (m g)^2/2k; slack it stores
 * nothing; a ball without weight comes back from it with its speed, but for what the implicit step takes. */
static void elastic_ropes_are_springs_that_pull(void **state)
{
    (void)state;
    const double m = 2, k = 800, h = 1e-3, down[3] = {0, 0, -1}, still[3] = {0}, out[3] = {0, 0, -1.5};
    world w = world_new(3);
    add_rope(w.model, "rope", ORIGIN, add_mass(w.model, "ball", m, down, still), 1, k, 60);
    cairn_settings s = settings_for(CAIRN_INTEGRATOR_STIFF, h, CAIRN_STABILISE_GAP);
    world_start(&w, &s);
    world_run(&w, 4000);
    cairn_energy e = cairn_simulation_energy(w.simulation);
    assert_near(distance_from_origin(&w, "ball"), 1 + m * GRAVITY / k, 1e-9);
    assert_near(e.elastic, 0.5 * m * m * GRAVITY * GRAVITY / k, 1e-8);
    assert_near(pull_of(&w, 0), m * GRAVITY * h, 1e-9);
    assert_true(e.work_dampers < -1e-3 && fabs(e.work_joints) < 1e-300);
    assert_near(e.balance_error, 0, 1e-10);
    world_free(&w);

    w = weightless(3);
    const double inside[3] = {0, 0, -0.9};
    add_rope(w.model, "rope", ORIGIN, add_mass(w.model, "ball", m, inside, out), 1, k, 0);
    s.step = 1e-4;
    world_start(&w, &s);
    double most = 0;
    for (int i = 0; i < 4000; ++i)
    {
        world_step(&w);
        double stretch = distance_from_origin(&w, "ball") - 1;
        assert_near(cairn_simulation_energy(w.simulation).elastic, stretch > 0 ? 0.5 * k * stretch * stretch : 0,
                    1e-12);
        most = fmax(most, stretch);
    }
    assert_near(most, 1.5 * sqrt(m / k), 1e-3);
    assert_near(world_body(&w, "ball").velocity[2], 1.5, 5e-3); /* implicit: loses pi/2 h sqrt(k/m) of it */
    assert_near(cairn_simulation_energy(w.simulation).balance_error, 0, 1e-11);
    world_free(&w);
}

/* -------------------------------------------------------------------------------------------------- the audit */

typedef struct harm
{
    double factor;   /* on the rope's impulse */
    double velocity; /* m/s: added to the ball's after the step, towards the anchor */
} harm;

static void hurt(void *data, crn_piece *piece)
{
    const harm *h = data;
    piece->place[0].joint_impulse[0][0] *= h->factor;
    piece->after[0][1] += h->velocity;
}

/* A rope that pushes, and one that pulls a ball it has let go, are found out. */
static void the_audit_knows_ropes(void **state)
{
    (void)state;
    const double x[3] = {0, -1, 0}, still[3] = {0};
    harm all[] = {{1, 0}, {-1, 0}, {1, 0.05}};
    for (int i = 0; i < 3; ++i)
    {
        world w = world_new(2);
        add_rope(w.model, "rope", ORIGIN, add_mass(w.model, "ball", 2, x, still), 1, 0, 0);
        cairn_settings s = settings_for(CAIRN_INTEGRATOR_STIFF, 1e-2, CAIRN_STABILISE_GAP);
        world_start(&w, &s);
        w.simulation->ledger.watch = hurt;
        w.simulation->ledger.watch_data = &all[i];
        assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
        cairn_audit_totals found = cairn_simulation_audit(w.simulation);
        assert_int_equal(found.count[CAIRN_VIOLATION_PULL], i == 1);
        assert_int_equal(found.count[CAIRN_VIOLATION_RESTITUTION], i == 2);
        if (i == 1)
            assert_near(found.worst[CAIRN_VIOLATION_PULL].size, 1e-2 * GRAVITY, 1e-12);
        if (i == 2)
            assert_near(found.worst[CAIRN_VIOLATION_RESTITUTION].size, 0.05, 1e-12);
        world_free(&w);
    }
}

/* ------------------------------------------------------------------------------------------------------ refused */

/* Whether one of the messages says so. */
static void message_has(const world *w, const char *part)
{
    for (int i = 0; i < cairn_context_message_count(w->context); ++i)
        if (strstr(cairn_context_message(w->context, i).text, part))
            return;
    fail_msg("no message says '%s', and the last is '%s'", part, cairn_context_last_message(w->context));
}

/* Under stiff2 a rope becomes taut within a step: the velocity along it is lost there, and what is left goes round at constant speed. */
static void second_order_catches(void **state)
{
    (void)state;
    const double x[3] = {0.2, -0.4, 0}, v[3] = {1, -3, 0};
    double along = 0.2 * 1 + 0.4 * 3, square = 10; /* |x + v t| = 1 */
    double t = (-along + sqrt(along * along - square * (0.2 - 1))) / square;
    double at[2] = {0.2 + t, -0.4 - 3 * t}, speed = at[0] * v[1] - at[1] * v[0];
    world w = weightless(2);
    add_rope(w.model, "tether", ORIGIN, add_mass(w.model, "ball", 2, x, v), 1, 0, 0);
    cairn_settings s = settings_for(CAIRN_INTEGRATOR_STIFF2, 1e-3, CAIRN_STABILISE_GAP);
    world_start(&w, &s);
    world_run(&w, 1000);
    double angle = atan2(at[1], at[0]) + speed * (1 - t);
    cairn_body_state ball = world_body(&w, "ball");
    assert_near(ball.position[0], cos(angle), 1e-6);
    assert_near(ball.position[1], sin(angle), 1e-6);
    assert_near(hypot(ball.velocity[0], ball.velocity[1]), fabs(speed), 1e-6);
    world_free(&w);
}

static void second_order_is_refused(void **state)
{
    (void)state;
    const double x[3] = {0, -1, 0}, still[3] = {0};
    world w = world_new(2);
    add_rope(w.model, "tether", ORIGIN, add_mass(w.model, "ball", 2, x, still), 1, 0, 0);
    for (int k = CAIRN_INTEGRATOR_TRAPEZOID; k < CAIRN_INTEGRATOR_STIFF2; ++k)
    {
        cairn_settings s = settings_for((cairn_integrator)k, 1e-2, CAIRN_STABILISE_GAP);
        assert_int_equal(cairn_simulation_create(w.context, w.model, &s, &w.simulation), CAIRN_INVALID);
        message_has(&w, "joint 'tether' has limits");
        assert_null(w.simulation);
    }
    world_free(&w);
}

/* A rope that is too short at the start is refused by name, or the state is projected: the ball is pulled in, and moves out no
 * further. */
static void short_ropes_at_the_start(void **state)
{
    (void)state;
    const double x[3] = {0, -1.25, 0}, v[3] = {0.5, -3, 0};
    world w = weightless(2);
    add_rope(w.model, "tether", ORIGIN, add_mass(w.model, "ball", 2, x, v), 1, 0, 0);
    cairn_settings s = settings_for(CAIRN_INTEGRATOR_STIFF, 1e-2, CAIRN_STABILISE_GAP);
    assert_int_equal(cairn_simulation_create(w.context, w.model, &s, &w.simulation), CAIRN_INVALID);
    message_has(&w, "joint 'tether', limit is exceeded by 0.25 m");
    s.initial = CAIRN_INITIAL_PROJECT;
    world_start(&w, &s);
    assert_near(distance_from_origin(&w, "ball"), 1, 1e-9);
    assert_near(world_body(&w, "ball").velocity[0], 0.5, 1e-9);
    assert_near(world_body(&w, "ball").velocity[1], 0, 1e-9);
    world_free(&w);
}

/* A ball on a rod, and a rope that is drawn away along it: nothing can be done, and the step says where. */
static void torn_ropes_are_named(void **state)
{
    (void)state;
    const double x[3] = {1, 0, 0}, still[3] = {0};
    world w = weightless(2);
    cairn_body_options hand = cairn_body_default();
    cairn_body pulls, ball = add_mass(w.model, "ball", 2, x, still);
    hand.name = "hand";
    hand.kind = CAIRN_DRIVEN;
    hand.motion_position[0] = "2 + t";
    hand.position[0] = 2;
    assert_int_equal(cairn_model_add_body(w.model, &hand, &pulls), CAIRN_OK);
    cairn_joint_options rod = cairn_joint_default(CAIRN_JOINT_DISTANCE);
    cairn_joint made;
    rod.name = "rod";
    rod.b.body = ball;
    assert_int_equal(cairn_model_add_joint(w.model, &rod, &made), CAIRN_OK);
    add_rope(w.model, "tether", (cairn_attachment){pulls, {0}}, ball, 1, 0, 0);
    cairn_settings s = settings_for(CAIRN_INTEGRATOR_STIFF, 1e-2, CAIRN_STABILISE_GAP);
    world_start(&w, &s);
    assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_UNSOLVED);
    message_has(&w, cairn_cause_text(CAIRN_CAUSE_BOUNDS));
    message_has(&w, "joint 'tether', limit");
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slack_ropes_do_nothing),
        cmocka_unit_test(catches_lose_the_radial_velocity),
        cmocka_unit_test(static_pulls_are_weights),
        cmocka_unit_test(swings_pull_three_weights),
        cmocka_unit_test(ropes_move_like_frictionless_gaps),
        cmocka_unit_test(ropes_never_add_energy),
        cmocka_unit_test(elastic_ropes_are_springs_that_pull),
        cmocka_unit_test(the_audit_knows_ropes),
        cmocka_unit_test(second_order_catches),
        cmocka_unit_test(second_order_is_refused),
        cmocka_unit_test(short_ropes_at_the_start),
        cmocka_unit_test(torn_ropes_are_named),
    };
    return cmocka_run_group_tests_name("rope", tests, NULL, NULL);
}
