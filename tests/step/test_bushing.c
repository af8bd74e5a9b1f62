/* Bushings: full matrices of stiffness and damping between two bodies, against statics and vibrations by hand. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

static const cairn_integrator SCHEMES[] = {CAIRN_INTEGRATOR_EULER, CAIRN_INTEGRATOR_STIFF, CAIRN_INTEGRATOR_STIFF2};

/* size (1 + X X') with entries of both signs off the diagonal. */
static void random_definite(uint64_t *seed, int n, double size, double *out)
{
    double X[36];
    for (int i = 0; i < n * n; ++i)
        X[i] = random_in(seed, -0.5, 0.5);
    for (int i = 0; i < n * n; ++i)
    {
        out[i] = i / n == i % n ? size : 0.0;
        for (int k = 0; k < n; ++k)
            out[i] += size * X[i / n * n + k] * X[i % n * n + k];
    }
}

typedef struct mount
{
    world w;
    cairn_body body;
    cairn_joint joint;
} mount;

/* A body of mass 2 and inertia 0.5 at the origin, held there by a bushing of the world. Without gravity. */
static mount make(int dimension, const double *K, const double *C, const double velocity[3], const double spin[3])
{
    mount m = {.w = world_new(dimension)};
    cairn_body_options b = cairn_body_default();
    b.name = "part";
    b.mass = 2;
    for (int k = 0; k < 3; ++k)
    {
        b.inertia[k] = 0.5;
        b.velocity[k] = velocity[k];
        b.angular_velocity[k] = spin[k];
    }
    assert_int_equal(cairn_model_add_body(m.w.model, &b, &m.body), CAIRN_OK);
    cairn_joint_options j = cairn_joint_default(CAIRN_JOINT_BUSHING);
    j.name = "mount";
    j.b.body = m.body;
    j.stiffness_matrix = K;
    j.damping_matrix = C;
    assert_int_equal(cairn_model_add_joint(m.w.model, &j, &m.joint), CAIRN_OK);
    cairn_model_set_gravity(m.w.model, (double[3]){0, 0, 0});
    return m;
}

/* Displacement of the body: translation, then the rotation vector, or in the plane the angle. */
static void displacement(const mount *m, int dimension, double u[6])
{
    cairn_body_state s = world_body(&m->w, "part");
    memcpy(u, s.position, (size_t)dimension * sizeof(double));
    if (dimension == 2)
    {
        u[2] = s.angle;
        return;
    }
    double sine = sqrt(s.orientation[1] * s.orientation[1] + s.orientation[2] * s.orientation[2] +
                       s.orientation[3] * s.orientation[3]);
    double angle = 2 * atan2(sine, s.orientation[0]);
    for (int k = 0; k < 3; ++k)
        u[3 + k] = sine > 0 ? s.orientation[1 + k] / sine * angle : 0.0;
}

static void start(mount *m, cairn_integrator integrator, double h)
{
    cairn_settings settings = cairn_settings_default();
    settings.integrator = integrator;
    settings.step = h;
    world_start(&m->w, &settings);
}

static void check_account(const mount *m)
{
    cairn_audit_totals totals = cairn_simulation_audit(m->w.simulation);
    for (int k = 0; k < CAIRN_VIOLATION_KINDS; ++k)
        assert_int_equal(totals.count[k], 0);
    const cairn_energy *energy = &cairn_simulation_report(m->w.simulation)->energy;
    assert_near(energy->balance_error, 0, 1e-9 * (1 + energy->total));
}

/* A constant load comes to rest where K u is the load: every displacement has parts along all axes. Small ones, so that the moment
 * along phi is that about the axes. */
static void loads_are_carried(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int dimension = 2; dimension <= 3; ++dimension)
        for (int i = 0; i < 3; ++i)
        {
            int n = dimension == 2 ? 3 : 6;
            double K[36], C[36], u[6], load[6];
            const double zero[3] = {0};
            random_definite(&seed, n, 3e4, K);
            random_definite(&seed, n, 2e3, C);
            mount m = make(dimension, K, C, zero, zero);
            char text[6][32];
            cairn_force_options f = cairn_force_default();
            cairn_force handle;
            f.name = "load";
            f.body = m.body;
            for (int k = 0; k < n; ++k)
            {
                load[k] = random_in(&seed, -0.02, 0.02);
                snprintf(text[k], sizeof text[k], "%.17g", load[k]);
                (k < dimension ? f.force : f.torque)[dimension == 2 ? k : k % 3] = text[k];
            }
            assert_int_equal(cairn_model_add_force(m.w.model, &f, &handle), CAIRN_OK);
            start(&m, SCHEMES[i], 0.02);
            world_run(&m.w, 400);
            displacement(&m, dimension, u);
            for (int r = 0; r < n; ++r)
            {
                double sum = 0;
                for (int k = 0; k < n; ++k)
                    sum += K[r * n + k] * u[k];
                assert_near(sum, load[r], 1e-7);
            }
            check_account(&m);
            world_free(&m.w);
        }
}

/* With K and M known, x'' = -(k/m) x along an eigenvector of M^-1 K. K is made of a vector e that is one: K = k M e e'M + 1 (the rest),
 * so that e vibrates with the frequency sqrt(k) when e'M e = 1. */
static void vibrations_are_in_tune(void **state)
{
    (void)state;
    const double M[6] = {2, 2, 2, 0.5, 0.5, 0.5}, shape[6] = {0.3, -0.5, 0.2, 0.6, 0.4, -0.7}, k = 300;
    double e[6], K[36], norm = 0, size = 1e-4, u[6];
    for (int i = 0; i < 6; ++i)
        norm += M[i] * shape[i] * shape[i];
    for (int i = 0; i < 6; ++i)
        e[i] = shape[i] / sqrt(norm);
    for (int i = 0; i < 36; ++i)
        K[i] = (k - 40) * M[i / 6] * e[i / 6] * M[i % 6] * e[i % 6] + (i / 6 == i % 6 ? 40 * M[i / 6] : 0.0);
    double velocity[3], spin[3], until = 1.3, expected = 0;
    for (int i = 0; i < 3; ++i)
    {
        velocity[i] = size * e[i] * sqrt(k);
        spin[i] = size * e[3 + i] * sqrt(k);
    }
    for (int finer = 0; finer < 3; ++finer)
    {
        int steps = 200 << finer;
        mount m = make(3, K, NULL, velocity, spin);
        start(&m, CAIRN_INTEGRATOR_STIFF2, until / steps);
        world_run(&m.w, steps);
        displacement(&m, 3, u);
        double error = 0;
        for (int i = 0; i < 6; ++i)
            error = fmax(error, fabs(u[i] - size * e[i] * sin(sqrt(k) * until)) / size);
        if (finer > 0)
            assert_true(error < 0.3 * expected);
        assert_true(error < 0.2);
        expected = error;
        check_account(&m);
        world_free(&m.w);
    }
}

/* Large turns: a bushing stores phi'K phi/2, whose maximum in a free swing about a principal axis is the kinetic energy at the start. */
static void large_turns_keep_the_energy(void **state)
{
    (void)state;
    const double K[6] = {1e3, 1e3, 1e3, 6, 4, 9}, zero[3] = {0}, spin[3] = {3, -4, 2};
    double full[36] = {0}, drift[2];
    for (int i = 0; i < 6; ++i)
        full[i * 7] = K[i];
    for (int finer = 0; finer < 2; ++finer)
    {
        mount m = make(3, full, NULL, zero, spin);
        start(&m, CAIRN_INTEGRATOR_STIFF2, 0.004 / (1 << finer));
        double before = 0.25 * (9 + 16 + 4);
        world_run(&m.w, 250 << finer);
        const cairn_energy *energy = &cairn_simulation_report(m.w.simulation)->energy;
        assert_true(energy->elastic > 0.5);
        drift[finer] = fabs(energy->total - before);
        check_account(&m);
        world_free(&m.w);
    }
    assert_true(drift[0] < 0.02 && drift[1] < 0.3 * drift[0]);
}

/* In the limit of a large stiffness, a bushing is a weld: the displacement under a load falls as 1/k, at any step. */
static void stiff_bushings_are_welds(void **state)
{
    (void)state;
    const double zero[3] = {0}, velocity[3] = {0.3, -0.2, 0.1};
    for (int i = 0; i < 3; ++i)
        for (double k = 1e6; k <= 1e12; k *= 1e3)
        {
            uint64_t seed = 11;
            double K[36], u[6], size = 0;
            random_definite(&seed, 6, k, K);
            mount m = make(3, K, NULL, velocity, zero);
            cairn_model_set_gravity(m.w.model, (double[3]){0, 0, -9.81});
            start(&m, SCHEMES[i], 0.01);
            world_run(&m.w, 300);
            displacement(&m, 3, u);
            for (int r = 0; r < 6; ++r)
                size = fmax(size, fabs(u[r]));
            assert_true(size < 2 * 2 * 9.81 / k);
            cairn_joint_state joint = cairn_simulation_joint_state(m.w.simulation, m.joint);
            assert_near(joint.force[2], 2 * 9.81, 1e-6);
            world_free(&m.w);
        }
}

/* A matrix of rank 1 leaves all else free; one damped direction has no spring. */
static void what_nothing_holds_is_free(void **state)
{
    (void)state;
    double K[9] = {0}, C[9] = {0}, u[6];
    K[0] = 500;
    C[4] = 4;
    mount m = make(2, K, C, (double[3]){0, 2, 0}, (double[3]){0, 0, 3});
    start(&m, CAIRN_INTEGRATOR_STIFF2, 0.001);
    world_run(&m.w, 500);
    displacement(&m, 2, u);
    assert_near(u[0], 0, 1e-12);
    assert_near(u[1], 2 * (1 - exp(-2 * 0.5)) / 2, 1e-6);
    assert_near(u[2], 1.5, 1e-12);
    world_free(&m.w);
}

/* Between two free bodies that are turned anyhow, momentum and angular momentum stay, whatever the matrices. */
static void two_bodies_keep_their_momentum(void **state)
{
    (void)state;
    uint64_t seed = 3;
    double K[36], C[36];
    random_definite(&seed, 6, 200, K);
    random_definite(&seed, 6, 3, C);
    world w = world_new(3);
    cairn_body body[2];
    cairn_joint joint;
    for (int i = 0; i < 2; ++i)
    {
        cairn_body_options b = cairn_body_default();
        b.name = i == 0 ? "one" : "two";
        b.mass = 1 + i;
        for (int k = 0; k < 3; ++k)
        {
            b.inertia[k] = 0.4 + 0.2 * i;
            b.position[k] = random_in(&seed, -1, 1);
            b.velocity[k] = random_in(&seed, -1, 1);
            b.angular_velocity[k] = random_in(&seed, -1, 1);
        }
        for (int k = 0; k < 4; ++k)
            b.orientation[k] = random_in(&seed, -1, 1);
        assert_int_equal(cairn_model_add_body(w.model, &b, &body[i]), CAIRN_OK);
    }
    cairn_joint_options j = cairn_joint_default(CAIRN_JOINT_BUSHING);
    j.name = "mount";
    j.a = (cairn_attachment){.body = body[0], .point = {0.2, 0.1, -0.3}};
    j.b = (cairn_attachment){.body = body[1], .point = {-0.4, 0.3, 0.1}}; /* apart: at rest all the same */
    j.stiffness_matrix = K;
    j.damping_matrix = C;
    assert_int_equal(cairn_model_add_joint(w.model, &j, &joint), CAIRN_OK);
    cairn_model_set_gravity(w.model, (double[3]){0, 0, 0});
    cairn_settings settings = cairn_settings_default();
    settings.integrator = CAIRN_INTEGRATOR_STIFF2;
    settings.step = 0.005;
    world_start(&w, &settings);
    assert_near(cairn_simulation_report(w.simulation)->energy.elastic, 0, 1e-25);
    double before[3];
    for (int k = 0; k < 3; ++k)
        before[k] = world_body(&w, "one").velocity[k] + 2 * world_body(&w, "two").velocity[k];
    world_run(&w, 400);
    for (int k = 0; k < 3; ++k)
        assert_near(world_body(&w, "one").velocity[k] + 2 * world_body(&w, "two").velocity[k], before[k], 1e-12);
    cairn_audit_totals totals = cairn_simulation_audit(w.simulation);
    for (int k = 0; k < CAIRN_VIOLATION_KINDS; ++k)
        assert_int_equal(totals.count[k], 0);
    world_free(&w);
}

static void refuse(const double *K, const double *C, double stiffness, const char *expected)
{
    world w = world_new(2);
    cairn_body_options b = cairn_body_default();
    cairn_body body;
    cairn_joint joint;
    b.name = "part";
    b.mass = b.inertia[2] = 1;
    assert_int_equal(cairn_model_add_body(w.model, &b, &body), CAIRN_OK);
    cairn_joint_options j = cairn_joint_default(CAIRN_JOINT_BUSHING);
    j.name = "mount";
    j.b.body = body;
    j.stiffness_matrix = K;
    j.damping_matrix = C;
    j.stiffness = stiffness;
    assert_int_equal(cairn_model_add_joint(w.model, &j, &joint), CAIRN_INVALID);
    const char *text = cairn_context_last_message(w.context);
    if (!strstr(text, expected))
        fail_msg("'%s' does not contain '%s'", text, expected);
    world_free(&w);
}

static void faults_are_named(void **state)
{
    (void)state;
    const double good[9] = {2, 1, 0, 1, 2, 0, 0, 0, 3}, skew[9] = {2, 1, 0, -1, 2, 0, 0, 0, 3};
    const double indefinite[9] = {2, 3, 0, 3, 2, 0, 0, 0, 3}, nothing[9] = {0};
    refuse(NULL, NULL, 0, "'mount': a bushing needs a stiffness_matrix other than 0");
    refuse(nothing, good, 0, "needs a stiffness_matrix other than 0");
    refuse(skew, NULL, 0,
           "stiffness_matrix: must be symmetric, but has 1 in row 1, column 2, and -1 in row 2, column 1");
    refuse(indefinite, NULL, 0, "stiffness_matrix: must be positive semidefinite");
    refuse(good, indefinite, 0, "damping_matrix: must be positive semidefinite");
    refuse(good, NULL, 5, "no numbers in their place");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_are_carried),
        cmocka_unit_test(vibrations_are_in_tune),
        cmocka_unit_test(large_turns_keep_the_energy),
        cmocka_unit_test(stiff_bushings_are_welds),
        cmocka_unit_test(what_nothing_holds_is_free),
        cmocka_unit_test(two_bodies_keep_their_momentum),
        cmocka_unit_test(faults_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
