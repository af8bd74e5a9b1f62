/* Mechanisms solved directly (solve/mechanism): joints that form trees, with contacts and bounded rows or without. */
#include "math/vec.h"
#include "solve/certify/certify.h"
#include "solve/mechanism/mechanism.h"
#include "support/builder.h"
#include "support/check.h"
#include "support/problems/method_check.h"
#include "support/worlds.h"

#include <stdlib.h>
#include <string.h>

/* A chain of boxes that falls on the ground. */
static world chain(int links, double friction, cairn_accuracy accuracy)
{
    world w = {.context = cairn_context_create()};
    builder b = builder_open(w.context, 3, friction, 7);
    const double size[3] = {0.3, 0.08, 0.06};
    cairn_body last = {0};
    builder_ground(&b);
    for (int i = 0; i < links; ++i)
    {
        builder_pose pose = builder_at(0.3 * i, 0.0, 0.2 + 0.1 * i);
        pose.density = 1000.0;
        cairn_body body = builder_box(&b, &pose, size[0], size[1], size[2]);
        const double joint[3] = {0.3 * i - 0.15, 0.0, 0.15 + 0.1 * i},
                     axis[3] = {0.0, i % 2 ? 0.8 : 1.0, i % 2 ? 0.6 : 0.0};
        if (i > 0)
            builder_hinge(&b, last, body, joint, axis);
        last = body;
    }
    assert_int_equal(b.status, CAIRN_OK);
    w.model = b.model;
    cairn_settings settings = cairn_settings_default();
    settings.step = 0.002;
    settings.accuracy = accuracy;
    world_start(&w, &settings);
    return w;
}

/* Every step of a fall is solved by the method where exact takes others, and bodies are where they are under exact: to 1e-9 in flight,
 * where there are only joints. */
static void a_chain_in_flight_moves_as_under_exact(void **state)
{
    (void)state;
    world quick = chain(12, 0.6, CAIRN_ACCURACY_BALANCED), exact = chain(12, 0.6, CAIRN_ACCURACY_EXACT);
    int direct = 0;
    for (int k = 0; k < 60; ++k)
    {
        world_step(&quick);
        world_step(&exact);
        const cairn_step_report *report = cairn_simulation_report(quick.simulation);
        if (report->contacts > 0)
            break;
        direct += strcmp(report->solver.method, "mechanism") == 0;
        assert_true(strcmp(cairn_simulation_report(exact.simulation)->solver.method, "mechanism") != 0);
        for (int i = 0; i < cairn_model_body_count(quick.model); ++i)
        {
            cairn_body_state a = cairn_simulation_body(quick.simulation, cairn_model_body(quick.model, i));
            cairn_body_state b = cairn_simulation_body(exact.simulation, cairn_model_body(exact.model, i));
            for (int c = 0; c < 3; ++c)
            {
                assert_near(a.position[c], b.position[c], 1e-10);
                assert_near(a.velocity[c], b.velocity[c], 1e-9);
            }
        }
    }
    assert_true(direct >= 20);
    world_free(&quick);
    world_free(&exact);
}

/* Problems of the fall: the answer solves each as judged from the problem alone, from a cold start too, and where the law is convex its
 * velocities are those of the solver that knows nothing of trees. */
static void contacts_are_solved(void **state)
{
    (void)state;
    world w = chain(5, 0.6, CAIRN_ACCURACY_BALANCED);
    cairn_solver *solver = cairn_solver_create(w.context);
    int solved = 0, tried = 0;
    for (int k = 0; k < 500; ++k)
    {
        assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
        assert_true(cairn_simulation_report(w.simulation)->solver.certificate.relative <= 1e-5);
        const cairn_problem *problem = cairn_simulation_problem(w.simulation);
        if (!problem || problem->contact_count == 0 || !crn_method_mechanism.can_solve(problem) || k % 7)
            continue;
        cairn_problem convex = *problem;
        convex.law = (cairn_law){CAIRN_LAW_CONVEX_CONE, 0};
        method_run one = method_solve(&crn_method_mechanism, problem, 1e-9, 0, NULL);
        method_run two = method_solve(&crn_method_mechanism, &convex, 1e-9, 0, NULL);
        cairn_solver_options options = cairn_solver_default();
        cairn_solution solution;
        cairn_solver_report report;
        assert_int_equal(cairn_solver_solve(solver, &convex, &options, &solution, &report), CAIRN_OK);
        assert_true(!one.report.converged || one.certificate.relative <= 1e-9);
        assert_true(!two.report.converged || two.certificate.relative <= 1e-9);
        for (int i = 0; i < problem->n && two.report.converged; ++i)
            assert_near(two.solution.v[i], solution.v[i], 1e-6 * report.certificate.scale);
        solved += one.report.converged + two.report.converged;
        tried += 2;
        method_release(&one);
        method_release(&two);
    }
    print_message("%d of %d cold starts solved\n", solved, tried);
    assert_true(tried >= 40 && solved >= 9 * tried / 10);
    cairn_solver_destroy(solver);
    world_free(&w);
}

/* A step of methods that know nothing of trees or of rest. */
static bool is_long_search(const char *method)
{
    return strcmp(method, "mechanism") != 0 && strcmp(method, "hold") != 0 && strcmp(method, "warm start") != 0;
}

/* Chains that fall and come to lie, with friction from 0.3 to 1: whatever their many contacts contradict each other by, hardly a step
 * searches long for its answer, and in the end all bodies rest on the ground: nothing has speed, and the lowest lies flat. */
static void chains_come_to_rest_without_long_searches(void **state)
{
    (void)state;
    int searches = 0;
    for (int trial = 0; trial < 8; ++trial)
    {
        world w = chain(4, 0.3 + 0.1 * trial, CAIRN_ACCURACY_BALANCED);
        double fastest = 0.0, lowest = INFINITY;
        for (int k = 0; k < 1200; ++k)
        {
            assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
            const cairn_solver_report *report = &cairn_simulation_report(w.simulation)->solver;
            assert_true(report->certificate.relative <= 1e-5);
            searches += is_long_search(report->method);
        }
        for (int i = 1; i < cairn_model_body_count(w.model); ++i)
        {
            cairn_body_state body = cairn_simulation_body(w.simulation, cairn_model_body(w.model, i));
            fastest = fmax(fastest, crn_norm3(body.velocity));
            lowest = fmin(lowest, body.position[2]);
        }
        assert_true(fastest < 1e-6);
        assert_true(lowest > 0.03 - 1e-3 && lowest < 0.05); /* the thinnest half-edge of a box is 0.03 */
        world_free(&w);
    }
    print_message("%d of 9600 steps were long searches\n", searches);
    assert_true(searches <= 10);
}

/* The certificate in double is that in long double but for rounding, for solutions and for what is none. */
static void the_certificate_in_double_agrees(void **state)
{
    (void)state;
    world w = chain(5, 0.6, CAIRN_ACCURACY_BALANCED);
    crn_certifier *certifier = crn_certifier_create();
    for (int k = 0; k < 300; ++k)
    {
        assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
        const cairn_problem *problem = cairn_simulation_problem(w.simulation);
        method_run run = method_solve(&crn_method_mechanism, problem, 1e-9, 0, NULL);
        run.solution.v[k % problem->n] += k % 3 ? 0.0 : 1e-3;
        run.solution.c[k % problem->joint_rows] += k % 5 ? 0.0 : 1e-3;
        cairn_certificate a, b;
        assert_int_equal(crn_certify(certifier, problem, &run.solution, &a), CAIRN_OK);
        crn_certifier_set_plain(certifier, true);
        crn_certifier_judge(certifier, problem, &run.solution, &b);
        assert_near(b.joint, a.joint, 1e-13 * a.scale);
        assert_near(b.dynamics, a.dynamics, 1e-13 * a.scale);
        assert_near(b.natural_map, a.natural_map, 1e-13 * a.scale);
        assert_near(b.relative, a.relative, 1e-13);
        method_release(&run);
    }
    crn_certifier_destroy(certifier);
    world_free(&w);
}

/* Velocities and joint impulses that are off are put right with the factors at hand. */
static void rough_velocities_are_refined(void **state)
{
    (void)state;
    world w = chain(8, 0.6, CAIRN_ACCURACY_BALANCED);
    world_step(&w);
    const cairn_problem *problem = cairn_simulation_problem(w.simulation);
    void *workspace = crn_method_mechanism.create();
    method_run run = method_solve(&crn_method_mechanism, problem, 1e-9, 0, NULL);
    crn_method_options options = {.tolerance = 1e-9};
    crn_method_report report;
    double *v = calloc((size_t)problem->n, sizeof(double));
    assert_int_equal(crn_method_mechanism.solve(workspace, NULL, problem, &options, &run.solution, &report), CAIRN_OK);
    assert_true(report.converged);
    for (int i = 0; i < problem->n; ++i)
    {
        v[i] = run.solution.v[i];
        run.solution.v[i] += 1e-4 * (i % 7 - 3);
    }
    for (int i = 0; i < problem->joint_rows; ++i)
        run.solution.c[i] *= 1.001;
    assert_int_equal(crn_mechanism_refine(workspace, problem, &run.solution), CAIRN_OK);
    for (int i = 0; i < problem->n; ++i)
        assert_near(run.solution.v[i], v[i], 1e-13);
    free(v);
    crn_method_mechanism.destroy(workspace);
    method_release(&run);
    world_free(&w);
}

/* Bodies in a ring are no tree: the method declines, and the solver solves the problem as before. */
static void rings_are_declined(void **state)
{
    (void)state;
    world w = {.context = cairn_context_create()};
    builder b = builder_open(w.context, 3, 0.5, 3);
    cairn_body body[4];
    const double axis[3] = {0.0, 0.0, 1.0};
    const double place[4][3] = {{0, 0, 3}, {1, 0, 3}, {1, 1, 3}, {0, 1, 3}};
    for (int i = 0; i < 4; ++i)
    {
        builder_pose pose = builder_at(place[i][0], place[i][1], place[i][2]);
        body[i] = builder_box(&b, &pose, 0.1, 0.1, 0.1);
    }
    for (int i = 0; i < 4; ++i)
        builder_hinge(&b, body[i], body[(i + 1) % 4], place[i], axis);
    assert_int_equal(b.status, CAIRN_OK);
    w.model = b.model;
    cairn_settings settings = cairn_settings_default();
    world_start(&w, &settings);
    world_step(&w);
    assert_true(strcmp(cairn_simulation_report(w.simulation)->solver.method, "mechanism") != 0);
    method_run run = method_solve(&crn_method_mechanism, cairn_simulation_problem(w.simulation), 1e-9, 0, NULL);
    assert_int_equal(run.status, CAIRN_OK);
    assert_true(run.report.declined);
    method_release(&run);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_in_flight_moves_as_under_exact),
        cmocka_unit_test(contacts_are_solved),
        cmocka_unit_test(chains_come_to_rest_without_long_searches),
        cmocka_unit_test(the_certificate_in_double_agrees),
        cmocka_unit_test(rough_velocities_are_refined),
        cmocka_unit_test(rings_are_declined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
