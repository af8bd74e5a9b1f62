/* What forces, springs and joints do to bodies, by momentum, moments and finite differences: every integrator over one step
 * so short that its order does not matter, with bodies turned and turning. */
#include "support/check.h"
#include "support/worlds.h"

#include <string.h>

static const double H = 1e-6;

static cairn_settings settings_for(cairn_integrator integrator, double h)
{
    cairn_settings s = cairn_settings_default();
    s.integrator = integrator;
    s.step = h;
    s.stabilisation = CAIRN_STABILISE_NONE;
    return s;
}

static world weightless(int dimension)
{
    static const double NONE[3] = {0, 0, 0};
    world w = world_new(dimension);
    assert_int_equal(cairn_model_set_gravity(w.model, NONE), CAIRN_OK);
    return w;
}

/* ------------------------------------------------------------------------------------- written a second time: turns */

static void cross(const double a[3], const double b[3], double out[3])
{
    double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    memcpy(out, c, sizeof c);
}

static void turn(const double q[4], const double x[3], double out[3])
{
    double a[3], b[3];
    cross(q + 1, x, a);
    cross(q + 1, a, b);
    for (int k = 0; k < 3; ++k)
        out[k] = x[k] + 2 * (q[0] * a[k] + b[k]);
}

static const double INERTIA[3] = {0.3, 0.5, 0.7};

static cairn_body add_free(cairn_model *model, const char *name, double mass, const double position[3], bool spins,
                           uint64_t *seed)
{
    cairn_body_options o = cairn_body_default();
    bool planar = cairn_model_dimension(model) == 2;
    o.name = name;
    o.mass = mass;
    memcpy(o.position, position, sizeof o.position);
    for (int k = 0; k < 4; ++k)
        o.orientation[k] = planar ? k == 0 : random_in(seed, 0.2, 1);
    o.angle = planar ? random_in(seed, -2, 2) : 0;
    for (int k = 0; k < 3; ++k)
    {
        o.inertia[k] = planar && k < 2 ? 0 : mass * INERTIA[k];
        o.velocity[k] = planar && k == 2 ? 0 : random_in(seed, -1, 1);
        o.angular_velocity[k] = !spins || (planar && k < 2) ? 0 : random_in(seed, -1, 1);
    }
    cairn_body body = {0};
    assert_int_equal(cairn_model_add_body(model, &o, &body), CAIRN_OK);
    return body;
}

/* Linear momentum and angular momentum about the origin, of bodies made by add_free. */
static void momentum(const world *w, cairn_body body, double p[3], double L[3])
{
    bool planar = cairn_model_dimension(w->model) == 2;
    cairn_body_state s = cairn_simulation_body(w->simulation, body);
    double mass = cairn_model_body_mass(w->model, body), spin[3], orbit[3];
    for (int k = 0; k < 3; ++k)
    {
        p[k] = mass * s.velocity[k];
        spin[k] = mass * INERTIA[k] * s.angular_velocity[k];
    }
    if (!planar)
        turn(s.orientation, spin, spin);
    cross(s.position, p, orbit);
    for (int k = 0; k < 3; ++k)
        L[k] = orbit[k] + spin[k];
}

/* ------------------------------------------------------------------------------------------------------ outer forces */

static const double FORCE[3] = {3, -2, 5}, TORQUE[3] = {0.7, 1.1, -0.4}, POINT[3] = {0.3, -0.2, 0.5};

static void constant(void *data, double t, const cairn_body_state *state, double force[3], double torque[3])
{
    (void)data;
    (void)t;
    (void)state;
    memcpy(force, FORCE, sizeof FORCE);
    memcpy(torque, TORQUE, sizeof TORQUE);
}

/* What a step changed, over its length: force, and moment about the centre of mass in the world. */
static void felt(cairn_integrator integrator, bool callback, bool body_frame, double force[3], double moment[3],
                 double q[4])
{
    uint64_t seed = 5;
    double origin[3] = {0, 0, 0}, p[2][3], L[2][3];
    world w = weightless(3);
    cairn_body body = add_free(w.model, "body", 2, origin, false, &seed);
    cairn_force_options o = cairn_force_default();
    o.name = "push";
    o.body = body;
    memcpy(o.point, POINT, sizeof POINT);
    static const char *const F[3] = {"3", "-2", "5"}, *const T[3] = {"0.7", "1.1", "-0.4"};
    for (int k = 0; k < 3 && !callback; ++k)
    {
        o.force[k] = F[k];
        o.torque[k] = T[k];
    }
    o.function = callback ? constant : NULL;
    o.body_frame = body_frame;
    cairn_force out;
    assert_int_equal(cairn_model_add_force(w.model, &o, &out), CAIRN_OK);
    cairn_settings settings = settings_for(integrator, H);
    world_start(&w, &settings);
    memcpy(q, cairn_simulation_body(w.simulation, body).orientation, 4 * sizeof(double));
    for (int i = 0; i < 2; ++i)
    {
        momentum(&w, body, p[i], L[i]);
        double x[3], moved[3], *state = cairn_simulation_body(w.simulation, body).position;
        memcpy(x, state, sizeof x);
        cross(x, p[i], moved);
        for (int k = 0; k < 3; ++k)
            L[i][k] -= moved[k]; /* about its own centre */
        if (i == 0)
            world_step(&w);
    }
    for (int k = 0; k < 3; ++k)
    {
        force[k] = (p[1][k] - p[0][k]) / H;
        moment[k] = (L[1][k] - L[0][k]) / H;
    }
    world_free(&w);
}

/* A force at a point has the moment of its arm, whether a callback or expressions give it; components in the body's frame
 * turn with it, those of callbacks are the world's. */
static void forces_act_at_their_point(void **state)
{
    (void)state;
    for (int i = CAIRN_INTEGRATOR_EULER; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        for (int kind = 0; kind < 3; ++kind)
        {
            double force[3], moment[3], q[4], F[3], T[3], arm[3], extra[3];
            felt((cairn_integrator)i, kind == 0, kind == 2, force, moment, q);
            memcpy(F, FORCE, sizeof F);
            memcpy(T, TORQUE, sizeof T);
            if (kind == 2)
            {
                turn(q, F, F);
                turn(q, T, T);
            }
            turn(q, POINT, arm);
            cross(arm, F, extra);
            for (int k = 0; k < 3; ++k)
            {
                assert_near(force[k], F[k], 1e-5);
                assert_near(moment[k], T[k] + extra[k], 1e-5);
            }
        }
    }
}

/* A force that grows with time: its impulse over a long step is right to second order, in schemes of that order. */
static void forces_are_taken_over_the_step(void **state)
{
    (void)state;
    for (int i = CAIRN_INTEGRATOR_TRAPEZOID; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        world w = weightless(2);
        cairn_material none = {0};
        cairn_body body = add_point(w.model, "body", 2, 0, 0, none);
        cairn_force_options o = cairn_force_default();
        o.name = "push";
        o.body = body;
        o.force[0] = "6*t";
        cairn_force out;
        assert_int_equal(cairn_model_add_force(w.model, &o, &out), CAIRN_OK);
        cairn_settings settings = settings_for((cairn_integrator)i, 0.5);
        world_start(&w, &settings);
        world_run(&w, 2);
        assert_near(cairn_simulation_body(w.simulation, body).velocity[0], 1.5, 1e-12); /* 3 t^2 / 2 */
        world_free(&w);
    }
}

/* ------------------------------------------------------------------------------ springs and joints: equal and opposite */

typedef void connect_fn(cairn_model *model, cairn_body a, cairn_body b);

static void connect_spring(cairn_model *model, cairn_body a, cairn_body b)
{
    cairn_attachment at_a = {a, {0.2, 0.1, 0}}, at_b = {b, {-0.3, 0.2, 0}};
    cairn_spring_options o = cairn_spring_default(CAIRN_SPRING_LINEAR);
    o.name = "spring";
    o.a = at_a;
    o.b = at_b;
    o.stiffness = 40;
    o.damping = 3;
    o.rest = 0.3;
    cairn_spring out;
    assert_int_equal(cairn_model_add_spring(model, &o, &out), CAIRN_OK);
}

static void connect_spring_without_rest(cairn_model *model, cairn_body a, cairn_body b)
{
    cairn_spring_options o = cairn_spring_default(CAIRN_SPRING_LINEAR);
    o.name = "spring";
    o.a = (cairn_attachment){a, {0.2, 0.1, 0}};
    o.b = (cairn_attachment){b, {-0.3, 0.2, 0}};
    o.stiffness = 40;
    o.rest = 0;
    cairn_spring out;
    assert_int_equal(cairn_model_add_spring(model, &o, &out), CAIRN_OK);
}

static void connect_angular(cairn_model *model, cairn_body a, cairn_body b)
{
    cairn_spring_options o = cairn_spring_default(CAIRN_SPRING_ANGULAR);
    o.name = "spring";
    o.a.body = a;
    o.b.body = b;
    o.axis[0] = 0.6;
    o.axis[2] = 0.8;
    o.stiffness = 15;
    o.damping = 2;
    o.rest = 0.4;
    cairn_spring out;
    assert_int_equal(cairn_model_add_spring(model, &o, &out), CAIRN_OK);
}

static void connect_rod(cairn_model *model, cairn_body a, cairn_body b)
{
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_DISTANCE);
    o.name = "rod";
    o.a = (cairn_attachment){a, {0.2, 0.1, 0}};
    o.b = (cairn_attachment){b, {-0.3, 0.2, 0}};
    cairn_joint out;
    assert_int_equal(cairn_model_add_joint(model, &o, &out), CAIRN_OK);
}

static void connect_hinge(cairn_model *model, cairn_body a, cairn_body b)
{
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    double at[3] = {0.4, 0.3, cairn_model_dimension(model) == 2 ? 0 : 0.2};
    o.name = "hinge";
    o.a = cairn_model_attach(model, a, at);
    o.b = cairn_model_attach(model, b, at);
    o.axis[0] = 0.6;
    o.axis[2] = 0.8;
    cairn_joint out;
    assert_int_equal(cairn_model_add_joint(model, &o, &out), CAIRN_OK);
}

/* Whatever joins two free bodies conserves their momentum and their angular momentum, and does something to each. */
static void keeps_momentum(connect_fn *connect, int dimension, cairn_integrator integrator, bool projects)
{
    uint64_t seed = 17;
    double at_a[3] = {0, 0, 0}, at_b[3] = {1, 0.4, dimension == 2 ? 0 : -0.3};
    world w = weightless(dimension);
    cairn_body a = add_free(w.model, "a", 2, at_a, true, &seed), b = add_free(w.model, "b", 0.5, at_b, true, &seed);
    connect(w.model, a, b);
    cairn_settings settings = settings_for(integrator, H);
    settings.initial = projects ? CAIRN_INITIAL_PROJECT : CAIRN_INITIAL_REFUSE;
    world_start(&w, &settings);
    double p[4][3], L[4][3], moved = 0;
    momentum(&w, a, p[0], L[0]);
    momentum(&w, b, p[1], L[1]);
    world_step(&w);
    momentum(&w, a, p[2], L[2]);
    momentum(&w, b, p[3], L[3]);
    for (int k = 0; k < 3; ++k)
        moved = fmax(moved, fmax(fabs(p[2][k] - p[0][k]), fabs(L[2][k] - L[0][k])));
    assert_true(moved > 1e-3 * H);
    for (int k = 0; k < 3; ++k)
    {
        assert_near((p[2][k] + p[3][k] - p[0][k] - p[1][k]) / moved, 0, 1e-4);
        assert_near((L[2][k] + L[3][k] - L[0][k] - L[1][k]) / moved, 0, 1e-4);
    }
    world_free(&w);
}

static void actions_have_reactions(void **state)
{
    (void)state;
    static connect_fn *const ALL[] = {connect_spring, connect_spring_without_rest, connect_angular, connect_rod,
                                      connect_hinge};
    for (int i = CAIRN_INTEGRATOR_EULER; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
        for (int k = 0; k < 10; ++k)
            keeps_momentum(ALL[k / 2], 2 + k % 2, (cairn_integrator)i, k >= 6 && i >= CAIRN_INTEGRATOR_TRAPEZOID);
}

/* ------------------------------------------------------------------------------- forces are minus the energy's slope */

static double elastic(const world *w)
{
    return cairn_simulation_energy(w->simulation).elastic;
}

/* Along each degree of freedom of one body: the impulse of a step from rest is minus the slope of the elastic energy, taken
 * from the spring's stretch at poses that are put there. */
static void spring_is_a_potential(connect_fn *connect, int dimension)
{
    uint64_t seed = 23;
    double at_a[3] = {0, 0, 0}, at_b[3] = {1, 0.4, dimension == 2 ? 0 : -0.3}, e = 1e-5;
    world w = weightless(dimension);
    cairn_body a = add_free(w.model, "a", 2, at_a, false, &seed), b = add_free(w.model, "b", 0.5, at_b, false, &seed);
    connect(w.model, a, b);
    cairn_settings settings = settings_for(CAIRN_INTEGRATOR_EULER, H);
    world_start(&w, &settings);
    cairn_body_state rest_a = cairn_simulation_body(w.simulation, a), rest = cairn_simulation_body(w.simulation, b);
    memset(rest_a.velocity, 0, sizeof rest_a.velocity);
    memset(rest.velocity, 0, sizeof rest.velocity);
    double slope[6] = {0};
    for (int k = 0; k < 6; ++k)
    {
        double energy[2];
        for (int side = 0; side < 2; ++side)
        {
            cairn_body_state s = rest;
            double d = side ? e : -e;
            if (k < 3)
            {
                s.position[k] += dimension == 2 && k == 2 ? 0 : d;
            }
            else if (dimension == 2)
            {
                s.angle += k == 5 ? d : 0;
            }
            else
            {
                /* q (1, d/2 along the axis): a turn in the body's frame */
                double q[4], *o = rest.orientation, half[3] = {0, 0, 0}, c[3];
                half[k - 3] = d / 2;
                cross(o + 1, half, c);
                q[0] = o[0] - o[k - 2] * half[k - 3];
                for (int i = 0; i < 3; ++i)
                    q[1 + i] = o[1 + i] + o[0] * half[i] + c[i];
                memcpy(s.orientation, q, sizeof q);
            }
            assert_int_equal(cairn_simulation_set_body(w.simulation, b, &s), CAIRN_OK);
            energy[side] = 0;
            double stretch = cairn_simulation_spring_stretch(w.simulation, nth_spring(w.simulation, 0));
            energy[side] = 0.5 * (connect == connect_angular ? 15 : 40) * stretch * stretch;
        }
        slope[k] = (energy[1] - energy[0]) / (2 * e);
    }
    assert_int_equal(cairn_simulation_set_body(w.simulation, a, &rest_a), CAIRN_OK);
    assert_int_equal(cairn_simulation_set_body(w.simulation, b, &rest), CAIRN_OK);
    world_step(&w);
    cairn_body_state s = cairn_simulation_body(w.simulation, b);
    for (int k = 0; k < 3; ++k)
    {
        assert_near(0.5 * s.velocity[k] / H, -slope[k], 2e-4);
        bool turns = dimension == 3 || k == 2;
        assert_near(turns ? 0.5 * INERTIA[k] * s.angular_velocity[k] / H : 0, -slope[3 + k], 2e-4);
    }
    assert_true(elastic(&w) > 0);
    world_free(&w);
}

static void springs_are_potentials(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension)
    {
        spring_is_a_potential(connect_spring, dimension);
        spring_is_a_potential(connect_spring_without_rest, dimension);
        spring_is_a_potential(connect_angular, dimension);
    }
}

/* After a step nothing stretches a joint: bodies moved on by their velocities for a moment e change it by no more than e^2. */
static void joints_hold_in_the_next_moment(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension)
    {
        uint64_t seed = 31;
        double at_a[3] = {0, 0, 0}, at_b[3] = {1, 0.4, dimension == 2 ? 0 : -0.3}, e = 1e-4;
        world w = weightless(dimension);
        cairn_body a = add_free(w.model, "a", 2, at_a, true, &seed), b = add_free(w.model, "b", 0.5, at_b, true, &seed);
        connect_hinge(w.model, a, b);
        cairn_settings settings = settings_for(CAIRN_INTEGRATOR_STIFF, H);
        settings.initial = CAIRN_INITIAL_PROJECT;
        world_start(&w, &settings);
        world_step(&w);
        double before = cairn_simulation_report(w.simulation)->joint_error;
        settings.step = e;
        assert_int_equal(cairn_simulation_step_by(w.simulation, e), CAIRN_OK);
        assert_true(cairn_simulation_report(w.simulation)->joint_error - before < 10 * e * e);
        world_free(&w);
    }
}

/* A spring about an axis counts whole turns. */
static void angular_springs_count_turns(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension)
    {
        world w = weightless(dimension);
        cairn_body_options o = cairn_body_default();
        o.name = "wheel";
        o.mass = 1;
        o.inertia[2] = 1e6;
        o.inertia[0] = o.inertia[1] = dimension == 2 ? 0 : 1e6;
        o.angular_velocity[2] = 10;
        cairn_body body;
        assert_int_equal(cairn_model_add_body(w.model, &o, &body), CAIRN_OK);
        cairn_spring_options p = cairn_spring_default(CAIRN_SPRING_ANGULAR);
        p.name = "clock";
        p.b.body = body;
        p.axis[2] = 1;
        p.stiffness = 1e-6;
        cairn_spring out;
        assert_int_equal(cairn_model_add_spring(w.model, &p, &out), CAIRN_OK);
        cairn_settings settings = settings_for(CAIRN_INTEGRATOR_STIFF2, 0.1);
        world_start(&w, &settings);
        world_run(&w, 20);
        assert_near(cairn_simulation_spring_stretch(w.simulation, nth_spring(w.simulation, 0)), 20, 1e-6);
        world_free(&w);
    }
}

/* ------------------------------------------------------------------------------------ hinges that give, joints that share */

/* A body hinged at its centre, spun across the hinge's axis: implicit Euler of I w' = -k angle - c w. */
static void soft_hinge_axis_is_a_spring(void **state)
{
    (void)state;
    const double k = 50, c = 3, h = 0.01, spun = 1e-3, mass = 2;
    world w = weightless(3);
    cairn_body_options o = cairn_body_default();
    o.name = "body";
    o.mass = mass;
    for (int i = 0; i < 3; ++i)
        o.inertia[i] = mass * INERTIA[i];
    o.angular_velocity[0] = spun;
    cairn_body body;
    assert_int_equal(cairn_model_add_body(w.model, &o, &body), CAIRN_OK);
    cairn_joint_options j = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    j.name = "hinge";
    j.b.body = body;
    j.axis[2] = 1;
    j.stiffness = 1e5;
    j.damping = 700;
    j.angular_stiffness = k;
    j.angular_damping = c;
    cairn_joint out;
    assert_int_equal(cairn_model_add_joint(w.model, &j, &out), CAIRN_OK);
    cairn_settings settings = settings_for(CAIRN_INTEGRATOR_STIFF, h);
    world_start(&w, &settings);
    double I = mass * INERTIA[0], rate = spun, angle = 0;
    for (int i = 0; i < 30; ++i)
    {
        world_step(&w);
        rate = (I * rate - h * k * angle) / (I + h * h * k + h * c);
        angle += h * rate;
        cairn_body_state s = cairn_simulation_body(w.simulation, body);
        assert_near(s.angular_velocity[0], rate, 1e-6 * spun);
        assert_near(2 * s.orientation[1], angle, 1e-6 * spun);
        assert_near(cairn_simulation_energy(w.simulation).elastic, 0.5 * k * angle * angle, 1e-6 * I * spun * spun);
    }
    world_free(&w);
}

/* A weight on two rods between the same points: they share it as their weights say. */
static void joints_share_by_their_weights(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_material none = {0};
    cairn_body bob = add_point(w.model, "bob", 2, 0, -1, none);
    for (int i = 0; i < 2; ++i)
    {
        cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_DISTANCE);
        o.name = i ? "strong" : "weak";
        o.b.body = bob;
        o.weight = i ? 3 : 1;
        cairn_joint out;
        assert_int_equal(cairn_model_add_joint(w.model, &o, &out), CAIRN_OK);
    }
    cairn_settings settings = settings_for(CAIRN_INTEGRATOR_STIFF, 0.01);
    settings.solver.forces = CAIRN_FORCES_MINIMUM_NORM;
    world_start(&w, &settings);
    world_step(&w);
    double weak[6], strong[6];
    assert_int_equal(cairn_simulation_joint_impulse(w.simulation, nth_joint(w.simulation, 0), weak), 1);
    assert_int_equal(cairn_simulation_joint_impulse(w.simulation, nth_joint(w.simulation, 1), strong), 1);
    assert_near(fabs(weak[0] + strong[0]), 2 * 9.81 * 0.01, 1e-9);
    assert_near(strong[0] / weak[0], 3, 1e-6);
    world_free(&w);
}

/* A beam on three feet in a row: springs that are stiff against each other as the weights say, each foot's in series with the
 * ground's. The middle one, 3 and 1 in series, takes 0.75/0.5 times what an outer one takes. */
static void contacts_share_by_their_weights(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_material_options m = cairn_material_default();
    cairn_material plain, strong;
    m.name = "plain";
    m.friction = 0;
    assert_int_equal(cairn_model_add_material(w.model, &m, &plain), CAIRN_OK);
    m.name = "strong";
    m.weight = 3;
    assert_int_equal(cairn_model_add_material(w.model, &m, &strong), CAIRN_OK);
    add_ground(w.model, plain);
    cairn_body_options o = cairn_body_default();
    o.name = "beam";
    o.mass = 2;
    o.inertia[2] = 0.7;
    o.position[1] = 0.1;
    cairn_body beam;
    assert_int_equal(cairn_model_add_body(w.model, &o, &beam), CAIRN_OK);
    for (int i = -1; i <= 1; ++i)
    {
        cairn_shape_options foot = cairn_shape_default(CAIRN_POINT);
        foot.position[0] = i;
        foot.position[1] = -0.1;
        foot.material = i == 0 ? strong : plain;
        cairn_shape out;
        assert_int_equal(cairn_model_add_shape(w.model, beam, &foot, &out), CAIRN_OK);
    }
    cairn_settings settings = settings_for(CAIRN_INTEGRATOR_STIFF, 0.01);
    settings.solver.forces = CAIRN_FORCES_MINIMUM_NORM;
    world_start(&w, &settings);
    world_step(&w);
    assert_int_equal(cairn_simulation_contact_count(w.simulation), 3);
    for (int i = 0; i < 3; ++i)
    {
        cairn_contact c = cairn_simulation_contact(w.simulation, i);
        double share = fabs(c.point[0]) < 0.5 ? 1.5 / 3.5 : 1 / 3.5;
        assert_near(c.impulse[0], share * 2 * 9.81 * 0.01, 1e-9);
    }
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_act_at_their_point),       cmocka_unit_test(forces_are_taken_over_the_step),
        cmocka_unit_test(actions_have_reactions),          cmocka_unit_test(springs_are_potentials),
        cmocka_unit_test(joints_hold_in_the_next_moment),  cmocka_unit_test(angular_springs_count_turns),
        cmocka_unit_test(soft_hinge_axis_is_a_spring),     cmocka_unit_test(joints_share_by_their_weights),
        cmocka_unit_test(contacts_share_by_their_weights),
    };
    return cmocka_run_group_tests_name("forces on bodies", tests, NULL, NULL);
}
