/* Redundant contacts and joints of whole scenes: tables on legs, a table on nails, a four-bar linkage, and the sliding table of
 * Preclik et al. 2011, section 3. Truths: symmetry, LAPACK's pseudo-inverse, the same linkage in the plane, closed forms and
 * values computed apart. */
#include "support/check.h"
#include "support/problems/dense.h"
#include "support/worlds.h"

#include <lapacke.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static world load(const char *name, int steps)
{
    cairn_settings settings;
    world w = world_load(name, &settings, NULL, 0);
    world_start(&w, &settings);
    world_run(&w, steps);
    return w;
}

static const cairn_solver_report *report_of(const world *w)
{
    return &cairn_simulation_report(w->simulation)->solver;
}

/* ------------------------------------------------------------------------------------------------ tables at rest */

static void check_equal_legs(const char *name, int legs, int null_space)
{
    world w = load(name, 20);
    assert_int_equal(cairn_simulation_contact_count(w.simulation), legs);
    for (int j = 0; j < legs; ++j)
    {
        cairn_contact contact = cairn_simulation_contact(w.simulation, j);
        assert_near(contact.impulse[0], 8 * 9.81 * 0.01 / legs, 1e-12);
        assert_near(hypot(contact.impulse[1], contact.impulse[2]), 0, 1e-12);
    }
    assert_int_equal(report_of(&w)->null_space, null_space);
    assert_int_equal(report_of(&w)->velocity_null_space, 0);
    assert_true(report_of(&w)->chosen_forces);
    world_free(&w);
}

static void test_equal_legs(void **state)
{
    (void)state;
    check_equal_legs("table-4", 4, 12 - 6);
    check_equal_legs("table-8", 8, 24 - 6);
}

/* The least |x / sqrt(weight)| with J'x = force, by LAPACK's singular values. J: rows x n. */
static void pseudo_inverse(const double *J, int rows, int n, const double *weight, const double *force, double *x)
{
    double *matrix = calloc((size_t)(rows * n), sizeof(double));
    double *right = calloc((size_t)(rows > n ? rows : n), sizeof(double));
    double *values = calloc((size_t)(rows > n ? rows : n), sizeof(double));
    int rank;
    assert_true(matrix && right && values);
    for (int i = 0; i < rows; ++i)
        for (int k = 0; k < n; ++k)
            matrix[k * rows + i] = J[i * n + k] * sqrt(weight[i]);
    memcpy(right, force, (size_t)n * sizeof(double));
    assert_int_equal(LAPACKE_dgelsd(LAPACK_ROW_MAJOR, n, rows, 1, matrix, rows, right, 1, values, 1e-9, &rank), 0);
    for (int i = 0; i < rows; ++i)
        x[i] = right[i] * sqrt(weight[i]);
    free(matrix);
    free(right);
    free(values);
}

/* What the rows together give to the bodies: A v - p. */
static void find_force(const world *w, double *force)
{
    const cairn_problem *problem = cairn_simulation_problem(w->simulation);
    const cairn_solution *solution = cairn_simulation_solution(w->simulation);
    double *A = dense_matrix(problem);
    for (int i = 0; i < problem->n; ++i)
    {
        force[i] = -problem->p[i];
        for (int k = 0; k < problem->n; ++k)
            force[i] += A[i * problem->n + k] * solution->v[k];
    }
    free(A);
}

/* A load that is off the centre, and one leg stiffer: all legs stick well within their cones, so that the pseudo-inverse knows
 * the answer. */
static void test_weighted_legs(void **state)
{
    (void)state;
    cairn_parameter parameters[] = {{"weight", "5"}, {"load", "20"}};
    cairn_settings settings;
    world w = world_load("table-4", &settings, parameters, 2);
    world_start(&w, &settings);
    world_run(&w, 20);
    const cairn_problem *problem = cairn_simulation_problem(w.simulation);
    double *H = dense_rows(problem, &problem->H, 12);
    double force[6], weight[12], x[12];
    find_force(&w, force);
    for (int i = 0; i < 12; ++i)
    {
        double own = cairn_simulation_contact(w.simulation, i / 3).point[0] > 0 &&
                             cairn_simulation_contact(w.simulation, i / 3).point[1] > 0
                         ? 5.0
                         : 1.0;
        weight[i] = own / (own + 1); /* in series with the floor's */
    }
    pseudo_inverse(H, 12, 6, weight, force, x);
    double least = INFINITY, most = 0;
    for (int i = 0; i < 12; ++i)
    {
        assert_near(cairn_simulation_contact(w.simulation, i / 3).impulse[i % 3], x[i], 1e-11);
        least = i % 3 ? least : fmin(least, x[i]);
        most = i % 3 ? most : fmax(most, x[i]);
    }
    assert_true(most > 1.2 * least);
    free(H);
    world_free(&w);
}

/* Legs in any order, and the same run twice: the same forces at the same places. */
static world table_in_order(const int order[8], bool sliding)
{
    world w = world_new(3);
    cairn_material wood = add_material(w.model, "wood", 0.3, 0);
    cairn_material rough = add_material(w.model, "rough", 0.6, 0);
    add_ground(w.model, wood);
    cairn_body_options o = cairn_body_default();
    cairn_body table;
    o.name = "table";
    o.mass = 8;
    o.inertia[0] = o.inertia[1] = o.inertia[2] = 1;
    o.position[2] = 0.7;
    o.velocity[0] = sliding ? 1.0 : 0.0;
    o.angular_velocity[2] = sliding ? 0.3 : 0.0;
    assert_int_equal(cairn_model_add_body(w.model, &o, &table), CAIRN_OK);
    for (int i = 0; i < 8; ++i)
    {
        cairn_shape_options leg = cairn_shape_default(CAIRN_POINT);
        cairn_shape made;
        leg.position[0] = 0.6 * cos(order[i] * 0.7);
        leg.position[1] = 0.5 * sin(order[i] * 0.7);
        leg.position[2] = -0.7;
        leg.material = order[i] % 3 == 0 ? rough : wood;
        assert_int_equal(cairn_model_add_shape(w.model, table, &leg, &made), CAIRN_OK);
    }
    cairn_settings settings = cairn_settings_default();
    settings.solver.forces = CAIRN_FORCES_MINIMUM_NORM;
    world_start(&w, &settings);
    return w;
}

static void test_any_order(void **state)
{
    (void)state;
    static const int orders[3][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}, {5, 2, 7, 0, 3, 6, 1, 4}};
    for (int sliding = 0; sliding < 2; ++sliding)
    {
        world w[3];
        for (int k = 0; k < 3; ++k)
            w[k] = table_in_order(orders[k], sliding);
        for (int step = 0; step < 25; ++step)
        {
            for (int k = 0; k < 3; ++k)
            {
                world_step(&w[k]);
                assert_true(report_of(&w[k])->null_space > 0 && report_of(&w[k])->chosen_forces);
            }
            for (int i = 0; i < 8; ++i)
            {
                for (int component = 0; component < 3; ++component)
                {
                    double first = cairn_simulation_contact(w[0].simulation, i).impulse[component];
                    assert_near(cairn_simulation_contact(w[1].simulation, i).impulse[component], first, 0);
                    for (int j = 0; j < 8; ++j)
                        if (orders[2][j] == i)
                            assert_near(cairn_simulation_contact(w[2].simulation, j).impulse[component], first, 1e-9);
                }
            }
        }
        for (int k = 0; k < 3; ++k)
            world_free(&w[k]);
    }
}

/* ------------------------------------------------------------------------------------------------------- joints */

static void check_joints(const world *w, const double *weight)
{
    const cairn_problem *problem = cairn_simulation_problem(w->simulation);
    const cairn_solution *solution = cairn_simulation_solution(w->simulation);
    double *G = dense_rows(problem, &problem->G, problem->joint_rows);
    double *force = calloc((size_t)problem->n, sizeof(double));
    double *x = calloc((size_t)problem->joint_rows, sizeof(double));
    assert_true(force && x);
    find_force(w, force);
    pseudo_inverse(G, problem->joint_rows, problem->n, weight, force, x);
    for (int i = 0; i < problem->joint_rows; ++i)
        assert_near(solution->c[i], x[i], 1e-9);
    free(G);
    free(force);
    free(x);
}

static void test_nailed_table(void **state)
{
    (void)state;
    double weight[20];
    for (int stiffer = 0; stiffer < 2; ++stiffer)
    {
        cairn_parameter parameters[] = {{"weight", stiffer ? "4" : "1"}, {"wind", stiffer ? "30" : "0"}};
        cairn_settings settings;
        world w = world_load("nailed-table", &settings, parameters, 2);
        for (int i = 0; i < 20; ++i)
            weight[i] = stiffer && i < 5 ? 4 : 1;
        world_start(&w, &settings);
        world_run(&w, 5);
        assert_int_equal(report_of(&w)->null_space, 20 - 6);
        assert_true(report_of(&w)->chosen_forces);
        check_joints(&w, weight);
        double impulse[6];
        for (int j = 0; j < 4 && !stiffer; ++j)
        {
            assert_int_equal(cairn_simulation_joint_impulse(w.simulation, nth_joint(w.simulation, j), impulse), 5);
            assert_near(fabs(impulse[2]), 8 * 9.81 * 0.01 / 4, 1e-12);
            assert_near(hypot(impulse[0], impulse[1]), 0, 1e-12);
        }
        world_free(&w);
    }
}

static cairn_body add_bar(cairn_model *model, const char *name, double mass, double inertia, const double pose[3],
                          const double rate[2])
{
    cairn_body_options o = cairn_body_default();
    cairn_body out;
    o.name = name;
    o.mass = mass;
    o.inertia[2] = inertia;
    o.position[0] = pose[0];
    o.position[1] = pose[1];
    o.velocity[0] = rate[0];
    o.angular_velocity[2] = -rate[1]; /* x to z turns about -y */
    assert_int_equal(cairn_model_add_body(model, &o, &out), CAIRN_OK);
    return out;
}

static void add_pin(cairn_model *model, const char *name, cairn_body a, cairn_body b, double x, double y)
{
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    cairn_joint made;
    double point[3] = {x, y, 0};
    o.name = name;
    o.a = cairn_model_attach(model, a, point);
    o.b = cairn_model_attach(model, b, point);
    assert_int_equal(cairn_model_add_joint(model, &o, &made), CAIRN_OK);
}

/* The linkage in space moves as the one in the plane, which has no redundant equation. */
static void test_four_bar(void **state)
{
    (void)state;
    double ones[20];
    for (int i = 0; i < 20; ++i)
        ones[i] = 1;
    world plane = world_new(2);
    cairn_body world_body_id = {0};
    cairn_body crank = add_bar(plane.model, "crank", 1, 0.1, (double[3]){0, 0.5}, (double[2]){1.5, 3});
    cairn_body coupler = add_bar(plane.model, "coupler", 2, 0.3, (double[3]){1, 1.25}, (double[2]){3, 0});
    cairn_body rocker = add_bar(plane.model, "rocker", 1.5, 0.4, (double[3]){2, 0.75}, (double[2]){1.5, 2});
    add_pin(plane.model, "left", world_body_id, crank, 0, 0);
    add_pin(plane.model, "top-left", crank, coupler, 0, 1);
    add_pin(plane.model, "top-right", coupler, rocker, 2, 1.5);
    add_pin(plane.model, "right", rocker, world_body_id, 2, 0);
    cairn_settings settings;
    world space = world_load("four-bar", &settings, NULL, 0);
    settings.stabilisation = CAIRN_STABILISE_NONE; /* the others correct redundant loops in a way of their own */
    world_start(&space, &settings);
    cairn_settings same = cairn_settings_default();
    same.step = settings.step;
    same.stabilisation = CAIRN_STABILISE_NONE;
    world_start(&plane, &same);
    static const char *const NAMES[3] = {"crank", "coupler", "rocker"};
    for (int step = 0; step < 200; ++step)
    {
        world_step(&space);
        world_step(&plane);
        assert_int_equal(report_of(&space)->null_space, 3);
        assert_int_equal(report_of(&plane)->null_space, 0);
        for (int i = 0; i < 3; ++i)
        {
            cairn_body_state s = world_body(&space, NAMES[i]), p = world_body(&plane, NAMES[i]);
            assert_near(s.position[0], p.position[0], 1e-9);
            assert_near(s.position[2], p.position[1], 1e-9);
            assert_near(s.position[1], 0, 1e-12);
        }
        if (step % 20 == 0)
            check_joints(&space, ones);
    }
    world_free(&space);
    world_free(&plane);
}

/* ---------------------------------------------------------------------------------------------- the sliding table */

/* vx, vy and spin of the continuous motion (accurate to 1e-8), and the forces at its start (Preclik et al. 2011; closed forms
 * but for the minimum norm). */
static const struct
{
    const char *scene;
    struct
    {
        double time, vx, vy, spin;
    } at[3];
    double start[4];
} FIGURE_2[] = {
    {"sliding-table-min-norm",
     {{2, 0.850093718450852, -5.489592918899327e-06, 0.0018355238817349341},
      {6, 0.5502823162366293, -5.414481672902046e-05, 0.005187561005839212},
      {10, 0.2504822357983903, -0.0001680300975176943, 0.007645126169346451}},
     {0.2682698313554027, 0.2692067457838849, 0.23079325421611488, 0.23173016864459722}},
    {"sliding-table-min-energy",
     {{2, 0.8048816954778719, -9.499343036863452e-06, 0.002372181266725424},
      {6, 0.4147343449494241, -0.00010029355109545984, 0.006483893271119791},
      {8, 0.2197521801235834, -0.00020194662672477388, 0.007828881017827843}},
     {1.0 / 2, 2.0 / 41, 37.0 / 82, 0}},
    {"sliding-table-max-energy",
     {{2, 0.8974369580184233, -2.515899004060734e-06, 0.0012646189208531133},
      {6, 0.6923371825486812, -2.3501867496304413e-05, 0.0036628809181134176},
      {12, 0.3848511881781473, -9.68571768580622e-05, 0.006671562336482257}},
     {1.0 / 39, 1.0 / 2, 0, 37.0 / 78}},
};

/* Largest error of the velocities at the three times, and of the energies that follow from them. */
static double motion_error(int kind, double step)
{
    cairn_settings settings;
    world w = world_load(FIGURE_2[kind].scene, &settings, NULL, 0);
    double error = 0;
    settings.step = step;
    world_start(&w, &settings);
    for (int i = 0; i < 3; ++i)
    {
        double vx = FIGURE_2[kind].at[i].vx, vy = FIGURE_2[kind].at[i].vy, spin = FIGURE_2[kind].at[i].spin;
        while (cairn_simulation_time(w.simulation) < FIGURE_2[kind].at[i].time - step / 2)
        {
            world_step(&w);
            assert_int_equal(report_of(&w)->null_space, 1);
            assert_int_equal(report_of(&w)->velocity_null_space, 1);
            assert_true(report_of(&w)->chosen_forces);
        }
        cairn_body_state s = world_body(&w, "table");
        double energy = cairn_simulation_energy(w.simulation).total; /* potential 1/2 */
        error = fmax(error, fabs(s.velocity[0] - vx));
        error = fmax(error, fabs(s.velocity[1] - vy));
        error = fmax(error, fabs(s.angular_velocity[2] - spin));
        error = fmax(error, fabs(energy - 0.5 - 0.5 * (vx * vx + vy * vy + spin * spin)));
    }
    world_free(&w);
    return error;
}

static void test_figure_2(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; ++kind)
    {
        double coarse = motion_error(kind, 0.02), fine = motion_error(kind, 0.01);
        print_message("%s: velocities, spin and energy are off by %.1e and %.1e with steps of 0.02 and 0.01\n",
                      FIGURE_2[kind].scene, coarse, fine);
        assert_true(fine < 5e-6);
        assert_true(coarse / fine > 1.8 && coarse / fine < 2.2);
    }
}

/* The first forces, with a step so short that nothing has turned yet. */
static void test_first_forces(void **state)
{
    (void)state;
    static const double PLACE[4][2] = {{0.5, 0.5}, {0.5, -0.5}, {-0.5, -0.5}, {-0.5, 0.5}};
    for (int kind = 0; kind < 3; ++kind)
    {
        cairn_settings settings;
        world w = world_load(FIGURE_2[kind].scene, &settings, NULL, 0);
        settings.step = 1e-7;
        world_start(&w, &settings);
        world_step(&w);
        assert_int_equal(cairn_simulation_contact_count(w.simulation), 4);
        for (int j = 0; j < 4; ++j)
        {
            cairn_contact contact = cairn_simulation_contact(w.simulation, j);
            for (int i = 0; i < 4; ++i)
            {
                bool here = hypot(contact.point[0] - PLACE[i][0], contact.point[1] - PLACE[i][1]) < 0.1;
                assert_near(here ? contact.impulse[0] / 1e-7 : 0, here ? FIGURE_2[kind].start[i] : 0, 1e-7);
            }
        }
        world_free(&w);
    }
}

/* The same scheme written apart (directions of slip and pseudo-inverse by other programs): to the last digits. */
static void test_min_norm_recomputed(void **state)
{
    (void)state;
    world w = load("sliding-table-min-norm", 500);
    cairn_body_state s = world_body(&w, "table");
    assert_near(s.velocity[0], 0.625234847896104, 1e-13);
    assert_near(s.velocity[1], -3.67567271768078e-05, 1e-15);
    assert_near(s.angular_velocity[2], 0.00440158740572587, 1e-15);
    assert_near(s.position[0], 4.06121242688839, 1e-12);
    world_free(&w);
}

/* Legs that give way tend to the rigid table whose forces hold lambda_1 - lambda_2 + lambda_3 - lambda_4 = 0, the left null
 * vector; like 1/k. */
static void test_growing_stiffness(void **state)
{
    (void)state;
    double before = 0;
    static const char *const STIFFNESS[3] = {"1e3", "1e4", "1e5"};
    for (int i = 0; i < 3; ++i)
    {
        cairn_parameter parameter = {"k", STIFFNESS[i]};
        cairn_settings settings;
        world w = world_load("sliding-table-soft", &settings, &parameter, 1);
        world_start(&w, &settings);
        world_run(&w, 500);
        assert_int_equal(report_of(&w)->null_space, 0);
        cairn_body_state s = world_body(&w, "table");
        double off = hypot(s.velocity[0] - 0.625000621476365, s.angular_velocity[2] - 0.00440411172812519);
        assert_true(before == 0 || (off < 0.105 * before && off > 0.095 * before));
        before = off;
        world_free(&w);
    }
    assert_true(before < 3e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_legs),        cmocka_unit_test(test_weighted_legs),
        cmocka_unit_test(test_any_order),         cmocka_unit_test(test_nailed_table),
        cmocka_unit_test(test_four_bar),          cmocka_unit_test(test_figure_2),
        cmocka_unit_test(test_first_forces),      cmocka_unit_test(test_min_norm_recomputed),
        cmocka_unit_test(test_growing_stiffness),
    };
    return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
