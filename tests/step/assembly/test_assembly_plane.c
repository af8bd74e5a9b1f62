/* Mechanisms in the plane that are given loosely, or by coordinates, against closed forms: positions, velocities, limits, and the
 * closest assembly of what cannot be assembled. */
#include "support/check.h"
#include "support/linkage.h"

#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
static const char *const LINKS[] = {"crank", "coupler", "rocker"};

static void stop(world *w)
{
    cairn_simulation_destroy(w->simulation);
    w->simulation = NULL;
}

static void assert_pose(const cairn_body_state *found, const cairn_body_state *expected, double tolerance)
{
    assert_near(found->position[0], expected->position[0], tolerance);
    assert_near(found->position[1], expected->position[1], tolerance);
    assert_near(remainder(found->angle - expected->angle, 2 * PI), 0, tolerance);
}

static void assert_motion(const cairn_body_state *found, const cairn_body_state *expected, double tolerance)
{
    assert_near(found->velocity[0], expected->velocity[0], tolerance);
    assert_near(found->velocity[1], expected->velocity[1], tolerance);
    assert_near(found->angular_velocity[2], expected->angular_velocity[2], tolerance);
}

static void disturb(cairn_body_state *state, double error, uint64_t *seed)
{
    state->position[0] += random_in(seed, -error, error);
    state->position[1] += random_in(seed, -error, error);
    state->angle += random_in(seed, -error, error);
}

static cairn_assembly_report result_of(const world *w)
{
    return cairn_assembly_result(cairn_simulation_assembly(w->simulation));
}

/* Coupler and rocker are given with errors of up to 0.3 m and rad; the crank is held. Both branches, all around. */
static void loose_four_bar(void **state)
{
    (void)state;
    const four_bar bar = {1.0, 3.0, 2.5, 3.2};
    const double errors[] = {0.0, 1e-8, 1e-2, 0.3};
    uint64_t seed = 7;
    for (int k = 0; k < 4; ++k)
        for (int i = 0; i < 24; ++i)
        {
            world w = world_new(2);
            cairn_body_state exact[3], given[3];
            four_bar_pose(&bar, i * PI / 6 + 0.1, i < 12 ? 1 : -1, 0, exact);
            memcpy(given, exact, sizeof given);
            disturb(&given[1], errors[k], &seed);
            disturb(&given[2], errors[k], &seed);
            four_bar_build(&w, &bar, given, true);
            start_with(&w, CAIRN_INITIAL_ASSEMBLE);
            for (int b = 0; b < 3; ++b)
            {
                cairn_body_state found = world_body(&w, LINKS[b]);
                assert_pose(&found, &exact[b], 1e-11);
            }
            cairn_assembly_report report = result_of(&w);
            assert_true(report.assembled && report.consistent);
            assert_true(report.error < 1e-12 && report.error_before <= 4 * errors[k] + 1e-12);
            assert_true(report.iterations <= (errors[k] > 0 ? 12 : 1));
            assert_int_equal(report.branch_changes, 0);
            assert_memory_equal(world_body(&w, "crank").position, exact[0].position, sizeof exact[0].position);
            world_free(&w);
        }
}

/* The report says how far each body was moved. */
static void report_of_moves(void **state)
{
    (void)state;
    const four_bar bar = {1.0, 3.0, 2.5, 3.2};
    cairn_body_state exact[3], given[3];
    world w = world_new(2);
    four_bar_pose(&bar, 0.7, 1, 0, exact);
    memcpy(given, exact, sizeof given);
    given[1].position[0] += 0.03;
    given[1].position[1] -= 0.04;
    given[2].angle += 0.1;
    four_bar_build(&w, &bar, given, true);
    start_with(&w, CAIRN_INITIAL_ASSEMBLE);
    const cairn_assembly *assembly = cairn_simulation_assembly(w.simulation);
    cairn_assembly_move coupler = cairn_assembly_body(assembly, cairn_model_find_body(w.model, "coupler"));
    cairn_assembly_move rocker = cairn_assembly_body(assembly, cairn_model_find_body(w.model, "rocker"));
    cairn_assembly_report report = result_of(&w);
    assert_near(coupler.moved, 0.05, 1e-10);
    assert_near(coupler.turned, 0, 1e-10);
    assert_near(rocker.moved, 0, 1e-10);
    assert_near(rocker.turned, 0.1, 1e-10);
    assert_pose(&coupler.state, &exact[1], 1e-10);
    assert_string_equal(cairn_model_body_name(w.model, report.most_moved), "coupler");
    assert_string_equal(cairn_model_body_name(w.model, report.most_turned), "rocker");
    cairn_assembly_error b = cairn_assembly_joint(assembly, cairn_model_find_joint(w.model, "B"));
    assert_near(b.before, 0.04, 1e-12);
    assert_true(b.after < 1e-12);
    double most = 0;
    for (int j = 0; j < 4; ++j)
        most = fmax(most, cairn_assembly_joint(assembly, cairn_model_joint(w.model, j)).before);
    assert_near(report.error_before, most, 0);
    cairn_assembly_move none = cairn_assembly_body(assembly, (cairn_body){0});
    assert_near(none.moved, 0, 0);
    world_free(&w);
}

/* The crank is given by its angle, of more than a turn too, and by its rate; it takes the others along on their branch. */
static void four_bar_by_crank(void **state)
{
    (void)state;
    const four_bar bar = {1.0, 3.0, 2.5, 3.2};
    const double begin = 0.4, turns[] = {0.0, 0.3, -1.0, 2.5, -PI, 7.5, -13.0};
    for (int k = 0; k < 7; ++k)
        for (int elbow = -1; elbow <= 1; elbow += 2)
        {
            world w = world_new(2);
            cairn_body_state given[3], exact[3];
            four_bar_pose(&bar, begin, elbow, 0, given);
            four_bar_pose(&bar, begin + turns[k], elbow, -1.7, exact);
            four_bar_build(&w, &bar, given, false);
            cairn_joint A = cairn_model_find_joint(w.model, "A");
            begin_at(&w, A, "angle", turns[k], -1.7);
            start_under(&w, CAIRN_INITIAL_REFUSE, k % 2 ? CAIRN_INTEGRATOR_STIFF : CAIRN_INTEGRATOR_STIFF2);
            for (int b = 0; b < 3; ++b)
            {
                cairn_body_state found = world_body(&w, LINKS[b]);
                assert_pose(&found, &exact[b], 1e-11);
                assert_motion(&found, &exact[b], 1e-10);
            }
            assert_int_equal(result_of(&w).branch_changes, 0);
            double rate;
            assert_near(cairn_simulation_coordinate(w.simulation, A, 0, &rate), turns[k], 1e-11);
            assert_near(rate, -1.7, 1e-11);
            world_run(&w, 3);
            world_free(&w);
        }
}

/* Slider-crank: x = r cos(phi) + sqrt(l^2 - r^2 sin^2(phi)), through both dead points. */
static void slider_crank(void **state)
{
    (void)state;
    const double r = 0.4, l = 1.1, turns[] = {0.5, 1.5, 2.9, 3.6, -2.0, 6.0};
    for (int k = 0; k < 6; ++k)
    {
        world w = world_new(2);
        const cairn_body_state crank = {.position = {r / 2, 0}}, rod = {.position = {r + l / 2, 0}},
                               slider = {.position = {r + l, 0}};
        cairn_body a = add_link(&w, "crank", 1, &crank, false), b = add_link(&w, "rod", 2, &rod, false);
        cairn_body c = add_link(&w, "slider", 5, &slider, false), ground = {0};
        cairn_joint A = add_hinge(&w, "A", ground, (double[3]){0}, a, (double[3]){-r / 2, 0, 0}, NULL, NULL);
        add_hinge(&w, "B", a, (double[3]){r / 2, 0, 0}, b, (double[3]){-l / 2, 0, 0}, NULL, NULL);
        add_hinge(&w, "C", b, (double[3]){l / 2, 0, 0}, c, (double[3]){0}, NULL, NULL);
        cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_PRISMATIC);
        o.name = "guide";
        o.b.body = c;
        o.axis[0] = 1;
        cairn_joint guide;
        assert_int_equal(cairn_model_add_joint(w.model, &o, &guide), CAIRN_OK);
        begin_at(&w, A, "angle", turns[k], 3);
        start_with(&w, CAIRN_INITIAL_REFUSE);
        double phi = turns[k], root = sqrt(l * l - r * r * sin(phi) * sin(phi));
        double x = r * cos(phi) + root, speed = -3 * r * sin(phi) * (1 + r * cos(phi) / root);
        assert_near(world_body(&w, "slider").position[0], x, 1e-11);
        assert_near(world_body(&w, "slider").position[1], 0, 1e-11);
        assert_near(world_body(&w, "slider").velocity[0], speed, 1e-10);
        world_free(&w);
    }
}

/* Velocities change as little as possible, in the norm of the mass: by an impulse, which does no work on the motion w that the
 * mechanism has: w'M (v+ - v) = 0. */
static void smallest_change_of_velocities(void **state)
{
    (void)state;
    const four_bar bar = {1.0, 3.0, 2.5, 3.2};
    uint64_t seed = 3;
    for (int k = 0; k < 10; ++k)
    {
        world w = world_new(2);
        cairn_body_state given[3], free[3];
        four_bar_pose(&bar, 0.6 * k, 1, 1.0, free);
        memcpy(given, free, sizeof given);
        for (int b = 0; b < 3; ++b)
        {
            given[b].velocity[0] = random_in(&seed, -2, 2);
            given[b].velocity[1] = random_in(&seed, -2, 2);
            given[b].angular_velocity[2] = random_in(&seed, -2, 2);
        }
        four_bar_build(&w, &bar, given, false);
        start_with(&w, CAIRN_INITIAL_ASSEMBLE);
        double power = 0, energy = 0, rate = world_body(&w, "crank").angular_velocity[2];
        for (int b = 0; b < 3; ++b)
        {
            double mass = 1.0 + b, inertia = 0.14 * mass;
            cairn_body_state found = world_body(&w, LINKS[b]), scaled = free[b];
            double x = found.velocity[0] - given[b].velocity[0], y = found.velocity[1] - given[b].velocity[1];
            double turn = found.angular_velocity[2] - given[b].angular_velocity[2];
            power += mass * (free[b].velocity[0] * x + free[b].velocity[1] * y) +
                     inertia * free[b].angular_velocity[2] * turn;
            energy += 0.5 * (mass * (x * x + y * y) + inertia * turn * turn);
            for (int i = 0; i < 3; ++i)
            {
                scaled.velocity[i] *= rate;
                scaled.angular_velocity[i] *= rate;
            }
            assert_motion(&found, &scaled, 1e-9);
        }
        assert_near(power, 0, 1e-9);
        assert_near(result_of(&w).change, energy, 1e-9);
        world_free(&w);
    }
}

/* Two masses and a rod of another length: each moves by the share of the other's mass. */
static void heavy_bodies_move_less(void **state)
{
    (void)state;
    world w = world_new(2);
    const cairn_body_state at[2] = {{.position = {0, 0}}, {.position = {1, 0}}};
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_DISTANCE);
    o.name = "rod";
    o.a.body = add_link(&w, "a", 1, &at[0], false);
    o.b.body = add_link(&w, "b", 3, &at[1], false);
    o.length = 1.4;
    cairn_joint rod;
    assert_int_equal(cairn_model_add_joint(w.model, &o, &rod), CAIRN_OK);
    expect_refused(&w, CAIRN_INITIAL_REFUSE, "initial: assemble");
    start_with(&w, CAIRN_INITIAL_ASSEMBLE);
    assert_near(world_body(&w, "a").position[0], -0.3, 1e-12);
    assert_near(world_body(&w, "b").position[0], 1.1, 1e-12);
    world_free(&w);
}

/* An arm of two links whose hand is pinned: the ends of the elbow's range, not the poses as given, choose the branch. */
static void limits_choose_the_branch(void **state)
{
    (void)state;
    const double reach = 1.5;
    for (int sign = -1; sign <= 1; sign += 2)
        for (int k = 0; k < 4; ++k)
        {
            const double bend = -0.3 + 0.2 * k; /* of the elbow as given */
            world w = world_new(2);
            const cairn_body_state upper = {.position = {0.5, 0}};
            const cairn_body_state fore = {.position = {1 + 0.5 * cos(bend), 0.5 * sin(bend)}, .angle = bend};
            cairn_body a = add_link(&w, "upper", 1, &upper, false), b = add_link(&w, "fore", 1, &fore, false),
                       ground = {0};
            add_hinge(&w, "shoulder", ground, (double[3]){0}, a, (double[3]){-0.5, 0, 0}, NULL, NULL);
            cairn_joint elbow =
                add_hinge(&w, "elbow", a, (double[3]){0.5, 0, 0}, b, (double[3]){-0.5, 0, 0}, NULL, NULL);
            add_hinge(&w, "hand", ground, (double[3]){reach, 0, 0}, b, (double[3]){0.5, 0, 0}, NULL, NULL);
            cairn_coordinate_options o =
                cairn_coordinate_default(); /* the coordinate is 0 where the elbow bends by `bend` */
            o.lower = sign > 0 ? 0.2 - bend : -3;
            o.upper = sign > 0 ? 3 : -0.2 - bend;
            assert_int_equal(cairn_model_set_coordinate(w.model, elbow, "angle", &o), CAIRN_OK);
            start_with(&w, CAIRN_INITIAL_ASSEMBLE);
            double found = bend + cairn_simulation_coordinate(w.simulation, elbow, 0, NULL);
            assert_near(found, sign * (PI - 2 * asin(reach / 2)), 1e-10);
            world_free(&w);
        }
}

/* A pendulum given beyond the end of its range comes to rest at it, and a rate into it is taken away. */
static void limit_is_reached(void **state)
{
    (void)state;
    world w = world_new(2);
    const cairn_body_state at = {.position = {1, 0}, .velocity = {0, 2}, .angular_velocity = {0, 0, 2}};
    cairn_body bob = add_link(&w, "bob", 1, &at, false), ground = {0};
    cairn_joint pin = add_hinge(&w, "pin", ground, (double[3]){0}, bob, (double[3]){-1, 0, 0}, NULL, NULL);
    cairn_coordinate_options o = cairn_coordinate_default();
    o.upper = -0.25;
    assert_int_equal(cairn_model_set_coordinate(w.model, pin, "angle", &o), CAIRN_OK);
    start_with(&w, CAIRN_INITIAL_ASSEMBLE);
    double rate;
    assert_near(cairn_simulation_coordinate(w.simulation, pin, 0, &rate), -0.25, 1e-11);
    assert_near(rate, 0, 1e-11);
    world_free(&w);
}

/* Links in one line have no first-order way to bend; they must all the same. */
static void straight_links_bend(void **state)
{
    (void)state;
    const four_bar bar = {1.0, 3.0, 2.5, 3.2};
    world w = world_new(2);
    const cairn_body_state line[3] = {{.position = {0.5, 0}}, {.position = {2.5, 0}}, {.position = {4.45, 0}}};
    four_bar_build(&w, &bar, line, true);
    start_with(&w, CAIRN_INITIAL_ASSEMBLE);
    cairn_body_state up[3], down[3], found = world_body(&w, "coupler");
    four_bar_pose(&bar, 0, 1, 0, up);
    four_bar_pose(&bar, 0, -1, 0, down);
    assert_pose(&found, found.position[1] > 0 ? &up[1] : &down[1], 1e-10);
    assert_true(result_of(&w).branch_changes >= 1); /* up or down is chance, as the report says */
    world_free(&w);
}

/* The report says whether the elbow has turned over: a parallelogram folds into a line at half a turn, and may go on either way; links
 * that are given far off come out on either branch. */
static void changes_of_branch_are_counted(void **state)
{
    (void)state;
    const four_bar bars[] = {{1, 2, 1, 2}, {1.0, 3.0, 2.5, 3.2}};
    uint64_t seed = 2;
    int seen[2] = {0, 0};
    for (int k = 0; k < 60; ++k)
    {
        world w = world_new(2);
        cairn_body_state given[3], expected[3];
        double turn = k < 20 ? 0.3 * k : 0.0;
        four_bar_pose(&bars[k >= 20], 0.5, 1, 0, given);
        if (k >= 20)
            for (int b = 1; b < 3; ++b)
                disturb(&given[b], 2.0, &seed);
        four_bar_build(&w, &bars[k >= 20], given, k >= 20);
        if (k < 20)
            begin_at(&w, cairn_model_find_joint(w.model, "A"), "angle", turn, NAN);
        start_with(&w, CAIRN_INITIAL_ASSEMBLE);
        cairn_body_state found = world_body(&w, "coupler");
        cairn_assembly_report report = result_of(&w);
        /* the side of the coupler on which the rocker hangs, as given and as found */
        int before = sin(given[2].angle - given[1].angle) > 0,
            after = sin(world_body(&w, "rocker").angle - found.angle) > 0;
        assert_int_equal(report.branch_changes % 2, before != after);
        seen[before != after] += 1;
        four_bar_pose(&bars[k >= 20], 0.5 + turn, after ? 1 : -1, 0, expected);
        assert_pose(&found, &expected[1], 1e-9);
        world_free(&w);
    }
    assert_true(seen[0] > 5 && seen[1] > 5);
}

/* Three links of 1 m between grounds 4 m apart: in the closest assembly they lie in line, and the four joints share the missing
 * metre. */
static void links_too_short(void **state)
{
    (void)state;
    const four_bar bar = {1, 1, 1, 4};
    const cairn_body_state given[3] = {{.position = {0.5, 0.1}, .angle = 0.2},
                                       {.position = {2, 0.3}, .angle = -0.1},
                                       {.position = {3.5, 0.2}, .angle = PI - 0.3}};
    world w = world_new(2);
    four_bar_build(&w, &bar, given, false);
    expect_refused(&w, CAIRN_INITIAL_ASSEMBLE, "the mechanism cannot be assembled");
    expect_refused(&w, CAIRN_INITIAL_ASSEMBLE, "' stays open by 0.25 m");
    cairn_settings settings = cairn_settings_default();
    cairn_assembly *closest;
    assert_int_equal(cairn_assembly_create(w.context, w.model, &settings, &closest), CAIRN_INVALID);
    assert_non_null(closest);
    cairn_assembly_report report = cairn_assembly_result(closest);
    assert_false(report.assembled || report.consistent);
    assert_near(report.error, 0.25, 1e-6);
    for (int j = 0; j < 4; ++j)
        assert_near(cairn_assembly_joint(closest, cairn_model_joint(w.model, j)).after, 0.25, 1e-5);
    for (int b = 0; b < 3; ++b)
    {
        cairn_body_state at = cairn_assembly_body(closest, cairn_model_body(w.model, b)).state;
        assert_near(at.position[0], 0.75 + 1.25 * b, 1e-5);
        assert_near(at.position[1], 0, 1e-5);
    }
    cairn_assembly_destroy(closest);
    start_with(&w, CAIRN_INITIAL_CLOSEST);
    assert_near(world_body(&w, "coupler").position[0], 2, 1e-5);
    assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(w.context), "not assembled"));
    stop(&w);
    world_free(&w);
}

/* Without `initial: assemble` and initial values nothing is assembled; assembling what fits moves nothing. */
static void nothing_to_do(void **state)
{
    (void)state;
    const four_bar bar = {1.0, 3.0, 2.5, 3.2};
    world w = world_new(2);
    cairn_body_state given[3];
    four_bar_pose(&bar, 1, 1, 2, given);
    four_bar_build(&w, &bar, given, false);
    start_with(&w, CAIRN_INITIAL_REFUSE);
    assert_null(cairn_simulation_assembly(w.simulation));
    stop(&w);
    start_with(&w, CAIRN_INITIAL_ASSEMBLE);
    assert_true(result_of(&w).moved < 1e-14 && result_of(&w).change < 1e-28);
    world_free(&w);
}

/* A rigid drive prescribes where a joint begins, and how fast; a compliant joint with an initial value is placed as if it were rigid. */
static void drives_and_compliant_joints(void **state)
{
    (void)state;
    world w = world_new(2);
    const cairn_body_state at[2] = {{.position = {1, 0}}, {.position = {3, 0}}};
    cairn_body a = add_link(&w, "a", 1, &at[0], false), b = add_link(&w, "b", 1, &at[1], false), ground = {0};
    cairn_joint motor = add_hinge(&w, "motor", ground, (double[3]){0}, a, (double[3]){-1, 0, 0}, NULL, NULL);
    cairn_coordinate_options drive = cairn_coordinate_default();
    drive.drive = CAIRN_DRIVE_POSITION;
    drive.target.expression = "4 + 3*t";
    assert_int_equal(cairn_model_set_coordinate(w.model, motor, "angle", &drive), CAIRN_OK);
    cairn_joint_options soft = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    soft.name = "soft";
    soft.a = (cairn_attachment){.body = a, .point = {1, 0, 0}};
    soft.b = (cairn_attachment){.body = b, .point = {-1, 0, 0}};
    soft.stiffness = 1e5;
    cairn_joint knee;
    assert_int_equal(cairn_model_add_joint(w.model, &soft, &knee), CAIRN_OK);
    begin_at(&w, knee, "angle", 0.5, -1);
    start_with(&w, CAIRN_INITIAL_REFUSE);
    double rate;
    assert_near(cairn_simulation_coordinate(w.simulation, motor, 0, &rate), 4, 1e-11);
    assert_near(rate, 3, 1e-11);
    cairn_body_state far = world_body(&w, "b");
    assert_near(far.position[0], 2 * cos(4) + cos(4.5), 1e-11);
    assert_near(far.position[1], 2 * sin(4) + sin(4.5), 1e-11);
    assert_near(far.velocity[0], -6 * sin(4) - 2 * sin(4.5), 1e-10);
    assert_near(far.angular_velocity[2], 2, 1e-10);
    world_free(&w);
}

/* A pendulum on a cart whose motion is prescribed: it is there already at t = 0, and has a velocity. */
static void on_a_driven_body(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k)
    {
        world w = world_new(2);
        const double angle = 0.6 + 2.0 * k;
        const cairn_body_state at = {.position = {1, 0}};
        cairn_body_options o = cairn_body_default();
        cairn_body cart;
        o.name = "cart";
        o.kind = CAIRN_DRIVEN;
        o.motion_position[0] = "0.3 + 0.5*sin(2*t)";
        assert_int_equal(cairn_model_add_body(w.model, &o, &cart), CAIRN_OK);
        cairn_joint pin = add_hinge(&w, "pin", cart, (double[3]){0}, add_link(&w, "bob", 1, &at, false),
                                    (double[3]){-1, 0, 0}, NULL, NULL);
        begin_at(&w, pin, "angle", angle, -2);
        start_under(&w, CAIRN_INITIAL_REFUSE, k % 2 ? CAIRN_INTEGRATOR_STIFF : CAIRN_INTEGRATOR_STIFF2);
        cairn_body_state bob = world_body(&w, "bob");
        assert_near(bob.position[0], 0.3 + cos(angle), 1e-11);
        assert_near(bob.position[1], sin(angle), 1e-11);
        assert_near(bob.velocity[0], 1 + 2 * sin(angle), 1e-8); /* the motion is differentiated */
        assert_near(bob.velocity[1], -2 * cos(angle), 1e-8);
        world_free(&w);
    }
}

/* A gear that turns the forearm twice as far as the upper arm: one angle, of several turns, places both. */
static void coupled_arm(void **state)
{
    (void)state;
    const double angles[] = {1, 4, -9, 20};
    for (int k = 0; k < 8; ++k)
    {
        char text[1024], value[64];
        double a = angles[k % 4];
        snprintf(value, sizeof value, "initial: %g, initial_rate: %d", k < 4 ? a : 2 * a, k < 4 ? 1 : 2);
        snprintf(
            text, sizeof text,
            "dimension: 2\n"
            "bodies:\n"
            "  - {name: upper, mass: 1, inertia: 0.1, position: [0.5, 0]}\n"
            "  - {name: fore, mass: 1, inertia: 0.1, position: [1.5, 0]}\n"
            "joints:\n"
            "  - {name: shoulder, type: revolute, bodies: [world, upper], at: [0, 0], coordinates: {angle: {%s}}}\n"
            "  - {name: elbow, type: revolute, bodies: [upper, fore], at: [1, 0], coordinates: {angle: {%s}}}\n"
            "couplings: [{name: gear, terms: [{joint: shoulder, factor: 2}, {joint: elbow, factor: -1}]}]\n",
            k < 4 ? value : "", k < 4 ? "" : value);
        world w = {.context = cairn_context_create()};
        if (cairn_scene_parse(w.context, "arm", text, strlen(text), NULL, 0, &w.scene))
            fail_msg("%s", cairn_context_last_message(w.context));
        start_under(&w, CAIRN_INITIAL_REFUSE, k % 2 ? CAIRN_INTEGRATOR_STIFF : CAIRN_INTEGRATOR_STIFF2);
        cairn_body_state fore = world_body(&w, "fore");
        assert_near(fore.angle, 3 * a, 1e-9);
        assert_near(fore.position[0], cos(a) + 0.5 * cos(3 * a), 1e-9);
        assert_near(fore.position[1], sin(a) + 0.5 * sin(3 * a), 1e-9);
        assert_near(fore.angular_velocity[2], 3, 1e-9);
        world_free(&w);
    }
}

/* A user's own system: a point on a circle, pulled onto it along its radius; its velocity loses the radial part. */
static void circle_mass(void *data, const double *q, double *M)
{
    (void)data;
    (void)q;
    M[0] = M[3] = 2;
    M[1] = M[2] = 0;
}

static void circle_joint(void *data, const double *q, double *theta, double *gradient)
{
    (void)data;
    theta[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1);
    gradient[0] = q[0];
    gradient[1] = q[1];
}

static void own_system(void **state)
{
    (void)state;
    const double q[2] = {0.9, 0.9}, v[2] = {1, 0}, *found_q, *found_v;
    world w = world_new(2);
    cairn_system_options o = cairn_system_default();
    cairn_system circle;
    o.name = "circle";
    o.n = 2;
    o.q = q;
    o.v = v;
    o.joint_count = 1;
    o.mass = circle_mass;
    o.joints = circle_joint;
    assert_int_equal(cairn_model_add_system(w.model, &o, &circle), CAIRN_OK);
    start_with(&w, CAIRN_INITIAL_ASSEMBLE);
    cairn_simulation_system(w.simulation, circle, &found_q, &found_v);
    for (int k = 0; k < 2; ++k)
    {
        assert_near(found_q[k], sqrt(0.5), 1e-12);
        assert_near(found_v[k], k == 0 ? 0.5 : -0.5, 1e-11);
    }
    assert_near(result_of(&w).change, 0.5, 1e-11); /* 1/2 2 (1/2^2 + 1/2^2) */
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loose_four_bar),
        cmocka_unit_test(report_of_moves),
        cmocka_unit_test(four_bar_by_crank),
        cmocka_unit_test(slider_crank),
        cmocka_unit_test(heavy_bodies_move_less),
        cmocka_unit_test(smallest_change_of_velocities),
        cmocka_unit_test(limits_choose_the_branch),
        cmocka_unit_test(limit_is_reached),
        cmocka_unit_test(straight_links_bend),
        cmocka_unit_test(links_too_short),
        cmocka_unit_test(changes_of_branch_are_counted),
        cmocka_unit_test(nothing_to_do),
        cmocka_unit_test(drives_and_compliant_joints),
        cmocka_unit_test(on_a_driven_body),
        cmocka_unit_test(coupled_arm),
        cmocka_unit_test(own_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
