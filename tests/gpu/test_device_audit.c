/* The physics certificate of steps on the device, through its twin for the processor (or, with CAIRN_GPU_LIBRARY, on a device): real steps have no violation, falsified
 * ones have, of the right kind. */
#include "step/simulation.h"
#include "support/check.h"
#include "support/device.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

static int violations(const world *w)
{
    return cairn_simulation_report(w->simulation)->physics.violations;
}

/* ------------------------------------------------------------------------------------------------------- real steps */

static void link_bodies(world *w, const char *a, const char *b, double rest)
{
    cairn_spring_options options = cairn_spring_default(CAIRN_SPRING_LINEAR);
    cairn_spring spring;
    options.name = b;
    options.a.body = cairn_model_find_body(w->model, a);
    options.b.body = cairn_model_find_body(w->model, b);
    options.stiffness = 200;
    options.damping = 1;
    options.rest = rest;
    assert_int_equal(cairn_model_add_spring(w->model, &options, &spring), CAIRN_OK);
}

static void push_body(world *w, const char *name)
{
    cairn_force_options options = cairn_force_default();
    cairn_force force;
    options.name = "push";
    options.body = cairn_model_find_body(w->model, name);
    options.body_frame = true;
    options.point[0] = 0.05;
    options.force[1] = "2*sin(4*t)";
    options.torque[2] = "0.01";
    assert_int_equal(cairn_model_add_force(w->model, &options, &force), CAIRN_OK);
}

static void hang_body(world *w, const char *name, const double at[3])
{
    cairn_joint_options options = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    cairn_joint joint;
    options.name = "hinge";
    options.b = cairn_model_attach(w->model, cairn_model_find_body(w->model, name), at);
    memcpy(options.a.point, at, sizeof options.a.point);
    options.axis[1] = 1;
    assert_int_equal(cairn_model_add_joint(w->model, &options, &joint), CAIRN_OK);
    cairn_coordinate_options acts = cairn_coordinate_default();
    acts.drive = CAIRN_DRIVE_SPEED;
    acts.target.expression = "3";
    acts.drive_limit = 2;
    acts.friction = 0.1;
    assert_int_equal(cairn_model_set_coordinate(w->model, joint, "angle", &acts), CAIRN_OK);
}

/* Slabs and balls fall on a floor that shakes, tied by springs, pushed and turned. */
static void make_mixture(world *w, bool has_slabs, double restitution, const cairn_settings *settings)
{
    *w = world_new(3);
    cairn_material wood = add_material(w->model, "wood", 0.4, restitution);
    char name[24];
    cairn_body_options floor = cairn_body_default();
    cairn_body handle;
    floor.name = "floor";
    floor.kind = CAIRN_DRIVEN;
    floor.motion_position[2] = "0.01*sin(20*t)";
    assert_int_equal(cairn_model_add_body(w->model, &floor, &handle), CAIRN_OK);
    cairn_shape_options ground = shape_of(CAIRN_HALF_SPACE, wood);
    ground.normal[2] = 1;
    add_shape(w->model, handle, &ground);
    for (int i = 0; i < 12; ++i)
    {
        const double x[3] = {0.3 * (i % 4), 0.3 * (i / 4), 0.2 + 0.1 * (i % 3)};
        snprintf(name, sizeof name, "body%d", i);
        if (has_slabs && i % 2)
            add_box(w->model, name, 0.5, (double[3]){0.25, 0.15, 0.1}, x, wood);
        else
            add_ball(w->model, name, 0.5, 0.08, x, wood);
    }
    push_body(w, "body2");
    if (has_slabs)
    {
        link_bodies(w, "body4", "body5", 0.3);
        link_bodies(w, "body6", "body9", 0);
        hang_body(w, "body7", (double[3]){0.9, 0.3, 0.4});
    }
    world_start(w, settings);
}

static void real_steps_are_right(void **state)
{
    (void)state;
    const int batches[3] = {1, 7, 20};
    for (int i = 0; i < 6; ++i)
    {
        cairn_settings settings = on_device(0.004, 40);
        settings.integrator = i % 2 ? CAIRN_INTEGRATOR_STIFF : CAIRN_INTEGRATOR_EULER;
        world w;
        make_mixture(&w, i >= 2, i == 1 || i == 5 ? 0.5 : 0, &settings);
        for (int step = 0; step < 280; step += batches[i % 3])
        {
            device_take(&w, batches[i % 3]);
            cairn_violation found = cairn_simulation_violation(w.simulation, 0);
            if (violations(&w) > 0)
                fail_msg("scene %d, t = %g: %s %g, allowed %g", i, found.time, cairn_violation_name(found.kind),
                         found.size, found.allowance);
        }
        assert_true(cairn_simulation_contact_count(w.simulation) > 10);
        world_free(&w);
    }
}

/* -------------------------------------------------------------------------------------------------- falsified steps */

typedef struct falsehood
{
    void (*spoil)(crn_piece *piece);
    cairn_violation_kind kind;
} falsehood;

static crn_piece_contact *loaded(crn_piece *piece)
{
    crn_piece_contact *found = &piece->contacts[0];
    for (int i = 1; i < piece->contact_count; ++i)
        if (crn_norm3(piece->contacts[i].impulse) > crn_norm3(found->impulse))
            found = &piece->contacts[i];
    return found;
}

static void more_impulse(crn_piece *piece)
{
    loaded(piece)->impulse[2] *= 1.1;
}
static void less_friction(crn_piece *piece)
{
    for (int i = 0; i < piece->contact_count; ++i)
        piece->contacts[i].friction = 0;
}
static void other_sign(crn_piece *piece)
{
    crn_piece_contact *c = loaded(piece);
    crn_scale3(-1, c->impulse, c->impulse);
}
static void no_force(crn_piece *piece)
{
    for (int i = 0; i < 3; ++i)
        piece->fall[i] = 0;
}
static void other_spring(crn_piece *piece)
{
    for (int i = 0; i < 13; ++i)
        crn_scale3(1.1, piece->inner[i], piece->inner[i]);
}
static void no_torque(crn_piece *piece)
{
    for (int i = 0; i < 13; ++i)
        piece->outer[i][5] += 1e-4;
}

static void spoil_piece(void *data, crn_piece *piece)
{
    ((const falsehood *)data)->spoil(piece);
}

static void falsehoods_are_found(void **state)
{
    (void)state;
    falsehood all[] = {{more_impulse, CAIRN_VIOLATION_JUMP}, {less_friction, CAIRN_VIOLATION_FRICTION},
                       {other_sign, CAIRN_VIOLATION_PULL},   {no_force, CAIRN_VIOLATION_JUMP},
                       {other_spring, CAIRN_VIOLATION_JUMP}, {no_torque, CAIRN_VIOLATION_JUMP}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
    {
        cairn_settings settings = on_device(0.004, 100);
        world w;
        make_mixture(&w, true, 0, &settings);
        device_take(&w, 120);
        assert_int_equal(violations(&w), 0);
        w.simulation->ledger.watch = spoil_piece;
        w.simulation->ledger.watch_data = &all[i];
        device_take(&w, 5);
        cairn_audit_totals totals = cairn_simulation_audit(w.simulation);
        if (totals.count[all[i].kind] == 0)
            fail_msg("falsehood %zu was not found", i);
        world_free(&w);
    }
}

/* --------------------------------------------------------------------------------------------------------- the cadence */

static int audited(const world *w)
{
    return cairn_simulation_report(w->simulation)->physics.audited;
}

/* Of 45 bodies the fourth step, the eighth and so on are due, at the end of the batch that they are in. What is wrong in others is not seen unless
 * somebody asks. */
static void audits_are_counted_out(void **state)
{
    (void)state;
    const int take[6] = {3, 1, 2, 1, 6, 4}, due[6] = {0, 1, 0, 0, 1, 1};
    falsehood wrong = {no_force, CAIRN_VIOLATION_JUMP};
    for (int always = 0; always < 2; ++always)
    {
        world w = world_new(3);
        cairn_material wood = add_material(w.model, "wood", 0.4, 0);
        char name[24];
        add_ground(w.model, wood);
        for (int i = 0; i < 44; ++i)
        {
            snprintf(name, sizeof name, "ball%d", i);
            add_ball(w.model, name, 1, 0.1, (double[3]){0.5 * (i % 7), 0.5 * (i / 7), 0.3}, wood);
        }
        cairn_settings settings = on_device(0.004, 20);
        settings.audit_every = always;
        world_start(&w, &settings);
        w.simulation->ledger.watch = spoil_piece;
        w.simulation->ledger.watch_data = &wrong;
        for (int i = 0; i < 6; ++i)
        {
            device_take(&w, take[i]);
            assert_int_equal(audited(&w), always || due[i]);
            assert_true((violations(&w) > 0) == (audited(&w) > 0));
            assert_true((cairn_simulation_violation_count(w.simulation) > 0) == (audited(&w) > 0));
        }
        cairn_simulation_audit_next(w.simulation);
        device_take(&w, 1);
        assert_int_equal(audited(&w), 1);
        assert_true(violations(&w) > 0);
        world_free(&w);
    }
}

/* ------------------------------------------------------------------------------------------------------- collisions */

/* A ball hovers over a floor, less than a step's way from it, and is struck from above: it stops at the floor in the same step, although it did not approach it. */
static void struck_bodies_do_not_pass(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        world w = world_new(3);
        cairn_material steel = add_material(w.model, "steel", 0.3, i % 2 ? 0.8 : 0);
        cairn_model_set_gravity(w.model, (double[3]){0, 0, 0});
        add_ground(w.model, steel);
        add_ball(w.model, "low", 1, 0.1, (double[3]){0, 0, 0.106}, steel);
        add_ball(w.model, "high", 1, 0.1, (double[3]){0.01, 0, 0.33}, steel);
        if (i >= 2) /* then the device takes the steps of worlds with shapes */
            add_box(w.model, "aside", 1, (double[3]){0.1, 0.1, 0.1}, (double[3]){3, 0, 1}, steel);
        cairn_settings settings = on_device(0.01, 200);
        world_start(&w, &settings);
        cairn_body_state high = world_body(&w, "high");
        high.velocity[2] = -3;
        cairn_simulation_set_body(w.simulation, cairn_model_find_body(world_model(&w), "high"), &high);
        for (int step = 0; step < 20; ++step)
        {
            device_take(&w, 1);
            assert_true(world_body(&w, "low").position[2] > 0.1 - 1e-4);
            assert_int_equal(violations(&w), 0);
        }
        world_free(&w);
    }
}

int main(void)
{
    if (!device_is_there())
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_steps_are_right),
        cmocka_unit_test(falsehoods_are_found),
        cmocka_unit_test(audits_are_counted_out),
        cmocka_unit_test(struck_bodies_do_not_pass),
    };
    return cmocka_run_group_tests(tests, device_choose, NULL);
}
