/* Trees of joints with many bounded rows: friction, ends of ranges and drives on every coordinate (solve/mechanism/exchange.c). */
#include "solve/mechanism/mechanism.h"
#include "support/builder.h"
#include "support/check.h"
#include "support/problems/method_check.h"
#include "support/worlds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cairn_body add_disc(world *w, int index, const double position[3], double spin)
{
    char name[24];
    cairn_body_options options = cairn_body_default();
    cairn_body body;
    snprintf(name, sizeof name, "disc %d", index);
    options.name = name;
    options.mass = 0.1;
    for (int k = 0; k < 3; ++k)
    {
        options.inertia[k] = 1e-3;
        options.position[k] = position[k];
    }
    options.angular_velocity[2] = spin;
    assert_int_equal(cairn_model_add_body(w->model, &options, &body), CAIRN_OK);
    return body;
}

static void join(world *w, int index, cairn_body a, cairn_body b, const double at[3], const double axis[3],
                 const cairn_coordinate_options *acts)
{
    char name[24];
    cairn_joint_options options = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    cairn_joint joint;
    snprintf(name, sizeof name, "hinge %d", index);
    options.name = name;
    options.a = cairn_model_attach(w->model, a, at);
    options.b = cairn_model_attach(w->model, b, at);
    memcpy(options.axis, axis, sizeof options.axis);
    assert_int_equal(cairn_model_add_joint(w->model, &options, &joint), CAIRN_OK);
    assert_int_equal(cairn_model_set_coordinate(w->model, joint, "angle", acts), CAIRN_OK);
}

/* Discs on one shaft, the last one spinning; each slips on the one before. Only the weakest clutch slips, and beyond it all turn together:
 * dw/dt = - F / J with J their inertia, until they stop. */
static world shaft(int count, int weakest, double spin, double step)
{
    world w = world_new(3);
    const double axis[3] = {0.0, 0.0, 1.0};
    cairn_body last = {0};
    for (int i = 0; i < count; ++i)
    {
        const double at[3] = {0.0, 0.0, 0.1 * i};
        cairn_coordinate_options acts = cairn_coordinate_default();
        cairn_body disc = add_disc(&w, i, at, i >= weakest ? spin : 0.0);
        acts.friction = i == weakest ? 0.02 : 0.02 + 0.001 * (i + 1);
        join(&w, i, last, disc, at, axis, &acts);
        last = disc;
    }
    cairn_settings settings = cairn_settings_default();
    settings.step = step;
    world_start(&w, &settings);
    return w;
}

static void only_the_weakest_clutch_slips(void **state)
{
    (void)state;
    enum
    {
        COUNT = 60
    };
    for (int k = 0; k < 6; ++k)
    {
        int weakest = k < 3 ? COUNT - 1 : 17;
        double step = (const double[]){1e-3, 0.0137, 0.11}[k % 3], spin = 5.0;
        double slowing = 0.02 / (1e-3 * (COUNT - weakest)), stop = spin / slowing;
        world w = shaft(COUNT, weakest, spin, step);
        for (int i = 0; i < 30; ++i)
            world_step(&w);
        double t = cairn_simulation_report(w.simulation)->time;
        for (int i = 0; i < COUNT; ++i)
        {
            double truth = i < weakest ? 0.0 : spin - slowing * fmin(t, stop);
            cairn_body_state disc = cairn_simulation_body(w.simulation, cairn_model_body(w.model, i));
            assert_near(disc.angular_velocity[2], truth, 1e-9);
        }
        assert_true(strcmp(cairn_simulation_report(w.simulation)->solver.method, "mechanism") == 0);
        assert_int_equal(cairn_simulation_report(w.simulation)->physics.violations, 0);
        world_free(&w);
    }
}

/* A chain that swings, with something on every coordinate. Directions of axes and what acts follow from the seed. */
static world chain(int links, uint64_t seed, cairn_accuracy accuracy)
{
    world w = world_new(3);
    cairn_body last = {0};
    for (int i = 0; i < links; ++i)
    {
        const double at[3] = {0.1 * i, 0.0, 0.0}, centre[3] = {0.1 * i + 0.05, 0.0, 0.0};
        double axis[3] = {random_in(&seed, -1.0, 1.0), random_in(&seed, -1.0, 1.0), random_in(&seed, 0.1, 1.0)};
        double speed = random_in(&seed, -1.0, 1.0);
        const double target[4] = {0.0, speed, 1.0, speed};
        cairn_coordinate_options acts = cairn_coordinate_default();
        cairn_body disc = add_disc(&w, i, centre, 0.0);
        acts.friction = random_in(&seed, 0.0, 1.0) < 0.7 ? random_in(&seed, 0.0, 0.05) : 0.0;
        acts.lower = -random_in(&seed, 0.001, 0.05);
        acts.upper = random_in(&seed, 0.001, 0.05);
        if (random_in(&seed, 0.0, 1.0) < 0.3)
        {
            acts.drive = CAIRN_DRIVE_SPEED;
            acts.target.table = target;
            acts.target.table_count = 2;
            acts.drive_damping = random_in(&seed, 0.0, 1.0) < 0.5 ? 0.0 : 0.5;
            acts.drive_limit = random_in(&seed, 0.01, 0.2);
        }
        join(&w, i, last, disc, at, axis, &acts);
        last = disc;
    }
    cairn_settings settings = cairn_settings_default();
    settings.step = 0.004;
    settings.accuracy = accuracy;
    world_start(&w, &settings);
    return w;
}

/* Problems of the motion, from a cold start and the next step's: judged from the problem alone, and against Lemke's method, which knows
 * nothing of trees. */
static void chains_with_everything_are_solved(void **state)
{
    (void)state;
    int compared = 0, solved = 0, tried = 0;
    for (uint64_t seed = 1; seed <= 4; ++seed)
    {
        world w = chain(24, seed, CAIRN_ACCURACY_BALANCED);
        for (int k = 0; k < 60; ++k)
        {
            world_step(&w);
            const cairn_problem *problem = cairn_simulation_problem(w.simulation);
            assert_true(problem->contact_count > 48 && crn_method_mechanism.can_solve(problem));
            method_run cold = method_solve(&crn_method_mechanism, problem, 1e-9, 0, NULL);
            bool right = cold.report.converged && cold.certificate.relative <= 1e-9;
            double *truth = right && k % 15 == 14 ? method_lemke(problem) : NULL;
            assert_true(right || cold.report.declined || !cold.report.converged);
            solved += right;
            ++tried;
            for (int i = 0; truth && i < problem->n; ++i)
                assert_near(cold.solution.v[i], truth[i], 1e-7);
            compared += truth != NULL;
            free(truth);
            method_release(&cold);
        }
        assert_true(strcmp(cairn_simulation_report(w.simulation)->solver.method, "mechanism") == 0);
        world_free(&w);
    }
    print_message("%d of %d cold starts solved\n", solved, tried);
    assert_true(compared >= 12 && solved >= 0.99 * tried);
}

/* The work of a step grows with the number of links alone: decisions and steps of the path do not become more. */
static void steps_do_not_become_more_with_links(void **state)
{
    (void)state;
    for (int links = 50; links <= 400; links *= 2)
    {
        world w = chain(links, 9, CAIRN_ACCURACY_BALANCED);
        int most = 0;
        for (int k = 0; k < 20; ++k)
        {
            world_step(&w);
            int taken = cairn_simulation_report(w.simulation)->solver.iterations;
            most = taken > most ? taken : most;
        }
        print_message("%d links: at most %d solutions of the tree\n", links, most);
        assert_true(most <= 70);
        world_free(&w);
    }
}

/* Soft drives that friction holds back: nothing turns, and friction is the opposite of the drive's torque, k times what its target lies off.
 * Drive and friction are two rows of one coordinate. The drive gives, which tells them apart, so a step takes one solution of the tree: exchanges, which
 * count as iterations, are not needed. */
static void friction_holds_soft_drives(void **state)
{
    (void)state;
    enum
    {
        LINKS = 50
    };
    for (int n = 0; n < 3; ++n)
    {
        double stiffness = (const double[]){0.3, 40.0, 900.0}[n], step = (const double[]){1e-3, 0.007, 0.02}[n];
        world w = world_new(3);
        cairn_body last = {0};
        for (int i = 0; i < LINKS; ++i)
        {
            const double at[3] = {0.1 * i, 0.0, 0.0}, centre[3] = {0.1 * i + 0.05, 0.0, 0.0},
                         axis[3] = {0.3, 1.0, 0.1 * i}, target[4] = {0.0, 1e-3 * i, 100.0, 1e-3 * i};
            cairn_coordinate_options acts = cairn_coordinate_default();
            cairn_body disc = add_disc(&w, i, centre, 0.0);
            acts.friction = 1.2e-3 * LINKS * stiffness;
            acts.drive = CAIRN_DRIVE_POSITION;
            acts.target.table = target;
            acts.target.table_count = 2;
            acts.drive_stiffness = stiffness;
            acts.drive_damping = 0.01 * stiffness;
            acts.drive_limit = 1e6;
            join(&w, i, last, disc, at, axis, &acts);
            last = disc;
        }
        cairn_settings settings = cairn_settings_default();
        settings.step = step;
        const double none[3] = {0.0, 0.0, 0.0};
        assert_int_equal(cairn_model_set_gravity(w.model, none), CAIRN_OK);
        world_start(&w, &settings);
        for (int k = 0; k < 10; ++k)
        {
            world_step(&w);
            const cairn_step_report *report = cairn_simulation_report(w.simulation);
            assert_true(k == 0 || report->solver.iterations == 0);
            assert_int_equal(report->physics.violations, 0);
        }
        for (int i = 0; i < LINKS; ++i)
        {
            cairn_joint_state hinge = cairn_simulation_joint_state(w.simulation, nth_joint(w.simulation, i));
            assert_near(hinge.drive[0], stiffness * 1e-3 * i, 1e-9 * stiffness);
            assert_near(hinge.friction[0], -stiffness * 1e-3 * i, 1e-9 * stiffness);
            assert_near(hinge.coordinate[0], 0.0, 1e-12);
        }
        world_free(&w);
    }
}

/* Feet on the ground and rows on every coordinate: contacts are solved within each decision. */
static void contacts_and_rows_together(void **state)
{
    (void)state;
    world w = {.context = cairn_context_create()};
    builder b = builder_open(w.context, 3, 0.6, 7);
    const double size[3] = {0.3, 0.08, 0.06};
    cairn_body last = {0};
    builder_ground(&b);
    w.model = b.model;
    for (int i = 0; i < 16; ++i)
    {
        builder_pose pose = builder_at(0.3 * i, 0.0, 0.05 + 0.1 * i);
        pose.density = 1000.0;
        cairn_body body = builder_box(&b, &pose, size[0], size[1], size[2]);
        const double at[3] = {0.3 * i - 0.15, 0.0, 0.1 * i}, axis[3] = {0.0, 1.0, 0.0};
        cairn_coordinate_options acts = cairn_coordinate_default();
        acts.friction = 5.0 * (i % 5);
        acts.lower = -0.3;
        acts.upper = 0.2;
        if (i > 0)
            join(&w, i, last, body, at, axis, &acts);
        last = body;
    }
    assert_int_equal(b.status, CAIRN_OK);
    cairn_settings settings = cairn_settings_default();
    settings.step = 0.005;
    world_start(&w, &settings);
    int direct = 0, contradicted = 0;
    for (int k = 0; k < 100; ++k)
    {
        assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
        const cairn_step_report *report = cairn_simulation_report(w.simulation);
        bool limited =
            report->solver.outcome == CAIRN_LIMITED; /* contacts contradict each other (docs/methods/articulated.md) */
        assert_true(report->solver.certificate.relative <= (limited ? 1e-8 : 1e-9));
        contradicted += limited;
        direct += report->contacts > 0 && strcmp(report->solver.method, "mechanism") == 0;
    }
    print_message("%d of 100 steps with contacts solved directly\n", direct);
    assert_true(direct >= 80);
    assert_true(contradicted <= 1);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_weakest_clutch_slips),       cmocka_unit_test(chains_with_everything_are_solved),
        cmocka_unit_test(steps_do_not_become_more_with_links), cmocka_unit_test(friction_holds_soft_drives),
        cmocka_unit_test(contacts_and_rows_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
