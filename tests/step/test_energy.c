/* Theorem 2.4 and the bound (47) of Anitescu & Potra 2002, at every step of random worlds (signs as corrected: left <= right):
 *
 *     v+'M v+ + sum gamma (phi + h grad phi' v+)^2  <=  w^'M w^ + sum gamma phi^2,     w^ = v + h M^-1 k_1
 *
 * with k_1 all forces but springs, dampers and the gyroscopic moment; (47) puts phi(q+), after the projection, on the left.
 * Both sides are computed here from the state, not taken from the energy account. */
#include "step/simulation.h"
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

enum
{
    BODIES = 4,
    MAX_DOFS = 6 * BODIES
};

/* Loose bodies over a ground, joined by random springs and dampers, mass ratio up to 10^(2 spread). */
static world random_world(uint64_t *seed, int dimension, double spread, bool gravity, bool joint)
{
    world w = world_new(dimension);
    cairn_material rough = add_material(w.model, "rough", random_in(seed, 0, 1), 0);
    add_ground(w.model, rough);
    double still[3] = {0, 0, 0};
    if (!gravity)
        assert_int_equal(cairn_model_set_gravity(w.model, still), CAIRN_OK);
    cairn_body body[BODIES];
    for (int i = 0; i < BODIES; ++i)
    {
        cairn_body_options o = cairn_body_default();
        char name[24];
        snprintf(name, sizeof name, "body%d", i);
        o.name = name;
        o.mass = pow(10, random_in(seed, -spread, spread));
        for (int k = 0; k < 3; ++k)
        {
            o.inertia[k] = o.mass * random_in(seed, 0.02, 0.03);
            o.velocity[k] = random_in(seed, -2, 2);
            o.angular_velocity[k] = random_in(seed, -4, 4);
            o.position[k] = random_in(seed, -0.1, 0.1) + (k == 0 ? i : 0);
        }
        o.position[dimension - 1] = random_in(seed, 0.5, 0.9);
        assert_int_equal(cairn_model_add_body(w.model, &o, &body[i]), CAIRN_OK);
        cairn_shape_options shape = cairn_shape_default(dimension == 2 ? CAIRN_POLYGON : CAIRN_BOX);
        double corners[8] = {-0.25, -0.2, 0.25, -0.2, 0.25, 0.2, -0.25, 0.2};
        shape.vertices = corners;
        shape.vertex_count = 4;
        shape.size[0] = 0.5;
        shape.size[1] = 0.4;
        shape.size[2] = 0.3;
        shape.material = rough;
        cairn_shape out;
        assert_int_equal(cairn_model_add_shape(w.model, body[i], &shape, &out), CAIRN_OK);
    }
    for (int i = 0; i + 1 < BODIES; ++i)
    {
        char name[24];
        snprintf(name, sizeof name, "spring%d", i);
        cairn_attachment a = {body[i], {random_in(seed, -0.2, 0.2), random_in(seed, -0.2, 0.2), 0}};
        cairn_attachment b = {body[i + 1], {random_in(seed, -0.2, 0.2), random_in(seed, -0.2, 0.2), 0}};
        double kind = random_in(seed, 0, 3);
        add_spring(w.model, name, a, b, kind < 2 ? pow(10, random_in(seed, 0, 6)) : 0,
                   kind > 1 ? pow(10, random_in(seed, 0, 6)) : 0);
    }
    if (joint)
    {
        cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_DISTANCE);
        o.name = "rod";
        o.a = (cairn_attachment){{0}, {0, 2, 2}};
        o.b = (cairn_attachment){body[0], {0.1, 0.1, 0}};
        cairn_joint out;
        assert_int_equal(cairn_model_add_joint(w.model, &o, &out), CAIRN_OK);
    }
    return w;
}

static double quadratic(const cairn_simulation *s, const double *x)
{
    double y[MAX_DOFS];
    int n = s->layout->block_start[s->layout->block_count];
    assert_true(n <= MAX_DOFS);
    crn_mass_times(&s->projection.stage.assembly, s->layout, x, y);
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

/* Right-hand side of the bound, from the state before the step. */
static double bound_before(const world *w, double h)
{
    const cairn_simulation *s = w->simulation;
    double x[MAX_DOFS];
    memcpy(x, s->state.v, sizeof(double) * (size_t)s->layout->block_start[s->layout->block_count]);
    for (int k = 0; k < s->layout->body_block_count; ++k)
        for (int i = 0; i < s->model->dimension; ++i)
            x[s->layout->block_start[k] + i] += h * s->model->gravity[i];
    double right = quadratic(s, x);
    for (int i = 0; i < (int)s->model->spring_count; ++i)
    {
        double phi = cairn_simulation_spring_stretch(s, nth_spring(s, i));
        right += s->model->springs[i].stiffness * phi * phi;
    }
    return right;
}

/* Left-hand side: with `predicted` the linearised stretch, else the real one. */
static double bound_after(const world *w, double h, bool predicted)
{
    const cairn_simulation *s = w->simulation;
    double left = quadratic(s, s->state.v);
    for (size_t i = 0; i < s->stage[0].assembly.spring_term_count; ++i)
    {
        const crn_spring_term *term = &s->stage[0].assembly.spring_terms[i];
        double phi = predicted ? term->target_phi + h * crn_gradient_rate(s->layout, &term->gradient, s->state.v)
                               : cairn_simulation_spring_stretch(s, nth_spring(s, term->spring));
        left += s->model->springs[term->spring].stiffness * phi * phi;
    }
    return left;
}

static int check_bound(cairn_stabilisation stabilisation, int worlds, int steps, double spread, bool gravity)
{
    uint64_t seed = 7 + (uint64_t)stabilisation;
    int checked = 0;
    for (int i = 0; i < worlds; ++i)
    {
        int dimension = 2 + i % 2;
        world w = random_world(&seed, dimension, spread, gravity, i % 3 == 0);
        cairn_settings settings = cairn_settings_default();
        settings.step = pow(10, random_in(&seed, -3, -1.3));
        settings.stabilisation = stabilisation;
        settings.law = i % 4 == 0 ? (cairn_law){CAIRN_LAW_BOX, 0} : (cairn_law){CAIRN_LAW_PYRAMID, 4};
        world_start(&w, &settings);
        double total = cairn_simulation_energy(w.simulation).total;
        for (int k = 0; k < steps; ++k)
        {
            double right = bound_before(&w, settings.step);
            world_step(&w);
            assert_true(bound_after(&w, settings.step, true) <= right * (1 + 1e-9));
            const cairn_step_report *report = cairn_simulation_report(w.simulation);
            if (stabilisation == CAIRN_STABILISE_PROJECT && report->projection_met)
            {
                assert_true(bound_after(&w, settings.step, false) <= right * (1 + 1e-7));
                /* with no outer force the total energy itself never grows, whatever the masses */
                assert_true(gravity || report->energy.total <= total * (1 + 1e-7));
                total = report->energy.total;
            }
            checked += stabilisation != CAIRN_STABILISE_PROJECT || report->projection_met;
        }
        cairn_energy e = cairn_simulation_energy(w.simulation);
        double moved = fabs(e.work_contact_normal) + fabs(e.work_dampers) + fabs(e.work_springs) + fabs(e.total) +
                       fabs(e.work_gravity) + fabs(e.integration) + fabs(e.work_friction) + fabs(e.work_joints);
        assert_near(e.balance_error, 0, 1e-9 * moved);
        world_free(&w);
    }
    return checked;
}

static void theorem_2_4_at_every_step(void **state)
{
    (void)state;
    assert_int_equal(check_bound(CAIRN_STABILISE_NONE, 60, 40, 1, true), 60 * 40);
}

static void bound_47_with_projection(void **state)
{
    (void)state;
    int checked = check_bound(CAIRN_STABILISE_PROJECT, 40, 40, 1, false);
    print_message("bound (47): the projection met its tolerance in %d of %d steps\n", checked, 40 * 40);
    assert_true(checked > 40 * 40 * 9 / 10);
}

static void stable_at_mass_ratio_1e8(void **state)
{
    (void)state;
    assert_int_equal(check_bound(CAIRN_STABILISE_NONE, 40, 40, 4, false), 40 * 40);
}

/* Each term of the account against a case where it is known: a block slides to rest, a damper stops a body, a motor
 * force lifts a mass. */
static void works_are_those_of_physics(void **state)
{
    (void)state;
    world w = world_new(2);
    cairn_material rough = add_material(w.model, "rough", 0.3, 0);
    add_ground(w.model, rough);
    cairn_body slider = add_point(w.model, "slider", 2, 0, 0, rough);
    cairn_settings settings = cairn_settings_default();
    settings.step = 1e-3;
    world_start(&w, &settings);
    cairn_body_state start = cairn_simulation_body(w.simulation, slider);
    start.velocity[0] = 3;
    assert_int_equal(cairn_simulation_set_body(w.simulation, slider, &start), CAIRN_OK);
    world_run(&w, 2000);
    cairn_energy e = cairn_simulation_energy(w.simulation);
    assert_near(e.kinetic, 0, 1e-20);
    assert_near(e.work_friction, -9, 1e-12); /* all of 1/2 m v^2 */
    assert_near(e.work_contact_normal, 0, 1e-12);
    assert_near(e.balance_error, 0, 1e-12);
    world_free(&w);

    w = world_new(2);
    cairn_body_options o = cairn_body_default();
    o.name = "load";
    o.point = true;
    o.mass = 5;
    cairn_body load;
    assert_int_equal(cairn_model_add_body(w.model, &o, &load), CAIRN_OK);
    cairn_force_options f = cairn_force_default();
    f.name = "motor";
    f.body = load;
    f.force[1] = "5*9.81 + 1";
    cairn_force out;
    assert_int_equal(cairn_model_add_force(w.model, &f, &out), CAIRN_OK);
    world_start(&w, &settings);
    world_run(&w, 1000);
    cairn_body_state end = cairn_simulation_body(w.simulation, load);
    e = cairn_simulation_energy(w.simulation);
    /* constant net force 1 N for 1 s: v = 0.2; the motor's work is its force times the mean velocities' path, 0.1 m */
    assert_near(end.velocity[1], 0.2, 1e-12);
    assert_near(e.work_forces, (5 * 9.81 + 1) * 0.1, 1e-9);
    assert_near(e.work_gravity, -5 * 9.81 * 0.1, 1e-9);
    assert_near(e.potential, 5 * 9.81 * end.position[1], 1e-9);
    assert_near(e.balance_error, 0, 1e-12);
    assert_near(cairn_simulation_force_work(w.simulation, nth_force(w.simulation, 0)), e.work_forces, 0);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(theorem_2_4_at_every_step),
        cmocka_unit_test(bound_47_with_projection),
        cmocka_unit_test(stable_at_mass_ratio_1e8),
        cmocka_unit_test(works_are_those_of_physics),
    };
    return cmocka_run_group_tests_name("energy", tests, NULL, NULL);
}
