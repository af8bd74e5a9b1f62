/* Couplings of hinges against the reduced equations of motion, integrated here by the classical method of Runge and Kutta.
 *
 * Pendulums turn about parallel axes that the world holds, without friction: I_i q_i'' = Q_i(q_i) + f_i z with the moment of gravity Q_i and
 * the force z along L = sum f_i q_i. Where L is held at l(t), z = (l'' - sum f_i Q_i/I_i) / sum f_i^2/I_i. */
#include "support/check.h"
#include "support/worlds.h"

#include <string.h>

enum
{
    MOST = 3
};

typedef struct machine
{
    world w;
    int dimension, count;
    cairn_body body[MOST];
    cairn_joint joint[MOST], coupling;
    double mass[MOST], lever[MOST], inertia[MOST]; /* about the hinge */
    double A[MOST], B[MOST];                       /* Q = A cos q + B sin q */
    double f[MOST], start[MOST];                   /* factors; rates at the start */
} machine;

static const double TWO_D[3] = {0, 0, 1}, SKEW[3] = {2.0 / 3, -1.0 / 3, 2.0 / 3};

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void must(const world *w, cairn_status status)
{
    if (status)
        fail_msg("%s", cairn_context_last_message(w->context));
}

/* Pendulum i hangs from a hinge at 3 i along the axis' normal e, its lever turned by an angle of its own. */
static void add_pendulum(machine *m, int i, const double g[3])
{
    static const char *const NAME[] = {"first", "second", "third"};
    const double *axis = m->dimension == 2 ? TWO_D : SKEW;
    double e[3] = {1, 0, 0}, u[3], r[3], t[3], angle = 0.4 + i, at[3];
    cross(axis, m->dimension == 2 ? e : (double[3]){0, 1, 0}, u);
    for (int k = 0; k < 3; ++k)
        u[k] /= m->dimension == 2 ? 1 : sqrt(8.0 / 9);
    cross(u, axis, e);
    for (int k = 0; k < 3; ++k)
        r[k] = cos(angle) * e[k] + sin(angle) * u[k];
    cross(axis, r, t);
    cairn_body_options o = cairn_body_default();
    o.name = NAME[i];
    o.mass = m->mass[i];
    double own = m->inertia[i] - m->mass[i] * m->lever[i] * m->lever[i];
    for (int k = 0; k < 3; ++k)
    {
        at[k] = 3 * i * e[k];
        o.inertia[k] = own;
        o.position[k] = at[k] + m->lever[i] * r[k];
        o.velocity[k] = m->start[i] * m->lever[i] * t[k];
        o.angular_velocity[k] = m->start[i] * axis[k];
    }
    must(&m->w, cairn_model_add_body(m->w.model, &o, &m->body[i]));
    m->A[i] = m->mass[i] * m->lever[i] * dot(g, t);
    m->B[i] = -m->mass[i] * m->lever[i] * dot(g, r);
    cairn_joint_options j = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    j.name = NAME[i];
    memcpy(j.axis, axis, sizeof j.axis);
    j.a = cairn_model_attach(m->w.model, (cairn_body){0}, at);
    j.b = cairn_model_attach(m->w.model, m->body[i], at);
    must(&m->w, cairn_model_add_joint(m->w.model, &j, &m->joint[i]));
}

/* Pendulums with the factors f and the rates `start`, with or without gravity. */
static machine make(int dimension, int count, const double *f, const double *start, bool heavy)
{
    static const double MASS[] = {2, 0.7, 1.3}, LEVER[] = {0.5, 0.8, 0.3}, INERTIA[] = {0.9, 0.6, 0.25};
    machine m = {.w = world_new(dimension), .dimension = dimension, .count = count};
    double g[3] = {heavy ? 2.0 : 0.0, heavy ? -7.0 : 0.0, heavy && dimension == 3 ? 3.0 : 0.0};
    cairn_model_set_gravity(m.w.model, g);
    for (int i = 0; i < count; ++i)
    {
        m.mass[i] = MASS[i];
        m.lever[i] = LEVER[i];
        m.inertia[i] = INERTIA[i];
        m.f[i] = f[i];
        m.start[i] = start[i];
        add_pendulum(&m, i, g);
    }
    return m;
}

/* Couple them; acts NULL: held at `value`, or where they are if that is NULL. */
static void couple(machine *m, const char *value, const cairn_coordinate_options *acts)
{
    cairn_coupling_term term[MOST];
    for (int i = 0; i < m->count; ++i)
        term[i] = (cairn_coupling_term){.factor = m->f[i], .joint = m->joint[i]};
    term[0].coordinate = "angle";
    cairn_coupling_options o = cairn_coupling_default();
    o.name = "coupling";
    o.terms = term;
    o.term_count = m->count;
    o.hold = !acts;
    o.value.expression = value;
    must(&m->w, cairn_model_add_coupling(m->w.model, &o, &m->coupling));
    if (acts)
        must(&m->w, cairn_model_set_coordinate(m->w.model, m->coupling, "value", acts));
}

/* ----------------------------------------------------------------------------------------------------- truth */

/* The force along L. */
typedef double (*law)(const machine *m, double t, const double *q, const double *v);

static double sum_of(const machine *m, const double *q)
{
    double sum = 0;
    for (int i = 0; i < m->count; ++i)
        sum += m->f[i] * q[i];
    return sum;
}

static double moment_of(const machine *m, int i, double q)
{
    return m->A[i] * cos(q) + m->B[i] * sin(q);
}

/* The force that gives L the acceleration `second`. */
static double holding(const machine *m, const double *q, double second)
{
    double wanted = second, ease = 0;
    for (int i = 0; i < m->count; ++i)
    {
        wanted -= m->f[i] * moment_of(m, i, q[i]) / m->inertia[i];
        ease += m->f[i] * m->f[i] / m->inertia[i];
    }
    return wanted / ease;
}

static void rate_of(const machine *m, law force, double t, const double *x, double *out)
{
    double z = force(m, t, x, x + MOST);
    for (int i = 0; i < m->count; ++i)
    {
        out[i] = x[MOST + i];
        out[MOST + i] = (moment_of(m, i, x[i]) + m->f[i] * z) / m->inertia[i];
    }
}

static void truth(const machine *m, law force, double until, double x[2 * MOST])
{
    static const double WEIGHT[4] = {1, 2, 2, 1}, AHEAD[4] = {0, 0.5, 0.5, 1};
    int steps = 4000;
    double h = until / steps;
    for (int s = 0; s < steps; ++s)
    {
        double k[5][2 * MOST] = {{0}}, at[2 * MOST];
        for (int stage = 0; stage < 4; ++stage)
        {
            for (int i = 0; i < 2 * MOST; ++i)
                at[i] = x[i] + AHEAD[stage] * h * k[stage][i];
            rate_of(m, force, (s + AHEAD[stage]) * h, at, k[stage + 1]);
        }
        for (int i = 0; i < 2 * MOST; ++i)
            for (int stage = 0; stage < 4; ++stage)
                x[i] += h / 6 * WEIGHT[stage] * k[stage + 1][i];
    }
}

/* --------------------------------------------------------------------------------------------------- running */

typedef struct outcome
{
    double x[2 * MOST]; /* angles, rates */
    double value, rate; /* of the coupling */
    cairn_joint_state state;
} outcome;

static outcome run(const machine *m, cairn_integrator integrator, cairn_solver_kind solver, int steps, double until)
{
    world w = m->w;
    outcome out = {.value = 0};
    cairn_settings settings = cairn_settings_default();
    settings.integrator = integrator;
    settings.solver.kind = solver;
    settings.step = until / steps;
    settings.initial = CAIRN_INITIAL_PROJECT;
    world_start(&w, &settings);
    world_run(&w, steps);
    cairn_audit_totals totals = cairn_simulation_audit(w.simulation);
    for (int k = 0; k < CAIRN_VIOLATION_KINDS; ++k)
        if (totals.count[k] > 0)
            fail_msg("%s, %d steps: violation '%s' at t = %g of %g, where %g is allowed",
                     cairn_integrator_name(integrator), steps, cairn_violation_name((cairn_violation_kind)k),
                     totals.worst[k].time, totals.worst[k].size, totals.worst[k].allowance);
    cairn_energy e = cairn_simulation_energy(w.simulation);
    assert_near(e.balance_error, 0, 1e-9 * (1 + fabs(e.kinetic) + fabs(e.work_joints) + fabs(e.work_gravity)));
    for (int i = 0; i < m->count; ++i)
        out.x[i] = cairn_simulation_coordinate(w.simulation, m->joint[i], 0, &out.x[MOST + i]);
    out.value = cairn_simulation_coordinate(w.simulation, m->coupling, 0, &out.rate);
    out.state = cairn_simulation_joint_state(w.simulation, m->coupling);
    cairn_simulation_destroy(w.simulation);
    return out;
}

/* Errors at h to h/8 fall as the order says, or are below `floor`; those of first order may be `rough` h instead, since they depend on
 * where in its step an impact falls. */
static void check_order(const machine *m, double until, int steps, const double exact[2 * MOST], double floor,
                        double rough)
{
    for (int order = 1; order <= 2; ++order)
    {
        double expected = 0;
        for (int finer = 0; finer < 4; ++finer)
        {
            double error = 0;
            outcome end = run(m, order == 1 ? CAIRN_INTEGRATOR_STIFF : CAIRN_INTEGRATOR_STIFF2, CAIRN_SOLVER_AUTO,
                              steps << finer, until);
            for (int i = 0; i < m->count; ++i)
                error = fmax(error, fmax(fabs(end.x[i] - exact[i]), fabs(end.x[MOST + i] - exact[MOST + i])));
            assert_near(end.value, sum_of(m, end.x), 1e-12 * (1 + fabs(end.value)));
            assert_near(end.rate, sum_of(m, end.x + MOST), 1e-12 * (1 + fabs(end.rate)));
            bool is_rough = order == 1 && error <= rough * until / (steps << finer);
            if (finer == 3 && error > floor && !is_rough && error > 1.5 * expected)
                fail_msg("order %d: error %.3g where %.3g was expected", order, error, expected);
            expected = fmax(expected, error) / (1 << order);
        }
    }
}

static void begin(const machine *m, double x[2 * MOST])
{
    memset(x, 0, 2 * MOST * sizeof(double));
    memcpy(x + MOST, m->start, sizeof m->start);
}

/* ------------------------------------------------------------------------------------------------------- held */

static double held(const machine *m, double t, const double *q, const double *v)
{
    (void)t, (void)v;
    return holding(m, q, 0);
}

/* A gear of 1 to 2, one of 2 to -0.7, and a differential, a + b = 2 c, all under gravity. */
static void a_held_sum(void **state)
{
    (void)state;
    static const double F[3][MOST] = {{2, -1, 0}, {2, 0.7, 0}, {1, 1, -2}};
    static const double START[3][MOST] = {{0.5, 1, 0}, {0.7, -2, 0}, {3, -1, 1}};
    for (int k = 0; k < 6; ++k)
    {
        double exact[2 * MOST];
        machine m = make(2 + k / 3, k % 3 == 2 ? 3 : 2, F[k % 3], START[k % 3], true);
        couple(&m, NULL, NULL);
        begin(&m, exact);
        truth(&m, held, 1.3, exact);
        check_order(&m, 1.3, 40, exact, 1e-12, 0);
        outcome end = run(&m, CAIRN_INTEGRATOR_STIFF2, CAIRN_SOLVER_AUTO, 400, 1.3);
        assert_near(end.value, 0, 1e-9);
        assert_near(end.rate, 0, 1e-9);
        assert_near(end.state.drive[0], holding(&m, exact, 0), 0.1);
        world_free(&m.w);
    }
}

static double moved(const machine *m, double t, const double *q, const double *v)
{
    (void)v;
    return holding(m, q, -0.3 * 9 * sin(3 * t));
}

/* The sum follows 0.3 sin(3 t). */
static void a_moved_sum(void **state)
{
    (void)state;
    static const double F[] = {1, 1, -2}, START[] = {0.9, 1, 0.5};
    double exact[2 * MOST];
    machine m = make(3, 3, F, START, true);
    couple(&m, "0.3*sin(3*t)", NULL);
    begin(&m, exact);
    truth(&m, moved, 0.9, exact);
    check_order(&m, 0.9, 60, exact, 1e-12, 0);
    assert_near(run(&m, CAIRN_INTEGRATOR_STIFF2, CAIRN_SOLVER_AUTO, 40, 0.9).value, 0.3 * sin(2.7), 1e-5);
    world_free(&m.w);
}

/* ----------------------------------------------------------------------------------------------- what else acts */

static double STIFFNESS, DAMPING;

static double spring(const machine *m, double t, const double *q, const double *v)
{
    (void)t;
    return -STIFFNESS * (sum_of(m, q) - 0.1) - DAMPING * sum_of(m, v);
}

static double pushed(const machine *m, double t, const double *q, const double *v)
{
    (void)m, (void)q, (void)v;
    return 2 * cos(4 * t);
}

/* A spring with a damper, and a given force, along the sum. */
static void springs_and_forces(void **state)
{
    (void)state;
    static const double F[] = {1, 0.6, -2}, START[] = {1, 0, 0.5};
    for (int k = 0; k < 2; ++k)
    {
        cairn_coordinate_options o = cairn_coordinate_default();
        STIFFNESS = o.stiffness = k == 0 ? 30 : 0;
        DAMPING = o.damping = k == 0 ? 0.4 : 0;
        o.rest.expression = "0.1";
        o.drive = k == 0 ? CAIRN_DRIVE_NONE : CAIRN_DRIVE_FORCE;
        o.target.expression = k == 0 ? NULL : "2*cos(4*t)";
        machine m = make(3, 3, F, START, true);
        double exact[2 * MOST];
        couple(&m, NULL, &o);
        begin(&m, exact);
        truth(&m, k == 0 ? spring : pushed, 1.1, exact);
        check_order(&m, 1.1, 50, exact, 1e-12, 0);
        world_free(&m.w);
    }
}

/* As the stiffness grows at a step of 0.01, the motion approaches that of the held sum, at a distance proportional to 1/k. */
static void any_stiffness(void **state)
{
    (void)state;
    static const double F[] = {1, 0.6, -2}, START[] = {1.4, 1, 1};
    for (int scheme = 0; scheme < 2; ++scheme)
    {
        cairn_integrator integrator = scheme == 0 ? CAIRN_INTEGRATOR_STIFF : CAIRN_INTEGRATOR_STIFF2;
        machine rigid = make(2, 3, F, START, true);
        couple(&rigid, NULL, NULL);
        outcome limit = run(&rigid, integrator, CAIRN_SOLVER_AUTO, 100, 1.0);
        for (double k = 1e2; k < 2e12; k *= 100)
        {
            cairn_coordinate_options o = cairn_coordinate_default();
            o.stiffness = k;
            machine m = make(2, 3, F, START, true);
            couple(&m, NULL, &o);
            outcome end = run(&m, integrator, CAIRN_SOLVER_AUTO, 100, 1.0);
            double off = 0;
            for (int i = 0; i < 3; ++i)
                off = fmax(off, fabs(end.x[i] - limit.x[i]));
            assert_true(off <= 60 / k + 1e-8);
            world_free(&m.w);
        }
        world_free(&rigid.w);
    }
}

/* Dry friction along the sum: a constant moment until L' = 0, and then as if it were held. Without gravity the rates of the parts follow
 * from the impulse alone. */
static void friction_along_the_sum(void **state)
{
    (void)state;
    static const double F[] = {1, 0.6, -2}, START[] = {4, 1, -1};
    const double until = 1.7, most = 0.9;
    cairn_coordinate_options o = cairn_coordinate_default();
    o.friction = most;
    machine m = make(3, 3, F, START, false);
    couple(&m, NULL, &o);
    double ease = 0, rate = sum_of(&m, START), exact[2 * MOST];
    for (int i = 0; i < 3; ++i)
        ease += m.f[i] * m.f[i] / m.inertia[i];
    double stop = rate / (most * ease);
    assert_true(stop > 0.1 && stop < until);
    begin(&m, exact);
    for (int i = 0; i < 3; ++i)
    {
        double a = m.f[i] * most / m.inertia[i];
        exact[i] = START[i] * until - a * stop * (until - 0.5 * stop);
        exact[MOST + i] = START[i] - a * stop;
    }
    check_order(&m, until, 41, exact, 1e-11, 0);
    world_free(&m.w);
}

/* ------------------------------------------------------------------------------------------------------ limits */

/* Rotors without gravity reach the end of the sum's range at any time within a step; Newton's law of impact. */
static void reach_limit(const double *f, const double *start, double upper, double e, double until, int steps)
{
    cairn_coordinate_options o = cairn_coordinate_default();
    o.upper = upper;
    o.restitution = e;
    machine m = make(3, 3, f, start, false);
    couple(&m, NULL, &o);
    double ease = 0, rate = sum_of(&m, start), exact[2 * MOST];
    for (int i = 0; i < 3; ++i)
        ease += f[i] * f[i] / m.inertia[i];
    double hit = upper / rate, rough = 0;
    assert_true(hit > 0 && hit < until);
    begin(&m, exact);
    for (int i = 0; i < 3; ++i)
    {
        rough = fmax(rough, (1 + e) * rate * fabs(f[i]) / (ease * m.inertia[i]));
        exact[MOST + i] = start[i] - (1 + e) * rate * f[i] / (ease * m.inertia[i]);
        exact[i] = start[i] * hit + exact[MOST + i] * (until - hit);
    }
    check_order(&m, until, steps, exact, 1e-9, rough);
    world_free(&m.w);
}

static void limits_bounce(void **state)
{
    (void)state;
    static const double F[] = {1, 0.6, -2}, START[] = {4, 1, -1};
    for (int k = 0; k < 4; ++k)
        reach_limit(F, START, 1.3 + 0.37 * k, k == 0 ? 0 : 0.25 * k, 0.8, 23 + k);
}

/* The limit lies many turns away, and turns of the parts are no multiples of each other. */
static void turns_are_counted(void **state)
{
    (void)state;
    static const double F[] = {1.7, 1, -0.4}, START[] = {30, 20, -10};
    reach_limit(F, START, 61.3, 0.5, 1.2, 90);
    reach_limit(F, START, 61.3, 0, 1.2, 90);
}

/* All solvers find the same impact. */
static void every_solver(void **state)
{
    (void)state;
    static const double F[] = {1, 0.6, -2}, START[] = {4, 1, -1};
    cairn_coordinate_options o = cairn_coordinate_default();
    o.upper = 0.9;
    o.restitution = 0.5;
    o.friction = 0.2;
    machine m = make(3, 3, F, START, true);
    couple(&m, NULL, &o);
    outcome exact = run(&m, CAIRN_INTEGRATOR_STIFF, CAIRN_SOLVER_AUTO, 100, 0.5);
    for (int solver = CAIRN_SOLVER_AUTO + 1; solver < CAIRN_SOLVER_KINDS; ++solver)
    {
        outcome end = run(&m, CAIRN_INTEGRATOR_STIFF, (cairn_solver_kind)solver, 100, 0.5);
        for (int i = 0; i < 3; ++i)
            assert_near(end.x[i], exact.x[i], 1e-6);
    }
    world_free(&m.w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_held_sum),
        cmocka_unit_test(a_moved_sum),
        cmocka_unit_test(springs_and_forces),
        cmocka_unit_test(any_stiffness),
        cmocka_unit_test(friction_along_the_sum),
        cmocka_unit_test(limits_bounce),
        cmocka_unit_test(turns_are_counted),
        cmocka_unit_test(every_solver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
