/* Closed loops: redundant equations and singular positions, against one-degree-of-freedom motions that are derived from the kinematics in
 * closed form and share no code with the library:
 *
 *     M(q) q'' + M'(q) q'^2 / 2 + V'(q) = 0 ,    M = sum m |dx/dq|^2 ,    V = - sum m g.x
 *
 * over the points x(q) of the links, each a uniform bar that three or seven points replace, integrated by Runge and Kutta's method. */
#include "support/check.h"
#include "support/worlds.h"

#include <lapacke.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846, G = 9.81;

enum
{
    MOST_POINTS = 64
};

/* -------------------------------------------------------------------------------------- one degree of freedom */

typedef struct reduced
{
    int count;
    double mass[MOST_POINTS], gravity[3];
    void (*place)(double q, double (*x)[3]);
} reduced;

/* Differences of order 4. */
static double slope(const double f[4], double d)
{
    return (8 * (f[2] - f[1]) - (f[3] - f[0])) / (12 * d);
}

static double potential(const reduced *r, double q)
{
    double x[MOST_POINTS][3], sum = 0;
    r->place(q, x);
    for (int i = 0; i < r->count; ++i)
        for (int k = 0; k < 3; ++k)
            sum -= r->mass[i] * r->gravity[k] * x[i][k];
    return sum;
}

static double inertia(const reduced *r, double q)
{
    const double d = 1e-3, at[4] = {-2 * d, -d, d, 2 * d};
    double x[4][MOST_POINTS][3], sum = 0;
    for (int j = 0; j < 4; ++j)
        r->place(q + at[j], x[j]);
    for (int i = 0; i < r->count; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            double f[4] = {x[0][i][k], x[1][i][k], x[2][i][k], x[3][i][k]}, rate = slope(f, d);
            sum += r->mass[i] * rate * rate;
        }
    }
    return sum;
}

static double acceleration(const reduced *r, double q, double rate)
{
    const double d = 2e-3, at[4] = {-2 * d, -d, d, 2 * d};
    double V[4], M[4];
    for (int j = 0; j < 4; ++j)
    {
        V[j] = potential(r, q + at[j]);
        M[j] = inertia(r, q + at[j]);
    }
    return -(slope(V, d) + 0.5 * slope(M, d) * rate * rate) / inertia(r, q);
}

/* Runge and Kutta's step. */
static void advance(const reduced *r, double h, double *q, double *rate)
{
    double dq[4], dr[4];
    static const double AT[4] = {0, 0.5, 0.5, 1}, SHARE[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    double q0 = *q, r0 = *rate;
    for (int i = 0; i < 4; ++i)
    {
        double a = i ? AT[i] * h * dq[i - 1] : 0, b = i ? AT[i] * h * dr[i - 1] : 0;
        dq[i] = r0 + b;
        dr[i] = acceleration(r, q0 + a, dq[i]);
        *q += SHARE[i] * h * dq[i];
        *rate += SHARE[i] * h * dr[i];
    }
}

static void advance_by(const reduced *r, double time, double *q, double *rate)
{
    int steps = (int)ceil(time / 2.5e-3);
    for (int i = 0; i < steps; ++i)
        advance(r, time / steps, q, rate);
}

/* ------------------------------------------------------------------------------------------------------ machines */

static bool is_long(void)
{
    return getenv("CAIRN_LONG");
}

static void begin(world *w, const char *text, const char *integrator, double h)
{
    *w = (world){.context = cairn_context_create()};
    if (cairn_scene_parse(w->context, "loop", text, strlen(text), NULL, 0, &w->scene))
        fail_msg("%s", cairn_context_last_message(w->context));
    cairn_settings settings = cairn_scene_settings(w->scene);
    assert_true(cairn_integrator_parse(integrator, &settings.integrator));
    settings.step = h;
    world_start(w, &settings);
}

static cairn_joint_state hinge(const world *w, const char *name)
{
    return cairn_simulation_joint_state(w->simulation, cairn_model_find_joint(world_model(w), name));
}

/* Points that replace a bar from a to b: its ends and its middle; masses m/6, 2m/3, m/6. */
static void place_bar(const double a[3], const double b[3], double (*x)[3])
{
    for (int k = 0; k < 3; ++k)
    {
        x[0][k] = a[k];
        x[1][k] = 0.5 * (a[k] + b[k]);
        x[2][k] = b[k];
    }
}

static void weigh_bars(reduced *r, int bars, const double *mass)
{
    r->count = 3 * bars;
    for (int i = 0; i < bars; ++i)
        for (int k = 0; k < 3; ++k)
            r->mass[3 * i + k] = mass[i] * (k == 1 ? 2. / 3 : 1. / 6);
}

/* --------------------------------------------------------------------------------------------------- N four-bars */

/* N windows of links of 1 m and 1 kg whose cranks stand at an angle from the vertical and turn at a rate. */
static char *windows(int n, double angle, double rate, double gravity)
{
    size_t room = 1000 * (size_t)(n + 2);
    char *text = malloc(room);
    assert_non_null(text);
    double s = sin(angle), c = cos(angle);
    int end = snprintf(text, room, "cairn: 1\ndimension: 2\ngravity: [0, %.17g]\nbodies:\n", -gravity);
    for (int i = 0; i <= n; ++i)
        end += snprintf(text + end, room - (size_t)end,
                        "  - {name: crank%d, mass: 1, inertia: 1/12, angle: %.17g, position: [%.17g, %.17g], velocity: "
                        "[%.17g, %.17g], angular_velocity: %.17g}\n",
                        i, -angle, i + 0.5 * s, 0.5 * c, 0.5 * rate * c, -0.5 * rate * s, -rate);
    for (int i = 0; i < n; ++i)
        end +=
            snprintf(text + end, room - (size_t)end,
                     "  - {name: bar%d, mass: 1, inertia: 1/12, position: [%.17g, %.17g], velocity: [%.17g, %.17g]}\n",
                     i, i + 0.5 + s, c, rate * c, -rate * s);
    end += snprintf(text + end, room - (size_t)end, "joints:\n");
    for (int i = 0; i <= n; ++i)
        end += snprintf(text + end, room - (size_t)end,
                        "  - {name: A%d, type: revolute, bodies: [world, crank%d], points: [[%d, 0], [0, -0.5]]}\n", i,
                        i, i);
    for (int i = 0; i < n; ++i)
        end += snprintf(text + end, room - (size_t)end,
                        "  - {name: B%d, type: revolute, bodies: [crank%d, bar%d], points: [[0, 0.5], [-0.5, 0]]}\n"
                        "  - {name: C%d, type: revolute, bodies: [bar%d, crank%d], points: [[0.5, 0], [0, 0.5]]}\n",
                        i, i, i, i, i, i + 1);
    snprintf(text + end, room - (size_t)end, "simulation: {step: 0.01, until: 10}\n");
    return text;
}

/* (M/M) phi'' = g sin(phi) (a/b): all cranks turn alike, and the bars move along. */
static double windows_acceleration(int n, double gravity, double phi)
{
    return gravity * sin(phi) * ((n + 1) / 2. + n) / ((n + 1) / 3. + n);
}

static void advance_windows(int n, double gravity, double h, double *phi, double *rate)
{
    enum
    {
        PARTS = 8
    };
    for (int k = 0; k < PARTS; ++k)
    {
        double d = h / PARTS, a[4], v[4];
        v[0] = *rate;
        a[0] = windows_acceleration(n, gravity, *phi);
        v[1] = *rate + 0.5 * d * a[0];
        a[1] = windows_acceleration(n, gravity, *phi + 0.5 * d * v[0]);
        v[2] = *rate + 0.5 * d * a[1];
        a[2] = windows_acceleration(n, gravity, *phi + 0.5 * d * v[1]);
        v[3] = *rate + d * a[2];
        a[3] = windows_acceleration(n, gravity, *phi + d * v[2]);
        *phi += d * (v[0] + 2 * v[1] + 2 * v[2] + v[3]) / 6;
        *rate += d * (a[0] + 2 * a[1] + 2 * a[2] + a[3]) / 6;
    }
}

typedef struct outcome
{
    double error, drift, jump, loose; /* of the angle; J; of the rate between steps; m, of the joints */
    int passes;                       /* of the horizontal */
} outcome;

/* Run windows, and compare every step with the motion in one degree of freedom. */
static outcome run_windows(int n, double angle, double gravity, const char *integrator, double h, double until)
{
    double phi = angle, rate = 1, before = 1;
    char *text = windows(n, angle, rate, gravity);
    world w;
    outcome o = {0};
    begin(&w, text, integrator, h);
    double energy = cairn_simulation_energy(w.simulation).total;
    for (int i = 0; i < (int)lround(until / h); ++i)
    {
        double last = phi;
        world_step(&w);
        advance_windows(n, gravity, h, &phi, &rate);
        o.passes += floor(phi / PI - 0.5) != floor(last / PI - 0.5);
        for (int k = 0; k <= n; k += n)
        {
            char name[24];
            snprintf(name, sizeof name, "A%d", k);
            o.error = fmax(o.error, fabs(-hinge(&w, name).coordinate[0] - (phi - angle)));
        }
        double now = -hinge(&w, "A0").rate[0];
        o.jump = fmax(o.jump, fabs(now - before) / h);
        before = now;
        o.drift = fmax(o.drift, fabs(cairn_simulation_energy(w.simulation).total - energy));
        o.loose = fmax(o.loose, cairn_simulation_report(w.simulation)->joint_error);
    }
    world_free(&w);
    free(text);
    print_message("N = %d, %s, h = %g: %d passes, angle %.1e, energy %.1e J, joints %.1e, largest acceleration %.3f\n",
                  n, integrator, h, o.passes, o.error, o.drift, o.loose, o.jump);
    return o;
}

/* Problem A02 of the IFToMM benchmarks: 10 s within 0.1 J. The links pass the horizontal, where N equations depend on the others, without
 * a jump: rates change by no more than the largest acceleration of the reduced motion. */
static void windows_pass_singular_positions(void **state)
{
    (void)state;
    static const int COUNT[] = {2, 10, 40};
    for (int i = 0; i < 3; ++i)
    {
        int n = COUNT[i];
        double until = is_long() || n == 2 ? 10 : n == 10 ? 4 : 0.8, h = n == 40 ? 0.002 : 0.004;
        outcome o = run_windows(n, 0, G, "stiff2", h, until);
        double most = G * ((n + 1) / 2. + n) / ((n + 1) / 3. + n);
        assert_true(o.passes >= (n == 40 ? 1 : 4));
        assert_true(o.drift < 0.1);
        assert_true(o.loose < 1e-6);
        assert_true(o.jump < 1.01 * most);
        assert_true(o.error < 10 * h * h * fmax(until, 1));
    }
}

/* Order 2 under stiff2 and 1 under stiff, across two singular positions, wherever these fall within a step. */
static void windows_have_their_order(void **state)
{
    (void)state;
    for (int n = 1; n <= 3; ++n)
    {
        double second = run_windows(n, 0.02 * n, G, "stiff2", 0.008, 2).error;
        assert_true(run_windows(n, 0.02 * n, G, "stiff2", 0.004, 2).error < 0.3 * second);
        double first = run_windows(n, 0.02 * n, G, "stiff", 0.002, 2).error;
        assert_true(run_windows(n, 0.02 * n, G, "stiff", 0.001, 2).error < 0.65 * first);
    }
}

/* Without gravity the cranks turn evenly. Steps of a fraction of a quarter turn end in singular positions exactly, and motions start
 * in one. */
static void steps_end_in_singular_positions(void **state)
{
    (void)state;
    for (int n = 1; n <= 3; ++n)
    {
        for (int k = 50; k <= 100; k += 50)
        {
            outcome o = run_windows(n, 0, 0, "stiff2", 0.5 * PI / k, 2 * PI);
            assert_true(o.error < 1e-3 && o.drift < 1e-3 && o.passes >= 1);
            o = run_windows(n, 0.5 * PI, 0, "stiff2", 0.5 * PI / k, 2 * PI);
            assert_true(o.error < 1e-3 && o.drift < 1e-3);
        }
    }
}

/* ------------------------------------------------------------------------------------------------------- Bricard */

static void turn(int axis, double angle, double Q[9])
{
    double c = cos(angle), s = sin(angle), R[9] = {0}, out[9];
    int a = (axis + 1) % 3, b = (axis + 2) % 3;
    R[4 * axis] = 1;
    R[4 * a] = R[4 * b] = c;
    R[3 * a + b] = -s;
    R[3 * b + a] = s;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            out[3 * i + k] = Q[3 * i] * R[k] + Q[3 * i + 1] * R[3 + k] + Q[3 * i + 2] * R[6 + k];
    memcpy(Q, out, sizeof out);
}

/* The other angle of the orthogonal Bricard linkage: cos(a) + cos(b) + cos(a) cos(b) = 0 (Y. Chen, Z. You, T. Tarnai, Threefold-symmetric
 * Bricard linkages, 2005); hinges 0, 2, 4 turn by q = pi/2 - a, the others by pi/2 - b. */
static double other_turn(double q)
{
    return 0.5 * PI - acos(-sin(q) / (1 + sin(q)));
}

/* Seven points a rod, 1 m long with a section of 0.1 m: six of mass 1/8 on the axes, the rest in the middle. */
static void place_bricard(double q, double (*x)[3])
{
    static const int AXIS[5] = {1, 2, 0, 1, 2}, ALONG[5] = {0, 1, 2, 0, 1};
    static const double SIGN[5] = {1, -1, 1, -1, 1};
    double Q[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, P[3] = {0}, other = other_turn(q);
    for (int i = 0; i < 5; ++i, x += 7)
    {
        turn(AXIS[i], i % 2 ? other : q, Q);
        for (int k = 0; k < 3; ++k)
            x[0][k] = P[k] + 0.5 * SIGN[i] * Q[3 * k + ALONG[i]];
        for (int j = 0; j < 6; ++j)
        {
            double reach = (j % 2 ? 1 : -1) * (j / 2 == ALONG[i] ? 1 : 0.1) / sqrt(3);
            for (int k = 0; k < 3; ++k)
                x[j + 1][k] = x[0][k] + reach * Q[3 * k + j / 2];
        }
        for (int k = 0; k < 3; ++k)
            P[k] += SIGN[i] * Q[3 * k + ALONG[i]];
    }
}

/* The angle of hinge P0 at the end, against the reduced motion. */
static double run_bricard(const char *integrator, double h, double until, double limit)
{
    cairn_settings settings;
    world w = world_load("bricard", &settings, NULL, 0);
    reduced r = {.count = 35, .gravity = {0, -G, 0}, .place = place_bricard};
    double q = 0, rate = 0, error = 0, drift = 0, loose = 0, range = 0;
    for (int i = 0; i < 35; ++i)
        r.mass[i] = i % 7 ? 0.125 : 0.25;
    settings.step = h;
    assert_true(cairn_integrator_parse(integrator, &settings.integrator));
    world_start(&w, &settings);
    int steps = (int)lround(until / h), every = steps / 40 ? steps / 40 : 1;
    for (int i = 1; i <= steps; ++i)
    {
        world_step(&w);
        drift = fmax(drift, fabs(cairn_simulation_energy(w.simulation).total + 3 * G));
        loose = fmax(loose, cairn_simulation_report(w.simulation)->joint_error);
        assert_int_equal(cairn_simulation_report(w.simulation)->solver.null_space, 1);
        if (i % every)
            continue;
        advance_by(&r, every * h, &q, &rate);
        double now = hinge(&w, "P0").coordinate[0];
        error = fmax(error, fabs(now - q));
        range = fmax(range, fabs(now));
        assert_near(hinge(&w, "P3").coordinate[0], other_turn(now), 1e-6);
    }
    print_message("Bricard, %s, h = %g: angle %.1e (up to %.3f), energy %.1e J, joints %.1e\n", integrator, h, error,
                  range, drift, loose);
    assert_true(drift < limit);
    assert_true(loose < 1e-9);
    assert_true(range > 0.5 || until < 1);
    world_free(&w);
    return error;
}

/* Problem A04: 10 s from rest within 1 mJ. */
static void bricard_conserves_energy(void **state)
{
    (void)state;
    double coarse = run_bricard("stiff2", 0.02, 5, 2e-3);
    assert_true(run_bricard("stiff2", 0.01, 5, 1e-3) < 0.3 * coarse);
    assert_true(run_bricard("stiff2", is_long() ? 0.002 : 0.01, 10, is_long() ? 1e-4 : 1e-3) < coarse);
    double first = run_bricard("stiff", 0.004, 1, 1);
    assert_true(run_bricard("stiff", 0.002, 1, 0.5) < 0.6 * first);
}

/* ------------------------------------------------------------------------------------- linkages with one freedom */

/* D of Peaucellier's linkage is on its line after every step, whatever the steps. */
static void peaucellier_draws_a_line(void **state)
{
    (void)state;
    static const double STEPS[] = {0.01, 0.003};
    for (int i = 0; i < 2; ++i)
    {
        cairn_settings settings;
        world w = world_load("peaucellier", &settings, NULL, 0);
        double low = INFINITY, high = -INFINITY;
        settings.step = STEPS[i];
        settings.stabilisation = CAIRN_STABILISE_PROJECT;
        world_start(&w, &settings);
        for (int k = 0; k < (int)(3 / STEPS[i]); ++k)
        {
            world_step(&w);
            cairn_body_state rod = world_body(&w, "DA");
            /* from the middle of DA to D, turned with the rod */
            double half = PI / 6, oc = 2 * cos(half), od = 5.25 / oc, mid = 0.5 * (oc + od),
                   out = sqrt(6.25 - mid * mid);
            double to[2] = {0.5 * (od * cos(half) - (mid * cos(half) - out * sin(half))),
                            0.5 * (od * sin(half) - (mid * sin(half) + out * cos(half)))};
            double c = cos(rod.angle), s = sin(rod.angle);
            double x = rod.position[0] + c * to[0] - s * to[1], y = rod.position[1] + s * to[0] + c * to[1];
            assert_near(x, 2.625, 1e-9);
            low = fmin(low, y);
            high = fmax(high, y);
        }
        assert_near(high, 2.625 * tan(PI / 6), 1e-3);
        assert_near(low, -2.625 * tan(PI / 6), 1e-2);
        world_free(&w);
    }
}

/* Crank angle q and rocker angle from |A - B| = const: the branch on which the rocker starts upright. */
static void place_skew(double q, double (*x)[3])
{
    static const double O[3] = {0, 0, 0}, D[3] = {1, 0.3, 0};
    double A[3] = {0.4 * cos(q), 0.4 * sin(q), 0}, dx = 1 - A[0], dy = 0.3 - A[1];
    /* |(dx, dy - 0.8 s, 0.8 c)|^2 = 1.09 with the rocker turned by psi about x: s = sin psi */
    double s = (dx * dx + dy * dy + 0.64 - 1.09) / (1.6 * dy), B[3] = {1, 0.3 - 0.8 * s, 0.8 * sqrt(1 - s * s)};
    place_bar(O, A, x);
    place_bar(A, B, x + 3);
    place_bar(B, D, x + 6);
}

/* Crank and rocker about skew axes, against the reduced motion, until the crank nears its dead point. */
static void skew_crank_and_rocker(void **state)
{
    (void)state;
    static const double MASS[3] = {1, 2, 1};
    double error[2];
    for (int i = 0; i < 2; ++i)
    {
        cairn_settings settings;
        world w = world_load("four-bar-3d", &settings, NULL, 0);
        settings.step = i ? 0.002 : 0.004;
        world_start(&w, &settings);
        reduced r = {.gravity = {0, 0, -G}, .place = place_skew};
        weigh_bars(&r, 3, MASS);
        double q = 0, rate = hinge(&w, "crank hinge").rate[0];
        error[i] = 0;
        for (int k = 0; k < (int)lround(0.6 / settings.step); ++k)
        {
            world_step(&w);
            advance_by(&r, settings.step, &q, &rate);
            error[i] = fmax(error[i], fabs(hinge(&w, "crank hinge").coordinate[0] - q));
        }
        print_message("skew: h = %g, angle %.3f, error %.1e\n", settings.step, q, error[i]);
        world_free(&w);
    }
    assert_true(error[0] < 1e-3 && error[1] < 0.3 * error[0]);
}

/* ---------------------------------------------------------------------------------------- forces of redundant joints */

/* c of least norm with G'c = A v - p, by singular values: as the solver's. */
static void check_least_norm(const cairn_problem *problem, const cairn_solution *solution)
{
    int n = problem->n, m = problem->joint_rows, rank;
    double *M = calloc((size_t)(n * m), sizeof(double)), *right = calloc((size_t)(n > m ? n : m), sizeof(double));
    double *value = calloc((size_t)(n > m ? n : m), sizeof(double)), largest = 0;
    assert_true(M && right && value);
    for (int i = 0; i < problem->block_count; ++i)
        for (int e = problem->A.row_start[i]; e < problem->A.row_start[i + 1]; ++e)
        {
            int row = problem->block_start[i], column = problem->block_start[problem->A.column[e]];
            int rows = problem->block_start[i + 1] - row,
                columns = problem->block_start[problem->A.column[e] + 1] - column;
            for (int a = 0; a < rows; ++a)
                for (int b = 0; b < columns; ++b)
                    right[row + a] +=
                        problem->A.value[problem->A.value_start[e] + a * columns + b] * solution->v[column + b];
        }
    for (int i = 0; i < n; ++i)
        right[i] -= problem->p[i];
    for (int i = 0; i < problem->G.item_count; ++i)
        for (int e = problem->G.entry_start[i]; e < problem->G.entry_start[i + 1]; ++e)
        {
            int first = problem->block_start[problem->G.block[e]];
            int size = problem->block_start[problem->G.block[e] + 1] - first;
            for (int k = 0; k < problem->G.row_start[i + 1] - problem->G.row_start[i]; ++k)
                for (int a = 0; a < size; ++a)
                    M[(first + a) * m + problem->G.row_start[i] + k] =
                        problem->G.value[problem->G.value_start[e] + k * size + a];
        }
    assert_int_equal(LAPACKE_dgelsd(LAPACK_ROW_MAJOR, n, m, 1, M, m, right, 1, value, 1e-8, &rank), 0);
    assert_true(rank < m);
    for (int i = 0; i < m; ++i)
        largest = fmax(largest, fabs(right[i]));
    for (int i = 0; i < m; ++i)
        assert_near(solution->c[i], right[i], 1e-8 * largest);
    free(M);
    free(right);
    free(value);
}

/* A bar on five parallel cranks with hinges in space: 50 equations, of which 35 are independent. */
static void parallel_cranks_share_by_least_norm(void **state)
{
    (void)state;
    static const char *const INTEGRATORS[] = {"stiff", "stiff2"};
    char text[4000];
    int end = snprintf(
        text, sizeof text,
        "cairn: 1\ndimension: 3\nbodies:\n  - {name: bar, mass: 3, inertia: [0.01, 4, 4], position: [2, 0, 1], "
        "velocity: [1.5, 0, 0]}\n");
    for (int i = 0; i < 5; ++i)
        end += snprintf(
            text + end, sizeof text - (size_t)end,
            "  - {name: c%d, mass: 1, inertia: [0.09, 0.09, 0.01], position: [%d, 0, 0.5], velocity: [0.75, 0, "
            "0], angular_velocity: [0, 1.5, 0]}\n",
            i, i);
    end += snprintf(text + end, sizeof text - (size_t)end, "joints:\n");
    for (int i = 0; i < 5; ++i)
        end += snprintf(text + end, sizeof text - (size_t)end,
                        "  - {name: A%d, type: revolute, bodies: [world, c%d], at: [%d, 0, 0], axis: [0, 1, 0]}\n"
                        "  - {name: B%d, type: revolute, bodies: [c%d, bar], at: [%d, 0, 1], axis: [0, 1, 0]}\n",
                        i, i, i, i, i, i);
    snprintf(text + end, sizeof text - (size_t)end, "simulation: {step: 0.01, until: 1}\n");
    for (int i = 0; i < 2; ++i)
    {
        world w;
        begin(&w, text, INTEGRATORS[i], 0.01);
        for (int k = 0; k < 60; ++k)
        {
            world_step(&w);
            const cairn_solver_report *report = &cairn_simulation_report(w.simulation)->solver;
            assert_int_equal(report->null_space, 50 - 35);
            assert_true(report->chosen_forces);
            check_least_norm(cairn_simulation_problem(w.simulation), cairn_simulation_solution(w.simulation));
        }
        world_free(&w);
    }
}

/* Windows with hinges in space: three equations of each depend on the others, from the first step on, at which the cranks are upright and bars
 * do not move up or down. */
static void windows_in_space_are_redundant(void **state)
{
    (void)state;
    enum
    {
        WINDOWS = 10
    };
    char text[9000];
    int end = snprintf(text, sizeof text, "cairn: 1\ndimension: 3\ngravity: [0, -9.81, 0]\nbodies:\n");
    for (int i = 0; i <= WINDOWS; ++i)
        end += snprintf(text + end, sizeof text - (size_t)end,
                        "  - {name: crank%d, mass: 1, inertia: [1/12, 0.001, 1/12], position: [%d, 0.5, 0], velocity: "
                        "[0.5, 0, 0], angular_velocity: [0, 0, -1]}\n",
                        i, i);
    for (int i = 0; i < WINDOWS; ++i)
        end += snprintf(text + end, sizeof text - (size_t)end,
                        "  - {name: bar%d, mass: 1, inertia: [0.001, 1/12, 1/12], position: [%d + 0.5, 1, 0], "
                        "velocity: [1, 0, 0]}\n",
                        i, i);
    end += snprintf(text + end, sizeof text - (size_t)end, "joints:\n");
    for (int i = 0; i <= WINDOWS; ++i)
        end += snprintf(text + end, sizeof text - (size_t)end,
                        "  - {name: A%d, type: revolute, bodies: [world, crank%d], at: [%d, 0, 0], axis: [0, 0, 1]}\n",
                        i, i, i);
    for (int i = 0; i < WINDOWS; ++i)
        end += snprintf(text + end, sizeof text - (size_t)end,
                        "  - {name: B%d, type: revolute, bodies: [crank%d, bar%d], at: [%d, 1, 0], axis: [0, 0, 1]}\n"
                        "  - {name: C%d, type: revolute, bodies: [bar%d, crank%d], at: [%d, 1, 0], axis: [0, 0, 1]}\n",
                        i, i, i, i, i, i, i + 1, i + 1);
    end += snprintf(text + end, sizeof text - (size_t)end, "simulation: {step: 0.004, until: 1}\n");
    assert_true(end < (int)sizeof text);
    world w;
    begin(&w, text, "stiff2", 0.004);
    for (int k = 0; k < 40; ++k)
    {
        world_step(&w);
        const cairn_solver_report *report = &cairn_simulation_report(w.simulation)->solver;
        assert_int_equal(report->null_space, 3 * WINDOWS);
        assert_true(report->chosen_forces);
        if (k % 10 == 0)
            check_least_norm(cairn_simulation_problem(w.simulation), cairn_simulation_solution(w.simulation));
    }
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_pass_singular_positions),
        cmocka_unit_test(windows_have_their_order),
        cmocka_unit_test(steps_end_in_singular_positions),
        cmocka_unit_test(bricard_conserves_energy),
        cmocka_unit_test(peaucellier_draws_a_line),
        cmocka_unit_test(skew_crank_and_rocker),
        cmocka_unit_test(parallel_cranks_share_by_least_norm),
        cmocka_unit_test(windows_in_space_are_redundant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
